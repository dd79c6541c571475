"""Tell the history of one entry, also of one that is gone."""

from __future__ import annotations

from curator.core.lineage import Life
from curator.edge import lineage, store
from curator.model import Workspace


def run(workspace: Workspace, name: str) -> Life:
    """All that happened to the entry that *name* (an id, part of one, or a file) means or once meant."""
    path = name if "/" in name else ""
    history = lineage.read(workspace, store.load(workspace), path)
    return lineage.life(history, lineage.meant(history, name))
