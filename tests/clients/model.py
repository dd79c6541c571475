"""A scripted model server on 127.0.0.1 that speaks the APIs of wires.py and keeps every request.

A script is a list of replies:

    {"text": "hello"}                                  an answer
    {"tool": "Read", "input": {"file_path": "a.txt"}}  a call of a tool
    more keys: "usage": {"input_tokens": N} is what the client believes it spent, in the names of its API;
               "namespace": the group that Codex keeps the tool in;
               "match": a pattern; the reply is for every request whose body matches it;
               "once": a tool's name, and "meanwhile" the reply until a request offers that tool: a real model
               needs longer for an answer than a server for its start

Replies without "match" are a queue for requests that offer tools, which only the agent's own loop does. What is left
over gets "ok".
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.clients import wires
from tests.clients.wires import Json

KNOWN = {"id": "fake-model", "object": "model", "type": "model", "display_name": "Fake", "context_length": 200_000}
PATIENCE = 30  # replies in the meantime
SAID = {"text", "content", "system", "instructions", "output"}  # keys whose strings a model reads


class Model:
    """The server; use it with `with`. *requests* are the bodies it was sent, in order."""

    def __init__(self, script: Sequence[Mapping[str, Any]], port: int = 0) -> None:
        self.queue = [reply for reply in script if "match" not in reply]
        self.rules = [reply for reply in script if "match" in reply]
        self.requests: list[Json] = []
        self._patience = PATIENCE
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
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
            return self._next(body) if body.get("tools") and self.queue else {"text": "ok"}

    def _next(self, body: Json) -> Mapping[str, Any]:
        reply = self.queue[0]
        if "once" in reply and self._patience and not any(name.endswith(reply["once"]) for name in offered(body)):
            self._patience -= 1
            meanwhile: Mapping[str, Any] = reply["meanwhile"]
            return meanwhile
        return self.queue.pop(0)

    def _handler(self) -> type[_Handler]:
        return type("Handler", (_Handler,), {"model": self})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: object) -> None:
        return

    def do_HEAD(self) -> None:
        self._send(b"", "text/plain")

    def do_GET(self) -> None:
        known = [KNOWN] if "/models" in self.path else []
        self._send(json.dumps({"object": "list", "data": known}).encode(), "application/json")

    def do_POST(self) -> None:
        raw = self._body().decode("utf-8", "replace")
        wire = wires.found(self.path)
        if wire is None:
            self._send(json.dumps({"input_tokens": len(raw) // 4}).encode(), "application/json")
            return
        body = json.loads(raw)
        answer = wire.answer(body, self.model.reply(body, raw), len(raw) // 4)
        if body.get("stream"):
            self._send(wires.stream(wire.events(answer)).encode(), "text/event-stream")
        else:
            self._send(json.dumps(answer).encode(), "application/json")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def read_by_the_model(body: Json) -> str:
    """All text of a request but the schemas of its tools and the arguments of their calls."""
    asked = {key: body.get(key) for key in ("system", "instructions")}
    return "\n".join(_said(asked, "") + _said([body.get("messages"), body.get("input")], "content"))


def _said(node: object, key: str) -> list[str]:
    if isinstance(node, str):
        return [node] if key in SAID else []
    if isinstance(node, dict):
        return [text for name, value in node.items() for text in _said(value, name)]
    return [text for item in node for text in _said(item, key)] if isinstance(node, list) else []


def offered(body: Json) -> set[str]:
    """The names of the tools that a request offers; of one in a group, "group/name"."""
    return {name for tool in body.get("tools", []) for name in _names(tool)}


def _names(tool: Json) -> list[str]:
    if tool.get("type") == "namespace":
        return [f"{tool['name']}/{one['name']}" for one in tool["tools"]]
    return [tool.get("function", tool).get("name") or tool["type"]]
