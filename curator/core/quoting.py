"""Single values as YAML text that any reader of YAML 1.1 or 1.2 gives back as the same text."""

from __future__ import annotations

import re

from curator.core import rawtext

_RESERVED = frozenset("y n yes no on off true false null nan inf none".split())
_WORD = re.compile(r"[^\W\d](?:[\w ./+@()*=$~-]*[\w./+@()*=$~-])?")
_DIGITS_FIRST = re.compile(r"[0-9]+[0-9a-z]*")
_NUMBER_LETTERS = re.compile(r"[0-9beox]*|0x[0-9a-f]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def inline(text: str) -> str:
    """*text* on one line: bare where every reader of YAML 1.1 or 1.2 gets it back as text, else in quotes."""
    if _WORD.fullmatch(text):
        return quoted(text) if text.lower() in _RESERVED or "  " in text else text
    digits = _DIGITS_FIRST.fullmatch(text) and not _NUMBER_LETTERS.fullmatch(text)
    return text if digits else quoted(text)


def quoted(text: str) -> str:
    """*text* on one line in single quotes; in double quotes with escapes where it would not come back otherwise."""
    if "\n" not in text and not rawtext.unreadable(text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    escaped = rawtext.unreadable(character) and not "\ud800" <= character <= "\udfff"
    return f"\\u{ord(character):04x}" if escaped else character


def block(text: str, indent: int) -> str:
    """*text* as a ``|`` block whose lines start with *indent* blanks; `quoted` where no block gives it back.

    It comes back with one line break at its end.
    """
    fits = text and text == text.strip(" \t\n") and "\r" not in text
    if not fits or rawtext.unreadable(text) or rawtext.CONFLICT.search(text):
        return quoted(text)
    pad = " " * indent
    return "|" + "".join(f"\n{pad}{line}" if line else "\n" for line in text.split("\n"))
