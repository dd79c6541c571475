"""A scripted model server on 127.0.0.1 that speaks Anthropic's Messages API and keeps every request.

A script is a list of replies:

    {"text": "hello"}                                  an answer
    {"tool": "Read", "input": {"file_path": "a.txt"}}  a call of a tool
    more keys: "usage": {"input_tokens": N} is what the client believes it spent;
               "match": a pattern; the reply is for every request whose body matches it

Replies without "match" are a queue for requests that offer tools, which only the agent's own loop does. What is left
over gets "ok".
"""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Json = dict[str, Any]
Event = tuple[str, Json]


class Model:
    """The server; use it with `with`. *requests* are the bodies it was sent, in order."""

    def __init__(self, script: Sequence[Mapping[str, Any]]) -> None:
        self.queue = [reply for reply in script if "match" not in reply]
        self.rules = [reply for reply in script if "match" in reply]
        self.requests: list[Json] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply(self, body: Json, raw: str) -> Mapping[str, Any]:
        with self._lock:
            self.requests.append(body)
            for rule in self.rules:
                if re.search(rule["match"], raw, re.S):
                    return rule
            return self.queue.pop(0) if body.get("tools") and self.queue else {"text": "ok"}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_HEAD(self) -> None:
                self._send(b"", "text/plain")

            def do_GET(self) -> None:
                self._send(b'{"data": []}', "application/json")

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
                body = json.loads(raw)
                if not self.path.split("?")[0].endswith("/messages"):
                    self._send(json.dumps({"input_tokens": len(raw) // 4}).encode(), "application/json")
                    return
                message = answer(body, model.reply(body, raw), len(raw) // 4)
                if body.get("stream"):
                    lines = (f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events(message))
                    self._send("".join(lines).encode(), "text/event-stream")
                else:
                    self._send(json.dumps(message).encode(), "application/json")

            def _send(self, data: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler


def answer(body: Json, reply: Mapping[str, Any], tokens: int) -> Json:
    """The message that a reply stands for."""
    block: Json = {"type": "text", "text": reply.get("text", "")}
    if "tool" in reply:
        name = f"toolu_{uuid.uuid4().hex[:24]}"
        block = {"type": "tool_use", "id": name, "name": reply["tool"], "input": reply.get("input", {})}
    usage = {"input_tokens": tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "fake"),
        "content": [block],
        "stop_reason": "tool_use" if "tool" in reply else "end_turn",
        "stop_sequence": None,
        "usage": usage | reply.get("usage", {}),
    }


def events(message: Json) -> Iterator[Event]:
    """A message as the stream of events that the API makes of it."""
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


def read_by_the_model(body: Json) -> str:
    """All text of a request but the schemas of its tools."""
    found: list[str] = []

    def walk(node: object, key: str) -> None:
        if isinstance(node, str) and key in {"text", "content", "system"}:
            found.append(node)
        elif isinstance(node, list):
            for item in node:
                walk(item, key)
        elif isinstance(node, dict):
            for name, value in node.items():
                walk(value, name)

    walk(body.get("system"), "system")
    walk(body.get("messages"), "content")
    return "\n".join(found)
