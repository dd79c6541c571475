"""Looking: recall, list, show, status, check."""

from __future__ import annotations

import json

from tests.conftest import Repo


def store(repo: Repo) -> None:
    repo.memory("pool", "At most 20 connections: more raise TooManyClients.", "gotcha")
    repo.memory("money", "Store amounts as integer cents in `amount_minor`.", "decision")
    repo.memory("old", "Use SQLite.", "decision", "retired:\n  on: '2026-01-01'\n  reason: we use Redis\n")
    repo.add()


def ids(repo: Repo, *arguments: str) -> list[str]:
    return [hit["id"] for hit in json.loads(repo.curator("recall", *arguments, "--json").stdout)["results"]]


def test_recall_finds_identifiers_in_another_form(base: Repo) -> None:
    store(base)
    assert ids(base, "amountMinor")[0] == "money"
    assert ids(base, "too_many_clients")[0] == "pool"


def test_a_query_may_be_a_flag(base: Repo) -> None:
    base.memory("flag", "Install with `--frozen` in CI.")
    base.add()
    assert ids(base, "--frozen")[0] == "flag"


def test_several_phrasings_are_one_search(base: Repo) -> None:
    store(base)
    assert set(ids(base, "connections", "cents")[:2]) == {"pool", "money"}


def test_recall_is_bounded_and_filtered(base: Repo) -> None:
    store(base)
    assert ids(base, "connections", "cents", "-k", "1") in (["pool"], ["money"])
    assert ids(base, "connections", "cents", "--category", "gotcha") == ["pool"]
    base.memory("sure", "At most 20 connections a day.", more="origin:\n  by: model\n  confidence: 0.5\n")
    base.add()
    assert "sure" in ids(base, "connections")
    assert "sure" not in ids(base, "connections", "--min-confidence", "0.6")


def test_retired_entries_are_not_found(base: Repo) -> None:
    store(base)
    assert ids(base, "SQLite") == []


def test_nothing_found_is_said_and_is_no_failure(base: Repo) -> None:
    result = base.curator("recall", "kubernetes")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing found in 1 memory" in result.stderr


def test_explain_shows_what_each_signal_adds(base: Repo) -> None:
    base.write("src/pool.py", "x\n")
    base.memory("pool", "At most 20 connections.", more="sources:\n  - path: src/pool.py\n")
    base.add()
    shown = base.curator("recall", "connections", "--file", "src/pool.py", "--explain").stdout
    for signal in ("words", "grams", "paths", "prior"):
        assert signal in shown
    hit = json.loads(base.curator("recall", "connections", "--file", "src/pool.py", "--json").stdout)["results"][0]
    assert abs(sum(share["value"] for share in hit["shares"]) - hit["score"]) < 1e-5


def test_list_shows_every_entry_with_the_reason_it_is_out(base: Repo) -> None:
    store(base)
    lines = base.curator("list").stdout.split("\n")
    assert [line.split()[0] for line in lines if line] == [
        "convention/a",
        "decision/money",
        "decision/old",
        "gotcha/pool",
    ]
    assert "[retired on 2026-01-01]" in base.curator("list", "--out").stdout
    assert "old" not in base.curator("list", "--in").stdout


def test_show_takes_the_beginning_the_end_or_the_file_of_an_id(base: Repo) -> None:
    base.memory("long-name-4f1c9a", "Say so.")
    base.add()
    for name in ("long-name-4f1c9a", "long", "4f1c9a", "memories/convention/long-name-4f1c9a.yaml"):
        result = base.curator("show", name)
        assert result.exit_code == 0, name
        assert "Say so." in result.stdout
    missing = base.curator("show", "nope")
    assert missing.exit_code == 2
    assert "no memory 'nope'\n  -> `curator list` shows every id" in missing.stderr


def test_status_tells_counts_budgets_loose_files_and_the_price(base: Repo) -> None:
    store(base)
    base.memory("loose", "Not staged.")
    base.git("config", "curator.price", "3")
    result = base.curator("status")
    assert "Active    3" in result.stdout
    assert "Ended     1" in result.stdout
    assert "tokens of the block at the start of each, $" in result.stdout
    assert "loose.yaml: note: neither staged nor committed" in result.stderr
    told = json.loads(base.curator("status", "--json").stdout)
    assert told["active"] == {"convention": 1, "decision": 1, "gotcha": 1}
    assert told["session"]["tokens"] == told["targets"][0]["tokens"] > 0
    base.git("config", "curator.price", "much")
    assert base.curator("status").exit_code == 2


def test_check_names_every_bad_file_and_still_counts_the_good_ones(base: Repo) -> None:
    base.write("memories/convention/b.yaml", "schema: 1\nid: b\ncategory: convention\ncolour: red\ntext: x\n")
    base.write("memories/convention/c.yaml", "- a\n")
    base.add()
    result = base.curator("check")
    assert result.exit_code == 1
    assert "memories/convention/b.yaml:4: error: " in result.stderr
    assert "memories/convention/c.yaml:1: error: " in result.stderr
    assert "1 memory checked: 1 cites no file; 2 errors" in result.stderr
    told = json.loads(base.curator("check", "--json").stdout)["findings"]
    assert {found["where"] for found in told} == {"memories/convention/b.yaml:4", "memories/convention/c.yaml:1"}


