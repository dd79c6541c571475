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


def latest(workspace: Workspace) -> dict[str, tuple[str, str]]:
    """What was proposed last of each file that holds one statement, by what stands for the file's name.

    Its key, and what stands for all that the proposal said.
    """
    named = (one.partition("=") for one in imported.listed(_path(workspace)) if "=" in one)
    told = ((name, said.partition(".")) for name, _, said in named)
    return {name: (key, words) for name, (key, _, words) in told}


def mark(name: str) -> str:
    """What stands for a file's name, on a line with others."""
    return sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def note(workspace: Workspace, added: Iterable[tuple[str, str, str]], gone: Iterable[str] = ()) -> None:
    """Add keys, each with its file's name or "" and its proposal's words, and forget those *gone*, durably. OSError."""
    new = list(added)
    files = latest(workspace) | {mark(name): (key, words) for name, key, words in new if name}
    held = {*keys(workspace), *(key for _, key, _ in new)}.difference(gone)
    imported.write(_path(workspace), {*held, *(f"{name}={key}.{words}" for name, (key, words) in files.items())})


def _path(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/watched"
