"""Firing the hook as a client does: the plain script in a process of its own, and its rooms in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.edge import workspace
from curator.hook.visit import Visit

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "hooks/bin/curator-hook"


@dataclass(frozen=True)
class Fired:
    """How one event ended, what came back, and the seconds it took."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def answer(self) -> Any:
        """The one line of JSON that came back, None for nothing."""
        assert self.out == "" or (self.out.endswith("\n") and self.out.count("\n") == 1), self.out
        return json.loads(self.out) if self.out else None


def event(name: str, folder: Path, **more: object) -> bytes:
    """What a client sends."""
    return json.dumps({"session_id": "s1", "cwd": str(folder), "hook_event_name": name, **more}).encode()


def fire(
    data: bytes,
    folder: Path,
    *,
    more: Mapping[str, str] | None = None,
    python: Sequence[str] = (),
    script: Path = SCRIPT,
) -> Fired:
    """Send *data* to the script, run with the options *python* and with more variables."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, *python, str(script)],
        cwd=folder,
        env={**os.environ, **(more or {})},
        input=data,
        capture_output=True,
        timeout=30,
    )
    fired = Fired(done.returncode, done.stdout.decode(), done.stderr.decode(), time.monotonic() - began)
    assert fired.code == 0, fired
    assert "Traceback" not in fired.err
    assert fired.err.count("\n") <= 1, fired.err
    return fired


class Watched(Visit):
    """A visit that notes what it hands over and what it tells, and starts no child."""

    def __init__(self, name: str, root: Path, folder: Path | None = None, **more: object) -> None:
        payload = {"session_id": "s1", "hook_event_name": name, **more}
        super().__init__(name, payload, workspace.open_at(str(root)), time.monotonic() + 5, str(folder or root))
        self.handed: list[tuple[str, ...]] = []
        self.told: list[str] = []

    def hand_over(self, *words: str) -> None:
        self.handed.append(words)

    def tell(self, message: str, *, kept: bool = True) -> None:
        self.told.append(message)


def context(answer: Mapping[str, Any] | None) -> str:
    """The text that an answer adds to what the model reads, "" for none."""
    return str(answer["hookSpecificOutput"].get("additionalContext", "")) if answer else ""
