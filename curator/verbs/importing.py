"""Turn the rules of a hand-written Markdown file into entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from curator.core import codec, harvest, intake, keys, lifecycle, mention, prune, report, rules, secrets, vetting
from curator.edge import cited, files, history, plumbing, store
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Config, Entry, Workspace
from curator.outcome import Draft, Edit, Planned, Statement, Store


def run(
    workspace: Workspace,
    path: str,
    *,
    now: str,
    tail: Callable[[], str],
    category: str = "",
    remove: bool = False,
    doubts: Mapping[int, str] = MappingProxyType({}),
) -> Planned:
    """Plan which statements become entries; with *remove* also their removal from the file.

    *category* overrules the guesses. *tail* gives 6 random hex digits for
    each id. *doubts* say of statements, by their first line, why they no
    longer hold: those stay where they are.
    """
    held = store.load(workspace)
    text = files.read(workspace, path)
    tree = plumbing.index(workspace)
    found = intake.plan(text, tree.files, history.blame(workspace, path), path, held.config.categories)
    doubted = [(statement, doubts[statement.first]) for _, statement in found.drafts if statement.first in doubts]
    drafts = [(draft, statement) for draft, statement in found.drafts if statement.first not in doubts]
    drafts = _sourced(workspace, tree.files, drafts)
    named = cited.files(workspace, tree.files, (one.path for draft, _ in drafts for one in draft.sources))
    room = _Room(held.config, _known(held, now[:10]), named, store.home(tree, path), now)
    planned = list(_judged(room, drafts, category, tail))
    entries = tuple((statement, entry) for statement, entry, reason in planned if entry and not reason)
    stay = [(statement, reason) for statement, _, reason in planned if reason]
    edits = [Edit(entry.path, None, codec.write(entry)) for _, entry in entries]
    if remove:
        gone = [statement for statement, entry, reason in planned if entry]
        edits.append(Edit(path, text, prune.remove(text, gone, path)))
    return Planned(
        edits=tuple(edit for edit in edits if edit.changes),
        stage=tuple(entry.path for _, entry in entries),
        file=path,
        entries=entries,
        notes=tuple(_lost(entries, mention.paths(tree.files))),
        skipped=tuple(sorted(map(_told, (*found.skipped, *doubted, *stay)), key=lambda pair: pair[0].first)),
    )


def _lost(entries: Iterable[tuple[Statement, Entry]], known: mention.Paths) -> Iterator[str]:
    """The files that new entries name and that are nowhere, each with its line."""
    for statement, entry in entries:
        yield from (f"{statement.first:>4}  {path}" for path in mention.missing(entry.text, known))


def _sourced(
    workspace: Workspace, tree: Mapping[str, Tracked], drafts: Sequence[tuple[Draft, Statement]]
) -> list[tuple[Draft, Statement]]:
    """*drafts* with the files that define what they name, beside those whose path they name."""
    homes = cited.defined(workspace, tree, [draft.text for draft, _ in drafts])
    found = []
    for draft, statement in drafts:
        told = [
            one for one in draft.sources if not mention.is_example(draft.text, mention.cited_as(draft.text, one.path))
        ]
        named = {source.path for source in draft.sources}
        more = {one.path: one for one in reversed(homes(draft.text)) if one.path not in named}
        kept = [one for one in more.values() if mention.is_proposable(draft.text, one.path)]
        found.append((replace(draft, sources=(*told, *kept)[: mention.MOST]), statement))
    return found


def _told(skipped: tuple[Statement, str]) -> tuple[Statement, str]:
    """What stays, as it is shown: a secret in it is not printed once more."""
    statement, reason = skipped
    return (replace(statement, text="(not shown)"), reason) if secrets.find(statement.text) else skipped


@dataclass(frozen=True, slots=True)
class _Room:
    """What all drafts of one import are held against.

    *known* maps keys to ids, and to why an entry has ended; *files* are those that drafts cite.
    """

    config: Config
    known: dict[str, tuple[str, str]]
    files: Mapping[str, harvest.File]
    home: str
    now: str


def _judged(
    room: _Room, drafts: Iterable[tuple[Draft, Statement]], category: str, tail: Callable[[], str]
) -> Iterator[tuple[Statement, Entry | None, str]]:
    """Each statement with its entry (None when it cannot be one) and why it is not written, "" when it is."""
    for draft, statement in drafts:
        chosen = category or (draft.category if draft.category in room.config.categories else room.config.categories[0])
        sources = tuple(harvest.fitting(source, room.files.get(source.path)) for source in draft.sources)
        entry = harvest.stamp(
            replace(draft, category=chosen, sources=sources),
            room.files,
            namespace=room.config.namespace,
            now=room.now,
            tail=tail(),
            home=room.home,
        )
        faults = _faults(entry, room.config)
        if faults:
            yield statement, None, faults
            continue
        twin, ended = room.known.setdefault(entry.origin.key, (entry.id, ""))
        if ended:  # no block says it, so it stays in the file
            yield statement, None, f"{twin} was {ended}"
        else:
            yield statement, entry, "" if twin == entry.id else f"already a memory: {twin}"


def _faults(entry: Entry, config: Config) -> str:
    _, findings = vetting.vet_text(codec.write(entry), entry.path, config.categories)
    return "; ".join(dict.fromkeys(found.message for found in vetting.errors(findings)))


def _known(held: Store, as_of: str) -> dict[str, tuple[str, str]]:
    ended = lifecycle.ended(held.entries, as_of)
    pairs = ((keys.key(held.config.namespace, entry.text), entry) for entry in held.entries)
    return {key: (entry.id, ended.get(entry.path, "")) for key, entry in pairs}


def offer(workspace: Workspace, paths: Collection[str]) -> tuple[str, ...]:
    """What there is to import in those targets that are among *paths*."""
    steps = []
    for path in (one.path for one in store.config(workspace).targets if one.path in paths):
        try:
            number = len([one for one in rules.statements(files.read(workspace, path)) if not one.kept])
        except CuratorError:
            continue
        if number:
            told = f"{path} holds {report.plural(number, 'rule')}"
            make = "what they make as memories" if number > 1 else "what it makes as a memory"
            steps.append(f"{told}: `curator import {path}` shows {make}")
    return tuple(steps)
