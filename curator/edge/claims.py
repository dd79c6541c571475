"""What the statements of instruction files named when they were written, and what of it differs now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from curator.core import mention, rules, survey, wording
from curator.core.survey import Claim
from curator.edge import files, history, past
from curator.edge.past import Past
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Source, Workspace

Each = Callable[[Sequence[str]], Iterable[str]]
"""Goes through what takes long, and may show how far it is."""

UNREADABLE = "the files of that time are not at hand"
_MOST_BENEATH = 50  # files of a gone folder that are followed


@dataclass(frozen=True)
class Now:
    """What the index holds, and which of its paths a merge left open."""

    workspace: Workspace
    files: Mapping[str, Tracked]
    unmerged: frozenset[str] = frozenset()

    @cached_property
    def known(self) -> mention.Paths:
        return mention.paths(self.files)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder with a tracked file, with a final slash."""
        return frozenset(folder for path in self.files for folder in _around(path))

    @cached_property
    def instructions(self) -> tuple[str, ...]:
        return wording.instructions(self.files)


def _around(path: str) -> Iterator[str]:
    at = path.rfind("/")
    while at > 0:
        yield path[: at + 1]
        at = path.rfind("/", 0, at)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One instruction file: its lines, the folder it speaks of, its claims."""

    path: str
    lines: tuple[str, ...]
    home: str
    claims: tuple[Claim, ...]


def sheet(now: Now, path: str) -> Sheet:
    """The file as it is on disk, as blame reads it; where it is not checked out, nothing of it can be dated."""
    text = files.read_or_none(now.workspace, path)
    loose = history.NOT_COMMITTED
    try:
        blamed = history.blame(now.workspace, path) if text is not None else ()
    except CuratorError:  # a partial clone without the texts of that time
        blamed, loose = (), UNREADABLE
    text = survey.body(text or "")
    stated = (one for one in rules.statements(text, path) if one.kept != rules.FOREIGN)
    dated = survey.claims(stated, blamed, loose)
    return Sheet(path, tuple(text.split("\n")), wording.folder(path), dated)


@dataclass(frozen=True, slots=True)
class Cited:
    """A file that a statement names, as it was then and is now; *written* is how, *about* what is said of it."""

    source: Source
    written: str
    about: str
    before: Tracked
    after: Tracked | None


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A claim with what it named at its time: files, and folders that are gone since, each with its spelling."""

    sheet: Sheet
    claim: Claim
    cited: tuple[Cited, ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    beneath: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    unknown: str = ""


def cases(now: Now, sheets: Iterable[Sheet], each: Each) -> tuple[Case, ...]:
    """Every claim that can be dated with what it named; commit by commit, as each costs a comparison of whole trees."""
    by_commit: dict[str, list[tuple[Sheet, Claim]]] = {}
    for sheet in sheets:
        for claim in sheet.claims:
            if claim.commit:
                by_commit.setdefault(claim.commit, []).append((sheet, claim))
    found: list[Case] = []
    for commit in each(tuple(by_commit)):
        try:
            then = past.at(now.workspace, commit, now.files, now.known)
        except CuratorError:  # a partial clone without the trees of that time
            found.extend(Case(sheet, claim, unknown=UNREADABLE) for sheet, claim in by_commit[commit])
            continue
        folders = {folder for path in then.removed for folder in _around(path)} - now.folders
        for sheet, claim in by_commit[commit]:
            found.append(_case(now, then, folders, sheet, claim))
    return tuple(found)


def _case(now: Now, then: Past, folders: set[str], sheet: Sheet, claim: Claim) -> Case:
    text = survey.said(claim.statement)
    cited = tuple(_cited(now, then, sheet, text))
    gone = tuple(_gone_folders(now, folders, sheet, text))
    beneath = {
        path: before.blob
        for folder, _ in gone
        for path in list(filter(lambda path: path.startswith(folder), sorted(then.removed)))[:_MOST_BENEATH]
        if (before := then.file(path))
    }
    unknown = UNREADABLE if cited and all(one is None for one in cited) else ""
    held = tuple(one for one in cited if one is not None)
    return Case(sheet, claim, held, gone, beneath, wording.names(text), unknown)


def _cited(now: Now, then: Past, sheet: Sheet, text: str) -> Iterator[Cited | None]:
    """The files that *text* named then; None for one that cannot be looked into: a submodule, an open merge."""
    for source in _sources(text, then.known, sheet):
        before, after = then.file(source.path), now.files.get(source.path)
        written = wording.spelled(text, source.path, sheet.home)
        if before != after:
            before = past.followed(now.workspace, source.path, then.file)
            after = past.followed(now.workspace, source.path, now.files.get) if after else None
            if after is None and (source.path in now.files or source.path in now.unmerged):
                before = None
        if before is None or past.SUBMODULE in {before.mode, after.mode if after else ""}:
            yield None
        else:
            yield Cited(source, written, wording.about(text, written), before, after)


def _sources(text: str, known: mention.Paths, sheet: Sheet) -> Iterable[Source]:
    """All files that *text* names; those of a long list line by line, as only the first dozen of a text are told."""
    found = {source.path: source for source in mention.sources(text, known, sheet.home, sheet.path)}
    if len(found) >= mention.MOST:
        for line in text.split("\n"):
            found = {source.path: source for source in mention.sources(line, known, sheet.home, sheet.path)} | found
    return found.values()


def _gone_folders(now: Now, folders: set[str], sheet: Sheet, text: str) -> Iterator[tuple[str, str]]:
    """Folders that *text* named and that hold no tracked file any more."""
    for name in wording.folders(text) if folders else ():
        if any(folder.endswith(f"/{name}") or folder == name for folder in now.folders):
            continue
        ends = [folder for folder in folders if folder.endswith(f"/{name}")]
        exact = [folder for folder in (f"{sheet.home}{name}", name) if folder in folders]
        for folder in (exact or (ends if len(ends) == 1 else []))[:1]:
            yield folder, name
