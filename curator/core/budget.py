"""Fit entries into each category's token budget, and say why one was left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from curator.core import bullet, lifecycle, tokens
from curator.model import MEMORIES, Config, Entry, Fault, Finding, Target
from curator.selection import LeftOut, Section, Selection


def select(ordered: Sequence[Entry], target: Target, config: Config, as_of: str = "") -> Selection:
    """Choose what *target* shows of the entries, which come best first.

    Whole entries only: what does not fit is skipped and the next one tried.
    Shown entries stand in id order, so that a changed score moves no line.
    """
    ended = lifecycle.ended(ordered, as_of)
    scopes = frozenset(target.scope for target in config.targets)
    left_out = [LeftOut(entry, ended[entry.path]) for entry in ordered if entry.path in ended]
    waiting: dict[str, list[Entry]] = {}
    for entry in ordered:
        if entry.path in ended:
            continue
        if covering(entry, scopes) == target.scope:
            waiting.setdefault(entry.category, []).append(entry)
        else:
            left_out.append(LeftOut(entry, elsewhere(entry)))
    sections = []
    for budget in target.budgets or config.budgets:
        section, misfits = fill(budget.category, budget.tokens, waiting.pop(budget.category, []))
        sections.append(section)
        told = ((entry, misfit(size, budget.tokens)) for entry, size in sizes(section, misfits))
        left_out.extend(LeftOut(entry, reason, misfit=True) for entry, reason in told)
    left_out.extend(LeftOut(entry, NO_BUDGET) for rest in waiting.values() for entry in rest)
    return Selection(tuple(sections), tuple(sorted(left_out, key=lambda out: (out.entry.category, out.entry.id))))


NO_BUDGET = "no budget for its category"


def misfit(needed: int, size: int) -> str:
    """Why an entry is left out that a budget of *needed* tokens would show, and one of *size* does not."""
    return f"over budget: needs a budget of {needed} tokens, not {size}"


def sizes(
    section: Section, misfits: Iterable[Entry], costs: Mapping[str, float] = MappingProxyType({})
) -> Iterator[tuple[Entry, int]]:
    """Each of *misfits*, which come best first, with the budget that shows it, those before it and the section."""
    used = 0.0
    for entry in misfits:
        used = used or _heading(section.category) + sum(_priced(one, costs) for one in section.shown)
        used += _priced(entry, costs)
        yield entry, math.ceil(round(used, 6))


def elsewhere(entry: Entry) -> str:
    """Why an entry is left out of the block of another scope."""
    return f"scope {entry.reach or 'of the whole repository'}"


def needed(selection: Selection) -> Mapping[str, int]:
    """Tokens that each category which left something out would need to show all of it."""
    wanted: dict[str, float] = {}
    for out in selection.misfits:
        wanted[out.entry.category] = wanted.get(out.entry.category, 0.0) + cost(out.entry)
    for section in selection.sections:
        if section.category in wanted:
            wanted[section.category] += _heading(section.category) + sum(map(cost, section.shown))
    return {category: math.ceil(round(size, 6)) for category, size in wanted.items()}


def findings(ordered: Sequence[Entry], config: Config) -> Iterator[Finding]:
    """One warning for each target that leaves entries out for want of tokens, with the budgets that would show them."""
    for target in config.targets:
        selection = select(ordered, target, config)
        wanted = needed(selection)
        if wanted:
            left_out = Counter(out.entry.category for out in selection.misfits)
            told = ", ".join(f"{left_out[category]} of {category}" for category in wanted)
            sizes = ", ".join(f"{category} to {size}" for category, size in wanted.items())
            message = f"{target.path}: over budget, so only a search finds them: {told}"
            yield Finding(Fault.OVER_BUDGET, f"{MEMORIES}/curator.yaml", message, f"raise {sizes}, or retire some")


def covering(entry: Entry, scopes: Container[str]) -> str | None:
    """The nearest to an entry of the *scopes* of targets; None when no target covers it.

    An entry with a scope stays out of the root block, which every session
    pays for.
    """
    reach = entry.reach
    if not reach:
        return ""
    while reach and reach not in scopes:
        reach = reach[: reach.rfind("/", 0, len(reach) - 1) + 1]
    return reach or None


def fill(
    category: str, size: int, entries: Sequence[Entry], costs: Mapping[str, float] = MappingProxyType({})
) -> tuple[Section, list[Entry]]:
    """The section of one category from its entries, best first, and those that do not fit.

    *costs* are what entries cost, by path, where that is known.
    """
    used = _heading(category)
    shown: list[Entry] = []
    misfits: list[Entry] = []
    for entry in entries:
        price = _priced(entry, costs)
        if round(used + price, 6) <= size:
            used += price
            shown.append(entry)
        else:
            misfits.append(entry)
    spent = math.ceil(round(used, 6)) if shown else 0
    return Section(category, size, spent, tuple(sorted(shown, key=lambda entry: entry.id))), misfits


def _heading(category: str) -> float:
    return tokens.cost(bullet.heading(category))


def _priced(entry: Entry, costs: Mapping[str, float]) -> float:
    return costs[entry.path] if entry.path in costs else cost(entry)


def cost(entry: Entry) -> float:
    """The tokens of an entry's lines in a block, not rounded."""
    return _line_cost(bullet.item(entry))


@lru_cache(maxsize=20_000)  # a check may look at the block of many dates
def _line_cost(line: str) -> float:
    return tokens.cost(line + "\n")
