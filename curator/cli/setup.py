"""Setting a repository up: init."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from curator.cli import clients, door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.edge.hooks import Place
    from curator.outcome import Outcome


@click.command()
@click.option(
    "--target",
    multiple=True,
    metavar="FILE",
    help="A file that gets a block, such as AGENTS.md or .cursor/rules/memories.mdc; again for more.",
)
@click.option("--scope", default="", metavar="FOLDER", help="With --target: only memories about this folder, in each.")
@click.option("--no-blocks", is_flag=True, help="Only take the block out of every target again.")
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
@click.option("--merge-driver", is_flag=True, help="Also let this clone's merges render the block.")
@click.option("--no-merge-driver", is_flag=True, help="Only take the driver out of this clone again.")
@click.option("--claude", is_flag=True, help="Also add curator's hooks to .claude/settings.json.")
@click.option("--mcp", is_flag=True, help="Also add curator's MCP server for Claude Code to .mcp.json.")
@click.option("--opencode", is_flag=True, help="Also add a plugin and the MCP server for OpenCode.")
@click.option("--codex", is_flag=True, help="Also add hooks and the MCP server to your own settings of Codex.")
@click.option("--kimi", is_flag=True, help="Also add hooks and the MCP server to your own settings of Kimi Code.")
@click.option("--remove", is_flag=True, help="With one of these five or --target: only take that out again.")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing.")
@click.pass_context
def init(ctx: click.Context, /, **asked: Any) -> None:
    """Set this repository up.

    Writes memories/curator.yaml, memories/memory.schema.json (so that editors
    check entries while one types), two lines in .gitattributes, and the empty
    block at the end of CLAUDE.md, or of AGENTS.md where only that exists.
    Nothing that is there is overwritten, and no hook, merge driver, workflow
    or client is set up unless asked for. With `--target` in a repository that
    is set up, the file is added to the `targets` of memories/curator.yaml.

    By default the block is committed together with the entries. Where several
    people open pull requests at once, `--team` keeps the block off branches.
    Beside a client, `--team` writes what can be committed, and changes no
    settings that are there.
    """
    _refuse(asked)
    at = Door.open(ctx)
    team, dry_run = bool(asked["team"]), bool(asked["dry_run"])
    named = [name for name in clients.CLIENTS if asked[name]]
    plans = clients.Plans.made(at, [] if asked["remove"] else named, team=team)
    steps_left: tuple[str, ...] = ()
    if not any(asked[name] for name in ("no_git_hooks", "no_merge_driver", "no_blocks", "remove")):
        steps_left = _files(at, asked, team=team and not (named and _settled(at)))
    if asked["workflow"]:
        steps_left = (*_workflows(at, dry_run=dry_run), *steps_left)
    steps: dict[Callable[..., None], bool] = {
        _drive: asked["merge_driver"],
        _undrive: asked["no_merge_driver"],
        _unhook: asked["no_git_hooks"],
        partial(_hook, chain=asked["chain"]): asked["git_hooks"],
        partial(clients.take_out, names=named): asked["remove"],
        partial(_clear, targets=asked["target"]): asked["no_blocks"] or (asked["remove"] and asked["target"]),
    }
    for step in (step for step, wanted in steps.items() if wanted):
        step(at, dry_run=dry_run)
    plans.carry_out(dry_run=dry_run)
    if named and not (asked["remove"] or dry_run):
        clients.say_unread(at, named)
    for line in steps_left:
        say(line)


def _refuse(asked: Mapping[str, Any]) -> None:
    """Raise the first contradiction among the options that were given, with the way out."""
    both = "asked for both: to set it up and to take it out"
    named = any(asked[name] for name in clients.CLIENTS)
    for holds, message, hint in (
        (asked["git_hooks"] and asked["no_git_hooks"], both, "leave --git-hooks or --no-git-hooks out"),
        (asked["merge_driver"] and asked["no_merge_driver"], both, "leave --merge-driver or --no-merge-driver out"),
        (asked["chain"] and not asked["git_hooks"], "--chain needs --git-hooks", "`curator init --git-hooks --chain`"),
        (asked["scope"] and not asked["target"], "--scope needs --target", "name the file that gets the block"),
        (asked["no_blocks"] and asked["target"], "--no-blocks takes out all", "`curator init --target FILE --remove`"),
        (
            asked["remove"] and not (named or asked["target"]),
            f"--remove needs one of {_NAMES}, --target: it takes out what that adds",
            _REMOVING,
        ),
        (asked["remove"] and asked["team"], "--remove takes out hooks of either form", "leave --team out"),
    ):
        if holds:
            raise CuratorError(message, hint=hint)


_NAMES = ", ".join(f"--{name}" for name in clients.CLIENTS)
_REMOVING = (
    "`curator init --claude --remove`; the git hook goes with `--no-git-hooks`, the merge driver with"
    " `--no-merge-driver`, every block with `--no-blocks`, all else as docs/clients.md of curator's repository says"
)


def _settled(at: Door) -> bool:
    """Does the repository have settings, so that hooks are all that is asked for?"""
    from curator.edge import files
    from curator.verbs import init as verb

    return files.exists(at.workspace, verb.CONFIG)


def _files(at: Door, asked: Mapping[str, Any], *, team: bool) -> tuple[str, ...]:
    """Write what every repository gets; the steps that are a person's come back, to be said last."""
    from curator.edge import store
    from curator.verbs import importing
    from curator.verbs import init as verb

    targets = tuple(at.rooted(path) for path in asked["target"])
    scope = at.rooted(asked["scope"]) if asked["scope"] else ""
    outcome = verb.run(at.workspace, targets=targets, scope=scope, team=team)
    _settle(at, outcome, dry_run=asked["dry_run"])
    filled = not asked["dry_run"] and _fill(at)
    more = any(asked[name] for name in ("workflow", "merge_driver", "git_hooks", *clients.CLIENTS))
    if asked["dry_run"] or (not outcome.edits and more):
        return ()
    if not (outcome.edits or filled):
        say("nothing to do: everything is in place")
    first = "" if store.load(at.workspace).entries else '`curator add "..."`, then '
    return (*importing.offer(at.workspace, {edit.path for edit in outcome.edits}), f"Next: {first}`git commit`")


