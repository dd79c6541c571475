"""A comparison as a plain JSON value (docs/json.md)."""

from __future__ import annotations

from curator.core import record, report, telling
from curator.core.compare import Change, Compared, Doubt, Effect, Look
from curator.model import Entry


def value(compared: Compared) -> dict[str, object]:
    """All that a comparison holds, in the order in which it is shown."""
    return {
        "base": compared.base,
        "head": compared.head,
        "base_commit": compared.base_commit,
        "head_commit": compared.head_commit,
        "one_sided": compared.one_sided,
        "summary": telling.head(compared),
        "settings": [one._asdict() for one in compared.settings],
        "changes": [_change(change) for change in telling.every(compared)],
        "effects": [_effect(effect) for effect in compared.effects],
        "doubts": [_doubt(doubt) for doubt in telling.doubts(compared)],
        "looks": [_look(look) for look in telling.looks(compared)],
        "findings": [report.finding_value(found) for found in compared.findings],
        "notes": list(compared.notes),
    }


def _change(change: Change) -> dict[str, object]:
    return {
        "kind": change.kind.value,
        "id": change.entry.id,
        "before": _entry(change.before),
        "after": _entry(change.after),
        "fields": [field._asdict() for field in change.fields],
        "by": [entry.id for entry in change.by],
    }


def _entry(entry: Entry | None) -> dict[str, object] | None:
    return {**record.plain(entry), "path": entry.path} if entry else None


def _effect(effect: Effect) -> dict[str, object]:
    return {
        "path": effect.path,
        "change": effect.change,
        "differs": effect.differs,
        "before": effect.before,
        "after": effect.after,
        "categories": [shift._asdict() for shift in effect.shifts],
        "enters": [_reference(entry) for entry in effect.enters],
        "leaves": [{**_reference(out.entry), "reason": out.reason} for out in effect.leaves],
        "reworded": [_reference(entry) for entry in effect.reworded],
    }


def _reference(entry: Entry) -> dict[str, object]:
    return {"id": entry.id, "category": entry.category, "path": entry.path}


def _doubt(doubt: Doubt) -> dict[str, object]:
    facts = {"line": doubt.line, "touched": doubt.touched, "settled": doubt.finding.settled}
    return {**report.finding_value(doubt.finding), **_reference(doubt.entry), **facts}


def _look(look: Look) -> dict[str, object]:
    return {
        "smell": look.smell.value,
        "level": look.level.value,
        "path": look.path,
        "line": look.line,
        "message": look.message,
        "id": look.entry.id if look.entry else "",
        "other": look.other.id if look.other else "",
        "likeness": round(look.likeness, 6),
    }
