"""A home, a repository and an environment made from nothing, in which real clients of agents run offline.

    box = Sandbox(tmp_path, "claude")
    run = box.claude("hello", script=[{"text": "hi"}])
    assert "..." in run.read(0)          # what the model read with the first request

Each run has a network namespace of its own (util-linux `unshare`) with nothing up but loopback.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.clients import agents
from tests.clients.agents import AGENTS, CLAUDE, MODEL, PORT, TITLES
from tests.clients.model import offered, read_by_the_model
from tests.clients.terminal import visible

ROOT = Path(__file__).parent.parent.parent
SECONDS = 120
WHO = {
    f"GIT_{role}_{fact}": value
    for role in ("AUTHOR", "COMMITTER")
    for fact, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


@cache
def isolation() -> tuple[str, ...]:
    """The words that start a command in a network namespace of its own; none where that cannot be had."""
    tool = shutil.which("unshare")
    words = () if tool is None else (tool, "-n") if os.geteuid() == 0 else (tool, "-r", "-n")
    works = words and subprocess.run([*words, "true"], capture_output=True).returncode == 0
    return words if works else ()


def missing(*names: str) -> str:
    """Why one of these programs cannot be run here, "" where all can."""
    wanted = [*names, *(["node"] if {"kimi", "inspector"} & {*names} else [])]
    for name in wanted:
        if agents.program(name) is None:
            return f"{TITLES[name]} is not installed: AGENT_CLIENTS_DIR leads to no {name} (.ci/run installs it)"
    if not isolation():
        return "no network namespace can be made here (util-linux unshare, as root or with user namespaces)"
    return "" if shutil.which("curator-hook", path=_path()) else "curator-hook is not installed beside this Python"


def _path(*more: str) -> str:
    return os.pathsep.join([*more, str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])


@dataclass(frozen=True)
class Run:
    """How a client ended, what it said, and the requests that the model got."""

    code: int
    out: str
    err: str
    requests: tuple[dict[str, Any], ...]

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The requests of the agent's own loop, which alone offer tools."""
        return [body for body in self.requests if body.get("tools")]

    def read(self, number: int) -> str:
        """What the model read with a request of that loop."""
        return read_by_the_model(self.turns[number])

    def tools(self, number: int = 0) -> set[str]:
        """The tools that a request of that loop offers."""
        return offered(self.turns[number])

    @property
    def screen(self) -> str:
        """What a terminal showed, without its control sequences and blanks."""
        return visible(self.out)


