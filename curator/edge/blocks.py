"""Blocks as they should be: with their closing line; those of a commit's tree as edits, written nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from curator.core import block, flags, page, rank
from curator.edge import assets, files, places, store
from curator.edge.ground import Ground
from curator.errors import CuratorError
from curator.model import Config, Entry, Target, Workspace
from curator.outcome import Block, Edit


def flagged(workspace: Workspace, config: Config, made: Block, template: str) -> Block:
    """A composed block with the closing line about those it shows that are stale, as a render writes it."""
    from curator.edge import code  # noqa: PLC0415 - a check of the block compares no code

    line = flags.line(code.judged(workspace, config, page.shown(made.selection)))
    return page.flagged(made, config, template, line)


def is_written(workspace: Workspace, config: Config, made: Block, entries: Sequence[Entry]) -> bool:
    """Whether the target's file holds this block; while there is no entry, the empty one of `init` is right too.

    Its closing line follows code: an older one, or none, is right as long as it can be true of these entries.
    CuratorError where the file, or one block in it, cannot be found.
    """
    path = made.target.path
    held = block.body(files.read(workspace, path), path)
    if held == made.body or not (held.strip() or entries):
        return True
    line = flags.found(held, page.shown(made.selection))
    return held == page.body(made.selection, assets.text(assets.BLOCK), preamble=config.preamble, flags=line)


def outdated(workspace: Workspace, today: str) -> set[str]:
    """The targets whose sound block is not what the memories give on an ISO date; looking changes nothing."""
    held = store.looked(workspace)
    ordered, template = rank.order(held.entries, held.config), assets.text(assets.BLOCK)
    wrong = set()
    for target in held.config.targets:
        made = page.compose(ordered, target, held.config, template, today)
        with suppress(CuratorError):
            if not is_written(workspace, held.config, made, held.entries):
                wrong.add(target.path)
    return wrong


class Room(NamedTuple):
    """What all targets share: the tree, its settings, the entries that are to be shown, best first, on an ISO date."""

    on: Ground
    config: Config
    ordered: Sequence[Entry]
    template: str
    today: str


def renewed(
    on: Ground, config: Config, entries: Sequence[Entry], today: str
) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """The edits of the targets whose block is another with *entries*, and why others are left as they are.

    Only what stands between the markers changes. What the block says of stale entries stays where it still can be
    true: it follows from code, which no memory changes.
    """
    room = Room(on, config, rank.order(entries, config), assets.text(assets.BLOCK), today)
    edits: dict[str, Edit] = {}
    notes: list[str] = []
    for target in config.targets:
        try:
            edit = _edit(room, target)
        except CuratorError as error:
            notes.append(f"{error.where or target.path}: {error.message}; its block is left as it is")
            continue
        if edits.setdefault(edit.path, edit) != edit:
            notes.append(f"{edit.path}: two targets are this file and want different blocks; the first has it")
    return tuple(edit for edit in edits.values() if edit.changes), tuple(notes)


def _edit(room: Room, target: Target) -> Edit:
    place = places.find(room.on.workspace, room.on.tree.files, [target.path])[target.path]
    text = None if place.submodule or place.outside else room.on.lying(place.path)
    if text is None:
        raise CuratorError("is no file of that commit", where=target.path)
    held = block.body(text, target.path)
    made = page.compose(room.ordered, target, room.config, room.template, room.today)
    made = page.flagged(made, room.config, room.template, flags.found(held, page.shown(made.selection)))
    return Edit(place.path, text, block.replace(text, made.body, target.path))
