"""Tables of texts: what the block is, what replacing it keeps, and every file that is refused."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from curator.core import block
from curator.core.block import END, START, Span
from curator.errors import CuratorError

S, E = START, END
BLOCK = f"{S}\n{E}\n"
NONE = "no memory block: both markers are missing"


class Refusal(NamedTuple):
    """A text that has no one block, and what is said about it."""

    text: str
    line: int | None
    message: str


REFUSALS: dict[str, Refusal] = {
    "empty": Refusal("", None, NONE),
    "only a BOM": Refusal("\ufeff", None, NONE),
    "only newlines": Refusal("\n\n\n", None, NONE),
    "only prose": Refusal("# Rules\nUse tabs.\n", None, NONE),
    "lone CR as newline": Refusal(
        f"a\r{S}\rb\r{E}\r", 1, "no memory block: on line 1 a marker shares its line with other text"
    ),
    "U+2028 before the marker": Refusal(
        f"a\u2028{S}\n{E}\n", 2, "the start marker is missing: found end marker on line 2"
    ),
    "form feed before the marker": Refusal(
        f"\f{S}\n{E}\n", 2, "the start marker is missing: found end marker on line 2"
    ),
    "no-break space before the marker": Refusal(
        f"\u00a0{S}\n{E}\n", 2, "the start marker is missing: found end marker on line 2"
    ),
    "BOM on the second line": Refusal(
        f"a\n\ufeff{S}\n{E}\n", 3, "the start marker is missing: found end marker on line 3"
    ),
    "UTF-16": Refusal(
        f"x\n{S}\n{E}\n".encode("utf-16-le").decode("utf-8", "surrogateescape"),
        None,
        NONE,
    ),
    "lower case": Refusal(f"{S.lower()}\n{E.lower()}\n", None, NONE),
    "other spacing": Refusal("<!--AGENT_MEMORY_START-->\n<!--AGENT_MEMORY_END-->\n", None, NONE),
    "both on one line": Refusal(
        f"x {S} y {E} z\n", 1, "no memory block: on line 1 a marker shares its line with other text"
    ),
    "text after each marker": Refusal(
        f"{S} start\n{E} end\n", 1, "no memory block: on lines 1 and 2 a marker shares its line with other text"
    ),
    "in a quote": Refusal(
        f"> {S}\n> {E}\n", 1, "no memory block: on lines 1 and 2 a marker shares its line with other text"
    ),
    "mk-05 only a sentence in backticks": Refusal(
        f"a\n- between `{S}` and `{E}`\n", 2, "no memory block: on line 2 a marker shares its line with other text"
    ),
    "mk-01 start alone": Refusal(
        f"# P\n{S}\nold\nHAND WRITTEN POLICY\n", 2, "the end marker is missing: found start marker on line 2"
    ),
    "start alone, no final newline": Refusal(f"{S}", 1, "the end marker is missing: found start marker on line 1"),
    "start alone, end beside text": Refusal(
        f"{S}\nold\n- {E}\n", 1, "the end marker is missing: found start marker on line 1"
    ),
    "two starts": Refusal(f"{S}\na\n{S}\n", 1, "the end marker is missing: found 2 start markers on lines 1 and 3"),
    "end alone": Refusal(f"x\n{E}\ny\n", 2, "the start marker is missing: found end marker on line 2"),
    "end alone, start beside text": Refusal(
        f"see {S}\nold\n{E}\n", 3, "the start marker is missing: found end marker on line 3"
    ),
    "seven ends": Refusal(
        f"{E}\n" * 7, 1, "the start marker is missing: found 7 end markers on lines 1, 2, 3, 4, 5 and 2 more"
    ),
    "reversed": Refusal(f"x\n{E}\nm\n{S}\ny\n", 2, "end marker on line 2 before start marker on line 4"),
    "two ends before a start": Refusal(
        f"{E}\n{E}\n{S}\n", 1, "2 end markers on lines 1 and 2 before start marker on line 3"
    ),
    "end before two starts": Refusal(
        f"{E}\n{S}\n{S}\n", 1, "end marker on line 1 before 2 start markers on lines 2 and 3"
    ),
    "two blocks": Refusal(
        f"a\n{S}\n1\n{E}\nb\n{S}\n2\n{E}\nc\n",
        6,
        "stray start marker on line 6 and stray end marker on line 8 beside the block on lines 2-4",
    ),
    "three blocks": Refusal(
        BLOCK * 3,
        3,
        "2 stray start markers on lines 3 and 5 and 2 stray end markers on lines 4 and 6 beside the block on lines 1-2",
    ),
    "nested": Refusal(
        f"a\n{S}\n{S}\n1\n{E}\n{E}\nc\n",
        2,
        "stray start marker on line 2 and stray end marker on line 6 beside the block on lines 3-5",
    ),
    "start doubled": Refusal(f"{S}\n{S}\n{E}\n", 1, "stray start marker on line 1 beside the block on lines 2-3"),
    "end doubled": Refusal(f"{S}\n{E}\n{E}\n", 3, "stray end marker on line 3 beside the block on lines 1-2"),
    "an end before the block": Refusal(
        f"{E}\nx\n{S}\n{E}\n", 1, "stray end marker on line 1 beside the block on lines 3-4"
    ),
    "a start after the block": Refusal(
        f"{S}\n{E}\nx\n{S}\n", 4, "stray start marker on line 4 beside the block on lines 1-2"
    ),
    "reversed, then a start and an end": Refusal(
        f"{E}\n{S}\n{E}\n{S}\n",
        1,
        "stray start marker on line 4 and stray end marker on line 1 beside the block on lines 2-3",
    ),
    "mk-13 forty stray ends": Refusal(
        f"{S}\nold\n{E}\n" + f"{E}\n" * 40 + "tail\n",
        4,
        "40 stray end markers on lines 4, 5, 6, 7, 8 and 35 more beside the block on lines 1-3",
    ),
    "CRLF, end missing": Refusal(f"a\r\n{S}\r\nb\r\n", 2, "the end marker is missing: found start marker on line 2"),
    "in a fence": Refusal(
        f"```\n{S}\n{E}\n```\nreal\n",
        2,
        "no memory block: start marker on line 2 and end marker on line 3 inside a code fence",
    ),
    "in a fence behind a BOM": Refusal(
        f"\ufeff```\n{S}\n{E}\n```\n",
        2,
        "no memory block: start marker on line 2 and end marker on line 3 inside a code fence",
    ),
    "in a tilde fence": Refusal(
        f"~~~ text `x`\n{S}\n{E}\n~~~\n",
        2,
        "no memory block: start marker on line 2 and end marker on line 3 inside a code fence",
    ),
    "in a fence of four": Refusal(
        f"````md\n```\n{S}\n```\n{E}\n````\n",
        3,
        "no memory block: start marker on line 3 and end marker on line 5 inside a code fence",
    ),
    "in a fence behind a bullet": Refusal(
        f"- ```\n  {S}\n  {E}\n  ```\n",
        2,
        "no memory block: start marker on line 2 and end marker on line 3 inside a code fence",
    ),
    "in a fence deep in a list": Refusal(
        f"1. a\n   - b\n\n     ```\n     {S}\n     {E}\n     ```\n",
        5,
        "no memory block: start marker on line 5 and end marker on line 6 inside a code fence",
    ),
    "in a fence in a list, markers at the margin": Refusal(
        f"- a\n  ```\n{S}\n{E}\n  ```\n",
        3,
        "no memory block: start marker on line 3 and end marker on line 4 inside a code fence",
    ),
    "end in a fence": Refusal(
        f"{S}\nx\n\n```\n{E}\n```\n", 1, "the end marker is missing: found start marker on line 1"
    ),
    "fence never closed": Refusal(
        f"a\n```sh\nmake\n{S}\n{E}\n",
        2,
        "the code fence opened on line 2 is never closed, and hides start marker on line 4 and end marker on line 5",
    ),
    "tilde fence closed by backticks": Refusal(
        f"~~~\nx\n```\n{BLOCK}",
        1,
        "the code fence opened on line 1 is never closed, and hides start marker on line 4 and end marker on line 5",
    ),
    "fence of four closed by three": Refusal(
        f"````\nx\n```\n{BLOCK}",
        1,
        "the code fence opened on line 1 is never closed, and hides start marker on line 4 and end marker on line 5",
    ),
    "closing fence with an info string": Refusal(
        f"```\nx\n``` sh\n{BLOCK}",
        1,
        "the code fence opened on line 1 is never closed, and hides start marker on line 4 and end marker on line 5",
    ),
    "an odd fence turns example and block around": Refusal(
        f"```\n```\n{S}\nexample\n{E}\n```\n{BLOCK}",
        6,
        "the code fence opened on line 6 is never closed, and hides start marker on line 7 and end marker on line 8",
    ),
    "an odd fence shows the example and hides the block": Refusal(
        f"```\n```\n{S}\nexample\n{E}\n```\n{BLOCK}```\nx\n```\n",
        11,
        "the code fence opened on line 11 is never closed, "
        "so start marker on line 7 and end marker on line 8 in another fence may be the block",
    ),
    "fence opened in the block": Refusal(
        f"{S}\n```\nold\n{E}\ntail\n",
        2,
        "the code fence opened on line 2 is never closed, and hides end marker on line 4",
    ),
    "fence in the block pairs with one of the person": Refusal(
        f"{S}\n```\nold\n{E}\nHAND WRITTEN\n```\n{E}\n",
        4,
        "the block on lines 1-7 holds end marker on line 4 in a code fence",
    ),
    "conflict over the whole block": Refusal(
        f"<<<<<<< HEAD\n{BLOCK}=======\n{BLOCK}>>>>>>> b\n", 1, "a merge conflict on lines 1-7 is not resolved"
    ),
    "conflict over the end marker": Refusal(
        f"{S}\n<<<<<<< HEAD\n1\n{E}\n=======\n2\n{E}\n>>>>>>> b\n",
        2,
        "a merge conflict on lines 2-8 is not resolved",
    ),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=list(REFUSALS))
def test_a_file_without_exactly_one_block_is_refused_by_line(case: Refusal) -> None:
    where = "docs/CLAUDE.md" if case.line is None else f"docs/CLAUDE.md:{case.line}"
    for call in (block.find, block.body, block.conflict):
        with pytest.raises(CuratorError) as caught:
            call(case.text, "docs/CLAUDE.md")
        assert (caught.value.message, caught.value.where) == (case.message, where)
        assert caught.value.hint
    with pytest.raises(CuratorError) as caught:
        block.replace(case.text, "new", "docs/CLAUDE.md")
    assert (caught.value.message, caught.value.where) == (case.message, where)


def test_there_are_forty_refusals_or_more() -> None:
    assert len(REFUSALS) >= 40


def test_only_a_file_without_markers_is_sent_to_init() -> None:
    for case in REFUSALS.values():
        with pytest.raises(CuratorError) as caught:
            block.find(case.text)
        absent = not block.present(case.text) and "never closed" not in case.message and "conflict" not in case.message
        assert ("curator init" in caught.value.hint) == absent, case


@pytest.mark.parametrize("text", ["", "# Rules\n", f"- `{S}`\n", f"```\n{S}\n{E}\n```\n"])
def test_no_marker_counts_in(text: str) -> None:
    assert not block.present(text)


@pytest.mark.parametrize("text", [BLOCK, f"{S}\n", f"x\n {E}\t\r\n", f"\ufeff{E}\n"])
def test_a_marker_counts_in(text: str) -> None:
    assert block.present(text)


UNCHANGED: dict[str, str] = {
    "empty block": BLOCK,
    "one line": f"{S}\n- a\n{E}\n",
    "CRLF": f"a\r\n{S}\r\n- a\r\n\r\n- b\r\n{E}\r\nb\r\n",
    "CRLF block in an LF file": f"a\n{S}\r\n- a\r\n{E}\nb\n",
    "LF block in a CRLF file": f"a\r\n{S}\n- a\n{E}\r\nb\r\n",
    "BOM before the marker": f"\ufeff{S}\n- a\n{E}\n",
    "BOM and CRLF": f"\ufeffx\r\n{S}\r\n- a\r\n{E}\r\ny\r\n",
    "no final newline": f"top\n{S}\n- a\n{E}",
    "many newlines at the end": f"{S}\n- a\n{E}\n\n\n",
    "indented markers": f"x\n \t {S} \t\n- a\n\t{E}   \ny\n",
    "lone CR outside": f"a\rb\n{S}\n- a\n{E}\nc\rd",
    "U+2028, VT, FF, NEL outside": f"a\u2028b\x0bc\x0cd\x85e\n{S}\n- a\u2028b\x0bc\n{E}\n\u2029\n",
    "undecodable bytes": f"caf\udce9\n{S}\n- \udcff\n{E}\n\udc80",
    "NUL": f"x\0y\n{S}\n{E}\n",
    "mk-05 a sentence with both markers": f"- between `{S}` and `{E}`, do not edit\n{BLOCK}tail\n",
    "example in a fence before": f"```md\n{S}\nexample\n{E}\n```\n{BLOCK}",
    "example in a fence after": f"{BLOCK}\n~~~\n{S}\nexample\n{E}\n~~~\n",
    "example in a fence of four": f"````\n```\n{S}\n{E}\n```\n````\n{BLOCK}",
    "example in a list": f"1. so:\n\n   ```\n   {S}\n   {E}\n   ```\n\n{BLOCK}",
    "example with a deep fence inside": f"```md\n- a\n    ```\n    {S}\n    {E}\n    ```\n```\n{BLOCK}",
    "fence closed at the margin": f"1. so:\n   ```\n   make\n```\n{BLOCK}",
    "backticks with an info string that has one": f"```a`b\n{BLOCK}",
    "an odd fence after the block": f"{BLOCK}```\nnever closed\n",
    "fence in the block": f"{S}\n```sh\nmake\n```\n{E}\n",
    "a heading's underline": f"Title\n=======\n{BLOCK}",
    "an open conflict mark alone": f"<<<<<<< HEAD\n{BLOCK}",
    "a close conflict mark alone": f"{BLOCK}>>>>>>> b\n",
    "a conflict as an example": f"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n```\n{BLOCK}",
    "huge line": "x" * 3_000_000 + f"\n{BLOCK}",
}


@pytest.mark.parametrize("text", UNCHANGED.values(), ids=list(UNCHANGED))
def test_replacing_a_body_by_itself_changes_no_byte(text: str) -> None:
    assert block.replace(text, block.body(text)) == text
    assert block.conflict(text) == ()
    assert block.insert(text) == text


class Rewrite(NamedTuple):
    """A text, a new body and the text with it."""

    before: str
    body: str
    after: str


REWRITES: dict[str, Rewrite] = {
    "fill": Rewrite(f"a\n{BLOCK}b\n", "- x\n- y", f"a\n{S}\n- x\n- y\n{E}\nb\n"),
    "empty": Rewrite(f"a\n{S}\nold\n{E}\nb\n", "", f"a\n{BLOCK}b\n"),
    "newlines at the end of the body": Rewrite(BLOCK, "- x\n\n\n", f"{S}\n- x\n{E}\n"),
    "only newlines": Rewrite(f"{S}\nold\n{E}\n", "\n\n", BLOCK),
    "blank lines inside stay": Rewrite(BLOCK, "\n- x\n\n- y", f"{S}\n\n- x\n\n- y\n{E}\n"),
    "CRLF": Rewrite(f"a\r\n{S}\r\n{E}\r\nb\r\n", "x\n\ny", f"a\r\n{S}\r\nx\r\n\r\ny\r\n{E}\r\nb\r\n"),
    "mixed newlines follow the start marker": Rewrite(f"a\r\n{S}\nold\r\n{E}\r\nb\n", "x", f"a\r\n{S}\nx\n{E}\r\nb\n"),
    "mixed newlines, CRLF start": Rewrite(f"a\n{S}\r\nold\n{E}\nb\n", "x", f"a\n{S}\r\nx\r\n{E}\nb\n"),
    "en-04 BOM": Rewrite(f"\ufeff{BLOCK}tail\n", "x", f"\ufeff{S}\nx\n{E}\ntail\n"),
    "en-05 no final newline": Rewrite(f"top\n{S}\nold\n{E}", "x", f"top\n{S}\nx\n{E}"),
    "marker lines stay": Rewrite(f"\t{S}  \nold\n {E}\t", "x", f"\t{S}  \nx\n {E}\t"),
    "mk-05": Rewrite(f"- `{S}` and `{E}`\n{BLOCK}t\n", "x", f"- `{S}` and `{E}`\n{S}\nx\n{E}\nt\n"),
    "mk-07": Rewrite(
        BLOCK, r"C:\Users\sam\new, \d+, \1, \g<0>, \n", f"{S}\n" + r"C:\Users\sam\new, \d+, \1, \g<0>, \n" + f"\n{E}\n"
    ),
    "templates": Rewrite(BLOCK, "{{ 7*7 }} {# n #} %s {0} $1", f"{S}\n{{{{ 7*7 }}}} {{# n #}} %s {{0}} $1\n{E}\n"),
    "U+2028 in a line": Rewrite(f"a\u2028b\n{BLOCK}", "x\u2028y\x0bz", f"a\u2028b\n{S}\nx\u2028y\x0bz\n{E}\n"),
    "marker text inside a line of the body": Rewrite(BLOCK, f"- see `{E}`", f"{S}\n- see `{E}`\n{E}\n"),
    "fence in the body": Rewrite(BLOCK, "```\nmake\n```", f"{S}\n```\nmake\n```\n{E}\n"),
    "undecodable bytes": Rewrite(f"\udce9\n{S}\n\udcff\n{E}\n\udc80", "x", f"\udce9\n{S}\nx\n{E}\n\udc80"),
    "example in a fence stays": Rewrite(
        f"```\n{S}\nexample\n{E}\n```\n{S}\nreal\n{E}\n", "x", f"```\n{S}\nexample\n{E}\n```\n{S}\nx\n{E}\n"
    ),
    "me-01 conflict in the block": Rewrite(
        f"top\n{S}\n<<<<<<< HEAD\n- one\n||||||| base\n- zero\n=======\n- two\n>>>>>>> br\n{E}\ntail\n",
        "x",
        f"top\n{S}\nx\n{E}\ntail\n",
    ),
    "an unfinished conflict mark in the block": Rewrite(f"{S}\n<<<<<<< HEAD\n{E}\n", "x", f"{S}\nx\n{E}\n"),
}


@pytest.mark.parametrize("case", REWRITES.values(), ids=list(REWRITES))
def test_replace_changes_the_body_alone_and_twice_equals_once(case: Rewrite) -> None:
    once = block.replace(case.before, case.body)
    assert once == case.after
    assert block.replace(once, case.body) == once
    assert block.replace(once, block.body(once)) == once
    assert block.body(once) == case.body.rstrip("\n")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (f"<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n{BLOCK}", "a merge conflict on lines 1-5 is not resolved", 1),
        (f"{BLOCK}x\n<<<<<<< HEAD\r\ny\r\n>>>>>>> b\r\n", "a merge conflict on lines 4-6 is not resolved", 4),
        (f"a\n<<<<<<< HEAD\n{BLOCK}=======\n>>>>>>> b\n", "a merge conflict on lines 2-6 is not resolved", 2),
        (f"<<<<<<< H\n{S}\n=======\n>>>>>>> b\n{E}\n", "a merge conflict on lines 1-4 is not resolved", 1),
        (f"{S}\n<<<<<<< H\n{E}\n=======\n>>>>>>> b\n", "a merge conflict on lines 2-5 is not resolved", 2),
        (
            f"<<<<<<< H\n```a\n=======\n```b\n>>>>>>> b\nx\n```\n{BLOCK}",
            "a merge conflict on lines 1-5 is not resolved",
            1,
        ),
    ],
)
def test_a_conflict_that_reaches_outside_the_block_is_refused(text: str, message: str, line: int) -> None:
    with pytest.raises(CuratorError) as caught:
        block.replace(text, "new")
    assert (caught.value.message, caught.value.where) == (message, f"CLAUDE.md:{line}")
    assert caught.value.hint == "settle these lines by hand, then run `curator render`"


def test_me_01_conflict_lines_in_the_block_are_reported_by_number() -> None:
    text = f"top\n{S}\n<<<<<<< HEAD\n- one\n||||||| base\n- zero\n=======\n- two\n>>>>>>> br\n{E}\n"
    assert block.conflict(text) == (3, 5, 7, 9)
    assert block.conflict(text.replace("\n", "\r\n")) == (3, 5, 7, 9)


@pytest.mark.parametrize("text", [f"{S}\nTitle\n=======\n{E}\n", f"<<<<<<< a\n>>>>>>> b\n{BLOCK}", BLOCK])
def test_no_conflict_in_the_block_is_reported_for(text: str) -> None:
    assert block.conflict(text) == ()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"a\n{E}", "the text for the block holds end marker on line 2 of it"),
        (f" {S}\t\r", "the text for the block holds start marker on line 1 of it"),
        (f"```\n{E}\n```", "the text for the block holds end marker on line 2 of it"),
        ("a\n```\nb", "the text for the block opens a code fence on line 2 of it and never closes it"),
        ("- a\n  ~~~", "the text for the block opens a code fence on line 2 of it and never closes it"),
    ],
)
def test_a_body_that_would_break_the_block_is_refused(body: str, message: str) -> None:
    with pytest.raises(CuratorError) as caught:
        block.replace(BLOCK, body)
    assert (caught.value.message, caught.value.where) == (message, "CLAUDE.md")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", BLOCK),
        ("\ufeff", f"\ufeff{BLOCK}"),
        ("\n", f"\n{BLOCK}"),
        ("  ", f"  \n{BLOCK}"),
        ("a", f"a\n\n{BLOCK}"),
        ("a\n", f"a\n\n{BLOCK}"),
        ("a\n\n", f"a\n\n{BLOCK}"),
        ("a\n \t\n", f"a\n \t\n{BLOCK}"),
        ("a\n  ", f"a\n  \n{BLOCK}"),
        ("a\n\n\n", f"a\n\n\n{BLOCK}"),
        ("a\r\nb\r\n", f"a\r\nb\r\n\r\n{S}\r\n{E}\r\n"),
        ("a\r\nb", f"a\r\nb\r\n\r\n{S}\r\n{E}\r\n"),
        ("a\r\nb\nc\n", f"a\r\nb\nc\n\n{BLOCK}"),
        (f"- `{S}`\n", f"- `{S}`\n\n{BLOCK}"),
        (f"```\n{S}\n{E}\n```\n", f"```\n{S}\n{E}\n```\n\n{BLOCK}"),
        ("caf\udce9\u2028\n", f"caf\udce9\u2028\n\n{BLOCK}"),
    ],
)
def test_insert_adds_an_empty_block_after_one_blank_line(before: str, after: str) -> None:
    assert block.insert(before) == after
    assert block.insert(after) == after
    assert block.body(after) == ""


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        (f"a\n{S}\n", "the end marker is missing: found start marker on line 2", "A.md:2"),
        ("a\n```\nb\n", "the code fence opened on line 2 is never closed, and would hide a block at the end", "A.md:2"),
        (
            f"```\n{BLOCK}",
            "the code fence opened on line 1 is never closed, and would hide a block at the end",
            "A.md:1",
        ),
        ("x\0\n\0", "holds NUL characters, so it is not UTF-8 text", "A.md"),
        ("<<<<<<< a\n=======\n>>>>>>> b\n", "a merge conflict on lines 1-3 is not resolved", "A.md:1"),
    ],
)
def test_insert_refuses_a_file_whose_end_is_no_place_for_a_block(text: str, message: str, where: str) -> None:
    with pytest.raises(CuratorError) as caught:
        block.insert(text, "A.md")
    assert (caught.value.message, caught.value.where) == (message, where)


def test_find_counts_lines_from_zero() -> None:
    assert block.find(f"a\nb\n{S}\nx\n{E}\n") == Span(2, 4)


LINES = [S, E, f" {S}\t", "```", "````", "~~~", "```md", "  ```", "    ```", "- ```", "- a", "", "x", f"`{E}`"]
PIECES = st.sampled_from([*LINES, "<<<<<<< a", "=======", ">>>>>>> b", "\ufeff", "\u2028", "\udce9", "\0", "\r"])
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\r\n", "\n", ""])), max_size=12).map(
    lambda parts: "".join(piece + newline for piece, newline in parts)
)


@given(TEXTS, st.lists(PIECES, max_size=4).map("\n".join))
@example(f"{S}\r\n{E}", "a\r")
def test_whatever_the_file_replace_refuses_or_keeps_every_byte_outside(text: str, new: str) -> None:
    try:
        after = block.replace(text, new)
    except CuratorError:
        return
    span = block.find(text)
    before_lines, after_lines = text.split("\n"), after.split("\n")
    tail = len(before_lines) - span.end
    assert after_lines[: span.start + 1] == before_lines[: span.start + 1]
    assert after_lines[-tail:] == before_lines[-tail:]
    assert block.find(after).start == span.start
    assert block.replace(after, new) == after


@given(TEXTS)
def test_whatever_the_file_insert_refuses_or_appends(text: str) -> None:
    try:
        after = block.insert(text)
    except CuratorError:
        return
    assert after.startswith(text)
    assert block.insert(after) == after


@given(
    st.lists(st.sampled_from(["```", "````", "~~~~", "~~~", "```md", "~~~ `", "``` `", "   ```", "``` \t", "x", ""]))
)
def test_fences_at_the_margin_are_those_of_commonmark(lines: list[str]) -> None:
    text = "\n".join([*lines, S, E])
    fences = [token.map for token in MarkdownIt().parse(text) if token.type == "fence" and token.map]
    inside = any(first <= len(lines) < last for first, last in fences)
    assert block.present(text) == (not inside)


@pytest.mark.parametrize(
    "text",
    [
        *("", "# Mine\n", "# Mine\n\ntext\n", "a\r\nb\r\n", "---\nx: 1\n---\n", "\ufeff# Mine\n"),
        *("text\n\n\n\n", "text\n   \n", "text\r\n\r\n\r\n"),
    ],
)
def test_a_block_that_was_put_in_and_is_taken_out_leaves_every_byte(text: str) -> None:
    assert block.without(block.replace(block.insert(text), "- One.\n- Two."), "F.md") == text


def test_only_the_block_is_taken_out_of_the_middle_and_an_example_in_a_fence_stays() -> None:
    text = f"# A\n\n{block.START}\nx\n{block.END}\n\nb\n```\n{block.START}\n```\n"
    assert block.without(text, "F.md") == f"# A\n\n\nb\n```\n{block.START}\n```\n"
    assert block.without("# A\n", "F.md") == "# A\n"
    assert block.without(f"\ufeff{block.START}\n{block.END}\nb\n", "F.md") == "\ufeffb\n"
    assert block.without(f"# A\n{block.START}\n{block.END}", "F.md") == "# A\n"
    with pytest.raises(CuratorError):
        block.without(f"{block.START}\nx\n", "F.md")
