"""The block structure of a Markdown file: which lines are a heading, a paragraph, a list item, a code block, a table.

CommonMark 0.31 with the tables of GitHub Flavored Markdown 0.29 and YAML front matter. Only blocks are read: their
lines are kept as they are, and link reference definitions stay paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from curator.core import rawhtml


class Kind(Enum):
    """What a block is. CODE is indented, FENCE is fenced."""

    PAGE = "page"
    FRONT = "front matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    ITEM = "item"
    QUOTE = "quote"
    FENCE = "fence"
    CODE = "code"
    TABLE = "table"
    HTML = "html"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Block:
    """A block with its first and last line, counted from 1; blank lines at its end are not part of it.

    *text* is what its own lines hold, joined by LF: without the marks of the blocks around it and without the
    indentation of its first line. *level* is a heading's level, an ordered item's number (-1 for a bullet), or 1 for
    a fence that is closed. *marker* is a list's or item's sign (``-``, ``*``, ``+``, ``.``, ``)``), or the run that
    opened a fence.
    """

    kind: Kind
    first: int
    last: int
    text: str = ""
    level: int = 0
    marker: str = ""
    children: tuple[Block, ...] = ()


def lines(text: str) -> list[str]:
    """*text* cut at LF, without the CR at a line's end and without a byte order mark."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def parse(text: str) -> tuple[Block, ...]:
    """The top-level blocks of *text*, in order."""
    page = lines(text)
    front = _front_matter(page)
    reader = _Reader()
    for number, line in enumerate(page[front:], front + 1):
        reader.feed(number, _Line(line))
    head = (Block(Kind.FRONT, 1, front, "\n".join(page[:front])),) if front else ()
    return head + reader.finish()


def followed(blocks: Sequence[Block]) -> Iterator[tuple[Block, Block | None]]:
    """Each block with the one after it."""
    return zip(blocks, [*blocks[1:], None], strict=False)


def cells(row: str) -> tuple[str, ...]:
    """The cells of a table row; a pipe behind a backslash is part of its cell."""
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))


_KEY = re.compile(r"[\w.$-]+[ \t]*:(?:[ \t]|$)|[ \t]|- |#|$")


def _front_matter(page: list[str]) -> int:
    """How many lines at the top are front matter: YAML keys between two lines of three dashes."""
    if page[0].rstrip() != "---":
        return 0
    for number, line in enumerate(page[1:], 2):
        if line.rstrip() in ("---", "..."):
            return number if number > 2 else 0
        if not _KEY.match(line):
            return 0
    return 0


@dataclass(frozen=True, slots=True)
class _Line:
    """What is left of a line. *column* is where that stands, for the width of tabs (CommonMark 2.2)."""

    text: str
    column: int = 0

    @property
    def blank(self) -> bool:
        return not self.text.strip(" \t")

    @property
    def rest(self) -> str:
        return self.text.lstrip(" \t")

    @property
    def indent(self) -> int:
        column = self.column
        for char in self.text[: len(self.text) - len(self.rest)]:
            column += 1 if char == " " else 4 - column % 4
        return column - self.column

    def skip(self, columns: int) -> _Line:
        """Without up to that many columns of blanks; a tab cut in two leaves spaces."""
        column, taken = self.column, 0
        while taken < len(self.text) and self.text[taken] in " \t" and column < self.column + columns:
            column += 1 if self.text[taken] == " " else 4 - column % 4
            taken += 1
        spare = max(0, column - self.column - columns)
        return _Line(" " * spare + self.text[taken:], column - spare)

    def after(self, length: int) -> _Line:
        """Without its indentation and the next *length* characters, none of which is a tab."""
        return _Line(self.rest[length:], self.column + self.indent + length)


