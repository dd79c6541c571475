"""What each line of a block is: an entry's, the template's, a heading, the closing lines, or nobody's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from curator.core import block, bullet, flags
from curator.core.lineage import Commit, Life
from curator.model import Entry

_LEFT_OUT = re.compile(r"\d+ more did not fit: .*")


class Kind(Enum):
    """What a line of an instruction file is. *ONCE*: of an entry that says something else now, or is gone."""

    ENTRY = "entry"
    ONCE = "once an entry"
    FLAGS = "flags"
    HEADING = "heading"
    TEMPLATE = "template"
    LEFT_OUT = "left out"
    MARKER = "marker"
    FOREIGN = "by hand"
    OUTSIDE = "outside"


class Spot(NamedTuple):
    """Lines of a file that belong together, counted from 1, both inclusive; *text* without its bullet, on one line."""

    kind: Kind
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Where some lines come from: memories with their lives, or the *commit* that last changed them.

    *line* is 0, and *file* that of the memory, for what is in no block. *told* are sentences for a person.
    """

    file: str
    line: int
    last: int
    kind: Kind
    said: str
    told: tuple[str, ...] = ()
    lives: tuple[Life, ...] = ()
    commit: Commit | None = None


def spots(text: str, where: str, template: str, categories: Iterable[str]) -> tuple[Spot, ...]:
    """Every line of a file, what is in the block cut into its pieces; CuratorError where the markers are broken.

    *template* is the source of the block's template.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines[-1] == "":
        lines.pop()
    if not block.present(text):
        return tuple(_outside(lines, 0, len(lines)))
    span = block.find(text, where)
    fixed = {line.strip() for line in template.split("\n") if line.strip()}
    headings = {bullet.heading(category).strip() for category in categories}
    return (
        *_outside(lines, 0, span.start),
        Spot(Kind.MARKER, span.start + 1, span.start + 1, lines[span.start].strip()),
        *_inside(lines, span.start + 1, span.end, fixed, headings),
        Spot(Kind.MARKER, span.end + 1, span.end + 1, lines[span.end].strip()),
        *_outside(lines, span.end + 1, len(lines)),
    )


def _outside(lines: Sequence[str], start: int, end: int) -> Iterator[Spot]:
    return (Spot(Kind.OUTSIDE, at + 1, at + 1, joined(lines[at])) for at in range(start, end))


def _inside(lines: Sequence[str], start: int, end: int, fixed: set[str], headings: set[str]) -> Iterator[Spot]:
    at = start
    while at < end:
        last = _item_end(lines, at, end) if lines[at].startswith("- ") else at
        text = joined("\n".join(lines[at : last + 1]))
        if lines[at].startswith("- "):
            yield Spot(Kind.ENTRY, at + 1, last + 1, text.removeprefix("- "))
        else:
            yield Spot(_kind(lines[at], fixed, headings), at + 1, at + 1, text)
        at = last + 1


def _item_end(lines: Sequence[str], at: int, end: int) -> int:
    """The last line of a list item: what is indented below its bullet belongs to it, with blank lines between."""
    last = at
    for number in range(at + 1, end):
        if lines[number].startswith("  "):
            last = number
        elif lines[number].strip():
            break
    return last


def _kind(line: str, fixed: set[str], headings: set[str]) -> Kind:
    plain = line.strip()
    if not plain or plain in fixed:
        return Kind.TEMPLATE
    if plain in headings:
        return Kind.HEADING
    if flags.is_flag(line):
        return Kind.FLAGS
    return Kind.LEFT_OUT if _LEFT_OUT.fullmatch(plain) else Kind.FOREIGN


def joined(text: str) -> str:
    """A text on one line: how lines were broken makes no difference."""
    return " ".join(text.split())


def said_by(spot: Spot, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries that say what a list item of the block says, or that its closing line names."""
    if spot.kind is Kind.FLAGS:
        return tuple(entry for entry in entries if f'"{flags.opening(entry.text)}"' in spot.text)
    return tuple(entry for entry in entries if joined(entry.text) == spot.text)


def holding(found: Iterable[Spot], text: str) -> tuple[Spot, ...]:
    """The pieces that hold a *text*, however its lines are broken: of entries, else in the block, else around it."""
    wanted = joined(text).removeprefix("- ").casefold()
    held = [spot for spot in found if wanted and wanted in spot.text.casefold()]
    for kinds in ({Kind.ENTRY}, set(Kind) - {Kind.OUTSIDE}, set(Kind)):
        some = tuple(spot for spot in held if spot.kind in kinds)
        if some:
            return some
    return ()


def mentioning(entries: Iterable[Entry], text: str) -> tuple[Entry, ...]:
    """The entries whose statement holds a *text*."""
    wanted = joined(text).removeprefix("- ").casefold()
    return tuple(entry for entry in entries if wanted and wanted in joined(entry.text).casefold())
