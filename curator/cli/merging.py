"""What git starts by itself: the merge driver."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.core.threeway import Three

CONFLICT = 3
"""Exit code that says: the result is written and holds conflict markers. Git's own 1 is also that of a crash."""


@click.command("merge-block", hidden=True)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.argument("size", type=int)
@click.argument("path")
@click.pass_context
def merge_block(ctx: click.Context, base: str, ours: str, theirs: str, size: int, path: str) -> None:
    """Merge a file that holds a block; git runs this where `init --merge-driver` was asked for.

    Takes what git puts for %O %A %B %L %P and writes the result to OURS.
    Exits 0 when it is clean, 3 when it holds conflict markers.
    """
    from curator.edge import merging
    from curator.verbs import merging as verb

    names = [os.path.abspath(name) for name in (base, ours, theirs)]
    at = Door.open(ctx)
    texts = merging.texts(names)
    merged = verb.run(at.workspace, texts, body=_body(at, texts, path), size=size, path=path)
    merging.put(names[1], merged.text)
    if merged.note:
        say(f"curator: {merged.note}", err=True)
    ctx.exit(CONFLICT if merged.conflict else 0)


def _body(at: Door, texts: Three, path: str) -> str | None:
    """The block of *path* as the merge will leave the entries; None where that cannot be known."""
    from curator.edge import files, merging, store
    from curator.verbs import render

    try:
        tracked = merging.files(at.workspace, path, texts)
        if tracked is None:
            return None
        with merging.as_index(at.workspace, tracked):
            config = store.config(at.workspace)
            named = [one.path for one in config.targets if files.real(at.workspace, one.path) == path]
            if not named or config.block == "main":
                return None
            return render.run(at.workspace, as_of=door.today(), only=named[0]).blocks[0].body
    except CuratorError as error:
        say(f"curator: {path}: the block cannot be rendered: {error.message}", err=True)
        return None
