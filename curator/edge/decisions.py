"""What a person decided of late: one line a decision, in git's common folder. Counted, never judged."""

from __future__ import annotations

import os
from contextlib import suppress

from curator.edge import exchange
from curator.here import Workspace

KEPT = 200
"""Decisions that are kept."""
_SLACK = 50  # more lines than are kept, before the file is written anew
ACCEPTED, REJECTED = "accepted", "rejected"


def record(workspace: Workspace, what: str, key: str, today: str) -> None:
    """Note ACCEPTED or REJECTED for a key on an ISO date. A decision holds even where it cannot be counted."""
    with suppress(OSError):
        exchange.make(f"{workspace.common_dir}/curator")
        with open(_path(workspace), "ab", buffering=0) as file:
            file.write(f"{today} {what} {key}\n".encode())  # one small write at the end: no lock is needed
        lines = _lines(workspace)
        if len(lines) > KEPT + _SLACK:
            temporary = f"{_path(workspace)}.{os.getpid()}"
            with open(temporary, "wb") as file:
                file.write(b"".join(line + b"\n" for line in lines[-KEPT:]))
            os.replace(temporary, _path(workspace))


def last(workspace: Workspace, number: int) -> tuple[int, int]:
    """How many of the last *number* decisions accepted, and how many rejected."""
    words = [line.split(b" ") for line in _lines(workspace)]
    told = [word[1] for word in words if len(word) == 3 and word[1] in {b"accepted", b"rejected"}][-number:]
    accepted = told.count(ACCEPTED.encode())
    return accepted, len(told) - accepted


def _lines(workspace: Workspace) -> list[bytes]:
    with suppress(OSError):
        return [line for line in exchange.content(_path(workspace)).split(b"\n") if line]
    return []


def _path(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/decisions"
