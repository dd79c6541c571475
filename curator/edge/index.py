"""The cache of parsed entries, term weights and memos: one SQLite file in the work tree's own git folder.

A file that is missing, damaged or made by other code counts as empty, and
what cannot be written is kept in memory: the cache is never a reason to fail.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from curator.edge import database, reader, rows, version
from curator.edge.reader import Cache as Cache
from curator.edge.rows import Document as Document
from curator.edge.rows import Known as Known
from curator.edge.rows import Parsed as Parsed
from curator.model import Config, Workspace

Damaged = database.Damaged
"""Raised where the file turns out to be damaged while it is read. `empty()` is the way on."""

_MOST_VERDICTS = 50_000
_OLD_FILES = 2
"""Files that are known but not listed, for every listed one: they are there again after a switch of branches."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE file (
    number INTEGER PRIMARY KEY, path BLOB, blob BLOB, parsed BLOB, faulty INTEGER, UNIQUE (path, blob)
);
CREATE INDEX faults ON file (number) WHERE faulty;
CREATE TABLE cites (path BLOB, file INTEGER);
CREATE INDEX citing ON cites (path);
CREATE TABLE says (key TEXT, file INTEGER);
CREATE INDEX saying ON says (key);
CREATE TABLE counts (file INTEGER PRIMARY KEY, words BLOB, grams BLOB);
CREATE TABLE listing (ordinal INTEGER PRIMARY KEY, file INTEGER);
CREATE INDEX listed ON listing (file);
CREATE TABLE document (ordinal INTEGER PRIMARY KEY, file INTEGER, facts BLOB);
CREATE INDEX documented ON document (file);
CREATE TABLE posting (kind TEXT, term TEXT, ordinals BLOB, weights BLOB, PRIMARY KEY (kind, term));
CREATE TABLE memo (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE verdict (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;
"""


def open(workspace: Workspace) -> Cache:  # noqa: A001 - called as index.open
    """The cache of this work tree; empty when there is no file, or none that this code can use."""
    return reader.open(workspace) or empty()


def empty() -> Cache:
    """A cache that knows nothing, in memory."""
    connection = database.in_memory()
    connection.executescript(_SCHEMA)
    _note(connection, format=version.current())
    return Cache(connection)


class Mark(NamedTuple):
    """The state of git that a listing stands for: *digest* is what it follows from; the *stamp* of it costs less."""

    stamp: str
    digest: str


def save(
    workspace: Workspace, cache: Cache, mark: Mark, config: Config, files: Sequence[Parsed], *, keep: bool = True
) -> Cache:
    """Make *files* the listing, in their order. With *keep* False the file on disk stays as it is.

    What was never seen is counted and stays known; memos are forgotten; the
    weights hold as long as the active entries stay the same.
    """
    from curator.core import rank, record  # noqa: PLC0415 - only what changed is decoded and counted

    active = rank.active([one.entry for one in files if one.entry])
    ranks = array("d", rank.prior_ranks(active, config))
    told = {**mark._asdict(), "config": record.dump_config(config)}

    def change(db: sqlite3.Connection) -> None:
        numbers = [_number_of(db, one.path, one.blob) or _added(db, one, config.namespace) for one in files]
        _count(db, files, numbers)
        db.execute("DELETE FROM listing")
        db.executemany("INSERT INTO listing (file) VALUES (?)", [(number,) for number in numbers])
        db.execute("DELETE FROM memo")
        number_of = {one.path: number for one, number in zip(files, numbers, strict=True)}
        documents = [number for (number,) in db.execute("SELECT file FROM document ORDER BY ordinal")]
        weighed = documents == [number_of[entry.path] for entry in active]
        if weighed:
            _note(db, ranks=database.sealed(ranks.tobytes()))
        _note(db, **{name: database.sealed_text(text) for name, text in told.items()}, size=len(files), weighed=weighed)
        _prune(db, len(files))

    try:
        return _changed(workspace, cache, change, keep=keep)
    except Damaged:
        return _changed(workspace, empty(), change, keep=keep)


def restamp(workspace: Workspace, cache: Cache, stamp: str) -> Cache:
    """Note that the listing holds for another state of git too."""
    return _changed(workspace, cache, lambda db: _note(db, stamp=database.sealed_text(stamp)), keep=True)


def weigh(workspace: Workspace, cache: Cache, *, keep: bool = True) -> Cache:
    """Make the active entries of the listing the documents, and weigh their terms."""
    from curator.core import rank, scoring  # noqa: PLC0415 - numpy comes with the weights

    blobs = {one.path: one.blob for one in cache.records()}
    active = rank.active([one.entry for one in cache.records() if one.entry])
    documents = [(entry.path, blobs[entry.path], rows.of_document(entry, blobs[entry.path])) for entry in active]
    ranks = array("d", rank.prior_ranks(active, cache.config() or Config()))
    del blobs, active  # their memory is needed for the weights

    def change(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM document")
        for ordinal, (path, blob, facts) in enumerate(documents):
            number = _number_of(db, path, blob)
            if number is None:
                raise Damaged
            db.execute("INSERT INTO document VALUES (?, ?, ?)", (ordinal, number, facts))
        db.execute("DELETE FROM posting")
        for kind in (scoring.WORDS, scoring.GRAMS):
            query = f"SELECT {kind} FROM document LEFT JOIN counts USING (file) ORDER BY ordinal"
            weights = rank.weigh(rows.counts(value) for (value,) in db.execute(query))
            db.executemany(
                "INSERT INTO posting VALUES (?, ?, ?, ?)",
                ((kind, term, *rows.of_posting(o, w)) for term, o, w in weights),
            )
        _note(db, ranks=database.sealed(ranks.tobytes()), weighed=True)

    return _changed(workspace, cache, change, keep=keep)


def remember(
    workspace: Workspace,
    cache: Cache,
    memos: Mapping[str, str],
    verdicts: Mapping[str, str] = MappingProxyType({}),
    *,
    keep: bool = True,
) -> Cache:
    """Keep texts: *memos* until the next `save`, *verdicts*, whose keys say all that they follow from, for long."""

    def change(db: sqlite3.Connection) -> None:
        ((known,),) = db.execute("SELECT count(*) FROM verdict")
        if known > _MOST_VERDICTS:
            db.execute("DELETE FROM verdict")
        for table, texts in (("memo", memos), ("verdict", verdicts)):
            sealed = [(database.encoded(key), database.sealed_text(value)) for key, value in texts.items()]
            db.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", sealed)

    return _changed(workspace, cache, change, keep=keep)


def learn(workspace: Workspace, cache: Cache, files: Sequence[Parsed], namespace: str) -> Cache:
    """Know *files* that are not listed: those of a tree that only was looked at."""

    def change(db: sqlite3.Connection) -> None:
        for one in files:
            if _number_of(db, one.path, one.blob) is None:
                _added(db, one, namespace)

    return _changed(workspace, cache, change, keep=True)


def _changed(workspace: Workspace, cache: Cache, change: Callable[[sqlite3.Connection], None], *, keep: bool) -> Cache:
    """A changed copy of *cache*: on disk in place of the file, or in memory where that cannot be."""

    def fill(db: sqlite3.Connection) -> None:
        cache.copy_into(db)
        db.execute("BEGIN")
        change(db)
        _note(db, facts=version.facts())
        db.execute("COMMIT")

    if keep:
        try:
            return Cache(database.replace(reader.path(workspace), fill))
        except (OSError, *database.BROKEN):
            pass  # a read-only folder, a full disk: right all the same, only slower the next time
    db = database.in_memory()
    try:
        fill(db)
    except database.BROKEN as error:
        raise Damaged from error
    return Cache(db)


def _number_of(db: sqlite3.Connection, path: str, blob: str) -> int | None:
    """The number of a file that was seen before."""
    key = database.encoded(path), database.encoded(blob)
    for (number,) in db.execute("SELECT number FROM file WHERE path = ? AND blob = ?", key):
        return int(number)
    return None


def _added(db: sqlite3.Connection, one: Parsed, namespace: str) -> int:
    """The number of a new file."""
    from curator.core import keys  # noqa: PLC0415 - only what is new is told by its words

    row = database.encoded(one.path), database.encoded(one.blob), rows.of_parsed(one), bool(one.findings)
    number = db.execute("INSERT INTO file (path, blob, parsed, faulty) VALUES (?, ?, ?, ?)", row).lastrowid or 0
    if one.entry:
        cited = {source.path for source in one.entry.sources}
        db.executemany("INSERT INTO cites VALUES (?, ?)", [(database.encoded(path), number) for path in cited])
        ended = keys.ending(namespace, one.entry.id) if one.entry.retired else ""
        said = {keys.key(namespace, one.entry.text), one.entry.origin.key, ended} - {""}
        db.executemany("INSERT INTO says VALUES (?, ?)", [(key, number) for key in sorted(said)])
    return number


def _count(db: sqlite3.Connection, files: Sequence[Parsed], numbers: Sequence[int]) -> None:
    """Count the terms of files that are listed for the first time: what was only looked at is not searched."""
    from curator.core import rank  # noqa: PLC0415 - only what is new is counted

    counted = {number for (number,) in db.execute("SELECT file FROM counts")}
    for one, number in zip(files, numbers, strict=True):
        if one.entry and number not in counted:
            words, grams = map(rows.of_counts, rank.counts(one.entry))
            db.execute("INSERT INTO counts VALUES (?, ?, ?)", (number, words, grams))


def _prune(db: sqlite3.Connection, listed: int) -> None:
    """Forget files that are neither listed nor documents, once there are too many of them."""
    ((known,),) = db.execute("SELECT count(*) FROM file")
    if known - listed > _OLD_FILES * listed:
        used = "(SELECT file FROM listing UNION SELECT file FROM document)"
        db.execute(f"DELETE FROM file WHERE number NOT IN {used}")
        db.execute(f"DELETE FROM counts WHERE file NOT IN {used}")
        db.execute(f"DELETE FROM cites WHERE file NOT IN {used}")
        db.execute(f"DELETE FROM says WHERE file NOT IN {used}")


def _note(db: sqlite3.Connection, **values: object) -> None:
    db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))
