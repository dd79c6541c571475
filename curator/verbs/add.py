"""Make one new entry, or one proposal, of what a person or an agent says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from curator.core import alike, codec, guess, harvest, vetting
from curator.edge import inbox, plumbing, store
from curator.errors import CuratorError
from curator.model import Config, Entry, Finding, Source, Workspace
from curator.outcome import Draft, Edit, Outcome


def run(workspace: Workspace, draft: Draft, *, now: str, tail: str, propose: bool = False) -> Outcome:
    """One new file: an entry to stage, or a proposal in the inbox.

    *now* is ISO 8601 with time, *tail* 6 random hex digits. Raises
    CuratorError, with every reason, for what an entry may not hold.
    """
    held = store.load(workspace)
    tracked = plumbing.index(workspace)
    blobs = {path: file.blob for path, file in tracked.files.items()}
    _known_sources(draft.sources, blobs)
    category = draft.category or _guessed(draft, held.config)
    origin = replace(draft.origin, commit=draft.origin.commit or plumbing.head_commit(workspace))
    entry = harvest.stamp(
        replace(draft, category=category, origin=origin),
        blobs,
        namespace=held.config.namespace,
        now=now,
        tail=tail,
        home=store.home(tracked, draft.scope),
    )
    text = codec.write(entry)
    refuse(entry, text, held.config)
    _refuse_known(entry, held.entries, held.config.namespace)
    path = inbox.path(workspace, entry.origin.key) if propose else entry.path
    return Outcome(
        edits=(Edit(path, None, text),),
        notes=(*_near(entry, held.entries), *_unknown(entry, held.entries, blobs)),
        stage=() if propose else (path,),
    )


def refuse(entry: Entry, text: str, config: Config) -> None:
    """Raise when the file that would be written could not be read back as an entry."""
    _, findings = vetting.vet_text(text, entry.path, config.categories)
    faults = vetting.errors(findings)
    if faults:
        raise CuratorError(_reasons(faults), hint=faults[0].hint or "reword it, then try again")


def _reasons(faults: Iterable[Finding]) -> str:
    return "this cannot be a memory: " + "; ".join(dict.fromkeys(fault.message for fault in faults))


def _guessed(draft: Draft, config: Config) -> str:
    found = guess.category(draft.text, (), routes=bool(draft.sources))
    return found if found in config.categories else config.categories[0]


def _known_sources(sources: Iterable[Source], blobs: dict[str, str]) -> None:
    for source in sources:
        if source.path in blobs:
            continue
        if any(path.startswith(source.path.rstrip("/") + "/") for path in blobs):
            hint = "name a file in it, or use `--scope` for a whole folder"
            raise CuratorError("a folder cannot be a source", where=source.path, hint=hint)
        raise CuratorError("not a tracked file", where=source.path, hint=f"check the path, or `git add {source.path}`")


def _refuse_known(entry: Entry, entries: Iterable[Entry], namespace: str) -> None:
    for known in entries:
        if entry.origin.key == codec.key(namespace, known.text):
            state = f", and was retired: {known.retired.reason}" if known.retired else " already"
            raise CuratorError(f"that is known{state}", where=known.path, hint=f"`curator show {known.id}`")


def _unknown(entry: Entry, entries: Iterable[Entry], blobs: Iterable[str]) -> Iterator[str]:
    """Names that may be slips of the pen: nothing is wrong with the entry, only nothing will come of them."""
    known = {one.id for one in entries}
    yield from (f"supersedes {old}, which is not here" for old in entry.supersedes if old not in known)
    if entry.scope and not any(path.startswith(entry.scope) for path in blobs):
        yield f"no tracked file below {entry.scope}"


def _near(entry: Entry, entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(
        f"looks like {near.category}/{near.id} ({likeness:.2f}): {' '.join(near.text.split())}"
        for near, likeness in alike.alike(entry.text, [one for one in entries if not one.retired])
    )
