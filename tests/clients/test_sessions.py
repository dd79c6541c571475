"""From what a user says in a session, through review, to what the next session is told; with the real client."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests.clients.sandbox import Run, Sandbox

STATED = "Never load the seed data into the shared database, use the container from compose.yaml."
ABOUT = "How do I load the seed data for a test run?"
SUMMARY = {"match": "followed by a <summary>", "text": "<summary>They talked about zebras.</summary>"}
SETTINGS = "memories/curator.yaml"

Script = Sequence[Mapping[str, Any]]


def inbox(box: Sandbox) -> list[str]:
    return sorted(path.stem for path in (box.project / ".git/curator/inbox").glob("*.yaml"))


def waits(box: Sandbox, number: int) -> list[str]:
    """The keys that wait, once there are so many: what a session leaves over is done by a child of its own."""
    until = time.monotonic() + 10
    while len(inbox(box)) < number and time.monotonic() < until:
        time.sleep(0.1)
    assert len(inbox(box)) == number, inbox(box)
    return inbox(box)


def settles(box: Sandbox) -> None:
    """Let children end their work, then do what is left as the next session's start would."""
    time.sleep(1.0)
    box.sh("curator sweep")


def setting(box: Sandbox, change: Callable[[str], str]) -> None:
    text = (box.project / SETTINGS).read_text(encoding="utf-8")
    assert change(text) != text
    box.write(SETTINGS, change(text))
    box.sh("git add -A && curator render && git add -A && git commit -qm settings && curator recall x")


def remembered(box: Sandbox, *, shown: bool = True) -> None:
    """A constraint that is accepted; with *shown* the block has it, else its budget is too small."""
    if not shown:
        setting(box, lambda text: text.replace("constraint: 500", "constraint: 1"))
    box.sh(f"curator add {STATED!r} --category constraint && curator render && git add -A && git commit -qm memory")
    box.sh("curator recall x")  # hooks search what is there; a child makes what is not
    block = (box.project / "CLAUDE.md").read_text(encoding="utf-8")
    assert ("Never load the seed data" in block) == shown


def session(box: Sandbox, *turns: str, script: Script = ()) -> Run:
    """A session, held again where this machine was too slow for a hook: that ends in time, and silent."""
    for _ in range(3):
        box.sh("git checkout -q -- src && rm -f .git/curator/hook.log")
        run = box.claude(*turns, script=script)
        if "not done within" not in faults(box):
            break
    return run


def faults(box: Sandbox) -> str:
    path = box.project / ".git/curator/hook.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def told(run: Run, number: int = 0) -> int:
    """How often the model read the constraint with a request."""
    return run.read(number).count("Never load the seed data")


