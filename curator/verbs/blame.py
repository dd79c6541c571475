"""Tell where a line of a block comes from: entry, file, commits, author, session and words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from curator.core import lifecycle, sighting
from curator.core import lineage as lives
from curator.core.lineage import Commit, Life
from curator.core.sighting import Kind, Spot, Trace
from curator.edge import assets, files, history, lineage, store
from curator.edge.lineage import History
from curator.errors import CuratorError
from curator.model import Entry, Workspace
from curator.outcome import Store

_MOST = 20
"""Places, or entries of one place, that are traced."""
_TOLD = {
    Kind.MARKER: ("a marker of the block: `curator init` wrote it",),
    Kind.HEADING: ("the heading of a category: `budget` in memories/curator.yaml names and orders them",),
    Kind.TEMPLATE: ("the block's own text, the same everywhere; `preamble: false` in memories/curator.yaml drops it",),
    Kind.LEFT_OUT: ("what the budget did not show: `curator list --out` names each of them",),
    Kind.FLAGS: ("written by the last render: these memories were stale (`curator check`)",),
    Kind.OUTSIDE: ("not in the block: no memory says this, git alone knows it",),
    Kind.FOREIGN: ("in the block, yet no memory says it or said it: the next `curator render` takes it out",),
}


@dataclass(frozen=True)
class _Sought:
    """What one question needs; history is walked once, and only where something is found."""

    workspace: Workspace
    held: Store
    as_of: str

    @cached_property
    def history(self) -> History:
        return lineage.read(self.workspace, self.held)


def run(workspace: Workspace, *, as_of: str, text: str = "", line: int = 0, file: str = "") -> tuple[Trace, ...]:
    """Where *line* of *file* comes from, or whatever says *text*; without *file* the targets are looked through.

    *as_of* is an ISO date. CuratorError when nothing says it.
    """
    sought = _Sought(workspace, store.load(workspace), as_of)
    paths = [file] if file else [target.path for target in sought.held.config.targets]
    if line:
        path = _only(sought, paths)
        return (_trace(sought, path, _spot(_spots(sought, path), path, line)),)
    found = [(path, spot) for path in paths for spot in sighting.holding(_there(sought, path), text)]
    inside = [(path, spot) for path, spot in found if spot.kind is not Kind.OUTSIDE]
    if inside:
        return tuple(_trace(sought, path, spot) for path, spot in inside[:_MOST])
    said = () if file else sighting.mentioning(sought.held.entries, text)
    if said:
        return tuple(_unshown(sought, entry) for entry in said[:_MOST])
    traces = [_trace(sought, path, spot) for path, spot in found[:_MOST]]
    return tuple(traces or _once(sought, text))


def _only(sought: _Sought, paths: Sequence[str]) -> str:
    """The file that a bare line number is about: the only target, or the only one of the whole repository."""
    roots = [one.path for one in sought.held.config.targets if not one.scope]
    chosen = paths if len(paths) == 1 else roots
    if len(chosen) != 1:
        listed = ", ".join(paths) or "no target is configured"
        raise CuratorError("which file is that line of?", hint=f"name it with --file: {listed}")
    return chosen[0]


def _spots(sought: _Sought, path: str) -> tuple[Spot, ...]:
    text = files.read(sought.workspace, path)
    once = (entry.category for entry in sought.held.entries)
    categories = dict.fromkeys((*sought.held.config.categories, *once))
    return sighting.spots(text, path, assets.text(assets.BLOCK), categories)


def _there(sought: _Sought, path: str) -> tuple[Spot, ...]:
    """The same, nothing for a target that is not there."""
    return _spots(sought, path) if files.exists(sought.workspace, path) else ()


def _spot(found: Sequence[Spot], path: str, line: int) -> Spot:
    last = found[-1].last if found else 0
    if not 1 <= line <= last:
        raise CuratorError(f"there is no line {line}", where=path, hint=f"it has {last}")
    return next(spot for spot in found if spot.first <= line <= spot.last)


def _trace(sought: _Sought, path: str, spot: Spot) -> Trace:
    """Where the lines of one spot of a file come from."""
    entries = sighting.said_by(spot, sought.held.entries) if spot.kind in {Kind.ENTRY, Kind.FLAGS} else ()
    if spot.kind is Kind.ENTRY and not entries:
        return _of_old(sought, path, spot)
    told = _TOLD.get(spot.kind, ()) if spot.text else ("a blank line",)
    if spot.kind in {Kind.OUTSIDE, Kind.FOREIGN}:
        commit, doubt = _blamed(sought.workspace, path, spot.first)
        return Trace(path, spot.first, spot.last, spot.kind, spot.text, (*told, *doubt), commit=commit)
    ended = [_ended(sought, entry) for entry in entries if spot.kind is Kind.ENTRY]
    found = tuple(_life(sought, entry.id, spot) for entry in entries[:_MOST])
    return Trace(path, spot.first, spot.last, spot.kind, spot.text, (*told, *filter(None, ended)), found)


def _life(sought: _Sought, name: str, spot: Spot) -> Life:
    life = lineage.life(sought.history, name)
    return lives.until(life, spot.text) if spot.kind is Kind.ENTRY else life


def _ended(sought: _Sought, entry: Entry) -> str:
    """Why an entry that the block shows should not be there any more, "" where it should."""
    reason = lifecycle.ended(sought.held.entries, sought.as_of).get(entry.path, "")
    return f"{reason}; the block is out of date: `curator render`" if reason else ""


def _unshown(sought: _Sought, entry: Entry) -> Trace:
    """An entry whose text is in no block."""
    life = lineage.life(sought.history, entry.id)
    reason = lifecycle.ended(sought.held.entries, sought.as_of).get(entry.path, "")
    told = (f"in no block: {reason}" if reason else "in no block: `curator list --out` says why",)
    said = sighting.joined(entry.text)
    return Trace(entry.path, 0, 0, Kind.ENTRY, said, told, (lives.until(life, said),))


def _of_old(sought: _Sought, path: str, spot: Spot) -> Trace:
    """A list item that no entry says: of one that was reworded or went, else written by hand."""
    names = lineage.holders(sought.history, spot.text, whole=True)
    if not names:
        return _trace(sought, path, spot._replace(kind=Kind.FOREIGN))
    whole = [lineage.life(sought.history, name) for name in names[:_MOST]]
    told = (*(lives.since(life) for life in whole), "the block is out of date: `curator render`")
    found = tuple(lives.until(life, spot.text) for life in whole)
    return Trace(path, spot.first, spot.last, Kind.ONCE, spot.text, told, found)


def _once(sought: _Sought, text: str) -> Iterable[Trace]:
    """What said *text* once, and is in no block and no entry now. CuratorError where nothing did."""
    wanted = sighting.joined(text).removeprefix("- ")
    names = lineage.holders(sought.history, wanted, whole=False) if wanted else ()
    if not names:
        hint = '`curator recall "..."` searches by words; a line is named by its number: `curator blame 12`'
        raise CuratorError("nothing says that here, and no memory ever did", hint=hint)
    for name in names[:_MOST]:
        life = lineage.life(sought.history, name)
        yield Trace(life.path, 0, 0, Kind.ONCE, wanted, (lives.since(life),), (lives.until(life, wanted),))


def _blamed(workspace: Workspace, path: str, line: int) -> tuple[Commit | None, tuple[str, ...]]:
    """The commit that last changed one line of a file, or why there is none."""
    found = next((one for one in history.blame(workspace, path) if one.line == line), None)
    if found is None:
        return None, ("no commit holds this file",)
    if not found.commit:
        return None, (found.unknown,)
    return lineage.commit(workspace, found.commit), ()
