"""Look through instruction files for statements that the code has left behind; nothing has to be set up for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from curator.core import mention, stale, survey, symbols, terms, verdict, wording
from curator.core.survey import Audit, Broken, Rewrite, Tally, Version
from curator.core.terms import Strength
from curator.core.verdict import Change, Reason
from curator.edge import changes, claims, files, grep, history, past, plumbing
from curator.errors import CuratorError
from curator.model import Source, State, Workspace

_TOLD = frozenset({State.STALE, State.REVIEW, State.MOVED})
_MANY = 150  # files that hold a name now: more than git may propose for being changed in the work tree alone
_MOST_HOLDERS = 12  # files that held a name then and are read
_MOST_ASKED = 40  # commits whose trees are searched for names
_MOST_WALKED = 200  # versions of a path that are judged in search of the one that broke a statement


def run(workspace: Workspace, names: Sequence[str] = (), each: claims.Each = iter) -> Audit:
    """Audit the files *names*, or all tracked instruction files. *each* goes through files, then through commits.

    CuratorError for a name that is not tracked. Writes nothing.
    """
    tree = plumbing.index(workspace)
    now = claims.Now(workspace, tree.files, frozenset(tree.unmerged))
    sheets = [claims.sheet(now, path) for path in each(_chosen(now, names))]
    cases = claims.cases(now, sheets, each)
    judge = _Judge(now, cases)
    told = judge.troubles()
    for trouble in _lost(now, cases):
        told.setdefault(trouble.case, []).append(trouble)
    findings = _findings(now, told)
    return Audit(tuple(_tally(sheet, cases, findings, judge.unread) for sheet in sheets), findings)


def _chosen(now: claims.Now, names: Sequence[str]) -> tuple[str, ...]:
    """The files to look at, a link as the file it leads to."""
    for name in names:
        if name not in now.files:
            problem = "not tracked" if files.read_or_none(now.workspace, name) is not None else "no such file"
            raise CuratorError(problem, where=name, hint="name a file that git tracks")
    return tuple(dict.fromkeys(_led(now, name) for name in names or now.instructions))


def _led(now: claims.Now, path: str) -> str:
    """The tracked file that the link *path* leads to; *path* where it is none."""
    found = past.target(now.workspace, path, now.files.get)
    return found if found in now.files else path


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A reason against a claim; *written* is how the claim spells the path, None where it names no file.

    *paths* are those whose history tells who did it; *holds* says whether the reason holds for a text of them, None
    where the path itself is gone.
    """

    case: claims.Case
    reason: Reason
    written: str | None
    paths: tuple[str, ...]
    holds: Callable[[str], bool] | None = None


class _Judge:
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

    def troubles(self) -> dict[claims.Case, list[_Trouble]]:
        """What was found against each claim."""
        return {case: [*self._of_files(case), *self._of_folders(case)] for case in self._cases}

    def _of_files(self, case: claims.Case) -> Iterator[_Trouble]:
        for cited in case.cited:
            if cited.before == cited.after:
                continue
            old = self._texts.get(cited.before.blob)
            if old is None and cited.after is not None:
                self.unread.add(case)
                continue
            yield from self._of_file(case, cited, old or "")

    def _of_file(self, case: claims.Case, cited: claims.Cited, old: str) -> Iterator[_Trouble]:
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
                yield _Trouble(case, reason, cited.written, (path,), holds)

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

    def _of_folders(self, case: claims.Case) -> Iterator[_Trouble]:
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
            yield _Trouble(case, Reason(state, change, folder, elsewhere=moved), written, tuple(beneath[:1]))


def _holding(about: str, source: Source, reason: Reason) -> Callable[[str], bool]:
    """Whether the same is wrong with another text of the file."""

    def holds(text: str) -> bool:
        found = stale.judge(about, source, text).reasons
        return any((one.change, one.name) == (reason.change, reason.name) for one in found)

    return holds


def _lost(now: claims.Now, cases: Sequence[claims.Case]) -> Iterator[_Trouble]:
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
                    yield _Trouble(case, reason, None, tuple(stood[name]), _without(name))


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


def _findings(now: claims.Now, told: Mapping[claims.Case, Sequence[_Trouble]]) -> tuple[Broken, ...]:
    """One finding a claim, with all that is wrong with it; who broke it is sought for the worst."""
    weighed = {case: list(_weighed(case, troubles)) for case, troubles in told.items()}
    held = _Held(now, (one.reason for troubles in weighed.values() for one in troubles))
    chosen: dict[claims.Case, list[_Trouble]] = {}
    for case, troubles in weighed.items():
        distinct: dict[object, _Trouble] = {}
        for one in troubles:
            reason = survey.standing(one.reason, held.anywhere(one.reason))
            if reason:
                shown = replace(reason, elsewhere=reason.elsewhere or held.defined(reason))
                distinct.setdefault(reason.name or reason.path, replace(one, reason=shown))
        if distinct:
            chosen[case] = sorted(distinct.values(), key=lambda one: -verdict.rank(one.reason.state))
    walk = _Walk(now, chosen)
    found = [_broken(now, case, troubles, walk.culprit(troubles[0])) for case, troubles in chosen.items()]
    return tuple(sorted(found, key=lambda one: (one.path, one.line)))


