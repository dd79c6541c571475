"""What differs between two trees, and where a path went that is gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from curator.edge import plumbing
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Workspace

_RENAMES = ("-M", "-l1000")
_FORM = ("--raw", "-r", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
_LONGEST_CHAIN = 8  # renames of one file that are followed
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
    """Where a gone path went: its new path, "" when none was found, and the commit that removed it, "" when unknown."""

    path: str = ""
    commit: str = ""


def to_index(workspace: Workspace, base: str, *, renames: bool = False) -> tuple[Change, ...]:
    """What the index changes against the commit or tree *base*: the whole tree, in one process."""
    form = (*_FORM, *(_RENAMES if renames else ("--no-renames",)))
    return tuple(_changes(plumbing.git(workspace, "diff-index", "--cached", *form, base, "--")))


def between(workspace: Workspace, old: str, new: str, *, renames: bool = False) -> tuple[Change, ...]:
    """What differs from the commit or tree *old* to *new*."""
    form = (*_FORM, *(_RENAMES if renames else ("--no-renames",)))
    return tuple(_changes(plumbing.git(workspace, "diff-tree", *form, old, new, "--")))


def base(workspace: Workspace, ref: str = "HEAD") -> str:
    """The id of the commit *ref*; of the empty tree where HEAD is unborn. CuratorError for another unknown ref."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    found = plumbing.git(workspace, *asked, ok=(0, 1, 128)).decode().strip()
    if found:
        return found
    if ref != "HEAD":
        raise CuratorError(f"{ref!r} is no commit here", hint="fetch it, or name another commit or branch")
    return plumbing.git(workspace, "hash-object", "-t", "tree", "--stdin").decode().strip()


def fork_point(workspace: Workspace, ref: str) -> str:
    """The commit where HEAD left *ref*: what differs from it came since. *ref* itself where histories share none."""
    other = base(workspace, ref)
    found = plumbing.git(workspace, "merge-base", other, base(workspace), ok=(0, 1, 128))
    return found.decode().strip() or other


def merging(workspace: Workspace) -> tuple[str, ...]:
    """The commits that a merge about to be committed brings in."""
    try:
        with open(f"{workspace.git_dir}/MERGE_HEAD", encoding="ascii") as file:
            return tuple(file.read().split())
    except (FileNotFoundError, UnicodeDecodeError):
        return ()


def renamed(workspace: Workspace, files: Mapping[str, Tracked], gone: Mapping[str, str]) -> dict[str, Renamed]:
    """Where the *gone* paths went. They map to the blob they had, "" when unknown; *files* are what is tracked now.

    The same blob at another path; else the rename that git sees in what is
    staged, or in the commit that removed the path. Renames are looked for in
    the whole tree, as a limit to paths would hide where a file went.
    """
    found = {path: Renamed(new) for path, new in _same_bytes(files, gone)}
    rest = [path for path in gone if path not in found]
    if rest:
        staged = {one.was: one.path for one in to_index(workspace, base(workspace), renames=True) if one.was}
        found |= {path: Renamed(staged[path]) for path in rest if path in staged}
        rest = [path for path in rest if path not in found]
    return found | _removed(workspace, files, rest, _LONGEST_CHAIN)


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


def _removed(workspace: Workspace, files: Mapping[str, Tracked], paths: Iterable[str], left: int) -> dict[str, Renamed]:
    """The commits that removed *paths*, and where git sees that the files went."""
    commits = _removers(workspace, tuple(paths))
    went: dict[str, dict[str, str]] = {}
    for commit in set(commits.values()):
        moves = between(workspace, f"{commit}^", commit, renames=True)
        went[commit] = {one.was: one.path for one in moves if one.was}
    found = {path: Renamed(went[commit].get(path, ""), commit) for path, commit in commits.items()}
    again = {one.path: path for path, one in found.items() if one.path and one.path not in files}
    further = _removed(workspace, files, again, left - 1) if again and left else {}
    for middle, path in again.items():
        found[path] = found[path]._replace(path=further.get(middle, Renamed()).path)
    return found


def _removers(workspace: Workspace, paths: tuple[str, ...]) -> dict[str, str]:
    """Map those of *paths* that a commit removed to the newest such commit, with one walk through history."""
    if not paths or not plumbing.head_commit(workspace):
        return {}
    form = ("--no-renames", "--diff-filter=D", "--name-only", "-z", "--format=%x01%H", "--full-history")
    output = plumbing.git(workspace, "log", *form, "HEAD", "--", *paths)
    wanted = set(paths)
    found: dict[str, str] = {}
    for part in output.decode("utf-8", "surrogateescape").split("\x01")[1:]:
        commit, _, names = part.partition("\0")
        for name in names.strip("\n").split("\0"):
            if name.strip("\n") in wanted:
                found.setdefault(name.strip("\n"), commit.strip())
    return found


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
