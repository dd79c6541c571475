"""Where agents' clients keep the logs of their sessions, and what each log says of where it was made."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = 1 << 18  # bytes at the start of a log in which it says where it was made
_CWD = b'"cwd"'
_WIRE = os.path.join("agents", "main", "wire.jsonl")
_ROLLOUT = 36  # characters of the id at the end of a rollout's name


class Kept(NamedTuple):
    """A log: its path, when it was last written (seconds since 1970), and the folder it was made in, "" if unknown."""

    path: str
    changed: float
    folder: str


def files() -> Iterator[Kept]:
    """The logs that clients keep as files, those of subagents left out."""
    for path in (*_claudes(), *_codexes(), *_kimis()):
        try:
            changed = os.stat(path).st_mtime
        except OSError:
            continue
        if not is_subagents(path):
            yield Kept(path, changed, _made_in(path))


def databases() -> list[str]:
    """OpenCode's databases; a preview of it has one of its own."""
    named = os.environ.get("OPENCODE_DB", "")
    found = [os.path.join(_opencode(), named)] if named and named != ":memory:" else []
    names = [name for name in _names(_opencode()) if name.startswith("opencode") and name.endswith(".db")]
    return found or [os.path.join(_opencode(), name) for name in names]


def wire(session: str) -> str:
    """The log of a session of Kimi's, "" where there is none. *session* is a name, no path."""
    for folder in _names(_kimi()):
        path = os.path.join(_kimi(), folder, session, _WIRE)
        if os.path.isfile(path):
            return path
    return ""


def holds(path: str) -> bool:
    """Whether this is a log where a client keeps its logs."""
    try:
        real = os.path.realpath(path)
        folders = [os.path.realpath(folder) for folder in (_claude(), _codex(), _kimi())]
        return any(real.startswith(f"{folder}{os.sep}") for folder in folders)
    except (OSError, ValueError):
        return False


def session_of(path: str) -> str:
    """The name of the session whose log this is, as the client's events have it."""
    name = os.path.basename(path).removesuffix(".jsonl")
    if path.endswith(f"{os.sep}{_WIRE}"):
        return os.path.basename(path[: -len(_WIRE) - 1])
    return name[-_ROLLOUT:] if is_rollout(path) else name


def is_rollout(path: str) -> bool:
    return os.path.basename(path).startswith("rollout-")


def is_subagents(path: str) -> bool:
    """Whether another agent began the session of this log, so that nobody typed into it."""
    if not is_rollout(path):
        return False
    from curator.core import rollout  # noqa: PLC0415 - Codex alone keeps them among the others

    first = next(iter(_records(path, b"{")), {})
    return rollout.is_subagents(first)


def _made_in(path: str) -> str:
    """The folder that the first lines of a log name, or the file beside it; "" where none does."""
    if path.endswith(_WIRE):
        path = os.path.join(path[: -len(_WIRE) - 1], "state.json")
    for record in _records(path, _CWD):
        payload = record.get("payload")
        for cwd in (record.get("cwd"), payload.get("cwd") if isinstance(payload, dict) else None):
            if isinstance(cwd, str) and os.path.isabs(cwd):
                return cwd
    return ""


def _records(path: str, sign: bytes) -> Iterator[dict[str, object]]:
    """The objects at the start of a file of JSON lines, of the lines that hold *sign*."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except (OSError, ValueError):
        return
    try:
        head = os.read(handle, _HEAD)
    except OSError:
        return
    finally:
        os.close(handle)
    for line in head.split(b"\n"):
        if sign in line:
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value


def _claudes() -> Iterator[str]:
    for folder in _names(_claude()):
        below = os.path.join(_claude(), folder)
        yield from (os.path.join(below, name) for name in _names(below) if name.endswith(".jsonl"))


def _codexes() -> Iterator[str]:
    for folder, folders, names in os.walk(_codex()):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".jsonl"))


def _kimis() -> Iterator[str]:
    for folder in _names(_kimi()):
        below = os.path.join(_kimi(), folder)
        yield from (os.path.join(below, session, _WIRE) for session in _names(below))


def _claude() -> str:
    return os.path.join(os.environ.get("CLAUDE_CONFIG_DIR") or _home(".claude"), "projects")


def _codex() -> str:
    return os.path.join(os.environ.get("CODEX_HOME") or _home(".codex"), "sessions")


def _kimi() -> str:
    return os.path.join(os.environ.get("KIMI_CODE_HOME") or _home(".kimi-code"), "sessions")


def _opencode() -> str:
    return os.path.join(os.environ.get("XDG_DATA_HOME") or _home(".local", "share"), "opencode")


def _home(*names: str) -> str:
    return os.path.join(os.path.expanduser("~"), *names)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
