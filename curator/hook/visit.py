"""One event that concerns curator: what came, where, by when it must be done, and how it speaks."""

from __future__ import annotations

import json
import os
import sys
import time

from curator import hook
from curator.edge import hooklog

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from typing import Any

    from curator.here import Workspace
else:
    import _signal

SILENT = frozenset({"PreCompact", "SessionEnd"})
"""Events for which the client defines no answer: what PreCompact prints would change the summary."""

_READING = SILENT | {"Stop"}  # events at which a log is read
_PAUSE = 10.0  # seconds in which one child is enough: a session edits file after file
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Visit:
    """An event in a work tree where curator is set up.

    *until* is the time.monotonic() by which it must be done, *folder* the one that the session works in. *client*
    is the name of one that does not speak as Claude Code does, else "".
    """

    __slots__ = ("client", "event", "folder", "payload", "spoke", "until", "workspace")

    def __init__(
        self, event: str, payload: dict[str, Any], workspace: Workspace, until: float, folder: str = ""
    ) -> None:
        self.event = event
        self.payload = payload
        self.workspace = workspace
        self.until = until
        self.folder = folder or workspace.root
        self.spoke = False
        self.client = ""
        if "client_type" in payload:
            from curator.hook import clients

            self.client = clients.named(self.text("client_type"))

    def text(self, name: str) -> str:
        """The text that the payload has under *name*, "" for anything else."""
        value = self.payload.get(name)
        return value if isinstance(value, str) else ""

    @property
    def session(self) -> str:
        """The session's name, "" for one that could not name a file."""
        name = self.text("session_id")
        return name if 0 < len(name) <= 64 and _NAME.issuperset(name) else ""

    @property
    def log(self) -> str:
        """The session's log, as `logs.opened` takes it; "" where the event names none and none is found."""
        if self.client and self.session:
            from curator.hook import clients

            return clients.log(self.client, self.session)
        return self.text("transcript_path")

    @property
    def prompt(self) -> str:
        """What was typed: text, or the texts of its parts."""
        given = self.payload.get("prompt")
        if not isinstance(given, list):
            return self.text("prompt")
        texts = [part.get("text") for part in given if isinstance(part, dict)]
        return "\n".join(one for one in texts if isinstance(one, str))

    def asked(self, *names: str) -> tuple[str, ...]:
        """Those of *names* that the user's own settings may hold as `curator.<name>`; the child knows for certain."""
        from curator.edge import launch, state

        found = state.may_set(self.workspace, names)
        if len(found) == len(names) or not state.has_includes(self.workspace):
            return found
        told = launch.ask(self.workspace, "config", "--null", "--name-only", "--get-regexp", r"^curator\.") or b""
        held = told.lower().split(b"\0")
        return tuple(name for name in names if name in found or f"curator.{name}".lower().encode() in held)

    def tell(self, message: str, *, kept: bool = True) -> None:
        """Say what went wrong: one line on stderr, however often, and each in hook.log. Never text of a memory.

        Not *kept*: it is no fault, so the log is left alone.
        """
        if not self.spoke:
            self.spoke = True
            hooklog.write(2, f"curator-hook: {hooklog.plain(message)}\n".encode())
        if kept:
            hooklog.append(self.workspace, self.event, message)

    def refresh(self) -> None:
        """Let a child bring the index up to date, unless one was started a moment ago."""
        path = f"{self.workspace.git_dir}/curator/refreshed"
        try:
            if 0 <= time.time() - os.stat(path).st_mtime < _PAUSE:
                return
        except OSError:
            pass  # never yet
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666))
            os.utime(path)
        except OSError:
            return  # where nothing can be noted, nothing can be brought up to date
        self.hand_over("sweep")

    def hand_over(self, *words: str) -> None:
        """Let a child of its own session run `curator` with *words*: it lives on when the client ends."""
        environment = {**os.environ, hook.CHILD: "1"}
        if os.fork() == 0:
            try:
                os.setsid()
                os.chdir(self.workspace.root)
                null = os.open(os.devnull, os.O_RDWR)
                for standard in (0, 1, 2):
                    os.dup2(null, standard)
                os.closerange(3, 256)
                os.execve(sys.executable, [sys.executable, "-P", "-m", "curator", *words], environment)
            finally:
                os._exit(127)


