"""One line of a session's log: who said it, what was said, which tools were called.

Claude Code's lines are read here, those of other clients in `rollout`,
`wire` and `opencode`. A hook reads megabytes of them, so this room loads no
more than `re` until a line is another client's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from curator.core.utterance import AGENT as AGENT
from curator.core.utterance import CLAUDE as CLAUDE
from curator.core.utterance import TOOL as TOOL
from curator.core.utterance import USER as USER
from curator.core.utterance import Said as Said
from curator.core.utterance import parts as _objects
from curator.core.utterance import text as _text
from curator.core.utterance import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

CALLS = (b'"tool_use"', b'"function_call"', b'"custom_tool_call"', b'"local_shell_call"', b'"tool.call"', b'"tools"')
"""What stands in a line that calls tools."""

OTHERS = (b'"tool_result"', b'"assistant"', b'_output"', b'"content.part"', b'"tool.result"', b'"agent"', b'"tool"')
"""What stands in a line of somebody else than the user."""

PLACE = b'"turn_context"'
"""What stands in a line that says where a turn is at work."""

_PLACES = ("session_meta", "turn_context")
_FLAGS = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")


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
        room = _room(record)
        found: Said | None = room.said(record) if room else None
        return found
    parts = _parts(record)
    if record.get("toolUseResult") is not None or any(part.get("type") == "tool_result" for part in parts):
        return _spoken(TOOL, _results(parts), record)
    return _spoken(USER, typed(_texts(parts, "text")), record) if _is_typed(record) else None


def tools(record: object) -> tuple[tuple[str, str], ...]:
    """The tools that an assistant's record calls: name, and the command or the path of the file, "" without one."""
    if not isinstance(record, dict):
        return ()
    if record.get("type") != "assistant":
        room = _room(record)
        found: tuple[tuple[str, str], ...] = room.tools(record) if room else ()
        return found
    return tuple((_text(part.get("name")), _target(part)) for part in _parts(record) if part.get("type") == "tool_use")


def place(record: object) -> str:
    """The folder that a record of Codex's says the session works in from here on, "" where it says none."""
    payload = record.get("payload") if isinstance(record, dict) and record.get("type") in _PLACES else None
    return _text(payload.get("cwd")) if isinstance(payload, dict) else ""


def _room(record: Mapping[str, object]) -> ModuleType | None:
    """The room that reads this client's lines, None for bookkeeping."""
    kind = _text(record.get("type"))
    if kind == "response_item":
        from curator.core import rollout  # noqa: PLC0415 - the same

        return rollout
    if kind in {"turn.prompt", "turn.steer", "context.append_loop_event"}:
        from curator.core import wire  # noqa: PLC0415 - a log of Kimi

        return wire
    if kind == "opencode":
        from curator.core import opencode  # noqa: PLC0415 - a session of OpenCode

        return opencode
    return None


def _spoken(by: str, texts: Iterator[str] | list[str], record: Mapping[str, object]) -> Said | None:
    text = "\n".join(texts)
    if not text.strip():
        return None
    return Said(
        by,
        text,
        uuid=_text(record.get("uuid")),
        session=_text(record.get("sessionId")),
        time=_text(record.get("timestamp")),
        cwd=_text(record.get("cwd")),
    )


def _parts(record: Mapping[str, object]) -> list[dict[str, object]]:
    """The parts of a record's message; plain text is one part."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [{"type": "text", "text": content}] if isinstance(content, str) else _objects(content)


def _texts(parts: list[dict[str, object]], kind: str) -> Iterator[str]:
    return (_text(part.get("text")) for part in parts if part.get("type") == kind)


def _results(parts: list[dict[str, object]]) -> Iterator[str]:
    for part in parts:
        content = part.get("content")
        if isinstance(content, str):
            yield content
        else:
            yield from _texts(_objects(content), "text")


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


def _target(part: Mapping[str, object]) -> str:
    given = part.get("input")
    if not isinstance(given, dict):
        return ""
    return next((text for key in ("command", "file_path", "notebook_path") if (text := _text(given.get(key)))), "")