def _fill(at: Door) -> bool:
    """Render the blocks that are empty while there are memories, as a new target's is."""
    from curator.verbs import init as verb

    filled = False
    for path in verb.blank(at.workspace):
        try:
            rendered = at.render(path)
        except CuratorError as error:
            say(f"the block of {path} was not rendered: {error}", err=True)
            continue
        staged, notes = at.stage_blocks(rendered)
        for note in (*rendered.notes, *notes):
            say(note, err=True)
        if any(edit.changes for edit in rendered.edits):
            filled = True
            say(f"rendered  {path}{'  (staged)' if staged else ''}")
    return filled


def _clear(at: Door, *, targets: tuple[str, ...], dry_run: bool) -> None:
    """Take blocks out of their files again, and the targets out of the settings."""
    from curator.core import report
    from curator.edge import configs, plumbing
    from curator.outcome import Edit
    from curator.verbs import init as verb

    cleared = verb.clear(at.workspace, [at.rooted(path) for path in targets])
    if not (cleared.edits or cleared.gone):
        say("no block of curator's here")
    for path, text in cleared.gone.items():
        if dry_run:
            door.say_diff(report.diff(Edit(path, text, ""), gone=True))
        else:
            configs.examine(at.workspace, path)
    kept = tuple(path for path in cleared.stage if path not in cleared.gone)
    _settle(at, replace(cleared, stage=kept), dry_run=dry_run)
    if dry_run:
        return
    for path, text in cleared.gone.items():
        configs.remove(at.workspace, path, text)
        say(f"removed  {path}, which held nothing else")
    plumbing.add(at.workspace, [path for path in cleared.stage if path in cleared.gone])


def _settle(at: Door, outcome: Outcome, *, dry_run: bool) -> None:
    """Write and stage, or with *dry_run* only show, and name every file."""
    from curator.core import report

    if dry_run:
        for edit in outcome.edits:
            door.say_diff(report.diff(edit))
        _say_notes(outcome)
        return
    at.settle(outcome)
    for edit in outcome.edits:
        staged = "" if edit.path in outcome.stage else f"  (not staged, it holds more than this: `git add {edit.path}`)"
        say(f"{'created' if edit.before is None else 'changed'}  {edit.path}{staged}")
    _say_notes(outcome)


def _say_notes(outcome: Outcome) -> None:
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