def test_check_finds_doubles_and_circles(base: Repo) -> None:
    base.memory("b", "One.", more="supersedes:\n  - c\norigin:\n  by: user\n  key: aaaaaaaaaaaa\n")
    base.memory("c", "Two.", more="supersedes:\n  - b\norigin:\n  by: user\n  key: aaaaaaaaaaaa\n")
    base.memory("a", "Three.", "gotcha")
    base.add()
    stderr = base.curator("check").stderr
    assert "memories/convention/c.yaml: error: the same key aaaaaaaaaaaa as memories/convention/b.yaml" in stderr
    assert "memories/gotcha/a.yaml: error: the same id a as memories/convention/a.yaml" in stderr
    assert "supersedes itself" in stderr


def test_check_of_one_entry_reports_only_that(base: Repo) -> None:
    base.write("memories/convention/c.yaml", "- a\n")
    base.add()
    assert base.curator("check", "a").exit_code == 0
    assert base.curator("check", "memories/convention/c.yaml").exit_code == 1
    assert base.curator("check", "nope").exit_code == 2


def test_paths_in_messages_can_be_opened_from_a_sub_folder(base: Repo) -> None:
    import os

    base.write("memories/convention/c.yaml", "- a\n")
    base.write("src/deep/x", "")
    base.add()
    os.chdir(base.root / "src/deep")
    assert "../../memories/convention/c.yaml:1: error" in base.curator("check").stderr


def test_a_price_that_is_no_number_is_named(base: Repo) -> None:
    for price in ("nan", "inf", "-1"):
        base.git("config", "curator.price", price)
        result = base.curator("status", "--json")
        assert result.exit_code == 2
        assert "is not a price" in result.stderr


def test_check_takes_the_short_names_that_show_takes(base: Repo) -> None:
    base.memory("long-name-4f1c9a", "Say so.")
    base.add()
    assert base.curator("check", "4f1c9a").exit_code == 0


def test_a_search_for_nothing_or_in_no_category_says_so(base: Repo) -> None:
    nothing = base.curator("recall")
    assert nothing.exit_code == 2
    assert "nothing to look for" in nothing.stderr
    for command in (("recall", "pytest"), ("list",)):
        result = base.curator(*command, "--category", "nonsense")
        assert result.exit_code == 2
        assert "no category 'nonsense'\n  -> there are: constraint, " in result.stderr


def test_a_hit_by_spelling_alone_is_marked(base: Repo) -> None:
    store(base)
    assert "shares letters but no word" in base.curator("recall", "buisness connectivity").stdout
    assert "shares letters" not in base.curator("recall", "connections", "-k", "1").stdout


def test_a_word_that_looks_like_an_option_is_searched_for_and_said_to_be_none(base: Repo) -> None:
    base.memory("flag", "Install with `--frozen` in CI.")
    base.add()
    seen = base.curator("recall", "install", "--frozen")
    assert seen.exit_code == 0
    assert "--frozen is no option of `curator recall` and is searched for as a word\n" in seen.stderr
    assert "did you mean --limit?" in base.curator("recall", "install", "--limits=1").stderr
    assert base.curator("recall", "--", "--frozen").stderr == ""
    assert base.curator("recall", "install with --frozen").stderr == ""


def test_the_number_of_hits_has_the_name_that_settings_and_tools_give_it(base: Repo) -> None:
    store(base)
    for option in ("--limit", "-k"):
        seen = base.curator("recall", "connections pool", option, "1", "--explain")
        assert seen.stdout.count("/") >= 1
        assert len(ids(base, "connections pool", option, "1")) == 1
        assert seen.stderr == ""


def test_what_shares_letters_alone_does_not_stand_before_the_one_stale_memory_that_matches(base: Repo) -> None:
    base.write("pay.py", "GATEWAY_TIMEOUT = 12\n")
    base.write("orders.py", "def place_order():\n    pass\n")
    base.add()
    base.curator("add", "Keep `GATEWAY_TIMEOUT` in pay.py below 15: payments run into their timeout.", "--no-render")
    base.curator("add", "A paymaster signs payables in orders.py with `place_order`.", "--no-render")
    base.commit()
    base.write("pay.py", "LIMIT = 12\n")
    base.commit()
    first, second = ids(base, "payment timeout")
    assert first.startswith("keep-gateway-timeout")
    assert second.startswith("paymaster")
    seen = base.curator("recall", "payment timeout").stdout
    assert seen.index("check first: `GATEWAY_TIMEOUT`") < seen.index("shares letters but no word")


def test_status_sees_a_block_that_is_broken_or_old(base: Repo) -> None:
    assert "CLAUDE.md: the block is not what `curator render` would write" in base.curator("status").stderr
    base.curator("render")
    assert "block is not" not in base.curator("status").stderr
    base.write("CLAUDE.md", base.read("CLAUDE.md").replace("<!-- AGENT_MEMORY_END -->\n", ""))
    assert "end marker is missing" in base.curator("status").stderr
