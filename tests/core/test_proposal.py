"""A proposal as its file: when it was said."""

from __future__ import annotations

import pytest

from curator.core import proposal

NOW = "2026-03-03T14:03:00Z"


@pytest.mark.parametrize(
    ("time", "moment"),
    [
        ("2026-03-03T14:02:59.123Z", "2026-03-03T14:02:59Z"),
        ("2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z"),
        ("2026-03-03T14:03:01Z", NOW),
        ("2999-01-01T00:00:00Z", NOW),
        ("2025-13-45T99:99:99Z", NOW),
        ("2025-02-30T00:00:00.000Z", NOW),
        ("0000-01-01T00:00:00Z", NOW),
        ("yesterday", NOW),
        ("", NOW),
    ],
)
def test_a_message_is_of_its_time_where_that_can_be_and_never_of_the_future(time: str, moment: str) -> None:
    assert proposal.moment(time, NOW) == moment
