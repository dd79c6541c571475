"""Which parts of a text every Markdown reader takes for code, so that nothing in them acts.

Readers differ, and text is rendered joined to one line or indented below a
bullet. So code counts as code only where each way of reading agrees; where
they do not, it is prose, and the rules for prose apply (CommonMark 0.31 4.5
fenced code blocks, 6.1 code spans; GitHub Flavored Markdown 4.10 tables).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CONTAINERS = r"[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)*"
"""Block quotes and list bullets, nested or not, that may stand before a line's own content."""

_FENCE = re.compile(rf"(?P<lead>{CONTAINERS})(?P<run>`{{3,}}(?=[^`]*$)|~{{3,}})(?P<info>.*)$")
_TAG_LINE = re.compile(rf"{CONTAINERS}</?[A-Za-z].*>[ \t]*$")
_TABLE = re.compile(r"(?=.*-)(?=.*[|:])[ \t|:>-]+$")
_TOKEN = re.compile(r"\\[!-/:-@\[-`{-~]|`+")
_RUN = re.compile(r"`+")
_LINK_TAIL = re.compile(
    r"""\]\([ \t]*(?:<[^<>`]*>|[^\s()<>`]*)(?:[ \t]+(?:"[^"`]*"|'[^'`]*'|\([^()`]*\)))?[ \t]*\)""",
)
# What takes a backtick for itself before code spans are looked for: an address, a tag, the target of a link, and for
# the parser of Claude Code (marked) a tilde.
_ADDRESS = re.compile(r"(?:://|www\.)[^\s<`]{0,2000}`")
_GREEDY = re.compile(r"</?[A-Za-z][^<>]*(?:`|$)|\]\(|~`")
_LONGEST_INFO = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """A fence that not every reader takes for the same: the offset of its line, and why."""

    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its code replaced by blanks, line by line as long as before.

    *blocks* has fenced blocks blanked, *prose* code spans as well.
    """

    blocks: str
    prose: str
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class _Open:
    """A fence that waits for its end: line and its offset, run of characters, columns before it."""

    line: int
    offset: int
    run: str
    indent: int


def read(text: str) -> Reading:
    """Tell code from prose. Never raises; a fence without an end is a fault, and all after it counts as prose."""
    if "`" not in text and "~~~" not in text:
        return Reading(text, text)
    lines = text.split("\n")
    fenced, faults = _fences(lines)
    outside = [" " * len(line) if number in fenced else line for number, line in enumerate(lines)]
    return Reading("\n".join(outside), "\n".join(_spans(outside)), faults)


def _fences(lines: Sequence[str]) -> tuple[frozenset[int], tuple[Fault, ...]]:
    """The numbers of the lines in closed fences, the fences' own lines included, and what is wrong with fences."""
    fenced: set[int] = set()
    faults: list[Fault] = []
    opened: _Open | None = None
    offset, in_tag = 0, False
    for number, line in enumerate(lines):
        found = _FENCE.match(line)
        if opened is None:
            opened = _opening(number, offset, found)
            faults.extend(Fault(offset, message) for message in _doubts(found, in_tag))
            in_tag = bool(line.strip()) and (in_tag or _TAG_LINE.match(line) is not None)
        elif _closes(found, opened):
            fenced.update(range(opened.line, number + 1))
            opened = None
        elif opened.indent and _strays(line, found, opened):
            faults.append(Fault(offset, "code indented less than its fence, or its end more than three blanks"))
        offset += len(line) + 1
    if opened is not None:
        faults.append(Fault(opened.offset, f"code fence {opened.run[:3]} without an end"))
    return frozenset(fenced), tuple(faults)


def _opening(number: int, offset: int, found: re.Match[str] | None) -> _Open | None:
    """Only a fence that every reader takes for one: nothing but up to three blanks before it."""
    if found is None or not re.fullmatch(" {0,3}", found["lead"]):
        return None
    return _Open(number, offset, found["run"], len(found["lead"]))


def _closes(found: re.Match[str] | None, opened: _Open) -> bool:
    if found is None or not _ends(found, opened):
        return False
    return "\t" not in found["lead"] and opened.indent <= len(found["lead"]) <= 3


def _ends(found: re.Match[str] | None, opened: _Open) -> bool:
    """Whether a line has the shape of this fence's end, however far in it stands."""
    if found is None or found["lead"].strip() or found["info"].strip():
        return False
    return found["run"].startswith(opened.run)


def _strays(line: str, found: re.Match[str] | None, opened: _Open) -> bool:
    """Whether a line in an indented fence ends it, or the list item around it, for some readers only."""
    shallow = len(line) - len(line.lstrip(" \t")) < opened.indent and not line.startswith("\t")
    return bool(line.strip()) and (shallow or _ends(found, opened))


def _doubts(found: re.Match[str] | None, in_tag: bool) -> Iterator[str]:
    """Why readers may not agree on an opening fence, or not show all of it."""
    if found is None:
        return
    if not re.fullmatch(" {0,3}", found["lead"]):
        yield "code fence after a bullet, a quote mark or four blanks"
    if in_tag:
        yield "code fence in the paragraph of a line that is an HTML tag"
    if len(found["info"]) > _LONGEST_INFO:
        yield "long text behind the opening of a code fence"


@dataclass(frozen=True, slots=True)
class _Masked:
    """A line with the content of its code spans blanked; the spans, each its run of backticks and its content."""

    text: str
    spans: tuple[tuple[str, str], ...]
    paired: bool


def _spans(lines: Sequence[str]) -> Iterator[str]:
    """The lines with their code spans blanked.

    A span must end on its line. After a line that leaves doubt where spans
    start and end none counts, below blank lines neither: marked reads some of
    those on. In an HTML block none counts either.
    """
    masked = [_mask(line) for line in lines]
    outside = "\n".join([line.text for line in masked])
    marks = [mark for mark in "~*_" if mark in outside]
    has_table = any(_TABLE.match(line) for line in lines)
    trusted, in_tag = True, False
    for line, one in zip(lines, masked, strict=True):
        doubtful = any(_is_doubtful(run, code, marks, has_table) for run, code in one.spans)
        trusted = trusted and one.paired and not doubtful and not _takes_backticks(one.text)
        in_tag = bool(line.strip()) and (in_tag or _TAG_LINE.match(line) is not None)
        yield one.text if trusted and not in_tag else line


def _mask(line: str) -> _Masked:
    masked, place, paired = line, 0, True
    spans: list[tuple[str, str]] = []
    while token := _TOKEN.search(line, place):
        place = token.end()
        if token[0].startswith("\\"):
            continue
        end = next((run for run in _RUN.finditer(line, place) if run[0] == token[0]), None)
        if end is None:
            paired = False
            continue
        spans.append((token[0], line[place : end.start()]))
        masked = masked[:place] + " " * (end.start() - place) + masked[end.start() :]
        place = end.end()
    return _Masked(masked, tuple(spans), paired)


def _is_doubtful(run: str, code: str, outside: Sequence[str], has_table: bool) -> bool:
    """Whether something in a span may act before the span does: a table cuts it at `|`, marked at the end of emphasis.

    *outside* has the marks for emphasis that stand in no code span.
    """
    marks = "~*_" if len(run) > 1 or "`" in code or "\\" in code else "~"
    return any(mark in code and mark in outside for mark in marks) or (has_table and "|" in code)


def _takes_backticks(masked: str) -> bool:
    return _ADDRESS.search(masked) is not None or _GREEDY.search(_LINK_TAIL.sub("", masked)) is not None
