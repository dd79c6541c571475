"""What a session has been shown, told and read so far: one small file for each in git's common folder.

It never holds text of a transcript or of a memory: byte offsets, keys,
fingerprints and paths only. A file that is missing, torn or foreign counts as
empty: that costs a second reading, and keys make it harmless.
"""

from __future__ import annotations

import os
import stat
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from curator.here import Workspace

DAYS = 30
"""How long the file of a session is kept after its last change."""

_TEXTS = ("log", "root")
_NUMBERS = ("offset", "size", "counted", "torn", "sent", "distilled")
_FLAGS = ("inside", "due", "untold")
_GROWING = ("proposed", "repeated", "shown", "paths", "files")
_MOST = 20_000  # items of a list; the oldest go first
_LONGEST = 4 << 20  # bytes of a file that is still ours
_TRIES = 3  # to open a lock that others remove
_PATIENCE = 0.5  # seconds that a save waits for another one
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Spool:
    """The state of one session, to change and to save.

    *log* is its transcript, read up to the byte *offset*; what follows up to
    *size* is half a line. *inside* says that the offset stands within a line
    too long to read, *torn* how many lines of it could not be read. *root* is
    the work tree. *due*: the log goes on, but only a child can read it, and
    none has. *untold*: the session has not been told what it should know
    from its start.
    *sent* is the byte up to which the log went to a model, *distilled* how many
    proposals a model has made of it.
    *proposed* and *repeated* are keys of proposals, of which *counted* count
    against the cap. *shown* are fingerprints of sentences, *paths* those of
    memories that the session was given, *last* those of its last prompt,
    *files* what it was told about. *gate* is the gate's own.
    """

    __slots__ = (
        *("counted", "distilled", "due", "files", "gate", "inside", "last", "log", "offset", "paths", "proposed"),
        *("repeated", "root", "sent", "shown", "size", "torn", "untold", "was"),
    )

    def __init__(self, values: Mapping[str, object]) -> None:
        self.log = _text(values, "log")
        self.root = _text(values, "root")
        self.offset = _number(values, "offset")
        self.size = _number(values, "size")
        self.counted = _number(values, "counted")
        self.torn = _number(values, "torn")
        self.sent = _number(values, "sent")
        self.distilled = _number(values, "distilled")
        self.inside = values.get("inside") is True
        self.due = values.get("due") is True
        self.untold = values.get("untold") is True
        self.proposed = _texts(values, "proposed")
        self.repeated = _texts(values, "repeated")
        self.paths = _texts(values, "paths")
        self.files = _texts(values, "files")
        self.last = _texts(values, "last")
        self.shown = [one for one in _list(values, "shown") if isinstance(one, int)]
        gate = values.get("gate")
        self.gate: dict[str, object] = dict(gate) if isinstance(gate, dict) else {}
        self.was = self.values()

    def values(self) -> dict[str, object]:
        """What is saved, as values of JSON; lists and the gate's state are copies."""
        found: dict[str, object] = {name: getattr(self, name) for name in (*_TEXTS, *_NUMBERS, *_FLAGS)}
        found.update({name: list(getattr(self, name))[-_MOST:] for name in (*_GROWING, "last")})
        found["gate"] = dict(self.gate)
        return found


def load(workspace: Workspace, session: str) -> Spool:
    """The state of a session; an empty one when nothing fit to read is there, or *session* is no name of one."""
    return Spool(_read(_path(workspace, session)) if is_name(session) else {})


def save(workspace: Workspace, session: str, spool: Spool) -> None:
    """Write what changed since *spool* was loaded, over what another process may have saved meanwhile.

    OSError where it cannot be written; nothing happens when nothing changed.
    """
    if not is_name(session) or spool.values() == spool.was:
        return
    import json  # noqa: PLC0415 - only an event that has something to keep pays for it

    path = _path(workspace, session)
    os.makedirs(folder(workspace), exist_ok=True)
    temporary = f"{path}.{os.getpid()}.{time.time_ns()}"
    lock = _Lock(folder(workspace), _PATIENCE)
    with lock:
        values = _merged(spool.was, spool.values(), Spool(_read(path)).was)
        try:
            with open(temporary, "xb") as writer:
                writer.write(json.dumps(values, separators=(",", ":")).encode())
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise
    spool.was = spool.values()


def show(spool: Spool, texts: Iterable[str]) -> None:
    """Take down that the session is shown these *texts* of memories, whatever becomes of them later."""
    from curator.core import sentences  # noqa: PLC0415 - most events show nothing

    known = set(spool.shown)
    for text in texts:
        marks = [mark for mark in sentences.marks(text) if mark not in known]
        known.update(marks)
        spool.shown += marks


