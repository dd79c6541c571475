"""The texts that `init` puts into git."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from curator.core import wiring
from curator.core.wiring import Kind
from curator.edge import assets
from curator.verbs.wire import HOOK


def hook(program: str = "") -> str:
    return wiring.hook(assets.text(HOOK), program)


@pytest.mark.parametrize("program", ["", "/opt/a b/curator", "/opt/it's/curator"])
def test_a_hook_knows_itself_and_every_change(program: str) -> None:
    text = hook(program)
    assert wiring.kind(text.encode()) is Kind.OURS
    assert wiring.kind(text.replace("exit 0", "exit 1").encode()) is Kind.CHANGED
    assert wiring.kind((text + "\n").encode()) is Kind.CHANGED
    assert wiring.kind(text.replace("\n", "\r\n").encode()) is Kind.CHANGED
    assert wiring.kind(b"#!/bin/sh\ncurator check\n") is Kind.FOREIGN
    assert wiring.kind(b"") is Kind.FOREIGN
    assert wiring.kind(None) is Kind.NONE


def test_a_hook_of_another_version_is_still_known() -> None:
    older = wiring.hook(assets.text(HOOK).replace("check --staged", "check"), "")
    assert wiring.kind(older.encode()) is Kind.OURS


def test_attributes_are_added_once_and_nothing_else_changes() -> None:
    before = "* text=auto\r\n*.png binary"
    after = wiring.attributes(before, ["CLAUDE.md", "a b/[x]*.md"])
    assert after == before + '\r\n/CLAUDE.md merge=curator\r\n"/a b/\\\\[x]\\\\*.md" merge=curator\r\n'
    assert wiring.attributes(after, ["CLAUDE.md", "a b/[x]*.md"]) == after
    assert wiring.attributes("", []) == ""


def test_a_driver_keeps_a_path_that_git_or_a_shell_would_expand() -> None:
    command = wiring.driver("/opt/100%O $HOME/curator")
    assert shlex.quote("/opt/100%%O $HOME/curator") in command
    done = subprocess.run(["sh", "-n", "-c", command.replace("%L", "7")], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
