"""Who said a sentence first: an agent or a tool whose words a person only repeats lends its own, weaker label."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from curator.core import keys, session
from curator.edge.transcript import LONGEST, Log

BACK = 4 << 20
"""Bytes before a message that are looked through."""

_WORD = re.compile(r"[A-Za-z0-9_]{3,}")
_OTHER = re.compile(r"[^\W\x00-\x7f]+")
_NUMBERED = re.compile(r"^[ \t]*\d+(?:\u2192|\t|: )", re.M)
_MOST = 8  # words of a sentence that are looked for


class Earlier:
    """The part of a log before the messages at hand, read once for those that stand near each other.

    *whole*: what stands more than BACK before is looked through too, which
    takes a second for some hundred megabytes.
    """

    def __init__(self, log: Log, *, whole: bool) -> None:
        self._log = log
        self._whole = whole
        self._near = _Part(0, b"")

    def reaches(self, end: int) -> bool:
        """Whether all that was said before the offset *end* is looked through."""
        return self._whole or end <= BACK

    def speaker(self, sentence: str, end: int) -> str:
        """The weakest of those who said *sentence* before the offset *end*, "user" when nobody else did."""
        by = session.USER
        for part in self._parts(end):
            said = part.speaker(sentence, end)
            if said == session.TOOL:
                return said
            by = said if by == session.USER else by
        return by

    def _parts(self, end: int) -> Iterator[_Part]:
        """What stands before *end*, the nearest part first; the others overlap by a line, so that none is torn."""
        start = max(0, end - BACK)
        if not (self._near.start <= start and end <= self._near.end):
            until = min(self._log.size, end + BACK)
            self._near = _Part(*self._log.before(until, until - start))
        yield self._near
        for at in range(0, start if self._whole else 0, BACK):
            until = min(at + BACK + LONGEST + 1, end)
            yield _Part(*self._log.before(until, until - at))


class _Part:
    """Bytes of a log from the offset *start* to *end*."""

    def __init__(self, start: int, raw: bytes) -> None:
        self.start = start
        self.end = start + len(raw)
        self._raw = raw
        self._low = raw.lower()

    def speaker(self, sentence: str, end: int) -> str:
        """The weakest of those who said *sentence* here before the offset *end*."""
        wanted = f" {keys.normalise(sentence)} "
        by = session.USER
        for line in self._lines(_probes(sentence), end):
            said = _said(line)
            if said and said.by != session.USER and wanted in f" {keys.normalise(_bare(said))} ":
                if said.by == session.TOOL:
                    return session.TOOL
                by = session.AGENT
        return by

    def _lines(self, probes: tuple[tuple[bytes, ...], ...], end: int) -> Iterator[bytes]:
        """The lines before *end*, of others than the user, that hold every word in one of its forms."""
        stop = min(end, self.end) - self.start
        at = max(0, stop - BACK - LONGEST - 1)
        rarest = min(probes, key=lambda forms: self._count(forms, at, stop), default=())
        while (hit := self._first(rarest, at, stop)) >= 0:
            first = self._low.rfind(b"\n", 0, hit) + 1
            last = self._low.find(b"\n", hit, stop)
            at = last + 1 if last >= 0 else stop + 1
            line = self._low[first : at - 1]
            if len(line) <= LONGEST and any(sign in line for sign in session.OTHERS) and _holds(line, probes):
                yield self._raw[first : at - 1]

    def _count(self, forms: tuple[bytes, ...], at: int, stop: int) -> int:
        return sum(self._low.count(form, at, stop) for form in forms)

    def _first(self, forms: tuple[bytes, ...], at: int, stop: int) -> int:
        return min((hit for form in forms if (hit := self._low.find(form, at, stop)) >= 0), default=-1)


def _bare(said: session.Said) -> str:
    """What was said; of what a tool read out of a file without the numbers of its lines."""
    return _NUMBERED.sub("", said.text) if said.by == session.TOOL else said.text


def _holds(line: bytes, probes: tuple[tuple[bytes, ...], ...]) -> bool:
    return all(any(form in line for form in forms) for forms in probes)


def _probes(sentence: str) -> tuple[tuple[bytes, ...], ...]:
    """The longest words of a sentence in lower case, each in the forms that JSON may give it."""
    words = sorted({*_WORD.findall(sentence), *_OTHER.findall(sentence)}, key=lambda word: (-len(word), word))[:_MOST]
    return tuple(_forms(word) for word in words)


def _forms(word: str) -> tuple[bytes, ...]:
    cases = {word, word.lower()}
    plain = {one.encode("utf-8", "replace").lower() for one in cases}
    return tuple(sorted(plain | {json.dumps(one)[1:-1].lower().encode() for one in cases}))


def _said(line: bytes) -> session.Said | None:
    try:
        return session.said(json.loads(line.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None
