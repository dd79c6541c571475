"""Finding the logs of a repository's sessions, whichever client keeps them, and opening each by its name."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from curator.edge import logs
from tests import sessions
from tests.conftest import Repo
from tests.transcripts import typed


def log_at(base: Path, slug: str, name: str, cwd: str, when: int) -> Path:
    path = base / "projects" / slug / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"type":"queue-operation"}\n' + typed("Never push to main.", cwd=cwd), encoding="utf-8")
    os.utime(path, (when, when))
    return path


def test_the_logs_of_all_work_trees_of_the_clone_are_found_by_the_folder_they_name(
    base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "config"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    base.git("worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "other").mkdir()
    subprocess.run(["git", "init", "-q", str(tmp_path / "other")], check=True)
    (base.root / "src").mkdir()
    mine = log_at(home, "-a", "s1", str(base.root), 300)
    below = log_at(home, "-a-src", "s2", str(base.root / "src" / "gone"), 200)
    linked = log_at(home, "-b", "s3", str(tmp_path / "linked"), 100)
    log_at(home, "-c", "s4", str(tmp_path / "other"), 400)
    log_at(home, "-d", "s5", "relative", 400)
    (home / "projects" / "-a" / "notes.txt").write_text("x")
    os.mkfifo(home / "projects" / "-a" / "s9.jsonl")
    assert logs.found(base.workspace) == [str(linked), str(below), str(mine)]


def test_without_a_folder_of_logs_there_are_none(base: Repo) -> None:
    assert logs.found(base.workspace) == []


def test_the_logs_of_every_client_are_found_the_last_changed_one_last(base: Repo, tmp_path: Path) -> None:
    database = sessions.opencode(base.root, 200)
    codex, kimi = sessions.codex(base.root, 300), sessions.kimi(base.root, 100)
    name = f"{database}#{sessions.OPENCODE}"
    assert logs.found(base.workspace) == [str(kimi), name, str(codex)]
    assert [logs.session_of(one) for one in (str(kimi), name, str(codex))] == [
        sessions.KIMI,
        sessions.OPENCODE,
        sessions.CODEX,
    ]
    assert logs.changed(name) == "1970-01-01T00:03:20"
    assert all(logs.is_the_clients(one) for one in logs.found(base.workspace))
    assert not logs.is_the_clients(str(tmp_path / "rollout-x.jsonl"))
    assert not logs.is_the_clients(f"{tmp_path}/opencode.db#ses_1")


def test_sessions_of_other_folders_are_not_found(base: Repo, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    subprocess.run(["git", "init", "-q", str(elsewhere)], check=True)
    for put in (sessions.codex, sessions.kimi, sessions.opencode):
        put(elsewhere)
    assert logs.found(base.workspace) == []


@pytest.mark.parametrize("variable", ["CODEX_HOME", "KIMI_CODE_HOME", "XDG_DATA_HOME"])
def test_clients_may_be_told_to_keep_their_logs_elsewhere(
    base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    put = {"CODEX_HOME": sessions.codex, "KIMI_CODE_HOME": sessions.kimi, "XDG_DATA_HOME": sessions.opencode}[variable]
    put(base.root)
    assert len(logs.found(base.workspace)) == 1
    monkeypatch.setenv(variable, str(tmp_path / "moved"))
    assert logs.found(base.workspace) == []


def test_into_a_rollout_that_an_agent_began_nobody_typed(base: Repo) -> None:
    path = sessions.codex(base.root)
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    record = json.loads(first)
    record["payload"]["source"] = {"subagent": {"thread_spawn": {}}}
    path.write_text(json.dumps(record) + "\n" + rest, encoding="utf-8")
    assert logs.found(base.workspace) == []
    log = logs.opened(str(path))
    assert not log.typed
    log.close()
