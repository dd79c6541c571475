"""hooks/opencode/curator.js without its client: what it sends and passes on, and how it takes a bad curator-hook."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curator.core import plugin

ROOT = Path(__file__).parent.parent
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(not NODE, reason="no node on PATH to run the plugin with")

RUN = """
import { Curator } from "./curator.mjs"
const shown = []
const showToast = async ({ body }) => {
  shown.push(body.message)
  throw new Error("no screen")
}
const client = { tui: { showToast } }
const hooks = await Curator({ client, directory: process.cwd() })
const read = async (sessionID, first = "You are OpenCode") => {
  const out = { system: [first] }
  await hooks["experimental.chat.system.transform"]({ sessionID, model: {} }, out)
  return out.system.slice(1)
}
const says = (sessionID, ...parts) => hooks["chat.message"]({ sessionID }, { parts })
const happens = (type, properties) => hooks.event({ event: { type, properties } })
const edits = (sessionID, tool) => hooks["tool.execute.after"]({ tool, sessionID, args: { filePath: "a" } }, {})
const results = {}
%s
await hooks.dispose()
console.log(JSON.stringify({ ...results, shown }))
"""

ANSWERING = f"""#!{sys.executable}
import json, sys
event = json.load(sys.stdin)
with open("events.jsonl", "a") as log:
    log.write(json.dumps(event) + "\\n")
told = {{"additionalContext": f"ABOUT {{event['hook_event_name']}} {{event.get('prompt', '')}}"}}
answer = {{"hookSpecificOutput": {{"hookEventName": event["hook_event_name"], **told}}}}
if event["hook_event_name"] == "SessionStart":
    answer["systemMessage"] = "2 memories wait"
print(json.dumps(answer))
"""


def run(folder: Path, steps: str, program: str = "") -> dict[str, Any]:
    """What the steps saw; *program* is the text of a curator-hook, "" for none."""
    path = folder / "curator-hook"
    if program:
        path.write_text(program, encoding="utf-8")
        path.chmod(0o755)
    shipped = (ROOT / "hooks/opencode/curator.js").read_text(encoding="utf-8")
    (folder / "curator.mjs").write_text(plugin.written(shipped, str(path)), encoding="utf-8")
    (folder / "run.mjs").write_text(RUN % steps, encoding="utf-8")
    done = subprocess.run([str(NODE), "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "it says nothing to the user's terminal"
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def events(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def test_each_event_is_sent_once_and_what_is_said_stays_before_the_model(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        """
        const made = { type: "text", text: "made", synthetic: true }
        await says("ses_1", { type: "text", text: "one" }, made, { type: "file" })
        results.first = await read("ses_1")
        await edits("ses_1", "read")
        await edits("ses_1", "edit")
        await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: [] })
        await says("ses_1", { type: "text", text: "two" })
        results.second = await read("ses_1")
        results.title = await read("ses_1", "You are a title generator. You output")
        results.other = await read("ses_2")
        results.none = await read(undefined)
        await happens("session.idle", { sessionID: "ses_1" })
        """,
        ANSWERING,
    )
    sent = events(tmp_path)
    assert [one["hook_event_name"] for one in sent] == [
        *("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "UserPromptSubmit", "Stop")
    ]
    assert {(one["client_type"], one["session_id"], one["cwd"]) for one in sent} == {
        ("opencode", "ses_1", str(tmp_path))
    }
    assert [one["prompt"] for one in sent if "prompt" in one] == ["one", "two"]
    assert (sent[2]["tool_name"], sent[2]["tool_input"]) == ("edit", {"filePath": "a"})
    assert told["first"] == ["ABOUT SessionStart \n\nABOUT UserPromptSubmit one"]
    assert told["second"][0].startswith(told["first"][0])
    assert told["second"][0].endswith("ABOUT UserPromptSubmit two")
    assert (told["title"], told["other"], told["none"]) == ([], [], [])
    assert told["shown"] == ["2 memories wait"]


def test_a_subagent_is_told_in_its_parents_name_and_a_deleted_session_forgotten(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        """
        await says("ses_1", { type: "text", text: "one" })
        await happens("session.created", { info: { id: "ses_child", parentID: "ses_1" } })
        await says("ses_child", { type: "text", text: "look" })
        await says("ses_child", { type: "text", text: "again" })
        await edits("ses_child", "edit")
        await happens("session.idle", { sessionID: "ses_child" })
        results.child = await read("ses_child")
        await happens("session.deleted", { info: { id: "ses_1" } })
        results.gone = await read("ses_1")
        """,
        ANSWERING,
    )
    sent = [(one["hook_event_name"], one["session_id"]) for one in events(tmp_path)]
    assert sent == [("SessionStart", "ses_1"), ("UserPromptSubmit", "ses_1"), ("SubagentStart", "ses_1")]
    assert told["child"] == ["ABOUT SubagentStart "]
    assert told["gone"] == []


STEPS = """
await says("ses_1", { type: "text", text: "one" })
await edits("ses_1", "write")
await happens("session.idle", { sessionID: "ses_1" })
await happens("session.error", undefined)
results.told = await read("ses_1")
"""


@pytest.mark.parametrize(
    "program",
    [
        "",
        "#!/nowhere/python\n",
        "#!/bin/sh\nexit 3\n",
        "#!/bin/sh\nexec 0<&-\necho '{'\n",
        "#!/bin/sh\ncat >/dev/null\necho null\n",
        '#!/bin/sh\ncat >/dev/null\necho \'{"hookSpecificOutput": {"additionalContext": 3}, "systemMessage": []}\'\n',
        "#!/bin/sh\nhead -c 3000000 /dev/zero\n",
    ],
)
def test_a_hook_that_is_missing_or_broken_changes_nothing(tmp_path: Path, program: str) -> None:
    assert run(tmp_path, STEPS, program) == {"told": [], "shown": []}


def test_a_hook_that_hangs_is_waited_for_no_longer_than_it_may(tmp_path: Path) -> None:
    began = time.monotonic()
    assert (
        run(tmp_path, 'await says("ses_1", { type: "text", text: "one" })', "#!/bin/sh\nexec sleep 60\n")["shown"] == []
    )
    assert time.monotonic() - began < 20


def test_what_one_session_is_told_has_an_end(tmp_path: Path) -> None:
    long = ANSWERING.replace("ABOUT {", "{'x' * 9000} {")
    told = run(
        tmp_path,
        """
        for (const text of ["a", "b", "c", "d", "e"]) await says("ses_1", { type: "text", text })
        results.told = await read("ses_1")
        """,
        long,
    )
    (text,) = told["told"]
    assert len(text) < 41_000
    assert text.endswith("UserPromptSubmit e") and "UserPromptSubmit a" not in text
