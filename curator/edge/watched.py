"""What was proposed from Claude Code's own memory, by key: nothing of it comes twice, whatever became of it."""

from __future__ import annotations

from hashlib import sha256

from curator.edge import imported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from curator.here import Workspace


def keys(workspace: Workspace) -> frozenset[str]:
    """The keys of all that was ever proposed."""
    return frozenset(one for one in imported.listed(_path(workspace)) if "=" not in one)


def latest(workspace: Workspace) -> dict[str, str]:
    """What was proposed last of each file that holds one statement: keys by what stands for the file's name."""
    return dict(one.split("=", 1) for one in imported.listed(_path(workspace)) if "=" in one)


def mark(name: str) -> str:
    """What stands for a file's name, on a line with others."""
    return sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def note(workspace: Workspace, added: Iterable[tuple[str, str]]) -> None:
    """Add keys, each with the name of its file or "", durably. OSError where nothing can be written."""
    pairs = list(added)
    files = latest(workspace) | {mark(name): key for name, key in pairs if name}
    held = {*keys(workspace), *(key for _, key in pairs)}
    imported.write(_path(workspace), {*held, *(f"{name}={key}" for name, key in files.items())})


def _path(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/watched"
