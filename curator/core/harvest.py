"""How a draft becomes an entry: its id, its dates, and the evidence that ties it to the files it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

from curator.core import codec, keys, mention, printable, stale, symbols, terms
from curator.core.checkable import is_checkable as is_checkable
from curator.errors import CuratorError
from curator.model import Entry, Source
from curator.outcome import Draft

REVIEW_DAYS = 180
"""When a person should look again at an entry of which nothing can be checked."""
TODO_DAYS = 90
"""How long a todo lives unless it says otherwise."""

_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_MOST_COMPARED = 2000  # names of a file that a misspelt symbol is compared with
_LENGTHS = 3  # characters that a near name may be longer or shorter


class File(NamedTuple):
    """A cited file as the index holds it: git's id of it, and its text; None where no text is at hand."""

    blob: str
    text: str | None = None

    @property
    def readable(self) -> str | None:
        """The text that evidence can come from: None for a binary file, an LFS pointer, or more than 1 MiB."""
        return self.text if self.text is not None and stale.is_readable(self.text) else None


def stamp(draft: Draft, files: Mapping[str, File], *, namespace: str, now: str, tail: str, home: str = "") -> Entry:
    """Give a draft its id, dates, key and the evidence that its sources hold now.

    *files* are those that its sources name. *now* is ISO 8601 with time;
    *tail* is 6 random hex digits, since two branches that learn the same
    thing must not add the same path; *home* is the folder whose `memories/`
    take it, with a final slash.
    """
    text = codec.canonical(draft.text)
    today = date.fromisoformat(now[:10])
    entry_id = f"{codec.slug(text)}-{tail}"
    sources = restamp(text, draft.sources, files)
    return Entry(
        id=entry_id,
        category=draft.category,
        text=text,
        path=codec.path_of(entry_id, draft.category, home),
        why=codec.canonical(draft.why),
        importance=draft.importance,
        tags=draft.tags,
        triggers=draft.triggers,
        scope="" if draft.scope == home else draft.scope,
        task=draft.task,
        sources=sources,
        supersedes=draft.supersedes,
        review_by="" if is_checkable(text, sources) else (today + timedelta(REVIEW_DAYS)).isoformat(),
        expires=(today + timedelta(TODO_DAYS)).isoformat() if draft.category == "todo" else "",
        origin=replace(draft.origin, created=draft.origin.created or now, key=keys.key(namespace, text)),
    )


def restamp(statement: str, sources: Iterable[Source], files: Mapping[str, File]) -> tuple[Source, ...]:
    """*sources* with the evidence that *files* hold now for *statement*: blob, terms with line hashes, header.

    What a person wrote (`path`, `symbol`, `text`, `absent`) stays. A source
    whose file is not among *files* stays as it is; one whose text is not at
    hand keeps its blob alone. Whether its anchors stand is `examine`'s to say.
    """
    return tuple(_restamped(statement, one, files.get(one.path)) for one in sources)


def _restamped(statement: str, source: Source, file: File | None) -> Source:
    if file is None:
        return source
    if file.text is None:
        return replace(source, blob=file.blob, header="", terms=())
    return stale.stamped(statement, source, file.text, file.blob, mention.cited_as(statement, source.path))


def examine(source: Source, file: File) -> str:
    """A note on an anchor that a person chose, "" when all is well.

    Raises CuratorError where the symbol or the line is not in the file, or
    where the term that must be absent is: the entry would be stale at once.
    """
    text = file.readable
    if text is None:
        if source.text or source.absent:
            hint = "cite it by its path alone"
            raise CuratorError("binary, a pointer or over 1 MiB: no line can be checked", where=source.path, hint=hint)
        return f"{source.path} cannot be looked into, so `{source.symbol}` is not checked" if source.symbol else ""
    if source.text and not _has_line(text, source.text):
        hint = f"copy the line as it stands, or `git add {printable.word(source.path)}` when it is new"
        raise CuratorError(f"no line reads {source.text!r}", where=source.path, hint=hint)
    if source.absent and terms.holds(text, source.absent):
        hint = "name a term that the file does not hold, or leave `absent` out"
        raise CuratorError(f"`{source.absent}` occurs, and is to be absent", where=source.path, hint=hint)
    return _symbol_note(source, text) if source.symbol else ""


def _has_line(text: str, line: str) -> bool:
    wanted = "".join(line.split())
    return any("".join(one.split()) == wanted for one in text.split("\n"))


def _symbol_note(source: Source, text: str) -> str:
    if symbols.defines(source.path, text, source.symbol):
        return ""
    if terms.holds(text, source.symbol):
        return f"`{source.symbol}` occurs in {source.path}, but no definition of it was found: only the word is checked"
    near = alike(source, text)
    found = f"did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else "check the name"
    first = f"{found} When it is new, `git add {printable.word(source.path)}` first"
    hint = first if near else f"{found}, or `git add` what is new"
    raise CuratorError(f"`{source.symbol}` does not occur in it", where=source.path, hint=hint)


def alike(source: Source, text: str) -> list[str]:
    """Names that the file defines and that look like the symbol."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a symbol that is misspelt

    length = len(source.symbol)
    names = [name for name in dict.fromkeys(_NAME.findall(text)) if abs(len(name) - length) <= _LENGTHS]
    close = get_close_matches(source.symbol, names[:_MOST_COMPARED], 5)
    return [name for name in close if symbols.defines(source.path, text, name)][:2]


def fitting(source: Source, file: File | None) -> Source:
    """*source* as a machine found it, without a symbol that its file does not define."""
    text = file.readable if file else None
    if source.symbol and (text is None or not symbols.defines(source.path, text, source.symbol)):
        return replace(source, symbol="")
    return source


def holds(source: Source, file: File | None) -> bool:
    """Whether a file is there, defines the symbol that *source* names, and holds its line."""
    if file is None or fitting(source, file) != source:
        return False
    try:
        examine(source, file)
    except CuratorError:
        return False
    return True


def source(named: str) -> Source:
    """Read `PATH` or `PATH#symbol` as a person types it."""
    path, _, symbol = named.partition("#")
    return Source(path.strip().removeprefix("./"), symbol.strip().removesuffix("()"))


def shown(source: Source) -> str:
    """A source as `source` reads it."""
    return f"{source.path}#{source.symbol}" if source.symbol else source.path
