"""Which state git is in, told by its files alone: no process, and nothing imported that a hook would pay for."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.here import Workspace

_INCLUDES = b"[include"


def facts(workspace: Workspace) -> str:
    """Say which state the index is in, without starting git.

    Size, time and trailing checksum of the index file, and size and time of
    the user's git settings, which may name what is trusted.
    """
    try:
        with open(index_path(workspace), "rb") as file:
            facts = os.fstat(file.fileno())
            file.seek(max(0, facts.st_size - 20))
            index = f"{facts.st_size}:{facts.st_mtime_ns}:{file.read(20).hex()}"
    except FileNotFoundError:
        index = "none"
    return "|".join([index, *map(_state, _settings_files(workspace))])


def has_includes(workspace: Workspace) -> bool:
    """Does a settings file name others? Which ones those are, git alone can tell: `plumbing.stamp` asks it."""
    return any(map(_includes, _settings_files(workspace)))


def may_set(workspace: Workspace, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of *names* that a settings file of the user's could hold as `curator.<name>`; the others none holds."""
    texts = [text for text in map(_text, _settings_files(workspace)) if b"[curator" in text]
    return tuple(name for name in names if any(name.lower().encode() in text for text in texts))


def _includes(path: str) -> bool:
    return _INCLUDES in _text(path)


def _text(path: str) -> bytes:
    """A settings file in lower case, nothing where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read().lower()
    except OSError:
        return b""


def depth(workspace: Workspace) -> str:
    """Says how far back a shallow clone reaches: another text when that changes, "none" for a whole history."""
    return _state(f"{workspace.common_dir}/shallow")


def _settings_files(workspace: Workspace) -> tuple[str, ...]:
    """Where git looks for the user's settings (git-config(1), FILES), the system's own left out."""
    home = os.environ.get("HOME", "")
    xdg = os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    own = os.environ.get("GIT_CONFIG_GLOBAL")
    users = (own,) if own is not None else (f"{xdg}/git/config", f"{home}/.gitconfig")
    return (f"{workspace.common_dir}/config", f"{workspace.git_dir}/config.worktree", *users)


def _state(path: str) -> str:
    try:
        facts = os.stat(path)
    except OSError:
        return "none"
    return f"{facts.st_size}:{facts.st_mtime_ns}"


def index_path(workspace: Workspace) -> str:
    """The index file that git would read here; a hook may have been given another."""
    if private_index(workspace):
        return os.path.join(workspace.root, os.environ["GIT_INDEX_FILE"])
    return f"{workspace.git_dir}/index"


def private_index(workspace: Workspace) -> bool:
    """Is this the hook of a commit here that prepares an index of its own?

    A hook of another repository may have led here: its index is not ours.
    """
    named = os.environ.get("GIT_INDEX_FILE")
    if not named:
        return False
    folder = os.path.dirname(os.path.join(workspace.root, named))
    return os.path.realpath(folder) == os.path.realpath(workspace.git_dir)
