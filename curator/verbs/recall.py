"""Find the memories that match what somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from curator.core import rank, roster
from curator.edge import store
from curator.edge.index import Cache, Document
from curator.errors import CuratorError
from curator.model import Found, Hit, Workspace

BATCH = 50


class Wanted(NamedTuple):
    """What a search is for: phrasings, files at hand, and what a hit must be.

    None takes the setting under `recall`. *as_of* is the ISO date on which
    expired entries are left out.
    """

    queries: Sequence[str]
    as_of: str
    paths: Sequence[str] = ()
    limit: int | None = None
    category: str = ""
    min_confidence: float | None = None


def run(workspace: Workspace, wanted: Wanted) -> Found:
    """The best hits. What shares no word with the query is none: an empty answer is an answer."""
    return store.reading(workspace, lambda cache: _search(cache, wanted), weighed=True)


def _search(cache: Cache, wanted: Wanted) -> Found:
    config = store.config_of(cache)
    settings = config.recall
    if not wanted.queries and not wanted.paths:
        raise CuratorError("nothing to look for", hint="give a QUERY or --file PATH")
    roster.known_category(wanted.category, config.categories)
    ranks = cache.prior_ranks()
    scores = rank.score(cache.postings, rank.query(wanted.queries, wanted.paths, settings))
    least = settings.min_confidence if wanted.min_confidence is None else wanted.min_confidence
    best: list[tuple[int, float]] = []
    for ordinal, score, document in _ranked(cache, scores, ranks):
        if _fits(document, wanted, least):
            best.append((ordinal, score))
        if len(best) == (wanted.limit or settings.limit):
            break
    entries = cache.entry_at([ordinal for ordinal, _ in best])
    hits = (
        Hit(entry, score, rank.shares(scores, ordinal, score))
        for entry, (ordinal, score) in zip(entries, best, strict=True)
    )
    return Found(hits=tuple(hits), searched=len(ranks))


def _fits(document: Document, wanted: Wanted, least: float) -> bool:
    expired = bool(document.expires) and document.expires < wanted.as_of
    return not expired and document.confidence >= least and wanted.category in {"", document.category}


def _ranked(cache: Cache, scores: rank.Scores, ranks: Sequence[float]) -> Iterator[tuple[int, float, Document]]:
    """Hits with their documents, best first: mostly the first few are enough, and all are sorted only when not."""
    some = rank.hits(scores, ranks, BATCH)
    yield from _documents(cache, some)
    if len(some) == BATCH:
        yield from _documents(cache, rank.hits(scores, ranks)[BATCH:])


def _documents(cache: Cache, hits: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float, Document]]:
    for start in range(0, len(hits), BATCH):
        part = hits[start : start + BATCH]
        documents = cache.documents([ordinal for ordinal, _ in part])
        yield from ((ordinal, score, found) for (ordinal, score), found in zip(part, documents, strict=True))
