"""JSON as somebody wrote it, with comments where a client allows them: one part put in, changed or cut, the rest kept.

Every function takes text that `read` took and gives text that it takes. Offsets are found in a copy in which comments
and commas before a closing bracket are blanks, so that the copy is JSON of the same length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from curator.errors import CuratorError

_BLANKS = " \t\r\n"
_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_COMMENT = re.compile(rf"{_STRING}|(?P<comment>//[^\n]*|/\*.*?\*/)", re.S)
_TRAILING = re.compile(rf"{_STRING}|(?P<comma>,)(?=\s*[\]}}])")


class Part(NamedTuple):
    """A value in the text and, in an object, its key: offsets of key, value and end."""

    key: str
    start: int
    value: int
    end: int


Path = Sequence[str | int]


def read(text: str, where: str, hint: str, *, comments: bool = False) -> dict[str, Any]:
    """The text as a value. CuratorError, with the line, for whatever is no JSON object with unique keys.

    *comments*: the client takes them, and commas before a closing bracket.
    """
    try:
        value = json.loads(_plain(text) if comments else text, object_pairs_hook=_unique, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise CuratorError(_fault(text, error, comments=comments), where=f"{where}:{error.lineno}", hint=hint) from None
    except RecursionError:
        raise CuratorError("is nested too deeply", where=where, hint=hint) from None
    except ValueError as error:
        raise CuratorError(str(error), where=where, hint=hint) from None
    if not isinstance(value, dict):
        raise CuratorError("is not a JSON object", where=where, hint=hint)
    return value


def value_of(text: str) -> Any:
    """What a text says that `read` took."""
    return json.loads(_plain(text))


def spelt(text: str, path: Path, value: object) -> str:
    """The text with another value at *path*, which is there."""
    at = _find(text, path)
    end = json.JSONDecoder().raw_decode(_plain(text), at)[1]
    return text[:at] + json.dumps(value, ensure_ascii=False) + text[end:]


def append(text: str, path: Path, key: str, value: object) -> str:
    """The text with a member, or an item, at the end of the container at *path*, laid out as the container is."""
    start = _find(text, path)
    parts, end = _parts(text, start)
    lead, outer, unit = _layout(text, start, parts)
    comma, colon = _separators(text)
    name = f"{json.dumps(key)}{colon}" if text[start] == "{" else ""
    if lead:
        body = json.dumps(value, ensure_ascii=False, indent=unit, separators=(",", colon)).replace("\n", lead)
    else:
        body = json.dumps(value, ensure_ascii=False, separators=(comma, colon))
    if not parts:
        inside = text[start + 1 : end]
        return f"{text[: start + 1]}{lead}{name}{body}{inside if inside.strip(_BLANKS) else outer}{text[end:]}"
    last = parts[-1].end
    after = _comma(text, last, end)
    if after:  # a comma ends the last part already, and the new one gets its own
        spot = _line_end(text, after, end) if lead else after
        return f"{text[:spot]}{lead or comma[1:]}{name}{body},{text[spot:]}"
    spot = _line_end(text, last, end) if lead else last
    return f"{text[:last]}{',' if lead else comma}{text[last:spot]}{lead}{name}{body}{text[spot:]}"


def cut(text: str, path: Path, instead: str = "") -> str:
    """The text without the part at *path*, its comma and the blanks before it; comments stay.

    *instead* takes the place of a container that held nothing else.
    """
    start = _find(text, path[:-1])
    parts, end = _parts(text, start)
    name = path[-1]
    at = name if isinstance(name, int) else next(number for number, one in enumerate(parts) if one.key == name)
    one = parts[at]
    after = _comma(text, one.end, end)
    tail = after or one.end
    if len(parts) == 1:
        left = text[start + 1 : one.start] + text[tail:end]
        return text[:start] + (instead or text[start] + text[end]) + text[end + 1 :] if _blank(left) else (
            text[: _lead_start(text, one.start)] + text[tail:]
        )  # fmt: skip
    if at == len(parts) - 1 and not after:
        comma = _comma(text, parts[at - 1].end, one.start)
        between = text[comma : _lead_start(text, one.start)]
        return text[: comma - 1] + between + text[one.end :]
    if at == 0 and _blank(text[tail : parts[1].start]):
        return text[: one.start] + text[parts[1].start :]
    begin = _lead_start(text, one.start)
    if "\n" in text[begin : one.start] and text[tail : _line_end(text, tail, end, told=True)].strip(_BLANKS):
        begin = one.start  # what follows on its line keeps a line of its own
    return text[:begin] + text[tail:]


def container(text: str, path: Path) -> str:
    """The text of the object or array at *path*, from bracket to bracket; "" where there is none or it is not empty."""
    value = value_of(text)
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return ""
        value = value[name]
    if value not in ({}, []):
        return ""
    start = _find(text, path)
    return text[start : _parts(text, start)[1] + 1]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is there twice")
    return value


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _fault(text: str, error: json.JSONDecodeError, *, comments: bool) -> str:
    if text.startswith("\ufeff"):
        return "begins with a byte order mark, which JSON has not"
    if text[error.pos : error.pos + 2] in {"//", "/*"}:
        return "holds a comment that is not closed" if comments else "holds a comment, which JSON has not"
    return f"is not JSON: {error.msg}"


# -- the text itself ---------------------------------------------------------------


def _bare(text: str) -> str:
    """The text with blanks for comments."""

    def blanked(found: re.Match[str]) -> str:
        return re.sub(r"[^\r\n]", " ", found[0]) if found["comment"] else found[0]

    return _COMMENT.sub(blanked, text) if "//" in text or "/*" in text else text


def _plain(text: str) -> str:
    """The same, and with blanks for commas before a closing bracket."""
    return _TRAILING.sub(lambda found: " " if found["comma"] else found[0], _bare(text))


def _comma(text: str, start: int, end: int) -> int:
    """The offset behind the comma that stands between two offsets outside comments; 0 where none does."""
    return _bare(text).find(",", start, end) + 1


def _blank(text: str) -> bool:
    return not text.strip(_BLANKS)


def _parts(text: str, start: int) -> tuple[list[Part], int]:
    """The members of the object, or the items of the array, that opens at *start*; and the offset of its end."""
    text = _plain(text)
    decoder = json.JSONDecoder()
    keyed, parts = text[start] == "{", []
    at = _skip(text, start + 1)
    while text[at] not in "]}":
        begin, key = at, ""
        if keyed:
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        end = decoder.raw_decode(text, at)[1]
        parts.append(Part(key, begin, at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return parts, at


def _skip(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _find(text: str, path: Path) -> int:
    """The offset of the value at *path*, whose parts are all there."""
    at = _skip(_plain(text), 0)
    for name in path:
        parts = _parts(text, at)[0]
        at = parts[name].value if isinstance(name, int) else next(one.value for one in parts if one.key == name)
    return at


def _separators(text: str) -> tuple[str, str]:
    """What stands between parts on one line, and between key and value, as the file's first key has it."""
    root = _parts(text, _find(text, ()))[0]
    tight = bool(root) and text[root[0].value - 1] == ":"
    return (",", ":") if tight else (", ", ": ")


