"""Where a call works, when it is, and who asks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from curator.edge import workspace
from curator.errors import CuratorError
from curator.model import Workspace

# How names of clients begin, as they introduce themselves, and the name origin.agent gets.
_CLIENTS = {
    "claude": "claude-code",
    "codex": "codex",
    "opencode": "opencode",
    "kimi": "kimi-code",
    "cursor": "cursor",
    "gemini": "gemini-cli",
}
_LONGEST = 40  # characters of the name of a client that is not known


class Clock(NamedTuple):
    """The time in ISO 8601, today's date, and six random hex digits."""

    now: Callable[[], str]
    today: Callable[[], str]
    tail: Callable[[], str]


class Desk(NamedTuple):
    """The folders in which the repository is looked for, absolute, and the clock."""

    folders: tuple[str, ...]
    clock: Clock

    def workspace(self) -> Workspace:
        """The work tree that holds the first folder that is in one. CuratorError where none is.

        It is looked for at each call: a server outlives `git init`, and a work tree that goes away.
        """
        refused = CuratorError("no folder to look for a repository in", hint="start `curator mcp` in a repository")
        for folder in self.folders:
            try:
                return workspace.open_at(folder)
            except CuratorError as error:
                refused = error
        raise refused

    def rooted(self, held: Workspace, named: str) -> str:
        """A path as an agent names it - absolute, from the root, or from the folder it works in - from the root."""
        if os.path.isabs(named):
            return os.path.relpath(os.path.realpath(named), os.path.realpath(held.root)).replace(os.sep, "/")
        path = os.path.normpath(named).replace(os.sep, "/")
        for folder in () if os.path.lexists(os.path.join(held.root, path)) else self.folders:
            near = os.path.join(folder, path)
            if os.path.lexists(near):
                return os.path.relpath(near, held.root).replace(os.sep, "/")
        return path


def agent(client: str) -> str:
    """What origin.agent says of a client by the name it gave itself; "agent" for one that gave none."""
    name = client.strip().lower()
    known = next((ours for start, ours in _CLIENTS.items() if name.startswith(start)), "")
    plain = "".join(character if character.isalnum() and character.isascii() else "-" for character in name)
    return known or plain[:_LONGEST].strip("-") or "agent"
