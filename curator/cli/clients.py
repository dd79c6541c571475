"""`init` for the clients: what it will write into their files, the writing, and the taking out."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from curator.cli import door
from curator.cli.door import Door, say

if TYPE_CHECKING:
    from curator.verbs import agents
    from curator.verbs import claude as hooking

CLIENTS = ("claude", "mcp", "opencode", "codex", "kimi")


class Plans:
    """What `init` will write for each client that was named; making it says whatever stands against one of them."""

    def __init__(self, at: Door, *, mine: hooking.Wired | None, others: dict[str, agents.Wired]) -> None:
        self._at, self._mine, self._others = at, mine, others

    @classmethod
    def made(cls, at: Door, names: list[str], *, team: bool) -> Plans:
        """The plans, looked at to the last file before anything is written."""
        from curator.edge import configs, files
        from curator.verbs import agents
        from curator.verbs import claude as hooking

        mine = hooking.hook(at.workspace, team=team) if "claude" in names else None
        if mine:
            files.examine(at.workspace, mine.edits)
        others = {name: agents.wire(at.workspace, name, team=team) for name in names if name != "claude"}
        for one in (one for wired in others.values() for one in wired.changes if one.before != one.after):
            configs.examine(at.workspace, one.path)
        return cls(at, mine=mine, others=others)

    def carry_out(self, *, dry_run: bool) -> None:
        """Write what was planned and say it, or with *dry_run* show it."""
        if self._mine:
            _claude(self._at, wired=self._mine, dry_run=dry_run)
        for name, wired in self._others.items():
            _wire(self._at, name, wired, dry_run=dry_run)


def say_unread(at: Door, names: list[str]) -> None:
    """Say which of the clients read no memory yet, and who checks all of that."""
    from curator.verbs import agents

    for line in agents.unread(at.workspace, names):
        say(line, err=True)
    say("`curator doctor` checks that all is wired", err=True)


def take_out(at: Door, *, names: list[str], dry_run: bool) -> None:
    """Take curator out of the files of the clients that were named."""
    for name in names:
        if name == "claude":
            _unclaude(at, dry_run=dry_run)
        else:
            _unwire(at, name, dry_run=dry_run)


# -- the files of other clients ----------------------------------------------------


def _wire(at: Door, name: str, wired: agents.Wired, *, dry_run: bool) -> None:
    if any(one.before != one.after for one in wired.changes):
        _settle(at, wired, dry_run=dry_run)
    else:
        _in_place(at, _listed(wired.changes), stage=() if dry_run else wired.stage)
    for note in wired.notes:
        say(note, err=True)
    if wired.exclude:
        exclude = shlex.quote(os.path.relpath(f"{at.workspace.common_dir}/info/exclude"))
        lines = " ".join(shlex.quote(f"/{path}") for path in wired.exclude)
        say(f"so they should not be committed: `printf '%s\\n' {lines} >> {exclude}`", err=True)
    say(f"`curator init --{name} --remove` takes it out again", err=True)


def _in_place(at: Door, told: str, *, stage: tuple[str, ...], what: str = "in place") -> None:
    """Say that files are as they should be; those that git did not take so far are staged."""
    from curator.edge import plumbing

    plumbing.add(at.workspace, stage)
    say(f"{what}: {told}{'  (staged)' if stage else ''}")


def _unwire(at: Door, name: str, *, dry_run: bool) -> None:
    from curator.core import readers
    from curator.edge import configs
    from curator.verbs import agents

    wired = agents.unwire(at.workspace, name)
    if not wired.changes:
        say(f"nothing of curator's for {readers.NAMES[name]}")
        return
    for one in wired.changes:
        configs.examine(at.workspace, one.path)
    _settle(at, wired, dry_run=dry_run)
    for note in wired.notes:
        say(note, err=True)


def _settle(at: Door, wired: agents.Wired, *, dry_run: bool) -> None:
    """Write, stage, remember what was empty, and name every file; or only show."""
    from curator.edge import configs, plumbing

    changed = [one for one in wired.changes if one.before != one.after]
    if dry_run:
        for one in changed:
            _show(one)
        return
    for one in changed:
        if one.after is None:
            configs.remove(at.workspace, one.path, one.before or "")
        else:
            configs.put(at.workspace, one.path, one.before, one.after)
    plumbing.add(at.workspace, wired.stage)
    configs.remember(at.workspace, {one.path: one.hollow for one in changed})
    for one in changed:
        for line in one.summary:
            say(f"{line}{'  (staged)' if one.path in wired.stage else ''}")
        if one.after is None:
            say(f"removed  {configs.shown(one.path)}, which held nothing else")


def _show(one: agents.Change) -> None:
    """The change as a patch; of a file outside the repository only what goes in or out, as the rest is private."""
    from curator.core import patch, report
    from curator.edge import configs
    from curator.outcome import Edit

    if not os.path.isabs(one.path):
        door.say_diff(report.diff(Edit(one.path, one.before, one.after or ""), gone=one.after is None))
        return
    say(f"{configs.shown(one.path)}:")
    for line in patch.parts(one.before or "", one.after or ""):
        say(f"  {line}")


def _listed(changes: tuple[agents.Change, ...]) -> str:
    from curator.edge import configs

    return ", ".join(configs.shown(one.path) for one in changes)


# -- the hooks of Claude Code ------------------------------------------------------


def _claude(at: Door, *, wired: hooking.Wired, dry_run: bool) -> None:
    """Write Claude Code's settings and say what changed, or with *dry_run* show it."""
    from curator.edge import claude

    if dry_run:
        _preview(wired)
    elif not wired.changes:
        _in_place(at, claude.SETTINGS, what="the hooks are in place", stage=wired.stage)
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


def _sum_up(wired: hooking.Wired) -> None:
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
    for note in wired.notes:
        say(note, err=True)


def _preview(wired: hooking.Wired) -> None:
    from curator.core import report

    for edit in wired.edits:
        door.say_diff(report.diff(edit))
