"""What becomes of the block of each target: its cost, and the entries that enter and leave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from curator.core import budget, bullet, lifecycle, rank
from curator.core.compare import Effect, Shift
from curator.core.pairing import Sides
from curator.model import Config, Entry, Target
from curator.selection import LeftOut, Section, Selection

REMOVED = "removed"
UNREADABLE = "its file cannot be read"
NO_TARGET = "this file is a target no more"


class Shown(NamedTuple):
    """What one target shows on one side. *missing* are entries that only a larger budget would show, by file: that."""

    target: Target
    sections: tuple[Section, ...]
    missing: Mapping[str, int]

    @property
    def selection(self) -> Selection:
        """As far as a template sees it: the reasons of what does not fit are left open."""
        return Selection(self.sections, (LeftOut(Entry("", "", ""), "", misfit=True),) * len(self.missing))

    @property
    def entries(self) -> Mapping[str, Entry]:
        return {entry.path: entry for section in self.sections for entry in section.shown}

    def size(self, category: str) -> int:
        return next((section.budget for section in self.sections if section.category == category), 0)


class Side(NamedTuple):
    """All blocks of one side, by target path; *ended* says why an entry is in none."""

    config: Config
    entries: Mapping[str, Entry]
    ended: Mapping[str, str]
    shown: Mapping[str, Shown]


def side(entries: Sequence[Entry], config: Config, as_of: str, costs: Mapping[str, float]) -> Side:
    """Fill the blocks of all targets on an ISO date, as `budget.select` does without telling reasons.

    *costs* are the tokens that entries cost, by path, where they are known.
    """
    ended = lifecycle.ended(entries, as_of)
    scopes = frozenset(target.scope for target in config.targets)
    waiting: dict[str, dict[str, list[Entry]]] = {}
    for entry in rank.order(entries, config):
        scope = None if entry.path in ended else budget.covering(entry, scopes)
        if scope is not None:
            waiting.setdefault(scope, {}).setdefault(entry.category, []).append(entry)
    shown = {one.path: _shown(one, config, waiting.get(one.scope, {}), costs) for one in config.targets}
    return Side(config, {entry.path: entry for entry in entries}, ended, shown)


def _shown(target: Target, config: Config, waiting: Mapping[str, Sequence[Entry]], costs: Mapping[str, float]) -> Shown:
    filled = [
        budget.fill(one.category, one.tokens, waiting.get(one.category, ()), costs)
        for one in target.budgets or config.budgets
    ]
    missing = {entry.path: size for one in filled for entry, size in budget.sizes(*one, costs)}
    return Shown(target, tuple(section for section, _ in filled), missing)


def effects(
    before: Side, after: Side, found: Sides, broken: frozenset[str], costs: Sequence[Mapping[str, int]]
) -> Iterator[Effect]:
    """One for each target of either side, in the order of the new settings.

    *broken* are files that cannot be read, *costs* the tokens of each block before and after.
    """
    went = {pair.before.path: pair.after.path for pair in found.pairs if pair.before and pair.after}
    for path in dict.fromkeys((*after.shown, *before.shown)):
        old, new = before.shown.get(path), after.shown.get(path)
        made = _effect(before, after, old, new, went, broken)
        change = "" if old and new else "added" if new else "removed"
        was, now = (one.get(path, 0) for one in costs)
        differs = _face(old, before.config) != _face(new, after.config)
        yield Effect(path, was, now, tuple(_shifts(old, new)), *made, change, differs)


def _face(shown: Shown | None, config: Config) -> object:
    """All that the text of a block follows from, as it reads."""
    if shown is None:
        return None
    told = [(one.category, [*map(bullet.item, one.shown)]) for one in shown.sections if one.shown]
    return config.preamble, told, len(shown.missing)


def _effect(
    before: Side,
    after: Side,
    old: Shown | None,
    new: Shown | None,
    went: Mapping[str, str],
    broken: frozenset[str],
) -> tuple[tuple[Entry, ...], tuple[LeftOut, ...], tuple[Entry, ...]]:
    """The entries that enter, leave and are reworded."""
    was = {went.get(path, path): entry for path, entry in (old.entries if old else {}).items()}
    now = new.entries if new else {}
    enters = tuple(entry for path, entry in now.items() if path not in was)
    leaves = tuple(
        LeftOut(after.entries.get(path, entry), _why(path, after, new, broken))
        for path, entry in was.items()
        if path not in now
    )
    reworded = tuple(
        entry
        for path, entry in now.items()
        if path in was and was[path] is not entry and bullet.item(was[path]) != bullet.item(entry)
    )
    return enters, leaves, reworded


def _why(path: str, after: Side, new: Shown | None, broken: frozenset[str]) -> str:
    """Why an entry is not in a block in which it was."""
    entry = after.entries.get(path)
    if entry is None:
        return UNREADABLE if path in broken else REMOVED
    if path in after.ended:
        return after.ended[path]
    if new is None:
        return NO_TARGET
    if path in new.missing:
        return budget.misfit(new.missing[path], new.size(entry.category))
    scopes = frozenset(target.scope for target in after.config.targets)
    return budget.NO_BUDGET if budget.covering(entry, scopes) == new.target.scope else budget.elsewhere(entry)


def _shifts(old: Shown | None, new: Shown | None) -> Iterator[Shift]:
    """Every category that either side has a budget for, in the order of the new block."""
    sides = [{section.category: section for section in one.sections} if one else {} for one in (old, new)]
    for category in dict.fromkeys((*sides[1], *sides[0])):
        was, now = (side.get(category) for side in sides)
        yield Shift(
            category,
            was.used if was else 0,
            now.used if now else 0,
            was.budget if was else 0,
            now.budget if now else 0,
        )
