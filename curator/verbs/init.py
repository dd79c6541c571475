"""Set a repository up: settings, schema, attributes, and the empty block in the right file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from curator.core import block, editors, settings
from curator.core import targets as named
from curator.edge import files, plumbing, store
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Target, Workspace
from curator.outcome import Edit, Outcome

CONFIG = f"{MEMORIES}/curator.yaml"
ATTRIBUTES = ".gitattributes"
LINES = (
    "memories/**/*.yaml text eol=lf",
    *(f"{path} text eol=lf linguist-generated" for path in editors.SHIPPED),
)
CLAUDE, AGENTS = "CLAUDE.md", "AGENTS.md"


def run(workspace: Workspace, *, targets: Sequence[str] = (), scope: str = "", team: bool = False) -> Outcome:
    """Every file that is still missing; what is there already stays as it is.

    *targets* are wanted beside those there are, and about *scope* where that is no "".
    """
    tree = plumbing.index(workspace)
    text = files.read_or_none(workspace, CONFIG)
    config = settings.read(text.encode("utf-8", "surrogateescape"), CONFIG) if text is not None else None
    wanted = tuple(named.made(path, scope) for path in dict.fromkeys(targets))
    chosen = _chosen(workspace, tree, config, wanted, scoped=bool(scope))
    edits = [
        Edit(CONFIG, text, _settings(text, config, chosen, team=team)),
        _attributes(workspace),
        *(_block(workspace, one) for one in chosen),
    ]
    made = settings.read(edits[0].after.encode("utf-8", "surrogateescape"), CONFIG)
    edits[1:1] = [Edit(path, files.read_or_none(workspace, path), text) for path, text in editors.schemas(made).items()]
    changed = tuple(edit for edit in edits if edit.changes)
    return Outcome(
        edits=changed,
        notes=(
            *_team(team, made),
            *_shadowed(tree, tuple(one.path for one in chosen), changed),
            *_aside(chosen, made),
            *_unfounded(tree, chosen, made),
        ),
        stage=tuple(_stageable(workspace, changed)),
    )


@dataclass(frozen=True, slots=True)
class Cleared(Outcome):
    """The edits that take blocks out. *gone*: files that hold nothing else, with their text; they go."""

    gone: Mapping[str, str] = field(default_factory=dict)


def clear(workspace: Workspace, paths: Sequence[str] = ()) -> Cleared:
    """The files of these targets without their blocks, and the settings without the targets; without *paths* all.

    CuratorError where one is no target, or a block cannot be told from the text around it.
    """
    text = files.read_or_none(workspace, CONFIG)
    config = settings.read(text.encode("utf-8", "surrogateescape"), CONFIG) if text is not None else Config(targets=())
    known = {one.path: one for one in config.targets}
    strange = next((path for path in paths if path not in known), "")
    if strange:
        raise CuratorError(f"{strange} is not a target", where=CONFIG, hint=f"targets are: {', '.join(known)}")
    chosen = [known[path] for path in dict.fromkeys(paths or known)]
    edits = {edit.path: edit for one in chosen for edit in _cleared(workspace, one)}
    gone = {
        one.path: edit.before
        for one in chosen
        if (edit := edits.get(one.path)) and edit.before and edit.after.strip() == named.front(one).strip()
    }
    if text is not None:
        edits[CONFIG] = Edit(CONFIG, text, named.dismissed(text, config, {one.path for one in chosen}, CONFIG))
    changed = tuple(edit for edit in edits.values() if edit.changes)
    stage = tuple(_stageable(workspace, changed))
    return Cleared(edits=tuple(one for one in changed if one.path not in gone), stage=stage, gone=gone)


def _cleared(workspace: Workspace, target: Target) -> Iterator[Edit]:
    """The edit of a target's file, links followed, where it is there."""
    if files.exists(workspace, target.path):
        path = files.real(workspace, target.path)
        text = files.read_or_none(workspace, path)
        if text is not None:
            yield Edit(path, text, block.without(text, path))


