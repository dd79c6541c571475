"""What a review decided, as its last lines: files written, how many were refused or put off, what still waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.core import columns, lifecycle
from curator.core.queue import Prepared, State


def accepted(done: Sequence[Prepared], width: int) -> list[str]:
    """What was written, one row a file, as git's own status has it. A *width* of 0 is no limit."""
    lines = [f"accepted already: {one.entry.path}" for one in done if not one.edits]
    fresh = [one for one in done if one.edits]
    if not fresh:
        return lines
    replacing = sum(1 for one in fresh if one.retires)
    also = f", {replacing} of them superseding" if replacing else ""
    lines.append(f"{len(fresh)} accepted{also}. Written and staged:")
    return [*lines, *_table([row for one in fresh for row in _rows(one)], width)]


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


def _table(rows: Sequence[tuple[str, str, str]], width: int) -> Iterator[str]:
    """Rows of a sign, a path and a remark, side by side where that fits; else what is over on lines of its own."""
    longest = max((len(path) for _, path, _ in rows), default=0)
    whole = [f"  {sign}  {path:<{longest}}    {note}".rstrip() for sign, path, note in rows]
    for line, (sign, path, note) in zip(whole, rows, strict=True):
        if not width or columns.width(line) <= width:
            yield line
        else:
            yield from columns.wrap(f"  {sign}  {path}", width, " " * 7)
            yield from (f"       {more}" for more in (columns.wrap(note, max(20, width - 7)) if note else ()))


def _rows(one: Prepared) -> Iterator[tuple[str, str, str]]:
    """Sign, path and remark of each file that an accept wrote."""
    for edit in one.edits:
        if edit.path != one.entry.path:
            yield "M", edit.path, f"retired: {lifecycle.SUPERSEDED} by {one.entry.id}"
        elif one.state is State.NEW:
            ids = ", ".join(old.id for old in one.retires)
            yield "A", edit.path, f"supersedes {ids}" if ids else ""
        else:
            yield "M", edit.path, f"said again: seen {one.entry.seen}"
