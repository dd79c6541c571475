"""The plugin in the real client: valid, installed offline, heard at every event, quiet where curator is missing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.clients.sandbox import Sandbox

SETTINGS = ".claude/settings.json"


@pytest.mark.parametrize("folder", [".", "hooks/claude"])
def test_the_client_finds_nothing_to_complain_about(bare: Sandbox, checkout: Path, folder: str) -> None:
    run = bare.cli("plugin", "validate", folder, "--strict", folder=checkout)
    assert run.code == 0, run.out
    assert "Validation passed" in run.out


def test_it_is_installed_from_a_checkout_without_a_network(box: Sandbox) -> None:
    listed = json.loads(box.cli("plugin", "list", "--json").out)
    ours = next(one for one in listed if one["id"] == "curator@curator")
    assert ours["enabled"] is True


def listening(box: Sandbox) -> Path:
    """Put a curator-hook first on PATH that notes its standard input."""
    log = box.home / "events"
    program = box.write("bin/curator-hook", f'#!/bin/sh\ncat >>"{log}"\necho >>"{log}"\n', folder=box.home)
    program.chmod(0o755)
    box.path = os.pathsep.join([str(program.parent), box.path])
    return log


def heard(log: Path) -> list[str]:
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    return [json.loads(line)["hook_event_name"] for line in text.split("\n") if line]


EDIT = {"tool": "Edit", "input": {"old_string": "8080", "new_string": "9090"}}


def working(box: Sandbox) -> list[dict[str, object]]:
    """A session that reads, edits, asks a subagent and compacts."""
    path = str(box.project / "src/app.py")
    return [
        {"match": "followed by a <summary>", "text": "<summary>S</summary>"},
        {"tool": "Read", "input": {"file_path": path}},
        {**EDIT, "input": {"file_path": path, "old_string": "8080", "new_string": "9090"}},
        {
            "tool": "Agent",
            "input": {
                "description": "look",
                "prompt": "look",
                "subagent_type": "general-purpose",
                "run_in_background": False,
            },
        },
        {"text": "looked"},
        {"text": "done"},
    ]


EVENTS = {"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "Stop", "PreCompact", "SessionEnd"}


@pytest.mark.parametrize("way", ["plugin", "settings", "team"])
def test_every_event_is_heard_once(box: Sandbox, way: str) -> None:
    if way != "plugin":
        assert box.cli("plugin", "uninstall", "curator@curator").code == 0
        box.sh("curator init --claude" + (" --team" if way == "team" else ""))
    log = listening(box)
    if way == "settings":
        text = (box.project / SETTINGS).read_text(encoding="utf-8")
        hook = json.loads(text)["hooks"]["Stop"][0]["hooks"][0]["command"]
        box.write(SETTINGS, text.replace(json.dumps(hook), json.dumps(str(box.home / "bin/curator-hook"))))
    run = box.claude("work", "/compact", script=working(box))
    assert run.code == 0
    events = heard(log)
    assert set(events) == EVENTS
    assert {name: events.count(name) for name in events} == {
        **dict.fromkeys(EVENTS, 1),
        "SessionStart": 2,  # after the compaction again
    }
    assert "error" not in run.err.lower()


def without_curator(box: Sandbox) -> None:
    """A PATH on which there is git, and no curator."""
    box.path = "/usr/bin:/bin"
    assert not box.sh("command -v curator-hook || true")


def test_without_curator_the_plugin_says_once_how_to_install_it_and_fails_nowhere(box: Sandbox) -> None:
    without_curator(box)
    said = [box.typed("hello", "pong").screen for _ in range(2)]
    assert all("●pong" in screen for screen in said)
    assert "curator-hookisnotonPATH" in said[0]
    assert "uvtoolinstall" in said[0]
    assert "curator-hookisnotonPATH" not in said[1]
    assert not any("hookerror" in screen.lower() for screen in said)


def test_without_curator_the_committed_form_says_one_line(box: Sandbox) -> None:
    assert box.cli("plugin", "uninstall", "curator@curator").code == 0
    box.sh("curator init --claude --team && git commit -qm hooks")
    without_curator(box)
    screen = box.typed("hello", "pong").screen
    assert screen.count("curatorisnotinstalledonthismachine") >= 1
    assert "hookerror" not in screen.lower()


def test_the_skills_are_offered_under_the_plugins_name(box: Sandbox) -> None:
    run = box.claude("/curator:remember Ship on Fridays.", script=[{"text": "ok"}])
    seen = run.read(0)
    assert "curator add --propose" in seen
    assert "Ship on Fridays." in seen
    assert "curator review --json" in box.claude("/curator:review", script=[{"text": "ok"}]).read(0)
