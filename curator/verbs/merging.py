"""Merge one file that holds a block, for git's merge driver."""

from __future__ import annotations

from curator.core import threeway
from curator.core.threeway import Merged, Three
from curator.edge import merging
from curator.model import Workspace

RENDER = "`curator render`, then `git add`, settles it"


def run(workspace: Workspace, texts: Three, *, body: str | None, size: int, path: str) -> Merged:
    """Git's own merge around the block, and *body* inside it.

    *body* is what the entries of both sides render to, None where they are
    not known: then a block that both sides changed becomes a conflict inside
    the markers. A file without one sound block merges as any text does.
    """
    masked = threeway.masked(texts, path)
    if masked is not None:
        around, clean = merging.text(workspace, masked, size)
        inner, settled = (body, True) if body is not None else threeway.body(texts, path, size)
        whole = threeway.filled(around, inner)
        if whole is not None:
            note = "" if settled else f"{path}: both sides changed the block; {RENDER}"
            return Merged(whole, not (clean and settled), note)
    plain, clean = merging.text(workspace, texts, size)
    return Merged(plain, not clean)
