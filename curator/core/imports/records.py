"""A record - a document of JSON, a row of a table - as a statement, whatever its keys are called."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from curator.core.imports import item
from curator.core.imports.item import Item
from curator.model import Source

TEXT = (
    *("text", "content", "memory", "fact", "statement", "rule", "lesson", "insight", "body", "note", "learning"),
    *("observation", "value", "document", "message", "summary"),
)
"""What stores call the statement itself, the likeliest first."""
DESCRIPTION = ("description", "details")
TITLE = ("title", "name", "topic", "subject", "heading")
KIND = ("category", "type", "kind", "memory_type", "memoryType", "entry_type")
TAGS = ("tags", "labels", "keywords", "topics", "concepts")
CREATED = (
    *("created", "createdAt", "created_at", "timestamp", "date", "created_at_epoch", "createdAtEpoch", "ts", "time"),
    *("inserted_at", "updatedAt", "updated_at"),
)
SEEN = ("seen", "access_count", "accessCount", "use_count", "usage_count", "hit_count", "hits", "recall_count")
IMPORTANCE = ("importance", "priority", "salience", "weight")
WHY = ("why", "reason", "rationale")
PATHS = (
    "paths",
    "files",
    "file_paths",
    "filePaths",
    "related_files",
    "sources",
    "file",
    "file_path",
    "filePath",
    "path",
)
SESSION = ("session_id", "sessionId", "session")
SAME = ("dedupeKey", "dedupe_key", "dedupKey", "dedup_key")
ENDS = ("expires", "expires_at", "expiresAt", "expiry", "valid_until", "validUntil")
PROJECT = ("project", "project_name", "projectName", "project_path", "projectPath", "repo", "repository", "git_root")
KNOWN = frozenset((*TITLE, *KIND, *TAGS, *CREATED, *SEEN, *IMPORTANCE, *WHY, *PATHS, *SESSION, *SAME, *PROJECT, "id"))
"""Keys that make a record with a text one of a memory store."""

_SOURCE = ("path", "symbol", "text", "absent")
_GONE = ("deleted", "is_deleted", "isDeleted", "archived", "is_archived", "deleted_at", "deletedAt", "archived_at")
_NEWER = ("superseded_by", "supersededBy", "replaced_by", "superseded")
_USED = ("active", "is_active", "isActive", "enabled")
_NO = frozenset({"", "0", "false", "no", "none", "null"})


def read(record: Mapping[str, Any], where: str) -> Item:
    """A record as a statement; `left` says why it is none."""
    inner = _inner(record)
    both = {**inner, **{key: value for key, value in record.items() if value not in (None, "")}}
    title = _text(both, TITLE)
    said = _text(both, TEXT)
    described = _text(both, DESCRIPTION)
    paths = _paths(both)
    kind = _text(both, KIND)
    if not said:
        said, kind = described, kind or ("route" if paths and title else "")
    return Item(
        text=item.titled(title, said),
        where=where,
        kind=kind,
        headings=tuple(filter(None, [title])),
        why=_text(both, WHY),
        importance=item.number(_first(both, IMPORTANCE)),
        tags=item.words(_first(both, TAGS)),
        triggers=item.words(both.get("triggers")),
        paths=paths,
        sources=_sources(both.get("sources")),
        folders=tuple(filter(None, [_text(both, ("scope",)) if "/" in _text(both, ("scope",)) else ""])),
        task=" ".join(_text(both, ("task", "ticket", "issue")).split()),
        session=_text(both, SESSION),
        created=_created(both),
        seen=item.count(_first(both, SEEN)),
        same=_text(both, SAME),
        ends=next(filter(None, (item.moment(both.get(name)) for name in ENDS)), ""),
        project=project(_text(both, PROJECT)),
        left=_left(both) or ("" if said or title else "it holds no text"),
    )


def _inner(record: Mapping[str, Any]) -> dict[str, Any]:
    """What `metadata` says, which may be JSON in a text; and `origin`, as curator's own export has it."""
    found: dict[str, Any] = {}
    for name in ("origin", "meta", "metadata"):
        value = record.get(name)
        if isinstance(value, str) and value.lstrip().startswith("{"):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                continue
        if isinstance(value, dict):
            found.update((key, one) for key, one in value.items() if isinstance(key, str) and one is not None)
    return found


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _text(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = record.get(name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "surrogateescape")
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _created(record: Mapping[str, Any]) -> str:
    return next(filter(None, (item.moment(record[name]) for name in CREATED if name in record)), "")


def _paths(record: Mapping[str, Any]) -> tuple[str, ...]:
    found: list[str] = []
    for name in PATHS:
        value = record.get(name)
        if isinstance(value, list) and any(isinstance(one, dict) for one in value):
            value = [one.get("path") for one in value if isinstance(one, dict)]
        found.extend(item.words(value))
    return tuple(dict.fromkeys(found))


def _sources(value: object) -> tuple[Source, ...]:
    """Sources with what sharpens them, as curator's own export has them."""
    listed = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    told = [[one[key] if isinstance(one.get(key), str) else "" for key in _SOURCE] for one in listed]
    return tuple(Source(path, symbol, text, absent) for path, symbol, text, absent in told if path)[: item.MOST]


def _left(record: Mapping[str, Any]) -> str:
    if any(str(record.get(name) or "").strip().lower() not in _NO for name in _GONE) or record.get("retired"):
        return "its store says that it is deleted"
    if any(str(record.get(name) or "").strip().lower() not in _NO for name in _NEWER):
        return "its store says that it is superseded"
    if any(name in record and str(record[name]).strip().lower() in {"0", "false", "no"} for name in _USED):
        return "its store says that it is inactive"
    return item.ended(record.get("status", record.get("state")))


def project(named: str) -> str:
    """The name of what a store is about, of a path or an address."""
    name = re.split(r"[\\/:]", named.strip().rstrip("/\\"))[-1].removesuffix(".git")
    return "" if name.lower() in {"global", "default", "*", "all", "none", "any"} else name
