"""A hand-written file, changed so that it says something else: only the keys that differ are touched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from curator.core import check, codec, document, rawtext, schema
from curator.core.schema import ENTRY, Key, Kind
from curator.model import Entry, Evidence

_TO_DASH = re.compile(r"(?:\s|#[^\n]*+)*+-")
_LISTS = frozenset({Kind.GROUPS, Kind.LINES, Kind.NAMES})
_SAME = 10_000  # what two items that are about the same thing score: more than all else that they share


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
        return self.remark(key.end if node.line > key.line else node.start if heads else node.end)

    def remark(self, offset: int) -> str:
        """The comment on the rest of a line, with the blanks before it."""
        match = re.search(r"[ \t]+#.*", self.text[offset : self.line_end(offset)])
        return match[0] if match else ""

    def remarked(self, line: int) -> int:
        """The column of the comment that is all of the line starting at *line*; -1 where it is not."""
        match = re.compile(r" *(?=#)").match(self.text, line)
        return len(match[0]) if match else -1

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
        found = _change(page, tree, keys, key, old, after)
        if found is None:
            return None
        changes.extend(found)
    return changes


def _change(
    page: _Page, tree: document.Mapping, keys: tuple[Key, ...], key: Key, old: Any, after: Any
) -> list[_Change] | None:
    pair, new = tree.find(key.name), schema.said(after, key)
    if pair is None:
        return _insert(page, tree, keys, key, after)
    if new is None:
        return _without(page, tree, pair)
    name, node = pair
    within = _within(page, name, node, key, old, new)
    if within is not None:
        return within
    first, *rest = codec.lines(key, new, page.column(name))
    text = page.rendered([first + page.comment(name, node), *rest])
    text = _within_brackets(page, node, page.column(name)) + text if page.opens_line(name) else text
    return [_Change(name.start, page.line_end(node.end), text)]


def _without(page: _Page, tree: document.Mapping, pair: tuple[document.Scalar, document.Node]) -> list[_Change] | None:
    """Take a key out. One that stands behind the dash of its item leaves that place to the next key."""
    name, node = pair
    if page.opens_line(name):
        return [_Change(page.line_start(name.start), page.next_line(node.end), "")]
    at = tree.pairs.index(pair) + 1
    if at == len(tree.pairs):
        return None
    following = tree.pairs[at][0].start
    is_remarked = page.text[page.next_line(node.end) : following].strip()
    return [_Change(name.start, page.line_end(node.end) if is_remarked else following, "")]


def _within(
    page: _Page, name: document.Scalar, node: document.Node, key: Key, old: Any, new: Any
) -> list[_Change] | None:
    """Changes to single keys of a group, items of a list or terms; None where all of it is to be written anew."""
    if key.kind is Kind.GROUP and isinstance(node, document.Mapping) and old is not None:
        return _changes(page, node, key.keys, old, new)
    parts = _parts(page, name, node, key)
    if not parts or len(parts) != len(old or ()):
        return None
    twins = _twins(key, old, new)
    return _listed(page, key, list(zip(parts, old, strict=True)), new, twins) if twins else None


def _within_brackets(page: _Page, node: document.Node, column: int) -> str:
    """The comments between brackets or braces that will go, as lines of their own before what stands at *column*."""
    if isinstance(node, document.Scalar) or not node.flow:
        return ""
    ends = [node.start, *(place for one in _scalars(node) for place in (one.start, one.end)), node.end]
    between = (page.text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))
    remarks = [found for piece in between for found in re.findall(r"(?<=\s)#[^\r\n]*", piece)]
    return "".join(f"{remark}{page.newline}{' ' * column}" for remark in remarks)


def _scalars(node: document.Node) -> Iterator[document.Scalar]:
    if isinstance(node, document.Scalar):
        yield node
    elif isinstance(node, document.Sequence):
        for item in node.items:
            yield from _scalars(item)
    else:
        for name, value in node.pairs:
            yield name
            yield from _scalars(value)


def _insert(page: _Page, tree: document.Mapping, keys: tuple[Key, ...], key: Key, after: Any) -> list[_Change] | None:
    first = tree.pairs[0][0]
    column = page.column(first)
    head, *rest = codec.lines(key, schema.said(after, key), column)
    text = page.rendered([" " * column + head, *rest]) + page.newline
    present = [(other, tree.find(other.name)) for other in keys[: keys.index(key)]]
    stays = [(pair, schema.said(after, other) is not None) for other, pair in present if pair]
    placed = [pair for pair, stay in stays if stay or page.opens_line(pair[0])]
    if not placed:
        spot = page.line_start(first.start)
        return [_Change(spot, spot, text)] if page.opens_line(first) else None
    return [_added(page, page.next_line(placed[-1][1].end), text)]


def _added(page: _Page, spot: int, text: str) -> _Change:
    """New lines at the start of a line, or at the end of a file that does not end its last one."""
    if spot == len(page.text) and not page.text.endswith("\n"):
        text = page.newline + text.removesuffix(page.newline)
    return _Change(spot, spot, text)


# --- Lists and terms ---------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """An item of a list, from its dash, or a term: its *node*, and its lines from *top* to *bottom*.

    A comment right above it belongs to it, and so does one right below that stands further in.
    """

    head: int
    node: document.Node
    top: int
    bottom: int


def _parts(page: _Page, name: document.Scalar, node: document.Node, key: Key) -> list[_Part]:
    """The parts of a value that has a line or more for each; none otherwise."""
    parts: list[_Part] = []
    floor = page.next_line(name.end)
    for head, inner in _heads(page, name, node, key):
        top = page.line_start(head)
        column = head - top
        if head < 0 or page.text[top:head].strip(" ") or top < floor:
            return []
        bottom = page.next_line(inner.end)
        while page.remarked(bottom) > column:
            bottom = page.next_line(bottom)
        while top > floor and 0 <= page.remarked(page.line_start(top - 1)) <= column:
            top = page.line_start(top - 1)
        parts.append(_Part(head, inner, top, bottom))
        floor = bottom
    return parts


def _heads(page: _Page, name: document.Scalar, node: document.Node, key: Key) -> Iterator[tuple[int, document.Node]]:
    """Where each part starts, -1 where that is not seen, with what follows its dash or its colon."""
    if key.kind is Kind.TERMS and isinstance(node, document.Mapping) and not node.flow:
        yield from ((term.start, evidence) for term, evidence in node.pairs)
    elif key.kind in _LISTS and isinstance(node, document.Sequence) and not node.flow:
        end = page.text.find(":", name.end) + 1
        for item in node.items:
            found = _TO_DASH.match(page.text, end)
            yield found.end() - 1 if found else -1, item
            end = item.end


def _listed(page: _Page, key: Key, parts: list[tuple[_Part, Any]], new: Any, twins: Mapping[int, int]) -> list[_Change]:
    """Take out the lines of parts that have no twin, change what differs in the others, put new ones in between."""
    changes: list[_Change] = []
    column = parts[0][0].head - page.line_start(parts[0][0].head)
    stays = {old: now for now, old in twins.items()}
    for number, (part, was) in enumerate(parts):
        if number not in stays:
            changes.append(_Change(part.top, part.bottom, ""))
        elif was != new[stays[number]]:
            changes.extend(_inside(page, key, part, was, new[stays[number]]))
    spot = parts[0][0].top
    for number, value in enumerate(new):
        if number in twins:
            spot = parts[twins[number]][0].bottom
        else:
            changes.append(_added(page, spot, page.rendered(_lines(key, value, column)) + page.newline))
    return changes


def _inside(page: _Page, key: Key, part: _Part, was: Any, now: Any) -> list[_Change]:
    if key.kind is Kind.GROUPS and isinstance(part.node, document.Mapping):
        found = _changes(page, part.node, key.keys, was, now)
        if found is not None:
            return found
    first, *rest = _lines(key, now, part.head - page.line_start(part.head))
    text = page.rendered([first.lstrip(" ") + page.remark(part.node.end), *rest])
    text = _within_brackets(page, part.node, part.head - page.line_start(part.head)) + text
    return [_Change(part.head, page.line_end(part.node.end), text)]


def _lines(key: Key, value: Any, column: int) -> list[str]:
    """One part of a list, or a term, with its indent."""
    return codec.lines(key, (value,), column - 2)[1:]


def _twins(key: Key, old: Any, new: Any) -> dict[int, int]:
    """Which of the *old* parts each *new* one was: by their numbers, in one order for both."""
    if key.kind is Kind.GROUPS:
        return _likest(key, old, new)
    found: dict[int, int] = {}
    names = [_name(value) for value in old]
    free = 0
    for number, value in enumerate(new):
        if _name(value) in names[free:]:
            found[number] = names.index(_name(value), free)
            free = found[number] + 1
    return found


def _name(value: Any) -> str:
    return value.term if isinstance(value, Evidence) else str(value)


def _likest(key: Key, old: Any, new: Any) -> dict[int, int]:
    """The twins of groups that are alike the most, all in all; as many between two of them are twins by their place."""

    @cache
    def best(at: int, to: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        if at == len(old) or to == len(new):
            return 0, ()
        ways = [best(at + 1, to), best(at, to + 1)]
        likeness = _likeness(key, old[at], new[to])
        if likeness:
            score, pairs = best(at + 1, to + 1)
            ways.insert(0, (likeness + score, ((to, at), *pairs)))
        return max(ways, key=lambda way: way[0])  # the first of equals

    found = best(0, 0)[1]
    twins = dict(found)
    for (to, at), (next_to, next_at) in pairwise([(-1, -1), *found, (len(new), len(old))]):
        if next_to - to == next_at - at:
            twins.update(zip(range(to + 1, next_to), range(at + 1, next_at), strict=True))
    return twins


def _likeness(key: Key, was: Any, now: Any) -> int:
    """How much two groups share: above all what each must say (a path); 0 where nothing but silence."""
    said = [(one, schema.said(was, one), schema.said(now, one)) for one in key.keys]
    same = [one for one, before, after in said if before == after]
    if any(one.required for one in same):
        return _SAME + len(same)
    shared = [_shared(before, after) for one, before, after in said if one.kind is Kind.TERMS]
    return len(same) + sum(shared) if any(shared) or any(schema.said(now, one) is not None for one in same) else 0


def _shared(before: tuple[Evidence, ...] | None, after: tuple[Evidence, ...] | None) -> int:
    return len({one.term for one in before or ()} & {one.term for one in after or ()})
