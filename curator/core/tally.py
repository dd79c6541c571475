"""What a review decided, as its last lines: files written, how many were refused or put off, what still waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from curator.core import columns, ending, lifecycle, report
from curator.core.queue import Prepared, State

Row = tuple[str, str, str]
"""A sign, a path and a remark."""

MOST = 100
"""Rows that are still told one by one."""


def accepted(done: Sequence[Prepared], width: int) -> list[str]:
    """What was written, one row a file, as git's own status has it; very many by folder. A *width* of 0 is no limit."""
    lines = [_already(one) for one in done if not one.edits]
    fresh = [one for one in done if one.edits]
    if not fresh:
        return lines
    replacing = sum(1 for one in fresh if one.retires and one.state is not State.ENDING)
    also = f", {replacing} of them superseding" if replacing else ""
    lines.append(f"{len(fresh):,} accepted{also}. Written and staged:")
    return [*lines, *_table(_folded([row for one in fresh for row in _rows(one)]), width)]


def _folded(rows: list[Row]) -> list[Row]:
    """The rows; where they are very many, those of new files with nothing to remark as a number for each folder."""
    if len(rows) <= MOST:
        return rows
    told = [row for row in rows if row[0] != "A" or row[2]]
    plain = Counter(path.rpartition("/")[0] for sign, path, note in rows if sign == "A" and not note)
    return [*told, *(("A", f"{folder}/", report.plural(number, "file")) for folder, number in sorted(plain.items()))]


def _already(one: Prepared) -> str:
    what = "retired" if one.proposal.entry.retired else "accepted"
    return f"{what} already: {one.entry.path}"


def refused(paths: Sequence[str], number: int, width: int) -> list[str]:
    """How many were refused, and the files that tell the team."""
    if not number:
        return []
    tail = f"{len(paths)} of them for the team. Written and staged:" if paths else "for you alone."
    return [f"{number} rejected, {tail}", *_table([("A", path, "") for path in paths], width)]


def left(waiting: int, later: int, decided: int) -> str:
    """What still waits when a review ends."""
    put_off = f"{later} put off. " if later else "" if decided else "Nothing was decided. "
    return put_off + (f"{_wait(waiting, 'still ')}." if waiting else "Nothing waits any more.")


def begun(waiting: int) -> str:
    """What waits when a review begins."""
    return _wait(waiting)


def _wait(number: int, still: str = "") -> str:
    return f"{number} {still}{'waits' if number == 1 else 'wait'}"


def _table(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Rows of a sign, a path and a remark, side by side where that fits; else what is over on lines of its own."""
    longest = max((len(path) for _, path, _ in rows), default=0)
    whole = [f"  {sign}  {path:<{longest}}    {note}".rstrip() for sign, path, note in rows]
    for line, (sign, path, note) in zip(whole, rows, strict=True):
        if not width or columns.width(line) <= width:
            yield line
        else:
            yield from columns.wrap(f"  {sign}  {path}", width, " " * 7)
            yield from (f"       {more}" for more in (columns.wrap(note, max(20, width - 7)) if note else ()))


def _rows(one: Prepared) -> Iterator[Row]:
    """Sign, path and remark of each file that an accept wrote."""
    for edit in one.edits:
        if edit.path != one.entry.path:
            yield "M", edit.path, f"retired: {lifecycle.SUPERSEDED} by {one.entry.id}"
        elif one.state is State.ENDING:
            yield "M", edit.path, f"retired: {ending.reason(one.entry)}"
        elif one.state is State.NEW:
            ids = ", ".join(old.id for old in one.retires)
            yield "A", edit.path, f"supersedes {ids}" if ids else ""
        else:
            yield "M", edit.path, f"said again: seen {one.entry.seen}"
