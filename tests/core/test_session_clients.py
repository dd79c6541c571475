"""Lines of other clients' logs: what the real clients wrote, and shapes that they may take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.core import opencode, proposal, rollout, session
from curator.core.session import Said
from curator.edge import logs
from tests.sessions import DATABASE, OPENCODE, ROLLOUT, WIRE

TYPED = [
    "Never commit directly to the release branch. We decided to use Postgres instead of SQLite because of concurrent"
    " writers. Please look at app.py.",
    "Always close the pool handle before forking a worker.",
    "From now on run the linter before every commit, thanks.",
]
LOGS = {"codex": str(ROLLOUT), "kimi-code": str(WIRE), "opencode": f"{DATABASE}#{OPENCODE}"}


def spoken(name: str) -> Iterator[Said]:
    log = logs.opened(name)
    for _, line in log.lines(1 << 30, float("inf")):
        said = session.said(json.loads(line))
        if said:
            yield said
    log.close()


@pytest.mark.parametrize("agent", LOGS)
def test_only_what_the_person_typed_is_the_users(agent: str) -> None:
    """Of AGENTS.md, reminders, hooks' text, the environment and summaries nothing is the user's."""
    said = list(spoken(LOGS[agent]))
    assert [one.text for one in said if one.by == "user"] == TYPED
    assert {one.agent for one in said} == {agent}
    assert all(one.time.startswith("2026-11-30T17:") and one.time.endswith("Z") and one.uuid for one in said)


@pytest.mark.parametrize("agent", LOGS)
def test_what_the_agent_and_its_tools_said_is_theirs(agent: str) -> None:
    said = list(spoken(LOGS[agent]))
    assert "I read app.py. We always retry the flaky upload twice in this service." in [
        one.text for one in said if one.by == "agent"
    ]
    assert any("Always close the pool handle" in one.text for one in said if one.by == "tool")


@pytest.mark.parametrize("agent", LOGS)
def test_neither_a_hook_nor_a_summary_is_heard(agent: str) -> None:
    """What curator put into the prompt comes from nobody; the summary of a compaction says nothing anew."""
    said = [one.text for one in spoken(LOGS[agent])]
    assert not any("wombat" in one or "store what you learned" in one or "AGENTS" in one for one in said)
    assert not any("summary" in one.lower() and "SUMMARY: never do" not in one for one in said)


@pytest.mark.parametrize(
    ("agent", "called"),
    [
        ("codex", [("Bash", "cat app.py")]),
        ("kimi-code", [("Read", "app.py")]),
        ("opencode", [("Read", "/home/ann/shop/app.py"), ("Write", "/home/ann/shop/b.txt")]),
    ],
)
def test_tools_are_named_alike(agent: str, called: list[tuple[str, str]]) -> None:
    log = logs.opened(LOGS[agent])
    found = [tool for _, line in log.lines(1 << 30, float("inf")) for tool in session.tools(json.loads(line))]
    assert found == called
    assert all(any(sign in line for sign in session.CALLS) for _, line in lines_that_call(agent))


def lines_that_call(agent: str) -> Iterator[tuple[int, bytes]]:
    log = logs.opened(LOGS[agent])
    return ((at, line) for at, line in log.lines(1 << 30, float("inf")) if session.tools(json.loads(line)))


@pytest.mark.parametrize("agent", LOGS)
def test_every_line_of_others_bears_a_sign_of_theirs(agent: str) -> None:
    """Without one, a sentence that an agent said before would pass as the user's."""
    log = logs.opened(LOGS[agent])
    for _, line in log.lines(1 << 30, float("inf")):
        said = session.said(json.loads(line))
        if said and said.by != session.USER:
            assert any(sign in line.lower() for sign in session.OTHERS), line


def item(**payload: object) -> dict[str, object]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": "message", **payload}}


def asked(text: str, kind: str | None) -> dict[str, object]:
    about = {} if kind is None else {"internal_chat_message_metadata_passthrough": {"content_item_kinds": [kind]}}
    return item(role="user", content=[{"type": "input_text", "text": text}], **about)


