"""Data in Markdown where it can do nothing: only ever inside code, behind fences that it cannot close.

In code neither GitHub nor GitLab reads a mention, a reference, a link, an image, HTML, a comment or a quick action
(CommonMark 6.1 and 4.5; both document that they leave code alone). What drives a terminal, a CI log or the order of
letters is shown as an escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from curator.core import columns, printable

_RUN = re.compile(r"`+")
_LEAST = 3


def span(text: str) -> str:
    """*text* on one line as a code span; "" for nothing."""
    line = shown(columns.line(text))
    if not line:
        return ""
    mark = "`" * (longest(line) + 1)
    blank = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{mark}{blank}{line}{blank}{mark}"


def cell(text: str) -> str:
    """A code span for a table, where a pipe would end the cell even inside code."""
    return span(text.replace("|", "\\x7c"))


def fence(lines: Iterable[str], language: str = "") -> list[str]:
    """Lines as a fenced block.

    Each line has to begin with two characters that are no data: a sign and a
    blank. So none of them closes the fence, and none is taken for an order
    by what reads Markdown as bare lines.
    """
    safe = [shown(line) for line in lines]
    mark = "`" * max(_LEAST, 1 + max(map(longest, safe), default=0))
    return [f"{mark}{language}", *safe, mark]


def shown(line: str) -> str:
    """One line with what steers as escapes, an order to a CI log too."""
    return printable.escape(printable.inline(line))


def longest(line: str) -> int:
    """The length of the longest run of backticks."""
    return max(map(len, _RUN.findall(line)), default=0) if "`" in line else 0
