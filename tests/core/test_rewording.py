"""Two texts word by word: exact, readable, and never slow."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.core import rewording
from curator.core.rewording import Fate

BITS = ["a", "b", "the ", "of ", " ", "\n", ".", ",", "`", "(", "加", "载", "é", "\U0001f600"]
TEXTS = st.lists(st.sampled_from(BITS), max_size=40).map("".join)


@given(TEXTS, TEXTS)
def test_kept_and_gone_are_the_old_text_and_kept_and_new_the_new_one(before: str, after: str) -> None:
    pieces = rewording.pieces(before, after)
    assert "".join(piece.text for piece in pieces if piece.fate is not Fate.NEW) == before
    assert "".join(piece.text for piece in pieces if piece.fate is not Fate.GONE) == after
    assert all(piece.text for piece in pieces)
    assert all(one.fate is not other.fate for one, other in pairwise(pieces))


@given(TEXTS)
def test_a_text_that_stays_is_one_piece(text: str) -> None:
    assert [piece.fate for piece in rewording.pieces(text, text)] == ([Fate.KEPT] if text else [])


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("Run pytest with -q.", "Run pytest with -q -n 2.", "Run pytest with -q.", "Run pytest with -q {+-n 2+}."),
        (
            "Cached in SQLite, by hand.",
            "Cached in Redis, by hand.",
            "Cached in [-SQLite-], by hand.",
            "Cached in {+Redis+}, by hand.",
        ),
        ("Use `make clean`.", "Use `make flush`.", "Use `make [-clean-]`.", "Use `make {+flush+}`."),
        ("See src/cache.py now", "See src/store.py now", "See [-src/cache.py-] now", "See {+src/store.py+} now"),
        ("数据不要加载到数据库", "数据绝不加载到数据库", "数据[-不要-]加载到数据库", "数据{+绝不+}加载到数据库"),
        ("One line\nand two", "One line and two", "One line and two", "One line and two"),
    ],
)
def test_what_changed_is_marked_by_whole_words_or_characters(before: str, after: str, old: str, new: str) -> None:
    assert rewording.sides(before, after) == (old, new)


def test_a_sentence_written_anew_is_not_cut_into_single_words() -> None:
    before = "Cache the prices in SQLite, one file a worker."
    after = "Every worker talks to the Redis of the cluster."
    assert rewording.sides(before, after) == (before, after)


def test_a_long_text_loses_what_is_far_from_the_change() -> None:
    text = f"{'head ' * 60}the limit is {{}} a minute {'tail ' * 60}".strip()
    old, new = rewording.sides(text.format("five"), text.format("six"), 90)
    assert len(old) <= 90
    assert len(new) <= 90
    assert "limit is [-five-] a minute" in old
    assert "limit is {+six+} a minute" in new
    assert old.startswith("...")
    assert old.endswith("...")


def test_one_line_holds_both_where_they_share_something() -> None:
    assert rewording.joint("src/a.py, src/b.py", "src/a.py, src/c.py") == "src/a.py, [-src/b.py-]{+src/c.py+}"
    assert rewording.joint("5", "7") == "5 -> 7"
    assert rewording.joint("", "2026-12-31") == "none -> 2026-12-31"


@pytest.mark.parametrize("word", ["a ", "ab ba ", "加载", "。", "`"])
def test_two_thousand_characters_are_compared_in_a_moment(word: str) -> None:
    before = (word * 2000)[:2000]
    after = before[::-1][:1990] + "end"
    start = time.process_time()
    rewording.pieces(before, after)
    assert time.process_time() - start < 1
