"""How a draft becomes an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from curator.core import codec
from curator.model import Entry, Source
from curator.outcome import Draft

REVIEW_DAYS = 180
"""When a person should look again at an entry that names no file."""
TODO_DAYS = 90
"""How long a todo lives unless it says otherwise."""


def stamp(draft: Draft, blobs: Mapping[str, str], *, namespace: str, now: str, tail: str, home: str = "") -> Entry:
    """Give a draft its id, dates, key and the blobs its sources have now.

    *now* is ISO 8601 with time; *tail* is 6 random hex digits, since two
    branches that learn the same thing must not add the same path; *home* is
    the folder whose `memories/` take it, with a final slash.
    """
    text = codec.canonical(draft.text)
    today = date.fromisoformat(now[:10])
    entry_id = f"{codec.slug(text)}-{tail}"
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
        sources=tuple(replace(source, blob=blobs.get(source.path, "")) for source in draft.sources),
        supersedes=draft.supersedes,
        review_by="" if draft.sources else (today + timedelta(REVIEW_DAYS)).isoformat(),
        expires=(today + timedelta(TODO_DAYS)).isoformat() if draft.category == "todo" else "",
        origin=replace(draft.origin, created=draft.origin.created or now, key=codec.key(namespace, text)),
    )


def source(named: str) -> Source:
    """Read `PATH` or `PATH#symbol` as a person types it."""
    path, _, symbol = named.partition("#")
    return Source(path.strip().removeprefix("./"), symbol.strip())
