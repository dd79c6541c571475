"""Which memories a commit or a branch concerns, by git's facts alone: nothing that compares code is loaded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from curator.edge import changes, listing, plumbing, store
from curator.edge.changes import Change
from curator.model import MEMORIES, Finding, Workspace


class Touched(NamedTuple):
    """What the index changes against *bases*, of which the first is the parent and the others are merged.

    *own* are the changed files of memories and settings, *citing* the entries
    that cite a changed file; *broken* are the findings of entries that cannot
    be used, settled where the commit leaves them as they were. *with_blocks*: the blocks have to come along.
    """

    bases: tuple[str, ...]
    changed: tuple[Change, ...]
    own: frozenset[str]
    citing: frozenset[str]
    broken: tuple[Finding, ...]
    with_blocks: bool

    @property
    def is_nothing(self) -> bool:
        return not (self.own or self.citing or self.broken or self.with_blocks)


def find(workspace: Workspace, bases: Sequence[str]) -> Touched:
    """Compare the index, whatever is trusted, with the first of the commits *bases*."""
    changed = changes.to_index(workspace, bases[0], renames=True)
    paths = frozenset(path for one in changed for path in (one.path, one.was) if path)
    sides = ((one.path, side) for one in changed for side in (one.before, one.after))
    links = frozenset(path for path, side in sides if side and side.mode == plumbing.LINK)
    listed = listing.read(workspace)
    names = changes.names(workspace, paths, listing.links(listed))
    citing, faulty, config = store.reading(
        workspace,
        lambda cache: (cache.citing(names) | cache.citing_below(links), cache.faulty(), store.config_of(cache)),
        trust=store.INDEX,
        listed=listed,
    )
    own = frozenset(path for path in paths if f"/{MEMORIES}/" in f"/{path}")
    broken = tuple(finding._replace(settled=one.path not in own) for one in faulty for finding in one.findings)
    targets = frozenset(target.path for target in config.targets)
    blocks = config.block == "here" and bool(own or _turned(workspace, changed, names & targets))
    return Touched(tuple(bases), changed, own, citing, broken, blocks)


def _turned(workspace: Workspace, changed: Sequence[Change], targets: Collection[str]) -> bool:
    """Whether the lines between the markers of *targets* differ."""
    if not targets:
        return False
    from curator.edge import bodies  # noqa: PLC0415 - most commits touch no target

    files = plumbing.index(workspace).files
    now, was = (bodies.held(workspace, side, targets) for side in (files, changes.undone(files, changed)))
    return now != was
