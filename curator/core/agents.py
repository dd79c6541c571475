"""The files in which other agents are told of curator: its MCP server and its hooks put in, and taken out again.

`JSON` files hold `mcpServers` (Claude Code, Kimi Code) or `mcp` (OpenCode, which takes comments); `config.toml` holds
`[mcp_servers.curator]` (Codex) or `[[hooks]]` (Kimi Code). A server of ours is one that starts `curator mcp`, by any
path; keys that somebody added to it stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from curator.core import clients, jsontext, tomltext
from curator.errors import CuratorError

NAME = "curator"
SERVING = "mcp"
HINT = "put that right, or add it by hand: docs/agents.md of curator's repository shows what"
KIMI = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")
"""The events of Kimi Code's that mean something to curator; it takes no answer to those after a tool."""


class Form(NamedTuple):
    """How a client's JSON holds MCP servers: under which key, is the command one list, are comments taken.

    *waits*: a flag makes the client wait for the server, so that the first request of a session has its tools;
    *fresh* is the text of a new file.
    """

    key: str
    listed: bool = False
    comments: bool = False
    waits: str = ""
    fresh: str = "{}\n"


_SCHEMA = "$schema"
SERVERS = Form("mcpServers")
CLAUDE = Form("mcpServers", waits="alwaysLoad")
OPENCODE = Form("mcp", listed=True, comments=True, fresh=f'{{\n  "{_SCHEMA}": "https://opencode.ai/config.json"\n}}\n')
"""OpenCode adds the schema by itself where it is missing."""


def started(value: object) -> str:
    """The program that a server of curator's is started with, "" for another server."""
    if not isinstance(value, dict):
        return ""
    command, arguments = value.get("command"), value.get("args", [])
    words = [*command] if isinstance(command, list) else [command, *(arguments if isinstance(arguments, list) else ())]
    ours = len(words) == 2 and isinstance(words[0], str) and words[1] == SERVING
    return str(words[0]) if ours and str(words[0]).rpartition("/")[2] == NAME else ""


def server(value: Mapping[str, Any], key: str) -> object:
    """What stands under curator's name among the servers of a file, None for nothing."""
    servers = value.get(key)
    return servers.get(NAME) if isinstance(servers, dict) else None


# -- JSON --------------------------------------------------------------------------


def read(text: str, where: str, form: Form) -> dict[str, Any]:
    """The file as a value; CuratorError, with the line, where it cannot be read or servers have another shape."""
    value = jsontext.read(text, where, HINT, comments=form.comments)
    if not isinstance(value.get(form.key, {}), dict):
        raise CuratorError(f"`{form.key}` is not an object", where=where, hint=HINT)
    _refuse_foreign(server(value, form.key), f"{form.key}.{NAME}", where)
    return value


def served(text: str, program: str, where: str, form: Form) -> str:
    """The file with curator's server; one that is there is brought up to date in place."""
    value = read(text, where, form)
    wanted: dict[str, object] = (
        {"type": "local", "command": [program, SERVING], "enabled": True}
        if form.listed
        else {"command": program, "args": [SERVING], **({form.waits: True} if form.waits else {})}
    )
    there = server(value, form.key)
    if isinstance(there, dict):
        if there["command"] == wanted["command"]:
            return text
        return jsontext.spelt(text, (form.key, NAME, "command"), wanted["command"])
    if form.key in value:
        return jsontext.append(text, (form.key,), NAME, wanted)
    return jsontext.append(text, (), form.key, {NAME: wanted})


def unserved(text: str, where: str, form: Form, hollow: Mapping[str, str]) -> str:
    """The file without curator's server, nor what that leaves empty; *hollow* is what `emptied` told before."""
    value = jsontext.read(text, where, HINT, comments=form.comments)
    if not started(server(value, form.key)):
        return text
    alone = len(value[form.key]) == 1
    path = (form.key,) if alone and form.key not in hollow else (form.key, NAME)
    last = alone and (len(value) == 1 if len(path) == 1 else True)
    return jsontext.cut(text, path, hollow.get("" if len(path) == 1 else form.key, "") if last else "")


def emptied(text: str, form: Form) -> dict[str, str]:
    """What is there and empty of all that a server goes into: "" for the whole file, or the key, with its text."""
    found = {"": jsontext.container(text, ()), form.key: jsontext.container(text, (form.key,))}
    if set(jsontext.value_of(text)) == {_SCHEMA}:
        found[""] = text
    return {name: held for name, held in found.items() if held}


# -- TOML --------------------------------------------------------------------------

_SERVER = ("mcp_servers", NAME)
_HOOKS = ("hooks",)


