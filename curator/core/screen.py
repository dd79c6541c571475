"""What a reviewer is shown: a proposal as a page, what was decided, what waits; as lines and as plain JSON values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from curator.core import (
    checkup,
    codec,
    columns,
    ending,
    extract,
    harvest,
    printable,
    queue,
    reasons,
    record,
    report,
    teller,
)
from curator.core.columns import Line as Line
from curator.core.queue import Decided, Prepared, Proposal, State, Waiting
from curator.model import Entry

WIDEST = 100
"""Columns of a page on a wider terminal: longer lines are hard to read."""
_LABEL = 10
_CATEGORIES = 9  # as many as there are digits


class Page(NamedTuple):
    """Where in the queue a proposal stands, and what the door alone knows: columns and local time."""

    number: int
    total: int
    width: int
    when: Callable[[str], str]
    categories: Sequence[str]


# --- One proposal -------------------------------------------------------------------------------------------------

_TRIGGERS = {
    "pre-compact": "at compaction",
    "stop": "at the end of a turn",
    "session-end": "at the end of the session",
    "session-start": "found at the next start",
    "sweep": "found afterwards",
    "propose": "by curator propose",
    "mcp": "over MCP",
    "model": "by a model after a turn",
}


def page(prepared: Prepared, at: Page) -> tuple[Line, ...]:
    """A proposal: who said what and when, what would be written, and what to look at before."""
    width = min(at.width, WIDEST)
    return tuple(
        line
        for part in (
            _head(prepared, at, width),
            _quote(prepared, at.when, width),
            (Line(""),),
            _facts(prepared, at, width),
            _looks(prepared, width),
            _because(prepared.proposal.entry, width),
        )
        for line in part
    )


def _head(prepared: Prepared, at: Page, width: int) -> Iterator[Line]:
    where = f"{at.number} of {at.total}  {prepared.proposal.short}"
    told = teller.head(prepared.proposal.entry)
    gap = width - len(where) - columns.width(told)
    if told and gap > 1:
        yield Line(where + " " * gap + told)
    else:
        yield from (Line(line) for line in (where, told) if line)


def _quote(prepared: Prepared, when: Callable[[str], str], width: int) -> Iterator[Line]:
    """Who said what, when; of what a model worded the line that it goes by, of an ending its reason."""
    entry = prepared.proposal.entry
    origin = entry.origin
    who = teller.said(entry)
    if prepared.proposal.remote:
        who = f"From {printable.inline(prepared.proposal.remote)}, which claims: {teller.said(entry, here=False)}"
    facts = [
        f"session {origin.session}" if origin.session else "",
        when(origin.created) if origin.created else "",
        _TRIGGERS.get(origin.trigger, origin.trigger),
    ]
    told = ", ".join(filter(None, facts))
    told = f" ({told})" if told else ""
    said = teller.words(entry)
    is_same = codec.canonical(said) == codec.canonical(prepared.entry.text)
    end = f", {teller.NOT_KEPT}" if not said else ", word for word:" if is_same else ":"
    yield from _hanging(who, told + end, width)
    if said and not is_same:
        yield from (Line(f"  {line}") for line in _wrapped(said, width - 2))


def _facts(prepared: Prepared, at: Page, width: int) -> Iterator[Line]:
    """All that would be written and that a person can judge."""
    entry = prepared.entry
    if prepared.state is State.REPEAT and prepared.known:
        yield from _fact("Again", f"{_named(entry)}: seen {prepared.known.seen}, would be {entry.seen}", width)
    if prepared.proposal.entry.retired:
        yield from _fact("Retires", _named(entry), width)
    yield from _fact("Text", entry.text, width, "cyan")
    if prepared.state is State.REPEAT:
        return
    if prepared.proposal.entry.retired:
        yield from _ending(entry, width)
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
        "Seen" if entry.origin.by == "import" else "Said": f"{entry.seen:,} times" if entry.seen > 1 else "",
        "Checked": _unchecked(entry) if entry.review_by else "",
        "Expires": entry.expires,
    }
    for name, value in more.items():
        if value:
            yield from _fact(name, value, width)


def _ending(entry: Entry, width: int) -> Iterator[Line]:
    """What a memory that would go is worth, as far as it says so itself."""
    facts = {
        "Why": entry.why,
        "Weight": f"{entry.importance} of 10",
        "Sources": ", ".join(map(harvest.shown, entry.sources)),
        "Scope": entry.scope,
        "Said": f"{entry.seen} times" if entry.seen > 1 else "",
        "Confirmed": entry.confirmed,
    }
    for name, value in facts.items():
        if value:
            yield from _fact(name, value, width)


def _fact(name: str, value: str, width: int, paint: str = "") -> Iterator[Line]:
    column = max(_LABEL, len(name) + 2)
    first, *rest = _wrapped(value, width - column) or [""]
    yield Line(f"{name:<{column}}{first}", paint)
    yield from (Line(" " * column + line, paint) for line in rest)


def _unchecked(entry: Entry) -> str:
    why = "it shares no name with the cited files" if entry.sources else "it cites no file"
    return f"no: {why}; look again by {entry.review_by}"


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many columns; the text's own line breaks stay."""
    most = max(20, width)
    return [line for own in text.strip("\n").split("\n") for line in columns.wrap(own, most)]