class Sandbox:
    """Everything below one folder: *home*, where the named clients are set up, and the repository *project*."""

    def __init__(self, root: Path, *clients: str) -> None:
        self.home, self.project, self._temporary = root / "home", root / "project", root / "tmp"
        for folder in (self.home, self.project, self._temporary):
            folder.mkdir(parents=True)
        self.path = _path()
        self.sh("git init -q -b main")
        for name in clients:
            for path, text in AGENTS[name].files.items() if name in AGENTS else ():
                self.write(path, text, folder=self.home)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": self.path,
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TMPDIR": str(self._temporary),
            "CLAUDE_CODE_TMPDIR": str(self._temporary),
            "GIT_CONFIG_NOSYSTEM": "1",
            "ANTHROPIC_API_KEY": "dummy",
            "ANTHROPIC_BASE_URL": MODEL,
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MCP_CONNECT_TIMEOUT_MS": "60000",  # this machine may have more to do
            "IS_SANDBOX": "1",  # lets root skip questions about permissions
            **WHO,
        }

    def write(self, name: str, text: str, *, folder: Path | None = None) -> Path:
        path = (folder or self.project) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def sh(self, script: str, *, ok: bool = True) -> str:
        """What a person's shell in the repository prints."""
        done = subprocess.run(
            ["/bin/sh", "-euc", script], cwd=self.project, env=self.environment, capture_output=True, text=True
        )
        assert not ok or done.returncode == 0, done.stderr
        return done.stdout

    def offline(
        self,
        *command: str,
        script: Sequence[Mapping[str, Any]] = (),
        more: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Run:
        """Any command beside the scripted model, which is at `agents.MODEL`."""
        return self._run([list(command)], script, more, folder=folder)

    def cli(self, *words: str, folder: Path | None = None) -> Run:
        """A subcommand of Claude Code, such as `plugin list`."""
        return self.offline(*CLAUDE.started(), *words, folder=folder)

    def inspector(self, *words: str) -> Run:
        """The MCP inspector's command line."""
        return self.offline(*agents.on_node("inspector"), "--cli", *words)

    def session(self, name: str, *turns: str, script: Sequence[Mapping[str, Any]] = (), **options: Any) -> Run:
        """A session of the client with this name, without a terminal: one turn after the other, then its end."""
        run: Run = getattr(self, name)(*turns, script=script, **options)
        return run

    def claude(
        self,
        *turns: str,
        script: Sequence[Mapping[str, Any]] = (),
        more: Mapping[str, str] | None = None,
        words: Sequence[str] = (),
        folder: Path | None = None,
    ) -> Run:
        """A session of Claude Code, in one process. *more* adds variables."""
        options = ("-p", "--verbose", "--permission-mode", "bypassPermissions")
        form = ("--output-format", "stream-json", "--input-format", "stream-json")
        command = [*CLAUDE.started(), *options, *form, *words]
        return self._run([command], script, more, turns=turns, folder=folder)

    def opencode(self, *turns: str, **options: Any) -> Run:
        """A session of OpenCode, whose user has the scripted model as provider. Ten seconds or more for each turn."""
        return self._turns("opencode", turns, **options)

    def codex(self, *turns: str, **options: Any) -> Run:
        """A session of Codex, which trusts this user's hooks unasked."""
        return self._turns("codex", turns, **options)

    def kimi(self, *turns: str, **options: Any) -> Run:
        """A session of Kimi Code, run by the Node that it wants."""
        return self._turns("kimi", turns, **options)

    def _turns(
        self,
        name: str,
        turns: Sequence[str],
        *,
        script: Sequence[Mapping[str, Any]] = (),
        more: Mapping[str, str] | None = None,
        words: Sequence[str] = (),
        folder: Path | None = None,
    ) -> Run:
        agent = AGENTS[name]
        return self._run(agent.commands(turns, words), script, {**agent.environment, **(more or {})}, folder=folder)

    def typed(self, prompt: str, answer: str) -> Run:
        """A session in a terminal, in a folder that the user trusts: a prompt, the model's one word, the end."""
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}},
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
        }
        self.write(".claude/.claude.json", json.dumps(state), folder=self.home)
        steps = (("shift+tab", prompt), (visible(prompt), "\r"), (f"●{answer}", "/exit"), ("ExittheCLI", "\r"))
        return self._run([CLAUDE.started()], [{"text": answer}], steps=steps)

    def transcripts(self) -> list[Path]:
        """The logs of Claude Code's sessions, oldest first."""
        found = (self.home / ".claude" / "projects").glob("*/*.jsonl")
        return sorted(found, key=lambda path: path.stat().st_mtime)

    def _run(
        self,
        commands: Sequence[Sequence[str]],
        script: Sequence[Mapping[str, Any]] = (),
        more: Mapping[str, str] | None = None,
        *,
        turns: Sequence[str] = (),
        steps: Sequence[tuple[str, str]] = (),
        folder: Path | None = None,
    ) -> Run:
        order = {
            "commands": commands,
            "environment": {**self.environment, **(more or {})},
            "folder": str(folder or self.project),
            "script": script,
            "port": PORT,
            "turns": turns,
            "steps": steps,
            "seconds": SECONDS,
        }
        done = subprocess.run(
            [*isolation(), sys.executable, "-m", "tests.clients.inside"],
            cwd=ROOT,
            input=json.dumps(order),
            capture_output=True,
            text=True,
            timeout=SECONDS + 30,
        )
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        return Run(told["code"], told["out"], told["err"], tuple(told["requests"]))