def toml_server(text: str, program: str, where: str) -> str:
    """Codex's config.toml with curator's server at its end, or with that which is there brought up to date."""
    value = tomltext.read(text, where, HINT)
    there = server(value, "mcp_servers")
    _refuse_foreign(there, ".".join(_SERVER), where)
    wanted = {**_dict(value.get("mcp_servers")), NAME: {**_dict(there), "command": program, "args": [SERVING]}}
    if there is None:
        after = tomltext.added(text, f"[{'.'.join(_SERVER)}]", {"command": program, "args": [SERVING]})
    else:
        ours = [one for one in tomltext.tables(text) if one.path == _SERVER]
        after = tomltext.spelt(text, ours[0], "command", program) if ours else text
    return _sound(after, {**value, "mcp_servers": wanted}, where)


def toml_unserved(text: str, where: str) -> str:
    """Codex's config.toml without the tables of curator's server."""
    value = tomltext.read(text, where, HINT)
    if not started(server(value, "mcp_servers")):
        return text
    after = tomltext.without(text, [one for one in tomltext.tables(text) if one.path[:2] == _SERVER])
    rest = {name: one for name, one in value["mcp_servers"].items() if name != NAME}
    return _sound(after, {**value, "mcp_servers": rest}, where)


def toml_hooks(text: str, program: str, where: str) -> str:
    """Kimi Code's config.toml with one hook for each event; those that are there are brought up to date in place."""
    value = tomltext.read(text, where, HINT)
    told = clients.command(program, "", team=False)
    hooks = value.get("hooks", [])
    if not isinstance(hooks, list):
        raise CuratorError("`hooks` is no list of tables", where=where, hint=HINT)
    kept = []
    if len(_array(text)) != len(hooks):
        raise _unchangeable(where)
    for number, one in enumerate(hooks):
        if _is_ours(one):
            kept.append(one.get("event"))
            text = tomltext.spelt(text, _array(text)[number], "command", told)
    wanted = [{**one, "command": told} if _is_ours(one) else one for one in hooks]
    for event in KIMI:
        if event not in kept:
            hook = {"event": event, "command": told, "timeout": clients.TIMEOUT}
            text = tomltext.added(text, "[[hooks]]", hook)
            wanted.append(hook)
    return _sound(text, {**value, "hooks": wanted}, where)


def toml_unhooked(text: str, where: str) -> str:
    """Kimi Code's config.toml without curator's hooks."""
    value = tomltext.read(text, where, HINT)
    hooks = value.get("hooks")
    ours = [number for number, one in enumerate(hooks) if _is_ours(one)] if isinstance(hooks, list) else []
    if not ours:
        return text
    placed = _array(text)
    after = tomltext.without(text, [placed[number] for number in ours if number < len(placed)])
    return _sound(after, {**value, "hooks": [one for one in value["hooks"] if not _is_ours(one)]}, where)


def hooked(value: Mapping[str, Any]) -> tuple[str, ...]:
    """The commands of curator's hooks in a config.toml of Kimi Code."""
    hooks = value.get("hooks")
    return tuple(str(one["command"]) for one in hooks if _is_ours(one)) if isinstance(hooks, list) else ()


def _is_ours(hook: object) -> bool:
    return isinstance(hook, dict) and clients.is_ours(hook.get("command"))


def _array(text: str) -> list[tomltext.Table]:
    return [one for one in tomltext.tables(text) if one.path == _HOOKS and one.array]


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _sound(text: str, wanted: Mapping[str, Any], where: str) -> str:
    """The text, if it says what is wanted; a hand-written form that leaves no room for that is refused."""
    try:
        said = _tidy(tomltext.read(text, where, HINT))
    except CuratorError:
        raise _unchangeable(where) from None
    if said != _tidy(wanted):
        raise _unchangeable(where)
    return text


def _unchangeable(where: str) -> CuratorError:
    return CuratorError("is written in a form that curator cannot change in place", where=where, hint=HINT)


def _tidy(value: Mapping[str, Any]) -> dict[str, Any]:
    """A file's value without what is empty of servers and hooks, which means the same."""
    return {name: one for name, one in value.items() if one or name not in {"mcp_servers", "hooks"}}


def _refuse_foreign(value: object, name: str, where: str) -> None:
    if value is not None and not started(value):
        raise CuratorError(f"`{name}` is there and is not curator's server", where=where, hint=HINT)


# -- what is said ------------------------------------------------------------------


def told(what: str, before: int, after: int, changed: bool, where: str) -> Iterator[str]:
    """One line on servers or hooks of curator's in a file, for how many there were and are."""
    number = max(before, after)
    named = f"{number} {what}{'' if number == 1 else 's'}"
    if after > before:
        yield f"{named} added to {where}"
    elif after < before:
        yield f"{named} taken out of {where}"
    elif changed:
        yield f"{named} changed in {where}"
