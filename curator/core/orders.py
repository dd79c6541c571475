"""Orders that a reviewer must not miss: to fetch and run something, to touch credentials, to send data away.

A warning and no more: many such sentences are honest rules of a project.
"""

from __future__ import annotations

import re

_FETCH = (
    r"\b(?:curl|wget|iwr|invoke-webrequest|invoke-restmethod|npx|uvx|pipx)\s+\S|\bdownload(?:s|ing)?\b"
    r"|\b(?:pip3?|npm|pnpm|yarn|gem|cargo|go|brew|apt(?:-get)?)\s+(?:install|add|i)\s+\S*(?:https?:|git\+)"
    r"|\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:eval|exec)\b[^.\n]{0,30}\bhttps?:"
)
_SECRET = (
    r"(?:passwords?|passphrases?|credentials?|secrets?|(?:api|access|private|ssh)[ _-]?keys?"
    r"|(?:access|auth|api|bearer|session|github|deploy)[ _-]?tokens?|cookies|(?<![\w.])\.env\b|id_(?:rsa|ed25519)"
    r"|\.(?:netrc|npmrc|pypirc|aws/credentials))"
)
_TOUCH = (
    r"\b(?:read|print|echo|cat|show|reveal|paste|copy|send|share|include|attach|give|type|enter|export|use|dump|log"
    r"|upload|post|commit)\b"
)
_SEND = (
    r"\b(?:upload|exfiltrate|submit|transmit|scp|rsync)\b"
    r"|\b(?:post|send|forward|push|report|copy|mail|e-?mail)(?:s|ing)?\b[^.\n]{0,60}"
    r"(?:https?://|\bto (?:the )?(?:server|endpoint|webhook|gist|pastebin|url|address)\b|[\w.+-]+@[\w-]+\.\w)"
    r"|\bcurl\b[^\n]{0,200}\s(?:-d|-F|-T|--data\S*|--form|--upload-file)\b"
)
_WARNINGS = (
    ("a download", re.compile(_FETCH, re.I)),
    ("a credential", re.compile(rf"{_TOUCH}[^.\n]{{0,60}}?{_SECRET}", re.I)),
    ("an upload", re.compile(_SEND, re.I)),
)


_FORBIDDEN = re.compile(r"(?:\b(?:never|not|avoid|nor|without|no)|n['\u2019]t)\s+(?:[\w/]+\s+){0,2}[`\"']*$", re.I)
_LEAD = 40  # characters before an order that may forbid it


def risks(text: str) -> tuple[str, ...]:
    """What an order in *text* has in it: "a download", "a credential", "an upload"; as many as there are.

    What is forbidden ("never print the API key") is no order to do it.
    """
    return tuple(
        name
        for name, pattern in _WARNINGS
        if any(not _FORBIDDEN.search(text[max(0, one.start() - _LEAD) : one.start()]) for one in pattern.finditer(text))
    )
