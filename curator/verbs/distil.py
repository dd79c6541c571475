"""What a model may be shown of a session, and which of its items become proposals."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from curator.core import codec, dialogue, distil, extract, grounds, keys, proposal, session, tokens
from curator.core.dialogue import Line, Turn
from curator.core.distil import Item
from curator.core.proposal import Said
from curator.edge import arrivals, plumbing, rendered, transcript
from curator.edge.earlier import Earlier
from curator.edge.knowledge import Judge, Known
from curator.model import Entry, Source

if TYPE_CHECKING:
    from curator.edge.spool import Spool
    from curator.edge.transcript import Log
    from curator.here import Workspace

TOKENS = 12_000
"""Tokens of sentences that one request has, at most."""
CAP, FULL, UNFIT = "cap", "full", "unfit"
"""Why an item that stands is left out: a session's or the inbox's limit, or that no entry may hold it."""

_ENOUGH = 1_500  # tokens of new sentences for which a request after a turn is worth its order
_LEAST = 100  # tokens of sentences below which nothing is asked after a turn at all
_MOST = 256 << 20  # bytes of a log that are read
_LINE = 3  # tokens of a sentence's number and speaker
_ASKED = 8  # sentences of an item, of each side, of which it is looked up who said them first
_STRENGTH = (session.TOOL, session.AGENT, session.USER)  # the weakest word first


class Asked(NamedTuple):
    """For which *session* and why, *now* in ISO 8601, which *model*; *tail* gives 6 random hex digits."""

    session: str
    trigger: str
    now: str
    model: str
    tail: Callable[[], str]


class Batch(NamedTuple):
    """Sentences of one request, and the byte of the log up to which nothing is left to send after it."""

    lines: tuple[Line, ...]
    end: int

    @property
    def cost(self) -> int:
        """The tokens of the sentences."""
        return sum(tokens.estimate(line.text) + _LINE for line in self.lines)


class Gathered(NamedTuple):
    """All that is to be sent, up to the byte *end*. *messages* were looked at."""

    batches: tuple[Batch, ...]
    end: int
    messages: int


class Found(NamedTuple):
    """An item, the sentence it goes by (None where there is no such one), whose words it has, why it stays out.

    That is the sentence it names, or one of a weaker speaker's that words of it are from.
    """

    item: Item
    line: Line | None
    by: str = ""
    out: str = ""
    entry: Entry | None = None


class Decided(NamedTuple):
    """What became of the items of an answer: *proposed* are new, *files* (key, text, bytes before) go to the inbox."""

    found: tuple[Found, ...]
    proposed: tuple[Found, ...] = ()
    files: tuple[tuple[str, str, bytes], ...] = ()
    keys: tuple[str, ...] = ()


def gather(log: Log, state: Spool, known: Known, since: str = "") -> Gathered:
    """Read *log* from its offset to its end; messages before *since* (ISO 8601) are passed over.

    Nothing of what curator showed the session, of another repository, or of a
    tool is in what is gathered, and no message with a secret.
    """
    shown = set(state.shown)
    if known.workspace:
        shown.update(rendered.marks(known.workspace, known.settings.targets))
    turns = [turn for turn in dialogue.finals(_records(log, known)) if not (turn.said.time and turn.said.time < since)]
    told = [(turn, texts) for turn in turns if (texts := dialogue.spoken(turn, shown))]
    return Gathered(tuple(_batches(told, log.offset)), log.offset, len(turns))


def is_due(gathered: Gathered, *, over: bool) -> bool:
    """Whether enough was said to ask a model without being told to; little will do where the session is *over*."""
    return sum(batch.cost for batch in gathered.batches) >= (_LEAST if over else _ENOUGH)


def _records(log: Log, known: Known) -> Iterator[tuple[int, int, session.Said | None]]:
    """Who said what in each line: of a person only what one could have typed here."""
    elsewhere: dict[str, bool] = {}
    folder = ""
    for offset, line in log.lines(_MOST, float("inf")):
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        said = session.said(record)
        folder = session.place(record) or folder
        if said is None or (said.by == session.USER and not log.typed):
            continue
        where = said.cwd or folder
        if known.workspace and where not in elsewhere:
            elsewhere[where] = transcript.is_elsewhere(known.workspace, where)
        if not elsewhere.get(where):
            yield offset, log.offset, said


def _batches(told: Sequence[tuple[Turn, tuple[str, ...]]], end: int) -> Iterator[Batch]:
    """Requests of whole messages, none of them longer than one should be."""
    held: list[tuple[Turn, tuple[str, ...]]] = []
    size = 0
    for turn, texts in told:
        more = sum(tokens.estimate(text) + _LINE for text in texts)
        if held and size + more > TOKENS:
            yield from _batch(held, held[-1][0].end)
            held, size = [], 0
        held.append((turn, texts))
        size += more
    yield from _batch(held, end)


def _batch(held: Sequence[tuple[Turn, tuple[str, ...]]], end: int) -> Iterator[Batch]:
    lines = dialogue.numbered(held)
    if lines:
        yield Batch(lines, end)


def decide(batch: Batch, items: Sequence[Item], log: Log, state: Spool, known: Known, asked: Asked) -> Decided:
    """Hold the items of an answer against the sentences they name, and against what is known; nothing is written."""
    if not items:
        return Decided(())
    tracked: Collection[str] = plumbing.index(known.workspace).files if known.workspace else ()
    before = Earlier(log, whole=True)
    found = [_held(item, batch, tracked, before) for item in items]
    found.sort(key=lambda one: (bool(one.out), -grounds.rank(one.line) if one.line else 0.0, one.item.line))
    judge = Judge(known, state, by="model")
    found = [one if one.out else _judged(one, judge, known, asked) for one in found]
    found = _capped(found, state, known)
    found = [one if one.out else _made(one, known, asked) for one in found]
    taken = tuple(one for one in found if one.entry)
    return Decided(
        tuple(found),
        taken,
        tuple(_file(one.entry, known.workspace) for one in taken if one.entry),
        tuple(key for one in taken if one.line for key in grounds.names(one.item, one.line, known.settings.namespace)),
    )


def note(state: Spool, end: int, decided: Decided) -> None:
    """Take down that the log up to the byte *end* was sent, and what was proposed of it."""
    state.sent = end
    state.proposed += decided.keys
    state.distilled += len(decided.proposed)


def _held(item: Item, batch: Batch, tracked: Collection[str], before: Earlier) -> Found:
    """Whether an item stands, and whose words it has: of all whose they are the weakest, with that one's sentence."""
    lines = batch.lines
    line = lines[item.line - 1] if 0 < item.line <= len(lines) else None
    out = grounds.lacks(item, lines, tracked)
    if out:
        return Found(item, line, out=out)
    by, line = _weakest(grounds.rests(item, lines), before)
    return Found(item, line, by)


