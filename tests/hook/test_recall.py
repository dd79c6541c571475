"""What a session is told while it works: the memories that are about it, once, from what is trusted."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.core import essentials, keys, record, tokens
from curator.edge import current, database, index, plumbing, reader, spool
from curator.hook import recall, shown
from curator.model import Capture, Config, Recall, Target
from tests.conftest import Repo
from tests.hook.firing import Watched, context, event, fire

POOL = "The pgbouncer pool stays below default_pool_size 20."
HEAD = "curator: memories about this, from this repository's reviewed store:\n"
PROMPT = "Why is default_pool_size ignored here? Please fix it and run the tests."


@pytest.fixture
def pool(base: Repo) -> Repo:
    """A repository with a memory about a pool, which stands in no block, searched once."""
    base.write("src/pool.py", "default_pool_size = 20\n")
    base.memory("pool-size-0a1b2c", POOL, "gotcha", more="sources:\n  - path: src/pool.py\nreview_by: '2099-12-31'\n")
    base.commit()
    assert base.curator("recall", "pool").exit_code == 0
    return base


def prompted(repo: Repo, prompt: str = PROMPT, folder: Path | None = None) -> str:
    return context(recall.prompted(Watched("UserPromptSubmit", repo.root, folder, prompt=prompt)))


def touched(repo: Repo, path: str, key: str = "file_path") -> str:
    return context(recall.touched(Watched("PostToolUse", repo.root, tool_name="Edit", tool_input={key: path})))


def test_a_prompt_brings_the_memories_that_it_is_about_once_in_a_session(pool: Repo) -> None:
    assert prompted(pool) == f"{HEAD}- [0a1b2c] {POOL}"
    assert prompted(pool) == ""
    assert spool.load(pool.workspace, "s1").paths == ["memories/gotcha/pool-size-0a1b2c.yaml"]


def test_the_answer_of_the_script_is_one_line_for_its_event(pool: Repo) -> None:
    answer = fire(event("UserPromptSubmit", pool.root, prompt=PROMPT), pool.root).answer
    assert answer == {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": f"{HEAD}- [0a1b2c] {POOL}"}
    }


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the failing test please",
        "commit and push",
        "yes",
        "",
        "   ",
        "rename the button",
        f"<task-notification>{PROMPT}</task-notification>",
        "/review default_pool_size",
    ],
)
def test_a_prompt_about_something_else_brings_nothing(pool: Repo, prompt: str) -> None:
    pool.memory("other", "Never rename a table of the shop while the worker drains its queue.", "gotcha")
    pool.commit()
    pool.curator("recall", "pool")
    assert prompted(pool, prompt) == ""


def test_a_path_in_the_prompt_brings_what_cites_it(pool: Repo) -> None:
    assert POOL in prompted(pool, "have a look at src/pool.py first")


def test_what_stands_in_the_block_is_not_said_again(pool: Repo) -> None:
    assert pool.curator("render").exit_code == 0
    assert POOL in pool.read("CLAUDE.md")
    assert prompted(pool) == ""
    pool.write("CLAUDE.md", pool.read("CLAUDE.md").replace("\n", "\r\n"))
    assert prompted(pool) == ""


def test_a_block_in_a_folder_counts_for_sessions_below_it(pool: Repo) -> None:
    pool.write("memories/curator.yaml", "targets:\n  - path: api/CLAUDE.md\n")
    pool.block("api/CLAUDE.md", inner=f"- {POOL}")
    pool.write("api/v1/x.py", "")
    pool.write("web/x.py", "")
    pool.commit()
    pool.curator("recall", "pool")
    assert prompted(pool, folder=pool.root / "api/v1") == ""
    assert POOL in prompted(pool, folder=pool.root / "web")


@pytest.mark.parametrize("kind", ["fifo", "folder", "gone", "link to a device"])
def test_a_target_that_is_no_file_holds_nothing_up(pool: Repo, kind: str) -> None:
    path = pool.root / "CLAUDE.md"
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to a device":
        path.symlink_to("/dev/zero")
    assert POOL in prompted(pool)


def test_what_has_expired_or_was_retired_is_left_out(pool: Repo) -> None:
    pool.memory("old", "The old default_pool_size was 5.", "gotcha", more="expires: '2020-01-01'\n")
    pool.memory(
        "gone", "Once default_pool_size was 9.", "gotcha", more="retired:\n  on: '2020-01-01'\n  reason: wrong\n"
    )
    pool.commit()
    pool.curator("recall", "pool")
    assert prompted(pool) == f"{HEAD}- [0a1b2c] {POOL}"


def test_what_the_last_check_found_stale_is_left_out(pool: Repo) -> None:
    assert pool.curator("confirm", "0a1b2c", "--yes").exit_code in {0, 1, 2}
    (pool.root / "src/pool.py").unlink()
    pool.add()
    assert pool.curator("check").exit_code == 1
    assert prompted(pool) == ""


def test_what_the_last_check_found_stale_is_left_out_whatever_else_is_as_it_was(pool: Repo) -> None:
    path = "memories/gotcha/pool-size-0a1b2c.yaml"
    found = f'[["State", "stale", "{path}", "stale: src/pool.py is gone", "", "", [], false]]'
    index.remember(pool.workspace, index.open(pool.workspace), {shown.CHECK: f"2026-01-01 x\n{found}"})
    assert prompted(pool) == ""
    assert touched(pool, str(pool.root / "src/pool.py")) == ""


def test_what_the_last_check_doubted_is_marked(pool: Repo) -> None:
    path = "memories/gotcha/pool-size-0a1b2c.yaml"
    found = f'[["State", "review", "{path}", "to look at: src/pool.py changed", "", "", [], false]]'
    index.remember(pool.workspace, index.open(pool.workspace), {shown.CHECK: f"2026-01-01 x\n{found}"})
    assert prompted(pool) == f"{HEAD}- [0a1b2c] {POOL}\n  (check before relying on it: src/pool.py changed)"


def test_limits_of_the_settings_hold(pool: Repo) -> None:
    for number in range(9):
        pool.memory(f"more-{number}", f"Rule {number} of default_pool_size: {'long words ' * 20}.", "gotcha")
    pool.write("memories/curator.yaml", "recall:\n  limit: 3\n  tokens: 130\n")
    pool.commit()
    pool.curator("recall", "pool")
    words = prompted(pool)
    assert 1 <= words.count("\n- ") <= 3
    assert tokens.estimate(words) <= 130
    assert len(words) > 100


def test_no_answer_is_longer_than_what_a_client_takes(pool: Repo) -> None:
    for number in range(20):
        pool.memory(f"wide-{number}", f"default_pool_size {number} \U0001f600\n" * 40, "gotcha")
    pool.write("memories/curator.yaml", "recall:\n  limit: 50\n  tokens: 100000\n")
    pool.commit()
    pool.curator("recall", "pool")
    view = current.look(pool.workspace)
    settings = view.cache.settings() if view else None
    assert view
    assert settings
    words, named = shown.text(view, settings, HEAD, view.cache.documents(range(20)))
    assert shown.UNITS - 1_500 < len(words.encode("utf-16-le")) // 2 <= shown.UNITS
    assert 3 < len(named) < 20


def test_after_other_files_were_staged_it_answers_all_the_same_and_lets_a_child_note_it(pool: Repo) -> None:
    pool.write("other.txt", "x")
    pool.add()
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT)
    assert POOL in context(recall.prompted(visit))
    assert visit.handed == [("sweep",)]
    view = current.look(pool.workspace)
    assert view
    assert (view.valid, view.same) == (False, True)


def test_one_child_is_enough_for_a_while(pool: Repo) -> None:
    pool.write("other.txt", "x")
    pool.add()
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT)
    for _ in range(3):
        recall.prompted(visit)
    assert visit.handed == [("sweep",)]
    os.utime(pool.root / ".git/curator/refreshed", (1, 1))
    recall.prompted(visit)
    assert visit.handed == [("sweep",), ("sweep",)]


def test_a_child_brings_the_index_up_to_date(pool: Repo) -> None:
    pool.write("other.txt", "x")
    pool.add()
    fire(event("UserPromptSubmit", pool.root, prompt=PROMPT), pool.root)
    until = time.monotonic() + 20
    while index.open(pool.workspace).stamp != plumbing.stamp(pool.workspace) and time.monotonic() < until:
        time.sleep(0.05)
    view = current.look(pool.workspace)
    assert view
    assert view.valid


def test_while_memories_change_only_those_that_are_staged_as_they_were_read_are_shown(pool: Repo) -> None:
    pool.memory("second-0d0d0d", "Raise default_pool_size in infra/pool.ini only.", "gotcha")
    pool.commit()
    pool.curator("recall", "pool")
    pool.memory("second-0d0d0d", "Reworded, and default_pool_size is staged anew.", "gotcha")
    assert prompted(pool).count("\n- ") == 2  # what is not staged changes nothing
    pool.add()
    spool.save(pool.workspace, "s1", spool.Spool({}))
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT, session_id="s2")
    assert context(recall.prompted(visit)) == f"{HEAD}- [0a1b2c] {POOL}"
    assert visit.handed == [("sweep",)]


def test_t1_what_is_not_in_the_trusted_commit_is_not_shown(pool: Repo) -> None:
    pool.write("memories/curator.yaml", "trust: main\n")
    pool.commit()
    pool.curator("recall", "pool")
    pool.memory("staged-0d0d0d", "Staged: default_pool_size is 7.", "gotcha")
    pool.add()
    assert prompted(pool) == f"{HEAD}- [0a1b2c] {POOL}"
    pool.commit()
    (pool.root / ".git/curator/refreshed").unlink()
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT, session_id="s2")
    assert context(recall.prompted(visit)) == ""
    assert visit.handed == [("sweep",)]


def test_when_the_users_settings_changed_nothing_is_shown_until_a_child_has_read_them(pool: Repo) -> None:
    pool.git("config", "curator.trust", "main")
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT)
    assert context(recall.prompted(visit)) == ""
    assert visit.handed == [("sweep",)]


def test_settings_in_an_included_file_are_known(pool: Repo) -> None:
    pool.write("extra.cfg", "[curator]\n\tagentsMay = true\n")
    pool.git("config", "include.path", str(pool.root / "extra.cfg"))
    pool.curator("recall", "pool")
    assert current._stamp(pool.workspace) == plumbing.stamp(pool.workspace)
    assert POOL in prompted(pool)


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_without_a_cache_of_use_a_child_is_left_to_make_it(pool: Repo, damage: bytes | None) -> None:
    path = pool.root / ".git/curator/index.db"
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT)
    assert context(recall.prompted(visit)) == ""
    assert (visit.handed, visit.told) == ([("sweep",)], [])


def test_a_subagent_is_told_what_the_last_prompt_brought(pool: Repo) -> None:
    def subagent() -> str:
        return context(recall.subagent(Watched("SubagentStart", pool.root)))

    assert subagent() == ""
    prompted(pool)
    assert subagent() == f"{HEAD}- [0a1b2c] {POOL}"
    assert subagent() != ""
    prompted(pool, "thanks")
    assert subagent() == ""


def test_a_changed_file_brings_what_cites_it_once(pool: Repo) -> None:
    expected = f"curator: memories that cite src/pool.py:\n- [0a1b2c] {POOL}"
    assert touched(pool, str(pool.root / "src/pool.py")) == expected
    assert touched(pool, str(pool.root / "src/pool.py")) == ""
    pool.memory(
        "second-0d0d0d", "Keep src/pool.py free of imports.", "gotcha", more="sources:\n  - path: src/pool.py\n"
    )
    pool.commit()
    pool.curator("recall", "pool")
    assert touched(pool, str(pool.root / "src/pool.py")) == ""


def test_a_changed_file_is_known_through_links_and_relative_names(pool: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(pool.root)
    assert POOL in touched(pool, str(tmp_path / "link/src/../src/pool.py"), "notebook_path")
    for other in ("src/other.py", str(tmp_path / "elsewhere.py"), "../x", "", str(pool.root)):
        assert touched(pool, other) == ""


def test_what_the_session_has_seen_is_not_told_again_for_a_file(pool: Repo) -> None:
    prompted(pool)
    assert touched(pool, str(pool.root / "src/pool.py")) == ""


def test_for_a_changed_file_a_memory_in_the_block_is_named_by_its_first_words_once(pool: Repo) -> None:
    assert pool.curator("render").exit_code == 0
    expected = (
        "curator: memories that cite src/pool.py:\n"
        "- [0a1b2c] The pgbouncer pool stays below default_pool_size 20. (in the block)"
    )
    assert touched(pool, str(pool.root / "src/pool.py")) == expected
    assert touched(pool, str(pool.root / "src/pool.py")) == ""
    long = "Keep src/pool.py free of imports, since the pooler is copied to a machine without Python packages."
    pool.memory("second-0d0d0d", long, "gotcha", more="sources:\n  - path: src/pool.py\n")
    pool.memory("third-0e0e0e", "Name pools after hosts.", "gotcha", more="sources:\n  - path: src/pool.py\n")
    pool.commit()
    pool.curator("render")
    pool.curator("recall", "pool")
    pool.write("CLAUDE.md", pool.read("CLAUDE.md").replace("- Name pools after hosts.\n", ""))
    visit = Watched(
        "PostToolUse", pool.root, session_id="s2", tool_name="Edit", tool_input={"file_path": "src/pool.py"}
    )
    assert context(recall.touched(visit)).split("\n")[1:] == [
        "- [0e0e0e] Name pools after hosts.",
        "- [0a1b2c] The pgbouncer pool stays below default_pool_size 20. (in the block)",
        "- [0d0d0d] Keep src/pool.py free of imports, since the pooler ... (in the block)",
    ]


@pytest.mark.parametrize("how", ["prompt", "file", "subagent"])
def test_all_that_a_session_is_shown_is_noted_as_curators_own_words(pool: Repo, how: str) -> None:
    if how == "file":
        assert POOL in touched(pool, str(pool.root / "src/pool.py"))
    else:
        assert POOL in prompted(pool)
    if how == "subagent":
        state = spool.load(pool.workspace, "s1")
        state.shown = []
        spool.save(pool.workspace, "s1", state)
        assert POOL in context(recall.subagent(Watched("SubagentStart", pool.root)))
    assert {keys.mark(POOL), keys.mark(f"[0a1b2c] {POOL}")} <= set(spool.load(pool.workspace, "s1").shown)


def test_a_session_without_a_usable_name_is_answered_and_leaves_nothing(pool: Repo) -> None:
    for name in ("", "../../x", "a" * 65):
        visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT, session_id=name)
        assert POOL in context(recall.prompted(visit))
    assert not list((pool.root / ".git/curator").rglob("*.json"))


def test_where_the_spool_cannot_be_written_it_is_told(pool: Repo) -> None:
    pool.write(".git/curator/spool", "in the way")
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT)
    assert POOL in context(recall.prompted(visit))
    assert visit.told == ["what was shown cannot be noted: File exists"]


def test_the_settings_of_a_hook_are_those_of_the_whole_house() -> None:
    config = Config(
        namespace="n",
        targets=(Target("A.md"), Target("b/B.md", "b")),
        block="main",
        trust="main",
        capture=Capture("keen", "drop", "block", True),
        recall=Recall(3, 90, 0.5, 1.0, 0.25, 0.75),
    )
    for one in (config, Config()):
        held = essentials.Settings(record.dump_config(one))
        assert (held.namespace, held.targets) == (one.namespace, tuple(target.path for target in one.targets))
        assert (held.block, held.trust, held.categories) == (one.block, one.trust, one.categories)
        assert (held.sensitivity, held.quotes, held.gate, held.gate_lookup) == tuple(one.capture)
        assert all(getattr(held.recall, name) == getattr(one.recall, name) for name in Recall._fields)


def test_a_damaged_row_makes_no_fault(pool: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> Any:
        raise database.Damaged

    made: Callable[..., Any] = damaged
    monkeypatch.setattr(reader.Cache, "settings", made)
    visit = Watched("UserPromptSubmit", pool.root, prompt=PROMPT)
    assert recall.prompted(visit) is None
    assert visit.handed == [("sweep",)]
    assert json.dumps(visit.told) == "[]"
