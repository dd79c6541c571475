"""All that waits for review: what accepting each proposal would write, what it is like, what to look at."""

from __future__ import annotations

from curator.core import queue
from curator.core.queue import Choice, Decided, Prepared, Waiting
from curator.edge import away, branches, decisions, proposals, store
from curator.errors import CuratorError
from curator.model import Workspace


def run(workspace: Workspace, *, today: str, whole: bool = False) -> Waiting:
    """Every proposal as accepting it on an ISO date would write it; one that cannot be read hides no other.

    *whole*: also those on a branch.
    """
    held = store.load(workspace, trust=store.INDEX)
    read, findings = proposals.read(workspace, held.config)
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


def one(workspace: Workspace, key: str, choice: Choice, *, today: str) -> Prepared:
    """One proposal with what a reviewer set so far; CuratorError for a choice that cannot be, and when it is gone."""
    held = store.load(workspace, trust=store.INDEX)
    read, findings = proposals.read(workspace, held.config, key)
    found = queue.named(read, key)
    if found is None:
        broken = next((fault for fault in findings if fault.where.startswith(key)), None)
        raise CuratorError(broken.message if broken else "is no longer in the inbox", where=key)
    return proposals.prepare(workspace, held, [(found, choice)], today=today)[0]


def brief(workspace: Workspace) -> Waiting:
    """What waits as it was proposed, held against nothing, and how many of the last decisions accepted."""
    config = store.config(workspace)
    read, findings = proposals.read(workspace, config)
    waiting, asked = away.split(workspace, read)
    return Waiting(
        proposals=waiting,
        asked=asked,
        unpushed=branches.unpushed(workspace) if asked else frozenset(),
        findings=findings,
        decided=Decided(*decisions.last(workspace, queue.ENOUGH)),
        sensitivity=config.capture.sensitivity,
    )
