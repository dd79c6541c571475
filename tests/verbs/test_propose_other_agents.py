"""Proposals from sessions of OpenCode, Codex and Kimi Code, as the real clients wrote them."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from curator.edge import opencode as database_of
from curator.edge import spool, turns
from tests import sessions
from tests.conftest import Repo
from tests.sessions import SAID
from tests.transcripts import inbox, texts

PUT = {"codex": sessions.codex, "kimi-code": sessions.kimi, "opencode": sessions.opencode}
SHORT = {"codex": "01a22d77", "kimi-code": "878da42c", "opencode": "dd28558a"}


@pytest.fixture(params=sorted(PUT))
def agent(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def origins(repo: Repo, name: str) -> list[str]:
    return sorted(found for text in inbox(repo).values() for found in re.findall(rf"^  {name}: (.*)$", text, re.M))


def test_propose_reads_the_session_of_each_client(base: Repo, agent: str) -> None:
    PUT[agent](base.root)
    done = base.curator("propose")
    assert done.exit_code == 0, done.output
    assert texts(base) == SAID
    assert set(origins(base, "agent")) == {agent}
    assert set(origins(base, "session")) == {SHORT[agent]}
    assert origins(base, "by") == ["tool", "user", "user", "user"]


def test_what_a_tool_read_out_before_keeps_the_weaker_label(base: Repo, agent: str) -> None:
    """T2: a sentence out of a file does not become a person's by being repeated."""
    PUT[agent](base.root)
    base.curator("propose")
    [weak] = [text for text in inbox(base).values() if "\n  by: tool\n" in text]
    assert SAID[0] in weak


def test_propose_takes_the_newest_session_whichever_client_keeps_it(base: Repo) -> None:
    for number, put in enumerate(PUT.values()):
        put(base.root, 100 + number)
    base.curator("propose")
    assert set(origins(base, "agent")) == {"opencode"}


def test_all_sessions_are_those_of_all_clients_and_none_says_a_thing_twice(base: Repo) -> None:
    for put in PUT.values():
        put(base.root)
    done = base.curator("propose", "--all-sessions", "--json")
    found = json.loads(done.output)
    assert found["messages"] == 9
    assert len({one["source"]["session"] for one in found["candidates"]}) == 3
    assert texts(base) == SAID
    assert base.curator("propose", "--all-sessions").exit_code == 0
    assert len(inbox(base)) == 4


def test_a_statement_of_another_client_counts_as_said_again(base: Repo) -> None:
    sessions.codex(base.root)
    base.curator("propose")
    sessions.opencode(base.root)
    base.curator("propose")
    assert [("seen: 2" in text) for text in inbox(base).values()] == [True] * 4


def test_a_file_is_read_by_what_it_holds(base: Repo, tmp_path: Path, agent: str) -> None:
    source = {"codex": sessions.ROLLOUT, "kimi-code": sessions.WIRE, "opencode": sessions.DATABASE}[agent]
    copy = tmp_path / "log"
    copy.write_bytes(source.read_bytes())
    done = base.curator("propose", "--transcript", str(copy))
    assert done.exit_code == 0, done.output
    assert texts(base) == SAID
    assert set(origins(base, "agent")) == {agent}


def test_one_session_of_a_database_can_be_named(base: Repo) -> None:
    path = sessions.opencode(base.root)
    done = base.curator("propose", "--transcript", f"{path}#{sessions.OPENCODE}")
    assert done.exit_code == 0, done.output
    assert texts(base) == SAID


