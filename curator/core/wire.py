"""One line of Kimi Code's wire log.

What a person typed comes as `turn.prompt` and `turn.steer`; the same words
stand in it again as messages of the context, beside reminders, hooks' text
and summaries, and those are passed over (Kimi Code 2.1).
"""

from __future__ import annotations

from collections.abc import Mapping

from curator.core.utterance import AGENT, KIMI, TOOL, USER, Said, moment, parts, record, text, typed

_PROMPTS = frozenset({"turn.prompt", "turn.steer"})
_TARGETS = ("command", "path", "file_path")


def said(line: Mapping[str, object]) -> Said | None:
    """What a line says, None for bookkeeping and for prompts that nobody typed."""
    if text(line.get("type")) in _PROMPTS:
        is_typed = record(line.get("origin")).get("kind") == "user"
        return _spoken(USER, typed(_texts(line.get("input"))), line, line.get("promptId")) if is_typed else None
    event = record(line.get("event"))
    if event.get("type") == "content.part":
        part = record(event.get("part"))
        words = text(part.get("text")) if part.get("type") == "text" else ""
        return _spoken(AGENT, [words], line, event.get("uuid"))
    if event.get("type") == "tool.result":
        output = record(event.get("result")).get("output")
        return _spoken(TOOL, [output] if isinstance(output, str) else _texts(output), line, event.get("parentUuid"))
    return None


def tools(line: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """The tool that a line calls: its name, and the command or the path."""
    event = record(line.get("event"))
    if event.get("type") != "tool.call":
        return ()
    given = record(event.get("args"))
    target = next((words for key in _TARGETS if (words := text(given.get(key)))), "")
    return ((text(event.get("name")), target),)


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text(part.get("text")) for part in parts(content) if part.get("type") == "text"]


def _spoken(by: str, texts: list[str], line: Mapping[str, object], uuid: object) -> Said | None:
    words = "\n".join(texts)
    return Said(by, words, agent=KIMI, uuid=text(uuid), time=moment(line.get("time"))) if words.strip() else None
