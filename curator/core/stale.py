"""Judging: is a statement still about the code that is there? What it names is compared with the file it cites.

Whole-file hashes cry wolf: a cited file changes under most statements that
stay true. So a source keeps the terms that statement and file share, with
hashes of the lines that hold them, and only those are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from curator.core import symbols, terms
from curator.core.terms import Strength
from curator.core.verdict import Change, Reason, Verdict, rank, worst
from curator.model import Evidence, Source, State

LONGEST = 1 << 20
"""Characters of a file that is judged; a longer one is UNKNOWN."""

_SNIFFED = 8000  # characters in which a NUL says that the file is binary, as git does
_POINTER = "version https://git-lfs"
_SHOWN = 3
_FEWEST = 2  # lines of strong terms: the edit of an only one is a note
_GROWN = 2  # times as many lines as before: the term was built upon, not abandoned
_MOST_COUNTED = 200
_LISTED = 5  # terms of the statement on one line that make it the line the statement is about
_ALIKE = 0.5  # share of common words that makes a line an edit of another
_WIDEST = 1000
_VALUE = re.compile(r"\d[\d_.]*\w*|[Tt]rue|[Ff]alse")  # a figure, or one side of a switch
_WORDS = re.compile(r"\w+")


def judge_statement(statement: str, path: str, old_text: str, new_text: str | None, cited_as: str) -> State:
    """The state of *statement* about the file *path*, true when the file held *old_text*, now that it holds *new_text*.

    *new_text* is None when the path is gone. *cited_as* is how the statement
    writes the path: in full, a bare base name, or "". It is `stamped` and then
    `judge`, the two that `add`, `check` and `audit` call for a stored entry or
    a statement in a file: the old text counts by its stamp alone.
    """
    if old_text == new_text:
        return State.FRESH
    return judge(statement, stamped(statement, Source(path), old_text, "-", cited_as), new_text).state


def stamped(statement: str, source: Source, text: str, blob: str, cited_as: str = "") -> Source:
    """*source* with the evidence that the file's *text*, git's *blob*, holds: terms and the header of its symbol.

    A text that cannot be judged gives none.
    """
    if not is_readable(text):
        return replace(source, blob=blob, header="", terms=())
    return replace(
        source,
        blob=blob,
        header=symbols.header(source.path, text, source.symbol),
        terms=() if source.absent else terms.stamp(statement, source.path, text, source.symbol, cited_as),
    )


def is_checkable(source: Source) -> bool:
    """Whether anything but the path can be checked. One that cannot should be reviewed by a date."""
    return bool(source.terms or source.symbol or source.text or source.absent)


def unreadable(path: str) -> Verdict:
    """The verdict on a file whose content is not at hand: absent from a partial clone, a link out of the repository."""
    return _verdict(State.UNKNOWN, Change.UNREADABLE, path)


def untracked(path: str) -> Verdict:
    """The verdict on a path that no commit of this history held either."""
    return _verdict(State.STALE, Change.UNTRACKED, path)


def unfounded(source: Source, text: str) -> Iterator[Reason]:
    """The anchors, as a person wrote them, that the *text* of their file does not bear."""
    told = ((source.symbol, Change.UNDEFINED), (source.text, Change.NO_LINE), (source.absent, Change.FORBIDDEN))
    wanted = "".join(source.text.split())
    wrong = {
        Change.UNDEFINED: lambda: not terms.holds(text, source.symbol),
        Change.NO_LINE: lambda: all("".join(line.split()) != wanted for line in text.split("\n")),
        Change.FORBIDDEN: lambda: terms.holds(text, source.absent),
    }
    yield from (Reason(State.STALE, change, source.path, name) for name, change in told if name and wrong[change]())


def cut_off(path: str) -> Verdict:
    """The verdict on a gone path where the clone is too shallow to say whether the file moved: for somebody to look."""
    return _verdict(State.REVIEW, Change.CUT_OFF, path)


def judge(
    statement: str,
    source: Source,
    new_text: str | None,
    *,
    blob: str = "",
    moved: str = "",
    old_text: str | None = None,
    others: Mapping[str, str] | None = None,
) -> Verdict:
    """The verdict on one stamped *source* of an entry whose text is *statement*.

    *new_text* is the file's text, None when its path is gone. *blob* is git's
    id of it. *moved* is the path it was found at instead: then *new_text* and
    *blob* are of that file. *old_text*, where known, adds lines to the reasons.
    *others* are the texts of the other files that the entry cites.
    """
    early = _early(source, new_text, blob, moved)
    if early or new_text is None:
        return early or _verdict(State.STALE, Change.PATH_GONE, source.path)
    found = _Comparison(statement, source, moved or source.path, new_text, others or {}).reasons()
    reasons = [reason if old_text is None else with_lines(reason, old_text) for reason in found]
    state = worst([State.AUTO, *(reason.state for reason in reasons)])
    if moved:
        reasons.append(Reason(State.MOVED, Change.MOVED, source.path, elsewhere=moved))
        state = State.MOVED if state in {State.AUTO, State.NOTE} else state
    return Verdict(state, tuple(sorted(reasons, key=lambda reason: -rank(reason.state))))


def with_lines(reason: Reason, old_text: str) -> Reason:
    """*reason* with up to three lines of *old_text* that held its term."""
    held = terms.lines(old_text, reason.name)
    distinct = dict.fromkeys(line.text for line in islice(held, 100 * _SHOWN))
    return replace(reason, lines=tuple(islice(distinct, _SHOWN)))


def _early(source: Source, new_text: str | None, blob: str, moved: str) -> Verdict | None:
    """The verdict where no anchor has to be looked at."""
    same = bool(blob) and blob == source.blob
    if moved and (same or (new_text is not None and not is_checkable(source))):
        return _verdict(State.MOVED, Change.MOVED, source.path, moved)
    if new_text is None and not same:
        return _verdict(State.STALE, Change.PATH_GONE, source.path)
    if not source.blob:
        return _unstamped(source, new_text or "")
    if same:
        return Verdict(State.FRESH)
    if not is_readable(new_text or ""):
        return unreadable(source.path)
    return None if is_checkable(source) else _verdict(State.UNKNOWN, Change.NO_ANCHOR, source.path)


def _unstamped(source: Source, text: str) -> Verdict:
    """The verdict on a source without evidence: what can be seen at once counts, and what changed since cannot."""
    reasons = tuple(unfounded(source, text)) if is_readable(text) else ()
    return Verdict(State.STALE, reasons) if reasons else _verdict(State.UNKNOWN, Change.NOT_STAMPED, source.path)


def _verdict(state: State, change: Change, path: str, elsewhere: str = "") -> Verdict:
    return Verdict(state, (Reason(state, change, path, elsewhere=elsewhere),))


def is_readable(text: str) -> bool:
    """Whether a file's *text* can be judged: not too long, not binary, not a pointer of LFS."""
    return len(text) <= LONGEST and "\0" not in text[:_SNIFFED] and not text.startswith(_POINTER)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The anchors of one source against a text."""

    statement: str
    source: Source
    path: str
    text: str
    others: Mapping[str, str]

    def reasons(self) -> Iterator[Reason]:
        if self.source.symbol:
            yield from self._symbol(self.source.symbol)
        if self.source.text:
            yield from self._line(self.source.text)
        if not self.source.absent:
            yield from self._terms()
        elif terms.holds(self.text, self.source.absent):
            yield self._reason(State.STALE, Change.FORBIDDEN, self.source.absent)

    def _reason(self, state: State, change: Change, name: str, elsewhere: str = "") -> Reason:
        return Reason(state, change, self.path, name, elsewhere=elsewhere)

    def _lost(self, change: Change, name: str, state: State = State.STALE) -> Reason:
        """An anchor is gone: only a matter for review where another cited file has it."""
        for path, text in self.others.items():
            if symbols.defines(path, text, name) if change is Change.DEFINITION_GONE else terms.holds(text, name):
                return self._reason(State.REVIEW, change, name, path)
        return self._reason(state, change, name)

    def _symbol(self, symbol: str) -> Iterator[Reason]:
        if symbols.defines(self.path, self.text, symbol):
            kept = self.source.header
            if kept and kept != symbols.header(self.path, self.text, symbol):
                yield self._reason(State.NOTE, Change.HEADER_CHANGED, symbol)
        elif self.source.header or not terms.holds(self.text, symbol):
            yield self._lost(Change.DEFINITION_GONE, symbol)

    def _line(self, line: str) -> Iterator[Reason]:
        wanted = "".join(line.split())
        words = frozenset(_WORDS.findall(line))
        edited = False
        for candidate in self.text.split("\n"):
            if "".join(candidate.split()) == wanted:
                return
            edited = edited or _alike(words, frozenset(_WORDS.findall(candidate[:_WIDEST])))
        if edited:
            yield self._reason(State.REVIEW, Change.TEXT_EDITED, line)
        else:
            yield self._reason(State.STALE, Change.TEXT_GONE, line)

    def _terms(self) -> Iterator[Reason]:
        strengths = terms.strengths(self.statement, self.source.symbol, self.source.terms)
        lowered = self.text.lower()
        standing: list[tuple[Evidence, frozenset[str]]] = []
        undefined: list[Evidence] = []
        gone: list[Evidence] = []
        for item in (item for item in self.source.terms if item.term in strengths):
            lost = terms.lost(self.text, lowered, item, strengths[item.term])
            if lost is None:
                gone.append(item)
            elif item.defines and not symbols.defines(self.path, self.text, item.term):
                undefined.append(item)
            else:
                standing.append((item, lost))
        yield from (self._lost(Change.DEFINITION_GONE, item.term) for item in undefined if not self._is_symbol(item))
        yield from self._gone([item for item in gone if not self._is_symbol(item)], strengths)
        yield from self._edits(standing, strengths)

    def _is_symbol(self, item: Evidence) -> bool:
        """Whether the term is the symbol, which was judged on its own."""
        return item.term == self.source.symbol

    def _gone(self, gone: list[Evidence], strengths: Mapping[str, Strength]) -> Iterator[Reason]:
        """Terms that are gone: a strong or defined one makes it stale, and so do weak ones that say enough together."""
        enough = Strength.STRONG not in strengths.values() and _say_enough(gone, strengths)
        for item in gone:
            is_stale = enough or item.defines or strengths[item.term] is Strength.STRONG
            yield self._lost(Change.TERM_GONE, item.term, State.STALE if is_stale else State.REVIEW)

    def _edits(
        self, standing: list[tuple[Evidence, frozenset[str]]], strengths: Mapping[str, Strength]
    ) -> Iterator[Reason]:
        """Edited lines: a note, and a review when they are half of all that hold strong terms, or say most of it."""
        strong = [(item, lost) for item, lost in standing if strengths[item.term] is Strength.STRONG]
        halved = self._halved(strong)
        shared = Counter(mark for _, lost in standing for mark in lost)
        unsaid = set(self._unsaid(strong, [pair for pair in standing if _VALUE.fullmatch(pair[0].term)]))
        for item, lost in standing:
            if item.term in unsaid:
                yield self._reason(State.REVIEW, Change.VALUE_EDITED, item.term)
            elif lost and halved and strengths[item.term] is Strength.STRONG:
                yield self._reason(State.REVIEW, Change.LINES_GONE, item.term)
            elif any(shared[mark] >= _LISTED for mark in lost):
                yield self._reason(State.REVIEW, Change.LIST_EDITED, item.term)
            elif lost and strengths[item.term] is not Strength.PLAIN:
                yield self._reason(State.NOTE, Change.LINE_EDITED, item.term)

    def _unsaid(
        self, strong: list[tuple[Evidence, frozenset[str]]], values: list[tuple[Evidence, frozenset[str]]]
    ) -> Iterator[str]:
        """Strong terms whose line said a value that the statement names, and whose lines say it no more."""
        for item, lost in strong:
            for value, gone in values:
                if lost & gone and not any(
                    terms.holds(line.text, value.term)
                    for line in islice(terms.lines(self.text, item.term), _MOST_COUNTED)
                ):
                    yield item.term

    def _halved(self, strong: list[tuple[Evidence, frozenset[str]]]) -> bool:
        """Whether half of the lines with strong terms are gone, two or more of them kept, and no twice as many came."""
        kept = [item for item, _ in strong if item.lines]
        held = {mark for item in kept for mark in item.lines}
        unkept = terms.MOST_LINES * (len(strong) - len(kept))
        gone = {mark for _, lost in strong for mark in lost}
        if len(held) < _FEWEST or 2 * len(gone) < len(held) + unkept:
            return False
        present = {line.mark for item in kept for line in islice(terms.lines(self.text, item.term), _MOST_COUNTED)}
        return len(present) <= _GROWN * len(held)


def _say_enough(gone: list[Evidence], strengths: Mapping[str, Strength]) -> bool:
    """Whether half of all terms are gone, two or more, or a third of them and one was a topic of the file."""
    names = [item.term for item in gone]
    apart = [name for name in names if not any(name != other and name in other for other in names)]
    topic = any(terms.is_topic(item, strengths[item.term]) for item in gone)
    return (len(apart) > 1 and 2 * len(gone) >= len(strengths)) or (topic and 3 * len(gone) >= len(strengths))


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    return bool(words & others) and len(words & others) >= _ALIKE * len(words | others)
