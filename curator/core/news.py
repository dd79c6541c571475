"""What of a judgement is news, and what stood so before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from curator.core.verdict import Change, Reason
from curator.model import Level, State


def fresh(reasons: Iterable[Reason], debts: Collection[Reason], *, only: State | None = None) -> Iterator[Reason]:
    """Those reasons that ask for a person and are no older debt; with *only* those of one state.

    *debts* are `bare`. A file that goes takes what was wrong with it along.
    """
    broken = {one.path for one in debts if one.state is State.STALE}
    for one in reasons:
        known = bare(one) in debts or (one.change in {Change.PATH_GONE, Change.UNTRACKED} and one.path in broken)
        wanted = one.state is only if only else one.state.level in {Level.ERROR, Level.WARNING}
        if wanted and not known:
            yield one


def bare(reason: Reason) -> Reason:
    """A reason by what happened to what, to be compared."""
    return replace(reason, lines=(), elsewhere="")
