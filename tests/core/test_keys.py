"""What counts as the same statement."""

from __future__ import annotations

import re

import pytest

from curator.core import keys


def test_a_key_is_the_same_for_the_same_words() -> None:
    key = keys.key("default", "Run pytest with -q.")
    assert re.fullmatch("[0-9a-f]{12}", key)
    assert key == keys.key("default", "ok, run  `pytest`\nwith -q")
    assert key == keys.key("default", "No, run pytest with -q")
    assert key != keys.key("other", "Run pytest with -q.")
    assert key != keys.key("default", "Run pytest with -v.")
    assert keys.key("default", "先备份") != keys.key("default", "后备份")


@pytest.mark.parametrize("opening", ["No", "Good", "Right", "Done", "Continue"])
def test_a_word_that_says_something_is_no_acknowledgement(opening: str) -> None:
    assert keys.key("default", f"{opening} emojis in commits.") != keys.key("default", "Emojis in commits.")


def test_a_mark_is_the_same_for_the_same_words_and_fits_32_bits() -> None:
    assert keys.mark("Ok, use `make`.") == keys.mark("use make")
    assert keys.mark("use make") != keys.mark("use cmake")
    assert 0 <= keys.mark("use make") < 1 << 32