def _weakest(lines: Sequence[Line], before: Earlier) -> tuple[str, Line]:
    """Who of those that said *lines* has the weakest word, and the first sentence that is theirs."""
    strong = [line for line in lines[1:] if line.turn.said.by == session.USER]
    weak = [line for line in lines[1:] if line.turn.said.by != session.USER]
    told = [(_speaker(line, before), line) for line in (lines[0], *weak[:_ASKED], *strong[:_ASKED])]
    return min(told, key=lambda one: _STRENGTH.index(one[0]))


def _judged(one: Found, judge: Judge, known: Known, asked: Asked) -> Found:
    """Whether it is known already, as the model words it or as it was said."""
    assert one.line
    candidate = grounds.candidate(one.item, one.line)
    for key in grounds.names(one.item, one.line, known.settings.namespace):
        out = judge.out(candidate, _said(one, key, asked))
        if out:
            return one._replace(out=out)
    return one


def _said(one: Found, key: str, asked: Asked) -> Said:
    assert one.line
    message = one.line.turn.said
    moment = proposal.moment(message.time, asked.now)
    return Said(one.by or message.by, asked.session, moment, key, asked.trigger, message.agent)


def _capped(found: list[Found], state: Spool, known: Known) -> list[Found]:
    """The first pass the limits of a session and of the inbox."""
    room = distil.MOST - state.distilled
    free = extract.WAITING - (len(arrivals.own(known.workspace)) if known.workspace else 0)
    kept = []
    for one in found:
        if not one.out:
            one = one._replace(out=CAP if room <= 0 else FULL if free <= 0 else "")
            room -= not one.out
            free -= not one.out
        kept.append(one)
    return kept


def _made(one: Found, known: Known, asked: Asked) -> Found:
    """The entry it would be, by the weakest of those whose words it has."""
    assert one.line
    key = keys.key(known.settings.namespace, one.item.fact)
    entry = proposal.entry(
        grounds.candidate(one.item, one.line),
        _said(one, key, asked)._replace(by="model" if one.by == session.USER else one.by),
        tail=asked.tail(),
        commit=plumbing.head_commit(known.workspace) if known.workspace else "",
        quotes=known.settings.quotes != "drop",
        categories=known.settings.categories,
    )
    origin = replace(entry.origin, extractor=f"model/{asked.model}")
    entry = replace(entry, sources=tuple(map(Source, grounds.cited(one.item))), origin=origin)
    if not proposal.is_fit(entry):
        return one._replace(out=UNFIT)
    return one._replace(entry=entry)


def _speaker(line: Line, before: Earlier) -> str:
    """The weakest of those who said it up to here."""
    by = line.turn.said.by
    first = before.speaker(line.text, line.turn.offset)
    return first if by == session.USER or first == session.TOOL else by


def _file(entry: Entry, at: Workspace | None) -> tuple[str, str, bytes]:
    """A file for the inbox, with the bytes of one that gives way to it."""
    key = entry.origin.key
    return key, codec.write(entry), arrivals.yielding(at, key, entry.origin.by) if at else b""
