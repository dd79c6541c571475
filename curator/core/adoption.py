"""What becomes of another tool's statements: drafts, entries, and why the rest is left where it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from curator.core import codec, guard, guess, harvest, intake, keys, kinds, mention, vetting
from curator.core.harvest import File
from curator.core.imports import item
from curator.core.imports.item import DONE, Item
from curator.model import Config, Entry, Finding, Origin, Source
from curator.outcome import Draft, Outcome, Statement

PERSON = "it is about a person, not about this repository"
ELSEWHERE = "about another project"
KNOWN, WAITS, REFUSED, TWICE = ("already a memory", "waits for review already", "was refused before", "said twice")
"""Why a statement is not taken once more."""


class Left(NamedTuple):
    """A statement that is left, the reason, and what sharpens that: the entry, the project."""

    item: Item
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoption(Outcome):
    """What an import would do with *place*, which is in *format*: new files, and what is left.

    *accept*: entries of the tree; else proposals for the inbox.
    """

    place: str
    format: str
    accept: bool = False
    entries: tuple[tuple[Item, Entry], ...] = ()
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class Room:
    """What statements are held against.

    *known* maps keys to the reason why what they stand for is not taken, and a detail. *names* are those that a
    store may call this repository by. *category* overrules every guess.
    """

    config: Config
    tracked: mention.Paths
    known: Mapping[str, tuple[str, str]]
    names: frozenset[str]
    format: str
    now: str
    accept: bool = False
    category: str = ""
    home: Callable[[str], str] = lambda scope: ""
    lying: Mapping[str, Entry] = field(default_factory=dict)


# --- Statements that last -----------------------------------------------------------------------------------------

_REPORTS = frozenset(
    """
    activity change changelog conversation episode event feature journal log message milestone progress refactor session
    session-summary session_summary status summary turn what-changed worklog
    """.split()
)
_PERSONAL = frozenset({"user", "user_profile", "profile", "persona", "person", "identity"})
_REPORTED = re.compile(
    r"\W*(?:session (?:summary|notes|log|recap|\d+)\b|summary of (?:the|this|today'?s?|our) "
    r"|(?:in|during) this session\b|(?:today|yesterday),? (?:i|we) |(?:current )?(?:progress|status)\b\W*:"
    r"|next steps?\W*:|(?:work )?completed\W*:|what was (?:done|accomplished)\b|accomplished\W*:)",
    re.I,
)


def sifted(items: Iterable[Item], room: Room) -> tuple[list[Item], list[Left]]:
    """The statements that may become memories and are none yet, and the others.

    Of several with one key of their store the newest counts, of several that say the same the first.
    """
    fit: list[Item] = []
    left: list[Left] = []
    for one in items:
        reason, detail = _unfit(one, room)
        if reason:
            left.append(Left(one, reason, detail))
        else:
            fit.append(one)
    newest: dict[str, Item] = {}
    for one in fit:
        if one.same and (one.same not in newest or newest[one.same].created <= one.created):
            newest[one.same] = one
    older = [one for one in fit if one.same and newest[one.same] is not one]
    left.extend(Left(one, "its store has a newer one", newest[one.same].where) for one in older)
    return _anew([one for one in fit if not one.same or newest[one.same] is one], room, left)


def _anew(fit: Iterable[Item], room: Room, left: list[Left]) -> tuple[list[Item], list[Left]]:
    """Those whose keys are not known, each once; the others are added to *left*."""
    taken: dict[str, str] = {}
    new: list[Item] = []
    for one in fit:
        key = keys.key(room.config.namespace, codec.canonical(one.text))
        reason, detail = room.known.get(key) or ((TWICE, taken[key]) if key in taken else ("", ""))
        if reason:
            left.append(Left(one, reason, detail))
        else:
            taken[key] = one.where
            new.append(one)
    return new, left


def _unfit(one: Item, room: Room) -> tuple[str, str]:
    """Why a statement cannot be a memory here whatever it says, with a detail; two empty texts where it can."""
    if one.project and one.project.lower() not in room.names:
        return ELSEWHERE, one.project
    if one.left or _is_over(one, room.now):
        return one.left or "its time is over", ""
    if len(one.text) > 10 * item.WHOLE or len(codec.canonical(one.text)) > item.WHOLE:
        return f"longer than {item.WHOLE:,} characters", ""
    if any(map(_BROKEN.search, _texts(one))):
        return "it holds bytes that are no UTF-8", ""
    return ("", "") if one.own else (_passing(one), "")


def _passing(one: Item) -> str:
    """Why a statement that nobody has judged does not last, or nothing."""
    if one.kind.lower() in _PERSONAL:
        return PERSON
    if one.kind.lower() in _REPORTS or _REPORTED.match(one.text):
        return DONE
    return intake.fleeting(Statement(one.text, 0, 0, one.headings))


def _is_over(one: Item, now: str) -> bool:
    """A day counts to its end, as `expires` does; a time of day to the second."""
    return bool(one.ends) and (one.ends[:10] < now[:10] or (not one.ends.endswith("T00:00:00Z") and one.ends <= now))


_BROKEN = re.compile("[\ud800-\udfff]")


def _texts(one: Item) -> Iterator[str]:
    """All that a statement would put into an entry as its store wrote it."""
    yield from (one.text, one.why, one.task, *one.tags, *one.triggers, *one.headings)
    yield from (part for source in one.sources for part in (source.path, source.symbol, source.text, source.absent))


# --- Drafts -------------------------------------------------------------------------------------------------------

_MEANS: Mapping[str, tuple[str, ...]] = {
    "feedback": ("convention", "constraint"),
    "project": ("decision", "gotcha", "dead-end", "todo"),
    "reference": ("route",),
    "pointer": ("route",),
    "location": ("route",),
    "architecture": ("decision",),
    "design": ("decision",),
    **dict.fromkeys(("discovery", "insight", "learning", "lesson"), ("gotcha", "decision", "dead-end", "constraint")),
    **dict.fromkeys(("problem", "bug", "bugfix", "issue", "pitfall", "warning", "error", "incident"), ("gotcha",)),
    **dict.fromkeys(
        ("preference", "user-inference", "pattern", "style", "guideline", "rule", "procedure", "howto", "how-to"),
        ("convention", "constraint"),
    ),
    **dict.fromkeys(("technique", "workflow", "config", "configuration", "setup"), ("convention", "decision", "route")),
    "requirement": ("constraint",),
    "hazard": ("constraint",),
    "security": ("constraint",),
    "failed": ("dead-end",),
    "deadend": ("dead-end",),
    "task": ("todo",),
}
"""What other tools call things, and which categories that may be; the first where the words themselves say none."""
_ANY = frozenset(
    {"", "fact", "ambient", "general", "knowledge", "info", "information", "memory", "note", "misc", "other"}
)


def draft(one: Item, room: Room, times: float) -> Draft:
    """A statement as a draft: its category, the files here that it is about, its importance by the store's scale."""
    text = codec.canonical(one.text)
    scope = _scope(one, room.tracked)
    sources = _sources(one, text, room.tracked, scope)
    importance = guess.importance(text) if one.importance is None else round(one.importance * times)
    return Draft(
        text=text,
        category=_category(one, room, routes=bool(sources)),
        why="" if _is_too_much(one.why) else one.why,
        importance=min(10, max(1, importance)),
        tags=one.tags or guess.tags(one.headings),
        triggers=one.triggers,
        sources=sources,
        scope=scope,
        task=one.task,
        origin=Origin(
            by="import",
            session="".join(re.findall(r"[A-Za-z0-9]", one.session))[:8],
            created=min(one.created or room.now, room.now),
            extractor=f"import/{room.format}",
        ),
    )


