"""Make one new entry, or one proposal, of what a person or an agent says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from curator.core import alike, checkup, codec, guess, harvest, keys, mention, roster, vetting
from curator.edge import arrivals, cited, inbox, plumbing, store
from curator.errors import CuratorError
from curator.model import Config, Entry, Origin, Source, Workspace
from curator.outcome import Draft, Edit, Outcome, Store


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
    cited.refuse_untracked(draft.sources, given, tree.files)
    notes = [harvest.examine(source, given[source.path]) for source in draft.sources]
    found = cited.naming(workspace, tree.files, [draft.text])(draft.text, draft.scope, given) if cite else ()
    taken = {source: file for source, file in found if ask is None or ask(source)}
    draft = replace(draft, sources=(*draft.sources, *taken), supersedes=_replaced(workspace, draft))
    texts = {**given, **{source.path: file for source, file in taken.items()}}
    category = draft.category or _guessed(draft, held.config)
    commit = draft.origin.commit or plumbing.head_commit(workspace)
    entry = harvest.stamp(
        replace(draft, category=category, origin=replace(draft.origin, commit=commit)),
        texts,
        namespace=held.config.namespace,
        now=now,
        tail=tail,
        home=store.home(tree, draft.scope),
    )
    if propose:
        entry = replace(entry, scope=draft.scope)  # a proposal has no folder that says it
    text = codec.write(entry)
    vetting.refuse(vetting.vet_text(text, entry.path, held.config.categories)[1])
    _refuse_known(workspace, entry, held, propose=propose)
    path = inbox.path(workspace, entry.origin.key) if propose else entry.path
    notes.extend(_cited(taken) if ask is None else ())
    lost = mention.missing(entry.text, mention.paths(tree.files)) if cite and "/" in entry.text else ()
    notes.extend(
        (*_unchecked(entry, lost), *_near(entry, held.entries), *roster.unknown(entry, held.entries, tree.files))
    )
    stage = () if propose else (path,)
    before = _yielding(workspace, entry.origin) if propose else None
    return Outcome(edits=(Edit(path, before, text),), notes=tuple(filter(None, notes)), stage=stage)


def _yielding(workspace: Workspace, origin: Origin) -> str | None:
    """What waits under this key and gives way to what is said here."""
    return arrivals.yielding(workspace, origin.key, origin.by).decode("utf-8", "surrogateescape") or None


def _replaced(workspace: Workspace, draft: Draft) -> tuple[str, ...]:
    """The ids of the entries that a draft takes the place of, which may be named by a part of them."""
    known = store.load(workspace, trust=store.INDEX).entries if draft.supersedes else ()
    return tuple(dict.fromkeys(roster.named(known, name).id for name in draft.supersedes))


def _cited(taken: Iterable[Source]) -> Iterator[str]:
    for source in taken:
        yield f"cites {harvest.shown(source)}, which the text names; `--no-cite` leaves it out"


def _unchecked(entry: Entry, lost: Iterable[str]) -> Iterator[str]:
    """What no check will see: *lost* are files that the text names and that are nowhere."""
    yield from (f"{path} is not in this repository" for path in lost)
    if entry.review_by:
        way = "" if entry.sources or lost else ": name its file with `--source`"
        yield f"nothing in it can be checked against the code{way}; a person looks again by {entry.review_by}"


def _guessed(draft: Draft, config: Config) -> str:
    found = guess.category(draft.text, (), routes=bool(draft.sources))
    return found if found in config.categories else config.categories[0]


def _refuse_known(workspace: Workspace, entry: Entry, held: Store, *, propose: bool) -> None:
    """Raise for what an entry says; for a proposal also for what one said before an edit, and what a person refused."""
    for known in held.entries:
        said = {keys.key(held.config.namespace, known.text), *([known.origin.key] if propose else [])}
        if entry.origin.key in said:
            state = f", and was retired: {known.retired.reason}" if known.retired else " already"
            raise CuratorError(f"that is known{state}", where=known.path, hint=f"`curator show {known.id}`")
    if propose and inbox.is_refused(workspace, entry.origin.key):
        raise CuratorError(
            "a person refused that before", hint="`curator add`, typed by a person, takes it all the same"
        )


def _near(entry: Entry, entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(
        f"looks like {near.category}/{near.id} ({likeness:.2f}): {' '.join(near.text.split())}"
        f"\n  -> `curator show {checkup.short(near)}`; what replaces it is added with `--supersedes {near.id}`"
        for near, likeness in alike.alike(entry.text, [one for one in entries if not one.retired])
        if near.id not in entry.supersedes
    )
