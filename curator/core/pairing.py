"""Which entry of before is which one of after, and what happened to it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from curator.core import keys, lifecycle
from curator.core.compare import Change, Field, Kind
from curator.model import Entry, Source


class Pair(NamedTuple):
    """One entry on both sides; None on the side that has it not."""

    before: Entry | None
    after: Entry | None


class Sides(NamedTuple):
    """The entries of both sides that differ, in pairs, and why entries of each side have ended, by path.

    *same* are the paths of entries that read alike on both sides.
    """

    pairs: tuple[Pair, ...]
    same: frozenset[str]
    ended_before: Mapping[str, str]
    ended_after: Mapping[str, str]


def sides(before: Sequence[Entry], after: Sequence[Entry]) -> Sides:
    """Find each entry of one side on the other: by its path, its id, its key, at last by its words.

    An entry whose folder, category or file name changed is so the same one.
    """
    old = {entry.path: entry for entry in before}
    new = {entry.path: entry for entry in after}
    same = frozenset(path for path, entry in new.items() if path in old and _is_same(old[path], entry))
    pairs = [Pair(old[path], entry) for path, entry in new.items() if path in old and path not in same]
    gone = [entry for path, entry in old.items() if path not in new]
    come = [entry for path, entry in new.items() if path not in old]
    for name in (_id, _key, _words):
        met, gone, come = _met(gone, come, name) if gone and come else ([], gone, come)
        pairs.extend(met)
    pairs.extend(Pair(entry, None) for entry in gone)
    pairs.extend(Pair(None, entry) for entry in come)
    return Sides(tuple(pairs), same, lifecycle.ended(before), lifecycle.ended(after))


def _is_same(one: Entry, other: Entry) -> bool:
    return one is other or one == other


def _id(entry: Entry) -> str:
    return entry.id


def _key(entry: Entry) -> str:
    return entry.origin.key


def _words(entry: Entry) -> str:
    return keys.normalise(entry.text)


def _met(
    gone: Sequence[Entry], come: Sequence[Entry], name: Callable[[Entry], str]
) -> tuple[list[Pair], list[Entry], list[Entry]]:
    """Pairs of the same name, and those of each side that are left. Of several the first meets the first."""
    named: dict[str, list[Entry]] = {}
    for entry in reversed(gone):
        named.setdefault(name(entry), []).append(entry)
    named.pop("", None)
    pairs: list[Pair] = []
    left: list[Entry] = []
    for entry in come:
        others = named.get(name(entry))
        if others:
            pairs.append(Pair(others.pop(), entry))
        else:
            left.append(entry)
    taken = {pair.before.path for pair in pairs if pair.before}
    return pairs, [entry for entry in gone if entry.path not in taken], left


def changes(found: Sides, after: Sequence[Entry], broken: Container[str] = (), today: str = "") -> tuple[Change, ...]:
    """What happened until an ISO date, by kind, category and id; *after* are all entries of that side.

    An entry whose own file is untouched is retired or restored by those that
    name it. One whose file cannot be read any more (*broken*) is not removed.
    """
    heirs = _heirs(after)
    turned = {path for path in found.ended_before.keys() ^ found.ended_after.keys() if path in found.same}
    untouched = [Pair(entry, entry) for entry in after if entry.path in turned] if turned else []
    told = (pair for pair in found.pairs if pair.after or (pair.before and pair.before.path not in broken))
    made = (_change(pair, found, heirs, today) for pair in (*told, *untouched))
    order = list(Kind)
    return tuple(sorted(made, key=lambda one: (order.index(one.kind), one.entry.category, one.entry.id)))


def _heirs(entries: Iterable[Entry]) -> Mapping[str, tuple[Entry, ...]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        for old in entry.supersedes:
            if old != entry.id:
                found.setdefault(old, []).append(entry)
    return {old: tuple(sorted(several, key=lambda entry: (entry.id, entry.path))) for old, several in found.items()}


def _change(pair: Pair, found: Sides, heirs: Mapping[str, tuple[Entry, ...]], today: str) -> Change:
    before, after = pair
    if before is None or after is None:
        left = before or after
        assert left
        return Change(Kind.ADDED if after else Kind.REMOVED, before, after, by=heirs.get(left.id, ()))
    differing = tuple(fields(before, after, today))
    had_ended, has_ended = before.path in found.ended_before, after.path in found.ended_after
    if has_ended and not had_ended:
        by = heirs.get(after.id) or heirs.get(before.id, ())
        kind = Kind.SUPERSEDED if by and lifecycle.is_succeeded(after) else Kind.RETIRED
        return Change(kind, before, after, differing, by)
    if had_ended and not has_ended:
        return Change(Kind.RESTORED, before, after, differing)
    differing += tuple(_retiring(before, after))
    moved = before.path != after.path and all(field.name in _PLACE for field in differing)
    return Change(Kind.MOVED if moved else Kind.CHANGED, before, after, differing)


_PLACE = frozenset({"id", "category", "scope"})
_READERS: Mapping[str, Callable[[Entry], str]] = {
    "text": lambda entry: entry.text.strip("\n"),
    "why": lambda entry: entry.why.strip("\n"),
    "id": lambda entry: entry.id,
    "category": lambda entry: entry.category,
    "importance": lambda entry: str(entry.importance),
    "tags": lambda entry: ", ".join(entry.tags),
    "triggers": lambda entry: "\n".join(entry.triggers),
    "scope": lambda entry: entry.reach,
    "task": lambda entry: entry.task,
    "sources": lambda entry: "\n".join(map(_source, entry.sources)),
    "supersedes": lambda entry: ", ".join(entry.supersedes),
    "review_by": lambda entry: entry.review_by,
    "expires": lambda entry: entry.expires,
    "retired": lambda entry: f"{entry.retired.on}: {entry.retired.reason}" if entry.retired else "",
    "seen": lambda entry: str(entry.seen),
    "origin.by": lambda entry: entry.origin.by,
    "origin.quote": lambda entry: entry.origin.quote.strip("\n"),
    "origin.agent": lambda entry: entry.origin.agent,
    "origin.session": lambda entry: entry.origin.session,
    "origin.trigger": lambda entry: entry.origin.trigger,
    "origin.commit": lambda entry: entry.origin.commit,
    "origin.created": lambda entry: entry.origin.created,
    "origin.extractor": lambda entry: entry.origin.extractor,
    "origin.confidence": lambda entry: str(entry.origin.confidence),
    "origin.key": lambda entry: entry.origin.key,
}
"""The keys that a person judges, each with how it reads. Evidence and the day of the last look are told apart."""


def fields(before: Entry, after: Entry, today: str = "") -> Iterator[Field]:
    """What a person judges and that differs, the text first. That an entry was retired, or taken back, is no field.

    Evidence that was renewed, and a later day of the last look, are none
    either: evidence that is lost is one, and a day that is no later or after *today*.
    """
    if before is after:
        return
    for name, read in _READERS.items():
        was, now = read(before), read(after)
        if was != now and (name != "retired" or (was and now)):  # retiring is a kind of its own
            yield Field(name, was, now)
    lost = tuple(weakened(before, after))
    if lost:
        yield Field("evidence", "\n".join(_held(was) for was, _ in lost), "\n".join(_held(now) for _, now in lost))
    if _is_misdated(before, after, today):
        yield Field("confirmed", before.confirmed, after.confirmed)


def weakened(before: Entry, after: Entry) -> Iterator[tuple[Source, Source]]:
    """Sources of both sides that are held to less than they were; other words are held to other terms."""
    known = {_source(source): source for source in before.sources}
    reworded = _words(before) != _words(after)
    for now in after.sources:
        was = known.get(_source(now))
        if was and was != now and _is_less(was, now, reworded=reworded):
            yield was, now


def _is_less(was: Source, now: Source, *, reworded: bool) -> bool:
    if (was.header and not now.header) or (was.blob and not now.blob):
        return True
    if reworded:
        return bool(was.terms) and not now.terms
    kept = {term.term: term for term in now.terms}
    grown = was.blob != now.blob  # a term that stands on too many lines of a newer content keeps none of them
    return any(
        old.term not in kept
        or (old.lines and not kept[old.term].lines and not grown)
        or (old.defines and not kept[old.term].defines)
        for old in was.terms
    )


def _held(source: Source) -> str:
    """A source and what of its file the statement is held to."""
    parts = [name for name, value in (("header", source.header), ("blob", source.blob)) if value]
    parts += [one.term + ("" if one.lines else " without a line") for one in source.terms]
    return f"{_source(source)}: {', '.join(parts) or 'nothing'}"


def _is_misdated(before: Entry, after: Entry, today: str) -> bool:
    """Whether the day of the last look is no later one, or not yet: a clock elsewhere may be a day ahead."""
    was, now = before.confirmed, after.confirmed
    back = now < was and _words(before) == _words(after)  # what was reworded nobody confirmed yet
    return back or (now != was and bool(today) and now > _next(today))


def _next(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def _retiring(before: Entry, after: Entry) -> Iterator[Field]:
    """That an entry was retired, or taken back, where it had ended before or has ended all the same."""
    if bool(before.retired) != bool(after.retired):
        read = _READERS["retired"]
        yield Field("retired", read(before), read(after))


def _source(source: Source) -> str:
    """A source without its evidence: `path#symbol`, then the line and the term it is held to."""
    told = f"{source.path}#{source.symbol}" if source.symbol else source.path
    told += f" (text: {source.text})" if source.text else ""
    return told + (f" (absent: {source.absent})" if source.absent else "")