def _is_too_much(why: str) -> bool:
    return len(why) > 10 * item.REASON or len(codec.canonical(why)) > item.REASON


def _category(one: Item, room: Room, *, routes: bool) -> str:
    configured = room.config.categories
    if room.category:
        return room.category
    if one.own and one.kind in configured and (routes or one.kind != "route"):
        return one.kind
    word = one.kind.lower().replace("_", "-")
    options = (word,) if word in configured else _MEANS.get(word) or _MEANS.get(word.removesuffix("s"), ())
    if not options and word.removesuffix("s") in configured:
        options = (word.removesuffix("s"),)
    fits = [name for name in options if name in configured and (routes or name != "route")]
    chosen = fits[0] if fits else ""
    if len(fits) != 1:
        guessed = guess.category(one.text, one.headings, routes)
        chosen = guessed if guessed in fits or not fits else chosen
    if chosen == "route" and not routes:
        chosen = "convention"
    return chosen if chosen in configured else "convention" if "convention" in configured else configured[0]


def is_unknown(kind: str, categories: Sequence[str]) -> bool:
    """Whether the store's own word for what a statement is means nothing here."""
    word = kind.lower().replace("_", "-")
    bare = word.removesuffix("s")
    return word not in _ANY and not {word, bare} & {*categories, *_MEANS}


def _scope(one: Item, tracked: mention.Paths) -> str:
    """The one folder that a statement holds for, with a slash at its end; "" for everywhere."""
    folders = [f"{folder.strip('/')}/" for folder in one.folders]
    return folders[0] if len(folders) == 1 and any(path.startswith(folders[0]) for path in tracked.all) else ""


