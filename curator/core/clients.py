"""The settings file of Claude Code as text: curator's hooks put in and taken out, every other byte as it was.

`hooks` in that file is an object: event -> list of groups {"matcher", "hooks": [handler]}. A handler of ours is
one whose command is `curator-hook`, by any path, or the form for a team. A timeout or a matcher that somebody
changed stays.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from curator.errors import CuratorError

PROGRAM = "curator-hook"
HOOKS = "hooks"
EVENTS = ("SessionStart", "UserPromptSubmit", "SubagentStart", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
MATCHERS = {"PostToolUse": "Edit|Write|MultiEdit|NotebookEdit"}
TIMEOUTS = {"SessionEnd": 15}
"""Seconds. All hooks share 1.5 s at the end of a session unless one says more."""
TIMEOUT = 10
ABSENT = "curator is not installed on this machine: this session recalls and proposes no memories"
_GUARD = f"command -v {PROGRAM} >/dev/null 2>&1"
_HINT = "put that right, or add the hooks by hand: docs/clients.md shows them"
_BLANKS = " \t\r\n"


class Part(NamedTuple):
    """A value in the text and, in an object, its key: offsets of key, value and end."""

    key: str
    start: int
    value: int
    end: int


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
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise CuratorError(_fault(text, error), where=f"{where}:{error.lineno}", hint=_HINT) from None
    except RecursionError:
        raise CuratorError("is nested too deeply", where=where, hint=_HINT) from None
    except ValueError as error:
        raise CuratorError(str(error), where=where, hint=_HINT) from None
    if not isinstance(value, dict):
        raise CuratorError("is not a JSON object", where=where, hint=_HINT)
    return value


def _fault(text: str, error: json.JSONDecodeError) -> str:
    if text.startswith("\ufeff"):
        return "begins with a byte order mark, which JSON has not"
    if text[error.pos : error.pos + 2] in {"//", "/*"}:
        return "holds a comment, which JSON has not"
    return f"is not JSON: {error.msg}"


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


def merged(text: str, program: str, *, team: bool, where: str) -> str:
    """The settings with one handler of ours for each event; those that are there are brought up to date in place."""
    settings = read(text, where)
    _shaped(settings, where)
    wanted = {event: command(program, event, team=team) for event in EVENTS}
    kept: set[str] = set()
    surplus = []
    for one in installed(settings):
        if one.event in wanted and one.event not in kept:
            kept.add(one.event)
            text = _spelt(text, one, wanted[one.event])
        else:
            surplus.append(one)
    text = _without(text, surplus, keep=())
    for event in EVENTS:
        if event not in kept:
            text = _with(text, event, _group(event, wanted[event]))
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


def _group(event: str, told: str) -> dict[str, Any]:
    handler = {"type": "command", "command": told, "timeout": TIMEOUTS.get(event, TIMEOUT)}
    matcher = {"matcher": MATCHERS[event]} if event in MATCHERS else {}
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


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is there twice")
    return value


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


# -- the text itself ---------------------------------------------------------------


def _parts(text: str, start: int) -> tuple[list[Part], int]:
    """The members of the object, or the items of the array, that opens at *start*; and the offset of its end."""
    decoder = json.JSONDecoder()
    keyed, parts = text[start] == "{", []
    at = _skip(text, start + 1)
    while text[at] not in "]}":
        begin, key = at, ""
        if keyed:
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        end = decoder.raw_decode(text, at)[1]
        parts.append(Part(key, begin, at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return parts, at


def _skip(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _find(text: str, path: Sequence[str | int]) -> int:
    """The offset of the value at *path*, whose parts are all there."""
    at = _skip(text, 0)
    for name in path:
        parts = _parts(text, at)[0]
        at = parts[name].value if isinstance(name, int) else next(one.value for one in parts if one.key == name)
    return at


def _spelt(text: str, one: Ours, told: str) -> str:
    if one.command == told:
        return text
    at = _find(text, (HOOKS, one.event, one.group, HOOKS, one.at, "command"))
    end = json.JSONDecoder().raw_decode(text, at)[1]
    return text[:at] + json.dumps(told, ensure_ascii=False) + text[end:]


def _with(text: str, event: str, group: dict[str, Any]) -> str:
    """The text with a group at the end of an event's list; list and `hooks` are made where they are missing."""
    settings = json.loads(text)
    if HOOKS not in settings:
        return _append(text, (), HOOKS, {event: [group]})
    if event not in settings[HOOKS]:
        return _append(text, (HOOKS,), event, [group])
    return _append(text, (HOOKS, event), "", group)


