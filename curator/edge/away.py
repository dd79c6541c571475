"""Proposals on branches: which came back with a pull, and which have no branch any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from curator.core import queue
from curator.core.queue import Asked, Known, Proposal, State
from curator.edge import branches, decisions, inbox, proposals, snapshot, store
from curator.edge.inbox import Mark
from curator.errors import CuratorError
from curator.model import Workspace


class Fate(NamedTuple):
    """What became of proposals on branches, by key: *arrived* on the default branch, *lost* with their own."""

    arrived: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()


class Split(NamedTuple):
    """Proposals that wait for a decision here, and those on a branch."""

    waiting: tuple[Proposal, ...]
    asked: tuple[Asked, ...]


def fate(workspace: Workspace, read: Iterable[Proposal]) -> Fate:
    """What became of those of *read* that are on branches; git is asked nothing where none is.

    Arrived is what the default branch holds, here or as a remote was last seen to have it. What a work tree or another
    branch holds can be thrown away together with it.
    """
    marks = inbox.marks(workspace)
    away = [one for one in read if one.key in marks]
    if not away:
        return Fate()
    arrived = _arrived(workspace, away, marks)
    places = _places(workspace, {one.key: marks[one.key] for one in away if one.key not in arrived})
    return Fate(arrived, frozenset(key for key, place in places.items() if not place))


def split(workspace: Workspace, read: tuple[Proposal, ...]) -> Split:
    """*read* in two parts; one whose branch is gone, and that the default branch does not hold, waits again."""
    marks = inbox.marks(workspace)
    places = _places(workspace, {one.key: marks[one.key] for one in read if one.key in marks})
    gone = [one for one in read if one.key in places and not places[one.key]]
    lost = {one.key for one in gone} - (_arrived(workspace, gone, marks) if gone else frozenset())
    return Split(
        tuple(one for one in read if one.key not in marks or one.key in lost),
        tuple(
            Asked(one, places[one.key] or marks[one.key].branch)
            for one in read
            if one.key in marks and one.key not in lost
        ),
    )


def queued(workspace: Workspace) -> tuple[str, ...]:
    """The keys of what waits for a decision here, those that have waited longest first, with what lost its branch.

    Only what is marked is read, and git is asked nothing where nothing is. CuratorError for settings that cannot be.
    """
    marked = sorted(inbox.asked(workspace))
    read, _ = proposals.read(workspace, store.config(workspace), keys=marked) if marked else ((), ())
    away = {one.proposal.key for one in split(workspace, read).asked} if read else set()
    return tuple(key for key in inbox.waiting(workspace) if key not in away)


def waits(workspace: Workspace) -> int:
    """How many wait for a decision here, those among them that lost their branch.

    `inbox.waits` goes by the marks alone, and starts no process; so does this where nothing is marked, or the settings
    cannot be read.
    """
    with suppress(CuratorError):
        if inbox.asked(workspace):
            return len(queued(workspace))
    return len(inbox.waits(workspace))


def place(workspace: Workspace, key: str) -> str:
    """The branch that a proposal is on, "" for none."""
    marks = inbox.marks(workspace)
    return _places(workspace, {key: marks[key]})[key] if key in marks else ""


def _places(workspace: Workspace, marks: Mapping[str, Mark]) -> dict[str, str]:
    """For each key the branch of its mark, or another that has its commits in it; "" for none."""
    names = branches.existing(workspace) if marks else frozenset[str]()
    tips = {mark.tip for mark in marks.values() if mark.branch not in names}
    others = {tip: branches.holding(workspace, tip) for tip in tips}
    return {key: mark.branch if mark.branch in names else others[mark.tip] for key, mark in marks.items()}


def settle(workspace: Workspace, today: str) -> Fate:
    """Clear what has arrived from the inbox, accepted on an ISO date; let wait again what has lost its branch."""
    if not inbox.asked(workspace):
        return Fate()
    with inbox.deciding(workspace):
        found = _told(workspace)
        for key in sorted(found.arrived):
            if inbox.take_out(workspace, key):
                decisions.record(workspace, decisions.ACCEPTED, key, today)
        for key in sorted(found.lost):
            inbox.ask_back(workspace, key)
    return found


def _told(workspace: Workspace) -> Fate:
    try:
        config = store.config(workspace)
    except CuratorError:  # the same
        return Fate()
    return fate(workspace, proposals.read(workspace, config, keys=sorted(inbox.asked(workspace)))[0])


def _arrived(workspace: Workspace, read: Sequence[Proposal], marks: Mapping[str, Mark]) -> frozenset[str]:
    found: set[str] = set()
    for commit in branches.defaults(workspace, {mark.branch for mark in marks.values()}):
        with suppress(CuratorError):  # what cannot be read proves nothing
            side = snapshot.both(workspace, "", commit)[1]
            known = Known(side.entries, side.config.namespace)
            found.update(one.key for one in read if _has_arrived(known, one, marks[one.key]))
    return frozenset(found)


def _has_arrived(known: Known, one: Proposal, mark: Mark) -> bool:
    """Whether the store holds what was put on the branch, as often as that says; retired since is held all the same."""
    if mark.words and mark.words != queue.words(one.entry):
        return False
    state, same = known.state(one.entry)
    if state is State.DONE or same is None:
        return state is State.DONE
    if same.id != one.entry.id or not mark.there or one.entry.seen != mark.seen:
        return False
    return same.seen >= mark.there and (state is State.REPEAT or same.retired is not None)
