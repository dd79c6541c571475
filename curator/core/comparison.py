"""Then and now: the lines that a source rests on, each beside what stands in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from curator.core import terms
from curator.core.verdict import Verdict
from curator.model import Entry, Source, State

_MOST = 12
_ALIKE = 0.5
_WIDEST = 2000  # lines of the new text that are looked through for one that is like an old one


class Pair(NamedTuple):
    """A line that held an anchor, and the line that is most like it now, "" where none is. *same*: nothing happened."""

    then: str
    now: str

    @property
    def same(self) -> bool:
        return "".join(self.then.split()) == "".join(self.now.split())


@dataclass(frozen=True, slots=True)
class View:
    """One source as a person judges it: the verdict, lines then and now; *known* says that git has the old text."""

    source: Source
    verdict: Verdict
    pairs: tuple[Pair, ...] = ()
    known: bool = True


def told(entry: Entry, views: Iterable[View]) -> Iterator[str]:
    """The statement, then each source: its state, why, and each line that changed as it was (`-`) and is (`+`)."""
    yield f"{entry.category}/{entry.id}"
    yield from (f"  {line}" for line in entry.text.strip("\n").split("\n"))
    for view in views:
        yield ""
        yield f"{view.source.path}: {view.verdict.state.value}"
        yield from (f"  {reason.message}" for reason in view.verdict.reasons)
        if not view.known and view.source.blob and view.verdict.state is not State.FRESH:
            yield "  what stood there is not in this clone"
        for pair in view.pairs:
            if pair.same:
                yield f"    {pair.now}"
            else:
                yield f"  - {pair.then}"
                yield f"  + {pair.now or '(nothing like it)'}"


def pairs(source: Source, old: str, new: str) -> tuple[Pair, ...]:
    """The lines of *old* that hold the anchors of *source*, a dozen at most, those that changed first."""
    names = [name for name in (source.symbol, *(one.term for one in source.terms)) if name]
    held = dict.fromkeys(line.text for name in names for line in terms.lines(old, name))
    if source.text:
        held = dict.fromkeys([source.text.strip(), *held])
    now = [line.strip() for line in new.split("\n")]
    bare = {"".join(line.split()): line for line in now}
    found = [Pair(line, bare.get("".join(line.split())) or _nearest(line, now)) for line in list(held)[: 4 * _MOST]]
    return tuple(sorted(found, key=lambda pair: pair.same)[:_MOST])


def _nearest(line: str, lines: Sequence[str]) -> str:
    words = frozenset(re.findall(r"\w+", line))
    shared = sorted(lines[:_WIDEST], key=lambda one: -len(words & frozenset(re.findall(r"\w+", one))))[:20]
    best = max(shared, key=lambda one: SequenceMatcher(None, line, one, autojunk=False).ratio(), default="")
    return best if SequenceMatcher(None, line, best, autojunk=False).ratio() >= _ALIKE else ""
