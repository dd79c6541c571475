"""A comparison on one screen of a terminal: what the agent will read after the merge that it did not read before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from curator.core import columns, report, rewording, telling
from curator.core.columns import Line
from curator.core.compare import Change, Compared, Doubt, Effect, Look
from curator.model import Entry, Finding, Level, State

WIDEST = 110
"""Columns on a wider terminal: longer lines are hard to read."""
_LABEL = 16
"""Columns of a category at most."""
_MOST = 16
"""Entries of one section; the rest is counted."""
_FEW = 8
"""Entries that have two lines each; where there are more, they have one."""
_NOTES = 4
"""Notes at most; more come of hostile settings alone."""
_BLOCKS = 3
"""Blocks whose cost is told at the top."""
_LEAST = 16
"""Columns of a text at least, and of a word that is dropped rather than cut."""
_PAINTS = {"+": "green", "-": "red", "!": "yellow"}


_Thing = TypeVar("_Thing")


class _At(NamedTuple):
    """Columns of a line and of the categories' column, lines of an entry, today's date, and is there a second block."""

    width: int
    label: int
    today: str
    many: bool
    lines: int = 2


def screen(compared: Compared, *, width: int, today: str) -> tuple[Line, ...]:
    """The screen, at most *width* columns wide; nothing where there is nothing to tell. *today* is an ISO date."""
    if compared.is_nothing and not (compared.looks or compared.notes):
        return ()
    changes = telling.arranged(compared)
    moved = [entry for entry, *_ in (*telling.entering(compared), *telling.reworded(compared))]
    known = [*(change.entry for change in changes), *moved, *(entry for entry, *_ in telling.leaving(compared))]
    label = min(_LABEL, max((columns.width(one.category) for one in known), default=0))
    at = _At(max(40, min(width, WIDEST)), label, today, len(telling.effects(compared)) > 1)
    listed = telling.suspicions(compared)
    sections = (
        _section(at, "Look at this first", [told for told in listed if telling.is_grave(told[0])], _look),
        _section(at, "Cannot be read", compared.findings, _finding),
        _section(at, "Settings", telling.settings(compared), _setting),
        _section(at, "Enters the block", telling.entering(compared), _enters(compared)),
        _section(at, "Leaves the block", telling.leaving(compared), _leaves(compared)),
        _section(at, "Reworded in the block", telling.reworded(compared), _reworded(changes)),
        _section(at, "Other changes", _others(compared, changes), _other(compared)),
        _section(at, "Stale by this change", telling.caused(compared), _doubt),
        _section(at, "Edited, and in doubt before", telling.kept(compared), _doubt),
        _section(at, "Look at", [told for told in listed if not telling.is_grave(told[0])], _look),
    )
    return tuple(line for part in (_head(compared, at), *sections) for line in part)


def _head(compared: Compared, at: _At) -> Iterator[Line]:
    told = [telling.head(compared) or "no memory changes"]
    if compared.one_sided:
        told += [f"{columns.shorten(one.path, 48)} {one.after:,} tokens" for one in compared.effects[:_BLOCKS]]
    elif compared.effects:
        told += [_cost(effect) for effect in telling.effects(compared)[:_BLOCKS]]
        told += filter(None, [telling.standing(compared)])
        more = len(telling.effects(compared)) - _BLOCKS
        told += [report.plural(more, "more block")] if more > 0 else []
    whole = "; ".join(told)
    for line in [whole] if columns.width(whole) <= at.width else told:
        yield from (Line(part) for part in columns.wrap(line, at.width, "  "))
    yield from (line for note in compared.notes[:_NOTES] for line in _hanging(at, "!", note))
    if len(compared.notes) > _NOTES:
        yield Line(f"  and {report.plural(len(compared.notes) - _NOTES, 'more note')}")


def _cost(effect: Effect) -> str:
    total = telling.budget(effect)
    most = f" of {total:,}" if total else ""
    same = f", {telling.REARRANGED}" if telling.is_rearranged(effect) else ""
    return f"{columns.shorten(effect.path, 48)} {effect.before:,} -> {effect.after:,}{most} tokens{same}"


def _section(
    at: _At, title: str, things: Sequence[_Thing], told: Callable[[_At, _Thing], list[Line]]
) -> Iterator[Line]:
    """A title and the first things beneath it, the rest counted; nothing without any."""
    if things:
        yield from (Line(""), Line(title))
    rows = at if len(things) <= _FEW else at._replace(lines=1)
    yield from (line for one in things[:_MOST] for line in told(rows, one))
    if len(things) > _MOST:
        yield Line(f"  and {len(things) - _MOST:,} more")


# --- What the agent reads --------------------------------------------------------------------------------------------


def _enters(compared: Compared) -> Callable[[_At, telling.Shown], list[Line]]:
    changed = {change.entry.path: change for change in compared.changes}
    freed = {entry.path: why for entry, why, _ in telling.freed(compared)}

    def told(at: _At, one: telling.Shown) -> list[Line]:
        entry, paths = one
        change = changed.get(entry.path)
        if change and change.before:
            return _changed(at, change, paths, sign="+")
        return _row(at, "+", entry, freed.get(entry.path) or telling.source(entry, at.today), paths)

    return told


def _leaves(compared: Compared) -> Callable[[_At, telling.Left], list[Line]]:
    reasons = {change.entry.path: telling.reason(change) for change in compared.changes}

    def told(at: _At, one: telling.Left) -> list[Line]:
        entry, reason, paths = one
        return _row(at, "-", entry, reasons.get(entry.path) or reason, paths)

    return told


def _reworded(changes: Sequence[Change]) -> Callable[[_At, telling.Shown], list[Line]]:
    by_path = {change.entry.path: change for change in changes}

    def told(at: _At, one: telling.Shown) -> list[Line]:
        entry, paths = one
        change = by_path.get(entry.path)
        return _changed(at, change, paths) if change else _row(at, "!", entry, "shown otherwise", paths)

    return told


def _others(compared: Compared, changes: Sequence[Change]) -> list[Change]:
    shown = {entry.path for entry, _ in (*telling.entering(compared), *telling.reworded(compared))}
    shown |= {entry.path for entry, *_ in telling.leaving(compared)}
    return [change for change in changes if change.entry.path not in shown]


def _other(compared: Compared) -> Callable[[_At, Change], list[Line]]:
    hidden = telling.hidden(compared)

    def told(at: _At, change: Change) -> list[Line]:
        return _changed(at, change, more="not in the block" if change.entry.path in hidden else "")

    return told


# --- One entry -------------------------------------------------------------------------------------------------------


def _changed(at: _At, change: Change, paths: Sequence[str] = (), more: str = "", sign: str = "") -> list[Line]:
    """What became of an entry: its text before and after on a line each, then what else differs."""
    field, said = telling.text_field(change), "; ".join(filter(None, (telling.note(change, at.today), more)))
    rest = [line for one in telling.long_fields(change) for line in _field(at, one.name, one.before, one.after)]
    if not field or not change.before or change.kind in telling.GOING:
        return [*_row(at, sign or telling.SIGNS[change.kind], change.entry, said, paths), *rest]
    room = at.width - at.label - 4
    old, new = rewording.sides(field.before, field.after, room)
    notes = "; ".join(filter(None, (said, _where(at, paths))))
    note = f"  ({notes})" if notes else ""
    before = _labelled(at, "-", change.before.category, [columns.shorten(old, room)])
    after = columns.wrap(columns.shorten(new, room) + note, room)
    return [*before, *_labelled(at, "+", change.entry.category, after), *rest]


def _field(at: _At, name: str, before: str, after: str) -> list[Line]:
    room = at.width - at.label - 4
    return _labelled(at, "!", "", [columns.shorten(f"{name}: {rewording.joint(before, after)}", room)])


def _row(at: _At, sign: str, entry: Entry, said: str, paths: Sequence[str] = ()) -> list[Line]:
    """An entry on two lines at most: its category, its text, and in parentheses what is said of it."""
    notes = "; ".join(filter(None, (columns.shorten(said, at.width), _where(at, paths))))
    note = f"  ({notes})" if notes else ""
    room = at.width - at.label - 4
    text = columns.line(entry.text)
    lines = columns.wrap(text + note, room)
    left = at.lines * room - columns.width(note)
    while len(lines) > at.lines and left > _LEAST:
        lines = columns.wrap(_clipped(text, left) + note, room)
        left -= 4
    return _labelled(at, sign, entry.category, lines)


def _where(at: _At, paths: Sequence[str]) -> str:
    """The blocks that it is about, where there are several."""
    return f"in {columns.shorten(', '.join(paths), 60)}" if at.many and paths else ""


def _clipped(text: str, most: int) -> str:
    """The beginning of a text, cut between words where one ends nearby."""
    shown = columns.shorten(text, most)
    head, _, rest = shown.removesuffix("...").rpartition(" ")
    return f"{head} ..." if shown.endswith("...") and head and len(rest) < _LEAST else shown


def _labelled(at: _At, sign: str, label: str, texts: Sequence[str]) -> list[Line]:
    name, (first, *more) = columns.shorten(label, at.label) if label else "", texts
    padding = " " * (at.label - columns.width(name))
    lines = [f"{sign} {name}{padding}  {first}", *(f"  {' ' * at.label}  {text}" for text in more)]
    return [Line(line, _PAINTS.get(sign, "")) for line in lines]


# --- One line each ---------------------------------------------------------------------------------------------------


def _finding(at: _At, found: Finding) -> list[Line]:
    sign = "-" if found.level is Level.ERROR else " "
    return [line for part in report.finding(found).split("\n") for line in _hanging(at, sign, part)]


def _setting(at: _At, told: str) -> list[Line]:
    return _hanging(at, "!", told)


def _doubt(at: _At, one: Doubt) -> list[Line]:
    sign = "-" if one.finding.kind is State.STALE else "!"
    return [*_hanging(at, sign, telling.doubt(one)), _quoted(at, one.entry)]


def _look(at: _At, told: tuple[Look, str]) -> list[Line]:
    one, text = told
    lines = _hanging(at, "!" if telling.is_grave(one) else "?", text)
    return [*lines, _quoted(at, one.other)] if one.other else lines


def _quoted(at: _At, entry: Entry) -> Line:
    """The beginning of a text that is spoken about."""
    return Line(f"    | {columns.shorten(entry.text, at.width - 6)}")


def _hanging(at: _At, sign: str, text: str) -> list[Line]:
    first, *more = columns.wrap(columns.shorten(text, 3 * at.width - 16), at.width - 2, "  ")
    return [Line(text, _PAINTS.get(sign, "")) for text in (f"{sign} {first}", *(f"  {line}" for line in more))]
