"""Events as OpenCode's plugin, Codex and Kimi Code send them, and the answers that they take."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.edge import spool
from curator.hook import capture, clients, recall, start
from tests import sessions
from tests.conftest import Repo
from tests.hook.firing import Fired, Watched, context, fire
from tests.sessions import SAID
from tests.transcripts import becomes, inbox, texts

POOL = "The pgbouncer pool stays below default_pool_size 20."
HEAD = "curator: memories about this, from this repository's reviewed store:\n"
PROMPT = "Why is default_pool_size ignored here? Please fix it and run the tests."
BROUGHT = f"{HEAD}- [0a1b2c] {POOL}"
ADDED = "curator: memories that this branch adds, not in the block yet:\n- [feed00] Never deploy on Fridays."
CODEX = {"model": "m", "permission_mode": "bypassPermissions"}


@pytest.fixture
def pool(base: Repo) -> Repo:
    """A repository with a memory about a pool, which stands in no block, searched and checked."""
    base.write("src/pool.py", "default_pool_size = 20\n")
    base.memory("pool-size-0a1b2c", POOL, "gotcha", more="sources:\n  - path: src/pool.py\nreview_by: '2099-12-31'\n")
    base.commit()
    assert base.curator("recall", "pool").exit_code == 0
    assert base.curator("check").exit_code == 0
    return base


@pytest.fixture
def branch(pool: Repo) -> Repo:
    """The same on a branch that adds a memory, with the block rendered on main only."""
    pool.write("memories/curator.yaml", "block: main\n")
    pool.commit()
    pool.git("checkout", "-qb", "topic")
    pool.memory("friday-feed00", "Never deploy on Fridays.")
    pool.commit()
    assert pool.curator("recall", "pool").exit_code == 0
    assert pool.curator("check").exit_code == 0
    return pool


def codex(repo: Repo, event: str, log: Path | str = "", **more: object) -> dict[str, Any]:
    turn = {} if event in {"SessionStart", "SessionEnd"} else {"turn_id": "01a22d77-93b4-7333-9011-63ede0305897"}
    about = {"session_id": sessions.CODEX, "transcript_path": str(log), "cwd": str(repo.root)}
    return {**about, **turn, **CODEX, "hook_event_name": event, **more}


def kimi(repo: Repo, event: str, **more: object) -> dict[str, Any]:
    about = {"session_id": sessions.KIMI, "cwd": str(repo.root), "client_type": "kimi_code_cli"}
    return {"hook_event_name": event, **about, **more}


def opencode(repo: Repo, event: str, **more: object) -> dict[str, Any]:
    about = {"session_id": sessions.OPENCODE, "cwd": str(repo.root), "client_type": "opencode"}
    return {"hook_event_name": event, **about, **more}


def sent(repo: Repo, payload: dict[str, Any]) -> Fired:
    return fire(json.dumps(payload).encode(), repo.root)


def parts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def visit(repo: Repo, payload: dict[str, Any]) -> Watched:
    name = str(payload.pop("hook_event_name"))
    return Watched(name, repo.root, **payload)


def test_codex_is_answered_in_claudes_form(pool: Repo) -> None:
    answer = sent(pool, codex(pool, "UserPromptSubmit", prompt=PROMPT)).answer
    assert answer == {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": BROUGHT}}


def test_opencode_is_answered_in_claudes_form(pool: Repo) -> None:
    answer = sent(pool, opencode(pool, "UserPromptSubmit", prompt=PROMPT)).answer
    assert answer == {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": BROUGHT}}


def test_kimi_is_given_plain_text_which_it_adds_to_the_prompt(pool: Repo) -> None:
    assert sent(pool, kimi(pool, "UserPromptSubmit", prompt=parts(PROMPT), is_steer=False)).out == f"{BROUGHT}\n"
    assert sent(pool, kimi(pool, "UserPromptSubmit", prompt=parts(PROMPT), is_steer=False)).out == ""


@pytest.mark.parametrize("prompt", [parts("/compact"), [], [7, {"text": 7}], {"text": "x"}, None, parts("")])
def test_prompts_of_other_shapes_bring_nothing(pool: Repo, prompt: object) -> None:
    fired = sent(pool, kimi(pool, "UserPromptSubmit", prompt=prompt))
    assert (fired.out, fired.err) == ("", "")


def test_kimi_is_told_at_the_first_prompt_what_others_are_told_at_the_start(branch: Repo) -> None:
    assert context(sent(branch, codex(branch, "SessionStart", source="startup")).answer) == ADDED
    assert context(sent(branch, opencode(branch, "SessionStart", source="startup")).answer) == ADDED
    assert sent(branch, kimi(branch, "SessionStart", source="startup")).out == ""
    assert sent(branch, kimi(branch, "UserPromptSubmit", prompt=parts(PROMPT))).out == f"{ADDED}\n\n{BROUGHT}\n"
    assert sent(branch, kimi(branch, "UserPromptSubmit", prompt=parts("go on"))).out == ""


def test_kimi_is_told_again_after_a_compaction(branch: Repo) -> None:
    log = sessions.kimi(branch.root)
    for _ in range(2):
        sent(branch, kimi(branch, "SessionStart", source="startup"))
        assert sent(branch, kimi(branch, "UserPromptSubmit", prompt=parts(PROMPT))).out == f"{ADDED}\n\n{BROUGHT}\n"
        assert sent(branch, kimi(branch, "PreCompact", trigger="auto", token_count=7)).out == ""
    assert spool.load(branch.workspace, sessions.KIMI).log == str(log)


def test_opencode_is_told_again_by_a_plugin_that_has_begun_anew(branch: Repo) -> None:
    """What the plugin adds to the system prompt is nowhere in the session."""
    for _ in range(2):
        assert context(sent(branch, opencode(branch, "SessionStart", source="resume")).answer) == ADDED
        assert context(sent(branch, opencode(branch, "UserPromptSubmit", prompt=PROMPT)).answer) == BROUGHT


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("edit", {"filePath": "{root}/src/pool.py", "oldString": "a", "newString": "b"}),
        ("write", {"filePath": "src/pool.py", "content": "x"}),
        ("Edit", {"path": "src/pool.py"}),
        ("apply_patch", {"command": "*** Begin Patch\n*** Update File: src/pool.py\n@@\n-a\n+b\n*** End Patch"}),
    ],
)
def test_a_file_that_was_changed_brings_what_cites_it_whatever_the_client_calls_the_tool(
    pool: Repo, tool: str, given: dict[str, str]
) -> None:
    given = {key: value.replace("{root}", str(pool.root)) for key, value in given.items()}
    answer = sent(pool, opencode(pool, "PostToolUse", tool_name=tool, tool_input=given)).answer
    assert context(answer) == f"curator: memories that cite src/pool.py:\n- [0a1b2c] {POOL}"


@pytest.mark.parametrize(
    "patch", ["*** Begin Patch\n*** End Patch", "*** Begin Patch\n*** Update File: ", "x", 7, None]
)
def test_a_patch_that_names_no_file_brings_nothing(pool: Repo, patch: object) -> None:
    fired = sent(pool, codex(pool, "PostToolUse", tool_name="apply_patch", tool_input={"command": patch}))
    assert (fired.out, fired.err) == ("", "")


def test_what_kimi_does_not_read_counts_as_unsaid(pool: Repo) -> None:
    edited = kimi(pool, "PostToolUse", tool_name="Edit", tool_input={"path": "src/pool.py"})
    assert recall.touched(visit(pool, edited)) is None
    assert sent(pool, kimi(pool, "UserPromptSubmit", prompt=parts(PROMPT))).out == f"{BROUGHT}\n"


@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionEnd"])
def test_a_session_of_codex_is_captured(pool: Repo, event: str) -> None:
    log = sessions.codex(pool.root)
    assert sent(pool, codex(pool, event, log, stop_hook_active=False)).out == ""
    assert becomes(lambda: texts(pool) == SAID)  # on a busy machine a child does the rest
    assert set(origins(pool, "agent")) == {"codex"}
    assert set(origins(pool, "session")) == {"01a22d77"}


@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionEnd"])
def test_a_session_of_kimi_is_found_by_its_name_and_captured(pool: Repo, event: str) -> None:
    sessions.kimi(pool.root)
    assert sent(pool, kimi(pool, event, stop_hook_active=False)).out == ""
    assert becomes(lambda: texts(pool) == SAID)  # on a busy machine a child does the rest
    assert set(origins(pool, "agent")) == {"kimi-code"}
    assert set(origins(pool, "session")) == {"878da42c"}
    assert origins(pool, "by") == ["tool", "user", "user", "user"]


@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionEnd"])
def test_a_session_of_opencode_is_read_by_a_child(pool: Repo, event: str) -> None:
    """The hook opens no database: SQLite waits for others."""
    path = sessions.opencode(pool.root)
    assert sent(pool, opencode(pool, event)).out == ""
    assert becomes(lambda: len(inbox(pool)) == 4)
    assert texts(pool) == SAID
    assert set(origins(pool, "agent")) == {"opencode"}
    assert becomes(lambda: not spool.load(pool.workspace, sessions.OPENCODE).due)
    assert spool.load(pool.workspace, sessions.OPENCODE).log == f"{path}#{sessions.OPENCODE}"
    assert not (pool.root / ".git/curator/hook.log").exists()


def origins(repo: Repo, name: str) -> list[str]:
    return sorted(found for text in inbox(repo).values() for found in re.findall(rf"^  {name}: (.*)$", text, re.M))


def test_nothing_of_sqlite_is_loaded_by_a_hook_for_opencode(pool: Repo) -> None:
    """It would cost a third of the time, and a lock might hold the client up."""
    sessions.opencode(pool.root)
    before = {name for name in sys.modules if "opencode" in name}
    watched = visit(pool, opencode(pool, "Stop"))
    capture.stopped(watched)
    assert {name for name in sys.modules if "opencode" in name} == before or "curator.edge.opencode" not in before
    assert watched.handed == [("sweep", "--session", sessions.OPENCODE)]


@pytest.mark.parametrize("make", [kimi, opencode])
def test_a_session_that_left_no_log_is_told_and_captures_nothing(pool: Repo, make: Any) -> None:
    fired = sent(pool, make(pool, "Stop"))
    assert "nothing is captured" in fired.err
    assert inbox(pool) == {}


def test_a_broken_database_is_told_in_the_log_by_the_child(pool: Repo) -> None:
    path = sessions.opencode(pool.root)
    path.write_text("nothing of the kind", encoding="utf-8")
    assert sent(pool, opencode(pool, "Stop")).out == ""
    log = pool.root / ".git/curator/hook.log"
    assert becomes(lambda: log.exists() and "cannot be read" in log.read_text())
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("session", ["../../etc", "a/b", "", "x" * 65, "a\0b"])
def test_a_session_with_a_name_that_leads_elsewhere_is_not_looked_for(pool: Repo, session: str) -> None:
    for make in (kimi, opencode):
        watched = visit(pool, {**make(pool, "Stop"), "session_id": session})
        assert watched.log == ""
        capture.stopped(watched)
        assert watched.handed == []


def test_the_newest_database_of_opencode_is_taken(pool: Repo) -> None:
    path = sessions.opencode(pool.root)
    preview = path.with_name("opencode-preview.db")
    preview.write_bytes(b"x")
    assert clients.log("opencode", "ses_1") == f"{preview}#ses_1"
    path.with_name("opencode.db-wal").write_bytes(b"y")
    assert clients.log("opencode", "ses_1") == f"{path}#ses_1"


def test_kimis_gate_sends_the_agent_back_in_its_own_words() -> None:
    block = {"decision": "block", "reason": "curator: store"}
    said = json.loads(clients.answer("kimi-code", "Stop", block))
    assert said == {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "curator: store"}}
    assert clients.answer("kimi-code", "Stop", {"systemMessage": "x"}) == b""
    assert clients.answer("kimi-code", "SessionStart", {"systemMessage": "x", "hookSpecificOutput": {}}) == b""


def configured(repo: Repo, name: str) -> Repo:
    repo.git("config", f"curator.{name}", "true")
    return repo


def test_a_model_is_asked_by_a_child_after_stop_where_the_users_settings_say_so(pool: Repo) -> None:
    log = sessions.codex(pool.root)
    watched = visit(pool, codex(pool, "Stop", log))
    capture.stopped(watched)
    assert watched.handed == []
    watched = visit(configured(pool, "modelCapture"), codex(pool, "Stop", log))
    capture.stopped(watched)
    assert watched.handed == [("sweep", "--session", sessions.CODEX, "--model")]
    watched = visit(pool, codex(pool, "SessionEnd", log))
    capture.ended(watched)
    assert watched.handed == [("sweep", "--session", sessions.CODEX, "--model", "--over")]
    watched = visit(pool, codex(pool, "SessionStart", source="startup"))
    start.begin(watched)
    assert watched.handed == [("sweep", "--model")]


def test_auto_memory_is_watched_from_the_start_of_a_session_where_the_users_settings_say_so(pool: Repo) -> None:
    watched = visit(pool, codex(pool, "SessionStart", source="startup"))
    start.begin(watched)
    assert watched.handed == []
    watched = visit(configured(pool, "autoMemory"), codex(pool, "SessionStart", source="startup"))
    start.begin(watched)
    assert watched.handed == [("sweep", "--watch")]


def test_a_repositorys_files_switch_neither_on(pool: Repo) -> None:
    pool.write("memories/curator.yaml", "capture:\n  gate: off\n# curator.modelCapture curator.autoMemory true\n")
    pool.write(".gitconfig", "[curator]\n\tmodelCapture = true\n\tautoMemory = true\n")
    pool.commit()
    pool.curator("recall", "pool")
    pool.curator("check")
    for payload, handler in (
        (codex(pool, "Stop", sessions.codex(pool.root)), capture.stopped),
        (codex(pool, "SessionStart", source="startup"), start.begin),
    ):
        watched = visit(pool, payload)
        handler(watched)
        assert watched.handed == []


ODD: tuple[object, ...] = (None, 7, -1.5, True, [], {}, [[]], [{}], "", "x" * 70_000, "\0", "\ud800", {"a": {"b": []}})


@pytest.mark.parametrize("client", ["opencode", "kimi_code_cli", "kimi", "other", 7, None, []])
def test_f13_no_shape_of_an_event_is_a_fault(pool: Repo, client: object) -> None:
    sessions.kimi(pool.root)
    for key in ("session_id", "prompt", "tool_input", "tool_name", "source", "transcript_path", "cwd"):
        for value in ODD:
            payload = {"session_id": "s1", "prompt": PROMPT, "tool_input": {"filePath": "a"}, key: value}
            for event, handler in HANDLERS.items():
                watched = visit(pool, {"hook_event_name": event, "client_type": client, **payload})
                handler(watched)
    assert inbox(pool) == {}


HANDLERS = {
    "SessionStart": start.begin,
    "UserPromptSubmit": recall.prompted,
    "PostToolUse": recall.touched,
    "SubagentStart": recall.subagent,
    "Stop": capture.stopped,
    "PreCompact": capture.compacting,
    "SessionEnd": capture.ended,
}
