"""A program in a terminal: what is typed, once what is waited for is on the screen, and what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

_CONTROL = re.compile(r"\x1b\[[0-9;?>]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()=>78][AB0]?")
_PATIENCE = 30.0  # seconds for what is waited for
_PAUSE = 0.3  # seconds from then until somebody could type


def visible(text: str) -> str:
    """What a terminal shows of a program's output, without any blanks: a client draws them by moving the cursor."""
    return re.sub(r"\s+", "", _CONTROL.sub("", text))


def typed(
    command: Sequence[str], environment: Mapping[str, str], folder: str, steps: Sequence[tuple[str, str]]
) -> tuple[int, str]:
    """Run a command; for each step wait until its first text is shown, then type the second. Exit code, output."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve(command[0], list(command), environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    shown, seen = bytearray(), 0
    for wanted, keys in steps:
        if not _wait(terminal, shown, seen, wanted):
            break
        seen = len(shown)
        os.write(terminal, keys.encode())
    if _wait(terminal, shown, seen, "\0"):
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode("utf-8", "replace")


def _wait(terminal: int, shown: bytearray, seen: int, wanted: str) -> bool:
    """Collect output until *wanted* is in what came after the first *seen* bytes; False when the program has ended."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            shown += data
            if wanted in visible(shown[seen:].decode("utf-8", "replace")):
                until = min(until, time.monotonic() + _PAUSE)
    return True
