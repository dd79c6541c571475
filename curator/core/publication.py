"""A branch of memories as it is told: its commits' messages, its name, the title and the text of its pull request.

Sites read orders in messages: they close issues, notify people, skip checks, credit authors. What comes from a memory
is data here, and says nothing to them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from curator.core import checkup, columns, inert, printable, queue
from curator.model import Entry, Origin
from curator.outcome import Edit

PREFIX = "curator/memories-"
"""What the names of branches begin with."""
WIDTH = 72
"""Columns of a message, as git has it."""
_LONGEST = 200  # characters of one fact in a trailer
LARGEST = 60_000
"""Bytes of a pull request's text; GitHub takes 65,536 characters."""
_MOST_TOLD = 100  # memories that the text of a pull request lists
_SHOWN = 120  # columns of what it shows of one text
_QUIET = str.maketrans("[]", "()")
_REFERENCE = re.compile(r"(?<=[@#!])(?=\w)|(?<=\bGH)-(?=\d)|(?<=:)(?=//)", re.I)
_STARS = re.compile(r"\*{2,}")
_ORDER = re.compile(r"[^\s:]{1,60}\s*:|[-#=>+]|diff\b|From\b|Index\b|/\w", re.I)


class Kind(Enum):
    """What a commit does with a memory."""

    NEW = "Remember"
    AGAIN = "Said again"
    RETIRED = "Retire"


@dataclass(frozen=True, slots=True)
class Item:
    """One memory of the branch: the *entry* as it will be, the *edits* that make it so.

    *key* is the proposal's, which said *proposed*; "" and None for an entry that is in the tree here. *replaces* are
    the ids that it retires.
    """

    kind: Kind
    entry: Entry
    edits: tuple[Edit, ...]
    key: str = ""
    replaces: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    proposed: Entry | None = None

    @property
    def short(self) -> str:
        """What a person types for it."""
        return queue.Proposal(self.key, self.entry, "").short if self.key else checkup.short(self.entry)

    @property
    def teller(self) -> Origin:
        """Whose word this is: of a memory that is retired because somebody asked for it, of who asked."""
        return self.proposed.origin if self.proposed and self.kind is Kind.RETIRED else self.entry.origin


class Request(NamedTuple):
    """A pull request: its title and its text in Markdown."""

    title: str
    body: str


# --- Commits ------------------------------------------------------------------------------------------------------


def message(item: Item) -> str:
    """A commit's message: what is remembered, why, and trailers that say where it came from."""
    paragraphs = [_subject(item), *_body(item), "\n".join(_trailers(item))]
    return "\n\n".join(paragraphs) + "\n"


def block_message(paths: Sequence[str]) -> str:
    """The message of the commit that brings blocks up to date."""
    names = " and ".join(paths) if len(paths) < 3 else f"{len(paths)} files"
    return f"{columns.shorten(f'Render the memories in {_plain(names)}', WIDTH)}\n"


def subject(item: Item) -> str:
    """The first line of its commit."""
    return _subject(item)


def _subject(item: Item) -> str:
    return f"{item.kind.value}: {_cut(_plain(item.entry.text), WIDTH - len(item.kind.value) - 2)}"


def _cut(text: str, most: int) -> str:
    """A text cut at the end of a sentence or between words."""
    if columns.width(text) <= most:
        return text
    sentence = re.match(r"(.{12,}?[.!?])(?=\s)", text)
    if sentence and columns.width(sentence[1]) <= most:
        return sentence[1]
    return f"{columns.wrap(text, most - 3)[0]}..."


def _body(item: Item) -> Iterator[str]:
    """Why, and the whole text where the first line holds only a part of it."""
    text = _plain(item.entry.text)
    if not _subject(item).endswith(text):
        yield _paragraph(text)
    if item.kind is Kind.RETIRED and item.entry.retired:
        yield _paragraph(f"Retired: {_plain(item.entry.retired.reason)}".rstrip(": "))
    elif item.entry.why:
        yield _paragraph(_plain(item.entry.why))


def _paragraph(text: str) -> str:
    """Lines of a body; one that a program could take for a trailer, a comment or a patch is indented."""
    lines = columns.wrap(text, WIDTH - 2)
    return "\n".join(f"  {line}" if _ORDER.match(line) else line for line in lines)


