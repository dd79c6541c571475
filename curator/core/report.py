"""What a person or a program is told: outcomes as text lines and as plain JSON values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator.core import printable
from curator.model import Entry, Finding, Found, Hit, Level, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.outcome import Block, Census, Edit, Listed, Planned, Rendered, Statement
    from curator.selection import LeftOut

MOST_NAMED = 20
FEW = 3
BAR = 20
_ENDED = "retired", "superseded", "expired"
_ELSEWHERE = "scope "
_SIGNS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "note"}


def finding(found: Finding) -> str:
    """`where: level: what`, what is known of it, and the way out, each on lines of their own."""
    lines = [
        f"{printable.inline(found.where)}: {_SIGNS[found.level]}: {found.message}",
        *(f"    {printable.inline(line)}" for line in found.lines),
    ]
    return "\n".join([*lines, f"  -> {found.hint}"] if found.hint else lines)


def counts(findings: Iterable[Finding]) -> str:
    """`2 errors, 1 warning`; "" when there is nothing."""
    levels = [found.level for found in findings]
    told = [(levels.count(level), sign) for level, sign in _SIGNS.items()]
    return ", ".join(plural(number, sign) for number, sign in told if number)


def plural(number: int, noun: str) -> str:
    """`1 memory`, `2 memories`, `3 days`, `1,200 tokens`."""
    many = noun[:-1] + "ies" if noun.endswith("y") and noun[-2:] != "ay" else noun + "s"
    return f"{number:,} {noun if number == 1 else many}"


def bars(blocks: Sequence[Block], marks: str = "#.") -> tuple[str, ...]:
    """What blocks hold: a bar for each category with tokens used of its budget, how many shown and left out.

    Categories that hold and leave out nothing have no line, and blocks with the same bars are told once.
    """
    told: dict[tuple[str, int, tuple[str, ...]], list[Block]] = {}
    for block in blocks:
        told.setdefault((block.target.scope, block.tokens, _bars(block, marks)), []).append(block)
    return tuple(line for (_, _, rows), alike in told.items() for line in (_head(alike), *rows))


def _head(alike: Sequence[Block]) -> str:
    """The files whose blocks are the same, and what one of them costs."""
    block = alike[0]
    each = " each" if len(alike) > 1 else ""
    sections = block.selection.sections
    total = sum(section.budget for section in sections)
    is_empty = not any(section.shown for section in sections)
    held = "no memory in it" if is_empty else f"{total:,} budgeted in all categories"
    return f"{', '.join(one.target.path for one in alike)}: {plural(block.tokens, 'token')}{each}, {held}"


def _bars(block: Block, marks: str) -> tuple[str, ...]:
    """The line of each category that holds or leaves out something."""
    full, empty = marks[0], marks[1]
    out = Counter(one.entry.category for one in block.selection.misfits)
    sections = [one for one in block.selection.sections if one.shown or out[one.category]]
    width = max((len(section.category) for section in sections), default=0)
    lines = []
    for section in sections:
        filled = min(BAR, -(-BAR * section.used // section.budget)) if section.budget else 0
        bar = full * filled + empty * (BAR - filled)
        line = (
            f"  {section.category:<{width}}  {bar}  {section.used:>5,}/{section.budget:<5,}  {len(section.shown)} shown"
        )
        lines.append(f"{line}, {out[section.category]} left out" if out[section.category] else line)
    return tuple(lines)


def left_out(blocks: Sequence[Block], *, misfits: bool = False) -> tuple[str, ...]:
    """Why entries are not in *blocks*, one line a reason; with *misfits* only what a larger budget would show.

    Of what the block of another scope is for nothing is said where one of *blocks* is that.
    """
    homes = {path for block in blocks for path in _covered(block)}
    where: dict[tuple[str, str], list[str]] = {}
    for block in blocks:
        for out in block.selection.misfits if misfits else block.selection.left_out:
            if not (_is_elsewhere(out) and out.entry.path in homes):
                where.setdefault((_kind(out.reason), out.entry.id), []).append(block.target.path)
    groups: dict[tuple[str, str], list[str]] = {}
    for (kind, name), paths in where.items():
        of = "" if len(paths) == len(blocks) or kind.startswith(_ELSEWHERE) else f" of {', '.join(paths)}"
        groups.setdefault((kind, of), []).append(name)
    return tuple(f"left out{of}, {kind}: {_names(kind, ids)}" for (kind, of), ids in sorted(groups.items()))


def _covered(block: Block) -> Iterator[str]:
    """The paths of entries that a block shows, or would with another budget."""
    yield from (entry.path for section in block.selection.sections for entry in section.shown)
    yield from (out.entry.path for out in block.selection.left_out if not _is_elsewhere(out))


def _is_elsewhere(out: LeftOut) -> bool:
    return out.reason.startswith(_ELSEWHERE)


def _kind(reason: str) -> str:
    """A reason without what differs from entry to entry."""
    first = reason.split(" ", 1)[0]
    return first if first in _ENDED else reason.partition(":")[0]


def _names(kind: str, ids: Sequence[str]) -> str:
    """The ids of what could be shown; of what is ended or elsewhere only the number, where they are many."""
    if kind in _ENDED or kind.startswith(_ELSEWHERE):
        way = "curator list --out" if kind in _ENDED else "curator list"
        return ", ".join(sorted(ids)) if len(ids) <= FEW else f"{plural(len(ids), 'memory')} (`{way}`)"
    named = ", ".join(sorted(ids)[:MOST_NAMED])
    more = len(ids) - MOST_NAMED
    return f"{named} and {more} more (`curator list --out`)" if more > 0 else named


def hits(found: Found, *, explain: bool) -> tuple[str, ...]:
    """Search results to read: category and id, the text, why, where to look."""
    lines: list[str] = []
    for hit in found.hits:
        entry = hit.entry
        weak = "" if hit.shares_words else ", shares letters but no word"
        lines.append(f"{entry.category}/{entry.id}  ({hit.score:.2f}{weak})")
        if hit.state:
            lines.append(f"  {'check first' if hit.state is State.STALE else hit.state.value}: {hit.doubt}")
        lines.extend(f"  {line}" for line in entry.text.strip("\n").split("\n"))
        lines.extend(f"  why: {line}" for line in entry.why.strip("\n").split("\n") if line)
        if entry.sources:
            lines.append(f"  see: {', '.join(_source(source.path, source.symbol) for source in entry.sources)}")
        if explain:
            lines.extend(f"  {line}" for line in _shares(hit))
    return tuple(lines)


def _source(path: str, symbol: str) -> str:
    return f"{path}#{symbol}" if symbol else path


def _shares(hit: Hit) -> list[str]:
    total = hit.score or 1.0
    return [
        f"{share.signal:<6} {share.value:+.3f} ({share.value / total:.0%})"
        + (f"  {' '.join(share.terms)}" if share.terms else "")
        for share in hit.shares
    ]


def listing(listed: Listed, width: int) -> tuple[str, ...]:
    """One line an entry: category, id, the beginning of its text; a reason where it is out."""
    lines = []
    for out in listed.entries:
        entry = out.entry
        head = f"{entry.category}/{entry.id}  "
        state = f"  [{out.reason.partition(':')[0]}]" if out.reason else ""
        lines.append(head + shorten(entry.text, max(20, width - len(head) - len(state))) + state)
    return tuple(lines)


def shorten(text: str, width: int) -> str:
    """The text on one line, cut with an ellipsis when it is longer than *width* characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(1, width - 3)].rstrip() + "..."


