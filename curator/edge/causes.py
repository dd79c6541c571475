"""Which entries a change of files makes doubtful: judged on the tree after it, held against the one before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from curator.core import news, verdict
from curator.core.verdict import Judged
from curator.edge import changes, code, index, plumbing, revisions
from curator.edge.plumbing import Tree
from curator.edge.revisions import Range
from curator.model import Entry, Level, Workspace

if TYPE_CHECKING:
    from curator.core.checkup import Told

_ASKING = frozenset({Level.ERROR, Level.WARNING})


def doubtful(
    workspace: Workspace,
    trees: Range,
    before: Tree,
    after: Tree,
    entries: Sequence[Entry],
    own: Mapping[str, Entry | None],
) -> tuple[Told, ...]:
    """Those of *entries* that ask for a person now, of each what is news.

    *own* maps the file of an entry that is edited to what it was, None where
    it was not in use. One that is edited is told also where nothing is news:
    settled.
    """
    concerned = _concerned(workspace, before, after, entries, own)
    if not concerned:
        return ()
    tip = _tip(trees, after, concerned)
    found = [one for one in _judged(workspace, after, concerned, tip) if one.state.level in _ASKING]
    debts = _debts(workspace, trees, before, {one.entry.path: own.get(one.entry.path, one.entry) for one in found})
    fresh = {one.entry.path: _news(one, debts[one.entry.path]) for one in found}
    asking = [one for one in fresh.values() if one.state.level in _ASKING]
    told = {one.entry.path for one in asking}
    settled = [one for one in found if one.entry.path in own and one.entry.path not in told]
    if not (asking or settled):
        return ()
    from curator.edge import context  # noqa: PLC0415 - what can search history costs 60 ms to load

    made = context.told(workspace, after.code, [*asking, *settled], past=False, search=False)
    return tuple(replace(one, settled=one.judged.entry.path not in told) for one in made)


def _tip(trees: Range, after: Tree, entries: Iterable[Entry]) -> str:
    """The commit whose history tells where files of *after* went: of a merge, that of both sides."""
    gone = any(source.path not in after.files for entry in entries for source in entry.sources)
    return revisions.united(trees) if gone and trees.is_merged else trees.tip


def _debts(
    workspace: Workspace, trees: Range, before: Tree, entries: Mapping[str, Entry | None]
) -> dict[str, frozenset[verdict.Reason]]:
    """What was wrong before with each of *entries* as it was, by the file that it has now."""
    known = {path: entry for path, entry in entries.items() if entry}
    judged = _judged(workspace, before, tuple(known.values()), trees.base_commit)
    found = {one.entry.path: frozenset(map(news.bare, one.reasons)) for one in judged}
    return {path: found.get(entry.path, frozenset()) if entry else frozenset() for path, entry in entries.items()}


def _concerned(
    workspace: Workspace, before: Tree, after: Tree, entries: Iterable[Entry], own: Collection[str]
) -> list[Entry]:
    """The entries that are changed, or cite what is: by its name, through a link, or below a link that changed."""
    differing = dict(before.files.items() ^ after.files.items())
    if not differing:
        return []
    links = {path: one.blob for path, one in after.files.items() if one.mode == plumbing.LINK}
    names = changes.names(workspace, differing, links)
    turned = tuple(f"{path}/" for path, one in differing.items() if one.mode == plumbing.LINK)
    return [
        entry
        for entry in entries
        if entry.path in own or any(source.path in names or source.path.startswith(turned) for source in entry.sources)
    ]


def _judged(workspace: Workspace, tree: Tree, entries: Sequence[Entry], tip: str) -> tuple[Judged, ...]:
    if not any(source.path for entry in entries for source in entry.sources):
        return ()
    cache = index.open(workspace)
    judged, learned = code.judge(workspace, cache, tree.code, entries, tip)
    if learned:
        index.remember(workspace, cache, {}, learned)
    return judged


def _news(judged: Judged, debts: Collection[verdict.Reason]) -> Judged:
    """*judged* with its new reasons alone, in the state that these make."""
    verdicts = []
    for one in judged.verdicts:
        reasons = tuple(news.fresh(one.reasons, debts))
        state = verdict.worst(reason.state for reason in reasons)
        verdicts.append(replace(one, state=state, reasons=reasons))
    return replace(judged, verdicts=tuple(verdicts))