def test_a_database_without_a_session_of_this_repository_is_told(base: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    done = base.curator("propose", "--transcript", str(sessions.opencode(other)))
    assert done.exit_code == 2
    assert "holds no session of this repository" in done.output


@pytest.mark.parametrize("kind", ["foreign", "torn"])
def test_a_database_that_cannot_be_read_is_told(base: Repo, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE notes (id)")
    if kind == "torn":
        path.write_bytes(path.read_bytes()[:700])
    done = base.curator("propose", "--transcript", str(path))
    assert done.exit_code == 2
    assert "cannot be read" in done.output


def test_a_database_that_cannot_be_read_hides_no_other_session(base: Repo) -> None:
    path = sessions.opencode(base.root)
    path.write_bytes(path.read_bytes()[:5000])
    sessions.codex(base.root)
    assert base.curator("propose", "--all-sessions").exit_code == 0
    assert texts(base) == SAID


def test_what_was_said_while_codex_was_elsewhere_is_passed_over(base: Repo, tmp_path: Path) -> None:
    """A turn names its folder, not each message."""
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    path = sessions.codex(base.root)
    lines = path.read_text(encoding="utf-8").split("\n")
    turns = [number for number, line in enumerate(lines) if '"turn_context"' in line]
    assert len(turns) == 3
    lines[turns[1]] = lines[turns[1]].replace(str(base.root), str(other))
    path.write_text("\n".join(lines), encoding="utf-8")
    base.curator("propose")
    assert texts(base) == [SAID[1], *SAID[2:]]


def test_a_session_that_another_agent_began_proposes_nothing(base: Repo) -> None:
    path = sessions.codex(base.root)
    text = path.read_text(encoding="utf-8")
    assert '"thread_source":"user"' in text
    path.write_text(text.replace('"thread_source":"user"', '"thread_source":"subagent"'), encoding="utf-8")
    done = base.curator("propose", "--transcript", str(path))
    assert done.exit_code == 0, done.output
    assert inbox(base) == {}


def test_curators_own_words_are_not_proposed_when_an_agent_brings_them_back(base: Repo, agent: str) -> None:
    """What a session was shown is nobody's new statement."""
    PUT[agent](base.root)
    name = {"codex": sessions.CODEX, "kimi-code": sessions.KIMI, "opencode": sessions.OPENCODE}[agent]
    state = spool.load(base.workspace, name)
    spool.show(state, SAID)
    spool.save(base.workspace, name, state)
    base.curator("propose")
    assert inbox(base) == {}


def swept(base: Repo, session: str, log: str, *, due: bool) -> None:
    state = spool.load(base.workspace, session)
    state.log, state.root, state.due = log, str(base.root), due
    spool.save(base.workspace, session, state)
    done = base.curator("sweep")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("put", [sessions.codex, sessions.kimi])
def test_a_sweep_reads_what_a_hook_left_over(base: Repo, put: Callable[[Path], Path]) -> None:
    swept(base, "left", str(put(base.root)), due=False)
    assert texts(base) == SAID
    assert set(origins(base, "trigger")) == {"sweep"}


def test_a_sweep_reads_a_database_that_a_hook_left_to_a_child(base: Repo) -> None:
    log = f"{sessions.opencode(base.root)}#{sessions.OPENCODE}"
    swept(base, sessions.OPENCODE, log, due=True)
    assert texts(base) == SAID
    assert not spool.load(base.workspace, sessions.OPENCODE).due


def test_a_sweep_opens_no_database_that_nobody_left_over(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    log = f"{sessions.opencode(base.root)}#{sessions.OPENCODE}"
    monkeypatch.setattr(database_of, "Session", never)
    swept(base, sessions.OPENCODE, log, due=False)
    assert inbox(base) == {}


def test_a_second_reading_of_a_database_goes_on_where_the_first_ended(base: Repo) -> None:
    path = sessions.opencode(base.root)
    log = f"{path}#{sessions.OPENCODE}"
    swept(base, sessions.OPENCODE, log, due=True)
    first = spool.load(base.workspace, sessions.OPENCODE).offset
    with closing(sqlite3.connect(path)) as made, made:
        made.execute(
            "INSERT INTO message VALUES ('msg_zz', ?, 1800000000000, 1800000000000, ?)",
            (sessions.OPENCODE, json.dumps({"role": "user", "time": {"created": 1_800_000_000_000}})),
        )
        made.execute(
            "INSERT INTO part VALUES ('prt_zz', 'msg_zz', ?, 1800000000000, 1800000000000, ?)",
            (sessions.OPENCODE, json.dumps({"type": "text", "text": "Remember that staging is read-only."})),
        )
    swept(base, sessions.OPENCODE, log, due=True)
    state = spool.load(base.workspace, sessions.OPENCODE)
    assert 0 < first < state.offset == state.size
    assert "Staging is read-only." in texts(base) or "staging is read-only." in texts(base)


@pytest.mark.parametrize("how", ["foreign", "gone"])
def test_a_database_that_cannot_be_read_is_told_in_the_log_and_ends_no_sweep(base: Repo, how: str) -> None:
    path = sessions.opencode(base.root)
    path.unlink() if how == "gone" else path.write_text("nothing of the kind")
    swept(base, sessions.OPENCODE, f"{path}#{sessions.OPENCODE}", due=True)
    assert inbox(base) == {}
    told = base.read(".git/curator/hook.log")
    assert told.count("\n") == 1
    assert f"{path}#{sessions.OPENCODE}: cannot be read: no database of OpenCode's" in told


@pytest.mark.parametrize(
    ("put", "name", "calls", "writes"),
    [
        (sessions.codex, sessions.CODEX, 1, 1),  # a shell may have written
        (sessions.kimi, sessions.KIMI, 1, 0),
    ],
)
def test_the_gate_counts_what_an_agent_called(
    base: Repo, put: Callable[[Path], Path], name: str, calls: int, writes: int
) -> None:
    base.write("memories/curator.yaml", "capture:\n  gate: block\n")
    base.commit()
    swept(base, name, str(put(base.root)), due=False)
    state = spool.load(base.workspace, name)
    assert (state.gate.get("calls", 0), state.gate.get("writes", 0)) == (calls, writes)


def test_the_turns_around_a_proposal_are_found_again(base: Repo, agent: str) -> None:
    PUT[agent](base.root)
    found = turns.around(base.workspace, SHORT[agent], SAID[2])
    assert [(one.by, one.text[:20]) for one in found] == [
        ("user", "Never commit directl"),
        ("agent", "I read app.py. We al"),
    ]


def test_what_codex_proposes_in_its_shell_is_of_its_session(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_THREAD_ID", sessions.CODEX)
    assert base.curator("add", "--propose", "Use make for everything.").exit_code == 0
    assert (origins(base, "agent"), origins(base, "session")) == (["codex"], ["01a22d77"])
    assert base.curator("recall", "pytest").exit_code == 0
    assert spool.load(base.workspace, sessions.CODEX).shown
