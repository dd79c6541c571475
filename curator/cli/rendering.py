"""The main job at the door: `curator render`, and the render after an entry was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.outcome import Rendered


@click.command()
@click.option(
    "--check", is_flag=True, help="Write nothing; exit 1 when a block is not what it should be, and show the diff."
)
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option(
    "--fix", is_flag=True, help="For hooks: write what --check misses, stage nothing, exit 1 if there was any."
)
@click.option("--task", default="", metavar="TEXT", help="Print a block for this task instead; write no target.")
@click.option("--to", default="", metavar="FILE", help="With --task: write that block into a file git ignores.")
@click.option("--target", default="", metavar="FILE", help="Only this target.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def render(
    ctx: click.Context, check: bool, diff: bool, fix: bool, task: str, to: str, target: str, as_json: bool
) -> None:
    """Rewrite the block between the markers from the reviewed memories.

    Reads what is staged (or the ref that `trust` names), never loose files.
    Fills each category's token budget with the entries that matter most and
    says what was left out and why. Everything outside the markers stays as it
    is, byte for byte.
    """
    at = Door.open(ctx)
    target = at.rooted(target) if target else ""
    if to and not task:
        raise CuratorError(
            "--to needs --task", hint='for example `curator render --task "fix checkout" --to CLAUDE.local.md`'
        )
    if task:
        _for_task(at, task, to, target, as_json)
    elif fix:
        ctx.exit(_fix(at, target))
    elif check or diff:
        ctx.exit(_compare(at, target, check=check, as_json=as_json))
    else:
        _write(at, target, as_json)


def _write(at: Door, target: str, as_json: bool) -> None:
    from curator.core import report
    from curator.edge import store

    rendered = at.render(target)
    unreviewed = store.unreviewed(at.workspace, store.config(at.workspace).trust)
    if as_json:
        door.say_json(report.rendered_value(rendered))
        return
    at.show(rendered)
    for line in report.left_out(rendered.blocks, misfits=bool(target)):
        say(line, err=True)
    at.findings((*rendered.findings, *unreviewed))
    for note in rendered.notes:
        say(note, err=True)


def _compare(at: Door, target: str, *, check: bool, as_json: bool) -> int:
    from curator.core import report
    from curator.verbs import render as verb

    if check and verb.is_current(at.workspace, only=target):
        if as_json:
            door.say_json({"targets": [], "changed": [], "findings": []})
        return 0
    rendered = verb.run(at.workspace, as_of=door.today(), only=target, check=check)
    if as_json:
        door.say_json(report.rendered_value(rendered))
        return int(check and rendered.changes)
    at.findings(rendered.findings)
    for note in rendered.notes:
        say(note, err=True)
    for edit in rendered.edits:
        if edit.changes:
            door.say_diff(report.diff(edit))
            if check:
                path = door.relative(at.workspace, edit.path)
                say(f"{path}: the block is out of date\n  -> `curator render`, then `git add {path}`", err=True)
    return int(check and rendered.changes)


def _fix(at: Door, target: str) -> int:
    """Bring the blocks on disk to what the staged entries give, as a formatter in a hook does: it never stages."""
    from functools import partial

    from curator.core import block
    from curator.edge import files
    from curator.verbs import render as verb

    rendered = verb.run(at.workspace, as_of=door.today(), only=target, check=True, staged=True)
    at.findings(rendered.findings)
    for note in rendered.notes:
        say(note, err=True)
    wrong = [(edit.path, made.body) for edit, made in zip(rendered.edits, rendered.blocks, strict=True) if edit.changes]
    for path, body in wrong:
        files.update(at.workspace, path, partial(block.replace, body=body, where=path))
        shown = door.relative(at.workspace, path)
        say(f"{shown}: the block is rendered anew\n  -> `git add {shown}`, then commit again", err=True)
    return int(bool(wrong))


def _for_task(at: Door, task: str, to: str, target: str, as_json: bool) -> None:
    from curator.core import report
    from curator.edge import files, store
    from curator.model import Target
    from curator.verbs import brief as verb
    from curator.verbs import render as render_verb

    chosen = next(iter(render_verb.targets(store.config(at.workspace), target)), Target("CLAUDE.md"))
    made = verb.run(at.workspace, task, as_of=door.today(), target=chosen)
    if to:
        path = at.rooted(to)
        files.apply(at.workspace, (verb.into(at.workspace, path, made.body),))
        say(f"written: {to}, {made.tokens:,} tokens", err=True)
    elif as_json:
        door.say_json(report.block_value(made) | {"body": made.body})
    else:
        say(made.body)
        for line in report.left_out((made,), misfits=True):
            say(line, err=True)


def rerender(at: Door, *, bars: bool = False, reworded: str = "", ends: bool = True) -> None:
    """With `block: here`, bring the blocks up to date and stage them; entries and block land in one commit.

    Lines that say what *reworded* said are no loss when they go. Where the command *ends* with that, say what is next.
    """
    from curator.edge import store

    if store.config(at.workspace).block == "here":
        try:
            rendered = at.render()
        except CuratorError as error:
            say(f"the block was not rendered: {error}", err=True)
            return
        _staged(at, rendered, reworded)
        if bars:
            at.show(rendered)
    if ends:
        say("Next: `git commit`", err=True)


def _staged(at: Door, rendered: Rendered, reworded: str) -> None:
    """Stage the blocks; say which, what stands in the way, and which memories found no room."""
    from curator.core import report

    paths, notes = at.stage_blocks(rendered)
    if paths:
        say(
            f"staged with it, for the block: {', '.join(door.relative(at.workspace, path) for path in paths)}", err=True
        )
    for note in (*rendered.notes, *notes):
        if not (reworded and _said(note, reworded)):
            say(note, err=True)
    for line in report.left_out(rendered.blocks, misfits=True):
        say(line, err=True)


def _said(note: str, text: str) -> bool:
    """Does the note name a line that stood in *text*, however its sentences were cut into lines?"""
    line = note.partition(" says it: ")[2].removeprefix("- ")
    return bool(line) and " ".join(line.split()) in " ".join(text.split())
