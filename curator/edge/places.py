"""Where cited paths are: what a tree holds there, links followed inside it, submodules told apart."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from curator.core import stale
from curator.edge import plumbing
from curator.edge.plumbing import Tracked
from curator.model import Workspace

Files = Mapping[str, Tracked]
_MOST_LINKS = 10
_LENGTHS = 3  # characters that a path that was meant may be longer or shorter


class Place(NamedTuple):
    """What a tree holds at a cited path: the *path* as it is tracked, links followed, and git's facts of it.

    *file* is None where nothing is tracked; *submodule* is the one the path
    lies in; *outside* says that a link leaves the repository, or leads nowhere.
    """

    path: str
    file: Tracked | None = None
    submodule: str = ""
    outside: bool = False

    @property
    def is_gone(self) -> bool:
        return self.file is None and not self.outside


def find(workspace: Workspace, files: Files, paths: Iterable[str]) -> dict[str, Place]:
    """Find each of *paths* in a tree: as written, in the other form of Unicode, through links, in a submodule."""
    found = {path: _place(files, path) for path in paths}
    for _ in range(_MOST_LINKS):
        links = {path: one for path, one in found.items() if one.file and one.file.mode == plumbing.LINK}
        if not links:
            return found
        targets = plumbing.contents(workspace, [one.file.blob for one in links.values() if one.file])
        found |= {path: _followed(files, one, targets) for path, one in links.items()}
    return found | {path: Place(path, outside=True) for path in links}


def texts(workspace: Workspace, blobs: Iterable[str]) -> dict[str, str]:
    """The texts of *blobs*. One that is too long to be judged, or not at hand, is left out."""
    read = plumbing.contents(workspace, blobs, stale.LONGEST)
    return {blob: data.decode("utf-8", "surrogateescape") for blob, data in read.items()}


def _place(files: Files, path: str) -> Place:
    tracked = files.get(path)
    if tracked is None and not path.isascii():
        forms = (unicodedata.normalize(form, path) for form in ("NFC", "NFD"))
        path = next((form for form in forms if form in files), path)
        tracked = files.get(path)
    if tracked:
        return Place(path, tracked, path if tracked.mode == plumbing.SUBMODULE else "")
    for folder in _above(path):
        above = files.get(folder)
        if above:
            return _below(path, folder, above)
    return Place(path)


def _below(path: str, folder: str, above: Tracked) -> Place:
    """A path below something that is no folder to git: a submodule, or a link to a folder."""
    if above.mode == plumbing.SUBMODULE:
        return Place(path, above, folder)
    return Place(path, above) if above.mode == plumbing.LINK else Place(path)


def _above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _followed(files: Files, link: Place, targets: Mapping[str, bytes]) -> Place:
    """Where a link leads, if it is tracked."""
    assert link.file
    folder = next(name for name in (link.path, *_above(link.path)) if files.get(name) == link.file)
    target = targets.get(link.file.blob, b"/").decode("utf-8", "surrogateescape")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(folder), target) + link.path[len(folder) :])
    if target.startswith("/") or place == ".." or place.startswith("../"):
        return Place(link.path, outside=True)
    found = _place(files, place)
    return found if found.file else Place(link.path, outside=True)


def namesakes(files: Iterable[str], paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each base name of *paths* the tracked paths that have it, sorted."""
    named: dict[str, list[str]] = {path.rpartition("/")[2]: [] for path in paths}
    for path in files:
        name = path.rpartition("/")[2]
        if name in named:
            named[name].append(path)
    return {name: tuple(sorted(found)) for name, found in named.items()}


def alike(files: Collection[str], path: str) -> str:
    """The tracked path that *path* was most likely meant to be, "" where none is near: its name, then its spelling."""
    folder, _, name = path.rpartition("/")
    same = namesakes(files, [path])[name]
    if same:
        return same[0] if len(same) == 1 else ""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is misspelt

    beside = [one for one in files if one.rpartition("/")[0] == folder]
    near = get_close_matches(path, [one for one in beside or files if abs(len(one) - len(path)) <= _LENGTHS], 1, 0.8)
    return near[0] if near else ""
