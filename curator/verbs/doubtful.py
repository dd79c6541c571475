"""Which memories in use no longer fit the code that is there, without the history behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from curator.core import checkup, lifecycle
from curator.core.verdict import Judged
from curator.edge import code, plumbing, store
from curator.model import Entry, Level, State, Workspace

_WORST = (State.STALE, State.MOVED, State.REVIEW)


class Doubtful(NamedTuple):
    """Verdicts that ask something of a person, the worst first; *searched* entries were looked at.

    *unknown* are files asked about which git does not track and no entry in use cites.
    """

    doubtful: tuple[Judged, ...]
    searched: int
    unknown: tuple[str, ...] = ()


def run(workspace: Workspace, *, as_of: str, files: Sequence[str] = ()) -> Doubtful:
    """Judge the entries in use on an ISO date; with *files* only those that cite one of them, or a file below."""
    stamp = plumbing.stamp(workspace)
    held = store.load(workspace)
    tracked = store.tree(workspace, held.config)
    tip = store.tip(held.config)
    every = lifecycle.in_use(held.entries, as_of)
    below = () if "." in files else tuple(f"{path.rstrip('/')}/" for path in files)
    in_use = [entry for entry in every if not below or _cites(entry, below)]
    cited = {source.path for entry in in_use for source in entry.sources}
    unknown = tuple(path.rstrip("/") for path in below if not _holds((*cited, *tracked.files), path))
    judged = store.reading(workspace, lambda cache: code.judge(workspace, cache, tracked.code, in_use, tip))
    store.remember(workspace, {}, stamp, judged.learned)
    told = [checkup.dated(one, as_of) for one in judged.judged]
    asking = [one for one in told if one.state.level in {Level.ERROR, Level.WARNING} and one.state in _WORST]
    asking.sort(key=lambda one: (_WORST.index(one.state), -one.entry.importance, one.entry.path))
    return Doubtful(tuple(asking), len(in_use), unknown)


def _cites(entry: Entry, below: tuple[str, ...]) -> bool:
    return any(f"{source.path}/".startswith(below) for source in entry.sources)


def _holds(files: Iterable[str], path: str) -> bool:
    return any(f"{one}/".startswith(path) for one in files)
