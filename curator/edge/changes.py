"""What differs between two trees, and where a path went that is gone."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from curator.edge import plumbing
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Workspace

_LIMIT = "-l1000"
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

    *unsure*: a partial clone lacks the bytes by which git would know an edited file again.
    """

    path: str = ""
    commit: str = ""
    unsure: bool = False


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
    """The changes, and whether only moves of the same bytes are among them, as other bytes are not here."""

    def diff(*how: str) -> tuple[Change, ...]:
        return tuple(_changes(plumbing.git(workspace, *command, *_FORM, *how, *ends, "--")))

    if not renames:
        return diff("--no-renames"), False
    try:
        return diff("-M", _LIMIT), False
    except CuratorError:
        return diff("-M100%"), True


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


def names(workspace: Workspace, paths: Iterable[str], listed: bytes) -> frozenset[str]:
    """The names under which an entry may cite the tracked *paths*: as written, composed or not, and through links.

    *listed* is `plumbing.listing`.
    """
    found = frozenset(name for path in paths for name in _forms(path))
    links = tuple(_links(workspace, listed)) if found else ()
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


def _links(workspace: Workspace, listed: bytes) -> Iterator[tuple[str, str]]:
    """Every link of the index, and the path inside the repository that it leads to."""
    blobs = plumbing.links(listed)
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
) -> dict[str, Renamed]:
    """Where the *gone* paths went. They map to the blob they had, "" when unknown; *files* are what is tracked now.

    The same blob at another path; else the rename that git sees in what is
    staged, or in the commit that removed the path. Renames are looked for in
    the whole tree, as a limit to paths would hide where a file went. *known*
    are answers that history gave before.
    """
    found = {path: Renamed(new) for path, new in _same_bytes(files, gone)}
    rest = [path for path in gone if path not in found]
    if rest:
        staged = _moves(workspace, ("diff-index", "--cached"), base(workspace))
        asked = {path: known[path] for path in rest if path in known and path not in staged.went}
        found |= {path: known[path] for path in _holding(workspace, files, asked)}
        rest = [path for path in rest if path not in found]
        found |= _followed(workspace, files, staged, rest, _LONGEST_CHAIN)
    return found


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


def _holding(workspace: Workspace, files: Mapping[str, Tracked], known: Mapping[str, Renamed]) -> Iterator[str]:
    """The paths whose *known* answer still holds: not removed once more, and where they went there is a file."""
    paths: dict[str, list[str]] = {}
    for path, one in known.items():
        if one.path in files or not one.path:
            paths.setdefault(one.commit, []).append(path)
    for commit, asked in paths.items():
        try:
            newer = _removers(workspace, tuple(asked), since=commit)
        except CuratorError:
            continue  # a commit that is not here any more says nothing
        yield from (path for path in asked if path not in newer)


def _followed(
    workspace: Workspace, files: Mapping[str, Tracked], staged: _Moves, paths: Collection[str], left: int
) -> dict[str, Renamed]:
    """Where git sees that *paths* went: in what is *staged*, else in the commits that removed them."""
    found = {path: Renamed(staged.went.get(path, ""), "", staged.unsure) for path in paths}
    commits = _removers(workspace, tuple(path for path in paths if path not in staged.went))
    moves = {commit: _moves(workspace, ("diff-tree",), f"{commit}^", commit) for commit in set(commits.values())}
    for path, commit in commits.items():
        found[path] = Renamed(moves[commit].went.get(path, ""), commit, moves[commit].unsure)
    again = {one.path: path for path, one in found.items() if one.path and one.path not in files}
    further = _followed(workspace, files, staged, again, left - 1) if again and left else {}
    for middle, path in again.items():
        last = further.get(middle, Renamed())
        found[path] = found[path]._replace(path=last.path, unsure=last.unsure)
    return found


def _moves(workspace: Workspace, command: tuple[str, ...], *ends: str) -> _Moves:
    changed, unsure = _compared(workspace, command, ends, renames=True)
    return _Moves({one.was: one.path for one in changed if one.was}, unsure)


def _removers(workspace: Workspace, paths: tuple[str, ...], since: str = "") -> dict[str, str]:
    """Map those of *paths* that a commit removed to the newest such commit, in one walk; *since* a commit, or ever."""
    if not paths or not plumbing.head_commit(workspace):
        return {}
    form = (*_FORM, "--no-renames", "--diff-filter=D", "--format=%H", "--full-history")
    output = plumbing.git(workspace, "log", *form, "HEAD", *([f"^{since}"] if since else []), "--", *paths)
    found: dict[str, str] = {}
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
