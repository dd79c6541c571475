"""What `init --claude` writes into the settings of Claude Code, and takes out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from curator.core import clients
from curator.edge import claude, hooks, plumbing
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit, Outcome

FOLDER = "."
"""Stands for the folder of the settings among the names of what was empty before."""


@dataclass(frozen=True, slots=True)
class Wired(Outcome):
    """The edit of the settings. *hollow*: what was empty before; *gone*: nothing is left, so the file goes."""

    hollow: tuple[str, ...] = ()
    gone: bool = False


def hook(workspace: Workspace, *, team: bool) -> Wired:
    """Plan the hooks: with the path of this machine's curator-hook, or with *team* in a form to commit."""
    program = hooks.program(clients.PROGRAM)
    if not (program or team):
        hint = "install curator again (README.md); `curator init --claude --team` writes a form that needs no path"
        raise CuratorError(f"{clients.PROGRAM} is not beside curator and not on PATH", hint=hint)
    text = claude.text(workspace)
    before = "{}\n" if text is None else text
    after = clients.merged(before, program, team=team, where=claude.SETTINGS)
    edit = Edit(claude.SETTINGS, text, after)
    kept = claude.remembered(workspace)
    if not clients.installed(clients.read(before, claude.SETTINGS)):
        folder = (FOLDER,) if claude.hollow(workspace) else ()
        kept = (*folder, *(() if text is None else clients.hollow(text, claude.SETTINGS)))
    return Wired(
        edits=(edit,) if edit.changes else (),
        notes=tuple(_told(workspace, after, program, team=team)),
        stage=(edit.path,) if team and edit.changes and _whole(workspace, text) else (),
        hollow=kept,
    )


def unhook(workspace: Workspace) -> Wired:
    """Plan the settings without curator's hooks."""
    text = claude.text(workspace)
    if text is None:
        return Wired()
    kept = claude.remembered(workspace)
    after = clients.removed(text, claude.SETTINGS, keep=kept)
    edit = Edit(claude.SETTINGS, text, after)
    gone = edit.changes and not clients.read(after, claude.SETTINGS) and "" not in kept
    return Wired(edits=(edit,) if edit.changes else (), hollow=kept, gone=gone)


def _whole(workspace: Workspace, text: str | None) -> bool:
    """Would staging the file bring nothing else along?"""
    if plumbing.ignored(workspace, [claude.SETTINGS]):
        return False
    return text is None or not plumbing.loose(workspace, [claude.SETTINGS])


def _told(workspace: Workspace, after: str, program: str, *, team: bool) -> Iterator[str]:
    if not team:
        yield (
            f"{program} is a path of this machine, so keep this file out of commits; "
            "`curator init --claude --team` writes a form for everybody"
        )
    elif plumbing.ignored(workspace, [claude.SETTINGS]):
        yield f"{claude.SETTINGS} is ignored by git, so nobody else gets it"
    here = claude.settings(workspace)
    for name in claude.plugins(here):
        way = f"`claude plugin disable {name}` is one way out"
        yield f"the plugin {name} is on as well, so every event comes twice: {way}"
    if clients.read(after, claude.SETTINGS).get("disableAllHooks") is True:
        yield f"`disableAllHooks` is set in {claude.SETTINGS}: no hook runs"
