"""Report what a commit, or a branch, breaks: entries it makes invalid or stale, never the debts of others."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from dataclasses import replace

from curator.core import checkup, lifecycle, news, report
from curator.core.checkup import Checked, Told
from curator.core.verdict import Reason
from curator.edge import changes, code, context, plumbing, store
from curator.edge.places import Files
from curator.edge.touched import Touched
from curator.model import State, Workspace


def run(workspace: Workspace, touched: Touched, *, today: str, past: bool = False) -> Checked:
    """The memories that a commit or branch concerns, on an ISO date.

    An error is an invalid entry, or one that is stale now and was so in none
    of the bases, its own file as it was. What is doubtful for longer is told
    as a warning. Reads the index whatever is trusted; writes nothing. With
    *past* history is searched for the commit that did it.
    """
    held = store.load(workspace, trust=store.INDEX)
    files = plumbing.index(workspace).code
    concerned = [one for one in lifecycle.in_use(held.entries, today) if one.path in touched.citing | touched.own]
    told = context.told(workspace, files, code.judge(workspace, None, files, concerned).judged, past=past)
    told = _news(workspace, files, touched, told, "this branch" if past else checkup.THIS_COMMIT)
    between = [one for one in checkup.validity(held) if checkup.file_of(one) in touched.own] if touched.own else []
    states, uncited = checkup.count([one.judged for one in told])
    return Checked(
        findings=tuple(dict.fromkeys([*touched.broken, *between, *checkup.findings(told)])),
        notes=(report.plural(len(told), "memory"),),
        judged=tuple(one.judged for one in told),
        states=states,
        uncited=uncited,
    )


def _news(workspace: Workspace, files: Files, touched: Touched, told: Iterable[Told], work: str) -> tuple[Told, ...]:
    """*told*: of a stale entry that *work* does not edit what made it so just now, else all of it as told only."""
    listed = tuple(told)
    stale = [one.judged.entry for one in listed if one.judged.state is State.STALE]
    debts: dict[str, set[Reason]] = {}
    unedited: set[str] = set()
    for number, base in enumerate(touched.bases if stale else ()):
        before = plumbing.tree(workspace, base).files if number else changes.undone(files, touched.changed)
        unedited.update(entry.path for entry in stale if before.get(entry.path) == files.get(entry.path))
        there = [entry for entry in stale if entry.path in before]
        for one in code.judge(workspace, None, before, there).judged:
            debts.setdefault(one.entry.path, set()).update(map(news.bare, one.reasons))
    return tuple(_sorted_out(one, unedited, debts.get(one.judged.entry.path, set()), work) for one in listed)


def _sorted_out(told: Told, unedited: Container[str], debts: Collection[Reason], work: str) -> Told:
    """*told* with its new reasons alone; settled where there is none, or where *work* edits the entry."""
    fresh = [
        replace(one, reasons=tuple(news.fresh(one.reasons, debts, only=State.STALE))) for one in told.judged.verdicts
    ]
    if not any(one.reasons for one in fresh):
        return replace(told, settled=True)
    if told.judged.entry.path not in unedited:
        return replace(told, settled=True, aside=f"{work} edits it")
    return replace(told, judged=replace(told.judged, verdicts=tuple(fresh)), since=told.since or checkup.THIS_COMMIT)
