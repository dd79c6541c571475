"""Commands that write entries: add, edit, retire."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.model import Source
    from curator.outcome import Draft, Outcome


@click.command()
@click.argument("text", required=False)
@click.option("--category", default="", help="constraint, decision, gotcha ... (default: guessed).")
@click.option("--why", default="", help="The reason; shown by recall and review, not rendered.")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="A word to find it by; 2 to 5 are useful.")
@click.option(
    "--trigger", "triggers", multiple=True, metavar="TEXT", help="What people type: a symptom, an error text."
)
@click.option("--source", "sources", multiple=True, metavar="PATH[#SYMBOL]", help="A file it is about; repeatable.")
@click.option(
    "--cite/--no-cite", default=True, help="Also cite the files and symbols that TEXT names (asks on a terminal)."
)
@click.option("--importance", type=click.IntRange(1, 10), default=5, help="What a session loses without it (5).")
@click.option("--scope", default="", metavar="PATH", help="The folder it applies to; keeps it out of the root block.")
@click.option("--supersedes", multiple=True, metavar="ID", help="An entry this one replaces.")
@click.option("--task", default="", help="Ticket or task it came from.")
@click.option("--propose", is_flag=True, help="Put it into the inbox for review instead of the tree.")
@door.NO_RENDER
@click.pass_context
def add(
    ctx: click.Context,
    /,
    text: str,
    category: str,
    sources: tuple[str, ...],
    no_render: bool,
    propose: bool,
    cite: bool,
    **more: object,
) -> None:
    """Add one memory: one new file, staged.

    Without TEXT it opens $EDITOR on a form; `-` reads the text from standard
    input. In an agent's shell it proposes: the memory waits in the inbox
    until a person takes it.

    What TEXT shares with each cited file is kept as evidence, so that `check`
    can tell when it no longer holds. The files are read as they are staged.

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
    teller = door.shell()  # who may decide here is one thing, who says it another
    origin = Origin(by="agent" if teller else "user", agent=teller, session=_session())
    if text is None:
        _add_from_form(at, category, origin=origin, propose=propose, cite=cite, no_render=no_render)
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
    _take(at, _outcome(at, draft, propose=propose, cite=cite), propose=propose, no_render=no_render)


def _session() -> str:
    """The start of the name of the agent's session whose shell this is, "" outside of one."""
    from curator.core import proposal

    name = proposal.short(door.session())
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else ""


def _outcome(at: Door, draft: Draft, *, propose: bool, cite: bool) -> Outcome:
    from curator.verbs import add as verb

    ask = _cites if door.is_attended() and not draft.origin.agent else None  # an agent would wait for ever
    return verb.run(at.workspace, draft, now=door.now(), tail=door.tail(), propose=propose, cite=cite, ask=ask)


def _cites(source: Source) -> bool:
    """Ask whether a file that the text names becomes a source."""
    from curator.core import harvest, printable

    return click.confirm(f"Cite {printable.escape(harvest.shown(source))}?", default=True, err=True)


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
        _own(at, outcome)
        say(f"proposed {_short(at, outcome)}; it waits in the inbox until a person takes it")
        return
    say(f"added and staged: {door.relative(at.workspace, outcome.edits[0].path)}")
    if not no_render:
        rerender(at)


def _own(at: Door, outcome: Outcome) -> None:
    """Say that another's proposal gave way, which is nobody else's any more."""
    from curator.core import proposal
    from curator.edge import arrivals

    edit = outcome.edits[0]
    key = os.path.basename(edit.path).removesuffix(".yaml")
    if edit.before is not None:
        remote = arrivals.remote(at.workspace, key)
        whose = f"that came from {remote}" if remote else f"proposed before (by {proposal.speaker(edit.before)})"
        say(f"it takes the place of the same words {whose}", err=True)
    arrivals.disown(at.workspace, key)


def _short(at: Door, outcome: Outcome) -> str:
    """What a person types for the one proposal that was made."""
    from curator.core import codec
    from curator.core.queue import Proposal
    from curator.edge import store

    edit, categories = outcome.edits[0], store.config(at.workspace).categories
    key = os.path.basename(edit.path).removesuffix(".yaml")
    entry, _ = codec.read(edit.after.encode("utf-8", "surrogateescape"), edit.path, categories, placed=False)
    return Proposal(key, entry, edit.after).short if entry else key[:6]


