"""All that waits for review: what accepting each proposal would write, what it is like, what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from curator.core import queue
from curator.core.queue import Choice, Decided, Prepared, Waiting
from curator.edge import arrivals, away, branches, decisions, inbox, proposals, store
from curator.errors import CuratorError
from curator.model import Workspace

PART = 50
"""Proposals that are looked at together where far more wait: each of them costs about a millisecond."""


def run(workspace: Workspace, *, today: str, whole: bool = False, keys: Sequence[str] | None = None) -> Waiting:
    """Every proposal as accepting it on an ISO date would write it; one that cannot be read hides no other.

    *whole*: also those on a branch. Of *keys* only those.
    """
    held = store.load(workspace, trust=store.INDEX)
    read, findings = proposals.read(workspace, held.config, keys=keys)
    waiting, asked = away.split(workspace, read)
    pairs = [(one, queue.NOTHING) for one in (read if whole else waiting)]
    return Waiting(
        proposals=waiting,
        asked=asked,
        prepared=proposals.prepare(workspace, held, pairs, today=today),
        findings=findings,
        decided=Decided(*decisions.last(workspace, queue.ENOUGH)),
        sensitivity=held.config.capture.sensitivity,
    )


def parts(workspace: Workspace, *, today: str) -> Iterator[Waiting]:
    """The same bit by bit, each part looked at when it is asked for: an import may have brought thousands."""
    order = away.queued(workspace)
    if len(order) <= PART:
        yield run(workspace, today=today)
        return
    for start in range(0, len(order), PART):
        part = run(workspace, today=today, keys=order[start : start + PART])
        yield replace(part, more=max(0, len(order) - start - PART))


def one(workspace: Workspace, key: str, choice: Choice, *, today: str) -> Prepared:
    """One proposal with what a reviewer set so far; CuratorError for a choice that cannot be, and when it is gone."""
    held = store.load(workspace, trust=store.INDEX)
    read, findings = proposals.read(workspace, held.config, key)
    found = queue.named(read, key)
    if found is None:
        broken = next((fault for fault in findings if fault.where.startswith(key)), None)
        raise CuratorError(broken.message if broken else "is no longer in the inbox", where=key)
    return proposals.prepare(workspace, held, [(found, choice)], today=today)[0]


def brief(workspace: Workspace, *, most: int = 0) -> Waiting:
    """What waits as it was proposed, held against nothing, and how many of the last decisions accepted.

    Where *most* is given, so many are read: with those on a branch, since their marks say little.
    """
    config = store.config(workspace)
    order = away.queued(workspace) if most else ()
    taken = (*order[:most], *inbox.asked(workspace)) if len(order) > most else None
    read, findings = proposals.read(workspace, config, keys=taken)
    waiting, asked = away.split(workspace, read)
    return Waiting(
        proposals=waiting,
        asked=asked,
        unpushed=branches.unpushed(workspace) if asked else frozenset(),
        findings=findings,
        decided=Decided(*decisions.last(workspace, queue.ENOUGH)),
        sensitivity=config.capture.sensitivity,
        more=len(order) - most if taken else 0,
        own=len(arrivals.own(workspace)),
    )


def decided(workspace: Workspace) -> Waiting:
    """Only how the last decisions went."""
    sensitivity = store.config(workspace).capture.sensitivity
    return Waiting(decided=Decided(*decisions.last(workspace, queue.ENOUGH)), sensitivity=sensitivity)
