"""Commands that write entries: init, import, add, edit, retire."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.outcome import Draft, Outcome, Planned

NO_RENDER = click.option("--no-render", is_flag=True, help="Leave the block as it is.")


@click.command()
@click.option("--target", default="", metavar="FILE", help="The file that gets the block (CLAUDE.md or AGENTS.md).")
@click.option(
    "--team", is_flag=True, help="Render on the default branch only (`block: main`): no conflicts in pull requests."
)
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing.")
@click.pass_context
def init(ctx: click.Context, target: str, team: bool, dry_run: bool) -> None:
    """Set this repository up.

    Writes memories/curator.yaml, memories/memory.schema.json (so that editors
    check entries while one types), two lines in .gitattributes, and the empty
    block at the end of CLAUDE.md, or of AGENTS.md where only that exists.
    Nothing that is there is overwritten, and no hook is installed.

    By default the block is committed together with the entries. Where several
    people open pull requests at once, `--team` keeps the block off branches.
    """
    from curator.core import report
    from curator.verbs import importing
    from curator.verbs import init as verb

    at = Door.open(ctx)
    outcome = verb.run(at.workspace, target=at.rooted(target) if target else "", team=team)
    if dry_run:
        for edit in outcome.edits:
            door.say_diff(report.diff(edit))
        return
    at.settle(outcome)
    for edit in outcome.edits:
        staged = "" if edit.path in outcome.stage else f"  (not staged, it holds more than this: `git add {edit.path}`)"
        say(f"{'created' if edit.before is None else 'changed'}  {edit.path}{staged}")
    if not outcome.edits:
        say("nothing to do: everything is in place")
    for note in outcome.notes:
        say(note, err=True)
    for step in importing.offer(at.workspace):
        say(step)


@click.command("import")
@click.argument("file", metavar="FILE.md")
@click.option("--yes", is_flag=True, help="Do what the plan says.")
@click.option("--remove", is_flag=True, help="Take what was imported out of the hand-written part.")
@click.option("--category", default="", help="Use this category for all instead of guessing.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON (docs/json.md).")
@NO_RENDER
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
    plan = importing.run(
        at.workspace, at.rooted(file), category=category, now=door.now(), tail=door.tail, remove=remove
    )
    _show_plan(plan, as_json=as_json)
    if not plan.edits:
        return
    if yes:
        door.people_only(at, "import --yes")
    elif as_json or not _confirmed(_question(plan, remove=remove)):
        say("nothing was written; `--yes` writes without asking", err=True)
        return
    at.settle(plan)
    if plan.entries:
        say(f"written and staged: {report.plural(len(plan.entries), 'memory')}", err=True)
    if remove:
        say(f"taken out of {plan.file}, not staged: look at `git diff {plan.file}`", err=True)
    else:
        say(f"the lines still stand in {plan.file} too: `curator import {plan.file} --remove` takes them out", err=True)
    if not no_render:
        rerender(at, bars=True)


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


@click.command()
@click.argument("text", required=False)
@click.option("--category", default="", help="constraint, decision, gotcha ... (default: guessed).")
@click.option("--why", default="", help="The reason; shown by recall and review, not rendered.")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="A word to find it by; 2 to 5 are useful.")
@click.option(
    "--trigger", "triggers", multiple=True, metavar="TEXT", help="What people type: a symptom, an error text."
)
@click.option("--source", "sources", multiple=True, metavar="PATH[#SYMBOL]", help="A file it is about; repeatable.")
@click.option("--importance", type=click.IntRange(1, 10), default=5, help="What a session loses without it (5).")
@click.option("--scope", default="", metavar="PATH", help="The folder it applies to; keeps it out of the root block.")
@click.option("--supersedes", multiple=True, metavar="ID", help="An entry this one replaces.")
@click.option("--task", default="", help="Ticket or task it came from.")
@click.option("--propose", is_flag=True, help="Put it into the inbox for review instead of the tree.")
@NO_RENDER
@click.pass_context
def add(
    ctx: click.Context,
    /,
    text: str,
    category: str,
    sources: tuple[str, ...],
    no_render: bool,
    propose: bool,
    **more: object,
) -> None:
    """Add one memory: one new file, staged.

    Without TEXT it opens $EDITOR on a form; `-` reads the text from standard
    input. In an agent's shell it proposes: the memory waits in the inbox
    until a person takes it.

    \b
      curator add "Spanish VAT rounds per line." --category gotcha \\
          --source shop/tax.py#round_vat --why "Tax authority rule."
    """
    from curator.core import harvest
    from curator.model import Origin
    from curator.outcome import Draft

    at = Door.open(ctx)
    who = door.agent(at)
    propose = propose or bool(who)
    origin = Origin(by="agent" if who else "user", agent=who)
    if text is None:
        _add_from_form(at, category, origin=origin, propose=propose, no_render=no_render)
        return
    draft = Draft(
        text=door.standard_input() if text == "-" else text,
        category=category,
        why=str(more["why"]),
        importance=int(str(more["importance"])),
        tags=_texts(more["tags"]),
        triggers=_texts(more["triggers"]),
        sources=tuple(harvest.source(at.rooted_source(named)) for named in sources),
        scope=_folder(at, str(more["scope"])),
        task=str(more["task"]),
        supersedes=_texts(more["supersedes"]),
        origin=origin,
    )
    _add(at, draft, propose=propose, no_render=no_render)


def _add(at: Door, draft: Draft, *, propose: bool, no_render: bool) -> None:
    _take(at, _outcome(at, draft, propose=propose), propose=propose, no_render=no_render)


def _outcome(at: Door, draft: Draft, *, propose: bool) -> Outcome:
    from curator.verbs import add as verb

    return verb.run(at.workspace, draft, now=door.now(), tail=door.tail(), propose=propose)


def _take(at: Door, outcome: Outcome, *, propose: bool, no_render: bool) -> None:
    from curator.edge import files

    try:
        at.settle(outcome)
    except files.Changed:
        if not propose:
            raise
        say("proposed already; it waits in the inbox")
        return
    for note in outcome.notes:
        say(note, err=True)
    if propose:
        say("proposed; it waits in the inbox until a person takes it")
        return
    say(f"added and staged: {door.relative(at.workspace, outcome.edits[0].path)}")
    if not no_render:
        rerender(at)


def _add_from_form(at: Door, category: str, *, origin: object, propose: bool, no_render: bool) -> None:
    from dataclasses import replace

    from curator.core import form
    from curator.edge import store
    from curator.model import Origin

    assert isinstance(origin, Origin)
    categories = store.config(at.workspace).categories
    text = form.blank(categories, category or categories[0])
    while True:
        text = door.edited(text)
        try:
            draft = form.read(text)
            if draft is None:
                say("nothing was added: the text is empty", err=True)
                return
            outcome = _outcome(at, replace(_rooted(at, draft), origin=origin), propose=propose)
            break
        except CuratorError as error:
            say(str(error), err=True)
            if not door.again():
                at.keep(text)
                raise
    _take(at, outcome, propose=propose, no_render=no_render)


def _rooted(at: Door, draft: Draft) -> Draft:
    """A draft whose paths were typed in this folder."""
    from dataclasses import replace

    sources = tuple(replace(source, path=at.rooted(source.path)) for source in draft.sources)
    return replace(draft, sources=sources, scope=_folder(at, draft.scope))


@click.command()
@click.argument("name", metavar="ID")
@NO_RENDER
@click.pass_context
def edit(ctx: click.Context, name: str, no_render: bool) -> None:
    """Open one memory in $EDITOR, check it, stage it."""
    from curator.verbs import editing

    at = Door.open(ctx)
    door.people_only(at, "edit")
    path, text = editing.opened(at.workspace, at.named(name))
    changed = text
    while True:
        changed = door.edited(changed)
        try:
            outcome = editing.run(at.workspace, path, text, changed)
            break
        except CuratorError as error:
            say(str(error), err=True)
            if not door.again():
                at.keep(changed)
                raise
    at.settle(outcome)
    say(f"{'changed and staged' if outcome.changes else 'unchanged'}: {door.relative(at.workspace, path)}")
    if outcome.changes and not no_render:
        rerender(at, reworded=text)


@click.command()
@click.argument("name", metavar="ID")
@click.option("--reason", required=True, help="Why it no longer counts. Kept in the file.")
@NO_RENDER
@click.pass_context
def retire(ctx: click.Context, name: str, reason: str, no_render: bool) -> None:
    """Take one memory out of use.

    Its file stays, marked as retired: history is kept, and the same thing is
    not proposed again. `git rm` the file to forget it altogether.
    """
    from curator.verbs import retire as verb

    at = Door.open(ctx)
    door.people_only(at, "retire")
    outcome = verb.run(at.workspace, at.named(name), reason, today=door.today())
    at.settle(outcome)
    say(f"retired and staged: {door.relative(at.workspace, outcome.edits[0].path)}")
    if not no_render:
        rerender(at)


def rerender(at: Door, *, bars: bool = False, reworded: str = "") -> None:
    """With `block: here`, bring the blocks up to date and stage them; entries and block land in one commit.

    Lines that say what *reworded* said are no loss when they go.
    """
    from curator.core import report
    from curator.edge import store

    if store.config(at.workspace).block != "here":
        return
    try:
        rendered = at.render()
    except CuratorError as error:
        say(f"the block was not rendered: {error}", err=True)
        return
    for note in (*rendered.notes, *at.stage_blocks(rendered)):
        if not (reworded and _said(note, reworded)):
            say(note, err=True)
    for block in rendered.blocks:
        for line in report.left_out(block.selection.misfits):
            say(line, err=True)
    if bars:
        at.show(rendered)


def _said(note: str, text: str) -> bool:
    """Does the note name a line that stood in *text*, however its sentences were cut into lines?"""
    line = note.partition(" says it: ")[2].removeprefix("- ")
    return bool(line) and " ".join(line.split()) in " ".join(text.split())


def _confirmed(question: str) -> bool:
    return sys.stdin.isatty() and click.confirm(question, default=False, err=True)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def _folder(at: Door, named: str) -> str:
    return at.rooted(named).rstrip("/") + "/" if named else ""
