from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.core import block, prune, rules
from curator.errors import CuratorError
from curator.outcome import Statement
from tests.core.test_markdown import FRAGMENTS


def without(page: str, *openings: str) -> str:
    """*page* without the statements that begin with one of *openings*; without all when none is given."""
    return prune.remove(page, [one for one in rules.statements(page) if not openings or one.text.startswith(openings)])


REMOVED = [
    ("a bullet among others", "- Use tabs.\n- Never push.\n- Ask first.\n", ("Never",), "- Use tabs.\n- Ask first.\n"),
    ("all its lines", "- Use tabs\n  everywhere.\n- Ask first.\n", ("Use",), "- Ask first.\n"),
    (
        "a heading over nothing",
        "# T\n\n## A\n\n- Use tabs.\n\n## B\n\n- Ask first.\n",
        ("Use",),
        "# T\n\n## B\n\n- Ask first.\n",
    ),
    ("headings over headings", "# T\n\ntext: `a`\n\n## A\n\n### A1\n\n- Use tabs.\n", ("Use",), "# T\n\ntext: `a`\n"),
    (
        "a heading with two lines",
        "# T\n\nKeep `this` here.\n\nA\n---\n\n- Use tabs.\n",
        ("Use",),
        "# T\n\nKeep `this` here.\n",
    ),
    (
        "no heading that has more",
        "## A\n\n- Use tabs.\n\n### A1\n\n- Ask first.\n",
        ("Use",),
        "## A\n\n### A1\n\n- Ask first.\n",
    ),
    (
        "no heading that was empty",
        "## A\n\n## B\n\n- Use tabs.\n- Ask first.\n",
        ("Use",),
        "## A\n\n## B\n\n- Ask first.\n",
    ),
    ("a name in bold", "Keep it simple.\n\n**Tabs**\n\nUse tabs.\n", ("Use",), "Keep it simple.\n"),
    (
        "runs of blank lines",
        "- Ask first.\n\n\nUse tabs.\n\nKeep it simple.\n",
        ("Use",),
        "- Ask first.\n\n\nKeep it simple.\n",
    ),
    (
        "a table's head with its rows",
        "Keep it.\n\n| a | b |\n|---|---|\n| c | d |\n\nStay here.\n",
        ("- c", "c -"),
        "Keep it.\n\nStay here.\n",
    ),
    ("a quote with its marks", "Keep it.\n\n> Use tabs.\n>\n> Ask first.\n", ("Use", "Ask"), "Keep it.\n"),
    (
        "a rule between two sections",
        "Keep it.\n\n---\n\n## A\n- Use tabs.\n\n---\n\n## B\n- Ask us.\n",
        ("Use",),
        "Keep it.\n\n---\n\n## B\n- Ask us.\n",
    ),
    ("a rule at the end", "Keep it.\n\n---\n\n## A\n- Use tabs.\n", ("Use",), "Keep it.\n"),
    (
        "no rule that was there twice",
        "Keep it.\n\n---\n---\n\n- Use tabs.\n- Ask us.\n",
        ("Use",),
        "Keep it.\n\n---\n---\n\n- Ask us.\n",
    ),
    ("code with its paragraph", "Run this first:\n\n```\nmake\n```\n\nKeep it.\n", ("Run",), "Keep it.\n"),
    ("the whole page", "# T\n\n- Use tabs.\n", ("Use",), ""),
    ("a comment never", "<!-- keep -->\n- Use tabs.\n", ("Use",), "<!-- keep -->\n"),
]


@pytest.mark.parametrize(
    ("page", "openings", "after"), [case[1:] for case in REMOVED], ids=[case[0] for case in REMOVED]
)
def test_removing_takes(page: str, openings: tuple[str, ...], after: str) -> None:
    assert without(page, *openings) == after


ITEM = "Never do the thing that this item speaks about, since it has bitten us more than once before"
LED = "For all changes:\n\n" + "".join(f"- {ITEM}, {letter}.\n" for letter in "abcdefgh")


def test_a_lead_goes_with_the_last_of_what_it_leads_to() -> None:
    found = rules.statements(LED)
    assert len(found) == 8
    assert prune.remove(LED, found[:7]).startswith("For all changes:\n\n- ")
    assert prune.remove(LED, found) == ""


def test_what_a_lead_says_besides_stays_until_it_is_asked_for_too() -> None:
    page = "Some files are generated. Follow these rules:\n\n- Use tabs.\n\nKeep it.\n"
    assert without(page, "Use") == "Some files are generated. Follow these rules:\n\nKeep it.\n"
    assert without(page, "Use", "Some") == "Keep it.\n"