def entry(shown: Entry, reason: str = "") -> tuple[str, ...]:
    """One entry with everything a reader may want to know of it."""
    from curator.core import record  # noqa: PLC0415 - a search prints without

    facts = record.plain(shown)
    lines = [f"{shown.category}/{shown.id}", *(f"  {line}" for line in shown.text.strip("\n").split("\n")), ""]
    for name, value in facts.items():
        if name not in {"id", "category", "text", "schema"}:
            lines.extend(_fact(name, value))
    if shown.path:
        lines.append(f"file: {shown.path}")
    lines.append(f"not in a block: {reason}" if reason else "in the block")
    return tuple(lines)


def _fact(name: str, value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}:", *(f"  {line}" for key, inner in value.items() for line in _fact(str(key), inner))]
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return [f"{name}:", *(f"  - {_inline(inner)}" for inner in value)]
    if isinstance(value, list):
        return [f"{name}: {', '.join(map(str, value))}"]
    first, *more = str(value).strip("\n").split("\n")
    return [f"{name}: {first}", *(f"  {line}" for line in more)]


def _inline(value: Mapping[str, object]) -> str:
    return ", ".join(f"{key}: {inner}" for key, inner in value.items() if key != "terms")


def diff(edit: Edit, *, gone: bool = False) -> tuple[str, ...]:
    """One edit as a patch that `git apply` takes, line by line, without final newlines. *gone*: it removes the file."""
    from curator.core import patch  # noqa: PLC0415 - only where a diff is shown

    return tuple(patch.written((edit,), gone=(edit.path,) if gone else ()).split("\n")[:-1])


