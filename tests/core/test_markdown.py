from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from curator.core import markdown
from curator.core.markdown import Block, Kind

ROOT = Path(__file__).parents[2]
OWN_DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
ORACLE = MarkdownIt("commonmark").enable("table").disable("reference")
KINDS = {
    "paragraph_open": Kind.PARAGRAPH,
    "heading_open": Kind.HEADING,
    "list_item_open": Kind.ITEM,
    "bullet_list_open": Kind.LIST,
    "ordered_list_open": Kind.LIST,
    "fence": Kind.FENCE,
    "code_block": Kind.CODE,
    "table_open": Kind.TABLE,
    "html_block": Kind.HTML,
    "hr": Kind.RULE,
    "blockquote_open": Kind.QUOTE,
}
Spans = set[tuple[str, int, int]]


def expected(text: str) -> Spans:
    """Kind, first and last line of each block by markdown-it-py; blank lines at the end of a block are left out."""
    page = markdown.lines(text)
    spans: Spans = set()
    for token in ORACLE.parse("\n".join(page)):
        if token.type in KINDS and token.map:
            first, end = token.map
            while end > first + 1 and not page[end - 1].strip(" \t>"):
                end -= 1
            spans.add((KINDS[token.type].value, first + 1, end))
    return spans


def found(text: str) -> Spans:
    page = markdown.lines(text)
    spans: Spans = set()

    def walk(blocks: tuple[Block, ...]) -> None:
        for block in blocks:
            last = block.last
            while last > block.first and not page[last - 1].strip(" \t>"):
                last -= 1
            spans.add((block.kind.value, block.first, last))
            walk(block.children)

    walk(markdown.parse(text))
    return spans


PIECES = """\
# Title
### When C #
#no heading
- item one
  - nested
- lead:
    - deep
* star
+ plus
-     code
-      more code
-\ttabbed
- a\tb
- [ ] box
1. step
2. two
1.  two spaces
10) ten
para text
Lead:
**Bold:**
  indented a bit
   three
    code
      six
\ttab
```
```sh
~~~
> quote
> - quoted item
>
---
***
===
| a | b |
|---|:-:|
| 1 | 2 |
<!-- c -->
<!-- open
close -->
<div>
</div>
<x>
<b>bold</b> text
<script>
</script>
[a]: http://x
![i](x.png)


"""
FRAGMENTS = st.sampled_from(PIECES.split("\n"))


@pytest.mark.parametrize("path", OWN_DOCUMENTS, ids=lambda path: path.name)
def test_blocks_of_our_own_documents_are_those_of_a_commonmark_parser(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert found(text) == expected(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(FRAGMENTS, min_size=1, max_size=14))
def test_blocks_of_any_mixture_are_those_of_a_commonmark_parser(lines: list[str]) -> None:
    text = "\n".join(lines)
    assume(lines[0] != "---")  # may be front matter, which the other parser does not know
    assume("-\n\n\n" not in text.replace(" \n", "\n"))  # it cuts a list after an empty item and two blank lines
    assert found(text) == expected(text)


def kinds(text: str) -> list[tuple[Kind, int, int]]:
    return [(block.kind, block.first, block.last) for block in markdown.parse(text)]


def test_an_item_holds_its_lazy_lines_and_what_is_indented_below_it() -> None:
    (item,) = markdown.parse("- one\nlazy\n\n  more\n\nout")[0].children
    assert [(block.kind, block.text) for block in item.children] == [
        (Kind.PARAGRAPH, "one\nlazy"),
        (Kind.PARAGRAPH, "more"),
    ]


def test_items_and_lists_know_their_numbers_and_signs() -> None:
    numbered, bullets = markdown.parse("3) three\n4) four\n\n* star")
    assert [(item.level, item.marker) for item in numbered.children] == [(3, ")"), (4, ")")]
    assert [(item.level, item.marker) for item in bullets.children] == [(-1, "*")]


def test_a_fence_keeps_its_lines_without_the_indentation_of_its_item() -> None:
    (item,) = markdown.parse("- run\n  ```sh\n  a\n\n    b\n\tc\n  ```\n")[0].children
    assert item.children[1].text == "```sh\na\n\n  b\n  c\n```"
    assert item.children[1].level == 1


def test_an_item_may_begin_with_code() -> None:
    (item,) = markdown.parse("-     a\n\n      b\n")[0].children
    assert [(block.kind, block.text) for block in item.children] == [(Kind.CODE, "a\n\nb")]


def test_a_fence_that_is_never_closed_says_so() -> None:
    (fence,) = markdown.parse("```\na\n\n")
    assert (fence.level, fence.first, fence.last) == (0, 1, 2)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("---\ntitle: x\ntags:\n  - a\n# note\n---\ntext", 6),
        ("---\r\npaths: 'src/**'\r\n---\r\n", 3),
        ("---\n---\ntext", None),
        ("---\nnot yaml at all\n---\n", None),
        ("\n---\ntitle: x\n---\n", None),
        ("---\ntitle: x\n", None),
    ],
)
def test_front_matter_is_yaml_between_two_lines_at_the_top(text: str, last: int | None) -> None:
    first = markdown.parse(text)[0]
    assert (first.last if first.kind is Kind.FRONT else None) == last


def test_crlf_and_a_byte_order_mark_change_no_block() -> None:
    text = "# T\n\n- a\n  b\n\n```\nx\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert markdown.parse("\ufeff" + text.replace("\n", "\r\n")) == markdown.parse(text)


def test_lines_are_cut_at_line_feeds_only() -> None:
    assert kinds("a\u2028# b\x0c# c\r# d") == [(Kind.PARAGRAPH, 1, 1)]


def test_a_thousand_nested_quotes_do_no_harm() -> None:
    assert markdown.parse(">" * 1000 + " x")


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ("a", "b")),
        ("a|b", ("a", "b")),
        (r"| a \| b | `c` |", ("a | b", "`c`")),
        (r"| a | b \|", ("a", "b |")),
        ("||", ("",)),
    ],
)
def test_cells_are_cut_at_pipes_that_are_not_escaped(row: str, cells: tuple[str, ...]) -> None:
    assert markdown.cells(row) == cells