@pytest.mark.parametrize(
    ("text", "kind", "heard"),
    [
        ("Never push.", "user.text", "Never push."),
        ("Never push.", "unknown", ""),
        ("Never push.", "hooks.additional_context", ""),
        ("Never push.", None, "Never push."),
        ("# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nNever push.", None, ""),
        ("<environment_context>\n  <cwd>/a</cwd>", None, ""),
        ("<user_shell_command>\n<command>\nrm", "user.text", ""),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.py: Never x\n\n## My request for Codex:\nNever push.",
            "user.text",
            "Never push.",
        ),
    ],
)
def test_a_rollout_tells_what_was_typed_also_an_older_one_that_does_not_mark_it(
    text: str, kind: str | None, heard: str
) -> None:
    said = session.said(asked(text, kind))
    assert (said.text.strip() if said else "") == heard


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"type": "function_call_output", "output": "plain"}, "plain"),
        ({"type": "function_call_output", "output": '{"output":"a\\nb","metadata":{}}'}, "a\nb"),
        ({"type": "custom_tool_call_output", "output": [{"type": "input_text", "text": "part"}]}, "part"),
        ({"type": "function_call_output", "output": {"content": [{"text": "inner"}]}}, "inner"),
        ({"type": "reasoning", "summary": [{"text": "no"}]}, ""),
    ],
)
def test_what_tools_put_out_in_a_rollout_is_read_in_each_of_its_forms(payload: dict[str, object], text: str) -> None:
    said = session.said({"type": "response_item", "payload": payload})
    assert (said.text if said else "") == text
    assert said is None or said.by == "tool"


def test_a_rollout_that_another_agent_began_is_known_by_its_first_line() -> None:
    assert rollout.is_subagents({"payload": {"source": {"subagent": "review"}}})
    assert rollout.is_subagents({"payload": {"source": "exec", "thread_source": "subagent"}})
    assert not rollout.is_subagents({"payload": {"source": "exec", "thread_source": "user"}})
    assert not rollout.is_subagents({"payload": {"source": "cli"}})


@pytest.mark.parametrize("kind", ["skill_activation", "system_trigger", "cron_job", "task", "hook_result", None])
def test_kimi_prompts_that_nobody_typed_are_not_heard(kind: str | None) -> None:
    line = {"type": "turn.prompt", "input": [{"type": "text", "text": "Never push."}], "origin": {"kind": kind}}
    assert session.said(line) is None
    assert session.said({**line, "origin": {"kind": "user"}}) is not None
    assert session.said({**line, "type": "turn.steer", "origin": {"kind": "user"}}) is not None


def test_a_summary_says_nothing_anew() -> None:
    """A person who says such a sentence later would not be the first, but the summary has it from that person."""
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Never push."}]}
    line: dict[str, object] = {"type": "response_item", "payload": answer}
    assert session.said(line) is not None
    assert session.said({**line, "metadata": {"compaction_output": True}}) is None
    part: dict[str, object] = {"type": "text", "text": "Never push."}
    assert len(list(opencode.lines("m", "s", "/a", {"role": "assistant"}, [part]))) == 1
    assert list(opencode.lines("m", "s", "/a", {"role": "assistant", "summary": True}, [part])) == []
    assert len(list(opencode.lines("m", "s", "/a", {"role": "user", "summary": {"diffs": []}}, [part]))) == 1


def message(text: str, **more: object) -> list[Said | None]:
    lines = opencode.lines("m", "s", "/a", {"role": "user"}, [{"type": "text", "text": text, **more}])
    return [session.said(line) for line in lines]


def test_parts_that_opencode_wrote_itself_or_kept_from_the_model_are_not_typed() -> None:
    assert message("Never push.", synthetic=True) == []
    assert message("Never push.", ignored=True) == []
    assert [said.text for said in message("Never push.") if said] == ["Never push."]
    assert message("<system-reminder>Never push.") == [None]


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ('"Never push."', "Never push."),
        (r'"Say \"no\" twice"', 'Say "no" twice'),
        ('"a" and "b"', '"a" and "b"'),
        ('"', '"'),
    ],
)
def test_the_quotes_of_opencode_run_are_taken_off(written: str, typed: str) -> None:
    assert [said.text for said in message(written) if said] == [typed]


@pytest.mark.parametrize("source", [ROLLOUT, WIRE])
def test_no_shape_of_a_record_is_a_fault(source: Path) -> None:
    """Whatever stands where: every value of every line replaced by each kind of value."""
    for line in source.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        for changed in mangled(record):
            session.said(changed)
            session.tools(changed)
            session.place(changed)


OTHER: tuple[object, ...] = (None, 7, 1e300, True, "x", [], {}, [[]], [{}])


def mangled(value: object) -> Iterator[object]:
    yield from OTHER
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: one} for one in mangled(inner))
    elif isinstance(value, list):
        for number, inner in enumerate(value[:2]):
            yield from ([*value[:number], one, *value[number + 1 :]] for one in mangled(inner))


def test_a_session_keeps_the_part_of_its_name_that_tells_it_from_others() -> None:
    assert proposal.short("session_878da42c-cdc0-48a9") == "878da42c"
    assert proposal.short("ses_dd28558a8ffeE2NIq8BvOR6JcC") == "dd28558a"
    assert proposal.short("01a22d77-939c-73b1") == "01a22d77"
