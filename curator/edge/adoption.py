"""What another tool keeps, held against this repository, and put into its inbox or its tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from errno import EDQUOT, ENOSPC
from typing import NamedTuple

from curator.core import adoption, codec, keys, lifecycle, mention
from curator.core.adoption import KNOWN, REFUSED, WAITS, Adoption, Left, Room, Taken
from curator.core.harvest import File
from curator.core.imports import item, records
from curator.core.imports.item import Item
from curator.edge import bulk, cited, decisions, files, imported, inbox, plumbing, store
from curator.edge.bulk import Each
from curator.edge.foreign import Source
from curator.edge.plumbing import Tracked, Tree
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Entry, Workspace
from curator.outcome import Draft, Edit, Store

_Pairs = Sequence[tuple[Item, Draft]]


class Asked(NamedTuple):
    """How an import is wanted: *now* in ISO 8601, *tail* gives 6 random hex digits.

    *category* overrules the guesses, *project* is the name that its store calls this repository by. With *accept*
    entries of the tree, with the evidence that the index holds now; else proposals. *each* may count them.
    """

    now: str
    tail: Callable[[], str]
    category: str = ""
    project: str = ""
    accept: bool = False
    each: Callable[[Iterable[tuple[Item, Draft]]], Iterable[tuple[Item, Draft]]] = iter


def adopt(workspace: Workspace, source: Source, asked: Asked) -> Adoption:
    """What becomes of each statement of *source*; nothing is written."""
    held = store.load(workspace, trust=store.INDEX)
    tree = plumbing.index(workspace)
    _refuse_category(asked.category, held.config)
    room = Room(
        config=held.config,
        tracked=mention.paths(tree.files),
        known=_known(workspace, held, asked.now[:10]),
        names=frozenset({asked.project.lower()}) if asked.project else _names(workspace, source.items),
        format=source.format,
        now=asked.now,
        accept=asked.accept,
        category=asked.category,
        home=lambda scope: store.home(tree, scope) if scope else "",
        lying=_lying(workspace, held.config, tree) if asked.accept else {},
    )
    fit, left = adoption.sifted(source.items, room)
    times = item.scale(one.importance for one in fit)
    drafts: _Pairs = [(one, adoption.draft(one, room, times)) for one in fit]
    read: Mapping[str, File] = {}
    if asked.accept:
        drafts, read = _sourced(workspace, tree.files, drafts)
    judged = list(adoption.judged(asked.each(drafts), room, read, asked.tail))
    taken = [one for one in judged if isinstance(one, Taken)]
    return Adoption(
        edits=tuple(_edit(workspace, one, room) for one in taken),
        stage=tuple(one.entry.path for one in taken) if asked.accept else (),
        notes=(*source.notes, *adoption.notes(fit, room)),
        place=source.place,
        format=source.format,
        accept=asked.accept,
        entries=tuple((one.item, one.entry) for one in taken),
        left=(*left, *(one for one in judged if isinstance(one, Left))),
    )


def _refuse_category(category: str, config: Config) -> None:
    if category and category not in config.categories:
        raise CuratorError(f"no category {category!r}", hint=f"there are: {', '.join(config.categories)}")


def _names(workspace: Workspace, items: Iterable[Item]) -> frozenset[str]:
    """What a store may call this repository by: its folder, that of its main work tree, the end of a remote's URL."""
    folders = workspace.root, os.path.dirname(workspace.common_dir)
    names = frozenset(os.path.basename(folder.rstrip(os.sep)).lower() for folder in folders)
    if all(not one.project or one.project.lower() in names for one in items):
        return names
    told = plumbing.git(workspace, "config", "--null", "--get-regexp", r"^remote\..*\.url$", ok=(0, 1))
    urls = (record.partition("\n")[2] for record in told.decode("utf-8", "replace").split("\0"))
    return names | {name for url in urls if (name := records.project(url).lower())}


def _known(workspace: Workspace, held: Store, today: str) -> dict[str, tuple[str, str]]:
    """Why what a key stands for is not taken: it is a memory or was one, it waits, or somebody refused it."""
    ended = lifecycle.ended(held.entries, today)
    found: dict[str, tuple[str, str]] = {}
    shared = os.path.join(workspace.root, MEMORIES, ".rejected")
    refused = {*decisions.own(workspace), *(os.listdir(shared) if os.path.isdir(shared) else ())}
    found.update(dict.fromkeys(refused, (REFUSED, "")))
    found.update(dict.fromkeys(inbox.keys(workspace), (WAITS, "")))
    for entry in held.entries:
        reason = (f"was {ended[entry.path].split()[0]}", entry.id) if entry.path in ended else (KNOWN, entry.id)
        for key in (entry.origin.key, keys.key(held.config.namespace, entry.text)):
            if key:
                found[key] = reason
    return found


