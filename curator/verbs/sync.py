"""Hold the inbox against a remote's: what travels which way, what is cleared, and what was no proposal at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from curator.core import queue, syncing
from curator.core.queue import Proposal, State
from curator.core.syncing import Count, Fate, Pair, Read, Step, Unfit
from curator.edge import arrivals, decisions, imported, inbox, proposals, remotes, store, synced, watched
from curator.edge.parcels import Parcels
from curator.edge.remotes import Spec, Terms
from curator.edge.synced import Last
from curator.model import Config, Workspace

_REFUSALS = "memories/.rejected/"


class Delivery(NamedTuple):
    """A file for the inbox: new and from the remote where *before* is empty, else only counted on."""

    key: str
    text: str
    before: bytes = b""


class Sending(NamedTuple):
    """What the remote is asked to take, or to give up; *after* it both have this of it, or neither anything."""

    key: str
    step: Step
    spec: Spec
    after: Pair | None


class Planned(NamedTuple):
    """One meeting with a *remote* at a *place*: to be done in the order of these fields.

    *last* is what is true once the deliveries are made. *outs* leave the inbox, because others decided, where they
    still read as these bytes. *unfit* is what does not travel, and why. *left* others decided, and it waits here: those
    of it that nobody was told of. *ours* are the proposals that lie here, by key; *foreign* the keys of those that came
    from a remote.
    """

    remote: str
    place: str
    deliveries: tuple[Delivery, ...]
    last: Last
    sendings: tuple[Sending, ...]
    outs: Mapping[str, bytes]
    unfit: tuple[tuple[str, str], ...]
    told: Count
    left: tuple[str, ...] = ()
    ours: Mapping[str, Proposal] = MappingProxyType({})
    foreign: frozenset[str] = frozenset()


class _Side(NamedTuple):
    """The inbox: bytes and what they say by key; and what does not travel, with the reason ("": nothing to tell).

    *reworded* are those of *read* whose words a person changed.
    """

    data: dict[str, bytes]
    read: dict[str, Read]
    kept: dict[str, str]
    reworded: set[str]


class _Got(NamedTuple):
    """What was fetched: proposals by key, and what was none."""

    read: dict[str, Read]
    unfit: dict[str, Unfit]
    later: int = 0


def run(
    workspace: Workspace, parcels: Parcels, remote: str, *, today: str, terms: Terms, fetching: bool = True
) -> Planned:
    """Ask a configured remote what it has, fetch into *parcels* what is new, and decide; the inbox stays as it is.

    Not *fetching*: only what can be sent and cleared. CuratorError where the remote cannot be asked.
    """
    place = remotes.place(workspace, remote)
    foreign = arrivals.keys(workspace)
    last = synced.load(workspace, remote, place)
    config = store.config(workspace)
    side = _side(workspace, config, remote)
    there, strange = syncing.by_key(remotes.listed(workspace, remote, f"{syncing.REFS}*", terms))
    here = parcels.ids(side.data)
    fates = _fates(workspace, config, {*last.pairs, *here, *there})
    found = syncing.steps(last.pairs, here, there, fates, side.reworded)
    steps = {key: step for key, step in found.items() if key not in side.kept}
    got = _got(parcels, remote, steps, there, last, config, terms) if fetching else _Got({}, {})
    made = _Meeting(parcels, side, got, here, there, last.pairs)
    for key, step in steps.items():
        made.add(key, step)
    outs = _outs(workspace, side, fates, [key for key in here if key in there or key in last.pairs], today)
    unfit = {key: one for key, one in {**last.unfit, **got.unfit}.items() if there.get(key) == one.value}
    strangers = {
        key: syncing.stranger(remote, key, one.why, waits=key in here)
        for key, one in unfit.items()
        if key in steps and key not in got.read
    }
    left = _having(steps, Step.LEAVE)
    held = {key: pair for key, pair in last.pairs.items() if key in side.kept}
    reasons = side.kept | dict.fromkeys(_having(steps, Step.KEEP), syncing.REWORDED)
    reasons |= {key: syncing.SETTLED for key in side.reworded if fates.get(key) in {Fate.KNOWN, Fate.REFUSED}}
    ours = {key: f"stays here: {why}" for key, why in reasons.items() if why}
    ours |= {key: f"{how} on {remote}; each stays as it is" for key, how in made.unlike.items()}
    return Planned(
        remote=remote,
        place=place,
        deliveries=tuple(made.deliveries),
        last=Last(held | made.pairs, {key: one for key, one in unfit.items() if key not in got.read}, last.told & left),
        sendings=tuple(made.sendings),
        outs={key: side.data[key] for key in outs},
        unfit=tuple(sorted((strangers | ours).items())),
        told=Count(later=got.later, strange=strange),
        left=tuple(sorted(left - last.told)),
        ours={key: Proposal(key, one.entry, one.text) for key, one in side.read.items() if one.entry},
        foreign=foreign,
    )


def _having(steps: Mapping[str, Step], wanted: Step) -> set[str]:
    return {key for key, step in steps.items() if step is wanted}


def _side(workspace: Workspace, config: Config, remote: str) -> _Side:
    """What waits here and may travel; what came from one remote goes to no other, what `import` brought to none."""
    side = _Side({}, {}, {}, set())
    brought = imported.keys(workspace) - watched.keys(workspace)
    for key in inbox.keys(workspace):
        try:
            data = inbox.read(workspace, key)
        except OSError as error:
            side.kept[key] = f"cannot be read: {error.strerror or error}"
            continue
        if data is None:
            continue
        one = syncing.opened(data, key, config) if inbox.is_key(key) else Read(None, why="is not named by a key")
        if one.entry is None or key in brought or arrivals.remote(workspace, key) not in {"", remote}:
            side.kept[key] = one.why
        else:
            side.data[key], side.read[key] = data, one
            side.reworded.update(() if syncing.is_own(one.entry, key, config) else (key,))
    return side


def _fates(workspace: Workspace, config: Config, keys: Iterable[str]) -> dict[str, Fate]:
    """What is known of each statement; the strongest reason counts."""
    wanted = sorted(keys)
    decided = decisions.keys(workspace)
    if config.trust != store.INDEX:
        decided |= _known(workspace, wanted, store.INDEX)
    refusals = store.blobs(workspace, config, [_REFUSALS])
    groups = (
        (decided, Fate.DECIDED),
        (decisions.own(workspace), Fate.OWN),
        ({path.removeprefix(_REFUSALS) for path in refusals}, Fate.REFUSED),
        (_known(workspace, wanted, ""), Fate.KNOWN),
    )
    return {key: fate for found, fate in groups for key in found.intersection(wanted)}


def _known(workspace: Workspace, keys: Iterable[str], trust: str) -> frozenset[str]:
    return store.reading(workspace, lambda cache: frozenset(key for key in keys if cache.known_key(key)), trust=trust)


def _got(
    parcels: Parcels,
    remote: str,
    steps: Mapping[str, Step],
    there: Mapping[str, str],
    last: Last,
    config: Config,
    terms: Terms,
) -> _Got:
    """The proposals of the remote that are new, or differ from what is here: at most so many."""
    wanted = syncing.order(_having(steps, Step.FETCH) | _having(steps, Step.COMPARE), there, last.unfit)
    taken = wanted[: syncing.MOST]
    came = parcels.fetched(remote, {syncing.REFS + key: there[key] for key in taken}, terms)
    got = _Got({}, {}, len(wanted) - len(taken))
    for key in taken:
        one = came[syncing.REFS + key]
        read = Read(None, why=one.why) if one.why else syncing.read(one.data, key, config)
        if read.entry is None:
            got.unfit[key] = Unfit(there[key], read.why, one.final)
        else:
            got.read[key] = read
    return got


class _Meeting:
    """What comes of the steps, one after the other."""

    def __init__(
        self,
        parcels: Parcels,
        side: _Side,
        got: _Got,
        here: Mapping[str, str],
        there: Mapping[str, str],
        last: Mapping[str, Pair],
    ) -> None:
        self.deliveries: list[Delivery] = []
        self.sendings: list[Sending] = []
        self.pairs: dict[str, Pair] = {}
        self.unlike: dict[str, str] = {}
        self._parcels = parcels
        self._side = side
        self._got = got
        self._here = here
        self._there = there
        self._last = last

    def add(self, key: str, step: Step) -> None:
        here, there = self._here.get(key, ""), self._there.get(key, "")
        if step is Step.AGREE:
            self.pairs[key] = Pair(here, there)
        elif step in {Step.SEND, Step.UPDATE}:
            self._send(key, step, here, Pair(here, here))
        elif step is Step.CLEAR:
            self._send(key, step, "", None)
        elif step is Step.FETCH and key in self._got.read:
            self.deliveries.append(Delivery(key, self._got.read[key].text))
            self.pairs[key] = Pair(there, there)
        elif step is Step.COMPARE and key in self._got.read:
            self._compare(key, Pair(here, there))
        elif step is not Step.FORGET and key in self._last:
            self.pairs[key] = self._last[key]

    def _send(self, key: str, step: Step, new: str, after: Pair | None) -> None:
        if key in self._last:
            self.pairs[key] = self._last[key]
        self.sendings.append(Sending(key, step, Spec(syncing.REFS + key, new, self._there.get(key, "")), after))

    def _compare(self, key: str, now: Pair) -> None:
        """Of two that differ both stay as they are, but for how often it was said: the higher number counts."""
        ours, theirs = self._side.read[key], self._got.read[key]
        assert ours.entry
        assert theirs.entry
        difference = syncing.unlike(ours.entry, theirs.entry)
        if difference:
            self.unlike[key] = difference
        mine = syncing.raised(ours, theirs.entry.seen)
        other = syncing.raised(theirs, ours.entry.seen)
        self.pairs[key] = now
        if mine:
            self.deliveries.append(Delivery(key, mine, self._side.data[key]))
            self.pairs[key] = now._replace(here=self._id(mine))
        elif other:
            value = self._id(other)
            self._send(key, Step.UPDATE, value, now._replace(there=value))
            self.pairs[key] = now

    def _id(self, text: str) -> str:
        return self._parcels.ids({"": text.encode("utf-8", "surrogateescape")})[""]


def _outs(
    workspace: Workspace, side: _Side, fates: Mapping[str, Fate], met: Iterable[str], today: str
) -> tuple[str, ...]:
    """Of those that both had: what the team refused, and what is accepted and leaves nothing to do.

    What a person worded anew is neither: its key is that of the first words.
    """
    same = [key for key in met if key not in side.reworded]
    found = [key for key in same if fates.get(key) is Fate.REFUSED]
    known = [key for key in same if fates.get(key) is Fate.KNOWN]
    if known:
        held = store.load(workspace, trust=store.INDEX)
        pairs = [
            (Proposal(key, one.entry, one.text), queue.NOTHING)
            for key, one in ((key, side.read[key]) for key in known)
            if one.entry
        ]
        made = proposals.prepare(workspace, held, pairs, today=today)
        found += [one.proposal.key for one in made if one.state is State.DONE and not one.edits]
    return tuple(sorted(found))
