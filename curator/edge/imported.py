"""Which proposals came with an import: keys in one file beside the inbox. They take no room from what sessions say."""

from __future__ import annotations

import os
from contextlib import suppress

from curator.edge import exchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from curator.here import Workspace

_MOST = 4 << 20  # bytes that are read: more keys than an import can have


def keys(workspace: Workspace) -> frozenset[str]:
    """The keys of all that was imported and has waited since."""
    return listed(_path(workspace))


def note(workspace: Workspace, waiting: Iterable[str], added: Iterable[str]) -> None:
    """Add keys, durably, and forget those that are none of *waiting*. OSError where nothing can be written."""
    write(_path(workspace), {*keys(workspace).intersection(waiting), *added})


def drop(workspace: Workspace, key: str) -> None:
    """Let a key be no import's any more. OSError where nothing can be written."""
    held = keys(workspace)
    if key in held:
        write(_path(workspace), held - {key})


def listed(path: str) -> frozenset[str]:
    """The keys in a file, one a line; none where it cannot be read."""
    with suppress(OSError):
        return frozenset(exchange.content(path, _MOST).decode("ascii", "replace").split())
    return frozenset()


def write(path: str, kept: Iterable[str]) -> None:
    """Let a file hold these keys, durably, in their order. OSError where nothing can be written."""
    exchange.make(os.path.dirname(path))
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write("".join(f"{key}\n" for key in sorted(kept)).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    with exchange.opened(os.path.dirname(path)) as handle:
        exchange.sync(handle)


def _path(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/imported"
