"""Bringing in what is kept elsewhere: import."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.core.adoption import Adoption
    from curator.edge.foreign import Source
    from curator.model import Workspace
    from curator.outcome import Planned

T = TypeVar("T")


@click.command("import")
@click.argument("source", metavar="SOURCE")
@click.option("--from", "format_", default="", metavar="FORMAT", help="What SOURCE is, where it is not told by itself.")
@click.option("--accept", is_flag=True, help="Write memories, not proposals; a person's decision.")
@click.option("--yes", is_flag=True, help="Do what the plan says.")
@click.option("--remove", is_flag=True, help="Of a rules file: take what was imported out of its hand-written part.")
@click.option("--category", default="", help="Use this category for all instead of guessing.")
@click.option("--project", default="", help="What the other tool calls this repository.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON (docs/json.md).")
@door.NO_RENDER
@click.pass_context
def import_(ctx: click.Context, /, source: str, format_: str, **options: Any) -> None:
    """Bring in what is remembered elsewhere.

    SOURCE is a file, a folder or a database of another tool, or a Markdown
    file of rules such as CLAUDE.md; `claude-memory` and `claude-mem` are found
    by themselves. What it is, is told by what it holds. Shows a plan first and
    asks; `--yes` answers for scripts.

    The rules of a Markdown file become memories. All else becomes proposals,
    for `curator review`; with `--accept` memories at once. Nothing comes twice,
    and SOURCE stays as it is.

    \b
      curator import CLAUDE.md                 rules: plan, then ask
      curator import CLAUDE.md --remove        also take the lines out, as a diff
      curator import claude-memory             Claude Code's own memory
      curator import ~/notes --from markdown   a folder of notes
    """
    from curator.core.imports import formats
    from curator.verbs import adopting

    at = Door.open(ctx)
    wish = _Wish(**options)
    if format_ != formats.RULES and not _is_rules(at, source, format_):
        found = adopting.look(at.workspace, source, format_)
        if found.format != formats.RULES:
            _adopt(at, source, found, wish)
            return
    _import_rules(at, source, wish)


class _Wish(NamedTuple):
    """What the options say."""

    accept: bool
    yes: bool
    remove: bool
    category: str
    project: str
    as_json: bool
    no_render: bool


def _import_rules(at: Door, file: str, wish: _Wish) -> None:
    from curator.core import report
    from curator.verbs import importing

    path = at.rooted(file)
    plan = importing.run(
        at.workspace,
        path,
        category=wish.category,
        now=door.now(),
        tail=door.tail,
        remove=wish.remove,
        doubts=_doubts(at, path),
    )
    _show_plan(plan, as_json=wish.as_json)
    if not plan.edits:
        return
    if not wish.yes and (wish.as_json or not door.agreed(_question(plan, remove=wish.remove))):
        say("nothing was written; `--yes` writes without asking", err=True)
        return
    door.people_only(at, "import")
    at.settle(plan)
    if plan.entries:
        say(f"written and staged: {report.plural(len(plan.entries), 'memory')}", err=True)
    if wish.remove:
        say(
            f"taken out of {plan.file}, not staged: look at `git diff {plan.file}`, then `git add {plan.file}`",
            err=True,
        )
    else:
        say(f"the lines still stand in {plan.file} too: `curator import {plan.file} --remove` takes them out", err=True)
    if not wish.no_render:
        rerender(at, bars=True)


def _adopt(at: Door, named: str, source: Source, wish: _Wish) -> None:
    """Bring in what another tool keeps."""
    from curator.core import adopted
    from curator.verbs import adopting

    if wish.remove:
        raise CuratorError("only the lines of a rules file can be taken out", hint="leave `--remove` out")
    if wish.accept:
        door.people_only(at, "import --accept")
    plan = adopting.run(
        at.workspace,
        source,
        adopting.Asked(
            now=door.now(),
            tail=door.tail,
            category=wish.category,
            project=wish.project,
            accept=wish.accept,
            each=_counted("judging", len(source.items)),
        ),
    )
    if wish.as_json:
        door.say_json(adopted.value(plan))
    else:
        for line in adopted.plan(plan, source.place if named in adopting.FOUND else named, door.width()):
            say(line)
    if not plan.entries:
        return
    if wish.yes or (not wish.as_json and door.agreed(_asked(plan))):
        _write(at, plan, no_render=wish.no_render)
    else:
        say("nothing was written; `--yes` writes without asking", err=True)


def _write(at: Door, plan: Adoption, *, no_render: bool) -> None:
    from curator.core import report
    from curator.edge import adoption

    each = _counted("writing", len(plan.edits))
    if not plan.accept:
        new = adoption.deliver(at.workspace, plan, each)
        say(f"in the inbox: {report.plural(new, 'proposal')}; `curator review` shows them", err=True)
        return
    adoption.place(at.workspace, plan, each)
    say(f"written and staged: {report.plural(len(plan.entries), 'memory')}", err=True)
    if not no_render:
        rerender(at, bars=True)


def _asked(plan: Adoption) -> str:
    from curator.core import report

    number = len(plan.entries)
    return (
        f"Write {report.plural(number, 'memory')}?"
        if plan.accept
        else f"Put {report.plural(number, 'proposal')} into the inbox?"
    )


def _is_rules(at: Door, source: str, format_: str) -> bool:
    """Whether SOURCE is by its name alone a file of rules of this repository; whatever else it is, is looked at."""
    from curator.core import kinds
    from curator.edge import foreign

    if format_ or not source.endswith(".md") or not os.path.isfile(source):
        return False
    path = at.rooted(source)
    return kinds.is_instructions(path) and not path.startswith("../") and not foreign.is_page(source)


def _counted(label: str, number: int) -> Callable[[Iterable[T]], Iterable[T]]:
    """On a terminal, and where they are many, pass things on with a progress bar."""
    if number < door.MANY or not door.is_watched() or os.environ.get("TERM") == "dumb":
        return iter

    def each(things: Iterable[T]) -> Iterator[T]:
        with click.progressbar(things, label=label, file=sys.stderr) as bar:
            yield from bar

    return each


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


def watch(at: Workspace) -> None:
    """Propose what is new in Claude Code's own memory, where the user says so: `git config curator.autoMemory true`.

    It raises nothing: what goes wrong stands in hook.log.
    """
    from curator.edge import adoption, hooklog, inbox, preferences, watched
    from curator.verbs import watching

    try:
        if not preferences.is_on(at, "automemory"):
            return
        plan = watching.run(at, now=door.now(), tail=door.tail)
        if plan and plan.adoption.entries:
            adoption.deliver(at, plan.adoption)
            inbox.clear(at, plan.replaced)
            watched.note(at, watching.files(plan.adoption), gone=plan.replaced)
    except Exception as error:  # nobody reads what a child says
        hooklog.append(at, "auto memory", hooklog.fault(error))
