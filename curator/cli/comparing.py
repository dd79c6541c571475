"""diff: what waits as a patch; what changed between two states as a reviewer wants to see it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from curator.cli import deciding, door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.core.compare import Compared

_PATIENCE = 1.0
"""Seconds of silence before a terminal is told what takes so long."""


@click.command(short_help="Show what a branch changes for the agent, or what waits.")
@click.argument("what", nargs=-1, metavar="[RANGE]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["terminal", "markdown", "json", "github"]),
    default="terminal",
    help="How to print (default: terminal).",
)
@click.pass_context
def diff(ctx: click.Context, what: tuple[str, ...], form: str) -> None:
    """Show what a branch changes in the agent's memory, on one screen.

    What the agent will read after the merge that it did not read before, what
    that costs in tokens and what it pushes out of the block; which memories the
    same change makes stale; and what to look at twice.

    \b
      curator diff main..HEAD    what merging HEAD into main changes
      curator diff main...HEAD   what HEAD changed since it left main
      curator diff main          the same for what is staged

    --format markdown makes the comment of a pull request, github the
    annotations of a workflow step, json what docs/json.md describes. Nothing
    changed: markdown and github print nothing. Exits 0 whatever it finds.

    Without RANGE it prints all that waits for review as one patch, which
    `git apply` takes: each file as `curator accept` would write it.
    """
    at = Door.open(ctx)
    if len(what) > 1:
        raise CuratorError("more than one range", hint="name both sides in one word: `curator diff main..HEAD`")
    if what:
        _compare(at, what[0], form)
    elif form == "terminal":
        _patch(at)
    else:
        raise CuratorError("no range to compare", hint=f"name one: `curator diff main..HEAD --format {form}`")


def _compare(at: Door, asked: str, form: str) -> None:
    from curator.verbs import diff as verb

    with _patience(f"comparing {asked} ..."):
        compared = verb.run(at.workspace, asked, today=door.today())
    {"terminal": _screen, "markdown": _comment, "json": _json, "github": _annotations}[form](compared)


def _screen(compared: Compared) -> None:
    from curator.core import overview

    lines = overview.screen(compared, width=door.width(), today=door.today())
    for line in lines:
        say(line.text, paint=line.paint)
    if not lines:
        say("no memory changes", err=True)


def _comment(compared: Compared) -> None:
    from curator.core import comment

    text = comment.written(compared, today=door.today(), asked=_asked())
    _print(text)
    if not text:
        for note in compared.notes:
            say(note, err=True)


_RANGE = re.compile(r"(?!-)[A-Za-z0-9_./-]{1,250}")


def _asked() -> str:
    """The range as a reader's clone has it, where whoever runs this in CI says so; branch names are anybody's words."""
    said = os.environ.get("CURATOR_RANGE", "")
    return said if _RANGE.fullmatch(said) and ".." in said else ""


def _json(compared: Compared) -> None:
    from curator.core import compared as room

    door.say_json(room.value(compared))


def _annotations(compared: Compared) -> None:
    from curator.core import annotation

    _print(annotation.written(compared, _asked()))


def _print(text: str) -> None:
    """Print text that a room made safe, in UTF-8 whatever the locale says."""
    if text:
        click.echo(text.encode("utf-8", "replace"), nl=False)


@contextmanager
def _patience(told: str) -> Iterator[None]:
    """Say on a terminal what is being done, once it takes long."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    from threading import Timer

    timer = Timer(_PATIENCE, say, (told,), {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _patch(at: Door) -> None:
    """Print what waits: each new file as accepting would write it, and what that changes in known memories."""
    from curator.core import patch, queue
    from curator.verbs import waiting

    held = waiting.run(at.workspace, today=door.today())
    at.findings(held.findings)
    sound = [one for one in held.prepared if not one.faults and queue.known_fault(one) is None]
    for one in held.prepared:
        if one not in sound:
            deciding.tell(f"{one.proposal.short} is left out: {deciding.why(one)}", err=True)
    text = patch.written(edit for one in sound for edit in one.edits)
    if not (held.prepared or held.findings):
        say("nothing waits for review", err=True)
    elif sys.stdout.isatty():
        door.say_diff(text.split("\n")[:-1])
    else:
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
