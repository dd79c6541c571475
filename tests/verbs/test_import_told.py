"""What of a store an import reads, what it leaves, and that it says so in a few lines."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Repo
from tests.importing import plan, reasons, sample, shop, table, texts, waiting

FACT = "The worker must be restarted after a deploy."
NOTE = f"---\nname: b\ntype: gotcha\n---\n\n{FACT}\n"


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    made = shop(repo)
    monkeypatch.chdir(made.root)
    return made


def beside(repo: Repo, name: str, data: bytes | str) -> str:
    path = repo.root.parent / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def refused(repo: Repo, *arguments: str) -> str:
    result = repo.curator("import", *arguments, "--yes")
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.stderr
    assert waiting(repo) == []
    return result.stderr


# --- Values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [{"tags": ["a\ud800"]}, {"triggers": ["\udfff"]}, {"task": "a\ud800"}, {"title": "One two \ud800"}],
)
def test_half_a_character_anywhere_leaves_that_statement_alone(here: Repo, broken: dict[str, object]) -> None:
    store = json.dumps([{"text": "Amounts are integers here.", **broken}, {"text": FACT}])
    found = plan(here, beside(here, "x.json", store))
    assert list(texts(found)) == [FACT]
    assert reasons(found) == {"x.json#1": "it holds bytes that are no UTF-8"}


def test_tags_of_a_database_that_are_no_utf8_are_no_fault(here: Repo) -> None:
    path = table(here.root.parent / "m.db", "tags, content TEXT", [(b"\xff,a", FACT), ("a", "Amounts are integers.")])
    found = plan(here, str(path))
    assert "Amounts are integers." in texts(found)
    assert found["left"] or FACT in texts(found)


def test_an_export_says_the_same_in_another_repository(here: Repo) -> None:
    entries = [
        {"id": "a", "category": "convention", "text": "Use pnpm.", "importance": 1, "review_by": "2099-05-30"},
        {"id": "b", "category": "todo", "text": "Status: done; next steps follow.", "importance": 2, "tags": ["x"]},
        {"id": "c", "category": "route", "text": "Tax.", "importance": 3, "sources": [{"path": "deploy/Procfile"}]},
        {"id": "f", "category": "gotcha", "text": "VAT: shop/checkout/tax.py is it.", "importance": 3},
        {"id": "d", "category": "gotcha", "text": "The gate is closed today.", "importance": 4, "expires": today()},
        {"id": "e", "category": "gotcha", "text": "The web is slow.", "importance": 5, "scope": "src/web/"},
    ]
    store = beside(here, "x.json", json.dumps({"schema": 1, "entries": entries}))
    found = plan(here, store)
    assert found["left"] == []
    told = texts(found)
    assert "sources" not in told["VAT: shop/checkout/tax.py is it."]
    for one in entries:
        entry = told[str(one["text"])]
        for key in ("category", "importance", "review_by", "expires", "tags", "sources"):
            assert entry.get(key) == one.get(key), (one["text"], key)
    assert found["notes"] == [
        "'src/web/': the scope of 1 is several folders, or one that is not here: they would hold everywhere"
    ]
    assert here.curator("import", store, "--accept", "--yes", "--no-render").exit_code == 0
    again = json.loads(here.curator("export", "--json").stdout)["entries"]
    assert {one["text"]: one.get("sources") for one in again} == {one["text"]: one.get("sources") for one in entries}


def test_a_route_that_leads_to_no_file_here_is_no_route(here: Repo) -> None:
    value = {"category": "route", "text": "Where the tax is.", "importance": 3, "sources": [{"path": "gone.py"}]}
    store = beside(here, "x.json", json.dumps({"schema": 1, "entries": [value]}))
    (entry,) = plan(here, store)["entries"]
    assert entry["category"] == "convention"
    assert reasons(plan(here, store, "--category", "route")) == {"x.json#1": "a route needs a source"}


def today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def test_the_page_that_is_exported_comes_back_as_the_same_statements(here: Repo) -> None:
    here.memory("a", "VAT is rounded per line.", "gotcha", more="tags:\n- vat\nwhy: |\n  Tax law.\n")
    here.memory("b", "Amounts are integers in minor units.", "constraint")
    here.add()
    page = here.curator("export", "--markdown").stdout
    here.git("rm", "-qrf", "memories")
    for name in ("page.md", "CLAUDE.md"):
        here.write(name, page)
        told = texts(plan(here, name))
        assert {text: entry["category"] for text, entry in told.items()} == {
            "VAT is rounded per line.": "gotcha",
            "Amounts are integers in minor units.": "constraint",
        }
        assert told["VAT is rounded per line."]["why"].strip() == "Tax law."
        assert told["VAT is rounded per line."]["tags"] == ["vat"]


# --- The plan -----------------------------------------------------------------------------------------------------


def test_many_words_for_categories_and_long_ones_are_a_few_lines(here: Repo) -> None:
    store = [{"text": f"Always run the test {number}.", "category": f"kind{number}"} for number in range(400)]
    store += [{"text": f"Always run the job {number}.", "category": "k" * 100_000} for number in range(2)]
    result = here.curator("import", beside(here, "x.json", json.dumps(store)))
    assert result.exit_code == 0
    assert "396 more categories are none here" in result.stdout
    assert "guessed for 2" in result.stdout
    assert len(result.stdout) < 3000


def test_reasons_that_differ_in_a_figure_are_one(here: Repo) -> None:
    store = [{"text": f"Always run it {chr(0xE0000 + number)} now.", "category": "gotcha"} for number in range(33, 99)]
    result = here.curator("import", beside(here, "x.json", json.dumps(store)))
    assert result.stdout.count("\n") < 15, result.stdout
    assert all(line == line.rstrip() for line in result.stdout.split("\n"))


def test_what_of_a_folder_is_not_looked_at_is_counted(here: Repo) -> None:
    folder = Path(beside(here, "notes/b.md", NOTE)).parent
    beside(here, "notes/data.json", "[]")
    beside(here, "notes/sub/a.txt", "x")
    beside(here, "notes/.hidden/h.md", NOTE)
    (folder / "out").symlink_to(here.root)
    deep = folder.joinpath(*["d"] * 40)
    deep.mkdir(parents=True)
    found = plan(here, str(folder))
    assert found["notes"] == [
        "not read: 1 hidden folder (.hidden)",
        "not read: 1 linked folder (out)",
        "not read: 2 other files (data.json, sub/a.txt)",
        f"not read: 1 deeply nested folder ({'d/' * 18}d...)",
    ]
    assert "not read: 1 hidden folder" in here.curator("import", str(folder)).stdout


def test_of_two_databases_in_a_folder_one_is_to_be_named(here: Repo) -> None:
    sample(here, "sqlite/agentmemdb.db")
    folder = Path(sample(here, "sqlite/agentrecall.db")).parent
    assert "name one of them: agentmemdb.db, agentrecall.db" in refused(here, str(folder))


@pytest.mark.parametrize("text", ["5", "null", '"text of a file"', "[]", '{"schema": 1, "entries": []}'])
def test_json_without_a_statement_is_an_error(here: Repo, text: str) -> None:
    assert "nothing that can be imported was found" in refused(here, beside(here, "x.json", text))


# --- Links --------------------------------------------------------------------------------------------------------


def test_no_link_leads_out_of_what_was_named(here: Repo) -> None:
    private = Path(beside(here, "private/notes.md", "- Never tell the code of the door.\n")).parent
    beside(here, "private/x.json", '[{"text": "Never tell the code of the door."}]')
    store = here.root.parent / "store"
    store.mkdir()
    (store / ".memory").symlink_to(private)
    assert "a folder with no file" in refused(here, str(store))
    (store / "x.json").symlink_to(private / "x.json")
    assert "a folder with x.json" in refused(here, str(store))
    (here.root / "docs").symlink_to(private)
    for name in ("docs", "docs/x.json", "docs/notes.md"):
        message = refused(here, name)
        assert "leads out" in message or "outside" in message, message
    assert len(plan(here, str(private / "x.json"))["entries"]) == 1


def test_a_repository_does_not_say_where_claude_code_keeps_its_memory(here: Repo) -> None:
    private = Path(beside(here, "private/MEMORY.md", "- Never tell the code of the door.\n")).parent
    here.write(".claude/settings.json", json.dumps({"autoMemoryDirectory": str(private)}))
    message = refused(here, "claude-memory")
    assert "settings in .claude of this repository" in message
    assert f"curator import {private}" in message


# --- Formats ------------------------------------------------------------------------------------------------------


def test_an_agentlore_file_without_an_entry_and_a_page_beside_it_are_read(here: Repo) -> None:
    folder = Path(sample(here, "agentlore")) / ".memory"
    before = len(plan(here, str(folder))["entries"])
    dead = folder / "dead-ends.md"
    dead.write_text("# Dead ends\n\n<!-- agentlore: one entry per '## ' heading -->\n", encoding="utf-8")
    (folder / "README.md").write_text("# Notes\n\n- Never import from `legacy/`.\n", encoding="utf-8")
    found = plan(here, str(folder))
    assert len(found["entries"]) == before
    assert "Never import from `legacy/`." in texts(found)


def test_of_a_diary_what_lasts_is_read_and_one_that_is_named_is_read_whole(here: Repo) -> None:
    text = (
        "# Active context\n\n## Current work\n\n- We are building the cart page.\n\n"
        "## Decisions\n\n- Amounts are kept in cents, since floats lose money.\n"
    )
    path = beside(here, "bank/activeContext.md", text)
    beside(here, "bank/progress.md", "# Progress\n\n- Login works now.\n")
    found = plan(here, str(Path(path).parent))
    assert list(texts(found)) == ["Amounts are kept in cents, since floats lose money."]
    assert set(reasons(found).values()) == {"it tells what was done, not what to do"}
    assert len(plan(here, path, "--from", "markdown")["entries"]) == 2


def test_a_record_without_a_heading_for_its_date_keeps_date_and_status(here: Repo) -> None:
    head = "# Use Redis for the cache\n\n* Status: {}\n* Date: 2024-03-01\n\n"
    body = "## Context\n\nSQLite locks.\n\n## Decision\n\nWe cache in Redis.\n"
    beside(here, "adr/1.md", head.format("accepted") + body)
    beside(here, "adr/2.md", head.format("superseded by 1") + body.replace("Redis", "files"))
    found = plan(here, str(here.root.parent / "adr"))
    (entry,) = found["entries"]
    assert entry["origin"]["created"] == "2024-03-01T00:00:00Z"
    assert reasons(found) == {"2.md": "its store says that it is superseded"}


def test_a_title_goes_where_the_text_fits_without_it_alone(here: Repo) -> None:
    text = "The worker waits. " * 66
    store = [{"title": "How the worker and the queue behave", "text": text, "category": "gotcha"}]
    (entry,) = plan(here, beside(here, "x.json", json.dumps(store)))["entries"]
    assert entry["text"].startswith("The worker waits.")


def test_claude_mems_subtitles_and_lessons_are_seen(here: Repo) -> None:
    path = Path(sample(here, "claude-mem/claude-mem.db"))
    found = plan(here, str(path))
    assert any("Spanish tax authority requires rounding per line" in entry.get("why", "") for entry in found["entries"])
    (summary,) = [one for one in found["left"] if one["where"].startswith("session_summaries #1")]
    assert "rounding per line" in summary["text"]


def test_a_store_may_call_the_repository_as_its_remote_does(here: Repo) -> None:
    store = beside(here, "x.json", json.dumps([{"text": FACT, "project": "/home/ada/storefront"}]))
    assert plan(here, store)["entries"] == []
    here.git("remote", "add", "origin", "git@example.com:acme/storefront.git")
    assert list(texts(plan(here, store))) == [FACT]


def test_the_sentence_that_names_the_project_stays_in_its_page(here: Repo) -> None:
    page = "# Shop\n\nA small web shop in Flask.\n\n- Never use floats for money.\n"
    here.write("CLAUDE.md", page)
    here.commit()
    assert here.curator("import", "CLAUDE.md", "--yes", "--remove", "--no-render").exit_code == 0
    left = here.read("CLAUDE.md")
    assert "A small web shop in Flask." in left
    assert "floats" not in left


# --- Databases ----------------------------------------------------------------------------------------------------


def test_a_database_that_ends_within_a_page_is_damaged(here: Repo) -> None:
    path = table(here.root.parent / "m.db", "category TEXT, content TEXT", [("gotcha", FACT)] * 5)
    path.write_bytes(path.read_bytes()[:-100])
    assert "ends in the middle of a page" in refused(here, str(path))


def test_a_generated_column_is_read_and_a_table_of_full_text_search_is_named(here: Repo) -> None:
    path = here.root.parent / "m.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE memories (category TEXT, a TEXT, content TEXT AS (a || ' always.'))")
    db.execute("INSERT INTO memories VALUES ('gotcha', 'Restart the worker')")
    db.commit()
    db.close()
    assert list(texts(plan(here, str(path)))) == ["Restart the worker always."]
    other = here.root.parent / "f.db"
    db = sqlite3.connect(other)
    db.execute("CREATE VIRTUAL TABLE memories USING fts5(category, content)")
    db.commit()
    db.close()
    assert "tables of full text search are not read: memories" in refused(here, str(other))


def test_a_table_of_too_many_rows_is_refused_before_any_is_read(here: Repo) -> None:
    path = here.root.parent / "m.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE memories (category TEXT, content TEXT)")
    db.execute(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200001)"
        " INSERT INTO memories SELECT 'gotcha', 'Rule ' || x FROM n"
    )
    db.commit()
    db.close()
    begun = time.perf_counter()
    message = refused(here, str(path))
    assert "over 200,000 rows" in message
    assert "DELETE FROM" in message
    assert time.perf_counter() - begun < 5


def test_a_file_that_is_no_text_gets_a_hint_that_helps(here: Repo) -> None:
    message = refused(here, beside(here, "e.db", b"\x01\x00" * 4096))
    assert "iconv" not in message
    assert "encrypted" in message
    path = table(here.root.parent / "m.db", "category TEXT, content TEXT", [("gotcha", FACT)])
    assert "is a SQLite database" in refused(here, str(path), "--from", "json")


# --- Time and accidents -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "- [fact] Always x y z\n" + "- [[a b\n" * 25_000,
        "- [fact] Always x y z\n" * 10_000,
        "## a title\n" + "<!-- agentlore\n" * 60_000,
        "<!-- agentlore -->\n" + "## a\n" * 40_000,
        '---\na: ["x' + '\\"' * 100_000 + "\n---\n- Always do this.\n",
        "# Agent memory\n\n## X\n- a\n  - Files: " + "` (" * 100_000 + "\n",
    ],
    ids=["links", "observations", "comments", "headings", "quotes", "page"],
)
def test_a_hostile_page_is_read_in_time(here: Repo, text: str) -> None:
    from curator.core.imports import formats
    from curator.core.imports.item import Document

    document = Document("x.md", text)
    begun = time.process_time()
    formats.READERS[formats.of_text(document, inside=False)](document)
    assert time.process_time() - begun < 10


def test_what_a_killed_import_left_is_taken_away_by_the_next_one(here: Repo) -> None:
    """The temporaries of a process that is gone are nobody's, however young they are."""
    store = beside(here, "x.json", json.dumps([{"text": f"The job {number} is slow."} for number in range(3)]))
    assert here.curator("import", store, "--accept", "--yes", "--no-render", "--category", "gotcha").exit_code == 0
    here.git("reset", "-q")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = here.root / f"memories/gotcha/.curator-x.yaml.{gone.pid}.1.{time.time_ns()}"
    live = here.root / f"memories/gotcha/.curator-x.yaml.{os.getpid()}.1.{time.time_ns()}"
    from curator.edge import exchange

    left = left.with_name(left.name.replace(".curator-", exchange.OURS))
    live = live.with_name(live.name.replace(".curator-", exchange.OURS))
    left.write_text("x", encoding="utf-8")
    live.write_text("x", encoding="utf-8")
    assert here.curator("import", store, "--accept", "--yes", "--no-render", "--category", "gotcha").exit_code == 0
    assert not left.exists()
    assert live.exists()


def test_an_agent_at_a_terminal_writes_no_rules_into_the_tree(here: Repo) -> None:
    import pty

    here.write("RULES.md", "# Rules\n\n- Never use floats for money.\n")
    here.commit()
    leader, follower = pty.openpty()
    command = [str(Path(sys.executable).with_name("curator")), "import", "RULES.md"]
    environment = {**os.environ, "CLAUDECODE": "1"}
    child = subprocess.Popen(command, cwd=here.root, stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.write(leader, b"y\n")
    try:
        assert child.wait(30) != 0
    finally:
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
        os.close(follower)
        os.close(leader)
    assert not list((here.root / "memories").glob("*/*.yaml"))