def finding_value(found: Finding) -> dict[str, object]:
    """A finding for `--json`."""
    return {
        "kind": found.kind.value,
        "level": found.level.value,
        "where": found.where,
        "message": found.message,
        "hint": found.hint,
        "id": found.id,
        "lines": list(found.lines),
    }


def hits_value(found: Found) -> dict[str, object]:
    """A search for `--json`: entries with score, and each signal's share."""
    from curator.core import record  # noqa: PLC0415 - a search prints without

    results = [
        {
            **record.plain(hit.entry),
            "path": hit.entry.path,
            "score": round(hit.score, 6),
            "state": hit.state.value if hit.state else "",
            "doubt": hit.doubt,
            "shares": [
                {"signal": share.signal, "value": round(share.value, 6), "terms": list(share.terms)}
                for share in hit.shares
            ],
        }
        for hit in found.hits
    ]
    return {"results": results, "searched": found.searched, "findings": [finding_value(f) for f in found.findings]}


def listing_value(listed: Listed) -> dict[str, object]:
    """Entries for `--json`, each with the reason why it is out of every block."""
    from curator.core import record  # noqa: PLC0415 - a search prints without

    entries = [{**record.plain(out.entry), "path": out.entry.path, "out": out.reason} for out in listed.entries]
    return {"entries": entries, "findings": [finding_value(found) for found in listed.findings]}


def rendered_value(rendered: Rendered) -> dict[str, object]:
    """A render for `--json`."""
    return {
        "targets": [block_value(block) for block in rendered.blocks],
        "changed": [edit.path for edit in rendered.edits if edit.changes],
        "findings": [finding_value(found) for found in rendered.findings],
    }


def block_value(block: Block) -> dict[str, object]:
    """One block for `--json`: what it costs, shows and leaves out."""
    return {
        "path": block.target.path,
        "scope": block.target.scope,
        "current": block.current,
        "tokens": block.tokens,
        "categories": [
            {
                "category": section.category,
                "budget": section.budget,
                "used": section.used,
                "shown": [shown.id for shown in section.shown],
            }
            for section in block.selection.sections
        ],
        "left_out": [{"id": out.entry.id, "reason": out.reason} for out in block.selection.left_out],
    }


def changes(rendered: Rendered) -> tuple[str, ...]:
    """What a render wrote, files with the same fate on one line; which numbers would show what was left out."""
    from curator.core import budget  # noqa: PLC0415 - a search prints without

    paths = {changed: [edit.path for edit in rendered.edits if edit.changes is changed] for changed in (True, False)}
    fates = (True, "block rewritten"), (False, "block unchanged")
    lines = [f"{', '.join(paths[changed])}: {fate}" for changed, fate in fates if paths[changed]]
    for block in rendered.blocks:
        wanted = budget.needed(block.selection)
        if wanted:
            sizes = ", ".join(f"{category} to {size}" for category, size in wanted.items())
            whose = f"the `budget` of {block.target.path}" if block.target.budgets else "`budget`"
            lines.append(f"to show all: raise {sizes} under {whose} in memories/curator.yaml")
    return tuple(dict.fromkeys(lines))


