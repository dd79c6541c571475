"""log and blame: where a memory, or a line of a block, comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curator.core.columns import Line

_LINE_OF = re.compile(r"(.+):([0-9]{1,9})", re.S)


@click.command(short_help="Show the history of one memory through all its names.")
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def log(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the history of one memory, the newest first.

    What is not committed comes first, then each commit that changed the entry
    and what it changed, word by word, through new ids, categories and folders,
    down to the one that brought it: who said it, in which session, in which
    words. ID may be the beginning of an id, its last six digits, or the file;
    also of a memory that is gone.
    """
    from curator.core import provenance
    from curator.verbs import log as verb

    at = Door.open(ctx)
    if not name.strip():
        raise CuratorError("an empty name", hint="`curator list` shows every id")
    wanted = at.named(name)
    if wanted == ".." or wanted.startswith("../"):
        raise CuratorError("outside the repository", where=name, hint="name a file of this repository")
    life = verb.run(at.workspace, wanted)
    if as_json:
        door.say_json(provenance.log_value(life))
        return
    _print(provenance.log(life))


@click.command(
    short_help="Say where a line of CLAUDE.md's block comes from.",
    # A line of a block begins with `- `, and click would take any h in it for -h.
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
)
@click.argument("asked", metavar="LINE|TEXT")
@click.option("--file", "file", metavar="TARGET", help="The file of that line (default: the target).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def blame(ctx: click.Context, asked: str, file: str | None, as_json: bool) -> None:
    """Say where a line of a block comes from.

    Names the memory and its file, the commit that gave the text its words, the
    one that brought it, who said it, in which session, in which words. Of a
    line that is no memory's, it says what it is, or what git blame says.

    \b
      curator blame 17                     line 17 of the target
      curator blame docs/CLAUDE.md:17      of another file
      curator blame "rounds per line"      whatever says that
    """
    from curator.core import provenance
    from curator.verbs import blame as verb

    if asked == "-h":
        say(ctx.get_help())
        return
    at = Door.open(ctx)
    text, line, path = _meant(at, asked, file)
    traces = verb.run(at.workspace, as_of=door.today(), text=text, line=line, file=path)
    if as_json:
        door.say_json(provenance.blame_value(traces))
        return
    _print(provenance.blame(traces))


def _meant(at: Door, asked: str, file: str | None) -> tuple[str, int, str]:
    """The text or the line that is asked for, and the file of it, "" where none is named."""
    from curator.edge import files

    path = at.rooted(file) if file is not None else ""
    if not asked.strip():
        raise CuratorError("nothing to look for", hint="name a line by its number, or a piece of its text")
    if re.fullmatch("[0-9]{1,9}", asked):
        if not int(asked):
            raise CuratorError("lines are counted from 1", hint="name another line")
        return "", int(asked), path
    named = _LINE_OF.fullmatch(asked)
    if named and not path and int(named[2]) and files.exists(at.workspace, at.rooted(named[1])):
        return "", int(named[2]), at.rooted(named[1])
    return asked, 0, path


def _print(lines: Iterable[Line]) -> None:
    for line in lines:
        say(line.text, paint=line.paint)
