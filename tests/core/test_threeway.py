"""Three versions and the one they make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.core import block, threeway
from curator.core.threeway import Three
from tests.conftest import END, START

TREES = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2))


def page(body: str, before: str = "top\n", after: str = "tail\n") -> str:
    return f"{before}{START}\n{body}{END}\n{after}"


@given(TREES, TREES)
def test_a_side_that_did_nothing_gives_way(base: dict[str, int], other: dict[str, int]) -> None:
    assert threeway.trees(base, base, other) == (other, ())
    assert threeway.trees(base, other, base) == (other, ())
    assert threeway.trees(base, other, other) == (other, ())


@given(TREES, TREES, TREES)
def test_no_path_is_lost_and_sides_may_be_swapped(
    base: dict[str, int], ours: dict[str, int], theirs: dict[str, int]
) -> None:
    settled, left = threeway.trees(base, ours, theirs)
    assert threeway.trees(base, theirs, ours) == (settled, left)
    assert not set(settled) & set(left)
    for path in {*base, *ours, *theirs} - {*settled, *left}:
        assert path in base
        assert path not in ours or path not in theirs
    for path in left:
        assert len({side.get(path) for side in (base, ours, theirs)}) == 3


def test_masked_versions_differ_only_around_the_block() -> None:
    texts = Three(page("- a\n"), page("- a\n- b\n", before="our top\n"), page("- c\n"))
    masked = threeway.masked(texts, "CLAUDE.md")
    assert masked is not None
    assert len({block.body(text) for text in masked}) == 1
    assert masked.ours.startswith("our top\n")
    assert masked.theirs == masked.base


@pytest.mark.parametrize("broken", ["no block\n", page("- a\n") * 2, f"{START}\n- a\n"])
def test_a_side_without_one_sound_block_is_not_masked(broken: str) -> None:
    assert threeway.masked(Three(page("- a\n"), broken, page("- b\n")), "CLAUDE.md") is None
    assert threeway.masked(Three(page("- a\n"), page("- b\n"), broken), "CLAUDE.md") is None
    assert threeway.masked(Three(broken, page("- a\n"), page("- b\n")), "CLAUDE.md") is not None


@pytest.mark.parametrize("body", ["", "- one", "- one\n- two"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_mask_is_filled_with_the_newlines_around_it(body: str, newline: str) -> None:
    text = page("- a\n").replace("\n", newline)
    masked = threeway.masked(Three(text, text, text), "CLAUDE.md")
    assert masked is not None
    filled = threeway.filled(masked.ours, body)
    assert filled == page(body + "\n" if body else "").replace("\n", newline)


def test_a_mask_that_did_not_come_through_whole_is_not_filled() -> None:
    masked = threeway.masked(Three(page(""), page(""), page("")), "CLAUDE.md")
    assert masked is not None
    lines = masked.ours.split("\n")
    assert threeway.filled("\n".join(lines[:5] + lines[6:]), "- x") is None
    assert threeway.filled(masked.ours + masked.ours, "- x") is None
    assert threeway.filled("nothing", "- x") is None


@pytest.mark.parametrize(
    ("bodies", "made"),
    [
        (("a", "a", "b"), ("b", True)),
        (("a", "b", "a"), ("b", True)),
        (("a", "b", "b"), ("b", True)),
        (("a", "b", "c"), ("<<<<<<<< ours\nb\n========\nc\n>>>>>>>> theirs", False)),
        (("a", "", "c"), ("<<<<<<<< ours\n========\nc\n>>>>>>>> theirs", False)),
    ],
)
def test_a_block_nobody_can_render(bodies: tuple[str, str, str], made: tuple[str, bool]) -> None:
    texts = Three(*(page(f"{body}\n" if body else "") for body in bodies))
    assert threeway.body(texts, "CLAUDE.md", 8) == made
