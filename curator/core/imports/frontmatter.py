"""The front matter of a Markdown file, read leniently: what other tools write there is often no YAML.

`globs: **/*.ts` is an alias to a YAML parser, and a colon in a description an error. Only what notes use is known:
scalars, quoted or not, over several lines, in blocks; lists in brackets and with dashes; mappings one level deep.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from curator.core import markdown

MOST = 400
"""Lines of the longest front matter that is read."""

Value = str | list[str] | dict[str, str]


class Page(NamedTuple):
    """A file in two parts. *first* is the number of lines before the body.

    *torn*: the front matter begins and does not end, so that the rest of the file cannot be told from it.
    """

    meta: Mapping[str, Value]
    body: str
    first: int = 0
    torn: bool = False

    def text(self, *names: str) -> str:
        """The first of the keys *names* that holds text."""
        for name in names:
            value = self.meta.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()
        return ""

    def under(self, name: str) -> Mapping[str, str]:
        """The mapping under a key, empty where there is none."""
        value = self.meta.get(name)
        return value if isinstance(value, dict) else {}


_MARK = re.compile(r"---[ \t]*")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*")
_KEY = re.compile(r"(?P<key>[A-Za-z_$][\w .$-]{0,60}?)[ \t]*:(?:[ \t]+(?P<value>.*))?[ \t]*")


def read(text: str) -> Page:
    """*text* as a page; without front matter it is all body."""
    lines = markdown.lines(text)
    if not _MARK.fullmatch(lines[0]):
        return Page({}, text)
    for number, line in enumerate(lines[1 : MOST + 1], 1):
        if _END.fullmatch(line):
            return Page(_values(lines[1:number]), "\n".join(lines[number + 1 :]), number + 1)
    heads = [line for line in lines[1:] if line.strip()][:1]
    torn = bool(heads and _KEY.fullmatch(heads[0]))  # else it is a line across the page
    return Page({}, "" if torn else text, torn=torn)


def _values(lines: list[str]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    here = 0
    while here < len(lines):
        match = _KEY.fullmatch(lines[here])
        here += 1
        if match is None:
            continue
        begun = here
        while here < len(lines) and (not lines[here].strip() or lines[here][:1] in " \t" or _is_item(lines[here])):
            here += 1
        found.setdefault(match["key"], _value((match["value"] or "").strip(), lines[begun:here]))
    return found


def _is_item(line: str) -> bool:
    return line.startswith(("- ", "-\t")) or line == "-"


def _value(head: str, rest: list[str]) -> Value:
    """A value of its first line and those that belong to it."""
    said = [line for line in rest if line.strip()]
    if re.fullmatch(r"[|>][+-]?\d?", head):
        return "\n".join(line.strip() for line in rest).strip()
    if not head or head.startswith("#"):
        return _nested(said)
    if head.startswith("[") or head.startswith("{"):
        return _flow(" ".join([head, *map(str.strip, said)]))
    return scalar(" ".join([head, *map(str.strip, said)]))


def _nested(lines: list[str]) -> Value:
    if lines and _is_item(lines[0].strip()):
        return [scalar(line.strip()[1:].strip()) for line in lines if _is_item(line.strip())]
    pairs = (_KEY.fullmatch(line.strip()) for line in lines)
    return {match["key"]: scalar((match["value"] or "").strip()) for match in pairs if match}


_PARTS = re.compile(r"[ \t]*+(?:\"[^\"\\]*+(?:\\.[^\"\\]*+)*\"|'[^']*+'|[^,]+)")


def _flow(text: str) -> Value:
    end = max(text.rfind("]"), text.rfind("}"))
    body = text[1:end] if end > 0 else text[1:]
    parts = [scalar(part.strip()) for part in _PARTS.findall(body)]
    if text.startswith("["):
        return [part for part in parts if part]
    pairs = (part.partition(":") for part in parts)
    return {key.strip().strip("\"'"): scalar(value.strip()) for key, mark, value in pairs if mark}


def scalar(text: str) -> str:
    """A value without its quotes; behind one that has none, without its comment."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\([\"\\/])", r"\1", text[1:-1]).replace("\\n", "\n")
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    plain = re.split(r"\s#", text, maxsplit=1)[0].strip()
    return "" if plain in {"null", "~", "Null", "NULL"} else plain
