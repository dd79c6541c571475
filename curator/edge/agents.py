"""The files in which each client is told of curator: where they are, what is put in, and how it comes out again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from curator.core import agents, clients, jsontext, plugin, tomltext
from curator.core.readers import Told
from curator.edge import assets, configs, hooks
from curator.errors import CuratorError
from curator.model import Workspace

CLIENTS = ("mcp", "opencode", "codex", "kimi")
SHARED = ".mcp.json"
PLUGIN = ".opencode/plugins/curator.js"
SERVER, HOOK, SCRIPT = "MCP server", "hook", "plugin"
_OPENCODE = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")


class File(NamedTuple):
    """One file of a client: what curator puts in (*what*), how, how it comes out, and which programs it starts then.

    *fresh* is the text of a new file; *emptied* tells what is there and empty. All but that may raise CuratorError.
    """

    path: str
    what: str
    fresh: str
    put: Callable[[str], str]
    out: Callable[[str, Mapping[str, str]], str]
    programs: Callable[[str], tuple[str, ...]]
    emptied: Callable[[str], dict[str, str]]


def every(workspace: Workspace, client: str) -> tuple[File, ...]:
    """All files that may tell a client of curator, the repository's first: OpenCode reads each of its configs."""
    team, own = files(workspace, client, team=True), files(workspace, client, team=False)
    more = (_servers(path, "", agents.OPENCODE) for path in _mentions(workspace)) if client == "opencode" else ()
    return tuple({one.path: one for one in (*team, *more, *own)}.values())


def files(workspace: Workspace, client: str, *, team: bool) -> tuple[File, ...]:
    """A client's files, with paths of this machine or, with *team*, those of the repository in a form to commit."""
    server = "curator" if team else hooks.program("curator")
    hook = clients.PROGRAM if team else hooks.program(clients.PROGRAM)
    home = configs.placed(workspace, configs.home(client)) if client in {"codex", "kimi"} else ""
    if client == "mcp":
        return (_servers(SHARED, server, agents.CLAUDE),)
    if client == "opencode":
        return (_servers(_opencode(workspace), server, agents.OPENCODE), _plugin(PLUGIN, hook))
    if client == "codex":
        folder = ".codex" if team else home
        return (_toml_server(f"{folder}/config.toml", server), _hooks(f"{folder}/hooks.json", hook, team=team))
    if team:
        return (_servers(".kimi-code/mcp.json", server, agents.SERVERS),)
    return (_servers(f"{home}/mcp.json", server, agents.SERVERS), _toml_hooks(f"{home}/config.toml", hook))


def _opencode(workspace: Workspace) -> str:
    """The config of OpenCode that holds curator's server, else the first that is there."""
    there = [path for path in _OPENCODE if configs.text(workspace, path) is not None]
    wired = (path for path in _mentions(workspace) if _serves(workspace, path))
    return next(wired, next(iter(there), _OPENCODE[0]))


def _mentions(workspace: Workspace) -> tuple[str, ...]:
    """The configs of OpenCode in which curator's name stands."""
    return tuple(path for path in _OPENCODE if f'"{agents.NAME}"' in (configs.text(workspace, path) or ""))


def _serves(workspace: Workspace, path: str) -> bool:
    """Is there a server under curator's name in a config of OpenCode, as far as it can be read?"""
    with suppress(CuratorError):
        value = jsontext.read(configs.peek(workspace, path), path, agents.HINT, comments=True)
        return agents.server(value, agents.OPENCODE.key) is not None
    return False


def _servers(path: str, program: str, form: agents.Form) -> File:
    where = configs.shown(path)
    return File(
        path,
        SERVER,
        form.fresh,
        lambda text: agents.served(text, program, where, form),
        lambda text, hollow: agents.unserved(text, where, form, hollow),
        lambda text: _one(agents.started(agents.server(agents.read(text, where, form), form.key))),
        lambda text: agents.emptied(text, form),
    )


def _plugin(path: str, program: str) -> File:
    shipped = assets.text(assets.OPENCODE)

    def put(text: str) -> str:
        if text and not plugin.is_ours(text):
            raise CuratorError("is there and is not curator's plugin", where=path, hint="give it another name")
        return plugin.written(shipped, program)

    return File(
        path,
        SCRIPT,
        "",
        put,
        lambda text, _: "" if plugin.is_ours(text) else text,
        lambda text: _one(plugin.program(text)) if plugin.is_ours(text) else (),
        lambda _: {},
    )


def _toml_server(path: str, program: str) -> File:
    where = configs.shown(path)
    return File(
        path,
        SERVER,
        "",
        lambda text: agents.toml_server(text, program, where),
        lambda text, _: agents.toml_unserved(text, where),
        lambda text: _one(agents.started(agents.server(tomltext.read(text, where, agents.HINT), "mcp_servers"))),
        _blank,
    )


def _toml_hooks(path: str, program: str) -> File:
    where = configs.shown(path)
    return File(
        path,
        HOOK,
        "",
        lambda text: agents.toml_hooks(text, program, where),
        lambda text, _: agents.toml_unhooked(text, where),
        lambda text: _started(agents.hooked(tomltext.read(text, where, agents.HINT))),
        _blank,
    )


def _hooks(path: str, program: str, *, team: bool) -> File:
    where = configs.shown(path)
    return File(
        path,
        HOOK,
        "{}\n",
        lambda text: clients.merged(text, program, team=team, where=where, client=clients.CODEX),
        lambda text, hollow: clients.removed(text, where, keep=hollow),
        lambda text: _started(one.command for one in clients.installed(clients.read(text, where))),
        lambda text: dict.fromkeys(clients.hollow(text, where), " "),
    )


def _one(program: str) -> tuple[str, ...]:
    return (program,) if program else ()


def _started(commands: Iterable[str]) -> tuple[str, ...]:
    """The program of each hook; a hook in the form for a team starts the one on PATH."""
    return tuple(clients.program(command) or clients.PROGRAM for command in commands)


def _blank(text: str) -> dict[str, str]:
    return {"": text or " "} if not text.strip() else {}


def told(workspace: Workspace, client: str) -> Iterator[Told]:
    """What the files of a client say of curator, the repository's first; CuratorError for one that is broken."""
    for file in every(workspace, client):
        text = configs.text(workspace, file.path)
        programs = file.programs(text) if text is not None else ()
        if text is None or not programs:
            continue
        old = file.what == SCRIPT and text != plugin.written(assets.text(assets.OPENCODE), programs[0])
        missing = next((one for one in programs if not configs.runs(one)), "")
        yield Told(configs.shown(file.path), file.what, missing, old, any("/" in one for one in programs))


def set_up(workspace: Workspace) -> Iterator[str]:
    """The clients of which a file says something of curator, as far as they can be read."""
    for client in CLIENTS:
        with suppress(CuratorError):
            if any(told(workspace, client)):
                yield client