def answer(data: bytes | bytearray, began: float) -> None:
    """Answer the event in *data*, or say what is wrong with it; silent where curator is not set up."""
    payload = decoded(data) if len(data) < hook.MOST else None
    folder = _folder(payload or {})
    found = _workspace(folder)
    if found is None:
        return
    event = (payload or {}).get("hook_event_name")
    visit = Visit(event if isinstance(event, str) else "", payload or {}, found, began + hook.WORK, folder)
    _signal.signal(_signal.SIGALRM, lambda *_: _leave(visit))
    _signal.setitimer(_signal.ITIMER_REAL, max(0.01, began + hook.SECONDS - time.monotonic()))
    if not visit.event:
        visit.tell(_amiss(data, payload), kept=not data.isspace() and data != b"")
    elif hook.HANDLERS.get(visit.event):
        _handle(visit)


def decoded(data: bytes | bytearray) -> dict[str, Any] | None:
    """The object that *data* holds, None for anything else."""
    try:
        value = json.loads(str(data, "utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _amiss(data: bytes | bytearray, payload: object) -> str:
    if len(data) >= hook.MOST:
        return f"an event of over {hook.MOST >> 20} MB is too large to be read"
    if not data.strip():
        return "nothing on standard input: an agent's client starts this with an event (`curator init --help`)"
    return "an event without hook_event_name" if payload is not None else "standard input is not a JSON object"


def _folder(payload: dict[str, Any]) -> str:
    """Where the session works, "" where that is gone."""
    folder = payload.get("cwd")
    try:
        given = isinstance(folder, str) and os.path.isabs(folder) and os.path.isdir(folder)
        return str(folder) if given else os.getcwd()
    except (OSError, ValueError):
        return ""


def _workspace(folder: str) -> Workspace | None:
    """The work tree that holds *folder*, None where curator is not set up."""
    from curator.edge import workspace
    from curator.errors import CuratorError

    try:
        found = workspace.open_at(folder) if folder else None
        return found if found and _is_set_up(found) else None
    except (CuratorError, OSError, ValueError):
        return None


def _is_set_up(workspace: Workspace) -> bool:
    home = f"{workspace.root}/memories"
    if os.path.exists(f"{workspace.git_dir}/curator/index.db") or os.path.exists(f"{home}/curator.yaml"):
        return True
    try:
        folders = [f"{home}/{name}" for name in os.listdir(home) if name[:1] != "."]
        return any(name.endswith(".yaml") for folder in folders if os.path.isdir(folder) for name in os.listdir(folder))
    except OSError:
        return False


def _handle(visit: Visit) -> None:
    room, _, name = hook.HANDLERS[visit.event].partition(".")
    try:
        handler: Callable[[Visit], dict[str, Any] | None] = getattr(
            __import__(f"curator.hook.{room}", fromlist=[name]), name
        )
        said = handler(visit)
    except Exception as error:  # a fault of ours is told, the client goes on
        visit.tell(hooklog.fault(error))
        return
    if said and visit.event not in SILENT:
        hooklog.write(1, _formed(visit, said))


def _formed(visit: Visit, said: dict[str, Any]) -> bytes:
    """The answer in the form that the client reads."""
    if visit.client:
        from curator.hook import clients

        return clients.answer(visit.client, visit.event, said)
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _leave(visit: Visit) -> None:
    """Time is over. A log that was to be read is left to a child."""
    try:
        visit.tell(f"not done within {hook.SECONDS} s")
        log = visit.log
        if visit.event in _READING and visit.session and log and not visit.payload.get("stop_hook_active"):
            words = ("--send",) if visit.event == "SessionEnd" else ()
            visit.hand_over("sweep", f"--session={visit.session}", f"--log={log}", *words)
    finally:
        os._exit(0)
