"""What waits for review, and what a proposal becomes when it is taken: decisions about one, held against the store."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from typing import NamedTuple

from curator.core import checkup, codec, ending, harvest, keys, lifecycle
from curator.errors import CuratorError
from curator.model import Config, Entry, Finding, Retired, Source
from curator.outcome import Outcome

ENOUGH = 20
"""Decisions after which an acceptance rate says something."""
FAIR = 0.6
"""The acceptance rate below which a quieter capture is suggested."""
QUIETER = {"keen": "normal", "normal": "quiet", "quiet": "off"}


class Proposal(NamedTuple):
    """A file of the inbox that can be read: the *key* that names it, what it says, and its *text* as it lies there.

    *remote* is where it was fetched from, "" for one that was made here.
    """

    key: str
    entry: Entry
    text: str
    remote: str = ""

    @property
    def short(self) -> str:
        """What a person types for it: six digits; of one that asks to retire a memory not those of the memory."""
        short = checkup.short(self.entry)
        return short if short != self.entry.id and not self.entry.retired else self.key[:6]


def is_same(seen: Proposal, now: Proposal) -> bool:
    """Whether a proposal says what it said when it was looked at; how often it was said may have changed."""
    return replace(seen.entry, seen=now.entry.seen) == now.entry


def words(entry: Entry) -> str:
    """What stands for all that a proposal says, but how often it was said."""
    return hashlib.sha256(codec.write(replace(entry, seen=1)).encode("utf-8", "surrogateescape")).hexdigest()[:16]


class State(Enum):
    """What a proposal is to the memories that are known."""

    NEW = "new"
    REPEAT = "repeat"  # the same thing was said again: only `seen` and `confirmed` change
    DONE = "accepted"  # accepted already: nothing to write
    KNOWN = "known"  # another entry says it, or said it before it was retired
    ENDING = "retire"  # it asks to retire a memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a reviewer sets; what is empty stays as proposed.

    *sources*: exactly these, instead of those proposed and those that the text names (None). *cite*: with those that
    the text names. *supersedes* comes on top of what the proposal says.
    """

    text: str = ""
    category: str = ""
    importance: int = 0
    tags: tuple[str, ...] | None = None
    sources: tuple[Source, ...] | None = None
    supersedes: tuple[str, ...] = ()
    cite: bool = True


NOTHING = Choice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared(Outcome):
    """What accepting *proposal* would write, and what a reviewer should see before.

    *entry* as it would stand in the tree. *known*: the entry that says the same (REPEAT, DONE, KNOWN), or that goes
    (ENDING). *near*: those that say nearly the same, with their likeness. *cue*: words that speak of a change.
    *warnings*: what a person has to look at; *faults*: why it cannot be accepted as it is. *retires*: entries that it
    takes the place of, or takes out of use.
    """

    proposal: Proposal
    state: State
    entry: Entry
    known: Entry | None = None
    near: tuple[tuple[Entry, float], ...] = ()
    cue: str = ""
    warnings: tuple[str, ...] = ()
    faults: tuple[Finding, ...] = ()
    retires: tuple[Entry, ...] = ()

    @property
    def replaces(self) -> Entry | None:
        """The entry that this one seems to replace: its wording speaks of a change, and there is one like it."""
        if not (self.cue and self.near) or self.state is not State.NEW:
            return None
        nearest = self.near[0][0]
        return None if nearest.id in self.entry.supersedes else nearest

    @property
    def is_safe(self) -> bool:
        """Whether it may be accepted together with others, without a look at it alone."""
        return not (self.warnings or self.faults or self.retires) and self.state in {State.NEW, State.REPEAT}


@dataclass(frozen=True, slots=True)
class Decided:
    """How many of the last decisions took a proposal, and how many refused one."""

    accepted: int = 0
    rejected: int = 0

    @property
    def rate(self) -> float | None:
        """The share that was accepted; None while there are too few to say."""
        total = self.accepted + self.rejected
        return self.accepted / total if total >= ENOUGH else None


class Asked(NamedTuple):
    """A proposal that is on a *branch* for a pull request, and waits for nobody here."""

    proposal: Proposal
    branch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting(Outcome):
    """All that waits, in the order in which it is shown; what cannot be read is in *findings*.

    *unpushed* are branches of *asked* that no remote has, as far as is known here. *more* wait and were not looked at.
    *own* of all were said in this clone's sessions or by its people: those fill the inbox.
    """

    proposals: tuple[Proposal, ...] = ()
    asked: tuple[Asked, ...] = ()
    unpushed: frozenset[str] = frozenset()
    prepared: tuple[Prepared, ...] = ()
    decided: Decided = field(default_factory=Decided)
    sensitivity: str = "normal"
    more: int = 0
    own: int = 0


# --- Names --------------------------------------------------------------------------------------------------------


