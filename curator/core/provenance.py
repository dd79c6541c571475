"""Where a memory, or a line of a block, comes from, as text and for `--json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.core import columns, printable, record, report, rewording
from curator.core.columns import Line
from curator.core.lineage import DISK, Commit, Event, Life, Step
from curator.core.sighting import Kind, Trace
from curator.model import Origin

_SHORT = 10
_QUOTE = 300
_MOST_LISTED = 20


def log(life: Life) -> Iterator[Line]:
    """The history of one entry, the newest first, as lines with what they are painted with."""
    category = life.entry.category if life.entry else ""
    yield Line(printable.inline(f"{category}/{life.name}" if category else life.name))
    if life.entry:
        yield from (Line(f"  {line}") for line in life.entry.text.strip("\n").split("\n"))
    yield Line(f"  file: {printable.inline(life.path)}{'   (gone)' if life.gone else ''}")
    if life.heirs:
        yield Line(f"  superseded by {', '.join(life.heirs)}")
    if life.entry and life.entry.supersedes:
        yield Line(f"  supersedes {', '.join(life.entry.supersedes)}")
    if not life.committed:
        yield Line("  never committed")
    for step in life.steps:
        yield Line("")
        yield from _step(step, life)
    yield from (Line(f"note: {note}") for note in notes(life))


def notes(life: Life) -> tuple[str, ...]:
    """How far the history could be looked at."""
    cut = any(step.event is Event.CUT for step in life.steps)
    told = "this shallow clone begins here: what came before is not in it (`git fetch --unshallow`)"
    return (*life.notes, *([told] if cut else []))


def _step(step: Step, life: Life) -> Iterator[Line]:
    yield Line(_head(step.commit), "yellow" if step.commit.id else "red")
    yield Line(f"    {_event(step)}")
    if step.fault:
        yield Line(f"    skipped: {step.fault}" if step.event is Event.UNREADABLE else f"    not shown: {step.fault}")
    for field in step.fields:
        yield Line(f"    {field.name}: {rewording.joint(field.before, field.after)}")
    if step.event in {Event.ADDED, Event.CUT} and step.after:
        yield from (Line(f"    {line}") for line in said(step.after.origin, life))


def _event(step: Step) -> str:
    path = printable.inline(step.path)
    if step.event is Event.RETIRED and step.after and step.after.retired:
        return f"retired on {step.after.retired.on}: {columns.line(step.after.retired.reason)}"
    if step.was:
        return f"moved from {printable.inline(step.was)} to {path}"
    return f"{step.event.value} as {path}" if step.event in {Event.ADDED, Event.CUT} else step.event.value


def _since(step: Step) -> str:
    """The commit of a step; at the edge of a shallow clone nobody knows it."""
    return "older than this shallow clone" if step.event is Event.CUT else _head(step.commit)


def _head(commit: Commit) -> str:
    if not commit.id:
        return commit.subject
    return f"{commit.id[:_SHORT]}  {commit.day}  {columns.line(commit.author)}: {columns.line(commit.subject)}"


def said(origin: Origin, life: Life) -> Iterator[str]:
    """Who said it, where and when; and the words, where the text is not verbatim. Nothing of what is not known."""
    if origin.by == "import":
        yield _written(origin, life)
        return
    agent = f"through {origin.agent}" if origin.agent and origin.by != "agent" else origin.agent
    session = f"session {origin.session}" if origin.session else ""
    facts = (f"by {origin.by}" if origin.by else "", agent, session, origin.trigger, origin.created)
    told = ", ".join(columns.line(fact) for fact in facts if fact)
    yield f"said {told}" if told else "nothing is known of who said it"
    if origin.commit:
        yield f"while {origin.commit[:_SHORT]} was checked out"
    if origin.quote:
        yield f'quote: "{report.shorten(origin.quote, _QUOTE)}"'


def _written(origin: Origin, life: Life) -> str:
    """Who wrote the line of an instruction file that became a memory, as git blame had it at the import."""
    place = f" in {columns.line(life.read)}" if life.read else ""
    if life.wrote:
        one = life.wrote
        return f"written by {columns.line(one.author)}{place}, {one.id[:_SHORT]} {one.day}: {columns.line(one.subject)}"
    commit = f", in {origin.commit[:_SHORT]}, a commit that is not here" if origin.commit else ""
    day = f" on {origin.created[:10]}" if origin.created else ""
    return columns.line(f"imported from an instruction file, where it was written{day}{commit}")


def blame(traces: Sequence[Trace]) -> Iterator[Line]:
    """Where lines of a block come from, each with its entries."""
    for number, trace in enumerate(traces):
        if number:
            yield Line("")
        yield from _trace(trace, brief=len(traces) > 1)


def _trace(trace: Trace, *, brief: bool) -> Iterator[Line]:
    file = printable.inline(trace.file)
    where = f"{file}:{trace.line}" if trace.line else file
    yield Line(f"{where}: {report.shorten(trace.said, 160)}" if where else report.shorten(trace.said, 160))
    yield from (Line(f"  {line}") for line in trace.told)
    if trace.commit:
        yield Line(f"  last changed by {_head(trace.commit)}")
    for life in trace.lives[:_MOST_LISTED]:
        yield from _brief(life) if brief else _whole(life)
    if len(trace.lives) > _MOST_LISTED:
        yield Line(f"  and {len(trace.lives) - _MOST_LISTED} more")


def _brief(life: Life) -> Iterator[Line]:
    wording = life.wording
    yield Line(f"  {printable.inline(life.path)}")
    yield Line(f"    text from {_since(wording)}" if wording else "    never committed")


def _whole(life: Life) -> Iterator[Line]:
    wording, birth = life.wording, life.birth
    yield Line(f"  memory    {printable.inline(life.path)}{'   (gone)' if life.gone else ''}")
    if wording:
        yield Line(f"  text      {_since(wording)}", "yellow")
    if birth and birth is not wording:
        yield Line(f"  came with {_since(birth)}", "yellow")
    if not life.committed:
        yield Line("  never committed: `git commit` makes it traceable")
    first, *more = said(life.origin, life)
    yield from (Line(f"  {line}") for line in (f"origin    {first}", *(f"          {line}" for line in more)))
    if life.heirs:
        yield Line(f"  superseded by {', '.join(life.heirs)}")
    yield from (Line(f"  note: {note}") for note in notes(life))
    yield Line(f"  -> all of it: `curator log {printable.word(life.name)}`")


def log_value(life: Life) -> dict[str, object]:
    """The history of an entry for `--json` (docs/json.md)."""
    return {
        "id": life.name,
        "path": life.path,
        "gone": life.gone,
        "entry": record.plain(life.entry) if life.entry else None,
        "superseded_by": list(life.heirs),
        "steps": [_step_value(step) for step in life.steps],
        "notes": list(notes(life)),
    }


def _step_value(step: Step) -> dict[str, object]:
    first = step.event in {Event.ADDED, Event.CUT}
    return {
        **commit_value(step.commit),
        "state": "" if step.commit.id else ("disk" if step.commit.subject == DISK else "staged"),
        "event": step.event.name.lower(),
        "path": step.path,
        "was": step.was,
        "fields": [field._asdict() for field in step.fields],
        "fault": step.fault,
        "origin": _origin_value(step.after.origin) if first and step.after else None,
    }


def commit_value(commit: Commit) -> dict[str, object]:
    """A commit for `--json`; all of it is empty for what is not committed."""
    subject = commit.subject if commit.id else ""
    return {"commit": commit.id, "date": commit.time, "author": commit.author, "subject": subject}


def _origin_value(origin: Origin) -> dict[str, object]:
    names = ("by", "agent", "session", "trigger", "commit", "created", "quote")
    return {name: getattr(origin, name) for name in names}


def blame_value(traces: Sequence[Trace]) -> dict[str, object]:
    """Where lines come from, for `--json` (docs/json.md)."""
    return {"lines": [_trace_value(trace) for trace in traces]}


def _trace_value(trace: Trace) -> dict[str, object]:
    return {
        "file": trace.file,
        "line": trace.line,
        "last": trace.last,
        "kind": trace.kind.value,
        "text": trace.said,
        "told": list(trace.told),
        "current": trace.kind is not Kind.ONCE,
        "commit": commit_value(trace.commit) if trace.commit else None,
        "entries": [_life_value(life) for life in trace.lives],
    }


def _life_value(life: Life) -> dict[str, object]:
    return {
        "id": life.name,
        "path": life.path,
        "gone": life.gone,
        "category": life.entry.category if life.entry else "",
        "text": life.entry.text if life.entry else "",
        "wording": commit_value(life.wording.commit) if life.wording else None,
        "birth": commit_value(life.birth.commit) if life.birth else None,
        "origin": _origin_value(life.origin),
        "superseded_by": list(life.heirs),
        "notes": list(notes(life)),
    }
