"""Session logs for tests, line by line as Claude Code writes them, and events for the real `curator-hook`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from tests.conftest import Repo

SCRIPT = Path(__file__).parent.parent / "hooks" / "bin" / "curator-hook"
PATIENT = Path(__file__).parent / "patient.py"
SESSION = "5d0c77e1-0000-4000-8000-000000000000"
_NUMBERS = count()


def record(kind: str, content: object, **more: object) -> str:
    """One line of a log, with its newline."""
    number = next(_NUMBERS)
    made = {
        "parentUuid": None,
        "isSidechain": False,
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "timestamp": "2026-03-03T14:03:00.000Z",
        "userType": "external",
        "cwd": "/somewhere",
        "sessionId": SESSION,
    }
    return json.dumps({**made, **more}) + "\n"


def typed(text: str, **more: object) -> str:
    return record("user", text, **more)


def answered(text: str, **more: object) -> str:
    return record("assistant", [{"type": "text", "text": text}], **more)


def called(tool: str, **given: object) -> str:
    return record("assistant", [{"type": "tool_use", "id": "t", "name": tool, "input": given}])


def told(text: str, **more: object) -> str:
    """What a tool put out."""
    return record("user", [{"type": "tool_result", "tool_use_id": "t", "content": text}], toolUseResult={}, **more)


def hooked() -> dict[str, str]:
    """The environment in which the script finds this tree."""
    return {**os.environ, "PYTHONPATH": str(SCRIPT.parent.parent.parent)}


def fire(
    repo: Repo, event: str, log: Path | str, session: str = SESSION, folder: Path | None = None, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """Start the hook with one event; it must end with 0 and say no more than a line of JSON."""
    where = folder or repo.root
    payload = {
        "session_id": session,
        "transcript_path": str(log),
        "cwd": str(where),
        "hook_event_name": event,
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-P", str(PATIENT)],
        cwd=where,
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=hooked(),
        timeout=30,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert done.stdout.count(b"\n") <= 1
    if event in {"PreCompact", "SessionEnd"}:
        assert done.stdout == b""
    return done


def inbox(repo: Repo) -> dict[str, str]:
    """The texts of what waits, by key."""
    folder = repo.root / ".git/curator/inbox"
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}


def texts(repo: Repo) -> list[str]:
    """The statements that wait, in order."""
    return sorted(text.split("text: |\n  ")[1].split("\nimportance:")[0] for text in inbox(repo).values())


def spool(repo: Repo, session: str = SESSION) -> dict[str, object]:
    found: dict[str, object] = json.loads((repo.root / f".git/curator/spool/{session}.json").read_text())
    return found


def becomes(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait for what a child does."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
