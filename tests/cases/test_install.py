"""Cases about installing beside what a person has."""

from __future__ import annotations

import json

from curator.core import clients
from tests.cases.conftest import Case, Setup

SETTINGS = ".claude/settings.json"
OTHERS = """base; mkdir .claude; printf '{\\n  "model": "opus",\\n  "hooks": {"SessionEnd": [{"matcher": "", "hooks": \
[{"type": "command", "command": "echo mine"}]}], "PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", \
"command": "echo two"}]}]}\\n}\\n' >.claude/settings.json"""
BARE = """base; mkdir .claude; printf '{"model":"opus"}' >.claude/settings.json"""


def wire(case: Case, *options: str) -> str:
    ran = case.run("init", "--claude", *options, changes=[SETTINGS])
    assert ran.code == 0, ran.said
    return ran.said


def test_is_01_the_hooks_of_others_stay_in_their_order_and_the_diff_is_shown(case: Setup) -> None:
    made = case(OTHERS)
    before = json.loads(made.read(SETTINGS))
    assert "+" in wire(made, "--dry-run")
    assert json.loads(made.read(SETTINGS)) == before
    wire(made)
    after = json.loads(made.read(SETTINGS))
    assert list(after) == list(before) == ["model", "hooks"]
    assert after["model"] == "opus"
    assert list(after["hooks"])[:2] == ["SessionEnd", "PreToolUse"]
    for event, groups in before["hooks"].items():
        assert after["hooks"][event][: len(groups)] == groups
    added = [
        one["command"]
        for event, groups in after["hooks"].items()
        for group in groups[len(before["hooks"].get(event, [])) :]
        for one in group["hooks"]
    ]
    assert len(added) == len(clients.EVENTS)
    assert all(clients.is_ours(command) for command in added)


def test_is_03_twice_is_once_and_the_named_command_takes_all_out_again(case: Setup) -> None:
    made = case(BARE)
    said = wire(made)
    once = made.read(SETTINGS)
    wire(made)
    assert made.read(SETTINGS) == once
    assert "`curator init --claude --remove`" in said
    ran = made.run("init", "--claude", "--remove", changes=[SETTINGS])
    assert ran.code == 0
    assert made.read(SETTINGS) == '{"model":"opus"}'


def test_hk_03_the_settings_declare_a_timeout_for_the_end_of_a_session(case: Setup) -> None:
    made = case(BARE)
    wire(made)
    (group,) = json.loads(made.read(SETTINGS))["hooks"]["SessionEnd"]
    assert group["hooks"][0]["timeout"] == 15


def test_hk_08_the_commands_are_absolute_paths_that_a_shell_takes(case: Setup) -> None:
    made = case(BARE)
    wire(made)
    for groups in json.loads(made.read(SETTINGS))["hooks"].values():
        path = made.sh(f'set -- {groups[0]["hooks"][0]["command"]}; test $# = 1; printf %s "$1"').stdout.decode()
        assert path.startswith("/")
        assert path.endswith("/curator-hook")
