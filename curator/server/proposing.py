"""Storing and letting go: save_memory and forget_memory put a proposal into the inbox, and change nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from curator.core import codec, harvest, queue
from curator.edge import arrivals, files, imported, inbox, store
from curator.errors import CuratorError
from curator.model import Origin, Workspace
from curator.outcome import Draft, Outcome
from curator.server.answers import Answer
from curator.server.desk import Desk

TRIGGER = "mcp"
MOST_WAITING = 100
"""Proposals from here that may wait while an agent adds another one."""
PROPOSED, WAITING = "proposed", "waiting already"
_DECIDES = "A person decides with `curator review`; until then nothing changes."


def save(desk: Desk, asked: dict[str, Any], agent: str) -> Answer:
    """A proposal of one memory."""
    from curator.verbs import add

    held = desk.workspace()
    draft = Draft(
        text=asked["text"],
        category=asked["category"] or "",
        why=asked["why"] or "",
        importance=asked["importance"] or Draft("").importance,
        tags=asked["tags"],
        triggers=asked["triggers"],
        sources=tuple(harvest.source(_rooted(desk, held, named)) for named in asked["files"]),
        task=asked["task"] or "",
        supersedes=asked["supersedes"],
        origin=Origin(by="agent", agent=agent, trigger=TRIGGER),
    )
    outcome = add.run(held, draft, now=desk.clock.now(), tail=desk.clock.tail(), propose=True)
    status = _put(held, outcome)
    return _answer(status, _short(held, outcome), tuple(_advice(asked, outcome)) if status == PROPOSED else ())


def _rooted(desk: Desk, held: Workspace, named: str) -> str:
    path, mark, symbol = named.partition("#")
    if not path.strip():
        raise CuratorError(f"`files` names no file: {named}", hint="give `path#symbol`")
    return desk.rooted(held, path.strip()) + mark + symbol


def forget(desk: Desk, asked: dict[str, Any], agent: str) -> Answer:
    """A proposal that one memory be retired."""
    from curator.verbs import forget as verb

    held = desk.workspace()
    outcome = verb.run(
        held, asked["id"], asked["reason"], now=desk.clock.now(), by="agent", agent=agent, trigger=TRIGGER
    )
    if not outcome.edits:
        return _answer(WAITING, "", outcome.notes)
    return _answer(_put(held, outcome), _short(held, outcome), outcome.notes)


def _put(held: Workspace, outcome: Outcome) -> str:
    """Write a proposal; that the same was proposed before is no fault. CuratorError where too many wait already."""
    files.examine(held, outcome.edits)
    if _is_full(held) and not inbox.holds(held, _key(outcome)):
        hint = "ask the user to decide with `curator review`, then propose again"
        raise CuratorError(f"{MOST_WAITING} proposals wait for a person already", hint=hint)
    try:
        with files.lock(held):
            files.apply(held, outcome.edits)
    except files.Changed:
        return WAITING
    arrivals.disown(held, _key(outcome))
    return PROPOSED


def _is_full(held: Workspace) -> bool:
    """Whether so many proposals wait that nobody would read another one; imports and those of a remote apart."""
    waiting = inbox.waits(held)
    if len(waiting) < MOST_WAITING:
        return False
    return len(set(waiting) - arrivals.keys(held) - imported.keys(held)) >= MOST_WAITING


def _key(outcome: Outcome) -> str:
    return os.path.basename(outcome.edits[0].path).removesuffix(".yaml")


def _short(held: Workspace, outcome: Outcome) -> str:
    """What a person types for the proposal that lies in the inbox now."""
    key, categories = _key(outcome), store.config(held).categories
    with suppress(OSError):
        data = inbox.read(held, key) or b""
        entry, _ = codec.read(data, outcome.edits[0].path, categories, placed=False)
        return queue.Proposal(key, entry, "").short if entry else key[:6]
    return key[:6]


def _answer(status: str, short: str, notes: Sequence[str]) -> Answer:
    head = f"{status}{f' as {short}' if short else ''}. {_DECIDES}"
    value = {"status": status, "proposal": short, "notes": list(notes), "next": _DECIDES}
    text = "\n".join((head[0].upper() + head[1:], *(f"note: {note}" for note in notes)))
    return Answer(text, {name: told for name, told in value.items() if told})


def _advice(asked: dict[str, Any], outcome: Outcome) -> Iterator[str]:
    """What to know of a proposal, for an agent: no options of the command line, and what would make it better."""
    for note in outcome.notes:
        first = note.partition("\n")[0].partition("; `--")[0].replace("`--source`", "`files`")
        yield f"{first}; if this replaces it, say so in `supersedes`" if first.startswith("looks like ") else first
    if not asked["tags"]:
        yield "no tags: two to five words to find it by would help"
