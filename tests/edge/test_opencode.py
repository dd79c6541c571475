"""OpenCode's database: read while the client writes, never changed, and told apart from what is none."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from curator.core import session
from curator.edge import borrowed, opencode
from tests.sessions import DATABASE, OPENCODE


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "client" / "opencode.db"
    path.parent.mkdir()
    shutil.copyfile(DATABASE, path)
    return path


def lines(path: Path, name: str = OPENCODE) -> list[str]:
    log = opencode.Session(str(path), name)
    found = [session.said(json.loads(line)) for _, line in log.lines(1 << 30, float("inf"))]
    log.close()
    return [said.text for said in found if said and said.by == "user"]


def state(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def say(connection: sqlite3.Connection, number: int, text: str, **message: object) -> None:
    """Add a message as the client does."""
    made = {"role": "user", "time": {"created": number}, **message}
    connection.execute(
        "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (f"msg_z{number}", OPENCODE, number, number, json.dumps(made))
    )
    connection.execute(
        "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
        (f"prt_z{number}", f"msg_z{number}", OPENCODE, number, number, json.dumps({"type": "text", "text": text})),
    )
    connection.commit()


NOW = 1_800_000_000_000


@pytest.fixture
def writer(database: Path) -> Iterator[sqlite3.Connection]:
    """The client, at work: its database has a log of writes."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        say(connection, NOW, "Never push to main.")
        yield connection


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_database_at_rest_is_read_and_nothing_appears_beside_it(database: Path, mode: str) -> None:
    """mode=ro alone would make the files of a log of writes anew, and leave them there."""
    with closing(sqlite3.connect(database)) as client:
        client.execute(f"PRAGMA journal_mode = {mode}")
    before = state(database.parent)
    assert len(lines(database)) == 3
    assert [row.session for row in opencode.sessions(str(database))] == [OPENCODE]
    assert state(database.parent) == before


def test_what_the_client_has_just_written_is_read_while_it_goes_on(database: Path, writer: sqlite3.Connection) -> None:
    assert lines(database)[-1] == "Never push to main."
    before = state(database.parent)
    writer.execute("BEGIN IMMEDIATE")
    assert len(lines(database)) == 4  # in the middle of a change
    writer.execute("UPDATE session SET title = 'x'")
    assert len(lines(database)) == 4
    writer.commit()
    say(writer, NOW + 1, "Always squash.")  # nobody stood in its way
    assert lines(database)[-1] == "Always squash."
    assert state(database.parent)["opencode.db"] == before["opencode.db"]


def test_a_reader_keeps_no_writer_waiting(database: Path, writer: sqlite3.Connection) -> None:
    writer.execute("PRAGMA busy_timeout = 0")
    with opencode._opened(str(database)) as reading:
        assert reading.execute("SELECT count(*) FROM message").fetchone()
        say(writer, NOW + 1, "Always squash.")
        with pytest.raises(sqlite3.OperationalError):
            reading.execute("DELETE FROM message")


def test_what_a_client_has_open_is_read_in_place_and_not_copied(database: Path, writer: sqlite3.Connection) -> None:
    with borrowed.address(str(database), shared=True) as named:
        assert named == f"file:{database}?mode=ro"
    with borrowed.address(str(database)) as named:  # an import reads what is at rest
        assert str(database) not in named


def test_what_a_client_that_died_left_behind_is_read_and_stays_as_it_is(
    database: Path, writer: sqlite3.Connection, tmp_path: Path
) -> None:
    """A log of writes without its shared memory: SQLite would make one, so a copy is read."""
    dead = tmp_path / "dead"
    dead.mkdir()
    for name in ("opencode.db", "opencode.db-wal"):
        shutil.copyfile(database.parent / name, dead / name)
    before = state(dead)
    assert lines(dead / "opencode.db")[-1] == "Never push to main."
    assert state(dead) == before


