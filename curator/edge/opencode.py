"""OpenCode's database of sessions, read as logs. It is the client's: nothing here writes to it.

A session is named `<database>#<session>`. Its messages become lines in the
order of the client, up to the first that is still being written, so that a
byte offset in them means what it means in a file that grows.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from errno import EINVAL, EIO
from typing import NamedTuple

from curator.core import opencode
from curator.edge import borrowed, expansions
from curator.edge.transcript import LONGEST, Piped

_PATIENCE = 1.0  # seconds that a lock of the client's is waited for
_MOST = 64 << 20  # bytes of one session

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
        return stat.S_ISREG(os.fstat(handle).st_mode) and os.read(handle, len(borrowed.MAGIC)) == borrowed.MAGIC
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
        with borrowed.address(path, shared=True) as named, closing(borrowed.connected(named, _PATIENCE)) as database:
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            database.execute("BEGIN")  # one moment for all that is read
            yield database
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        busy = code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
        what = "is locked by another program" if busy else f"no database of OpenCode's that can be read ({code})"
        raise OSError(EIO, what) from None
