"""What a proposal is prepared against: git's index with the work tree over it, or the tree of a commit alone."""

from __future__ import annotations

from typing import NamedTuple

from curator.edge import files, plumbing, store
from curator.errors import CuratorError
from curator.model import Workspace


def obstacle(tree: plumbing.Tree, path: str) -> str:
    """What is wrong with *path* as the place of a file in a tree, "" for nothing: no file is put where something is."""
    parts = path.split("/")
    above = ("/".join(parts[:at]) for at in range(1, len(parts)))
    taken = next((one for one in above if one in tree.files), "")
    if taken:
        return f"{taken} is no folder"
    held = tree.files.get(path)
    if held:
        return "" if held.mode.startswith("100") else f"{path} is no file"
    return f"{path} is no file" if any(one.startswith(f"{path}/") for one in tree.files) else ""


class Ground(NamedTuple):
    """The *tree* that evidence comes from and that entries are in; with *commit*, that of a commit."""

    workspace: Workspace
    tree: plumbing.Tree
    commit: str = ""

    def lying(self, path: str) -> str | None:
        """What lies where a new file is to be; None where nothing does. CuratorError where none can be."""
        if not self.commit:
            return files.read_or_none(self.workspace, path)
        wrong = obstacle(self.tree, path)
        if wrong:
            hint = f"look at it: `git ls-tree {self.commit[:12]}`"
            raise CuratorError(f"{wrong} on the branch that it is for", where=path, hint=hint)
        return self._committed(path)

    def known(self, path: str) -> str:
        """The text of a known entry's file, as it is trusted. CuratorError where git does not have it."""
        held = self._committed(path) if self.commit else plumbing.staged(self.workspace, path)
        if held is None:
            where = "the commit" if self.commit else "git's index"
            raise CuratorError(f"is not in {where}", where=path, hint=f"`git add {path}` first")
        return held

    def settled(self, path: str) -> str:
        """The text that an edit of it replaces. CuratorError for one in which something is changed and not staged."""
        return self.known(path) if self.commit else store.settled(self.workspace, path)

    def _committed(self, path: str) -> str | None:
        found = self.tree.files.get(path)
        data = plumbing.contents(self.workspace, [found.blob]).get(found.blob) if found else None
        return None if data is None else data.decode("utf-8", "surrogateescape")


def index(workspace: Workspace) -> Ground:
    """The index, with the work tree."""
    return Ground(workspace, plumbing.index(workspace))
