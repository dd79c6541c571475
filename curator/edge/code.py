"""The verdict on every source of an entry: what it says against what the cited files hold now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1
from typing import NamedTuple

from curator.core import record, stale, verdict
from curator.core.verdict import Change, Judged, Reason, Verdict
from curator.edge import changes, places, plumbing, state, store
from curator.edge.changes import Renamed
from curator.edge.index import Cache
from curator.edge.places import Files, Place
from curator.model import Config, Entry, Source, State, Workspace

_MOST_NAMESAKES = 50
"""Files of one base name that are looked through for a gone one."""


class Judgement(NamedTuple):
    """Judged entries in their order, and the verdicts that the cache does not know yet, by key."""

    judged: tuple[Judged, ...]
    learned: Mapping[str, str]


def judge(
    workspace: Workspace, cache: Cache | None, files: Files, entries: Iterable[Entry], tip: str = ""
) -> Judgement:
    """Hold every source of *entries* against *files*, the index or the tree of the commit *tip*.

    A source whose blob is the one that was confirmed is fresh, and nothing is
    read. Other verdicts are looked up in *cache*; for the rest the files are
    read, all of them together.
    """
    listed = tuple(entries)
    found = places.find(workspace, files, {source.path for entry in listed for source in entry.sources})
    judged: dict[str, Judged] = {}
    moved: list[Entry] = []
    for entry in listed:
        settled = tuple(_settled(source, found[source.path]) for source in entry.sources)
        if None in settled:
            moved.append(entry)
        judged[entry.path] = Judged(entry, tuple(one for one in settled if one))
    learned: dict[str, str] = {}
    if moved:
        sight = _looked(workspace, cache, files, found, moved, tip)
        keys = {entry.path: sight.key(entry) for entry in moved}
        known = cache.verdicts(keys.values()) if cache else {}
        sight.texts.update(places.texts(workspace, sight.blobs(one for one in moved if keys[one.path] not in known)))
        for entry in moved:
            key = keys[entry.path]
            verdicts = verdict.loads(known[key]) if key in known else sight.verdicts(entry)
            if key not in known and all(blob in sight.texts for blob in sight.blobs([entry])):
                learned[key] = verdict.dumps(verdicts)  # what is not at hand now may be tomorrow
            judged[entry.path] = Judged(entry, verdicts)
        learned |= sight.learned
    return Judgement(tuple(judged[entry.path] for entry in listed), learned)


def judged(workspace: Workspace, config: Config, entries: Sequence[Entry]) -> tuple[Judged, ...]:
    """The verdicts on a few *entries* of the trusted tree. Nothing is read where none of them cites a stamped file."""
    if not any(source.blob for entry in entries for source in entry.sources):
        return ()
    files = store.tree(workspace, config).code
    return store.reading(workspace, lambda cache: judge(workspace, cache, files, entries, store.tip(config))).judged


def _settled(source: Source, place: Place) -> Verdict | None:
    """The verdict for which no text is needed, None where one is."""
    if place.submodule:
        bumped = place.file and source.blob and place.file.blob != source.blob
        change = Change.BUMPED if bumped else Change.FOREIGN
        return Verdict(State.FOREIGN, (Reason(State.FOREIGN, change, source.path, elsewhere=place.submodule),))
    if place.outside:
        return stale.unreadable(source.path)
    unread = not source.blob and not stale.is_checkable(source)
    if place.file and (unread or source.blob == place.file.blob):
        return stale.judge("", source, "", blob=place.file.blob)
    return None


def _looked(
    workspace: Workspace,
    cache: Cache | None,
    files: Files,
    found: Mapping[str, Place],
    entries: Iterable[Entry],
    tip: str,
) -> _Sight:
    """What there is to see of *entries*, gone files searched for; texts are not read yet."""
    listed = tuple(entries)
    gone = {source.path: source.blob for entry in listed for source in entry.sources if found[source.path].is_gone}
    if not gone:
        return _Sight(files, found, {}, {}, {}, {}, frozenset())
    # A walk through history is not taken twice: the same commits say the same.
    past = f"{changes.base(workspace, tip or 'HEAD')} {state.depth(workspace)}"
    keys = {path: f"went {past} {path}" for path in gone}
    stored = cache.verdicts(keys.values()) if cache else {}
    answers = {path: stored[key].partition("\0") for path, key in keys.items() if key in stored}
    known = {path: Renamed(new, commit) for path, (new, _, commit) in answers.items()}
    went = changes.renamed(workspace, files, gone, known, tip)
    learned = {
        keys[path]: f"{one.path}\0{one.commit}"
        for path, one in went.items()
        if one.commit and one.direct and not one.unsure and path not in known
    }
    shallow = state.depth(workspace) != "none"
    few = {name: paths for name, paths in places.namesakes(files, gone).items() if len(paths) <= _MOST_NAMESAKES}
    return _Sight(files, found, went, few, {}, learned, _strange(workspace, went, tip), shallow)


def _strange(workspace: Workspace, went: Mapping[str, Renamed], tip: str) -> frozenset[str]:
    """Gone paths that nothing ever held: no commit removed them, and none has them that is only staged to go."""
    unknown = [path for path, one in went.items() if not (one.path or one.commit or one.unsure)]
    if not unknown or not (tip or plumbing.head_commit(workspace)):
        return frozenset(unknown)
    return frozenset(unknown).difference(plumbing.blobs(workspace, unknown, tip or "HEAD"))


@dataclass(frozen=True, slots=True)
class _Sight:
    """All there is to see of some entries: where their paths are or went, files of the same name, texts by blob."""

    files: Files
    found: Mapping[str, Place]
    went: Mapping[str, Renamed]
    namesakes: Mapping[str, tuple[str, ...]]
    texts: dict[str, str]
    learned: Mapping[str, str]
    strange: frozenset[str]
    shallow: bool = False

    def key(self, entry: Entry) -> str:
        """What the verdicts on *entry* follow from."""
        seen = [
            str(
                (
                    record.source_row(source),
                    self._candidates(source),
                    self._went(source),
                    self._is_unsure(source),
                    self.shallow,
                    source.path in self.strange,
                )
            )
            for source in entry.sources
        ]
        return sha1("\0".join([entry.text, *seen]).encode("utf-8", "surrogatepass")).hexdigest()

    def blobs(self, entries: Iterable[Entry]) -> Iterator[str]:
        """The blobs whose texts the verdicts on *entries* need."""
        for entry in entries:
            for source in entry.sources:
                yield from (blob for _, blob in self._candidates(source))

    def verdicts(self, entry: Entry) -> tuple[Verdict, ...]:
        return tuple(self._verdict(entry, source) for source in entry.sources)

    def _verdict(self, entry: Entry, source: Source) -> Verdict:
        place = self.found[source.path]
        settled = _settled(source, place)
        if settled:
            return settled
        others = {one.path: self._text(one) for one in entry.sources if one.path != source.path}
        if place.file:
            text = self.texts.get(place.file.blob)
            if text is None:
                return stale.unreadable(source.path)
            return stale.judge(entry.text, source, text, blob=place.file.blob, others=others)
        return self._judged_elsewhere(entry, source, others)

    def _judged_elsewhere(self, entry: Entry, source: Source, others: Mapping[str, str]) -> Verdict:
        """The verdict on a gone path: on the file it became, else on the only namesake where the statement holds."""
        went = self._went(source)
        if self._is_unsure(source):
            return stale.cut_off(source.path) if self.shallow else stale.unreadable(source.path)
        if went:
            blob = self.files[went].blob
            text = self.texts.get(blob)
            if text is None:  # it is known to be the same file: what cannot be read has moved all the same
                source, text = Source(source.path, blob=source.blob), ""
            return stale.judge(entry.text, source, text, blob=blob, moved=went, others=others)
        held = []
        for path, blob in self._candidates(source) if stale.is_checkable(source) else ():
            judged = stale.judge(entry.text, source, self.texts.get(blob, ""), blob=blob, moved=path, others=others)
            if judged.state in {State.MOVED, State.REVIEW}:
                held.append(judged)
        if len(held) != 1 and source.path in self.strange:
            return stale.untracked(source.path)
        return held[0] if len(held) == 1 else stale.judge(entry.text, source, None)

    def _went(self, source: Source) -> str:
        path = self.went.get(source.path, Renamed()).path
        return path if path in self.files else ""

    def _is_unsure(self, source: Source) -> bool:
        """Whether it moved or is gone cannot be told here."""
        return self.went.get(source.path, Renamed()).unsure and not self._went(source)

    def _candidates(self, source: Source) -> tuple[tuple[str, str], ...]:
        """The (path, blob) pairs that say what became of a source."""
        place = self.found[source.path]
        if place.file:
            return ((place.path, place.file.blob),)
        went = self._went(source)
        paths = (went,) if went else self.namesakes.get(source.path.rpartition("/")[2], ())
        return tuple((path, self.files[path].blob) for path in paths)

    def _text(self, source: Source) -> str:
        """The text of a cited file that did not move."""
        place = self.found[source.path]
        return self.texts.get(place.file.blob, "") if place.file else ""
