"""Bring the marked block of every target up to date with the trusted entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from curator.core import block, flags, page, rank
from curator.edge import assets, blocks, files, plumbing, state, store
from curator.edge.index import Cache
from curator.errors import CuratorError
from curator.model import Config, Entry, Fault, Finding, Target, Workspace
from curator.outcome import Block, Edit, Rendered, Store

UNFINISHED = frozenset({Fault.CONFLICT, Fault.UNMERGED})


def run(workspace: Workspace, *, as_of: str, only: str = "", check: bool = False, staged: bool = False) -> Rendered:
    """Compute every target's block as of an ISO date, and the edits that write them.

    *only* names one target's path. With *check*, a block that was right on
    another date counts as right; with *staged*, entries and targets are those
    of the index, whatever is trusted. Raises files.Changed when something was
    staged meanwhile, CuratorError when a merge is not finished or a target
    has not exactly one pair of markers.
    """
    stamp = plumbing.stamp(workspace)
    held = store.load(workspace, trust=store.INDEX if staged else "")
    refuse_unfinished(held.findings)
    if check and store.is_rendered_elsewhere(workspace, held.config):
        return Rendered((), held.findings, ("block: main - the block is checked on the default branch only",))
    room = _Room(workspace, rank.order(held.entries, held.config), held.config, assets.text(assets.BLOCK), as_of)
    edits: dict[str, Edit] = {}
    every: list[Block] = []
    notes: list[str] = []
    for target in targets(held.config, only):
        path = files.real(workspace, target.path)
        before = _text(workspace, path, staged=staged or (check and state.private_index(workspace)))
        made = _judged(room, target, block.body(before, target.path), check=check)
        after = block.replace(before, made.body, target.path)  # also where it is current: it may have to refuse
        edit = Edit(path, before, before if made.current else after)
        if edits.setdefault(path, edit) != edit:
            hint = "give both the same scope and budget, or leave one out of `targets`"
            raise CuratorError("two targets are this file and want different blocks", where=path, hint=hint)
        if edits[path] is not edit:
            continue
        every.append(made)
        notes.extend(_lost(edit, made, held, check=check))
    if not check and plumbing.stamp(workspace) != stamp:
        # Another render may have put a newer block there already: never an older one over it.
        raise files.Changed("git's index changed meanwhile", hint="run the command again")
    if not (held.findings or staged):  # with findings the long way is taken each time, so that they are shown
        store.remember(workspace, {_memo(edit.path): block.body(edit.after) for edit in edits.values()}, stamp)
    return Rendered(tuple(edits.values()), held.findings, tuple(notes), blocks=tuple(every))


def staged(workspace: Workspace, rendered: Rendered) -> Iterator[tuple[Edit, str]]:
    """For each target the edit that brings its block up to date in the index, and a note where there is none.

    Only the block is staged: what else a person changed in the file stays unstaged.
    """
    for edit, made in zip(rendered.edits, rendered.blocks, strict=True):
        try:
            text = plumbing.staged(workspace, edit.path)
        except CuratorError as error:
            yield Edit(edit.path, "", ""), f"{edit.path}: {error.message}: {error.hint}, which brings the block along"
            continue
        if text is None:
            yield Edit(edit.path, "", ""), f"{edit.path} is not tracked: `git add {edit.path}` brings the block along"
        elif not block.present(text):
            yield Edit(edit.path, text, text), f"{edit.path}: the staged version has no block: `git add {edit.path}`"
        else:
            yield Edit(edit.path, text, block.replace(text, made.body, edit.path)), ""


def is_current(workspace: Workspace, *, only: str = "") -> bool:
    """Is every block known to be right? Answers from the cache alone; False means: look closely."""

    def known(cache: Cache) -> bool:
        if store.config_of(cache).block == "main":
            return False  # whether it is checked at all depends on the branch
        paths = [files.real(workspace, target.path) for target in targets(store.config_of(cache), only)]
        staged = state.private_index(workspace)
        held = {path: block.body(_text(workspace, path, staged=staged), path) for path in paths}
        return all(cache.memo(_memo(path)) == text for path, text in held.items())

    return store.reading(workspace, known)


def _memo(path: str) -> str:
    """What the right body of a target is remembered by, until entries, settings or curator change."""
    return f"block {path}"


def _text(workspace: Workspace, path: str, *, staged: bool = False) -> str:
    """The target as it is on disk; with *staged* as it is about to be committed, where it is tracked."""
    text = plumbing.staged(workspace, path) if staged else None
    text = files.read_or_none(workspace, path) if text is None else text
    if text is None:
        raise CuratorError("no such file", where=path, hint="`curator init` makes it, with an empty block")
    return text


def targets(config: Config, only: str) -> tuple[Target, ...]:
    """The configured targets, or the one that *only* names."""
    chosen = tuple(target for target in config.targets if only in {"", target.path})
    if only and not chosen:
        known = ", ".join(target.path for target in config.targets)
        raise CuratorError(f"{only} is not a target", where="memories/curator.yaml", hint=f"targets are: {known}")
    return chosen


def refuse_unfinished(findings: Iterable[Finding]) -> None:
    """Stop while a merge is open: an entry that cannot be read must not vanish from the block."""
    open_ones = [found for found in findings if found.kind in UNFINISHED]
    if open_ones:
        first = open_ones[0]
        more = f" (and {len(open_ones) - 1} more)" if len(open_ones) > 1 else ""
        raise CuratorError(f"{first.message}{more}; nothing was rendered", where=first.where, hint=first.hint)


@dataclass(frozen=True, slots=True)
class _Room:
    """What all targets of one render share."""

    workspace: Workspace
    ordered: Sequence[Entry]
    config: Config
    template: str
    as_of: str


def _judged(room: _Room, target: Target, held: str, *, check: bool) -> Block:
    """The block of *target*, and whether *held* is it. A check takes the flags as they are, when they can be true."""
    made = page.compose(room.ordered, target, room.config, room.template, room.as_of)
    if check:
        line = flags.found(held, page.shown(made.selection))
        made = page.flagged(made, room.config, room.template, line)
    else:
        made = blocks.flagged(room.workspace, room.config, made, room.template)
    current = made.body == held or (check and _is_right(room, target, held))
    return replace(made, current=current)


def _is_right(room: _Room, target: Target, held: str) -> bool:
    """Is *held* this target's block on any day? While there is no memory, the empty block of `init` is right too."""
    if not (held.strip() or room.ordered):
        return True
    return page.holds(held, room.ordered, target, room.config, room.template)


def _lost(edit: Edit, made: Block, held: Store, *, check: bool) -> list[str]:
    """What rendering takes out of the block that no memory says."""
    path, before = edit.path, edit.before or ""
    conflict = block.conflict(before, path)
    if conflict and check:
        return [f"{path}:{conflict[0]}: a merge conflict inside the block; `curator render` settles it"]
    if conflict:
        return [f"{path}: the merge conflict inside the block is settled; `git add {path}`"]
    if made.current:
        return []
    lines = page.foreign(block.body(before, path), made.body, held.entries, held.config.categories)
    return [f"{path}: gone from the block, no memory says it: {line.strip()}" for line in lines]
