"""An audit as it is told: text for a terminal, Markdown for a pull request, plain values for JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.core import printable, report, verdict
from curator.core.survey import Audit, Broken, Tally, Version
from curator.core.verdict import Change
from curator.model import State

MOST_REASONS = 3
"""Reasons of one finding that are told as text; JSON has all."""
_SHORT = 8
_NARROWEST = 40
_LONGEST = 300  # characters of one text in Markdown
_DEEPER = "     "


def headline(tally: Tally) -> str:
    """`CLAUDE.md: 9 of 140 statements no longer hold (2 more to review, 52 name nothing that can be checked)`."""
    unjudged = sum(count for _, count in tally.unknown)
    silent = max(0, tally.statements - tally.checkable - unjudged)
    more = [
        f"{tally.moved} more with a path that moved" if tally.moved else "",
        f"{tally.review} more to review" if tally.review else "",
        f"{silent} {'names' if silent == 1 else 'name'} nothing that can be checked" if silent else "",
        *(f"{count} not judged: {why}" for why, count in tally.unknown),
    ]
    told = ", ".join(filter(None, more))
    holds = "no longer holds" if tally.stale == 1 else "no longer hold"
    path = printable.inline(tally.path)
    head = f"{path}: {tally.stale} of {report.plural(tally.statements, 'statement')} {holds}"
    if not tally.stale:
        head = f"{path}: {report.plural(tally.statements, 'statement')}, none found stale"
    return f"{head} ({told})" if told else head


def lines(found: Broken, where: str, width: int) -> Iterator[tuple[str, str]]:
    """A finding as lines of about *width* columns, each with what it is: "head", "", "-" or "+".

    *where* is its path as seen by the reader.
    """
    first = found.reasons[0]
    yield f"{printable.inline(where)}:{found.line}: {found.state.value}: {first.message}", "head"
    room = max(_NARROWEST, width - len(_DEEPER) - 6)
    yield f"{_DEEPER}says: {_shortened(found.said, room)}", ""
    for line in first.lines:
        yield f"{_DEEPER}was:  {_shortened(line, room)}", ""
    for reason in found.reasons[1:MOST_REASONS]:
        yield f"{_DEEPER}also: {reason.message}", ""
    if len(found.reasons) > MOST_REASONS:
        yield f"{_DEEPER}and {len(found.reasons) - MOST_REASONS} more (--json tells all)", ""
    yield f"{_DEEPER}by:   {_shortened(by(found.commit), room)}", ""
    if found.edit:
        yield f"{_DEEPER}- {printable.inline(found.edit.before)}", "-"
        yield f"{_DEEPER}+ {printable.inline(found.edit.after)}", "+"
    else:
        yield f"{_DEEPER}-> {way_out(found)}", ""


def by(commit: Version | None) -> str:
    """The commit that broke it, in one line."""
    if commit is None:
        return "a change that is not committed, or older than the history here"
    return f"{commit.commit[:_SHORT]} {commit.date} {commit.author}: {commit.subject}"


def way_out(found: Broken) -> str:
    """What to do about a finding that no edit is proposed for."""
    reason = found.reasons[0]
    elsewhere = printable.inline(reason.elsewhere)
    if reason.change is Change.MOVED:
        return f"name {elsewhere} instead"
    if found.state is State.REVIEW:
        return "read it once more: reword, remove or leave it"
    if elsewhere:
        return f"name {elsewhere} instead, or reword"
    return "reword or remove it"


def _shortened(text: str, room: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= room else f"{flat[: room - 3].rstrip()}..."


def markdown(audit: Audit) -> str:
    """A report for a comment or an issue. What files and commits say stands in code elements, where it does nothing."""
    parts = ["### Statements that the code has left behind"]
    if not audit.files:
        parts.append("No instruction file is tracked here.")
    for tally in audit.files:
        told = headline(tally._replace(path=""))
        parts.append(f"**{_code(tally.path)}{told}**")
        parts.extend(_item(one) for one in audit.findings if one.path == tally.path)
    return "\n\n".join(parts) + "\n"


def _item(found: Broken) -> str:
    rows = [
        f"- {_code(f'{found.path}:{found.line}')} **{found.state.value}**: {_code(found.reasons[0].message)}",
        f"says: {_code(found.said)}",
        *(f"was: {_code(line)}" for line in found.reasons[0].lines),
        *(f"also: {_code(reason.message)}" for reason in found.reasons[1:MOST_REASONS]),
        f"by: {_code(by(found.commit))}",
        f"edit to: {_code(found.edit.after)}" if found.edit else f"way out: {_code(way_out(found))}",
    ]
    return "\n  - ".join(rows)


_ACTIVE = re.compile(r"[^A-Za-z0-9 ./,()'\x80-\U0010ffff-]|(?<=www)\.", re.I)


def _code(text: str) -> str:
    """A code element: no text can end it as it could a span of back-ticks, and hosts link no name or number in it.

    Each sign that Markdown or a host might read is written as a number of HTML, which neither does.
    """
    flat = printable.escape(_shortened(text, _LONGEST))
    return f"<code>{_ACTIVE.sub(lambda found: f'&#{ord(found[0])};', flat)}</code>"


def value(audit: Audit) -> dict[str, object]:
    """The audit for `--json` (docs/audit.md)."""
    return {
        "files": [_tally_value(tally) for tally in audit.files],
        "findings": [_finding_value(found) for found in audit.findings],
    }


def _tally_value(tally: Tally) -> dict[str, object]:
    return {
        "path": tally.path,
        "statements": tally.statements,
        "checkable": tally.checkable,
        "stale": tally.stale,
        "review": tally.review,
        "moved": tally.moved,
        "unknown": {why: count for why, count in tally.unknown},
    }


def _finding_value(found: Broken) -> dict[str, object]:
    level = found.state.level
    commit = found.commit
    return {
        "path": found.path,
        "first": found.statement.first,
        "last": found.statement.last,
        "line": found.line,
        "text": found.statement.text,
        "state": found.state.value,
        "level": level.value if level else "",
        "reasons": [verdict.reason_value(reason) | {"source": reason.path} for reason in found.reasons],
        "commit": commit
        and {"id": commit.commit, "date": commit.date, "author": commit.author, "subject": commit.subject},
        "edit": found.edit and {"before": found.edit.before, "after": found.edit.after},
    }
