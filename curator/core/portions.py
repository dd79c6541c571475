"""Lists of Markdown that together have only so much room: each gets its share, the most important the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from curator.core import inert, report

_MORE = 64
"""Bytes kept for the line that tells how many more there are."""


class Part(NamedTuple):
    """A list with a title, of *total* things.

    *items* makes their lines for texts of so many columns, one thing after
    another. *rank* says how important it is, 0 most. *share* is its room in
    bytes before anything is left over. *language* is that of the fence
    around all lines; "" where they are Markdown already. *first* and *last*
    stand before and behind it. *is_extra*: no text is shortened to get all
    of it in.
    """

    title: str
    rank: int
    noun: str
    total: int
    items: Callable[[int], Iterator[Sequence[str]]]
    share: int
    language: str = ""
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    is_extra: bool = False


class _Filled:
    """A part and as many of its items as have room so far."""

    def __init__(self, part: Part, length: int) -> None:
        self.part = part
        self.items = part.items(length)
        self.lines: list[str] = []
        self.taken = 0
        self.run = 2
        self.size = size([*part.first, part.title, "", *part.last, ""]) + 2 * (self.run + 2) + len(part.language)
        self.pending: Sequence[str] | None = None

    def fill(self, room: int) -> int:
        """Take items while they fit; the bytes that it takes up."""
        while item := self.pending or next(self.items, None):
            run = max(self.run, *map(inert.longest, item)) if self.part.language else self.run
            cost = size(item) + 2 * (run - self.run)
            if self.size + cost > room:
                self.pending = item
                break
            self.lines.extend(item)
            self.size, self.run, self.taken, self.pending = self.size + cost, run, self.taken + 1, None
        return self.size

    @property
    def is_whole(self) -> bool:
        return self.taken == self.part.total

    def told(self) -> list[str]:
        part = self.part
        rest = part.total - self.taken
        more = [f"*{report.plural(rest, f'more {part.noun}')}*", ""] if rest else []
        shown = self.lines if not part.language else inert.fence(self.lines, part.language)
        body = [*shown, *([""] if shown[-1] else [])] if self.lines else []
        return [*part.first, *([part.title, ""] if part.title else []), *body, *more, *part.last]


def size(lines: Sequence[str]) -> int:
    """Bytes of UTF-8, each line with its end."""
    return sum(len(line) if line.isascii() else len(line.encode("utf-8", "replace")) for line in lines) + len(lines)


def written(parts: Sequence[Part], room: int, lengths: Sequence[int]) -> list[str]:
    """The lines of all parts, in so many bytes together: the longest texts with which everything fits, else the last.

    First each part takes what its share allows, then the important ones what
    is left.
    """
    filled: list[_Filled] = []
    for length in lengths:
        filled = _filled(parts, room, length)
        if all(one.is_whole or one.part.is_extra for one in filled):
            break
    return [line for one in filled for line in one.told()]


def _filled(parts: Sequence[Part], room: int, length: int) -> list[_Filled]:
    filled = [_Filled(part, length) for part in parts]
    room -= _MORE * len(parts)
    scale = min(1.0, room / max(1, sum(part.share for part in parts)))
    left = room - sum(one.fill(int(one.part.share * scale)) for one in filled)
    for one in sorted(filled, key=lambda one: one.part.rank):
        before = one.size
        left -= one.fill(before + left) - before
    return filled
