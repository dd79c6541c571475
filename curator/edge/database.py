"""A SQLite file that readers never lock and writers replace as a whole, with checksums over what it holds."""

from __future__ import annotations

import os
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
else:
    import _sqlite3 as sqlite3  # without what `sqlite3` loads to store dates, which nobody here does

BROKEN = (sqlite3.Error, ValueError, MemoryError)
"""What Python raises where SQLite reads nonsense: names that are no UTF-8, impossible sizes."""


_KIND, _PLAIN = 0o170000, 0o100000  # stat(2); the module `stat` is not loaded for it


class Damaged(Exception):  # noqa: N818 - it says what happened; nobody did anything wrong
    """The file turned out to be damaged while it was read."""


def in_memory() -> sqlite3.Connection:
    return _connect(":memory:")


def read_only(path: str) -> sqlite3.Connection:
    """Open without locks and without a look at journals (sqlite.org/uri.html, `immutable`).

    The connection keeps the file it opened, also when another takes its name.
    """
    if not _is_plain(path):  # SQLite would wait for a pipe for ever, and no alarm ends that
        raise ValueError(f"no plain file: {path}")
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23").lstrip("/")
    return _connect(f"file:///{quoted}?mode=ro&immutable=1")


def _is_plain(path: str) -> bool:
    try:
        return os.stat(path).st_mode & _KIND == _PLAIN
    except OSError:
        return False


def replace(path: str, fill: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Let *fill* make a new file, rename it to *path*, and open it read-only.

    A writer that is killed leaves the old file, and beside it one that the
    next writer removes. Of two writers the last one wins. Raises OSError or
    sqlite3.Error when nothing can be written; *path* is then as it was.
    """
    from curator.edge import exchange  # noqa: PLC0415 - a reader needs no lock

    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.urandom(6).hex()}"
    handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        exchange.claim(handle, 0)  # held until the rename is done: tells `_sweep` that somebody is at work
        _fill(temporary, fill)
        os.fsync(handle)
        made = read_only(temporary)
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise
    finally:
        os.close(handle)
    _sweep(path)
    return made


def _fill(path: str, fill: Callable[[sqlite3.Connection], None]) -> None:
    db = _connect(path)
    try:
        db.execute("PRAGMA journal_mode = OFF")  # nobody sees the file before it is whole
        db.execute("PRAGMA synchronous = OFF")
        fill(db)
    finally:
        db.close()


def _sweep(path: str) -> None:
    """Remove what killed writers left beside *path*: nobody holds the lock on it."""
    from curator.edge import exchange  # noqa: PLC0415 - the same

    folder, name = os.path.split(path)
    for other in os.listdir(folder):
        if not other.startswith(f"{name}."):
            continue
        try:
            handle = os.open(f"{folder}/{other}", os.O_RDWR)
        except OSError:
            continue  # its writer has just renamed it
        try:
            if exchange.claim(handle, 0) is not False:
                _remove(f"{folder}/{other}")
        finally:
            os.close(handle)


def _remove(path: str) -> None:
    from contextlib import suppress  # noqa: PLC0415 - the same

    with suppress(OSError):
        os.unlink(path)


def _connect(target: str) -> sqlite3.Connection:
    return sqlite3.connect(target, uri=True, isolation_level=None, check_same_thread=False)


def sealed(data: bytes) -> bytes:
    """*data* behind its checksum: SQLite itself does not notice a changed byte in a value."""
    return crc32(data).to_bytes(4, "little") + data


def opened(value: object) -> bytes:
    """What was sealed. Raises Damaged."""
    if isinstance(value, bytes) and crc32(data := value[4:]) == int.from_bytes(value[:4], "little"):
        return data
    raise Damaged


def sealed_text(text: str) -> bytes:
    return sealed(encoded(text))


def opened_text(value: object) -> str:
    return opened(value).decode("utf-8", "surrogatepass")


def encoded(text: str) -> bytes:
    """*text* as a value to look up. A path that is no UTF-8 holds lone surrogates, which SQLite's text type refuses."""
    return text.encode("utf-8", "surrogatepass")
