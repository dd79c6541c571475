"""A client's log of a session, read from a byte offset on; and whether a folder is of this repository."""

from __future__ import annotations

import os
import stat
import time
from errno import EINVAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from curator.here import Workspace

LONGEST = 1 << 20
"""Bytes of the longest line that is read; longer ones are skipped without being held."""

_CHUNK = 1 << 18


class Log:
    """An open transcript. Close it.

    *offset* is where the next line starts, or with *inside* a place within a
    line too long to read; *size* is how long the file was when it was opened.
    *skipped* lines were too long; *ended* says that nothing is left but half
    a line. *typed*: a person may have typed into it, which is not so in the
    log of a subagent.
    """

    __slots__ = ("ended", "handle", "inside", "offset", "size", "skipped", "typed")

    def __init__(self, path: str, offset: int = 0, *, inside: bool = False) -> None:
        """OSError for anything but a regular file: no pipe is waited for and no device is read."""
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
        try:
            self.handle = os.open(path, flags)
        except ValueError as error:  # a NUL in the name
            raise OSError(EINVAL, str(error)) from None
        facts = os.fstat(self.handle)
        if not stat.S_ISREG(facts.st_mode):
            os.close(self.handle)
            raise OSError(EINVAL, "not a regular file")
        self.size = facts.st_size
        self.offset = offset if offset <= self.size else 0
        self.inside = inside and self.offset == offset
        self.skipped = 0
        self.ended = False
        self.typed = True

    def close(self) -> None:
        os.close(self.handle)

    def lines(self, most: int, until: float) -> Iterator[tuple[int, bytes]]:
        """Whole lines, each with the offset it starts at, until *most* bytes were read or *until* (monotonic) is over.

        The last line counts without its newline when it is a whole JSON
        object; half of one never is. While a line is at hand, *offset* is
        its end: nothing is read twice.
        """
        held, chunk = b"", b"-"
        end = min(self.size, self.offset + most)
        at = self.offset
        while at < end and time.monotonic() < until:
            chunk = self._read(at, min(_CHUNK, end - at))
            if not chunk:  # it was cut short meanwhile
                break
            at += len(chunk)
            held += chunk
            start = 0
            while (stop := held.find(b"\n", start)) >= 0:
                begun, self.offset = self.offset, self.offset + stop + 1 - start
                line, start = held[start:stop], stop + 1
                if self.inside or len(line) > LONGEST:
                    self.inside = False
                    self.skipped += 1
                    continue
                yield begun, line
                if time.monotonic() >= until:
                    return
            held = held[start:]
            if self.inside or len(held) > LONGEST:
                self.inside = True
                self.offset, held = at, b""
        self.ended = at >= self.size or not chunk
        if self.ended and held and _is_whole(held):
            begun, self.offset = self.offset, at
            yield begun, held

    def before(self, end: int, most: int) -> tuple[int, bytes]:
        """Up to *most* bytes before the offset *end*, and the offset they start at."""
        start = at = max(0, end - most)
        parts = []
        while at < end and (chunk := self._read(at, end - at)):
            parts.append(chunk)
            at += len(chunk)
        return start, b"".join(parts)

    def _read(self, at: int, count: int) -> bytes:
        os.lseek(self.handle, at, os.SEEK_SET)
        return os.read(self.handle, count)


class Piped(Log):
    """A transcript that is held whole, as it came through a pipe."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.handle, self.size, self.offset, self.inside = -1, len(data), 0, False
        self.skipped, self.ended, self.typed = 0, False, True

    def close(self) -> None:
        self._data = b""

    def _read(self, at: int, count: int) -> bytes:
        return self._data[at : at + count]


def _is_whole(line: bytes) -> bool:
    import json  # noqa: PLC0415 - whoever reads lines has it

    try:
        return line.endswith(b"}") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def size(path: str) -> int:
    """How long a log is, 0 when it is gone or is no regular file."""
    try:
        facts = os.stat(path) if path else None
        return facts.st_size if facts and stat.S_ISREG(facts.st_mode) else 0
    except (OSError, ValueError):
        return 0


def is_elsewhere(workspace: Workspace, folder: str) -> bool:
    """Whether a folder is there and of another clone; of one that is gone nobody can tell."""
    from curator.edge import workspace as places  # noqa: PLC0415 - only messages that say something pay for it
    from curator.errors import CuratorError  # noqa: PLC0415 - the same

    try:
        if not (os.path.isabs(folder) and os.path.isdir(folder)):
            return False
        return places.open_at(folder).common_dir != workspace.common_dir
    except (CuratorError, OSError, ValueError):
        return False


def is_ours(workspace: Workspace, folder: str) -> bool:
    """Whether a folder is of this clone, in whichever of its work trees."""
    from curator.edge import workspace as places  # noqa: PLC0415 - the same
    from curator.errors import CuratorError  # noqa: PLC0415 - the same

    try:
        return places.open_at(folder).common_dir == workspace.common_dir
    except (CuratorError, OSError, ValueError):
        return False
