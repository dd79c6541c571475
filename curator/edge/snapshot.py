"""The memories of two trees, each as it stood: files parsed once per blob, settings read from their own side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from curator.core import record
from curator.edge import changes, index, plumbing, store
from curator.edge.database import Damaged
from curator.edge.index import Cache, Parsed
from curator.edge.plumbing import Tree
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Entry, Fault, Finding, Workspace


class Snapshot(NamedTuple):
    """One side: all tracked paths, its settings, and what each file of its memories came to.

    *unsettled* is what is wrong with its settings, None where nothing is.
    """

    tree: Tree
    config: Config
    parsed: tuple[Parsed, ...]
    unsettled: Finding | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(one.entry for one in self.parsed if one.entry)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for one in self.parsed for finding in one.findings)

    @property
    def bags(self) -> dict[str, frozenset[str]]:
        """The distinct words of each entry's text, by path."""
        return {one.path: frozenset(one.words.split(" ")) for one in self.parsed if one.entry}

    @property
    def costs(self) -> dict[str, float]:
        """What each entry costs in a block, in tokens, by path."""
        return {one.path: one.cost for one in self.parsed if one.entry}

    def bytes_of(self, workspace: Workspace, paths: Iterable[str]) -> dict[str, bytes]:
        """The content of those of *paths* that are tracked and at hand."""
        blobs = {path: self.tree.files[path].blob for path in paths if path in self.tree.files}
        held = plumbing.contents(workspace, blobs.values())
        return {path: held[blob] for path, blob in blobs.items() if blob in held}


class _Side(NamedTuple):
    tree: Tree
    config: Config | None
    unsettled: Finding | None
    learned: Mapping[str, str] = MappingProxyType({})


def both(workspace: Workspace, before: str, after: str, near: Iterable[Snapshot] = ()) -> tuple[Snapshot, Snapshot]:
    """The memories of two trees or commits; *after* "" is git's index, *before* "" an empty tree.

    Settings that cannot be read are those of the other side, or the defaults.
    What *near* ones hold of the same files is taken from there.
    """
    held = {(one.path, one.blob): one for side in near for one in side.parsed}
    new = plumbing.tree_of(workspace, after) if after else plumbing.index(workspace)
    old = _earlier(workspace, before, after, new) if before else Tree({})
    try:
        return _read(workspace, index.open(workspace), (old, new), held)
    except Damaged:
        return _read(workspace, index.empty(), (old, new), held)


def _earlier(workspace: Workspace, before: str, after: str, new: Tree) -> Tree:
    """The tree *before*, by what differs from the *new* one: git does not look into folders that are the same."""
    if new.unmerged:
        return plumbing.tree_of(workspace, before)
    changed = changes.between(workspace, before, after) if after else changes.to_index(workspace, before)
    return Tree(changes.undone(new.files, changed))


def _side(workspace: Workspace, cache: Cache, tree: Tree) -> _Side:
    """A tree with its settings, from the cache where the same file was read before."""
    file = tree.files.get(f"{MEMORIES}/{store.CONFIG}")
    key = f"settings {file.blob}" if file else ""
    known = cache.verdicts([key]).get(key) if key else None
    if known:
        return _Side(tree, record.load_config(known), None)
    try:
        config = store.settings_of(workspace, tree)
    except CuratorError as error:
        where = error.where or f"{MEMORIES}/{store.CONFIG}"
        return _Side(tree, None, Finding(Fault.INVALID, where, error.message, error.hint))
    return _Side(tree, config, None, {key: record.dump_config(config)} if key else {})


def _read(
    workspace: Workspace, cache: Cache, trees: tuple[Tree, Tree], held: Mapping[tuple[str, str], Parsed]
) -> tuple[Snapshot, Snapshot]:
    old, new = sides = tuple(_side(workspace, cache, tree) for tree in trees)
    configs = old.config or new.config or Config(), new.config or old.config or Config()
    if old.learned or new.learned:
        cache = index.remember(workspace, cache, {}, {**old.learned, **new.learned})
    wanted = [store.files(side.tree, config) for side, config in zip(sides, configs, strict=True)]
    every = {**wanted[0], **wanted[1]}
    known = {pair: held[pair] for pair in every if pair in held}
    known |= cache.known([pair for pair in every if pair not in known])
    found = []
    for side, config, files in zip(sides, configs, wanted, strict=True):
        missing = {pair: tracked for pair, tracked in files.items() if pair not in known}
        fresh = store.parsed(workspace, missing, config)
        known |= fresh
        cache = _learned(workspace, cache, fresh, config)
        parsed = (*(known[pair] for pair in files), *store.unmerged(side.tree))
        found.append(Snapshot(side.tree, config, tuple(sorted(parsed, key=lambda one: one.path)), side.unsettled))
    return found[0], found[1]


def _learned(workspace: Workspace, cache: Cache, fresh: Mapping[tuple[str, str], Parsed], config: Config) -> Cache:
    if not fresh:
        return cache
    return index.learn(workspace, cache, tuple(fresh.values()), config.namespace)
