"""Setting a repository up: init."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.edge.hooks import Place
    from curator.outcome import Outcome
    from curator.verbs.claude import Wired


@click.command()
@click.option("--target", default="", metavar="FILE", help="The file that gets the block (CLAUDE.md or AGENTS.md).")
@click.option(
    "--team", is_flag=True, help="Render on the default branch only (`block: main`): no conflicts in pull requests."
)
@click.option(
    "--workflow",
    is_flag=True,
    help="Also write GitHub workflows: one renders after a merge, one reviews pull requests.",
)
@click.option(
    "--git-hooks", is_flag=True, help="Also install a pre-commit hook in this clone; an existing one is kept."
)
@click.option("--chain", is_flag=True, help="With --git-hooks: also where another program manages the hook.")
@click.option("--no-git-hooks", is_flag=True, help="Only take that hook out again; the earlier one comes back.")
@click.option("--merge-driver", is_flag=True, help="Also let this clone's merges render the block (docs/merging.md).")
@click.option("--no-merge-driver", is_flag=True, help="Only take the driver out of this clone again.")
@click.option("--claude", is_flag=True, help="Also add curator's hooks to .claude/settings.json (docs/clients.md).")
@click.option("--remove", is_flag=True, help="With --claude: only take those hooks out again.")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing.")
@click.pass_context
def init(
    ctx: click.Context,
    target: str,
    team: bool,
    workflow: bool,
    git_hooks: bool,
    chain: bool,
    no_git_hooks: bool,
    merge_driver: bool,
    no_merge_driver: bool,
    claude: bool,
    remove: bool,
    dry_run: bool,
) -> None:
    """Set this repository up.

    Writes memories/curator.yaml, memories/memory.schema.json (so that editors
    check entries while one types), two lines in .gitattributes, and the empty
    block at the end of CLAUDE.md, or of AGENTS.md where only that exists.
    Nothing that is there is overwritten, and no hook, merge driver or
    workflow is set up unless asked for.

    By default the block is committed together with the entries. Where several
    people open pull requests at once, `--team` keeps the block off branches.
    With `--claude`, `--team` writes hooks that can be committed, and changes
    no settings that are there.
    """
    _refuse(ctx.params)
    at = Door.open(ctx)
    wired = _planned(at, team=team) if claude and not remove else None
    more = workflow or merge_driver or git_hooks or claude
    steps_left: tuple[str, ...] = ()
    if not (no_git_hooks or no_merge_driver or remove):
        render = team and not (claude and _settled(at))
        steps_left = _files(at, target=target, team=render, dry_run=dry_run, more=more)
    if workflow:
        steps_left = (*_workflows(at, dry_run=dry_run), *steps_left)
    steps: dict[Callable[..., None], bool] = {
        _drive: merge_driver,
        _undrive: no_merge_driver,
        _unhook: no_git_hooks,
        partial(_hook, chain=chain): git_hooks,
        _unclaude: remove,
    }
    for step in (step for step, asked in steps.items() if asked):
        step(at, dry_run=dry_run)
    if wired:
        _claude(at, wired=wired, dry_run=dry_run)
    for line in steps_left:
        say(line)


def _refuse(asked: Mapping[str, Any]) -> None:
    """Raise the first contradiction among the options that were given, with the way out."""
    both = "asked for both: to set it up and to take it out"
    for holds, message, hint in (
        (asked["git_hooks"] and asked["no_git_hooks"], both, "leave --git-hooks or --no-git-hooks out"),
        (asked["merge_driver"] and asked["no_merge_driver"], both, "leave --merge-driver or --no-merge-driver out"),
        (asked["chain"] and not asked["git_hooks"], "--chain needs --git-hooks", "`curator init --git-hooks --chain`"),
        (asked["remove"] and not asked["claude"], "--remove needs --claude: it takes out those hooks", _REMOVING),
        (asked["remove"] and asked["team"], "--remove takes out hooks of either form", "leave --team out"),
    ):
        if holds:
            raise CuratorError(message, hint=hint)


_REMOVING = (
    "`curator init --claude --remove`; the git hook goes with `--no-git-hooks`, the merge driver with"
    " `--no-merge-driver`, all else as docs/clients.md says"
)


def _settled(at: Door) -> bool:
    """Does the repository have settings, so that hooks are all that is asked for?"""
    from curator.edge import files
    from curator.verbs import init as verb

    return files.exists(at.workspace, verb.CONFIG)


def _files(at: Door, *, target: str, team: bool, dry_run: bool, more: bool) -> tuple[str, ...]:
    """Write what every repository gets; the steps that are a person's come back, to be said last."""
    from curator.verbs import importing
    from curator.verbs import init as verb

    outcome = verb.run(at.workspace, target=at.rooted(target) if target else "", team=team)
    _settle(at, outcome, dry_run=dry_run)
    if dry_run or (not outcome.edits and more):
        return ()
    if not outcome.edits:
        say("nothing to do: everything is in place")
    return tuple(importing.offer(at.workspace))


def _settle(at: Door, outcome: Outcome, *, dry_run: bool) -> None:
    """Write and stage, or with *dry_run* only show, and name every file."""
    from curator.core import report

    if dry_run:
        for edit in outcome.edits:
            door.say_diff(report.diff(edit))
        return
    at.settle(outcome)
    for edit in outcome.edits:
        staged = "" if edit.path in outcome.stage else f"  (not staged, it holds more than this: `git add {edit.path}`)"
        say(f"{'created' if edit.before is None else 'changed'}  {edit.path}{staged}")
    for note in outcome.notes:
        say(note, err=True)


