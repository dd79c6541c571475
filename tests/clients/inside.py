"""What runs in a network namespace of its own: the scripted model, and clients that can reach nothing else.

The order comes as JSON on standard input (sandbox.Sandbox._run); what happened goes as JSON to standard output.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from typing import IO, Any

from tests.clients import terminal
from tests.clients.model import Model

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # netdevice(7)


def main() -> None:
    order = json.load(sys.stdin)
    _loopback()
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        sys.exit("this namespace has more than loopback, so nothing was run")
    with Model(order["script"], order["port"]) as model:
        code, out, err = _typed(order) if order["steps"] else _all(order)
    json.dump({"code": code, "out": out, "err": err, "requests": model.requests}, sys.stdout)


def _loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        told = fcntl.ioctl(handle, _GET_FLAGS, struct.pack("16sh22x", b"lo", 0))
        flags = struct.unpack("16sh22x", told)[1]
        fcntl.ioctl(handle, _SET_FLAGS, struct.pack("16sh22x", b"lo", flags | _UP))


def _typed(order: dict[str, Any]) -> tuple[int, str, str]:
    """One command in a terminal."""
    (command,) = order["commands"]
    code, out = terminal.typed(command, order["environment"], order["folder"], order["steps"])
    return code, out, ""


def _all(order: dict[str, Any]) -> tuple[int, str, str]:
    """Commands one after the other, to the first that fails."""
    code, out, err = 0, "", ""
    until = time.monotonic() + order["seconds"]
    for command in order["commands"]:
        code, said, complained = _piped(command, order, until)
        out, err = out + said, err + complained
        if code:
            break
    return code, out, err


def _piped(command: list[str], order: dict[str, Any], until: float) -> tuple[int, str, str]:
    """One command, fed the turns one by one, each after the result of the one before."""
    pipe = subprocess.PIPE
    client = subprocess.Popen(
        command, env=order["environment"], cwd=order["folder"], stdin=pipe, stdout=pipe, stderr=pipe, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert client.stdin and client.stdout and client.stderr
    out, err, done = list[str](), list[str](), threading.Semaphore(0)
    readers = [
        threading.Thread(target=_pump, args=(client.stdout, out, done), daemon=True),
        threading.Thread(target=_pump, args=(client.stderr, err, None), daemon=True),
    ]
    for reader in readers:
        reader.start()
    try:
        for turn in order["turns"]:
            message = {"role": "user", "content": [{"type": "text", "text": turn}]}
            client.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
            client.stdin.flush()
            done.acquire(timeout=max(0.1, until - time.monotonic()))
        client.stdin.close()
    except BrokenPipeError:
        pass
    try:
        client.wait(timeout=max(0.1, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        os.killpg(client.pid, signal.SIGKILL)
        client.wait()
    for reader in readers:
        reader.join(timeout=5)
    return client.returncode, "".join(out), "".join(err)


def _pump(pipe: IO[str], lines: list[str], done: threading.Semaphore | None) -> None:
    for line in pipe:
        lines.append(line)
        if done and '"type":"result"' in line:
            done.release()
    if done:
        done.release()


if __name__ == "__main__":
    main()
