"""What a check tells of judged entries: one finding each, with what was there and the ways out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curator.core import printable, record, report, verdict
from curator.core.verdict import NEVER, Change, Judged, Reason
from curator.model import Entry, Finding, State
from curator.outcome import Outcome, Store

THIS_COMMIT = "this commit"
_SHOWN = 100
_TAIL = re.compile(r"-([0-9a-f]{6})$")
_GONE = frozenset({Change.PATH_GONE, Change.TERM_GONE, Change.DEFINITION_GONE, Change.TEXT_GONE})


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a doubtful entry beside its verdicts.

    *since* says what broke it: a commit in words, or `THIS_COMMIT`. *places*
    maps a gone name, or path, to where it stands now. *settled*: it stood so
    before what is being checked. *meant* maps what never was to what looks
    most like it. *is_new*: no command knows the entry yet. *aside* is why it
    is told only, where it is news.
    """

    judged: Judged
    since: str = ""
    places: Mapping[str, str] = field(default_factory=dict)
    settled: bool = False
    meant: Mapping[str, str] = field(default_factory=dict)
    is_new: bool = False
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Checked(Outcome):
    """What a check found. *states* counts the entries in use by state; *uncited* of them cite no file at all."""

    judged: tuple[Judged, ...] = ()
    states: Mapping[str, int] = field(default_factory=dict)
    uncited: int = 0


def short(entry: Entry) -> str:
    """What a person types for an entry: the six digits at the end of its id, or all of it."""
    tail = _TAIL.search(entry.id)
    return tail[1] if tail else entry.id


def title(entry: Entry) -> str:
    """The first sentence of an entry's text, on one line."""
    line = " ".join(entry.text.split())
    first = re.match(r"(.{12,}?[.!?])(?=\s|$)", line)
    return first[1] if first else line


def validity(held: Store) -> tuple[Finding, ...]:
    """What is wrong with entries, whatever the code does: in themselves, between them, with their budgets."""
    from curator.core import budget, rank, roster  # noqa: PLC0415 - 10 ms that a check of one file saves

    paths = {entry.path for entry in held.entries} | {file_of(found) for found in held.findings}
    over = budget.findings(rank.order(held.entries, held.config), held.config)
    return (*held.findings, *roster.findings(held.entries), *roster.colliding(paths), *over)


def file_of(finding: Finding) -> str:
    """The path that a finding is about, without a line."""
    return finding.where.partition(":")[0]


def count(judged: Iterable[Judged]) -> tuple[Mapping[str, int], int]:
    """How many entries are in each state, worst last, and how many cite nothing; those are in no state."""
    listed = tuple(judged)
    states = Counter(one.state.value for one in listed if one.entry.sources)
    return {state.value: states[state.value] for state in State if states[state.value]}, sum(
        not one.entry.sources for one in listed
    )


def findings(told: Iterable[Told], *, notes: bool = False) -> tuple[Finding, ...]:
    """One finding for each entry that asks something of a person, worst first; with *notes* those that only tell."""
    found = (_finding(one) for one in told if one.judged.state.level or (notes and one.judged.reasons))
    kept = [one for one in found if notes or one.kind is not State.NOTE]
    order = [State.STALE, State.MOVED, State.REVIEW]
    return tuple(sorted(kept, key=lambda one: (order.index(one.kind) if one.kind in order else 9, one.where)))


def _finding(told: Told) -> Finding:
    entry, state = told.judged.entry, told.judged.state
    worst = [reason for reason in told.judged.reasons if reason.state is state]
    messages = list(dict.fromkeys(reason.message for reason in worst))
    if told.judged.due:
        messages.append(f"to be looked at again by {entry.review_by}")
    more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
    lines = [f"says:  {_cut(entry.text)}", *_held(worst), *_now(worst, told.places)]
    lines.extend([f"since: {told.since}"] if told.since else [])
    lines.extend([f"told only: {told.aside}"] if told.aside else [])
    lines.extend(f"also:  {message}" for message in messages[1:4])
    lines.extend(f"text:  it names {name} itself" for name in moved_names(told.judged))
    return Finding(
        state,
        entry.path,
        f"{state.value}: {messages[0] if messages else ''}{more}",
        _ways(told, worst),
        entry.id,
        tuple(lines),
        told.settled,
    )


def _held(reasons: Iterable[Reason]) -> Iterator[str]:
    lines = dict.fromkeys(line for reason in reasons for line in reason.lines)
    for number, line in enumerate(list(lines)[:3]):
        yield f"{'was:  ' if not number else '      '} {_cut(line)}"


def _now(reasons: Iterable[Reason], places: Mapping[str, str]) -> Iterator[str]:
    for reason in reasons:
        place = places.get(reason.name or reason.path, "")
        if place and reason.change in _GONE and not reason.elsewhere:
            name, at = printable.inline(reason.name), printable.inline(place)
            yield f"now:   `{name}` stands in {at}" if name else f"now:   {at} has that name"


def moved_names(judged: Judged) -> Iterator[str]:
    """Moved paths that the text itself names: the new path in `sources` does not make the text true."""
    for reason in judged.reasons:
        if reason.change is Change.MOVED:
            name = reason.path if reason.path in judged.entry.text else reason.path.rpartition("/")[2]
            if name in judged.entry.text and reason.elsewhere != name and not reason.elsewhere.endswith(f"/{name}"):
                yield name


