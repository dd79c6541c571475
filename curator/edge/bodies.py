"""What the blocks of a tree hold, against what its memories give: lines by hand, and blocks that are out of date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha1
from typing import NamedTuple

from curator.core import block, bullet, lifecycle, rank, strays
from curator.core.compare import Look, Smell
from curator.core.effect import Shown, Side
from curator.edge import assets, index, places, plumbing
from curator.edge.snapshot import Snapshot
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, Fault, Level, Workspace

OUTDATED = "the block is not what the memories give: `curator render`"


class _File(NamedTuple):
    """The file of a target: where it is tracked, links followed, and its text."""

    path: str
    text: str


def looks(workspace: Workspace, before: Snapshot | None, after: Snapshot, side: Side) -> Iterator[Look]:
    """What is wrong with the blocks of *after* and was not so *before*; *side* is what the blocks of *after* are to be.

    Lines that no memory says are told on every branch; a block that is out
    of date only where blocks are rendered on every branch, and where memories,
    settings or the file differ. Without *before* all that is wrong is told.
    """
    template = assets.text(assets.BLOCK)
    due = _is_due(before, after)
    targets = [one for one in after.config.targets if due or _differs(before, after, one.path)]
    if not targets:
        return
    files = _files(workspace, after, (one.path for one in targets))
    held = _lines(workspace, before, [*(one.path for one in targets), *_paths(before)]) if before else {}
    for target in targets:
        file, shown = files.get(target.path), side.shown[target.path]
        if file is None:
            continue
        try:
            found = strays.find(
                file.text, file.path, _known(before, after, shown), template, set().union(*held.values())
            )
        except CuratorError as error:
            if target.path in held or before is None:
                yield _broken(file, error)
            continue
        yield from (strays.look(file.path, stray) for stray in found)
        if not found and due and not _is_right(workspace, after, shown, block.body(file.text, file.path)):
            line = block.find(file.text, file.path).start + 1
            yield Look(Smell.OUTDATED, file.path, line, OUTDATED)


def concerned(before: Snapshot, after: Snapshot) -> bool:
    """Whether anything that `looks` looks at differs."""
    return _is_due(before, after) or any(_differs(before, after, one.path) for one in after.config.targets)


def are_settled(workspace: Workspace, merged: Snapshot, paths: Iterable[str]) -> bool:
    """Whether the conflicts in the files *paths* of a merge lie inside blocks alone, which a render writes anew."""
    targets = {file.path: file.text for file in _files(workspace, merged, _paths(merged)).values()}
    try:
        return all(path in targets and bool(block.replace(targets[path], "", path)) for path in paths)
    except CuratorError:
        return False


def _is_due(before: Snapshot | None, after: Snapshot) -> bool:
    """Whether blocks are to be right here, and something that they follow from differs."""
    if after.config.block != "here" or any(found.kind is Fault.UNMERGED for found in after.findings):
        return False
    if before is None:
        return True
    paths = {path for path, _ in before.tree.files.items() ^ after.tree.files.items()}
    files = {target.path for target in (*before.config.targets, *after.config.targets)}
    return any(path in files or f"/{MEMORIES}/" in f"/{path}" for path in paths)


def _differs(before: Snapshot | None, after: Snapshot, path: str) -> bool:
    """Whether a target may hold something else: a link is looked behind in any case."""
    if before is None:
        return False
    was, now = before.tree.files.get(path), after.tree.files.get(path)
    return was != now or bool(now and now.mode == plumbing.LINK)


def _paths(side: Snapshot | None) -> list[str]:
    return [target.path for target in side.config.targets] if side else []


def _known(before: Snapshot | None, after: Snapshot, shown: Shown) -> Iterator[Entry]:
    """The entries that the block may show on any day: first those that it does, at last those that it did."""
    yield from shown.entries.values()
    yield from lifecycle.in_use(after.entries, "")
    yield from lifecycle.in_use(before.entries, "") if before else ()


def _files(workspace: Workspace, side: Snapshot, paths: Iterable[str]) -> dict[str, _File]:
    """The files of those targets that are tracked as files, by the targets' paths."""
    found = places.find(workspace, side.tree.files, paths)
    blobs = {path: (one.path, one.file.blob) for path, one in found.items() if one.file and not one.submodule}
    held = plumbing.contents(workspace, {blob for _, blob in blobs.values()})
    return {
        path: _File(real, held[blob].decode("utf-8", "surrogateescape"))
        for path, (real, blob) in blobs.items()
        if blob in held
    }


def _lines(workspace: Workspace, side: Snapshot, paths: Iterable[str]) -> dict[str, set[str]]:
    """The lines of the sound blocks of one side, by the targets' paths."""
    found: dict[str, set[str]] = {}
    for path, file in _files(workspace, side, paths).items():
        try:
            found[path] = set(block.body(file.text, file.path).split("\n"))
        except CuratorError:
            continue
    return found


def _broken(file: _File, error: CuratorError) -> Look:
    _, _, line = error.where.rpartition(":")
    number = int(line) if line.isdigit() else 1
    told = f"no block can be found any more: {error.message}"
    return Look(Smell.OUTDATED, file.path, number, told, level=Level.ERROR)


def _is_right(workspace: Workspace, side: Snapshot, shown: Shown, held: str) -> bool:
    """Whether a block is what its side gives, on any date; the same question is answered from the cache."""
    if not (held.strip() or side.entries):
        return True
    from curator.core import flags, page  # noqa: PLC0415 - only where a block has to be right on this branch

    template, preamble = assets.text(assets.BLOCK), side.config.preamble
    flag = flags.found(held, tuple(shown.entries.values()))
    items = [[one.category, *map(bullet.item, one.shown)] for one in shown.sections if one.shown]
    told = repr((template, preamble, items, len(shown.missing), flag, held))
    key = f"block {sha1(told.encode('utf-8', 'surrogatepass')).hexdigest()}"
    cache = index.open(workspace)
    known = cache.verdicts([key]).get(key)
    if known is None:
        is_it = page.body(shown.selection, template, preamble=preamble, flags=flag) == held
        known = "right" if is_it else "other"
        index.remember(workspace, cache, {}, {key: known})
    if known == "right" or not any(entry.expires for entry in side.entries):
        return known == "right"  # where nothing expires it is the same on every date
    return page.holds(held, rank.order(side.entries, side.config), shown.target, side.config, template)