def _add_from_form(at: Door, category: str, *, origin: object, propose: bool, cite: bool, no_render: bool) -> None:
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
            outcome = _outcome(at, replace(_rooted(at, draft), origin=origin), propose=propose, cite=cite)
            break
        except CuratorError as error:
            say(str(error), err=True)
            if not door.again():
                at.keep(text)
                raise
        except click.Abort:
            at.keep(text)
            raise
    _take(at, outcome, propose=propose, no_render=no_render)


def _rooted(at: Door, draft: Draft) -> Draft:
    """A draft whose paths were typed in this folder."""
    from dataclasses import replace

    sources = tuple(replace(source, path=at.rooted(source.path)) for source in draft.sources)
    return replace(draft, sources=sources, scope=_folder(at, draft.scope))


@click.command(short_help="Open a memory or a proposal in $EDITOR, check it, keep it.")
@click.argument("name", metavar="ID|KEY")
@door.NO_RENDER
@click.pass_context
def edit(ctx: click.Context, name: str, no_render: bool) -> None:
    """Open one memory in $EDITOR, check it, stage it; or a proposal that waits, which goes on waiting."""
    from curator.verbs import editing

    at = Door.open(ctx)
    door.people_only(at, "edit")
    try:
        path, text = editing.opened(at.workspace, at.named(name))
    except CuratorError:
        waiting = editing.waiting(at.workspace, name)
        if waiting is None:
            raise
        _edit_proposal(at, *waiting)
        return
    outcome = door.edited_until(at, text, lambda changed: editing.run(at.workspace, path, text, changed))
    at.settle(outcome)
    for note in outcome.notes:
        say(note, err=True)
    place = outcome.edits[0].path if outcome.edits else path
    if outcome.drop:
        say(f"moved and staged, with its file: {door.relative(at.workspace, place)}")
    else:
        say(f"{'changed and staged' if outcome.changes else 'unchanged'}: {door.relative(at.workspace, place)}")
    if (outcome.changes or outcome.drop) and not no_render:
        rerender(at, reworded=text)


def _edit_proposal(at: Door, key: str, where: str, text: str) -> None:
    from curator.edge import inbox
    from curator.verbs import editing

    outcome = door.edited_until(at, text, lambda changed: editing.reworded(at.workspace, key, where, changed))
    at.settle(outcome)
    if outcome.changes:
        inbox.edited(at.workspace, key)
    say(f"{'changed' if outcome.changes else 'unchanged'}, and waits: {where}")


@click.command()
@click.argument("name", metavar="ID")
@click.option("--reason", required=True, help="Why it no longer counts. Kept in the file.")
@click.option("--propose", is_flag=True, help="Ask for it in the inbox instead: a person decides.")
@door.NO_RENDER
@click.pass_context
def retire(ctx: click.Context, name: str, reason: str, propose: bool, no_render: bool) -> None:
    """Take one memory out of use.

    Its file stays, marked as retired: history is kept, and the same thing is
    not proposed again. `git rm` the file to forget it altogether.

    In an agent's shell only --propose does something: the memory stays in
    use until a person accepts that.
    """
    from curator.verbs import retire as verb

    at = Door.open(ctx)
    if propose:
        _propose_to_retire(at, at.named(name), reason)
        return
    door.people_only(at, "retire", "`--propose` puts it into the inbox, where the user decides")
    outcome = verb.run(at.workspace, at.named(name), reason, today=door.today())
    at.settle(outcome)
    say(f"retired and staged: {door.relative(at.workspace, outcome.edits[0].path)}")
    if not no_render:
        rerender(at)


def _propose_to_retire(at: Door, name: str, reason: str) -> None:
    from curator.edge import files
    from curator.verbs import forget as verb

    teller = door.shell()
    by = "agent" if teller else "user"
    outcome = verb.run(at.workspace, name, reason, now=door.now(), by=by, agent=teller, session=_session())
    try:
        at.settle(outcome)
    except files.Changed:
        say("proposed already; it waits in the inbox")
        return
    for note in outcome.notes:
        say(note)
    if outcome.edits:
        _own(at, outcome)
        key = os.path.basename(outcome.edits[0].path).removesuffix(".yaml")
        say(f"proposed {key[:6]}; the memory stays in use until a person retires it")


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def _folder(at: Door, named: str) -> str:
    return at.rooted(named).rstrip("/") + "/" if named else ""
