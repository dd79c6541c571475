"""The marked block of a target file: the two markers, the text between them, and every refusal to touch it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from curator.errors import CuratorError

START = "<!-- AGENT_MEMORY_START -->"
END = "<!-- AGENT_MEMORY_END -->"

_BLANKS = " \t\r"
_NAMED = 5  # line numbers that a message lists before it counts the rest
_KEEP_ONE = "keep one start and one end marker around the block, then run `curator render`"
_ADD = "run `curator init` to add the block"

# CommonMark 0.31 4.5, but with any indentation and behind list bullets: a fence inside a list item counts too.
_OPENING = re.compile(r"(?P<lead>[ \t]*+(?:(?:[-+*]|\d{1,9}[.)])[ \t]++)*+)(?P<fence>`{3,}+(?=[^`]*$)|~{3,}+)")


@dataclass(frozen=True, slots=True)
class Span:
    """The lines of the start and the end marker, counted from 0."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Fence:
    """An open code fence: its line, its run of characters and its column."""

    line: int
    run: str
    column: int

    def closes(self, line: str) -> bool:
        """CommonMark closes a fence by a run as long, at most three columns further in than its container."""
        run = line.strip(_BLANKS)
        if not run.startswith(self.run) or run.strip(self.run[0]):
            return False
        return _column(line[: line.index(run[0])]) <= self.column + 3


@dataclass(frozen=True, slots=True)
class _Mark:
    """A line that is a marker. *fence* is the line of the code fence around it."""

    line: int
    text: str
    fence: int | None


@dataclass(frozen=True, slots=True)
class _Page:
    """A text cut into lines. *fences* has the line of the surrounding fence for each; *unclosed* is the last one's."""

    lines: Sequence[str]
    fences: Sequence[int | None]
    unclosed: int | None

    @property
    def marks(self) -> tuple[_Mark, ...]:
        found = ((number, _content(line, number)) for number, line in enumerate(self.lines))
        return tuple(_Mark(number, text, self.fences[number]) for number, text in found if text in (START, END))


def present(text: str) -> bool:
    """Whether any marker counts: alone on its line (blanks around it allowed) and outside code fences."""
    return any(mark.fence is None for mark in _page(text).marks)


def find(text: str, where: str = "CLAUDE.md") -> Span:
    """Where the block is. CuratorError unless exactly one pair of markers counts, in order."""
    return _span(_page(text), where)


def body(text: str, where: str = "CLAUDE.md") -> str:
    """The lines between the markers, joined by LF, without a final newline."""
    page = _page(text)
    span = _span(page, where)
    return "\n".join(line.removesuffix("\r") for line in page.lines[span.start + 1 : span.end])


def replace(text: str, body: str, where: str = "CLAUDE.md") -> str:
    """*text* with *body* between its markers and every other byte kept, the marker lines included.

    The lines of *body* end in LF and get the newline of the start marker's line; newlines at its end make no
    difference. CuratorError when the block cannot be found, when a merge conflict reaches outside it, or when
    *body* could end the block or hide its end marker.
    """
    page = _page(text)
    span = _span(page, where)
    _refuse_conflicts(page, span, where)
    inner = body.rstrip("\n").split("\n") if body.rstrip("\n") else []
    _refuse_body(inner, where)
    newline = "\r" if page.lines[span.start].endswith("\r") else ""
    return "\n".join([*page.lines[: span.start + 1], *(line + newline for line in inner), *page.lines[span.end :]])


def insert(text: str, where: str = "CLAUDE.md") -> str:
    """*text* with an empty block at its end, one blank line before it; unchanged when it has a sound block.

    The new lines get the newline that is more frequent in *text*. The result ends in a newline, whether or not
    *text* did. CuratorError when the markers are broken or a block at the end would not count.
    """
    page = _page(text)
    if any(mark.fence is None for mark in page.marks):
        _span(page, where)
        return text
    _refuse_conflicts(page, None, where)
    if "\0" in text:
        raise CuratorError("holds NUL characters, so it is not UTF-8 text", where=where, hint="save it as UTF-8")
    if page.unclosed is not None:
        raise _unclosed(page, "and would hide a block at the end", where)
    newline = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    return text + _gap(page, newline) + START + newline + END + newline


