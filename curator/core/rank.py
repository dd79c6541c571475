"""Weights of search terms, the score of a search, and the order of entries for a block."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from curator.core import lifecycle, scoring, words
from curator.core.scoring import Counts, Posting, Scores
from curator.model import Config, Entry, Share

K1 = 1.2
B = 0.4
FIELD_WEIGHTS: Mapping[str, float] = {
    "text": 1.0,
    "why": 1.0,
    "tags": 1.5,
    "triggers": 1.5,
    "category": 0.5,
    "paths": 0.5,
}
"""Multiples of a half: sums of them are exact, whatever the order of adding."""

PRIOR = "prior"
HALF_LIFE = 180
"""Days in which importance halves, for a category that the configuration does not name."""

_DIGITS = 6

_DAY = 86_400


def active(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries a search may find, by id: neither retired nor superseded. Who knows the date drops expired ones."""
    ended = lifecycle.ended(entries)
    return tuple(sorted((entry for entry in entries if entry.path not in ended), key=_identity))


def fields(entry: Entry) -> dict[str, str]:
    """The texts that are searched, under the names of FIELD_WEIGHTS."""
    cited = [text for source in entry.sources for text in (source.path, source.symbol)]
    return {
        "text": entry.text,
        "why": entry.why,
        "tags": "\n".join(entry.tags),
        "triggers": "\n".join(entry.triggers),
        "category": entry.category,
        "paths": "\n".join([entry.reach, *cited]),
    }


def counts(entry: Entry) -> tuple[dict[str, float], dict[str, float]]:
    """The weighted counts of an entry's words, and of its 4-grams."""
    texts = fields(entry)
    return _counts(texts, words.words), _counts(texts, words.grams)


