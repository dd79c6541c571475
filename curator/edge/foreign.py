"""What another tool keeps - a file, a folder, a database - found, recognised and read as statements; never changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from curator.core import printable, report
from curator.core.imports import documents, formats, own, tables
from curator.core.imports.item import Document, Item
from curator.edge import borrowed, claude, exchange
from curator.errors import CuratorError
from curator.model import Workspace

FOUND = frozenset({formats.MEMORY, formats.MEM})
"""Names that stand for where a tool keeps what it remembers."""
TEXT = 32 << 20
"""Bytes of the largest text file that is read."""
NOTE = 1 << 20
"""Bytes of the largest note of a folder."""
FILES, DEPTH = 20_000, 32
"""Files of a folder that are read, and folders that may stand inside one another, at most."""
_PASSED = frozenset({"node_modules", "__pycache__", ".git"})
_SHOWN, _FEW, _WIDE = 5, 3, 40


class Source(NamedTuple):
    """What was read at an absolute *place*, in which *format*. A file of rules is not read here: no items.

    *notes* tell what of it was not looked at.
    """

    place: str
    format: str
    items: tuple[Item, ...] = ()
    notes: tuple[str, ...] = ()


def find(workspace: Workspace, named: str) -> str:
    """The absolute path of what a user named; `claude-memory` and `claude-mem` stand for where those tools keep theirs.

    CuratorError where there is nothing.
    """
    if named in FOUND and not os.path.lexists(named):
        place = _memory(workspace) if named == formats.MEMORY else _mem()
        if os.path.exists(place):
            return os.path.abspath(place)
        what = {formats.MEMORY: "Claude Code keeps no memory of this repository", formats.MEM: "no such database"}
        raise CuratorError(what[named], where=place, hint="name the folder or the file if it is elsewhere")
    if not named or not os.path.exists(named):
        hint = f"name a file, a folder or a database; or {formats.MEMORY} or {formats.MEM}, to be found by themselves"
        raise CuratorError("no such file or folder", where=named or '""', hint=hint)
    place, root = os.path.abspath(named), workspace.root.rstrip(os.sep)
    if place.startswith(root + os.sep) and not _is_inside(place, root):
        real = os.path.realpath(place)
        hint = f"name {printable.word(real)} itself where that is what you mean"
        raise CuratorError(f"a link leads out of this repository, to {real}", where=named, hint=hint)
    return place


def _memory(workspace: Workspace) -> str:
    """Where Claude Code keeps its memory. CuratorError where a file of the repository says so: it could name any."""
    place = claude.memory_folder(workspace, claude.settings(workspace))
    if place != claude.memory_folder(workspace, claude.own()) and os.path.exists(place):
        hint = f"name it yourself where that is what you mean: `curator import {printable.word(place)}`"
        message = f"settings in {claude.FOLDER} of this repository say that Claude Code's memory is in {place}"
        raise CuratorError(message, where=formats.MEMORY, hint=hint)
    return place


def _mem() -> str:
    folder = os.environ.get("CLAUDE_MEM_DATA_DIR") or os.path.join(os.path.expanduser("~"), ".claude-mem")
    return os.path.join(folder, "claude-mem.db")


def read(workspace: Workspace, place: str, named: str, wanted: str = "") -> Source:
    """What is at *place*, which the user *named*, in the *wanted* format or the one that it is found to be.

    CuratorError for what cannot be read, what holds nothing of the kind, and the memories of this repository.
    """
    if wanted and wanted not in formats.NAMES:
        raise CuratorError(f"no format {wanted!r}", hint=f"`--from` takes: {formats.listed()}")
    try:
        return _at(workspace, place, named, wanted)
    except OSError as error:
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot be read: {error.strerror or error}", where=named, hint=hint) from None


def _at(workspace: Workspace, place: str, named: str, wanted: str) -> Source:
    mode = os.stat(place).st_mode
    if stat.S_ISDIR(mode):
        return _folder(workspace, place, named, wanted)
    if not stat.S_ISREG(mode):
        raise CuratorError("is no regular file", where=named, hint="name a file, a folder or a database")
    begins = exchange.content(os.path.realpath(place), len(borrowed.MAGIC))
    if begins == borrowed.MAGIC or wanted in {formats.SQLITE, formats.MEM}:
        return _database(place, named, wanted)
    return _file(workspace, place, named, wanted)


def _unknown(named: str, seen: str) -> CuratorError:
    hint = f"`--from` names the format where it is one of these: {formats.listed()}"
    return CuratorError(f"nothing that can be imported was found: {seen}", where=named, hint=hint)


# --- Files --------------------------------------------------------------------------------------------------------


def _file(workspace: Workspace, place: str, named: str, wanted: str) -> Source:
    size = os.stat(place).st_size
    if size > TEXT:
        hint = f"split it: at most {TEXT >> 20} MB of text are read at once"
        raise CuratorError(f"is {size / (1 << 20):,.0f} MB", where=named, hint=hint)
    try:
        text = _decoded(exchange.content(os.path.realpath(place)))
    except ValueError as error:
        raise CuratorError(str(error), where=named, hint=_HINTS[str(error).startswith("is no UTF-8")]) from None
    if not text.strip():
        raise CuratorError("is empty", where=named, hint="name a file that holds something")
    document = Document(os.path.basename(place), text, _changed(place), named=True)
    inside = _is_inside(place, workspace.root)
    found = wanted or formats.of_text(document, inside=inside)
    if not found:
        raise _unknown(named, f"a text of {len(text.splitlines()):,} lines, neither Markdown nor JSON")
    if found == formats.RULES:
        return Source(place, found)
    return Source(place, found, _items(found, [document], named))


_HINTS = (
    "name a text or a SQLite database; of an encrypted one import what its own tool exports",
    "save it as UTF-8; for Latin-1: `iconv -f latin1 -t utf-8`",
)


def _items(found: str, read: Sequence[Document], named: str) -> tuple[Item, ...]:
    if found == formats.JSON:
        try:
            return tuple(one for document in read for one in documents.read(document.text, document.path))
        except ValueError as error:
            raise CuratorError(str(error), where=named, hint="mend it, or say what it is with `--from`") from None
    reader = formats.READERS.get(found)
    if reader is None:
        raise CuratorError(f"is no {formats.NAMES[found]}", where=named, hint="leave `--from` out, or name another")
    return tuple(one for document in read for one in reader(document))


def is_page(place: str) -> bool:
    """Whether a file is a page that `curator export --markdown` printed, whatever its name is."""
    try:
        return own.is_page(_decoded(exchange.content(os.path.realpath(place), TEXT)))
    except (OSError, ValueError):
        return False


def _decoded(data: bytes) -> str:
    """The text of a file. ValueError, with the reason, for what is none."""
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise ValueError("begins like UTF-16, and is none") from None
    if b"\0" in data:
        raise ValueError("is binary: neither text nor a SQLite database")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"is no UTF-8: byte 0x{data[error.start]:02x} in line {line}") from None


def _changed(place: str) -> str:
    return datetime.fromtimestamp(max(0.0, os.stat(place).st_mtime), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _is_inside(place: str, folder: str) -> bool:
    real, root = os.path.realpath(place), os.path.realpath(folder)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


# --- Folders ------------------------------------------------------------------------------------------------------


def _folder(workspace: Workspace, place: str, named: str, wanted: str) -> Source:
    if os.path.exists(os.path.join(place, "curator.yaml")) and _is_inside(place, workspace.root):
        raise CuratorError("holds the memories of this repository", where=named, hint="name another tool's folder")
    below = os.path.join(place, ".memory")
    if os.path.isdir(below) and not wanted and _is_inside(below, place):
        return _folder(workspace, below, named, wanted)
    passed: dict[str, list[str]] = {}
    read, left = _documents(place, named, passed)
    if not read and not left and not wanted:
        return _lone(workspace, place, named, [one for one in passed.get(_OTHER, ()) if "/" not in one])
    found = wanted or formats.of_documents(read) or formats.NOTES
    return Source(place, found, (*_items(found, read, named), *left), tuple(_told(passed)))


def _lone(workspace: Workspace, place: str, named: str, names: Sequence[str]) -> Source:
    """What a folder without Markdown holds as its one store; CuratorError where there is none, or another one."""
    stores = [one for one in names if one.lower().endswith(_STORES)]
    if len(stores) == 1 and _is_inside(os.path.join(place, stores[0]), place):
        return _at(workspace, os.path.join(place, stores[0]), named, "")
    shown = f"{', '.join(sorted(names)[:_SHOWN]) or 'no file'}{' and more' if len(names) > _SHOWN else ''}"
    seen = f"a folder with {shown}, and no Markdown"
    if len(stores) > 1:
        hint = f"name one of them: {', '.join(stores[:_SHOWN])}"
        raise CuratorError(f"nothing that can be imported was found: {seen}", where=named, hint=hint)
    raise _unknown(named, seen)


_STORES = (".db", ".sqlite", ".sqlite3", ".json", ".jsonl", ".ndjson")
_OTHER, _HIDDEN, _LINKED, _DEEP, _SHUT = (
    *("other file", "hidden folder", "linked folder", "deeply nested folder", "unreadable folder"),
)


def _told(passed: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What a folder holds besides, by kind: how many, and the first of them."""
    for kind, paths in passed.items():
        shown = ", ".join(report.shorten(printable.inline(path), _WIDE) for path in sorted(paths)[:_FEW])
        yield f"not read: {report.plural(len(paths), kind)} ({shown}{', ...' if len(paths) > _FEW else ''})"


