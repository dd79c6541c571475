"""The memories that another tool or another repository may take over."""

from __future__ import annotations

from curator.core import lifecycle, roster
from curator.edge import store
from curator.model import Workspace
from curator.outcome import Listed
from curator.selection import LeftOut


def run(workspace: Workspace, *, as_of: str, category: str = "", ended: bool = False) -> Listed:
    """Entries in the order of the block's categories, then by id.

    With *ended* also those that are retired, superseded or expired, each with why it has ended.
    """
    held = store.load(workspace)
    roster.known_category(category, held.config.categories)
    reasons = lifecycle.ended(held.entries, as_of)
    place = {name: number for number, name in enumerate(held.config.categories)}
    kept = [
        LeftOut(entry, reasons.get(entry.path, ""))
        for entry in sorted(held.entries, key=lambda entry: (place[entry.category], entry.id, entry.path))
        if category in {"", entry.category} and (ended or entry.path not in reasons)
    ]
    return Listed(findings=held.findings, entries=tuple(kept))
