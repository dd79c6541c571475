"""docs/agents.md tells the truth: its commands run, its snippets are what `init` writes, its tests exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from curator.core import agents, clients, readers
from curator.edge import hooks
from tests.conftest import START, Repo

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/agents.md").read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.M | re.S)


@pytest.fixture
def ready(base: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repo:
    for name in ("curator", "curator-hook"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    monkeypatch.setattr(hooks, "program", lambda name="curator": str(tmp_path / name))
    base.curator("init")
    base.commit("init")
    return base


def test_the_commands_run_as_they_stand_and_name_the_files_that_they_write(ready: Repo) -> None:
    home = Path(os.environ["HOME"])
    for block in fenced("sh"):
        for line in block.strip().split("\n"):
            words = shlex.split(line, comments=True)[1:]
            result = ready.curator(*words)
            assert result.exit_code == (1 if words == ["doctor"] and result.exit_code else 0), result.output
            assert not result.exception or isinstance(result.exception, SystemExit)
            for path in re.findall(r"(?:~/)?[.\w/-]+\.(?:json|toml|js)\b", line.partition("#")[2]):
                full = home / path[2:] if path.startswith("~/") else ready.root / path
                assert full.exists(), f"{line}: {path}"
            for path in (words[at + 1] for at, word in enumerate(words) if word == "--target"):
                assert ("--remove" in words) != ((ready.root / path).exists() and START in ready.read(path))
    assert not ready.git("ls-files", "--others", "--exclude-standard")


def test_what_is_written_by_hand_is_what_init_writes_for_a_team(ready: Repo) -> None:
    ready.curator("init", "--mcp", "--opencode", "--codex", "--team")
    mine, opencode = (json.loads(one) for one in fenced("json"))
    assert json.loads(ready.read(".mcp.json")) == mine
    assert json.loads(ready.read("opencode.json"))["mcp"] == opencode["mcp"]
    grace, server, hook = (tomllib.loads(one) for one in fenced("toml"))
    assert tomllib.loads(ready.read(".codex/config.toml")) == server
    assert list(grace) == ["mcp_optional_startup_grace_ms"]
    assert hook["hooks"] == [{"event": "UserPromptSubmit", "command": clients.PROGRAM, "timeout": clients.TIMEOUT}]


def test_the_events_and_limits_are_those_of_the_code() -> None:
    listed = re.search(r"once for each of (.*?):", TEXT, re.S)
    assert listed and re.findall(r"[A-Z]\w+", listed[1]) == list(agents.KIMI)
    assert f"{readers.CODEX_BYTES:,}" in TEXT
    assert clients.CODEX.matchers["PostToolUse"] in TEXT
    assert set(clients.EVENTS) - set(clients.CODEX.events) == {"SubagentStart"}


def test_the_tests_that_prove_the_table_are_there() -> None:
    row = next(line for line in TEXT.split("\n") if line.startswith("| run by"))
    names = re.findall(r"`(?:tests/clients/)?(test_\w+\.py)`", row)
    assert len(names) >= 4
    for name in names:
        assert (ROOT / "tests/clients" / name).exists(), name
