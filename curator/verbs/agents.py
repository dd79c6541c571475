"""What `init --mcp`, `--opencode`, `--codex` and `--kimi` write for these clients, and take out again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from curator.core import agents, clients, readers
from curator.edge import agents as files
from curator.edge import configs, hooks, plumbing, store
from curator.edge import files as repository
from curator.errors import CuratorError
from curator.model import Workspace


class Change(NamedTuple):
    """One file as it is and as it should be, *after* None where it goes. An absolute path is the user's own file.

    *hollow* is what to remember of it: what was empty before.
    """

    path: str
    before: str | None
    after: str | None
    summary: tuple[str, ...] = ()
    hollow: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Wired:
    """What to do for one client; *stage* names files for the next commit, *exclude* those that belong in none."""

    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    stage: tuple[str, ...] = ()
    exclude: tuple[str, ...] = field(default=())


def wire(workspace: Workspace, client: str, *, team: bool) -> Wired:
    """Plan a client's files: with paths of this machine, or with *team* in a form to commit.

    CuratorError, with the line, for a file that curator does not understand or that is a link, and for one that git
    tracks where a path of this machine would go into it.
    """
    _refuse_twice(workspace, client, team=team)
    if not team:
        _refuse_pathless(client)
    changes, alone = [], set()
    for file in files.files(workspace, client, team=team):
        text = configs.text(workspace, file.path)
        if not (team or file.path.startswith("/")):
            _refuse_tracked(workspace, client, file.path)
        after = file.put(file.fresh if text is None else text)
        kept = configs.remembered(workspace, file.path)
        if text is not None and not file.programs(text):
            kept = file.emptied(text)
        changes.append(_changed(file, text, after, kept))
        alone.update([file.path] if _is_empty(file, file.out(after, {})) else [])
    paths = [one.path for one in changes if not one.path.startswith("/")]
    ignored = configs.excluded(workspace, paths)
    return Wired(
        tuple(changes),
        tuple(_told(client, team=team, ignored=ignored)),
        tuple(_stageable(workspace, changes, alone)) if team else (),
        () if team else tuple(path for path in paths if path not in ignored),
    )


def unwire(workspace: Workspace, client: str) -> Wired:
    """Plan a client's files without what is curator's, the repository's as well as the user's."""
    changes: list[Change] = []
    for file in files.every(workspace, client):
        text = configs.text(workspace, file.path)
        if text is None:
            continue
        kept = configs.remembered(workspace, file.path)
        after = file.out(text, kept)
        if after != text:
            gone = _is_empty(file, after) and "" not in kept
            changes.append(_changed(file, text, None if gone else after, {}))
    lines = configs.excluded(workspace, [one.path for one in changes if not one.path.startswith("/")])
    return Wired(
        tuple(changes),
        tuple(configs.LEFT.format(line=line, path=path) for path, line in lines.items()),
        tuple(_stageable(workspace, changes)),
    )


def unread(workspace: Workspace, names: Iterable[str]) -> tuple[str, ...]:
    """What stands between these clients and the memories: each reads a file in which no block is."""
    present = {path for reading in readers.READING.values() for path in reading if repository.exists(workspace, path)}
    bare = readers.unread(names, store.config(workspace).targets, present)
    return tuple("; ".join(readers.unread_told(path, clients)) for path, clients in bare.items())


def _is_empty(file: files.File, text: str) -> bool:
    """Does a file hold nothing that anybody wrote?"""
    return text.strip() in {"", "{}", file.fresh.strip()}


def _changed(file: files.File, before: str | None, after: str | None, kept: Mapping[str, str]) -> Change:
    counts = len(file.programs(before or file.fresh)), len(file.programs(after or file.fresh))
    told = agents.told(file.what, *counts, before != after, configs.shown(file.path))
    return Change(file.path, before, after, tuple(told), kept)


# -- what stands against it, and what is said --------------------------------------


def _refuse_twice(workspace: Workspace, client: str, *, team: bool) -> None:
    """Refuse hooks of Codex's beside those of its other place: it runs both."""
    if client != "codex":
        return
    places = {team: file.path for team in (True, False) for file in files.files(workspace, client, team=team)}
    if places[True] == places[False]:
        return
    other = places[not team]
    text = configs.peek(workspace, other)
    if text and clients.installed(clients.read(text, configs.shown(other))):
        told = f"{configs.shown(other)} holds curator's hooks, so with more of them every event would come twice"
        hint = "leave --codex out; or `curator init --codex --remove`, which takes those out, then this again"
        raise CuratorError(f"{told}; nothing was written", hint=hint)


def _refuse_pathless(client: str) -> None:
    """Refuse paths of this machine where there are none."""
    if not (hooks.program("curator") and hooks.program(clients.PROGRAM)):
        hint = f"install curator again (README.md); `curator init --{client} --team` writes a form that needs no path"
        raise CuratorError("curator and curator-hook are not beside this Python and not on PATH", hint=hint)


def _refuse_tracked(workspace: Workspace, client: str, path: str) -> None:
    """Refuse a path of this machine where git would hand it to others."""
    if plumbing.blobs(workspace, [path]):
        told = "git tracks it, and a path of this machine does not belong into a commit; nothing was written"
        raise CuratorError(told, where=path, hint=f"`curator init --{client} --team` writes a form to commit")


def _stageable(workspace: Workspace, changes: Iterable[Change], alone: Collection[str] = ()) -> Iterator[str]:
    """Files of the repository whose staging brings nothing else along; *alone* hold nothing but what is curator's."""
    for one in changes:
        path = one.path
        if path.startswith("/") or plumbing.ignored(workspace, [path]):
            continue
        tracked = bool(plumbing.blobs(workspace, [path]))
        if one.before == one.after and tracked:
            continue
        if one.before is None or (path in alone and not tracked) or not plumbing.loose(workspace, [path]):
            yield path


def _told(client: str, *, team: bool, ignored: Mapping[str, str]) -> Iterator[str]:
    name = readers.NAMES[client]
    if team:
        for path, line in ignored.items():
            yield configs.UNSHARED.format(line=line, path=path)
    elif client in {"codex", "kimi"}:
        yield "these files are yours and serve all your repositories; where one is not set up, curator says nothing"
    else:
        yield f"they hold paths of this machine; `curator init --{client} --team` writes a form for everybody"
    if client == "codex":
        wait = "mcp_optional_startup_grace_ms = 10000"
        yield f"`codex exec` waits for no MCP server unless config.toml begins with `{wait}`"
        yield "Codex asks when it next starts in a terminal whether these hooks may run; until then none does"
    if team and client in {"codex", "kimi"}:
        yield f"{name} reads them once its user trusts this folder"
    if team and client == "kimi":
        yield "Kimi Code takes hooks from the user's own settings only: each writes them with `curator init --kimi`"
    if not configs.serves():
        yield "`curator mcp` needs a package that is not installed: `pip install 'curator[mcp]'`"
