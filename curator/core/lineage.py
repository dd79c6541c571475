"""The life of one memory: from what commits did to its file to what became of what it says, through every new name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile
from typing import NamedTuple

from curator.core import codec, pairing, secrets
from curator.core.compare import Field
from curator.model import Entry, Origin

DISK = "on disk, not staged"
STAGED = "staged, not committed"
_ALIKE = 0.5
"""Share of words that two texts have in common, from which on a rename that git saw is believed."""


class Commit(NamedTuple):
    """One commit, its author's *time* in ISO 8601. *cut*: a shallow clone begins with it, so it seems to add all.

    What is no commit yet has no *id*, and *subject* says where it is: `STAGED` or `DISK`.
    """

    id: str
    time: str = ""
    author: str = ""
    subject: str = ""
    cut: bool = False

    @property
    def day(self) -> str:
        return self.time[:10]


class Touch(NamedTuple):
    """What one commit did to one file: blob ids before and after, "" where there was none; *was* is its old path."""

    commit: Commit
    path: str
    old: str = ""
    new: str = ""
    was: str = ""


class Reading(NamedTuple):
    """A version of a file: its entry, or why it cannot be read or must not be shown."""

    entry: Entry | None
    fault: str = ""


class Event(Enum):
    """What happened to an entry in one commit."""

    ADDED = "added"
    CUT = "older than this shallow clone"
    CHANGED = "changed"
    MOVED = "moved"
    RETIRED = "retired"
    RESTORED = "restored"
    REMOVED = "removed"
    ANCHORED = "evidence kept anew"
    UNREADABLE = "not readable"


class Step(NamedTuple):
    """One commit's part in the life of an entry; *fields* are what a person judges, the text first."""

    commit: Commit
    event: Event
    path: str
    was: str = ""
    after: Entry | None = None
    fields: tuple[Field, ...] = ()
    fault: str = ""

    @property
    def rewords(self) -> bool:
        """Did it give the text the words that it had from then on?"""
        return self.event in {Event.ADDED, Event.CUT} or any(one.name == "text" for one in self.fields)


@dataclass(frozen=True, slots=True)
class Life:
    """An entry, as it is or last was, and all that happened to it, the newest first.

    *path* is its file, *gone*: not in the trusted tree any more. *heirs* are ids that took its place. *notes* say how
    far this could be looked at. *wrote* is the commit that an imported statement had its words from, and *read* the
    instruction file it stood in, where one alone can be meant.
    """

    name: str
    path: str
    entry: Entry | None
    steps: tuple[Step, ...] = ()
    gone: bool = False
    heirs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    wrote: Commit | None = None
    read: str = ""

    @property
    def committed(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.commit.id)

    @property
    def birth(self) -> Step | None:
        """The step that brought it, None while no commit holds it."""
        return next((one for one in reversed(self.steps) if one.event in {Event.ADDED, Event.CUT}), None)

    @property
    def wording(self) -> Step | None:
        """The newest step that gave the text its words."""
        return next((step for step in self.steps if step.rewords), None)

    @property
    def origin(self) -> Origin:
        """Where it came from, as its file said first: whatever was edited into the file later does not change that."""
        first = self.birth.after if self.birth else None
        told = first or self.entry
        return told.origin if told else Origin()


def name_of(path: str) -> str:
    """The id that a file's name gives."""
    return path.rpartition("/")[2].rpartition(".")[0]


def names(touches: Iterable[Touch]) -> dict[str, str]:
    """Every id that the touched files ever had, with the newest path of each."""
    found: dict[str, str] = {}
    for one in touches:
        found.setdefault(name_of(one.path), one.path)
        if one.was:
            found.setdefault(name_of(one.was), one.was)
    return found


Same = Callable[[Touch], bool]
"""Are the two sides of a rename one memory?"""


def latest(touches: Sequence[Touch], name: str, same: Same) -> str:
    """The id that the entry once called *name* has now; *touches* come newest first."""
    for one in reversed(touches):
        if one.was and name_of(one.was) == name and same(one):
            name = name_of(one.path)
    return name


def followed(touches: Iterable[Touch], name: str, same: Same) -> tuple[Touch, ...]:
    """Those of *touches*, newest first, that are about the entry *name*, under the names it had before too.

    A rename counts where the two sides are the *same* memory; else it is one that went and another that came.
    """
    known, kept = {name}, []
    for one in touches:
        if name_of(one.path) in known:
            if one.was and name_of(one.was) != name_of(one.path) and not same(one):
                one = one._replace(was="", old="")
            known.add(name_of(one.was or one.path))
            kept.append(one)
        elif one.was and name_of(one.was) in known:
            kept.append(one._replace(path=one.was, was="", new=""))  # what took its name is another one
    return tuple(kept)


