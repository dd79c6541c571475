"""Entries taken together: what has ended, what a name means, what is doubled or alike."""

from __future__ import annotations

import pytest

from curator.core import alike, lifecycle, roster
from curator.errors import CuratorError
from curator.model import Entry, Origin, Retired


def entry(name: str, text: str = "Say so.", category: str = "gotcha", **more: object) -> Entry:
    made = Entry(name, category, text, f"memories/{category}/{name}.yaml")
    for key, value in more.items():
        object.__setattr__(made, key, value)
    return made


def test_what_an_ended_entry_superseded_stays_superseded() -> None:
    entries = [entry("old"), entry("new", supersedes=("old",), retired=Retired("2026-01-01", "x"))]
    assert lifecycle.ended(entries) == {
        "memories/gotcha/old.yaml": "superseded by new",
        "memories/gotcha/new.yaml": "retired on 2026-01-01: x",
    }


def test_nothing_expires_without_a_date() -> None:
    due = [entry("due", expires="2026-01-01")]
    assert lifecycle.ended(due) == {}
    assert lifecycle.ended(due, "2026-01-01") == {}
    assert lifecycle.ended(due, "2026-01-02") == {"memories/gotcha/due.yaml": "expired after 2026-01-01"}


def test_moments_are_the_days_on_which_a_block_can_change_by_itself() -> None:
    entries = [entry("a", expires="2026-01-01"), entry("b", expires="2026-03-01"), entry("c")]
    assert lifecycle.moments(entries) == ("2026-03-01+", "2026-01-01+", "")
    assert set(lifecycle.ended(entries, "2026-01-01+")) == {"memories/gotcha/a.yaml"}


def test_a_name_that_fits_several_entries_is_refused_with_their_ids() -> None:
    entries = [entry("rounds-1a2b3c"), entry("rounds-4d5e6f")]
    assert roster.named(entries, "4d5e6f").id == "rounds-4d5e6f"
    with pytest.raises(CuratorError, match="fits 2 memories") as caught:
        roster.named(entries, "rounds")
    assert caught.value.hint == "say which: rounds-1a2b3c, rounds-4d5e6f"
    with pytest.raises(CuratorError, match="no memory ''"):
        roster.named(entries, "")


def test_id_05_ids_that_differ_only_in_case_are_doubles() -> None:
    (found,) = roster.findings([entry("Rule"), entry("rule")])
    assert (found.where, found.message) == (
        "memories/gotcha/rule.yaml",
        "the same id rule as memories/gotcha/Rule.yaml",
    )


def test_two_files_with_one_key_are_reported() -> None:
    origin = Origin(key="aaaaaaaaaaaa")
    (found,) = roster.findings([entry("a", origin=origin), entry("b", origin=origin)])
    assert "the same key aaaaaaaaaaaa" in found.message


def test_a_circle_of_replacements_is_found_and_a_chain_is_not() -> None:
    chain = [entry("a"), entry("b", supersedes=("a",)), entry("c", supersedes=("b",))]
    assert roster.findings(chain) == ()
    circle = [entry("a", supersedes=("c",)), *chain[1:]]
    assert [found.id for found in roster.findings(circle)] == ["a", "b", "c"]


def test_a_missing_replaced_entry_is_a_warning() -> None:
    (found,) = roster.findings([entry("a", supersedes=("gone",))])
    assert (found.level.value, found.message) == ("warning", "supersedes gone, which is not here")


def test_a_paraphrase_is_alike_and_another_rule_is_not() -> None:
    entries = [
        entry("vat", "Spanish VAT rounds per line, not per order total."),
        entry("db", "Never run migrations by hand on staging."),
        entry("ci", "Tests run in CI with four workers."),
    ]
    found = alike.alike("VAT in Spain is rounded per line, never per order.", entries)
    assert [one.id for one, _ in found] == ["vat"]
    assert alike.alike("Name branches after tickets.", entries) == ()


def test_a_short_sentence_inside_a_long_one_is_no_double() -> None:
    long = entry(
        "long",
        "Run make test before each commit; the pull request says what changed, which ticket asked and who reviews.",
    )
    assert alike.alike("Run make test.", [long]) == ()


def test_chinese_texts_are_compared_by_pairs_of_characters() -> None:
    entries = [entry("db", "数据库迁移使用 alembic 完成"), entry("x", "部署前先备份")]
    assert [one.id for one, _ in alike.alike("数据库迁移用 alembic", entries)] == ["db"]
