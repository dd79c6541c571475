"""The tools: name, what is said of each, what it takes and gives, and the room it is in."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from curator.errors import CuratorError
from curator.server import arguments, guide
from curator.server.answers import Answer, clean
from curator.server.arguments import Field
from curator.server.desk import Desk


class Tool(NamedTuple):
    """One tool. *run* names its room and the function there: (desk, values, agent) -> Answer.

    *loads*: an agent sees the description without asking for it.
    """

    title: str
    description: str
    fields: tuple[Field, ...]
    output: dict[str, Any]
    run: str
    reads: bool = True
    loads: bool = False


TOOLS: Mapping[str, Tool] = {
    "search_memory": Tool(
        "Search memories", guide.SEARCH, guide.SEARCHING, guide.FOUND, "searching.search", loads=True
    ),
    "save_memory": Tool(
        "Propose a memory", guide.SAVE, guide.SAVING, guide.PROPOSED, "proposing.save", reads=False, loads=True
    ),
    "forget_memory": Tool(
        "Propose to retire a memory", guide.FORGET, guide.FORGETTING, guide.PROPOSED, "proposing.forget", reads=False
    ),
    "list_stale": Tool("List stale memories", guide.STALE, guide.DOUBTING, guide.DOUBTFUL, "doubting.stale"),
    "find_route": Tool("Find where something lives", guide.ROUTE, guide.ROUTING, guide.PLACES, "searching.route"),
}


def call(desk: Desk, name: str, given: Mapping[str, Any], agent: str) -> Answer:
    """What a tool answers; what the caller can put right is said in the answer, with the next step."""
    tool = TOOLS[name]
    room, _, function = tool.run.partition(".")
    run: Callable[[Desk, dict[str, Any], str], Answer]
    try:
        values = arguments.read(tool.fields, given)
        run = getattr(importlib.import_module(f"curator.server.{room}"), function)
        answer = run(desk, values, agent)
    except CuratorError as error:
        answer = refused(error)
    return Answer(clean(answer.text), clean(answer.value), answer.fault)


def refused(error: CuratorError) -> Answer:
    """A fault as an answer: what is wrong, where, and the next step."""
    value = {"error": error.message, "where": error.where, "next": error.hint}
    head = f"{error.where}: {error.message}" if error.where else error.message
    text = f"{head}\nnext: {error.hint}" if error.hint else head
    return Answer(text, {name: told for name, told in value.items() if told}, fault=True)
