"""Files in which other agents are told of curator, this repository's and the user's own: read, replaced, removed."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from errno import EDQUOT, ENOSPC

from curator.edge import exchange, files, plumbing
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit

_HOMES = {"codex": ("CODEX_HOME", ".codex"), "kimi": ("KIMI_CODE_HOME", ".kimi-code")}
_AGAIN = "put that right, then run the command again"
_MADE = {"folder": "made"}
UNSHARED = "{path} is ignored by git, so nobody else gets it: take {line} out, then run this again"
LEFT = "{line} still keeps {path} out of commits; that line is yours to take out"


def home(client: str) -> str:
    """The user's folder of a client that keeps one."""
    variable, folder = _HOMES[client]
    return os.path.abspath(os.environ.get(variable) or os.path.join(os.path.expanduser("~"), folder))


def placed(workspace: Workspace, path: str) -> str:
    """An absolute path, or where the repository is around it (a home folder under git) that from its root."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(workspace.root))
    return path if inside.startswith("..") else inside.replace(os.sep, "/")


def shown(path: str) -> str:
    """A path as a person writes it, the home folder as `~`."""
    above = os.path.expanduser("~")
    return f"~{path[len(above) :]}" if above != "~" and path.startswith(f"{above.rstrip('/')}/") else path


def text(workspace: Workspace, path: str) -> str | None:
    """A file of the repository, or by an absolute path of the user's; None where there is none.

    CuratorError for a link, as what it leads to serves others, and for what is no regular file.
    """
    full = os.path.join(workspace.root, path)
    folders = [path] if os.path.isabs(path) else [*_above(path), path]
    for one in folders:
        if os.path.islink(os.path.join(workspace.root, one)):
            hint = "write into the file it leads to by hand: docs/agents.md of curator's repository shows what"
            led = os.readlink(os.path.join(workspace.root, one))
            raise CuratorError(f"is a link to {led}, so it is left alone", where=shown(one), hint=hint)
    if not os.path.isabs(path):
        return files.read_or_none(workspace, path)
    try:
        return exchange.content(full).decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        told = "is a folder" if os.path.isdir(full) else f"cannot be read: {error.strerror or error}"
        raise CuratorError(told, where=shown(path), hint=_AGAIN) from None


def peek(workspace: Workspace, path: str) -> str:
    """The same, "" for whatever cannot be read."""
    with suppress(CuratorError):
        return text(workspace, path) or ""
    return ""


def examine(workspace: Workspace, path: str) -> None:
    """Raise what stands against writing or removing the file, before anything is written."""
    full = os.path.join(workspace.root, path)
    if os.path.exists(full) and not (os.stat(full).st_mode & 0o222 and os.access(full, os.W_OK)):
        hint = "allow writing to it (`chmod u+w`), then run the command again"
        raise CuratorError("is read-only", where=shown(path), hint=hint)
    folder = os.path.dirname(full)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        told = f"cannot be written: {shown(folder)} is {'read-only' if os.path.isdir(folder) else 'no folder'}"
        raise CuratorError(told, where=shown(path), hint=_AGAIN)


def excluded(workspace: Workspace, paths: Sequence[str]) -> dict[str, str]:
    """Those of *paths* that git ignores and does not track, each with the line that says so: `/a` in .gitignore:3."""
    ignored = set(plumbing.ignored(workspace, paths)) if paths else set()
    found = {}
    for path in (path for path in paths if path in ignored):
        name = os.fsencode(f"./{path}\0")
        said = plumbing.git(workspace, "check-ignore", "-v", "-z", "--stdin", stdin=name, literal=False, ok=(0, 1))
        source, line, pattern, *_ = (*os.fsdecode(said).split("\0"), "", "", "")
        found[path] = f"`{pattern}` in {shown(source)}:{line}"
    return found


def put(workspace: Workspace, path: str, before: str | None, after: str) -> None:
    """Write *after* where *before* is; CuratorError where somebody saved meanwhile or it cannot be written.

    Of a folder of the user's that this makes is kept that it was not there.
    """
    if not os.path.isabs(path):
        files.apply(workspace, (Edit(path, before, after),))
        return
    data = after.encode("utf-8", "surrogateescape")
    folder = os.path.dirname(path)
    made = not os.path.isdir(folder)
    try:
        exchange.make(folder)
        if made:
            remember(workspace, {folder: _MADE})
        with exchange.opened(folder) as handle:
            if before is None:
                exchange.create(path, data, handle)
                return
            texts = before.encode("utf-8", "surrogateescape"), data
            outcome = exchange.replace(path, texts, handle, os.unlink)
    except FileExistsError:
        raise _changed(path) from None
    except OSError as error:
        hint = "free some space, then run the command again" if error.errno in (ENOSPC, EDQUOT) else _AGAIN
        raise CuratorError(f"cannot be written: {error.strerror or error}", where=shown(path), hint=hint) from None
    if outcome not in {exchange.Outcome.WRITTEN, exchange.Outcome.SAME}:
        raise _changed(path)


def remove(workspace: Workspace, path: str, before: str) -> None:
    """Remove the file if it is still *before*, and the folders that this leaves empty.

    Of the user's own folders only the one that `put` made.
    """
    full = os.path.join(workspace.root, path)
    try:
        with files.lock(workspace):
            if text(workspace, path) != before:
                raise _changed(path)
            os.unlink(full)
    except OSError as error:
        raise CuratorError(f"cannot be removed: {error.strerror}", where=shown(path), hint=_AGAIN) from None
    folder = os.path.dirname(path)
    if not os.path.isabs(path):
        for above in reversed(_above(path)):
            with suppress(OSError):
                os.rmdir(os.path.join(workspace.root, above))
    elif remembered(workspace, folder) == _MADE:
        with suppress(OSError):
            os.rmdir(folder)
            remember(workspace, {folder: {}})


def remember(workspace: Workspace, hollow: Mapping[str, Mapping[str, str]]) -> None:
    """Keep what was empty in which file before curator came; a file with nothing to keep is forgotten."""
    keep(_kept(workspace), {path: names for path, names in {**_remembered(workspace), **hollow}.items() if names})


def keep(path: str, value: Mapping[str, object] | Sequence[str]) -> None:
    """Let a file of git's own folder hold *value* as JSON; there is none where it is empty."""
    if value:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)
    else:
        with suppress(FileNotFoundError):
            os.unlink(path)


def remembered(workspace: Workspace, path: str) -> Mapping[str, str]:
    """What `remember` was told of a file last."""
    names = _remembered(workspace).get(path)
    return {str(name): str(held) for name, held in names.items()} if isinstance(names, dict) else {}


def serves() -> bool:
    """Is the package installed without which `curator mcp` cannot serve?"""
    return importlib.util.find_spec("mcp") is not None


def runs(program: str) -> bool:
    """Can a client start it? By its path, or where it has none on PATH."""
    import shutil  # noqa: PLC0415 - only doctor asks

    return bool(shutil.which(program))


def _remembered(workspace: Workspace) -> dict[str, object]:
    with suppress(OSError, ValueError), open(_kept(workspace), encoding="utf-8") as file:
        held = json.load(file)
        return held if isinstance(held, dict) else {}
    return {}


def _kept(workspace: Workspace) -> str:
    return os.path.join(workspace.git_dir, "curator", "agents-were-empty.json")


def _above(path: str) -> list[str]:
    """The folders above a file of the repository, from the root down."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]


def _changed(path: str) -> files.Changed:
    return files.Changed("was saved by somebody else meanwhile", where=shown(path), hint="run the command again")