def _layout(text: str, start: int, parts: Sequence[Part]) -> tuple[str, str, str]:
    """How the container at *start* is laid out: what stands before each part, before its end, and one indent.

    The first two are "" where all stands on one line.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    root = _parts(text, _find(text, ()))[0]
    unit = _lead(text, root[0].start) if root else "  "
    if parts:
        lead = _lead(text, parts[0].start)
        return (newline + lead, "", unit or "  ") if "\n" in text[start : parts[0].start] else ("", "", "")
    if root and "\n" not in text[: root[0].start]:
        return "", "", ""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    return newline + margin + (unit or "  "), newline + margin, unit or "  "


def _lead(text: str, at: int) -> str:
    """The blanks before *at* on its line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if _blank(line) else ""


def _lead_start(text: str, at: int) -> int:
    """Where the blanks before *at* begin, its line break among them."""
    begin = at
    while begin and text[begin - 1] in " \t":
        begin -= 1
    if begin and text[begin - 1] == "\n":
        begin -= 2 if text[begin - 2 : begin] == "\r\n" else 1
    return begin


def _line_end(text: str, at: int, end: int, *, told: bool = False) -> int:
    """The end of the line of *at*, before *end*; *at* itself where more than comments follows on it, unless *told*."""
    found = text.find("\n", at, end)
    if found < 0:
        return end if told else at + len(text[at:end].rstrip(_BLANKS))
    found -= text[found - 1 : found] == "\r"
    return found if told or _blank(_bare(text)[at:found]) else at
