"""Capture: what the user said goes from the session's log into the inbox, from where the last reading ended."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from curator.edge import arrivals, current, reader, spool
from curator.edge.knowledge import Known
from curator.hook import KIMI, OPENCODE, gate
from curator.verbs import propose

if TYPE_CHECKING:
    from curator.edge.spool import Spool
    from curator.hook.visit import Visit

STOP = "stop"
MODEL = "--model"
_ASKED = {"modelCapture": MODEL, "sync": "--send"}

_PATIENCE = 0.25
"""Seconds that a child at the same log is waited for: mostly it has little to read, and the gate is to speak."""

_READING, _JUDGING = 0.35, 0.15
"""Seconds before the end at which reading stops, and at which the judging of what was read does."""


def stopped(visit: Visit) -> dict[str, object] | None:
    """The end of a turn. One that goes on only because a hook said so is not looked at."""
    if visit.payload.get("stop_hook_active"):
        return None
    return _capture(visit, STOP, *_wishes(visit, "modelCapture"))


def compacting(visit: Visit) -> None:
    """What is said must be taken before a summary replaces it; the client gets no answer."""
    _capture(visit, "pre-compact")
    if visit.client == KIMI:  # which starts no session anew after it
        held = spool.load(visit.workspace, visit.session)
        held.paths, held.files, held.last, held.untold = [], [], [], True
        spool.save(visit.workspace, visit.session, held)


def ended(visit: Visit) -> None:
    """The last chance: what does not fit is handed over; the client gets no answer."""
    wishes = _wishes(visit, "modelCapture", "sync")
    _capture(visit, "session-end", *wishes, *(("--over",) if MODEL in wishes else ()))


def _wishes(visit: Visit, *names: str) -> tuple[str, ...]:
    """What a child is to do besides, as the user's settings say."""
    return tuple(_ASKED[name] for name in visit.asked(*names))


def _capture(visit: Visit, trigger: str, *words: str) -> dict[str, object] | None:
    """Propose, save the offset, and let a child do what is left, and what *words* say; at a Stop, ask the gate."""
    path, session = visit.log, visit.session
    if not (path and session):
        visit.tell("the event names no session with a transcript: nothing is captured")
        return None
    if visit.client == OPENCODE:
        _put_off(visit, path, *words)
        return None
    said, more = None, True
    with spool.locked(visit.workspace, session, _PATIENCE) as alone:
        if alone:
            held = spool.load(visit.workspace, session)
            propose.follow(held, path, visit.workspace.root)
            spool.save(visit.workspace, session, held)  # whatever happens now, a sweep finds the log
            with suppress(reader.Damaged):  # the child makes it anew
                known = _known(visit)
                if known:
                    more = _read(visit, held, known, trigger)
                    said = gate.check(visit, held, known) if trigger == STOP else None
    if words or (alone and more):  # not alone: a child is at it, and reads to the end
        visit.hand_over("sweep", "--session", session, *words)
    return said


def _put_off(visit: Visit, path: str, *words: str) -> None:
    """Let a child read a log that lies in a client's database, and let a sweep find it if that fails."""
    held = spool.load(visit.workspace, visit.session)
    propose.follow(held, path, visit.workspace.root)
    held.due = True
    spool.save(visit.workspace, visit.session, held)
    visit.hand_over("sweep", "--session", visit.session, *words)


def _known(visit: Visit) -> Known | None:
    """What sentences are held against, None where the index is not of the entries and settings of now."""
    view = current.look(visit.workspace)
    settings = view.cache.settings() if view and (view.valid or view.same) else None
    return Known(settings, visit.workspace, view.cache) if view and settings else None


def _read(visit: Visit, held: Spool, known: Known, trigger: str) -> bool:
    """Propose what stands in the log from the saved offset on; whether something is left to read."""
    asked = propose.Asked(
        session=visit.session,
        trigger=trigger,
        now=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        tail=lambda: os.urandom(3).hex(),
        until=visit.until - _READING,
        last=visit.until - _JUDGING,
        tallies=known.settings.gate != "off",
    )
    try:
        log = propose.opened(held)
    except OSError as error:
        visit.tell(f"the transcript cannot be read: {error.strerror or error}")
        return False
    try:
        gathered = propose.run(log, held, known, asked)
    finally:
        log.close()
    arrivals.deliver(visit.workspace, gathered.files)
    propose.note(held, gathered)
    spool.save(visit.workspace, visit.session, held)
    if gathered.torn:
        visit.tell(f"{gathered.torn} lines of the transcript could not be read and were passed over")
    return gathered.more
