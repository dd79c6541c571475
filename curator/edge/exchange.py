"""One file's new bytes put in place without losing a save: create, replace, and the kernel's help for both."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from errno import EAGAIN, EBADF, EINVAL, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM

OURS = ".tmp.curator."
"""What the names of temporary files begin with."""

_SWAPS = 16  # how often one write gives way to newer saves before it gives up
_SETTLE = 1.0  # seconds that a program which is just saving in place may take
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_UNSUPPORTED = {EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP}
_HERE = -100  # AT_FDCWD; the paths are absolute, so it is not looked at
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux renameat2(2), and RENAME_SWAP of macOS renamex_np(2)


class Outcome(Enum):
    """What `replace` found: it wrote, had nothing to do, somebody saved meanwhile, or is still saving."""

    WRITTEN = "written"
    SAME = "same"
    CHANGED = "changed"
    BUSY = "busy"


def content(path: str, most: int = -1) -> bytes:
    """All bytes, or the first *most*, of a regular file; OSError for anything else.

    No link is followed and no pipe waited for.
    """
    handle = os.open(path, _READ)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(EINVAL, "not a regular file")
        with open(handle, "rb", buffering=0, closefd=False) as stream:
            return stream.read(most)
    finally:
        os.close(handle)


def create(path: str, data: bytes, folder: int | None) -> None:
    """Make a file with a mode by the umask; FileExistsError when something has that name.

    The finished file gets its name by a link, which never replaces: of two writers, one is refused. *folder* is
    the open folder, for syncing. After an error there is no file.
    """
    temporary = _sibling(path, data, None)
    try:
        place(temporary, path)
    finally:
        with suppress(OSError):
            os.unlink(temporary)
    try:
        sync(folder)
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        raise


def replace(path: str, texts: tuple[bytes, bytes], folder: int | None, keep: Callable[[str], None]) -> Outcome:
    """Put the second of *texts* where the first is, unless somebody saved something else: that stays.

    *keep* gets the path of a file that is neither text, or that another program can still write to.
    """
    try:
        if content(path) not in texts:
            return Outcome.CHANGED
        temporary = _sibling(path, texts[1], os.stat(path))
    except FileNotFoundError:
        return Outcome.CHANGED
    try:
        return _exchange(temporary, path, texts, folder)
    except FileNotFoundError:  # deleted, or a program that saves by deleting first
        return Outcome.CHANGED
    finally:
        _dispose(temporary, texts, keep)


def sync(folder: int | None) -> None:
    """Make the names in an open folder durable, where the file system can."""
    if folder is None:
        return
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno != EINVAL:
            raise


def make(folder: str) -> None:
    """Make a folder and its parents, each durably."""
    if os.path.isdir(folder):
        return
    parent = os.path.dirname(folder)
    make(parent)
    with suppress(FileExistsError):
        os.mkdir(folder)
    with opened(parent) as handle:
        sync(handle)


@contextmanager
def opened(folder: str) -> Iterator[int | None]:
    """The descriptor of a folder, for syncing and locking; None on Windows, which opens no folders."""
    if os.name == "nt":
        yield None
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield handle
    finally:
        os.close(handle)


def swap(first: str, second: str) -> None:
    """Exchange what two absolute paths in one folder name. OSError when one is missing.

    Where the system has no call for it, *second* still never lacks a file, but a file that is renamed over
    it between two of the three steps is lost; that window is some microseconds.
    """
    if not _in_one_step(first, second):
        _in_three_steps(first, second)


def being_written(path: str) -> bool | None:
    """Whether any process has the file open for writing; None where the system cannot tell.

    Linux grants a read lease (fcntl(2), F_SETLEASE) only on a file that nobody has open for writing. The
    lease ends at once, and breaking it raises SIGURG, which is ignored by default, instead of SIGIO, which kills.
    """
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415 - POSIX only
    from signal import SIGURG  # noqa: PLC0415 - only a write needs it

    handle = os.open(path, _READ)
    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return True if error.errno == EAGAIN else None
    finally:
        os.close(handle)
    return False


def claim(handle: int, seconds: float) -> bool | None:
    """Take the exclusive flock on an open file or folder; the kernel gives it back when the process ends.

    False when somebody held it for *seconds*; None where the system or the file system has no such lock.
    Whoever has waited longer asks more often, so that the lock goes round nearly in the order of arrival.
    """
    try:
        import fcntl  # noqa: PLC0415 - POSIX only
    except ImportError:
        return None
    begun = time.monotonic()
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - begun
            if waited >= seconds:
                return False
            time.sleep(max(0.0002, 0.02 * (1 - waited / seconds) ** 3))
        except OSError as error:
            if error.errno in {*_UNSUPPORTED, ENOLCK, EBADF}:
                return None
            raise
        else:
            return True


def _exchange(temporary: str, path: str, texts: tuple[bytes, bytes], folder: int | None) -> Outcome:
    now = content(path)
    if now == texts[1]:
        return Outcome.SAME
    if now == texts[0] and _put(temporary, path, texts, folder):
        return Outcome.WRITTEN
    return Outcome.BUSY if being_written(path) else Outcome.CHANGED


def _put(temporary: str, path: str, texts: tuple[bytes, bytes], folder: int | None) -> bool:
    """Exchange the two files until what comes out is what was expected, so that the newest save is never out.

    First that is the text before. Anything else is a save made since: it goes back, and then our own text is
    expected, unless somebody saved again. False when somebody else's text is in place at the end.
    """
    expected: bytes | None
    placed: bytes | None
    expected, placed = texts
    for _ in range(_SWAPS):
        swap(temporary, path)
        out = _settled(temporary)
        if out == expected:
            sync(folder)
            out = _settled(temporary)  # once more, for a program that was just opening the file to save in place
        if out == expected:
            return placed == texts[1]
        expected, placed = placed, out
    return False


def _settled(path: str) -> bytes | None:
    """The bytes of a file that nobody is writing any more; None when somebody is, or it is no regular file."""
    deadline = time.monotonic() + _SETTLE
    with suppress(OSError):
        while being_written(path):
            if time.monotonic() > deadline:
                return None
            time.sleep(0.002)
        return content(path)
    return None


def _dispose(temporary: str, texts: tuple[bytes, bytes], keep: Callable[[str], None]) -> None:
    """Delete what is known and nobody can still write to; where that cannot be told, only our own text."""
    with suppress(OSError):
        found, still_open = content(temporary), being_written(temporary)
        ours = found == texts[1] and not still_open
        if ours or (found == texts[0] and still_open is False):
            os.unlink(temporary)
        else:
            keep(temporary)


def _sibling(path: str, data: bytes, like: os.stat_result | None) -> str:
    """A finished, synced file beside *path*, dressed as *like* or by the umask. Nothing stays behind on an error."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f"{OURS}{name[:40]}.{os.getpid()}.{time.time_ns()}")
    handle = os.open(temporary, _NEW, 0o600 if like else 0o666)
    try:
        try:
            if like:
                _dress(handle, temporary, path, like)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary


