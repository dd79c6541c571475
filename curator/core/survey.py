"""What an audit decides: what statements claimed and when, what counts against them, and which commit broke them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from curator.core import symbols, terms, verdict, wording
from curator.core.intake import Blamed
from curator.core.mention import Paths
from curator.core.verdict import Change, Reason
from curator.model import Source, State
from curator.outcome import Statement

SHOWN = 3
"""Lines of the old text that are shown for one reason."""


class Version(NamedTuple):
    """What one commit did to a path: blob ids before and after, "" where the path did not exist.

    *date* is an ISO 8601 day. *place* counts commits from the newest of one walk, 0.
    """

    commit: str
    date: str
    author: str
    subject: str
    old: str = ""
    new: str = ""
    place: int = 0


class Rewrite(NamedTuple):
    """One line of an instruction file as it is and as it should be."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement and the commit at which it was true; without one, *unknown* says why."""

    statement: Statement
    commit: str = ""
    time: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """A statement that no longer holds, or asks for a look: reasons worst first, and who broke the worst.

    *line* is the line that names it, *said* that line; *commit* is None for
    what is not committed or not found.
    """

    path: str
    statement: Statement
    line: int
    said: str
    state: State
    reasons: tuple[Reason, ...]
    commit: Version | None = None
    edit: Rewrite | None = None


