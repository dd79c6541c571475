"""Report entries that cannot be used, and what is wrong between them."""

from __future__ import annotations

from collections.abc import Sequence

from curator.core import budget, rank, report, roster
from curator.edge import store
from curator.model import Workspace
from curator.outcome import Outcome


def run(workspace: Workspace, names: Sequence[str] = ()) -> Outcome:
    """Look at the trusted tree; *names* (ids or files) narrow the report."""
    held = store.load(workspace)
    paths = {entry.path for entry in held.entries} | {found.where.partition(":")[0] for found in held.findings}
    findings = (*held.findings, *roster.findings(held.entries), *roster.colliding(paths))
    findings = (*findings, *budget.findings(rank.order(held.entries, held.config), held.config))
    if names:
        told = {found.where.partition(":")[0] for found in findings}
        wanted = {name if name in told else roster.named(held.entries, name).path for name in names}
        findings = tuple(found for found in findings if found.where.partition(":")[0] in wanted)
    return Outcome(findings=findings, notes=(f"{report.plural(len(held.entries), 'memory')} checked",))
