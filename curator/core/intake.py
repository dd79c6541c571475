"""The plan of an import: which statements of a hand-written rules file become drafts, and why the others stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curator.core import guess, mention, phrase, rules
from curator.model import CATEGORIES, Origin
from curator.outcome import Draft, Statement


@dataclass(frozen=True, slots=True)
class Blamed:
    """Who last touched a line, counted from 1: the commit, in hex, and its author's time, ISO 8601 in UTC.

    Both are empty where that cannot be known; *unknown* says why.
    """

    line: int
    commit: str = ""
    time: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Drafts with the statements they come from, and statements that stay with the reason."""

    drafts: tuple[tuple[Draft, Statement], ...]
    skipped: tuple[tuple[Statement, str], ...]


def plan(
    text: str,
    tracked: Iterable[str],
    dates: Sequence[Blamed] = (),
    path: str = "CLAUDE.md",
    categories: Sequence[str] = tuple(CATEGORIES),
) -> Plan:
    """What an import of *text* would make of it.

    *tracked* are the paths that can be sources, *dates* the blame of its lines, *path* its own place: a file in a
    folder speaks of that folder. CuratorError when the markers of the memory block are broken.
    """
    known = mention.paths(tracked)
    folder = path[: path.rfind("/") + 1]
    drafts: list[tuple[Draft, Statement]] = []
    skipped: list[tuple[Statement, str]] = []
    seen: dict[str, int] = {}
    for place, statement in enumerate(rules.statements(text, path)):
        twin = seen.setdefault(" ".join(statement.text.lower().split()), statement.first)
        reason = (
            statement.kept or introduces(statement) or fleeting(statement) or ("" if place else _describes(statement))
        )
        reason = reason or (f"the same as line {twin}" if twin < statement.first else "")
        if reason:
            skipped.append((statement, reason))
        else:
            drafts.append((_draft(statement, known, dates, folder, path, categories), statement))
    return Plan(tuple(drafts), tuple(skipped))


def _draft(
    one: Statement,
    known: mention.Paths,
    dates: Sequence[Blamed],
    folder: str,
    path: str,
    categories: Sequence[str],
) -> Draft:
    sources = mention.sources(one.text, known, folder, path)
    category = guess.category(one.text, one.headings, bool(sources))
    born = _born(one, dates)
    return Draft(
        text=one.text,
        category=category if category in categories else _other(categories),
        importance=guess.importance(one.text),
        tags=guess.tags(one.headings),
        sources=sources,
        scope=folder,
        origin=Origin(by="import", commit=born.commit, created=born.time),
    )


def _other(categories: Sequence[str]) -> str:
    return "convention" if "convention" in categories else categories[0]


def _born(one: Statement, dates: Sequence[Blamed]) -> Blamed:
    """The line of a statement that is oldest: when the statement came, whoever wrapped its other lines since."""
    own = [line for line in dates if line.time and one.first <= line.line <= one.last]
    return min(own, key=lambda line: (line.time, line.line), default=Blamed(one.first))


_FILE = r"(?:this|the) (?:file|document|guide|page|repo(?:sitory)? guide|agents?\.md|claude\.md|`?[A-Z]+\.md`?)"
_TELLS = r"(?:provide|contain|help|guide|give|exist|outline|describe|serve|document|define|explain|cover|tell|i)s?"
_GUIDE = r"(?:instructions|guidance|guidelines|guide|context|rules|source of truth)"
_AGENT = r"(?:claude|ai|agents?|copilot|codex|coding|llms?)"
_INTRODUCES = re.compile(
    rf"\W*(?:{_FILE}\b.{{0,80}}\b{_TELLS}\b|welcome\b|guidance to claude"
    rf"|(?:agent |coding |single |the )*{_GUIDE} for (?:\w+ ){{0,3}}{_AGENT}\b)",
    re.I,
)
_AROUND = re.compile(
    r"\W*the (?:\w+ ){0,2}(?:marker|section|subsection|table|list|diagram|comment|block|rest)s? "
    r"(?:above|below|of this)\b",
    re.I,
)
_HISTORY = re.compile(
    r"(?:^|/ )(?:recent|latest|completed|finished|implemented|done)\b|\bsession (?:\d+|log|history|notes)\b"
    r"|\b(?:version|development|change) history|what'?s new|(?:fixes|changes) applied|progress (?:log|report)"
    r"|milestones|(?:current|project) (?:status|state|progress)",
    re.I,
)
_STATE = re.compile(r"\b(?:completed?|achieved|implemented|done|resolved|fixed|in progress|pending)\b", re.I)


def _tells_progress(text: str) -> bool:
    """Most of its lines say how far something is."""
    if re.match(r"\W*(?:\w+ ){0,2}status\b\W*:", text, re.I):
        return True
    rows = re.findall(r"^\s*(?:-|\d+\.)\s+(.*)", text, re.M)
    return len(rows) > 2 and 2 * sum(bool(_STATE.search(row)) for row in rows) > len(rows)


def introduces(one: Statement) -> str:
    """Why a statement of a page says nothing without that page, or nothing."""
    if _INTRODUCES.match(one.text):
        return "it says what this file is for"
    return "it speaks of what stands around it" if _AROUND.match(one.text) else ""


_THING = re.compile(r"(?:this (?:is )?)?(?:an?|the) [^.!?:;,\n]{3,120}[.!]?", re.I)


def _describes(one: Statement) -> str:
    """Whether the opening of a page only names what the project is, without a verb: "A small web shop in Flask."."""
    bare = not one.headings and bool(_THING.fullmatch(one.text.strip()))
    said = re.sub(r"^this is ", "", one.text.strip(), flags=re.I)
    return "it says what this project is" if bare and not phrase.verbal(said) and not phrase.demands(said) else ""


def fleeting(one: Statement) -> str:
    """Why a statement that could be a memory should not be one wherever it stands, or nothing."""
    if _HISTORY.search(" / ".join(one.headings)) or _tells_progress(one.text):
        return "it tells what was done, not what to do"
    if len(re.findall(r"\w+", one.text)) < 3:
        return "too short to be understood alone"
    return ""
