"""What the blocks of a tree hold, against what its memories give: lines by hand, and blocks that are out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha1
from itertools import chain
from typing import NamedTuple

from curator.core import block, bullet, lifecycle, rank, strays
from curator.core.compare import Look, Smell
from curator.core.effect import Shown, Side
from curator.core.strays import Stray
from curator.edge import assets, changes, index, places, plumbing, store
from curator.edge.places import Files
from curator.edge.snapshot import Snapshot
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, Fault, Level, Target, Workspace

OUTDATED = "the block is not what the memories give: `curator render`"


class _File(NamedTuple):
    """The file of a target: where it is tracked, links followed, and its text."""

    path: str
    text: str


def looks(
    workspace: Workspace,
    before: Snapshot | None,
    after: Snapshot,
    side: Side,
    base: Callable[[], Snapshot] | None = None,
) -> Iterator[Look]:
    """What is wrong with the blocks of *after* and was not so *before*; *side* is what the blocks of *after* are to be.

    Lines that no memory says are told on every branch; a block that is out
    of date only where every branch renders its own memories, and where those,
    settings or the block differ. Without *before* all that is wrong is told.
    *base* is asked for another side that may know lines which seem strange.
    """
    every = _is_held(after) and _is_touched(before, after)
    targets = _targets(before, after, every=every)
    if not targets:
        return
    files = _files(workspace, after.tree.files, (one.path for one in targets))
    was = held(workspace, before.tree.files, [*(one.path for one in targets), *_paths(before)]) if before else {}
    for target in targets:
        file, shown = files.get(target.path), side.shown[target.path]
        if file is None:
            continue
        try:
            found = _strays(workspace, file, partial(_known, before, after, shown), was, base)
        except CuratorError as error:
            if target.path in was or before is None:
                yield _broken(file, error)
            continue
        yield from (strays.look(file.path, stray) for stray in found)
        body = block.body(file.text, file.path)
        due = every or (_is_held(after) and was.get(target.path) != body)
        if not found and due and not _is_right(workspace, after, shown, body):
            line = block.find(file.text, file.path).start + 1
            yield Look(Smell.OUTDATED, file.path, line, OUTDATED)


def concerned(before: Snapshot, after: Snapshot) -> bool:
    """Whether anything that `looks` looks at differs."""
    return bool(_targets(before, after, every=_is_held(after) and _is_touched(before, after)))


def follow(workspace: Workspace, sides: Iterable[Snapshot], old: str, new: str) -> bool:
    """Whether any block of *sides*, or what it follows from, differs from the commit *old* to *new*."""
    files = {
        name
        for one in sides
        for path, place in places.find(workspace, one.tree.files, _paths(one)).items()
        for name in (path, place.path)
    }
    return any(
        one.path in files
        or _is_memory(one.path)
        or any(it and it.mode == plumbing.LINK for it in (one.before, one.after))
        for one in changes.between(workspace, old, new)
    )


def held(workspace: Workspace, files: Files, paths: Iterable[str]) -> dict[str, str]:
    """What the sound blocks of a tree hold, by the targets' paths."""
    found: dict[str, str] = {}
    for path, file in _files(workspace, files, paths).items():
        try:
            found[path] = block.body(file.text, file.path)
        except CuratorError:
            continue
    return found


def are_settled(workspace: Workspace, merged: Snapshot, paths: Iterable[str]) -> bool:
    """Whether the conflicts in the files *paths* of a merge lie inside blocks alone, which a render writes anew."""
    targets = {file.path: file.text for file in _files(workspace, merged.tree.files, _paths(merged)).values()}
    try:
        return all(path in targets and bool(block.replace(targets[path], "", path)) for path in paths)
    except CuratorError:
        return False


def _targets(before: Snapshot | None, after: Snapshot, *, every: bool) -> list[Target]:
    """The targets whose blocks are looked at: those whose file may differ, or *every* one."""
    return [one for one in after.config.targets if every or _differs(before, after, one.path)]


def _is_held(side: Snapshot) -> bool:
    """Whether the blocks of a side are to be what its own memories give. With another `trust` a render reads others."""
    config = side.config
    if config.block != "here" or config.trust != store.INDEX:
        return False
    return not any(found.kind is Fault.UNMERGED for found in side.findings)


def _is_touched(before: Snapshot | None, after: Snapshot) -> bool:
    """Whether memories or settings differ."""
    return before is None or any(_is_memory(path) for path, _ in before.tree.files.items() ^ after.tree.files.items())


def _is_memory(path: str) -> bool:
    return f"/{MEMORIES}/" in f"/{path}"


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


def _strays(
    workspace: Workspace,
    file: _File,
    known: Callable[[], Iterable[Entry]],
    was: Mapping[str, str],
    base: Callable[[], Snapshot] | None,
) -> tuple[Stray, ...]:
    """The lines of a block that neither an entry *known* nor a block that *was* says, nor those of *base*."""
    template = assets.text(assets.BLOCK)
    found = strays.find(file.text, file.path, known(), template, _lines(was))
    if not (found and base):
        return found
    other = base()
    lines = _lines(was) | _lines(held(workspace, other.tree.files, _paths(other)))
    return strays.find(file.text, file.path, chain(known(), lifecycle.in_use(other.entries, "")), template, lines)


def _lines(bodies: Mapping[str, str]) -> set[str]:
    return {line for body in bodies.values() for line in body.split("\n")}


def _files(workspace: Workspace, files: Files, paths: Iterable[str]) -> dict[str, _File]:
    """The files of those targets that are tracked as files, by the targets' paths."""
    found = places.find(workspace, files, paths)
    blobs = {path: (one.path, one.file.blob) for path, one in found.items() if one.file and not one.submodule}
    texts = plumbing.contents(workspace, {blob for _, blob in blobs.values()})
    return {
        path: _File(real, texts[blob].decode("utf-8", "surrogateescape"))
        for path, (real, blob) in blobs.items()
        if blob in texts
    }


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