def _append(text: str, path: Sequence[str | int], key: str, value: object) -> str:
    """The text with a member, or an item, at the end of the container at *path*, laid out as the container is."""
    start = _find(text, path)
    parts, end = _parts(text, start)
    lead, outer, unit = _layout(text, start, parts)
    comma, colon = _separators(text)
    name = f"{json.dumps(key)}{colon}" if text[start] == "{" else ""
    if lead:
        body = json.dumps(value, ensure_ascii=False, indent=unit, separators=(",", colon)).replace("\n", lead)
    else:
        body = json.dumps(value, ensure_ascii=False, separators=(comma, colon))
    if parts:
        return f"{text[: parts[-1].end]}{',' + lead if lead else comma}{name}{body}{text[parts[-1].end :]}"
    return f"{text[: start + 1]}{lead}{name}{body}{outer}{text[end:]}"


def _separators(text: str) -> tuple[str, str]:
    """What stands between parts on one line, and between key and value, as the file's first key has it."""
    root = _parts(text, _skip(text, 0))[0]
    tight = bool(root) and text[root[0].value - 1] == ":"
    return (",", ":") if tight else (", ", ": ")


def _layout(text: str, start: int, parts: Sequence[Part]) -> tuple[str, str, str]:
    """How the container at *start* is laid out: what stands before each part, before its end, and one indent.

    The first two are "" where all stands on one line.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    root = _parts(text, _skip(text, 0))[0]
    unit = _lead(text, root[0].start) if root else "  "
    if parts:
        lead = _lead(text, parts[0].start)
        return (newline + lead, "", unit or "  ") if "\n" in text[start : parts[0].start] else ("", "", "")
    if root and "\n" not in text[: root[0].start]:
        return "", "", ""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    return newline + margin + (unit or "  "), newline + margin, unit or "  "


def _lead(text: str, at: int) -> str:
    """The blanks before *at* on its line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip(" \t") else ""


def _without(text: str, ours: Iterable[Ours], *, keep: Sequence[str]) -> str:
    """The text without these handlers, nor the group, list and `hooks` that they leave empty, *keep* excepted."""
    for one in sorted(ours, reverse=True):
        text = _cut(text, _all_of(json.loads(text)[HOOKS], one, keep))
    return text


def _all_of(hooks: dict[str, Any], one: Ours, keep: Sequence[str]) -> tuple[str | int, ...]:
    """The path of the largest part that holds this handler and nothing else."""
    if len(hooks[one.event][one.group][HOOKS]) > 1:
        return HOOKS, one.event, one.group, HOOKS, one.at
    if len(hooks[one.event]) > 1 or one.event in keep:
        return HOOKS, one.event, one.group
    return (HOOKS,) if len(hooks) == 1 and HOOKS not in keep else (HOOKS, one.event)


def _cut(text: str, path: Sequence[str | int]) -> str:
    """The text without the part at *path*, its comma and the blanks between it and its neighbour."""
    start = _find(text, path[:-1])
    parts, end = _parts(text, start)
    name = path[-1]
    at = name if isinstance(name, int) else next(number for number, one in enumerate(parts) if one.key == name)
    if len(parts) == 1:
        return text[: start + 1] + text[end:]
    if at == 0:
        return text[: parts[0].start] + text[parts[1].start :]
    return text[: parts[at - 1].end] + text[parts[at].end :]
