"""What a person decided of late: one line a decision, in git's common folder. Counted, never judged."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from errno import EINVAL

from curator.edge import exchange
from curator.here import Workspace

KEPT = 200
"""Decisions that are kept."""
_SLACK = 50  # more lines than are kept, before the file is written anew
_ADDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
ACCEPTED, REJECTED = "accepted", "rejected"


def record(workspace: Workspace, what: str, key: str, today: str) -> None:
    """Note ACCEPTED or REJECTED for a key on an ISO date. A decision holds even where it cannot be counted."""
    with suppress(OSError):
        exchange.make(f"{workspace.common_dir}/curator")
        _append(_path(workspace), f"{today} {what} {key}\n".encode())  # one small write: no lock is needed
        lines = _lines(workspace)
        if len(lines) > KEPT + _SLACK:
            temporary = f"{_path(workspace)}.{os.getpid()}"
            with open(temporary, "xb") as file:
                file.write(b"".join(line + b"\n" for line in lines[-KEPT:]))
            os.replace(temporary, _path(workspace))


def _append(path: str, data: bytes) -> None:
    """Add to a regular file; OSError for anything else. No link is followed and no pipe waited for."""
    handle = os.open(path, _ADDING, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(EINVAL, "not a regular file")
        os.write(handle, data)
    finally:
        os.close(handle)


def last(workspace: Workspace, number: int) -> tuple[int, int]:
    """How many of the last *number* decisions accepted, and how many rejected."""
    words = [line.split(b" ") for line in _lines(workspace)]
    told = [word[1] for word in words if len(word) == 3 and word[1] in {b"accepted", b"rejected"}][-number:]
    accepted = told.count(ACCEPTED.encode())
    return accepted, len(told) - accepted


def keys(workspace: Workspace) -> frozenset[str]:
    """The keys of all that was decided of late."""
    return frozenset(line.rpartition(b" ")[2].decode("utf-8", "replace") for line in _lines(workspace))


def own(workspace: Workspace) -> frozenset[str]:
    """The keys that this person alone refused."""
    with suppress(OSError):
        return frozenset(os.listdir(f"{workspace.common_dir}/curator/rejected"))
    return frozenset()


def _lines(workspace: Workspace) -> list[bytes]:
    with suppress(OSError):
        return [line for line in exchange.content(_path(workspace)).split(b"\n") if line]
    return []


def _path(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/decisions"
