"""Which logs a command reads: the newest of this repository, all of them, or one that was named."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.edge.spool import Spool
    from curator.edge.transcript import Log
    from curator.here import Workspace

_DIGITS = 20  # of a byte's number; more than so many can be none


def logs(at: Workspace | None, file: str, since: str, all_sessions: bool) -> Iterator[tuple[str, Log, Spool]]:
    """Each log with the name of its session and what is known of that."""
    from curator.edge import logs, spool, transcript

    offset = int(since) if _is_offset(since) else 0
    if file == "-":
        piped = transcript.Piped(sys.stdin.buffer.read() if sys.stdin else b"")
        piped.offset = min(offset, piped.size)
        yield "stdin", piped, spool.Spool({})
        return
    for name in _names(at, file, since, all_sessions):
        session = logs.session_of(name)
        state = spool.load(at, session) if at else spool.Spool({})
        try:
            log = logs.opened(name)
        except OSError as error:
            raise _unread(name, error) from None
        log.offset = min(offset, log.size)
        yield session, log, state


def moment(since: str) -> str:
    """An ISO date or time as it compares with those of messages, "" for an offset."""
    from datetime import UTC, datetime

    if not since or _is_offset(since):
        return ""
    try:
        found = datetime.fromisoformat(since).astimezone(UTC)
    except (ValueError, OverflowError, OSError):  # of the first and the last year a zone makes none
        hint = "an ISO date such as 2026-01-31, or a byte of the log"
        raise CuratorError(f"{since!r} is no date", hint=hint) from None
    return found.strftime("%Y-%m-%dT%H:%M:%S")


def _names(at: Workspace | None, file: str, since: str, all_sessions: bool) -> list[str]:
    from curator.edge import logs

    if file or at is None:
        return [_named(at, os.path.abspath(file))]
    names = logs.found(at)
    if not names:
        raise CuratorError(
            "no session of this repository left a log",
            hint="name one with `--transcript FILE`; CLAUDE_CONFIG_DIR, CODEX_HOME, KIMI_CODE_HOME and XDG_DATA_HOME"
            " say where clients keep them",
        )
    least = moment(since)
    return [name for name in names if logs.changed(name) >= least] if all_sessions else names[-1:]


def _named(at: Workspace | None, path: str) -> str:
    """The log that a file is; of a database the newest session that is not of another repository."""
    from curator.edge import logs, opencode, transcript

    if not opencode.is_database(path):
        return path
    try:
        rows = opencode.sessions(path)
    except OSError as error:
        raise _unread(path, error) from None
    ours = [row for row in rows if at is None or transcript.is_ours(at, row.folder)] or [
        row for row in rows if at is not None and not transcript.is_elsewhere(at, row.folder)
    ]
    if not ours:
        hint = f"name a session: --transcript {path}#ses_..." if rows else "name a session's log"
        raise CuratorError("holds no session of this repository", where=path, hint=hint)
    return logs.named(path, ours[-1].session)


def _unread(name: str, error: OSError) -> CuratorError:
    return CuratorError(f"cannot be read: {error.strerror}", where=name, hint="name a session's log")


def _is_offset(since: str) -> bool:
    return since.isascii() and since.isdigit() and len(since) < _DIGITS
