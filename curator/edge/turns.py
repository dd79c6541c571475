"""The turns of a session around a sentence, read from its transcript while that still exists. Nothing of it is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import NamedTuple

from curator.core import proposal, secrets, session
from curator.edge import logs, spool
from curator.here import Workspace

_MOST = 256 << 20  # bytes of a transcript that are looked through
_SECONDS = 5.0
_HIDDEN = "(it holds something that looks like a secret, and is not shown)"


class Turn(NamedTuple):
    """Who spoke ("user" or "agent"), and what was said."""

    by: str
    text: str


def around(workspace: Workspace, name: str, words: str) -> tuple[Turn, ...]:
    """The turn before the one that holds *words*, that one, and the next; () when no transcript tells.

    *name* is a session's, or the beginning of it, as a proposal keeps it.
    """
    wanted = " ".join(words.split())
    if not name or not wanted:
        return ()
    return next((found for log in _logs(workspace, name) if (found := _around(log, wanted))), ())


def _logs(workspace: Workspace, name: str) -> Iterator[str]:
    """Transcripts that may be the session's: first those that hooks were told of, then those of the client's folder."""
    for one in spool.sessions(workspace):
        if _is_called(one, name):
            yield spool.load(workspace, one).log
    for path in logs.found(workspace):
        if _is_called(logs.session_of(path), name):
            yield path


def _is_called(session: str, name: str) -> bool:
    return session.startswith(name) or proposal.short(session).startswith(name)


def _around(log: str, wanted: str) -> tuple[Turn, ...]:
    before: list[Turn] = []
    for turn in _turns(log):
        if before and _holds(before[-1], wanted):
            return tuple(map(_shown, (*before[-2:], turn)))
        before = [*before[-1:], turn]
    return tuple(map(_shown, before)) if before and _holds(before[-1], wanted) else ()


def _holds(turn: Turn, wanted: str) -> bool:
    return wanted in " ".join(turn.text.split())


def _shown(turn: Turn) -> Turn:
    return turn._replace(text=_HIDDEN) if secrets.find(turn.text) else turn


def _turns(path: str) -> Iterator[Turn]:
    """What people and agents said, in order; what tools put out is left out."""
    try:
        log = logs.opened(path)
    except OSError:
        return
    try:
        for _, line in log.lines(_MOST, time.monotonic() + _SECONDS):
            try:
                said = session.said(json.loads(line.decode("utf-8", "replace")))
            except (ValueError, RecursionError):
                continue
            if said and said.by != session.TOOL:
                yield Turn(said.by, said.text)
    except OSError:
        return
    finally:
        log.close()
