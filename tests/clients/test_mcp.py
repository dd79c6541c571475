"""`curator mcp`, started from the `.mcp.json` that `init --mcp` writes: by Claude Code, and by the inspector's CLI."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.clients.agents import CLAUDE
from tests.clients.sandbox import Run, Sandbox

PORT = "The firewall lets through what `PORT = 8080` says, and nothing else."
SEED = "Never load the seed data into the shared database."
LEARNED = "The nightly export holds a lock on the orders table until half past two."
TOOLS = {"search_memory", "save_memory", "forget_memory", "list_stale", "find_route"}


def serving(box: Sandbox) -> Sandbox:
    """A memory that holds, one that the code has left behind, and the server in `.mcp.json`."""
    box.write("src/app.py", "PORT = 8080\n")
    box.sh(
        "curator init && git add -A && git commit -qm init"
        f" && curator add {PORT!r} --category gotcha --source src/app.py#PORT"
        f" && curator add {SEED!r} --category constraint && curator render && git add -A && git commit -qm memories"
    )
    box.write("src/app.py", "PORT = 9090\n")
    box.sh("git commit -qam changed && curator init --mcp")
    box.sh(
        'grep -q alwaysLoad .mcp.json || sed -i \'s/"command"/"alwaysLoad": true, "command"/\' .mcp.json'
    )  # TEMPORARY
    return box


@pytest.fixture
def box(having: Callable[..., Sandbox]) -> Sandbox:
    return serving(having("claude"))


@pytest.fixture
def inspected(having: Callable[..., Sandbox]) -> Sandbox:
    return serving(having("inspector"))


def proposals(box: Sandbox) -> list[dict[str, Any]]:
    found = sorted((box.project / ".git/curator/inbox").glob("*.yaml"))
    return [yaml.safe_load(path.read_text(encoding="utf-8")) for path in found]


def named(box: Sandbox, text: str) -> str:
    """The id of the memory that says it."""
    listed = json.loads(box.sh("curator list --json"))["entries"]
    (name,) = [entry["id"] for entry in listed if entry["text"].strip() == text]
    return str(name)


def test_the_agent_is_told_how_to_use_it_searches_and_proposes(box: Sandbox) -> None:
    """What it saves waits for a person, even where agents may act as one in a shell."""
    box.sh("git config curator.agentsMay true")
    before = box.sh("git status --porcelain")
    asked = {"text": LEARNED, "why": "A deploy at two failed on it.", "importance": 8, "tags": ["export", "lock"]}
    script = [
        CLAUDE.calls("search_memory", queries=["which port does the firewall open", "PORT"], files=["src/app.py"]),
        CLAUDE.calls("save_memory", category="gotcha", files=["src/app.py"], **asked),
        CLAUDE.calls("forget_memory", id=named(box, PORT), reason="The port is 9090 now."),
        CLAUDE.calls("list_stale"),
        CLAUDE.calls("search_memory", queries=[LEARNED]),
        {"text": "done"},
    ]

    run = box.claude("look around", script=script)

    assert run.code == 0, run.err
    begin, _, end = instructions().partition("\n\n")
    assert begin in run.read(0) and end[-60:] in run.read(0), "before the first turn, and not cut"
    assert {CLAUDE.tool.format(name) for name in ("search_memory", "save_memory")} <= run.tools()

    found, saved, forgotten, stale, again = (answer(run, number) for number in range(1, 6))
    assert "lets through what" in found and "stale" in found and "src/app.py" in found
    assert "curator review" in saved
    assert "error" not in forgotten.lower()
    assert "lets through what" in stale and SEED not in stale
    assert "half past two" not in again, "what waits is no memory"

    new, ending = sorted(proposals(box), key=lambda one: "retired" in one)
    assert new["text"].strip() == LEARNED
    assert (new["importance"], new["tags"]) == (8, ["export", "lock"])
    assert ending["retired"]["reason"] == "The port is 9090 now."
    for one in (new, ending):
        assert (one["origin"]["by"], one["origin"]["agent"]) == ("agent", "claude-code")
    assert box.sh("git status --porcelain") == before


def instructions() -> str:
    from curator.server import guide

    return guide.INSTRUCTIONS


def answer(run: Run, number: int) -> str:
    """What a tool answered: the first, second ... result that the model was sent."""
    parts = (part for message in run.turns[-1]["messages"] for part in message["content"])
    results = [part for part in parts if isinstance(part, dict) and part["type"] == "tool_result"]
    return json.dumps(results[number - 1]["content"], ensure_ascii=False)


def test_the_agent_reads_an_entry_and_the_prompt_shows_what_waits(box: Sandbox) -> None:
    box.sh(f"curator add --propose {LEARNED!r}")
    reading = {"server": "curator", "uri": f"memory://{named(box, SEED)}"}
    script: list[dict[str, Any]] = [
        {"tool": "ReadMcpResourceTool", "input": reading},
        {"text": "read"},
        {"text": "shown"},
    ]

    run = box.claude("read it", "/mcp__curator__review", script=script)

    assert SEED in answer(run, 1)
    assert LEARNED in run.read(2) and LEARNED not in run.read(1)
    assert len(proposals(box)) == 1, "a prompt decides nothing"


def test_a_folder_below_finds_the_same_memories(box: Sandbox) -> None:
    script = [CLAUDE.calls("search_memory", queries=["seed data"]), {"text": "done"}]
    assert SEED in answer(box.claude("look", script=script, folder=box.project / "src"), 1)


def asked(box: Sandbox, *words: str) -> dict[str, Any]:
    """What the server answered the inspector, which starts it as `.mcp.json` says."""
    run = box.inspector("--config", str(box.project / ".mcp.json"), "--server", "curator", *words)
    assert run.code == 0, run.out + run.err
    told: dict[str, Any] = json.loads(run.out)
    return told


def test_the_inspector_lists_tools_that_every_client_can_take(inspected: Sandbox) -> None:
    """With `--strict` it ends with 6 where a schema is one that some client refuses."""
    listed = asked(inspected, "--method", "tools/list", "--strict")
    assert {tool["name"] for tool in listed["tools"]} == TOOLS
    assert all(0 < len(tool["description"]) <= 2_048 for tool in listed["tools"])


def test_the_inspector_reads_entries_and_the_prompt(inspected: Sandbox) -> None:
    rows = asked(inspected, "--method", "resources/list")["resources"]
    (uri,) = [row["uri"] for row in rows if row["uri"] == f"memory://{named(inspected, SEED)}"]
    (content,) = asked(inspected, "--method", "resources/read", "--uri", uri)["contents"]
    assert SEED in content["text"]
    (prompt,) = asked(inspected, "--method", "prompts/list")["prompts"]
    told = asked(inspected, "--method", "prompts/get", "--prompt-name", prompt["name"])
    assert prompt["name"] == "review" and told["messages"]


def test_the_inspector_calls_tools(inspected: Sandbox) -> None:
    queries = json.dumps(["which port does the firewall open", "PORT"])
    calling = ("--method", "tools/call", "--tool-name")
    found = asked(inspected, *calling, "search_memory", "--tool-arg", f"queries={queries}")
    assert "lets through what" in found["content"][0]["text"] and "STALE" in found["content"][0]["text"]

    assert not asked(inspected, *calling, "save_memory", "--tool-arg", f"text={LEARNED}").get("isError")
    (one,) = proposals(inspected)
    assert (one["text"].strip(), one["origin"]["by"]) == (LEARNED, "agent")
