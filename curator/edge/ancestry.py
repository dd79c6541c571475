"""The programs that this process was started by, by the names they gave themselves. Only Linux tells."""

from __future__ import annotations

import os

_DEEPEST = 64


def names() -> list[str]:
    """Names of the processes above this one, nearest first; none where the kernel shows no /proc (proc(5))."""
    found: list[str] = []
    parent = os.getppid()
    while parent > 1 and len(found) < _DEEPEST:
        try:
            with open(f"/proc/{parent}/stat", "rb") as file:
                head, _, tail = file.read().rpartition(b")")
            parent = int(tail.split()[1])
        except (OSError, ValueError, IndexError):
            break
        found.append(head.partition(b"(")[2].decode("utf-8", "replace"))
    return found
