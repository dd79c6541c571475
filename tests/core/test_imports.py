"""Values and front matter as other tools write them."""

from __future__ import annotations

import pytest

from curator.core.imports import documents, frontmatter, item, notes
from curator.core.imports.item import Document


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-03T14:03:00.123Z", "2026-03-03T14:03:00Z"),
        ("2026-03-03 14:03:00", "2026-03-03T14:03:00Z"),
        ("2026-03-03T14:03:00+02:00", "2026-03-03T12:03:00Z"),
        ("2026-03-03", "2026-03-03T00:00:00Z"),
        (1772546580, "2026-03-03T14:03:00Z"),
        (1772546580123, "2026-03-03T14:03:00Z"),
        ("1772546580", "2026-03-03T14:03:00Z"),
        ({"$date": "2026-03-03T14:03:00Z"}, "2026-03-03T14:03:00Z"),
        ({"$date": {"$numberLong": "1772546580123"}}, "2026-03-03T14:03:00Z"),
        ("2026-13-45", ""),
        ("0001-01-01T00:00:00+23:59", ""),
        (float("nan"), ""),
        (float("inf"), ""),
        (-5, ""),
        (True, ""),
        ("soon", ""),
        (None, ""),
    ],
)
def test_dates_of_every_form_come_out_in_utc(value: object, expected: str) -> None:
    assert item.moment(value) == expected


def test_importance_is_scaled_by_what_the_whole_store_uses() -> None:
    assert item.scale([0.2, 1.0]) == 10
    assert item.scale([1.0, 1.0]) == 1
    assert item.scale([3, 9]) == 1
    assert item.scale([80, 20]) == pytest.approx(0.1)
    assert item.scale([]) == 1
    assert item.number(float("nan")) is None


def test_front_matter_that_is_no_yaml_is_read_all_the_same() -> None:
    page = frontmatter.read(
        "---\n"
        "globs: **/*.ts, src/*\n"
        "description: this: is fine # a comment\n"
        'title: "Say \\"no\\": twice"\n'
        "tags: [a, 'b, c', \"d\"]\n"
        "paths:\n"
        "  - src/a.py\n"
        "  - src/b.py\n"
        "metadata:\n"
        "  type: feedback\n"
        "long: >\n"
        "  two\n"
        "  lines\n"
        "none: null\n"
        "---\n"
        "Body.\n"
    )
    assert page.text("globs") == "**/*.ts, src/*"
    assert page.text("description") == "this: is fine"
    assert page.text("title") == 'Say "no": twice'
    assert page.meta["tags"] == ["a", "b, c", "d"]
    assert page.meta["paths"] == ["src/a.py", "src/b.py"]
    assert page.under("metadata") == {"type": "feedback"}
    assert page.text("long") == "two\nlines"
    assert page.text("none") == ""
    assert (page.body, page.first) == ("Body.\n", 15)


def test_a_line_across_the_page_is_no_front_matter() -> None:
    assert frontmatter.read("---\n\n# Title\n\nText.\n").torn is False
    assert frontmatter.read("---\nname: x\nText.\n").torn is True


def test_a_fact_keeps_its_reason_apart_and_what_to_do_with_it() -> None:
    head = "---\nname: push\nmetadata:\n  type: feedback\n---\n\n"
    text = f"{head}Ask first.\n\n**Why:** It was lost.\n\n**How to apply:** List the commits.\n"
    (one,) = notes.read(Document("push.md", text))
    assert (one.text, one.why) == ("Ask first.\n\nList the commits.", "It was lost.")


def test_a_fact_that_is_too_long_with_its_consequence_moves_that_to_the_reason() -> None:
    how = "Do it. " * 100
    text = f"---\nname: x\ntype: feedback\n---\n\n{'Long. ' * 150}\n\n**How to apply:** {how}\n"
    (one,) = notes.read(Document("x.md", text))
    assert len(one.text) <= item.WHOLE
    assert one.why.startswith("Do it.")


def test_what_is_neither_json_nor_lines_of_it_is_an_error() -> None:
    with pytest.raises(ValueError, match="neither JSON nor JSON Lines"):
        documents.read("hello\nworld\n", "x.json")


@pytest.mark.parametrize("size", [20_000, 40_000])
def test_hostile_text_is_read_in_time(size: int) -> None:
    for text in (
        "---\n" + "a: [" * size,
        "---\nt: [" + "'" * size + "]\n---\nx",
        "---\nt: " + '"\\' * size + "\n---\nx",
        "- [a] " + "(" * size,
        "- [a] " + "#" * size,
        "- [a] x" + " " * size + "y",
        "a: x\n" + " " * size + "y",
        "- [" + "a " * size,
        "**Why:** " * size,
        "[[" * size,
        "# " * size,
    ):
        notes.read(Document("x.md", text))
