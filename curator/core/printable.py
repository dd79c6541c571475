"""How text is shown on a terminal or in a CI log, so that it drives neither (CWE-150)."""

from __future__ import annotations

import re

# They steer a terminal, or the order of what it shows, wherever they stand: escaped even in honest writing.
_STEERING = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
# Logs that take orders: GitHub Actions reads `::name ...::` at the start of a line and `##[name]` anywhere, Azure
# Pipelines `##vso[`, TeamCity `##teamcity[`. Escaping the first character leaves readable text.
_LINE_ORDER = r"(?m)^([^\S\n]*):(?=:[A-Za-z][^\n]*::)"
_ORDER = r"#(?=#(?:vso|teamcity)?\[)"


def escape(text: str) -> str:
    r"""*text* with what would act or hide shown as `\x1b`, `\u202e`, `\U000e0041`. Newlines and tabs stay.

    Emoji and the scripts that need joiners keep them. Escaping twice is
    escaping once.
    """
    if _is_plain(text):
        return text
    quiet = re.sub(_ORDER, _code, re.sub(_LINE_ORDER, r"\1\\x3a", text))
    if not quiet.isascii():
        quiet = _reveal(quiet)
    return re.sub(_STEERING, _code, quiet)


def inline(text: str) -> str:
    r"""*text* as a part of one line: a newline is shown as `\x0a` and a tab as `\x09` too. Printable ASCII stays."""
    if text.isascii() and text.isprintable():
        return text
    return escape(text.replace("\n", _escaped("\n")).replace("\t", _escaped("\t")))


def word(text: str) -> str:
    """*text* as one word of a shell, for a command that a person may paste; control characters as escapes."""
    shown = inline(text)
    return shown if _WORD.fullmatch(shown) else "'" + shown.replace("'", "'\"'\"'") + "'"


_WORD = re.compile(r"[\w@%+=:,./-]+")


def _is_plain(text: str) -> bool:
    shown = text.replace("\n", "").replace("\t", "")
    return shown.isascii() and shown.isprintable() and "::" not in shown and "##" not in shown


def _reveal(text: str) -> str:
    from curator.core import characters  # noqa: PLC0415 - its tables are for text beyond ASCII only

    pieces, place = [], 0
    for offset in characters.hidden(text):
        pieces += [text[place:offset], _escaped(text[offset])]
        place = offset + 1
    return "".join([*pieces, text[place:]])


def _code(found: re.Match[str]) -> str:
    return _escaped(found[0])


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
