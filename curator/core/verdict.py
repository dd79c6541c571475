"""What a judgement says: the state of each source of an entry, and the reasons in words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from curator.core import printable
from curator.model import Entry, State

_ORDER = (State.FRESH, State.AUTO, State.FOREIGN, State.UNKNOWN, State.NOTE, State.REVIEW, State.MOVED, State.STALE)


class Change(Enum):
    """What happened to an anchor, as a sentence about its *name* and *path*."""

    PATH_GONE = "{path} is gone"
    UNTRACKED = "{path} is not a tracked file"
    MOVED = "{path} moved to {elsewhere}"
    TERM_GONE = "`{name}` is gone from {path}"
    DEFINITION_GONE = "`{name}` is no longer defined in {path}"
    UNDEFINED = "`{name}` does not occur in {path}"
    NO_LINE = "no line of {path} reads `{name}`"
    TEXT_GONE = "no line like `{name}` is left in {path}"
    TEXT_EDITED = "the line `{name}` was edited in {path}"
    FORBIDDEN = "`{name}` occurs in {path}, where the statement says it does not"
    LINES_GONE = "half of the lines with `{name}` were edited in {path}"
    LIST_EDITED = "the line with `{name}` and other terms of the statement was edited in {path}"
    VALUE_EDITED = "the line with `{name}` in {path} no longer says the value that the statement names"
    LINE_EDITED = "a line with `{name}` was edited in {path}"
    HEADER_CHANGED = "the header of `{name}` changed in {path}"
    CUT_OFF = "{path} is gone, and this shallow clone does not reach back to where it may have moved"
    UNREADABLE = "{path} is binary, too long or not at hand"
    NOT_STAMPED = "no evidence was kept of {path}"
    FOREIGN = "{path} lies in the submodule {elsewhere}"
    BUMPED = "{path} lies in the submodule {elsewhere}, which stands at another commit now"
    NO_ANCHOR = "the statement names nothing that could be checked in {path}"


PATHS = frozenset({Change.PATH_GONE, Change.UNTRACKED, Change.MOVED})
"""Changes of a path itself."""
NEVER = frozenset({Change.UNTRACKED, Change.UNDEFINED, Change.NO_LINE})
"""What never held, so that a slip of the one who wrote it is likelier than a change of the code."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a source is in a state: the term, symbol or line *name*, the file, what happened.

    *lines* are up to three lines that held it, where the old text is known.
    *elsewhere* is another cited file that holds it, or the path a file moved to.
    """

    state: State
    change: Change
    path: str
    name: str = ""
    lines: tuple[str, ...] = ()
    elsewhere: str = ""

    @property
    def message(self) -> str:
        """One sentence without its full stop, such as "`round_vat` is gone from shop/tax.py". Always one line."""
        name, path, elsewhere = map(printable.inline, (self.name, self.path, self.elsewhere))
        text = self.change.value.format(name=name, path=path, elsewhere=elsewhere)
        stands = elsewhere and "{elsewhere}" not in self.change.value
        return f"{text}, but stands in {elsewhere}" if stands else text


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of a source and its reasons, worst first."""

    state: State
    reasons: tuple[Reason, ...] = ()


def worst(states: Iterable[State]) -> State:
    """The state of an entry from those of its sources; UNKNOWN without any."""
    return max(states, key=rank, default=State.UNKNOWN)


def rank(state: State) -> int:
    """How bad a state is; greater is worse."""
    return _ORDER.index(state)


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry with the verdict on each of its sources, in their order. *due*: its `review_by` has passed."""

    entry: Entry
    verdicts: tuple[Verdict, ...] = ()
    due: bool = False

    @property
    def state(self) -> State:
        """The worst of its sources; UNKNOWN without any. A date that passed asks for review."""
        if len(self.verdicts) == 1 and not self.due:
            return self.verdicts[0].state
        states = [verdict.state for verdict in self.verdicts]
        return worst([*states, State.REVIEW] if self.due else states)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons of all sources, worst first."""
        found = (reason for verdict in self.verdicts for reason in verdict.reasons)
        return tuple(sorted(found, key=lambda reason: -rank(reason.state)))


def reason_value(reason: Reason) -> dict[str, object]:
    """A reason for `--json` (docs/json.md). Where a path itself is gone or elsewhere, it is the name as well."""
    return {
        "state": reason.state.value,
        "change": reason.change.name.lower().replace("_", "-"),
        "name": reason.path if reason.change in PATHS else reason.name,
        "elsewhere": reason.elsewhere,
        "message": reason.message,
        "lines": list(reason.lines),
    }


def dumps(verdicts: Iterable[Verdict]) -> str:
    """Verdicts as one JSON array, for the cache."""
    rows = [(one.state.value, [_row(reason) for reason in one.reasons]) for one in verdicts]
    return json.dumps(rows, separators=(",", ":"))


def loads(text: str) -> tuple[Verdict, ...]:
    """The verdicts that `dumps` wrote."""
    return tuple(Verdict(State(state), tuple(map(_reason, reasons))) for state, reasons in json.loads(text))


def _row(reason: Reason) -> list[Any]:
    return [reason.state.value, reason.change.name, reason.path, reason.name, reason.lines, reason.elsewhere]


def _reason(row: list[Any]) -> Reason:
    state, change, path, name, lines, elsewhere = row
    return Reason(State(state), Change[change], path, name, tuple(lines), elsewhere)
