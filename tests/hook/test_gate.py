"""The gate at Stop: whom it asks, when, and what satisfies it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from curator.edge import activity, exchange
from curator.edge import spool as spools
from curator.edge.activity import Seen
from tests.conftest import Repo
from tests.transcripts import SESSION, answered, called, fire, spool, typed

CALLS = [called("Read", file_path="a.py"), called("Bash", command="ls"), called("Grep", pattern="x")]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def gated(repo: Repo, mode: str = "block", more: str = "") -> None:
    """A repository with the gate on, a valid index and a session that has begun."""
    repo.write("memories/curator.yaml", f"capture:\n  gate: {mode}\n{more}")
    repo.write("src/app.py", "def main(): ...\n")
    repo.commit()
    repo.curator("recall", "pytest")


def turn(repo: Repo, log: Path, *lines: str) -> dict[str, Any] | None:
    """One turn of a session with three tool calls, and what the gate says at its end."""
    with log.open("a") as writer:
        writer.writelines([typed("go on"), *CALLS, *lines, answered("done")])
    done = fire(repo, "Stop", log)
    return json.loads(done.stdout) if done.stdout else None


def later(repo: Repo) -> None:
    """Let ten minutes go by since the gate spoke."""
    state = spools.load(repo.workspace, SESSION)
    state.gate["spoke"] = time.time() - 700
    spools.save(repo.workspace, SESSION, state)


def start(repo: Repo, log: Path, source: str = "startup") -> None:
    fire(repo, "SessionStart", log, source=source)


def test_a_session_that_changed_files_and_stored_nothing_is_sent_back_once(base: Repo, log: Path) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    said = turn(base, log)
    assert said
    assert said["decision"] == "block"
    assert "curator add --propose" in said["reason"]
    assert fire(base, "Stop", log, stop_hook_active=True).stdout == b""
    base.write("src/app.py", "def main(): return 2\n")
    assert turn(base, log) is None, "within ten minutes"
    later(base)
    assert turn(base, log), "it changed once more, and nothing was stored"
    later(base)
    assert turn(base, log) is None, "nothing changed since"


def test_a_session_that_only_reads_is_never_nagged(base: Repo, log: Path) -> None:
    gated(base)
    base.write("src/app.py", "changed before the session\n")
    base.write("new.txt", "the same\n")
    (base.root / "memories/convention/a.yaml").unlink()
    start(base, log)
    for _ in range(3):
        assert turn(base, log) is None


def test_what_changed_while_no_session_ran_is_not_held_against_the_next(base: Repo, log: Path) -> None:
    gated(base)
    start(base, log)
    assert turn(base, log) is None
    base.write("src/app.py", "by hand, at night\n")
    start(base, log, "resume")
    assert turn(base, log) is None


def test_without_a_start_the_times_of_files_tell(base: Repo, log: Path) -> None:
    gated(base)
    base.write("old.txt", "x")
    time.sleep(1.1)
    begun = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 1))
    log.write_text(typed("hello", timestamp=begun))
    time.sleep(1.1)
    assert turn(base, log) is None
    os.utime(base.write("copied.txt", "x"), (1, 1))
    assert turn(base, log)


@pytest.mark.parametrize("how", ["shell", "commit", "delete", "new", "staged"])
def test_edits_are_seen_through_git_however_they_are_made(base: Repo, log: Path, how: str) -> None:
    gated(base)
    start(base, log)
    if how == "delete":
        (base.root / "src/app.py").unlink()
    else:
        base.write("deep/er/new.py" if how == "new" else "src/app.py", "x = 1\n")
    if how in {"commit", "staged"}:
        base.add()
    if how == "commit":
        base.git("commit", "-qm", "feature")
    assert turn(base, log)


@pytest.mark.parametrize("how", ["checkout", "ignored", "memory", "block", "touch"])
def test_what_is_no_work_on_files_is_none(base: Repo, log: Path, how: str) -> None:
    gated(base)
    base.write(".gitignore", "build/\n")
    base.commit()
    base.curator("recall", "pytest")
    start(base, log)
    if how == "checkout":
        base.git("checkout", "-q", "-b", "other", "HEAD~1")
    elif how == "ignored":
        base.write("build/out.txt", "x")
    elif how == "memory":
        base.memory("b", "Never push to main.")
    elif how == "block":
        base.curator("render")
        assert base.git("status", "--porcelain").strip() == "M CLAUDE.md"
    else:
        os.utime(base.root / "src/app.py", (1, 1))
    assert turn(base, log) is None


def test_a_change_around_the_block_is_one(base: Repo, log: Path) -> None:
    gated(base)
    start(base, log)
    base.curator("render")
    base.write("CLAUDE.md", base.read("CLAUDE.md") + "one more line\n")
    assert turn(base, log)


@pytest.mark.parametrize("how", ["add", "said", "call", "memory"])
def test_what_was_stored_satisfies_it(base: Repo, log: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    if how == "add":
        with monkeypatch.context() as patch:
            patch.setenv("CLAUDECODE", "1")
            patch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
            assert base.curator("add", "main returns 1 since the runner wants a number.").exit_code == 0
    if how == "memory":
        base.memory("b", "Never push to main.")
    lines = {"said": [typed("Never push to main.")], "call": [called("mcp__curator__save_memory", text="x")]}
    assert turn(base, log, *lines.get(how, [])) is None
    base.write("src/app.py", "def main(): return 2\n")
    assert turn(base, log), "a later change asks anew"


def test_what_another_session_stored_does_not_satisfy_it(
    base: Repo, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    with monkeypatch.context() as patch:
        patch.setenv("CLAUDECODE", "1")
        patch.setenv("CLAUDE_CODE_SESSION_ID", "ffffffff-1")
        base.curator("add", "main returns 1 since the runner wants a number.")
    assert turn(base, log)


def test_a_very_long_target_is_not_read(base: Repo, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gated(base)
    base.write("CLAUDE.md", "x\n" * (1 << 20))
    base.commit()
    before = activity.look(base.workspace, ["CLAUDE.md"], Seen("", (), 0), 0)
    assert before
    base.write("CLAUDE.md", "y\n" * (1 << 20))
    monkeypatch.setattr(exchange, "content", lambda *_: pytest.fail("it is read"))
    found = activity.look(base.workspace, ["CLAUDE.md"], before.now, 0)
    assert found
    assert found.changed


def test_remind_tells_the_user_once_a_session(base: Repo, log: Path) -> None:
    gated(base, "remind")
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    said = turn(base, log)
    assert said
    assert list(said) == ["systemMessage"]
    later(base)
    base.write("src/app.py", "def main(): return 2\n")
    assert turn(base, log) is None


def test_off_is_silent_and_keeps_nothing(base: Repo, log: Path) -> None:
    gated(base, "off", "  gate_lookup: true\n")
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    assert turn(base, log) is None
    assert spool(base)["gate"] == {}


def test_less_than_three_calls_are_not_looked_at_but_add_up(base: Repo, log: Path) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    log.write_text(typed("go on") + CALLS[0] + CALLS[1])
    assert fire(base, "Stop", log).stdout == b""
    with log.open("a") as writer:
        writer.write(typed("go on") + CALLS[2])
    assert b'"block"' in fire(base, "Stop", log).stdout


def test_the_first_check_asks_for_a_lookup_and_later_ones_do_not(base: Repo, log: Path) -> None:
    gated(base, "block", "  gate_lookup: true\n")
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    said = turn(base, log)
    assert said
    assert "curator recall" in said["reason"]
    later(base)
    said = turn(base, log)
    assert said, "the change has not been asked about"
    assert "curator add --propose" in said["reason"]


def test_a_session_that_looked_something_up_is_not_asked_to(base: Repo, log: Path) -> None:
    gated(base, "block", "  gate_lookup: true\n")
    start(base, log)
    assert turn(base, log, called("Bash", command='curator recall "app"')) is None
    assert turn(base, log) is None


def test_no_lock_of_git_is_taken_and_none_is_waited_for(base: Repo, log: Path) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    os.utime(base.root / "CLAUDE.md", (1, 1))  # git would like to note this in its index
    before = (base.root / ".git/index").stat().st_mtime_ns
    (base.root / ".git/index.lock").write_text("")
    assert turn(base, log)
    assert (base.root / ".git/index").stat().st_mtime_ns == before


def test_without_git_it_stays_open(base: Repo, log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert turn(base, log) is None


def test_commits_of_memories_alone_are_no_change(base: Repo) -> None:
    before = base.git("rev-parse", "HEAD").strip()
    base.memory("b", "Never push to main.")
    base.commit("memories")
    found = activity.look(base.workspace, ["CLAUDE.md"], Seen(before, (), 0.0), time.time())
    assert found
    assert (found.changed, found.stored) == (False, True)
    base.write("src/app.py", "x = 1\n")
    base.commit("code")
    found = activity.look(base.workspace, ["CLAUDE.md"], Seen(before, (), 0.0), time.time())
    assert found
    assert found.changed


def test_the_first_commit_of_all_is_a_change(repo: Repo) -> None:
    nothing = activity.look(repo.workspace, [], Seen("", (), time.time()), time.time())
    assert nothing
    repo.write("src/app.py", "x = 1\n")
    repo.commit()
    found = activity.look(repo.workspace, [], nothing.now, time.time())
    assert found
    assert found.changed


@pytest.mark.parametrize("how", ["add", "commit", "touch", "stash"])
def test_what_was_asked_about_is_not_asked_about_again_when_only_git_moves_it(base: Repo, log: Path, how: str) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "def main(): return 1\n")
    assert turn(base, log)
    later(base)
    if how == "add":
        base.add()
    elif how == "commit":
        base.git("commit", "-qam", "the same")
    elif how == "touch":
        os.utime(base.root / "src/app.py")
    else:
        base.git("stash", "-q")
        base.git("stash", "pop", "-q")
    assert turn(base, log) is None


def test_a_session_that_only_reads_beside_one_that_writes_is_left_alone(base: Repo, log: Path) -> None:
    gated(base)
    start(base, log)
    base.write("src/app.py", "by another session\n")
    reads = [called("Read", file_path=name) for name in ("a.py", "b.py", "c.py")]
    log.write_text("".join([typed("look at it"), *reads, answered("done")]))
    assert fire(base, "Stop", log).stdout == b""
