"""JSON in the many forms in which tools write it: nothing is lost without a word, and nothing half read."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from curator.core import adopted
from curator.core.adoption import Adoption, Left
from curator.core.imports import documents, notes, own
from curator.core.imports.item import Document, Item

MEMORIES = [{"text": f"Always run the tax test {number}."} for number in range(3)]
TEXTS = [one["text"] for one in MEMORIES]


def read(value: Any) -> list[Item]:
    return list(documents.read(value if isinstance(value, str) else json.dumps(value), "x.json"))


def kept(value: Any) -> list[str]:
    return [one.text for one in read(value) if not one.left]


@pytest.mark.parametrize(
    "value",
    [
        {"message": "OK all went fine here", "data": MEMORIES},
        {"summary": "Memories of the shop project", "memories": MEMORIES},
        {"entries": MEMORIES[:1], "rules": MEMORIES[1:]},
        {"data": {"memories": MEMORIES}},
        {"status": 200, "response": {"name": "shop", "result": {"memories": MEMORIES}}},
        {"a1": MEMORIES[0], "b2": MEMORIES[1], "c3": MEMORIES[2]},
        {"lessons": TEXTS},
        {"title": "Shop", "learnings": TEXTS},
    ],
)
def test_documents_are_found_whatever_is_wrapped_around_them(value: Any) -> None:
    assert kept(value) == TEXTS


def test_what_stands_beside_documents_is_told() -> None:
    found = read({"message": "OK all went fine", "data": MEMORIES, "codes": ["a", "b"]})
    assert {one.text or one.where: one.left for one in found if one.left} == {
        "OK all went fine": "it stands beside a list of statements",
        "x.json codes": "a list without statements",
    }


def test_a_document_with_lists_of_its_own_stays_one() -> None:
    value = [
        {"title": "VAT", "text": "VAT is rounded per line.", "facts": ["a", "b"], "sources": [{"path": "a.py"}]},
        {"title": "VAT rounding", "description": "where VAT is rounded", "author": {"note": "by Ada"}},
    ]
    assert kept(value) == ["VAT is rounded per line.", "VAT rounding: where VAT is rounded"]


def test_a_key_that_stands_twice_leaves_its_document_with_that_reason() -> None:
    (one,) = read('[{"text": "Use npm for this.", "text": "Use pnpm for this."}]')
    assert one.left == "its key 'text' stands twice"
    (one,) = read('{"memories": [{"text": "a b c"}], "memories": [{"text": "d e f"}]}')
    assert one.left == "its key 'memories' stands twice"
    (one,) = read('{"text": "Use npm for this."}\n{"text": "a", "text": "b"}')[1:]
    assert one.left == "its key 'text' stands twice"


def test_broken_json_is_an_error_that_names_the_line_and_nothing_of_it_is_read() -> None:
    lines = [f"{json.dumps(one)}," for one in MEMORIES]
    lines[1] = lines[1].replace('"text"', '"te"xt"')
    with pytest.raises(ValueError, match=r"line 3, column 6: Expecting ':' delimiter"):
        read("[\n" + "\n".join(lines)[:-1] + "\n]")
    with pytest.raises(ValueError, match="line 1, column 4"):
        read('{"a\n')
    with pytest.raises(ValueError, match="nested too deeply"):
        read("[" * 100_000)


def test_a_huge_number_is_no_date_and_no_count() -> None:
    text = f'[{{"text": "Always run it.", "created": 1{"0" * 400}, "seen": 1{"0" * 400}, "importance": -1{"0" * 400}}}]'
    (one,) = read(text)
    assert (one.created, one.seen, one.importance) == ("", 1, None)


def test_nesting_without_end_is_read_in_time() -> None:
    for text in (
        '{"a":' * 900 + '{"text": "x"}' + "}" * 900,
        '{"title":"a","b":' * 300 + '{"text": "x"}' + "}" * 300,
        json.dumps({f"k{number}": {"x": [{"y": 1}]} for number in range(20_000)}),
    ):
        assert len(read(text)) == 1


def test_an_export_of_curators_is_taken_as_it_is() -> None:
    value = {
        "schema": 1,
        "entries": [
            {
                "id": "use-pnpm-aaaaaa",
                "category": "todo",
                "text": "Use pnpm.",
                "importance": 1,
                "triggers": ["#12", "when, then"],
                "scope": "shop/",
                "review_by": "2027-05-30",
                "expires": "2027-12-31",
                "supersedes": ["older"],
                "origin": {"by": "user", "created": "2026-07-06T09:24:01Z"},
            },
            {"id": "older", "category": "todo", "text": "Use npm.", "importance": 1},
            {"id": "gone", "category": "todo", "text": "Use yarn.", "retired": {"on": "2026-01-01", "reason": "x"}},
            ["no object"],
        ],
    }
    first, *rest = read(value)
    assert first == Item(
        text="Use pnpm.",
        where="x.json#1",
        kind="todo",
        importance=1.0,
        triggers=("#12", "when, then"),
        folders=("shop/",),
        created="2026-07-06T09:24:01Z",
        ends="2027-12-31T00:00:00Z",
        review="2027-05-30",
        own=True,
    )
    assert [one.left for one in rest] == [
        "its store has a newer one",
        "its store says that it is retired",
        "it holds no text",
    ]


def test_the_page_that_curator_exports_is_read_back() -> None:
    text = (
        "# Agent memory\n\n## Dead ends\n\n- Floats were tried.\n  - Why: They lose cents.\n"
        "  - Scope: `shop/`\n  - Files: `shop/tax.py` (`round_vat`), `b.py`\n  - Tags: vat, money\n\n"
        "## Conventions\n\n- Steps:\n\n  - Why: is asked first\n  - then build\n"
        "- Old one.\n  - Retired: 2026-01-02, gone\n"
    )
    assert own.is_page(text)
    floats, steps, old = own.page(Document("p.md", text, "2026-01-01T00:00:00Z"))
    assert (floats.text, floats.kind, floats.why, floats.folders) == (
        "Floats were tried.",
        "dead-end",
        "They lose cents.",
        ("shop/",),
    )
    assert [(one.path, one.symbol) for one in floats.sources] == [("shop/tax.py", "round_vat"), ("b.py", "")]
    assert floats.tags == ("vat", "money")
    assert (steps.text, steps.kind) == ("Steps:\n\n- Why: is asked first\n- then build", "convention")
    assert old.left == "its store says that it is retired"
    assert not own.is_page(text + "\nA word of a person's.\n")
    assert not own.is_page("# Agent memory\n\nOurs.\n")


def test_reasons_that_differ_in_their_figures_alone_are_told_together() -> None:
    def left(reason: str) -> Left:
        return Left(Item("x", "y"), reason)

    long = [left(f"{number:,} characters; a memory holds 1,200") for number in range(1201, 1301)]
    odd = [left(f"text: U+{number:04X} is not shown") for number in range(0xE0020, 0xE0060)]
    told = list(adopted.plan(Adoption(place="p", format="json", left=(*long, *odd)), "p", 100))
    assert len(told) < 14
    assert any(line.startswith("    100  ... characters; a memory holds ...") for line in told), told


def test_links_of_notes_are_found_in_time() -> None:
    begun = time.process_time()
    assert not list(notes._RELATION.finditer("- [[a b\n" * 40_000))
    assert time.process_time() - begun < 2
