"""What of a session's log is worth proposing: read from where the last reading ended, held against what is known."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from curator.core import extract, gate, keys, session
from curator.core.proposal import Said, is_anew, moment, short
from curator.edge import arrivals, inbox, logs, transcript
from curator.edge.knowledge import MEMORY, WAITING, Judge, Known

if TYPE_CHECKING:
    from curator.edge.spool import Spool
    from curator.edge.transcript import Log
    from curator.here import Workspace
    from curator.model import Entry

MOST = 4 << 20
"""Bytes of a log that are read at once."""
CAP, FULL, UNFIT = "cap", "full", "unfit"
"""Why what is new is left out: a session's or the inbox's limit, or that no entry may hold it."""

_ENOUGH = 32  # candidates of one reading: each costs a file that is made durable
_START = 120  # bytes of a line in which Codex says what it is
_USER, _RESULT = b'"user"', b'"tool_result"'


class Asked(NamedTuple):
    """How a log is read: for which *session* and why, *now* in ISO 8601, at most *most* bytes.

    *tail* gives 6 random hex digits.
    *until* (monotonic) is when reading stops, *last* when everything does;
    messages before *since* (ISO 8601) are passed over. *labels_all* asks also
    of what is over a limit who said it first. *anew* are keys that the session
    proposed before and may propose again: what became of them is lost.
    """

    session: str
    trigger: str
    now: str
    tail: Callable[[], str]
    most: int = MOST
    until: float = float("inf")
    last: float = float("inf")
    since: str = ""
    tallies: bool = False
    labels_all: bool = False
    anew: frozenset[str] = frozenset()


class Found(NamedTuple):
    """A candidate and where it was said: *message*, *session*, *time*, byte *offset*. *out*: why it stays out."""

    candidate: extract.Candidate
    said: Said
    message: str
    session: str
    time: str
    offset: int
    out: str = ""
    entry: Entry | None = None


class Waiting(NamedTuple):
    """A file for the inbox: new where *before* is empty."""

    key: str
    text: str
    before: bytes = b""


class Gathered(NamedTuple):
    """What a reading came to, up to *offset*. *proposed* are new; *files* is what the inbox gets."""

    found: tuple[Found, ...]
    proposed: tuple[Found, ...]
    files: tuple[Waiting, ...]
    repeated: tuple[str, ...]
    offset: int
    inside: bool
    more: bool
    size: int
    messages: int
    torn: int
    tally: gate.Tally


class _Reading:
    """One pass over the lines of a log."""

    def __init__(self, log: Log, known: Known, asked: Asked) -> None:
        self.messages = 0
        self.torn = 0
        self.tally = gate.Tally()
        self._log = log
        self._least = extract.LEAST.get(known.settings.sensitivity)
        self._workspace = known.workspace
        self._folder = ""  # where the turn is at work, in logs that do not say so in each record
        self._elsewhere: dict[str, bool] = {}
        self._asked = asked

    def hits(self) -> Iterator[tuple[int, session.Said, extract.Candidate]]:
        """Every candidate with its message and the offset of that; after so many, another reading goes on."""
        found = 0
        for offset, line in self._log.lines(self._asked.most, self._asked.until):
            said = self._said(line)
            if said is None or (said.time and said.time < self._asked.since):
                continue
            if self._is_elsewhere(said.cwd or self._folder):
                continue
            self.messages += 1
            if self._least is None:  # capture is off
                continue
            for candidate in extract.candidates(said.text, least=self._least):
                found += 1
                yield offset, said, candidate
            if found >= _ENOUGH:
                return

    def _said(self, line: bytes) -> session.Said | None:
        """What a person typed there."""
        record = self._record(line)
        if record is None:
            return None
        said = session.said(record)
        self._folder = session.place(record) or self._folder
        return said if said and said.by == session.USER and self._log.typed else None

    def _is_elsewhere(self, folder: str) -> bool:
        """Whether it was said in another repository, which a session may go to and come back from."""
        if self._workspace is None:
            return False
        if folder not in self._elsewhere:
            self._elsewhere[folder] = transcript.is_elsewhere(self._workspace, folder)
        return self._elsewhere[folder]

    def _record(self, line: bytes) -> object:
        """The line parsed where it may be typed, None for all others; one that is no record is counted."""
        calls = self._asked.tallies and any(sign in line for sign in session.CALLS)
        if not calls and (_USER not in line or _RESULT in line) and session.PLACE not in line[:_START]:
            bare = line.strip()
            self.torn += bool(bare) and not (bare[:1] == b"{" and bare[-1:] == b"}")
            return None
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            self.torn += 1
        elif calls:
            self.tally = gate.plus(self.tally, gate.tally(session.tools(record)))
        return record


def follow(state: Spool, path: str, root: str) -> None:
    """Let *state* be of the transcript at *path*, from its start when it was another one's."""
    if state.log != path:
        state.log, state.offset, state.inside, state.size, state.sent = path, 0, False, 0, 0
    state.root = root


