"""Make one new entry, or one proposal, of what a person or an agent says."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace

from curator.core import alike, codec, guess, harvest, keys, mention, vetting
from curator.edge import cited, inbox, plumbing, store
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Config, Entry, Finding, Source, Workspace
from curator.outcome import Draft, Edit, Outcome


def run(
    workspace: Workspace,
    draft: Draft,
    *,
    now: str,
    tail: str,
    propose: bool = False,
    cite: bool = True,
    ask: Callable[[Source], bool] | None = None,
) -> Outcome:
    """One new file: an entry to stage, or a proposal in the inbox.

    *now* is ISO 8601 with time, *tail* 6 random hex digits. With *cite*, files
    and symbols that the text itself names become sources too: those that *ask*
    takes, or all of them, with a note on each. Raises CuratorError, with every
    reason, for what an entry may not hold and for a source that does not fit.
    """
    held = store.load(workspace)
    tree = plumbing.index(workspace)
    given = cited.files(workspace, tree.files, (source.path for source in draft.sources))
    _known_sources(draft.sources, given, tree.files)
    notes = [harvest.examine(source, given[source.path]) for source in draft.sources]
    found = _proposed(workspace, tree.files, draft) if cite else ()
    taken = {source: file for source, file in found if ask is None or ask(source)}
    draft = replace(draft, sources=(*draft.sources, *taken))
    files = {**given, **{source.path: file for source, file in taken.items()}}
    category = draft.category or _guessed(draft, held.config)
    commit = draft.origin.commit or plumbing.head_commit(workspace)
    entry = harvest.stamp(
        replace(draft, category=category, origin=replace(draft.origin, commit=commit)),
        files,
        namespace=held.config.namespace,
        now=now,
        tail=tail,
        home=store.home(tree, draft.scope),
    )
    text = codec.write(entry)
    refuse(entry, text, held.config)
    _refuse_known(entry, held.entries, held.config.namespace)
    path = inbox.path(workspace, entry.origin.key) if propose else entry.path
    notes.extend(_cited(taken) if ask is None else ())
    notes.extend((*_unchecked(entry), *_near(entry, held.entries), *_unknown(entry, held.entries, tree.files)))
    return Outcome(
        edits=(Edit(path, None, text),),
        notes=tuple(filter(None, notes)),
        stage=() if propose else (path,),
    )


def _proposed(
    workspace: Workspace, tree: Mapping[str, Tracked], draft: Draft
) -> tuple[tuple[Source, harvest.File], ...]:
    """Sources that the text itself names, beside those of the draft: files, then names that one file alone defines."""
    defined: dict[str, Source] = {}
    for one in cited.definers(workspace, tree, draft.text):
        defined.setdefault(one.path, one)
    every = {one.path: one for one in mention.sources(draft.text, mention.paths(tree), draft.scope)}
    every = {path: defined.pop(path, one) if not one.symbol else one for path, one in every.items()} | defined
    given = {source.path for source in draft.sources}
    wanted = [one for path, one in every.items() if path not in given and mention.is_proposable(draft.text, path)]
    chosen = wanted[: max(0, mention.MOST - len(given))]
    files = cited.files(workspace, tree, (one.path for one in chosen))
    return tuple((harvest.fitting(one, files[one.path]), files[one.path]) for one in chosen if one.path in files)


def _cited(taken: Iterable[Source]) -> Iterator[str]:
    for source in taken:
        yield f"cites {harvest.shown(source)}, which the text names; `--no-cite` leaves it out"


def _unchecked(entry: Entry) -> Iterator[str]:
    if entry.review_by:
        yield f"nothing in it can be checked against the code; a person looks again by {entry.review_by}"


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


def _known_sources(sources: Iterable[Source], known: Container[str], tree: Iterable[str]) -> None:
    for source in sources:
        if source.path in known:
            continue
        if any(path.startswith(source.path.rstrip("/") + "/") for path in tree):
            hint = "name a file in it, or use `--scope` for a whole folder"
            raise CuratorError("a folder cannot be a source", where=source.path, hint=hint)
        raise CuratorError("not a tracked file", where=source.path, hint=f"check the path, or `git add {source.path}`")


def _refuse_known(entry: Entry, entries: Iterable[Entry], namespace: str) -> None:
    for known in entries:
        if entry.origin.key == keys.key(namespace, known.text):
            state = f", and was retired: {known.retired.reason}" if known.retired else " already"
            raise CuratorError(f"that is known{state}", where=known.path, hint=f"`curator show {known.id}`")


def _unknown(entry: Entry, entries: Iterable[Entry], tracked: Iterable[str]) -> Iterator[str]:
    """Names that may be slips of the pen: nothing is wrong with the entry, only nothing will come of them."""
    known = {one.id for one in entries}
    yield from (f"supersedes {old}, which is not here" for old in entry.supersedes if old not in known)
    if entry.scope and not any(path.startswith(entry.scope) for path in tracked):
        yield f"no tracked file below {entry.scope}"


def _near(entry: Entry, entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(
        f"looks like {near.category}/{near.id} ({likeness:.2f}): {' '.join(near.text.split())}"
        for near, likeness in alike.alike(entry.text, [one for one in entries if not one.retired])
    )
