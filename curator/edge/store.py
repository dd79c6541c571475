"""Entries and settings of the trusted tree, parsed once per blob."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from curator.core import printable
from curator.edge import index, listing, plumbing, preferences, state
from curator.edge.database import Damaged
from curator.edge.index import Cache, Parsed
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Fault, Finding, Workspace

if TYPE_CHECKING:
    from curator.outcome import Store

T = TypeVar("T")
CONFIG = "curator.yaml"
INDEX = "index"


def load(workspace: Workspace, trust: str = "") -> Store:
    """Everything the trusted tree holds; one bad file becomes a finding and hides nothing.

    *trust* overrules what the settings trust.
    """
    return reading(workspace, _store, trust=trust)


def looked(workspace: Workspace) -> Store:
    """The same, for a look that changes nothing, the cache among it."""
    return _held(*_read_only(workspace))


def tree(workspace: Workspace, config: Config) -> plumbing.Tree:
    """The trusted tree itself: every path, the code that entries speak of among them."""
    return plumbing.index(workspace) if config.trust == INDEX else plumbing.tree(workspace, config.trust)


def config(workspace: Workspace) -> Config:
    """The settings of the trusted tree."""
    return reading(workspace, config_of)


def trust(workspace: Workspace) -> str:
    """Which tree is trusted, which need not be here."""
    own = preferences.all_of(workspace).get("trust", "")
    return own or settings_of(workspace, plumbing.index(workspace)).trust


def tip(config: Config) -> str:
    """The commit whose tree is trusted, "" for the index."""
    return "" if config.trust == INDEX else config.trust


def is_rendered_elsewhere(workspace: Workspace, config: Config) -> bool:
    """Whether the block is the default branch's to render, and another one is checked out."""
    return config.block == "main" and plumbing.branch(workspace) != plumbing.default_branch(workspace)


def blobs(workspace: Workspace, config: Config, paths: Iterable[str]) -> dict[str, str]:
    """The blob ids of those of *paths* that the trusted tree holds, with one process."""
    return plumbing.blobs(workspace, paths, tip(config))


def reading(
    workspace: Workspace,
    read: Callable[[Cache], T],
    *,
    weighed: bool = False,
    trust: str = "",
    listed: bytes | None = None,
) -> T:
    """What *read* makes of the cache, which is brought up to date with the trusted tree first.

    No process is started while the index file is the one the cache was made
    from. With *weighed*, search weights are up to date too. A cache that
    turns out damaged is made anew, silently. A tree that *trust* names against
    the settings is not remembered. *listed* is `listing.read` where the
    caller has asked for it already.
    """
    try:
        return read(_current(workspace, index.open(workspace), weighed=weighed, trust=trust, listed=listed))
    except Damaged:
        return read(_current(workspace, index.empty(), weighed=weighed, trust=trust, listed=listed))


def config_of(cache: Cache) -> Config:
    """The settings that a cache was made with."""
    return cache.config() or Config()


