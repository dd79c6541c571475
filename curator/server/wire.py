"""Standard input and output as streams of messages. Nothing else ever gets onto standard output."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO, TypeGuard

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

LONGEST = 16 << 20
"""Bytes of a message that is read; a longer one is refused without keeping it."""
MOST_COMMAS = 50_000
"""In a message that is parsed: the values between them take time and memory, and nothing is answered meanwhile."""

PATIENCE = 30.0
"""Seconds after the end of input in which what was asked before is still answered."""
TICK = 0.01
_MOST_DIGITS = 300
_SURROGATE = re.compile("[\ud800-\udfff]")

_FLAT = rb'"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[-\w.+]+)\s*,\s*'
_ID = re.compile(rb"\s*\{\s*(?:" + _FLAT + rb')*"id"\s*:\s*("[^"\\]*"|-?\d{1,18})\s*[,}]')
"""The id of a message that no parser reads to its end, where only plain members stand before it."""

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Arriving = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
Leaving = MemoryObjectReceiveStream[SessionMessage]


@asynccontextmanager
async def streams() -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """What the client sends, and what it is sent, one message a line; until standard input ends or output breaks."""
    arriving, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, leaving = anyio.create_memory_object_stream[SessionMessage](0)
    source, sink = _claimed()
    asked: set[str | int] = set()
    async with anyio.create_task_group() as group:

        async def read() -> None:
            await _read(source, arriving, outgoing.clone(), asked)
            if asked:  # nobody reads the answers, or one takes too long
                group.cancel_scope.cancel()

        async def write() -> None:
            await _write(sink, leaving, asked)
            group.cancel_scope.cancel()

        group.start_soon(read)
        group.start_soon(write)
        yield incoming, outgoing


def _claimed() -> tuple[BinaryIO, BinaryIO]:
    """Descriptors 0 and 1 for this room alone: whoever else reads finds the end, whoever prints prints to 2.

    Neither is closed: that would wait for a thread which still reads.
    """
    source, sink = os.fdopen(os.dup(0), "rb", closefd=False), os.fdopen(os.dup(1), "wb", closefd=False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    stray = 2 if sys.stderr else os.open(os.devnull, os.O_WRONLY)
    os.dup2(stray, 1)
    return source, sink


async def _read(source: BinaryIO, arriving: Arriving, outgoing: Outgoing, asked: set[str | int]) -> None:
    """Pass on what can be read and answer what cannot. *asked* are the requests that have no answer yet."""
    async with arriving, outgoing:
        while line := await anyio.to_thread.run_sync(_line, source, abandon_on_cancel=True):
            message, fault = received(line)
            if fault:
                await outgoing.send(SessionMessage(fault))
            if message:
                _note(message, asked)
                await arriving.send(SessionMessage(message))
        with anyio.move_on_after(PATIENCE):  # what a closed pipe has asked is answered too
            while asked:
                await anyio.sleep(TICK)


def _note(message: types.JSONRPCMessage, asked: set[str | int]) -> None:
    """Take down a request; forget one that the client cancels, which gets no answer."""
    if isinstance(message, types.JSONRPCRequest):
        asked.add(message.id)
    elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
        named = (message.params or {}).get("requestId")
        if isinstance(named, str | int):
            asked.discard(named)


def _line(source: BinaryIO) -> bytes:
    """The next line; of one that is too long its beginning, which is no message. What cannot be read has ended."""
    try:
        line = source.readline(LONGEST)
        if len(line) == LONGEST and not line.endswith(b"\n"):
            line = line[:100]
            while (rest := source.readline(1 << 20)) and not rest.endswith(b"\n"):
                pass
    except OSError:
        return b""
    return line


def received(line: bytes) -> tuple[types.JSONRPCMessage | None, types.JSONRPCError | None]:
    """The message in a line, or the answer to what is none; neither for a blank line and a broken notification."""
    if not line.strip():
        return None, None
    if line.count(b",") > MOST_COMMAS:
        return None, _error(_stated(line), types.INVALID_REQUEST, "Invalid Request: too many values")
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None, _fault(line)
    if isinstance(message, types.JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line, parse_int=_int):
        return None, _fault(line)  # a request whose id is neither text nor whole number
    return message, None


def _fault(line: bytes) -> types.JSONRPCError | None:
    """The answer to what is no message (JSON-RPC 2.0, section 5); None for a notification, which gets none."""
    try:
        value = json.loads(line, parse_int=_int)
    except RecursionError:
        return _error(_stated(line), types.PARSE_ERROR, "Parse error: nested too deeply")
    except ValueError:
        return _error(None, types.PARSE_ERROR, "Parse error: a message is one line of JSON")
    if not isinstance(value, dict):
        return _error(None, types.INVALID_REQUEST, f"Invalid Request{': a batch' if isinstance(value, list) else ''}")
    if "id" not in value and isinstance(value.get("method"), str):
        return None
    named = value.get("id")
    return _error(named if _is_id(named) else None, types.INVALID_REQUEST, "Invalid Request")


def _int(digits: str) -> float:
    """A whole number; of one with more digits than an answer could say back only the size."""
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _is_id(named: object) -> TypeGuard[str | int]:
    """Whether an answer can carry it: a whole number, or a text that is writable as UTF-8."""
    if isinstance(named, str):
        return not _SURROGATE.search(named)
    return isinstance(named, int) and not isinstance(named, bool)


def _stated(line: bytes) -> str | int | None:
    found = _ID.match(line)
    named = json.loads(found[1].decode("utf-8", "replace")) if found else None
    return named if _is_id(named) else None


def _error(named: str | int | None, code: int, message: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=named, error=types.ErrorData(code=code, message=message))


async def _write(sink: BinaryIO, leaving: Leaving, asked: set[str | int]) -> None:
    async with leaving:
        async for one in leaving:
            try:
                await anyio.to_thread.run_sync(_put, sink, encoded(one.message), abandon_on_cancel=True)
            except OSError:  # the client has gone
                return
            if isinstance(one.message, types.JSONRPCResponse | types.JSONRPCError) and one.message.id is not None:
                asked.discard(one.message.id)


def _put(sink: BinaryIO, data: bytes) -> None:
    sink.write(data)
    sink.flush()


def encoded(message: types.JSONRPCMessage) -> bytes:
    """A message as its line; one that cannot be written becomes an error, and is not the end of the server."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except ValueError:
        named = getattr(message, "id", None)
        fault = _error(named if _is_id(named) else None, types.INTERNAL_ERROR, "The answer cannot be written as JSON")
        return fault.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
