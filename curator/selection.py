"""What one target's block shows and leaves out. Named tuples, and apart from `outcome`: a comparison needs no more."""

from __future__ import annotations

from typing import NamedTuple

from curator.model import Entry


class LeftOut(NamedTuple):
    """An entry that is not in a block, and why. *misfit*: only a larger budget would show it."""

    entry: Entry
    reason: str
    misfit: bool = False


class Section(NamedTuple):
    """One category of a block. *used* counts the rendered lines, heading included."""

    category: str
    budget: int
    used: int
    shown: tuple[Entry, ...]


class Selection(NamedTuple):
    """What a block shows, category by category, and what it leaves out."""

    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def misfits(self) -> tuple[LeftOut, ...]:
        return tuple(out for out in self.left_out if out.misfit)