def remember(
    workspace: Workspace, memos: Mapping[str, str], stamp: str, verdicts: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Keep texts that follow from the trusted tree alone, until it changes, and verdicts for long.

    *stamp* is `state.stamp` from before the tree was loaded: when another
    one is current now, the texts belong to an older tree.
    """

    def keep(cache: Cache) -> None:
        if cache.stamp != stamp or state.private_index(workspace):
            return
        fresh = {key: text for key, text in memos.items() if cache.memo(key) != text}
        if fresh or verdicts:
            index.remember(workspace, cache, fresh, verdicts)

    reading(workspace, keep)


def _store(cache: Cache) -> Store:
    return _held(config_of(cache), tuple(cache.records()))


def _held(config: Config, parsed: Sequence[Parsed]) -> Store:
    from curator.outcome import Store  # noqa: PLC0415 - a search loads no store

    findings = [finding for one in parsed for finding in one.findings]
    return Store(config, tuple(one.entry for one in parsed if one.entry), tuple(findings))


def _read_only(workspace: Workspace) -> tuple[Config, Sequence[Parsed]]:
    tree, config = trusted(workspace)
    try:
        return config, _parse(workspace, index.open(workspace), tree, config)
    except Damaged:
        return config, _parse(workspace, index.empty(), tree, config)


def _current(workspace: Workspace, cache: Cache, *, weighed: bool, trust: str, listed: bytes | None) -> Cache:
    private = state.private_index(workspace)
    stamp = plumbing.stamp(workspace)
    if not _holds(workspace, cache, stamp, listed):
        cache = _saved(workspace, cache, stamp)
    elif cache.stamp != stamp and not private:
        cache = index.restamp(workspace, cache, stamp)
    other = trust not in {"", config_of(cache).trust}
    if other:
        cache = _saved(workspace, cache, stamp, keep=False, trust=trust)
    return cache if cache.weighed or not weighed else index.weigh(workspace, cache, keep=not (private or other))


def _saved(workspace: Workspace, cache: Cache, stamp: str, *, keep: bool = True, trust: str = "") -> Cache:
    """The cache made anew from the trusted tree, or the one that *trust* names."""
    digest = listing.digest(listing.read(workspace), MEMORIES)
    tree, settings = trusted(workspace, trust)
    parsed = _parse(workspace, cache, tree, settings)
    mark = index.Mark(stamp, f"{digest}|{_trusted_tree(workspace, settings)}")
    return index.save(workspace, cache, mark, settings, parsed, keep=keep)


def _holds(workspace: Workspace, cache: Cache, stamp: str, listed: bytes | None) -> bool:
    """Is the cache of this state of git, or of one with the same entries and settings?

    While other files are staged, the listing stays as it is.
    """
    if not cache.stamp or cache.stamp.partition("|")[2] != stamp.partition("|")[2]:
        return False
    digest = cache.digest.partition("|")[0]
    if cache.stamp != stamp:
        digest = listing.digest(listing.read(workspace) if listed is None else listed, MEMORIES)
    return cache.digest == f"{digest}|{_trusted_tree(workspace, config_of(cache))}"


def _trusted_tree(workspace: Workspace, config: Config) -> str:
    """The id of the tree that is trusted instead of the index, "" for the index."""
    return "" if config.trust == INDEX else plumbing.tree_id(workspace, config.trust)


def settled(workspace: Workspace, path: str) -> str:
    """The text of an entry's file, which must hold nothing unstaged: staging it must bring nothing else along."""
    if path in plumbing.loose(workspace, [path]):
        hint = f"`git add {printable.word(path)}` or `git restore {printable.word(path)}` first"
        raise CuratorError("has changes that are not staged", where=path, hint=hint)
    from curator.edge import files  # noqa: PLC0415 - a search writes nothing

    return files.read(workspace, path)


def is_still(workspace: Workspace, path: str, text: str) -> bool:
    """Whether a tracked file holds *text*, on disk and in the index."""
    from curator.edge import files  # noqa: PLC0415 - a search writes nothing

    return path not in plumbing.loose(workspace, [path]) and files.read_or_none(workspace, path) == text


def unreviewed(workspace: Workspace, trust: str) -> tuple[Finding, ...]:
    """What on disk differs from the trusted tree; its bytes there are not used."""
    held = plumbing.index(workspace) if trust == INDEX else plumbing.tree(workspace, trust)
    folders = [home + MEMORIES for home in _homes(held)]
    loose = plumbing.loose(workspace, folders) if trust == INDEX else plumbing.differing(workspace, trust, folders)
    read = [path for path in loose if path.endswith((".yaml", ".yml"))]
    return tuple(not_reviewed(path, trusted=path in held.files, trust=trust, tracked=held.files) for path in read)


def renaming(path: str) -> str:
    """The command that gives a memory file the ending that is read."""
    return f"git mv {printable.word(path)} {printable.word(path.rpartition('.')[0] + '.yaml')}"


def not_reviewed(path: str, *, trusted: bool, trust: str, tracked: Iterable[str] = ()) -> Finding:
    """What is said of a file whose bytes on disk are not the trusted ones.

    Beside one of the same name in another category (*tracked*) it may be a move that stopped halfway.
    """
    if trusted:
        message = f"differs from the {'staged' if trust == INDEX else trust} version, which is used"
    else:
        message = "neither staged nor committed: not used" if trust == INDEX else f"not in {trust}: not used"
    hint = f"git add {printable.word(path)}" if trust == INDEX else ""
    twin = _twin(path, tracked) if hint and not trusted else ""
    if twin:
        instead = f"`{hint}` and `git rm {printable.word(twin)}`"
        hint = f"`rm {printable.word(path)}` if {twin} is the same memory; or {instead}"
    return Finding(Fault.UNREVIEWED, path, message, hint)


def _twin(path: str, tracked: Iterable[str]) -> str:
    """A tracked file of the same name in another category of the same home, "" for none."""
    *home, _, name = path.split("/")
    head, tail = "/".join((*home, "")), f"/{name}"
    depth = path.count("/")
    return next((one for one in tracked if one.endswith(tail) and one.startswith(head) and one.count("/") == depth), "")


def trusted(workspace: Workspace, wanted: str = "") -> tuple[plumbing.Tree, Config]:
    """The tree to read and its settings: the one that is *wanted*, else what is trusted.

    The index says which tree is trusted; the user's own `curator.trust`
    overrides it, so that a branch cannot lower the trust of a careful clone.
    """
    tree = plumbing.index(workspace)
    own = wanted or preferences.all_of(workspace).get("trust", "")
    settings = settings_of(workspace, tree) if own in {"", INDEX} else Config()
    trust = own or settings.trust
    if trust == INDEX:
        return tree, settings._replace(trust=INDEX)
    tree = plumbing.tree(workspace, trust)
    return tree, settings_of(workspace, tree)._replace(trust=trust)


def settings_of(workspace: Workspace, tree: plumbing.Tree) -> Config:
    """The settings that stand in a tree."""
    from curator.core import settings  # noqa: PLC0415 - yaml: paid only when something changed

    path = f"{MEMORIES}/{CONFIG}"
    if path in tree.unmerged:
        raise CuratorError("unmerged", where=path, hint="finish the merge, then `git add` it")
    found = tree.files.get(path)
    data = plumbing.contents(workspace, [found.blob]).get(found.blob) if found else None
    return settings.read(data, path)


def _homes(tree: plumbing.Tree) -> tuple[str, ...]:
    """Folders whose `memories/` count: the root, and those with a curator.yaml of their own."""
    tail = f"/{MEMORIES}/{CONFIG}"
    nested = [
        path.removesuffix(f"{MEMORIES}/{CONFIG}") for path in (*tree.files, *tree.unmerged) if path.endswith(tail)
    ]
    return ("", *sorted(nested))


def home(tree: plumbing.Tree, scope: str) -> str:
    """The folder nearest to *scope* whose `memories/` count; "" is the root."""
    return max((home for home in _homes(tree) if scope.startswith(home)), key=len)


def files(tree: plumbing.Tree, config: Config) -> dict[tuple[str, str], plumbing.Tracked]:
    """The files of a tree that are read as memories, by path and by what they are remembered by under *config*."""
    folders = _folders(tree)
    hidden = tuple(f"{folder}." for folder in folders)
    suffix = _suffix(config)
    return {
        (path, f"{tracked.blob}{suffix}"): tracked
        for path, tracked in tree.files.items()
        if path.startswith(folders) and _is_entry(path, hidden)
    }


def parsed(
    workspace: Workspace, missing: Mapping[tuple[str, str], plumbing.Tracked], config: Config
) -> dict[tuple[str, str], Parsed]:
    """What those of `files` come to that no cache knows; all of them are read together."""
    contents = plumbing.contents(workspace, [tracked.blob for tracked in missing.values()])
    return {
        (path, key): _read(path, key, None if tracked.mode == plumbing.LINK else contents.get(tracked.blob), config)
        for (path, key), tracked in missing.items()
    }


def unmerged(tree: plumbing.Tree) -> tuple[Parsed, ...]:
    """The memories of which a merge is open."""
    folders = _folders(tree)
    return tuple(_unmerged(path) for path in tree.unmerged if path.startswith(folders))


def _parse(workspace: Workspace, cache: Cache, tree: plumbing.Tree, config: Config) -> list[Parsed]:
    wanted = files(tree, config)
    known = cache.known(wanted)
    missing = {pair: tracked for pair, tracked in wanted.items() if pair not in known}
    found = (*known.values(), *parsed(workspace, missing, config).values(), *unmerged(tree))
    return sorted(found, key=lambda one: one.path)


def _folders(tree: plumbing.Tree) -> tuple[str, ...]:
    return tuple(f"{home}{MEMORIES}/" for home in _homes(tree))


def _suffix(config: Config) -> str:
    """What a blob is remembered with: the same bytes mean something else under other categories or keys."""
    return f"-{zlib.crc32(' '.join([config.namespace, *config.categories]).encode()):08x}"


def _is_entry(path: str, hidden: tuple[str, ...]) -> bool:
    if not (path.endswith(".yaml") or path.lower().endswith((".yaml", ".yml"))):
        return False
    return not (path.endswith(f"/{CONFIG}") or path.startswith(hidden))


def _read(path: str, key: str, data: bytes | None, config: Config) -> Parsed:
    from curator.core import vetting  # noqa: PLC0415 - yaml: paid only for bytes never seen before

    if data is None:
        return Parsed(path, key, None, (Finding(Fault.INVALID, path, "not a file whose bytes git can read"),))
    if not path.endswith(".yaml"):
        finding = Finding(Fault.INVALID, path, "only *.yaml files are read", renaming(path))
        return Parsed(path, key, None, (finding,))
    return Parsed(path, key, *vetting.vet(data, path, config.categories))


def _unmerged(path: str) -> Parsed:
    hint = f"resolve it, then `git add {printable.word(path)}`"
    return Parsed(path, "", None, (Finding(Fault.UNMERGED, path, "unmerged: a merge is not finished", hint),))
