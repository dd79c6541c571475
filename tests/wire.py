"""A scripted server on 127.0.0.1 that speaks the wire of Anthropic's Messages API, its faults included.

A script is a list of replies, one a request, the last one for all that follow:

    {"items": [...]}            an answer as the form of the request wants it
    {"text": "..."}             an answer with any text
    more keys: "stop" is the stop_reason, "usage" what it used, "content" the parts of the message
    {"status": 429, "headers": {"retry-after": "1"}, "error": "rate_limit_error"}    a fault
    {"raw": b"..."}             bytes as a body; "kind" is its type
    {"seconds": 5, ...}         a slow one
    {"hangs_up": True}          the connection ends without an answer; with "half" instead, in the midst of it
    {"drips": True}             an answer that comes byte by byte
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Json = dict[str, Any]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever hung up had heard enough."""


class Wire:
    """The server; use it with `with`. *requests* are the bodies it was sent, *heard* their headers, *raw* the bytes."""

    def __init__(self, *script: Mapping[str, Any]) -> None:
        self.script = list(script)
        self.requests: list[Json] = []
        self.heard: list[dict[str, str]] = []
        self.raw: list[bytes] = []
        self.paths: list[str] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Wire:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def told(self) -> str:
        """All that was said to it."""
        return b"\n".join(self.raw).decode()

    def _next(self) -> Mapping[str, Any]:
        with self._lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                wire.raw.append(data)
                wire.paths.append(self.path)
                wire.heard.append({name.lower(): value for name, value in self.headers.items()})
                wire.requests.append(json.loads(data))
                reply = wire._next()
                time.sleep(reply.get("seconds", 0))
                if reply.get("hangs_up"):
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                try:
                    self._send(reply, wire.requests[-1])
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def _send(self, reply: Mapping[str, Any], body: Json) -> None:
                data = reply["raw"] if "raw" in reply else json.dumps(answer(reply, body)).encode()
                self.send_response(reply.get("status", 200))
                self.send_header("Content-Type", reply.get("kind", "application/json"))
                self.send_header("Content-Length", str(len(data)))
                self.send_header("request-id", "req_1")
                for name, value in reply.get("headers", {}).items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in pieces(reply, data):
                    self.wfile.write(piece)
                self.close_connection = bool(reply.get("half"))

        return Handler


def pieces(reply: Mapping[str, Any], data: bytes) -> Iterator[bytes]:
    """A body as it goes out."""
    if reply.get("drips"):
        for at in range(len(data)):
            yield data[at : at + 1]
            time.sleep(0.1)
    else:
        yield data[: len(data) // 2] if reply.get("half") else data


def answer(reply: Mapping[str, Any], body: Json) -> Json:
    """The body that a reply stands for."""
    if "status" in reply:
        kind = reply.get("error", "api_error")
        return {"type": "error", "error": {"type": kind, "message": reply.get("message", "no")}, "request_id": "req_1"}
    text = json.dumps({"items": reply["items"]}) if "items" in reply else reply.get("text", "")
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": reply.get("content", [{"type": "text", "text": text}]),
        "stop_reason": reply.get("stop", "end_turn"),
        "stop_sequence": None,
        "usage": reply.get("usage", {"input_tokens": 1000, "output_tokens": 100}),
    }


def lines(body: Json) -> dict[str, int]:
    """The sentences of a request, each with its number."""
    text = body["messages"][0]["content"]
    rows = (row.partition(": ") for row in text.split("\n\n", 1)[1].split("\n"))
    return {sentence: int(head.split(" ")[0]) for head, _, sentence in rows}


def speakers(body: Json) -> Sequence[tuple[str, str]]:
    """The sentences of a request with their speakers, in order."""
    rows = (row.partition(": ") for row in body["messages"][0]["content"].split("\n\n", 1)[1].split("\n"))
    return [(head.split(" ")[1], sentence) for head, _, sentence in rows]
