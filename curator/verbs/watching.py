"""Propose what Claude Code has written into its own memory since it was looked at last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from curator.core import codec, keys, queue
from curator.core.adoption import Adoption
from curator.core.imports import formats
from curator.edge import adoption, claude, foreign, inbox, proposals, store, watched
from curator.edge.foreign import Source
from curator.model import Workspace


class Watched(NamedTuple):
    """What is new as proposals, and the keys of those that wait as they were brought and take their leave."""

    adoption: Adoption
    replaced: tuple[str, ...] = ()


def run(workspace: Workspace, *, now: str, tail: Callable[[], str]) -> Watched | None:
    """What is new in Claude Code's memory of this repository; None where it keeps none.

    Where it is kept, the user's own settings say, never those of the repository. CuratorError where it cannot be read.
    """
    place = claude.own_memory(workspace)
    if not place:
        return None
    source = foreign.read(workspace, place, place, formats.MEMORY)
    found = adoption.adopt(workspace, source, adoption.Asked(now, tail))
    before = watched.keys(workspace)
    fresh = [
        (edit, pair) for edit, pair in zip(found.edits, found.entries, strict=True) if pair[1].origin.key not in before
    ]
    new = replace(found, edits=tuple(edit for edit, _ in fresh), entries=tuple(pair for _, pair in fresh))
    return Watched(new, _replaced(workspace, source, new))


def files(new: Adoption) -> Iterator[tuple[str, str, str]]:
    """The file that says nothing else ("" for one of several statements), the key and the words of each proposal."""
    for one, entry in new.entries:
        yield one.where if one.where.endswith(formats.ENDINGS) else "", entry.origin.key, queue.words(entry)


def _replaced(workspace: Workspace, source: Source, new: Adoption) -> tuple[str, ...]:
    """The proposals that nobody has touched, of files that say something else by now, which no other file says."""
    config = store.config(workspace)
    latest, waits = watched.latest(workspace), frozenset(inbox.waits(workspace))
    older = dict(latest.get(watched.mark(name), ("", "")) for name, _, _ in files(new) if name)
    still = {keys.key(config.namespace, codec.canonical(one.text)) for one in source.items}
    read, _ = proposals.read(workspace, config, keys=waits.intersection(older).difference(still))
    return tuple(one.key for one in read if queue.words(one.entry) == older[one.key])
