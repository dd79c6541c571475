"""What `init --claude` writes into the settings of Claude Code, and takes out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from curator.core import clients
from curator.edge import claude, configs, hooks, plumbing
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit, Outcome

FOLDER = "."
"""Stands for the folder of the settings among the names of what was empty before."""


@dataclass(frozen=True, slots=True)
class Wired(Outcome):
    """The edit of the settings.

    *summary*: what it does, a line each; *hollow*: what was empty before; *gone*: nothing is left, so the file goes;
    *exclude*: git's list of what to keep out of commits, where the settings belong as they name a path of this machine.
    """

    summary: tuple[str, ...] = ()
    hollow: tuple[str, ...] = ()
    gone: bool = False
    exclude: str = ""


def hook(workspace: Workspace, *, team: bool) -> Wired:
    """Plan the hooks: with the path of this machine's curator-hook, or with *team* in a form to commit.

    CuratorError where a plugin brings the events already, and where git tracks a file that a path does not belong in.
    """
    text = claude.text(workspace)
    before = "{}\n" if text is None else text
    settings = clients.read(before, claude.SETTINGS)
    _refuse_twice(workspace, wired=bool(clients.installed(settings)))
    program = hooks.program(clients.PROGRAM)
    if not team:
        _refuse_path(workspace, program)
    after = clients.merged(before, program, team=team, where=claude.SETTINGS)
    edit = Edit(claude.SETTINGS, text, after)
    kept = claude.remembered(workspace)
    if not clients.installed(settings):
        folder = (FOLDER,) if claude.hollow(workspace) else ()
        kept = (*folder, *(() if text is None else clients.hollow(text, claude.SETTINGS)))
    ignored = configs.excluded(workspace, [claude.SETTINGS]).get(claude.SETTINGS, "")
    own = not clients.read(clients.removed(after, claude.SETTINGS, keep=()), claude.SETTINGS)
    fresh = own and not (ignored or plumbing.blobs(workspace, [claude.SETTINGS]))
    return Wired(
        edits=(edit,) if edit.changes else (),
        notes=tuple(_told(clients.read(after, claude.SETTINGS), program, team=team, ignored=ignored)),
        stage=(edit.path,) if team and (fresh or (edit.changes and _whole(workspace, text))) else (),
        summary=clients.summary(settings, clients.read(after, claude.SETTINGS), claude.SETTINGS),
        hollow=kept,
        exclude="" if team or ignored else f"{workspace.common_dir}/info/exclude",
    )


def unhook(workspace: Workspace) -> Wired:
    """Plan the settings without curator's hooks; what was staged or committed of them is staged without them."""
    text = claude.text(workspace)
    if text is None:
        return Wired()
    kept = claude.remembered(workspace)
    after = clients.removed(text, claude.SETTINGS, keep=kept)
    left = clients.read(after, claude.SETTINGS)
    edit = Edit(claude.SETTINGS, text, after)
    line = configs.excluded(workspace, [claude.SETTINGS]).get(claude.SETTINGS, "") if edit.changes else ""
    return Wired(
        edits=(edit,) if edit.changes else (),
        notes=(configs.LEFT.format(line=line, path=claude.SETTINGS),) if line else (),
        stage=(edit.path,) if edit.changes and _whole(workspace, text) else (),
        summary=clients.summary(clients.read(text, claude.SETTINGS), left, claude.SETTINGS),
        hollow=kept,
        gone=edit.changes and not left and "" not in kept,
    )


def _refuse_twice(workspace: Workspace, *, wired: bool) -> None:
    """Refuse hooks beside a plugin that is on. *wired*: there are some already."""
    here = claude.settings(workspace)
    for name in claude.plugins(here):
        scope = claude.scope(workspace, here, name)
        keep = "`curator init --claude --remove`" if wired else "then nothing is to be done"
        off = f"`claude plugin disable {name}{f' --scope {scope}' if scope != 'user' else ''}`"
        whose = {"user": "for you", "project": "for this project", "local": "for you in this project"}[scope]
        raise CuratorError(
            f"the plugin {name} is on {whose}, so with these hooks every event would come twice; nothing was written",
            hint=f"keep the plugin: {keep}. Keep the hooks: {off}, then run this again",
        )


def _refuse_path(workspace: Workspace, program: str) -> None:
    """Refuse a form that names a path where there is none, or where git would hand it to others."""
    if not program:
        hint = "install curator again (README.md); `curator init --claude --team` writes a form that needs no path"
        raise CuratorError(f"{clients.PROGRAM} is not beside curator and not on PATH", hint=hint)
    if plumbing.blobs(workspace, [claude.SETTINGS]):
        raise CuratorError(
            f"git tracks it, and {program} is a path of this machine; nothing was written",
            where=claude.SETTINGS,
            hint="`curator init --claude --team` writes a form to commit",
        )


def _whole(workspace: Workspace, text: str | None) -> bool:
    """Would staging the file bring nothing else along?"""
    if plumbing.ignored(workspace, [claude.SETTINGS]):
        return False
    return text is None or not plumbing.loose(workspace, [claude.SETTINGS])


def _told(after: dict[str, Any], program: str, *, team: bool, ignored: str) -> Iterator[str]:
    """What a person should know of the plan; *ignored*: the line by which git ignores the settings."""
    if team and ignored:
        yield configs.UNSHARED.format(line=ignored, path=claude.SETTINGS)
    if not team:
        yield f"{program} is a path of this machine; `curator init --claude --team` writes a form for everybody"
    if after.get("disableAllHooks") is True:
        yield f"`disableAllHooks` is set in {claude.SETTINGS}: no hook runs"