def opened(state: Spool) -> Log:
    """The transcript from where the last reading ended, or from its start when it has become shorter. OSError."""
    log = logs.opened(state.log, state.offset, inside=state.inside)
    if log.size < state.size:
        log.offset, log.inside = 0, False
    return log


def run(log: Log, state: Spool, known: Known, asked: Asked) -> Gathered:
    """Read on in *log* and decide; nothing is written, and *state* stays as it is.

    Where time is over before it is clear who said a candidate first, its
    message counts as not read. What was said in another repository is passed
    over.
    """
    reading = _Reading(log, known, asked)
    judge = Judge(known, state, asked.anew)
    found = [_judged(at, message, one, judge, known, asked) for at, message, one in reading.hits()]
    found, offset = _labelled(_capped(found, state, known), log, asked)
    found = _made([_giving_way(one, known) for one in found], known, asked)
    files, repeated = _files(found, state, known)
    return Gathered(
        found=tuple(found),
        proposed=tuple(one for one in found if not one.out),
        files=tuple(files),
        repeated=tuple(repeated),
        offset=log.offset if offset is None else offset,
        inside=log.inside and offset is None,
        more=offset is not None or not log.ended,
        size=log.size,
        messages=reading.messages,
        torn=reading.torn + log.skipped,
        tally=reading.tally,
    )


def note(state: Spool, gathered: Gathered) -> None:
    """Take down that what was gathered is in the inbox now; the offset comes with it."""
    state.offset, state.inside = gathered.offset, gathered.inside
    state.size = gathered.offset if gathered.more else gathered.size
    state.due = state.due and gathered.more
    state.torn += gathered.torn
    state.proposed += [one.said.key for one in gathered.proposed]
    state.counted += sum(not one.candidate.explicit for one in gathered.proposed)
    state.repeated += gathered.repeated
    for name, count in gathered.tally._asdict().items():
        before = state.gate.get(name)
        if count:
            state.gate[name] = count + (before if isinstance(before, int) else 0)


def _judged(at: int, message: session.Said, one: extract.Candidate, judge: Judge, known: Known, asked: Asked) -> Found:
    said = Said(
        session.USER,
        asked.session,
        moment(message.time, asked.now),
        keys.key(known.settings.namespace, one.text),
        asked.trigger,
        message.agent,
    )
    return Found(one, said, message.uuid, message.session or asked.session, message.time, at, judge.out(one, said))


def _labelled(found: list[Found], log: Log, asked: Asked) -> tuple[list[Found], int | None]:
    """Who said each first; what there is no time to tell of is left out, with the offset where it begins.

    In haste a long log is not searched to its start: who else may have said it there is for a child to see.
    """
    from curator.edge.earlier import Earlier  # noqa: PLC0415 - most messages hold no candidate

    at_leisure = asked.last == float("inf")
    earlier = Earlier(log, whole=at_leisure)
    labelled: list[Found] = []
    for one in found:
        if one.out and not (asked.labels_all and one.out in {CAP, FULL}):
            labelled.append(one)
            continue
        if time.monotonic() > asked.last:
            return [other for other in labelled if other.offset < one.offset], one.offset
        by = earlier.speaker(one.candidate.quote or one.candidate.text, one.offset)
        if by == session.USER and not earlier.reaches(one.offset):
            return [other for other in labelled if other.offset < one.offset], one.offset
        labelled.append(one._replace(said=one.said._replace(by=by)))
    return labelled, None


