"""Lines between the markers that no memory says and no render writes: somebody wrote them there by hand."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from curator.core import block, bullet, columns, flags
from curator.core.compare import Look, Smell
from curator.model import Entry, Level

_SHOWN = 120
_COUNT = "{{ misfits }}"


class Stray(NamedTuple):
    """Lines of a file that follow one another, the first counted from 1."""

    line: int
    texts: tuple[str, ...]


def find(text: str, where: str, known: Iterable[Entry], template: str, before: Container[str]) -> tuple[Stray, ...]:
    """Those of a target's *text*, without the lines *before*; CuratorError where it has no sound block.

    *known* are the entries that may stand there: those in use, the likeliest
    first, for they are read as far as it takes. A closing line counts as
    curator's own only as far as curator could have written all of it.
    """
    start, body = block.find(text, where).start + 2, block.body(text, where)
    lines, fixed, footer = body.split("\n"), set(template.split("\n")), _footer(template)
    strange = {line for line in lines if line.strip() and line not in before and line not in fixed}
    strange = {line for line in strange if not footer.fullmatch(line)}
    if any(map(flags.is_flag, strange)):
        known = tuple(known)
        strange.discard(flags.found(body, known))
    for entry in known if strange else ():
        strange.difference_update(bullet.item(entry).split("\n"), [bullet.heading(entry.category).strip()])
        if not strange:
            break
    numbers = [number for number, line in enumerate(lines) if line in strange]
    return tuple(Stray(start + run[0], tuple(lines[number] for number in run)) for run in _runs(numbers))


def _footer(template: str) -> re.Pattern[str]:
    """What the *template* says of entries that did not fit, with any number in it."""
    lines = [line for line in template.split("\n") if _COUNT in line]
    return re.compile("|".join(r"\d+".join(map(re.escape, line.split(_COUNT))) for line in lines) or r"(?!)")


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def look(path: str, stray: Stray) -> Look:
    """A stray as something to look at before all else: an agent reads it, and nobody accepted it as a memory."""
    first = columns.shorten(stray.texts[0], _SHOWN)
    more = len(stray.texts) - 1
    what = f"a line in the block that no memory says: {first}"
    if more:
        what = f"{more + 1:,} lines in the block that no memory says, from: {first}"
    return Look(Smell.BY_HAND, path, stray.line, what, level=Level.ERROR)
