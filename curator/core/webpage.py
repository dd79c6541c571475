"""The state of the memories as one HTML page that loads nothing and runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from curator.core import budget, bullet, catalogue, chronicle, flags, page, printable, report
from curator.core.chronicle import Month
from curator.core.verdict import Judged
from curator.model import Entry, Finding, State
from curator.outcome import Block, Outcome

MARK = "<!doctype html>\n<!-- curator report -->\n"
"""What every page begins with."""

_DOUBTS = {State.STALE: "stale", State.MOVED: "moved", State.REVIEW: "to review"}
_ENDED = frozenset({"retired", "superseded", "expired"})
_MORE = "misfit"


class Parts(NamedTuple):
    """The texts that a page is made of: the template, its style and its script."""

    page: str
    style: str
    script: str


@dataclass(frozen=True, slots=True)
class Overview(Outcome):
    """What a page is about. *ordered* are all entries, best first; *judged* those in use.

    *stray* names targets whose file holds another block, with what is wrong.
    *commit* is the one that is checked out, "" before the first.
    """

    title: str = ""
    as_of: str = ""
    commit: str = ""
    trust: str = ""
    ordered: tuple[Entry, ...] = ()
    judged: tuple[Judged, ...] = ()
    blocks: tuple[Block, ...] = ()
    stray: Mapping[str, str] = field(default_factory=dict)
    waiting: int = 0
    price: float | None = None


def write(told: Overview, parts: Parts) -> str:
    """The whole page. The same overview and parts give the same text."""
    rows = catalogue.rows(told.ordered, told.judged, told.blocks, told.as_of)
    rows.sort(key=lambda row: row["standing"] in _ENDED)
    months = chronicle.months(told.ordered, told.as_of)
    style, script = parts.style.strip(), parts.script.strip()
    return MARK + page.markup(
        parts.page,
        {
            "title": printable.inline(told.title),
            "policy": _policy(style, script),
            "style": style,
            "script": script,
            "data": _island({"entries": rows, "categories": _categories(told)}),
            "rows": [_plain(row) for row in rows],
            "made": {
                "on": told.as_of,
                "commit": printable.inline(told.commit[:7]),
                "trust": printable.inline(told.trust),
            },
            "figures": _figures(told, rows),
            "blocks": [_block(block, told) for block in told.blocks],
            "chart": _chart(months) if months else {},
            "months": [_month(month) for month in reversed(months)],
            "findings": [_finding(found) for found in told.findings],
        },
    )


def _policy(style: str, script: str) -> str:
    """A Content-Security-Policy: nothing is loaded, and only this style and this script count."""
    return (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _island(value: object) -> str:
    """JSON that no HTML parser takes for markup and that may stand in a script of any age."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _categories(told: Overview) -> list[str]:
    """In the order of the block, then those that no block has room for."""
    budgeted = (section.category for block in told.blocks for section in block.selection.sections)
    return [
        printable.escape(name) for name in dict.fromkeys((*budgeted, *sorted(one.category for one in told.ordered)))
    ]


def _plain(row: Mapping[str, Any]) -> dict[str, str]:
    """A row for those who run no script."""
    told = (f"{row['category']}/{row['id']}", row.get("out", ""), row.get("state", ""))
    return {"text": row["text"].strip(), "told": ", ".join(filter(None, told))}


# --- Figures ------------------------------------------------------------------------------------------------------


