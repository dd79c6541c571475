"""Propose what Claude Code has written into its own memory since it was looked at last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from curator.core import keys
from curator.core.adoption import Adoption
from curator.core.imports import formats
from curator.edge import adoption, claude, foreign, inbox, proposals, store, watched
from curator.model import Workspace


def run(workspace: Workspace, *, now: str, tail: Callable[[], str]) -> Adoption | None:
    """What is new in Claude Code's memory of this repository, as proposals; None where it keeps none.

    Where it is kept, the user's own settings say, never those of the repository. CuratorError where it cannot be read.
    """
    place = claude.own_memory(workspace)
    if not place:
        return None
    source = foreign.read(workspace, place, place, formats.MEMORY)
    found = adoption.adopt(workspace, source, now=now, tail=tail)
    before = watched.keys(workspace)
    fresh = [
        (edit, pair) for edit, pair in zip(found.edits, found.entries, strict=True) if pair[1].origin.key not in before
    ]
    return replace(found, edits=tuple(edit for edit, _ in fresh), entries=tuple(pair for _, pair in fresh))


def files(found: Adoption) -> Iterator[tuple[str, str]]:
    """Each proposal's key with the file that says nothing else, "" for a file of several statements."""
    for one, entry in found.entries:
        yield one.where if one.where.endswith(formats.ENDINGS) else "", entry.origin.key


def replaced(workspace: Workspace, found: Adoption) -> tuple[str, ...]:
    """The keys of proposals that wait as they were brought, of files that say something else in *found*."""
    latest, waits = watched.latest(workspace), frozenset(inbox.waits(workspace))
    config = store.config(workspace)
    pairs = [(latest.get(watched.mark(name), ""), key) for name, key in files(found) if name]
    older = [old for old, key in pairs if old in waits and old != key]
    read, _ = proposals.read(workspace, config, keys=older)
    untouched = (one for one in read if one.entry.origin.by == "import")
    return tuple(one.key for one in untouched if keys.key(config.namespace, one.entry.text) == one.key)