def named(proposals: Iterable[Proposal], wanted: str) -> Proposal | None:
    """The proposal that *wanted* names: its key or its id, or a beginning of either or of the six digits.

    None when there is none; CuratorError when several fit.
    """
    known = tuple(proposals)
    exact = [one for one in known if wanted in {one.key, one.entry.id}]
    shown = [one for one in known if wanted == one.short]
    near = [one for one in known if one.key.startswith(wanted) or _fits(one.entry, wanted)] if wanted else []
    found = exact or shown or near
    if len(found) > 1:
        listed = ", ".join(sorted(one.key for one in found)[:5])
        raise CuratorError(f"{wanted!r} fits {len(found)} proposals", hint=f"say which: {listed}")
    return found[0] if found else None


def _fits(entry: Entry, wanted: str) -> bool:
    return entry.id.startswith(wanted) or checkup.short(entry).startswith(wanted)


def taken(entries: Iterable[Entry], wanted: str) -> Entry | None:
    """The entry that a proposal of that name has become already."""
    found = [one for one in entries if wanted and (one.origin.key.startswith(wanted) or _fits(one, wanted))]
    return found[0] if len(found) == 1 else None


# --- What it is to the store --------------------------------------------------------------------------------------


class Known:
    """The entries of a store by id, and by all keys of what they say and said."""

    def __init__(self, entries: Sequence[Entry], namespace: str) -> None:
        self._namespace = namespace
        self.by_id = {entry.id: entry for entry in entries}
        self._by_key: dict[str, Entry] = {}
        for entry in entries:
            for key in self._keys(entry):
                self._by_key.setdefault(key, entry)

    def state(self, entry: Entry) -> tuple[State, Entry | None]:
        """What a proposed *entry* is, and the entry that says the same, or that it asks to retire, if there is one."""
        if entry.retired:
            meant = self.by_id.get(entry.id)
            return (State.DONE if meant and meant.retired else State.ENDING), meant
        mine = self._keys(entry)
        same = self.by_id.get(entry.id)
        if same and mine & self._keys(same):
            if same.retired:
                return State.KNOWN, same
            return (State.REPEAT if entry.seen > same.seen else State.DONE), same
        other = next((self._by_key[key] for key in sorted(mine) if key in self._by_key), None)
        if other is None:
            return State.NEW, None
        return (State.DONE if _is_reworded(entry, other) else State.KNOWN), other

    def says(self, text: str) -> Entry | None:
        """The entry that says *text*."""
        return self._by_key.get(keys.key(self._namespace, text))

    def key(self, text: str) -> str:
        return keys.key(self._namespace, text)

    def _keys(self, entry: Entry) -> set[str]:
        return {key for key in (entry.origin.key, keys.key(self._namespace, entry.text)) if key}


def _is_reworded(proposed: Entry, known: Entry) -> bool:
    """Whether a known entry is the proposed one, taken in other words: its id begins with those."""
    if known.retired or not known.origin.key:
        return False
    tail = checkup.short(proposed)
    wanted = proposed.origin.key, proposed.origin.created, tail if tail != proposed.id else proposed.origin.key[:6]
    return wanted == (known.origin.key, known.origin.created, checkup.short(known))


def known_fault(prepared: Prepared) -> CuratorError | None:
    """Why a proposal is not accepted although its file is in order."""
    if prepared.state is not State.KNOWN or not prepared.known:
        return None
    known, short = prepared.known, prepared.proposal.short
    state = f", and was retired: {known.retired.reason}" if known.retired else " already"
    hint = f"`curator reject {short} --reason duplicate`"
    return CuratorError(f"that is known{state}", where=known.path, hint=hint)


def why(prepared: Prepared) -> str:
    """Why a proposal stays when it is one of several."""
    fault = known_fault(prepared)
    reasons = [
        *([f"{fault.message} ({fault.where})"] if fault else []),
        *(found.message for found in prepared.faults),
        *prepared.warnings,
        *(f"it would retire {old.id}" for old in prepared.retires),
        *([f"it seems to replace {prepared.replaces.id}"] if prepared.replaces else []),
    ]
    return "; ".join(reasons) or "accepted already"


def apart(prepared: Iterable[Prepared]) -> tuple[Prepared, ...]:
    """New memories that may be accepted together and have nothing to do with one another.

    Whose words speak of a change may replace one of the others: it is for a look of its own, after these.
    """
    taken: set[str] = set()
    found = []
    for one in prepared:
        names = {one.entry.id, codec.canonical(one.entry.text), one.entry.origin.key} - {""}
        if one.state is State.NEW and one.is_safe and not one.cue and taken.isdisjoint(names):
            found.append(one)
            taken |= names
    return tuple(found)


# --- What it becomes ----------------------------------------------------------------------------------------------


