"""When a session is asked to look up or to store what it learned: from what it did since it was last looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

OFF, REMIND, BLOCK = "off", "remind", "block"
FLOOR = 3
"""A session that called fewer tools since the last check is not looked at."""
INTERVAL = 600.0
"""Seconds after a word of the gate in which it says nothing."""

STORE = "store"
LOOKUP = "lookup"

# A call of curator where a shell reads a command: at the start, behind ; & | ( and words such as `then`.
_CALL = (
    r"(?:^|[;&|({\n`]|\b(?:then|do|else)\s)\s*(?:\w+=\S*\s+)*(?:uv\s+run\s+(?:-\S+\s+)*|python[\d.]*\s+(?:-\S+\s+)*-m\s+)?"
    r"(?:[\w.~/-]*/)?curator(?:-mcp)?\s+(?:%s)(?![\w-])(?![^\n|;&]*\s(?:--help|-h)(?![\w-]))"
)
_LOOKS = re.compile(_CALL % "recall|list|show")
_STORES = re.compile(_CALL % "add")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.S)
_LOOKING = ("recall", "search_memories", "search_memory")
_STORING = ("save_memory", "add_memory", "propose_memory")
_SHELLS = frozenset({"Bash", "PowerShell"})


_READING = frozenset(
    "Read Grep Glob LS NotebookRead WebFetch WebSearch TodoRead TodoWrite BashOutput ListMcpResourcesTool"
    " ReadMcpResourceTool ToolSearch Skill AskUserQuestion EnterPlanMode ExitPlanMode".split()
)
"""Tools that change no file; of all others what they did is seen through git."""


class Tally(NamedTuple):
    """Tools that were called, and how many of these calls looked a memory up, proposed one, or may have written."""

    calls: int = 0
    lookups: int = 0
    stores: int = 0
    writes: int = 0


class Since(NamedTuple):
    """What happened since the last check.

    *silent* is for how many seconds the gate has said nothing; *first* says
    that no check was made before, *reminded* that the user was told already.
    """

    tally: Tally
    silent: float
    first: bool
    reminded: bool


def tally(tools: Iterable[tuple[str, str]]) -> Tally:
    """Count calls; each is the tool's name and its command or path."""
    calls = lookups = stores = writes = 0
    for name, detail in tools:
        command = _QUOTED.sub("_", detail) if name in _SHELLS else ""
        bare = name.rpartition("__")[2]
        calls += 1
        writes += name not in _READING and bare not in _LOOKING
        lookups += bare in _LOOKING or bool(_LOOKS.search(command))
        stores += bare in _STORING or bool(_STORES.search(command))
    return Tally(calls, lookups, stores, writes)


def plus(one: Tally, other: Tally) -> Tally:
    return Tally(*(mine + theirs for mine, theirs in zip(one, other, strict=True)))


def is_due(mode: str, since: Since) -> bool:
    """Whether there is anything to look at: what differs in the work tree is asked only then."""
    return mode in {REMIND, BLOCK} and since.tally.calls >= FLOOR and since.silent >= INTERVAL


def wants_lookup(since: Since, *, asked: bool, memories: bool) -> bool:
    """Whether a session that has just begun goes on without having looked anything up."""
    return asked and memories and since.first and not since.tally.lookups


def wants_memory(since: Since, *, changed: bool, stored: bool) -> bool:
    """Whether files changed, perhaps by this session, and nothing was stored."""
    return changed and not stored and not since.tally.stores and bool(since.tally.writes)


def answer(mode: str, want: str, since: Since) -> dict[str, object] | None:
    """What the client is told: a block for the agent, or one word a session to the user."""
    if not want:
        return None
    if mode == BLOCK:
        return {"decision": "block", "reason": _TO_AGENT[want]}
    return None if since.reminded else {"systemMessage": _TO_USER[want]}


_TO_AGENT = {
    STORE: (
        "curator: files changed, and nothing was stored since the last check. If you learned what the next session"
        " needs and the code does not say (a decision, a constraint, a cause, a dead end), propose it now: curator add"
        " --propose '<fact>' --why '<reason>' --source <path>. If there is nothing of that kind, just end the turn."
    ),
    LOOKUP: (
        "curator: this session has not searched the project's memories yet. Before you go on, look up what is known:"
        ' curator recall "topic". Then continue.'
    ),
}
_TO_USER = {
    STORE: (
        "curator: this session changed files and stored nothing. Worth keeping? Say `remember: ...`, or ask the agent"
        " to run `curator add --propose`."
    ),
    LOOKUP: 'curator: the agent has not searched the memories yet: `curator recall "topic"`.',
}
