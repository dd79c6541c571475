"""Proposals that wait for review, and refusals: one file each in git's common folder, named by its key.

A proposal never touches the work tree or git's index, and all work trees of a
clone share it. Its name is its key, so whoever proposes the same thing again
finds it there: no lock is needed.
"""

from __future__ import annotations

import os
from contextlib import suppress

from curator.edge import exchange
from curator.here import Workspace

_SHARED = "memories/.rejected"


def folder(workspace: Workspace) -> str:
    """Where proposals lie; outside the work tree, shared by all work trees of the clone."""
    return f"{workspace.common_dir}/curator/inbox"


def path(workspace: Workspace, key: str) -> str:
    """Where the proposal with this key lies."""
    return f"{folder(workspace)}/{key}.yaml"


def keys(workspace: Workspace) -> tuple[str, ...]:
    """The keys of all proposals that wait."""
    with suppress(OSError):
        names = os.listdir(folder(workspace))
        return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))
    return ()


def put(workspace: Workspace, key: str, text: str) -> bool:
    """Make the proposal durably; False when one with this key waits already. OSError where nothing can be written."""
    exchange.make(folder(workspace))
    with exchange.opened(folder(workspace)) as handle:
        try:
            exchange.create(path(workspace, key), text.encode("utf-8", "replace"), handle)
        except FileExistsError:
            return False
    return True


def is_refused(workspace: Workspace, key: str) -> bool:
    """Whether this person, or the team, refused a statement with this key."""
    return os.path.exists(f"{workspace.common_dir}/curator/rejected/{key}") or os.path.exists(
        f"{workspace.root}/{_SHARED}/{key}"
    )
