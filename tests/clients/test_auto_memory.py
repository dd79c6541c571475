"""What Claude Code writes into its own memory waits for a person once the next session starts, if the user says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.clients.sandbox import Sandbox
from tests.clients.test_sessions import inbox, settles, waits

FACT = "Integration tests need a real database, mocks hid a broken migration."
NOTE = f"""\
---
name: real-database
description: Integration tests hit a real database
metadata:
  type: feedback
---

{FACT}
"""
OPTED = "git config --global curator.autoMemory true"


@pytest.fixture
def own(box: Sandbox) -> Path:
    """The folder of Claude Code's memory of this repository."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(box.project))
    return box.home / ".claude/projects" / slug / "memory"


def noting(own: Path) -> list[dict[str, Any]]:
    """The replies with which the model keeps something in its own memory."""
    index = "# Memory\n\n- [Real database](real-database.md) — mocks hid a broken migration\n"
    return [
        {"tool": "Write", "input": {"file_path": str(own / "real-database.md"), "content": NOTE}},
        {"tool": "Write", "input": {"file_path": str(own / "MEMORY.md"), "content": index}},
        {"text": "I will keep that in mind."},
    ]


def test_a_note_of_the_last_session_waits_once_the_next_one_starts(box: Sandbox, own: Path) -> None:
    box.sh(OPTED)
    box.claude("work", script=noting(own))
    note = (own / "real-database.md").read_text(encoding="utf-8")
    assert "originSessionId" in note, "the client knows it for a memory of its own"
    assert inbox(box) == []

    run = box.claude("hello", script=[{"text": "hi"}])

    (key,) = waits(box, 1)
    assert FACT not in run.read(0), "before a person has taken it, a session is told nothing"
    proposal = yaml.safe_load((box.project / f".git/curator/inbox/{key}.yaml").read_text(encoding="utf-8"))
    assert FACT in proposal["text"]
    assert proposal["origin"]["by"] == "import"
    assert box.sh("git status --porcelain") == ""
    assert (own / "real-database.md").read_text(encoding="utf-8") == note

    box.sh(f"curator accept {key} && curator render && git commit -qm accepted")
    assert box.claude("hello", script=[{"text": "hi"}]).read(0).count(FACT) == 1
    settles(box)
    assert inbox(box) == [], "nothing is proposed twice"


def test_without_the_users_word_for_this_repository_nobody_looks_there(box: Sandbox, own: Path) -> None:
    box.claude("work", script=noting(own))
    for saying in ("true", f"{OPTED} && git config curator.autoMemory false"):
        box.sh(saying)
        box.claude("hello", script=[{"text": "hi"}])
        settles(box)
        box.sh("curator sweep --watch")
        assert inbox(box) == []
