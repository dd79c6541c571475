"""Check memory files as they lie on disk: in themselves, against all others, and against the code that is staged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from curator.core import checkup, lifecycle, linting, report, roster, settings, stale, vetting
from curator.core.checkup import Checked
from curator.core.verdict import Judged, Verdict
from curator.edge import ondisk, store
from curator.edge.index import Cache
from curator.edge.ondisk import Lying
from curator.edge.places import Files
from curator.model import Config, Entry, Fault, Finding, Source, State, Workspace

_MANY = 60
"""Words from which on it costs less to read all entries than to look for each word."""


def run(
    workspace: Workspace, paths: Sequence[str], given: Mapping[str, str], *, today: str, notes: bool = False
) -> Checked:
    """Look at *paths* on an ISO date; *given* has the text of a file that an editor has not saved, by path."""
    return store.reading(
        workspace, lambda cache: _checked(_Asked(workspace, cache, dict.fromkeys(paths), given, today), notes=notes)
    )


class _Asked(NamedTuple):
    """What is looked at, each once, and by what: *cache* has the trusted entries."""

    workspace: Workspace
    cache: Cache
    wanted: Mapping[str, None]
    given: Mapping[str, str]
    today: str

    @property
    def trusted(self) -> Config:
        return store.config_of(self.cache)


def _checked(at: _Asked, *, notes: bool) -> Checked:
    lying = [ondisk.read(at.workspace, path, at.given) for path in at.wanted]
    texts = {one.path: one.text for one in lying if one.text is not None}
    config = ondisk.config(at.workspace, at.given, at.trusted)
    read = [_read(one, config) for one in lying]
    entries = [entry for entry, _ in read if entry]
    trusted = _related(at.cache, entries)
    others = _others(at, entries, trusted)
    used = [one for one in lifecycle.in_use([*others, *entries], at.today) if one.path in at.wanted]
    told = _told(at, used, trusted)
    found = (
        *(finding for _, findings in read for finding in findings),
        *(one for one in roster.findings([*others, *entries]) if one.where in at.wanted),
        *_colliding(at, entries),
        *checkup.findings([part for one in told for part in linting.parted(one)], notes=notes),
        *ondisk.unreviewed(at.workspace, at.trusted.trust, [path for path in texts if path not in at.given]),
    )
    by_path = {entry.path: entry for entry in entries}
    placed = (linting.placed(one, texts.get(_path(one), ""), by_path.get(_path(one))) for one in found)
    states, uncited = checkup.count([one.judged for one in told])
    return Checked(
        findings=linting.ordered(placed),
        notes=(report.plural(len(at.wanted), "file"),),
        judged=tuple(one.judged for one in told),
        states=states,
        uncited=uncited,
    )


def _path(finding: Finding) -> str:
    return checkup.file_of(finding)


def _read(one: Lying, config: Config) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The entry of a file that can be one, and what is wrong with the file."""
    if one.text is None:
        return None, one.findings
    if one.is_settings:
        return None, tuple(_settings(one))
    if not one.path.endswith(".yaml"):
        hint = store.renaming(one.path)
        return None, (Finding(Fault.INVALID, one.path, "only *.yaml files are read", hint),)
    return vetting.vet_text(one.text, one.path, config.categories)


def _settings(one: Lying) -> Iterator[Finding]:
    data = one.text.encode("utf-8", "surrogateescape") if one.text else b""
    yield from settings.findings(data, one.path)
    if one.home and data.strip():
        told = "only the settings of the root count: what stands here says no more than that this folder has memories"
        yield Finding(Fault.SUSPECT, f"{one.path}:1", told, f"set it in {linting.SETTINGS}")


def _related(cache: Cache, entries: Sequence[Entry]) -> dict[str, Entry]:
    """The trusted entries that have to do with *entries*: by id, by key, as what replaces them or is replaced."""
    return _mentioning(cache, {word for one in entries for word in (one.id, one.origin.key, *one.supersedes) if word})


def _others(at: _Asked, entries: Sequence[Entry], found: Mapping[str, Entry]) -> list[Entry]:
    """Those that are *found* and not asked about.

    One that is not on disk any more under its name was moved, and is no double of the file that it is now.
    """
    same = {one.id for one in entries} | {one.origin.key for one in entries}
    near = [one.path for one in found.values() if one.id in same or one.origin.key in same]
    left = frozenset(near) - ondisk.there(at.workspace, near)
    return [one for path, one in sorted(found.items()) if path not in at.wanted and path not in left]


def _mentioning(cache: Cache, words: set[str]) -> dict[str, Entry]:
    """The trusted entries, by path, that hold one of *words*, and what those replace; all where many are asked."""
    if len(words) > _MANY:
        return {one.path: one.entry for one in cache.records() if one.entry}
    asked: set[str] = set()
    found: dict[str, Entry] = {}
    while words - asked:
        fresh = [one.entry for one in cache.mentioning(sorted(words - asked)) if one.entry]
        asked |= words
        found |= {one.path: one for one in fresh}
        words = {old for one in fresh for old in one.supersedes}
    return found


def _colliding(at: _Asked, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Names that differ only in case from one that is trusted, or asked about as well."""
    ours = {entry.path.casefold() for entry in entries}
    yield from roster.colliding(
        path for path in {*at.cache.paths(), *(entry.path for entry in entries)} if path.casefold() in ours
    )


def _told(at: _Asked, entries: Sequence[Entry], trusted: Mapping[str, Entry]) -> tuple[checkup.Told, ...]:
    """Entries in use, each held against what is trusted of the code; that is read only where it is not as it was."""
    cited = {source.path for one in entries for source in one.sources}
    blobs = store.blobs(at.workspace, at.trusted, cited) if cited else {}
    edited = {one.path for one in entries if any(map(_is_anchored, one.sources)) and trusted.get(one.path) != one}
    kept = all(source.blob and blobs.get(source.path) == source.blob for one in entries for source in one.sources)
    if kept and not edited:
        fresh = (Judged(one, tuple(Verdict(State.FRESH) for _ in one.sources)) for one in entries)
        return tuple(checkup.Told(checkup.dated(one, at.today)) for one in fresh)
    from curator.edge import code, context  # noqa: PLC0415 - as much as all the rest: pay only where code changed

    files, tip = store.tree(at.workspace, at.trusted).code, store.tip(at.trusted)
    judged, _ = code.judge(at.workspace, at.cache, files, entries, tip)
    held = _anchored(at.workspace, files, judged, edited)
    told = context.told(at.workspace, files, [checkup.dated(one, at.today) for one in held])
    return tuple(replace(one, is_new=one.judged.entry.path not in trusted) for one in told)


def _is_anchored(source: Source) -> bool:
    return bool(source.symbol or source.text or source.absent)


def _anchored(workspace: Workspace, files: Files, judged: Sequence[Judged], edited: Collection[str]) -> list[Judged]:
    """The same, with what *edited* entries say of a file held against it, though the file is as it was confirmed."""
    from curator.edge import cited  # noqa: PLC0415 - only where an entry is being written

    asked = [one for one in judged if one.entry.path in edited]
    held = cited.files(workspace, files, {source.path for one in asked for source in one.entry.sources})

    def looked(source: Source, verdict: Verdict) -> Verdict:
        text = held[source.path].readable if source.path in held else None
        wrong = tuple(stale.unfounded(source, text)) if text is not None and verdict.state is State.FRESH else ()
        return Verdict(State.STALE, wrong) if wrong else verdict

    return [
        replace(one, verdicts=tuple(map(looked, one.entry.sources, one.verdicts))) if one in asked else one
        for one in judged
    ]
