"""Programs on PATH: where they are, which Python runs them, how they answer, and what the hook wrote down."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress

from curator.core.diagnosis import UNSTARTED, Program
from curator.edge import hooks
from curator.here import Workspace

_LIMIT = 2.0  # seconds for any of them
_TAIL = 64 << 10  # bytes of the log that are read
_HEAD = 4096  # bytes that hold a script's first two lines


def find(name: str) -> Program:
    """The program that a shell would start."""
    path = shutil.which(name) or ""
    return Program(path, _home(path)) if path else Program("")


def own() -> str:
    """The folder of the Python that runs this."""
    return os.path.realpath(os.path.dirname(sys.executable))


def folder() -> str:
    """Where the curator that runs lies, "" where it has no place that PATH could name."""
    return os.path.dirname(hooks.program())


def version(path: str) -> str:
    """What `PATH --version` says last, "" where it says nothing in time."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run([path, "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=_LIMIT)
        words = done.stdout.decode("utf-8", "replace").split()
        return words[-1] if words else ""
    return ""


def answer(path: str, folder: str) -> tuple[int | None, bytes, float]:
    """How a hook takes an event that it ignores: exit code (None: did not end), what it printed, seconds.

    UNSTARTED, with the system's reason, for one that cannot be started.
    """
    event = json.dumps({"hook_event_name": "Notification", "session_id": "doctor", "cwd": folder}).encode()
    began = time.monotonic()
    try:
        done = subprocess.run([path], input=event, capture_output=True, timeout=_LIMIT, cwd=folder)
    except OSError as error:
        return UNSTARTED, os.strerror(error.errno or 0).encode(), time.monotonic() - began
    except subprocess.TimeoutExpired:
        return None, b"", time.monotonic() - began
    return done.returncode, done.stdout, time.monotonic() - began


def first_line(path: str) -> tuple[str, bool]:
    """The first line of a script, "" for another program, and whether what the system takes for its name is there."""
    line = _head(path)[0]
    if not line.startswith("#!"):
        return "", True
    return line, os.path.isfile(line.removeprefix("#!").strip().partition(" ")[0])


def log_path(workspace: Workspace) -> str:
    """Where the hook writes its faults down."""
    return os.path.join(workspace.common_dir, "curator", "hook.log")


def log(workspace: Workspace) -> str:
    """The newest lines of the hook's log."""
    with suppress(OSError), open(log_path(workspace), "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
        return file.read().decode("utf-8", "replace")
    return ""


def _home(path: str) -> str:
    """The folder of the Python that a script names in its first line, or, where that is too long for one, the next.

    "" for what no Python runs by its path.
    """
    lines = _head(path)
    first = lines[0].removeprefix("#!").strip()
    if not os.path.isfile(first):
        first = first.partition(" ")[0]  # what follows are options
    if first == "/bin/sh" and len(lines) > 1 and lines[1].startswith("'''exec' "):
        first = lines[1].removeprefix("'''exec' ").rpartition(' "$0"')[0].strip('"')
    folder, name = os.path.split(first)
    return os.path.realpath(folder) if name.startswith(("python", "pypy")) else ""


def _head(path: str) -> list[str]:
    """The first lines of a file, one empty line where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace").split("\n")
    except OSError:
        return [""]
