"""What differs between two trees, and where a path went that is gone."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from curator.edge import plumbing, state
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Workspace

_LIMIT = 3000
"""Files that git compares for renames: up to so many gone with so many new ones."""
_FORM = ("--raw", "-r", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
_LONGEST_CHAIN = 8  # renames of one file that are followed
_MOST_LINKS = 4  # links on the way to one file
_EMPTY = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)
"""The empty file in SHA-1 and SHA-256: the same bytes at another path say nothing."""


class Change(NamedTuple):
    """One path that differs: *status* is A, D, M, T or R; *was* is the old path of a rename.

    *before* and *after* are None where the path does not exist.
    """

    status: str
    path: str
    before: Tracked | None
    after: Tracked | None
    was: str = ""


class Renamed(NamedTuple):
    """Where a gone path went: its new path, "" when none was found, and the commit that removed it, "" when unknown.

    *direct*: the commit alone says so, whatever is in the index now.
    *unsure*: git could not look. A partial clone lacks the bytes, a shallow one the commit, or too many files moved at
    once.
    """

    path: str = ""
    commit: str = ""
    unsure: bool = False
    direct: bool = True


class _Moves(NamedTuple):
    """New paths by old ones, and whether git could look at all it needs to find them."""

    went: Mapping[str, str]
    unsure: bool


def to_index(workspace: Workspace, base: str, *, renames: bool = False) -> tuple[Change, ...]:
    """What the index changes against the commit or tree *base*: the whole tree, in one process."""
    return _compared(workspace, ("diff-index", "--cached"), (base,), renames=renames)[0]


def between(workspace: Workspace, old: str, new: str, *, renames: bool = False) -> tuple[Change, ...]:
    """What differs from the commit or tree *old* to *new*."""
    return _compared(workspace, ("diff-tree",), (old, new), renames=renames)[0]


def _compared(
    workspace: Workspace, command: tuple[str, ...], ends: tuple[str, ...], *, renames: bool
) -> tuple[tuple[Change, ...], bool]:
    """The changes, and whether renames may be missing: bytes are not here, or there were too many to compare."""

    def diff(*how: str) -> tuple[Change, ...]:
        return tuple(_changes(plumbing.git(workspace, *command, *_FORM, *how, *ends, "--")))

    if not renames:
        return diff("--no-renames"), False
    try:
        found = diff("-M", f"-l{_LIMIT}")
    except CuratorError:
        return diff("-M100%"), True
    left = [sum(one.status == status for one in found) for status in "DA"]
    return found, left[0] * left[1] > _LIMIT * _LIMIT


def undone(files: Mapping[str, Tracked], changed: Iterable[Change]) -> dict[str, Tracked]:
    """The files of a tree as they were before *changed*."""
    listed = tuple(changed)
    kept = dict(files)
    for one in listed:
        kept.pop(one.path, None)
    return kept | {one.was or one.path: one.before for one in listed if one.before}


def base(workspace: Workspace, ref: str = "HEAD") -> str:
    """The id of the commit *ref*; of the empty tree where HEAD is unborn. CuratorError for another unknown ref."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    found = plumbing.git(workspace, *asked, ok=(0, 1, 128)).decode().strip()
    if found:
        return found
    if ref != "HEAD":
        from curator.edge import refspecs  # noqa: PLC0415 - its patterns are for whoever asked amiss

        raise CuratorError(f"{ref!r} is no commit here", hint=refspecs.way_to(workspace, ref))
    return plumbing.git(workspace, "hash-object", "-t", "tree", "--stdin").decode().strip()


def fork_point(workspace: Workspace, ref: str) -> str:
    """The commit where HEAD left *ref*: what differs from it came since. *ref* itself where histories share none."""
    other = base(workspace, ref)
    found = plumbing.git(workspace, "merge-base", other, base(workspace), ok=(0, 1, 128))
    return found.decode().strip() or other


def names(workspace: Workspace, paths: Iterable[str], linked: Mapping[str, str]) -> frozenset[str]:
    """The names under which an entry may cite the tracked *paths*: as written, composed or not, and through links.

    *linked* are the symbolic links of the tree, each with the blob that holds its target.
    """
    found = frozenset(name for path in paths for name in _forms(path))
    links = tuple(_links(workspace, linked)) if found else ()
    for _ in range(_MOST_LINKS):
        through = {
            link + path[len(target) :]
            for link, target in links
            for path in found
            if f"{path}/".startswith(f"{target}/")
        }
        if through <= found:
            break
        found |= through
    return found


def _forms(path: str) -> Iterator[str]:
    yield path
    if not path.isascii():
        import unicodedata  # noqa: PLC0415 - most names are ASCII

        yield from (unicodedata.normalize(form, path) for form in ("NFC", "NFD"))


