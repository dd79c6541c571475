"""The start of a session: what it should know, and what earlier ones left over is handed to a child."""

from __future__ import annotations

import time

from curator.edge import current, inbox, reader, spool, transcript
from curator.hook import KIMI, OPENCODE, recall, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from curator.core.essentials import Settings
    from curator.edge.current import View
    from curator.hook.visit import Visit

FULL = 10
"""Proposals that may wait (extract.WAITING, which costs too much to load)."""

_TELLING, _PAUSE = 0.25, 0.03
"""Seconds that are kept for what is to be said, and between two looks at what the child has done."""

MOST = 500
"""Sessions whose state is looked at, the newest first."""

_LOOKING = 0.15
"""Seconds that this may take."""

_ASKED = {"autoMemory": "--watch", "modelCapture": "--model"}
"""Settings of the user's, and what they have a child do beside."""

_ANEW = frozenset({"startup", "clear", "compact"})
"""Sources after which the model holds nothing of what it was told before; OpenCode's plugin never does."""


def begin(visit: Visit) -> dict[str, Any] | None:
    """What the session should know of its branch, and one line for the user when something waits."""
    view = _seen(visit)
    behind = not (view and view.cache.weighed and _checked(view))
    more = tuple(_ASKED[name] for name in visit.asked(*_ASKED))
    if behind:
        visit.hand_over("sweep", *more)
        view = _awaited(visit, view)
    words = _told(visit, view, view.cache.settings() if view else None)
    notice = _notice(visit, view)
    if not behind and (more or _is_left(visit)):
        visit.hand_over("sweep", *more)
    if not (words or notice):
        return None
    about = {"hookEventName": visit.event, **({"additionalContext": words} if words else {})}
    return {**({"systemMessage": notice} if notice else {}), "hookSpecificOutput": about}


def _seen(visit: Visit) -> View | None:
    try:
        view = current.look(visit.workspace)
        return view if view and view.cache.settings() else None
    except reader.Damaged:
        return None


def _awaited(visit: Visit, view: View | None) -> View | None:
    """The cache as the child has it in time: after a pull or a checkout it is of another state, and this the moment."""
    while not (view and view.same and view.cache.weighed) and time.monotonic() < visit.until - _TELLING:
        time.sleep(_PAUSE)
        view = _seen(visit) or view
    return view


def _told(visit: Visit, view: View | None, settings: Settings | None) -> str:
    """What the branch adds. The session's own state is begun, or begun anew."""
    from curator.hook import branch

    state = spool.load(visit.workspace, visit.session)
    if visit.text("source") in _ANEW or visit.client == OPENCODE:
        state.paths, state.files, state.last = [], [], []  # it may be told again; that it is ours stays known
    state.log = state.log or visit.log
    state.root = state.root or visit.workspace.root
    if settings and settings.gate != "off" and visit.text("source") != "compact":
        from curator.hook import gate

        gate.begin(visit, state, settings)
    state.untold = visit.client == KIMI  # which takes nothing before the first prompt
    told = None if state.untold else settings
    words, named = branch.text(visit, view, told) if view and told else ("", [])
    state.paths = shown.noted(state.paths, [one.path for one in named])
    spool.show(state, [words, *(one.text for one in named)])
    recall.keep(visit, state)
    return words


def _notice(visit: Visit, view: View | None) -> str:
    """One line when proposals wait, or entries are known to be stale."""
    waiting = len(inbox.waits(visit.workspace))
    stale = sum(state == "stale" for state, _ in shown.doubts(view).values()) if view and _checked(view) else 0
    if not (waiting or stale):
        return ""
    parts = [f"{waiting} {'memory waits' if waiting == 1 else 'memories wait'} for review"] if waiting else []
    if stale:
        what = "" if waiting else "memory " if stale == 1 else "memories "
        parts.append(f"{stale} {what}{'is' if stale == 1 else 'are'} stale")
    full = " Nothing more is captured until some are decided." if waiting >= FULL and _is_full(visit) else ""
    return f"curator: {', '.join(parts)}. Run: curator {'review' if waiting else 'check'}{full and '.'}{full}"


def _is_full(visit: Visit) -> bool:
    """Whether sessions alone have filled the inbox; imports and remotes take no room in it."""
    from curator.edge import arrivals

    return len(arrivals.own(visit.workspace)) >= FULL


def _checked(view: View) -> bool:
    """Whether the last check was today's, and of this state of git."""
    memo = view.cache.memo(shown.CHECK) if view.valid else None
    return bool(memo) and str(memo).startswith(f"{time.strftime('%Y-%m-%d')} {view.cache.stamp}\n")


def _is_left(visit: Visit) -> bool:
    """Whether the log of another session holds what was not read yet, or there are too many to tell in time."""
    until = min(visit.until, time.monotonic() + _LOOKING)
    for number, session in enumerate(spool.recent(visit.workspace)):
        if number == MOST or time.monotonic() > until:
            return True
        state = spool.load(visit.workspace, session) if session != visit.session else None
        if state and (state.due or transcript.size(state.log) > max(state.offset, state.size)):
            return True
    return False