def _looks(prepared: Prepared, width: int) -> Iterator[Line]:
    """What to look at: notes, warnings, what is wrong, what is known, what is like it."""
    for note in prepared.notes:
        yield from _hanging("Note: ", note, width)
    for warning in prepared.warnings:
        yield from _hanging("Look twice: ", warning, width, "yellow")
    for fault in prepared.faults:
        way = f" ({fault.hint})" if fault.hint else ""
        yield from _hanging("Cannot be accepted: ", fault.message + way, width, "red")
    if prepared.known:
        yield from _is_known(prepared, prepared.known, width)
    for old in prepared.retires if prepared.state is not State.ENDING else ():
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
    yield from (Line(line, paint) for line in columns.wrap(label + text, width, "  "))


def folded(keys: Sequence[str], width: int) -> str:
    """The keys that do something now, on as many lines as it takes."""
    return "\n".join(columns.joined(keys, max(20, min(width, WIDEST))))


def changed(before: Sequence[Line], after: Sequence[Line]) -> tuple[Line, ...]:
    """What a page says anew: each part, a line and those that go on with it, that was not there before."""
    old = set(_parts(before))
    return tuple(line for part in _parts(after) if part not in old for line in part)


def _parts(lines: Iterable[Line]) -> list[tuple[Line, ...]]:
    parts: list[tuple[Line, ...]] = []
    for line in lines:
        if parts and line.text.startswith(" "):
            parts[-1] += (line,)
        else:
            parts.append((line,))
    return parts


def _named(entry: Entry) -> str:
    return f"{entry.category}/{entry.id}"


def _because(entry: Entry, width: int) -> Iterator[Line]:
    """Why the rules proposed it: what speaks for it."""
    told = reasons.plain(entry.origin.quote or entry.text) if teller.is_by_rules(entry) else ()
    if told:
        yield from _hanging("Proposed because: ", f"it {', '.join(told)}", width)


# --- What was decided ---------------------------------------------------------------------------------------------


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
        return asked(held, width)
    days = max((_age(one.entry.origin.created, today) for one in listed), default=0)
    age = f"   (oldest {report.plural(days, 'day')})" if days else ""
    broken = f"   {unreadable} cannot be read" if unreadable else ""
    lines = [f"Waiting   {len(listed) + unreadable + held.more:,}{age}{broken}: `curator review`"]
    if held.own >= extract.WAITING:
        lines.append(f"  until fewer than {extract.WAITING} wait, sessions add only what they are told to remember")
    shown = [(one, _from(one)) for one in listed[:_SHOWN]]
    category = max((len(one.entry.category) for one, _ in shown), default=0)
    longest = max((len(who) for _, who in shown), default=0)
    for one, who in shown:
        head = f"  {one.short}  {one.entry.category:<{category}}  {who:<{longest}}  "
        lines.append(head + columns.shorten(ending.told(one.entry), max(20, min(width, WIDEST) - len(head))))
    if len(listed) + held.more > _SHOWN:
        lines.append(f"  and {len(listed) + held.more - len(shown):,} more")
    return (*lines, *asked(held, width))


def asked(held: Waiting, width: int) -> tuple[str, ...]:
    """How many proposals are on which branches; nothing where none is. A *width* of 0 is no limit."""
    named = Counter(one.branch for one in held.asked)
    told = []
    for name, number in sorted(named.items()):
        missing = ", not pushed: `curator pr --push`" if name in held.unpushed else ""
        told.append(f"On a branch   {number:,}: {printable.inline(name)}{missing}")
    return tuple(columns.shorten(line, width) if width else line for line in told)


def _from(one: Proposal) -> str:
    """Where one waits from: the remote that it was fetched from, else who proposed it, or how sure the rules are."""
    return columns.shorten(f"from {printable.inline(one.remote)}" if one.remote else teller.brief(one.entry), 16)


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
                "remote": one.remote,
                "retires": one.entry.id if one.entry.retired else "",
                "reason": ending.reason(one.entry),
            }
            for one in held.proposals
        ],
        "asked": _asked_value(held),
        "decisions": {"accepted": held.decided.accepted, "rejected": held.decided.rejected},
    }


def value(held: Waiting) -> dict[str, object]:
    """All that waits, for `--json`."""
    return {
        "waiting": [_value(one) for one in held.prepared],
        "asked": _asked_value(held),
        "findings": [report.finding_value(found) for found in held.findings],
        "decisions": {"accepted": held.decided.accepted, "rejected": held.decided.rejected},
        "sensitivity": held.sensitivity,
    }


def _asked_value(held: Waiting) -> list[dict[str, str]]:
    return [{"key": one.proposal.key, "short": one.proposal.short, "branch": one.branch} for one in held.asked]


def _value(one: Prepared) -> dict[str, object]:
    return {
        "key": one.proposal.key,
        "short": one.proposal.short,
        "state": one.state.value,
        "remote": one.proposal.remote,
        "entry": {**record.plain(one.entry), "path": one.entry.path},
        "proposed": record.plain(one.proposal.entry),
        "known": one.known.id if one.known else "",
        "near": [{"id": near.id, "category": near.category, "likeness": likeness} for near, likeness in one.near],
        "cue": one.cue,
        "replaces": one.replaces.id if one.replaces else "",
        "retires": [old.id for old in one.retires],
        "reason": ending.reason(one.proposal.entry),
        "warnings": list(one.warnings),
        "faults": [report.finding_value(found) for found in one.faults],
        "notes": list(one.notes),
        "writes": [edit.path for edit in one.edits if edit.changes],
    }


def short(entry: Entry) -> str:
    """What a person types for an entry, said on a key's label."""
    return checkup.short(entry)
