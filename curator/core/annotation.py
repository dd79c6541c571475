"""A comparison as workflow commands, which GitHub shows beside the lines of the files that they name.

`::warning file=memories/gotcha/x.yaml,line=3,title=...::message`, with the escapes of GitHub's toolkit. Of each level
it shows ten in a step (docs.github.com, "Limitations" of annotations): the gravest are told, the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from curator.core import columns, inert, report, telling
from curator.core.compare import Compared
from curator.model import Level

MOST = 10
"""How many of one level GitHub shows of one step."""
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


class Annotation(NamedTuple):
    """One thing to tell beside a line of a file, counted from 1; 0 where there is none, "" for no file."""

    level: Level
    path: str
    line: int
    title: str
    message: str


def written(compared: Compared, asked: str = "") -> str:
    """One workflow command a line, the gravest first; "" where there is nothing to tell.

    *asked* is the range as a reader's own clone knows it, "" for what was compared.
    """
    told = [*_findings(compared), *_doubts(compared), *_looks(compared), *_notes(compared)]
    shown, left = [], 0
    for level in _COMMANDS:
        mine = [one for one in told if one.level is level]
        most = MOST - 1 if level is Level.NOTE else MOST  # one of the notices counts the rest
        shown += mine[:most]
        left += len(mine[most:])
    if left:
        again = f"{columns.shorten(telling.command(compared, asked), 160)} --format json"
        message = f"{report.plural(left, 'more thing')} to look at: `{again}` holds all of them"
        shown.append(Annotation(Level.NOTE, "", 0, "curator", message))
    return "".join(f"{command(one)}\n" for one in shown)


def command(one: Annotation) -> str:
    """One workflow command, without a line end."""
    properties = {"file": one.path, "line": str(one.line) if one.path and one.line else "", "title": one.title}
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::{_COMMANDS[one.level]} {told}::{_data(one.message)}"


def _findings(compared: Compared) -> Iterator[Annotation]:
    for found in compared.findings:
        path, colon, line = found.where.rpartition(":")
        placed = bool(colon) and line.isascii() and line.isdigit()
        message = f"{found.message} ({found.hint})" if found.hint else found.message
        where = (path, int(line)) if placed else (found.where, 0)
        yield Annotation(found.level, *where, f"memory: {found.kind.value}", message)


def _doubts(compared: Compared) -> Iterator[Annotation]:
    for one in telling.doubts(compared):
        title = f"memory: {one.finding.kind.value} {'before' if one.finding.settled else 'by'} this change"
        yield Annotation(one.finding.level, one.entry.path, one.line, title, telling.doubt(one))


def _looks(compared: Compared) -> Iterator[Annotation]:
    for one in telling.looks(compared):
        like = f": {columns.shorten(one.other.text, 160)}" if one.other else ""
        said = telling.look(one) if one.entry else one.message
        yield Annotation(one.level, one.path, one.line, f"memory: {one.smell.value}", said + like)


def _notes(compared: Compared) -> Iterator[Annotation]:
    return (Annotation(Level.NOTE, "", 0, "curator", note) for note in compared.notes)


def _data(text: str) -> str:
    shown = inert.shown(columns.line(text))
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
