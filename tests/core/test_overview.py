"""One screen: what the agent will read comes first, in lines that fit, and no wall of text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator.core import columns, overview
from curator.core.compare import Change, Compared, Effect, Field, Kind, Shift
from tests.comparing import SEED, TESTS, TESTS_OLD, TODAY, USUAL, broken, entry


def shown(compared: Compared, width: int = 100) -> list[str]:
    return [line.text for line in overview.screen(compared, width=width, today=TODAY)]


def test_the_head_counts_and_says_what_it_costs() -> None:
    counts, cost, *_ = shown(USUAL)
    assert counts == "3 new, 1 changed, 1 superseded, 1 retired, 1 stale, 1 setting changed"
    assert cost == "CLAUDE.md 1,204 -> 1,310 of 1,900 tokens"


def test_a_short_head_is_one_line() -> None:
    assert shown(replace(USUAL, settings=(), doubts=()))[0].endswith(
        "1 retired; CLAUDE.md 1,204 -> 1,310 of 1,900 tokens"
    )


def test_the_parts_stand_in_the_order_in_which_they_matter() -> None:
    lines = shown(replace(USUAL, findings=(broken("memories/a.yaml:3", "no text"),)))
    titles = [lines[at + 1] for at, line in enumerate(lines[:-1]) if not line]
    assert titles == [
        "Look at this first",
        "Cannot be read",
        "Settings",
        "Enters the block",
        "Leaves the block",
        "Reworded in the block",
        "Stale by this change",
        "Look at",
    ]


def test_a_usual_change_is_one_screen() -> None:
    assert len(shown(USUAL)) <= 40


@pytest.mark.parametrize("width", [40, 72, 100, 300])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    wide = replace(SEED, text="加载种子数据到共享数据库" * 40)
    compared = replace(USUAL, changes=(*USUAL.changes, Change(Kind.ADDED, None, replace(wide, path="memories/x.yaml"))))
    assert max(map(columns.width, shown(compared, width))) <= min(width, overview.WIDEST)


def test_a_rewording_shows_both_texts_with_what_differs_marked() -> None:
    lines = shown(USUAL)
    assert "- convention  Run the tests with `pytest -q` before each push." in lines
    assert "+ convention  Run the tests with `pytest -q {+-n 2+}` before each push.  (importance: 5 -> 7)" in lines


def test_a_rewording_that_enters_the_block_is_marked_too() -> None:
    effect = replace(USUAL.effects[0], enters=(TESTS,), reworded=())
    lines = shown(replace(USUAL, effects=(effect,)))
    at = lines.index("Enters the block")
    assert lines[at + 1 : at + 3] == [
        "- convention  Run the tests with `pytest -q` before each push.",
        "+ convention  Run the tests with `pytest -q {+-n 2+}` before each push.  (importance: 5 -> 7)",
    ]


def test_what_a_new_target_shows_stands_beside_its_category() -> None:
    effect = replace(USUAL.effects[0], enters=(SEED,), leaves=(), reworded=(), change="added")
    lines = shown(Compared(effects=(effect,), settings=USUAL.settings), 110)
    text = " ".join(" ".join(lines).split())
    assert "+ constraint Never load the seed data" in text
    assert "(this file is a new target)" in text


def test_a_block_in_another_order_says_so() -> None:
    effect = Effect("CLAUDE.md", 40, 40, (Shift("gotcha", 40, 40, 300, 300),), differs=True)
    told = shown(Compared(effects=(effect,), settings=USUAL.settings))
    assert "the same memories under other headings or in another order" in " ".join(told)


def test_what_leaves_says_why() -> None:
    text = "\n".join(shown(USUAL))
    assert "Cache in SQLite.  (superseded by decision/cache-in-redis-a07e31)" in text
    assert "Makefiles are indented with tabs.  (does not fit: 12 tokens, 6 of 400 left)" in text


def test_an_entry_takes_two_lines_and_a_section_has_an_end() -> None:
    many = tuple(entry(f"e-{at:06x}", "A rule that goes on and on. " * 40) for at in range(10_000))
    changes = tuple(Change(Kind.ADDED, None, one) for one in many)
    lines = shown(replace(USUAL, changes=changes, effects=(replace(USUAL.effects[0], enters=many),)))
    assert len(lines) < 80
    assert "  and 9,984 more" in lines


def test_colours_say_what_comes_and_what_goes() -> None:
    paints = {line.text[:1]: line.paint for line in overview.screen(USUAL, width=100, today=TODAY) if line.paint}
    assert paints == {"+": "green", "-": "red", "!": "yellow", " ": paints.get(" ", "")}


def test_several_blocks_are_told_apart() -> None:
    other = replace(USUAL.effects[0], path="web/CLAUDE.md", enters=(SEED,), leaves=(), reworded=())
    text = " ".join("\n".join(shown(replace(USUAL, effects=(*USUAL.effects, other)))).split())
    assert "in CLAUDE.md, web/CLAUDE.md)" in text
    assert "(importance: 5 -> 7; in CLAUDE.md)" in text


def test_evidence_alone_is_counted_and_not_listed() -> None:
    quiet = Compared(changes=(Change(Kind.CHANGED, TESTS_OLD, TESTS_OLD),))
    assert shown(quiet) == ["1 confirmed"]


def test_what_changed_elsewhere_than_in_a_block_is_told_too() -> None:
    why = Change(Kind.CHANGED, TESTS, TESTS, fields=(Field("why", "Flaky. " * 20, "Slow. " * 20),))
    assert any("why: " in line for line in shown(Compared(changes=(why,))))


def test_nothing_is_no_screen_and_a_note_is_one() -> None:
    assert shown(Compared()) == []
    assert shown(Compared(notes=("the base is not here",)))[1] == "! the base is not here"


def test_a_comparison_without_a_base_says_so_first() -> None:
    effect = replace(USUAL.effects[0], before=1310, enters=(), leaves=(), reworded=())
    lines = shown(Compared(effects=(effect,), notes=("main is not here",), one_sided=True))
    assert lines == ["nothing could be compared; CLAUDE.md 1,310 tokens", "! main is not here"]
