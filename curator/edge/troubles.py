"""What is wrong with the claims of an audit: files, folders and names that are gone or elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from curator.core import mention, stale, survey, symbols, terms, wording
from curator.core.terms import Strength
from curator.core.verdict import Change, Reason
from curator.edge import changes, claims, grep, past, plumbing
from curator.errors import CuratorError
from curator.model import Source, State

_TOLD = frozenset({State.STALE, State.REVIEW, State.MOVED})
_MANY = 150  # files that hold a name now: more than git may propose for being changed in the work tree alone
_MOST_HOLDERS = 12  # files that held a name then and are read
_MOST_ASKED = 40  # commits whose trees are searched for names


@dataclass(frozen=True, slots=True)
class Trouble:
    """A reason against a claim; *written* is how the claim spells the path, None where it names no file.

    *paths* are those whose history tells who did it; *holds* says whether the reason holds for a text of them, None
    where the path itself is gone.
    """

    case: claims.Case
    reason: Reason
    written: str | None
    paths: tuple[str, ...]
    holds: Callable[[str], bool] | None = None


class Judge:
    """The detector of `check`, over what statements cite."""

    def __init__(self, now: claims.Now, cases: Iterable[claims.Case]) -> None:
        self._now = now
        self.unread: set[claims.Case] = set()
        self._cases = [case for case in cases if case.gone or any(one.before != one.after for one in case.cited)]
        cited = [one for case in self._cases for one in case.cited]
        gone = {one.source.path: one.before.blob for one in cited if one.after is None}
        for case in self._cases:
            gone |= case.beneath
        self._renamed = changes.renamed(now.workspace, now.files, gone) if gone else {}
        blobs = {one.before.blob for one in cited if one.before != one.after}
        blobs |= {one.after.blob for one in cited if one.after}
        blobs |= {now.files[place.path].blob for place in self._renamed.values() if place.path in now.files}
        self._texts = past.texts(now.workspace, blobs)

    def troubles(self) -> dict[claims.Case, list[Trouble]]:
        """What was found against each claim."""
        return {case: [*self._of_files(case), *self._of_folders(case)] for case in self._cases}

    def _of_files(self, case: claims.Case) -> Iterator[Trouble]:
        for cited in case.cited:
            if cited.before == cited.after:
                continue
            old = self._texts.get(cited.before.blob)
            if old is None and cited.after is not None:
                self.unread.add(case)
                continue
            yield from self._of_file(case, cited, old or "")

    def _of_file(self, case: claims.Case, cited: claims.Cited, old: str) -> Iterator[Trouble]:
        path, about = cited.source.path, cited.about
        source = survey.true_then(cited.source, old)
        source = stale.stamped(about, source, old, cited.before.blob, cited.written)
        moved = "" if cited.after else self._moved(case, cited, source)
        after = cited.after or self._now.files.get(moved)
        text = self._texts.get(after.blob) or past.text(self._now.workspace, after.blob) if after else None
        if after and text is None:
            self.unread.add(case)
            return
        others = {
            other.source.path: self._texts[other.after.blob]
            for other in case.cited
            if other is not cited and other.after and other.after.blob in self._texts
        }
        judged = stale.judge(
            about, source, text, blob=after.blob if after else "", moved=moved, old_text=old, others=others
        )
        for judgement in judged.reasons:
            reason = survey.seen(judgement, text or "")
            if reason.change is Change.MOVED and self._still_leads(case, cited, moved):
                continue
            if reason.state in _TOLD:
                of_path = reason.path != path or reason.change in survey.PATHS
                holds = None if of_path else _holding(about, source, judgement)
                yield Trouble(case, reason, cited.written, (path,), holds)

    def _moved(self, case: claims.Case, cited: claims.Cited, source: Source) -> str:
        """Where a gone file is now: git's rename, else the only one of its name that is meant or holds its terms."""
        renamed = self._renamed.get(source.path)
        if renamed and renamed.path in self._now.files:
            return renamed.path
        named = survey.likely(source.path, self._now.known)
        if len(named) != 1:
            return ""
        if self._still_leads(case, cited, named[0]):
            return named[0]
        found = terms.strengths(cited.about, source.symbol, source.terms)
        strong = [term for term, strength in found.items() if strength is Strength.STRONG]
        text = past.text(self._now.workspace, self._now.files[named[0]].blob) or ""
        return named[0] if strong and all(terms.holds(text, term) for term in strong) else ""

    def _still_leads(self, case: claims.Case, cited: claims.Cited, moved: str) -> bool:
        """Whether what the statement wrote leads to the new place too: then it still holds as it is."""
        sheet = case.sheet
        return any(
            source.path == moved for source in mention.sources(cited.about, self._now.known, sheet.home, sheet.path)
        )

    def _of_folders(self, case: claims.Case) -> Iterator[Trouble]:
        for folder, written in case.gone:
            beneath = [path for path in case.beneath if path.startswith(folder)]
            places = Counter(
                new[: len(new) - len(path) + len(folder)]
                for path in beneath
                if (new := self._renamed.get(path, changes.Renamed()).path) and new.endswith(path[len(folder) - 1 :])
            )
            place, count = places.most_common(1)[0] if places else ("", 0)
            moved = place if place in self._now.folders and 2 * count > len(beneath) else ""
            state, change = (State.MOVED, Change.MOVED) if moved else (State.STALE, Change.PATH_GONE)
            yield Trouble(case, Reason(state, change, folder, elsewhere=moved), written, tuple(beneath[:1]))


