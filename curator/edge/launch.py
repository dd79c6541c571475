"""How git is started: in which environment, with which settings, and for a hook without `subprocess`."""

from __future__ import annotations

import os

from curator.edge import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.here import Workspace

# Everything else that starts with GIT_ is dropped: it would lead git to another
# repository (in hooks of linked work trees), other settings or a trace. `git commit -a`
# and `git commit PATH` name the index of the coming commit in GIT_INDEX_FILE.
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})
_SETTINGS = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
SAFE = (
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.quotePath=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "color.ui=false"),
    *("-c", "log.showSignature=false"),
    *("-c", "log.follow=false"),
    *("-c", f"diff.orderFile={os.devnull}"),
)
"""What stands before every git command: no setting of a user or a repository runs a program or changes what is told."""


def environment(workspace: Workspace, *, write: bool = False, literal: bool = True) -> dict[str, str]:
    """The variables that git is given. *write*: it may take locks; *literal*: paths are names, never patterns."""
    found = {name: value for name, value in os.environ.items() if name in _KEPT or name[:4] != "GIT_"}
    if state.private_index(workspace):
        found["GIT_INDEX_FILE"] = os.environ["GIT_INDEX_FILE"]
    if workspace.objects:
        found["GIT_OBJECT_DIRECTORY"] = workspace.objects  # it names the clone's own as its alternate
    return found | _SETTINGS | {"GIT_OPTIONAL_LOCKS": str(int(write)), "GIT_LITERAL_PATHSPECS": str(int(literal))}


def ask(workspace: Workspace, *arguments: str) -> bytes | None:
    """What a git command that only reads prints at the root, None when it fails or is not there.

    For a hook: `subprocess` alone would cost it two thirds of a Python's start.
    """
    source, sink = os.pipe()
    try:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, sink, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        command = ["git", "-C", workspace.root, *SAFE, *arguments]
        process = os.posix_spawnp("git", command, environment(workspace), file_actions=actions)
    except OSError:
        os.close(source)
        return None
    finally:
        os.close(sink)
    with open(source, "rb", buffering=0) as reader:
        told = reader.readall()
    return told if os.waitpid(process, 0)[1] == 0 else None
