"""What becomes of each proposal between a clone and a remote: last time, here and there, held side by side."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from curator.core import codec, ending, keys, report, secrets, splicing, vetting
from curator.model import Config, Entry

REFS = "refs/curator/inbox/"
"""Where proposals lie on a remote, each under its key."""
MOST = 200
"""Proposals that are fetched in one run."""
AGAIN = 5
"""How much another clone's count can add to one of here: so often nobody repeats what waits."""

_KEY = re.compile(r"[0-9a-f]{12}")


class Fate(Enum):
    """What is known of a statement besides the inbox."""

    OPEN = ""
    KNOWN = "known"  # the trusted tree says it
    REFUSED = "refused"  # the team does not want it
    OWN = "own"  # this person does not
    DECIDED = "decided"  # accepted or refused here, and not in the trusted tree yet


class Step(Enum):
    """What one proposal needs."""

    SEND = "send"  # there is none on the remote
    UPDATE = "update"  # what is here changed since, what is there did not
    FETCH = "fetch"
    COMPARE = "compare"  # both have one, and they differ
    CLEAR = "clear"  # take it from the remote
    AGREE = "agree"  # nothing to do, and both have one
    KEEP = "keep"  # here it was worded anew, which no key says: both stay as they are
    LEAVE = "leave"  # somebody else decided; here it goes on waiting
    PASS = "pass"  # neither fetched nor cleared until the decision is in the trusted tree
    FORGET = "forget"  # it is nowhere


class Pair(NamedTuple):
    """Object ids of one proposal, "" where there is none: in the inbox *here*, and *there* on the remote."""

    here: str = ""
    there: str = ""


class Unfit(NamedTuple):
    """An object on a remote that is no proposal, and *why*; *final*: whatever else changes."""

    value: str
    why: str
    final: bool = False


def step(last: Pair, now: Pair, fate: Fate) -> Step:
    """What a proposal needs that was *last* so when both were held together, and is *now* so."""
    if fate in {Fate.KNOWN, Fate.REFUSED}:
        return Step.CLEAR if now.there else Step.FORGET
    if now.here:
        return _waiting(last, now)
    if not now.there:
        return Step.FORGET
    if fate is Fate.DECIDED:
        return Step.CLEAR if last.there else Step.PASS
    return Step.CLEAR if fate is Fate.OWN else Step.FETCH


def _waiting(last: Pair, now: Pair) -> Step:
    if not now.there:
        return Step.LEAVE if last.there else Step.SEND
    if now.here == now.there or now == last:
        return Step.AGREE
    return Step.UPDATE if now.there == last.there else Step.COMPARE


def steps(
    last: Mapping[str, Pair],
    here: Mapping[str, str],
    there: Mapping[str, str],
    fates: Mapping[str, Fate],
    reworded: Collection[str] = (),
) -> dict[str, Step]:
    """The step of every key that is known anywhere, in the order of keys; what is *reworded* here does not travel."""
    found = {
        key: step(last.get(key, Pair()), Pair(here.get(key, ""), there.get(key, "")), fates.get(key, Fate.OPEN))
        for key in sorted({*last, *here, *there})
    }
    return {key: Step.KEEP if key in reworded and one in _GOES else one for key, one in found.items()}


_GOES = {Step.SEND, Step.UPDATE, Step.COMPARE}


def by_key(refs: Mapping[str, str]) -> tuple[dict[str, str], int]:
    """The object ids on a remote by key, and how many refs are named by none."""
    found = {ref.removeprefix(REFS): value for ref, value in refs.items()}
    fit = {key: value for key, value in found.items() if _KEY.fullmatch(key)}
    return fit, len(found) - len(fit)


# --- One proposal -------------------------------------------------------------------------------------------------


OTHER = "says something else than its key"
"""What is wrong with a proposal under the name of another statement."""
REWORDED = "its words were changed, and no longer have this key; the first ones travel"
"""Why a proposal that was edited is not sent."""
SETTLED = "its words were changed, and only the first ones are accepted or refused by the team: decide on these"
"""Why a proposal that was edited outlasts the decision about its key."""


class Read(NamedTuple):
    """A proposal as it travels; no entry, and *why*, for what does not."""

    entry: Entry | None
    text: str = ""
    why: str = ""