COMPACTIONS: dict[str, tuple[Sequence[str], Script, Mapping[str, str]]] = {
    "manual": ((STATED, "/compact keep zebras", "go on"), (SUMMARY,), {}),
    "auto": (
        (STATED, "go on", "and on"),
        (SUMMARY, *({"text": "ok", "usage": {"input_tokens": 90_000}} for _ in range(2))),
        {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"},
    ),
    "none": ((STATED,), (), {}),
}


@pytest.mark.parametrize("compaction", COMPACTIONS)
def test_what_a_session_states_is_reviewed_and_the_next_one_knows_it(box: Sandbox, compaction: str) -> None:
    box.write("compose.yaml", "services: {}\n")
    box.sh("git add -A && git commit -qm compose && curator recall x")
    turns, script, more = COMPACTIONS[compaction]

    run = box.claude(*turns, script=script, more=more)

    assert run.code == 0, run.err
    (key,) = waits(box, 1)
    settles(box)
    assert inbox(box) == [key], "once, however often it was read"
    if compaction != "none":
        compacted = box.transcripts()[0].read_text(encoding="utf-8")
        assert '"compact_boundary"' in compacted
        assert f'"trigger":"{compaction}"' in compacted
    assert box.sh("git status --porcelain") == "", "the work tree is as it was"
    assert STATED in box.sh("curator diff")

    box.sh(f"curator accept {key} && curator render && git commit -qm accepted")
    assert box.sh("git status --porcelain") == ""
    assert inbox(box) == []

    assert told(box.claude("hello", script=[{"text": "hi"}])) == 1


def test_a_prompt_about_a_memory_that_no_block_shows_brings_it_once(box: Sandbox) -> None:
    remembered(box, shown=False)

    run = session(box, "hello", ABOUT, f"And again: {ABOUT}", script=[{"text": "hi"}])

    assert [told(run, number) for number in range(3)] == [0, 1, 1], faults(box)


def test_a_subagent_is_told_what_its_session_was_told(box: Sandbox) -> None:
    remembered(box, shown=False)
    asked = {
        "description": "look",
        "prompt": "SUBTASK-7",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }

    run = session(box, ABOUT, script=[{"tool": "Agent", "input": asked}, {"text": "looked"}, {"text": "done"}])

    (mine,) = [number for number in range(len(run.turns)) if "SUBTASK-7" in run.read(number)]
    assert told(run, mine) == 1


def test_editing_a_file_says_which_memories_cite_it(box: Sandbox) -> None:
    box.sh(
        "curator add 'The port is what the firewall lets through.' --category gotcha --source src/app.py"
        " && git add -A && git commit -qm memory"
    )
    setting(box, lambda text: text.replace("gotcha: 300", "gotcha: 1"))

    run = session(box, "work", script=[*changing(box), {"text": "done"}])

    assert run.read(1).count("what the firewall lets through") == 0
    assert run.read(2).count("what the firewall lets through") == 1


def changing(box: Sandbox) -> Script:
    """Three calls of tools, one of which changes a file."""
    path = str(box.project / "src/app.py")
    return (
        {"tool": "Read", "input": {"file_path": path}},
        {"tool": "Edit", "input": {"file_path": path, "old_string": "8080", "new_string": "9090"}},
        {"tool": "Bash", "input": {"command": "git diff --stat", "description": "look"}},
    )


SENT_BACK = "nothing was stored since the last check"


def test_a_session_that_edits_and_stores_nothing_is_sent_back_exactly_once(box: Sandbox) -> None:
    setting(box, lambda text: re.sub("gate: \\S+", "gate: block", text, count=1))

    run = session(
        box, "work", "thanks", script=[*changing(box), {"text": "done"}, {"text": "nothing to keep"}, {"text": "bye"}]
    )

    assert [SENT_BACK in run.read(number) for number in range(len(run.turns))] == [False] * 4 + [True] * 2
    assert [run.read(number).count("Stop hook feedback:") for number in (4, 5)] == [1, 1]


def test_a_session_that_proposed_what_it_learned_is_not_sent_back(box: Sandbox) -> None:
    setting(box, lambda text: re.sub("gate: \\S+", "gate: block", text, count=1))
    command = "curator add --propose 'The port lives in src/app.py.' --category route --source src/app.py"
    proposing = {"tool": "Bash", "input": {"command": command, "description": "propose"}}

    run = session(box, "work", script=[*changing(box), proposing, {"text": "done"}])

    assert len(run.turns) == 5
    assert SENT_BACK not in run.read(-1)
    (key,) = waits(box, 1)
    proposal = (box.project / f".git/curator/inbox/{key}.yaml").read_text(encoding="utf-8")
    assert "claude-code" in proposal
    assert "by: agent" in proposal.replace("'", "").replace('"', "")


def test_without_a_gate_no_session_is_sent_back(box: Sandbox) -> None:
    run = session(box, "work", script=[*changing(box), {"text": "done"}])
    assert len(run.turns) == 4


def test_nothing_that_curator_told_a_session_is_proposed_back(box: Sandbox) -> None:
    remembered(box, shown=True)
    box.sh("curator add 'Always run the migrations before the tests.' --category convention")
    setting(box, lambda text: text.replace("convention: 400", "convention: 1"))
    bullet = {"text": f"From memory:\n- {STATED}\n- Always run the migrations before the tests."}
    reading = {"tool": "Bash", "input": {"command": "curator recall 'seed data' 'migrations'", "description": "x"}}
    prompts = (ABOUT, "When do I run the migrations, and what about the tests?", "/compact", "fine", ABOUT)

    run = session(box, *prompts, script=[SUMMARY, bullet, reading, bullet, bullet, bullet])

    assert "Always run the migrations" in run.read(1)
    settles(box)
    assert inbox(box) == []
    assert json.loads(box.sh("curator propose --all-sessions --dry-run --json"))["candidates"] == []
    assert box.sh("git status --porcelain") == ""


def test_a_user_who_repeats_it_in_own_words_is_heard_all_the_same(box: Sandbox) -> None:
    remembered(box, shown=True)
    box.claude("From now on always tag releases with a leading v, for example v1.2.0.", script=[{"text": "ok"}])
    waits(box, 1)


def test_the_user_sees_that_something_waits_and_the_model_does_not(box: Sandbox) -> None:
    box.sh("curator add --propose 'Ship on Fridays, never on Mondays.'")
    run = box.typed("hello", "pong")
    assert "1memorywaitsforreview.Run:curatorreview" in run.screen
    assert not any("memory waits" in run.read(number) for number in range(len(run.turns)))


def test_a_session_that_was_killed_is_read_when_the_next_one_starts(box: Sandbox) -> None:
    box.sh("curator recall x && curator check")  # or a child of the first session's start might read its log already
    killing = {"tool": "Bash", "input": {"command": "kill -9 $PPID", "description": "end"}}
    run = box.claude(STATED, script=[killing])
    assert run.code == -9
    assert inbox(box) == []

    box.claude("hello", script=[{"text": "hi"}])

    waits(box, 1)


def test_a_session_in_a_subfolder_is_heard_by_the_plugin(box: Sandbox) -> None:
    remembered(box, shown=False)
    run = box.claude(ABOUT, script=[{"text": "ok"}], folder=box.project / "src")
    assert told(run) == 1
    assert sorted(path.name for path in (box.project / "src").iterdir()) == ["app.py"]


def test_a_repository_that_is_not_set_up_is_left_alone(box: Sandbox) -> None:
    box.sh("git rm -rqf memories CLAUDE.md && git commit -qm away && rm -rf .git/curator")
    run = box.claude(STATED, ABOUT, script=[{"text": "ok"}])
    assert run.code == 0
    time.sleep(1.0)
    assert not (box.project / ".git/curator").exists()
