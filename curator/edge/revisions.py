"""Which two trees a range of commits means: where two branches parted, and what a merge of them would give."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from curator.core import printable
from curator.edge import changes, plumbing, refspecs, state
from curator.errors import CuratorError
from curator.model import MEMORIES, Workspace

HEAD = "HEAD"
_WHOLE = frozenset({40, 64})
_HEX = frozenset("0123456789abcdef")


class Range(NamedTuple):
    """Two trees to compare. *base* and *head* are as asked for, the commits full ids.

    *before* and *after* are trees or commits as git names them; *before* is
    "" where the base is not here, *after* is "" for the index. *tip* is the
    commit whose history tells where a file of *after* went, "" for HEAD and
    what is staged. *workspace* reads objects of a merge made for this alone.

    *parted* is the commit where the two went apart, *before* where that is
    not known. *conflicts* are the files that the merge in *after* leaves to a
    person; no memories are among them.
    """

    workspace: Workspace
    base: str
    head: str
    base_commit: str
    head_commit: str
    before: str
    after: str
    notes: tuple[str, ...] = ()
    parted: str = ""
    conflicts: tuple[str, ...] = ()

    @property
    def is_merged(self) -> bool:
        """Whether *after* is the tree of a merge, and of neither side."""
        return bool(self.workspace.objects)

    @property
    def tip(self) -> str:
        return self.head_commit


class _Asked(NamedTuple):
    base: str
    dots: str
    head: str


@contextmanager
def opened(workspace: Workspace, asked: str) -> Iterator[Range]:
    """The trees that *asked* means: `BASE..HEAD`, `BASE...HEAD` or one ref. They can be read as long as this is open.

    Raises CuratorError for a ref that is not here, unless that is because the
    clone is shallow, or the ref is a whole commit id.
    """
    wanted = _parsed(asked)
    head = _known(workspace, wanted.head) if wanted.dots else ""
    base = _commit(workspace, wanted.base)
    if not base and wanted.base == HEAD and not head:
        yield Range(workspace, HEAD, "", "", "", changes.base(workspace), "")  # nothing is committed yet
    elif not base and _may_be_cut_off(workspace, wanted.base):
        note = f"{wanted.base} is not here, so nothing is compared: {_deeper(workspace, wanted.base)}"
        yield Range(workspace, wanted.base, wanted.head, "", head, "", head, (note,))
    else:
        with _both(workspace, wanted, _known(workspace, wanted.base), head) as found:
            yield found


@contextmanager
def _both(workspace: Workspace, wanted: _Asked, base: str, head: str) -> Iterator[Range]:
    """The trees of two commits that are here; *head* is "" for the index."""
    other = head or _commit(workspace, HEAD)
    parted = _parted(workspace, base, other) if other else ""
    plain = Range(workspace, wanted.base, wanted.head, base, head, parted or base, head, parted=parted or base)
    if not parted:
        yield plain._replace(notes=(_no_parting(workspace, plain),))
    elif wanted.dots != ".." or parted == base:
        yield plain
    else:
        with _merged(workspace, plain) as made:
            yield made


def _parsed(asked: str) -> _Asked:
    """Split a range as git does: an end that is left out is HEAD."""
    for dots in ("...", ".."):
        base, found, head = asked.partition(dots)
        if found:
            return _Asked(base or HEAD, dots, head or HEAD)
    return _Asked(asked, "", "")


def _commit(workspace: Workspace, ref: str) -> str:
    """The full id of the commit that *ref* names, "" when there is none."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return plumbing.git(workspace, *asked, ok=(0, 1, 128)).decode().strip()


def _known(workspace: Workspace, ref: str) -> str:
    """The same; CuratorError when there is none."""
    found = _commit(workspace, ref)
    if not found:
        raise CuratorError(f"{ref!r} is no commit here", hint=_way_to(workspace, ref))
    return found


def _way_to(workspace: Workspace, ref: str) -> str:
    """What a person can do about a ref that is not here."""
    where = "" if state.depth(workspace) == "none" else f"; this clone is shallow: {_deeper(workspace, ref)}"
    return refspecs.way_to(workspace, ref, where)


def _may_be_cut_off(workspace: Workspace, ref: str) -> bool:
    """Whether a missing commit can be one that was not fetched: a whole id, or an ancestor of what is here."""
    if len(ref) in _WHOLE and _HEX.issuperset(ref):
        return True
    start = _STEPS.split(ref)[0]
    return state.depth(workspace) != "none" and start != ref and bool(_commit(workspace, start))


def _deeper(workspace: Workspace, ref: str = "") -> str:
    """How to get what a clone lacks to know *ref*, or where two branches parted."""
    if state.depth(workspace) == "none":
        return f"`git fetch origin {ref}`"
    steps = sum(int(count or 1) if sign == "~" else 1 for sign, count in _STEPS.findall(ref))
    if steps:
        return f"`git fetch --deepen={steps}`, or `fetch-depth: {steps + 1}` in CI"
    return "`git fetch --unshallow`, or `fetch-depth: 0` in CI"


_STEPS = re.compile(r"([~^])(\d{0,6})")


def _parted(workspace: Workspace, base: str, head: str) -> str:
    """The best common ancestor, the first where there are several; "" where there is none."""
    return plumbing.git(workspace, "merge-base", base, head, ok=(0, 1, 128)).decode().strip()