def chosen(proposal: Proposal, choice: Choice, config: Config, known: Known) -> Entry:
    """The proposed entry with what the reviewer set: text, category, importance, tags; not yet its sources.

    Who said it, when and where stays: a wording of one's own keeps the original as its quote, and raises nothing.
    """
    entry = proposal.entry
    if choice.category and choice.category not in config.categories:
        raise CuratorError(f"no category {choice.category!r}", hint=f"there are: {', '.join(config.categories)}")
    text = codec.canonical(choice.text or entry.text)
    origin = replace(entry.origin, key=entry.origin.key or known.key(entry.text))
    if config.capture.quotes == "drop":
        origin = replace(origin, quote="")
    elif text != codec.canonical(entry.text) and not origin.quote and origin.by != "import":
        origin = replace(origin, quote=entry.text)
    category = choice.category or entry.category
    return replace(
        entry,
        id=_id(proposal, choice, text, known),
        text=text,
        category=category,
        importance=choice.importance or entry.importance,
        tags=entry.tags if choice.tags is None else choice.tags,
        supersedes=tuple(dict.fromkeys((*entry.supersedes, *choice.supersedes))),
        expires="" if entry.category == "todo" != category else entry.expires,
        retired=None,
        origin=origin,
    )


def _id(proposal: Proposal, choice: Choice, text: str, known: Known) -> str:
    """The id in the tree: as proposed, unless it is taken, or begins with words that are not its own any more."""
    proposed = proposal.entry.id
    if proposed in known.by_id:
        return f"{codec.slug(text)}-{proposal.key[:6]}"
    return f"{codec.slug(text)}-{proposal.short}" if choice.text and text != proposal.entry.text else proposed


def kept(old: Entry, new: Entry, *, keep_quote: bool) -> Entry:
    """A proposal that a person changed, with all that an edit never touches: id, origin, how often it was said.

    Of one that asks to retire a memory only the reason can be changed.
    """
    if old.retired:
        return ending.kept(old, new)
    origin = old.origin
    if keep_quote and not origin.quote and codec.canonical(old.text) != codec.canonical(new.text):
        origin = replace(origin, quote=old.text)
    return replace(new, id=old.id, seen=old.seen, confirmed="", retired=None, origin=origin)


def holding(
    sources: Iterable[Source], files: Mapping[str, harvest.File], there: str = ""
) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """Those of proposed *sources* that hold in *files*, and what there is to say about the others.

    *there* is the commit that *files* are of, "" for the index.
    """
    kept: list[Source] = []
    notes: list[str] = []
    for source in sources:
        if source.path not in files:
            where = f"at {there[:12]}" if there else "tracked"
            notes.append(f"{source.path} is not {where}, and is left out of the sources")
            continue
        try:
            notes.append(harvest.examine(source, files[source.path]))
            kept.append(source)
        except CuratorError as error:
            notes.append(f"{source.path}: {error.message}; it is cited by its path alone")
            kept.append(Source(source.path))
    return tuple(dict.fromkeys(kept)), tuple(filter(None, notes))


def finished(
    entry: Entry, sources: Sequence[Source], files: Mapping[str, harvest.File], today: str, home: str
) -> Entry:
    """*entry* as it goes into the tree on an ISO date: evidence that *files* hold now, dates, its place.

    Nobody has confirmed it yet.
    """
    stamped = harvest.restamp(entry.text, sources, files)
    until = (date.fromisoformat(today) + timedelta(harvest.TODO_DAYS)).isoformat()
    return replace(
        entry,
        path=codec.path_of(entry.id, entry.category, home),
        scope="" if entry.scope == home else entry.scope,
        sources=stamped,
        review_by="" if harvest.is_checkable(entry.text, stamped) else due(today),
        expires=entry.expires or (until if entry.category == "todo" else ""),
        confirmed="",
    )


def due(today: str) -> str:
    """When a person should look again at an entry of which nothing can be checked."""
    return (date.fromisoformat(today) + timedelta(harvest.REVIEW_DAYS)).isoformat()


_MOST_AGAIN = 5
"""How often one proposal can have been said again: more sessions than that do not repeat what waits."""


def said_again(entry: Entry, seen: int) -> Entry:
    """A known entry after its repeat was taken."""
    return replace(entry, seen=max(entry.seen, min(seen, entry.seen + _MOST_AGAIN)))


def retired(entry: Entry, today: str) -> Entry:
    """An entry whose place another one takes."""
    return replace(entry, retired=Retired(today, lifecycle.SUPERSEDED))


def hint(proposal: Proposal, faults: Sequence[Finding]) -> str:
    """The way out when a proposal cannot be accepted."""
    reason = re.sub(r"\.?$", "", faults[0].hint) if faults and faults[0].hint else "reword it"
    return f"{reason}: `curator edit {proposal.short}`, or `curator reject {proposal.short} --reason wrong`"
