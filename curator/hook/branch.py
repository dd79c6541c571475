"""What a branch adds to the memories: with `block: main` its own stand in no block until it is merged."""

from __future__ import annotations

from curator.errors import CuratorError
from curator.hook import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.core.essentials import Settings
    from curator.edge.current import View
    from curator.edge.rows import Document
    from curator.hook.visit import Visit

_HEAD = "curator: memories that this branch adds, not in the block yet:"
_MAIN = "main"
_MOST = 50  # files of a branch that are looked at


def text(visit: Visit, view: View, settings: Settings) -> tuple[str, list[Document]]:
    """What the session should know of its branch, "" where that is nothing, and the memories it names."""
    if settings.block != _MAIN:
        return "", []
    try:
        paths = _changed(visit)
    except CuratorError:
        return "", []  # no commit yet, a shallow clone without a merge base
    documents = shown.fresh(visit, view, settings, view.cache.documents_at(paths[:_MOST]))
    return shown.text(view, settings, _HEAD, documents)


def _changed(visit: Visit) -> list[str]:
    """The files of memories that differ from where the branch left the default one."""
    from curator.edge import plumbing

    workspace = visit.workspace
    branch, default = plumbing.branch(workspace), plumbing.default_branch(workspace)
    if not branch or branch == default:
        return []
    base = b""
    for ref in (f"refs/remotes/origin/{default}", f"refs/heads/{default}"):
        base = plumbing.git(workspace, "merge-base", "HEAD", ref, ok=(0, 1, 128)).strip()
        if base:
            break
    if not base:
        return []
    told = plumbing.git(workspace, "diff", "--cached", "--name-only", "--no-renames", "-z", base.decode(), "--")
    names = told.decode("utf-8", "surrogateescape").split("\0")
    return [name for name in names if name.endswith(".yaml") and "/memories/" in f"/{name}"]
