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
_OTHERS = (b'"tool_result"', b'"assistant"')
_MOST = 8  # words of a sentence that are looked for


class Earlier:
    """The part of a log before the messages at hand, read once for those that stand near each other."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._start = self._end = 0
        self._raw = self._low = b""

    def speaker(self, sentence: str, end: int) -> str:
        """The weakest of those who said *sentence* before the offset *end*, "user" when nobody else did."""
        self._load(end)
        wanted = f" {keys.normalise(sentence)} "
        by = session.USER
        for line in self._lines(_probes(sentence), end):
            said = _said(line)
            if said and said.by != session.USER and wanted in f" {keys.normalise(said.text)} ":
                if said.by == session.TOOL:
                    return session.TOOL
                by = session.AGENT
        return by

    def _load(self, end: int) -> None:
        start = max(0, end - BACK)
        if self._start <= start and end <= self._end:
            return
        until = min(self._log.size, end + BACK)
        self._start, self._raw = self._log.before(until, until - start)
        self._end = self._start + len(self._raw)
        self._low = self._raw.lower()

    def _lines(self, probes: tuple[tuple[bytes, ...], ...], end: int) -> Iterator[bytes]:
        """The lines before *end*, of others than the user, that hold every word in one of its forms."""
        stop = end - self._start
        at = max(0, stop - BACK)
        rarest = min(probes, key=lambda forms: self._count(forms, at, stop), default=())
        while (hit := self._first(rarest, at, stop)) >= 0:
            first = self._low.rfind(b"\n", 0, hit) + 1
            last = self._low.find(b"\n", hit, stop)
            at = last + 1 if last >= 0 else stop
            line = self._low[first : at - 1]
            if len(line) <= LONGEST and any(sign in line for sign in _OTHERS) and _holds(line, probes):
                yield self._raw[first : at - 1]

    def _count(self, forms: tuple[bytes, ...], at: int, stop: int) -> int:
        return sum(self._low.count(form, at, stop) for form in forms)

    def _first(self, forms: tuple[bytes, ...], at: int, stop: int) -> int:
        return min((hit for form in forms if (hit := self._low.find(form, at, stop)) >= 0), default=-1)


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
