"""Compare the memories of two states: what changed, what the agent reads after it, and what a reviewer should see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from curator.core import alike, effect, lifecycle, pairing, smells, tuning
from curator.core.compare import Change, Compared, Doubt, Effect, Kind, Look
from curator.core.effect import Side
from curator.core.keylines import Lines
from curator.core.pairing import Sides
from curator.edge import bodies, causes, costs, revisions, snapshot
from curator.edge.revisions import Range
from curator.edge.snapshot import Snapshot
from curator.model import MEMORIES, Entry, Finding, Level, State, Workspace

if TYPE_CHECKING:
    from curator.core.checkup import Told

_CONFIG = f"{MEMORIES}/curator.yaml"
_Both = tuple[Side, Side]


def run(workspace: Workspace, asked: str, *, today: str) -> Compared:
    """What the range *asked* changes, on an ISO date: `BASE..HEAD`, `BASE...HEAD`, or one ref against git's index.

    Raises CuratorError where a ref is not here. What cannot be looked at is
    said in the notes.
    """
    with revisions.opened(workspace, asked) as trees:
        before, after = snapshot.both(trees.workspace, trees.before, trees.after)
        found = pairing.sides(before.entries, after.entries)
        broken = frozenset(one.path for one in after.parsed if not one.entry)
        changes = pairing.changes(found, after.entries, broken, today)
        if not trees.before:
            return _alone(trees, before, after, today)
        sides = _side(before, today), _side(after, today)
        settings = tuning.differences(before.config, after.config)
        doubts = _doubtful(trees, before, after, changes, today)
        anew = [one for one in changes if one.after and _is_said_anew(one)]
        fresh = [one.entry for one in anew]
        was = {one.entry.path: one.before for one in anew if one.before and one.kind is Kind.CHANGED}
        pointed = {_CONFIG, *broken, *(one.path for one in fresh), *(one.judged.entry.path for one in doubts)}
        lines = Lines(after.bytes_of(trees.workspace, sorted(pointed)))
        return Compared(
            base=trees.base,
            head=trees.head,
            base_commit=trees.base_commit,
            head_commit=trees.head_commit,
            changes=changes,
            effects=_effects(trees.workspace, before, after, found, sides),
            doubts=tuple(_doubt(one, found, lines) for one in doubts),
            looks=(
                *_blocks(trees, before, after, sides[1], today),
                *_looks(after, fresh, was, lines, today),
                *smells.of_settings(settings, lines.of),
            ),
            settings=settings,
            findings=tuple(_findings(trees, before, after, lines)),
            notes=(*trees.notes, *_notes(trees, before, after), *_conflicts(trees, after), *_limits(fresh)),
            dots="..." if "..." in asked else "..",
        )


def _alone(trees: Range, nothing: Snapshot, after: Snapshot, today: str) -> Compared:
    """What can be said where the base is not here: the blocks as they are, and errors; nobody knows what is new."""
    found, side = pairing.sides(after.entries, after.entries), _side(after, today)
    lines = Lines(after.bytes_of(trees.workspace, sorted({_CONFIG, *_unread(after), *_namesakes(after)})))
    return Compared(
        base=trees.base,
        head=trees.head,
        head_commit=trees.head_commit,
        effects=_effects(trees.workspace, after, after, found, (side, side)),
        looks=(*bodies.looks(trees.workspace, None, after, side), *smells.doubled(after.entries, lines.of)),
        findings=tuple(one for one in _findings(trees, nothing, after, lines) if one.level is Level.ERROR),
        notes=(*trees.notes, *_notes(trees, nothing, after)),
        one_sided=True,
    )


def _namesakes(side: Snapshot) -> list[str]:
    """The files of entries that share an id or a key with another."""
    names = Counter(name for one in side.entries for name in {one.id.lower(), one.origin.key} - {""})
    return [one.path for one in side.entries if max(names[one.id.lower()], names[one.origin.key]) > 1]


def _blocks(trees: Range, before: Snapshot, after: Snapshot, side: Side, today: str) -> tuple[Look, ...]:
    """What is wrong with the blocks as the branch itself holds them: the merge of two blocks is rendered anew."""
    base = _base(trees, before, after)
    if trees.is_merged and _went_on(trees, before, after):
        before, after = snapshot.both(trees.workspace, trees.parted, trees.head_commit, (before, after))
        side = _side(after, today)
    return tuple(bodies.looks(trees.workspace, before, after, side, base))


def _went_on(trees: Range, before: Snapshot, after: Snapshot) -> bool:
    """Whether the base changed meanwhile what is looked at: else the merge holds the blocks as the branch does."""
    ends = trees.parted, trees.base_commit
    return bodies.follow(trees.workspace, (before, after), *ends) and bodies.concerned(before, after)


def _base(trees: Range, before: Snapshot, after: Snapshot) -> Callable[[], Snapshot]:
    """How to come by the base as it is asked for, which may have gone on since the two parted."""
    if trees.is_merged or trees.before == trees.base_commit:
        return lambda: before
    near = before, after
    return lambda: snapshot.both(trees.workspace, trees.base_commit, trees.after, near)[0]


def _conflicts(trees: Range, after: Snapshot) -> Iterator[str]:
    if trees.conflicts:
        told = revisions.told(trees.conflicts)
        if bodies.are_settled(trees.workspace, after, trees.conflicts):
            yield f"{told} in the block alone: `curator render` settles it"
        else:
            yield f"{told}; the memories merge, and are compared as merged"


def _is_said_anew(change: Change) -> bool:
    """Whether a change gives an agent other words, or the same ones again."""
    return change.kind in {Kind.ADDED, Kind.RESTORED} or (change.kind is Kind.CHANGED and bool(change.fields))


def _side(one: Snapshot, today: str) -> Side:
    return effect.side(one.entries, one.config, today, one.costs)


def _effects(workspace: Workspace, before: Snapshot, after: Snapshot, found: Sides, sides: _Both) -> tuple[Effect, ...]:
    broken = frozenset(one.path for one in after.parsed if not one.entry)
    tokens = [costs.of_blocks(workspace, side) for side in sides]
    if before.tree is not after.tree and not before.parsed:  # then what is not there was never rendered
        known = before.tree.files if _CONFIG in before.tree.files else {}
        tokens[0] = {path: cost for path, cost in tokens[0].items() if path in known}
    return tuple(effect.effects(sides[0], sides[1], found, broken, tokens))


def _doubtful(
    trees: Range, before: Snapshot, after: Snapshot, changes: Iterable[Change], today: str
) -> tuple[Told, ...]:
    own = {
        one.after.path: None if one.kind is Kind.RESTORED else one.before
        for one in changes
        if one.after and one.kind is not Kind.MOVED
    }
    in_use = lifecycle.in_use(after.entries, today)
    return causes.doubtful(trees.workspace, trees, before.tree, after.tree, in_use, own)


def _doubt(told: Told, found: Sides, lines: Lines) -> Doubt:
    from curator.core import checkup  # noqa: PLC0415 - 10 ms that most changes save: they make nothing doubtful

    entry, state = told.judged.entry, told.judged.state
    (finding,) = checkup.findings([told])
    cited = next((reason.path for reason in told.judged.reasons if reason.state is state), "")
    line = lines.of_source(entry.path, cited)
    return Doubt(finding._replace(where=f"{entry.path}:{line}"), entry, entry.path not in found.same, line)


def _looks(
    after: Snapshot, fresh: Sequence[Entry], was: Mapping[str, Entry], lines: Lines, today: str
) -> tuple[Look, ...]:
    if not fresh:
        return ()
    in_use = lifecycle.in_use(after.entries, today)
    bags = after.bags
    near = alike.among(in_use, [bags[entry.path] for entry in in_use], [entry.text for entry in fresh])
    warned = [finding for one in after.parsed if one.entry and one.findings for finding in one.findings]
    around = smells.Around(after.entries, frozenset(entry.path for entry in in_use), near, warned, was=was)
    return smells.looks(fresh, around, lines.of, lines.of_message)


def _findings(trees: Range, before: Snapshot, after: Snapshot, lines: Lines) -> Iterator[Finding]:
    """Files that cannot be read: those of the new side that differ, and as notes those of the old one that do."""
    unread_before, unread_after = _unread(before), _unread(after)
    for path in sorted({*unread_before, *unread_after}):
        now, was = unread_after.get(path, ()), unread_before.get(path, ())
        if now != was or before.tree.files.get(path) != after.tree.files.get(path):
            yield from (_pointed(one, lines) for one in now)
            yield from (_as_note(one, trees.base) for one in was)


def _pointed(finding: Finding, lines: Lines) -> Finding:
    if ":" in finding.where:
        return finding
    return finding._replace(where=f"{finding.where}:{lines.of_message(finding.where, finding.message)}")


def _limits(fresh: Sequence[Entry]) -> Iterator[str]:
    if len(fresh) > smells.MOST_COMPARED:
        yield f"near-duplicates were looked for with the first {smells.MOST_COMPARED:,} of {len(fresh):,} entries"


def _unread(side: Snapshot) -> dict[str, tuple[Finding, ...]]:
    found = {one.path: one.findings for one in side.parsed if not one.entry}
    return found | ({_CONFIG: (side.unsettled,)} if side.unsettled else {})


def _as_note(finding: Finding, base: str) -> Finding:
    message = f"could not be read in {base}: {finding.message}"
    return finding._replace(kind=State.NOTE, message=message, hint="")


def _notes(trees: Range, before: Snapshot, after: Snapshot) -> Iterator[str]:
    if after.unsettled:
        instead = "the defaults are" if before.unsettled or not trees.before else f"those of {trees.base} are"
        yield f"{_CONFIG} of {trees.head or 'the index'} cannot be read: {instead} used instead"
    if before.unsettled:
        instead = "the defaults are" if after.unsettled else f"those of {trees.head or 'the index'} are"
        yield f"{_CONFIG} of {trees.base} cannot be read: {instead} used instead"
