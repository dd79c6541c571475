"""The settings files of clients with hooks as text: curator's put in and taken out, every other byte as it was.

`hooks` in that file is an object: event -> list of groups {"matcher", "hooks": [handler]}. A handler of ours is
one whose command is `curator-hook`, by any path, or the form for a team. A timeout or a matcher that somebody
changed stays.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from curator.core import jsontext
from curator.errors import CuratorError

PROGRAM = "curator-hook"
HOOKS = "hooks"
EVENTS = ("SessionStart", "UserPromptSubmit", "SubagentStart", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
TIMEOUT = 10
ABSENT = "curator is not installed on this machine: this session recalls and proposes no memories"
_GUARD = f"command -v {PROGRAM} >/dev/null 2>&1"
_HINT = "put that right, or add the hooks by hand: docs/clients.md of curator's repository shows them"


class Client(NamedTuple):
    """What a client calls: the events in the order in which a session meets them, matchers, and seconds."""

    events: tuple[str, ...]
    matchers: Mapping[str, str]
    timeouts: Mapping[str, int]


CLAUDE = Client(EVENTS, {"PostToolUse": "Edit|Write|MultiEdit|NotebookEdit"}, {"SessionEnd": 15})
"""All hooks share 1.5 s at the end of a session unless one says more."""
CODEX = Client(
    tuple(event for event in EVENTS if event != "SubagentStart"),
    {"PostToolUse": "apply_patch|Edit|Write"},
    {"SessionEnd": 3},
)
"""Codex gives the end of a session 3 s, and says so where a hook asks for more."""


class Ours(NamedTuple):
    """One handler of curator's: its event, the number of its group, its number there, and its command."""

    event: str
    group: int
    at: int
    command: str


def command(program: str, event: str, *, team: bool) -> str:
    """What a client starts for *event*: *program*, or with *team* the one on PATH, where there is one."""
    if not team:
        return shlex.quote(program)
    if event == "SessionStart":
        return f"{_GUARD} && exec {PROGRAM}; printf '%s\\n' {shlex.quote(json.dumps({'systemMessage': ABSENT}))}"
    return f"{_GUARD} || exit 0; exec {PROGRAM}"


def is_ours(text: object) -> bool:
    """Is this the command of a handler that curator wrote?"""
    if not isinstance(text, str):
        return False
    return text.startswith(_GUARD) or bool(program(text))


def program(command: str) -> str:
    """The curator-hook that a command consists of, as it is named there; "" where it is another command."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    return words[0] if len(words) == 1 and words[0].rpartition("/")[2] == PROGRAM else ""


def read(text: str, where: str) -> dict[str, Any]:
    """The settings as a value. CuratorError, with the line, for whatever is no JSON object with unique keys."""
    return jsontext.read(text, where, _HINT)


def installed(settings: dict[str, Any]) -> tuple[Ours, ...]:
    """The handlers of curator's, in their order; a hook of another shape is nobody's."""
    hooks = settings.get(HOOKS)
    found: list[Ours] = []
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            for at, one in enumerate(_handlers(group)):
                told = one.get("command") if isinstance(one, dict) else None
                if is_ours(told):
                    found.append(Ours(event, number, at, str(told)))
    return tuple(found)


def merged(text: str, program: str, *, team: bool, where: str, client: Client = CLAUDE) -> str:
    """The settings with one handler of ours for each event; those that are there are brought up to date in place."""
    settings = read(text, where)
    _shaped(settings, where)
    wanted = {event: command(program, event, team=team) for event in client.events}
    kept: set[str] = set()
    surplus = []
    for one in installed(settings):
        if one.event in wanted and one.event not in kept:
            kept.add(one.event)
            text = _spelt(text, one, wanted[one.event])
        else:
            surplus.append(one)
    text = _without(text, surplus, keep=())
    for event in client.events:
        if event not in kept:
            text = _with(text, event, _group(event, wanted[event], client))
    return text


def removed(text: str, where: str, *, keep: Iterable[str] = ()) -> str:
    """The settings without curator's handlers and without what they leave empty.

    *keep* names what was empty before curator came, as `hollow` told it, and stays.
    """
    return _without(text, installed(read(text, where)), keep=tuple(keep))


def summary(before: dict[str, Any], after: dict[str, Any], where: str) -> tuple[str, ...]:
    """What differs between two settings, a line each: `7 hooks added to WHERE (SessionStart, ...)`."""
    old, new = ({event: _commands(one, event) for event in _events(one)} for one in (before, after))
    ways = {
        "added to": [event for event in new if event not in old],
        "changed in": [event for event in new if event in old and old[event] != new[event]],
        "taken out of": [event for event in old if event not in new],
    }
    return tuple(
        f"{len(events)} {'hook' if len(events) == 1 else 'hooks'} {way} {where} ({', '.join(events)})"
        for way, events in ways.items()
        if events
    )


def _events(settings: dict[str, Any]) -> tuple[str, ...]:
    """The events with a handler of curator's, those of today in the order in which a session meets them."""
    found = {one.event for one in installed(settings)}
    return (*(event for event in EVENTS if event in found), *sorted(found.difference(EVENTS)))