@dataclass(slots=True)
class _Open:
    """A block that is still read. *width* is how far its content is indented; *end* is what closes raw HTML."""

    kind: Kind
    first: int
    last: int
    level: int = 0
    marker: str = ""
    width: int = 0
    end: re.Pattern[str] | None = None
    lines: list[str] = field(default_factory=list)
    children: list[_Open] = field(default_factory=list)

    def freeze(self) -> Block:
        children = tuple(child.freeze() for child in self.children)
        last = max([self.last, *(child.last for child in children)])
        text = "\n".join(self.lines).rstrip("\n")
        return Block(self.kind, self.first, last, text, self.level, self.marker, children)


_CONTAINERS = frozenset({Kind.PAGE, Kind.LIST, Kind.ITEM, Kind.QUOTE})
_DEEPEST = 100
"""Blocks within blocks; what is nested deeper is read as text."""
_RAW = frozenset({Kind.FENCE, Kind.CODE, Kind.HTML})

_ATX = re.compile(r"(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r"(=+|-+)[ \t]*$")
_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_MARKER = re.compile(r"(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)")
_DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


class _Reader:
    """The stack of open blocks, fed line by line (CommonMark, appendix "A parsing strategy")."""

    def __init__(self) -> None:
        self.stack = [_Open(Kind.PAGE, 1, 1)]

    def finish(self) -> tuple[Block, ...]:
        return self.stack[0].freeze().children

    def feed(self, number: int, line: _Line) -> None:
        depth, line = self._continued(line)
        if depth == len(self.stack) and self.stack[-1].kind in _RAW:
            self._raw(number, line)
            return
        depth, line, full = self._started(number, line, depth)
        if not full:
            self._text(number, line, depth)

    def _continued(self, line: _Line) -> tuple[int, _Line]:
        """How many of the open blocks this line belongs to, and what is left of it inside them."""
        for depth, block in enumerate(self.stack[1:], 1):
            left = _inside(block, line)
            if left is None:
                return depth, line
            line = left
        return len(self.stack), line

    def _raw(self, number: int, line: _Line) -> None:
        block = self.stack[-1]
        block.lines.append(line.text)
        if not line.blank:
            block.last = number
        if block.kind is Kind.FENCE and _closes(block, line):
            block.level = 1
            self.stack.pop()
        elif block.end is not None and block.end.search(line.text):
            self.stack.pop()

    def _started(self, number: int, line: _Line, depth: int) -> tuple[int, _Line, bool]:
        """Open what begins on this line. The last value says that nothing of the line is left."""
        while not line.blank and depth < _DEEPEST:
            container, tip = self.stack[depth - 1], self.stack[-1]
            if container.kind is Kind.PARAGRAPH and self._underlined(number, line):
                return len(self.stack), line, True
            if line.indent >= 4:
                if tip.kind is Kind.PARAGRAPH:
                    break
                self._open(depth, _Open(Kind.CODE, number, number, lines=[line.skip(4).text]))
                return len(self.stack), line, True
            start = _container(line, number, container) or _leaf(line, number, tip)
            if start is None:
                break
            depth, line = self._open(depth, start[0]), start[1]
            if start[0].kind not in _CONTAINERS:
                return depth, line, True
        return depth, line, False

    def _open(self, depth: int, block: _Open) -> int:
        """Put *block* below the block at *depth*, closing all others; the new depth."""
        del self.stack[depth:]
        if self.stack[-1].kind not in _CONTAINERS:
            self.stack.pop()
        if self.stack[-1].kind is Kind.LIST and (block.kind is not Kind.ITEM or self.stack[-1].marker != block.marker):
            self.stack.pop()
        if block.kind is Kind.ITEM and self.stack[-1].kind is not Kind.LIST:
            self._push(_Open(Kind.LIST, block.first, block.last, block.level, block.marker))
        self._push(block)
        if block.kind in (Kind.HEADING, Kind.RULE) or (block.end is not None and block.end.search(block.lines[0])):
            self.stack.pop()
        return len(self.stack)

    def _push(self, block: _Open) -> None:
        self.stack[-1].children.append(block)
        self.stack.append(block)

    def _underlined(self, number: int, line: _Line) -> bool:
        """Turn the open paragraph into a heading or its last line into the head of a table, where this line asks it."""
        block = self.stack[-1]
        if line.indent < 4 and (under := _SETEXT.match(line.rest)):
            block.kind, block.last, block.level = Kind.HEADING, number, 1 if under[1][0] == "=" else 2
            self.stack.pop()
            return True
        head = block.lines[-1]
        if line.indent >= 4 or "|" not in head or not _DELIMITERS.match(line.rest):
            return False
        if len(cells(head)) != len(cells(line.rest)):
            return False
        table = _Open(Kind.TABLE, block.last, number, lines=[head, line.rest])
        block.lines.pop()
        block.last -= 1
        if not block.lines:
            self.stack[-2].children.pop()
        self._open(len(self.stack), table)
        return True

    def _text(self, number: int, line: _Line, depth: int) -> None:
        """A line that begins nothing: more of a paragraph (even one it is not indented for), or a new one."""
        if line.blank:
            del self.stack[depth:]
            return
        tip = self.stack[-1]
        if tip.kind is Kind.PARAGRAPH or (tip.kind is Kind.TABLE and depth == len(self.stack)):
            tip.lines.append(line.rest)
            tip.last = number
            return
        self._open(depth, _Open(Kind.PARAGRAPH, number, number, lines=[line.rest]))


def _inside(block: _Open, line: _Line) -> _Line | None:
    """What is left of *line* inside *block*, or None where it does not go on there."""
    if block.kind is Kind.LIST:
        return line
    if block.kind is Kind.QUOTE:
        return line.after(1).skip(1) if line.indent < 4 and line.rest.startswith(">") else None
    if block.kind is Kind.ITEM:
        if line.blank:
            return line if block.children else None
        return line.skip(block.width) if line.indent >= block.width else None
    return _goes_on(block, line)


def _goes_on(block: _Open, line: _Line) -> _Line | None:
    if block.kind is Kind.FENCE:
        return line.skip(block.width)
    if block.kind is Kind.CODE:
        return line.skip(4) if line.blank or line.indent >= 4 else None
    if block.kind is Kind.HTML:
        return None if line.blank and block.end is rawhtml.BLANK else line
    return None if line.blank else line


def _closes(block: _Open, line: _Line) -> bool:
    run = line.rest.rstrip(" \t")
    return line.indent < 4 and run.startswith(block.marker) and not run.strip(block.marker[0])


def _container(line: _Line, number: int, around: _Open) -> tuple[_Open, _Line] | None:
    """A quote or a list item that begins on *line*, and what is left of the line inside it."""
    if line.rest.startswith(">"):
        return _Open(Kind.QUOTE, number, number), line.after(1).skip(1)
    found = _MARKER.match(line.rest)
    if found is None or _BREAK.match(line.rest):
        return None
    left = line.after(found.end())
    if around.kind is Kind.PARAGRAPH and (left.blank or found[2] not in (None, "1")):
        return None
    padding = left.indent if 1 <= left.indent <= 4 and not left.blank else 1
    level = int(found[2]) if found[2] else -1
    item = _Open(Kind.ITEM, number, number, level, found[1] or found[3], line.indent + found.end() + padding)
    return item, left.skip(padding)


def _leaf(line: _Line, number: int, tip: _Open) -> tuple[_Open, _Line] | None:
    """A heading, fence, rule or raw HTML that begins on *line*."""
    if heading := _ATX.match(line.rest):
        text = heading[2] or ""
        return _Open(Kind.HEADING, number, number, len(heading[1]), lines=[text]), line
    if fence := _FENCE.match(line.rest):
        run = fence[1] or fence[2]
        return _Open(Kind.FENCE, number, number, 0, run, line.indent, lines=[line.rest]), line
    if _BREAK.match(line.rest):
        return _Open(Kind.RULE, number, number), line
    end = rawhtml.end(line.rest, inside=tip.kind in (Kind.PARAGRAPH, Kind.TABLE))
    return (_Open(Kind.HTML, number, number, end=end, lines=[line.text]), line) if end else None