def test_a_database_that_another_holds_for_itself_is_told_after_a_moment(database: Path) -> None:
    holder = (
        "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA locking_mode = exclusive');"
        "c.execute('PRAGMA journal_mode = wal'); c.execute('PRAGMA wal_autocheckpoint = 0');"
        "c.execute(\"UPDATE session SET title = 'y'\"); c.commit(); c.execute('BEGIN EXCLUSIVE'); print(flush=True);"
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as held:
        assert held.stdout
        held.stdout.readline()
        begun = time.monotonic()
        try:
            found = lines(database)
        except OSError as error:
            assert "locked" in str(error)
        else:
            assert len(found) == 3
        assert time.monotonic() - begun < 5
        held.communicate()


@pytest.mark.parametrize("kind", ["text", "empty", "torn", "foreign", "folder", "none"])
def test_what_is_no_database_of_the_clients_is_an_oserror(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "opencode.db"
    if kind == "folder":
        path.mkdir()
    elif kind == "foreign":
        with closing(sqlite3.connect(path)) as made:
            made.execute("CREATE TABLE message (id)")
    elif kind != "none":
        data = {"text": b"hello", "empty": b"", "torn": DATABASE.read_bytes()[:3000] + b"\xff" * 3000}[kind]
        path.write_bytes(data)
    with pytest.raises(OSError):
        opencode.Session(str(path), OPENCODE)
    with pytest.raises(OSError):
        opencode.sessions(str(path))


def test_a_session_of_a_subagent_has_no_lines(database: Path) -> None:
    with closing(sqlite3.connect(database)) as made, made:
        made.execute("UPDATE session SET parent_id = 'ses_0'")
    assert lines(database) == []
    assert opencode.sessions(str(database)) == []


def test_a_message_that_is_still_being_written_waits_with_all_that_follows(
    database: Path, writer: sqlite3.Connection
) -> None:
    say(writer, NOW + 1, "half an answer", role="assistant")
    say(writer, NOW + 2, "more of it", role="assistant", time={"created": 1, "completed": 2})
    log = opencode.Session(str(database), OPENCODE)
    ended = log.size
    log.close()
    writer.execute("UPDATE message SET data = json_set(data, '$.time.completed', 5) WHERE id = ?", (f"msg_z{NOW + 1}",))
    writer.commit()
    log = opencode.Session(str(database), OPENCODE, ended)
    found = [json.loads(line)["text"] for _, line in log.lines(1 << 30, float("inf"))]
    log.close()
    assert found == ["half an answer", "more of it"]


def test_an_answer_that_broke_off_does_not_hide_what_was_asked_next(database: Path, writer: sqlite3.Connection) -> None:
    say(writer, NOW + 1, "half an answer", role="assistant")
    say(writer, NOW + 2, "Never deploy on Fridays.")
    assert lines(database)[-1] == "Never deploy on Fridays."


@pytest.mark.parametrize(
    "data", ["{", "[]", "7", "", '{"role": []}', '{"role":"user","time":7,"path":[]}', b"\xff\xfe"]
)
def test_rows_of_any_content_are_passed_over(database: Path, writer: sqlite3.Connection, data: str | bytes) -> None:
    writer.execute("UPDATE message SET data = ? WHERE id = ?", (data, f"msg_z{NOW}"))
    writer.execute("UPDATE part SET data = ? WHERE id = 'prt_22d7aa92f0015SJWzzKKMbBC6D'", (data,))
    writer.commit()
    found = lines(database)
    assert "Always close the pool handle before forking a worker." in found
    assert len(found) <= 3


def test_a_message_of_over_a_megabyte_is_not_held(database: Path, writer: sqlite3.Connection) -> None:
    say(writer, NOW + 1, "Never " * (1 << 18))
    assert lines(database)[-1] == "Never push to main."


def test_names_with_signs_of_an_address_are_only_names(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=rwc&x#y%20" / "opencode.db"
    path.parent.mkdir()
    shutil.copyfile(DATABASE, path)
    assert len(lines(path)) == 3
    assert [one.name for one in path.parent.iterdir()] == ["opencode.db"]


RULE = "Never use the legacy client, always use the new client in this repository."


@pytest.fixture
def place(database: Path, tmp_path: Path) -> Path:
    """The folder that the session was in, now one of this test's."""
    folder = tmp_path / "repository" / "app"
    (folder.parent / ".git").mkdir(parents=True)
    folder.mkdir()
    with closing(sqlite3.connect(database)) as client, client:
        client.execute("UPDATE session SET directory = ?", (str(folder),))
    return folder.parent


@pytest.mark.parametrize("path", [".opencode/command/deploy.md", "app/.opencode/commands/a/b.md", "opencode.json"])
def test_the_template_of_a_command_is_no_word_of_the_users(
    database: Path, writer: sqlite3.Connection, place: Path, path: str
) -> None:
    page = f"---\ndescription: deploy\n---\n{RULE}\nDeploy to $1 after $ARGUMENTS, and never on a Friday.\n"
    config = json.dumps({"command": {"deploy": {"template": page}}})
    (place / path).parent.mkdir(parents=True, exist_ok=True)
    (place / path).write_text(config if path.endswith(".json") else page, encoding="utf-8")
    say(writer, NOW + 1, f"{RULE}\nDeploy to staging after the `tests` are green, and never on a Friday.")
    say(writer, NOW + 2, "Never deploy on Fridays.")
    assert RULE not in "".join(lines(database))
    assert lines(database)[-1] == "Never deploy on Fridays."


def test_a_short_template_takes_nothing_from_what_was_typed(
    database: Path, writer: sqlite3.Connection, place: Path
) -> None:
    (place / ".opencode/command").mkdir(parents=True)
    (place / ".opencode/command/never.md").write_text("Never $ARGUMENTS\n", encoding="utf-8")
    assert lines(database)[-1] == "Never push to main."


def test_what_the_plugin_marked_is_no_word_of_the_users(database: Path, writer: sqlite3.Connection) -> None:
    say(writer, NOW + 1, RULE)
    assert lines(database)[-1] == RULE
    writer.execute(
        "UPDATE part SET data = json_set(data, '$.metadata', json('{\"curator\":\"command deploy\"}')) WHERE id = ?",
        (f"prt_z{NOW + 1}",),
    )
    writer.commit()
    assert RULE not in lines(database)
