"""Proposals that wait for review: one file each in git's common folder, named by its key."""

from __future__ import annotations

import os
from contextlib import suppress

from curator.model import Workspace


def path(workspace: Workspace, key: str) -> str:
    """Where the proposal with this key lies; outside the work tree, shared by all work trees of the clone."""
    return f"{workspace.common_dir}/curator/inbox/{key}.yaml"


def keys(workspace: Workspace) -> tuple[str, ...]:
    """The keys of all proposals that wait."""
    with suppress(OSError):
        names = os.listdir(f"{workspace.common_dir}/curator/inbox")
        return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))
    return ()
