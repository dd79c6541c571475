"""How entries read in the block."""

from __future__ import annotations

import pytest

from curator.core import bullet, page
from curator.model import Entry
from curator.selection import LeftOut, Section, Selection
from tests.conftest import BLOCK_TEMPLATE


def entry(text: str, name: str = "a", category: str = "gotcha") -> Entry:
    return Entry(name, category, text, f"memories/{category}/{name}.yaml")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One.", "- One."),
        ("One.\nTwo.\n", "- One. Two."),
        ("Trailing blanks  \nand tabs\t", "- Trailing blanks and tabs"),
        ("Run:\n```sh\nmake\n\n  x\n```", "- Run:\n  ```sh\n  make\n\n    x\n  ```"),
        ("Either:\n- one\n- two", "- Either:\n  - one\n  - two"),
        ("Steps:\n1. one\n2. two", "- Steps:\n  1. one\n  2. two"),
        ("- starts with a dash", "- - starts with a dash"),
        ("Two.\n\nParagraphs.", "- Two.\n\n  Paragraphs."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "- | a | b |\n  |---|---|\n  | 1 | 2 |"),
        (r"C:\Users \d+ \1 \g<0> \n {{ 7*7 }} {# x #}", r"- C:\Users \d+ \1 \g<0> \n {{ 7*7 }} {# x #}"),
    ],
)
def test_one_entry_is_one_list_item(text: str, shown: str) -> None:
    assert bullet.item(entry(text)) == shown


def test_a_category_has_a_readable_heading() -> None:
    assert [bullet.heading(name).strip() for name in ("constraint", "dead-end", "route", "todo", "style-rule")] == [
        "### Constraints",
        "### Dead ends",
        "### Where things live",
        "### To do",
        "### Style rules",
    ]


def test_a_block_holds_title_preamble_categories_and_what_did_not_fit() -> None:
    shown = Selection(
        (
            Section("constraint", 9, 9, (entry("Never."),)),
            Section("gotcha", 9, 0, ()),
            Section("todo", 9, 9, (entry("Do."),)),
        ),
        (LeftOut(entry("x"), "over budget", misfit=True), LeftOut(entry("y"), "retired")),
    )
    assert page.body(shown, BLOCK_TEMPLATE, preamble=False) == (
        "## Agent memory\n\n### Constraints\n- Never.\n\n### To do\n- Do.\n\n"
        '1 more did not fit: `curator recall "<topic>"`.'
    )
    with_preamble = page.body(shown, BLOCK_TEMPLATE, preamble=True)
    assert with_preamble.startswith("## Agent memory\n\nBefore working on something you do not know, search")
    assert "`curator add --propose" in with_preamble


def test_an_empty_store_has_one_stable_form() -> None:
    assert page.body(Selection(()), BLOCK_TEMPLATE, preamble=False) == ""
    assert page.body(Selection(()), BLOCK_TEMPLATE, preamble=True).startswith("## Agent memory\n\nBefore")


def test_no_line_ends_in_a_blank() -> None:
    text = "Run:  \n```\nx \t\n```\n\ny "
    shown = page.body(Selection((Section("todo", 9, 9, (entry(text),)),)), BLOCK_TEMPLATE, preamble=True)
    assert all(line == line.rstrip() for line in shown.split("\n"))


def test_foreign_names_only_lines_that_no_entry_wrote() -> None:
    held = "## Agent memory\n\n### Gotchas\n- Old.\n- Retired.\n- By hand.\n\n3 more did not fit: `x`."
    assert page.foreign(held, "## Agent memory\n- New.", [entry("Old."), entry("Retired.")]) == ("- By hand.",)


def test_entry_text_is_data_and_never_template_source() -> None:
    hostile = "{{ cycler.__init__.__globals__.os.popen('id').read() }} {% for x in y %}"
    shown = page.body(Selection((Section("todo", 9, 9, (entry(hostile),)),)), BLOCK_TEMPLATE, preamble=False)
    assert f"- {hostile}" in shown


def test_t19_a_hostile_template_cannot_reach_python() -> None:
    from jinja2.exceptions import SecurityError

    with pytest.raises(SecurityError):
        page.body(Selection(()), "{{ ''.__class__.__mro__[1].__subclasses__() }}", preamble=True)


def test_no_heading_of_a_category_is_foreign() -> None:
    held = "## Agent memory\n\n### Gotchas\n- Old.\n\n### Houses\n- Old.\n\n### Mine\n- Old."
    assert page.foreign(held, "## Agent memory", [entry("Old.")], ("house",)) == ("### Mine",)
