"""The proposals of the inbox, read as what strangers wrote, and what accepting each would write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from curator.core import (
    alike,
    caution,
    codec,
    ending,
    harvest,
    lifecycle,
    queue,
    reversal,
    roster,
    secrets,
    splicing,
    vetting,
)
from curator.core.harvest import File
from curator.core.queue import Choice, Known, Prepared, Proposal, State
from curator.edge import arrivals, cited, ground, inbox, store
from curator.edge.cited import Naming
from curator.edge.ground import Ground
from curator.errors import CuratorError
from curator.model import Config, Entry, Fault, Finding, Source, Workspace
from curator.outcome import Edit, Store


def read(
    workspace: Workspace, config: Config, name: str = "", *, keys: Iterable[str] | None = None
) -> tuple[tuple[Proposal, ...], tuple[Finding, ...]]:
    """Every proposal that can be read, those that have waited longest first, and what is wrong with the others.

    Where *name* is the key of one, only that is read; of *keys* only those, in their order.
    """
    proposals: list[Proposal] = []
    findings: list[Finding] = []
    if inbox.is_key(name) and inbox.holds(workspace, name):
        keys = (name,)
    for key in inbox.waiting(workspace) if keys is None else keys:
        try:
            data = inbox.read(workspace, key)
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            hint = f"`curator reject {key} --reason noise` removes it"
            findings.append(Finding(Fault.INVALID, f"{key}.yaml", message, hint))
            continue
        if data is None:
            continue
        entry, faults = _parsed(data, key, config)
        if entry is None:
            findings.extend(one._replace(hint=_way_out(key, one.hint)) for one in vetting.errors(faults)[:1])
        else:
            text = data.decode("utf-8", "surrogateescape")
            proposals.append(Proposal(key, entry, text, arrivals.remote(workspace, key)))
    return tuple(proposals), tuple(findings)


def is_still(workspace: Workspace, proposal: Proposal) -> bool:
    """Does the inbox still hold a proposal as it was read?"""
    with suppress(OSError):
        return inbox.read(workspace, proposal.key) == proposal.text.encode("utf-8", "surrogateescape")
    return False


def _parsed(data: bytes, key: str, config: Config) -> tuple[Entry | None, tuple[Finding, ...]]:
    """What a file says; nothing of one that holds a secret, spelt out or behind escapes, since it would be shown."""
    entry, findings = codec.read(data, f"{key}.yaml", config.categories, placed=False)
    for text in (data.decode("utf-8", "replace"), codec.write(entry) if entry else ""):
        for secret in secrets.find(text)[:1]:
            found = Finding(Fault.SECRET, f"{key}.yaml:{secret.line}", f"looks like a secret: {secret.kind}")
            return None, (found,)
    return entry, findings


def _way_out(key: str, hint: str) -> str:
    ways = f"`curator edit {key}`, or `curator reject {key} --reason noise`"
    return f"{hint}: {ways}" if hint else ways


def prepare(
    workspace: Workspace,
    held: Store,
    wanted: Sequence[tuple[Proposal, Choice]],
    *,
    today: str,
    on: Ground | None = None,
) -> tuple[Prepared, ...]:
    """What accepting each would write on an ISO date, with what a reviewer should see; writes nothing.

    *held* and its evidence are those of *on*: the index where nothing else is said.
    CuratorError for a choice that cannot be; what is wrong with a proposal is told in its faults.
    """
    if not wanted:
        return ()
    on = on or ground.index(workspace)
    texts = [choice.text or one.entry.text for one, choice in wanted]
    in_use = lifecycle.in_use(held.entries, today)
    maker = _Maker(held, on, cited.naming(workspace, on.tree.files, texts, at=on.commit), today)
    near = alike.among(in_use)
    return tuple(_judged(maker.prepared(one, choice), near, held) for one, choice in wanted)


def _judged(prepared: Prepared, near: alike.Near, held: Store) -> Prepared:
    entry = prepared.entry
    found: tuple[Finding, ...] = ()
    if prepared.state is State.NEW and entry.path:
        _, found = vetting.vet_text(codec.write(entry), entry.path, held.config.categories)
    elif prepared.state is State.ENDING and prepared.edits:
        _, found = vetting.vet_text(prepared.edits[0].after, entry.path, held.config.categories)
        found = ending.own(found)
    faults = (*prepared.faults, *vetting.errors(found))
    return replace(
        prepared,
        near=tuple(
            pair for pair in near(entry.text) if pair[0].id not in {entry.id, prepared.known and prepared.known.id}
        ),
        cue=reversal.cue(entry.text),
        warnings=(*caution.foreign(prepared.proposal), *_warnings(prepared, found)),
        faults=tuple(dict.fromkeys(faults)),
    )


def _warnings(prepared: Prepared, found: Iterable[Finding]) -> Iterator[str]:
    """What asks for a second look in what a proposal says; of a repeat the memory that it repeats says it."""
    proposed = prepared.proposal.entry
    if prepared.state is State.ENDING:
        yield from ending.warnings(proposed, prepared.known, found)
    else:
        yield from caution.warnings(proposed if prepared.state is State.REPEAT else prepared.entry, found)


class _Maker:
    """All that is read once for many proposals."""

    def __init__(self, held: Store, on: Ground, naming: Naming, today: str) -> None:
        self._held = held
        self._on = on
        self._naming = naming
        self._today = today
        self._known = Known(held.entries, held.config.namespace)

    def prepared(self, proposal: Proposal, choice: Choice) -> Prepared:
        """One proposal with a choice. Without one nothing raises: a bad file must not hide the others."""
        try:
            return self._prepared(proposal, choice)
        except CuratorError as error:
            if choice != queue.NOTHING:
                raise
            fault = _finding(error, proposal.entry.id)
            return Prepared(proposal=proposal, state=State.NEW, entry=proposal.entry, faults=(fault,))

    def _prepared(self, proposal: Proposal, choice: Choice) -> Prepared:
        if proposal.entry.retired:
            return self._ending(proposal, choice)
        state, known = self._known.state(proposal.entry)
        says = self._known.says(choice.text) if choice.text and state is State.NEW else None
        if says:
            state, known = State.KNOWN, says
        if state is State.NEW:
            return self._new(proposal, choice)
        assert known is not None
        prepared = Prepared(proposal=proposal, state=state, entry=known, known=known)
        if state is State.KNOWN:
            return prepared
        if state is State.DONE:  # one that was killed may not have retired what it replaces
            return self._with_edits(prepared, [], retiring=known.supersedes)
        after = self._confirmed(queue.said_again(known, proposal.entry.seen))
        return self._with_edits(replace(prepared, entry=after), [(known, after)], retiring=())

    def _ending(self, proposal: Proposal, choice: Choice) -> Prepared:
        """One that asks to retire a memory, which goes as it is now."""
        if choice != queue.NOTHING:
            message, hint = "asks to retire a memory: nothing of it can be set", ending.hint(proposal.short)
            raise CuratorError(message, where=proposal.short, hint=hint)
        state, known = self._known.state(proposal.entry)
        faults = tuple(ending.faults(proposal.entry, known))
        prepared = Prepared(proposal=proposal, state=state, entry=known or proposal.entry, known=known, faults=faults)
        if known is None or state is State.DONE:
            return prepared
        after = ending.taken(known, proposal.entry, self._today)
        made = self._with_edits(replace(prepared, entry=after), [(known, after)], retiring=())
        return replace(made, faults=(*faults, *(one for one in made.faults if one not in faults)), retires=(known,))

    def _new(self, proposal: Proposal, choice: Choice) -> Prepared:
        ids = tuple(roster.named(self._held.entries, name).id for name in choice.supersedes)
        draft = queue.chosen(proposal, replace(choice, supersedes=ids), self._held.config, self._known)
        sources, read, notes = self._sources(draft, choice)
        home = store.home(self._on.tree, draft.scope) if draft.scope else ""
        entry = self._confirmed(queue.finished(draft, sources, read, self._today, home))
        notes = (*notes, *roster.unknown(entry, self._held.entries, self._on.tree.files))
        prepared = Prepared(proposal=proposal, state=State.NEW, entry=entry, notes=notes)
        try:
            edit = _placed(self._on, entry, codec.write(entry))
        except CuratorError as error:
            return replace(prepared, faults=(_finding(error, entry.path),))
        made = replace(prepared, edits=(edit,), stage=(entry.path,))
        return self._with_edits(made, [], retiring=entry.supersedes)

    def _confirmed(self, entry: Entry) -> Entry:
        """An entry with the date of the person who accepts it; on a branch it only asks to be."""
        return entry if self._on.commit else replace(entry, confirmed=self._today)

    def _sources(self, draft: Entry, choice: Choice) -> tuple[tuple[Source, ...], Mapping[str, File], tuple[str, ...]]:
        tree = self._on.tree.files
        listed = draft.sources if choice.sources is None else choice.sources
        read = cited.files(self._on.workspace, tree, [source.path for source in listed]) if listed else {}
        if choice.sources is not None:
            cited.refuse_untracked(listed, read, tree)
            notes = tuple(filter(None, (harvest.examine(source, read[source.path]) for source in listed)))
            return tuple(dict.fromkeys(listed)), read, notes
        kept, notes = queue.holding(listed, read, self._on.commit)
        found = self._naming(draft.text, draft.scope, {source.path for source in kept}) if choice.cite else ()
        return (*kept, *(source for source, _ in found)), {**read, **{one.path: file for one, file in found}}, notes

    def _with_edits(
        self, prepared: Prepared, changed: list[tuple[Entry, Entry]], *, retiring: Sequence[str]
    ) -> Prepared:
        """The same with the edits of known entries: one that was said again, those whose place it takes."""
        old = [self._known.by_id[name] for name in retiring if name in self._known.by_id]
        retires = tuple(one for one in old if not one.retired)
        pairs = [*changed, *((one, queue.retired(one, self._today)) for one in retires)]
        try:
            edits = tuple(_changed(self._on, self._held.config, before.path, after) for before, after in pairs)
        except CuratorError as error:
            return replace(prepared, retires=retires, faults=(_finding(error, prepared.entry.path),))
        return replace(
            prepared,
            edits=(*prepared.edits, *edits),
            stage=(*prepared.stage, *(edit.path for edit in edits)),
            retires=retires,
        )


def _placed(on: Ground, entry: Entry, text: str) -> Edit:
    """The new file. One that an interrupted accept of the same thing left unstaged is finished.

    A file of that name that says something else is nobody's to overwrite.
    """
    lying = on.lying(entry.path)
    if lying is None or lying == text:
        return Edit(entry.path, lying, text)
    found, _ = codec.read(lying.encode("utf-8", "surrogateescape"), entry.path, (entry.category,))
    if found and (found.id, codec.canonical(found.text), found.origin.key) == (entry.id, entry.text, entry.origin.key):
        return Edit(entry.path, lying, text)
    hint = "look at it: `git add` it if it is right, or delete it; then try again"
    raise CuratorError("a file of that name is there already and says something else", where=entry.path, hint=hint)


def _changed(on: Ground, config: Config, path: str, after: Entry) -> Edit:
    """The edit of a known entry's file. What an interrupted accept wrote and did not stage is no unstaged change."""
    trusted = on.known(path)
    before, findings = codec.read(trusted.encode("utf-8", "surrogateescape"), path, config.categories)
    if before is None:
        raise CuratorError(findings[0].message, where=findings[0].where, hint=findings[0].hint)
    spliced = splicing.splice(trusted, before, after)
    if on.lying(path) == spliced:
        return Edit(path, spliced, spliced)
    return Edit(path, on.settled(path), spliced)


def _finding(error: CuratorError, path: str) -> Finding:
    return Finding(Fault.INVALID, error.where or path, error.message, error.hint)


def kept(proposal: Proposal) -> str:
    """What a message says of a proposal that stays."""
    return f"the proposal stays in the inbox ({proposal.short})"
