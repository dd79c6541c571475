"""Events of clients that name themselves: what they leave to be found, and the form in which they take an answer.

Claude Code and Codex send the path of the log and read one line of JSON. Kimi
Code adds what UserPromptSubmit prints to its prompt and reads no other answer
but a refusal at Stop; OpenCode's sessions lie in a database.
"""

from __future__ import annotations

import json
import os

from curator.edge import homes, logs
from curator.hook import KIMI, OPENCODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def named(kind: str) -> str:
    """The client that an event's `client_type` means, "" for one that is treated as Claude Code is."""
    return OPENCODE if kind == OPENCODE else KIMI if kind.startswith("kimi") else ""


def log(client: str, session: str) -> str:
    """The log of a session, "" where there is none."""
    if client == KIMI:
        return homes.wire(session)
    databases = [path for path in homes.databases() if os.path.isfile(path)]
    return logs.named(max(databases, key=_written), session) if databases else ""


def answer(client: str, event: str, said: Mapping[str, object]) -> bytes:
    """What the client reads, b"" for nothing."""
    if client != KIMI:
        return json.dumps(said, separators=(",", ":")).encode() + b"\n"
    added = said.get("hookSpecificOutput")
    words = added.get("additionalContext") if isinstance(added, dict) else None
    if event == "UserPromptSubmit" and isinstance(words, str):
        return words.encode("utf-8", "replace") + b"\n"
    if event == "Stop" and said.get("decision") == "block":
        refusal = {"permissionDecision": "deny", "permissionDecisionReason": said.get("reason")}
        return json.dumps({"hookSpecificOutput": refusal}, separators=(",", ":")).encode() + b"\n"
    return b""


def _written(path: str) -> float:
    """When a database was last written to, also where that is still in its log of writes."""
    times = [0.0]
    for name in (path, f"{path}-wal"):
        try:
            times.append(os.stat(name).st_mtime)
        except OSError:
            continue
    return max(times)
