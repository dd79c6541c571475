"""What Claude Code keeps where: settings of the project and of the user, plugins, its own memory; read, never run."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from curator.core import clients
from curator.edge import configs, files
from curator.errors import CuratorError
from curator.model import Workspace

FOLDER = ".claude"
SETTINGS = f"{FOLDER}/settings.json"
LOCAL = f"{FOLDER}/settings.local.json"
_MOST = 1_000_000  # bytes of a settings file that are read
_LEADING = ("ANTHROPIC_", "CLAUDE_CODE_USE_", "GIT_CONFIG", "SSL_CERT_")  # the key, the address, how it is looked for


def text(workspace: Workspace) -> str | None:
    """The project's settings; None where there are none. CuratorError for a link: what it leads to serves others."""
    for path in (FOLDER, SETTINGS):
        full = os.path.join(workspace.root, path)
        if os.path.islink(full):
            by_hand = "put the hooks there by hand (docs/clients.md of curator's repository)"
            hint = f"{by_hand}, or make {path} a file of this repository"
            raise CuratorError(f"is a link to {os.readlink(full)}, so it is left alone", where=path, hint=hint)
    return files.read_or_none(workspace, SETTINGS)


def hollow(workspace: Workspace) -> bool:
    """Is the folder of the settings there, and empty?"""
    folder = os.path.join(workspace.root, FOLDER)
    return os.path.isdir(folder) and not os.listdir(folder)


def remember(workspace: Workspace, names: tuple[str, ...]) -> None:
    """Keep the names of what was empty before the hooks came; nothing is written where nothing was."""
    configs.keep(_kept(workspace), names)


def remembered(workspace: Workspace) -> tuple[str, ...]:
    """What `remember` was told last."""
    with suppress(OSError, ValueError), open(_kept(workspace), encoding="utf-8") as file:
        names = json.load(file)
        return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()
    return ()


def remove(workspace: Workspace, before: str, *, folder: bool) -> None:
    """Remove the project's settings if they are still *before*; *folder*: and their folder if that leaves it empty."""
    path = os.path.join(workspace.root, SETTINGS)
    try:
        with files.lock(workspace):
            if text(workspace) != before:
                raise files.Changed(
                    "was saved by somebody else meanwhile", where=SETTINGS, hint="run the command again"
                )
            os.unlink(path)
    except OSError as error:
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot be removed: {error.strerror}", where=SETTINGS, hint=hint) from None
    if folder:
        with suppress(OSError):
            os.rmdir(os.path.dirname(path))


def home() -> str:
    """The user's folder of Claude Code."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def settings(workspace: Workspace) -> Mapping[str, dict[str, Any]]:
    """The settings that count here, by file, the stronger last. A file that is missing or broken counts as none."""
    return own() | {path: _read(path) for path in (os.path.join(workspace.root, one) for one in (SETTINGS, LOCAL))}


def own() -> dict[str, dict[str, Any]]:
    """The user's settings alone, by file: what no file of a repository can say."""
    path = os.path.join(home(), "settings.json")
    return {path: _read(path)}


def steering(workspace: Workspace) -> str:
    """A variable by which the project's settings lead requests to a model elsewhere, "" for none.

    Claude Code hands its `env` to hooks and to what they start.
    """
    for path in (SETTINGS, LOCAL):
        env = _read(os.path.join(workspace.root, path)).get("env")
        for name in env if isinstance(env, dict) else ():
            if name.upper().startswith(_LEADING) or name.upper().endswith("_PROXY"):
                return f"{name} ({path})"
    return ""


def missing(settings: Mapping[str, Any]) -> str:
    """A curator-hook that these settings name by an absolute path and that cannot be started, "" for none."""
    named = (clients.program(one.command) for one in clients.installed(dict(settings)))
    return next((path for path in named if os.path.isabs(path) and not os.access(path, os.X_OK)), "")


def leading(workspace: Workspace, paths: Iterable[str]) -> dict[str, str]:
    """Those of *paths* that are files here, each with the absolute path that it leads to."""
    full = {path: os.path.join(workspace.root, path) for path in paths}
    return {path: os.path.realpath(one) for path, one in full.items() if os.path.isfile(one)}


def plugins(settings: Mapping[str, dict[str, Any]]) -> tuple[str, ...]:
    """The plugins of curator's that are switched on, by their full names."""
    on: dict[str, bool] = {}
    for one in settings.values():
        enabled = one.get("enabledPlugins")
        for name, value in enabled.items() if isinstance(enabled, dict) else ():
            if name.partition("@")[0] == "curator":
                on[name] = bool(value)
    return tuple(name for name, value in on.items() if value)


def scope(workspace: Workspace, settings: Mapping[str, dict[str, Any]], plugin: str) -> str:
    """Where a plugin is switched on, as the client's own commands call it: `user`, `project` or `local`."""
    names = {os.path.join(workspace.root, SETTINGS): "project", os.path.join(workspace.root, LOCAL): "local"}
    found = "user"
    for path, one in settings.items():
        enabled = one.get("enabledPlugins")
        if isinstance(enabled, dict) and enabled.get(plugin):
            found = names.get(path, "user")
    return found


def memory(workspace: Workspace, settings: Mapping[str, dict[str, Any]]) -> str:
    """The index of what Claude Code remembers about this repository by itself, "" where it remembers nothing.

    All work trees of a clone share one, named after the folder of the main one.
    """
    path = os.path.join(memory_folder(workspace, settings), "MEMORY.md")
    with suppress(OSError):
        return path if os.stat(path).st_size else ""
    return ""


def memory_folder(workspace: Workspace, settings: Mapping[str, dict[str, Any]]) -> str:
    """Where Claude Code keeps what it remembers about this repository, whether that is there or not."""
    named = [value for one in settings.values() if isinstance(value := one.get("autoMemoryDirectory"), str)]
    slug = re.sub(r"[^A-Za-z0-9]", "-", os.path.dirname(workspace.common_dir))
    return os.path.expanduser(named[-1]) if named else os.path.join(home(), "projects", slug, "memory")


def own_memory(workspace: Workspace) -> str:
    """That folder by the user's settings alone, "" where it is not there: a repository's could name any folder."""
    folder = memory_folder(workspace, own())
    return folder if os.path.isdir(folder) else ""


def remembers(settings: Mapping[str, dict[str, Any]]) -> bool:
    """Is its own memory on?"""
    if os.environ.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "").lower() in {"1", "true", "yes", "on"}:
        return False
    told: Iterator[object] = (one["autoMemoryEnabled"] for one in settings.values() if "autoMemoryEnabled" in one)
    return [True, *told][-1] is not False


def _read(path: str) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        facts = os.stat(path)
        if stat.S_ISREG(facts.st_mode) and facts.st_size <= _MOST:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                value = json.load(file)
            return value if isinstance(value, dict) else {}
    return {}


def _kept(workspace: Workspace) -> str:
    return os.path.join(workspace.git_dir, "curator", "claude-settings-were-empty.json")
