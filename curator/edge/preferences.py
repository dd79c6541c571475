"""The user's own `curator.*` settings, as git's configuration holds them."""

from __future__ import annotations

import os

from curator.edge import plumbing
from curator.here import Workspace


def all_of(workspace: Workspace) -> dict[str, str]:
    """The user's own `curator.*` settings from git's configuration, keys in lower case without the prefix.

    Nothing counts that stands in a file of the work tree: variables of an
    agent's client, which a repository can set, may lead git there.
    """
    found = _settings(workspace)
    theirs = {origin for origin in {one[0] for one in found} if _is_of_tree(workspace, origin)}
    return {name: value for origin, name, value in found if origin not in theirs}


def is_on(workspace: Workspace, name: str) -> bool:
    """Whether the user's own `curator.<name>` says yes, as git spells it."""
    return all_of(workspace).get(name, "").lower() in {"true", "yes", "on", "1"}


def _settings(workspace: Workspace) -> list[tuple[str, str, str]]:
    """All `curator.*` settings as git reads them: the file, the key without its prefix, the value."""
    output = plumbing.git(workspace, "config", "--null", "--show-origin", "--get-regexp", r"^curator\.", ok=(0, 1))
    origins, pairs = (output.decode("utf-8", "surrogateescape").split("\0")[start:-1:2] for start in (0, 1))
    told = [pair.partition("\n") for pair in pairs]
    return [
        (origin.removeprefix("file:"), name.lower().removeprefix("curator."), value)
        for origin, (name, _, value) in zip(origins, told, strict=True)
    ]


def _is_of_tree(workspace: Workspace, path: str) -> bool:
    """Whether a file of git's settings lies in the work tree: git's own folders and the user's home are none of it."""
    full = os.path.abspath(os.path.join(workspace.root, path))
    names = {full, os.path.realpath(full)}
    tops = {workspace.root, os.path.realpath(workspace.root)}
    gits = {os.path.realpath(folder) for folder in (workspace.git_dir, workspace.common_dir)}
    if (
        _is_home(workspace)
        or full in _home_settings()
        or any(os.path.realpath(full).startswith(f"{folder}/") for folder in gits)
    ):
        return False
    return any(name.startswith(f"{top.rstrip('/')}/") for name in names for top in tops)


def _home() -> str:
    """Where the system says the user's home is, whatever $HOME says; "" for a user that it does not know."""
    import pwd  # noqa: PLC0415 - only where settings were found

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _is_home(workspace: Workspace) -> bool:
    """Whether the user's own files are kept in this work tree: nothing in it is a stranger's then."""
    home = _home()
    return bool(home) and f"{os.path.realpath(home)}/".startswith(f"{os.path.realpath(workspace.root).rstrip('/')}/")


def _home_settings() -> tuple[str, ...]:
    home = _home()
    return (os.path.join(home, ".gitconfig"), os.path.join(home, ".config/git/config")) if home else ()
