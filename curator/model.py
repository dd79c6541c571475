"""The nouns. Frozen values only: nothing here reads a file, a clock or git.

What stands in an entry's file is a frozen dataclass. Settings and results are
named tuples: making such a class takes a sixth of the time, and every command
pays for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from curator.here import Workspace as Workspace

SCHEMA = 1
MEMORIES = "memories"
CATEGORIES: Mapping[str, int] = {
    "constraint": 500,
    "decision": 500,
    "convention": 400,
    "gotcha": 300,
    "dead-end": 200,
    "route": 200,
    "todo": 100,
}
"""Default categories in block order, each with its budget in tokens."""
HALF_LIVES: Mapping[str, int] = {"todo": 30}
"""Days in which importance halves, where it is not the usual 180."""


class Level(Enum):
    """How much a finding asks of whoever reads it."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Fault(Enum):
    """What can be wrong with a file, whatever the code it speaks about does."""

    INVALID = "invalid"
    UNSAFE = "unsafe"
    SECRET = "secret"
    CONFLICT = "merge conflict"
    UNMERGED = "unmerged"
    NEWER = "newer schema"
    DUPLICATE = "duplicate"
    OVER_BUDGET = "over budget"
    SUSPECT = "suspect"
    UNREVIEWED = "not reviewed"
    OUT_OF_DATE = "block out of date"

    @property
    def level(self) -> Level:
        if self in {Fault.SUSPECT, Fault.OVER_BUDGET}:
            return Level.WARNING
        return Level.NOTE if self is Fault.UNREVIEWED else Level.ERROR


class State(Enum):
    """Is an entry still about the code that is there (docs/staleness.md)?"""

    FRESH = "fresh"
    AUTO = "auto"
    MOVED = "moved"
    NOTE = "note"
    REVIEW = "review"
    STALE = "stale"
    UNKNOWN = "unknown"
    FOREIGN = "foreign"

    @property
    def level(self) -> Level | None:
        """What a person is asked; None where nothing is."""
        if self is State.STALE:
            return Level.ERROR
        if self in {State.REVIEW, State.MOVED}:
            return Level.WARNING
        return Level.NOTE if self is State.NOTE else None


class Finding(NamedTuple):
    """One thing somebody should know: what kind, where, and the way out.

    *where* is a POSIX path relative to the root, with ``:line`` when known;
    *lines* are shown beneath the message. *settled* says that it is no news:
    it stood before what is being checked, and fails nothing.
    """

    kind: Fault | State
    where: str
    message: str
    hint: str = ""
    id: str = ""
    lines: tuple[str, ...] = ()
    settled: bool = False

    @property
    def level(self) -> Level:
        level = self.kind.level or Level.NOTE
        return Level.WARNING if self.settled and level is Level.ERROR else level


@dataclass(frozen=True, slots=True)
class Evidence:
    """One term that statement and file share, as it stood when last confirmed.

    *lines* are 4-hex hashes of the distinct lines that held it; *defines*
    says that the file defined the name.
    """

    term: str
    lines: tuple[str, ...] = ()
    defines: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A file the statement is about. *symbol*, *text* and *absent* sharpen it."""

    path: str
    symbol: str = ""
    text: str = ""
    absent: str = ""
    header: str = ""
    blob: str = ""
    terms: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an entry came from. *created* is ISO 8601 text, as written."""

    by: str = ""
    agent: str = ""
    session: str = ""
    trigger: str = ""
    commit: str = ""
    created: str = ""
    quote: str = ""
    extractor: str = ""
    confidence: float = 1.0
    key: str = ""


@dataclass(frozen=True, slots=True)
class Retired:
    """A soft delete: since when, and why."""

    on: str
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory. *path* is its file; dates are ISO 8601 text."""

    id: str
    category: str
    text: str
    path: str = ""
    why: str = ""
    importance: int = 5
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    scope: str = ""
    task: str = ""
    sources: tuple[Source, ...] = ()
    supersedes: tuple[str, ...] = ()
    review_by: str = ""
    expires: str = ""
    retired: Retired | None = None
    confirmed: str = ""
    seen: int = 1
    origin: Origin = field(default_factory=Origin)

    @property
    def reach(self) -> str:
        """The path prefix it applies to: its scope, else the folder whose memories hold it."""
        home = self.path[: self.path.rfind(f"{MEMORIES}/{self.category}/")] if self.path else ""
        return f"{self.scope.rstrip('/')}/" if self.scope else home


class Budget(NamedTuple):
    """What one category may cost in a block, in tokens."""

    category: str
    tokens: int


BUDGETS = tuple(Budget(name, size) for name, size in CATEGORIES.items())


class Target(NamedTuple):
    """A file that carries a block. An empty *scope* is the whole repository."""

    path: str
    scope: str = ""
    budgets: tuple[Budget, ...] = ()


class Capture(NamedTuple):
    """What hooks may propose by themselves (FORMAT: `capture`)."""

    sensitivity: str = "normal"
    quotes: str = "keep"
    gate: str = "off"
    gate_lookup: bool = False


class Recall(NamedTuple):
    """Limits and signal weights of a search (FORMAT: `recall`)."""

    limit: int = 5
    tokens: int = 800
    min_confidence: float = 0.0
    words: float = 1.0
    grams: float = 0.2
    paths: float = 0.2


class Config(NamedTuple):
    """memories/curator.yaml, with every default filled in."""

    namespace: str = "default"
    targets: tuple[Target, ...] = (Target("CLAUDE.md"),)
    block: str = "here"
    preamble: bool = True
    budgets: tuple[Budget, ...] = BUDGETS
    half_lives: Mapping[str, int] = HALF_LIVES
    trust: str = "index"
    capture: Capture = Capture()
    recall: Recall = Recall()

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(budget.category for budget in self.budgets)


class Share(NamedTuple):
    """How much one signal (words, grams, paths, prior) adds to a hit's score."""

    signal: str
    value: float
    terms: tuple[str, ...] = ()


class Hit(NamedTuple):
    """One search result: an entry, its score and what made it. *state* and *doubt* say why to look first, if so."""

    entry: Entry
    score: float
    shares: tuple[Share, ...] = ()
    state: State | None = None
    doubt: str = ""

    @property
    def shares_words(self) -> bool:
        """Whether it holds a whole word of what was asked, and not letters alone."""
        return any(share.signal in {"words", "paths"} for share in self.shares)


class Found(NamedTuple):
    """The hits of a search, best first; *searched* entries were looked through."""

    hits: tuple[Hit, ...] = ()
    searched: int = 0
    findings: tuple[Finding, ...] = ()
