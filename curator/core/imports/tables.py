"""Tables of other tools: claude-mem's observations and rules, and any table of memories, as statements.

claude-mem's schema is that of its migrations up to 35 (claude-mem 13): `observations` with title, subtitle, facts,
narrative, concepts and files, `session_summaries`, and `directives`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from curator.core.imports import item, records
from curator.core.imports.item import DONE, Item

Row = Mapping[str, Any]
Columns = Mapping[str, Sequence[str]]
"""Tables with the names of their columns."""

_LIKELY = (
    "memories",
    "memory",
    "facts",
    "notes",
    "learnings",
    "knowledge",
    "entries",
    "lessons",
    "observations",
    "rules",
)


def is_claude_mem(tables: Columns) -> bool:
    """Whether the tables are claude-mem's."""
    return {"type", "project", "memory_session_id"} <= set(tables.get("observations", ())) or (
        {"type", "project", "sdk_session_id"} <= set(tables.get("observations", ()))
    )


def wanted(tables: Columns) -> tuple[str, ...]:
    """The tables that hold memories: a text, and at least one column that says something of it."""
    shaped = [name for name, columns in tables.items() if _is_store(columns)]
    likely = [name for name in shaped if name.lower() in _LIKELY]
    return tuple(sorted(likely or shaped))


def _is_store(columns: Sequence[str]) -> bool:
    held = set(columns)
    return not held.isdisjoint(records.TEXT) and len(held & records.KNOWN) > ("id" in held)


def read(table: str, rows: Iterable[Row]) -> tuple[Item, ...]:
    """The rows of a table of memories."""
    return tuple(records.read(row, f"{table} {_number(row, place)}") for place, row in enumerate(rows, 1))


def _number(row: Row, place: int) -> str:
    value = row.get("id")
    return f"#{value}" if isinstance(value, int | str) and len(str(value)) <= 40 else f"row {place}"


# --- claude-mem ---------------------------------------------------------------------------------------------------

CLAUDE_MEM = ("observations", "session_summaries", "directives")
"""The tables of claude-mem that are read."""

_KEPT = {"decision": "decision", "discovery": "discovery", "security_note": "constraint", "security_alert": "gotcha"}
_CONCEPTS = {"gotcha": "gotcha", "trade-off": "decision", "problem-solution": "gotcha", "why-it-exists": "decision"}


def observation(row: Row) -> Item:
    """An observation. Decisions, discoveries and gotchas last; features, refactorings and changes are what was done."""
    made = records.read({**row, "text": _said(row), "title": ""}, f"observations #{row.get('id')}")
    concepts = item.words(row.get("concepts"))
    sort = str(row.get("type") or "").lower()
    kind = _KEPT.get(sort) or next((_CONCEPTS[one] for one in concepts if one in _CONCEPTS), "")
    more = [str(row.get(name) or "").strip() for name in ("subtitle", "narrative")]
    return replace(
        made,
        kind=kind,
        headings=tuple(filter(None, [str(row.get("title") or "")])),
        why="\n\n".join(one for one in more if one and one not in made.text),
        tags=tuple(one for one in concepts if one != "what-changed"),
        paths=(*item.words(row.get("files_modified")), *item.words(row.get("files_read"))),
        session=str(row.get("memory_session_id") or row.get("sdk_session_id") or ""),
        project=records.project(str(row.get("merged_into_project") or row.get("project") or "")),
        left=made.left or ("" if kind else f"{DONE} ({sort or 'no type'})"),
    )


def _said(row: Row) -> str:
    """Title and facts, or what the row has instead of facts."""
    title = " ".join(str(row.get("title") or "").split()).rstrip(".:")
    facts = [one for one in _facts(row.get("facts")) if one]
    rest = str(row.get("subtitle") or row.get("narrative") or row.get("text") or "").strip()
    if not title:
        return "\n".join(f"- {one}" for one in facts) if len(facts) > 1 else "".join(facts) or rest
    if len(facts) > 1:
        return f"{title}:\n" + "\n".join(f"- {one}" for one in facts)
    return f"{title}. {facts[0] if facts else rest}".strip()


def _facts(value: object) -> tuple[str, ...]:
    """All facts, each on one line; `item.words` would keep twelve and cut at commas."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return (" ".join(str(value).split()),)
    return tuple(" ".join(one.split()) for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def summary(row: Row) -> Item:
    """The summary of a session: a report."""
    text = str(row.get("learned") or row.get("completed") or row.get("request") or "")
    about = records.project(str(row.get("merged_into_project") or row.get("project") or ""))
    return Item(text, f"session_summaries #{row.get('id')}", project=about, left=f"{DONE} (summary of a session)")


def directive(row: Row) -> Item:
    """A rule that a user gave claude-mem for every session, of all projects or of one."""
    made = records.read(row, f"directives #{row.get('id')}")
    return replace(made, kind="feedback", folders=(), project=records.project(str(row.get("project") or "")))


READERS = dict(zip(CLAUDE_MEM, (observation, summary, directive), strict=True))
