"""Bringing in what is kept elsewhere: import."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.outcome import Planned


@click.command("import")
@click.argument("file", metavar="FILE.md")
@click.option("--yes", is_flag=True, help="Do what the plan says.")
@click.option("--remove", is_flag=True, help="Take what was imported out of the hand-written part.")
@click.option("--category", default="", help="Use this category for all instead of guessing.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON (docs/json.md).")
@door.NO_RENDER
@click.pass_context
def import_(
    ctx: click.Context, file: str, yes: bool, remove: bool, category: str, as_json: bool, no_render: bool
) -> None:
    """Turn the rules of a Markdown file into memories.

    Reads bullets and short paragraphs of CLAUDE.md, AGENTS.md or any other
    file of rules, guesses a category for each, finds the files it names, and
    asks git blame when it was written. Shows all of it as a plan first and
    asks; `--yes` answers for scripts.

    \b
      curator import CLAUDE.md                 plan, then ask
      curator import CLAUDE.md --remove        also take the lines out, as a diff
    """
    from curator.core import report
    from curator.verbs import importing

    at = Door.open(ctx)
    path = at.rooted(file)
    plan = importing.run(
        at.workspace,
        path,
        category=category,
        now=door.now(),
        tail=door.tail,
        remove=remove,
        doubts=_doubts(at, path),
    )
    _show_plan(plan, as_json=as_json)
    if not plan.edits:
        return
    if yes:
        door.people_only(at, "import --yes")
    elif as_json or not door.agreed(_question(plan, remove=remove)):
        say("nothing was written; `--yes` writes without asking", err=True)
        return
    at.settle(plan)
    if plan.entries:
        say(f"written and staged: {report.plural(len(plan.entries), 'memory')}", err=True)
    if remove:
        say(
            f"taken out of {plan.file}, not staged: look at `git diff {plan.file}`, then `git add {plan.file}`",
            err=True,
        )
    else:
        say(f"the lines still stand in {plan.file} too: `curator import {plan.file} --remove` takes them out", err=True)
    if not no_render:
        rerender(at, bars=True)


def _doubts(at: Door, path: str) -> dict[int, str]:
    """What an audit has against statements of the file, by their first line; nothing where git does not track it."""
    from curator.model import State
    from curator.verbs import audit

    try:
        found = audit.run(at.workspace, (path,)).findings
    except CuratorError:
        return {}
    states = {State.STALE: "no longer holds", State.MOVED: "names an old path"}
    return {
        one.statement.first: f"{states[one.state]}: {one.reasons[0].message}" for one in found if one.state in states
    }


def _question(plan: Planned, *, remove: bool) -> str:
    from curator.core import report

    if not plan.entries:
        return f"Take the lines that are memories already out of {plan.file}?"
    taken = f" and take their lines out of {plan.file}" if remove else ""
    return f"Write {report.plural(len(plan.entries), 'memory')}{taken}?"


def _show_plan(plan: Planned, *, as_json: bool) -> None:
    from curator.core import report

    if as_json:
        door.say_json(report.plan_value(plan))
        return
    for line in report.plan(plan, door.width()):
        say(line)
    for edit in plan.edits:
        if edit.before is not None:
            say()
            door.say_diff(report.diff(edit))
