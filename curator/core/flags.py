"""The closing line of a block: which of the entries above it are stale, and what says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from curator.core import terms, tokens
from curator.core.verdict import Change, Judged
from curator.model import Entry, Source, State

ALLOWANCE = 150
"""Tokens that the line may cost, beside the budgets."""

_OPENING = "Check before relying on: "
_MORE = re.compile(r"and ([1-9][0-9]{0,8}) more\.")
_WIDTH = 60
_TOLD = {
    Change.PATH_GONE: ("",),
    Change.UNTRACKED: ("",),
    Change.UNDEFINED: ("symbol",),
    Change.NO_LINE: ("text",),
    Change.TERM_GONE: ("terms",),
    Change.DEFINITION_GONE: ("terms", "symbol"),
    Change.TEXT_GONE: ("text",),
    Change.FORBIDDEN: ("absent",),
}
"""What makes an entry stale, and the keys of a source whose value it is said of."""


def line(judged: Iterable[Judged]) -> str:
    """The line about those of *judged* that are stale, "" when none is. It never costs more than its allowance."""
    items = [item for one in judged if (item := _item(one))]
    for number in range(len(items), 0, -1):
        rest = len(items) - number
        text = _OPENING + "; ".join([*items[:number], *([f"and {rest} more"] if rest else [])]) + "."
        if tokens.estimate(text) <= ALLOWANCE:
            return text
    return f"{_OPENING}and {len(items)} more." if items else ""


def is_flag(line: str) -> bool:
    """Does a line of a block look like one that `line` wrote, of whatever entries?"""
    return line.startswith(_OPENING)


def found(body: str, shown: Iterable[Entry]) -> str:
    """The line in *body* that `line` could have written about the *shown* entries, "" without one.

    Whether they are stale depends on code that is not looked at. So only a
    line is taken that says of these entries what could be said of them.
    """
    lines = [one for one in body.split("\n") if one.startswith(_OPENING)]
    return lines[0] if len(lines) == 1 and _is_possible(lines[0], tuple(shown)) else ""


def _is_possible(text: str, shown: tuple[Entry, ...]) -> bool:
    if tokens.estimate(text) > ALLOWANCE:
        return False
    rest = text.removeprefix(_OPENING)
    items = [(entry.path, item) for entry in shown if _quoted(entry) in text for item in _items(entry)]
    told: set[str] = set()
    while not (more := _MORE.fullmatch(rest)):
        fits = [(path, item) for path, item in items if path not in told and rest.startswith(item)]
        if not fits:
            return False
        path, item = max(fits, key=lambda one: len(one[1]))
        told.add(path)
        rest = rest.removeprefix(item)
        if rest == ".":
            return True
        if not rest.startswith("; "):
            return False
        rest = rest.removeprefix("; ")
    return int(more[1]) <= len(shown) - len(told)


def _item(judged: Judged) -> str:
    """The entry's opening words and its first reason, told by what its own file says: no line, no new path."""
    for source, verdict in zip(judged.entry.sources, judged.verdicts, strict=True):
        for reason in verdict.reasons:
            if reason.state is State.STALE and reason.change in _TOLD:
                return _said(judged.entry, source, reason.change, reason.name)
    return ""


def _items(entry: Entry) -> Iterator[str]:
    """Everything that `_item` could say of an entry."""
    for source in entry.sources:
        for change, keys in _TOLD.items():
            for name in (name for key in keys for name in _names(entry, source, key)):
                yield _said(entry, source, change, name)


def _names(entry: Entry, source: Source, key: str) -> tuple[str, ...]:
    """What a reason could name: of the stored terms those that the text names, since only they are judged."""
    if key == "terms":
        return tuple(terms.strengths(entry.text, "", source.terms))
    name = str(getattr(source, key)) if key else ""
    return (name,) if name or not key else ()


def _said(entry: Entry, source: Source, change: Change, name: str) -> str:
    path = _ticked(source.path) if "`" in source.path else source.path
    reason = change.value.replace("`{name}`", "{name}").format(name=_ticked(name), path=path, elsewhere="")
    return f"{_quoted(entry)} ({reason})"


def _quoted(entry: Entry) -> str:
    return f'"{opening(entry.text)}"'


def _ticked(text: str) -> str:
    """A code span that *text* cannot leave, whatever back-ticks it holds."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, room = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{room}{text}{room}{fence}"


def opening(text: str) -> str:
    """The first words of a text, on one line, cut where a word and no code span ends."""
    line = " ".join(text.split()).partition("``")[0]  # a longer run of back-ticks could pair with one of another entry
    sentence = re.match(r"(.{12,}?)[.!?](?=\s|$)", line)
    line = sentence[1] if sentence else line.rstrip(".")
    if len(line) > _WIDTH:
        line = line[: line.rfind(" ", 0, _WIDTH)] if " " in line[:_WIDTH] else line[:_WIDTH]
    if line.count("`") % 2:
        line = line[: line.rindex("`")]
    return line.rstrip(" ,;:(")
