"""Is the cache of this state of git? Answered for a hook: with at most one process, mostly none, without the nouns."""

from __future__ import annotations

from curator.edge import launch, listing, reader, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.edge.reader import Cache
    from curator.edge.rows import Document
    from curator.here import Workspace

MEMORIES = "memories"
INDEX = "index"


class View:
    """A cache, and what can be said of it.

    *valid*: it was made from this very state of git. *same*: from one with the
    same entries and settings. Where neither holds, a document counts as long
    as its file is staged as it was read.
    """

    __slots__ = ("_listed", "cache", "same", "valid")

    def __init__(self, cache: Cache, *, valid: bool, same: bool, listed: bytes = b"") -> None:
        self.cache = cache
        self.valid = valid
        self.same = same
        self._listed = listed

    def holds(self, document: Document) -> bool:
        """Whether a document is what is trusted now."""
        if not self.same:
            path, blob = (one.encode("utf-8", "surrogateescape") for one in (document.path, document.blob))
            if b" %b 0\t%b\0" % (blob.partition(b"-")[0], path) not in self._listed:
                return False
        return self.cache.weighed or self.cache.lists(document)


def look(workspace: Workspace) -> View | None:
    """The cache with what can be said of it, None when nothing in it can be trusted. It may raise Damaged."""
    cache = reader.open(workspace)
    settings = cache.settings() if cache and cache.stamp else None
    if cache is None or settings is None:
        return None
    stamp = _stamp(workspace)
    if stamp is None or stamp.partition("|")[2] != cache.stamp.partition("|")[2]:
        return None  # the user's own settings changed: they may trust another tree now
    tree = _tree(workspace, settings.trust)
    digest, _, trusted = cache.digest.partition("|")
    if tree != trusted:
        return None
    if cache.stamp == stamp or settings.trust != INDEX:
        return View(cache, valid=cache.stamp == stamp, same=True)
    listed = launch.ask(workspace, *listing.COMMAND)
    if listed is None:
        return None
    return View(cache, valid=False, same=listing.digest(listed, MEMORIES) == digest, listed=listed)


def _stamp(workspace: Workspace) -> str | None:
    """What `plumbing.stamp` says."""
    facts = state.facts(workspace)
    if not state.has_includes(workspace):
        return facts
    told = launch.ask(workspace, "config", "--null", "--list")
    if told is None:
        return None
    pairs = (one.partition("\n") for one in told.decode("utf-8", "surrogateescape").split("\0"))
    own = {name.removeprefix("curator."): value for name, _, value in pairs if name.startswith("curator.")}
    return f"{facts}|{sorted(own.items())!r}"


def _tree(workspace: Workspace, trust: str) -> str | None:
    """The id of the tree that is trusted instead of the index, "" for the index."""
    if trust == INDEX:
        return ""
    told = launch.ask(workspace, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{trust}^{{tree}}")
    return None if told is None else told.decode().strip()