def locked(workspace: Workspace, session: str, seconds: float = 0) -> _Lock:
    """A context that captures of one session take turns in: it gives False when another process is at it.

    That one is waited for, *seconds* at most. Without a session it is what
    sweeps of all sessions take turns in.
    """
    os.makedirs(folder(workspace), exist_ok=True)
    return _Lock(f"{folder(workspace)}/{session if is_name(session) else ''}.lock", seconds)


def sessions(workspace: Workspace) -> tuple[str, ...]:
    """The sessions that left something, by name."""
    names = [name[:-5] for name in _listed(workspace) if name.endswith(".json")]
    return tuple(sorted(name for name in names if is_name(name)))


def recent(workspace: Workspace) -> list[str]:
    """The sessions that left something, the last changed one first."""
    dated = []
    try:
        with os.scandir(folder(workspace)) as found:
            for one in found:
                if one.name.endswith(".json") and is_name(one.name[:-5]):
                    dated.append((one.stat(follow_symlinks=False).st_mtime_ns, one.name[:-5]))
    except OSError:
        pass  # those that were seen count
    return [name for _, name in sorted(dated, reverse=True)]


def clear(workspace: Workspace, now: float) -> None:
    """Remove files that were not changed for DAYS, counted back from *now* (seconds since 1970).

    A lock is as old as its session: it stays with it, and as long as somebody holds it.
    """
    names = sorted(_listed(workspace), key=lambda name: name.endswith(".lock"))
    for name in names:
        path = f"{folder(workspace)}/{name}"
        try:
            if now - os.lstat(path).st_mtime <= DAYS * 86400:
                continue
            if not name.endswith(".lock"):
                os.unlink(path)
            elif name != ".lock" and not os.path.lexists(f"{path[:-5]}.json"):
                with _Lock(path, 0) as alone:
                    if alone:
                        os.unlink(path)
        except OSError:
            continue  # somebody else was faster


def folder(workspace: Workspace) -> str:
    """Where the files lie."""
    return f"{workspace.common_dir}/curator/spool"


def is_name(session: str) -> bool:
    """Whether this can be the name of a session, and so of a file."""
    return 0 < len(session) <= 64 and _ALLOWED.issuperset(session)


class _Lock:
    """An exclusive flock for a `with`; it gives False when somebody held it too long. Without flocks it gives True."""

    __slots__ = ("handle", "path", "seconds")

    def __init__(self, path: str, seconds: float) -> None:
        self.path = path
        self.seconds = seconds
        self.handle = -1

    def __enter__(self) -> bool:
        if sys.platform == "win32":
            return True
        for _ in range(_TRIES):
            flags = os.O_RDONLY if os.path.isdir(self.path) else os.O_RDWR | os.O_CREAT
            self.handle = os.open(self.path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
            if not _claimed(self.handle, self.seconds):
                return False
            if _is_at(self.handle, self.path):
                break
            os.close(self.handle)  # it was removed in between: what is there now is another's
            self.handle = -1
        return self.handle >= 0

    def __exit__(self, *error: object) -> None:
        if self.handle >= 0:
            os.close(self.handle)


def _is_at(handle: int, path: str) -> bool:
    """Whether the open file is the one that has this name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _claimed(handle: int, seconds: float) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - POSIX only
    except ImportError:
        return True
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.002)
        except OSError:
            return True  # a file system without locks
        else:
            return True


def _merged(was: dict[str, object], mine: dict[str, object], now: dict[str, object]) -> dict[str, object]:
    """What stands in the file *now*, with the changes that *mine* makes to what it *was*."""
    merged = {name: now[name] if value == was[name] else value for name, value in mine.items()}
    for name in _GROWING:
        old, new, other = was[name], mine[name], now[name]
        assert isinstance(old, list)
        assert isinstance(new, list)
        assert isinstance(other, list)
        gone = set(old).difference(new)
        kept = [one for one in other if one not in gone]
        there = set(kept)
        merged[name] = [*kept, *(one for one in new if one not in there)][-_MOST:]
    return merged


def _read(path: str) -> dict[str, object]:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return {}
    import json  # noqa: PLC0415 - a session without a file does not pay for it

    try:
        data = os.read(handle, _LONGEST) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
        value = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return {}
    finally:
        os.close(handle)
    return value if isinstance(value, dict) else {}


def _listed(workspace: Workspace) -> list[str]:
    try:
        return os.listdir(folder(workspace))
    except OSError:
        return []


def _path(workspace: Workspace, session: str) -> str:
    return f"{folder(workspace)}/{session}.json"


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _text(values: Mapping[str, object], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _number(values: Mapping[str, object], name: str) -> int:
    value = values.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _list(values: Mapping[str, object], name: str) -> list[object]:
    value = values.get(name)
    return value if isinstance(value, list) else []


def _texts(values: Mapping[str, object], name: str) -> list[str]:
    return [one for one in _list(values, name) if isinstance(one, str)]