def without(text: str, where: str = "CLAUDE.md") -> str:
    """*text* without its block, nor the blank line that `insert` puts before it; as it is where it has none.

    A text that ended in exactly one blank line before cannot be told from one that got it. CuratorError as `find`,
    and when a merge conflict reaches outside the block.
    """
    if not present(text):
        return text
    page = _page(text)
    span = _span(page, where)
    _refuse_conflicts(page, span, where)
    above, below = list(page.lines[: span.start]), list(page.lines[span.end + 1 :])
    if len(above) > 1 and not "".join(below).strip(_BLANKS) and above[-1] in {"", "\r"} and above[-2].strip(_BLANKS):
        above.pop()
    if not below:
        below = [""]  # the end marker is the last line and does not end in a newline
    if span.start == 0 and page.lines[0].startswith("\ufeff"):
        below[0] = "\ufeff" + below[0]
    return "\n".join([*above, *below])


def conflict(text: str, where: str = "CLAUDE.md") -> tuple[int, ...]:
    """The lines, counted from 1, of merge conflict markers in the block; `replace` removes those with the rest."""
    page = _page(text)
    span = _span(page, where)
    return tuple(
        number + 1
        for first, last in _conflicts(page)
        if span.start < first and last < span.end
        for number in range(first, last + 1)
        if page.lines[number].startswith(("<<<<<<< ", "||||||| ", ">>>>>>> "))
        or page.lines[number].rstrip("\r") in ("=======", "|||||||")
    )


def _page(text: str) -> _Page:
    lines = text.split("\n")  # not splitlines: U+2028, VT, FF and a lone CR end no line here
    fences: list[int | None] = []
    fence: _Fence | None = None
    for number, line in enumerate(lines):
        around, fence = fence, _next(fence, number, line.removeprefix("\ufeff") if number == 0 else line)
        inside = around or fence
        fences.append(inside.line if inside else None)
    return _Page(lines, fences, fence.line if fence else None)


def _next(fence: _Fence | None, number: int, line: str) -> _Fence | None:
    """The fence that is open after *line*."""
    if fence is not None:
        return None if fence.closes(line) else fence
    opening = _OPENING.match(line)
    return _Fence(number, opening["fence"], _column(opening["lead"])) if opening else None


def _column(lead: str) -> int:
    return len(lead.expandtabs(4))


def _content(line: str, number: int) -> str:
    return (line.removeprefix("\ufeff") if number == 0 else line).lstrip(" \t").rstrip(_BLANKS)


def _span(page: _Page, where: str) -> Span:
    """The one pair. Where fences do not pair up, markers inside one may well be the block: nothing is certain."""
    marks = page.marks
    counted = [mark for mark in marks if mark.fence is None]
    hidden = [mark for mark in marks if mark.fence is not None]
    if page.unclosed is not None and hidden:
        own = [mark for mark in hidden if mark.fence == page.unclosed]
        doubt = f"so {_markers(hidden)} in another fence may be the block"
        raise _unclosed(page, f"and hides {_markers(own)}" if own else doubt, where)
    if [mark.text for mark in counted] != [START, END]:
        _refuse_conflicts(page, None, where)
        raise _malformed(page, counted, where)
    span = Span(counted[0].line, counted[1].line)
    within = [mark for mark in hidden if span.start < mark.line < span.end]
    if within:
        raise CuratorError(
            f"the block on lines {span.start + 1}-{span.end + 1} holds {_markers(within)} in a code fence",
            where=f"{where}:{within[0].line + 1}",
            hint="remove that fence from the block, then run `curator render`",
        )
    return span


def _malformed(page: _Page, counted: Sequence[_Mark], where: str) -> CuratorError:
    if not counted:
        return _missing(page, where)
    starts = [mark for mark in counted if mark.text == START]
    ends = [mark for mark in counted if mark.text == END]
    if not ends:
        return _broken(f"the end marker is missing: found {_markers(starts)}", starts, where)
    if not starts:
        return _broken(f"the start marker is missing: found {_markers(ends)}", ends, where)
    pair = _first_pair(counted)
    if not pair:
        return _broken(f"{_markers(ends)} before {_markers(starts)}", ends, where)
    stray = [mark for mark in counted if mark not in pair]
    lines = f"{pair[0].line + 1}-{pair[1].line + 1}"
    return _broken(f"{_markers(stray, 'stray ')} beside the block on lines {lines}", stray, where)


