"""Budgets: they hold in every script, entries stand whole or not at all, and what is left out is told."""

from __future__ import annotations

import re

from curator.core import tokens
from curator.model import CATEGORIES
from tests.cases.conftest import Case, Setup
from tests.conftest import END, START


def test_bu_01_chinese_text_costs_at_least_a_token_a_character(case: Setup) -> None:
    at = case(
        """base; python3 -c "
for i in range(20): open(f'memories/convention/k{i}.yaml','w').write(f'schema: 1\\nid: k{i}\\ncategory: convention\\ntext: '+'使用测试运行部署'*10+'\\n')"; commit"""  # noqa: E501
    )
    assert CATEGORIES["convention"] == 400
    assert at.run("render").code == 0
    characters = re.findall("[\u4e00-\u9fff]", at.block())
    assert 0 < len(characters) <= 400


MANY = """base; for i in $(seq 10 40); do mem m$i.yaml m$i convention "rule number $i with a handful of words in it"; \
done; commit"""


def test_bu_03_what_does_not_fit_is_named_on_stderr_and_counted_in_the_block(case: Setup) -> None:
    at = case(MANY)
    ran = at.run("render")
    assert ran.code == 0
    shown = set(re.findall(r"rule number (\d\d)", at.block()))
    out = {f"m{number}" for number in map(str, range(10, 41)) if number not in shown}
    assert shown
    assert out
    (line,) = [line for line in ran.told.split("\n") if line.startswith("left out, over budget: ")]
    assert out <= set(line.removeprefix("left out, over budget: ").split(", "))
    (told,) = re.findall(r"^(\d+) more did not fit: `curator recall \"<topic>\"`\.$", at.block(), re.M)
    assert int(told) == len(out) + ("Run pytest" not in at.block())
    assert "convention  " in ran.out.decode()
    listed = at.run("list", "--out", "--json").json()["entries"]
    assert {entry["id"] for entry in listed} - {"a"} == out
    assert all(entry["out"].startswith("over budget") for entry in listed)


def test_bu_03_the_more_important_and_the_newer_are_kept_each_time(case: Setup) -> None:
    at = case(MANY)
    at.sh(
        """IMPORTANCE=9 mem x.yaml x convention 'the rule that matters most of all'
        for i in 10 11; do printf "origin:\\n  by: user\\n  created: '20%s-01-01'\\n" $((i + 10)) \\
        >>memories/convention/m$i.yaml; done; commit"""
    )
    assert at.run("render").code == 0
    first = at.block()
    assert "the rule that matters most of all" in first
    assert "rule number 11" in first
    at.path(".git/curator/index.db").unlink()
    at.git("checkout", "-q", "--", "CLAUDE.md")
    assert at.run("render").code == 0
    assert at.block() == first


def test_bu_03_a_strict_check_fails_on_what_does_not_fit(case: Setup) -> None:
    at = case(MANY)
    ran = at.run("check")
    assert ran.code == 0
    assert "convention" in ran.told
    assert at.run("check", "--strict").code == 1
    at.write("memories/curator.yaml", "schema: 1\nbudget:\n  convention: 4000\n")
    at.git("add", "-A")
    assert at.run("check", "--strict").code == 0


def test_bu_03_add_says_what_the_block_does_not_show(case: Setup) -> None:
    at = case(MANY)
    assert at.run("render").code == 0
    shown = set(re.findall(r"rule number (\d\d)", at.block()))
    long = f"Deploy {'only from main, ' * 20}always."
    pushed_out = at.run("add", long, "--category", "convention", "--importance", "10")
    assert pushed_out.code == 0
    assert "Deploy only from main" in at.block()
    gone = shown - set(re.findall(r"rule number (\d\d)", at.block()))
    assert gone
    assert all(f"m{number}" in pushed_out.told for number in gone)
    too_long = at.run("add", "Never " + "touch generated files, " * 40 + "ever.", "--category", "todo")
    assert too_long.code == 0
    assert "generated files" not in at.block()
    assert "over budget" in too_long.told


def budgets(at: Case, sizes: range) -> None:
    """One target for each size of the budget, all of them rendered by one command."""
    listed = "".join(f"  - path: b/{size}.md\n    budget:\n      convention: {size}\n" for size in sizes)
    at.write("memories/curator.yaml", f"schema: 1\ntargets:\n{listed}")
    for size in sizes:
        at.write(f"b/{size}.md", f"{START}\n{END}\n")
    at.git("add", "-A")


def test_bu_05_an_entry_stands_whole_or_not_at_all_under_every_budget(case: Setup) -> None:
    at = case(
        """base; python3 -c "open('memories/convention/e.yaml','w')"""
        """.write('schema: 1\\nid: e\\ncategory: convention\\ntext: '+'👩‍👩‍👧 é '*50+'\\n')"; commit"""
    )
    whole = ("- " + "👩‍👩‍👧 é " * 50).rstrip()
    budgets(at, range(1, 301))
    assert at.run("render").code == 0
    for number in range(1, 301):
        block = at.block(f"b/{number}.md")
        assert "\ufffd" not in block
        assert ("👩" in block) is (whole in block.split("\n"))
        assert ("- Run pytest with -q." in block.split("\n")) is ("### Conventions" in block)


def test_bu_05_an_entry_above_its_budget_is_shown_once_the_budget_allows_it(case: Setup) -> None:
    at = case("base; IMPORTANCE=9 mem e.yaml e convention '" + "é 日 😀 " * 30 + "'; commit")
    whole = ("- " + "é 日 😀 " * 30).rstrip()
    size = tokens.estimate(whole + "\n") + tokens.estimate("\n### Conventions\n")
    budgets(at, range(size - 20, size + 20))
    assert at.run("render").code == 0
    shown = []
    for number in range(size - 20, size + 20):
        lines = at.block(f"b/{number}.md").split("\n")
        assert any("😀" in line for line in lines) is (whole in lines)
        shown.append(whole in lines)
    assert shown == sorted(shown)
    assert shown[0] is False
    assert shown[-1] is True


def test_bu_08_headings_bullets_and_notes_count_too(case: Setup) -> None:
    at = case("base; for i in $(seq 1 30); do mem s$i.yaml s$i convention 'ok'; done; commit")
    ran = at.run("render", "--json")
    assert ran.code == 0
    (target,) = ran.json()["targets"]
    (used,) = [one["used"] for one in target["categories"] if one["category"] == "convention"]
    block = at.block()
    assert target["tokens"] == tokens.estimate(block.strip("\n"))
    section = block[block.index("\n### Conventions\n") :].rstrip("\n")
    assert tokens.estimate(section) <= used <= CATEGORIES["convention"]
    # The fixed overhead: the title, the two lines of the preamble, and the closing line.
    head = block[: block.index("\n### Conventions\n")]
    closing = '\n30 more did not fit: `curator recall "<topic>"`.\n'
    overhead = tokens.estimate(head) + tokens.estimate(closing)
    assert tokens.estimate(block) <= sum(CATEGORIES.values()) + overhead
