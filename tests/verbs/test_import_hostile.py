"""Stores that are broken, foreign, locked, in other encodings, huge, or meant to do harm."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from curator.edge import borrowed
from tests.conftest import Repo
from tests.importing import plan, reasons, sample, table, texts, waiting

FACT = "The worker must be restarted after a deploy."


def refused(repo: Repo, *arguments: str) -> str:
    """The message of an import that cannot be; nothing was written."""
    result = repo.curator("import", *arguments, "--yes")
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.stderr
    assert waiting(repo) == []
    assert repo.git("status", "--porcelain", "memories") == ""
    return result.stderr


def beside(repo: Repo, name: str, data: bytes | str) -> str:
    path = repo.root.parent / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def test_what_is_not_there_says_what_can_be_named(base: Repo) -> None:
    message = refused(base, "nowhere")
    assert "no such file or folder" in message
    assert "claude-memory" in message


def test_a_format_that_is_none_names_those_there_are(base: Repo) -> None:
    assert "claude-mem, markdown, agentlore, sqlite, json" in refused(base, "CLAUDE.md", "--from", "zebra")


def test_what_cannot_be_told_says_what_was_seen(base: Repo) -> None:
    other = table(base.root.parent / "other.db", "x INTEGER, y INTEGER", [(1, 2)], name="points")
    assert "a database with points" in refused(base, str(other))
    folder = Path(beside(base, "pictures/a.png", b"\x89PNG\0")).parent
    assert "a folder with a.png, and no Markdown" in refused(base, str(folder))
    assert "neither Markdown nor JSON" in refused(base, beside(base, "notes.cfg", "a=1\nb=2\n"))


def test_a_damaged_database_is_named_and_nothing_imported(base: Repo) -> None:
    rows = [("gotcha", f"{FACT} {number}") for number in range(500)]
    path = table(base.root.parent / "m.db", "category TEXT, content TEXT", rows)
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 6000] = os.urandom(6000)
    path.write_bytes(bytes(data))
    assert "cannot be read as a SQLite database" in refused(base, str(path))
    path.write_bytes(bytes(data[:5000]))
    assert "cannot be read as a SQLite database" in refused(base, str(path))
    encrypted = beside(base, "e.db", os.urandom(8192))
    assert "cannot be read as a SQLite database" in refused(base, encrypted, "--from", "sqlite")


def test_a_database_at_rest_is_opened_without_a_lock_and_for_reading_only(base: Repo) -> None:
    path = table(base.root.parent / "held.db", "category TEXT, content TEXT", [("gotcha", FACT)])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")  # a lock, and no journal yet
    try:
        assert list(texts(plan(base, str(path)))) == [FACT]
    finally:
        other.close()
    with borrowed.opened(str(path), "held.db") as db, pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM memories")


def test_a_database_that_another_program_has_locked_is_read_as_it_was_committed(base: Repo) -> None:
    path = table(base.root.parent / "m.db", "category TEXT, content TEXT", [("gotcha", FACT)])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    other.execute("INSERT INTO memories VALUES ('gotcha', 'This was never committed by anybody.')")
    try:
        assert list(texts(plan(base, str(path)))) == [FACT]
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_what_stands_in_the_write_ahead_log_alone_is_read_too(base: Repo) -> None:
    path = base.root.parent / "m.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("PRAGMA wal_autocheckpoint = 0")
    other.execute("CREATE TABLE memories (category TEXT, content TEXT)")
    other.execute("INSERT INTO memories VALUES ('gotcha', ?)", (FACT,))
    before = {one.name: one.read_bytes() for one in path.parent.glob("m.db*")}
    try:
        assert list(texts(plan(base, str(path)))) == [FACT]
        assert {one.name: one.read_bytes() for one in path.parent.glob("m.db*")} == before
    finally:
        other.close()


def test_a_hostile_schema_runs_nothing_and_odd_names_are_read(base: Repo) -> None:
    path = base.root.parent / "m.db"
    db = sqlite3.connect(path)
    db.execute('CREATE TABLE "memories; DROP TABLE x" ("content" TEXT, "cat""egory" TEXT, category TEXT)')
    db.execute('INSERT INTO "memories; DROP TABLE x" VALUES (?, ?, ?)', (FACT, "x", "gotcha"))
    db.execute(
        "CREATE VIEW memories AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    )
    db.commit()
    db.close()
    assert list(texts(plan(base, str(path)))) == [FACT]


def test_values_of_the_wrong_type_are_no_reason_to_stop(base: Repo) -> None:
    path = base.root.parent / "m.db"
    rows = [
        (FACT, b"gotcha", "many", "soon"),
        (None, 3, None, None),
        (7, "x", -3, "2026-13-45"),
        (b"\xff\xfe", "x", 1, 9e99),
    ]
    table(path, "content, category, access_count, created_at", rows)
    found = plan(base, str(path))
    assert list(texts(found)) == [FACT]
    assert set(reasons(found).values()) == {"it holds no text", "it holds bytes that are no UTF-8"}


def test_half_written_markdown_is_named(base: Repo) -> None:
    folder = Path(beside(base, "notes/a.md", "---\nname: a\ndescription: x\n\nNo end.\n")).parent
    beside(base, "notes/b.md", "---\nname: b\ntype: gotcha\n---\n\n" + FACT)
    beside(base, "notes/c.md", "---\nname: c\n---\n")
    found = plan(base, str(folder))
    assert list(texts(found)) == [FACT]
    assert reasons(found) == {"a.md": "its front matter has no end: half written", "c.md": "there is nothing in it"}


def test_other_encodings_are_read_where_they_say_so_and_else_named(base: Repo) -> None:
    note = f"---\nname: b\ntype: gotcha\n---\n\n{FACT}\n"
    folder = Path(beside(base, "notes/utf16.md", note.encode("utf-16"))).parent
    beside(base, "notes/latin.md", "---\nname: l\n---\n\nDer Müll wird täglich geleert.\n".encode("latin-1"))
    beside(base, "notes/binary.md", b"\x00\x01\x02")
    found = plan(base, str(folder))
    assert list(texts(found)) == [FACT]
    assert reasons(found)["latin.md"] == "is no UTF-8: byte 0xfc in line 5"
    assert reasons(found)["binary.md"].startswith("is binary")
    assert "iconv -f latin1" in refused(base, beside(base, "l.json", '["Müll"]'.encode("latin-1")))


def test_links_out_of_the_folder_are_not_followed(base: Repo) -> None:
    secret = beside(base, "secret.md", "---\nname: s\n---\n\nThe door code is on the wall.\n")
    folder = Path(beside(base, "notes/b.md", f"---\nname: b\ntype: gotcha\n---\n\n{FACT}\n")).parent
    (folder / "out.md").symlink_to(secret)
    (folder / "gone.md").symlink_to(folder / "nothing.md")
    (folder / "loop").symlink_to(folder)
    found = plan(base, str(folder))
    assert list(texts(found)) == [FACT]
    assert reasons(found)["out.md"] == "a link that leads out of the folder"
    assert reasons(found)["gone.md"].startswith("cannot be read")


def test_huge_files_deep_folders_and_pipes_end_at_once(base: Repo) -> None:
    folder = Path(beside(base, "notes/b.md", f"---\nname: b\ntype: gotcha\n---\n\n{FACT}\n")).parent
    with (folder / "huge.md").open("wb") as file:
        file.truncate(100 << 20)
    os.mkfifo(folder / "pipe.md")
    deep = folder.joinpath(*["d"] * 60)
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("Too deep to be found.")
    found = plan(base, str(folder))
    assert list(texts(found)) == [FACT]
    assert reasons(found) == {"huge.md": "over 1 MB: no note is that long", "pipe.md": "no regular file"}
    with (folder.parent / "big.json").open("wb") as file:
        file.truncate(100 << 20)
    assert "is 100 MB" in refused(base, str(folder.parent / "big.json"))
    assert "no regular file" in refused(base, str(folder / "pipe.md"))


def test_text_that_is_too_long_secret_or_hidden_is_named_and_never_cut(base: Repo) -> None:
    secret = "The token is ghp_" + "a1B2" * 9 + " and must not be rotated."
    rows = [
        ("gotcha", "x" * 1300),
        ("gotcha", secret),
        ("gotcha", f"{FACT}\u202e\u200b"),
        ("gotcha", "<!-- hidden --> Do this."),
    ]
    found = plan(base, str(table(base.root.parent / "m.db", "category TEXT, content TEXT", rows)))
    assert found["entries"] == []
    told = reasons(found)
    assert told["memories row 1"] == "longer than 1,200 characters"
    assert "secret" in told["memories row 2"]
    assert len(set(told.values())) == 4
    assert "ghp_" not in json.dumps(found)
    shown = base.curator("import", str(base.root.parent / "m.db"))
    assert "ghp_" not in shown.output
    assert "\u202e" not in shown.output


def test_a_text_of_ten_megabytes_is_named_at_once_and_not_repeated(base: Repo) -> None:
    documents = [{"text": "word " * 2_000_000, "category": "gotcha"}, {"text": FACT, "why": "long " * 500_000}]
    found = plan(base, beside(base, "x.json", json.dumps(documents)))
    assert list(texts(found)) == [FACT]
    assert reasons(found) == {"x.json#1": "longer than 1,200 characters"}
    assert len(found["left"][0]["text"]) == 2000
    assert found["notes"] == ["the reasons of 1 are longer than 2,000 characters and stay behind"]


def test_nothing_in_a_store_chooses_a_path_or_a_speaker(base: Repo) -> None:
    documents = [
        {
            "text": FACT,
            "id": "../../../etc/cron",
            "category": "../../x",
            "origin": {"by": "user", "confidence": 1, "key": "../../x", "session": "../../etc"},
            "scope": "../../",
            "sources": [{"path": "../../../etc/passwd"}, {"path": "/etc/passwd"}, {"path": ".git/config"}],
            "confirmed": "2026-01-01",
            "retired": None,
        }
    ]
    (entry,) = plan(base, beside(base, "x.json", json.dumps(documents)))["entries"]
    assert entry["origin"]["by"] == "import"
    assert entry.get("sources", []) == []
    assert entry.get("confirmed", "") == ""
    assert entry.get("scope", "") == ""
    assert "/" not in entry["id"]


@pytest.mark.parametrize("text", ["[" * 100_000, "{" * 50_000, '{"a": 1', "[1, 2, 3]", "null", '"x"', "nan"])
def test_odd_json_is_an_error_or_nothing(base: Repo, text: str) -> None:
    result = base.curator("import", beside(base, "x.json", text), "--yes")
    assert result.exit_code in {0, 2}
    assert "Traceback" not in result.output + result.stderr
    assert waiting(base) == []


def test_the_stores_own_folder_cannot_be_imported(base: Repo) -> None:
    base.write("memories/curator.yaml", "")
    base.commit()
    assert "holds the memories of this repository" in refused(base, "memories")


def test_a_folder_that_nobody_may_write_is_read(base: Repo) -> None:
    path = Path(sample(base, "sqlite/agentrecall.db"))
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        assert len(plan(base, str(path), "--project", "shop")["entries"]) == 3
    finally:
        path.parent.chmod(0o755)


def test_without_a_terminal_nothing_is_drawn(base: Repo) -> None:
    source = sample(base, "sqlite/agentrecall.db")
    command = [str(Path(sys.executable).with_name("curator")), "import", source, "--yes"]
    done = subprocess.run(command, cwd=base.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert "judging" not in done.stderr + done.stdout
    assert "\r" not in done.stderr


def test_a_terminal_shows_a_bar_on_standard_error_alone(base: Repo) -> None:
    import pty

    rows = [("gotcha", f"The job {number} must be restarted by hand.") for number in range(50)]
    source = table(base.root.parent / "m.db", "category TEXT, content TEXT", rows)
    leader, follower = pty.openpty()
    command = [str(Path(sys.executable).with_name("curator")), "import", str(source), "--yes"]
    environment = {**os.environ, "TERM": "xterm"}
    done = subprocess.run(command, cwd=base.root, stdout=subprocess.PIPE, stderr=follower, env=environment, check=True)
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "judging" in shown
    assert "writing" in shown
    assert "100%" in shown
    assert b"judging" not in done.stdout


def test_a_format_that_does_not_fit_is_refused(base: Repo) -> None:
    source = table(base.root.parent / "m.db", "category TEXT, content TEXT", [("gotcha", FACT)])
    assert "without the tables of claude-mem" in refused(base, str(source), "--from", "claude-mem")
    assert "neither JSON nor JSON Lines" in refused(base, beside(base, "x.md", "# Title\n"), "--from", "json")
