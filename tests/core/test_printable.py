"""What is printed cannot drive a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.core import printable


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    shown = printable.escape(text)
    assert not [one for one in shown if (ord(one) < 0x20 and one not in "\n\t") or 0x7F <= ord(one) <= 0x9F]


def test_in_09_escape_sequences_are_shown_as_escapes() -> None:
    assert printable.escape(
        "\x1b]0;owned\x07\x9b2J\r"
    ) == "\\x1b]0;owned\\x07\\x9b2J\\r" or "\x1b" not in printable.escape("\x1b]0;owned\x07\x9b2J\r")
    assert "\u202e" not in printable.escape("a\u202eb")
    assert "\ud800" not in printable.escape("a\ud800b")


def test_plain_and_foreign_text_stays() -> None:
    for text in ("plain text\n\twith tab", "naïve 日本 😀", "Größe"):
        assert printable.escape(text) == text
