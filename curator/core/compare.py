"""Two states of a repository's memories side by side: what changed, and what that does to the agent that reads them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from curator.model import Entry, Finding, Level
from curator.selection import LeftOut


class Kind(Enum):
    """What happened to one entry; of several things the first in this order."""

    ADDED = "new"
    REMOVED = "removed"
    RETIRED = "retired"
    SUPERSEDED = "superseded"
    RESTORED = "restored"
    CHANGED = "changed"
    MOVED = "moved"


class Field(NamedTuple):
    """One key of an entry that differs, its values as plain text; "" where it is absent."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """One entry before and after. *fields* are those that a person judges, the text first; evidence is left out.

    *by* are the entries that take its place. A changed file that no reader
    would tell from the old one (evidence alone) has the kind CHANGED and no
    fields.
    """

    kind: Kind
    before: Entry | None
    after: Entry | None
    fields: tuple[Field, ...] = ()
    by: tuple[Entry, ...] = ()

    @property
    def entry(self) -> Entry:
        """The entry as it will be; as it was where it goes."""
        found = self.after or self.before
        assert found is not None
        return found


class Shift(NamedTuple):
    """What one category of a block costs, in tokens, before and after; and what it may cost."""

    category: str
    before: int
    after: int
    budget_before: int
    budget: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one target's block. *leaves* says why; *reworded* is shown before and after, otherwise.

    *change* is "added" or "removed" where the target itself is. *differs*:
    its text is another one, if only in its order or its headings.
    """

    path: str
    before: int
    after: int
    shifts: tuple[Shift, ...] = ()
    enters: tuple[Entry, ...] = ()
    leaves: tuple[LeftOut, ...] = ()
    reworded: tuple[Entry, ...] = ()
    change: str = ""
    differs: bool = False

    @property
    def is_nothing(self) -> bool:
        moved = self.enters or self.leaves or self.reworded
        return not (moved or self.change or self.differs or self.before != self.after)


class Smell(Enum):
    """What a reviewer should look at twice."""

    BY_HAND = "by hand in the block"
    OUTDATED = "block out of date"
    ORDER = "order"
    ORIGIN = "origin"
    CONTRADICTION = "contradiction"
    SAME_KEY = "same key"
    NEAR = "near-duplicate"
    UNCHECKABLE = "not checkable"
    SUSPECT = "suspect"
    SETTING = "setting"


class Look(NamedTuple):
    """One thing to look at: what, of which entry, why, on which line of its file; *other* is the entry it is about.

    *entry* is None where it is about settings or a block; *setting* is the name of the one that it is about.
    """

    smell: Smell
    path: str
    line: int
    message: str
    entry: Entry | None = None
    other: Entry | None = None
    likeness: float = 0.0
    level: Level = Level.WARNING
    setting: str = ""


class Doubt(NamedTuple):
    """An entry that the same change makes stale, moved or worth a review. *touched*: its own file changed too.

    Its finding is settled where the entry is edited, and was in doubt before.
    """

    finding: Finding
    entry: Entry
    touched: bool
    line: int


class Setting(NamedTuple):
    """One setting of curator.yaml that differs, as a person would write it."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Compared:
    """All that a reviewer is shown.

    *base* and *head* are as they were asked for with *dots* between them, the commits full ids, "" for the index.

    *findings* are files that cannot be read: of the new side as faults, of
    the old side as notes. *notes* tell what could not be looked at.
    *one_sided*: the base is not here, so that nothing is compared, and all
    that is said is of *head* alone.
    """

    base: str = ""
    head: str = ""
    base_commit: str = ""
    head_commit: str = ""
    changes: tuple[Change, ...] = ()
    effects: tuple[Effect, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    looks: tuple[Look, ...] = ()
    settings: tuple[Setting, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    one_sided: bool = False
    dots: str = ".."

    @property
    def is_nothing(self) -> bool:
        """Nothing for a reviewer: then nothing is printed, and no comment made."""
        told = self.changes or self.doubts or self.looks or self.settings or self.findings
        return not (told or self.one_sided)
