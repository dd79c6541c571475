"""What a search scores: terms asked for, what each signal adds to each document, and the hits, best first.

A hook pays for every import before the agent reads a prompt, so this room loads no more than `words`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from curator.core import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.model import Recall

WORDS = "words"
GRAMS = "grams"
PATHS = "paths"

LOW, SPAN = 0.95, 0.1
"""A score is multiplied by 0.95 to 1.05, by prior rank: that decides near ties only."""

_MILLION = 1e6

Counts = Mapping[str, float]
"""Term -> how often it occurs, each field counted with its weight."""

Posting = tuple[Sequence[int], Sequence[float]]
"""The ordinals of the documents that hold a term, ascending, and the term's weight in each."""

Lookup = Callable[[str, Iterable[str]], Mapping[str, Posting]]
"""(WORDS or GRAMS, terms) -> the postings of those terms that occur."""


class Bag:
    """The terms of a search, each with its weight, by signal. Terms of *paths* are looked up among the words."""

    __slots__ = ("grams", "paths", "words")

    def __init__(self, words: Counts, grams: Counts, paths: Counts) -> None:
        self.words = words
        self.grams = grams
        self.paths = paths


class Scores:
    """What each signal adds to each document, by ordinal, and the postings (term -> posting) it comes from."""

    __slots__ = ("postings", "signals")

    def __init__(self, signals: Mapping[str, Sequence[float]], postings: Mapping[str, Mapping[str, Posting]]) -> None:
        self.signals = signals
        self.postings = postings

    def total(self, ordinal: int) -> float:
        """The sum of all signals of a document."""
        return sum(values[ordinal] for values in self.signals.values())


def query(queries: Iterable[str], paths: Iterable[str], recall: Recall) -> Bag:
    """The bag of terms of several phrasings and of the files at hand.

    A term counts once, however often it is said. A term of a path counts only
    where the phrasings lack it.
    """
    text = "\n".join(queries)
    said = dict.fromkeys(words.words(text), recall.words)
    near = {term: recall.paths for path in paths for term in words.words(path) if term not in said}
    return Bag(said, dict.fromkeys(words.grams(text), recall.grams), near)


def score(lookup: Lookup, bag: Bag) -> Scores:
    """Sum the weights of the bag's terms for every document."""
    asked = ((WORDS, WORDS, bag.words), (GRAMS, GRAMS, bag.grams), (PATHS, WORDS, bag.paths))
    postings = {signal: lookup(kind, terms) for signal, kind, terms in asked}
    size = 1 + max((ordinals[-1] for found in postings.values() for ordinals, _ in found.values()), default=-1)
    return Scores({signal: _sums(postings[signal], terms, size) for signal, _, terms in asked}, postings)


def _sums(postings: Mapping[str, Posting], terms: Counts, size: int) -> list[float]:
    sums = [0.0] * size
    for term in sorted(postings):
        factor = terms[term]
        ordinals, weights = postings[term]
        for ordinal, weight in zip(ordinals, weights, strict=True):
            sums[ordinal] += factor * weight
    return sums


def hits(scores: Scores, ranks: Sequence[float], limit: int | None = None) -> list[tuple[int, float]]:
    """(ordinal, score) of the documents with a score above 0, best first, at most *limit*.

    *ranks* are the documents' `prior_ranks`, ties go by ordinal. A small
    *limit* takes half the time.
    """
    totals = [w + g + p for w, g, p in zip(*scores.signals.values(), strict=True)]
    least = _bar(totals, limit)
    millionths = [
        (-int(total * (LOW + SPAN * rank) * _MILLION + 0.5), ordinal)  # three times as fast as round()
        for ordinal, (total, rank) in enumerate(zip(totals, ranks, strict=False))
        if total > least
    ]
    millionths.sort()
    return [(ordinal, -value / _MILLION) for value, ordinal in millionths[:limit] if value]


def _bar(totals: list[float], limit: int | None) -> float:
    """A total that the best *limit* certainly exceed: no prior lifts what lies a tenth below the last of them."""
    return 0.9 * sorted(totals)[-limit] if limit and limit < len(totals) else 0.0
