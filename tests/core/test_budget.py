"""Budgets hold on the rendered lines, whatever the store."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.core import budget, bullet, page, tokens
from curator.model import CATEGORIES, Budget, Config, Entry, Retired, Target
from curator.selection import Section
from tests.conftest import BLOCK_TEMPLATE

ROOT = Target("CLAUDE.md")
TEXT = st.text(st.sampled_from("abc XYZ_-./`09\n日本é😀#|"), min_size=1, max_size=200).filter(
    lambda text: bool(text.strip())
)


def entry(name: str, category: str = "convention", text: str = "Say what is meant.", **more: object) -> Entry:
    made = Entry(name, category, text, f"memories/{category}/{name}.yaml")
    for key, value in more.items():
        object.__setattr__(made, key, value)
    return made


def rendered(section: Section) -> str:
    return bullet.heading(section.category) + "".join(bullet.item(one) + "\n" for one in section.shown)


@given(
    st.lists(st.tuples(st.sampled_from(list(CATEGORIES)), TEXT), max_size=40),
    st.dictionaries(st.sampled_from(list(CATEGORIES)), st.integers(0, 300)),
)
def test_no_category_is_ever_over_its_budget_on_the_rendered_lines(
    texts: list[tuple[str, str]], sizes: dict[str, int]
) -> None:
    entries = [entry(f"e{number}", category, text) for number, (category, text) in enumerate(texts)]
    config = Config(budgets=tuple(Budget(category, size) for category, size in sizes.items()))
    selection = budget.select(entries, ROOT, config)
    for section in selection.sections:
        if section.shown:
            assert tokens.estimate(rendered(section)) <= section.budget
            assert section.used <= section.budget
    shown = {one.id for section in selection.sections for one in section.shown}
    out = {one.entry.id for one in selection.left_out}
    assert shown | out == {one.id for one in entries}
    assert not shown & out


@given(st.lists(st.tuples(st.sampled_from(list(CATEGORIES)), TEXT), max_size=40))
def test_a_block_is_never_over_the_sum_of_budgets_and_the_fixed_lines(texts: list[tuple[str, str]]) -> None:
    entries = [entry(f"e{number}", category, text) for number, (category, text) in enumerate(texts)]
    config = Config(budgets=tuple(Budget(category, 60) for category in CATEGORIES))
    block = page.compose(entries, ROOT, config, BLOCK_TEMPLATE)
    fixed = tokens.estimate(page.body(budget.select([], ROOT, config), BLOCK_TEMPLATE, preamble=True))
    footer = tokens.estimate('\n999 more did not fit: `curator recall "<topic>"`.\n')
    assert block.tokens <= 60 * len(CATEGORIES) + fixed + footer


def test_what_does_not_fit_is_skipped_and_the_next_one_tried() -> None:
    long = entry("long", text="word " * 100)
    selection = budget.select([long, entry("b"), entry("a")], ROOT, Config(budgets=(Budget("convention", 60),)))
    assert [one.id for one in selection.sections[0].shown] == ["a", "b"]
    assert [one.entry.id for one in selection.misfits] == ["long"]
    assert selection.misfits[0].reason.startswith("over budget: needs ")


def test_needed_is_the_budget_that_would_show_all_of_a_category() -> None:
    entries = [entry(f"e{number}") for number in range(20)]
    tight = budget.select(entries, ROOT, Config(budgets=(Budget("convention", 50),)))
    size = budget.needed(tight)["convention"]
    assert not budget.select(entries, ROOT, Config(budgets=(Budget("convention", size),))).misfits
    assert budget.select(entries, ROOT, Config(budgets=(Budget("convention", size - 1),))).misfits


def test_the_size_that_is_said_of_a_misfit_shows_it() -> None:
    entries = [entry(f"e{number}", text="word " * (number + 1)) for number in range(8)]
    tight = budget.select(entries, ROOT, Config(budgets=(Budget("convention", 20),)))
    sizes = {out.entry.id: int(out.reason.split(" of ")[1].split(" ")[0]) for out in tight.misfits}
    assert len(sizes) > 3
    for name, size in sizes.items():
        roomy = budget.select(entries, ROOT, Config(budgets=(Budget("convention", size),)))
        assert name in {one.id for one in roomy.sections[0].shown}
    assert max(sizes.values()) == budget.needed(tight)["convention"]


def test_the_heading_counts_for_the_only_entry_of_a_category() -> None:
    (out,) = budget.select([entry("a")], ROOT, Config(budgets=(Budget("convention", 8),))).misfits
    needed = budget.needed(budget.select([entry("a")], ROOT, Config(budgets=(Budget("convention", 8),))))["convention"]
    assert out.reason == f"over budget: needs a budget of {needed} tokens, not 8"


def test_ended_and_scoped_entries_are_left_out_with_the_reason() -> None:
    entries = [
        entry("gone", retired=Retired("2026-01-01", "wrong")),
        entry("old"),
        entry("new", supersedes=("old",)),
        entry("due", expires="2026-01-01"),
        entry("far", scope="shop/checkout/"),
        entry("odd", category="unknown"),
    ]
    selection = budget.select(entries, ROOT, Config(), as_of="2026-01-02")
    reasons = {out.entry.id: out.reason for out in selection.left_out}
    assert reasons == {
        "gone": "retired on 2026-01-01: wrong",
        "old": "superseded by new",
        "due": "expired after 2026-01-01",
        "far": "scope shop/checkout/",
        "odd": "no budget for its category",
    }
    assert [one.id for section in selection.sections for one in section.shown] == ["new"]


def test_an_entry_goes_to_the_nearest_target_that_covers_its_scope() -> None:
    targets = (Target("CLAUDE.md"), Target("shop/CLAUDE.md", "shop/"), Target("shop/pay/CLAUDE.md", "shop/pay/"))
    config = Config(targets=targets)
    entries = [
        entry("root"),
        entry("shop", scope="shop/web/"),
        entry("pay", scope="shop/pay/"),
        entry("lib", scope="lib/"),
    ]
    shown = [
        [one.id for section in budget.select(entries, target, config).sections for one in section.shown]
        for target in targets
    ]
    assert shown == [["root"], ["shop"], ["pay"]]


def test_entries_of_a_nested_store_have_its_folder_as_scope() -> None:
    nested = Entry("n", "gotcha", "x", "services/billing/memories/gotcha/n.yaml")
    assert nested.reach == "services/billing/"
    assert Entry("r", "gotcha", "x", "memories/gotcha/r.yaml").reach == ""
