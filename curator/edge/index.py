"""The cache of parsed entries, term weights and memos: one SQLite file in the work tree's own git folder.

A file that is missing, damaged or made by other code counts as empty, and
what cannot be written is kept in memory: the cache is never a reason to fail.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache as once
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from curator import __version__
from curator.edge import database, rows
from curator.edge.rows import Document as Document
from curator.edge.rows import Parsed as Parsed
from curator.model import Config, Entry, Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Damaged = database.Damaged
"""Raised where the file turns out to be damaged while it is read. `empty()` is the way on."""

FOLDER = "curator"
NAME = "index.db"

_CODE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SHAPING = (
    *("core", "model.py"),
    *(f"edge/{name}.py" for name in "changes code context database index places rows state store".split()),
)
"""The code that decides what stands in the file: one more byte in it makes the file foreign."""

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
CREATE TABLE counts (file INTEGER PRIMARY KEY, words BLOB, grams BLOB);
CREATE TABLE listing (ordinal INTEGER PRIMARY KEY, file INTEGER);
CREATE TABLE document (ordinal INTEGER PRIMARY KEY, file INTEGER, facts BLOB);
CREATE TABLE posting (kind TEXT, term TEXT, ordinals BLOB, weights BLOB, PRIMARY KEY (kind, term));
CREATE TABLE memo (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE verdict (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;
"""


class Cache:
    """One state of the cache. It never changes; reading from it may raise Damaged.

    The documents are the entries that a search can find, numbered by id from
    0. With their weights they may belong to an older listing: see `weighed`.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._meta = dict(self._rows("SELECT key, value FROM meta WHERE key != 'ranks'"))

    def __del__(self) -> None:
        self._connection.close()

    @property
    def format(self) -> object:
        """What `_format()` was where the file was made."""
        return self._meta.get("format")

    @property
    def stamp(self) -> str:
        """Which state of git the listing stands for, as `save` was told; "" when there is no listing."""
        return database.opened_text(self._meta["stamp"]) if "stamp" in self._meta else ""

    @property
    def digest(self) -> str:
        """What the entries and settings follow from, as `save` was told."""
        return database.opened_text(self._meta["digest"]) if "digest" in self._meta else ""

    @property
    def weighed(self) -> bool:
        """Whether the documents are the active entries of the listing."""
        return self._meta.get("weighed") == 1

    def config(self) -> Config | None:
        from curator.core import record  # noqa: PLC0415 - json: nothing is decoded until somebody asks

        return record.load_config(database.opened_text(self._meta["config"])) if "config" in self._meta else None

    def records(self) -> Iterator[Parsed]:
        """The files of the listing, in its order."""
        count = 0
        for (value,) in self._rows("SELECT parsed FROM listing JOIN file ON number = file ORDER BY ordinal"):
            yield rows.parsed(value)
            count += 1
        if count != self._meta.get("size", 0):
            raise Damaged

    def faulty(self) -> list[Parsed]:
        """The files of the listing with findings of their own."""
        query = "SELECT parsed FROM file CROSS JOIN listing ON file = number WHERE faulty ORDER BY ordinal"
        return [rows.parsed(value) for (value,) in self._rows(query)]

    def citing(self, paths: Iterable[str]) -> frozenset[str]:
        """The files of the listing whose entries cite one of *paths*."""
        query = """SELECT file.path FROM cites CROSS JOIN file ON number = cites.file
            CROSS JOIN listing ON listing.file = number WHERE cites.path = ?"""
        found = (row[0] for path in paths for row in self._rows(query, database.encoded(path)))
        return frozenset(path.decode("utf-8", "surrogatepass") for path in found)

    def citing_below(self, folders: Iterable[str]) -> frozenset[str]:
        """The files of the listing whose entries cite something below one of *folders*."""
        query = """SELECT file.path FROM cites CROSS JOIN file ON number = cites.file
            CROSS JOIN listing ON listing.file = number WHERE cites.path >= ? AND cites.path < ?"""
        ends = ((database.encoded(f"{folder}/"), database.encoded(f"{folder}0")) for folder in folders)
        found = (row[0] for pair in ends for row in self._rows(query, *pair))  # "0" comes after "/"
        return frozenset(path.decode("utf-8", "surrogatepass") for path in found)

    def verdicts(self, keys: Iterable[str]) -> dict[str, str]:
        """Those of *keys* that `remember` was given a verdict for."""
        query = "SELECT value FROM verdict WHERE key = ?"
        found = ((key, value) for key in keys for (value,) in self._rows(query, database.encoded(key)))
        return {key: database.opened_text(value) for key, value in found}

    def known(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Parsed]:
        """Those of the (path, blob) *pairs* that were parsed before, listed or not."""
        found = {}
        for path, blob in pairs:
            key = database.encoded(path), database.encoded(blob)
            for (value,) in self._rows("SELECT parsed FROM file WHERE path = ? AND blob = ?", *key):
                found[path, blob] = rows.parsed(value)
        return found

    def postings(self, kind: str, terms: Iterable[str]) -> dict[str, tuple[array[int], array[float]]]:
        """(ordinals, weights) of those *terms* that occur. *kind* is scoring.WORDS or scoring.GRAMS."""
        found = {}
        for term in terms:
            query = "SELECT ordinals, weights FROM posting WHERE kind = ? AND term = ?"
            for ordinals, weights in self._rows(query, kind, term):
                found[term] = rows.posting(ordinals, weights)
        return found

    def prior_ranks(self) -> array[float]:
        """The rank of each document's prior, from 0 to 1, by ordinal."""
        for (ranks,) in self._rows("SELECT value FROM meta WHERE key = 'ranks'"):
            return array("d", database.opened(ranks))
        return array("d")

    def documents(self, ordinals: Iterable[int]) -> list[Document]:
        """What is shown of documents, without decoding their entries."""
        return [self._document(ordinal) for ordinal in ordinals]

    def _document(self, ordinal: int) -> Document:
        for (facts,) in self._rows("SELECT facts FROM document WHERE ordinal = ?", ordinal):
            return rows.document(facts)
        raise Damaged

    def entry_at(self, ordinals: Iterable[int]) -> list[Entry]:
        """The entries behind documents."""
        pairs = [(document.path, document.blob) for document in self.documents(ordinals)]
        parsed = self.known(pairs)
        entries = [parsed[pair].entry for pair in pairs if pair in parsed]
        found = [entry for entry in entries if entry]
        if len(found) != len(pairs):
            raise Damaged
        return found

    def memo(self, key: str) -> str | None:
        """What was remembered under *key* since the last `save`."""
        for (value,) in self._rows("SELECT value FROM memo WHERE key = ?", database.encoded(key)):
            return database.opened_text(value)
        return None

    def copy_into(self, target: sqlite3.Connection) -> None:
        """Make *target* the same database, page by page."""
        self._connection.backup(target)

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(query, values)
        except database.BROKEN as error:
            raise Damaged from error