def _lying(workspace: Workspace, config: Config, tree: Tree) -> dict[str, Entry]:
    """Entries that lie untracked in the root's memories, by their keys: those of an import that was killed."""
    found = {}
    for path in plumbing.loose(workspace, [MEMORIES]):
        text = files.read_or_none(workspace, path) if path.endswith(".yaml") and path not in tree.files else None
        entry, _ = codec.read((text or "").encode("utf-8", "surrogateescape"), path, config.categories)
        if entry and entry.origin.by == "import" and entry.origin.extractor.startswith("import/"):
            found[entry.origin.key] = entry
    return found


def _sourced(workspace: Workspace, tree: Mapping[str, Tracked], drafts: _Pairs) -> tuple[_Pairs, Mapping[str, File]]:
    """The drafts with the files that define what they name besides, and the texts of all those files."""
    naming = cited.naming(workspace, tree, [made.text for _, made in drafts])
    found = []
    for one, made in drafts:
        if one.own:
            found.append((one, made))
            continue
        more = naming(made.text, made.scope, {source.path for source in made.sources})
        sources = (*made.sources, *(source for source, _ in more))[: mention.MOST]
        found.append((one, replace(made, sources=sources)))
    return found, cited.files(workspace, tree, (source.path for _, made in found for source in made.sources))


def _edit(workspace: Workspace, taken: Taken, room: Room) -> Edit:
    """A new file of the tree or of the inbox; one that lies there from an import that was killed stays as it is."""
    key = taken.entry.origin.key
    if not room.accept:
        return Edit(inbox.path(workspace, key), None, taken.text)
    text = files.read_or_none(workspace, taken.entry.path) if key in room.lying else None
    return Edit(taken.entry.path, text, taken.text if text is None else text)


# --- Writing ------------------------------------------------------------------------------------------------------


def deliver(workspace: Workspace, adopted: Adoption, each: Each = iter) -> int:
    """Put the proposals into the inbox, all or none; return how many are new there. CuratorError where that fails.

    What somebody proposed meanwhile stays as they did.
    """
    place = inbox.folder(workspace)
    with inbox.deciding(workspace), _reasons(place):
        added = [entry.origin.key for _, entry in adopted.entries]
        imported.note(workspace, inbox.keys(workspace), added)
        try:
            return len(bulk.create(_bytes(workspace, adopted), each=each, spare=True))
        except BaseException:
            with suppress(OSError):
                imported.note(workspace, inbox.keys(workspace), ())
            raise


def place(workspace: Workspace, adopted: Adoption, each: Each = iter) -> None:
    """Write the entries into the tree and stage them, all or none. CuratorError where that fails.

    A process that is killed in between leaves files that the next run finds again and stages.
    """
    files.examine(workspace, adopted.edits)
    for path in plumbing.ignored(workspace, adopted.stage)[:1]:
        hint = f"take it out of .gitignore: `git check-ignore -v {path}` names the line"
        raise CuratorError("git ignores it, so nothing was written", where=path, hint=hint)
    with files.lock(workspace):
        for folder in {os.path.dirname(os.path.join(workspace.root, edit.path)) for edit in adopted.edits}:
            bulk.sweep(folder)
        with _reasons(MEMORIES):
            made = bulk.create(_bytes(workspace, adopted), each=each)
        try:
            plumbing.add(workspace, adopted.stage)
        except BaseException:
            bulk.remove(made)
            raise


@contextmanager
def _reasons(where: str) -> Iterator[None]:
    """Turn what the system refuses into a message; `bulk` has taken back what it made."""
    try:
        yield
    except FileExistsError as error:
        message = "a file of that name is there already"
        raise CuratorError(
            message, where=os.fspath(error.filename2 or where), hint="look at it, then try again"
        ) from None
    except OSError as error:
        full = error.errno in (ENOSPC, EDQUOT)
        hint = f"{'free some space' if full else 'put that right'}, then run the command again"
        raise CuratorError(f"nothing was imported: {error.strerror or error}", where=where, hint=hint) from None


def _bytes(workspace: Workspace, adopted: Adoption) -> list[tuple[str, bytes]]:
    return [
        (os.path.join(workspace.root, edit.path), edit.after.encode("utf-8", "surrogateescape"))
        for edit in adopted.edits
        if edit.before is None
    ]
