"""The door of agents' clients: one event on standard input, at most one line of JSON back, exit code 0 always.

Most events are none of ours, and each costs the user a Python: until the bytes name one that is, nothing is
loaded but what Python has loaded by itself.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import NoReturn
else:
    import _signal  # what `signal` wraps in enums, which cost as much as an ignored event

HANDLERS = {
    "SessionStart": "start.begin",
    "UserPromptSubmit": "recall.prompted",
    "SubagentStart": "recall.subagent",
    "PostToolUse": "recall.touched",
    "Stop": "capture.stopped",
    "PreCompact": "capture.compacting",
    "SessionEnd": "capture.ended",
}
"""The events that mean something here, each with its room and its function there."""

EDITING = frozenset(
    {"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "edit", "write", "multiedit", "patch"}
)
"""The tools after which PostToolUse is answered."""

KIMI, OPENCODE = "kimi-code", "opencode"
"""Clients that name themselves, and that do not speak as Claude Code does."""

CHILD = "CURATOR_CHILD"
"""Set for everything that a hook starts: an agent among it would start hooks without end."""

SECONDS = 0.9
"""After so long the process ends, whatever it is at."""

WORK = 0.8
"""By then what can be put off is."""

SILENCE = 0.3
"""Standard input that was left open is taken as it is after so many seconds without a byte."""

MOST = 16 << 20
"""Bytes of standard input that are read; an event is far shorter, and one that is not is not looked at."""

CHUNK = 1 << 16


class Late(Exception):  # noqa: N818 - it says what happened
    """Nothing more came in time."""


def main() -> NoReturn:
    """Answer one event. The interpreter is left at once: tidying up costs as much as a short event."""
    began = time.monotonic()
    try:
        if CHILD not in os.environ:
            _answer(began)
    except BaseException:  # nothing may reach the client
        pass
    os._exit(0)


def _answer(began: float) -> None:
    data = _read(began)
    if not concerns(data):
        return
    from curator.hook import visit

    visit.answer(data, began)


def _read(began: float) -> bytearray:
    """Standard input: to its end, to the end of a whole event where it was left open, or until nothing comes."""
    data = bytearray()
    _signal.signal(_signal.SIGALRM, _late)
    try:
        while len(data) < MOST:
            _signal.setitimer(_signal.ITIMER_REAL, max(0.01, min(SILENCE, began + WORK / 2 - time.monotonic())))
            chunk = os.read(0, CHUNK)
            data += chunk
            if not chunk or (chunk.rstrip()[-1:] == b"}" and len(data) < MOST and _is_enough(data)):
                break
    except (Late, OSError):
        pass  # left open, or closed from the start
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
    return data


def _late(*_: object) -> None:
    raise Late


def _is_enough(data: bytearray) -> bool:
    """Whether more need not be waited for: the event is another's, or is whole."""
    if not concerns(data):
        return True
    from curator.hook import visit

    return bool(visit.decoded(data))


def concerns(data: bytes | bytearray) -> bool:
    """Whether the bytes may be an event to answer, or none at all, which is worth a word."""
    names = _named(data, b'"hook_event_name"')
    if names and not names.intersection(HANDLERS):
        return False
    return names != {"PostToolUse"} or not EDITING.isdisjoint(_named(data, b'"tool_name"'))


def _named(data: bytes | bytearray, key: bytes) -> set[str]:
    """The plain texts that stand behind *key*. Within a text a quote is escaped: no content looks like a key."""
    found = set()
    at = data.find(key)
    while at >= 0:
        at += len(key)
        colon, quote, rest = bytes(data[at : at + 100]).partition(b'"')
        if colon.strip() == b":" and quote:
            found.add(rest.partition(b'"')[0].decode("ascii", "replace"))
        at = data.find(key, at)
    return found
