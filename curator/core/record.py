"""Entries, settings and findings as compact JSON for the cache, and an entry as a plain value for `--json`.

What the cache holds is written and read by one version of curator: arrays in the order of the fields, without names.
"""

from __future__ import annotations

import json
from dataclasses import fields
from operator import attrgetter
from typing import Any

from curator.model import (
    Budget,
    Capture,
    Config,
    Entry,
    Evidence,
    Fault,
    Finding,
    Origin,
    Recall,
    Retired,
    Source,
    State,
    Target,
)

_NAMES = [field.name for field in fields(Entry)]
_TAGS, _TRIGGERS, _SOURCES, _SUPERSEDES, _RETIRED, _ORIGIN = map(
    _NAMES.index, ("tags", "triggers", "sources", "supersedes", "retired", "origin")
)
_entry_row = attrgetter(*_NAMES)
_source_row = attrgetter(*(field.name for field in fields(Source)))
_origin_row = attrgetter(*(field.name for field in fields(Origin)))
_TERMS = [field.name for field in fields(Source)].index("terms")

_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_scan = json.JSONDecoder().raw_decode


def dumps(entry: Entry) -> str:
    """An entry as one JSON array."""
    row = list(_entry_row(entry))
    row[_SOURCES] = [_source(source) for source in entry.sources]
    row[_RETIRED] = [entry.retired.on, entry.retired.reason] if entry.retired else None
    row[_ORIGIN] = _origin_row(entry.origin)
    return _dump(row)


def _source(source: Source) -> list[Any]:
    row = list(_source_row(source))
    row[_TERMS] = [[one.term, one.lines, one.defines] for one in source.terms]
    return row


def loads(text: str) -> Entry:
    """The entry that `dumps` wrote."""
    row, _ = _scan(text)
    for at in (_TAGS, _TRIGGERS, _SUPERSEDES):
        row[at] = tuple(row[at])
    row[_SOURCES] = tuple([_load_source(one) for one in row[_SOURCES]])
    row[_RETIRED] = Retired(*row[_RETIRED]) if row[_RETIRED] else None
    row[_ORIGIN] = Origin(*row[_ORIGIN])
    return Entry(*row)


def _load_source(row: list[Any]) -> Source:
    row[_TERMS] = tuple([Evidence(term, tuple(lines), defines) for term, lines, defines in row[_TERMS]])
    return Source(*row)


def dump_findings(findings: tuple[Finding, ...]) -> str:
    """Findings as one JSON array of arrays."""
    return _dump([(type(one.kind).__name__, one.kind.value, *one[1:]) for one in findings])


def load_findings(text: str) -> tuple[Finding, ...]:
    """The findings that `dump_findings` wrote."""
    kinds: dict[str, type[Fault] | type[State]] = {"Fault": Fault, "State": State}
    rows = _scan(text)[0]
    return tuple(
        Finding(kinds[name](kind), where, message, hint, id_, tuple(lines), settled)
        for name, kind, where, message, hint, id_, lines, settled in rows
    )


def source_row(source: Source) -> str:
    """A source with its evidence as one line, to be compared."""
    return _dump(_source(source))


def dump_config(config: Config) -> str:
    """Settings as one JSON array."""
    capture, recall = config.capture, config.recall
    return _dump(
        [
            config.namespace,
            [(target.path, target.scope, _budgets(target.budgets)) for target in config.targets],
            config.block,
            config.preamble,
            _budgets(config.budgets),
            dict(config.half_lives),
            config.trust,
            list(capture),
            list(recall),
        ]
    )


def load_config(text: str) -> Config:
    """The settings that `dump_config` wrote."""
    namespace, targets, block, preamble, budgets, half_lives, trust, capture, recall = _scan(text)[0]
    made = tuple(Target(path, scope, _load_budgets(table)) for path, scope, table in targets)
    table = _load_budgets(budgets)
    return Config(namespace, made, block, preamble, table, half_lives, trust, Capture(*capture), Recall(*recall))


def _budgets(budgets: tuple[Budget, ...]) -> list[tuple[str, int]]:
    return [(budget.category, budget.tokens) for budget in budgets]


def _load_budgets(rows: list[Any]) -> tuple[Budget, ...]:
    return tuple(Budget(category, tokens) for category, tokens in rows)


def plain(entry: Entry) -> dict[str, Any]:
    """An entry for `--json`: the keys and the order of its file, and like there no key that says nothing.

    `schema`, `id`, `category`, `text` and `importance` are always there. Texts and dates are strings, counts
    integers, `confidence` a number; tags, triggers and supersedes lists of strings; `terms` maps a term to
    ``["def", "3fa1", ...]``.
    """
    from curator.core import schema  # noqa: PLC0415 - its patterns cost 5 ms, and the warm path reads only the cache

    return _said(schema.ENTRY, entry)


def _said(keys: tuple[Any, ...], owner: Any) -> dict[str, Any]:
    from curator.core import schema  # noqa: PLC0415

    told = ((key, schema.said(owner, key)) for key in keys)
    return {key.name: _value(key.keys, value) for key, value in told if value is not None}


def _value(keys: tuple[Any, ...], value: Any) -> Any:
    if isinstance(value, tuple) and value and isinstance(value[0], Evidence):
        return {one.term: [*(["def"] if one.defines else []), *one.lines] for one in value}
    if isinstance(value, tuple):
        return [_said(keys, item) if keys else item for item in value]
    return _said(keys, value) if keys else value
