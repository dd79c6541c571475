"""Two ways to talk to a real `curator mcp`: through the SDK's own client, and as bytes on its standard input."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp import ClientSession, StdioServerParameters, stdio_client

from tests.conftest import Repo

T = TypeVar("T")
COMMAND = [sys.executable, "-m", "curator", "mcp"]
SECONDS = 60
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2"}}
SAVED = "The invoice rounds each line in `round_vat`, never the total."


def session(
    root: Path, work: Callable[[ClientSession], Awaitable[T]], client: str = "claude-code", **environment: str
) -> T:
    """What *work* makes of a session of the SDK's client with a server that is started in *root*."""
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], cwd=root, env={**os.environ, **environment})

    async def run() -> T:
        with Path(os.devnull).open("w") as nothing:
            async with stdio_client(server, errlog=nothing) as (incoming, outgoing):
                who = types.Implementation(name=client, version="1")
                async with ClientSession(incoming, outgoing, client_info=who) as opened:
                    await opened.initialize()
                    return await work(opened)

    return anyio.run(run)


def calls(repo: Repo, *wanted: tuple[str, dict[str, Any]], client: str = "claude-code") -> list[types.CallToolResult]:
    """The results of several calls in one session. The client holds each against the tool's output schema."""

    async def work(opened: ClientSession) -> list[types.CallToolResult]:
        await opened.list_tools()
        results = [await opened.call_tool(name, arguments) for name, arguments in wanted]
        assert all(isinstance(one, types.CallToolResult) for one in results)
        return results

    return session(repo.root, work, client)


def call(repo: Repo, tool: str, **arguments: Any) -> types.CallToolResult:
    return calls(repo, (tool, arguments))[0]


def text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def inbox(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".git/curator/inbox").glob("*"))


class Line:
    """A server that is written to as bytes, a line a message."""

    def __init__(self, root: Path, *, hello: bool = True, command: Sequence[str] = COMMAND, **environment: str) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=root,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
        )
        self._held = b""
        self._number = 0
        if hello:
            self.ask("initialize", HELLO)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Line:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, _: TracebackType | None) -> None:
        self.process.kill()
        self.process.communicate()

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def read(self) -> dict[str, Any]:
        """The next message, which must be strict JSON on a line of its own."""
        assert self.process.stdout
        while b"\n" not in self._held:
            assert select.select([self.process.stdout], [], [], SECONDS)[0], "no answer"
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            assert data, "the server has gone"
            self._held += data
        line, _, self._held = self._held.partition(b"\n")
        value = json.loads(line, parse_constant=lambda name: refuse(name))
        assert isinstance(value, dict)
        assert value["jsonrpc"] == "2.0"
        return value

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The answer to a request."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, **({"params": params} if params else {})})
        answer = self.read()
        assert answer["id"] == self._number
        return answer

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def end(self) -> tuple[int, bytes, bytes]:
        """The exit code and what was still written, once standard input has ended."""
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, self._held + out, err


def refuse(name: str) -> object:
    raise AssertionError(f"{name} is no JSON")
