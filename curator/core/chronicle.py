"""How the memories came and went: learned, confirmed, ended and in use, month by month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curator.core import lifecycle
from curator.model import Entry

LONGEST = 36
"""Months that are told apart; older ones are one sum."""
OLDER = "until "
"""What the name of that sum begins with."""


@dataclass(frozen=True, slots=True)
class Month:
    """What happened in one month, such as `2026-07`, and how many were in use at its end.

    The first one of a long history is `until 2023-11`: all that came before.
    """

    name: str
    learned: int
    confirmed: int
    ended: int
    in_use: int


def months(entries: Sequence[Entry], as_of: str) -> tuple[Month, ...]:
    """Every month from the first memory to an ISO date, quiet ones too; none without a date to go by.

    A memory counts as learned in the month it was created, confirmed in the
    month of its last confirmation, and ended when it was retired, expired, or
    replaced by one that was created then. What has no date, or one still to
    come, was there from the start.
    """
    last = as_of[:7]
    gone = lifecycle.ended(entries, as_of)
    learned = Counter(_month(entry.origin.created, last) for entry in entries)
    confirmed = Counter(_month(entry.confirmed, last) for entry in entries)
    ended = Counter(_month(day, last) for day in _ends(entries, gone))
    dated = sorted(month for month in {*learned, *confirmed, *ended} if month)
    if not dated:
        return ()
    in_use = learned[""] - ended[""]
    made = []
    for month in _through(dated[0], last):
        in_use += learned[month] - ended[month]
        made.append(Month(month, learned[month], confirmed[month], ended[month], in_use))
    return (*_summed(made[:-LONGEST]), *made[-LONGEST:])


def _month(day: str, last: str) -> str:
    return day[:7] if "0001" < day[:7] <= last and day[5:7] in _NUMBERS else ""


_NUMBERS = frozenset(f"{number:02}" for number in range(1, 13))


def _ends(entries: Sequence[Entry], gone: Mapping[str, str]) -> Iterator[str]:
    """The day on which each of the *gone* ended, "" where nothing tells."""
    heirs = lifecycle.superseders(entries)
    created = {entry.id: entry.origin.created for entry in entries}
    for entry in entries:
        if entry.path in gone:
            yield (
                entry.retired.on if entry.retired else created[heirs[entry.id]] if entry.id in heirs else entry.expires
            )


def _through(first: str, last: str) -> Iterator[str]:
    """All months between two, both included."""
    at, end = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (first, last))
    for number in range(at, end + 1):
        yield f"{number // 12:04}-{number % 12 + 1:02}"


def _summed(older: Sequence[Month]) -> tuple[Month, ...]:
    if not older:
        return ()
    learned, confirmed, ended = (
        sum(counts) for counts in zip(*((one.learned, one.confirmed, one.ended) for one in older), strict=True)
    )
    return (Month(OLDER + older[-1].name, learned, confirmed, ended, older[-1].in_use),)
