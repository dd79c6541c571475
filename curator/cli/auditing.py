"""Value before adoption at the door: `curator audit`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say

if TYPE_CHECKING:
    from curator.core.survey import Audit
    from curator.edge.claims import Each

_PAINT = {"-": "red", "+": "green"}
_STATES = {"stale": "red", "moved": "yellow", "review": "yellow"}


@click.command(short_help="Find statements in CLAUDE.md and the like that code left behind.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--strict", is_flag=True, help="Exit 1 on what moved or asks for a review too.")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="How to print.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json (docs/audit.md).")
@click.pass_context
def audit(ctx: click.Context, files: tuple[str, ...], strict: bool, form: str, as_json: bool) -> None:
    """Find statements in CLAUDE.md, AGENTS.md and the like that the code has left behind.

    Works in any git repository; nothing has to be set up, nothing is written.
    Without FILE it takes every tracked instruction file. Each statement is
    held against the code as it was when its lines were last committed: what it
    names and was there then, and is gone now, is told with the commit that did
    it. Exits 1 when a statement no longer holds.
    """
    from curator.core import dossier
    from curator.verbs import audit as verb

    at = Door.open(ctx)
    found = verb.run(at.workspace, tuple(at.rooted(path) for path in files), _watched())
    if as_json or form == "json":
        door.say_json(dossier.value(found))
    elif not found.files:
        say("no instruction file is tracked here: no CLAUDE.md, AGENTS.md, GEMINI.md, .cursor/rules or the like")
    elif form == "markdown":
        say(dossier.markdown(found).rstrip("\n"))
    else:
        _tell(at, found)
    ctx.exit(_code(found, strict))


def _tell(at: Door, found: Audit) -> None:
    from curator.core import dossier

    width = door.width()
    for tally in found.files:
        say(dossier.headline(tally._replace(path=door.relative(at.workspace, tally.path))))
        for one in found.findings:
            if one.path != tally.path:
                continue
            say()
            for line, kind in dossier.lines(one, door.relative(at.workspace, one.path), width):
                say(line, paint=_STATES.get(one.state.value, "") if kind == "head" else _PAINT.get(kind, ""))
        if any(one.path == tally.path for one in found.findings):
            say()


def _code(found: Audit, strict: bool) -> int:
    states = {one.state.value for one in found.findings}
    return int("stale" in states or (strict and bool(states)))


def _watched() -> Each:
    """On a terminal with a progress bar: one for the files, one for the commits whose trees are compared."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return iter
    labels = iter(("reading files", "comparing commits"))

    def each(items: Sequence[str]) -> Iterator[str]:
        with click.progressbar(items, label=next(labels, ""), file=sys.stderr) as bar:
            yield from bar

    return each