def _ways(told: Told, worst: Sequence[Reason]) -> str:
    judged, name = told.judged, short(told.judged.entry)
    if worst and worst[0].change in NEVER:
        return _way_of_slip(told, worst[0], name)
    if judged.state is State.MOVED and not told.is_new:
        return _way_of_move(judged, name)
    if judged.state.level is None or judged.state is State.NOTE:
        keeps = judged.state is State.UNKNOWN and judged.entry.sources and not told.is_new
        return f"`curator confirm {name}` keeps what there is to check" if keeps else ""
    if told.is_new:
        return f"correct it here, or `git add {printable.word(judged.entry.path)}` when it is true as it stands"
    return (
        f"still true: `curator confirm {name}`; changed: `curator edit {name}`; "
        f'no longer: `curator retire {name} --reason "..."`'
    )


def _way_of_slip(told: Told, reason: Reason, name: str) -> str:
    """What never was: the name that was meant, where one is near, and where to write it."""
    near = told.meant.get(reason.name or reason.path, "")
    found = f"did you mean {f'`{near}`' if reason.name else printable.inline(near)}?" if near else ""
    added = "" if found or reason.change is not Change.UNTRACKED else f", or `git add {printable.word(reason.path)}`"
    mend = "correct it in this file" if told.is_new else f"`curator edit {name}`"
    return f"{found} {mend}{added}".strip()


def _way_of_move(judged: Judged, name: str) -> str:
    from curator.core import vetting  # noqa: PLC0415 - 10 ms: pay only when a file moved

    new = [reason.elsewhere for reason in judged.reasons if reason.change is Change.MOVED]
    if all(map(vetting.is_citable, new)):
        where = ", in the text too" if any(moved_names(judged)) else ""
        return f"`curator refresh --moves {name}` writes the new path{where}"
    return f"no entry can cite that path: give the file another name, or cite another one with `curator edit {name}`"


def _cut(text: str) -> str:
    line = printable.inline(" ".join(text.split()))
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3].rstrip()}..."


def summary(checked: Checked) -> str:
    """`12 memories checked: 9 fresh, 1 stale, 2 cite no file; 1 error`, what needs it with a word of what it means."""
    parts = [f"{number:,} {_said(state, checked)}" for state, number in checked.states.items()]
    parts.extend([f"{checked.uncited:,} cite{'s' if checked.uncited == 1 else ''} no file"] if checked.uncited else [])
    told = f"{checked.notes[0]} checked: {', '.join(parts)}" if parts else checked.notes[0]
    return f"{told}; {report.counts(checked.findings) or 'nothing to do'}"


_GLOSSES = {
    State.AUTO: "auto (the file changed, what it says holds)",
    State.NOTE: "note (`check --notes` tells what was edited)",
    State.FOREIGN: "foreign (in a submodule)",
    State.UNKNOWN: "not checkable (`check --notes` names them)",
}
_NAMED = {State.NOTE: "note", State.UNKNOWN: "not checkable"}


def _said(state: str, checked: Checked) -> str:
    """A state in words; of what nobody sees at once what it means, or how to learn which, where no finding tells."""
    kind = State(state)
    if kind in _NAMED and any(found.kind is kind for found in checked.findings):
        return _NAMED[kind]
    return _GLOSSES.get(kind, state)


def value(checked: Checked) -> dict[str, object]:
    """A check for `--json` (docs/json.md): every entry with its state, and the findings."""
    return {
        "entries": [_entry_value(one) for one in checked.judged],
        "states": dict(checked.states),
        "uncited": checked.uncited,
        "findings": [report.finding_value(found) for found in checked.findings],
    }


def _entry_value(judged: Judged) -> dict[str, object]:
    entry = judged.entry
    return {
        "id": entry.id,
        "category": entry.category,
        "path": entry.path,
        "state": judged.state.value,
        "sources": [
            {
                "path": source.path,
                "symbol": source.symbol,
                "state": one.state.value,
                "reasons": [verdict.reason_value(reason) for reason in one.reasons],
            }
            for source, one in zip(entry.sources, judged.verdicts, strict=True)
        ],
    }


def dated(judged: Judged, today: str) -> Judged:
    """The same with `due`, where the date of its review has passed on *today*."""
    due = judged.entry.review_by
    return replace(judged, due=True) if due and due < today else judged


def dumps(checked: Checked, state: str) -> str:
    """What a check found, without its entries, as text that `loads` reads back for the same *state* only."""
    counts = " ".join(f"{name}={number}" for name, number in checked.states.items())
    return "\n".join([state, *checked.notes, counts, str(checked.uncited), record.dump_findings(checked.findings)])


def loads(text: str, state: str) -> Checked | None:
    """What `dumps` wrote, None for another state."""
    if not text.startswith(f"{state}\n"):
        return None
    noun, counts, uncited, findings = text[len(state) + 1 :].split("\n", 3)
    states = {name: int(number) for name, number in (pair.split("=") for pair in counts.split())}
    return Checked(findings=record.load_findings(findings), notes=(noun,), states=states, uncited=int(uncited))