def _trailers(item: Item) -> Iterator[str]:
    origin = item.teller
    yield f"Memory-Id: {_fact(item.entry.id)}"
    if item.entry.origin.key:
        yield f"Memory-Key: {_fact(item.entry.origin.key)}"
    facts = (origin.by, origin.agent, f"session {origin.session}" if origin.session else "", origin.created)
    told = ", ".join(_fact(one) for one in facts if one)
    if told:
        yield f"Memory-Origin: {told}"
    for name in item.replaces:
        yield f"Memory-Supersedes: {_fact(name)}"


def _fact(text: str) -> str:
    return _plain(text)[:_LONGEST]


def _plain(text: str) -> str:
    """A text on one line, in which no site finds a person, an issue, a link to one or a word to its checks."""
    line = printable.inline(" ".join(text.encode("utf-8", "replace").decode("utf-8").split()))
    quiet = _STARS.sub("*", line.translate(_QUIET))
    return _REFERENCE.sub(" ", quiet).strip()


# --- The branch and its request -----------------------------------------------------------------------------------


def stem(items: Sequence[Item], today: str) -> str:
    """The beginning of the branch's name: of one memory its six digits, of several the date."""
    return PREFIX + (items[0].short if len(items) == 1 and re.fullmatch(r"[0-9a-f]{6}", items[0].short) else today)


def request(items: Sequence[Item], title: str = "", *, rendered: bool = False) -> Request:
    """The pull request of a branch; *title* overrules its own."""
    most = _MOST_TOLD
    body = _text(items, most, rendered=rendered)
    while len(body.encode("utf-8", "replace")) > LARGEST and most > 1:
        most //= 2
        body = _text(items, most, rendered=rendered)
    return Request(_plain(title)[:_LONGEST] or _title(items), body)


def _title(items: Sequence[Item]) -> str:
    if len(items) == 1:
        return _subject(items[0])
    told = Counter(item.kind for item in items)
    if set(told) == {Kind.RETIRED}:
        return f"Retire {len(items)} memories"
    return f"Remember {len(items)} things" if set(told) == {Kind.NEW} else f"Memories: {_counted(told)}"


def _counted(told: Counter[Kind]) -> str:
    names = {Kind.NEW: "new", Kind.AGAIN: "said again", Kind.RETIRED: "retired"}
    return ", ".join(f"{told[kind]} {name}" for kind, name in names.items() if told[kind])


def _text(items: Sequence[Item], most: int, *, rendered: bool) -> str:
    return "\n".join(_told(items, most, rendered=rendered)) + "\n"


def _told(items: Sequence[Item], most: int, *, rendered: bool) -> Iterator[str]:
    yield "Memories for the agents that work here; each is one commit."
    yield ""
    for item in items[:most]:
        yield from _entry(item)
    if len(items) > most:
        yield f"- and {len(items) - most} more"
    yield ""
    if rendered:
        yield "The last commit brings the block up to date."
        yield ""
    yield "<details><summary>Where they came from</summary>"
    yield ""
    yield from (_provenance(item) for item in items[:most])
    yield ""
    yield "</details>"


def _entry(item: Item) -> Iterator[str]:
    verb = {Kind.NEW: "", Kind.AGAIN: "said again: ", Kind.RETIRED: "retired: "}[item.kind]
    yield f"- {inert.span(item.entry.category)} {verb}{_shown(item.entry.text)}"
    if item.kind is Kind.RETIRED and item.entry.retired:
        yield f"  Reason: {_shown(item.entry.retired.reason)}"
    if item.entry.why and item.kind is Kind.NEW:
        yield f"  Why: {_shown(item.entry.why)}"
    for name in item.replaces:
        yield f"  In the place of {inert.span(name)}."
    for warning in item.warnings:
        yield f"  **Look twice:** {warning}."


def _provenance(item: Item) -> str:
    origin = item.teller
    facts: Iterable[str] = (
        f"by {origin.by or 'nobody tells whom'}",
        origin.agent,
        f"session {origin.session}" if origin.session else "",
        origin.created,
        f"at commit {origin.commit}" if origin.commit else "",
    )
    said = f", as {_shown(origin.quote)}" if origin.quote else ""
    return f"- {_shown(item.entry.id)}: {_shown(', '.join(filter(None, facts)))}{said}"


def _shown(text: str) -> str:
    return inert.span(columns.shorten(text, _SHOWN))
