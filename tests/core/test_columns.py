"""Lines by the columns that they take on a terminal."""

from __future__ import annotations

import random

import pytest

from curator.core import columns, printable

TEXT = (
    "Use memories/convention/a-long-name/of-a-file.yaml, e\u0301t\u00e9, \U0001f600 "
    "\u6211\u4eec\u7edf\u4e00\uff0c\u4f7f\u7528\u9a7c\u5cf0\u3002and\u200b hidden \u202e characters."
)


@pytest.mark.parametrize(
    ("text", "wide"),
    [("abc", 3), ("\u6211\u4eec", 4), ("e\u0301", 1), ("\uff71", 1), ("\uff21", 2), ("\U0001f600", 2), ("", 0)],
)
def test_a_wide_character_takes_two_columns_and_a_mark_none(text: str, wide: int) -> None:
    assert columns.width(text) == wide


@pytest.mark.parametrize("most", range(14, 90, 5))
def test_lines_fit_and_lose_nothing(most: int) -> None:
    chance = random.Random(most)
    words = TEXT.split(" ")
    for _ in range(20):
        text = " ".join(chance.choices(words, k=12))
        lines = columns.wrap(text, most, "  ")
        assert all(columns.width(line) <= most for line in lines)
        assert all(line.startswith("  ") for line in lines[1:])
        whole = "".join("".join(lines).split())
        assert whole == "".join(printable.escape(text).split())


def test_a_line_ends_between_words_behind_a_slash_or_beside_a_wide_character() -> None:
    assert columns.wrap("one two three", 8) == ["one two", "three"]
    assert columns.wrap("memories/convention/a.yaml", 21, "  ") == ["memories/convention/", "  a.yaml"]
    assert columns.wrap("\u6211\u4eec\u7edf\u4e00\u3002", 6) == ["\u6211\u4eec\u7edf", "\u4e00\u3002"]
    assert columns.wrap("\u6211\u4eec\u7edf\u3002", 6) == ["\u6211\u4eec", "\u7edf\u3002"]
    assert columns.wrap("x" * 7, 3) == ["xxx", "xxx", "x"]
    assert columns.wrap("", 8) == [""]


def test_what_is_cut_says_so_and_fits() -> None:
    assert columns.shorten("one\ntwo", 20) == "one two"
    assert columns.shorten("\u6211\u4eec" * 9, 10) == "\u6211\u4eec\u6211..."
    assert columns.shorten("a" * 30, 10) == "aaaaaaa..."
