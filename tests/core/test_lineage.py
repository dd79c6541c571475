"""The life of an entry from what commits did to files, without a repository."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator.core import lineage
from curator.core.lineage import Commit, Event, Life, Reading, Touch
from curator.model import Entry, Origin, Retired

ENTRY = Entry("a", "gotcha", "Rounds per line.", importance=5)


def commit(name: str, *, cut: bool = False) -> Commit:
    return Commit(name, "2026-01-01T00:00:00Z", "Ada", f"commit {name}", cut)


def path(name: str, category: str = "gotcha") -> str:
    return f"memories/{category}/{name}.yaml"


HISTORY = (
    Touch(commit("4"), path("c"), "3", "4"),
    Touch(commit("3"), path("c"), "2", "3", path("b")),
    Touch(commit("3"), path("other"), "", "x"),
    Touch(commit("2"), path("b"), "1", "2", path("a")),
    Touch(commit("1"), path("a"), "", "1"),
)


def test_an_entry_is_followed_through_its_names_and_no_other_comes_along() -> None:
    found = lineage.followed(HISTORY, "c", lambda touch: True)
    assert [one.commit.id for one in found] == ["4", "3", "2", "1"]


def test_a_rename_of_something_else_begins_a_life() -> None:
    found = lineage.followed(HISTORY, "c", lambda touch: touch.was != path("a"))
    assert [(one.commit.id, one.was, one.old) for one in found][-1] == ("2", "", "")
    gone = lineage.followed(HISTORY, "a", lambda touch: False)
    assert [(one.commit.id, one.path, one.new) for one in gone] == [("2", path("a"), ""), ("1", path("a"), "1")]


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_the_latest_name_is_found_from_every_earlier_one(name: str) -> None:
    assert lineage.latest(HISTORY, name, lambda touch: True) == "c"
    assert lineage.latest(HISTORY, name, lambda touch: False) == name


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (ENTRY, replace(ENTRY, text="Something else."), True),
        (ENTRY, replace(ENTRY, id="b"), True),
        (ENTRY, replace(ENTRY, id="b", text="Rounds per order."), True),
        (ENTRY, replace(ENTRY, id="b", text="Rounds are drinks for all."), False),
        (replace(ENTRY, text="one two three four"), replace(ENTRY, id="b", text="one two three five"), True),
        (replace(ENTRY, origin=Origin(key="k")), replace(ENTRY, id="b", text="x", origin=Origin(key="k")), True),
        (replace(ENTRY, origin=Origin(key="k")), replace(ENTRY, id="b", text="y y", origin=Origin(key="l")), False),
        (None, ENTRY, True),
    ],
)
def test_two_sides_of_a_rename_are_one_memory_by_id_key_text_or_words(
    before: Entry | None, after: Entry, same: bool
) -> None:
    assert lineage.is_same(Reading(before), Reading(after)) is same


@pytest.mark.parametrize(
    ("before", "after", "event"),
    [
        (ENTRY, replace(ENTRY, text="Other."), Event.CHANGED),
        (ENTRY, replace(ENTRY, category="decision"), Event.MOVED),
        (ENTRY, replace(ENTRY, confirmed="2026-01-01"), Event.ANCHORED),
        (ENTRY, replace(ENTRY, retired=Retired("2026-01-01", "old")), Event.RETIRED),
        (replace(ENTRY, retired=Retired("2026-01-01", "old")), ENTRY, Event.RESTORED),
        (ENTRY, None, Event.UNREADABLE),
        (None, ENTRY, Event.UNREADABLE),
    ],
)
def test_each_step_says_what_happened(before: Entry | None, after: Entry | None, event: Event) -> None:
    (step,) = lineage.steps([Touch(commit("2"), path("a"), "1", "2")], {"1": Reading(before), "2": Reading(after)})
    assert step.event is event


def test_the_version_before_an_unreadable_one_is_what_the_next_is_held_against() -> None:
    touches = [Touch(commit(str(n)), path("a"), str(n - 1) if n > 1 else "", str(n)) for n in (3, 2, 1)]
    versions = {"1": Reading(ENTRY), "2": Reading(None, "broken"), "3": Reading(replace(ENTRY, text="Other."))}
    found = lineage.steps(touches, versions)
    assert [step.event for step in found] == [Event.CHANGED, Event.UNREADABLE, Event.ADDED]
    assert [field.name for field in found[0].fields] == ["text"]


def test_wording_and_birth_are_told_apart_and_a_cut_counts_as_birth() -> None:
    touches = [
        Touch(commit("3"), path("a"), "2", "3"),
        Touch(commit("2"), path("a"), "1", "2"),
        Touch(commit("1", cut=True), path("a"), "", "1"),
    ]
    reworded = replace(ENTRY, text="Rounds per order line.")
    versions = {"1": Reading(ENTRY), "2": Reading(reworded), "3": Reading(replace(reworded, importance=9))}
    life = Life("a", path("a"), versions["3"].entry, lineage.steps(touches, versions))
    assert life.wording
    assert life.birth
    assert (life.wording.commit.id, life.birth.commit.id, life.birth.event) == ("2", "1", Event.CUT)
    before = lineage.until(life, "Rounds per line.")
    assert before.wording is life.birth
    assert lineage.until(life, "Never said.") is life


def test_an_old_version_is_read_by_its_own_words_and_never_shown_with_a_secret() -> None:
    text = b"schema: 1\nid: a\ncategory: gone-category\ntext: Be brief.\n"
    assert lineage.read(text, path("b", "gone-category"), ["gotcha"]).entry
    assert lineage.read(None, path("a"), []).fault == "its bytes are not in this clone"
    token = b"ghp_" + b"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert "secret" in lineage.read(text.replace(b"brief", token), path("b", "gone-category"), []).fault
