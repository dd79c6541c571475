"""Say that an entry is true of the code that is there now: show then and now, then stamp its sources anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from curator.core import checkup, codec, comparison, harvest, roster, splicing, vetting
from curator.core.comparison import View
from curator.core.verdict import Change, Judged, Verdict
from curator.edge import cited, code, places, plumbing, store
from curator.edge.places import Files
from curator.errors import CuratorError
from curator.model import Entry, Level, Source, Workspace
from curator.outcome import Edit, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation(Outcome):
    """What confirming *entry* would write. *wants_yes*: something is in doubt, so a person has to agree."""

    entry: Entry
    views: tuple[View, ...] = ()
    wants_yes: bool = False


def run(workspace: Workspace, name: str, *, today: str) -> Confirmation:
    """Stamp the sources of the entry that *name* means from the index, on an ISO date.

    Text, reason and origin stay as they are. A source that moved gets its new
    path; one that is gone is dropped. CuratorError where what is left would
    be no valid entry, and where a source moved to a path that none can name.
    """
    held = store.load(workspace, trust=store.INDEX)
    entry = roster.named(held.entries, name)
    text = store.settled(workspace, entry.path)
    read, findings = codec.read(text.encode("utf-8", "surrogateescape"), entry.path, held.config.categories)
    if read is None:
        raise CuratorError(findings[0].message, where=findings[0].where, hint=findings[0].hint)
    if read.retired:
        raise CuratorError(f"retired on {read.retired.on}: nothing to confirm", where=entry.path)
    files = plumbing.index(workspace).code
    judged = checkup.dated(code.judge(workspace, None, files, [read]).judged[0], today)
    _refuse_uncitable(judged)
    kept = [_kept(source, verdict) for source, verdict in _pairs(judged)]
    after = _confirmed(workspace, read, [source for source in kept if source], files, today)
    written = splicing.splice(text, read, after)
    _, faults = vetting.vet_text(written, read.path, held.config.categories)
    for fault in vetting.errors(faults):
        hint = f"`curator edit {checkup.short(read)}` or `curator retire {checkup.short(read)}`"
        raise CuratorError(f"confirmed as it is, {fault.message}", where=read.path, hint=hint)
    return Confirmation(
        edits=(Edit(read.path, text, written),),
        notes=tuple(_notes(workspace, judged, after)),
        stage=(read.path,),
        entry=read,
        views=tuple(_views(workspace, files, judged)),
        wants_yes=judged.state.level in {Level.ERROR, Level.WARNING},
    )


def _refuse_uncitable(judged: Judged) -> None:
    for reason in judged.reasons:
        if reason.change is Change.MOVED and not vetting.is_citable(reason.elsewhere):
            hint = f"give the file another name, or cite another one with `curator edit {checkup.short(judged.entry)}`"
            raise CuratorError(f"{reason.message}, which no entry can cite", where=judged.entry.path, hint=hint)


_LEFT_OUT = {
    Change.DEFINITION_GONE: "symbol",
    Change.UNDEFINED: "symbol",
    Change.NO_LINE: "text",
    Change.TEXT_GONE: "text",
    Change.TEXT_EDITED: "text",
    Change.FORBIDDEN: "absent",
}
"""Keys of a source that are left out when they no longer say what is there and the statement is true all the same."""


def _kept(source: Source, verdict: Verdict) -> Source | None:
    """The source as it can be true now: at its new path, without anchors that are gone; None where the file is gone."""
    for reason in verdict.reasons:
        key = _LEFT_OUT.get(reason.change, "")
        if reason.change in {Change.PATH_GONE, Change.UNTRACKED}:
            return None
        if reason.change is Change.MOVED:
            source = replace(source, path=reason.elsewhere)
        elif key and getattr(source, key) == reason.name:
            source = _without(source, key)
    return source


def _without(source: Source, key: str) -> Source:
    return {
        "symbol": replace(source, symbol=""),
        "text": replace(source, text=""),
        "absent": replace(source, absent=""),
    }[key]


def _confirmed(workspace: Workspace, entry: Entry, sources: list[Source], files: Files, today: str) -> Entry:
    read = cited.files(workspace, files, [source.path for source in sources])
    stamped = tuple(dict.fromkeys(harvest.restamp(entry.text, sources, read)))  # two may have become one file
    later = (date.fromisoformat(today) + timedelta(harvest.REVIEW_DAYS)).isoformat()
    due = bool(entry.review_by) and entry.review_by < later
    checkable = harvest.is_checkable(entry.text, stamped)
    return replace(
        entry,
        sources=stamped,
        confirmed=today,
        review_by=later if due or not (checkable or entry.review_by) else entry.review_by,
    )


def _notes(workspace: Workspace, judged: Judged, after: Entry) -> Iterator[str]:
    kept = {source.path for source in after.sources}
    for source, verdict in _pairs(judged):
        new = _kept(source, verdict)
        if new is None:
            yield f"{verdict.reasons[0].message} and is left out of the sources"
            continue
        if new.path != source.path:
            yield f"{source.path} becomes {new.path} in the sources"
        for key in ("symbol", "text", "absent"):
            if getattr(new, key) != getattr(source, key):
                yield f"`{key}: {getattr(source, key)}` is no longer so in {new.path} and is left out"
    for path in plumbing.loose(workspace, kept) if kept else ():
        yield f"{path} on disk is not what is staged; the staged version was looked at"
    if not harvest.is_checkable(after.text, after.sources):
        yield f"nothing in it can be checked against the code; a person looks again by {after.review_by}"


def _views(workspace: Workspace, files: Files, judged: Judged) -> Iterator[View]:
    """Each source with the lines it rested on, and those that stand there now, at its new path where it moved."""
    now = {source.path: (_kept(source, one) or source).path for source, one in _pairs(judged)}
    found = places.find(workspace, files, now.values())
    seen = {path: found[new] for path, new in now.items()}
    blobs = {path: place.file.blob for path, place in seen.items() if place.file and not place.submodule}
    old_blobs = [source.blob for source in judged.entry.sources if source.blob]
    texts = places.texts(workspace, [*blobs.values(), *old_blobs])
    for source, verdict in _pairs(judged):
        old = texts.get(source.blob)
        shown = comparison.pairs(source, old, texts.get(blobs.get(source.path, ""), "")) if old is not None else ()
        yield View(source, verdict, shown, known=old is not None)


def _pairs(judged: Judged) -> Iterator[tuple[Source, Verdict]]:
    return zip(judged.entry.sources, judged.verdicts, strict=True)