def test_the_memory_block_stays_and_is_no_reason_to_keep_a_heading() -> None:
    own = f"{block.START}\n## Agent memory\n- Never push.\n{block.END}\n"
    page = f"# T\n\n## Style\n\n- Use tabs.\n\n{own}"
    assert without(page, "Use") == f"# T\n\n{own}"


def test_what_another_tool_keeps_stays() -> None:
    page = "- Use tabs.\n\n<!-- BEGIN x -->\n- Never push.\n<!-- END x -->\n"
    assert prune.remove(page, rules.statements(page)) == "<!-- BEGIN x -->\n- Never push.\n<!-- END x -->\n"


def test_crlf_byte_order_mark_and_missing_final_newline_stay() -> None:
    page = "\ufeff- Use tabs.\r\n- Ask first.\r\n\r\n## B\r\n\r\nKeep it."
    assert without(page, "Use") == "\ufeff- Ask first.\r\n\r\n## B\r\n\r\nKeep it."
    assert without("\ufeff- Use tabs.\r\n", "Use") == "\ufeff"


def test_a_statement_is_found_where_its_lines_have_moved() -> None:
    asked = rules.statements("## A\n\n- Use tabs.\n- Ask first.\n")[:1]
    assert prune.remove("# New\n\nSome words here.\n\n## A\n\n- Ask first.\n- Use tabs.\n", asked) == (
        "# New\n\nSome words here.\n\n## A\n\n- Ask first.\n"
    )


def test_a_statement_that_has_changed_stays() -> None:
    asked = rules.statements("- Use tabs.\n")
    assert prune.remove("- Use tabs, always.\n", asked) == "- Use tabs, always.\n"


def test_broken_markers_are_told() -> None:
    with pytest.raises(CuratorError):
        prune.remove(f"- Use tabs.\n{block.START}\n", [])


def subset(found: Iterable[Statement], chosen: list[bool]) -> list[Statement]:
    picks = iter(chosen * 20)
    return [one for one in found if next(picks) and not one.kept]


PAGES = st.lists(FRAGMENTS, min_size=1, max_size=14).map("\n".join)


@settings(max_examples=150, deadline=None)
@given(PAGES, st.lists(st.booleans(), min_size=3, max_size=7))
def test_what_stays_are_lines_of_the_page_in_their_order(page: str, chosen: list[bool]) -> None:
    left = iter(page.split("\n"))
    after = prune.remove(page, subset(rules.statements(page), chosen))
    assert not after or all(line in left for line in after.split("\n"))


@settings(max_examples=150, deadline=None)
@given(PAGES, st.lists(st.booleans(), min_size=3, max_size=7))
def test_no_line_goes_but_those_asked_for_and_what_led_to_them(page: str, chosen: list[bool]) -> None:
    found = rules.statements(page)
    asked = subset(found, chosen)
    wanted = {(one.text, one.headings) for one in asked}
    gone = {line for one in found if (one.text, one.headings) in wanted for line in range(one.first, one.last + 1)}
    after = prune.remove(page, asked).split("\n")
    for number, line in enumerate(page.split("\n"), 1):
        leads = line.startswith(("#", "|", ">", "---", "***", "===", "**")) or line.rstrip().endswith(":")
        if number not in gone and line.strip() and not leads:
            heading = any(other.startswith(("===", "---")) for other in page.split("\n")[number : number + 6])
            assert line in after or heading, (number, line)


@settings(max_examples=100, deadline=None)
@given(PAGES)
def test_removing_nothing_changes_nothing(page: str) -> None:
    assert prune.remove(page, []) == page


DOCUMENT = """\
# Guide

Some words on the guide.

---

## Style

**Always ask first.** Then go on.

- Use tabs
  everywhere.
- **Naming:**
  - files in kebab-case
  - types in PascalCase

## Commands

| Command | What |
|---|---|
| `make` | Build it |
| `make test` | Run the tests |

Before a release:

1. Bump the version
2. Run `make test`

---

## Notes

> Never push to `main`.

```sh
make all
```
"""


@settings(max_examples=60, deadline=None)
@given(st.lists(st.booleans(), min_size=3, max_size=9))
def test_removing_twice_is_removing_once(chosen: list[bool]) -> None:
    asked = subset(rules.statements(DOCUMENT), chosen)
    once = prune.remove(DOCUMENT, asked)
    assert prune.remove(once, asked) == once
