"""What git and the tree can add to a finding: the lines that were there, where a name went, which commit broke it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial

from curator.core import stale
from curator.core.checkup import Told
from curator.core.verdict import NEVER, Change, Judged, Verdict
from curator.edge import places
from curator.edge.past import Texts
from curator.edge.places import Files
from curator.errors import CuratorError
from curator.model import Level, Source, Workspace

_NAMED = frozenset({Change.TERM_GONE, Change.DEFINITION_GONE})
_MOST_VERSIONS = 60
"""Commits of one path that are looked at for the one that broke a statement."""


def told(
    workspace: Workspace, files: Files, judged: Iterable[Judged], *, past: bool = True, search: bool = True
) -> tuple[Told, ...]:
    """*judged*, each with what else is known of it where it asks for a person.

    Without *past* no history is searched for the commit; without *search* no
    file of the index for a name that is gone.
    """
    listed = tuple(judged)
    doubtful = [one for one in listed if one.state.level in {Level.ERROR, Level.WARNING}]
    if not doubtful:
        return tuple(map(Told, listed))
    lined = {one.entry.path: one for one in _with_lines(workspace, doubtful)}
    names = {reason.name for one in doubtful for reason in one.reasons if reason.change in _NAMED}
    now = {**_homes(workspace, files, names if search else ()), **_namesakes(files, doubtful)}
    since = _since(workspace, doubtful) if past else {}
    meant = _meant(workspace, files, doubtful)
    return tuple(
        Told(lined.get(one.entry.path, one), since.get(one.entry.path, ""), now, meant=meant)
        if one.state.level in {Level.ERROR, Level.WARNING}
        else Told(one)
        for one in listed
    )


def _with_lines(workspace: Workspace, judged: Iterable[Judged]) -> list[Judged]:
    listed = tuple(judged)
    old = Texts(workspace, (source.blob for one in listed for source in one.entry.sources))

    def lined(source: Source, verdict: Verdict) -> Verdict:
        text = old.get(source.blob)
        if text is None:
            return verdict
        reasons = (stale.with_lines(reason, text) if reason.name else reason for reason in verdict.reasons)
        return replace(verdict, reasons=tuple(reasons))

    return [
        replace(one, verdicts=tuple(map(lined, one.entry.sources, one.verdicts))) if one.verdicts else one
        for one in listed
    ]


def _homes(workspace: Workspace, files: Files, names: Collection[str]) -> dict[str, str]:
    """For each name the only file of code that holds it."""
    if not names:
        return {}
    from curator.core import mention  # noqa: PLC0415 - only names that are gone are looked for
    from curator.edge import grep  # noqa: PLC0415 - the same

    try:
        held = grep.files(workspace, names, known=files)
    except CuratorError:
        return {}  # a partial clone lacks files to look through, and that takes nothing from the finding
    code = {name: [path for path in paths if mention.is_definer(path)] for name, paths in held.items()}
    return {name: paths[0] for name, paths in code.items() if len(paths) == 1}


def _namesakes(files: Files, judged: Iterable[Judged]) -> dict[str, str]:
    """For each gone path the only tracked file with its base name."""
    gone = {reason.path for one in judged for reason in one.reasons if reason.change is Change.PATH_GONE}
    if not gone:
        return {}
    named = places.namesakes(files, gone)
    found = {path: named[path.rpartition("/")[2]] for path in gone}
    return {path: others[0] for path, others in found.items() if len(others) == 1}


def _meant(workspace: Workspace, files: Files, judged: Iterable[Judged]) -> dict[str, str]:
    """For each path or name that never was the one that looks most like it: a tracked file, a name of its file."""
    wrong = [reason for one in judged for reason in one.reasons if reason.change in NEVER]
    if not wrong:
        return {}
    from curator.core import harvest  # noqa: PLC0415 - only for what is misspelt

    found = {one.path: places.alike(files, one.path) for one in wrong if one.change is Change.UNTRACKED}
    names = [one for one in wrong if one.change is Change.UNDEFINED]
    held = places.find(workspace, files, {one.path for one in names})
    blobs = {path: one.file.blob for path, one in held.items() if one.file}
    texts = places.texts(workspace, blobs.values())
    for one in names:
        near = harvest.alike(Source(one.path, one.name), texts.get(blobs.get(one.path, ""), ""))
        found[one.name] = near[0] if near else ""
    return {name: other for name, other in found.items() if other}


def _since(workspace: Workspace, judged: Iterable[Judged]) -> dict[str, str]:
    """For each entry the commit from which on its worst source is as it is now."""
    from curator.core import survey  # noqa: PLC0415 - 40 ms that only a search of history pays
    from curator.edge import history  # noqa: PLC0415 - the same

    changed = [one for one in judged if not all(reason.change in NEVER for reason in one.reasons)]
    asked = {one.entry.path: _Question(one.entry.text, source) for one in changed for source in _worst(one)[:1]}
    if not asked:
        return {}
    try:
        found = history.versions(workspace, {question.source.path for question in asked.values()})
    except CuratorError:
        return {}  # a history that cannot be read takes nothing from the finding
    versions = {path: several[:_MOST_VERSIONS] for path, several in found.items()}
    walked = (one for _, several in sorted(versions.items()) for one in several)
    texts = Texts(workspace, (blob for one in walked for blob in (one.new, one.old)))
    told: dict[str, str] = {}
    for path, question in sorted(asked.items(), key=lambda item: item[1].source.path):
        one = survey.culprit(versions.get(question.source.path, ()), partial(question.is_broken, texts))
        if one:
            told[path] = f"{one.commit[:8]} {one.date} {one.author}: {one.subject}"
    return told


@dataclass(frozen=True, slots=True)
class _Question:
    """Did a version of a file break the statement?"""

    statement: str
    source: Source

    def is_broken(self, texts: Texts, blob: str) -> bool:
        text = texts.get(blob)
        if blob and text is None:
            return False
        state = stale.judge(self.statement, self.source, text, blob=blob).state
        return state.level in {Level.ERROR, Level.WARNING}


def _worst(judged: Judged) -> list[Source]:
    """The sources that are in the entry's own state."""
    pairs = zip(judged.entry.sources, judged.verdicts, strict=True)
    return [source for source, verdict in pairs if verdict.state is judged.state]
