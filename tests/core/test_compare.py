"""Two states of memories side by side: which entry is which, what happened to it, what becomes of the blocks."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from curator.core import effect, lifecycle, news, pairing, telling, tuning
from curator.core.compare import Change, Compared, Effect, Field, Kind, Setting
from curator.core.keylines import Lines
from curator.core.verdict import Change as Happened
from curator.core.verdict import Reason
from curator.model import Budget, Capture, Config, Entry, Evidence, Origin, Recall, Retired, Source, State, Target


def entry(name: str, text: str = "", category: str = "convention", home: str = "", **facts: object) -> Entry:
    said = text or f"The rule of {name} stands alone."
    return Entry(name, category, said, f"{home}memories/{category}/{name}.yaml", **facts)  # type: ignore[arg-type]


def changes(before: list[Entry], after: list[Entry], broken: frozenset[str] = frozenset()) -> tuple[Change, ...]:
    return pairing.changes(pairing.sides(before, after), after, broken)


def only(before: list[Entry], after: list[Entry]) -> Change:
    (change,) = changes(before, after)
    return change


A, B = entry("a"), entry("b")


# --- Kinds --------------------------------------------------------------------------------------------------------


def test_nothing_changed_is_nothing() -> None:
    assert changes([A, B], [A, replace(B)]) == ()
    assert Compared().is_nothing


def test_new_and_removed_entries() -> None:
    assert only([A], [A, B]) == Change(Kind.ADDED, None, B)
    assert only([A, B], [A]) == Change(Kind.REMOVED, B, None)
    assert only([A, B], [A]).entry is B


def test_a_file_that_cannot_be_read_any_more_is_not_removed() -> None:
    assert changes([A, B], [A], frozenset({B.path})) == ()


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("text", "Other words.", "Other words."),
        ("why", "Because.\n", "Because."),
        ("importance", 9, "9"),
        ("tags", ("one", "two"), "one, two"),
        ("triggers", ("x failed",), "x failed"),
        ("scope", "shop/", "shop/"),
        ("task", "cf-1", "cf-1"),
        ("sources", (Source("a.py", symbol="f", text="x = 1", absent="y"),), "a.py#f (text: x = 1) (absent: y)"),
        ("supersedes", ("old",), "old"),
        ("review_by", "2027-01-01", "2027-01-01"),
        ("expires", "2027-01-01", "2027-01-01"),
        ("seen", 3, "3"),
    ],
)
def test_each_key_that_a_person_judges_is_told(name: str, value: object, shown: str) -> None:
    change = only([A], [replace(A, **{name: value})])  # type: ignore[arg-type]
    assert change.kind is Kind.CHANGED
    assert [(field.name, field.after) for field in change.fields] == [(name, shown)]


def test_whose_words_it_claims_to_be_is_told() -> None:
    before = entry("a", origin=Origin(by="tool", quote="said so"))
    change = only([before], [replace(before, origin=Origin(by="user"))])
    assert [field.name for field in change.fields] == ["origin.by", "origin.quote"]


STAMPED = Source(
    "a.py", "f", header="77aa", blob="9c1e", terms=(Evidence("f", ("3fa1",), True), Evidence("g", ("1b",)))
)


@pytest.mark.parametrize(
    "lost",
    [
        {"header": "", "blob": "", "terms": ()},
        {"header": ""},
        {"blob": ""},
        {"terms": STAMPED.terms[:1]},
        {"terms": (replace(STAMPED.terms[0], lines=()), STAMPED.terms[1])},
        {"terms": (replace(STAMPED.terms[0], defines=False), STAMPED.terms[1])},
    ],
)
def test_evidence_that_is_taken_away_is_told_and_confirms_nothing(lost: dict[str, object]) -> None:
    before = entry("a", sources=(STAMPED,))
    change = only([before], [replace(before, sources=(replace(STAMPED, **lost),))])  # type: ignore[arg-type]
    (field,) = change.fields
    assert (field.name, field.before) == ("evidence", "a.py#f: header, blob, f, g")
    assert telling.head(Compared(changes=(change,))) == "1 changed"


def test_a_term_that_stands_too_often_in_a_newer_content_is_no_evidence_lost() -> None:
    """`curator confirm` keeps no line of a term that grew beyond what is kept."""
    before = entry("a", sources=(STAMPED,))
    terms = (replace(STAMPED.terms[0], lines=()), STAMPED.terms[1])
    renewed = replace(before, sources=(replace(STAMPED, blob="77", terms=terms),))
    assert only([before], [renewed]).fields == ()
    for stripped in ({"blob": ""}, {"blob": "77", "terms": terms[1:]}):
        after = replace(before, sources=(replace(STAMPED, **{"terms": terms, **stripped}),))  # type: ignore[arg-type]
        assert [field.name for field in only([before], [after]).fields] == ["evidence"]


def test_other_words_have_other_terms_but_lose_neither_header_nor_all_of_them() -> None:
    before = entry("a", sources=(STAMPED,))
    reworded = replace(before, text="Other words about g.")

    def told(**facts: object) -> list[str]:
        source = replace(STAMPED, **facts)  # type: ignore[arg-type]
        return [field.name for field in only([before], [replace(reworded, sources=(source,))]).fields]

    assert told(blob="77", terms=STAMPED.terms[1:]) == ["text"]
    assert told(header="") == told(terms=()) == ["text", "evidence"]


@pytest.mark.parametrize("name", ["agent", "session", "trigger", "commit", "created", "extractor", "key"])
def test_every_fact_of_an_origin_is_told(name: str) -> None:
    before = entry("a")
    change = only([before], [replace(before, origin=replace(Origin(), **{name: "2020-01-01"}))])  # type: ignore[arg-type]
    assert [(field.name, field.after) for field in change.fields] == [(f"origin.{name}", "2020-01-01")]


def test_no_part_of_an_entry_differs_unseen() -> None:
    """What is no field is evidence, or the day of the last look."""
    told = set(pairing._READERS)
    parts = {one.name for one in fields(Entry)} - {"origin", "path"} | {f"origin.{one.name}" for one in fields(Origin)}
    assert parts - told == {"confirmed"}
    assert {one.name for one in fields(Source)} == {"path", "symbol", "text", "absent", "header", "blob", "terms"}


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("2026-01-01", "2026-07-01", False),
        ("", "2026-07-01", False),
        ("2026-01-01", "2026-07-02", False),
        ("2026-01-01", "2099-01-01", True),
        ("2026-01-01", "2025-01-01", True),
        ("2026-01-01", "", True),
    ],
)
def test_a_day_of_the_last_look_that_cannot_be_is_told(was: str, now: str, told: bool) -> None:
    before = entry("a", confirmed=was)
    found = pairing.sides([before], [replace(before, confirmed=now)])
    (change,) = pairing.changes(found, [before], today="2026-07-01")
    assert [field.name for field in change.fields] == (["confirmed"] if told else [])


def test_a_superseded_entry_that_is_retired_too_and_back_is_told() -> None:
    heir = entry("heir", supersedes=("a",))
    gone = replace(A, retired=Retired("2026-07-01", "wrong"))
    (there,), (back,) = changes([A, heir], [gone, heir]), changes([gone, heir], [A, heir])
    assert there.fields == (Field("retired", "", "2026-07-01: wrong"),)
    assert back.fields == (Field("retired", "2026-07-01: wrong", ""),)


def test_of_reworded_entries_the_screen_leaves_out_when_they_were_said() -> None:
    before = entry("a", origin=Origin(by="user", session="s1", created="2026-01-01"))
    after = replace(before, origin=Origin(by="agent", session="s2", created="2026-02-01"))
    for changed, names in (
        (after, ["origin.by", "origin.session", "origin.created"]),
        (replace(after, text="New."), ["origin.by"]),
    ):
        change = only([before], [changed])
        assert [field.name for field in (*telling.brief_fields(change), *telling.long_fields(change))] == names


def test_evidence_alone_is_a_change_without_fields() -> None:
    stamped = Source("a.py", header="77aa", blob="9c1e", terms=(Evidence("f", ("3fa1",)),))
    before = entry("a", sources=(Source("a.py"),))
    change = only([before], [replace(before, sources=(stamped,), confirmed="2026-07-01")])
    assert (change.kind, change.fields) == (Kind.CHANGED, ())


def test_retired_superseded_and_restored() -> None:
    gone = replace(A, retired=Retired("2026-07-01", "wrong"))
    assert only([A], [gone]).kind is Kind.RETIRED
    assert only([gone], [A]).kind is Kind.RESTORED
    heir = entry("heir", supersedes=("a",))
    new, old = changes([A], [A, heir])
    assert (new.kind, new.entry) == (Kind.ADDED, heir)
    assert (old.kind, old.before, old.after, old.by) == (Kind.SUPERSEDED, A, A, (heir,))
    removed, back = changes([A, heir], [A])
    assert (removed.kind, back.kind, back.entry) == (Kind.REMOVED, Kind.RESTORED, A)


def test_an_entry_retired_for_another_one_is_superseded_by_it() -> None:
    """`curator accept --supersedes` writes both."""
    heir = entry("heir", supersedes=("a",))
    gone = replace(A, retired=Retired("2026-07-01", "superseded"))
    change = changes([A], [gone, heir])[1]
    assert (change.kind, change.by, change.fields) == (Kind.SUPERSEDED, (heir,), ())
    assert lifecycle.ended([gone, heir]) == {gone.path: "superseded by heir"}


def test_an_entry_retired_for_a_reason_of_its_own_is_retired() -> None:
    heir = entry("heir", supersedes=("a",))
    gone = replace(A, retired=Retired("2026-07-01", "it was never true"))
    change = changes([A], [gone, heir])[1]
    assert (change.kind, change.by) == (Kind.RETIRED, (heir,))
    assert changes([A], [replace(A, retired=Retired("2026-07-01", "superseded"))])[0].kind is Kind.RETIRED
    assert lifecycle.ended([gone, heir]) == {gone.path: "retired on 2026-07-01: it was never true"}


def test_another_reason_for_being_retired_is_a_changed_field() -> None:
    gone = replace(A, retired=Retired("2026-07-01", "wrong"))
    change = only([gone], [replace(gone, retired=Retired("2026-07-01", "old"))])
    assert [(field.name, field.before) for field in change.fields] == [("retired", "2026-07-01: wrong")]


def test_the_order_is_by_kind_then_category_then_id() -> None:
    made = changes([A, entry("z")], [entry("n"), entry("m", category="gotcha"), replace(A, importance=1)])
    assert [(one.kind, one.entry.id) for one in made] == [
        (Kind.ADDED, "n"),
        (Kind.ADDED, "m"),
        (Kind.REMOVED, "z"),
        (Kind.CHANGED, "a"),
    ]


# --- Moves --------------------------------------------------------------------------------------------------------


def test_a_renamed_category_moves_its_entries() -> None:
    before = [entry(f"e{number}", category="decision") for number in range(5)]
    after = [entry(one.id, category="choice") for one in before]
    made = changes(before, after)
    assert {one.kind for one in made} == {Kind.MOVED}
    assert [(one.before, one.after) for one in made] == list(zip(before, after, strict=True))
    assert [field.name for field in made[0].fields] == ["category"]


def test_a_renamed_file_is_known_by_its_key_then_by_its_words() -> None:
    keyed = entry("old", "One thing.", origin=Origin(key="b81d02f3a977"))
    by_key = entry("new", "One thing, said better.", origin=Origin(key="b81d02f3a977"))
    change = only([keyed], [by_key])
    assert (change.kind, change.before, change.after) == (Kind.CHANGED, keyed, by_key)
    assert [field.name for field in change.fields] == ["text", "id"]
    assert only([entry("old", "One thing.")], [entry("new", "one `thing`")]).kind is Kind.CHANGED
    assert only([entry("old", "One thing.")], [entry("new", "One thing.")]).kind is Kind.MOVED
    assert [one.kind for one in changes([entry("old", "One.")], [entry("new", "Two.")])] == [Kind.ADDED, Kind.REMOVED]


def test_several_entries_of_the_same_words_meet_one_each() -> None:
    before = [entry("a1", "Same words."), entry("a2", "Same words.")]
    after = [entry("b1", "Same words."), entry("b2", "Same words."), entry("b3", "Same words.")]
    assert [one.kind for one in changes(before, after)] == [Kind.ADDED, Kind.MOVED, Kind.MOVED]
    assert [(one.before and one.before.id, one.entry.id) for one in changes(before, after)[1:]] == [
        ("a1", "b1"),
        ("a2", "b2"),
    ]


def test_an_entry_that_moves_into_a_folder_of_a_monorepo_changes_its_scope() -> None:
    change = only([entry("a")], [entry("a", home="shop/")])
    assert change.kind is Kind.MOVED
    assert [(field.name, field.before, field.after) for field in change.fields] == [("scope", "", "shop/")]


# --- Blocks -------------------------------------------------------------------------------------------------------


def effects(
    before: list[Entry],
    after: list[Entry],
    old: Config = Config(),  # noqa: B008 - frozen
    new: Config | None = None,
    broken: frozenset[str] = frozenset(),
) -> list[Effect]:
    sides = effect.side(before, old, "2026-07-01", {}), effect.side(after, new or old, "2026-07-01", {})
    costs = [{path: 10 * len(shown.entries) for path, shown in side.shown.items()} for side in sides]
    return list(effect.effects(*sides, pairing.sides(before, after), broken, costs))


def left(one: Effect) -> dict[str, str]:
    return {out.entry.id: out.reason for out in one.leaves}


def test_entries_enter_leave_and_are_reworded() -> None:
    heir = entry("heir", supersedes=("b",))
    other = replace(A, text="Other words.")
    (one,) = effects([A, B, entry("c"), entry("d")], [other, B, heir, replace(entry("d"), retired=Retired("d", "old"))])
    assert [enters.id for enters in one.enters] == ["heir"]
    assert left(one) == {"b": "superseded by heir", "c": "removed", "d": "retired on d: old"}
    assert one.reworded == (other,)
    assert (one.before, one.after) == (40, 20)


def test_what_is_pushed_out_by_a_weightier_entry_is_over_budget() -> None:
    small = Config(budgets=(Budget("convention", 20),))
    (one,) = effects([A], [A, entry("big", importance=10)], small)
    assert [enters.id for enters in one.enters] == ["big"]
    assert left(one)["a"].startswith("over budget: needs ")
    assert left(one)["a"].endswith(" tokens, not 20")


def test_every_reason_to_leave_is_told() -> None:
    scoped = replace(A, scope="shop/")
    assert left(effects([A], [scoped])[0]) == {"a": "scope shop/"}
    assert left(effects([A], [], broken=frozenset({A.path}))[0]) == {"a": "its file cannot be read"}
    ended = replace(A, expires="2026-06-30")
    assert left(effects([A], [ended])[0]) == {"a": "expired after 2026-06-30"}
    without = Config(budgets=(Budget("gotcha", 100),))
    assert left(effects([A], [A], Config(), without)[0]) == {"a": "no budget for its category"}


def test_a_target_that_comes_or_goes_is_told() -> None:
    more = Config(targets=(Target("CLAUDE.md"), Target("AGENTS.md")))
    _, new = effects([A], [A], Config(), more)
    assert (new.path, new.change, [one.id for one in new.enters]) == ("AGENTS.md", "added", ["a"])
    _, gone = effects([A], [A], more, Config())
    assert (gone.change, left(gone), gone.after) == ("removed", {"a": "this file is a target no more"}, 0)
    assert not gone.is_nothing


def test_a_moved_entry_neither_enters_nor_leaves() -> None:
    (one,) = effects([entry("a", category="decision")], [entry("a", category="gotcha")])
    assert (one.enters, one.leaves, one.reworded) == ((), (), ())


def test_a_block_whose_text_differs_is_not_the_same_though_it_costs_the_same() -> None:
    rules, laws = Config(budgets=(Budget("rules", 300),)), Config(budgets=(Budget("laws", 300),))
    (renamed,) = effects([entry("a", category="rules")], [entry("a", category="laws")], rules, laws)
    assert (renamed.before, renamed.differs, renamed.is_nothing) == (renamed.after, True, False)
    orders = [Config(budgets=tuple(Budget(name, 300) for name in names)) for names in (("x", "y"), ("y", "x"))]
    both = [entry("a", category="x"), entry("b", category="y")]
    assert effects(both, both, orders[0], orders[1])[0].differs
    assert effects(both, both, orders[0])[0].is_nothing
    assert effects(both, [replace(both[0], importance=9), both[1]], orders[0])[0].is_nothing


def test_every_category_with_a_budget_has_its_cost_before_and_after() -> None:
    old, new = Config(budgets=(Budget("decision", 100),)), Config(budgets=(Budget("choice", 300),))
    (one,) = effects([entry("a", category="decision")], [entry("a", category="choice")], old, new)
    assert [(shift.category, shift.budget_before, shift.budget) for shift in one.shifts] == [
        ("choice", 0, 300),
        ("decision", 100, 0),
    ]
    assert one.shifts[0].before == 0 < one.shifts[0].after
    assert one.shifts[1].after == 0 < one.shifts[1].before


def test_blocks_are_filled_as_a_render_fills_them() -> None:
    from curator.core import budget, page, rank

    config = Config(targets=(Target("CLAUDE.md"), Target("shop/CLAUDE.md", "shop/", (Budget("convention", 60),))))
    many = [
        entry(f"e{number:02}", f"Rule {number} names thing_{number} and some more.", importance=number % 10 + 1)
        for number in range(60)
    ]
    many += [replace(one, id=f"s{one.id}", path=f"s{one.path}", scope="shop/cart/") for one in many]
    made = effect.side(many, config, "2026-07-01", {many[0].path: budget.cost(many[0])})
    ordered = rank.order(many, config)
    for target in config.targets:
        selection = budget.select(ordered, target, config, "2026-07-01")
        assert made.shown[target.path].sections == selection.sections
        assert len(made.shown[target.path].missing) == len(selection.misfits)
        assert tuple(made.shown[target.path].entries.values()) == page.shown(selection)


# --- Settings -----------------------------------------------------------------------------------------------------


def test_settings_differ_by_the_names_of_the_file() -> None:
    after = Config(
        namespace="shop",
        targets=(Target("CLAUDE.md"), Target("x/AGENTS.md", "x/", (Budget("gotcha", 50),))),
        block="main",
        preamble=False,
        budgets=(*Config().budgets[1:], Budget("constraint", 900)),
        half_lives={"todo": 10},
        trust="HEAD",
        capture=Capture(sensitivity="keen", gate_lookup=True),
        recall=Recall(limit=9, grams=0.5),
    )
    found = tuning.differences(Config(), after)
    assert Setting("budget.constraint", "500", "900") in found
    assert {one.name: (one.before, one.after) for one in found if one.name not in {"budget", "budget.constraint"}} == {
        "namespace": ("default", "shop"),
        "targets.x/AGENTS.md": ("", "scope x/, gotcha 50"),
        "block": ("here", "main"),
        "preamble": ("true", "false"),
        "half_life_days.todo": ("30", "10"),
        "trust": ("index", "HEAD"),
        "capture.sensitivity": ("normal", "keen"),
        "capture.gate_lookup": ("false", "true"),
        "recall.limit": ("5", "9"),
        "recall.weights.grams": ("0.2", "0.5"),
    }
    assert [one.name.partition(".")[0] for one in found][:3] == ["namespace", "targets", "block"]
    assert tuning.differences(after, after) == ()


# --- News and lines -----------------------------------------------------------------------------------------------


def test_only_what_was_not_so_before_is_news() -> None:
    old = Reason(State.STALE, Happened.TERM_GONE, "a.py", "f")
    moved = Reason(State.MOVED, Happened.MOVED, "b.py", elsewhere="c.py")
    told = replace(old, lines=("f()",), elsewhere="d.py")
    assert list(news.fresh([told, moved], {old})) == [moved]
    assert list(news.fresh([told, moved], (), only=State.STALE)) == [told]
    assert list(news.fresh([Reason(State.STALE, Happened.PATH_GONE, "a.py")], {old})) == []
    assert list(news.fresh([Reason(State.NOTE, Happened.LINE_EDITED, "a.py", "f")], ())) == []


FILE = b"""schema: 1
id: a
text: |
  sources: not a key
  path: src/z.py
sources:
  - path: 'src/a.py'  # remark
    symbol: f
  - symbol: g
    path: src/b.py
origin:
  by: user
  path: src/c.py
"""


def test_keys_and_cited_files_are_found_on_their_lines() -> None:
    lines = Lines({"m.yaml": FILE, "flow.yaml": b"{schema: 1}\n"})
    assert [lines.of("m.yaml", key) for key in ("id", "text", "sources", "origin", "why")] == [2, 3, 6, 11, 1]
    assert [lines.of_source("m.yaml", path) for path in ("src/a.py", "src/b.py", "src/z.py", "src/c.py")] == [
        7,
        10,
        6,
        6,
    ]
    said = [lines.of_message("m.yaml", text) for text in ("text: odd (line 2)", "id: odd", "origin.by: odd", "odd")]
    assert said == [5, 2, 11, 1]
    assert lines.of("flow.yaml", "text") == 1
    assert lines.of("missing.yaml", "text") == 1
