"""Set a repository up: settings, schema, attributes, and the empty block in the right file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from curator.core import block, editors, settings
from curator.edge import files, plumbing
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Workspace
from curator.outcome import Edit, Outcome

CONFIG = f"{MEMORIES}/curator.yaml"
ATTRIBUTES = ".gitattributes"
LINES = (
    "memories/**/*.yaml text eol=lf",
    *(f"{path} text eol=lf linguist-generated" for path in editors.SHIPPED),
)
CLAUDE, AGENTS = "CLAUDE.md", "AGENTS.md"


def run(workspace: Workspace, *, target: str = "", team: bool = False) -> Outcome:
    """Every file that is still missing; what is there already stays as it is."""
    tree = plumbing.index(workspace)
    text = files.read_or_none(workspace, CONFIG)
    config = settings.read(text.encode("utf-8", "surrogateescape"), CONFIG) if text is not None else None
    chosen = _chosen(workspace, tree, config, target)
    edits = [
        Edit(CONFIG, text, settings.initial(chosen, team) if text is None else _for_team(text, team)),
        _attributes(workspace),
        *(_block(workspace, path) for path in chosen),
    ]
    made = settings.read(edits[0].after.encode("utf-8", "surrogateescape"), CONFIG)
    edits[1:1] = [Edit(path, files.read_or_none(workspace, path), text) for path, text in editors.schemas(made).items()]
    changed = tuple(edit for edit in edits if edit.changes)
    return Outcome(
        edits=changed,
        notes=(*_team(team, made), *_shadowed(tree, chosen, changed)),
        stage=tuple(_stageable(workspace, changed)),
    )


def _chosen(workspace: Workspace, tree: plumbing.Tree, config: Config | None, target: str) -> tuple[str, ...]:
    """The files that get a block.

    A new CLAUDE.md would hide every AGENTS.md from Claude Code, which reads
    those only while there is no CLAUDE.md; so AGENTS.md is taken where one exists.
    """
    if config is not None:
        paths = tuple(one.path for one in config.targets)
        if target and target not in paths:
            hint = f"add `- path: {target}` under `targets`"
            raise CuratorError(f"{target} is not a target", where=CONFIG, hint=hint)
        return (target,) if target else paths
    if target:
        return (target,)
    if files.exists(workspace, CLAUDE):
        return (CLAUDE,)
    agents = files.exists(workspace, AGENTS) or any(path.endswith(f"/{AGENTS}") for path in tree.files)
    return (AGENTS,) if agents else (CLAUDE,)


def _attributes(workspace: Workspace) -> Edit:
    text = files.read_or_none(workspace, ATTRIBUTES)
    present = {line.strip() for line in (text or "").split("\n")}
    missing = [line for line in LINES if line not in present]
    if not missing:
        return Edit(ATTRIBUTES, text, text or "")
    newline = "\r\n" if "\r\n" in (text or "") else "\n"
    head = text + newline if text and not text.endswith("\n") else text or ""
    return Edit(ATTRIBUTES, text, head + "".join(line + newline for line in missing))


def _block(workspace: Workspace, path: str) -> Edit:
    if not files.exists(workspace, path):
        first = f"@{AGENTS}\n" if path == CLAUDE and files.exists(workspace, AGENTS) else ""
        return Edit(path, None, block.insert(first))
    resolved = files.real(workspace, path)
    text = files.read(workspace, resolved)
    return Edit(resolved, text, block.insert(text, path))


_HERE = re.compile(r"^block:[ \t]*(?:here|'here'|\"here\")(?=[ \t]*(?:#.*)?\r?$)", re.M)


def _for_team(text: str, team: bool) -> str:
    """The settings with `block: main` where a *team* wants it; as they are where that would break them."""
    if not team or _kept_for(text) == "main":
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    end = "" if text.endswith("\n") or not text else newline
    changed = _HERE.sub("block: main", text) if _HERE.search(text) else f"{text}{end}block: main{newline}"
    try:
        return changed if _kept_for(changed) == "main" else text
    except CuratorError:
        return text


def _kept_for(text: str) -> str:
    """Where settings keep the block: `here` or `main`."""
    return settings.read(text.encode("utf-8", "surrogateescape"), CONFIG).block


def _team(team: bool, config: Config) -> Iterable[str]:
    if team and config.block != "main":
        yield f"{CONFIG} stays as it is: set `block: main` in it for a team"


def _shadowed(tree: plumbing.Tree, chosen: tuple[str, ...], edits: Iterable[Edit]) -> Iterable[str]:
    created = {edit.path for edit in edits if edit.before is None}
    hidden = sorted(path for path in tree.files if path == AGENTS or path.endswith(f"/{AGENTS}"))
    if CLAUDE in chosen and CLAUDE in created and hidden:
        listed = ", ".join(hidden)
        imported = f"; its first line imports {AGENTS}" if AGENTS in hidden else ""
        yield f"Claude Code stops reading {listed} now that {CLAUDE} exists{imported}"


def _stageable(workspace: Workspace, edits: tuple[Edit, ...]) -> Iterable[str]:
    """New files, and files that hold nothing unstaged: staging must not bring other work along."""
    paths = [edit.path for edit in edits]
    loose, ignored = set(plumbing.loose(workspace, paths)), set(plumbing.ignored(workspace, paths))
    return (one.path for one in edits if one.path not in ignored and (one.before is None or one.path not in loose))
