"""TOML as somebody wrote it: tables put at its end, changed or cut, every other byte as it was.

What a table holds is told by the parser; here is only where it lies. Each change is held against what the text says
afterwards, so that one that would say anything else is refused.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from curator.errors import CuratorError

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]",
    re.S,
)
_LINE = re.compile(r"\(at line (\d+)")


class Table(NamedTuple):
    """A table with a header: its names, is it one of an array, and where its lines begin and end.

    Blank lines and comments at its end are not among them.
    """

    path: tuple[str, ...]
    array: bool
    start: int
    end: int


def read(text: str, where: str, hint: str) -> dict[str, Any]:
    """The text as a value. CuratorError, with the line, for whatever is no TOML."""
    try:
        text.encode()
        return tomllib.loads(text)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise CuratorError("is not UTF-8 text", where=f"{where}:{line}", hint=hint) from None
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        told = str(error).partition(" (at ")[0]
        raise CuratorError(f"is not TOML: {told}", where=f"{where}:{line}", hint=hint) from None
    except RecursionError:
        raise CuratorError("is nested too deeply", where=where, hint=hint) from None


def tables(text: str) -> tuple[Table, ...]:
    """The tables with a header, in their order; *text* is TOML."""
    starts = list(_headers(text))
    found = []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        value: Any = tomllib.loads(text[start : _break(text, start)].rstrip("\r"))
        path, array = _names(value)
        found.append(Table(path, array, start, start + len(_said(text[start:end]))))
    return tuple(found)


def added(text: str, header: str, values: Mapping[str, object]) -> str:
    """The text with a table at its end, one blank line before it; *values* are such as JSON and TOML write alike."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [header, *(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())]
    body = newline.join(lines)
    if not text:
        return body + newline
    if text.endswith("\n"):
        return text + newline + body + newline
    return text + newline * 2 + body


def without(text: str, gone: Iterable[Table]) -> str:
    """The text without these tables, and the blank line before each."""
    for one in sorted(gone, key=lambda one: one.start, reverse=True):
        before = text[: one.start]
        newline = "\r\n" if before.endswith("\r\n") else "\n"
        ends = one.end >= len(text) and not text.endswith("\n")
        cut = before.removesuffix(newline) if before.endswith((newline * 2, f"\n{newline}")) else before
        text = (cut.removesuffix(newline) if ends else cut) + text[one.end :]
    return text


def spelt(text: str, table: Table, name: str, value: object) -> str:
    """The text with another value for a key of *table* that stands on one line."""
    key = re.compile(rf"^([ \t]*{re.escape(name)}[ \t]*=[ \t]*)(\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|\[[^\n\]]*\])", re.M)
    told = json.dumps(value, ensure_ascii=False)
    body = key.sub(lambda found: found[1] + told, text[table.start : table.end], count=1)
    return text[: table.start] + body + text[table.end :]


def _headers(text: str) -> Iterable[int]:
    """Where the line of each header begins: a bracket that opens outside of all others, first on its line."""
    depth, line = 0, 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == "[" and not text[line : token.start()].strip(" \t"):
            yield line
        if mark in {"[", "{"}:
            depth += 1
        elif mark in {"]", "}"}:
            depth -= 1
        elif mark == "\n" and depth == 0:
            line = token.end()


def _break(text: str, start: int) -> int:
    """The end of the line of *start*."""
    found = text.find("\n", start)
    return len(text) if found < 0 else found


def _names(value: Any) -> tuple[tuple[str, ...], bool]:
    """The names that a header alone makes, from the outside in."""
    path: list[str] = []
    while isinstance(value, dict) and value:
        ((name, value),) = value.items()
        path.append(name)
    return tuple(path), isinstance(value, list)


def _said(part: str) -> str:
    """A table's lines up to the last that is neither blank nor a comment, with its line break."""
    lines = part.splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return "".join(lines)