def _holding(about: str, source: Source, reason: Reason) -> Callable[[str], bool]:
    """Whether the same is wrong with another text of the file."""

    def holds(text: str) -> bool:
        found = stale.judge(about, source, text).reasons
        return any((one.change, one.name) == (reason.change, reason.name) for one in found)

    return holds


def lost(now: claims.Now, cases: Sequence[claims.Case]) -> Iterator[Trouble]:
    """Names that stood in code when a statement was written, and stand in no tracked file now."""
    asked = sorted({name for case in cases for name in case.names})
    held = _held(now, asked, 1)
    held |= _held(now, [name for name in asked if not held[name]], _MANY)
    by_commit: dict[str, list[claims.Case]] = {}
    for case in cases:
        if any(not held[name] for name in case.names):
            by_commit.setdefault(case.claim.commit, []).append(case)
    newest = sorted(by_commit, key=lambda commit: by_commit[commit][0].claim.time, reverse=True)[:_MOST_ASKED]
    for commit in newest:
        gone = sorted({name for case in by_commit[commit] for name in case.names if not held[name]})
        stood = _stood(now, commit, gone)
        for case in by_commit[commit]:
            for name in filter(stood.get, case.names):
                reason = survey.lost(case.claim.statement, name, stood[name])
                if reason:
                    yield Trouble(case, reason, None, tuple(stood[name]), _without(name))


def _held(now: claims.Now, names: Sequence[str], most: int) -> dict[str, tuple[str, ...]]:
    """The files that hold each name now, instructions left out."""
    return grep.files(now.workspace, names, but=now.instructions, most=most, known=now.files) if names else {}


def _stood(now: claims.Now, commit: str, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The files of code that held each name at *commit*, with their texts; nothing where they are not at hand."""
    try:
        tree = plumbing.tree(now.workspace, commit).files
        but = wording.instructions(tree)
        found = grep.files(now.workspace, names, at=commit, but=but, most=_MOST_HOLDERS, known=tree)
    except CuratorError:  # a partial clone
        return {}
    code = {name: [path for path in paths if wording.is_code(path)] for name, paths in found.items()}
    texts = past.texts(now.workspace, {tree[path].blob for paths in code.values() for path in paths})
    return {name: {path: texts.get(tree[path].blob, "") for path in paths} for name, paths in code.items()}


def _without(name: str) -> Callable[[str], bool]:
    return lambda text: not terms.holds(text, name)


class Standing:
    """Where names that are gone from a file stand now."""

    def __init__(self, now: claims.Now, reasons: Iterable[Reason]) -> None:
        names = sorted({one.name for one in reasons if one.change not in survey.PATHS})
        self._files = _held(now, names, _MANY)
        self._texts = past.Texts(now.workspace, (now.files[path].blob for it in self._files.values() for path in it))
        self._now = now

    def _text(self, path: str) -> str:
        return self._texts.get(self._now.files[path].blob) or ""

    def anywhere(self, reason: Reason) -> bool:
        return any(map(wording.is_code, self._files.get(reason.name, ())))

    def defined(self, reason: Reason) -> str:
        """The one file that defines it; "" for none and for several."""
        paths = self._files.get(reason.name, ())
        places = [path for path in paths if symbols.defines(path, self._text(path), reason.name)]
        alone = len(places) == 1 and len(paths) < _MANY and reason.change not in survey.PATHS
        return places[0] if alone and wording.is_code(places[0]) else ""
