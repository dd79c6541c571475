"""What every session reads of memories: the blocks as they stand in the work tree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from curator.core import block, sentences
from curator.edge import files
from curator.errors import CuratorError
from curator.here import Workspace

_LONGEST = 1 << 20


def marks(workspace: Workspace, targets: Iterable[str]) -> Iterator[int]:
    """A fingerprint for each sentence between the markers of *targets*; files without a sound block give none."""
    for path in targets:
        try:
            if os.path.getsize(f"{workspace.root}/{path}") <= _LONGEST:
                yield from sentences.marks(block.body(files.read(workspace, path), path))
        except (CuratorError, OSError):
            continue