def _sources(one: Item, text: str, tracked: mention.Paths, scope: str) -> tuple[Source, ...]:
    """The files here that the text names, then those that the store ties to it; each once.

    Those of curator's own export are taken as they are.
    """
    own = tuple(source for source in one.sources if source.path in tracked.all and _is_citable(source.path))
    if own or one.own:
        return own
    named = [source for source in mention.sources(text, tracked, scope) if mention.is_proposable(text, source.path)]
    tied = (path for path in (_here(path, tracked) for path in one.paths) if path)
    found = {source.path: source for source in named}
    for path in tied:
        found.setdefault(path, Source(path))
    return tuple(source for source in found.values() if _is_citable(source.path))[: mention.MOST]


@cache
def _is_citable(path: str) -> bool:
    """Whether an import may cite a file: no rules, memory or lock file, and a name that an entry can hold."""
    if kinds.is_memory(path) or kinds.is_instructions(path) or kinds.is_lock(path):
        return False
    return vetting.is_citable(path)


def _here(named: str, tracked: mention.Paths) -> str:
    """The tracked path that a store means, which may name it from another place of another machine; "" for none."""
    path = named.replace("\\", "/").removeprefix("./").partition("#")[0]
    while path:
        if path in tracked.all:
            return path
        path = path.partition("/")[2]
        if "/" not in path:
            return ""
    return ""


# --- Entries ------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """A statement that becomes an entry, and the text of its file."""

    item: Item
    entry: Entry
    text: str


def judged(
    drafts: Iterable[tuple[Item, Draft]], room: Room, files: Mapping[str, File], tail: Callable[[], str]
) -> Iterator[Taken | Left]:
    """Each draft as an entry, or why it is none."""
    for one, made in drafts:
        lying = room.lying.get(keys.key(room.config.namespace, made.text))
        entry = lying or _entry(one, made, room, files, tail())
        text = codec.write(entry)
        faults = "; ".join(dict.fromkeys(found.message for found in _faults(entry, text, room)))
        yield Left(one, faults) if faults else Taken(one, entry, text)


_PLAIN = re.compile(r"[\n -~]{1,20000}")


def _faults(entry: Entry, text: str, room: Room) -> tuple[Finding, ...]:
    """What keeps an entry out. What the codec wrote in plain ASCII reads back as it is, so it is not parsed again."""
    if _PLAIN.fullmatch(text) and (entry.sources or entry.category != "route"):
        return vetting.errors(guard.inspect(entry))
    return vetting.errors(vetting.vet_text(text, entry.path, room.config.categories)[1])


def _entry(one: Item, made: Draft, room: Room, files: Mapping[str, File], tail: str) -> Entry:
    if files:
        made = replace(made, sources=tuple(_holding(source, files.get(source.path)) for source in made.sources))
    home = room.home(made.scope)
    entry = harvest.stamp(made, files, namespace=room.config.namespace, now=room.now, tail=tail, home=home)
    scope = entry.scope if room.accept else made.scope  # a proposal has no folder that says it
    seen, ends = min(one.seen, 999_999_999), one.ends[:10]
    if one.own:
        return replace(entry, scope=scope, seen=seen, review_by=one.review, expires=ends)
    return replace(entry, scope=scope, seen=seen, expires=ends or entry.expires)


def _holding(source: Source, file: File | None) -> Source:
    """A source as it is where the file holds it, else by its path alone."""
    return source if harvest.holds(source, file) else Source(source.path)


def notes(fit: Sequence[Item], room: Room) -> tuple[str, ...]:
    """What is said of a whole import: words for categories that mean nothing here, reasons that are too long."""
    words = Counter(one.kind for one in fit if not room.category and is_unknown(one.kind, room.config.categories))
    rest = len(words) - _WORDS
    long = sum(_is_too_much(one.why) for one in fit)
    lost = {path for one in fit for path in one.paths if not _here(path, room.tracked)}
    lost.update(source.path for one in fit for source in one.sources if source.path not in room.tracked.all)
    afar = [one for one in fit if one.folders and not _scope(one, room.tracked)]
    return (
        *(f"category {_short(name)!r} is none here: guessed for {number:,}" for name, number in _first(words)),
        *([f"{rest:,} more categories are none here"] if rest > 0 else []),
        *([f"the reasons of {long} are longer than {item.REASON:,} characters and stay behind"] if long else []),
        *([f"{len(lost):,} of the files that are named there are not in this repository"] if lost else []),
        *([f"{_short(afar[0].folders[0])!r}: {_AFAR.format(len(afar))}"] if afar else []),
    )


_AFAR = "the scope of {:,} is several folders, or one that is not here: they would hold everywhere"
_WORDS, _LETTERS = 5, 40  # words for categories that are told, the most frequent first, and how much of each


def _first(words: Counter[str]) -> list[tuple[str, int]]:
    return sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[:_WORDS]


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 3]}..."
