"""What asks for a second look at a proposal: whose words it is, who made it, and what it would have agents do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from curator.core import orders, vetting
from curator.model import Entry, Finding

if TYPE_CHECKING:
    from curator.core.queue import Proposal

WEAK = {
    "tool": "was put out by a tool or a page first",
    "": "does not say whose words these are",
}
"""Origins that ask for a second look, by `origin.by`, said of an entry."""

_MODEL = "model/"


def is_by_model(entry: Entry) -> bool:
    """Whether a model worded it, whoever said the line that it goes by."""
    return entry.origin.extractor.startswith(_MODEL) or entry.origin.by == "model"


def foreign(proposal: Proposal) -> Iterator[str]:
    """That a proposal was made elsewhere, where all that it says of itself is a claim; that its words are a model's."""
    if proposal.remote:
        yield f"it came from {proposal.remote}: anyone who can push there may have written it"
    if is_by_model(proposal.entry) and not proposal.entry.retired:
        kept = "" if proposal.entry.origin.quote else ", which was not kept"
        yield f"a model worded it: hold it against the line that it goes by{kept}"


def warnings(entry: Entry, findings: Iterable[Finding]) -> Iterator[str]:
    """Words of a tool, an order that fetches, sends or touches credentials, what the guard has found."""
    if entry.origin.by in WEAK:
        yield f"it {WEAK[entry.origin.by]}"
    risks = orders.risks(f"{entry.text}\n{entry.why}")
    if risks:
        yield f"an order with {' and '.join(risks)} in it: take it only if you want every session to do that"
    faults = vetting.errors(findings)
    yield from dict.fromkeys(found.message for found in findings if found not in faults)