def _dress(handle: int, temporary: str, path: str, like: os.stat_result) -> None:
    """Group and owner as far as we may, extended attributes (access lists are some), and the mode last."""
    if hasattr(os, "fchown"):
        for owner, group in ((-1, like.st_gid), (like.st_uid, -1)):
            with suppress(OSError):
                os.fchown(handle, owner, group)
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(path):
                os.setxattr(handle, name, os.getxattr(path, name))
    os.chmod(temporary, stat.S_IMODE(like.st_mode))


def place(temporary: str, path: str) -> None:
    """Give a finished file its name by a link, which never replaces; FileExistsError when something has that name."""
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in {*_UNSUPPORTED, EPERM}:
            raise
        os.close(os.open(path, _NEW, 0o666))  # no hard links here: claim the name, then replace the empty file
        os.replace(temporary, path)


def _in_one_step(first: str, second: str) -> bool:
    """False where the system or the file system has no exchange."""
    if sys.platform not in ("linux", "darwin"):
        return False
    import ctypes  # noqa: PLC0415 - its import costs as much as everything here; only a write pays

    library = ctypes.CDLL(None, use_errno=True)
    one, other = os.fsencode(first), os.fsencode(second)
    if sys.platform == "linux":
        call = getattr(library, "renameat2", None)  # glibc 2.28 and later
        status = call(_HERE, one, _HERE, other, _EXCHANGE) if call else None
    else:
        call = getattr(library, "renamex_np", None)
        status = call(one, other, _EXCHANGE) if call else None
    if status == 0:
        return True
    error = ctypes.get_errno()
    if status is None or error in _UNSUPPORTED:
        return False
    raise OSError(error, os.strerror(error), first, None, second)


def _in_three_steps(first: str, second: str) -> None:
    """Keep the old file under a third name, put the new one in place, give the old one the first name."""
    aside = f"{first}.old"
    try:
        os.link(second, aside)
    except OSError as error:
        if error.errno not in {*_UNSUPPORTED, EPERM}:
            raise
        with open(aside, "xb") as writer:  # no hard links here
            writer.write(content(second))
    try:
        os.replace(first, second)
    except OSError:
        with suppress(OSError):
            os.unlink(aside)
        raise
    os.replace(aside, first)
