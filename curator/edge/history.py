"""What git's history says: who last touched each line, which commits changed a path. GitPython's only room."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from curator.core.intake import Blamed
from curator.core.survey import Version
from curator.edge import plumbing
from curator.errors import CuratorError
from curator.model import Workspace

if TYPE_CHECKING:
    from git import Git

TIMEOUT = 120
"""Seconds that git may take for the blame of one file, or for one walk through history."""
MOST_VERSIONS = 20_000
"""Changes of the asked paths that one walk hands back, the newest of them."""
NOT_COMMITTED = "not committed yet"
CUT_OFF = "older than this shallow clone reaches"
NO_DATE = "its commit has no usable date"

# Nothing here comes from data. -w: a change of indentation or line ends is no new rule; -C: nor is a move from another
# file of the same commit.
_GIT = ("git", *plumbing.SAFE)
_BLAME = (*_GIT, "blame", "--porcelain", "--no-textconv", "-w")
# The line of first parents: there each version follows on the one before it, which the branches of a merge, told by
# date, do not. A merge stands for what it brought.
_LINE = ("--first-parent", "-m")
_BRANCHES = ("--full-history",)
_LOG = (
    *(*_GIT, "log", "--raw", "-r", "-z", "--no-abbrev", "--no-renames", "--no-notes"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=none", f"--max-count={MOST_VERSIONS}"),
    "--format=%H%n%as%n%aN%n%s",
)
_SETTINGS = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
# `blame.ignoreRevsFile` in a user's own settings stops git in every repository that has no such file.
_WITHOUT_OWN = {**_SETTINGS, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_NO_LIST = "could not open object name list"
_KEPT = frozenset({"GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})
# A partial clone may lack the other files of a commit, which -C reads.
_NOT_HERE = ("Cannot read blob", "unable to read", "promisor remote")
# What git says of a file it knows nothing of yet: not in HEAD, or no HEAD.
_NEW = ("no such path", "no such ref", "bad revision", "unknown revision")


def blame(workspace: Workspace, path: str) -> tuple[Blamed, ...]:
    """Each line of the file at *path*, as it is on disk, with the commit that last changed it.

    Empty for a file that no commit knows. A line that is not committed, or whose commit a shallow clone made the first
    one, has neither commit nor date and says why. CuratorError when git cannot answer.
    """
    output = _ask(workspace, _followed(workspace, path), _SETTINGS)
    if output is None:
        return ()
    boundary = _boundary(workspace)
    return tuple(_blamed(line, commit, facts, boundary) for line, commit, facts in _porcelain(output))


def _followed(workspace: Workspace, path: str) -> str:
    """The path of the file itself where *path* is a link within the work tree: git would blame the link's own text."""
    root = Path(workspace.root).resolve()
    place = (root / path).resolve()
    return place.relative_to(root).as_posix() if (root / path).is_symlink() and place.is_relative_to(root) else path


def _ask(
    workspace: Workspace, path: str, settings: Mapping[str, str], copies: tuple[str, ...] = ("-C",)
) -> bytes | None:
    """The answer of git blame, None for a file that no commit knows."""
    from git import Git  # noqa: PLC0415 - GitPython takes as long to load as a whole render
    from git.exc import CommandError  # noqa: PLC0415 - the same

    try:
        return _run(Git(workspace.root), (*_BLAME, *copies, "--", path), settings)
    except CommandError as error:
        if any(said in error.stderr for said in _NEW):
            return None
        if _NO_LIST in error.stderr and settings is _SETTINGS:
            return _ask(workspace, path, _WITHOUT_OWN, copies)
        if copies and any(said in error.stderr for said in _NOT_HERE):
            return _ask(workspace, path, settings, ())
        raise _refused("blame", error.stderr, path) from None


def _run(git: Git, command: Sequence[str], settings: Mapping[str, str]) -> bytes:
    with _own_repository():
        output = git.execute(
            list(command),
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            kill_after_timeout=None if os.name == "nt" else TIMEOUT,
            env=settings,
        )
    return output if isinstance(output, bytes) else b""


def _refused(verb: str, stderr: str, path: str) -> CuratorError:
    """What stopped git, in its own words."""
    said = [line.partition("fatal: ")[2] for line in stderr.split("\n") if "fatal: " in line]
    told = said[0].rstrip("'") if said else f"no answer within {TIMEOUT} s"
    return CuratorError(f"git {verb}: {told}", where=path, hint=f"run `git {verb}` on it to see what is wrong")


