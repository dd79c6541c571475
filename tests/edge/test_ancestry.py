"""Whose shell is it, where no variable says so: the names of the processes above."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curator.edge import ancestry

ASKED = "from curator.cli import door; print(door.shell())"
NAMED = """\
import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)  # PR_SET_NAME
sys.exit(subprocess.call(["/bin/sh", "-c", '"$0" -c "$1"; true', sys.executable, sys.argv[2]]))
"""
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux names the processes above")


def under(name: str) -> str:
    """Whose shell curator takes it for, two processes below one with this name."""
    done = subprocess.run([sys.executable, "-c", NAMED, name, ASKED], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@linux
def test_the_nearest_process_comes_first() -> None:
    parent = Path(f"/proc/{os.getppid()}/comm").read_text(encoding="utf-8").strip()
    assert ancestry.names()[0] == parent


@linux
@pytest.mark.parametrize(("name", "agent"), [("kimi-code", "kimi-code"), ("my kimi-code", ""), ("k) S 1 (", "")])
def test_a_shell_below_kimi_code_is_an_agents(name: str, agent: str) -> None:
    assert under(name) == agent


def test_where_nobody_tells_there_are_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getppid", lambda: 2**31 - 1)  # a process that is not there
    assert ancestry.names() == []
