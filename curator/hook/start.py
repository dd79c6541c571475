"""The start of a session: what it should know, and what earlier ones left over is handed to a child."""

from __future__ import annotations

import os
import time

from curator.edge import current, inbox, reader, spool
from curator.hook import recall, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from curator.core.essentials import Settings
    from curator.edge.current import View
    from curator.hook.visit import Visit

_ANEW = frozenset({"startup", "clear", "compact"})
"""Sources after which the model holds nothing of what it was told before."""


def begin(visit: Visit) -> dict[str, Any] | None:
    """What the session should know of its branch, and one line for the user when something waits."""
    try:
        view = current.look(visit.workspace)
        settings = view.cache.settings() if view else None
    except reader.Damaged:
        view = settings = None
    words = _told(visit, view, settings)
    notice = _notice(visit, view)
    if not (view and view.cache.weighed and _checked(view)) or _is_left(visit):
        visit.hand_over("sweep")
    if not (words or notice):
        return None
    about = {"hookEventName": visit.event, **({"additionalContext": words} if words else {})}
    return {**({"systemMessage": notice} if notice else {}), "hookSpecificOutput": about}


def _told(visit: Visit, view: View | None, settings: Settings | None) -> str:
    """What the branch adds. The session's own state is begun, or begun anew."""
    from curator.hook import branch

    state = spool.load(visit.workspace, visit.session)
    if visit.text("source") in _ANEW:
        _forget(view, state)
    state.log = state.log or visit.text("transcript_path")
    state.root = state.root or visit.workspace.root
    if settings and settings.gate != "off" and visit.text("source") != "compact":
        from curator.hook import gate

        gate.begin(visit, state, settings)
    words, named = branch.text(visit, view, settings) if view and settings else ("", [])
    state.paths = shown.noted(state.paths, [one.path for one in named])
    recall.keep(visit, state)
    return words


def _forget(view: View | None, state: spool.Spool) -> None:
    """What was shown may be shown again; that it was curator's own words stays known."""
    if state.paths and view:
        from curator.core import sentences

        marks = [mark for one in view.cache.documents_at(state.paths) for mark in sentences.marks(one.text)]
        state.shown = [*state.shown, *(mark for mark in marks if mark not in state.shown)]
    state.paths, state.files, state.last = [], [], []


def _notice(visit: Visit, view: View | None) -> str:
    """One line when proposals wait, or entries are known to be stale."""
    waiting = len(inbox.keys(visit.workspace))
    stale = sum(state == "stale" for state, _ in shown.doubts(view).values()) if view and _checked(view) else 0
    if not (waiting or stale):
        return ""
    parts = [f"{waiting} {'memory waits' if waiting == 1 else 'memories wait'} for review"] if waiting else []
    if stale:
        what = "" if waiting else "memory " if stale == 1 else "memories "
        parts.append(f"{stale} {what}{'is' if stale == 1 else 'are'} stale")
    return f"curator: {', '.join(parts)}. Run: curator {'review' if waiting else 'check'}"


def _checked(view: View) -> bool:
    """Whether the last check was today's, and of this state of git."""
    memo = view.cache.memo(shown.CHECK) if view.valid else None
    return bool(memo) and str(memo).startswith(f"{time.strftime('%Y-%m-%d')} {view.cache.stamp}\n")


def _is_left(visit: Visit) -> bool:
    """Whether the log of another session holds what was not read yet."""
    for session in spool.sessions(visit.workspace):
        state = spool.load(visit.workspace, session) if session != visit.session else None
        if state and state.log and _size(state.log) > max(state.offset, state.size):
            return True
    return False


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
