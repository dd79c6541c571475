"""What a merge driver can find out in git: which commits meet, which files that makes, and git's own text merge."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from curator.core import threeway
from curator.core.threeway import Three
from curator.edge import plumbing
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import MEMORIES, Workspace

_HEAD = "GITHEAD_"
_STEP = re.compile(r"(pick|p|reword|r|edit|e|squash|s|fixup|f|revert) (?:-[cC] )?([0-9a-f]{4,64})\b")
_TEXT_CONFLICTS = tuple(range(128))  # git merge-file exits with the number of conflicts


class _Meeting(NamedTuple):
    """Two commits: what the other side started from, and the other side."""

    base: str
    theirs: str


def texts(names: Iterable[str]) -> Three:
    """The versions that git wrote into temporary files for its driver."""
    read = []
    for name in names:
        try:
            with open(name, "rb") as file:
                read.append(file.read().decode("utf-8", "surrogateescape"))
        except OSError as error:
            hint = "git calls this command; `curator init --merge-driver` sets it up"
            raise CuratorError(f"cannot be read: {error.strerror}", where=name, hint=hint) from None
    return Three(*read)


def put(name: str, text: str) -> None:
    """Hand git the merged version, in the file where it looks for it."""
    with open(name, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def text(workspace: Workspace, three: Three, size: int) -> tuple[str, bool]:
    """Git's three-way merge of texts, conflict markers of *size* characters, and whether there are none."""
    with tempfile.TemporaryDirectory(prefix="curator-") as folder:
        names = [os.path.join(folder, name) for name in Three._fields]
        for name, one in zip(names, three, strict=True):
            put(name, one)
        labels = [word for name in ("ours", "base", "theirs") for word in ("-L", name)]
        base, ours, theirs = names
        arguments = ("merge-file", "-p", *labels, f"--marker-size={size}", ours, base, theirs)
        merged = plumbing.git(workspace, *arguments, ok=_TEXT_CONFLICTS).decode("utf-8", "surrogateescape")
        clean = not re.search(rf"^<{{{size}}} ours$", merged, re.M)
    return merged, clean


def files(workspace: Workspace, path: str, three: Three) -> dict[str, Tracked] | None:
    """All files as the merge under way will leave them; None where that is not certain.

    Git does not tell a driver what it merges. Every guess is held against
    the bytes the driver was given for *path*; where several fit, they must
    come to the same files. A memory that both sides changed and that does
    not merge by itself leaves everything open; code that does not is taken
    as ours.
    """
    base, ours, theirs = (_blob(workspace, one) for one in three)
    mine = plumbing.index(workspace)
    if mine.unmerged or path not in mine.files or mine.files[path].blob != ours:
        return None
    found: list[dict[str, Tracked]] = []
    for way in _ways(workspace, path, base, theirs):
        for one in way:
            made = _made(workspace, mine.files, one, {"base": base, "theirs": theirs}, path)
            if made is not None and made not in found:
                found.append(made)
        if found:
            break
    return found[0] if len(found) == 1 else None


@contextmanager
def as_index(workspace: Workspace, tracked: Mapping[str, Tracked]) -> Iterator[None]:
    """Let everything read these files as if they were staged; git's own index is not touched."""
    private = os.path.join(workspace.git_dir, f"curator-merge-{os.getpid()}")
    earlier = os.environ.get("GIT_INDEX_FILE")
    os.environ["GIT_INDEX_FILE"] = private
    records = "".join(f"{one.mode} {one.blob} 0\t{path}\0" for path, one in tracked.items())
    try:
        stdin = records.encode("utf-8", "surrogateescape")
        plumbing.git(workspace, "update-index", "-z", "--index-info", stdin=stdin, write=True)
        yield
    finally:
        os.environ.pop("GIT_INDEX_FILE")
        if earlier is not None:
            os.environ["GIT_INDEX_FILE"] = earlier
        with suppress(FileNotFoundError):
            os.unlink(private)


def _blob(workspace: Workspace, text: str, *, keep: bool = False) -> str:
    options = ("-w",) if keep else ()
    data = text.encode("utf-8", "surrogateescape")
    return plumbing.git(workspace, "hash-object", *options, "--stdin", stdin=data, write=keep).decode().strip()


