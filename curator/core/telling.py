"""A comparison in few words, the same on a terminal and in a comment: how much, in which order, from whom, and why."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date

from curator.core import columns, report, rewording, teller
from curator.core.compare import Change, Compared, Doubt, Effect, Field, Kind, Look, Smell
from curator.model import Entry, Level, State

GOING = frozenset({Kind.REMOVED, Kind.RETIRED, Kind.SUPERSEDED})
SIGNS = {Kind.ADDED: "+", Kind.RESTORED: "+", Kind.CHANGED: "!", Kind.MOVED: "!"} | dict.fromkeys(GOING, "-")
_KINDS = (Kind.ADDED, Kind.RESTORED, Kind.CHANGED, Kind.MOVED, Kind.SUPERSEDED, Kind.RETIRED, Kind.REMOVED)
_SMELLS = (
    Smell.BY_HAND,
    Smell.OUTDATED,
    Smell.ORDER,
    Smell.SUSPECT,
    Smell.SETTING,
    Smell.ORIGIN,
    Smell.CONTRADICTION,
    Smell.SAME_KEY,
    Smell.NEAR,
    Smell.UNCHECKABLE,
)
_LEVELS = (Level.ERROR, Level.WARNING, Level.NOTE)
_DOUBTS = {State.STALE: "stale", State.MOVED: "with a moved source", State.REVIEW: "to review"}
Shown = tuple[Entry, tuple[str, ...]]
"""An entry, and the paths of the blocks that it enters or is reworded in."""
Left = tuple[Entry, str, tuple[str, ...]]
"""An entry, why it leaves, and the paths of the blocks that it leaves."""
_BRIEF = 48
"""Characters of a field, before and after, that stand behind a text."""
_NAMED = 4
"""Entries named of those that the same is said of."""
REARRANGED = "the same memories under other headings or in another order"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def head(compared: Compared) -> str:
    """`2 new, 1 retired, 1 stale`; "" where nothing is to be told."""
    if compared.one_sided:
        return "nothing could be compared"
    kinds = [change.kind for change in told(compared.changes)]
    states = [doubt.finding.kind for doubt in compared.doubts if not doubt.finding.settled]
    broken = {found.where.partition(":")[0] for found in compared.findings if found.level is Level.ERROR}
    quiet = len(compared.changes) - len(kinds)
    counts = (
        *((kinds.count(kind), kind.value) for kind in _KINDS),
        (quiet, "confirmed"),
        *((states.count(state), name) for state, name in _DOUBTS.items()),
        (len(compared.doubts) - len(states), "edited in doubt"),
        (len(broken), "unreadable"),
    )
    parts = [f"{number:,} {name}" for number, name in counts if number]
    if compared.settings:
        parts.append(report.plural(len(compared.settings), "setting") + " changed")
    by_hand = sum(look.smell is Smell.BY_HAND for look in compared.looks)
    outdated = sum(look.smell is Smell.OUTDATED for look in compared.looks)
    parts += [f"the block changed by hand ({report.plural(by_hand, 'place')})"] if by_hand else []
    parts += ["a block out of date"] if outdated else []
    return ", ".join(parts)


def told(changes: Iterable[Change]) -> Iterator[Change]:
    """The changes that a reader would see; not where evidence alone was renewed."""
    return (change for change in changes if change.fields or change.kind is not Kind.CHANGED)


# --- In which order --------------------------------------------------------------------------------------------------


def arranged(compared: Compared) -> list[Change]:
    """What to look at first stands first; then by kind, category and id. What is superseded follows what does it."""
    risky = {look.path for look in compared.looks if look.entry and is_grave(look)}
    ranked = sorted(told(compared.changes), key=lambda change: (change.entry.path not in risky, *_place(change)))
    present = {change.entry.path for change in ranked}
    after: dict[str, list[Change]] = {}
    for change in ranked:
        heir = _heir(change, present)
        if heir:
            after.setdefault(heir, []).append(change)
    done: list[Change] = []
    for change in ranked:
        if not _heir(change, present):
            _follow(change, after, done)
    return [*done, *(change for rest in after.values() for change in rest)]


def every(compared: Compared) -> list[Change]:
    """All changes as `arranged` has them, then those of evidence alone."""
    shown = arranged(compared)
    seen = set(map(id, shown))
    return [*shown, *(change for change in compared.changes if id(change) not in seen)]


def _place(change: Change) -> tuple[int, str, str]:
    return _KINDS.index(change.kind), change.entry.category, change.entry.path


def _heir(change: Change, present: Collection[str]) -> str:
    """The file of the entry that replaces it, where that one is told of too."""
    if change.kind not in GOING:
        return ""
    return next((one.path for one in change.by if one.path in present and one.path != change.entry.path), "")


def _follow(change: Change, after: dict[str, list[Change]], done: list[Change]) -> None:
    """A change and all that it supersedes, step by step down a chain however long."""
    open_ = [change]
    while open_:
        current = open_.pop()
        done.append(current)
        open_.extend(reversed(after.pop(current.entry.path, [])))


def is_grave(look: Look) -> bool:
    """It can do harm, and is no question of tidiness."""
    return look.smell in {Smell.ORDER, Smell.SUSPECT} or look.level is Level.ERROR


def settings(compared: Compared) -> list[str]:
    """What changes in curator.yaml, on a line each: first what is worth a look, in the words of that."""
    looks_ = [one for one in compared.looks if one.smell is Smell.SETTING]
    known = {one.setting for one in looks_}
    rest = (one for one in compared.settings if one.name not in known)
    told = [f"{one.name}: {rewording.joint(one.before, one.after)}" for one in rest]
    return [*(columns.line(one.message) for one in looks_), *told]


def suspicions(compared: Compared) -> list[tuple[Look, str]]:
    """What to look at in the entries, the gravest first, each with its line."""
    return gathered([one for one in looks(compared) if one.smell is not Smell.SETTING])


def looks(compared: Compared) -> list[Look]:
    """What to look at, the gravest first."""
    return sorted(
        compared.looks,
        key=lambda look: (_LEVELS.index(look.level), _SMELLS.index(look.smell), look.path, look.line, look.message),
    )


def doubts(compared: Compared) -> list[Doubt]:
    """What the change makes stale, before what it only makes worth a look."""
    states = list(_DOUBTS)
    return sorted(
        compared.doubts,
        key=lambda doubt: (
            states.index(State(doubt.finding.kind)) if doubt.finding.kind in states else len(states),
            doubt.entry.category,
            doubt.entry.id,
            doubt.finding.where,
        ),
    )


# --- What the agent reads --------------------------------------------------------------------------------------------


def standing(compared: Compared) -> str:
    """What is said where no entry of a block changes; "" where one does, or where the block is not to be trusted."""
    touched = any(look.smell in {Smell.BY_HAND, Smell.OUTDATED} for look in compared.looks)
    if not compared.effects or effects(compared) or touched or compared.one_sided:
        return ""
    if any(doubt.finding.kind is State.STALE for doubt in compared.doubts):
        return "the block stays as it is, but for the line in which a render names what is stale"
    return "the block stays as it is"


def effects(compared: Compared) -> list[Effect]:
    """The blocks that change."""
    return [effect for effect in compared.effects if not effect.is_nothing]


def budget(effect: Effect) -> int:
    """What a block may cost after the change, in tokens."""
    return sum(shift.budget for shift in effect.shifts)


def pushed(compared: Compared) -> list[Left]:
    """What leaves a block for another reason than its own end."""
    going = {change.entry.path for change in compared.changes if change.kind in GOING}
    return [one for one in leaving(compared) if one[0].path not in going]


def freed(compared: Compared) -> list[Left]:
    """What enters a block though it did not change, and why."""
    changed = {change.entry.path for change in compared.changes}
    rows = (one for one in entering(compared) if one[0].path not in changed)
    return [(entry, _welcome(compared, entry, paths), paths) for entry, paths in rows]


def _welcome(compared: Compared, entry: Entry, paths: Collection[str]) -> str:
    """Why an entry that did not change is in the blocks at *paths* from now on."""
    mine = [one for one in compared.effects if one.path in paths]
    if all(one.change == "added" for one in mine):
        return "this file is a new target"
    shifts = [shift for one in mine for shift in one.shifts if shift.category == entry.category]
    if shifts and not any(shift.budget_before for shift in shifts):
        return "its category has a budget now"
    return "there is room for it"


def is_rearranged(effect: Effect) -> bool:
    """Whether a block that costs the same shows the same memories in another way."""
    moved = effect.enters or effect.leaves or effect.reworded or effect.change
    return effect.differs and not moved and effect.before == effect.after


def hidden(compared: Compared) -> set[str]:
    """The files of new entries that no block shows, where blocks are known."""
    entering_ = {entry.path for entry, _ in entering(compared)}
    new = (change.entry.path for change in compared.changes if change.kind in {Kind.ADDED, Kind.RESTORED})
    return {path for path in new if path not in entering_} if compared.effects else set()


def leaving(compared: Compared) -> list[Left]:
    """All that leaves a block, each once, with the first reason."""
    found: dict[str, Left] = {}
    for effect in compared.effects:
        for out in effect.leaves:
            entry, reason, paths = found.get(out.entry.path, (out.entry, out.reason, ()))
            found[out.entry.path] = entry, reason, (*paths, effect.path)
    return list(found.values())


def entering(compared: Compared) -> list[Shown]:
    """What the agent will read that it did not, each once."""
    return _once((effect.path, effect.enters) for effect in compared.effects)


def reworded(compared: Compared) -> list[Shown]:
    """What the agent reads in other words, each once."""
    return _once((effect.path, effect.reworded) for effect in compared.effects)


def _once(rows: Iterable[tuple[str, Sequence[Entry]]]) -> list[Shown]:
    found: dict[str, Shown] = {}
    for path, entries in rows:
        for entry in entries:
            _, paths = found.get(entry.path, (entry, ()))
            found[entry.path] = entry, (*paths, path)
    return list(found.values())


# --- About one entry -------------------------------------------------------------------------------------------------


def named(entry: Entry) -> str:
    """`category/id`, as a person finds it."""
    return f"{entry.category}/{entry.id}"


def source(entry: Entry, today: str) -> str:
    """`user, 3 Mar`: whose words they are, and of which day."""
    origin = entry.origin
    who = (teller.client(origin.agent) or origin.by) if origin.by == "agent" else origin.by
    return ", ".join(filter(None, (columns.line(who), day(origin.created, today))))


def day(moment: str, today: str) -> str:
    """`3 Mar`, with the year where that is another one; "" for what is no date."""
    try:
        when = date.fromisoformat(moment[:10])
    except ValueError:
        return ""
    year = "" if moment[:4] == today[:4] else f" {when.year}"
    return f"{when.day} {_MONTHS[when.month - 1]}{year}"


def reason(change: Change, *, above: bool = False) -> str:
    """Why an entry goes. *above*: what takes its place stands in the line before."""
    entry = change.entry
    if change.kind is Kind.SUPERSEDED:
        return "superseded by " + ("the line above" if above else ", ".join(map(named, change.by)) or "another entry")
    if change.kind is Kind.RETIRED and entry.retired and entry.retired.reason:
        return f"retired: {columns.line(entry.retired.reason)}"
    return {Kind.REMOVED: "its file is removed", Kind.RETIRED: "retired"}.get(change.kind, "")


def note(change: Change, today: str, *, above: bool = False) -> str:
    """What stands in parentheses behind an entry's text: why it goes, or whose words they are; what else differs."""
    if change.kind in GOING:
        return reason(change, above=above)
    said = source(change.entry, today) if change.kind in {Kind.ADDED, Kind.RESTORED} else ""
    again = "in use again" if change.kind is Kind.RESTORED else ""
    brief = [f"{field.name}: {rewording.joint(field.before, field.after)}" for field in brief_fields(change)]
    return "; ".join(filter(None, (again, said, *brief)))


