"""A message of OpenCode's database as lines of a log, and what such a line says.

The client keeps messages and their parts as JSON; parts that it wrote itself
are marked `synthetic`, those that the model never saw `ignored`, and the
message that holds a summary `summary` (OpenCode 1.18). The template of a custom command stands there as if it had been
typed: curator's plugin marks it, and one that was not marked is known by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator.core import keys
from curator.core.utterance import AGENT, OPENCODE, TOOL, USER, Said, moment, record, text, typed

KIND = "opencode"
"""The type of these lines."""

_ROLES = {"user": USER, "assistant": AGENT}
_TARGETS = ("command", "filePath", "path")
_MARK = "curator"  # in the metadata of what the plugin saw a command put there
_SHORTEST = 18  # characters of a template that can hold a statement
_FRONT = re.compile(r"\A---\n.*?\n---[ \t]*(?:\n|\Z)", re.S)
_FILLED = re.compile(r"\$ARGUMENTS|\$\d+|!`[^`\n]*`")


def is_whole(message: Mapping[str, object]) -> bool:
    """Whether nothing will be added to a message: the user's are written at once, the agent's have an end."""
    return message.get("role") == "user" or "completed" in record(message.get("time")) or bool(message.get("error"))


def lines(
    uuid: str,
    session: str,
    folder: str,
    message: Mapping[str, object],
    contents: Iterable[Mapping[str, object]],
    templates: Sequence[tuple[str, ...]] = (),
) -> Iterator[dict[str, object]]:
    """What a message and its parts say, one record for each part that says or does anything, in their order.

    What one of the *templates* (`template`) says is a tool's word, whoever called for it.
    """
    by = _ROLES.get(text(message.get("role")))
    if by is None or message.get("summary") is True:
        return
    about: dict[str, object] = {
        "type": KIND,
        "uuid": uuid,
        "sessionId": session,
        "timestamp": moment(record(message.get("time")).get("created")),
        "cwd": text(record(message.get("path")).get("cwd")) or folder,
    }
    for part in contents:
        if part.get("type") == "text" and not (part.get("synthetic") or part.get("ignored")):
            words = text(part.get("text"))
            if by == USER and (_MARK in record(part.get("metadata")) or is_expanded(words, templates)):
                yield {**about, "by": TOOL, "text": words}
            else:
                yield {**about, "by": by, "text": _unquoted(words) if by == USER else words}
        elif part.get("type") == "tool":
            state = record(part.get("state"))
            output = text(state.get("output")) or text(state.get("error"))
            yield {**about, "by": TOOL, "text": output, "tools": [[text(part.get("tool")), _target(state)]]}


def template(page: str) -> tuple[str, ...]:
    """The fixed pieces of a command's template, as bare words in their order, without its front matter.

    Empty where they are too short to say anything by themselves.
    """
    pieces = (keys.words(one) for one in _FILLED.split(_FRONT.sub("", page.replace("\r\n", "\n"), count=1)))
    found = tuple(piece for piece in pieces if piece)
    return found if sum(map(len, found)) >= _SHORTEST else ()


def is_expanded(words: str, templates: Sequence[tuple[str, ...]]) -> bool:
    """Whether a text holds all pieces of one of the *templates* in their order."""
    bare = f" {keys.words(words)} " if templates else ""
    return any(_holds(bare, pieces) for pieces in templates)


def _holds(bare: str, pieces: tuple[str, ...]) -> bool:
    at = 0
    for piece in pieces:
        at = bare.find(f" {piece} ", at)
        if at < 0:
            return False
        at += len(piece) + 1
    return bool(pieces)


def said(line: Mapping[str, object]) -> Said | None:
    """What a line says, None for nothing."""
    by, words = text(line.get("by")), text(line.get("text"))
    if by == USER:
        words = "\n".join(typed([words]))
    if by not in {USER, AGENT, TOOL} or not words.strip():
        return None
    return Said(
        by,
        words,
        agent=OPENCODE,
        uuid=text(line.get("uuid")),
        session=text(line.get("sessionId")),
        time=text(line.get("timestamp")),
        cwd=text(line.get("cwd")),
    )


def tools(line: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """The tool that a line tells of, named as other clients name theirs."""
    called = line.get("tools")
    pairs = [one for one in called if isinstance(one, list) and len(one) == 2] if isinstance(called, list) else []
    return tuple((text(name)[:1].upper() + text(name)[1:], text(target)) for name, target in pairs)


def _target(state: Mapping[str, object]) -> str:
    given = record(state.get("input"))
    return next((words for key in _TARGETS if (words := text(given.get(key)))), "")


def _unquoted(words: str) -> str:
    """A prompt without the quotes that `opencode run` puts around it."""
    inner = words[1:-1]
    if len(words) < 2 or not words[0] == words[-1] == '"' or '"' in inner.replace('\\"', ""):
        return words
    return inner.replace('\\"', '"')