def blank(workspace: Workspace) -> tuple[str, ...]:
    """The targets that hold an empty block while there are memories and every branch renders its own."""
    try:
        held = store.load(workspace)
    except CuratorError:  # what is trusted is not here; every other command says so
        return ()
    if held.config.block != "here" or not held.entries:
        return ()
    paths = (one.path for one in held.config.targets)
    return tuple(path for path in paths if _is_blank(files.read_or_none(workspace, path), path))


def _is_blank(text: str | None, path: str) -> bool:
    """Is there a sound block in a text, and is nothing in it?"""
    with suppress(CuratorError):
        return text is not None and not block.body(text, path).strip()
    return False


def _settings(text: str | None, config: Config | None, chosen: Sequence[Target], *, team: bool) -> str:
    """The settings with every chosen target."""
    if text is None or config is None:
        return settings.initial(chosen, team)
    known = {one.path for one in config.targets}
    return _for_team(named.enlisted(text, config, [one for one in chosen if one.path not in known], CONFIG), team)


def _chosen(
    workspace: Workspace, tree: plumbing.Tree, config: Config | None, wanted: tuple[Target, ...], *, scoped: bool
) -> tuple[Target, ...]:
    """The files that get a block; *scoped*: the folder that they are about was asked for.

    A new CLAUDE.md would hide every AGENTS.md from Claude Code, which reads
    those only while there is no CLAUDE.md; so AGENTS.md is taken where one exists.
    """
    known = {one.path: one for one in config.targets} if config else {}
    for one in wanted:
        if one.path not in known:
            named.refuse_other(one)
        elif scoped and known[one.path].scope != one.scope:
            raise _known_otherwise(known[one.path])
    if config is not None:
        return tuple(known.get(one.path, one) for one in wanted) or config.targets
    if wanted:
        return wanted
    if files.exists(workspace, CLAUDE):
        return (Target(CLAUDE),)
    agents = files.exists(workspace, AGENTS) or any(path.endswith(f"/{AGENTS}") for path in tree.files)
    return (Target(AGENTS if agents else CLAUDE),)


def _known_otherwise(target: Target) -> CuratorError:
    about = f"about {target.scope}" if target.scope else "about the whole repository"
    hint = f"change `scope` there, and its front matter; or `curator init --target {target.path} --remove`, then again"
    return CuratorError(f"{target.path} is a target already, {about}", where=CONFIG, hint=hint)


def _attributes(workspace: Workspace) -> Edit:
    text = files.read_or_none(workspace, ATTRIBUTES)
    present = {line.strip() for line in (text or "").split("\n")}
    missing = [line for line in LINES if line not in present]
    if not missing:
        return Edit(ATTRIBUTES, text, text or "")
    newline = "\r\n" if "\r\n" in (text or "") else "\n"
    head = text + newline if text and not text.endswith("\n") else text or ""
    return Edit(ATTRIBUTES, text, head + "".join(line + newline for line in missing))


def _block(workspace: Workspace, target: Target) -> Edit:
    path = target.path
    if not files.exists(workspace, path):
        imports = f"@{AGENTS}\n" if path == CLAUDE and files.exists(workspace, AGENTS) else ""
        return Edit(path, None, block.insert(named.front(target) or imports))
    resolved = files.real(workspace, path)
    text = files.read(workspace, resolved)
    return Edit(resolved, text, block.insert(text, path))


def _aside(chosen: Iterable[Target], config: Config) -> Iterable[str]:
    """What a target about a folder does to the others."""
    for one in chosen:
        if one.scope and not any(other.scope == "" for other in config.targets):
            yield f"{one.path} shows memories about {one.scope} only, and no file those of the whole repository"


def _unfounded(tree: plumbing.Tree, chosen: Iterable[Target], config: Config) -> Iterable[str]:
    """Which of the new blocks speak about a folder where nothing is."""
    others = {one.path for one in config.targets}
    return (told for one in chosen if (told := named.unfounded(one, tree.files, others)))


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
