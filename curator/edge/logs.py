"""The logs of sessions, whichever client keeps them: which are of this repository, and each opened by its name.

A name is the path of a file, or `<database>#<session>` for a session of OpenCode's.
"""

from __future__ import annotations

import os
import time

from curator.edge import transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.edge.homes import Kept
    from curator.edge.transcript import Log
    from curator.here import Workspace

_ROLLOUT = "rollout-"
_MARK = "#ses_"  # how the names of OpenCode's sessions begin


def opened(name: str, offset: int = 0, *, inside: bool = False) -> Log:
    """The log from a byte on. OSError for what is no log."""
    database, session = parted(name)
    if session:
        from curator.edge import opencode  # noqa: PLC0415 - SQLite: only a log of OpenCode's needs it

        return opencode.Session(database, session, offset)
    log = transcript.Log(name, offset, inside=inside)
    if os.path.basename(name).startswith(_ROLLOUT):
        from curator.edge import homes  # noqa: PLC0415 - a log of Codex, which keeps those of subagents among the others

        log.typed = not homes.is_subagents(name)
    return log


def parted(name: str) -> tuple[str, str]:
    """The database and the session that a name stands for; both "" for the path of a file."""
    head, mark, session = name.rpartition(_MARK)
    return (head, f"{mark[1:]}{session}") if mark and os.sep not in session else ("", "")


def named(database: str, session: str) -> str:
    """The name of a session in a database."""
    return f"{database}#{session}"


def session_of(name: str) -> str:
    """The name of a log's session, as the client's events have it."""
    from curator.edge import homes  # noqa: PLC0415 - a hook is told

    return parted(name)[1] or homes.session_of(name)


def size(name: str) -> int:
    """How long a log is, 0 when it is gone or is none. Of a session in a database it takes a reading to know."""
    if not parted(name)[1]:
        return transcript.size(name)
    try:
        log = opened(name)
    except OSError:
        return 0
    log.close()
    return log.size


def changed(name: str) -> str:
    """When a log was last written, as the times in it are: ISO 8601, UTC; "" when it is gone."""
    database, session = parted(name)
    try:
        moment = _rows(database).get(session) if session else os.stat(name).st_mtime
    except OSError:
        moment = None
    return "" if moment is None else time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))


def found(workspace: Workspace) -> list[str]:
    """The logs of sessions in any work tree of this clone, the last changed one last.

    A log says itself in which folder it was made; the name of its folder does
    not tell. A database that cannot be read has none.
    """
    from curator.edge import homes  # noqa: PLC0415 - the same

    at_home: dict[str, bool] = {}
    dated = []
    for kept in (*homes.files(), *_databases()):
        if kept.folder and kept.folder not in at_home:
            at_home[kept.folder] = transcript.is_ours(workspace, kept.folder)
        if at_home.get(kept.folder):
            dated.append((kept.changed, kept.path))
    return [path for _, path in sorted(dated)]


def is_the_clients(name: str) -> bool:
    """Whether this is a log where a client keeps its logs."""
    from curator.edge import homes  # noqa: PLC0415 - the same

    database = parted(name)[0]
    if not database:
        return homes.holds(name)
    return os.path.realpath(database) in {os.path.realpath(path) for path in homes.databases()}


def _databases() -> list[Kept]:
    from curator.edge import homes, opencode  # noqa: PLC0415 - the same

    found = []
    for path in homes.databases():
        try:
            found += [homes.Kept(named(path, row.session), row.changed, row.folder) for row in opencode.sessions(path)]
        except OSError:
            continue
    return found


def _rows(database: str) -> dict[str, float]:
    from curator.edge import opencode  # noqa: PLC0415 - the same

    return {row.session: row.changed for row in opencode.sessions(database)}
