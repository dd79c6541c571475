"""A comparison as one comment of a pull request or merge request: Markdown that is safe whatever the memories say.

What comes from the repository stands in code and nowhere else (`inert`). The whole fits what GitHub takes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from curator.core import bullet, columns, inert, portions, report, rewording, telling
from curator.core.compare import Change, Compared, Doubt, Effect, Look, Shift
from curator.core.portions import Part
from curator.model import Entry, Finding, State

MARK = "<!-- curator:review -->"
"""The first line, by which a comment is found again."""
MOST = 64_000
"""Bytes: GitHub takes 65,536 characters. The rest is for whoever adds a line."""
_WIDTH = 98
"""Columns of a code block that are seen without scrolling."""
_LABEL = 16
"""Columns of a category at most."""
_LENGTHS = (100_000, 600, 240, 120)
"""Columns of one text; the next where not all fits."""
_LONGEST = 400
"""Columns of what is said of one thing, so that none takes the room of the others."""
_ROWS = 24
"""Categories of one block."""
_USUAL = Entry("", "", "").importance
_TARGETS = {"added": " (new target)", "removed": " (no target any more)"}
_FOLDED = ("<details>", "<summary>Where it comes from: who said it, quotes, reasons, sources</summary>", "")


class _How(NamedTuple):
    """What all lines of one comment have in common: columns of a text and of the categories' column, and the date.

    *hidden* are the files of new entries that no block shows.
    """

    length: int
    label: int
    today: str
    hidden: Collection[str]


_Thing = TypeVar("_Thing")
_Telling = Callable[[_How], Iterable[list[str]]]


def written(compared: Compared, *, today: str, most: int = MOST, asked: str = "") -> str:
    """The comment, in *most* bytes of UTF-8; "" where there is nothing to tell. *today* is an ISO date.

    *asked* is the range as a reader's own clone knows it, "" for what was compared.
    """
    if compared.is_nothing:
        return ""
    opening, closing = list(_opening(compared)), list(_closing(compared, asked))
    room = most - portions.size([*opening, *closing])
    shown = portions.written(_parts(compared, today), room, _LENGTHS)
    return "\n".join([*opening, *shown, *closing]).rstrip("\n") + "\n"


def _opening(compared: Compared) -> Iterator[str]:
    if compared.one_sided:
        yield from (MARK, f"### Memories: {telling.head(compared)}", "")
        for effect in compared.effects[:_ROWS]:
            name = inert.span(columns.shorten(effect.path, _LONGEST))
            yield from (f"{name} costs {report.plural(effect.after, 'token')}.", "")
        return
    yield from (MARK, f"### Memory changes: {telling.head(compared) or 'nothing that an agent reads'}", "")
    if standing := telling.standing(compared):
        yield from (f"{standing[0].upper()}{standing[1:]}.", "")


def _closing(compared: Compared, asked: str) -> Iterator[str]:
    commits = [inert.span(commit[:10]) for commit in (compared.base_commit, compared.head_commit) if commit]
    told = [f"From {commits[0]} to {commits[1]}."] if len(commits) == 2 else []
    if compared.base:
        command = columns.shorten(telling.command(compared, asked), 160)
        told.append(f"On a terminal: {inert.span(command)}; all of it, as JSON: with {inert.span('--format json')}.")
    if told:
        yield f"<sub>{' '.join(told)}</sub>"


# --- The parts, as they stand on the page ----------------------------------------------------------------------------


def _parts(compared: Compared, today: str) -> list[Part]:
    changes, effects = telling.arranged(compared), telling.effects(compared)
    freed, pushed = telling.freed(compared), telling.pushed(compared)
    known = (*(change.entry for change in changes), *(one[0] for one in (*freed, *pushed)))
    label = max((columns.width(entry.category) for entry in known), default=0)
    how = _How(0, min(_LABEL, label), today, telling.hidden(compared))
    settings, listed = telling.settings(compared), telling.suspicions(compared)
    grave = [told for told in listed if telling.is_grave(told[0])]
    quiet = [told for told in listed if not telling.is_grave(told[0])]
    caused, kept = telling.caused(compared), telling.kept(compared)
    parts = (
        _part("Look at this first", 0, "thing", grave, _look, 9_000),
        _part("Notes", 2, "note", compared.notes, _note, 2_000),
        _part("Cannot be read", 1, "finding", compared.findings, _finding, 5_000),
        _part("Settings", 3, "setting", settings, _note, 5_000),
        Part("**What the agent reads**", 6, "block", len(effects), lambda _: map(_table, effects), 5_000),
        _listed("Changes", 7, "change", changes, lambda how: _changes(how, changes), how, 18_000),
        _listed(
            "Also enters the block", 8, "memory", freed, lambda how: map(partial(_moved, how, "+"), freed), how, 3_000
        ),
        _listed(
            "Also leaves the block", 5, "memory", pushed, lambda how: map(partial(_moved, how, "-"), pushed), how, 6_000
        ),
        _part("Stale by this change", 4, "memory", caused, _doubt, 7_000),
        _part("Edited, and in doubt before", 9, "memory", kept, _doubt, 2_000),
        _part("Look at", 9, "thing", quiet, _look, 5_000),
        _details([change.entry for change in changes if change.kind not in telling.GOING], how),
    )
    return [part for part in parts if part.total]


def _part(
    title: str, rank: int, noun: str, things: Sequence[_Thing], told: Callable[[_Thing], list[str]], share: int
) -> Part:
    """Things that are told the same at any length."""
    return Part(f"**{title}**", rank, noun, len(things), lambda _: _inert(map(told, things)), share, "diff")


def _listed(title: str, rank: int, noun: str, things: Sequence[object], told: _Telling, how: _How, share: int) -> Part:
    def items(length: int) -> Iterator[list[str]]:
        return _inert(told(how._replace(length=length)))

    return Part(f"**{title}**", rank, noun, len(things), items, share, "diff")


def _details(entries: Sequence[Entry], how: _How) -> Part:
    def items(length: int) -> Iterator[list[str]]:
        return _inert(_origin(how._replace(length=length), entry) for entry in entries)

    return Part("", 10, "memory", len(entries), items, 6_000, "yaml", _FOLDED, ("</details>", ""), is_extra=True)


def _inert(items: Iterable[Iterable[str]]) -> Iterator[list[str]]:
    return ([inert.shown(line) for line in item] for item in items)


# --- What the agent reads --------------------------------------------------------------------------------------------


def _table(effect: Effect) -> list[str]:
    """One block: the categories whose cost changes, and all together. A blank line ends the table."""
    told = [shift for shift in effect.shifts if _is_told(effect, shift)]
    rows = [_shift(effect, shift) for shift in told[:_ROWS]]
    if len(told) > _ROWS:
        rows.append(_cells(f"*{len(told) - _ROWS:,} more*", "", "", "", 0, 0))
    total = telling.budget(effect)
    sums = (effect.before, f"**{effect.after:,}**", total or "", len(effect.enters), len(effect.leaves))
    name = inert.cell(columns.shorten(effect.path, _LONGEST)) + _TARGETS.get(effect.change, "")
    rearranged = [f"{telling.REARRANGED[:1].upper()}{telling.REARRANGED[1:]}.", ""]
    return [
        f"| {name} | tokens before | after | budget | enters | leaves |",
        "|:---|---:|---:|---:|---:|---:|",
        *rows,
        _cells("**all**", *sums),
        "",
        *(rearranged if telling.is_rearranged(effect) else []),
    ]


def _is_told(effect: Effect, shift: Shift) -> bool:
    """Its cost or its budget changes, or what it shows."""
    moved = (*effect.enters, *(out.entry for out in effect.leaves))
    same = shift.before == shift.after and shift.budget_before == shift.budget
    return not same or any(one.category == shift.category for one in moved)


def _shift(effect: Effect, shift: Shift) -> str:
    enters = sum(one.category == shift.category for one in effect.enters)
    leaves = sum(out.entry.category == shift.category for out in effect.leaves)
    budget = f"{shift.budget:,}"
    if shift.budget != shift.budget_before:
        budget = f"{shift.budget_before:,} → {budget}"
    return _cells(
        inert.cell(columns.shorten(shift.category, _WIDTH)), shift.before, shift.after, budget, enters, leaves
    )


def _cells(name: str, before: object, after: object, budget: object, enters: int, leaves: int) -> str:
    told = [f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in (before, after, budget)]
    return f"| {' | '.join([name, *told, str(enters or ''), str(leaves or '')])} |"


# --- One line each ---------------------------------------------------------------------------------------------------


def _finding(found: Finding) -> list[str]:
    return [line for told in report.finding(found).split("\n") for line in _hanging("-", told)]


def _note(told: str) -> list[str]:
    return _hanging("!", told)


def _look(told: tuple[Look, str]) -> list[str]:
    one, text = told
    sign = "!" if telling.is_grave(one) else "?"
    return [*_hanging(sign, text), *(_quoted(sign, one.other) if one.other else [])]


def _quoted(sign: str, entry: Entry) -> list[str]:
    """The beginning of a text that is spoken about."""
    return _hanging(sign, columns.shorten(entry.text, 2 * _WIDTH - 16), "  | ")


def _doubt(one: Doubt) -> list[str]:
    sign = "-" if one.finding.kind is State.STALE else "!"
    return [*_hanging(sign, telling.doubt(one)), *_quoted(sign, one.entry)]


def _hanging(sign: str, text: str, indent: str = "") -> list[str]:
    """Text behind a sign, which each of its lines begins with; all but the first further to the right."""
    shown = indent + columns.shorten(text, _LONGEST)
    return [f"{sign} {line}" for line in columns.wrap(shown, _WIDTH - 2, indent or "  ")]


# --- Changes ---------------------------------------------------------------------------------------------------------


def _changes(how: _How, changes: Sequence[Change]) -> Iterator[list[str]]:
    before = ""
    for change in changes:
        above = any(heir.id == before for heir in change.by)
        yield _change(change, how, above=above)
        before = change.entry.id


def _change(change: Change, how: _How, *, above: bool) -> list[str]:
    text, entry, note = telling.text_field(change), change.entry, telling.note(change, how.today, above=above)
    rest = [line for field in telling.long_fields(change) for line in _field(field, how)]
    if entry.path in how.hidden:
        note = "; ".join(filter(None, (note, "not in the block")))
    if not text or change.kind in telling.GOING or not change.before:
        return [*_row(how, telling.SIGNS[change.kind], entry, note), *rest]
    old, new = rewording.sides(text.before, text.after, min(how.length, 900))
    before = _labelled(how, "-", change.before.category, [_cut(old, how)])
    return [*before, *_labelled(how, "+", entry.category, [_noted(_cut(new, how), note)]), *rest]


def _noted(text: str, note: str) -> str:
    return f"{text}  ({columns.shorten(note, _LONGEST)})" if note else text


def _field(field: tuple[str, str, str], how: _How) -> list[str]:
    name, before, after = field
    told = columns.shorten(rewording.joint(before, after), how.length)
    return _labelled(how, "!", "", columns.wrap(f"{name}: {told}", _room(how), "  "))


def _row(how: _How, sign: str, entry: Entry, note: str = "") -> list[str]:
    """An entry as the agent reads it, its category before it, a note in parentheses behind it."""
    lines = [line[2:] for line in bullet.item(entry).split("\n")]
    if len(lines) == 1 or columns.width(entry.text) > how.length:
        lines = [_cut(entry.text, how)]
    return _labelled(how, sign, entry.category, [*lines[:-1], _noted(lines[-1], note)])


def _moved(how: _How, sign: str, one: telling.Left) -> list[str]:
    """An entry that did not change, and why it enters or leaves a block."""
    entry, why, _ = one
    return _row(how, sign, entry, why)


def _cut(text: str, how: _How) -> str:
    line = columns.line(text)
    if columns.width(line) <= how.length:
        return line
    kept = columns.shorten(line, how.length)
    return f"{kept} [{len(line) - len(kept) + 3:,} more characters]"


def _labelled(how: _How, sign: str, label: str, texts: Iterable[str]) -> list[str]:
    """Texts in a column beside a label, each line behind the sign."""
    wrapped = [line for text in texts for line in columns.wrap(text, _room(how))]
    name = columns.shorten(label, how.label) if label else ""
    first = f"{sign} {name}{' ' * (how.label - columns.width(name))}  {wrapped[0]}"
    return [first, *(f"{sign} {' ' * how.label}  {line}" for line in wrapped[1:])]


def _room(how: _How) -> int:
    return _WIDTH - how.label - 4


def _same(quote: str, text: str) -> bool:
    return columns.line(quote) == columns.line(text)


# --- Provenance, folded away -----------------------------------------------------------------------------------------


def _origin(how: _How, entry: Entry) -> Iterator[str]:
    origin = entry.origin
    session = f"session {origin.session}" if origin.session else ""
    rules = f"{origin.extractor} ({origin.confidence:.2f})" if origin.extractor else ""
    facts = {
        "file": entry.path,
        "said by": ", ".join(filter(None, (telling.source(entry, how.today), session, origin.trigger, rules))),
        "quote": "the text, word for word" if _same(origin.quote, entry.text) else origin.quote,
        "why": entry.why,
        "sources": ", ".join(f"{one.path}#{one.symbol}" if one.symbol else one.path for one in entry.sources),
        "commit": origin.commit[:10],
        "weight": f"importance {entry.importance} of 10" if entry.importance != _USUAL else "",
        "scope": entry.scope,
        "tags": ", ".join(entry.tags),
        "expires": entry.expires,
    }
    yield f"# {columns.shorten(telling.named(entry), _LONGEST)}"
    for name, value in facts.items():
        if value:
            told = columns.shorten(value, how.length)
            first, *more = columns.wrap(told, _WIDTH - 12)
            yield f"  {name + ':':<9} {first}"
            yield from (f"  {'|':>9} {line}" for line in more)
