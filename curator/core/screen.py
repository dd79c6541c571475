"""What a reviewer is shown: a proposal as a page, what was decided, what waits; as lines and as plain JSON values."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from curator.core import checkup, extract, harvest, queue, record, report
from curator.core.queue import Decided, Prepared, State, Waiting
from curator.model import Entry

WIDEST = 100
"""Columns of a page on a wider terminal: longer lines are hard to read."""
_LABEL = 10
_CATEGORIES = 9  # as many as there are digits


class Line(NamedTuple):
    """A line and the colour it has on a terminal, "" for none."""

    text: str
    paint: str = ""


class Page(NamedTuple):
    """Where in the queue a proposal stands, and what the door alone knows: columns, local time, cues of the rules."""

    number: int
    total: int
    width: int
    when: Callable[[str], str]
    categories: Sequence[str]
    because: tuple[str, ...] = ()


# --- One proposal -------------------------------------------------------------------------------------------------

_SAID = {
    "user": "You said",
    "tool": "A tool put out",
    "model": "A model's wording of what you said",
    "import": "Imported",
}
_TRIGGERS = {
    "pre-compact": "at compaction",
    "stop": "at the end of a turn",
    "session-end": "at the end of the session",
    "session-start": "found at the next start",
    "sweep": "found afterwards",
    "propose": "by curator propose",
}


def page(prepared: Prepared, at: Page) -> tuple[Line, ...]:
    """A proposal: who said what and when, what would be written, and what to look at before."""
    width = min(at.width, WIDEST)
    return tuple(
        line
        for part in (
            _head(prepared, at, width),
            _quote(prepared.proposal.entry, at.when, width),
            (Line(""),),
            _facts(prepared, at, width),
            _looks(prepared, width),
        )
        for line in part
    )


def _head(prepared: Prepared, at: Page, width: int) -> Iterator[Line]:
    origin = prepared.proposal.entry.origin
    where = f"{at.number} of {at.total}  {prepared.proposal.short}"
    told = f"{origin.extractor} · confidence {origin.confidence:.2f}" if origin.extractor else ""
    gap = width - len(where) - len(told)
    if told and gap > 1:
        yield Line(where + " " * gap + told)
    else:
        yield from (Line(line) for line in (where, told) if line)


def _quote(entry: Entry, when: Callable[[str], str], width: int) -> Iterator[Line]:
    origin = entry.origin
    who = _SAID.get(origin.by) or (
        f"{origin.agent or 'An agent'} said" if origin.by == "agent" else "Said, nobody tells by whom"
    )
    facts = [
        f"session {origin.session}" if origin.session else "",
        when(origin.created) if origin.created else "",
        _TRIGGERS.get(origin.trigger, origin.trigger),
    ]
    told = ", ".join(filter(None, facts))
    yield from _hanging(who, f" ({told}):" if told else ":", width)
    for line in _wrapped(origin.quote or entry.text, width - 2):
        yield Line(f"  {line}")


def _facts(prepared: Prepared, at: Page, width: int) -> Iterator[Line]:
    """All that would be written and that a person can judge."""
    entry = prepared.entry
    if prepared.state is State.REPEAT and prepared.known:
        yield from _fact("Again", f"{_named(entry)}: seen {prepared.known.seen}, would be {entry.seen}", width)
    yield from _fact("Text", entry.text, width, "cyan")
    if prepared.state is State.REPEAT:
        return
    choices = " ".join(f"{digit} {name}" for digit, name in enumerate(at.categories[:_CATEGORIES], 1))
    yield from _fact("Category", f"{entry.category}   ({choices})", width)
    yield from _fact("Weight", f"{entry.importance} of 10   (+ and - change it)", width)
    yield from _fact("Sources", ", ".join(map(harvest.shown, entry.sources)) or "none", width)
    more = {
        "Why": entry.why,
        "Tags": ", ".join(entry.tags),
        "Triggers": ", ".join(entry.triggers),
        "Scope": entry.scope,
        "Task": entry.task,
        "Said": f"{entry.seen} times" if entry.seen > 1 else "",
        "Review": f"by {entry.review_by}: nothing in it can be checked against the code" if entry.review_by else "",
        "Expires": entry.expires,
    }
    for name, value in more.items():
        if value:
            yield from _fact(name, value, width)


def _fact(name: str, value: str, width: int, paint: str = "") -> Iterator[Line]:
    column = max(_LABEL, len(name) + 2)
    first, *rest = _wrapped(value, width - column) or [""]
    yield Line(f"{name:<{column}}{first}", paint)
    yield from (Line(" " * column + line, paint) for line in rest)


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many characters; the text's own line breaks stay."""
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        lines.extend(textwrap.wrap(line, max(20, width), break_on_hyphens=False, drop_whitespace=True) or [""])
    return lines