def _figures(told: Overview, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The numbers at the top: what they count, and the view that shows it."""
    ended = sum(row["standing"] in _ENDED for row in rows)
    out = sum(row["standing"] == _MORE for row in rows)
    tokens = max((block.tokens for block in told.blocks if not block.target.scope), default=0)
    figures = [
        _figure(len(rows) - ended, "in use", "#standing=shown&standing=misfit&standing=uncovered"),
        *(_figure(number, name, f"#state={state.value}", state.value) for state, name, number in _doubtful(told)),
        _figure(out, "did not fit", f"#standing={_MORE}"),
        _figure(ended, "ended", "#standing=retired&standing=superseded&standing=expired"),
        _figure(told.waiting, "waiting for review", ""),
        _figure(tokens, "tokens a session reads", "#blocks"),
    ]
    kept = [one for one in figures if one["number"] != "0"]
    if told.price is not None:
        cost = f"${tokens * told.price / 10_000:,.2f}"
        kept.append({"number": cost, "label": "for 100 sessions", "view": "", "tone": ""})
    return kept


def _doubtful(told: Overview) -> Iterator[tuple[State, str, int]]:
    for state, name in _DOUBTS.items():
        yield state, name, sum(one.state is state for one in told.judged)


def _figure(number: int, label: str, view: str, tone: str = "") -> dict[str, str]:
    return {"number": f"{number:,}", "label": label, "view": view, "tone": tone}


# --- Blocks -------------------------------------------------------------------------------------------------------


def _block(block: Block, told: Overview) -> dict[str, Any]:
    sections = block.selection.sections
    wanted = budget.needed(block.selection)
    return {
        "path": printable.inline(block.target.path),
        "scope": printable.inline(block.target.scope),
        "tokens": f"{block.tokens:,}",
        "budget": f"{sum(section.budget for section in sections):,}",
        "cost": "" if told.price is None else f"${block.tokens * told.price / 1_000_000:,.4f}",
        "stray": printable.inline(told.stray.get(block.target.path, "")),
        "flag": next((printable.escape(line) for line in block.body.split("\n") if flags.is_flag(line)), ""),
        "parts": list(_parts(block, {one.entry.path: one.state for one in told.judged})),
        "sections": [
            {
                "category": printable.escape(section.category),
                "used": f"{section.used:,}",
                "budget": f"{section.budget:,}",
                "share": _percent(section.used, section.budget),
                "shown": len(section.shown),
                "out": sum(out.entry.category == section.category for out in block.selection.misfits),
                "needed": f"{wanted.get(section.category, 0):,}",
            }
            for section in sections
        ],
    }


def _parts(block: Block, states: Mapping[str, State]) -> Iterator[dict[str, str]]:
    """The text of a block, cut where an entry's item begins and ends; joined it is the text and a newline."""
    at, text = 0, f"\n{block.body}\n"
    for entry in page.shown(block.selection):
        item = bullet.item(entry)
        start = text.find(f"\n{item}\n", max(0, at - 1)) + 1
        if start:
            yield {"text": printable.escape(text[max(1, at) : start]), "id": "", "state": ""}
            state = states.get(entry.path, State.FRESH)
            doubt = state.value if state in _DOUBTS else ""
            yield {"text": printable.escape(f"{item}\n"), "id": printable.escape(entry.id), "state": doubt}
            at = start + len(item) + 1
    yield {"text": printable.escape(text[max(1, at) :]), "id": "", "state": ""}


def _percent(part: int, whole: int) -> str:
    return f"{min(100.0, 100 * part / whole):.1f}" if whole else "0.0"


# --- Over time ----------------------------------------------------------------------------------------------------

_TALLEST, _HEAD, _GAP = 80, 16, 20
"""Pixels of the tallest bar, of the room above it, and of the names between what was learned and what ended."""
_FEW = 14
"""Months that can all be named."""
_LABEL = 0.12
"""Share of the narrowest chart that a year takes."""
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _chart(months: Sequence[Month]) -> dict[str, Any]:
    """Bars by month on one scale, learned above the line and ended below. Places and widths are in percent.

    What is one sum of many months has no bar: it would dwarf the others.
    """
    shown = [month for month in months if not month.name.startswith(chronicle.OLDER)]
    up, down = max(month.learned for month in shown), max(month.ended for month in shown)
    scale = _TALLEST / max(1, up, down)
    line = _HEAD + round(up * scale)
    step = 100 / max(12, len(shown))
    few = len(shown) <= _FEW
    return {
        "height": line + _GAP + round(down * scale),
        "line": line,
        "label": line + _GAP - 6,
        "few": few,
        "most": f"{max(up, down):,}",
        "since": shown[0].name if len(shown) < len(months) else "",
        "first": shown[0].name,
        "last": shown[-1].name,
        "learned": f"{sum(month.learned for month in shown):,}",
        "ended": f"{sum(month.ended for month in shown):,}",
        "bars": [
            {**_bar(month, number, step, scale, line), "kind": kind, "label": label}
            for number, (month, (kind, label)) in enumerate(zip(shown, _labels(shown, few=few), strict=True))
        ],
    }


def _labels(shown: Sequence[Month], *, few: bool) -> Iterator[tuple[str, str]]:
    """The kind and the text of each month's label; those of a `year` stand apart also where a page is narrow."""
    room = 3 if few else max(1, round(len(shown) * _LABEL))
    last = -room
    next_year = [number for number, month in enumerate(shown) if month.name.endswith("-01")][:1]
    for number, month in enumerate(shown):
        year, _, digits = month.name.partition("-")
        name = _MONTHS[int(digits) - 1]
        starts = digits == "01" or (number == 0 and not any(one < room for one in next_year))
        if starts and number - last >= room:
            last = number
            yield "year", f"{name} {year}" if few else year
        else:
            yield "fine", name if few else ""


def _bar(month: Month, number: int, step: float, scale: float, line: int) -> dict[str, Any]:
    up = max(2, round(month.learned * scale)) if month.learned else 0
    return {
        "said": _said(month),
        "learned": f"{month.learned:,}",
        "x": f"{number * step:.2f}",
        "bar": f"{number * step + step * 0.28:.2f}",
        "middle": f"{number * step + step / 2:.2f}",
        "width": f"{step * 0.44:.2f}",
        "step": f"{step:.2f}",
        "up": up,
        "top": line - up,
        "down": max(2, round(month.ended * scale)) if month.ended else 0,
        "below": line + _GAP,
    }


def _said(month: Month) -> str:
    parts = [f"{month.learned:,} learned", f"{month.confirmed:,} confirmed", f"{month.ended:,} ended"]
    return f"{month.name}: {', '.join(parts)}, {month.in_use:,} in use"


def _month(month: Month) -> dict[str, str]:
    counts = {"learned": month.learned, "confirmed": month.confirmed, "ended": month.ended, "in_use": month.in_use}
    return {"name": month.name, **{name: f"{count:,}" for name, count in counts.items()}}


# --- Findings -----------------------------------------------------------------------------------------------------


def _finding(found: Finding) -> dict[str, Any]:
    value = report.finding_value(found)
    texts = {key: printable.inline(str(value[key])) for key in ("level", "where", "message", "hint")}
    return {**texts, "lines": [printable.inline(line) for line in found.lines]}