def versions(
    workspace: Workspace, paths: Iterable[str], since: str = "", *, branches: bool = False
) -> dict[str, tuple[Version, ...]]:
    """What HEAD's line of first parents did to each of *paths*, the newest first; to all in one walk.

    With *branches*, what each commit did, on the line or on a branch that was merged into it.

    With *since*, a commit, only what came after it. Nothing on an unborn branch; in a shallow clone as far as it
    reaches. A path that nothing changed is left out. CuratorError when git cannot answer.
    """
    from git import Git  # noqa: PLC0415 - GitPython takes as long to load as a whole render
    from git.exc import CommandError  # noqa: PLC0415 - the same

    wanted = tuple(dict.fromkeys(paths))
    if not wanted:
        return {}
    reach = (*(_BRANCHES if branches else _LINE), "HEAD", *([f"^{since}"] if since else []), "--", *wanted)
    try:
        output = _run(Git(workspace.root), (*_LOG, *reach), _SETTINGS | {"GIT_LITERAL_PATHSPECS": "1"})
    except CommandError as error:
        if any(said in error.stderr for said in _NEW):
            return {}
        raise _refused("log", error.stderr, wanted[0]) from None
    found: dict[str, list[Version]] = {path: [] for path in wanted}
    for path, version in _versions(output):
        if path in found:
            found[path].append(version)
    return {path: tuple(held) for path, held in found.items() if held}


def fork(workspace: Workspace, commits: Sequence[str]) -> str:
    """The newest commit that all of *commits* come from; "" where there is none, or none of them."""
    from git import Git  # noqa: PLC0415 - GitPython takes as long to load as a whole render
    from git.exc import CommandError  # noqa: PLC0415 - the same

    if not commits:
        return ""
    try:
        return (
            _run(Git(workspace.root), (*_GIT, "merge-base", "--octopus", *commits), _SETTINGS).decode("ascii").strip()
        )
    except CommandError:
        return ""


def _versions(output: bytes) -> Iterator[tuple[str, Version]]:
    """Paths with what a commit did to them (git-diff(1), RAW OUTPUT FORMAT): facts with a colon, then the path."""
    fields = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    commit, place = Version("", "", "", ""), -1
    for field in fields:
        told = field.lstrip("\n")
        if told.startswith(":"):
            _, _, old, new, *_ = told.split(" ")
            yield next(fields), commit._replace(old=old.strip("0") and old, new=new.strip("0") and new)
        elif told:
            place += 1
            name, day, author, subject = (*told.split("\n"), "", "", "")[:4]
            commit = Version(name, day, author, subject, place=place)


@contextmanager
def _own_repository() -> Iterator[None]:
    """Without the variables that would lead git to another repository. GitPython hands on whatever is set."""
    dropped = {name: value for name, value in os.environ.items() if name[:4] == "GIT_" and name not in _KEPT}
    for name in dropped:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(dropped)


def _porcelain(output: bytes) -> Iterator[tuple[int, str, Mapping[bytes, bytes]]]:
    """Line number, commit and the commit's facts, line by line (git-blame(1), THE PORCELAIN FORMAT)."""
    commits: dict[str, dict[bytes, bytes]] = {}
    line, commit = 0, ""
    for row in output.split(b"\n"):
        if row[:1] == b"\t":
            yield line, commit, commits[commit]
            commit = ""
        elif not commit and row:
            name, _, final, *_ = row.split(b" ")
            line, commit = int(final), name.decode("ascii")
            commits.setdefault(commit, {})
        elif row:
            key, _, value = row.partition(b" ")
            commits[commit][key] = value


def _blamed(line: int, commit: str, facts: Mapping[bytes, bytes], boundary: frozenset[str]) -> Blamed:
    if not commit.strip("0"):
        return Blamed(line, unknown=NOT_COMMITTED)
    if commit in boundary:
        return Blamed(line, unknown=CUT_OFF)
    time = _time(facts.get(b"author-time", b""))
    return Blamed(line, commit, time) if time else Blamed(line, unknown=NO_DATE)


def _time(seconds: bytes) -> str:
    """ISO 8601 in UTC, or nothing for a time no calendar has."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


def _boundary(workspace: Workspace) -> frozenset[str]:
    """The commits a shallow clone made the first ones: git blames on them what is older."""
    try:
        return frozenset(Path(workspace.common_dir, "shallow").read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()