def _counts(texts: Mapping[str, str], terms_of: Callable[[str], list[str]]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for name, weight in FIELD_WEIGHTS.items():
        for term in terms_of(texts[name]):
            totals[term] = totals.get(term, 0.0) + weight
    return totals


def weigh(documents: Iterable[Counts]) -> Iterator[tuple[str, Sequence[int], Sequence[float]]]:
    """BM25 weights of every term: (term, ordinals, weights), by term. An ordinal counts *documents* from 0.

    The idf is Lucene's, log(1 + (N - n + 0.5) / (n + 0.5)): never negative,
    and right for one document as for many.
    """
    columns, lengths = _columns(documents)
    if not columns:
        return
    import numpy  # noqa: PLC0415 - rank_bm25 brings it: paid only when weights are built
    from rank_bm25 import BM25Okapi  # noqa: PLC0415

    class Lucene(BM25Okapi):  # type: ignore[misc]
        """BM25 over weighted counts instead of token lists, one term's column at a time."""

        def _initialize(self, corpus: Mapping[str, tuple[Sequence[int], Sequence[float]]]) -> dict[str, int]:
            self.corpus_size = len(lengths)
            self.doc_len = numpy.array(lengths)
            self.avgdl = float(self.doc_len.sum()) / self.corpus_size
            self.doc_freqs: list[Counts] = [{}] * self.corpus_size
            return {term: len(ordinals) for term, (ordinals, _) in corpus.items()}

        def _calc_idf(self, nd: Mapping[str, int]) -> None:
            size = self.corpus_size
            self.idf = {term: math.log(1 + (size - held + 0.5) / (held + 0.5)) for term, held in nd.items()}

    model = Lucene(columns, k1=K1, b=B)
    for term in sorted(columns):
        ordinals, frequencies = columns.pop(term)
        cells = {frequency: {term: frequency} for frequency in set(frequencies)}
        for ordinal, frequency in zip(ordinals, frequencies, strict=True):
            model.doc_freqs[ordinal] = cells[frequency]
        yield term, ordinals, model.get_batch_scores([term], ordinals)


def _columns(documents: Iterable[Counts]) -> tuple[dict[str, tuple[array[int], array[float]]], array[float]]:
    """Counts by term instead of by document, packed: 10,000 documents hold 2 million of them."""
    columns: dict[str, tuple[array[int], array[float]]] = {}
    lengths = array("d")
    for ordinal, document in enumerate(documents):
        lengths.append(sum(document.values()))
        for term, count in document.items():
            column = columns.get(term)
            if column is None:
                column = columns[term] = array("I"), array("f")
            column[0].append(ordinal)
            column[1].append(count)
    return columns, lengths


def shares(scores: Scores, ordinal: int, final: float) -> tuple[Share, ...]:
    """What each signal adds to a hit's *final* score, and by which terms, the strongest first."""
    found = []
    for signal, values in scores.signals.items():
        if values[ordinal]:
            strongest = _strongest(scores.postings[signal], ordinal)
            found.append(Share(signal, round(values[ordinal], _DIGITS), strongest))
    return (*found, Share(PRIOR, round(final - scores.total(ordinal), _DIGITS)))


def _strongest(postings: Mapping[str, Posting], ordinal: int) -> tuple[str, ...]:
    weights = {}
    for term, (ordinals, values) in postings.items():
        place = bisect_left(ordinals, ordinal)
        if place < len(ordinals) and ordinals[place] == ordinal:
            weights[term] = values[place]
    return tuple(sorted(weights, key=lambda term: (-weights[term], term)))


def order(entries: Sequence[Entry], config: Config, scores: Mapping[str, float] | None = None) -> tuple[Entry, ...]:
    """Entries, best first: those with a score (by id) above 0 by score, the rest by prior; ties by id."""
    values = _priors(entries, config)
    if not scores:
        places = sorted(range(len(entries)), key=lambda place: (-values[place], entries[place].id, entries[place].path))
        return tuple(entries[place] for place in places)
    ranks = _ranks(values)

    def key(place: int) -> tuple[float, float, tuple[str, str]]:
        entry = entries[place]
        hit = round(scores.get(entry.id, 0.0) * (scoring.LOW + scoring.SPAN * ranks[place]), _DIGITS)
        return -max(hit, 0.0), 0.0 if hit > 0 else -values[place], _identity(entry)

    return tuple(entries[place] for place in sorted(range(len(entries)), key=key))


def priors(entries: Sequence[Entry], config: Config) -> dict[str, float]:
    """How much each entry (by id) counts before anything is asked: importance x recency x repetition.

    Age runs to the newest entry, not to today, so that the order of entries
    never changes by itself. An entry without a date is two half-lives old.
    """
    return {entry.id: value for entry, value in zip(entries, _priors(entries, config), strict=True)}


def prior_ranks(entries: Sequence[Entry], config: Config) -> list[float]:
    """The place of each entry's prior among all: 0 lowest, 1 highest, equal priors at one place."""
    return _ranks(_priors(entries, config))


def _priors(entries: Sequence[Entry], config: Config) -> list[float]:
    days = [_day(entry.origin.created) for entry in entries]
    newest = max((day for day in days if day is not None), default=0.0)
    return [_prior(entry, day, newest, config) for entry, day in zip(entries, days, strict=True)]


def _prior(entry: Entry, day: float | None, newest: float, config: Config) -> float:
    half_lives = 2.0 if day is None else (newest - day) / config.half_lives.get(entry.category, HALF_LIFE)
    repetition = min(1 + 0.1 * (entry.seen - 1), 2.0)
    return round(math.exp2((entry.importance - 5) / 2 - half_lives) * repetition, _DIGITS)


@lru_cache(1 << 14)  # both sides of a comparison have most of them
def _day(created: str) -> float | None:
    """Days since 1970 of an ISO 8601 date or time; without an offset it is UTC."""
    from datetime import UTC, datetime  # noqa: PLC0415 - a search has its priors from the cache

    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() / _DAY


def _ranks(values: Collection[float]) -> list[float]:
    distinct = sorted(set(values))
    last = len(distinct) - 1
    places = {value: place / last if last else 0.5 for place, value in enumerate(distinct)}
    return [places[value] for value in values]


def _identity(entry: Entry) -> tuple[str, str]:
    return entry.id, entry.path
