"""List entries, or find the one that a name means."""

from __future__ import annotations

from curator.core import budget, rank, roster
from curator.edge import store
from curator.model import Workspace
from curator.outcome import Listed, Store
from curator.selection import LeftOut


def run(workspace: Workspace, *, as_of: str, category: str = "", tag: str = "", out: bool | None = None) -> Listed:
    """Entries in the order category, id, with why one is out of every block.

    *out* True keeps only those, False only the entries that are in a block.
    """
    held = store.load(workspace)
    roster.known_category(category, held.config.categories)
    reasons = left_out(held, as_of)
    listed = [
        LeftOut(entry, reasons.get(entry.path, ""))
        for entry in sorted(held.entries, key=lambda entry: (entry.category, entry.id))
        if category in {"", entry.category} and (not tag or tag in entry.tags)
    ]
    kept = [one for one in listed if out is None or bool(one.reason) is out]
    return Listed(findings=held.findings, entries=tuple(kept))


def one(workspace: Workspace, name: str, *, as_of: str) -> LeftOut:
    """The entry that *name* means, and why it is out of every block."""
    held = store.load(workspace)
    entry = roster.named(held.entries, name)
    return LeftOut(entry, left_out(held, as_of).get(entry.path, ""))


def left_out(held: Store, as_of: str) -> dict[str, str]:
    """Map the path of each entry that no target shows to the reason, most telling first."""
    ordered = rank.order(held.entries, held.config)
    selections = [budget.select(ordered, target, held.config, as_of) for target in held.config.targets]
    shown = {entry.path for made in selections for section in made.sections for entry in section.shown}
    reasons: dict[str, str] = {}
    for made in selections:
        for out in made.left_out:
            if out.entry.path not in shown and (out.misfit or out.entry.path not in reasons):
                reasons[out.entry.path] = out.reason
    return reasons
