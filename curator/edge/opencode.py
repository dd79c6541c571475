"""OpenCode's database of sessions, read as logs. It is the client's: nothing here writes to it.

While the client has it open, a reading marks its place in the shared memory beside it, as any reader does: no write
waits for that, only a checkpoint that would empty the log of writes.

A session is named `<database>#<session>`. Its messages become lines in the
order of the client, up to the first that is still being written, so that a
byte offset in them means what it means in a file that grows.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EFBIG, EINVAL, EIO
from typing import NamedTuple
from urllib.parse import quote

from curator.core import opencode
from curator.edge import expansions
from curator.edge.transcript import LONGEST, Piped

_MAGIC = b"SQLite format 3\0"
_PATIENCE = 1.0  # seconds that a lock of the client's is waited for
_MOST = 64 << 20  # bytes of one session
_COPIED = 512 << 20  # bytes of a database that is copied when it cannot be read in place

_SESSIONS = "SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL ORDER BY time_updated, id"
_MESSAGES = (
    "SELECT m.id, s.directory, m.data FROM message m JOIN session s ON s.id = m.session_id"
    " WHERE m.session_id = ? AND s.parent_id IS NULL AND length(m.data) <= ? ORDER BY m.time_created, m.id"
)
_PARTS = "SELECT data FROM part WHERE message_id = ? AND length(data) <= ? ORDER BY id"


class Row(NamedTuple):
    """A session that a person began: its name, its folder, and when it last changed (seconds since 1970)."""

    session: str
    folder: str
    changed: float


class Session(Piped):
    """The log of one session, held whole. OSError where the database cannot be read or is another program's."""

    def __init__(self, path: str, session: str, offset: int = 0) -> None:
        with _opened(path) as database:
            super().__init__(b"".join(_lines(database, session)))
        self.offset = offset if offset <= self.size else 0


def sessions(path: str) -> list[Row]:
    """The sessions in a database, the last changed one last. OSError as for `Session`."""
    with _opened(path) as database:
        rows = database.execute(_SESSIONS).fetchall()
    return [
        Row(name, folder, changed / 1000)
        for name, folder, changed in rows
        if isinstance(name, str) and isinstance(folder, str) and isinstance(changed, int)
    ]


def is_database(path: str) -> bool:
    """Whether the file begins as a SQLite database does."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except (OSError, ValueError):
        return False
    try:
        return stat.S_ISREG(os.fstat(handle).st_mode) and os.read(handle, len(_MAGIC)) == _MAGIC
    except OSError:
        return False
    finally:
        os.close(handle)


def _lines(database: sqlite3.Connection, session: str) -> Iterator[bytes]:
    held = 0
    templates: dict[str, tuple[tuple[str, ...], ...]] = {}
    messages = [(uuid, folder, _object(data)) for uuid, folder, data in database.execute(_MESSAGES, (session, LONGEST))]
    asked = [number for number, (_, _, message) in enumerate(messages) if message.get("role") == "user"]
    last = asked[-1] if asked else len(messages)
    for number, (uuid, folder, message) in enumerate(messages):
        if number > last and not opencode.is_whole(message):
            return
        parts = (_object(data) for (data,) in database.execute(_PARTS, (uuid, LONGEST)))
        if message.get("role") == "user" and folder not in templates:
            templates[folder] = expansions.templates(str(folder))
        known = templates.get(folder, ())
        for record in opencode.lines(str(uuid), session, str(folder), message, parts, known):
            line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
            held += len(line)
            if held > _MOST:
                return
            yield line


def _object(data: object) -> dict[str, object]:
    try:
        value = json.loads(data) if isinstance(data, str) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


@contextmanager
def _opened(path: str) -> Iterator[sqlite3.Connection]:
    """The database, read as it is now; whatever SQLite says against it becomes an OSError."""
    if not is_database(path):
        raise OSError(EINVAL, "no database of OpenCode's")
    try:
        with _in_place(path) as address, closing(_connected(address)) as database:
            yield database
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        busy = code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
        what = "is locked by another program" if busy else f"no database of OpenCode's that can be read ({code})"
        raise OSError(EIO, what) from None


@contextmanager
def _in_place(path: str) -> Iterator[str]:
    """The address under which a database is read without a change to it or its folder.

    SQLite makes a file of shared memory beside a database whose writer is
    gone; then a copy is read. Without a log of writes all is in the file
    itself, and no lock is needed.
    """
    log, shared = f"{path}-wal", f"{path}-shm"
    if not _size(log):
        yield f"{_address(path)}?mode=ro&immutable=1"
    elif os.path.exists(shared) and os.access(shared, os.W_OK):
        yield f"{_address(path)}?mode=ro"
    else:
        if _size(path) + _size(log) > _COPIED:
            raise OSError(EFBIG, "too large to be copied, and it cannot be read in place")
        with tempfile.TemporaryDirectory(prefix="curator-") as folder:
            copy = os.path.join(folder, "copy.db")
            shutil.copyfile(path, copy)
            with suppress(FileNotFoundError):
                shutil.copyfile(log, f"{copy}-wal")
            yield f"{_address(copy)}?mode=rw"


def _connected(address: str) -> sqlite3.Connection:
    database = sqlite3.connect(address, uri=True, timeout=_PATIENCE)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        database.execute("PRAGMA query_only = 1")
        database.execute("PRAGMA trusted_schema = 0")
        database.execute("BEGIN")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _address(path: str) -> str:
    return f"file:{quote(os.path.abspath(path))}"


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
