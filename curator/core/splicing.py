"""A hand-written file, changed so that it says something else: only the keys that differ are touched."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from curator.core import check, codec, document, rawtext, schema
from curator.core.schema import ENTRY, Key, Kind
from curator.model import Entry


@dataclass(frozen=True, slots=True)
class _Change:
    """Put *text* where the characters from *start* to *end* stand."""

    start: int
    end: int
    text: str


def splice(text: str, before: Entry, after: Entry) -> str:
    """The file *text* of *before*, changed to say *after*: only keys that differ are touched.

    Comments, layout, key order and newlines of a hand-written file stay; a new key goes to its place in the order of
    `write`. A file as `write` makes it becomes `write(after)`, and so does one whose layout leaves no room for a
    change (all of it in braces, say).
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    whole = codec.write(after).replace("\n", newline)
    if text == codec.write(before).replace("\n", newline):
        return whole
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    old = text.removeprefix("\ufeff").replace(codec.modeline(before), codec.modeline(after), 1)
    try:
        changes = _changes(_Page(old, newline), document.parse(old, after.path), ENTRY, before, after)
        spliced = _apply(old, changes) if changes is not None else ""
        return mark + spliced if _says(spliced, after) else whole
    except rawtext.ReadError:
        return whole


def _says(text: str, entry: Entry) -> bool:
    values = check.Check().values(document.parse(text, entry.path), ENTRY)
    return {"id", "category", "text", "schema"} <= values.keys() and _tidy(codec.assemble(values, entry.path)) == _tidy(
        entry
    )


def _tidy(entry: Entry) -> Entry:
    origin = replace(entry.origin, quote=codec.canonical(entry.origin.quote))
    return replace(entry, text=codec.canonical(entry.text), why=codec.canonical(entry.why), origin=origin)


def _apply(text: str, changes: list[_Change]) -> str:
    pieces: list[str] = []
    last = 0
    for change in sorted(changes, key=lambda change: (change.start, change.end)):  # what is new comes first
        pieces.extend((text[last : change.start], change.text))
        last = max(last, change.end)
    return "".join([*pieces, text[last:]])


@dataclass(frozen=True, slots=True)
class _Page:
    """A file's text, by lines."""

    text: str
    newline: str

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Before the line break."""
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end
        return end - (self.text[offset:end][-1:] == "\r")

    def next_line(self, offset: int) -> int:
        return self.text.find("\n", offset) + 1 or len(self.text)

    def column(self, key: document.Scalar) -> int:
        return key.start - self.line_start(key.start)

    def opens_line(self, key: document.Scalar) -> bool:
        return not self.text[self.line_start(key.start) : key.start].strip(" ")

    def comment(self, key: document.Scalar, node: document.Node) -> str:
        """The comment beside a key, whose line will go on with another value."""
        heads = isinstance(node, document.Scalar) and node.block
        start = key.end if node.line > key.line else node.start if heads else node.end
        match = re.search(r"[ \t]+#.*", self.text[start : self.line_end(start)])
        return match[0] if match else ""

    def rendered(self, lines: list[str]) -> str:
        return self.newline.join(lines)


def _changes(
    page: _Page, tree: document.Mapping, keys: tuple[Key, ...], before: Any, after: Any
) -> list[_Change] | None:
    """What makes a mapping that says *before* say *after*; None where its layout leaves no room for that."""
    if tree.flow or not tree.pairs:
        return None
    changes: list[_Change] = []
    for key in keys:
        old, new = schema.said(before, key), schema.said(after, key)
        if old == new:
            continue
        found = _change(page, tree, keys, key, old, new)
        if found is None:
            return None
        changes.extend(found)
    return changes


def _change(
    page: _Page, tree: document.Mapping, keys: tuple[Key, ...], key: Key, old: Any, new: Any
) -> list[_Change] | None:
    pair = tree.find(key.name)
    if pair is None:
        return _insert(page, tree, keys, key, new)
    name, node = pair
    if new is None:
        gap = _Change(page.line_start(name.start), page.next_line(node.end), "")
        return [gap] if page.opens_line(name) else None
    within = _within(page, node, key, old, new)
    if within is not None:
        return within
    first, *rest = codec.lines(key, new, page.column(name))
    text = page.rendered([first + page.comment(name, node), *rest])
    return [_Change(name.start, page.line_end(node.end), text)]


def _within(page: _Page, node: document.Node, key: Key, old: Any, new: Any) -> list[_Change] | None:
    """Changes to single keys of a group, or of the items of a list of as many groups."""
    if key.kind is Kind.GROUP and isinstance(node, document.Mapping) and old is not None:
        return _changes(page, node, key.keys, old, new)
    if key.kind is not Kind.GROUPS or not isinstance(node, document.Sequence) or len(old or ()) != len(new):
        return None
    changes: list[_Change] = []
    for item, was, now in zip(node.items, old, new, strict=True):
        if was == now:
            continue
        found = _changes(page, item, key.keys, was, now) if isinstance(item, document.Mapping) else None
        if found is None:
            return None
        changes.extend(found)
    return changes


def _insert(page: _Page, tree: document.Mapping, keys: tuple[Key, ...], key: Key, value: Any) -> list[_Change] | None:
    first = tree.pairs[0][0]
    column = page.column(first)
    head, *rest = codec.lines(key, value, column)
    text = page.rendered([" " * column + head, *rest]) + page.newline
    present = [tree.find(other.name) for other in keys[: keys.index(key)]]
    placed = [pair for pair in present if pair]
    if not placed:
        spot = page.line_start(first.start)
        return [_Change(spot, spot, text)] if page.opens_line(first) else None
    spot = page.next_line(placed[-1][1].end)
    if spot == len(page.text) and not page.text.endswith("\n"):
        text = page.newline + text.removesuffix(page.newline)
    return [_Change(spot, spot, text)]
