"""Reading the cache, for a search and for a hook: it loads neither the nouns nor what writes."""

from __future__ import annotations

from array import array

from curator.edge import database, rows, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator
    from typing import Any

    from curator.core.essentials import Settings
    from curator.edge.rows import Document, Known, Parsed
    from curator.here import Workspace
    from curator.model import Config, Entry

Damaged = database.Damaged

_MANY = 500  # files from which on all are read at once

FOLDER = "curator"
NAME = "index.db"


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
        """What `version.current()` was where the file was made."""
        return self._meta.get("format")

    @property
    def made_at(self) -> object:
        """What `version.facts()` was where the file was made, None where it was none."""
        return self._meta.get("facts") or None

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

    def settings(self) -> Settings | None:
        """The settings without the nouns."""
        from curator.core import essentials  # noqa: PLC0415 - the same

        return essentials.Settings(database.opened_text(self._meta["config"])) if "config" in self._meta else None

    def records(self) -> Iterator[Parsed]:
        """The files of the listing, in its order."""
        count = 0
        for (value,) in self._rows("SELECT parsed FROM listing JOIN file ON number = file ORDER BY ordinal"):
            yield rows.parsed(value)
            count += 1
        if count != self._meta.get("size", 0):
            raise Damaged

    def holds_any(self) -> bool:
        """Whether there is a file in the listing."""
        return bool(self._meta.get("size"))

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

    def mentioning(self, words: Iterable[str]) -> list[Parsed]:
        """The files of the listing that hold one of *words* anywhere; no other is decoded."""
        query = """SELECT parsed FROM listing JOIN file ON number = file WHERE instr(parsed, ?) ORDER BY ordinal"""
        found = {one.path: one for word in words for one in map(rows.parsed, self._values(query, word))}
        return list(found.values())

    def paths(self) -> list[str]:
        """Every file of the listing, in its order."""
        query = "SELECT path FROM listing JOIN file ON number = file ORDER BY ordinal"
        return [path.decode("utf-8", "surrogatepass") for (path,) in self._rows(query)]

    def known_key(self, key: str) -> Known | None:
        """The entry of the listing, retired or not, that says what *key* stands for."""
        query = """SELECT parsed FROM says CROSS JOIN file ON number = says.file
            CROSS JOIN listing ON listing.file = number WHERE says.key = ? ORDER BY file.path LIMIT 1"""
        for (value,) in self._rows(query, key):
            return rows.known(value)
        return None

    def verdicts(self, keys: Iterable[str]) -> dict[str, str]:
        """Those of *keys* that `remember` was given a verdict for."""
        query = "SELECT value FROM verdict WHERE key = ?"
        found = ((key, value) for key in keys for (value,) in self._rows(query, database.encoded(key)))
        return {key: database.opened_text(value) for key, value in found}

    def known(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Parsed]:
        """Those of the (path, blob) *pairs* that were parsed before, listed or not."""
        wanted = tuple(pairs)
        if len(wanted) > _MANY:
            return self._known_of_all(frozenset(wanted))
        found = {}
        for path, blob in wanted:
            key = database.encoded(path), database.encoded(blob)
            for (value,) in self._rows("SELECT parsed FROM file WHERE path = ? AND blob = ?", *key):
                found[path, blob] = rows.parsed(value)
        return found

    def _known_of_all(self, wanted: frozenset[tuple[str, str]]) -> dict[tuple[str, str], Parsed]:
        """The same by one walk through all files, which costs a quarter of asking for each."""
        found = {}
        for path, blob, value in self._rows("SELECT path, blob, parsed FROM file"):
            pair = path.decode("utf-8", "surrogatepass"), blob.decode()
            if pair in wanted:
                found[pair] = rows.parsed(value)
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

    def documents_at(self, paths: Iterable[str]) -> list[Document]:
        """What is shown of the documents that the listing has at *paths*, in that order."""
        query = """SELECT facts FROM file CROSS JOIN listing ON listing.file = number
            CROSS JOIN document ON document.file = number WHERE path = ?"""
        return [rows.document(facts) for path in paths for (facts,) in self._rows(query, database.encoded(path))]

    def lists(self, document: Document) -> bool:
        """Whether the listing still holds a document, whose weights may be older."""
        query = "SELECT 1 FROM file CROSS JOIN listing ON listing.file = number WHERE path = ? AND blob = ?"
        return any(self._rows(query, database.encoded(document.path), database.encoded(document.blob)))

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

    def _values(self, query: str, word: str) -> Iterator[object]:
        return (value for (value,) in self._rows(query, database.encoded(word)))

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(query, values)
        except database.BROKEN as error:
            raise Damaged from error


def open(workspace: Workspace) -> Cache | None:  # noqa: A001 - called as reader.open
    """The cache of this work tree; None when there is no file, or none that this code can use."""
    try:
        cache = Cache(database.read_only(path(workspace)))
    except (*database.BROKEN, Damaged):
        return None
    return cache if cache.made_at == version.facts() or cache.format == version.current() else None


def path(workspace: Workspace) -> str:
    """Where the file lies."""
    return f"{workspace.git_dir}/{FOLDER}/{NAME}"