def _weighed(case: claims.Case, troubles: Iterable[_Trouble]) -> Iterator[_Trouble]:
    for one in troubles:
        lost = one.written is None  # weighed already, by the name alone
        reason = one.reason if lost else survey.weighed(one.reason, case.claim.statement, one.written or "")
        if reason:
            yield replace(one, reason=reason)


def _broken(now: claims.Now, case: claims.Case, troubles: Sequence[_Trouble], culprit: Version | None) -> Broken:
    worst, lines, statement = troubles[0], case.sheet.lines, case.claim.statement
    named = worst.written or "" if worst.reason.change in survey.PATHS else worst.reason.name
    line = wording.place(lines, statement, named)
    edit = _edit(now, case, worst, line) if worst.reason.change is Change.MOVED else None
    reasons = tuple(one.reason for one in troubles)
    return Broken(case.sheet.path, statement, line, lines[line - 1].strip(), reasons[0].state, reasons, culprit, edit)


def _edit(now: claims.Now, case: claims.Case, trouble: _Trouble, line: int) -> Rewrite | None:
    """The line with the new path, written as it wrote the old one."""
    reason, written = trouble.reason, trouble.written or ""
    new = wording.respelled(written, reason.path, reason.elsewhere, case.sheet.home, now.known)
    before = case.sheet.lines[line - 1]
    after = wording.rewritten(before, written, new)
    return Rewrite(before.strip(), after.strip()) if after != before else None


class _Walk:
    """The history of the paths that worst reasons are about."""

    def __init__(self, now: claims.Now, chosen: Mapping[claims.Case, Sequence[_Trouble]]) -> None:
        self._now = now
        self._paths = sorted({path for troubles in chosen.values() for path in troubles[0].paths})
        since = history.fork(now.workspace, sorted({case.claim.commit for case in chosen}))
        self._line = history.versions(now.workspace, self._paths, since)
        self._since = since

    @cached_property
    def _branches(self) -> Mapping[str, Sequence[Version]]:
        return history.versions(self._now.workspace, self._paths, self._since, branches=True)

    def culprit(self, trouble: _Trouble) -> Version | None:
        """The commit that broke a claim: of several files that held a name, the one that lost it last."""
        for walked, search in ((self._line, survey.culprit), (self._branches, survey.breach)):
            found = [search(versions, self._broken(trouble, versions)) for versions in self._of(trouble, walked)]
            if any(found):
                return min(filter(None, found), key=lambda version: version.place)
            if not self._is_committed(trouble):
                break
        return None

    def _of(self, trouble: _Trouble, walked: Mapping[str, Sequence[Version]]) -> list[Sequence[Version]]:
        return [walked[path][:_MOST_WALKED] for path in trouble.paths if path in walked]

    def _is_committed(self, trouble: _Trouble) -> bool:
        """Whether the newest commit of the path left it as it is now; else what broke it may be staged only."""
        now = self._now.files
        return all(
            versions[0].new == (now[path].blob if path in now else "")
            for path in trouble.paths
            if (versions := self._line.get(path))
        )

    def _broken(self, trouble: _Trouble, versions: Sequence[Version]) -> Callable[[str], bool]:
        holds = trouble.holds
        if holds is None:
            return lambda blob: not blob
        texts = past.texts(self._now.workspace, {blob for one in versions for blob in (one.old, one.new)})
        return lambda blob: not blob or (blob in texts and holds(texts[blob]))


class _Held:
    """Where names that are gone from a file stand now."""

    def __init__(self, now: claims.Now, reasons: Iterable[Reason]) -> None:
        names = sorted({one.name for one in reasons if one.change not in survey.PATHS})
        self._files = _held(now, names, _MANY)
        blobs = {now.files[path].blob for paths in self._files.values() for path in paths}
        self._texts = past.texts(now.workspace, blobs)
        self._now = now

    def anywhere(self, reason: Reason) -> bool:
        return any(map(wording.is_code, self._files.get(reason.name, ())))

    def defined(self, reason: Reason) -> str:
        """The one file that defines it; "" for none and for several."""
        paths = self._files.get(reason.name, ())
        places = [path for path in paths if symbols.defines(path, self._texts[self._now.files[path].blob], reason.name)]
        alone = len(places) == 1 and len(paths) < _MANY and reason.change not in survey.PATHS
        return places[0] if alone and wording.is_code(places[0]) else ""


def _tally(
    sheet: claims.Sheet, cases: Iterable[claims.Case], findings: Sequence[Broken], unread: set[claims.Case]
) -> Tally:
    states = Counter(one.state for one in findings if one.path == sheet.path)
    own = [case for case in cases if case.sheet is sheet]
    unknown = Counter(claim.unknown for claim in sheet.claims if claim.unknown)
    told = {one.statement for one in findings if one.path == sheet.path}
    blind = [case for case in own if (case.unknown or case in unread) and case.claim.statement not in told]
    unknown += Counter([claims.UNREADABLE] * len(blind))
    return Tally(
        sheet.path,
        len(sheet.claims),
        sum(1 for case in own if (case.cited or case.gone or case.names) and case not in blind),
        states[State.STALE],
        states[State.REVIEW],
        states[State.MOVED],
        tuple(sorted(unknown.items())),
    )