def _workflows(at: Door, *, dry_run: bool) -> tuple[str, ...]:
    """Write the workflows that are not there, and print them; what is left to do comes back."""
    from curator.verbs import wire

    outcome = wire.workflows(at.workspace)
    _settle(at, outcome, dry_run=dry_run)
    if not dry_run:
        for edit in outcome.edits:
            say(edit.after.rstrip("\n"))
    if not outcome.edits and not outcome.notes:
        say("the workflows are in place")
    return outcome.steps if outcome.edits else ()


def _drive(at: Door, *, dry_run: bool) -> None:
    """The driver: a line in .gitattributes for everybody, and a setting of this clone, which alone makes it work."""
    from curator.core import wiring
    from curator.edge import hooks
    from curator.verbs import wire

    _settle(at, wire.attributes(at.workspace), dry_run=dry_run)
    command = wiring.driver(hooks.program())
    if hooks.setting(at.workspace, wiring.DRIVER) == command:
        say(f"{wiring.DRIVER} is set already")
        return
    if not dry_run:
        hooks.configure(at.workspace, wiring.DRIVER, command)
    say(f"{'would set' if dry_run else 'set'} in this clone's git settings: {wiring.DRIVER}={command}")


def _undrive(at: Door, *, dry_run: bool) -> None:
    from curator.core import wiring
    from curator.edge import hooks

    if not hooks.setting(at.workspace, wiring.DRIVER):
        say("no merge driver of curator's in this clone")
        return
    if not dry_run:
        hooks.configure(at.workspace, wiring.DRIVER, "")
    say(f"{'would take' if dry_run else 'taken'} out of this clone's git settings: {wiring.DRIVER}")
    say("the lines in .gitattributes serve other clones; without the setting git merges as text", err=True)


def _hook(at: Door, *, chain: bool, dry_run: bool) -> None:
    from curator.edge import hooks
    from curator.verbs import wire

    plan = wire.hook(at.workspace, chain=chain)
    if plan.text:
        with _reasons(plan.place):
            if not dry_run:
                hooks.install(plan.place, plan.text, aside=plan.aside)
        say(f"{'would write' if dry_run else 'written'}  {_shown(plan.place)}:")
        say(plan.text.rstrip("\n"))
    elif not plan.notes:
        say(f"the hook is in place: {_shown(plan.place)}")
    for note in plan.notes:
        say(note, err=True)


def _unhook(at: Door, *, dry_run: bool) -> None:
    from curator.edge import hooks
    from curator.verbs import wire

    place = wire.unhook(at.workspace)
    if place is None:
        say("no hook of curator's in this clone")
    elif dry_run:
        say(f"would remove  {_shown(place)}")
    else:
        with _reasons(place):
            back = hooks.remove(place)
        say(f"removed  {_shown(place)}" + ("; the hook from before is back" if back else ""))


def _planned(at: Door, *, team: bool) -> Wired:
    """What `--claude` will write: whatever stands against it is said before anything else is written."""
    from curator.edge import files
    from curator.verbs import claude as verb

    wired = verb.hook(at.workspace, team=team)
    files.examine(at.workspace, wired.edits)
    return wired


def _claude(at: Door, *, wired: Wired, dry_run: bool) -> None:
    """Write Claude Code's settings and say what changed, or with *dry_run* show it."""
    from curator.edge import claude

    if dry_run:
        _settle(at, wired, dry_run=True)
    elif not wired.changes:
        say(f"the hooks are in place: {claude.SETTINGS}")
    else:
        at.settle(wired)
        claude.remember(at.workspace, wired.hollow)
        _sum_up(wired)
    for note in wired.notes:
        say(note, err=True)
    if wired.exclude:
        exclude = shlex.quote(os.path.relpath(wired.exclude))
        say(f"so {claude.SETTINGS} should not be committed: `echo /{claude.SETTINGS} >> {exclude}`", err=True)
    say("`curator init --claude --remove` takes the hooks out again", err=True)


def _sum_up(wired: Wired) -> None:
    for line in wired.summary:
        say(f"{line}{'  (staged)' if wired.stage else ''}")


def _unclaude(at: Door, *, dry_run: bool) -> None:
    from curator.core import report
    from curator.edge import claude, plumbing
    from curator.verbs import claude as verb

    wired = verb.unhook(at.workspace)
    if not wired.changes:
        say(f"no hooks of curator's in {claude.SETTINGS}")
        return
    edit = wired.edits[0]
    if dry_run:
        door.say_diff(report.diff(edit, gone=wired.gone))
        return
    if wired.gone:
        claude.remove(at.workspace, edit.before or "", folder=verb.FOLDER not in wired.hollow)
        plumbing.add(at.workspace, wired.stage)
    else:
        at.settle(wired)
    claude.remember(at.workspace, ())
    _sum_up(wired)
    if wired.gone:
        say(f"removed  {claude.SETTINGS}, which held nothing else")


@contextmanager
def _reasons(place: Place) -> Iterator[None]:
    """Turn what the system refuses about a hook into a message that names it."""
    try:
        yield
    except OSError as error:
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot be changed: {error.strerror}", where=place.hook, hint=hint) from None


def _shown(place: Place) -> str:
    return os.path.relpath(place.hook)
