"""A proposal to retire a memory: the memory's id and words with `retired` in them, which no other proposal has.

It names what should go and why. What goes is the memory as it stands when a person says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from curator.core import codec, orders, rawtext
from curator.errors import CuratorError
from curator.model import Entry, Fault, Finding, Level, Origin, Retired, Source

LONGEST = 2000
"""Characters of a reason."""


def made(known: Entry, reason: str, origin: Origin) -> Entry:
    """The proposal to retire *known* for a *reason*; *origin* says whose it is. It stands at no path."""
    return Entry(
        id=known.id,
        category=known.category,
        text=known.text,
        sources=tuple(Source(one.path, one.symbol) for one in known.sources),
        retired=Retired(origin.created[:10], reason),
        origin=origin,
    )


def stated(reason: str) -> str:
    """A reason on one line. CuratorError where there is none, and where it is longer than anybody reads."""
    said = " ".join(reason.split())
    if not said:
        raise CuratorError("a reason is needed", hint="for example: we use Redis now")
    if len(said) > LONGEST:
        raise CuratorError(f"the reason is {len(said):,} characters long; {LONGEST:,} are the most")
    return said


def reason(proposed: Entry) -> str:
    """Why a proposal wants its memory retired."""
    return " ".join(proposed.retired.reason.split()) if proposed.retired else ""


def told(proposed: Entry) -> str:
    """A proposal of any kind in one line: what it would have remembered, or which memory retired and why."""
    return f"retire {proposed.id}: {reason(proposed)}" if proposed.retired else proposed.text


def taken(known: Entry, proposed: Entry, today: str) -> Entry:
    """*known* as it stands once the proposal is accepted on an ISO date."""
    return replace(known, retired=Retired(today, reason(proposed)))


def kept(old: Entry, new: Entry) -> Entry:
    """A proposal that a person changed: its reason, and nothing else."""
    if new.retired is None or old.retired is None:
        raise CuratorError("this asks to retire a memory; without `retired` it asks for nothing", hint=_NOT_WANTED)
    return replace(old, retired=Retired(old.retired.on, stated(new.retired.reason)))


def hint(short: str) -> str:
    """How the one thing is changed that can be, by what a person types for the proposal."""
    return f"`curator edit {short}` rewords its reason"


_NOT_WANTED = "reword the reason alone; `curator reject` keeps the memory"


def faults(proposed: Entry, known: Entry | None) -> Iterator[Finding]:
    """Why it cannot be accepted, whatever its memory's file is like."""
    if known is None:
        hint = "its file may be on a branch that is not here: leave it for later"
        yield Finding(Fault.INVALID, proposed.id, f"there is no memory {proposed.id} to retire", hint, proposed.id)
    if len(reason(proposed)) > LONGEST:
        message = f"its reason is longer than {LONGEST:,} characters"
        yield Finding(Fault.INVALID, proposed.id, message, "shorten it", proposed.id)


def own(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Those of the findings about a retired memory's file that its retirement is to blame for: without it, it stood."""
    return tuple(one for one in findings if one.level is Level.ERROR or one.message.startswith("retired."))


def warnings(proposed: Entry, known: Entry | None, findings: Iterable[Finding]) -> Iterator[str]:
    """Who asks, what an agent could take for an order in the reason, and other words than it was proposed for."""
    if proposed.origin.by in _WEAK:
        yield _WEAK[proposed.origin.by]
    risks = orders.risks(reason(proposed))
    if risks:
        yield f"its reason gives an order with {' and '.join(risks)} in it, and agents can read a reason"
    if known and codec.canonical(known.text) != codec.canonical(proposed.text):
        yield f"it was proposed for other words than the memory has: {rawtext.shown(proposed.text)}"
    yield from dict.fromkeys(found.message for found in findings if found.level is not Level.ERROR)


_WEAK = {"tool": "a tool asks for it, and no person or agent", "": "it does not say who asks for it"}
