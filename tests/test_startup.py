"""Doors open light: what costs start-up time is imported only on the path that needs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import Repo

HEAVY = {"git", "jinja2", "numpy", "rank_bm25", "yaml"}


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], check=True, capture_output=True
    )
    return set(done.stdout.decode().split("\n")[-2].split())


def test_opening_the_command_line_loads_nothing_heavy() -> None:
    assert not loaded_by("import curator.cli") & (HEAVY | {"subprocess", "sqlite3", "json", "difflib", "curator.model"})


def test_a_recall_with_a_valid_cache_starts_no_git_and_loads_no_yaml(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert base.curator("recall", "pytest").exit_code == 0
    code = "from curator.cli import main; main(['recall', 'pytest'], standalone_mode=False)"
    assert not loaded_by(code) & (HEAVY | {"subprocess"})
    monkeypatch.setenv("PATH", os.devnull)
    assert base.curator("recall", "pytest").exit_code == 0


def test_a_check_of_a_current_block_starts_no_git_and_no_template_engine(base: Repo) -> None:
    assert base.curator("render").exit_code == 0
    assert base.curator("render", "--check").exit_code == 0
    code = "from curator.cli import main; main(['render', '--check'], standalone_mode=False)"
    assert not loaded_by(code) & (HEAVY | {"subprocess"})


LEAVING = """
import os, sys
leave = os._exit
def told(code):
    os.write(2, " ".join(sys.modules).encode())
    leave(code)
os._exit = told
from curator.hook import main
main()
"""
NOUNS = {"typing", "dataclasses", "subprocess", "curator.model", "click", "inspect", "hashlib", "datetime"}


def loaded_by_event(repo: Repo, name: str, **more: object) -> tuple[set[str], bytes]:
    """What an event loads that Python alone does not, and what it prints."""
    data = json.dumps({"session_id": "s1", "cwd": str(repo.root), "hook_event_name": name, **more}).encode()
    done = subprocess.run([sys.executable, "-c", LEAVING], input=data, check=True, capture_output=True)
    return set(done.stderr.decode().split("\n")[-1].split()), done.stdout


def test_an_event_of_no_concern_loads_nothing_but_the_door(base: Repo) -> None:
    alone = loaded_by("pass") | {"__future__", "curator", "curator.hook"}
    for name, tool in (("PreToolUse", "Edit"), ("PostToolUse", "Bash"), ("Notification", "")):
        assert loaded_by_event(base, name, tool_name=tool)[0] <= alone


def test_a_hook_reads_the_cache_without_the_nouns(base: Repo) -> None:
    base.memory("pool", "Keep default_pool_size at 20.", "gotcha", more="sources:\n  - path: src/pool.py\n")
    base.commit()
    base.curator("recall", "pytest")
    loaded, out = loaded_by_event(base, "UserPromptSubmit", prompt="see default_pool_size")
    assert b"Keep default_pool_size" in out
    assert not loaded & (HEAVY | NOUNS)
    base.write("other.txt", "x")
    base.add()
    loaded, out = loaded_by_event(base, "UserPromptSubmit", prompt="see default_pool_size", session_id="s2")
    assert b"Keep default_pool_size" in out
    assert not loaded & (HEAVY | NOUNS)
    edited = {"tool_name": "Edit", "tool_input": {"file_path": str(base.root / "src/pool.py")}, "session_id": "s3"}
    loaded, out = loaded_by_event(base, "PostToolUse", **edited)
    assert b"cite src/pool.py" in out
    assert not loaded & (HEAVY | NOUNS)


def test_no_event_loads_a_package(base: Repo) -> None:
    log = base.write("t.jsonl", '{"type":"user","message":{"role":"user","content":"Never push to main."}}\n')
    base.curator("recall", "pytest")
    for name in ("SessionStart", "SubagentStart", "Stop", "PreCompact", "SessionEnd"):
        loaded, _ = loaded_by_event(base, name, transcript_path=str(log), source="startup")
        assert "curator.hook.visit" in loaded
        assert not loaded & (HEAVY | {"click"})
