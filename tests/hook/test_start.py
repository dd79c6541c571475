"""The start of a session: what it should know, one line for the user, and what is left to a child."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

import pytest

from curator.core import keys
from curator.edge import inbox, spool
from curator.hook import recall, start
from tests.conftest import Repo
from tests.hook.firing import Watched, context, event, fire

POOL = "The pgbouncer pool stays below default_pool_size 20."


@pytest.fixture
def checked(base: Repo) -> Repo:
    """A repository whose index and check are of now."""
    base.curator("recall", "pytest")
    assert base.curator("check").exit_code == 0
    return base


def begin(repo: Repo, source: str = "startup", **more: str) -> tuple[Mapping[str, Any] | None, Watched]:
    visit = Watched("SessionStart", repo.root, None, source=source, **more)
    return start.begin(visit), visit


def waiting(repo: Repo, *texts: str) -> None:
    for text in texts:
        inbox.put(repo.workspace, keys.key("x", text), text)


def test_where_nothing_waits_nothing_is_said_and_no_child_is_started(checked: Repo) -> None:
    answer, visit = begin(checked)
    assert (answer, visit.handed, visit.told) == (None, [], [])


def test_the_user_is_told_in_one_line_what_waits(checked: Repo) -> None:
    waiting(checked, "a")
    answer, _ = begin(checked)
    assert answer == {
        "systemMessage": "curator: 1 memory waits for review. Run: curator review",
        "hookSpecificOutput": {"hookEventName": "SessionStart"},
    }
    waiting(checked, "b")
    answer, _ = begin(checked, "resume")
    assert answer
    assert answer["systemMessage"] == "curator: 2 memories wait for review. Run: curator review"


def test_what_is_on_a_branch_waits_for_nobody(checked: Repo) -> None:
    waiting(checked, "a", "b")
    inbox.ask(checked.workspace, keys.key("x", "a"), inbox.Mark("curator/memories-1"))
    answer, _ = begin(checked)
    assert answer
    assert answer["systemMessage"] == "curator: 1 memory waits for review. Run: curator review"
    inbox.ask(checked.workspace, keys.key("x", "b"), inbox.Mark("curator/memories-1"))
    assert begin(checked)[0] is None


def stale(repo: Repo, *names: str) -> None:
    for name in names:
        repo.write(f"src/{name}.py", "x = 1\n")
        repo.add()
        added = repo.curator("add", f"Rule {name}: src/{name}.py holds the {name}.", "--no-render")
        assert added.exit_code == 0, added.output
    repo.commit()
    for name in names:
        (repo.root / f"src/{name}.py").unlink()
    repo.add()
    repo.curator("recall", "pytest")
    assert repo.curator("check").exit_code == 1


def test_stale_memories_are_counted_where_todays_check_knows_them(checked: Repo) -> None:
    stale(checked, "one")
    answer, visit = begin(checked)
    assert answer
    assert answer["systemMessage"] == "curator: 1 memory is stale. Run: curator check"
    assert visit.handed == []
    waiting(checked, "a", "b")
    answer, _ = begin(checked)
    assert answer
    assert answer["systemMessage"] == "curator: 2 memories wait for review, 1 is stale. Run: curator review"
    checked.write("other.txt", "x")
    checked.add()
    answer, visit = begin(checked)
    assert answer
    assert answer["systemMessage"] == "curator: 2 memories wait for review. Run: curator review"
    assert visit.handed == [("sweep",)]


def test_a_branch_is_told_what_it_adds_while_the_block_is_rendered_on_main(checked: Repo) -> None:
    checked.write("memories/curator.yaml", "block: main\n")
    checked.commit()
    checked.git("checkout", "-qb", "topic")
    checked.memory("pool-size-0a1b2c", POOL, "gotcha")
    checked.commit()
    checked.memory("staged-0d0d0d", "Staged memories count too.", "gotcha")
    checked.memory("loose", "What is not staged does not.", "gotcha")
    checked.git("add", "memories/gotcha/staged-0d0d0d.yaml")
    checked.curator("recall", "pytest")
    words = context(begin(checked)[0])
    head = "curator: memories that this branch adds, not in the block yet:"
    assert words == f"{head}\n- [0a1b2c] {POOL}\n- [0d0d0d] Staged memories count too."
    assert context(recall.subagent(Watched("SubagentStart", checked.root))) == words
    checked.git("checkout", "-qf", "main")
    checked.curator("recall", "pytest")
    assert context(begin(checked)[0]) == ""


def test_with_a_block_rendered_here_a_branch_has_nothing_to_add(checked: Repo) -> None:
    checked.git("checkout", "-qb", "topic")
    checked.memory("pool-size-0a1b2c", POOL, "gotcha")
    checked.commit()
    checked.curator("recall", "pytest")
    assert context(begin(checked)[0]) == ""


@pytest.mark.parametrize(
    ("source", "again"), [("startup", True), ("clear", True), ("compact", True), ("resume", False)]
)
def test_what_was_shown_may_be_shown_again_once_the_model_has_forgotten_it(
    checked: Repo, source: str, again: bool
) -> None:
    checked.memory("pool-size-0a1b2c", POOL, "gotcha")
    checked.commit()
    checked.curator("recall", "pool")

    def prompted() -> str:
        return context(recall.prompted(Watched("UserPromptSubmit", checked.root, prompt="see default_pool_size")))

    assert POOL in prompted()
    begin(checked, source)
    assert bool(prompted()) is again
    assert keys.mark(POOL) in spool.load(checked.workspace, "s1").shown


def test_a_log_of_another_session_that_was_not_read_is_left_to_a_child(checked: Repo) -> None:
    log = checked.write("t.jsonl", "x\n" * 10)
    begin(checked, transcript_path=str(log))
    assert begin(checked)[1].handed == []  # its own is read at its own events
    assert begin(checked, session_id="s2")[1].handed == [("sweep",)]
    state = spool.load(checked.workspace, "s1")
    assert (state.log, state.root) == (str(log), str(checked.root))
    state.offset = 20
    spool.save(checked.workspace, "s1", state)
    assert begin(checked, session_id="s2")[1].handed == []
    log.unlink()
    assert begin(checked, session_id="s3")[1].handed == []


def test_without_an_index_or_todays_check_a_child_makes_them(base: Repo) -> None:
    assert begin(base)[1].handed == [("sweep",)]
    fire(event("SessionStart", base.root, source="startup"), base.root)
    until = time.monotonic() + 20
    while begin(base)[1].handed and time.monotonic() < until:
        time.sleep(0.1)
    assert begin(base)[1].handed == []


def test_sp_a_folder_outside_the_work_tree_is_no_place_for_a_session(checked: Repo) -> None:
    fired = fire(event("SessionStart", checked.root.parent), checked.root.parent)
    assert (fired.out, fired.err) == ("", "")


def test_of_very_many_sessions_the_newest_are_looked_at_and_the_rest_is_left_to_a_child(
    checked: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = checked.write("t.jsonl", "x\n" * 10)
    for number in range(4):
        state = spool.load(checked.workspace, f"n{number}")
        state.log, state.size = str(log), 20 if number else 0
        spool.save(checked.workspace, f"n{number}", state)
        os.utime(checked.root / f".git/curator/spool/n{number}.json", (number, number))
    assert begin(checked)[1].handed == [("sweep",)]  # the oldest one is behind
    (checked.root / ".git/curator/spool/n0.json").unlink()
    assert begin(checked)[1].handed == []
    monkeypatch.setattr(start, "MOST", 2)
    assert begin(checked)[1].handed == [("sweep",)]
    assert spool.recent(checked.workspace) == ["s1", "n3", "n2", "n1"]


def test_ten_thousand_sessions_hold_no_answer_up(checked: Repo) -> None:
    waiting(checked, "a")
    folder = checked.root / ".git/curator/spool"
    folder.mkdir(exist_ok=True)
    for number in range(10_000):
        (folder / f"n{number}.json").write_text('{"log":"/gone"}')
    began = time.monotonic()
    answer, visit = begin(checked)
    assert time.monotonic() - began < 0.8
    assert answer
    assert visit.handed == [("sweep",)]


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_a_transcript_that_is_no_file_leaves_nothing_to_read(checked: Repo, kind: str) -> None:
    path = checked.root / ".git/there"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    begin(checked, transcript_path=str(path))
    assert begin(checked, session_id="s2")[1].handed == []


def test_the_line_about_a_full_inbox_goes_by_the_limit_of_capture() -> None:
    from curator.core import extract
    from curator.hook import start

    assert start.FULL == extract.WAITING
