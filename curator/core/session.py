"""One line of a Claude Code session log: who said it, what was said, which tools were called.

A hook reads megabytes of these, so this room loads no more than `re`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

USER, AGENT, TOOL = "user", "agent", "tool"
"""Who speaks, strongest first: typed by a person, said by the agent, put out by a tool."""

_FLAGS = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
# What a client writes in the user's name.
_INJECTED = re.compile(
    r"\s*+(?:<[a-z][\w-]*[ >]|\[Request interrupted|\[Image: |Caveat: |This session is being continued"
    r"|Operation stopped by hook|Stop hook feedback|Base directory for this skill|Implement the (?:following )?plan\b"
    r"|Unknown (?:skill|slash command)|API Error|# AGENTS\.md|You are (?:an?|the) |## (?:Context|Your task|Arguments)\b"
    r"|Your task is to |Please analyze this codebase and create a CLAUDE\.md|---[ \t]*\n)"
)
_COMMAND = re.compile(r"\s*+[/!][\w:-]++(?:\s|\Z)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Said:
    """What one record says. *by* is "user", "agent" or "tool"; *time* is ISO 8601, as written; unknown is ""."""

    __slots__ = ("by", "cwd", "session", "text", "time", "uuid")

    def __init__(self, by: str, text: str, record: Mapping[str, object]) -> None:
        self.by = by
        self.text = text
        self.uuid = _text(record.get("uuid"))
        self.session = _text(record.get("sessionId"))
        self.time = _text(record.get("timestamp"))
        self.cwd = _text(record.get("cwd"))


def said(record: object) -> Said | None:
    """What a parsed line says; None for bookkeeping, subagents, summaries and all that a client injects.

    Only text that a person typed is the user's: neither a slash or ! command
    nor what a hook or the client writes in the user's name.
    """
    if not isinstance(record, dict) or any(record.get(flag) for flag in _FLAGS):
        return None
    if record.get("type") == "assistant":
        return _spoken(AGENT, _texts(_parts(record), "text"), record)
    if record.get("type") != "user":
        return None
    parts = _parts(record)
    if record.get("toolUseResult") is not None or any(part.get("type") == "tool_result" for part in parts):
        return _spoken(TOOL, _results(parts), record)
    return _spoken(USER, _typed(parts), record) if _is_typed(record) else None


def tools(record: object) -> tuple[tuple[str, str], ...]:
    """The tools that an assistant's record calls: name, and the command or the path of the file, "" without one."""
    if not isinstance(record, dict) or record.get("type") != "assistant":
        return ()
    return tuple((_text(part.get("name")), _target(part)) for part in _parts(record) if part.get("type") == "tool_use")


def _spoken(by: str, texts: Iterator[str], record: Mapping[str, object]) -> Said | None:
    text = "\n".join(texts)
    if not text.strip():
        return None
    return Said(by, text if text.isascii() else _SURROGATE.sub("\ufffd", text), record)


def _parts(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The parts of a record's message; plain text is one part."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _texts(parts: list[Mapping[str, object]], kind: str) -> Iterator[str]:
    return (_text(part.get("text")) for part in parts if part.get("type") == kind)


def _results(parts: list[Mapping[str, object]]) -> Iterator[str]:
    for part in parts:
        content = part.get("content")
        if isinstance(content, str):
            yield content
        elif isinstance(content, list):
            yield from _texts([each for each in content if isinstance(each, dict)], "text")


def _is_typed(record: Mapping[str, object]) -> bool:
    """A person's turn: not a hook's, and not one that another program queued."""
    if (
        record.get("userType", "external") != "external"
        or record.get("rowSource") == "hook"
        or record.get("promptSource") == "system"
    ):
        return False
    origin = record.get("origin")
    return not isinstance(origin, dict) or origin.get("kind") in (None, "human")


def _typed(parts: list[Mapping[str, object]]) -> Iterator[str]:
    """Texts without what a client adds: an editor puts the open file beside the words as a part of its own."""
    return (text for text in _texts(parts, "text") if not _INJECTED.match(text) and not _COMMAND.match(text))


def _target(part: Mapping[str, object]) -> str:
    given = part.get("input")
    if not isinstance(given, dict):
        return ""
    return next((text for key in ("command", "file_path", "notebook_path") if (text := _text(given.get(key)))), "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
