"""What one record of a session's log says, and how a client's own words are told from a person's."""

from __future__ import annotations

import re
from collections.abc import Iterable

USER, AGENT, TOOL = "user", "agent", "tool"
"""Who speaks, strongest first: typed by a person, said by the agent, put out by a tool."""

CLAUDE, CODEX, KIMI, OPENCODE = "claude-code", "codex", "kimi-code", "opencode"
"""The clients whose logs are read, as `origin.agent` names them."""

# What a client writes in the user's name.
INJECTED = re.compile(
    r"\s*+(?:<[a-z][\w-]*[ >]|\[Request interrupted|\[Image: |Caveat: |This session is being continued"
    r"|Operation stopped by hook|Stop hook feedback|Base directory for this skill|Implement the (?:following )?plan\b"
    r"|Unknown (?:skill|slash command)|API Error|# AGENTS\.md|You are (?:an?|the) |## (?:Context|Your task|Arguments)\b"
    r"|Your task is to |Please analyze this codebase and create a CLAUDE\.md|---[ \t]*\n)"
)
COMMAND = re.compile(r"\s*+[/!][\w:-]++(?:\s|\Z)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Said:
    """What one record says. *by* is "user", "agent" or "tool"; *time* is ISO 8601, as written; unknown is "".

    *agent* is the client whose log it stands in; not every log names the
    *session* and the folder in each record.
    """

    __slots__ = ("agent", "by", "cwd", "session", "text", "time", "uuid")

    def __init__(
        self,
        by: str,
        text: str,
        *,
        agent: str = CLAUDE,
        uuid: str = "",
        session: str = "",
        time: str = "",
        cwd: str = "",
    ) -> None:
        self.by = by
        self.text = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
        self.agent = agent
        self.uuid = uuid
        self.session = session
        self.time = time
        self.cwd = cwd


def typed(texts: Iterable[str]) -> list[str]:
    """Texts without what a client adds: an editor puts the open file beside the words as a part of its own."""
    return [text for text in texts if not INJECTED.match(text) and not COMMAND.match(text)]


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def record(value: object) -> dict[str, object]:
    """A JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def parts(value: object) -> list[dict[str, object]]:
    """The objects of a JSON list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def moment(value: object) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC, "" for what is no such time."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 4e12:
        return ""
    from datetime import UTC, datetime  # noqa: PLC0415 - only logs that count so pay for it

    return datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{int(value) % 1000:03}Z"