def _links(workspace: Workspace, blobs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every link, and the path inside the repository that it leads to."""
    targets = plumbing.contents(workspace, blobs.values())
    for path, blob in blobs.items():
        target = targets.get(blob, b"/").decode("utf-8", "surrogateescape")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if place not in {".", ".."} and not place.startswith(("/", "../")):
            yield path, place


def merging(workspace: Workspace) -> tuple[str, ...]:
    """The commits that a merge about to be committed brings in."""
    try:
        with open(f"{workspace.git_dir}/MERGE_HEAD", encoding="ascii") as file:
            return tuple(file.read().split())
    except (FileNotFoundError, UnicodeDecodeError):
        return ()


def renamed(
    workspace: Workspace,
    files: Mapping[str, Tracked],
    gone: Mapping[str, str],
    known: Mapping[str, Renamed] = MappingProxyType({}),
    tip: str = "",
) -> dict[str, Renamed]:
    """Where the *gone* paths went. They map to the blob they had, "" when unknown; *files* are what is tracked now.

    The same blob at another path; else the rename that git sees in what is
    staged, or in the commit that removed the path. Renames are looked for in
    the whole tree, as a limit to paths would hide where a file went. *known*
    are answers that this very history gave before. *files* are the index, or
    the tree of the commit *tip*, whose history is asked then.
    """
    found = {path: Renamed(new) for path, new in _same_bytes(files, gone)}
    rest = [path for path in gone if path not in found]
    if rest:
        staged = _Moves({}, False) if tip else _moves(workspace, ("diff-index", "--cached"), base(workspace))
        found |= {path: one for path, one in known.items() if path in rest and _holds(path, one, files, staged)}
        rest = [path for path in rest if path not in found]
        found |= _Search(workspace, files, staged, tip or "HEAD").followed(rest, _LONGEST_CHAIN)
    return found


def _holds(path: str, one: Renamed, files: Mapping[str, Tracked], staged: _Moves) -> bool:
    """Does what history said of *path* still hold with what is staged?"""
    return path not in staged.went and (not one.path or one.path in files)


def _same_bytes(files: Mapping[str, Tracked], gone: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    wanted = {blob for blob in gone.values() if blob and blob not in _EMPTY}
    places: dict[str, list[str]] = {blob: [] for blob in wanted}
    if wanted:
        for path, tracked in files.items():
            if tracked.blob in wanted and tracked.mode != plumbing.LINK:
                places[tracked.blob].append(path)
    for path, blob in gone.items():
        new = _chosen(path, places.get(blob, []))
        if new:
            yield path, new


def _chosen(path: str, places: list[str]) -> str:
    """The only place, or the only one of several that keeps the base name."""
    named = [place for place in places if place.rpartition("/")[2] == path.rpartition("/")[2]]
    choice = places if len(places) == 1 else named
    return choice[0] if len(choice) == 1 else ""


class _Search(NamedTuple):
    """Where to look for renames: in what is *staged*, else in the history of the commit *tip*."""

    workspace: Workspace
    files: Mapping[str, Tracked]
    staged: _Moves
    tip: str

    def followed(self, paths: Collection[str], left: int) -> dict[str, Renamed]:
        """Where git sees that *paths* went, through *left* renames one after the other."""
        went = self.staged.went
        found = {path: Renamed(went.get(path, ""), "", self.staged.unsure) for path in paths}
        commits = _removers(self.workspace, [path for path in paths if path not in went], self.tip)
        moves = {one: _moves(self.workspace, ("diff-tree",), f"{one}^", one) for one in set(commits.values())}
        for path, commit in commits.items():
            found[path] = Renamed(moves[commit].went.get(path, ""), commit, moves[commit].unsure)
        found |= {path: Renamed(unsure=True) for path in self._cut_off(found)}
        again = {one.path: path for path, one in found.items() if one.path and one.path not in self.files}
        further = self.followed(again, left - 1) if again and left else {}
        for middle, path in again.items():
            last = further.get(middle, Renamed())
            found[path] = found[path]._replace(path=last.path, unsure=last.unsure, direct=False)
        return found

    def _cut_off(self, found: Mapping[str, Renamed]) -> list[str]:
        """The paths that were gone already where a shallow clone begins: it does not say whether they moved."""
        if state.depth(self.workspace) == "none":
            return []
        open_ones = [path for path, one in found.items() if not (one.path or one.commit)]
        there = plumbing.blobs(self.workspace, open_ones, self.tip) if open_ones else {}
        return [path for path in open_ones if path not in there]


def _moves(workspace: Workspace, command: tuple[str, ...], *ends: str) -> _Moves:
    changed, unsure = _compared(workspace, command, ends, renames=True)
    return _Moves({one.was: one.path for one in changed if one.was}, unsure)


def _removers(workspace: Workspace, paths: Collection[str], tip: str) -> dict[str, str]:
    """Map those of *paths* that a commit up to *tip* removed to the newest such commit, in one walk."""
    if not paths or not (tip != "HEAD" or plumbing.head_commit(workspace)):
        return {}
    form = (*_FORM, "--no-renames", "--diff-filter=D", "--format=%H", "--full-history")
    found: dict[str, str] = {}
    for group in plumbing.portions(paths):
        output = plumbing.git(workspace, "log", *form, "--end-of-options", tip, "--", *group)
        commit = ""
        fields = iter(output.decode("utf-8", "surrogateescape").split("\0"))
        for field in fields:
            if field.lstrip("\n").startswith(":"):
                found.setdefault(next(fields), commit)
            elif field:
                commit = field.strip()
    return {path: found[path] for path in paths if path in found}


def _changes(output: bytes) -> Iterator[Change]:
    """Read git's raw diff format with -z (git-diff(1), RAW OUTPUT FORMAT)."""
    fields = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    for facts in fields:
        if not facts:
            return
        old_mode, mode, old_blob, blob, status = facts.removeprefix(":").split(" ")
        first = next(fields)
        renamed_to = next(fields) if status[0] in "RC" else ""
        yield Change(
            status[0],
            renamed_to or first,
            Tracked(old_mode, old_blob) if status[0] != "A" else None,
            Tracked(mode, blob) if status[0] != "D" else None,
            first if renamed_to else "",
        )