def _capped(found: list[Found], state: Spool, known: Known) -> list[Found]:
    """The best pass the limits of a session and of the inbox; explicit orders always do."""
    room = extract.PER_SESSION - state.counted
    waits = known.workspace is not None and any(not one.out for one in found)
    free = extract.WAITING - (len(arrivals.own(known.workspace)) if waits and known.workspace else 0)
    out = {}
    for number in sorted(range(len(found)), key=lambda number: -found[number].candidate.confidence):
        one = found[number]
        if one.out:
            continue
        if not one.candidate.explicit:
            out[number] = CAP if room <= 0 else FULL if free <= 0 else ""
            room -= not out[number]
        free -= not out.get(number)
    return [one._replace(out=out.get(number, one.out)) for number, one in enumerate(found)]


def _made(found: list[Found], known: Known, asked: Asked) -> list[Found]:
    """Those that are new, as the entries they would be."""
    if all(one.out for one in found):
        return found
    from curator.core import proposal  # noqa: PLC0415 - the same

    commit = _commit(known.workspace)
    made = []
    for one in found:
        entry = None
        if not one.out:
            entry = proposal.entry(
                one.candidate,
                one.said,
                tail=asked.tail(),
                commit=commit,
                quotes=known.settings.quotes != "drop",
                categories=known.settings.categories,
            )
        fits = entry is None or proposal.is_fit(entry)
        made.append(one._replace(entry=entry) if fits else one._replace(out=UNFIT))
    return made


def _commit(at: Workspace | None) -> str:
    if at is None:
        return ""
    from curator.edge import launch  # noqa: PLC0415 - git: only a proposal says at which commit it was made

    return (launch.ask(at, "rev-parse", "--verify", "--quiet", "--short", "HEAD") or b"").decode().strip()


def _files(found: list[Found], state: Spool, known: Known) -> tuple[list[Waiting], list[str]]:
    """What the inbox gets: new proposals, and what was said again by this session, once each."""
    if not found:
        return [], []
    from curator.core import codec  # noqa: PLC0415 - the same

    files = [Waiting(one.said.key, codec.write(one.entry), _yielding(one.said, known)) for one in found if one.entry]
    repeated: list[str] = []
    for one in found:
        key = one.said.key
        if one.out not in {MEMORY, WAITING} or key in {*state.repeated, *state.proposed, *repeated}:
            continue
        file = _again(one, known) if key not in {other.key for other in files} else None
        if file:
            files.append(file)
            repeated.append(key)
    return files, repeated


def _yielding(said: Said, known: Known) -> bytes:
    """What waits under this key and gives way."""
    return arrivals.yielding(known.workspace, said.key, said.by) if known.workspace else b""


def _giving_way(one: Found, known: Known) -> Found:
    """The same, left out where somebody else said it first and what waits gives way to the user's own words only."""
    if one.out or one.said.by == session.USER or known.workspace is None:
        return one
    waits = inbox.holds(known.workspace, one.said.key) and not _yielding(one.said, known)
    return one._replace(out=WAITING) if waits else one


def _again(one: Found, known: Known) -> Waiting | None:
    """The file of a proposal, or of a memory, that another session said before."""
    from curator.core import codec, proposal  # noqa: PLC0415 - the same

    if known.workspace is None:
        return None
    if one.out == WAITING and arrivals.remote(known.workspace, one.said.key):
        return None
    if one.out == WAITING:
        try:
            data = inbox.read(known.workspace, one.said.key) or b""
        except OSError:
            return None
        text = proposal.again(data.decode("utf-8", "surrogateescape"), one.said)
        return Waiting(one.said.key, text, data) if text else None
    memory = known.cache.known_key(one.said.key) if known.cache else None
    if memory is None or memory.retired:
        return None
    if not is_anew(one.said, short(memory.session), memory.entry.origin.created):
        return None
    if not one.candidate.explicit and len(arrivals.own(known.workspace)) >= extract.WAITING:
        return None
    return Waiting(one.said.key, codec.write(proposal.repeated(memory.entry)))
