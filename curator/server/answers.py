"""What a call is answered: a text to read and the same as a value, short enough for every client."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from curator.core import printable, report

if TYPE_CHECKING:
    from curator.model import Entry

MOST = 36_000
"""Characters of an answer as ASCII JSON. Claude Code replaces a result of 50,000 by a preview of it."""
WHY = 400
"""Characters of a reason beside the statement; all of it stands where one memory is read."""


class Answer(NamedTuple):
    """One result: *text* for whoever reads text, *value* for whoever reads JSON. A fault says what to put right."""

    text: str
    value: dict[str, Any]
    fault: bool = False


def clean(value: Any) -> Any:
    """*value* with every text in it harmless where it is shown, and writable as UTF-8."""
    if isinstance(value, str):
        return printable.escape(value).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {clean(key): clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [clean(inner) for inner in value]
    return value


def fitting(values: Iterable[dict[str, Any]], most: int = MOST) -> list[dict[str, Any]]:
    """As many of *values* from the first on as an answer has room for; the first always."""
    kept: list[dict[str, Any]] = []
    for value in values:
        most -= len(json.dumps(value, allow_nan=False))
        if kept and most < 0:
            break
        kept.append(value)
    return kept


def said(entry: Entry, **more: Any) -> dict[str, Any]:
    """A memory as an answer tells it, what is to be known of it before its text; without what is empty."""
    from curator.core import harvest

    told = {
        "id": entry.id,
        "category": entry.category,
        **more,
        "text": entry.text.strip("\n"),
        "why": report.shorten(entry.why, WHY),
        "files": [harvest.shown(source) for source in entry.sources],
        "scope": entry.scope,
    }
    return {name: value for name, value in told.items() if value}


def lines(told: dict[str, Any]) -> Iterator[str]:
    """A memory as `said` tells it, with its state, as lines to read."""
    yield f"{told['category']}/{told['id']}" + (f"  ({told['match']})" if "match" in told else "")
    if "state" in told:
        yield f"  {told['state'].upper()} - verify before relying on it: {told['doubt']}"
    yield from (f"  {line}" for line in told["text"].split("\n"))
    if "why" in told:
        yield f"  why: {told['why']}"
    if "files" in told:
        yield f"  see: {', '.join(told['files'])}"
    if "scope" in told:
        yield f"  only below {told['scope']}"
