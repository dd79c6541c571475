"""Many new files at once: durable before any has its name, and none of them left where one cannot be made.

A file that is synced by itself costs a journal commit of the file system, 4 ms here. So all are written under other
names first, made durable together, and linked to their own names last, which never replaces what is there.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from curator.edge import exchange

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_MINUTE = 60.0

Each = Callable[[Iterable[tuple[str, bytes]]], Iterable[tuple[str, bytes]]]


def create(files: Sequence[tuple[str, bytes]], *, each: Each = iter, spare: bool = False) -> tuple[str, ...]:
    """Make all *files*, absolute paths with their bytes; return those made, in order.

    *each* passes the files on and may count them. With *spare*, one whose name is taken is passed over; else that is a
    FileExistsError. After any error none of them is there.
    """
    folders = tuple(dict.fromkeys(os.path.dirname(path) for path, _ in files))
    for folder in folders:
        exchange.make(folder)
        sweep(folder)
    written: list[tuple[str, str]] = []
    made: list[str] = []
    try:
        for path, data in each(files):
            written.append((_written(path, data, len(written)), path))
        _settle(folders, [temporary for temporary, _ in written])
        for temporary, path in written:
            if _place(temporary, path, spare=spare):
                made.append(path)
        _sync(folders)
    except BaseException:
        remove(made)
        raise
    finally:
        for temporary, _ in written:
            with suppress(OSError):
                os.unlink(temporary)
    return tuple(made)


def remove(paths: Iterable[str]) -> None:
    """Take away what `create` made; what cannot be taken away stays."""
    for path in paths:
        with suppress(OSError):
            os.unlink(path)


def _place(temporary: str, path: str, *, spare: bool) -> bool:
    """Give a file its name; False when that is taken, and may be."""
    try:
        exchange.place(temporary, path)
    except FileExistsError:
        if not spare:
            raise
        return False
    return True


def _written(path: str, data: bytes, number: int) -> str:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f"{exchange.OURS}{name[:40]}.{os.getpid()}.{number}.{time.time_ns()}")
    handle = os.open(temporary, _NEW, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        os.close(handle)
    return temporary


def _settle(folders: Sequence[str], paths: Sequence[str]) -> None:
    """Make finished files durable: Linux syncs a whole file system with one call (syncfs(2)), others file by file."""
    if all([_syncfs(folder) for folder in folders]):
        return
    for path in paths:
        handle = os.open(path, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _syncfs(folder: str) -> bool:
    """False where there is no such call. OSError when the disk refused something."""
    if sys.platform != "linux":
        return False
    import ctypes  # noqa: PLC0415 - only a large write pays for it

    call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if call is None:
        return False
    with exchange.opened(folder) as handle:
        if call(handle) != 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error), folder)
    return True


def _sync(folders: Sequence[str]) -> None:
    for folder in folders:
        with exchange.opened(folder) as handle:
            exchange.sync(handle)


def sweep(folder: str) -> None:
    """Remove what a killed import left: its process is gone, or nobody has worked on it for a minute."""
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if not name.startswith(exchange.OURS):
                continue
            maker = _TEMPORARY.search(name)
            with suppress(OSError):
                if (maker and _is_gone(int(maker[1]))) or time.time() - os.lstat(path).st_mtime > _MINUTE:
                    os.unlink(path)


_TEMPORARY = re.compile(r"\.(\d{1,9})\.\d+\.\d+$")


def _is_gone(process: int) -> bool:
    if os.name == "nt":  # where a signal of 0 would end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