def text_field(change: Change) -> Field | None:
    return next((field for field in change.fields if field.name == "text"), None)


def brief_fields(change: Change) -> list[Field]:
    """What differs but the text, as far as it is short enough to stand behind it."""
    return [field for field in _fields(change) if _is_brief(field)]


def long_fields(change: Change) -> list[Field]:
    """What differs but the text, and takes lines of its own."""
    return [field for field in _fields(change) if not _is_brief(field)]


def _fields(change: Change) -> list[Field]:
    """Of an entry that comes or goes nothing: it is shown as a whole. Other words were said at another time."""
    if change.kind in GOING or change.kind is Kind.ADDED:
        return []
    known = {"text", *(_ANEW if text_field(change) else ())}
    return [field for field in change.fields if field.name not in known]


_ANEW = {f"origin.{name}" for name in ("session", "trigger", "commit", "created", "extractor", "confidence", "key")}
"""What is another one with every wording."""


def _is_brief(field: Field) -> bool:
    return len(field.before) + len(field.after) <= _BRIEF


def gathered(listed: Sequence[Look]) -> list[tuple[Look, str]]:
    """Things to look at, each with its line; what is said of several entries in the same words is said once."""
    groups: dict[tuple[Smell, str, str], list[Look]] = {}
    for one in listed:
        own = "" if one.entry and not one.other else f"{one.path}:{one.line}"
        groups.setdefault((one.smell, one.message, own), []).append(one)
    return [(several[0], _together(several)) for several in groups.values()]


