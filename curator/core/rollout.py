"""One line of a Codex rollout: `{timestamp, type, payload}`, of which only `response_item` says anything.

What a person typed is marked part by part as "user.text"; instructions, the
environment and what hooks add stand beside it under other names, also in
messages of the role "user" (Codex 0.171; older rollouts have no marks, and
such texts are known by how they begin).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from curator.core.utterance import AGENT, CODEX, TOOL, USER, Said, parts, record, text, typed

_TYPED = "user.text"
_REQUEST = "\n## My request for Codex:"  # an editor puts its open files before what was typed
_SHELLS = frozenset({"exec_command", "shell", "local_shell", "shell_command"})


def said(line: Mapping[str, object]) -> Said | None:
    """What a line says, None for bookkeeping and all that the client injects."""
    payload, about = record(line.get("payload")), record(line.get("metadata"))
    if about.get("compaction_output") is True:  # a summary of what was said already
        return None
    if payload.get("type") != "message":
        return _spoken(TOOL, _outputs(payload), line)
    if payload.get("role") == "assistant":
        return _spoken(AGENT, (text(part.get("text")) for part in parts(payload.get("content"))), line)
    return _spoken(USER, _typed(payload), line) if payload.get("role") == "user" else None


def tools(line: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """The tool that a line calls, with its command; a shell is named as other clients name theirs."""
    payload = record(line.get("payload"))
    kind, name = payload.get("type"), text(payload.get("name"))
    if kind == "local_shell_call":
        return (("Bash", _command(record(payload.get("action")))),)
    if kind == "custom_tool_call":
        return ((name, ""),)
    if kind != "function_call":
        return ()
    return (("Bash", _command(_arguments(payload))),) if name in _SHELLS else ((name, ""),)


def is_subagents(first: Mapping[str, object]) -> bool:
    """Whether the *first* line of a rollout says that another agent began it, so that nobody typed into it."""
    payload = record(first.get("payload"))
    source = payload.get("source")
    return isinstance(source, dict) or payload.get("thread_source") not in ("user", None)


def _typed(payload: Mapping[str, object]) -> list[str]:
    kinds = record(payload.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds")
    content = payload.get("content")
    if isinstance(kinds, list) and isinstance(content, list):
        marked = [one for one, kind in zip(content, kinds, strict=False) if kind == _TYPED]
        return typed(_requested(text(part.get("text"))) for part in parts(marked))
    return typed(_requested(text(part.get("text"))) for part in parts(content) if part.get("type") == "input_text")


def _requested(words: str) -> str:
    head, found, rest = words.partition(_REQUEST)
    return rest if found and head.startswith("# Context from my IDE") else words


def _outputs(payload: Mapping[str, object]) -> Iterator[str]:
    """What a tool put out: text, parts, or in older rollouts an object as text."""
    if not text(payload.get("type")).endswith("_output"):
        return
    output = payload.get("output")
    if isinstance(output, str):
        inner = _object(output).get("output") if output[:1] == "{" else None
        yield inner if isinstance(inner, str) else output
    else:
        yield from (text(part.get("text")) for part in parts(output))
        yield from (text(part.get("text")) for part in parts(record(output).get("content")))


def _spoken(by: str, texts: Iterator[str] | list[str], line: Mapping[str, object]) -> Said | None:
    words = "\n".join(texts)
    if not words.strip():
        return None
    return Said(
        by, words, agent=CODEX, uuid=text(record(line.get("payload")).get("id")), time=text(line.get("timestamp"))
    )


def _arguments(payload: Mapping[str, object]) -> Mapping[str, object]:
    return _object(text(payload.get("arguments")))


def _command(given: Mapping[str, object]) -> str:
    command = given.get("cmd") or given.get("command")
    if isinstance(command, list):  # the last of ["bash", "-lc", "..."]
        return text(command[-1]) if command else ""
    return text(command)


def _object(source: str) -> Mapping[str, object]:
    import json  # noqa: PLC0415 - whoever reads lines has it

    try:
        return record(json.loads(source))
    except (ValueError, RecursionError):
        return {}
