"""Take one proposal: the entry it becomes, in the tree."""

from __future__ import annotations

from curator.core import queue
from curator.core.queue import Choice, Prepared, Proposal, State
from curator.edge import away, proposals, standstill, store
from curator.errors import CuratorError
from curator.model import Entry, Workspace


def run(workspace: Workspace, name: str, choice: Choice = queue.NOTHING, *, today: str) -> Prepared:
    """The new file to write and stage, or the known one that was said again, on an ISO date.

    *name* is a key, or an id or an end of either. The proposal leaves the
    inbox when all is written and staged: that is the door's to do. A proposal
    that was accepted before, by somebody else or by a command that was
    killed, has no edits but what is left to do. Raises CuratorError, and
    nothing is lost, for what cannot be an entry or is known already, and
    while git can take no change.
    """
    held = store.load(workspace, trust=store.INDEX)
    read, findings = proposals.read(workspace, held.config, name)
    found = queue.named(read, name)
    if found is None:
        broken = next((one for one in findings if name and one.where.startswith(name)), None)
        if broken:
            raise CuratorError(f"cannot be accepted: {broken.message}", where=broken.where, hint=broken.hint)
        # Whoever took it out of the inbox had staged it before: the store that was read first may be older than that.
        return _done(store.load(workspace, trust=store.INDEX).entries, name)
    standstill.refuse(workspace, proposals.kept(found))
    prepared = proposals.prepare(workspace, held, [(found, choice)], today=today)[0]
    fault = queue.known_fault(prepared)
    if fault:
        raise fault
    standstill.refuse_sparse(workspace, prepared.stage or filter(None, [prepared.entry.path]))
    if prepared.faults:
        reasons = "; ".join(dict.fromkeys(one.message for one in prepared.faults))
        raise CuratorError(f"cannot be accepted: {reasons}", where=found.short, hint=queue.hint(found, prepared.faults))
    return prepared


def several(workspace: Workspace, *, today: str, least: int = 2) -> tuple[Prepared, ...]:
    """Of all that wait those that can be written in one go: new memories that want no look, apart from one another.

    The others are for `run`, one by one; so are all where fewer than *least* wait, and what is changed meanwhile.
    """
    held = store.load(workspace, trust=store.INDEX)
    waiting = away.split(workspace, proposals.read(workspace, held.config)[0]).waiting
    if len(waiting) < least:
        return ()
    standstill.refuse(workspace, "the proposals stay in the inbox")
    prepared = proposals.prepare(workspace, held, [(one, queue.NOTHING) for one in waiting], today=today)
    return tuple(one for one in queue.apart(prepared) if proposals.is_still(workspace, one.proposal))


def _done(entries: tuple[Entry, ...], name: str) -> Prepared:
    known = queue.taken(entries, name)
    if known is None:
        raise CuratorError(f"no proposal {name!r}", hint="`curator status` shows what waits")
    gone = Proposal(known.origin.key, known, "")
    return Prepared(proposal=gone, state=State.DONE, entry=known, known=known)