def _together(several: Sequence[Look]) -> str:
    first, names = several[0], [named(one.entry) for one in several if one.entry]
    if len(names) < 2:
        return look(first)
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}: each {first.message}"


def look(one: Look) -> str:
    """One thing to look at, on a line: of which entry, or where, and what."""
    where = f"{one.path}:{one.line}:" if one.line else f"{one.path}:"
    like = f" ({one.likeness:.2f})" if one.smell in {Smell.NEAR, Smell.CONTRADICTION} and one.likeness else ""
    return f"{named(one.entry) if one.entry else where} {one.message}{like}"


def doubt(one: Doubt) -> str:
    """An entry in doubt, on a line; whether the change that is reviewed edits the entry too."""
    edited = "edited, and in doubt before" if one.finding.settled else "edited too" if one.touched else "not edited"
    return f"{named(one.entry)} {one.finding.message} (memory {edited})"


def caused(compared: Compared) -> list[Doubt]:
    """The doubts that the change itself brings."""
    return [one for one in doubts(compared) if not one.finding.settled]


def kept(compared: Compared) -> list[Doubt]:
    """The doubts that stood before about entries that the change edits."""
    return [one for one in doubts(compared) if one.finding.settled]


_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def command(compared: Compared, asked: str = "") -> str:
    """What makes the same comparison again; *asked* is the range as a reader's own clone knows it."""
    base, head = (end[:10] if _COMMIT.fullmatch(end) else end for end in (compared.base, compared.head))
    return f"curator diff {asked or (f'{base}{compared.dots}{head}' if head else base)}"
