"""What a reviewer should look at twice in the entries that a change adds or edits."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from curator.core import caution, checkable, lifecycle, orders, pairing, reversal
from curator.core.alike import Near
from curator.core.compare import Look, Setting, Smell
from curator.model import MEMORIES, Entry, Finding, Level

Line = Callable[[str, str], int]
"""From a file and one of its keys to the line of that key."""

MOST_COMPARED = 1000
"""Entries that are searched for near-duplicates: with more a comparison would take minutes."""

_ORDER = list(Smell)


class Around(NamedTuple):
    """What new entries are held against: all entries of that side, the paths of those in use, and who is like a text.

    *warned* are warnings about files, such as look-alike letters. *most*: so many entries are held against others.
    *was* knows by path what an entry was: of what did not change in it nothing is said again.
    """

    held: Sequence[Entry]
    in_use: Container[str]
    near: Near
    warned: Iterable[Finding]
    most: int = MOST_COMPARED
    was: Mapping[str, Entry] = MappingProxyType({})

    def differs(self, entry: Entry, *names: str) -> bool:
        """Whether one of these keys of an entry is another one than it was, or the entry is new."""
        was = self.was.get(entry.path)
        return was is None or any(getattr(was, name) != getattr(entry, name) for name in names)


def looks(entries: Sequence[Entry], around: Around, line: Line, said: Line) -> tuple[Look, ...]:
    """The smells of *entries*, worst first. *said* knows the line from a message of the guard instead of a key."""
    fresh = {entry.path: entry for entry in entries}
    used = [entry for entry in entries if entry.path in around.in_use and around.differs(entry, *_LIKE)]
    named = {entry.path: entry for entry in entries if around.differs(entry, "id", "origin", "category")}
    found = [
        *_doubled(named, around.held, around.in_use, line),
        *(look for entry in entries for look in _alone(entry, around, line)),
        *_near(used[: around.most], around.near, line),
        *_suspect(fresh, around, said),
    ]
    return tuple(sorted(found, key=lambda one: (_ORDER.index(one.smell), one.path, one.line, one.message)))


_LIKE = ("text", "supersedes")
"""What decides which other entry an entry is a double of."""


def _alone(entry: Entry, around: Around, line: Line) -> Iterator[Look]:
    """What can be said of one entry by itself."""
    risks = orders.risks(f"{entry.text}\n{entry.why}") if around.differs(entry, "text", "why") else ()
    if risks:
        message = f"gives an order with {' and '.join(risks)} in it"
        yield Look(Smell.ORDER, entry.path, line(entry.path, "text"), message, entry)
    if entry.origin.by in caution.WEAK and around.differs(entry, "text", "origin"):
        yield Look(Smell.ORIGIN, entry.path, line(entry.path, "origin"), caution.WEAK[entry.origin.by], entry)
    if around.differs(entry, "text", "sources", "review_by"):
        yield from _unheld(entry, around.was.get(entry.path), line)


def _unheld(entry: Entry, was: Entry | None, line: Line) -> Iterator[Look]:
    """What the code can say nothing about, or less than it could."""
    lost = list(pairing.weakened(was, entry)) if was else []
    if lost:
        bare = any(not (now.header or now.terms) for _, now in lost)
        files = ", ".join(dict.fromkeys(now.path for _, now in lost))
        what = f"is held to nothing in {files} any more" if bare else f"is held to less of {files} than it was"
        level = Level.WARNING if bare else Level.NOTE
        yield Look(Smell.UNCHECKABLE, entry.path, line(entry.path, "sources"), what, entry, level=level)
    elif not checkable.is_checkable(entry.text, entry.sources):
        what = (
            "is not checkable: it names nothing that could be checked in its files"
            if entry.sources
            else "cites no file"
        )
        due = f"; somebody looks again by {entry.review_by}" if entry.review_by else ", so it can never be stale"
        level = Level.NOTE if entry.review_by else Level.WARNING
        at = line(entry.path, "sources" if entry.sources else "text")
        yield Look(Smell.UNCHECKABLE, entry.path, at, what + due, entry, level=level)


def doubled(entries: Sequence[Entry], line: Line) -> tuple[Look, ...]:
    """The ids and keys that several of *entries* have."""
    in_use = {entry.path for entry in entries} - lifecycle.ended(entries).keys()
    return tuple(_doubled({entry.path: entry for entry in entries}, entries, in_use, line))


def _doubled(fresh: Mapping[str, Entry], held: Iterable[Entry], in_use: Container[str], line: Line) -> Iterator[Look]:
    """The same id in two files of which one at least is new; the same key, where none replaces the other.

    To say again what has ended is a question, not a fault.
    """
    keys: dict[str, list[Entry]] = {entry.origin.key: [] for entry in fresh.values() if entry.origin.key}
    ids: dict[str, list[Entry]] = {entry.id.lower(): [] for entry in fresh.values()}
    for entry in held:
        if entry.origin.key in keys:
            keys[entry.origin.key].append(entry)
        if entry.id.lower() in ids:
            ids[entry.id.lower()].append(entry)
    for named, what, key in ((ids, "id", "id"), (keys, "key", "origin")):
        for name, several in named.items():
            mine = [entry for entry in several if entry.path in fresh] if len(several) > 1 else []
            rest = [entry for entry in several if entry.path not in fresh]
            for entry in mine:
                others = (
                    one for one in (*rest, *mine[: mine.index(entry)]) if key == "id" or not _replaces(entry, one)
                )
                first = next(iter(sorted(others, key=lambda one: one.path not in in_use)), None)
                if first:
                    again = key != "id" and not (first.path in in_use and entry.path in in_use)
                    message = f"has the same {what} {name} as {first.path}"
                    message += ", which is not in use any more" if again and first.path not in in_use else ""
                    level = Level.WARNING if again else Level.ERROR
                    yield Look(Smell.SAME_KEY, entry.path, line(entry.path, key), message, entry, first, 1.0, level)


def _replaces(one: Entry, other: Entry) -> bool:
    return other.id in one.supersedes or one.id in other.supersedes


def _near(entries: Iterable[Entry], near: Near, line: Line) -> Iterator[Look]:
    """The nearest double of each, a pair of new ones told once; a contradiction where one text speaks of a change."""
    told: set[tuple[str, str]] = set()
    cues = {entry.path: reversal.cue(entry.text) for entry in entries}
    for entry in sorted(entries, key=lambda one: not cues[one.path]):  # of a pair the one that speaks of a change
        cue = cues[entry.path]
        other, likeness = next(_doubles(entry, near), (None, 0.0))
        if other is None or likeness < (0 if cue else _NEAR) or (other.path, entry.path) in told:
            continue
        told.add((entry.path, other.path))
        at = line(entry.path, "text")
        known = "" if cue else reversal.cue(other.text)
        if cue:
            message = f'speaks of a change ("{cue}") and does not supersede {other.id}, which is like it'
            yield Look(Smell.CONTRADICTION, entry.path, at, message, entry, other, likeness)
        elif known:
            message = f'is like {other.id}, which speaks of a change ("{known}") and is in use'
            yield Look(Smell.CONTRADICTION, entry.path, at, message, entry, other, likeness)
        else:
            message = f"says nearly the same as {other.id}"
            yield Look(Smell.NEAR, entry.path, at, message, entry, other, likeness, Level.NOTE)


_NEAR = 0.5
"""Likeness from which on two statements mostly say the same; below it most only speak of the same thing."""


def _doubles(entry: Entry, near: Near) -> Iterator[tuple[Entry, float]]:
    """What is like an entry, the nearest first, without what is told otherwise: what replaces it, and the same key."""
    for other, likeness in near(entry.text):
        same = other.origin.key == entry.origin.key != ""
        if other.path != entry.path and not (same or _replaces(entry, other)):
            yield other, likeness


def _suspect(fresh: Mapping[str, Entry], around: Around, said: Line) -> Iterator[Look]:
    """What the guard has to say of files that can be read all the same."""
    for found in around.warned:
        path, _, number = found.where.partition(":")
        if path in fresh and found.level is not Level.ERROR and _is_news(found.message, fresh[path], around):
            at = int(number) if number.isdigit() else said(path, found.message)
            yield Look(Smell.SUSPECT, path, at, found.message, fresh[path], level=found.level)


def _is_news(message: str, entry: Entry, around: Around) -> bool:
    """Whether the key that a message of the guard begins with is another one; of what is no key nobody knows."""
    key = re.match(r"\w*", message)[0]  # type: ignore[index]
    return not hasattr(entry, key) or around.differs(entry, key)


_WATCHED = {
    "trust": "decides which tree is read",
    "namespace": "makes every known key another one",
    "capture": "decides what hooks propose and keep",
}


def of_settings(settings: Iterable[Setting], line: Line) -> Iterator[Look]:
    """Settings that change what an agent reads, or whom it believes, beyond single entries."""
    path = f"{MEMORIES}/curator.yaml"
    settings = tuple(settings)
    freed = sum(int(one.before) for one in settings if one.name.startswith("budget.") and not one.after)
    for one in settings:
        head, _, rest = one.name.partition(".")
        why = _WATCHED.get(head, "")
        if head == "targets":
            more = _raised(one.before, one.after)
            why = more if one.before and one.after else "is a new target" if one.after else "is a target no more"
            message = f"{rest} {why}"
        elif head == "budget" and rest:
            is_renamed = not one.before and int(one.after) <= freed
            message = why = _rise(one.name, one.before, one.after) if one.after and not is_renamed else ""
        else:
            message = f"{one.name} {why}: {one.before or 'not set'} becomes {one.after or 'not set'}"
        if why:
            yield Look(Smell.SETTING, path, line(path, head), message, setting=one.name)


def _rise(name: str, before: str, after: str) -> str:
    """That a category may cost more tokens than it did, or costs some at all; "" where it does not."""
    if not before:
        return f"{name} is new: {after} tokens"
    return f"{name} rises from {before} to {after} tokens" if int(after) > int(before) else ""


def _raised(before: str, after: str) -> str:
    """The budgets of a target that rise, or that it has alone; its parts are `category tokens`."""
    was, now = (dict(part.rpartition(" ")[::2] for part in told.split(", ")) for told in (before, after))
    sizes = ((name, was.get(name, ""), size) for name, size in now.items() if size.isdigit())
    return "; ".join(filter(None, (_rise(f"budget of {name}", *more) for name, *more in sizes)))
