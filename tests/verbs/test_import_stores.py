"""What other tools remember, in the form in which they keep it, becomes proposals."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.conftest import Repo
from tests.importing import plan, reasons, sample, shop, table, texts, waiting


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """The repository that the samples are about, as the current folder."""
    made = shop(repo)
    monkeypatch.chdir(made.root)
    return made


def test_claude_codes_own_memory_becomes_conventions_decisions_and_pointers(here: Repo) -> None:
    found = plan(here, sample(here, "claude-memory"))
    assert found["format"] == "claude-memory"
    told = texts(found)
    (push,) = [entry for text, entry in told.items() if text.startswith("Ask before every git push")]
    assert push["category"] in {"convention", "constraint"}
    (vat,) = [entry for text, entry in told.items() if text.startswith("Spanish VAT is rounded per line")]
    assert vat["category"] in {"decision", "gotcha"}
    assert [source["path"] for source in vat["sources"]] == ["shop/checkout/tax.py"]
    assert vat["why"]
    assert vat["origin"]["by"] == "import"
    assert vat["origin"]["extractor"] == "import/claude-memory"
    assert re.fullmatch(r"2026-\d\d-\d\dT\d\d:\d\d:\d\dZ", vat["origin"]["created"])
    assert reasons(found) == {"who.md": "it is about a person, not about this repository"}


def test_the_word_alone_finds_claude_codes_memory_of_this_repository(
    here: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = here.root.parent / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    missing = here.curator("import", "claude-memory")
    assert missing.exit_code == 2
    assert "keeps no memory of this repository" in missing.stderr
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(here.root))
    folder = Path(sample(here, "claude-memory"))
    (home / "projects" / slug).mkdir(parents=True)
    folder.rename(home / "projects" / slug / "memory")
    assert len(plan(here, "claude-memory")["entries"]) == 3


def test_one_file_of_that_memory_can_be_named_too(here: Repo) -> None:
    folder = Path(sample(here, "claude-memory"))
    home = here.root.parent / "home/.claude/projects/x"
    home.mkdir(parents=True)
    folder.rename(home / "memory")
    found = plan(here, str(home / "memory/vat-per-line.md"))
    assert (found["format"], len(found["entries"])) == ("claude-memory", 1)


def test_a_reference_that_names_a_file_here_is_a_route(here: Repo) -> None:
    folder = here.root.parent / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [Rounding](tax.md)\n", encoding="utf-8")
    head = "---\nname: rounding\ndescription: where VAT is rounded\nmetadata:\n  type: reference\n---\n\n"
    (folder / "tax.md").write_text(f"{head}VAT is rounded in shop/checkout/tax.py.\n", encoding="utf-8")
    (entry,) = plan(here, str(folder))["entries"]
    assert (entry["category"], entry["sources"][0]["path"]) == ("route", "shop/checkout/tax.py")


def test_an_index_that_holds_facts_of_its_own_gives_them_up(here: Repo) -> None:
    folder = here.root.parent / "memory"
    folder.mkdir()
    index = (
        "# Memory\n\n- [Tax](tax.md) - how VAT is rounded\n\n## Build\n\n- Never run `make release` from a branch.\n"
    )
    (folder / "MEMORY.md").write_text(index, encoding="utf-8")
    assert list(texts(plan(here, str(folder)))) == ["Never run `make release` from a branch."]


def test_of_claude_mem_decisions_discoveries_and_gotchas_of_this_project_are_taken(here: Repo) -> None:
    database = sample(here, "claude-mem/claude-mem.db")
    found = plan(here, database)
    assert found["format"] == "claude-mem"
    assert {entry["where"] for entry in found["entries"]} == {f"observations #{number}" for number in (1, 2, 3, 5)}
    categories = {entry["where"]: entry["category"] for entry in found["entries"]}
    assert categories["observations #2"] == "decision"
    assert categories["observations #3"] == "gotcha"
    told = reasons(found)
    assert told["observations #6"] == "about another project (blog)"
    assert "what was done" in told["observations #4"]
    assert "summary of a session" in told["session_summaries #1"]
    (blog,) = plan(here, database, "--project", "blog")["left"][:1]
    assert blog["detail"] == "shop"


def test_agentlores_memories_keep_their_kind_and_what_ended_is_left(here: Repo) -> None:
    found = plan(here, sample(here, "agentlore"))
    assert found["format"] == "agentlore"
    kinds = sorted(entry["category"] for entry in found["entries"])
    assert kinds == ["constraint", "convention", "dead-end", "decision", "decision"]
    assert sorted(reasons(found).values()) == [
        "its store says that it is retracted",
        "its store says that it is superseded",
    ]
    (dead,) = [entry for entry in found["entries"] if entry["category"] == "dead-end"]
    assert dead["why"].startswith("Evidence: ")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("agent-memory-git", "Spanish VAT is rounded per line in shop/checkout/tax.py"),
        ("basic-memory", "Rounding the total is off by a cent on multi-item orders"),
        ("bettermemory", "Spanish VAT is rounded per line in shop/checkout/tax.py"),
        ("json/bettermemory.json", "Spanish VAT is rounded per line in shop/checkout/tax.py"),
        ("sqlite/agentmemdb.db", "Spanish VAT is rounded per line"),
        ("sqlite/agentrecall.db", "Spanish VAT is rounded per line"),
    ],
)
def test_each_tools_own_files_are_recognised_and_read(here: Repo, name: str, expected: str) -> None:
    assert any(expected in text for text in texts(plan(here, sample(here, name))))


def test_observations_of_a_note_keep_kind_tags_and_context_and_links_are_left(here: Repo) -> None:
    found = plan(here, sample(here, "basic-memory"))
    (round_,) = [entry for text, entry in texts(found).items() if text.startswith("Round per line")]
    assert round_["category"] == "decision"
    assert round_["tags"]
    assert "Spanish VAT is rounded per line, never on the order total." in texts(found)
    assert set(reasons(found).values()) == {"a link to another note"}


def test_how_often_something_was_used_is_how_often_it_was_seen(here: Repo) -> None:
    path = table(
        here.root.parent / "m.db",
        "id INTEGER PRIMARY KEY, session_id TEXT, category TEXT, content TEXT, access_count INTEGER, created_at TEXT",
        [
            (1, "s-1", "gotcha", "The worker must be restarted after a deploy.", 17, "2026-03-03 14:03:00"),
            (2, "s-1", "gotcha", "The cache is empty after a deploy.", 0, "1772546580"),
        ],
    )
    told = texts(plan(here, str(path)))
    assert told["The worker must be restarted after a deploy."]["seen"] == 17
    assert told["The cache is empty after a deploy."].get("seen", 1) == 1
    assert {entry["origin"]["created"] for entry in told.values()} == {"2026-03-03T14:03:00Z"}
    assert {entry["origin"]["session"] for entry in told.values()} == {"s1"}


def test_documents_of_json_keep_tags_importance_and_date_and_routes_their_paths(here: Repo) -> None:
    path = here.root.parent / "export.json"
    born = {"$date": "2026-02-01T10:00:00+02:00"}
    freeze = "No deploys in the last week of a quarter."
    documents = [
        {"text": "Amounts are integers.", "metadata": {"tags": ["money"], "importance": 0.9}, "createdAt": born},
        {"content": "Old wording of the freeze.", "dedupeKey": "freeze", "createdAt": "2026-01-01"},
        {"content": freeze, "dedupeKey": "freeze", "createdAt": "2026-02-01", "importance": 0.3},
        {
            "title": "VAT rounding",
            "description": "where VAT is rounded",
            "paths": ["/home/ada/shop/shop/checkout/tax.py"],
        },
    ]
    path.write_text(json.dumps({"documents": documents}), encoding="utf-8")
    found = plan(here, str(path))
    told = texts(found)
    assert told["Amounts are integers."]["importance"] == 9
    assert told["Amounts are integers."]["tags"] == ["money"]
    assert told["Amounts are integers."]["origin"]["created"] == "2026-02-01T08:00:00Z"
    assert told["No deploys in the last week of a quarter."]["importance"] == 3
    assert told["VAT rounding: where VAT is rounded"]["category"] == "route"
    assert told["VAT rounding: where VAT is rounded"]["sources"][0]["path"] == "shop/checkout/tax.py"
    assert reasons(found) == {"export.json#2": "its store has a newer one (export.json#3)"}


def test_json_lines_and_the_graph_of_mcps_memory_server_are_read(here: Repo) -> None:
    path = here.root.parent / "memory.jsonl"
    lines = [
        {"type": "entity", "name": "Checkout", "entityType": "module", "observations": ["Rounds VAT per line."]},
        {"type": "relation", "from": "Checkout", "to": "Tax", "relationType": "uses"},
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines) + '{"torn": \n', encoding="utf-8")
    found = plan(here, str(path))
    assert list(texts(found)) == ["Checkout: Rounds VAT per line."]
    assert reasons(found) == {"memory.jsonl:2": "a link in a graph", "memory.jsonl:3": "the line is no JSON document"}


def test_decision_records_are_one_decision_each_and_a_superseded_one_is_left(here: Repo) -> None:
    folder = here.root / "docs/adr"
    here.write(
        "docs/adr/0001-use-redis.md",
        "# 1. Use Redis for the cache\n\nDate: 2026-01-05\n\n## Status\n\nAccepted\n\n## Context\n\nSQLite locks.\n\n"
        "## Decision\n\nWe cache in Redis.\n\n## Consequences\n\nOne more service.\n",
    )
    here.write(
        "docs/adr/0002-old.md",
        "# 2. Cache in SQLite\n\n## Status\n\nSuperseded by [1](0001-use-redis.md)\n\n"
        "## Decision\n\nWe cache in SQLite.\n",
    )
    found = plan(here, str(folder))
    (entry,) = found["entries"]
    assert entry["category"] == "decision"
    assert "We cache in Redis." in entry["text"]
    assert entry["why"].strip() == "SQLite locks.\n\nConsequences: One more service."
    assert entry["origin"]["created"] == "2026-01-05T00:00:00Z"
    assert reasons(found) == {"0002-old.md": "its store says that it is superseded"}


def test_a_rule_of_cursor_holds_for_the_folder_of_its_pattern(here: Repo) -> None:
    here.write(
        ".cursor/rules/checkout.mdc",
        "---\ndescription: Checkout\nglobs: shop/checkout/**/*.py\nalwaysApply: false\n---\n\n"
        "- Never round a total.\n- Money is an integer.\n",
    )
    found = plan(here, ".cursor/rules")
    assert {entry["scope"] for entry in found["entries"]} == {"shop/checkout/"}
    assert set(texts(found)) == {"Never round a total.", "Money is an integer."}


def test_the_diaries_of_a_memory_bank_are_left(here: Repo) -> None:
    folder = here.root.parent / "memory-bank"
    folder.mkdir()
    (folder / "progress.md").write_text("# Progress\n\n- Login works now.\n", encoding="utf-8")
    (folder / "activeContext.md").write_text("# Now\n\nWorking on the cart.\n", encoding="utf-8")
    (folder / "techContext.md").write_text("# Tech\n\n- Never import from `legacy/`.\n", encoding="utf-8")
    found = plan(here, str(folder))
    assert list(texts(found)) == ["Never import from `legacy/`."]
    assert set(reasons(found).values()) == {"it tells what was done, not what to do"}


def test_an_unknown_category_is_named_and_the_statement_is_proposed_all_the_same(here: Repo) -> None:
    path = table(here.root.parent / "m.db", "category TEXT, content TEXT", [("zebra", "Never mock the clock.")])
    found = plan(here, str(path))
    assert found["notes"] == ["category 'zebra' is none here: guessed for 1"]
    assert [entry["category"] for entry in found["entries"]] == ["constraint"]


def test_the_plan_is_short_and_names_counts_reasons_and_a_few_of_each(here: Repo) -> None:
    rows = [("decision", f"Rule number {number} is that the build comes first.") for number in range(400)]
    rows += [("progress", f"Finished the task {number}.") for number in range(50)]
    path = table(here.root.parent / "m.db", "category TEXT, content TEXT", rows)
    result = here.curator("import", str(path))
    assert result.exit_code == 0
    assert "450 statements, 400 proposals, 50 left where they are" in result.stdout
    assert "decision (400)" in result.stdout
    assert "and 397 more" in result.stdout
    assert "50  it tells what was done, not what to do" in result.stdout
    assert result.stdout.count("\n") < 20
    assert "nothing was written; `--yes` writes without asking" in result.stderr
    assert waiting(here) == []


def test_proposals_wait_for_review_and_are_accepted_as_they_were_brought(here: Repo) -> None:
    result = here.curator("import", sample(here, "sqlite/agentrecall.db"), "--yes")
    assert "in the inbox: 3 proposals" in result.stderr
    names = waiting(here)
    assert len(names) == 3
    assert here.git("status", "--porcelain") == ""
    (vat,) = [name for name in names if "Spanish" in here.read(f".git/curator/inbox/{name}")]
    done = here.curator("accept", vat.removesuffix(".yaml"), "--no-render")
    assert done.exit_code == 0, done.stderr
    (path,) = here.root.glob("memories/*/*.yaml")
    text = path.read_text(encoding="utf-8")
    assert "by: import" in text
    assert "seen: 2" in text
    assert "path: shop/checkout/tax.py" in text


def test_with_accept_memories_are_written_staged_and_checked(here: Repo) -> None:
    result = here.curator("import", sample(here, "agentlore"), "--accept", "--yes")
    assert result.exit_code == 0, result.stderr
    assert "written and staged: 5 memories" in result.stderr
    assert len(list(here.root.glob("memories/*/*.yaml"))) == 5
    assert here.curator("check").exit_code == 0, here.curator("check").output
    assert waiting(here) == []


def test_an_agent_may_propose_but_not_accept_an_import(here: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    source = sample(here, "agentlore")
    monkeypatch.setenv("CLAUDECODE", "1")
    refused = here.curator("import", source, "--accept", "--yes")
    assert refused.exit_code == 2
    assert "a person's decision" in refused.stderr
    assert not list(here.root.glob("memories/*/*.yaml"))
    assert here.curator("import", source, "--yes").exit_code == 0
    assert len(waiting(here)) == 5


@pytest.mark.parametrize("name", ["claude-mem/claude-mem.db", "sqlite/agentrecall.db", "agentlore", "bettermemory"])
def test_the_source_is_never_changed(here: Repo, name: str) -> None:
    source = Path(sample(here, name))
    before = _bytes(source)
    assert here.curator("import", str(source), "--yes").exit_code == 0
    assert _bytes(source) == before


def _bytes(place: Path) -> dict[str, bytes]:
    folder = place if place.is_dir() else place.parent
    return {os.fspath(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
