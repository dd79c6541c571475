"""`curator sweep`, which hooks leave to a child: the index, what sessions left, what is old."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from curator.edge import current, spool
from curator.verbs import sweep
from tests.conftest import Repo
from tests.transcripts import inbox, texts, typed


def left(repo: Repo, session: str, log: Path, *lines: str) -> None:
    """A session whose log was noted and not read."""
    log.write_text("".join(lines), encoding="utf-8")
    state = spool.load(repo.workspace, session)
    state.log, state.root = str(log), str(repo.root)
    spool.save(repo.workspace, session, state)


def test_it_makes_the_index_valid_with_its_weights_and_keeps_what_a_check_found(base: Repo) -> None:
    assert current.look(base.workspace) is None
    assert base.curator("sweep").exit_code == 0
    view = current.look(base.workspace)
    assert view
    assert (view.valid, view.cache.weighed, bool(view.cache.memo("check"))) == (True, True, True)


def test_it_takes_away_what_a_writer_that_was_killed_left_in_the_inbox(base: Repo) -> None:
    dead, new = (base.write(f".git/curator/inbox/.tmp.curator.{name}", "half") for name in ("dead", "new"))
    os.utime(dead, (0, 0))
    assert base.curator("sweep").exit_code == 0
    assert (dead.exists(), new.exists()) == (False, True)


def test_it_captures_what_all_sessions_left_and_says_nothing(base: Repo, tmp_path: Path) -> None:
    left(base, "s1", tmp_path / "1", typed("Never push to main."))
    left(base, "s2", tmp_path / "2", *(typed("hello " * 2000) for _ in range(500)), typed("Always use make here."))
    left(base, "s3", tmp_path / "3", typed("Never edit dist by hand."))
    (tmp_path / "3").unlink()
    result = base.curator("sweep")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert texts(base) == ["Always use make here.", "Never push to main."]
    assert all("trigger: sweep\n" in text for text in inbox(base).values())
    assert spool.load(base.workspace, "s2").offset == (tmp_path / "2").stat().st_size
    before = inbox(base)
    base.curator("sweep")
    assert inbox(base) == before


def test_with_a_session_it_captures_that_one_alone_also_from_a_log_nobody_noted(
    base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDECODE", "1")  # as in the shell of the hook that starts it
    monkeypatch.setenv("CURATOR_CHILD", "1")
    left(base, "s1", tmp_path / "1", typed("Never push to main."))
    log = tmp_path / "config/projects/x/2.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text(typed("Always use make here."))
    assert base.curator("sweep", "--session", "s2", "--log", str(log)).exit_code == 0
    assert texts(base) == ["Always use make here."]
    assert base.curator("sweep", "--session", "../../x", "--log", str(log)).exit_code == 0
    assert len(inbox(base)) == 1
    base.curator("sweep", "--session", "s1", "--log", str(tmp_path / "1"))  # the spool holds it already
    assert len(inbox(base)) == 2


def test_a_log_that_the_client_does_not_keep_is_refused(
    base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    forged = tmp_path / "forged.jsonl"
    forged.write_text(typed("Never push to main."))
    projects = tmp_path / "config/projects"
    projects.mkdir(parents=True)
    (projects / "link.jsonl").symlink_to(forged)
    for name in (forged, projects / "../../forged.jsonl", projects / "link.jsonl", "a\0b"):
        assert base.curator("sweep", "--session", "zz", "--log", str(name)).exit_code == 2
    assert inbox(base) == {}
    assert " sweep " in base.read(".git/curator/hook.log")


def test_its_faults_stand_in_the_log_of_hooks(base: Repo, tmp_path: Path) -> None:
    left(base, "s1", tmp_path / "1", typed("Never push to main."))
    base.write(".git/curator/inbox", "in the way")
    assert base.curator("sweep").exit_code == 0
    (line,) = base.read(".git/curator/hook.log").split("\n")[:-1]
    assert " sweep s1: " in line
    assert "cannot be written: " in line
    base.write("memories/curator.yaml", "capture: [")
    base.add()
    assert base.curator("sweep").exit_code == 2
    assert base.read(".git/curator/hook.log").count(" sweep ") == 2


def test_a_spool_that_is_no_folder_is_told(base: Repo) -> None:
    base.write(".git/curator/spool", "in the way")
    result = base.curator("sweep")
    assert result.exit_code == 2, result.exception
    assert "cannot be written: " in result.stderr
    assert " sweep " in base.read(".git/curator/hook.log")


def test_a_work_tree_of_another_clone_is_not_one_to_work_in(base: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    left(base, "s1", tmp_path / "1", typed("Never push to main."))
    state = spool.load(base.workspace, "s1")
    state.root = str(other)
    spool.save(base.workspace, "s1", state)
    (one,) = sweep.run(base.workspace)
    assert one.workspace.root == str(base.root)
    base.curator("sweep")
    assert texts(base) == ["Never push to main."]
    assert not (other / ".git/curator").exists()


def test_a_session_of_another_work_tree_is_held_against_what_that_one_knows(base: Repo, tmp_path: Path) -> None:
    base.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    linked.memory("b", "Never push to main.")
    linked.commit()
    left(linked, "s1", tmp_path / "1", typed("Never push to main."))
    state = spool.load(base.workspace, "s1")
    assert state.root == str(linked.root)
    base.curator("sweep")
    assert "\nseen: 2\n" in "".join(inbox(base).values())


def test_while_another_sweep_is_at_it_it_does_nothing(base: Repo, tmp_path: Path) -> None:
    left(base, "s1", tmp_path / "1", typed("Never push to main."))
    with spool.locked(base.workspace, "") as alone:
        assert alone
        assert base.curator("sweep").exit_code == 0
        assert inbox(base) == {}
    base.curator("sweep")
    assert len(inbox(base)) == 1


def test_a_log_that_is_no_file_hides_no_other_one(base: Repo, tmp_path: Path) -> None:
    left(base, "s1", tmp_path / "1", typed("x"))
    (tmp_path / "1").unlink()
    (tmp_path / "1").mkdir()
    left(base, "s2", tmp_path / "2", typed("Never push to main."))
    assert base.curator("sweep").exit_code == 0
    assert texts(base) == ["Never push to main."]


def test_what_was_not_touched_for_a_month_is_removed(base: Repo, tmp_path: Path) -> None:
    left(base, "s1", tmp_path / "1", typed("hello"))
    path = base.root / ".git/curator/spool/s1.json"
    base.curator("sweep")
    assert path.exists()
    os.utime(path, (1, 1))
    base.curator("sweep")
    assert not path.exists()


def test_it_is_shown_to_nobody(base: Repo) -> None:
    assert "sweep" not in base.curator("--help").stdout
