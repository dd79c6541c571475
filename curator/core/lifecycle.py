"""Which entries have ended: retired, superseded or expired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curator.model import Entry

SUPERSEDED = "superseded"
"""Why an entry is retired when another one takes its place."""


def ended(entries: Sequence[Entry], as_of: str = "") -> Mapping[str, str]:
    """Map the path of each entry that no longer counts to the reason.

    *as_of* is an ISO date; "" lets nothing expire. What an entry supersedes
    stays superseded after that entry itself has ended.
    """
    heirs = superseders(entries)
    reasons: dict[str, str] = {}
    for entry in entries:
        reason = _reason(entry, heirs, as_of)
        if reason:
            reasons[entry.path] = reason
    return reasons


def in_use(entries: Sequence[Entry], as_of: str) -> tuple[Entry, ...]:
    """The entries that have not ended on an ISO date."""
    gone = ended(entries, as_of)
    return tuple(entry for entry in entries if entry.path not in gone)


def is_succeeded(entry: Entry) -> bool:
    """Whether an entry that another one supersedes ended by that, and was not retired for a reason of its own."""
    return entry.retired is None or entry.retired.reason.strip() == SUPERSEDED


def superseders(entries: Iterable[Entry]) -> Mapping[str, str]:
    """Map each superseded id to the entry that replaced it (the first by id)."""
    pairs = sorted((old, entry.id) for entry in entries for old in entry.supersedes if old != entry.id)
    return dict(reversed(pairs))


def moments(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The dates at which a block can change by itself, "" (nothing has expired) last.

    A block that was right on one of them is right: time alone never makes it
    out of date. A date stands for the day after it.
    """
    return (*sorted({f"{entry.expires}+" for entry in entries if entry.expires}, reverse=True), "")


def _reason(entry: Entry, heirs: Mapping[str, str], as_of: str) -> str:
    if entry.id in heirs and is_succeeded(entry):
        return f"superseded by {heirs[entry.id]}"
    if entry.retired:
        return f"retired on {entry.retired.on}: {entry.retired.reason}"
    return f"expired after {entry.expires}" if entry.expires and entry.expires < as_of else ""