def _looks(prepared: Prepared, width: int) -> Iterator[Line]:
    """What to look at: notes, warnings, what is wrong, what is known, what is like it."""
    for note in prepared.notes:
        yield from _hanging("Note: ", note, width)
    for warning in prepared.warnings:
        yield from _hanging("Look twice: ", warning.removesuffix(": look twice"), width, "yellow")
    for fault in prepared.faults:
        way = f" ({fault.hint})" if fault.hint else ""
        yield from _hanging("Cannot be accepted: ", fault.message + way, width, "red")
    if prepared.known:
        yield from _is_known(prepared, prepared.known, width)
    for old in prepared.retires:
        yield from _hanging("Would retire: ", _named(old), width)
    yield from _alike(prepared, width)


def _is_known(prepared: Prepared, known: Entry, width: int) -> Iterator[Line]:
    fault = queue.known_fault(prepared)
    if fault:
        yield from _hanging("Cannot be accepted: ", f"{fault.message}: {_named(known)}", width, "red")
    elif prepared.state is State.DONE:
        yield from _hanging("Accepted already: ", _named(known), width)


def _alike(prepared: Prepared, width: int) -> Iterator[Line]:
    old = prepared.replaces
    for near, likeness in prepared.near:
        if near is old:
            told = f'This seems to replace (cue "{prepared.cue}", {likeness:.2f}): '
            yield from _hanging(told, _named(near), width, "yellow")
        else:
            yield from _hanging("Looks like: ", f"{_named(near)}  ({likeness:.2f})", width)
        yield from (Line(f"  {line}") for line in _wrapped(near.text, width - 2))


def _hanging(label: str, text: str, width: int, paint: str = "") -> Iterator[Line]:
    first, *rest = textwrap.wrap(label + text, width, subsequent_indent="  ", break_on_hyphens=False) or [label]
    yield Line(first, paint)
    yield from (Line(line, paint) for line in rest)


def folded(text: str, width: int) -> str:
    """One line, or as many as it takes."""
    whole = text.replace("] ", "]\u00a0")  # a key and its word stay together
    lines = textwrap.wrap(whole, max(20, min(width, WIDEST)), break_on_hyphens=False)
    return "\n".join(lines).replace("\u00a0", " ")


def _named(entry: Entry) -> str:
    return f"{entry.category}/{entry.id}"


def because(cues: Iterable[str], width: int) -> tuple[Line, ...]:
    """Why the rules proposed it."""
    told = ", ".join(cues)
    return tuple(_hanging("Proposed because: ", told, min(width, WIDEST))) if told else ()


# --- What was decided ---------------------------------------------------------------------------------------------


def accepted(done: Sequence[Prepared]) -> list[str]:
    """What was written, one line a file, as git's own status has it."""
    lines = [f"accepted already: {one.entry.path}" for one in done if not one.edits]
    fresh = [one for one in done if one.edits]
    if not fresh:
        return lines
    replacing = sum(1 for one in fresh if one.retires)
    also = f", {replacing} of them superseding" if replacing else ""
    lines.append(f"{len(fresh)} accepted{also}. Written and staged:")
    rows = [row for one in fresh for row in _rows(one)]
    longest = max(len(path) for _, path, _ in rows)
    lines.extend(f"  {sign}  {path:<{longest}}    {note}".rstrip() for sign, path, note in rows)
    return lines


