"""What was tracked at a commit, told from what is tracked now and what changed since."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from curator.core import stale
from curator.edge import plumbing
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Workspace

if TYPE_CHECKING:
    from curator.core import mention

SUBMODULE = "160000"
_HOPS = 8  # links behind links that are followed


# One record of git's raw diff format with -z (git-diff(1), RAW OUTPUT FORMAT): modes, blobs, status, path. Read by one
# expression: of hundreds of commits that each differ in thousands of paths, a statement names a few.
_RECORD = re.compile(r":(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*\0([^\0]*)\0")
_DIFF = (
    *("diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"),
    "--ignore-submodules=none",
)


class Past(NamedTuple):
    """The files at a commit: *known* as paths, what *changed* since as mode and blob then, "" where it was not."""

    known: mention.Paths
    changed: Mapping[str, tuple[str, str]]
    removed: frozenset[str]
    files: Mapping[str, Tracked]

    def file(self, path: str) -> Tracked | None:
        """What *path* was, None when it did not exist."""
        if path not in self.changed:
            return self.files.get(path)
        mode, blob = self.changed[path]
        return Tracked(mode, blob) if blob.strip("0") else None


def at(workspace: Workspace, commit: str, files: Mapping[str, Tracked], known: mention.Paths) -> Past:
    """The files at *commit*; *files* is the index, *known* its paths. CuratorError when a tree of it is not at hand."""
    told = plumbing.git(workspace, *_DIFF, commit, "--").decode("utf-8", "surrogateescape")
    records = _RECORD.findall(told)
    added = frozenset(path for _, _, status, path in records if status == "A")
    removed = frozenset(path for _, _, status, path in records if status == "D")
    from curator.core import mention  # noqa: PLC0415 - whoever reads texts alone needs none of it

    then = mention.Paths((known.all - added) | removed, _Names(known.by_name, added, removed))
    return Past(then, {path: (mode, blob) for mode, blob, _, path in records}, removed, files)


class _Names(Mapping[str, tuple[str, ...]]):
    """Paths by file name: those of now, corrected where they are asked for. Making all anew takes too long."""

    def __init__(self, now: Mapping[str, tuple[str, ...]], added: frozenset[str], removed: Iterable[str]) -> None:
        self._now, self._added = now, added
        self._removed: dict[str, list[str]] = {}
        for path in sorted(removed):
            self._removed.setdefault(path.rpartition("/")[2], []).append(path)

    def __getitem__(self, name: str) -> tuple[str, ...]:
        stayed = (path for path in self._now.get(name, ()) if path not in self._added)
        found = tuple(sorted((*stayed, *self._removed.get(name, ()))))
        if not found:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in dict.fromkeys((*self._now, *self._removed)) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def followed(workspace: Workspace, path: str, file: Callable[[str], Tracked | None]) -> Tracked | None:
    """The file that *path* leads to through links; None for one that leads out, nowhere or in a circle."""
    found = file(target(workspace, path, file))
    return None if found is None or found.mode == plumbing.LINK else found


def target(workspace: Workspace, path: str, file: Callable[[str], Tracked | None]) -> str:
    """The path that *path* leads to through links, itself where it is none; it need not exist."""
    for _ in range(_HOPS):
        found = file(path)
        if found is None or found.mode != plumbing.LINK:
            break
        leads = plumbing.contents(workspace, [found.blob]).get(found.blob, b"").decode("utf-8", "surrogateescape")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), leads))
    return path


def texts(workspace: Workspace, blobs: Iterable[str]) -> dict[str, str]:
    """The texts of *blobs*, line ends as `\\n`; one that is not at hand, or too long to be judged, is left out."""
    return _decoded(plumbing.contents(workspace, sorted(set(filter(None, blobs))), stale.LONGEST))


def _decoded(found: Mapping[str, bytes]) -> dict[str, str]:
    return {blob: raw.decode("utf-8", "surrogateescape").replace("\r\n", "\n") for blob, raw in found.items()}


def text(workspace: Workspace, blob: str) -> str | None:
    """The text of one blob; None when it is not at hand or too long."""
    return texts(workspace, [blob]).get(blob)


_HELD = 8 << 20  # bytes of blobs that are held at once


class Texts:
    """The texts of many blobs, read in the order in which they will be asked for, a few megabytes at a time."""

    def __init__(self, workspace: Workspace, blobs: Iterable[str]) -> None:
        self._workspace = workspace
        asked = list(dict.fromkeys(filter(None, blobs)))
        self._sizes, self._most = _sizes(workspace, asked)
        self._order = [blob for blob in asked if blob in self._sizes]
        self._place = {blob: place for place, blob in enumerate(self._order)}
        self._read: frozenset[str] = frozenset()
        self._held: dict[str, str] = {}

    def get(self, blob: str) -> str | None:
        """The text of one of the blobs; None when it is not at hand or too long."""
        if blob in self._place and blob not in self._read:
            self._held = {}
            self._read = frozenset(self._batch(self._place[blob]))
            self._held = _decoded(plumbing.contents(self._workspace, sorted(self._read), self._most))
        return self._held.get(blob)

    def _batch(self, start: int) -> Iterator[str]:
        left = _HELD
        for blob in islice(self._order, start, None):
            left -= self._sizes[blob]
            if left < 0:
                return
            yield blob


def _sizes(workspace: Workspace, blobs: list[str]) -> tuple[dict[str, int], int]:
    """The bytes of each blob that is at hand and not too long, and what reading them has to ask for then.

    Where git cannot tell, as in a partial clone, every blob may be the longest, and is asked for its size once more.
    """
    if not blobs:
        return {}, 0
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    try:
        told = plumbing.git(workspace, "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
    except CuratorError:
        return dict.fromkeys(blobs, stale.LONGEST), stale.LONGEST
    rows = (row.split(" ") for row in told.decode("ascii", "replace").splitlines())
    sizes = {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}
    return {blob: size for blob, size in sizes.items() if size <= stale.LONGEST}, 0
