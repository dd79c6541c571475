"""What is printed drives neither a terminal nor a CI log, and stays readable."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.core import printable
from tests.core.data.legit import EMOJI, LANGUAGES, SCIENCE

ANYTHING = st.text(
    st.characters(codec=None) | st.sampled_from("\x1b\r\x9b\u202e\u200b\u200d\ufe0f\U0001f469\u3000\ud800:#")
)


@given(ANYTHING)
@example("\x00\x1b\x7f\x80\x9f\r\n\t")
def test_no_control_character_is_left_but_newline_and_tab(text: str) -> None:
    shown = printable.escape(text)
    assert not [one for one in shown if (ord(one) < 0x20 and one not in "\n\t") or 0x7F <= ord(one) <= 0x9F]


@given(ANYTHING)
def test_no_character_that_turns_the_line_or_breaks_the_encoding_is_left(text: str) -> None:
    shown = printable.escape(text)
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029") & set(shown)
    shown.encode()


@given(ANYTHING)
def test_escaping_twice_is_escaping_once(text: str) -> None:
    shown = printable.escape(text)
    assert printable.escape(shown) == shown


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters=":#")))
def test_plain_text_stays(text: str) -> None:
    assert printable.escape(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;owned\x07\x1b[2J", "\\x1b]0;owned\\x07\\x1b[2J"),
        ("\x1b]8;;http://evil\x1b\\click", "\\x1b]8;;http://evil\\x1b\\click"),
        ("\x9b2J \x7f \x00", "\\x9b2J \\x7f \\x00"),
        ("rm -rf /\rls", "rm -rf /\\x0dls"),
        ("one\r\ntwo\n\tthree", "one\\x0d\ntwo\n\tthree"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\U000e0041\ud800", "\\U000e0041\\ud800"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_in_09_what_acts_or_hides_is_shown_by_its_code(text: str, shown: str) -> None:
    assert printable.escape(text) == shown


@given(ANYTHING)
def test_a_part_of_a_line_stays_on_it_and_is_else_shown_alike(text: str) -> None:
    shown = printable.inline(text)
    assert not set("\n\t\r\x0b\x0c\x1b\x85\u2028\u2029") & set(shown)
    assert printable.inline(shown) == shown
    if not set("\n\t:#") & set(text):
        assert shown == printable.escape(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\n  1. b\tc", "a\\x0a  1. b\\x09c"), ("a::b", "a::b"), ("##[x]", "##[x]"), ("naïve", "naïve")],
)
def test_a_part_of_a_line_is_escaped_only_where_it_acts(text: str, shown: str) -> None:
    assert printable.inline(text) == shown


@pytest.mark.parametrize("text", [*EMOJI, *SCIENCE, *(text for text in LANGUAGES if "\u200f" not in text)])
def test_emoji_and_every_language_stay(text: str) -> None:
    assert printable.escape(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("a\n  ::set-output name=a::b", "a\n  \\x3a:set-output name=a::b"),
        ("x ##[error]y", "x \\x23#[error]y"),
        ("##vso[task.setvariable variable=a]b", "\\x23#vso[task.setvariable variable=a]b"),
        ("##teamcity[x]", "\\x23#teamcity[x]"),
        ("std::vector<a::b>\n## [1.0]\na: ::error::", "std::vector<a::b>\n## [1.0]\na: ::error::"),
    ],
)
def test_t25_orders_to_a_ci_log_become_plain_text(text: str, shown: str) -> None:
    assert printable.escape(text) == shown