def read(data: bytes | None, path: str, categories: Sequence[str]) -> Reading:
    """The entry in an old version of a file. What is wrong with it by today's rules alone does not matter."""
    if data is None:
        return Reading(None, "its bytes are not in this clone")
    if secrets.find(data[:_MOST].decode("utf-8", "replace")):
        return Reading(None, "it holds what looks like a secret, so it is not shown")
    folder = path.split("/")[-2:-1]
    entry, findings = codec.read(data, path, (*categories, *folder), placed=False)
    if entry is None:
        return Reading(None, findings[0].message)
    return Reading(replace(entry, path=path))


_MOST = 65536


def is_same(before: Reading, after: Reading) -> bool:
    """Are the two sides of a rename one memory? git compares bytes, of which short entries share many."""
    old, new = before.entry, after.entry
    if old is None or new is None or old.id == new.id or old.text == new.text:
        return True
    if old.origin.key or new.origin.key:
        return old.origin.key == new.origin.key
    ours, theirs = set(old.text.lower().split()), set(new.text.lower().split())
    return len(ours & theirs) >= _ALIKE * max(len(ours), len(theirs))


def steps(touches: Sequence[Touch], versions: Mapping[str, Reading]) -> tuple[Step, ...]:
    """What each touch of one entry did to it, both newest first. A version that cannot be read is named and skipped."""
    return tuple(reversed(list(_told(reversed(touches), versions))))


def _told(touches: Iterable[Touch], versions: Mapping[str, Reading]) -> Iterator[Step]:
    last: Entry | None = None
    for one in touches:
        if not one.new:
            yield Step(one.commit, Event.REMOVED, one.path)
            continue
        after = versions.get(one.new, Reading(None, "its bytes are not in this clone"))
        before = versions[one.old].entry if one.old in versions else None
        known = before or (last if one.old else None)
        yield _step(one, known, after)
        last = after.entry or last


def _step(touch: Touch, before: Entry | None, after: Reading) -> Step:
    commit, path, was = touch.commit, touch.path, touch.was
    entry = after.entry
    if not touch.old:
        event = Event.CUT if commit.cut else Event.ADDED
        return Step(commit, event, path, after=entry, fault=after.fault)
    if entry is None or before is None:
        fault = after.fault or "the version before it cannot be read"
        return Step(commit, Event.UNREADABLE, path, was, entry, fault=fault)
    fields = tuple(pairing.fields(before, entry))
    return Step(commit, _event(before, entry, fields, moved=bool(was)), path, was, entry, fields)


def _event(before: Entry, after: Entry, fields: tuple[Field, ...], *, moved: bool) -> Event:
    if bool(before.retired) != bool(after.retired):
        return Event.RETIRED if after.retired else Event.RESTORED
    if any(field.name not in _PLACE for field in fields):
        return Event.CHANGED
    return Event.MOVED if moved or fields else Event.ANCHORED


_PLACE = frozenset({"id", "category", "scope"})


def until(life: Life, text: str) -> Life:
    """The life up to where the entry last said *text*, which is on one line; all of it where no version did."""
    later = list(takewhile(lambda step: not _says(step, text), life.steps))
    return replace(life, steps=life.steps[len(later) :]) if len(later) < len(life.steps) else life


def _says(step: Step, text: str) -> bool:
    return step.after is not None and says(step.after, text)


def says(entry: Entry, text: str, *, whole: bool = False) -> bool:
    """Does its statement hold *text*, which is on one line, or with *whole* consist of it?"""
    said = " ".join(entry.text.split())
    return said == text if whole else text.casefold() in said.casefold()


def since(life: Life) -> str:
    """What became of an entry that does not say any more what it said once."""
    if life.gone:
        left = next((step for step in life.steps if step.event is Event.REMOVED), None)
        return f"its memory was removed{_by(left)}"
    if life.entry and life.entry.retired:
        return f"its memory was retired on {life.entry.retired.on}: {life.entry.retired.reason}"
    if life.heirs:
        return f"its memory was superseded by {', '.join(life.heirs)}"
    wording = life.wording
    return f"its memory was reworded{_by(wording)}: {' '.join(life.entry.text.split()) if life.entry else ''}"


def _by(step: Step | None) -> str:
    if step is None or not step.commit.id:
        return f", {step.commit.subject}" if step else ""
    return f" by {step.commit.id[:10]} on {step.commit.day}"
