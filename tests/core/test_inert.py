"""Whatever a text holds: in a code span, a table cell or a fence it is code and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from curator.core import inert

BITS = ["`", "``", "```", "~~~", "\n", "\r", "|", "\\", "\\|", "@ada", "#1", "GH-1", "<b>", "-->", "<!--", "::error::x"]
BITS += [
    "/merge",
    "[a](http://x)",
    "![a](b)",
    "</details>",
    "\x1b[2J",
    "\x9b",
    "\u202e",
    "\u200b",
    "\x00",
    " ",
    "w",
    "$",
]
TEXTS = st.lists(st.sampled_from(BITS), max_size=12).map("".join)
PARSER = MarkdownIt("commonmark").enable("table")


def leaves(markdown: str) -> list[Token]:
    """All tokens without children, as a CommonMark parser sees the text."""
    return [leaf for token in PARSER.parse(markdown) for leaf in (token.children or [token])]


@given(TEXTS)
def test_a_span_is_one_code_span(text: str) -> None:
    span = inert.span(text)
    kinds = [(leaf.type, leaf.content) for leaf in leaves(f"A {span} b") if leaf.nesting == 0]
    if not span:
        assert not text.strip(" \t\n")
        return
    assert [kind for kind, _ in kinds] == ["text", "code_inline", "text"]
    assert (kinds[0][1], kinds[2][1]) == ("A ", " b")
    assert "\n" not in span


@given(TEXTS, TEXTS)
def test_a_cell_ends_no_cell(one: str, other: str) -> None:
    table = f"| {inert.cell(one)} x | {inert.cell(other)} y |\n|---|---|\n"
    found = PARSER.parse(table)
    assert sum(token.type == "th_open" for token in found) == 2
    kinds = {leaf.type for token in found for leaf in token.children or []}
    assert kinds <= {"text", "code_inline"}
    text = "".join(leaf.content for token in found for leaf in token.children or [] if leaf.type == "text")
    assert text.replace(" ", "") == "xy"


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_fence_holds_all_lines_and_ends_behind_them(texts: list[str]) -> None:
    lines = inert.fence((f"+ {text}" for text in texts), "diff")
    found = PARSER.parse("\n".join([*lines, "", "after"]))
    assert [token.type for token in found] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert found[0].content.count("\n") == len(texts)
    assert found[2].content == "after"
    assert all(line.startswith("+ ") for line in lines[1:-1])


def test_a_fence_is_longer_than_any_run_inside() -> None:
    first, *_, last = inert.fence(["  ```", "  `````", "  after"])
    assert first == last == "``````"


@given(TEXTS)
def test_nothing_that_steers_is_left(text: str) -> None:
    shown = inert.span(text) + "".join(inert.fence([f"+ {text}"]))
    assert not [
        letter for letter in shown if ord(letter) < 0x20 or 0x7F <= ord(letter) < 0xA0 or letter in "\u202e\u200b"
    ]


def test_a_line_that_would_be_a_command_of_a_log_is_none() -> None:
    assert inert.fence(["  ::error file=a::b"])[1] == "  \\x3a:error file=a::b"
