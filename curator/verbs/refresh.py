"""Anchor anew what provably did not change, and propose the new path of what moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from curator.core import checkup, lifecycle, printable, roster, splicing, vetting, wording
from curator.core.verdict import Change, Judged, Verdict
from curator.edge import code, places, plumbing, store
from curator.edge.places import Files, Place
from curator.errors import CuratorError
from curator.model import Config, Entry, Source, State, Workspace
from curator.outcome import Edit, Outcome


@dataclass(frozen=True, slots=True)
class Refreshed(Outcome):
    """Edits that anchor entries anew. *proposed* are moves that wait for a yes, as `entry: old -> new`."""

    proposed: tuple[str, ...] = ()


def run(workspace: Workspace, names: Sequence[str] = (), *, today: str, moves: bool = False) -> Refreshed:
    """Write the blob of sources whose anchors are all intact, and the path of a file that moved with the same bytes.

    *names* (ids or files) narrow it. With *moves* the path of every file that
    moved is written, unless no entry could name it: that is told; and where
    the text itself names the old path, the text gets the new one. Otherwise
    text, terms and the date of confirmation stay.
    """
    held = store.load(workspace, trust=store.INDEX)
    files = plumbing.index(workspace).code
    wanted = {roster.named(held.entries, name).path for name in names}
    in_use = [one for one in lifecycle.in_use(held.entries, today) if not names or one.path in wanted]
    judged = code.judge(workspace, None, files, in_use).judged
    found = places.find(workspace, files, {source.path for one in judged for source in one.entry.sources})
    edits: list[Edit] = []
    notes: list[str] = []
    for one in judged:
        notes.extend(_uncitable(one))
        sources = tuple(_anchored(*pair, files, found, moves=moves) for pair in _pairs(one))
        if sources == one.entry.sources:
            continue
        text = _reworded(one.entry, sources, files) if moves else one.entry.text
        try:
            edits.append(_edit(workspace, held.config, one.entry, replace(one.entry, sources=sources, text=text)))
            notes.extend(_named_in_text(one) if text == one.entry.text else ())
        except CuratorError as error:
            notes.append(f"{one.entry.path}: left alone: {error.message}")
    proposed = () if moves else tuple(_proposed(judged, files))
    stage = tuple(edit.path for edit in edits)
    return Refreshed(tuple(edits), (), tuple(notes), stage, proposed=proposed)


def _reworded(entry: Entry, sources: Sequence[Source], files: Files) -> str:
    """The entry's text with the paths that its sources have now."""
    pairs = zip(entry.sources, sources, strict=True)
    moves = {old.path: new.path for old, new in pairs if old.path != new.path}
    taken = {path.rpartition("/")[2] for path in files if path not in moves.values()}
    return wording.moved(entry.text, moves, taken) if moves else entry.text


def _edit(workspace: Workspace, config: Config, entry: Entry, new: Entry) -> Edit:
    """The entry's file as *new*; CuratorError when it has unstaged changes, or would be no valid entry."""
    text = store.settled(workspace, entry.path)
    after = splicing.splice(text, entry, new)
    for fault in vetting.errors(vetting.vet_text(after, entry.path, config.categories)[1]):
        raise CuratorError(fault.message, where=entry.path)
    return Edit(entry.path, text, after)


def _pairs(judged: Judged) -> Iterator[tuple[Source, Verdict]]:
    return zip(judged.entry.sources, judged.verdicts, strict=True)


def _anchored(source: Source, verdict: Verdict, files: Files, found: dict[str, Place], *, moves: bool) -> Source:
    file = found[source.path].file
    if verdict.state is State.AUTO and file:
        return replace(source, blob=file.blob)
    new = _new_path(verdict)
    if new and (moves or files[new].blob == source.blob):
        return replace(source, path=new, blob=files[new].blob)
    return source


def _new_path(verdict: Verdict) -> str:
    """Where a source moved with every anchor intact, to a path that it can name; "" when it did not."""
    moved = (reason.elsewhere for reason in verdict.reasons if reason.change is Change.MOVED)
    new = next(moved, "") if verdict.state is State.MOVED else ""
    return new if new and vetting.is_citable(new) else ""


def _proposed(judged: Iterable[Judged], files: Files) -> Iterator[str]:
    for one in judged:
        for source, verdict in _pairs(one):
            new = _new_path(verdict)
            if new and files[new].blob != source.blob:
                yield f"{checkup.short(one.entry)}: {source.path} -> {new}"


def _uncitable(judged: Judged) -> Iterator[str]:
    for reason in judged.reasons:
        if reason.change is Change.MOVED and not vetting.is_citable(reason.elsewhere):
            way = f"`curator edit {checkup.short(judged.entry)}`"
            where = printable.inline(judged.entry.path)
            yield f"{where}: left alone: {reason.message}, which no entry can cite: {way}"


def _named_in_text(judged: Judged) -> Iterator[str]:
    for name in checkup.moved_names(judged):
        short = checkup.short(judged.entry)
        yield f"{judged.entry.path}: its text names {name}, which moved: `curator edit {short}`"
