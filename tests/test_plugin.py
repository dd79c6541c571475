"""The plugin of Claude Code as files: manifests agree, the launcher never fails, skills name what exists."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from curator import __version__
from curator.core import clients
from tests.conftest import commands

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "hooks" / "claude"
SKILLS = sorted(PLUGIN.glob("skills/*/SKILL.md"))
EVENT = b'{"hook_event_name": "SessionStart"}\n'


def loaded(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def launched(
    tmp_path: Path, event: str = "SessionStart", *, script: str | None = None, plugin: Path = PLUGIN
) -> subprocess.CompletedProcess[bytes]:
    """Run the launcher as the client does, with a curator-hook of this *script* on PATH, or with none."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    if script is not None:
        (folder / "curator-hook").write_text(script, encoding="utf-8")
        (folder / "curator-hook").chmod(0o755)
    group = loaded(PLUGIN / "hooks.json")["hooks"][event][0]
    environment = {
        "PATH": f"{folder}:/usr/bin:/bin",
        "CLAUDE_PLUGIN_ROOT": str(plugin),
        "CLAUDE_PLUGIN_DATA": str(tmp_path / "data" / "curator"),
    }
    return subprocess.run(
        ["/bin/sh", "-c", group["hooks"][0]["command"]], env=environment, input=EVENT, capture_output=True
    )


def test_the_manifests_agree() -> None:
    market, plugin = loaded(ROOT / ".claude-plugin/marketplace.json"), loaded(PLUGIN / ".claude-plugin/plugin.json")
    (listed,) = market["plugins"]
    assert market["name"] == listed["name"] == plugin["name"] == "curator"
    assert (ROOT / listed["source"]).resolve() == PLUGIN
    assert plugin["version"] == __version__
    assert listed["description"] == plugin["description"]
    assert (PLUGIN / plugin["hooks"]).is_file()
    assert (PLUGIN / plugin["skills"]).is_dir()


def test_the_plugin_hears_what_the_settings_hear() -> None:
    plugin = loaded(PLUGIN / "hooks.json")["hooks"]
    settings = json.loads(clients.new("/x/curator-hook", team=False, where=""))["hooks"]
    for event, groups in settings.items():
        groups[0]["hooks"][0]["command"] = f'sh "${{CLAUDE_PLUGIN_ROOT}}/launch" {event}'
    assert plugin == settings


def test_the_launcher_hands_the_event_over_and_its_answer_back(tmp_path: Path) -> None:
    done = launched(tmp_path, "Stop", script="#!/bin/sh\ncat\necho told >&2\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, EVENT, b"told\n")


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\nexit 2\n", "#!/bin/sh\nkill -9 $$\n"])
def test_no_exit_code_reaches_the_client(tmp_path: Path, script: str) -> None:
    assert launched(tmp_path, "PreCompact", script=script).returncode == 0


@pytest.mark.parametrize("script", [None, "#!/nowhere/python\n"])
def test_a_curator_hook_that_cannot_be_started_is_told_once(tmp_path: Path, script: str | None) -> None:
    for event in clients.EVENTS[1:]:
        done = launched(tmp_path, event, script=script)
        assert (done.returncode, done.stdout) == (0, b"")
    first, second = launched(tmp_path, script=script), launched(tmp_path, script=script)
    assert first.returncode == second.returncode == 0
    told = json.loads(first.stdout)["systemMessage"]
    assert "curator-hook is not on PATH" in told
    assert f"uv tool install {ROOT}" in told
    assert second.stdout == b""


@pytest.mark.parametrize("name", ["it's", 'a "b"', "back\\slash", "blank blank"])
def test_a_folder_with_an_odd_name_breaks_no_json(tmp_path: Path, name: str) -> None:
    copy = tmp_path / name / "hooks" / "claude"
    copy.mkdir(parents=True)
    (copy / "launch").write_bytes((PLUGIN / "launch").read_bytes())
    (copy.parent.parent / "pyproject.toml").touch()
    assert "uv tool install git+URL" in json.loads(launched(tmp_path, plugin=copy).stdout)["systemMessage"]


def test_without_a_place_to_note_it_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    done = launched(tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")


def test_the_launcher_is_plain_shell() -> None:
    for shell in ("sh", "bash"):
        subprocess.run([shell, "-n", str(PLUGIN / "launch")], check=True)


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_has_its_name_and_names_what_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    head = re.match(r"---\nname: (\S+)\ndescription: (.+)\nallowed-tools: (.+)\n---\n", text)
    assert head
    assert head[1] == path.parent.name
    assert ": " not in head[2], "YAML would read a mapping"
    named = re.findall(r"(?:`|^ +)curator ([a-z]+[^`\n]*)", text, re.M)
    allowed = re.findall(r"Bash\(curator ([^:)]+)(?::\*)?\)", head[3])
    assert {line.split()[0] for line in named} >= {line.split()[0] for line in allowed} > set()
    assert all(any(line.startswith(start) for line in named) for start in allowed)
    for line in named:
        words = shlex.split(line)
        assert words[0] in commands(), line
        options = {name for option in commands()[words[0]].params for name in option.opts}
        assert {word for word in words if word.startswith("--")} <= options, line


def test_the_skills_let_no_agent_decide() -> None:
    assert [path.parent.name for path in SKILLS] == ["remember", "review"]
    for path in SKILLS:
        text = path.read_text(encoding="utf-8")
        assert "never accept, edit or reject" in text
        assert not re.search(r"curator (accept|reject|confirm|retire)", text)


def test_the_launcher_costs_no_more_than_a_shell(tmp_path: Path) -> None:
    before = os.times().children_user + os.times().children_system
    for _ in range(10):
        launched(tmp_path, "Stop", script="#!/bin/sh\n")
    assert os.times().children_user + os.times().children_system - before < 1.0
