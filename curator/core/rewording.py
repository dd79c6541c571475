"""How one text became another, word by word: what was kept, what is gone, what is new.

A longest common subsequence of words, held in the bits of whole numbers (Hyyrö 2004): two texts of 2,000 words take
2,000 additions, whatever stands in them. Chinese and Japanese go by character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from curator.core import columns


class Fate(Enum):
    """What became of a piece of text."""

    KEPT = "="
    GONE = "-"
    NEW = "+"


class Piece(NamedTuple):
    """A run of text, and what became of it."""

    fate: Fate
    text: str


_WIDE = r"\u1100-\u11ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60"
_MARKS = {Fate.KEPT: ("", ""), Fate.GONE: ("[-", "-]"), Fate.NEW: ("{+", "+}")}  # as `git diff --word-diff` has them
_AROUND = 24
"""Characters of kept text that stay on each side of a change where a line has to be cut."""
_CUT = "..."
_LITTLE = 8
"""A text that keeps less than one part of so many is a new one."""


def pieces(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces in reading order, no two neighbours alike, what is gone before what is new.

    Kept and gone pieces make up *before*, kept and new ones *after*. What two
    changes have between them is kept only where it is longer than one of
    them: single words in a sentence that was written anew say nothing.
    """
    old, new = _words(before), _words(after)
    return tuple(_told(_settled(_runs(old, new))))


def _words(text: str) -> list[str]:
    found: list[str] = _word("" if text.isascii() else _WIDE).findall(text)
    return found


@cache  # a pattern with wide characters takes 8 ms to make
def _word(wide: str) -> re.Pattern[str]:
    """A blank run, a wide character, a word without the punctuation around it, or one character of that."""
    one = f"[{wide}]|" if wide else ""
    return re.compile(rf"\s+|{one}[\"'(\[]|[^\s{wide}`()]*[^\s{wide}`.,;:!?()\"'\]]|.", re.S)


class _Run(NamedTuple):
    """What is gone and what is new at a place, and the kept text behind it."""

    gone: str
    new: str
    kept: str


def _runs(old: Sequence[str], new: Sequence[str]) -> list[_Run]:
    runs, gone, fresh, kept = [], "", "", ""
    for fate, word in _walk(old, new):
        if fate is not Fate.KEPT and kept:
            runs.append(_Run(gone, fresh, kept))
            gone, fresh, kept = "", "", ""
        gone += word if fate is Fate.GONE else ""
        fresh += word if fate is Fate.NEW else ""
        kept += word if fate is Fate.KEPT else ""
    return [*runs, _Run(gone, fresh, kept)]


def _walk(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    """Every word once, as a longest common subsequence has it."""
    rows = _rows(old, new)
    row, column, found = len(old), len(new), []
    while row and column:
        if rows[row - 1] >> (column - 1) & 1:
            column -= 1
            found.append(Piece(Fate.NEW, new[column]))
        elif row > 1 and not rows[row - 2] >> (column - 1) & 1:
            row -= 1
            found.append(Piece(Fate.GONE, old[row]))
        else:
            row, column = row - 1, column - 1
            found.append(Piece(Fate.KEPT, old[row]))
    yield from (Piece(Fate.GONE, word) for word in old[:row])
    yield from (Piece(Fate.NEW, word) for word in new[:column])
    yield from reversed(found)


def _rows(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """For each word of *old* the bits of *new*: 0 where the subsequence so far grows by that word."""
    places: dict[str, int] = {}
    for at, word in enumerate(new):
        places[word] = places.get(word, 0) | 1 << at
    full = (1 << len(new)) - 1
    rows, state = [], full
    for word in old:
        common = state & places.get(word, 0)
        state = (state + common | state - common) & full
        rows.append(state)
    return rows


def _settled(runs: list[_Run]) -> list[_Run]:
    """Runs without kept text that is shorter than the changes on both of its sides."""
    done: list[_Run] = []
    for run in runs:
        current = run
        while done and _is_noise(done[-1], current):
            last = done.pop()
            current = _Run(last.gone + last.kept + current.gone, last.new + last.kept + current.new, current.kept)
        done.append(current)
    return done


def _is_noise(left: _Run, right: _Run) -> bool:
    size = len(left.kept.strip())
    return bool(left.gone or left.new) and size <= min(_size(left), _size(right))


def _size(run: _Run) -> int:
    return max(len(run.gone), len(run.new))


def _told(runs: Sequence[_Run]) -> Iterator[Piece]:
    for run in runs:
        fates = ((Fate.GONE, run.gone), (Fate.NEW, run.new), (Fate.KEPT, run.kept))
        yield from (Piece(fate, text) for fate, text in fates if text)


# --- As lines ------------------------------------------------------------------------------------------------------


def sides(before: str, after: str, most: int = 0) -> tuple[str, str]:
    """The two texts, each on one line, with `[-what is gone-]` and `{+what is new+}`.

    Nothing is marked where nearly all of it changed. With *most*, lines of
    more characters lose kept text that is far from any change.
    """
    old, new = columns.line(before), columns.line(after)
    told = pieces(old, new)
    kept = sum(len(piece.text) for piece in told if piece.fate is Fate.KEPT)
    if kept * _LITTLE < min(len(old), len(new)):
        return old, new
    return _side(told, Fate.GONE, most), _side(told, Fate.NEW, most)


def joint(before: str, after: str) -> str:
    """Both on one line: what they share once; `before -> after` where they share nothing, "none" for nothing."""
    told = pieces(columns.line(before), columns.line(after))
    if any(piece.fate is Fate.KEPT for piece in told):
        return "".join(map(_marked, told))
    return f"{columns.line(before) or 'none'} -> {columns.line(after) or 'none'}"


def _side(told: Sequence[Piece], fate: Fate, most: int) -> str:
    mine = [(at, piece) for at, piece in enumerate(told) if piece.fate in {Fate.KEPT, fate}]
    whole = "".join(_marked(piece) for _, piece in mine)
    if not most or len(whole) <= most:
        return whole
    return "".join(_around(told, at) if piece.fate is Fate.KEPT else _marked(piece) for at, piece in mine)


def _marked(piece: Piece) -> str:
    """A piece between its marks; blanks at its ends stand outside."""
    text = piece.text.strip()
    if piece.fate is Fate.KEPT or not text:
        return piece.text
    start = piece.text.find(text)
    opening, closing = _MARKS[piece.fate]
    return f"{piece.text[:start]}{opening}{text}{closing}{piece.text[start + len(text) :]}"


def _around(told: Sequence[Piece], at: int) -> str:
    """Kept text without what is far from the changes before and behind it."""
    text = told[at].text
    head = _AROUND if at > 0 else 0
    tail = _AROUND if at < len(told) - 1 else 0
    if len(text) <= head + tail + len(_CUT):
        return text
    first, last = text[:head], text[len(text) - tail :]
    if " " in first:
        first = first[: first.rfind(" ") + 1]
    if " " in last:
        last = last[last.find(" ") :]
    return f"{first}{_CUT}{last}"