def _documents(place: str, named: str, passed: dict[str, list[str]]) -> tuple[list[Document], list[Item]]:
    """The Markdown of a folder, and what of it cannot be read; what is none is added to *passed*."""
    read: list[Document] = []
    left: list[Item] = []
    for number, (path, full) in enumerate(_walk(place, passed)):
        if number >= FILES:
            raise CuratorError(f"holds over {FILES:,} files", where=named, hint="name a folder inside it")
        if not path.lower().endswith(formats.ENDINGS):
            passed.setdefault(_OTHER, []).append(path)
            continue
        document, reason = _document(place, path, full)
        if document:
            read.append(document)
        else:
            left.append(Item("", path, left=reason))
    return read, left


def _walk(place: str, passed: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Every file below *place*, by its path there and in full, in order; folders that are not entered are *passed*."""

    def shut(error: OSError) -> None:
        passed.setdefault(_SHUT, []).append(os.path.relpath(os.fspath(error.filename), place))

    for folder, folders, names in os.walk(place, onerror=shut):
        inside = os.path.relpath(folder, place)
        ahead = "" if inside == "." else f"{inside}/".replace(os.sep, "/")
        kept = []
        for name in sorted(set(folders) - _PASSED):
            kind = _kind(folder, name, ahead.count("/"))
            if kind:
                passed.setdefault(kind, []).append(ahead + name)
            else:
                kept.append(name)
        folders[:] = kept
        yield from ((ahead + name, os.path.join(folder, name)) for name in sorted(names))


def _kind(folder: str, name: str, depth: int) -> str:
    """Why a folder is not entered, or nothing."""
    if os.path.islink(os.path.join(folder, name)):
        return _LINKED
    return _HIDDEN if name.startswith(".") else _DEEP if depth >= DEPTH else ""


def _document(place: str, path: str, full: str) -> tuple[Document | None, str]:
    """A file of a folder, or why it is not read."""
    try:
        if not _is_inside(full, place):
            return None, "a link that leads out of the folder"
        facts = os.stat(full)
        if not stat.S_ISREG(facts.st_mode):
            return None, "no regular file"
        if facts.st_size > NOTE:
            return None, f"over {NOTE >> 20} MB: no note is that long"
        return Document(path, _decoded(exchange.content(os.path.realpath(full))), _changed(full)), ""
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"
    except ValueError as error:
        return None, str(error)


# --- Databases ----------------------------------------------------------------------------------------------------


def _database(place: str, named: str, wanted: str) -> Source:
    with borrowed.opened(place, named) as db:
        borrowed.check_length(db)
        columns = borrowed.columns(db)
        found = wanted or formats.of_tables(columns)
        if wanted and found not in {formats.MEM, formats.SQLITE}:
            hint = f"leave `--from` out, or name {formats.SQLITE} or {formats.MEM}"
            raise CuratorError(f"is a SQLite database, no {formats.NAMES[wanted]}", where=named, hint=hint)
        if not found:
            shown = f"{', '.join(list(columns)[:_SHOWN]) or 'no table'}{' and more' if len(columns) > _SHOWN else ''}"
            virtual = ", ".join(borrowed.virtual(db)[:_SHOWN])
            search = f"; tables of full text search are not read: {virtual}" if virtual else ""
            raise _unknown(named, f"a database with {shown}{search}")
        if found == formats.MEM and not tables.is_claude_mem(columns):
            raise _unknown(named, "a database without the tables of claude-mem")
        if found == formats.MEM:
            items = [
                tables.READERS[name](row)
                for name in tables.CLAUDE_MEM
                if name in columns
                for row in borrowed.rows(db, name, columns[name], named)
            ]
            return Source(place, found, tuple(items))
        chosen = tables.wanted(columns)
        if not chosen:
            raise _unknown(named, "a database without a table that has a text and something about it")
        made = (tables.read(name, borrowed.rows(db, name, columns[name], named)) for name in chosen)
        return Source(place, found, tuple(one for items in made for one in items))
