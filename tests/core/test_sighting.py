"""What each line of a block is."""

from __future__ import annotations

import pytest

from curator.core import bullet, sighting
from curator.core.sighting import Kind
from curator.model import Entry
from tests.conftest import BLOCK_TEMPLATE, END, START

TEXT = f"""# Mine
{START}
## Agent memory

### Gotchas
- One line.
- Steps:

  ```sh
  - make
  ```
### Mine
- Two: "One line" is not it.
by hand

Check before relying on: "One line" (x.py is gone).

3 more did not fit: `curator recall "<topic>"`.
{END}
tail
"""


def kinds(text: str) -> dict[int, Kind]:
    found = sighting.spots(text, "CLAUDE.md", BLOCK_TEMPLATE, ["gotcha"])
    return {number: spot.kind for spot in found for number in range(spot.first, spot.last + 1)}


def test_every_line_has_one_kind() -> None:
    found = kinds(TEXT)
    assert list(found) == list(range(1, TEXT.count("\n") + 1))
    entry, plain = Kind.ENTRY, Kind.TEMPLATE
    assert list(found.values()) == [
        *(Kind.OUTSIDE, Kind.MARKER, plain, plain, Kind.HEADING, entry, entry, entry, entry, entry, entry),
        *(Kind.FOREIGN, entry, Kind.FOREIGN, plain, Kind.FLAGS, plain, Kind.LEFT_OUT, Kind.MARKER, Kind.OUTSIDE),
    ]


@pytest.mark.parametrize("text", ["", "\n", "no block\n", "no newline at the end"])
def test_without_a_block_all_is_outside(text: str) -> None:
    assert set(kinds(text).values()) <= {Kind.OUTSIDE}


@pytest.mark.parametrize(
    "text", ["One.", "One.\nTwo.", "List:\n- a\n- b\n\nEnd.", "- a\n- b", "```sh\nmake\n```", "a  b\n\n    code"]
)
def test_an_entry_is_known_by_the_lines_that_a_render_makes_of_it(text: str) -> None:
    entry = Entry("a", "gotcha", text)
    page = f"{START}\n### Gotchas\n{bullet.item(entry)}\n{END}\n"
    spots = [one for one in sighting.spots(page, "x", "", ["gotcha"]) if one.kind is Kind.ENTRY]
    (spot,) = spots
    assert sighting.said_by(spot, [entry, Entry("b", "gotcha", "Other.")]) == (entry,)


def test_text_is_sought_in_entries_first_then_in_the_block_then_around_it() -> None:
    found = sighting.spots(TEXT, "x", BLOCK_TEMPLATE, ["gotcha"])
    assert [spot.first for spot in sighting.holding(found, "one   LINE")] == [6, 13]
    assert [spot.kind for spot in sighting.holding(found, "BY HAND")] == [Kind.FOREIGN]
    assert [spot.kind for spot in sighting.holding(found, "tail")] == [Kind.OUTSIDE]
    assert sighting.holding(found, " ") == ()
    assert sighting.holding(found, "nothing of it") == ()