def census(told: Census, marks: str = "#.") -> tuple[str, ...]:
    """The state of the store, to read."""
    active, ended = sum(told.active.values()), sum(told.ended.values())
    parts = " · ".join(f"{category} {number}" for category, number in told.active.items())
    lines = [f"Active    {active:,}" + (f"   {parts}" if parts else "")]
    if ended:
        lines.append(f"Ended     {ended:,}   retired, superseded or expired: `curator list --out`")
    doubtful = [f"{told.states[name]:,} {name}" for name in ("stale", "moved", "review") if name in told.states]
    if doubtful:
        lines.append(f"Doubtful  {', '.join(doubtful)}: `curator check`")
    lines.append(f"Session   {told.tokens:,} tokens of the block at the start of each" + _money(told))
    if told.blocks:
        lines.extend(("", *bars(told.blocks, marks)))
    return tuple(lines)


def _money(told: Census) -> str:
    return "" if told.price is None else f", ${told.tokens * told.price / 10_000:.2f} for 100 sessions"


def census_value(told: Census) -> dict[str, object]:
    """The state of the store for `--json`."""
    cost = None if told.price is None else round(told.tokens * told.price / 1_000_000, 6)
    return {
        "active": dict(told.active),
        "ended": dict(told.ended),
        "states": dict(told.states),
        "waiting": told.waiting,
        "session": {"tokens": told.tokens, "dollars": cost},
        "targets": [block_value(block) for block in told.blocks],
        "findings": [finding_value(found) for found in told.findings],
    }


def plan(planned: Planned, width: int) -> tuple[str, ...]:
    """What an import would do: each new entry on a line, `?` where nothing can be checked, then what stays and why."""
    lines = [
        f"{planned.file}: {plural(len(planned.entries), 'new memory')}, {len(planned.skipped)} left where they are"
    ]
    unchecked = [one for _, one in planned.entries if one.review_by]
    if unchecked:
        says = "says" if len(unchecked) == 1 else "say"
        by = min(one.review_by for one in unchecked)
        lines.append(
            f"{len(unchecked)} of them, marked ?, {says} nothing that can be checked against the code:"
            f" a person looks again by {by}"
        )
    for category, rows in _by_category(planned).items():
        lines.extend(("", f"{category} ({len(rows)})"))
        for statement, one in rows:
            where = f"  {statement.first:>4}{'?' if one.review_by else ' '} "
            cited = f"  [{', '.join(source.path for source in one.sources)}]" if one.sources else ""
            lines.append(where + shorten(one.text, max(30, width - len(where) - len(cited))) + cited)
    if planned.notes:
        lines.extend(("", "named, and not in this repository", *(f"  {note}" for note in planned.notes)))
    if planned.skipped:
        lines.extend(("", "not imported"))
        for statement, reason in planned.skipped:
            lines.append(
                f"  {statement.first:>4}  {shorten(statement.text, max(20, width - 12 - len(reason)))} ({reason})"
            )
    return tuple(lines)


def _by_category(planned: Planned) -> dict[str, list[tuple[Statement, Entry]]]:
    rows: dict[str, list[tuple[Statement, Entry]]] = {}
    for pair in planned.entries:
        rows.setdefault(pair[1].category, []).append(pair)
    return dict(sorted(rows.items()))


def plan_value(planned: Planned) -> dict[str, object]:
    """An import's plan for `--json`."""
    from curator.core import record  # noqa: PLC0415 - a search prints without

    return {
        "file": planned.file,
        "entries": [
            {**record.plain(one), "path": one.path, "lines": [statement.first, statement.last]}
            for statement, one in planned.entries
        ],
        "skipped": [
            {"lines": [statement.first, statement.last], "text": statement.text, "reason": reason}
            for statement, reason in planned.skipped
        ],
    }
