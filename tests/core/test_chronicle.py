"""What was learned, confirmed and ended, month by month."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.core import chronicle, lifecycle
from curator.core.chronicle import Month
from curator.model import Entry, Origin, Retired

TODAY = "2026-07-15"


def entry(
    name: str,
    created: str = "",
    *,
    retired: str = "",
    confirmed: str = "",
    expires: str = "",
    supersedes: tuple[str, ...] = (),
) -> Entry:
    return Entry(
        name,
        "gotcha",
        "text",
        path=f"memories/gotcha/{name}.yaml",
        origin=Origin(created=created),
        retired=Retired(retired, "why") if retired else None,
        confirmed=confirmed,
        expires=expires,
        supersedes=supersedes,
    )


def test_every_month_from_the_first_to_today_is_told_quiet_ones_too() -> None:
    entries = [entry("a", "2026-04-30T23:59:59Z"), entry("b", "2026-04-01"), entry("c", "2026-06-02", confirmed=TODAY)]
    assert chronicle.months(entries, TODAY) == (
        Month("2026-04", 2, 0, 0, 2),
        Month("2026-05", 0, 0, 0, 2),
        Month("2026-06", 1, 0, 0, 3),
        Month("2026-07", 0, 1, 0, 3),
    )


def test_a_memory_ends_when_it_is_retired_replaced_or_expired() -> None:
    entries = [
        entry("a", "2026-04-01", retired="2026-05-02"),
        entry("b", "2026-04-01"),
        entry("c", "2026-06-01", supersedes=("b",)),
        entry("d", "2026-04-01", expires="2026-07-01"),
        entry("e", "2026-04-01", expires="2026-07-15"),
    ]
    told = {month.name: (month.ended, month.in_use) for month in chronicle.months(entries, TODAY)}
    assert told == {"2026-04": (0, 4), "2026-05": (1, 3), "2026-06": (1, 3), "2026-07": (1, 2)}


def test_what_has_no_date_was_there_from_the_start() -> None:
    months = chronicle.months([entry("a"), entry("b", "2026-06-01")], TODAY)
    assert months[0] == Month("2026-06", 1, 0, 0, 2)


def test_a_date_still_to_come_or_of_no_month_counts_as_none() -> None:
    entries = [entry("a", "2999-01-01"), entry("b", "2026-13-40"), entry("c", "2026-06-01")]
    assert [month.learned for month in chronicle.months(entries, TODAY)] == [1, 0]


def test_without_any_date_there_is_nothing_to_tell() -> None:
    assert chronicle.months([], TODAY) == ()
    assert chronicle.months([entry("a")], TODAY) == ()


def test_a_long_history_begins_with_one_sum() -> None:
    entries = [entry("a", "0202-01-01"), entry("b", "2023-07-01"), entry("c", "2023-08-01")]
    months = chronicle.months(entries, TODAY)
    assert len(months) == chronicle.LONGEST + 1
    assert months[:2] == (Month("until 2023-07", 2, 0, 0, 2), Month("2023-08", 1, 0, 0, 3))


DAYS = st.sampled_from(["", "2025-11-03", "2026-01-31", "2026-07-15", "2027-01-01"])


@given(st.lists(st.tuples(DAYS, DAYS, DAYS), max_size=12))
def test_the_last_month_ends_with_what_is_in_use_and_nothing_is_lost(days: list[tuple[str, str, str]]) -> None:
    entries = [
        entry(f"m{number}", created, retired=retired, confirmed=confirmed)
        for number, (created, retired, confirmed) in enumerate(days)
    ]
    months = chronicle.months(entries, TODAY)
    if months:
        assert months[-1].in_use == len(lifecycle.in_use(entries, TODAY))
        assert months[-1].name == "2026-07"
        assert sum(month.learned for month in months) == sum("" < one.origin.created <= TODAY for one in entries)
