"""The gate at Stop: a word to a session that changed files and stored nothing, where the settings ask for one."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from curator.core import gate, proposal
from curator.edge import inbox, spool

if TYPE_CHECKING:
    from curator.core.essentials import Settings
    from curator.edge.activity import Activity, Seen
    from curator.edge.knowledge import Known
    from curator.edge.spool import Spool
    from curator.hook.visit import Visit


def begin(visit: Visit, state: Spool, settings: Settings) -> None:
    """Take down in *state* how the work tree stands as a session starts or goes on; nothing while the gate is off."""
    if settings.gate not in {gate.REMIND, gate.BLOCK}:
        return
    found = _look(visit, settings, _seen(state))
    if found:
        _remember(state, found.now)


def check(visit: Visit, state: Spool, known: Known) -> dict[str, object] | None:
    """What to say at a Stop; the state that it rests on is saved before. None while the gate is off."""
    mode, since = known.settings.gate, _since(state, time.time())
    if not gate.is_due(mode, since):
        return None
    said = gate.answer(mode, _want(visit, state, known, since), since)
    state.gate.update(calls=0, lookups=0, stores=0, writes=0, checked=True)
    if said:
        state.gate.update(spoke=time.time(), reminded=True)
    spool.save(visit.workspace, visit.session, state)
    return said


def _want(visit: Visit, state: Spool, known: Known, since: gate.Since) -> str:
    """What the session lacks; after a word about looking up, its changes are still to be looked at."""
    memories = known.cache is not None and known.cache.holds_any()
    if gate.wants_lookup(since, asked=known.settings.gate_lookup, memories=memories):
        return gate.LOOKUP
    was = _seen(state)
    found = _look(visit, known.settings, was)
    if found is None:
        return ""
    stored = found.stored or _has_proposed(visit, state, was.since)
    _remember(state, found.now)
    state.gate["had"] = len(state.proposed) + len(state.repeated)
    return gate.STORE if gate.wants_memory(since, changed=found.changed, stored=stored) else ""


def _since(state: Spool, now: float) -> gate.Since:
    spoke = _figure(state, "spoke")
    tally = gate.Tally(*(int(_figure(state, name)) for name in gate.Tally._fields))
    silent = now - spoke if 0 < spoke <= now else float("inf")
    return gate.Since(tally, silent, first="checked" not in state.gate, reminded=state.gate.get("reminded") is True)


def _look(visit: Visit, settings: Settings, was: Seen) -> Activity | None:
    from curator.edge import activity

    return activity.look(visit.workspace, settings.targets, was, time.time())


def _seen(state: Spool) -> Seen:
    """How the work tree stood at the last check; before the first one only when the session began."""
    from curator.edge.activity import Seen

    head, files, since = state.gate.get("head"), state.gate.get("files"), _figure(state, "since")
    if isinstance(head, str) and isinstance(files, list):
        return Seen(head, tuple(one for one in files if isinstance(one, int)), since)
    return Seen("", (), _began(state.log) or time.time())


def _remember(state: Spool, now: Seen) -> None:
    state.gate.update(head=now.head, files=list(now.files), since=now.since)


def _began(path: str) -> float:
    """When the first line of a log that has a time was written, in seconds since 1970; 0 where none has."""
    import calendar
    import re

    from curator.edge.transcript import Log

    try:
        log = Log(path)
    except OSError:
        return 0.0
    try:
        head = log.before(min(log.size, 1 << 16), 1 << 16)[1].decode("ascii", "replace")
    except OSError:
        return 0.0
    finally:
        log.close()
    found = re.search(r'"timestamp"\s*:\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)', head)
    try:
        return float(calendar.timegm(time.strptime(found[1], "%Y-%m-%dT%H:%M:%S"))) if found else 0.0
    except ValueError:
        return 0.0


def _has_proposed(visit: Visit, state: Spool, since: float) -> bool:
    """Whether this session has put something into the inbox since then, by the hook or by its agent."""
    if len(state.proposed) + len(state.repeated) > _figure(state, "had"):
        return True
    mine = f"session: {proposal.short(visit.session)}".encode()
    for key in inbox.keys(visit.workspace):
        try:
            if os.lstat(inbox.path(visit.workspace, key)).st_mtime < since:
                continue
            data = inbox.read(visit.workspace, key) or b""
        except OSError:
            continue
        if mine in data.replace(b"'", b"").replace(b'"', b"") or b"\n  session:" not in data:
            return True
    return False


def _figure(state: Spool, name: str) -> float:
    value = state.gate.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
