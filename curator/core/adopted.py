"""An import as it is told: a plan that fits a screen, and all of it as a JSON value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from curator.core import printable, record, report, secrets
from curator.core.adoption import ELSEWHERE, Adoption, Left
from curator.core.imports.item import Item
from curator.model import Entry

_ALL = 12
"""Statements that are all shown; of more, the first few of each category and of each reason."""
_FIRST, _FEW = 3, 2
_PROJECTS = 5
_REASONS = 12
_DETAIL, _REASON = 60, 160  # characters of a detail, of a reason
_SAID = 2000  # characters of a statement that is left
_WHERE = 28  # columns of the place of a statement


def plan(adopted: Adoption, named: str, width: int) -> Iterator[str]:
    """What an import of what the user *named* would do, as lines of *width* columns."""
    total = len(adopted.entries) + len(adopted.left)
    becomes = "new memory" if adopted.accept else "proposal"
    new, left = report.plural(len(adopted.entries), becomes), len(adopted.left)
    yield f"{named} ({adopted.format}): {report.plural(total, 'statement')}, {new}, {left:,} left where they are"
    for category, rows in _by_category(adopted.entries).items():
        yield from ("", f"{category} ({len(rows):,})")
        shown = rows if len(adopted.entries) <= _ALL else rows[:_FIRST]
        for one, entry in shown:
            yield _row(one.where, entry, width)
        yield from _rest(rows, shown)
    if adopted.left:
        yield from ("", "not imported")
        groups = list(_by_reason(adopted.left).items())
        for reason, group in groups[:_REASONS]:
            yield from _reason(reason, group, width, whole=left <= _ALL)
        rest = sum(len(group) for _, group in groups[_REASONS:])
        yield from ([f"  {rest:>5,}  for {len(groups) - _REASONS:,} other reasons: `--json` has them"] if rest else [])
    if adopted.notes:
        yield from ("", *adopted.notes)


def _row(where: str, entry: Entry, width: int) -> str:
    cited = f"  [{', '.join(source.path for source in entry.sources[:_FEW])}]" if entry.sources else ""
    often = f" ({entry.seen:,} times)" if entry.seen > 1 else ""
    head = f"  {_end(where):<{_WHERE}} "
    return head + report.shorten(entry.text, max(30, width - len(head) - len(cited) - len(often))) + often + cited


def _end(where: str) -> str:
    """A place by its end, which tells one from another."""
    plain = printable.inline(where)
    return plain if len(plain) <= _WHERE else f"...{plain[3 - _WHERE :]}"


def _rest(rows: Sequence[object], shown: Sequence[object]) -> Iterator[str]:
    if len(rows) > len(shown):
        yield f"  and {len(rows) - len(shown):,} more"


def _reason(reason: str, group: Sequence[Left], width: int, *, whole: bool) -> Iterator[str]:
    """A reason with how many it holds for, and the first of them; of other projects only their names."""
    if reason == ELSEWHERE:
        yield f"  {len(group):>5,}  {reason}: {_projects(group)}"
        return
    alike = all(one.reason == group[0].reason for one in group)
    yield f"  {len(group):>5,}  {report.shorten(group[0].reason if alike else reason, _REASON)}"
    shown = group if whole else group[:_FEW]
    for one in shown:
        detail = one.detail if alike else one.detail or one.reason
        detail = f" ({_brief(detail)})" if detail else ""
        head = f"         {_end(one.item.where):<{_WHERE}} "
        told = report.shorten(said(one.item), max(20, width - len(head) - len(detail)))
        yield f"{head}{told}{detail}".rstrip()
    yield from (f"       {line}" for line in _rest(group, shown))


def _projects(group: Sequence[Left]) -> str:
    counts: dict[str, int] = {}
    for one in group:
        counts[one.detail] = counts.get(one.detail, 0) + 1
    most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = [f"{_brief(name)} {number:,}" for name, number in most[:_PROJECTS]]
    more = f" and {len(most) - _PROJECTS} more" if len(most) > _PROJECTS else ""
    return f"{', '.join(told)}{more}; `--project NAME` takes one"


def _brief(text: str) -> str:
    return report.shorten(printable.inline(text), _DETAIL)


def said(one: Item) -> str:
    """How a statement that is left begins; one with a secret is not printed once more."""
    text = one.text if len(one.text) <= _SAID else f"{one.text[: _SAID - 3]}..."
    return "(not shown)" if secrets.find(one.text[: 2 * _SAID]) else text


def _by_category(entries: Sequence[tuple[Item, Entry]]) -> Mapping[str, list[tuple[Item, Entry]]]:
    rows: dict[str, list[tuple[Item, Entry]]] = {}
    for pair in entries:
        rows.setdefault(pair[1].category, []).append(pair)
    return dict(sorted(rows.items()))


_FIGURES = re.compile(r"U\+[0-9A-F]+|(?<![\w,])\d[\d,]*|'[^']*'")


def _by_reason(left: Sequence[Left]) -> Mapping[str, list[Left]]:
    groups: dict[str, list[Left]] = {}
    for one in left:
        groups.setdefault(_FIGURES.sub("...", one.reason), []).append(one)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def value(adopted: Adoption) -> dict[str, object]:
    """The plan for `--json`: every statement, with where it stands in its store."""
    return {
        "source": adopted.place,
        "format": adopted.format,
        "accept": adopted.accept,
        "entries": [
            {**record.plain(entry), **({"path": entry.path} if adopted.accept else {}), "where": one.where}
            for one, entry in adopted.entries
        ],
        "left": [
            {"where": one.item.where, "text": said(one.item), "reason": one.reason, "detail": one.detail}
            for one in adopted.left
        ],
        "notes": list(adopted.notes),
    }
