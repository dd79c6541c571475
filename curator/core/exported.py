"""Memories for other tools: as a JSON value that `import` takes back, and as a Markdown page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from curator.core import bullet, inert, record
from curator.model import SCHEMA, Entry, Origin, Source

TITLE = "# Agent memory"


def value(entries: Sequence[Entry]) -> dict[str, Any]:
    """``{"schema": 1, "entries": [...]}``: entries with the keys of their files, in their order.

    What holds only in this repository and this clone is left out: evidence of sources, and of the origin all but
    `by`, `agent` and `created`; ids in `supersedes` that are not exported.
    """
    ids = {entry.id for entry in entries}
    return {"schema": SCHEMA, "entries": [_plain(entry, ids) for entry in entries]}


def _plain(entry: Entry, ids: set[str]) -> dict[str, Any]:
    portable = replace(
        entry,
        sources=tuple(Source(one.path, one.symbol, one.text, one.absent) for one in entry.sources),
        supersedes=tuple(one for one in entry.supersedes if one in ids),
        origin=Origin(by=entry.origin.by, agent=entry.origin.agent, created=entry.origin.created),
    )
    facts = record.plain(portable)
    del facts["schema"]
    return facts


def page(entries: Iterable[Entry]) -> str:
    """A Markdown page: a heading for each category, an item for each entry; "" without one. Equal categories adjoin."""
    sections = [_section(category, tuple(group)) for category, group in groupby(entries, lambda entry: entry.category)]
    return "\n\n".join([TITLE, *sections]) + "\n" if sections else ""


def _section(category: str, entries: Sequence[Entry]) -> str:
    return f"## {bullet.title(category)}\n\n" + "\n".join(_item(entry) for entry in entries)


def _item(entry: Entry) -> str:
    """The statement as the block has it, and beneath it what a reader needs to judge it."""
    cited = [inert.span(one.path) + (f" ({inert.span(one.symbol)})" if one.symbol else "") for one in entry.sources]
    facts = {
        "Why": " ".join(entry.why.split()),
        "Scope": inert.span(entry.reach),
        "Files": ", ".join(cited),
        "Tags": ", ".join(entry.tags),
        "Retired": f"{entry.retired.on}, {' '.join(entry.retired.reason.split())}" if entry.retired else "",
    }
    return "\n".join([bullet.item(entry), *(f"  - {name}: {fact}" for name, fact in facts.items() if fact)])
