"""Entries as resources: listed by pages, and one read whole."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from curator.core import checkup, harvest, lifecycle, report, roster
from curator.core.verdict import Judged
from curator.edge import code, store
from curator.errors import CuratorError
from curator.model import Entry, Level
from curator.server.answers import clean
from curator.server.desk import Desk
from curator.server.guide import SCHEME

PAGE = 100
_LONGEST = 300


class Row(NamedTuple):
    """One entry as a list shows it, and the file it is in. *priority* is from 0 to 1."""

    uri: str
    name: str
    title: str
    priority: float
    path: str


class Listing:
    """The entries in use as pages of a list. Read anew when the memories change: clients page through all."""

    def __init__(self) -> None:
        self._of: tuple[str, ...] = ()
        self._rows: list[Row] = []

    def page(self, desk: Desk, cursor: str) -> tuple[list[Row], str]:
        """The entries behind *cursor*, in the order of their paths; and the cursor of the next page, "" at the end.

        A cursor is the path of the last entry shown: what is added or removed between two pages shifts nothing.
        """
        if cursor and not cursor.endswith(".yaml"):
            raise CuratorError("no such cursor", hint="begin without one")
        held, today = desk.workspace(), desk.clock.today()
        of = (held.root, store.reading(held, lambda cache: cache.digest), today)
        if of != self._of:
            entries = store.load(held).entries
            often = Counter(entry.id for entry in entries)
            self._rows = [_row(entry, often[entry.id] == 1) for entry in lifecycle.in_use(entries, today)]
            self._rows.sort(key=_path)
            self._of = of
        start = bisect_right(self._rows, cursor, key=_path)
        page = self._rows[start : start + PAGE]
        return page, _path(page[-1]) if len(self._rows) > start + PAGE else ""


def _path(row: Row) -> str:
    return row.path


def _row(entry: Entry, is_unique: bool) -> Row:
    """A row; an entry whose id another one has too goes by its file."""
    title = clean(report.shorten(checkup.title(entry), 120))
    uri = SCHEME + quote(entry.id if is_unique else entry.path, safe="")
    return Row(uri, f"{entry.category}/{entry.id}", title, entry.importance / 10, entry.path)


def whole(desk: Desk, uri: str) -> str:
    """All of the entry that a URI names, with its state. CuratorError for one that names none."""
    name = unquote(uri.removeprefix(SCHEME)).rstrip("/")
    if not uri.startswith(SCHEME) or not name or len(name) > _LONGEST:
        raise CuratorError("no such memory", hint=f"a memory is {SCHEME}<id>, with an id as search_memory gives it")
    workspace = desk.workspace()
    held = store.load(workspace)
    entry = roster.named(held.entries, name)
    ended = lifecycle.ended(held.entries, desk.clock.today()).get(entry.path, "")
    judged = () if ended else code.judged(workspace, held.config, [entry])
    return str(clean("\n".join((*_state(ended, judged), *_lines(entry)))))


def _state(ended: str, judged: Sequence[Judged]) -> Iterator[str]:
    """What to know before the text is read; nothing where all is well."""
    if ended:
        yield f"NOT IN USE: {ended}"
    for one in judged:
        if one.state.level in {Level.ERROR, Level.WARNING}:
            yield f"{one.state.value.upper()}: {'; '.join(reason.message for reason in one.reasons[:3])}"


def _lines(entry: Entry) -> Iterator[str]:
    """All that an entry says, without what curator keeps in it for itself."""
    origin = entry.origin
    yield f"{entry.category}/{entry.id}"
    yield from (f"  {line}" for line in entry.text.strip("\n").split("\n"))
    facts = {
        "why": entry.why.strip("\n"),
        "importance": f"{entry.importance} of 10",
        "tags": ", ".join(entry.tags),
        "triggers": " | ".join(entry.triggers),
        "files": ", ".join(map(harvest.shown, entry.sources)),
        "scope": entry.scope,
        "task": entry.task,
        "supersedes": ", ".join(entry.supersedes),
        "confirmed": entry.confirmed,
        "look again by": entry.review_by,
        "expires": entry.expires,
        "said": f"{entry.seen} times" if entry.seen > 1 else "",
        "origin": " ".join(filter(None, (origin.by, origin.agent, origin.created[:10]))),
        "quote": origin.quote.strip("\n"),
        "file": entry.path,
    }
    yield from (f"{name}: {value}" for name, value in facts.items() if value)