def _missing(page: _Page, where: str) -> CuratorError:
    """No marker counts: say which ones nearly do."""
    near = [number for number, line in enumerate(page.lines) if START in line or END in line]
    if page.marks:
        message = f"no memory block: {_markers(page.marks)} inside a code fence"
        return CuratorError(message, where=f"{where}:{page.marks[0].line + 1}", hint=_ADD)
    if near:
        message = f"no memory block: on {_numbers(near)} a marker shares its line with other text"
        hint = f"put each marker on a line of its own, or {_ADD}"
        return CuratorError(message, where=f"{where}:{near[0] + 1}", hint=hint)
    return CuratorError("no memory block: both markers are missing", where=where, hint=_ADD)


def _first_pair(marks: Sequence[_Mark]) -> tuple[_Mark, _Mark] | None:
    return next((pair for pair in pairwise(marks) if pair[0].text == START and pair[1].text == END), None)


def _broken(message: str, marks: Sequence[_Mark], where: str) -> CuratorError:
    return CuratorError(message, where=f"{where}:{marks[0].line + 1}", hint=_KEEP_ONE)


def _unclosed(page: _Page, effect: str, where: str) -> CuratorError:
    line = (page.unclosed or 0) + 1
    return CuratorError(
        f"the code fence opened on line {line} is never closed, {effect}",
        where=f"{where}:{line}",
        hint="close the fence, then run the command again",
    )


def _markers(marks: Sequence[_Mark], which: str = "") -> str:
    """For example: start marker on line 3 and 40 end markers on lines 5, 6, 7, 8, 9 and 35 more."""
    parts = []
    for text, name in ((START, f"{which}start marker"), (END, f"{which}end marker")):
        lines = [mark.line for mark in marks if mark.text == text]
        if lines:
            head = name if len(lines) == 1 else f"{len(lines)} {name}s"
            parts.append(f"{head} on {_numbers(lines)}")
    return " and ".join(parts)


def _numbers(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0] + 1}"
    shown = [str(line + 1) for line in lines[:_NAMED]]
    rest = len(lines) - len(shown)
    last = f"{rest} more" if rest else shown.pop()
    return f"lines {', '.join(shown)} and {last}"


def _conflicts(page: _Page) -> tuple[tuple[int, int], ...]:
    """First and last line of every merge conflict. A `=======` alone may be a heading's underline."""
    found, first = [], None
    for number, line in enumerate(page.lines):
        if line.startswith("<<<<<<< "):
            first = number
        elif first is not None and line.startswith(">>>>>>> "):
            found.append((first, number))
            first = None
    return tuple(found)


def _refuse_conflicts(page: _Page, span: Span | None, where: str) -> None:
    """A conflict wholly inside the block goes with the block; one wholly inside code fences is an example."""
    for first, last in _conflicts(page):
        inside = span is not None and span.start < first and last < span.end
        example = page.fences[first] is not None and page.fences[last] is not None
        if not inside and not example:
            raise CuratorError(
                f"a merge conflict on lines {first + 1}-{last + 1} is not resolved",
                where=f"{where}:{first + 1}",
                hint="settle these lines by hand, then run `curator render`",
            )


def _refuse_body(lines: Sequence[str], where: str) -> None:
    """The last look: whatever inspected the entries, nothing is written that ends the block or hides its end."""
    page = _page("\n".join(lines))
    if page.marks:
        message = f"the text for the block holds {_markers(page.marks)} of it"
        raise CuratorError(message, where=where, hint="remove the marker from the memory")
    if page.unclosed is not None:
        message = f"the text for the block opens a code fence on line {page.unclosed + 1} of it and never closes it"
        raise CuratorError(message, where=where, hint="close the fence in the memory")


def _gap(page: _Page, newline: str) -> str:
    """What stands between the text and the new block: the rest of the last line, and one blank line."""
    if not any(_content(line, number) for number, line in enumerate(page.lines)):
        return "" if page.lines[-1] in ("", "\ufeff") else newline
    if page.lines[-1]:
        return newline if not page.lines[-1].strip(_BLANKS) else 2 * newline
    return "" if not page.lines[-2].strip(_BLANKS) else newline
