"""A SQLite file of another program, read as it was last committed; its bytes are never changed.

A file without a journal beside it is opened `immutable`: SQLite takes no lock and makes no file. Where there is one,
it holds changes that the file lacks, or half of a change that was not finished: both are copied and the copy is read,
which SQLite brings in order by itself (sqlite.org/wal.html, sqlite.org/lockingv3.html). A database that its program
has open may be read in place instead, as one more of its readers.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from errno import EBUSY, EFBIG
from typing import Any

from curator.core import report
from curator.errors import CuratorError

MAGIC = b"SQLite format 3\0"
MOST = 200_000
"""Rows of a table that are read, at most."""
LONGEST = 100_000
"""Characters of a value that are read: more than any statement has."""
_COPIED = 1 << 30  # bytes of a database that is copied
_SECONDS = 60.0
_TRIES = 3
_SIDES = ("-wal", "-journal")


@contextmanager
def opened(path: str, where: str) -> Iterator[sqlite3.Connection]:
    """A connection to a database at rest. CuratorError, with *where*, for what is none or is damaged."""
    try:
        with address(path) as named, closing(connected(named)) as db:
            until = time.monotonic() + _SECONDS
            db.set_progress_handler(lambda: int(time.monotonic() > until), 100_000)
            db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
            db.row_factory = sqlite3.Row
            yield db
    except (sqlite3.Error, ValueError, MemoryError) as error:
        hint = "`sqlite3 FILE .recover` may save what is left of a damaged one; a foreign or encrypted one is none"
        raise CuratorError(f"cannot be read as a SQLite database: {error}", where=where, hint=hint) from None
    except OSError as error:
        way = "close the program that uses it" if error.errno in {EFBIG, EBUSY} else "put that right"
        hint = f"{way}, then run the command again"
        raise CuratorError(f"cannot be read: {error.strerror or error}", where=where, hint=hint) from None


@contextmanager
def address(path: str, *, shared: bool = False) -> Iterator[str]:
    """The address under which SQLite reads a database as it is now, without a change to it or its folder.

    With *shared* one that its program has open is read in place, where the memory that its readers share is there:
    no write waits for that, only a checkpoint that would empty the log of writes. OSError: EFBIG for one that is in use
    and too large to be copied, EBUSY for one that is written all the time.
    """
    real = os.path.realpath(path)
    if not any(_size(real + side) for side in _SIDES):
        yield f"file:{_quoted(real)}?mode=ro&immutable=1"
    elif shared and not _size(f"{real}-journal") and os.access(f"{real}-shm", os.W_OK):
        yield f"file:{_quoted(real)}?mode=ro"
    else:
        with tempfile.TemporaryDirectory(prefix="curator-") as scratch:
            yield f"file:{_quoted(_copied(real, scratch))}?mode=rw"


def connected(named: str, patience: float = 0.0) -> sqlite3.Connection:
    """A connection by an `address` that runs no code of the schema and writes nothing.

    *patience*: seconds that a lock is waited for.
    """
    db = sqlite3.connect(named, uri=True, timeout=patience)
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA query_only = ON")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _copied(path: str, scratch: str) -> str:
    """The file and its journals in a folder of ours, as they were at one moment."""
    if sum(map(_size, (path, *(path + side for side in _SIDES)))) > _COPIED:
        raise OSError(EFBIG, "is in use, and too large to be copied first")
    goal = os.path.join(scratch, "copy.db")
    for _ in range(_TRIES):
        before = _state(path)
        for side in ("", *_SIDES):
            if os.path.exists(path + side):
                shutil.copyfile(path + side, goal + side)
            elif os.path.exists(goal + side):
                os.unlink(goal + side)
        if _state(path) == before:
            return goal
        time.sleep(0.2)
    raise OSError(EBUSY, "is being written all the time")


def _state(path: str) -> tuple[tuple[int, int], ...]:
    found = []
    for side in ("", *_SIDES):
        try:
            facts = os.stat(path + side)
            found.append((facts.st_size, facts.st_mtime_ns))
        except FileNotFoundError:
            found.append((-1, 0))
    return tuple(found)


def columns(db: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """The ordinary tables with their columns: no views, no virtual tables nor what those keep beside them."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    made = [row for row in rows if isinstance(row["name"], str) and isinstance(row["sql"], str)]
    virtual = [row["name"] for row in made if row["sql"].lstrip()[:14].upper() == "CREATE VIRTUAL"]
    shadows = tuple(f"{name}_" for name in virtual)
    plain = [row["name"] for row in made if row["name"] not in virtual]
    names = [name for name in plain if not name.startswith(("sqlite_", *shadows))]
    return {name: tuple(row["name"] for row in db.execute(f"PRAGMA table_xinfo({_named(name)})")) for name in names}


def virtual(db: sqlite3.Connection) -> tuple[str, ...]:
    """The tables that code of SQLite's makes up, such as those of full text search: not read, as their schema is."""
    rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL %'").fetchall()
    return tuple(row["name"] for row in rows if isinstance(row["name"], str))


def check_length(db: sqlite3.Connection) -> None:
    """ValueError for a file that ends within a page, which SQLite would read as a page of zeros."""
    (size,) = db.execute("PRAGMA page_size").fetchone()
    path = next((row["file"] for row in db.execute("PRAGMA database_list") if row["name"] == "main"), "")
    if path and os.path.getsize(path) % size:
        raise ValueError("it ends in the middle of a page, so something of it is missing")


def rows(db: sqlite3.Connection, table: str, names: Sequence[str], where: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a table in their order, of each value no more than LONGEST characters and one."""
    listed = ", ".join(
        f"CASE WHEN typeof({_named(one)}) IN ('text', 'blob') THEN substr({_named(one)}, 1, {LONGEST + 1})"
        f" ELSE {_named(one)} END AS {_named(one)}"
        for one in names
    )
    if db.execute(f"SELECT 1 FROM {_named(table)} LIMIT 1 OFFSET {MOST}").fetchone():
        short = report.shorten(table, 40)
        hint = f"""import a part: `sqlite3 COPY.db 'DELETE FROM "{short}" WHERE ...'` in a copy of it"""
        raise CuratorError(f"the table {short} has over {MOST:,} rows", where=where, hint=hint)
    for row in db.execute(f"SELECT {listed} FROM {_named(table)}"):
        yield dict(zip(row.keys(), row, strict=True))


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
