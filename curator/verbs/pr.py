"""Put memories on a branch of their own, on top of the default branch: its commits, prepared against its tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from curator.core import caution, codec, harvest, keys, publication, queue, roster, splicing, vetting
from curator.core.publication import Item, Kind, Request
from curator.core.queue import Asked, Known, Prepared, Proposal, State
from curator.edge import away, blocks, branches, cited, files, plumbing, proposals, snapshot, store
from curator.edge.branches import Base, Commit
from curator.edge.ground import Ground
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, Fault, Finding, Source, Workspace
from curator.outcome import Edit, Outcome, Store

_UNFINISHED = frozenset({Fault.CONFLICT, Fault.UNMERGED})
_KINDS = {State.NEW: Kind.NEW, State.REPEAT: Kind.AGAIN, State.ENDING: Kind.RETIRED}


class Wanted(NamedTuple):
    """What goes on the branch: the *names*, or all that is sound; where it starts, what its request is called."""

    names: tuple[str, ...] = ()
    base: str = ""
    remote: str = ""
    title: str = ""


class Stays(NamedTuple):
    """A proposal or entry that does not go on the branch, by its short name, and why."""

    short: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Outcome):
    """A branch that can be made; nothing is written yet. Its *edits* are those of all *commits*, in their order.

    *stem* is the beginning of its name.
    """

    on: Ground
    start: Base
    items: tuple[Item, ...] = ()
    commits: tuple[Commit, ...] = ()
    stays: tuple[Stays, ...] = ()
    request: Request = field(default=Request("", ""))
    stem: str = ""


class Unpushed(NamedTuple):
    """A branch that was made before: its *name*, where it starts, and its request."""

    name: str
    start: Base
    request: Request


def unpushed(workspace: Workspace, wanted: Wanted) -> tuple[Unpushed, ...]:
    """The branches with proposals that no remote has, as far as is known here."""
    asked = away.split(workspace, proposals.read(workspace, store.config(workspace))[0]).asked
    here = branches.unpushed(workspace) if asked else frozenset()
    start = branches.base(workspace, wanted.base, wanted.remote or branches.ORIGIN) if here else Base("", "")
    made: dict[str, list[Item]] = {}
    for one in asked:
        if one.branch in here:
            kind = Kind.RETIRED if one.proposal.entry.retired else Kind.NEW
            made.setdefault(one.branch, []).append(Item(kind, one.proposal.entry, (), one.proposal.key))
    return tuple(Unpushed(name, start, publication.request(items, wanted.title)) for name, items in made.items())


def run(workspace: Workspace, wanted: Wanted, *, today: str) -> Branch:
    """The branch with what waits, or with what *wanted* names, on an ISO date.

    Entries, settings, sources and evidence are those of the commit that it starts from; git's index is looked at for
    entries that are named and for what memories cite, the work tree for nothing. CuratorError where nothing can
    start, and for a name that means nothing or cannot go.
    """
    start = branches.base(workspace, wanted.base, wanted.remote or branches.ORIGIN)
    on, held = _there(workspace, start)
    read, findings = proposals.read(workspace, held.config)
    waiting, asked = away.split(workspace, read)
    named, here = _named(workspace, wanted.names, read, asked)
    picked = named if wanted.names else waiting
    prepared = proposals.prepare(workspace, held, [(one, queue.NOTHING) for one in picked], today=today, on=on)
    load = _Load(on, start, held, today)
    own = _own(on, prepared)
    for one in prepared:
        load.take(one, alone=bool(wanted.names), own=own.get(one.proposal.key, ()))
    for entry in here:
        load.bring(entry)
    if len(wanted.names) == 1 and load.stays:
        raise CuratorError(load.stays[0].reason, where=load.stays[0].short)
    return _branch(on, start, held, load, wanted, () if wanted.names else findings, today)


def _own(on: Ground, prepared: Iterable[Prepared]) -> dict[str, tuple[Source, ...]]:
    """For the keys of new memories what they are about that is here and not where the branch starts."""
    new = [one for one in prepared if one.state is State.NEW]
    if not new:
        return {}
    here = plumbing.index(on.workspace).files
    named = cited.naming(on.workspace, here, [one.entry.text for one in new])
    about = {
        one.proposal.key: (
            *one.proposal.entry.sources,
            *(source for source, _ in named(one.entry.text, one.proposal.entry.scope, ())),
        )
        for one in new
    }
    every = (source for sources in about.values() for source in sources)
    lacking = cited.only_here(on.workspace, here, on.tree.files, every)
    return {key: tuple(one for one in sources if one in lacking) for key, sources in about.items()}


def _there(workspace: Workspace, start: Base) -> tuple[Ground, Store]:
    """The tree that a branch starts from, with its entries and settings."""
    side = snapshot.both(workspace, "", start.commit)[1]
    if side.unsettled:
        found = side.unsettled
        raise CuratorError(f"on {start.name}: {found.message}", where=found.where, hint=found.hint)
    return Ground(workspace, side.tree, start.commit), Store(side.config, side.entries, side.findings)


def _branch(
    on: Ground, start: Base, held: Store, load: _Load, wanted: Wanted, findings: tuple[Finding, ...], today: str
) -> Branch:
    commits = [Commit(publication.message(item), item.edits) for item in load.items]
    edits, notes = _blocks(on, held, load.items, today)
    if edits:
        commits.append(Commit(publication.block_message([edit.path for edit in edits]), edits))
    return Branch(
        on=on,
        start=start,
        items=tuple(load.items),
        commits=tuple(commits),
        stays=tuple(load.stays),
        request=publication.request(load.items, wanted.title, rendered=bool(edits)),
        stem=publication.stem(load.items, today),
        edits=tuple(edit for commit in commits for edit in commit.edits),
        findings=findings,
        notes=(*load.notes, *notes),
    )


def _named(
    workspace: Workspace, names: Sequence[str], read: Sequence[Proposal], asked: Iterable[Asked]
) -> tuple[tuple[Proposal, ...], tuple[Entry, ...]]:
    """The proposals that *names* mean, and for the other names the entries of the index."""
    away_on = {one.proposal.key: one.branch for one in asked}
    found: dict[str, Proposal] = {}
    entries: dict[str, Entry] = {}
    for name in names:
        one = queue.named(read, name)
        if one is None:
            known = store.load(workspace, trust=store.INDEX).entries
            entry = roster.named(known, name)
            entries[entry.id] = entry
        elif one.key in away_on:
            hint = "when that branch is deleted, here and where it was pushed, it waits again"
            raise CuratorError(f"is on {away_on[one.key]} already", where=one.short, hint=hint)
        else:
            found[one.key] = one
    return tuple(found.values()), tuple(entries.values())


def _blocks(on: Ground, held: Store, items: Sequence[Item], today: str) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """The blocks as they have to be with *items*, where they are rendered on every branch."""
    if held.config.block != "here" or not items:
        return (), ()
    if held.config.trust != store.INDEX:
        return (), (f"trust: {held.config.trust}: the block is left as it is until that has them",)
    open_ones = [found for found in held.findings if found.kind in _UNFINISHED]
    if open_ones:
        return (), (f"{open_ones[0].where}: {open_ones[0].message}; the block is left as it is",)
    gone = {name for item in items for name in item.replaces}
    entries = {one.path: queue.retired(one, today) if one.id in gone else one for one in held.entries}
    entries |= {item.entry.path: item.entry for item in items}
    return blocks.renewed(on, held.config, [entries[path] for path in sorted(entries)], today)


def _listed(sources: Iterable[Source]) -> str:
    return ", ".join(dict.fromkeys(harvest.shown(source) for source in sources))


class _Load:
    """What goes on the branch so far, what stays, and what there is to say."""

    def __init__(self, on: Ground, start: Base, held: Store, today: str) -> None:
        self.items: list[Item] = []
        self.stays: list[Stays] = []
        self.notes: list[str] = []
        self._on = on
        self._there = start.name
        self._held = held
        self._today = today
        self._known = Known(held.entries, held.config.namespace)
        self._said: set[str] = set()
        self._paths: set[str] = set()

    def take(self, one: Prepared, *, alone: bool, own: Sequence[Source] = ()) -> None:
        """Take a proposal along. Not *alone*, it must ask for no look of its own, and be about nothing of its *own*."""
        short, told = one.proposal.short, queue.why(one)
        gone = () if one.state is State.ENDING else tuple(old.id for old in one.retires)
        known = queue.known_fault(one)
        if one.state is State.DONE:
            reason = f"{self._there} has it already: `curator accept {short}` clears it once you have that here"
            self.stays.append(Stays(short, reason))
        elif known or one.faults:
            way = known.hint if known else queue.hint(one.proposal, one.faults)
            self.stays.append(Stays(short, f"{told}; {way}"))
        elif not (alone or (one.is_safe and one.replaces is None)):
            self.stays.append(Stays(short, f"{told}: `curator pr {short}` takes it"))
        elif own and not alone:
            lacks = f"{_listed(own)} is not on {self._there}, so it belongs to your branch"
            self.stays.append(Stays(short, f"{lacks}: `curator accept {short}`"))
        else:
            kind = _KINDS[one.state]
            edits = tuple(edit for edit in one.edits if edit.changes)
            warnings = (*one.warnings, *([f"it seems to replace {one.replaces.id}"] if one.replaces else []))
            self._add(Item(kind, one.entry, edits, one.proposal.key, gone, warnings, one.proposal.entry))
            self.notes.extend(f"{short}: {note}" for note in one.notes)
            unsaid = [source for source in own if source not in one.proposal.entry.sources]
            if unsaid:
                self.notes.append(f"{short}: {_listed(unsaid)} is not on {self._there}, and is not cited")

    def bring(self, entry: Entry) -> None:
        """Take along an entry of the index that is not there yet, or its retirement."""
        known = self._known.by_id.get(entry.id)
        try:
            self._add(self._retirement(known, entry) if known else self._brought(entry))
        except CuratorError as error:
            self.stays.append(Stays(entry.id, error.message))

    def _add(self, item: Item) -> None:
        """One more, unless another one says the same or changes the same file."""
        said = {item.entry.origin.key, keys.key(self._held.config.namespace, item.entry.text)} - {""}
        paths = {edit.path for edit in item.edits}
        if not item.edits:
            self.stays.append(Stays(item.short, f"{self._there} has it already"))
        elif said & self._said or paths & self._paths:
            reason = "another memory of this branch says the same or changes the same file"
            self.stays.append(Stays(item.short, f"{reason}: `curator pr {item.short}` makes one of its own"))
        else:
            self._said |= said
            self._paths |= paths
            self.items.append(item)

    def _retirement(self, known: Entry, entry: Entry) -> Item:
        if known.retired or not entry.retired:
            raise CuratorError(f"{self._there} has it already; a change to it goes with a commit of your own")
        after = replace(known, retired=entry.retired)
        return Item(Kind.RETIRED, after, (self._spliced(known, after),))

    def _brought(self, entry: Entry) -> Item:
        """The entry as it is here, without the sources that only this branch has, and those that it replaces."""
        if entry.retired:
            raise CuratorError(f"is retired here, and {self._there} never had it")
        self._refuse_place(entry)
        place = branches.having(self._on.workspace, entry.path)
        if place:
            self.notes.append(f"{entry.id} is on {place} too: whichever is merged first, delete the other")
        staged = plumbing.staged(self._on.workspace, entry.path) or ""
        if files.read_or_none(self._on.workspace, entry.path) not in {staged, None}:
            self.notes.append(f"{entry.path} is changed and not staged: what is staged goes")
        fitted = self._fitted(entry)
        text = splicing.splice(staged, entry, fitted) if fitted != entry else staged
        vetted, found = vetting.vet_text(text, entry.path, self._held.config.categories)
        if vetted is None:
            raise CuratorError("; ".join(dict.fromkeys(one.message for one in vetting.errors(found))))
        old = [self._known.by_id[name] for name in entry.supersedes if name in self._known.by_id]
        retires = [(one, queue.retired(one, self._today)) for one in old if not one.retired]
        edits = (Edit(entry.path, None, text), *(self._spliced(before, after) for before, after in retires))
        replaced = tuple(before.id for before, _ in retires)
        return Item(Kind.NEW, fitted, edits, replaces=replaced, warnings=tuple(caution.warnings(entry, found)))

    def _fitted(self, entry: Entry) -> Entry:
        """The entry without what has no place there; otherwise as it stands, so that both branches hold the same."""
        there = cited.files(self._on.workspace, self._on.tree.files, [source.path for source in entry.sources])
        gone = dict.fromkeys(source.path for source in entry.sources if source.path not in there)
        if gone:
            names = ", ".join(gone)
            self.notes.append(f"{entry.id}: {names} is not on {self._there}, and is left out of the sources")
            left = tuple(one for one in entry.sources if one.path not in gone)
            due = "" if harvest.is_checkable(entry.text, left) else queue.due(self._today)
            entry = replace(entry, sources=left, review_by=entry.review_by or due)
        if self._held.config.capture.quotes == "drop":
            entry = replace(entry, origin=replace(entry.origin, quote=""))
        return entry

    def _refuse_place(self, entry: Entry) -> None:
        """Raise where it is known there in other words, or has no place there."""
        state, other = self._known.state(entry)
        if state is not State.NEW and other:
            raise CuratorError(f"{self._there} says that already ({other.path})")
        home = entry.path.removesuffix(codec.path_of(entry.id, entry.category))
        if home and f"{home}{MEMORIES}/{store.CONFIG}" not in self._on.tree.files:
            raise CuratorError(f"{self._there} has no {home}{MEMORIES}/{store.CONFIG}")
        if self._on.lying(entry.path) is not None:
            raise CuratorError(f"{self._there} has a file {entry.path} that says something else")

    def _spliced(self, before: Entry, after: Entry) -> Edit:
        text = self._on.known(before.path)
        return Edit(before.path, text, splicing.splice(text, before, after))