def _rows(one: Prepared) -> Iterator[tuple[str, str, str]]:
    """Sign, path and remark of each file that an accept wrote."""
    for edit in one.edits:
        if edit.path != one.entry.path:
            yield "M", edit.path, f"retired: {queue.SUPERSEDED}"
        elif one.state is State.NEW:
            ids = ", ".join(old.id for old in one.retires)
            yield "A", edit.path, f"supersedes {ids}" if ids else ""
        else:
            yield "M", edit.path, f"said again: seen {one.entry.seen}"


def rate(decided: Decided, sensitivity: str) -> tuple[str, ...]:
    """How many of the last decisions accepted, and what to set where few did; nothing while that says little."""
    if decided.rate is None:
        return ()
    total = decided.accepted + decided.rejected
    lines = [f"Last {total} decisions: {decided.accepted} accepted, {decided.rejected} rejected ({decided.rate:.0%})"]
    quieter = queue.QUIETER.get(sensitivity)
    if decided.rate < queue.FAIR and quieter:
        lines.append(
            f"  -> `capture.sensitivity: {quieter}` in memories/curator.yaml proposes less ({sensitivity} now)"
        )
    return tuple(lines)


# --- What waits ---------------------------------------------------------------------------------------------------

_SHOWN = 10


def waiting(held: Waiting, width: int, today: str) -> tuple[str, ...]:
    """The waiting list of `status` on an ISO date; nothing when nothing waits."""
    listed, unreadable = held.proposals, len(held.findings)
    if not (listed or unreadable):
        return ()
    days = max((_age(one.entry.origin.created, today) for one in listed), default=0)
    age = f"   (oldest {report.plural(days, 'day')})" if days else ""
    broken = f"   {unreadable} cannot be read" if unreadable else ""
    lines = [f"Waiting   {len(listed) + unreadable:,}{age}   cap {extract.WAITING}{broken}: `curator review`"]
    category = max((len(one.entry.category) for one in listed[:_SHOWN]), default=0)
    for one in listed[:_SHOWN]:
        head = f"  {one.short}  {one.entry.category:<{category}}  {one.entry.origin.confidence:.2f}  "
        lines.append(head + report.shorten(one.entry.text, max(20, min(width, WIDEST) - len(head))))
    if len(listed) > _SHOWN:
        lines.append(f"  and {len(listed) - _SHOWN} more")
    return tuple(lines)


def _age(created: str, today: str) -> int:
    """Days between two ISO dates; 0 where one is none."""
    try:
        return (date.fromisoformat(today) - date.fromisoformat(created[:10])).days
    except ValueError:
        return 0


def brief_value(held: Waiting) -> dict[str, object]:
    """The waiting list of `status`, for `--json`."""
    return {
        "proposals": [
            {
                "key": one.key,
                "short": one.short,
                "category": one.entry.category,
                "confidence": one.entry.origin.confidence,
                "text": one.entry.text,
                "created": one.entry.origin.created,
            }
            for one in held.proposals
        ],
        "decisions": {"accepted": held.decided.accepted, "rejected": held.decided.rejected},
    }


def value(held: Waiting) -> dict[str, object]:
    """All that waits, for `--json`."""
    return {
        "waiting": [_value(one) for one in held.prepared],
        "findings": [report.finding_value(found) for found in held.findings],
        "decisions": {"accepted": held.decided.accepted, "rejected": held.decided.rejected},
        "sensitivity": held.sensitivity,
    }


def _value(one: Prepared) -> dict[str, object]:
    return {
        "key": one.proposal.key,
        "short": one.proposal.short,
        "state": one.state.value,
        "entry": {**record.plain(one.entry), "path": one.entry.path},
        "proposed": record.plain(one.proposal.entry),
        "known": one.known.id if one.known else "",
        "near": [{"id": near.id, "category": near.category, "likeness": likeness} for near, likeness in one.near],
        "cue": one.cue,
        "replaces": one.replaces.id if one.replaces else "",
        "retires": [old.id for old in one.retires],
        "warnings": list(one.warnings),
        "faults": [report.finding_value(found) for found in one.faults],
        "notes": list(one.notes),
        "writes": [edit.path for edit in one.edits if edit.changes],
    }


def short(entry: Entry) -> str:
    """What a person types for an entry, said on a key's label."""
    return checkup.short(entry)
