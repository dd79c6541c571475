"""The clients that are run: where each is installed, what its user has set up, and how it is started and scripted."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CLIENTS = os.environ.get("AGENT_CLIENTS_DIR", "")  # read now: tests run without the variables of agents
PORT = 4141  # of the scripted model: each run has a network of its own
MODEL = f"http://127.0.0.1:{PORT}"


@dataclass(frozen=True)
class Agent:
    """A client without a terminal: one process a turn, the prompt its last word.

    *first* and *later* are the words of a session's first turn and of those that go on with it; *files* lie in the
    user's home; *tool* is what the model calls a tool of our MCP server. A *hasty* client asks the model before its
    servers are up.
    """

    name: str
    title: str
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    tool: str = ""
    namespace: str = ""
    shell: str = ""
    wants_node: bool = False
    hasty: bool = False

    def calls(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The reply with which the model calls a tool of our MCP server."""
        group = {"namespace": self.namespace} if self.namespace else {}
        late = {"once": tool, "meanwhile": self.runs("sleep 1")} if self.hasty else {}
        return {"tool": self.tool.format(tool), "input": arguments, **group, **late}

    def runs(self, command: str) -> dict[str, Any]:
        """The reply with which the model runs a command in its shell."""
        key = "cmd" if self.shell == "exec_command" else "command"
        more = {} if self.shell == "exec_command" else {"description": "run"}
        return {"tool": self.shell, "input": {key: command, **more}}

    def commands(self, turns: Sequence[str], words: Sequence[str]) -> list[list[str]]:
        started = self.started()
        return [[*started, *(self.later if i else self.first), *words, turn] for i, turn in enumerate(turns)]

    def started(self) -> list[str]:
        """The words that start the program."""
        return on_node(self.name) if self.wants_node else [str(program(self.name))]


def on_node(name: str) -> list[str]:
    """The words that run a program with the Node that is installed beside it."""
    path = program(name)
    assert path, name
    return [str(program("node")), str(path.resolve())]


def program(name: str) -> Path | None:
    """What .ci/run installed under this name in the folder that AGENT_CLIENTS_DIR leads to."""
    bins = {"inspector": "mcp-inspector"}
    path = Path(CLIENTS) / name / "node_modules" / ".bin" / bins.get(name, name)
    return path if CLIENTS and path.exists() else None


CLAUDE = Agent("claude", "Claude Code", tool="mcp__curator__{}", shell="Bash")

OPENCODE = Agent(
    "opencode",
    "OpenCode",
    environment={
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "npm_config_fetch_retries": "0",  # it asks npm for its plugin package, and would ask for over a minute
    },
    files={
        ".config/opencode/opencode.json": json.dumps(
            {
                "autoupdate": False,
                "share": "disabled",
                "model": "fake/fake-model",
                "permission": {"*": "allow"},
                "provider": {
                    "fake": {
                        "npm": "@ai-sdk/openai-compatible",
                        "name": "Fake",
                        "options": {"baseURL": f"{MODEL}/v1", "apiKey": "dummy"},
                        "models": {"fake-model": {"name": "Fake", "limit": {"context": 200_000, "output": 4_000}}},
                    }
                },
            },
            indent=2,
        )
    },
    first=("run", "--format", "json"),
    later=("run", "-c", "--format", "json"),
    tool="curator_{}",
    shell="bash",
)

CODEX = Agent(
    "codex",
    "Codex",
    environment={"FAKE_KEY": "dummy"},
    files={
        ".codex/config.toml": f"""\
# written by the user
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "Fake"
base_url = "{MODEL}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
""",
        ".profile": f'PATH="{Path(sys.executable).parent}:$PATH"\n',  # its shell is a login shell
    },
    first=("exec", "--json", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"),
    later=(
        *("exec", "resume", "--last", "--json"),
        *("--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"),
    ),
    tool="{}",
    namespace="mcp__curator",
    shell="exec_command",
    hasty=True,
)

KIMI = Agent(
    "kimi",
    "Kimi Code",
    files={
        ".kimi-code/config.toml": f"""\
# written by the user
default_model = "fake"
telemetry = false

[providers.fake]
type = "openai"
base_url = "{MODEL}/v1"
api_key = "dummy"

[models.fake]
provider = "fake"
model = "fake-model"
max_context_size = 200000
"""
    },
    first=("--output-format", "stream-json", "-p"),
    later=("-c", "--output-format", "stream-json", "-p"),
    tool="mcp__curator__{}",
    shell="Bash",
    wants_node=True,
)

AGENTS = {agent.name: agent for agent in (CLAUDE, OPENCODE, CODEX, KIMI)}
TITLES = {name: agent.title for name, agent in AGENTS.items()} | {"inspector": "The MCP inspector", "node": "Node 24"}