class Tally(NamedTuple):
    """The statements of one file, counted: those that name what can be checked, and what became of them.

    *unknown* says why some could not be judged, and how many.
    """

    path: str
    statements: int = 0
    checkable: int = 0
    stale: int = 0
    review: int = 0
    moved: int = 0
    unknown: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found in each file; the findings by path and line."""

    files: tuple[Tally, ...] = ()
    findings: tuple[Broken, ...] = ()


_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)")


def body(text: str) -> str:
    """*text* with its front matter blank, so that every line keeps its number."""
    front = _FRONT.match(text)
    return "\n" * front[0].count("\n") + text[front.end() :] if front else text


def claims(statements: Iterable[Statement], blamed: Sequence[Blamed], loose: str) -> tuple[Claim, ...]:
    """Each statement with the newest commit of its lines: there all of it was true.

    *loose* is what *blamed* says of a line that is not committed; one is enough, as the statement is being changed.
    """
    lines = {line.line: line for line in blamed}
    return tuple(
        _claim(one, [lines[n] for n in range(one.first, one.last + 1) if n in lines], loose) for one in statements
    )


def _claim(one: Statement, lines: Sequence[Blamed], loose: str) -> Claim:
    if not lines or any(line.unknown == loose for line in lines):
        return Claim(one, unknown=loose)
    newest = max((line for line in lines if line.commit), key=lambda line: (line.time, line.line), default=None)
    return Claim(one, newest.commit, newest.time) if newest else Claim(one, unknown=lines[0].unknown)


_AT = re.compile(r"(?<!\S)@(?=[\w.~/-]*[/.])")


def said(statement: Statement) -> str:
    """What it claims about code: its words, an import such as `@docs/rules.md` as the path it names."""
    return _AT.sub("", statement.text)


_ANCHORS = frozenset({Change.PATH_GONE, Change.MOVED, Change.TERM_GONE, Change.DEFINITION_GONE})
PATHS = verdict.PATHS


def weighed(reason: Reason, statement: Statement, written: str) -> Reason | None:
    """*reason* as far as the words of *statement* bear it, None where not; *written* is how it writes the path.

    Between writing and today lie months, in which lines are edited and words go under statements that stay true: only
    what a statement names outright counts, and in prose not even that.
    """
    of_path = reason.change in PATHS
    if reason.state not in {State.STALE, State.MOVED} or reason.change not in _ANCHORS:
        return None
    if not of_path and (not wording.is_code(reason.path) or _is_scrap(reason.name)):
        return None
    name = written if of_path else reason.name
    if reason.state is not State.STALE:
        return reason
    if of_path:
        doubtful = wording.denied(statement, name) or wording.made(statement, name)
        return replace(reason, state=State.REVIEW) if doubtful else reason
    if not wording.denied(statement, name):
        return reason
    return replace(reason, state=State.REVIEW) if wording.STRUCTURED.search(name) or wording.is_flag(name) else None


_HANDED = re.compile(r"\b(?:import|export|exports|from|require|use|include|__all__)\b")


def seen(reason: Reason, text: str) -> Reason:
    """*reason* in the light of the file's *text* now.

    A definition whose name is not even mentioned any more is gone. One that the file still hands on does no harm: who
    imports it from there finds it.
    """
    if reason.change is not Change.DEFINITION_GONE:
        return reason
    if not terms.holds(text, reason.name):
        return replace(reason, change=Change.TERM_GONE)
    handed = any(_HANDED.search(line.text) for line in islice(terms.lines(text, reason.name), 100))
    listed = re.search(r"\b(?:import|export)\b[^;]{0,2000}?\b" + re.escape(reason.name) + r"\b", text)
    return replace(reason, state=State.AUTO) if handed or listed else reason


def likely(path: str, known: Paths) -> tuple[str, ...]:
    """Files of the same name as the gone *path*; a fixture or a sample is no new place of what was none."""
    named = known.by_name.get(path.rpartition("/")[2], ())
    return tuple(each for each in named if _APART.search(path) or not _APART.search(each))


_APART = re.compile(r"(?:^|/)(?:tests?|fixtures?|testdata|examples?|samples?|templates?|vendor|third_party)/", re.I)


def standing(reason: Reason, held: bool) -> Reason | None:
    """*reason* in the light of whether its name is *held* by another file now.

    A value that left a file of data, a plain word that left a program, and what is denied anyway say nothing then.
    """
    if not held or reason.change is not Change.TERM_GONE:
        return reason
    if reason.state is not State.STALE or not wording.PROGRAM.search(reason.path):
        return None
    return reason if wording.STRUCTURED.search(reason.name) or wording.is_flag(reason.name) else None


def _is_scrap(name: str) -> bool:
    """A piece of a call that was cut at a blank."""
    return name.count("(") != name.count(")") or name.count("[") != name.count("]")


def culprit(versions: Sequence[Version], broken: Callable[[str], bool]) -> Version | None:
    """The newest version from which on the state holds: all that came after it are *broken* too, the one before is not.

    *broken* is asked for a blob id, "" where the path did not exist. None when the newest version is not broken (what
    broke it is not committed), or none of them was whole.
    """
    found: Version | None = None
    for version in versions:
        if not broken(version.new):
            break
        found = version
    return found if found is not None and not broken(found.old) else None


def breach(versions: Sequence[Version], broken: Callable[[str], bool]) -> Version | None:
    """The newest version that broke it, wherever it stands: for a walk in which branches lie side by side."""
    return next((one for one in versions if broken(one.new) and not broken(one.old)), None)


def true_then(source: Source, text: str) -> Source:
    """*source* without a symbol that its file's *text* did not define at that time: what never was cannot go."""
    return source if symbols.defines(source.path, text, source.symbol) else replace(source, symbol="")


_KEY = r"[\"']{0}[\"']\s*(?::|=>|\]\s*=)"


def lost(statement: Statement, name: str, stood: Mapping[str, str]) -> Reason | None:
    """Why the loss of *name*, which no tracked file holds now, matters; *stood* are the files of code that held it.

    Where one of them defined it, the statement is stale. What was only used, an option of another program or a name
    of a library, asks for a look.
    """
    if not stood:
        return None
    key = re.compile(_KEY.format(re.escape(name)))
    homes = [path for path, text in stood.items() if symbols.defines(path, text, name) or key.search(text)]
    used = [path for path in stood if wording.PROGRAM.search(path) and not wording.TEST.search(path)]
    no = wording.denied(statement, name)
    if (
        not (homes or used)
        or (no and all(wording.TEST.search(path) for path in homes))
        or (not homes and wording.TASK.fullmatch(name))
    ):
        return None
    path = (homes or used)[0]
    shown = tuple(dict.fromkeys(line.text for line in islice(terms.lines(stood[path], name), SHOWN)))
    state = State.STALE if homes and not no else State.REVIEW
    return Reason(state, Change.TERM_GONE, path, name, shown)