def read(data: bytes, key: str, config: Config) -> Read:
    """What *data* says under *key*, held against all that a stranger could have put there."""
    one = opened(data, key, config)
    return one if one.entry is None or is_own(one.entry, key, config) else Read(None, why=OTHER)


def opened(data: bytes, key: str, config: Config) -> Read:
    """The same, whatever its words."""
    entry, findings = codec.read(data, f"{key}.yaml", config.categories, placed=False)
    for text in (data.decode("utf-8", "replace"), codec.write(entry) if entry else ""):
        for secret in secrets.find(text)[:1]:
            return Read(None, why=f"holds what looks like a secret: {secret.kind}")
    if entry is None:
        return Read(None, why=next((one.message for one in vetting.errors(findings)), "cannot be read"))
    return Read(entry, data.decode("utf-8", "surrogateescape"))


def is_own(entry: Entry, key: str, config: Config) -> bool:
    """Whether *key* is that of its words, or of what it asks to retire.

    What it quotes is not looked at: a reviewer takes what it says.
    """
    return keys.own(config.namespace, entry) == key and entry.origin.key in {"", key}


def raised(one: Read, seen: int) -> str:
    """The file of *one*, said so often; "" where it was already. What else it says stays.

    To retire a memory is asked once.
    """
    assert one.entry is not None
    most = min(seen, one.entry.seen + AGAIN)
    if one.entry.retired or most <= one.entry.seen:
        return ""
    return splicing.splice(one.text, one.entry, replace(one.entry, seen=most))


def unlike(ours: Entry, theirs: Entry) -> str:
    """How two proposals with one key differ in what a person judges; "" where they do not."""
    if ours.retired and theirs.retired:
        return "has another reason" if ending.reason(ours) != ending.reason(theirs) else ""
    return "is in other letters or signs" if ours.text != theirs.text else ""


def order(wanted: Iterable[str], there: Mapping[str, str], unfit: Mapping[str, Unfit]) -> list[str]:
    """Keys to fetch: those that were no proposal the last time come last, so that they crowd out no other.

    What can never be one is left out.
    """
    known = {key: one for key, one in unfit.items() if there.get(key) == one.value}
    able = (key for key in wanted if not (key in known and known[key].final))
    return sorted(able, key=lambda key: (key in known, key))


# --- What is said of it -------------------------------------------------------------------------------------------


class Count(NamedTuple):
    """How many proposals went which way, and how many wait here."""

    sent: int = 0
    received: int = 0
    cleared: int = 0
    waiting: int = 0
    taken: int = 0
    later: int = 0
    strange: int = 0


def stranger(remote: str, key: str, why: str, *, waits: bool) -> str:
    """What is said of a ref that is no proposal; where one *waits* here under its key, that does not go over it."""
    if not waits:
        return f"ignored: {why}"
    way = f"git push {shlex.quote(remote)} --delete {REFS}{key}"
    return f"on {remote} {why}, so what waits here under this key is not sent; `{way}` makes room"


def summary(count: Count, *, dry_run: bool = False) -> str:
    """The one line after a sync."""
    verb = "would have " if dry_run else ""
    taken = f", took out {count.taken} that others decided" if count.taken else ""
    waits = f"{count.waiting:,} wait{'s' if count.waiting == 1 else ''} for review"
    return f"{verb}sent {count.sent}, received {count.received}, cleared {count.cleared}{taken}; {waits}"


def left(names: Sequence[str], remote: str) -> str:
    """What is said once of proposals that went from a remote and wait here, by what a person types for them."""
    one = len(names) == 1
    told = f"somebody else decided on {report.plural(len(names), 'proposal')} and took {'it' if one else 'them'} from"
    listed = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else "")
    waits = f"{'it waits' if one else 'they wait'} here and {'is' if one else 'are'} not sent again"
    return f"{told} {remote}; {waits}: {listed} (`curator review`)"


def remarks(count: Count, remote: str, unfit: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What else there is to say."""
    if count.strange:
        yield f"{report.plural(count.strange, 'ref')} of {remote} ignored: not named by a key"
    if count.later:
        yield f"{count.later:,} more on {remote} than one run takes: run it again"
    for key, why in unfit[:_SHOWN]:
        yield f"{key} {why}"
    if len(unfit) > _SHOWN:
        yield f"and {len(unfit) - _SHOWN:,} more that do not travel"


_SHOWN = 10
