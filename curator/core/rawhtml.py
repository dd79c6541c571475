"""How a block of raw HTML begins in Markdown, and what ends it (CommonMark 0.31 4.6)."""

from __future__ import annotations

import re

BLANK = re.compile(r"(?!)")
"""Ends at a blank line, which no search in the line itself can see."""

_VERBATIM = "script|pre|style|textarea"
_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul"
).replace(" ", "|")
_STARTS = (
    (re.compile(rf"<(?:{_VERBATIM})(?:\s|>|$)", re.I), re.compile(rf"</(?:{_VERBATIM})>", re.I)),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_TAGS})(?:\s|/?>|$)", re.I), BLANK),
)
_ATTRIBUTE = r"""(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)"""
_ANY_TAG = re.compile(rf"<(?:[A-Za-z][A-Za-z0-9-]*{_ATTRIBUTE}*\s*/?|/[A-Za-z][A-Za-z0-9-]*\s*)>\s*$")


def end(line: str, *, inside: bool) -> re.Pattern[str] | None:
    """What ends the raw HTML that *line* begins with, or None where it begins none.

    *inside* says that a paragraph or a table is open, which a tag of any other name does not end.
    """
    if not line.startswith("<"):
        return None
    for begins, ends in _STARTS:
        if begins.match(line):
            return ends
    return BLANK if not inside and _ANY_TAG.match(line) else None
