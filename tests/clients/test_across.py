"""What one agent learned, another knows: written in a session of each client, accepted by a person, read in the next.

Three ways lead into the inbox: the agent calls save_memory, it runs `curator add --propose` in its shell, and the user
says it in a prompt, where the hook hears it. Two lead out of the store: the block, and a search over MCP.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.clients.agents import AGENTS
from tests.clients.sandbox import Sandbox
from tests.clients.wired import asked

CALLED = "The nightly export holds a lock on the orders table until half past two."
RAN = "The port in src/app.py is what the firewall lets through."
SAID = "Never load the seed data into the shared database, use the container from compose.yaml."
WIRING = {"claude": "--claude --mcp", "opencode": "--opencode", "codex": "--codex", "kimi": "--kimi"}
NAMES = {"claude": "claude-code", "opencode": "opencode", "codex": "codex", "kimi": "kimi-code"}
RING = [("claude", "codex"), ("codex", "kimi"), ("kimi", "opencode"), ("opencode", "claude")]


def together(box: Sandbox, *clients: str) -> None:
    """A repository whose blocks are read by every client, each client wired to it; gotchas find no place in a block."""
    box.write("src/app.py", "PORT = 8080\n")
    box.write("compose.yaml", "services: {}\n")
    box.sh(f"curator init --target CLAUDE.md --target AGENTS.md {' '.join(WIRING[name] for name in clients)}")
    settings = (box.project / "memories/curator.yaml").read_text(encoding="utf-8")
    box.write("memories/curator.yaml", settings.replace("gotcha: 300", "gotcha: 1"))
    box.sh("git add -A && git commit -qm init && curator recall x")


def inbox(box: Sandbox) -> dict[str, dict[str, Any]]:
    """Key and proposal of what waits."""
    found = (box.project / ".git/curator/inbox").glob("*.yaml")
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in found}


def waiting(box: Sandbox, number: int) -> dict[str, dict[str, Any]]:
    """The inbox, once it holds so many: what a session leaves over is done by a child of its own."""
    until = time.monotonic() + 15
    while len(inbox(box)) < number and time.monotonic() < until:
        time.sleep(0.1)
    return inbox(box)


@pytest.mark.parametrize(("writer", "reader"), RING, ids=["-".join(pair) for pair in RING])
def test_what_one_agent_wrote_another_reads(having: Callable[..., Sandbox], writer: str, reader: str) -> None:
    box = having(writer, reader)
    together(box, writer, reader)
    agent = AGENTS[writer]
    saving = agent.calls("save_memory", text=CALLED, category="gotcha", importance=6, tags=["export", "lock"])
    proposing = agent.runs(f"curator add --propose '{RAN}' --category decision --source src/app.py")

    taking = agent.runs("curator accept --all")
    wrote = box.session(writer, SAID, script=[saving, proposing, taking, {"text": "Noted."}])

    assert wrote.code == 0, wrote.err
    assert "is a person's decision" in wrote.read(-1)
    found = waiting(box, 3)
    by = {one["text"].strip(): one["origin"] for one in found.values()}
    assert set(by) == {CALLED, RAN, SAID}, wrote.out[-3_000:]
    assert {by[text]["agent"] for text in by} == {NAMES[writer]}
    assert [by[text]["by"] for text in (CALLED, RAN, SAID)] == ["agent", "agent", "user"]
    assert box.sh("git status --porcelain") == "", "nothing is anywhere but in the inbox"

    box.sh(f"curator accept {' '.join(found)} && curator render && git commit -qm accepted && curator recall x")
    assert inbox(box) == {}

    looking = AGENTS[reader].calls("search_memory", queries=["orders table locked at night", "nightly export"])
    read = asked(box, reader, "Tell me about zebras.", script=[looking, {"text": "Found."}])

    assert read.code == 0, read.err
    for text in (RAN, SAID):
        assert read.read(0).count(text) == 1, "in the block"
    assert CALLED not in read.read(0)
    assert CALLED in read.read(-1), "over MCP"
