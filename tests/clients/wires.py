"""How a scripted reply looks on the wire of each API, whole and as a stream of events.

A reply is `{"text": ...}` or `{"tool": name, "input": {...}}`; `"usage"` adds to what the client is told it spent, in
the names of its API. A client that groups tools (Codex does, by MCP server) wants the group: `"namespace"`.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Event = tuple[str, Json | str]  # the event's name, "" for none, and its data


@dataclass(frozen=True)
class Wire:
    """One API: the end of its path, the answer that a reply stands for, and that answer as the API streams it."""

    path: str
    answer: Callable[[Json, Mapping[str, Any], int], Json]
    events: Callable[[Json], Iterator[Event]]


def found(path: str) -> Wire | None:
    """The API that a request's path belongs to."""
    return next((wire for wire in WIRES if path.split("?")[0].endswith(wire.path)), None)


def stream(events: Iterator[Event]) -> str:
    """Events as server-sent ones."""
    return "".join(_sent(name, data if isinstance(data, str) else json.dumps(data)) for name, data in events)


def _sent(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n"


def _name(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:24]}"


# Anthropic's Messages


def _message(body: Json, reply: Mapping[str, Any], tokens: int) -> Json:
    block: Json = {"type": "text", "text": reply.get("text", "")}
    if "tool" in reply:
        block = {"type": "tool_use", "id": _name("toolu"), "name": reply["tool"], "input": reply.get("input", {})}
    usage = {"input_tokens": tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}
    return {
        "id": _name("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "fake"),
        "content": [block],
        "stop_reason": "tool_use" if "tool" in reply else "end_turn",
        "stop_sequence": None,
        "usage": usage | reply.get("usage", {}),
    }


def _message_events(message: Json) -> Iterator[Event]:
    block = message["content"][0]
    if block["type"] == "text":
        start, delta = block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        start = block | {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    opened = message | {"content": [], "stop_reason": None}
    yield "message_start", {"type": "message_start", "message": opened}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": start}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": message["usage"]}
    yield "message_stop", {"type": "message_stop"}


# OpenAI's chat completions


def _completion(body: Json, reply: Mapping[str, Any], tokens: int) -> Json:
    message: Json = {"role": "assistant", "content": reply.get("text", "")}
    if "tool" in reply:
        called = {"name": reply["tool"], "arguments": json.dumps(reply.get("input", {}))}
        call = {"index": 0, "id": _name("call"), "type": "function", "function": called}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    return {
        "id": _name("chatcmpl"),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body.get("model", "fake"),
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if "tool" in reply else "stop"}],
        "usage": usage | reply.get("usage", {}),
    }


def _completion_events(completion: Json) -> Iterator[Event]:
    (choice,) = completion["choices"]
    bare = completion | {"object": "chat.completion.chunk", "usage": None}
    for delta, end in ((choice["message"], None), ({}, choice["finish_reason"])):
        yield "", bare | {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
    yield "", bare | {"choices": [], "usage": completion["usage"]}
    yield "", "[DONE]"


# OpenAI's Responses


def _response(body: Json, reply: Mapping[str, Any], tokens: int) -> Json:
    content = [{"type": "output_text", "text": reply.get("text", ""), "annotations": []}]
    item: Json = {"type": "message", "id": _name("msg"), "role": "assistant", "status": "completed", "content": content}
    if "tool" in reply:
        called = {"name": reply["tool"], "arguments": json.dumps(reply.get("input", {}))}
        group = {"namespace": reply["namespace"]} if "namespace" in reply else {}
        names = {"id": _name("fc"), "call_id": _name("call")}
        item = {"type": "function_call", "status": "completed", **names, **called, **group}
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens + 5,
    }
    return {
        "id": _name("resp"),
        "object": "response",
        "created_at": int(time.time()),
        "model": body.get("model", "fake"),
        "status": "completed",
        "output": [item],
        "usage": usage | reply.get("usage", {}),
    }


def _response_events(response: Json) -> Iterator[Event]:
    (item,) = response["output"]
    opened = response | {"status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"type": "response.created", "response": opened}
    for name, data in _item_events(item):
        yield name, {"type": name, "output_index": 0, **data}
    yield "response.completed", {"type": "response.completed", "response": response}


def _item_events(item: Json) -> Iterator[tuple[str, Json]]:
    said = item["type"] == "message"
    hollow: Json = {"content": []} if said else {"arguments": ""}
    empty = item | hollow | {"status": "in_progress"}
    yield "response.output_item.added", {"item": empty}
    if said:
        delta = {"item_id": item["id"], "content_index": 0, "delta": item["content"][0]["text"]}
        yield "response.output_text.delta", delta
    yield "response.output_item.done", {"item": item}


WIRES = (
    Wire("/messages", _message, _message_events),
    Wire("/chat/completions", _completion, _completion_events),
    Wire("/responses", _response, _response_events),
)
