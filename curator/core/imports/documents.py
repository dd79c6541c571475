"""JSON and JSON Lines: lists of documents, exports of curator and others, and the graph of MCP's memory server."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from curator.core.imports import own, records
from curator.core.imports.item import Item

LISTS = frozenset(
    """
    entries memories documents items records results facts notes data routes entities relations rules lessons learnings
    decisions conventions constraints gotchas preferences knowledge
    """.split()
)
"""Keys under which an object keeps its documents; where it is none itself, any list of documents is one."""
_LINE = 1_000_000  # characters of the longest line that is read
_DEEPEST = 8  # objects within one another in which documents are looked for
_INNER = frozenset({"origin", "meta", "metadata"})


class _Doubled(dict[str, Any]):
    """An object with a key that stands twice: which of both counts, each reader decides otherwise."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    doubled = _Doubled(made)
    doubled.key = next(name for name, number in Counter(name for name, _ in pairs).items() if number > 1)
    return doubled


def read(text: str, name: str) -> tuple[Item, ...]:
    """All statements of a file of JSON, or of one document a line. ValueError, with the place, where it is neither."""
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        if not _has_lines(text):
            raise ValueError(f"neither JSON nor JSON Lines: {_fault(error)}") from None
        return tuple(_lines(text, name))
    if own.is_export(value) and not isinstance(value, _Doubled):
        return tuple(own.read(value, name))
    return tuple(_items(value, name))


def _fault(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _has_lines(text: str) -> bool:
    """Whether the first line that is not blank is a document by itself."""
    begin = len(text) - len(text.lstrip())
    return isinstance(_line(text[begin:].partition("\n")[0]), dict)


def _line(line: str) -> object:
    try:
        return json.loads(line, object_pairs_hook=_object) if len(line) <= _LINE else None
    except (ValueError, RecursionError):
        return None


def _lines(text: str, name: str) -> Iterator[Item]:
    """One document a line; a line that is none is named."""
    for number, line in enumerate(text.split("\n"), 1):
        where = f"{name}:{number}"
        if not line.strip():
            continue
        value = _line(line)
        if isinstance(value, dict):
            yield from _items(value, where)
        else:
            left = "the line is no JSON document" if len(line) <= _LINE else f"the line has over {_LINE:,} characters"
            yield Item("", where, left=left)


def _items(value: object, where: str, depth: int = 0) -> Iterator[Item]:
    """The statements in a value."""
    if isinstance(value, list):
        for number, one in enumerate(value, 1):
            yield from _items(one if isinstance(one, dict) else {"text": one}, f"{where}#{number}", depth + 1)
        return
    if not isinstance(value, dict):
        return
    parts = () if isinstance(value, _Doubled) else _parts(value, depth)
    if parts:
        for key in parts:
            yield from _items(value[key], f"{where} {key[:40]}" if len(parts) > 1 else where, depth + 1)
        yield from _beside(value, parts, where)
    elif isinstance(value.get("observations"), list) and isinstance(value.get("name"), str):
        yield from _observations(value, where)
    else:
        yield _read(value, where)


def _parts(value: Mapping[str, Any], depth: int) -> tuple[str, ...]:
    """The keys under which an object keeps documents, none where it is one itself: then they say more of it."""
    if depth >= _DEEPEST:
        return ()
    told = _is_told(value)
    return tuple(key for key, one in value.items() if _keeps(value, key, one, told, depth))


def _keeps(value: Mapping[str, Any], key: str, one: object, told: bool, depth: int) -> bool:
    if key in _INNER or not one or not isinstance(one, list | dict):
        return False
    if key in LISTS:
        return _holds(one, depth) or (isinstance(one, list) and not told)
    if told:
        return False
    if isinstance(one, dict) and any(isinstance(value.get(name), str) for name in records.TITLE):
        return bool(_parts(one, depth + 1))  # what has a name of its own may hold an object that only describes it
    return _holds(one, depth)


def _holds(value: list[Any] | dict[str, Any], depth: int) -> bool:
    """Whether documents are in a value."""
    held: Iterable[object] = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and (_is_told(one) or bool(_parts(one, depth + 1))) for one in held)


def _is_told(value: Mapping[str, Any]) -> bool:
    """Whether an object is a document: it holds a text, or describes what its title names."""
    inner = value.get("metadata")
    held = {**inner, **value} if isinstance(inner, dict) else value
    if any(isinstance(held.get(key), str) for key in records.TEXT):
        return True
    described = any(isinstance(held.get(key), str) for key in records.DESCRIPTION)
    return described and any(isinstance(held.get(key), str) for key in records.TITLE)


def _beside(value: Mapping[str, Any], parts: tuple[str, ...], where: str) -> Iterator[Item]:
    """What stands beside the documents of an object, and is not read."""
    said = next((value[key] for key in records.TEXT if isinstance(value.get(key), str)), "")
    if said.strip():
        yield Item(said, where, left="it stands beside a list of statements")
    for key, one in value.items():
        if key not in parts and isinstance(one, list) and any(isinstance(part, str | dict) for part in one):
            yield Item("", f"{where} {key[:40]}", left="a list without statements")


def _observations(entity: Mapping[str, Any], where: str) -> Iterator[Item]:
    """What a knowledge graph observed of an entity, each by itself."""
    name, kind = entity["name"], entity.get("entityType")
    said: Iterable[object] = entity["observations"]
    for one in said:
        text = one.get("content", one.get("text")) if isinstance(one, dict) else one
        told = text if not isinstance(text, str) or name.lower() in text.lower() else f"{name}: {text}"
        yield _read({"text": told, "tags": [kind] if isinstance(kind, str) else []}, where)


def _read(record: Mapping[str, Any], where: str) -> Item:
    doubled = next((one for one in (record, *record.values()) if isinstance(one, _Doubled)), None)
    if doubled is not None:
        said = next((record[key] for key in records.TEXT if isinstance(record.get(key), str)), "")
        return Item(said, where, left=f"its key {doubled.key[:40]!r} stands twice")
    if "from" in record and "to" in record and (record.get("type") == "relation" or "relationType" in record):
        told = f"{str(record['from'])[:200]} {str(record.get('relationType', ''))[:200]} {str(record['to'])[:200]}"
        return Item(told, where, left="a link in a graph")
    return records.read(record, where)
