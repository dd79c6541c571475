"""The hook in a case: fired as a client does, watched for what it may not touch, and what it left in the inbox."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.cases.conftest import Case, Ran

SCRIPT = Path(__file__).parents[2] / "hooks/bin/curator-hook"
PATIENT = Path(__file__).parents[1] / "patient.py"


def fired(
    at: Case,
    data: bytes | None = None,
    *,
    folder: Path | None = None,
    more: Mapping[str, str] | None = None,
    script: Path = PATIENT,
) -> Ran:
    """Send hook.json, or *data*, to the hook; nothing outside git's own folder may change, ended or not."""
    folder = folder or at.folder
    data = (at.folder / "hook.json").read_bytes() if data is None else data
    before = watched(at)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-P", str(script)],
        cwd=folder,
        env={**at.environment, **(more or {})},
        input=data,
        capture_output=True,
        timeout=30,
    )
    assert (done.returncode, done.stderr.count(b"\n") <= 1) == (0, True), done.stderr
    assert b"Traceback" not in done.stdout + done.stderr
    assert done.stdout == b"" or done.stdout.count(b"\n") == 1
    assert watched(at) == before
    return Ran(0, done.stdout, done.stderr, time.monotonic() - began, 0.0)


def watched(at: Case) -> dict[Path, object]:
    """Everything that a hook may not touch: all but curator's own in git's folder."""
    return {path: seen for path, seen in at.seen().items() if "curator" not in path.parts[len(at.outer.parts) :]}


def warm(at: Case) -> Case:
    """Make the index, from which the hook has its settings."""
    at.run("recall", "pytest")
    return at


def inbox(at: Case) -> dict[str, bytes]:
    """The proposals that wait, by file name."""
    folder = at.folder / ".git/curator/inbox"
    return {path.name: path.read_bytes() for path in folder.glob("*.yaml")} if folder.exists() else {}


def proposed(at: Case) -> list[str]:
    """The statements that wait, without what only asks to remember them."""
    texts = [yaml.safe_load(data)["text"].strip().removeprefix("Remember: ") for data in inbox(at).values()]
    return sorted(text[:1].upper() + text[1:] for text in texts)


def awaited(check: Callable[[], Any]) -> Any:
    """The answer of *check* once it is one, or the last: a child works on after the hook has ended."""
    until = time.monotonic() + 20
    while not (found := check()) and time.monotonic() < until:
        time.sleep(0.05)
    return found