def _commands(settings: dict[str, Any], event: str) -> tuple[str, ...]:
    return tuple(one.command for one in installed(settings) if one.event == event)


def hollow(text: str, where: str) -> tuple[str, ...]:
    """What is there and empty of all that curator adds to: "" for the whole file, "hooks", or an event."""
    settings = read(text, where)
    hooks = settings.get(HOOKS)
    if not settings:
        return ("",)
    if hooks == {}:
        return (HOOKS,)
    return tuple(event for event in EVENTS if isinstance(hooks, dict) and hooks.get(event) == [])


def new(program: str, *, team: bool, where: str) -> str:
    """The text of a settings file that holds nothing else."""
    return merged("{}\n", program, team=team, where=where)


def _group(event: str, told: str, client: Client) -> dict[str, Any]:
    handler = {"type": "command", "command": told, "timeout": client.timeouts.get(event, TIMEOUT)}
    matcher = {"matcher": client.matchers[event]} if event in client.matchers else {}
    return {**matcher, HOOKS: [handler]}


def _handlers(group: object) -> Sequence[object]:
    handlers = group.get(HOOKS) if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else ()


def _shaped(settings: dict[str, Any], where: str) -> None:
    """Refuse hooks that the client itself would not read."""
    hooks = settings.get(HOOKS, {})
    if not isinstance(hooks, dict):
        raise CuratorError("`hooks` is not an object", where=where, hint=_HINT)
    for event in EVENTS:
        groups = hooks.get(event, [])
        whole = isinstance(groups, list) and all(
            isinstance(group, dict) and isinstance(group.get(HOOKS), list) for group in groups
        )
        if not whole:
            raise CuratorError(f'`hooks.{event}` is no list of {{"hooks": [...]}}', where=where, hint=_HINT)


def _spelt(text: str, one: Ours, told: str) -> str:
    at = (HOOKS, one.event, one.group, HOOKS, one.at, "command")
    return text if one.command == told else jsontext.spelt(text, at, told)


def _with(text: str, event: str, group: dict[str, Any]) -> str:
    """The text with a group at the end of an event's list; list and `hooks` are made where they are missing."""
    settings = jsontext.value_of(text)
    if HOOKS not in settings:
        return jsontext.append(text, (), HOOKS, {event: [group]})
    if event not in settings[HOOKS]:
        return jsontext.append(text, (HOOKS,), event, [group])
    return jsontext.append(text, (HOOKS, event), "", group)


def _without(text: str, ours: Iterable[Ours], *, keep: Sequence[str]) -> str:
    """The text without these handlers, nor the group, list and `hooks` that they leave empty, *keep* excepted."""
    for one in sorted(ours, reverse=True):
        text = jsontext.cut(text, _all_of(jsontext.value_of(text)[HOOKS], one, keep))
    return text


def _all_of(hooks: dict[str, Any], one: Ours, keep: Sequence[str]) -> tuple[str | int, ...]:
    """The path of the largest part that holds this handler and nothing else."""
    if len(hooks[one.event][one.group][HOOKS]) > 1:
        return HOOKS, one.event, one.group, HOOKS, one.at
    if len(hooks[one.event]) > 1 or one.event in keep:
        return HOOKS, one.event, one.group
    return (HOOKS,) if len(hooks) == 1 and HOOKS not in keep else (HOOKS, one.event)
