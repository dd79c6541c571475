"""Can git take a change now? No merge under way, and nobody holds the index."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from curator.edge import plumbing, state
from curator.errors import CuratorError
from curator.here import Workspace

_OPEN = {
    "MERGE_HEAD": ("a merge", "git merge --continue"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --continue"),
    "REVERT_HEAD": ("a revert", "git revert --continue"),
    "rebase-merge": ("a rebase", "git rebase --continue"),
    "rebase-apply": ("a rebase", "git rebase --continue"),
}


def refuse_sparse(workspace: Workspace, paths: Iterable[str]) -> None:
    """Raise, before anything is written, where a sparse checkout leaves one of *paths* out: git would not stage it."""
    for path in plumbing.beyond(workspace, paths)[:1]:
        folder = path.rpartition("/")[0].partition("/")[0] or path
        hint = f"take it in (`git sparse-checkout add {folder}`), then try again"
        raise CuratorError("is outside of this sparse checkout, so nothing was written", where=path, hint=hint)


def refuse(workspace: Workspace, kept: str) -> None:
    """Raise, before anything is written, when what would be staged has no place now; *kept* says what stays as it is.

    Another process's lock on the index is waited for as long as staging would.
    """
    for name, (what, command) in _OPEN.items():
        if os.path.exists(f"{workspace.git_dir}/{name}"):
            raise CuratorError(f"{what} is under way; {kept}", hint=f"finish it (`{command}`), then try again")
    lock = f"{state.index_path(workspace)}.lock"
    until = time.monotonic() + plumbing.LOCK_WAIT
    while os.path.lexists(lock):
        if time.monotonic() > until:
            hint = "when that has ended, try again; a lock that a crashed git left has to be deleted by hand"
            raise plumbing.Busy(f"another git process holds the index; {kept}", where=lock, hint=hint)
        time.sleep(0.05)
