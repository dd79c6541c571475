"""Fit entries into each category's token budget, and say why one was left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from curator.core import bullet, lifecycle, tokens
from curator.model import MEMORIES, Config, Entry, Fault, Finding, Target
from curator.outcome import LeftOut, Section, Selection


def select(ordered: Sequence[Entry], target: Target, config: Config, as_of: str = "") -> Selection:
    """Choose what *target* shows of the entries, which come best first.

    Whole entries only: what does not fit is skipped and the next one tried.
    Shown entries stand in id order, so that a changed score moves no line.
    """
    ended = lifecycle.ended(ordered, as_of)
    scope = {entry.path: _scope(entry, config.targets) for entry in ordered}
    left_out = [LeftOut(entry, ended[entry.path]) for entry in ordered if entry.path in ended]
    waiting: dict[str, list[Entry]] = {}
    for entry in ordered:
        if entry.path in ended:
            continue
        if scope[entry.path] == target.scope:
            waiting.setdefault(entry.category, []).append(entry)
        else:
            left_out.append(LeftOut(entry, f"scope {entry.reach or 'of the whole repository'}"))
    sections = []
    for budget in target.budgets or config.budgets:
        section, misfits = _fill(budget.category, budget.tokens, waiting.pop(budget.category, []))
        sections.append(section)
        left_out.extend(misfits)
    left_out.extend(LeftOut(entry, "no budget for its category") for rest in waiting.values() for entry in rest)
    return Selection(tuple(sections), tuple(sorted(left_out, key=lambda out: (out.entry.category, out.entry.id))))


def needed(selection: Selection) -> Mapping[str, int]:
    """Tokens that each category which left something out would need to show all of it."""
    wanted: dict[str, float] = {}
    for out in selection.misfits:
        wanted[out.entry.category] = wanted.get(out.entry.category, 0.0) + _cost(out.entry)
    for section in selection.sections:
        if section.category in wanted:
            wanted[section.category] += _heading(section.category) + sum(map(_cost, section.shown))
    return {category: math.ceil(round(cost, 6)) for category, cost in wanted.items()}


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


def _scope(entry: Entry, targets: Sequence[Target]) -> str | None:
    """The scope of the target nearest to an entry; None when no target covers it.

    An entry with a scope stays out of the root block, which every session
    pays for.
    """
    if not entry.reach:
        return ""
    covering = [target.scope for target in targets if target.scope and entry.reach.startswith(target.scope)]
    return max(covering, key=len, default=None)


def _fill(category: str, size: int, entries: Sequence[Entry]) -> tuple[Section, list[LeftOut]]:
    used = _heading(category)
    shown: list[Entry] = []
    misfits: list[LeftOut] = []
    for entry in entries:
        cost = _cost(entry)
        if round(used + cost, 6) <= size:
            used += cost
            shown.append(entry)
        else:
            misfits.append(LeftOut(entry, f"over budget: needs {math.ceil(cost)} of {size} tokens", misfit=True))
    spent = math.ceil(round(used, 6)) if shown else 0
    return Section(category, size, spent, tuple(sorted(shown, key=lambda entry: entry.id))), misfits


def _heading(category: str) -> float:
    return tokens.cost(bullet.heading(category))


def _cost(entry: Entry) -> float:
    return _line_cost(bullet.item(entry))


@lru_cache(maxsize=20_000)  # a check may look at the block of many dates
def _line_cost(line: str) -> float:
    return tokens.cost(line + "\n")
