"""Text in columns of a terminal: how wide it is, and where its lines end. A Chinese character takes two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from curator.core import printable

_CLOSING = frozenset(
    "\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1b\uff1a\uff09\u300d\u300f\u3011\u300b\u3009\u201d\u2019\u2026"
)
"""What begins no line: it stays with what is before it."""


_BLANKS = re.compile(r"[ \t\n]+")
_PLAIN = re.compile(r" +|[^ ]+")


class Line(NamedTuple):
    """A line and the colour it has on a terminal, "" for none."""

    text: str
    paint: str = ""


def width(text: str) -> int:
    """How many columns a line takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


@cache
def _columns(character: str) -> int:
    if character.isascii():
        return 1
    from unicodedata import category, east_asian_width  # noqa: PLC0415 - a table that only text beyond ASCII needs

    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def wrap(text: str, most: int, indent: str = "") -> list[str]:
    """A text on lines of at most so many columns, all but the first with an *indent*; at least one.

    A line ends between words, or beside a wide character; a word that is too
    long for a line is cut, behind a slash where there is one. What a terminal
    shows as an escape is one already.
    """
    lines: list[str] = []
    line, used, margin = "", 0, width(indent)
    for piece in _pieces(printable.escape(text).replace("\n", " ").expandtabs()):
        rest, size = piece, width(piece)
        if used + size > most and line.strip():
            lines.append(line.rstrip())
            line, used = indent, margin
        if rest.isspace() and line == indent and lines:
            continue
        while used + size > most:
            head = _head(rest, most - used)
            lines.append(line + head)
            line, used, rest = indent, margin, rest[len(head) :]
            size = width(rest)
        line, used = line + rest, used + size
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> Iterator[str]:
    """Words, runs of blanks, and single wide characters."""
    if text.isascii() and text.isprintable():
        yield from _PLAIN.findall(text)  # the same, in a tenth of the time
        return
    piece = ""
    for character in text:
        if piece and not _stays(piece, character):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _stays(piece: str, character: str) -> bool:
    """Whether a character belongs to the piece before it."""
    if character == " " or piece[-1] == " ":
        return character == piece[-1]
    return character in _CLOSING or not _columns(character) or (_columns(piece[-1]), _columns(character)) == (1, 1)


def _head(word: str, room: int) -> str:
    """The beginning of a word that has room, one character at least; up to a slash where there is one."""
    head = _fitting(word, room)
    return head[: head.rfind("/") + 1] or head or word[:1]


def _fitting(text: str, room: int) -> str:
    """As much of the beginning as has room."""
    end, used = 0, 0
    while end < len(text) and used + _columns(text[end]) <= room:
        used += _columns(text[end])
        end += 1
    return text[:end]


def line(text: str) -> str:
    """The text on one line. Only what honest writing has between words is folded: the rest is seen, as an escape."""
    return _BLANKS.sub(" ", text).strip(" ")


def shorten(text: str, most: int) -> str:
    """The text on one line, cut with an ellipsis when it takes more columns than *most*."""
    shown = printable.inline(line(text))
    return shown if width(shown) <= most else f"{_fitting(shown, most - 3).rstrip()}..."


def joined(parts: Sequence[str], most: int) -> list[str]:
    """Parts side by side, none of them broken, on as few lines as it takes."""
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1]) + 1 + width(part) <= most:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines
