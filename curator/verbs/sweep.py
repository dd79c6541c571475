"""What hooks left over: the sessions whose logs may go on behind the last reading, each with its work tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curator.edge import logs, spool, workspace
from curator.edge.spool import Spool
from curator.errors import CuratorError
from curator.here import Workspace


class Left(NamedTuple):
    """A session and the work tree it ran in."""

    session: str
    workspace: Workspace


def run(here: Workspace, sessions: Sequence[str] = ()) -> tuple[Left, ...]:
    """Those of *sessions*, or of all, whose log has changed since it was last read.

    Of the sessions in a client's database those are looked at that a hook left over.
    """
    found = []
    for session in sessions or spool.sessions(here):
        state = spool.load(here, session)
        if state.due or (_is_file(state) and logs.size(state.log) not in {0, state.size}):
            found.append(Left(session, _place(here, state.root)))
    return tuple(found)


def _is_file(state: Spool) -> bool:
    return not logs.parted(state.log)[1]


def _place(here: Workspace, root: str) -> Workspace:
    """The work tree at *root*; the one at hand where that is gone or of another clone."""
    try:
        found = workspace.open_at(root) if root else here
    except (CuratorError, OSError, ValueError):
        return here
    return found if found.common_dir == here.common_dir else here