def _no_parting(workspace: Workspace, one: Range) -> str:
    both = f"{one.base} and {one.head or HEAD}"
    if state.depth(workspace) == "none":
        return f"{both} share no history: the two are compared as they are"
    return (
        f"where {both} parted is beyond this shallow clone, so the two are compared as they are: {_deeper(workspace)}"
    )


@contextmanager
def _merged(workspace: Workspace, one: Range) -> Iterator[Range]:
    """*one* with the tree that a merge would give, whose new objects last as long as this is open."""
    import shutil  # noqa: PLC0415 - only branches that both went on are merged

    home = f"{workspace.common_dir}/curator"
    for left in _left(home):
        shutil.rmtree(left, ignore_errors=True)
    folder = f"{home}/{_FOLDER}{os.urandom(6).hex()}"
    with _until_ended():
        try:
            yield _joined(workspace, one, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _until_ended() -> Iterator[None]:
    """Let a signal that ends the process unwind it, so that what has to be cleared away is."""
    import signal  # noqa: PLC0415 - only branches that both went on are merged

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    known = {}
    with suppress(ValueError):  # only the main thread may do this; the others end with it
        for one in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(one) is signal.SIG_DFL:
                known[one] = signal.signal(one, end)
    try:
        yield
    finally:
        for one, handler in known.items():
            signal.signal(one, handler)


_FOLDER = "merge."
_DAY = 86_400


def _left(home: str) -> Iterator[str]:
    """The folders of comparisons that were killed: no comparison takes a day."""
    import time  # noqa: PLC0415 - the same

    with suppress(OSError), os.scandir(home) as found:
        for one in found:
            if one.name.startswith(_FOLDER) and time.time() - one.stat(follow_symlinks=False).st_mtime > _DAY:
                yield one.path


def _joined(workspace: Workspace, one: Range, folder: str) -> Range:
    """*one* with the tree that a merge would give; as it is, with a note, where memories would not merge."""
    parted = f"compared with the place where it left {one.base}"
    try:
        tree, conflicts = _written(workspace, one, folder)
    except (OSError, CuratorError) as error:
        why = error.message.rpartition(": ")[2] if isinstance(error, CuratorError) else error.strerror
        return one._replace(notes=(f"what a merge would give cannot be told ({why}), so it is {parted}",))
    memories = [path for path in conflicts if f"/{MEMORIES}/" in f"/{path}"]
    if memories:
        return one._replace(notes=(f"{told(memories)}, so {one.head} is {parted}",))
    apart = Workspace(workspace.root, workspace.git_dir, workspace.common_dir, f"{folder}/objects")
    return one._replace(workspace=apart, before=one.base_commit, after=tree, conflicts=conflicts)


_NAMED = 3
"""Files with conflicts that are named; the rest is counted."""


def told(conflicts: Sequence[str]) -> str:
    """Which files conflict, some of them named. Git itself may know better: what its drivers would do nobody asked."""
    shown = [printable.inline(path) for path in conflicts[:_NAMED]]
    rest = len(conflicts) - len(shown)
    names = f"{', '.join(shown)}{f' and {rest:,} more' if rest else ''}"
    return f"merged as text, without a merge driver, {names} conflict{'s' if len(conflicts) == 1 else ''}"


def _written(workspace: Workspace, one: Range, folder: str) -> tuple[str, tuple[str, ...]]:
    """The tree of the merge, its new objects in a repository of their own in *folder*, and the files with conflicts.

    There neither settings nor attributes of this clone name a program, such as a merge driver.
    """
    _lay_out(workspace, folder, one.base_commit)
    ends = ("--end-of-options", one.base_commit, one.head_commit)
    command = ("--git-dir=.", *_BARE, "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", *ends)
    told = plumbing.git(Workspace(folder, folder, folder), *command, ok=(0, 1), write=True)
    tree, *conflicts = told.decode("utf-8", "surrogateescape").split("\0")
    return tree.strip("\n"), tuple(sorted({path for path in conflicts if path}))


def united(one: Range) -> str:
    """A commit of the merged tree, beside its objects, whose history is that of both sides. The same for the same."""
    folder = os.path.dirname(one.workspace.objects)
    by = "curator <> 0 +0000"
    text = f"tree {one.after}\nparent {one.base_commit}\nparent {one.head_commit}\nauthor {by}\ncommitter {by}\n\n"
    command = ("--git-dir=.", "hash-object", "-t", "commit", "-w", "--stdin")
    return plumbing.git(Workspace(folder, folder, folder), *command, stdin=text.encode(), write=True).decode().strip()


_BARE = ("-c", f"core.attributesFile={os.devnull}")


def _lay_out(workspace: Workspace, folder: str, commit: str) -> None:
    """An empty bare repository that borrows the objects of this one."""
    for name in ("objects/info", "refs"):
        os.makedirs(f"{folder}/{name}")
    form = "[extensions]\n\tobjectFormat = sha256\n" if len(commit) == 64 else ""
    files = {
        "HEAD": "ref: refs/heads/none\n",
        "config": f"[core]\n\trepositoryFormatVersion = {int(bool(form))}\n\tbare = true\n{form}",
        "objects/info/alternates": f"{workspace.common_dir}/objects\n",
    }
    for name, text in files.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    with suppress(FileNotFoundError), open(f"{workspace.common_dir}/shallow", "rb") as source:
        shallow = source.read()
        with open(f"{folder}/shallow", "wb") as file:
            file.write(shallow)
