"""Propose that a memory be retired: one file in the inbox, until a person decides. The memory stays as it is."""

from __future__ import annotations

from curator.core import codec, ending, keys, lifecycle, roster, vetting
from curator.edge import arrivals, inbox, store
from curator.errors import CuratorError
from curator.model import Entry, Origin, Workspace
from curator.outcome import Edit, Outcome

_LONGEST = 300  # characters of what can name a memory: its path at most


def run(
    workspace: Workspace,
    name: str,
    reason: str,
    *,
    now: str,
    by: str,
    agent: str,
    session: str = "",
    trigger: str = "",
) -> Outcome:
    """One new file of the inbox that asks to retire the memory that *name* means; nothing but a note where one waits.

    *now* is ISO 8601 with time; *by*, *agent*, *session* and *trigger* say who asks. CuratorError for a name that means
    none or several, for what has ended, for what a person refused to retire before, and for a reason that no memory
    may hold.
    """
    said = ending.stated(reason)
    if len(name) > _LONGEST:
        raise CuratorError("no memory has so long a name", hint="`curator list` shows every id")
    held = store.load(workspace)
    known = roster.named(held.entries, name)
    if sum(one.id == known.id for one in held.entries) > 1:
        raise CuratorError("another memory has the same id", where=known.path, hint="`curator check` names both files")
    _refuse_ended(workspace, known, held.entries, trust=held.config.trust)
    key = keys.ending(held.config.namespace, known.id)
    if inbox.is_refused(workspace, key):
        hint = f"`curator retire {known.id}`, typed by a person, retires it all the same"
        raise CuratorError("a person refused to retire that before", where=known.path, hint=hint)
    before = arrivals.yielding(workspace, key, by).decode("utf-8", "surrogateescape") or None
    if inbox.holds(workspace, key) and before is None:
        return Outcome(notes=(f"to retire {known.id} is proposed already, and waits in the inbox",))
    origin = Origin(by=by, agent=agent, session=session, trigger=trigger, created=now, key=key)
    text = codec.write(ending.made(known, said, origin))
    _refuse_unfit(text, known, held.config.categories)
    return Outcome(edits=(Edit(inbox.path(workspace, key), before, text),))


def _refuse_ended(workspace: Workspace, known: Entry, entries: tuple[Entry, ...], *, trust: str) -> None:
    """Raise for what is not in use, or is retired in git's index and will not be."""
    staged = store.load(workspace, trust=store.INDEX).entries if trust != store.INDEX else ()
    for one in (entries, staged):
        reason = lifecycle.ended(one).get(known.path)
        if reason:
            raise CuratorError(f"is not in use any more: {reason}", where=known.path)


def _refuse_unfit(text: str, known: Entry, categories: tuple[str, ...]) -> None:
    """Raise for a reason with a secret, hidden characters or markup in it: accepted, it stands in the memory's file."""
    faults = vetting.errors(vetting.vet_text(text, known.path, categories)[1])
    if faults:
        reasons = "; ".join(dict.fromkeys(fault.message for fault in faults))
        raise CuratorError(f"this cannot be proposed: {reasons}", hint="reword the reason")
