"""What a command passes along and hands to its door. Frozen values only, as in `model`.

They stand apart from `model` so that a search, which needs none of them,
does not pay for making the classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curator.model import Config, Entry, Finding, Origin, Source, Target
from curator.selection import LeftOut, Selection


@dataclass(frozen=True, slots=True)
class Store:
    """What the trusted tree holds: settings, whole entries, and what was left out."""

    config: Config
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate before it has an id, a date and stamped sources."""

    text: str
    category: str = ""
    why: str = ""
    importance: int = 5
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    scope: str = ""
    task: str = ""
    supersedes: tuple[str, ...] = ()
    origin: Origin = field(default_factory=Origin)


@dataclass(frozen=True, slots=True)
class Edit:
    """A file as it is and as it should be. Making one writes nothing.

    *before* is None for a file that must not exist yet. Text holds the bytes
    exactly: newlines untranslated, undecodable bytes as lone surrogates.
    """

    path: str
    before: str | None
    after: str

    @property
    def changes(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verb decided. A door turns it into output, writes and an exit code.

    *notes* are lines for a person; *stage* names whole files to stage after
    the edits were written; *drop* files that move to those of *stage*, in
    this order, with the text they hold.
    """

    edits: tuple[Edit, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    stage: tuple[str, ...] = ()
    drop: Mapping[str, str] = field(default_factory=dict)

    @property
    def changes(self) -> bool:
        return any(edit.changes for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Block:
    """One target's block: what it shows and costs. *current* says that the file holds it already."""

    target: Target
    selection: Selection
    body: str
    tokens: int
    current: bool = True


@dataclass(frozen=True, slots=True)
class Rendered(Outcome):
    """The blocks of all targets, with the edits that bring their files up to date."""

    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed(Outcome):
    """Entries in the order category, id, each with the reason why it is out of every block ("" when it is in)."""

    entries: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Census(Outcome):
    """The state of the store: entries in use and ended by category, blocks, and what a session pays.

    *states* counts the entries in use that cite a file, by state.

    *price* is US dollars a million input tokens, None when the user's git
    configuration (`curator.price`) says none.
    """

    active: Mapping[str, int] = field(default_factory=dict)
    ended: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0
    blocks: tuple[Block, ...] = ()
    price: float | None = None

    @property
    def tokens(self) -> int:
        """What every session that starts at the root reads, in tokens."""
        return max((block.tokens for block in self.blocks if not block.target.scope), default=0)


@dataclass(frozen=True, slots=True)
class Statement:
    """One rule of a Markdown file: its text, its lines (from 1, both inclusive) and the headings above it.

    *kept* says why it has to stay where it is, "" when it may become a memory.
    """

    text: str
    first: int
    last: int
    headings: tuple[str, ...] = ()
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Planned(Outcome):
    """What an import would do with *file*: statements that become entries, and those that stay, with the reason."""

    file: str = ""
    entries: tuple[tuple[Statement, Entry], ...] = ()
    skipped: tuple[tuple[Statement, str], ...] = ()
