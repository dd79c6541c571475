"""The log of what hooks and their children could not do: short lines in git's common folder, never text of a memory."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.here import Workspace

LONGEST_WORD = 300
"""Characters of one message."""

_LONGEST = 64 << 10  # bytes of the log; then the older half goes


def plain(message: str) -> str:
    """A message as one line of printable ASCII, not too long."""
    shown = message.encode("ascii", "backslashreplace").decode()
    return "".join(one if one.isprintable() else "?" for one in shown)[:LONGEST_WORD]


def append(workspace: Workspace, who: str, message: str) -> None:
    """Add a line: when, *who* (an event, or `sweep`), and the message. Where it cannot be written it is lost."""
    folder = f"{workspace.common_dir}/curator"
    try:
        os.makedirs(folder, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        handle = os.open(f"{folder}/hook.log", flags, 0o666)
    except OSError:
        return
    try:
        size = os.fstat(handle).st_size
        if size > _LONGEST:
            os.lseek(handle, size - _LONGEST // 2, os.SEEK_SET)
            kept = os.read(handle, _LONGEST).partition(b"\n")[2]
            os.ftruncate(handle, 0)
            write(handle, kept)
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        write(handle, f"{moment} {who or '-'} {plain(message)}\n".encode())
    except OSError:
        pass
    finally:
        os.close(handle)


def fault(error: BaseException) -> str:
    """What went wrong and where in the code; of a foreign exception not its words, which may hold anything."""
    from curator.errors import CuratorError  # noqa: PLC0415 - mostly nothing goes wrong

    if isinstance(error, CuratorError):
        return f"{error.where}: {error.message}" if error.where else error.message
    trace, place = error.__traceback__, ""
    while trace:
        place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    missing = f" ({error.name})" if isinstance(error, ImportError) and error.name else ""
    return f"{type(error).__name__}{missing} at {place}"


def write(handle: int, data: bytes) -> None:
    """Write what can be written: nobody may listen."""
    try:
        while data:
            data = data[os.write(handle, data) :]
    except OSError:
        return