def _ways(workspace: Workspace, path: str, base: str, theirs: str) -> list[Iterator[_Meeting]]:
    """Where to look for the commits that meet, the surest first. A merge is never taken for the pick of one commit."""
    announced = [name.removeprefix(_HEAD) for name in os.environ if name.startswith(_HEAD)]
    if announced:
        return [_announced(workspace, announced)]
    if any(line.startswith(("merge ", "m ")) for line in _lines(workspace, "rebase-merge/done")[-1:]):
        return []
    return [_stepping(workspace), _recorded(workspace, path, base, theirs)]


def _announced(workspace: Workspace, named: list[str]) -> Iterator[_Meeting]:
    """`git merge` and `git pull` name the other side in GITHEAD_<commit>. A criss-cross of branches has no one base."""
    if len(named) == 1:
        bases = plumbing.git(workspace, "merge-base", "--all", "HEAD", named[0], ok=(0, 1)).decode().split()
        if len(bases) == 1:
            yield _Meeting(bases[0], named[0])


def _stepping(workspace: Workspace) -> Iterator[_Meeting]:
    """A rebase and a series of picks keep a list: the step under way is the last one done, or the first to do."""
    for name, place in (("rebase-merge/done", -1), ("sequencer/todo", 0)):
        lines = [line for line in _lines(workspace, name) if _STEP.match(line)]
        if lines:
            step = _STEP.match(lines[place])
            assert step
            yield _step(step[2], back=step[1] == "revert")
    for name in ("REBASE_HEAD", "CHERRY_PICK_HEAD"):
        yield from (_step(commit, back=False) for commit in _lines(workspace, name)[:1])


def _step(commit: str, *, back: bool) -> _Meeting:
    return _Meeting(commit, f"{commit}^") if back else _Meeting(f"{commit}^", commit)


def _lines(workspace: Workspace, name: str) -> list[str]:
    with suppress(OSError), open(os.path.join(workspace.git_dir, name), encoding="utf-8", errors="replace") as file:
        return [line.strip() for line in file if line.strip()]
    return []


def _recorded(workspace: Workspace, path: str, base: str, theirs: str) -> Iterator[_Meeting]:
    """A single pick, a revert and `stash pop` leave no word; but some commit made that very change, or its reverse."""
    fetched = [line.split("\t")[0] for line in _lines(workspace, "FETCH_HEAD")[:1]]
    options = (
        "--diff-merges=first-parent",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--max-count=50",
        "--format=%x01%H",
    )
    where = ("--ignore-missing", "--all", "--reflog", *fetched, "--", path)
    output = plumbing.git(workspace, "log", *options, f"--find-object={theirs}", *where)
    for record in output.decode("utf-8", "surrogateescape").split("\x01")[1:]:
        commit, _, change = record.partition("\n")
        words = change.strip().split(" ")
        if words[2:4] in ([base, theirs], [theirs, base]):
            yield _step(commit, back=words[2] == theirs)


def _made(
    workspace: Workspace, mine: Mapping[str, Tracked], one: _Meeting, given: Mapping[str, str], path: str
) -> dict[str, Tracked] | None:
    """The files of one guess; None where it does not fit what the driver was given, or leaves a memory open."""
    try:
        base, theirs = (plumbing.tree(workspace, commit).files for commit in one)
    except CuratorError:
        return None
    held = {"base": base.get(path), "theirs": theirs.get(path)}
    if any(tracked is not None and tracked.blob != given[side] for side, tracked in held.items()):
        return None
    settled, open_ones = threeway.trees(base, mine, theirs)
    for name in open_ones:
        tracked = _joined(workspace, base.get(name), mine.get(name), theirs.get(name)) if _counts(name) else None
        if tracked is None and _counts(name):
            return None
        chosen = tracked or mine.get(name)
        if chosen is not None:
            settled[name] = chosen
    return settled


def _counts(path: str) -> bool:
    return f"/{MEMORIES}/" in f"/{path}"


def _joined(workspace: Workspace, base: Tracked | None, ours: Tracked | None, theirs: Tracked | None) -> Tracked | None:
    """A file that both sides changed, as git's text merge joins it; None where it conflicts or a side has none."""
    if base is None or ours is None or theirs is None or ours.mode != theirs.mode:
        return None
    found = plumbing.contents(workspace, [base.blob, ours.blob, theirs.blob])
    versions = [found[one.blob].decode("utf-8", "surrogateescape") for one in (base, ours, theirs)]
    merged, clean = text(workspace, Three(*versions), 7)
    return Tracked(ours.mode, _blob(workspace, merged, keep=True)) if clean else None
