"""What happened in a work tree since a session was last looked at, as git and the times of its files tell it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

from curator.core import block
from curator.edge import launch
from curator.errors import CuratorError
from curator.here import Workspace

_MEMORIES = "memories"
_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--no-ahead-behind"),
    "--ignore-submodules=dirty",
)
_MOST = 2000  # files told apart; of more than so many only all together are remembered
_READ = 500  # of them are told apart by what they hold, the others by size and time
_LONGEST = 1 << 20  # bytes of a file that is read
_TAIL = 1 << 16  # bytes of the reflog that are looked through
_MADE = ("commit", "cherry-pick", "revert", "am")


class Seen(NamedTuple):
    """How a work tree stood: its commit, and a fingerprint of each file that differs from it.

    *since* is when it stood so, in seconds since 1970; without a commit it
    was not looked at then, and times of files have to tell.
    """

    head: str
    files: tuple[int, ...]
    since: float


class Activity(NamedTuple):
    """What happened: whether files *changed*, whether memories did (*stored*), and how all stands *now*."""

    changed: bool
    stored: bool
    now: Seen


class _File(NamedTuple):
    """A file that differs from the commit, and the blob that it had there; *around* a block, where it has one."""

    path: str
    blob: str = ""
    around: bytes | None = None


def look(workspace: Workspace, targets: Iterable[str], was: Seen, now: float) -> Activity | None:
    """Compare with how it *was*. Files that curator writes are no change: memories, and blocks of *targets*.

    A commit counts, a checkout or a pull does not. None where git does
    not answer.
    """
    told = launch.ask(workspace, *_STATUS)
    if told is None:
        return None
    head, files = _status(told)
    targets = frozenset(targets)
    known = set(was.files)
    marks: list[int] = []
    changed = stored = False
    for number, one in enumerate(_without_blocks(workspace, files, targets)):
        mark, moment = _mark(workspace, one, read=number < _READ)
        marks.append(mark)
        is_new = mark not in known if was.head else moment >= was.since
        changed |= is_new and not _is_memory(one.path)
        stored |= is_new and _is_memory(one.path)
    if len(marks) > _MOST:
        marks = [crc32(repr(sorted(marks)).encode())]
        changed = not known.issuperset(marks) if was.head else changed
    for number, path in enumerate(_committed(workspace, was, head)):
        if number < _READ and _mark(workspace, _File(path), read=True)[0] in known:
            continue  # it stood so at the last check, and is only committed now
        changed |= not _is_memory(path) and path not in targets
        stored |= _is_memory(path)
    return Activity(changed, stored, Seen(head, tuple(sorted(marks)), now))


def _status(told: bytes) -> tuple[str, list[_File]]:
    head, files = "", []
    for record in told.decode("utf-8", "surrogateescape").split("\0"):
        kind = record[:2]
        if record.startswith("# branch.oid "):
            head = record[13:]
        elif kind == "1 ":
            words = record.split(" ", 8)
            files.append(_File(words[8], words[6]))
        elif kind == "u ":
            files.append(_File(record.split(" ", 10)[10]))
        elif kind == "? ":
            files.append(_File(record[2:]))
    return head, files


def _without_blocks(workspace: Workspace, files: Iterable[_File], targets: frozenset[str]) -> Iterator[_File]:
    """All but those of *targets* that differ in nothing but the block."""
    for one in files:
        data = _content(workspace, one.path) if one.path in targets else None
        if data is None:
            yield one
            continue
        around = _around(data)
        if not one.blob or around != _around(launch.ask(workspace, "cat-file", "blob", one.blob) or b""):
            yield one._replace(around=around)


def _around(data: bytes) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    try:
        return block.replace(text, "").encode("utf-8", "surrogateescape")
    except CuratorError:
        return data


def _content(workspace: Workspace, path: str) -> bytes | None:
    """What a plain file holds, None where it is too long to be read for this."""
    from curator.edge import exchange  # noqa: PLC0415 - only where something differs

    full = f"{workspace.root}/{path}"
    try:
        return exchange.content(full) if os.lstat(full).st_size <= _LONGEST else None
    except OSError:
        return None


def _mark(workspace: Workspace, one: _File, *, read: bool) -> tuple[int, float]:
    """A fingerprint of a file as it stands, and when it last changed; of a deleted one, when its folder did.

    Staging, committing or touching it makes no other: what it holds counts,
    its size and time only where that is not *read*.
    """
    path = f"{workspace.root}/{one.path}"
    try:
        facts = os.lstat(path)
        told, moment = f"{facts.st_size} {facts.st_mtime_ns}", max(facts.st_mtime, facts.st_ctime)
    except OSError:
        told, moment, read = "gone", _moment(os.path.dirname(path)), False
    data = one.around if one.around is not None else _content(workspace, one.path) if read else None
    told = told if data is None else str(crc32(data))
    return crc32(f"{one.path}\0{told}".encode("utf-8", "surrogateescape")), moment


def _moment(folder: str) -> float:
    try:
        return os.lstat(folder).st_mtime
    except OSError:
        return 0.0


def _is_memory(path: str) -> bool:
    return f"/{_MEMORIES}/" in f"/{path}"


def _committed(workspace: Workspace, was: Seen, head: str) -> tuple[str, ...]:
    """The paths that commits made here since then changed."""
    old = _before_commits(workspace, was, head)
    if not old:
        return ()
    form = ("-r", "--name-only", "-z")
    command = ("ls-tree", *form, "--full-tree") if set(old) == {"0"} else ("diff-tree", *form, "--no-renames", old)
    listed = (launch.ask(workspace, *command, head) or b"").decode("utf-8", "surrogateescape")
    return tuple(filter(None, listed.split("\0")))


def _before_commits(workspace: Workspace, was: Seen, head: str) -> str:
    """The commit that HEAD stood at before the first commit made since then, "" where none was made."""
    if was.head == head:
        return ""
    old = ""
    for line in reversed(_reflog(workspace)):
        ids, _, message = line.partition("\t")
        words = ids.split(" ")
        if len(words) < 5 or (was.head and words[1] == was.head):
            break
        if not was.head and not (words[-2].isdigit() and int(words[-2]) >= int(was.since)):
            break
        if message.startswith(_MADE):
            old = words[0]
    return old


def _reflog(workspace: Workspace) -> list[str]:
    try:
        with open(f"{workspace.git_dir}/logs/HEAD", "rb") as reader:
            reader.seek(max(0, os.fstat(reader.fileno()).st_size - _TAIL))
            return [line for line in reader.read().decode("utf-8", "replace").split("\n") if line]
    except OSError:
        return []
