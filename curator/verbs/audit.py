"""Look through instruction files for statements that the code has left behind; nothing has to be set up for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from curator.core import printable, survey, verdict, wording
from curator.core.survey import Audit, Broken, Rewrite, Tally, Version
from curator.core.verdict import Change
from curator.edge import claims, culprits, files, past, plumbing, troubles
from curator.edge.troubles import Trouble
from curator.errors import CuratorError
from curator.model import State, Workspace


def run(workspace: Workspace, names: Sequence[str] = (), each: claims.Each = iter) -> Audit:
    """Audit the files *names*, or all tracked instruction files. *each* goes through files, then through commits.

    CuratorError for a name that is not tracked. Writes nothing.
    """
    tree = plumbing.index(workspace)
    now = claims.Now(workspace, tree.files, frozenset(tree.unmerged))
    sheets = [claims.sheet(now, path) for path in each(_chosen(now, names))]
    cases = claims.cases(now, sheets, each)
    judge = troubles.Judge(now, cases)
    told = judge.troubles()
    for trouble in troubles.lost(now, cases):
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


def _findings(now: claims.Now, told: Mapping[claims.Case, Sequence[Trouble]]) -> tuple[Broken, ...]:
    """One finding a claim, with all that is wrong with it; who broke it is sought for the worst."""
    weighed = {case: list(_weighed(case, several)) for case, several in told.items()}
    held = troubles.Standing(now, (one.reason for several in weighed.values() for one in several))
    chosen: dict[claims.Case, list[Trouble]] = {}
    for case, several in weighed.items():
        distinct: dict[object, Trouble] = {}
        for one in several:
            reason = survey.standing(one.reason, held.anywhere(one.reason))
            if reason:
                shown = replace(reason, elsewhere=reason.elsewhere or held.defined(reason))
                distinct.setdefault(reason.name or reason.path, replace(one, reason=shown))
        if distinct:
            chosen[case] = sorted(distinct.values(), key=lambda one: -verdict.rank(one.reason.state))
    walk = culprits.Walk(now, chosen)
    found = [_broken(now, case, several, walk.culprit(several[0])) for case, several in chosen.items()]
    return tuple(sorted(found, key=lambda one: (one.path, one.line)))


def _weighed(case: claims.Case, several: Iterable[Trouble]) -> Iterator[Trouble]:
    for one in several:
        lost = one.written is None  # weighed already, by the name alone
        reason = one.reason if lost else survey.weighed(one.reason, case.claim.statement, one.written or "")
        if reason:
            yield replace(one, reason=reason)


def _broken(now: claims.Now, case: claims.Case, several: Sequence[Trouble], culprit: Version | None) -> Broken:
    worst, lines, statement = several[0], case.sheet.lines, case.claim.statement
    named = worst.written or "" if worst.reason.change in survey.PATHS else worst.reason.name
    line = wording.place(lines, statement, named)
    edit = _edit(now, case, worst, line) if worst.reason.change is Change.MOVED else None
    reasons = tuple(one.reason for one in several)
    return Broken(case.sheet.path, statement, line, lines[line - 1].strip(), reasons[0].state, reasons, culprit, edit)


def _edit(now: claims.Now, case: claims.Case, trouble: Trouble, line: int) -> Rewrite | None:
    """The line with the new path, written as it wrote the old one."""
    reason, written = trouble.reason, trouble.written or ""
    if printable.inline(reason.elsewhere) != reason.elsewhere:
        return None  # a name that would put lines of its own into the file
    new = wording.respelled(written, reason.path, reason.elsewhere, case.sheet.home, now.known)
    before = case.sheet.lines[line - 1]
    after = wording.rewritten(before, written, new)
    return Rewrite(before.strip(), after.strip()) if after != before else None


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