def open(workspace: Workspace) -> Cache:  # noqa: A001 - called as index.open
    """The cache of this work tree; empty when there is no file, or none that this code can use."""
    try:
        cache = Cache(database.read_only(_path(workspace)))
    except (*database.BROKEN, Damaged):
        return empty()
    return cache if cache.format == _format() else empty()


def empty() -> Cache:
    """A cache that knows nothing, in memory."""
    connection = database.in_memory()
    connection.executescript(_SCHEMA)
    _note(connection, format=_format())
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
        numbers = [_number_of(db, one.path, one.blob) or _added(db, one) for one in files]
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


def _changed(workspace: Workspace, cache: Cache, change: Callable[[sqlite3.Connection], None], *, keep: bool) -> Cache:
    """A changed copy of *cache*: on disk in place of the file, or in memory where that cannot be."""

    def fill(db: sqlite3.Connection) -> None:
        cache.copy_into(db)
        db.execute("BEGIN")
        change(db)
        db.execute("COMMIT")

    if keep:
        try:
            return Cache(database.replace(_path(workspace), fill))
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


def _added(db: sqlite3.Connection, one: Parsed) -> int:
    """The number of a new file, whose terms are counted."""
    from curator.core import rank  # noqa: PLC0415 - only what is new is counted

    row = database.encoded(one.path), database.encoded(one.blob), rows.of_parsed(one), bool(one.findings)
    number = db.execute("INSERT INTO file (path, blob, parsed, faulty) VALUES (?, ?, ?, ?)", row).lastrowid or 0
    if one.entry:
        cited = {source.path for source in one.entry.sources}
        db.executemany("INSERT INTO cites VALUES (?, ?)", [(database.encoded(path), number) for path in cited])
        words, grams = map(rows.of_counts, rank.counts(one.entry))
        db.execute("INSERT INTO counts VALUES (?, ?, ?)", (number, words, grams))
    return number


def _prune(db: sqlite3.Connection, listed: int) -> None:
    """Forget files that are neither listed nor documents, once there are too many of them."""
    ((known,),) = db.execute("SELECT count(*) FROM file")
    if known - listed > _OLD_FILES * listed:
        used = "(SELECT file FROM listing UNION SELECT file FROM document)"
        db.execute(f"DELETE FROM file WHERE number NOT IN {used}")
        db.execute(f"DELETE FROM counts WHERE file NOT IN {used}")
        db.execute(f"DELETE FROM cites WHERE file NOT IN {used}")


def _note(db: sqlite3.Connection, **values: object) -> None:
    db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))


def _path(workspace: Workspace) -> str:
    return f"{workspace.git_dir}/{FOLDER}/{NAME}"


@once
def _format() -> int:
    """A number that changes with the code that makes the file, and with Python's Unicode tables and numbers."""
    key = crc32(f"{__version__} {sys.version} {sys.byteorder}".encode())
    try:
        for path in _sources():
            handle = os.open(path, os.O_RDONLY)
            key = crc32(os.read(handle, 1 << 20), key)
            os.close(handle)
    except OSError:
        pass  # installed without its sources: the version has to do
    return key


def _sources() -> Iterator[str]:
    for name in _SHAPING:
        path = f"{_CODE}/{name}"
        if name.endswith(".py"):
            yield path
        else:
            yield from sorted(f"{path}/{module}" for module in os.listdir(path) if module.endswith(".py"))
