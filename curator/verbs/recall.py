"""Find the memories that match what somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from curator.core import rank, roster, scoring
from curator.edge import store
from curator.edge.index import Cache, Document
from curator.errors import CuratorError
from curator.model import Found, Hit, Level, State, Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.core.verdict import Judged
    from curator.model import Finding, Source

BATCH = 50
WEAK = 0.5
"""The share of the best score below which a hit that shares no word is far behind."""
CHECK = "check"
"""The memo in which `check` keeps what it found, for a date and a state of git."""


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
    """The best hits: stale ones behind the others, and last what shares only letters and is far behind the best.

    What shares not even letters with the query is none: empty is an answer.
    """
    return store.reading(workspace, lambda cache: _search(workspace, cache, wanted), weighed=True)


def _search(workspace: Workspace, cache: Cache, wanted: Wanted) -> Found:
    config = store.config_of(cache)
    settings = config.recall
    if not wanted.queries and not wanted.paths:
        raise CuratorError("nothing to look for", hint="give a QUERY or --file PATH")
    roster.known_category(wanted.category, config.categories)
    ranks = cache.prior_ranks()
    scores = scoring.score(cache.postings, scoring.query(wanted.queries, wanted.paths, settings))
    least = settings.min_confidence if wanted.min_confidence is None else wanted.min_confidence
    best: list[tuple[int, float]] = []
    for ordinal, score, document in _ranked(cache, scores, ranks):
        if _fits(document, wanted, least):
            best.append((ordinal, score))
        if len(best) == (wanted.limit or settings.limit):
            break
    entries = cache.entry_at([ordinal for ordinal, _ in best])
    hits = tuple(
        Hit(entry, score, rank.shares(scores, ordinal, score))
        for entry, (ordinal, score) in zip(entries, best, strict=True)
    )
    told = _checked(cache, wanted.as_of, hits) or _doubted(workspace, cache, hits)
    return Found(hits=tuple(_placed(told)), searched=len(ranks))


def _placed(hits: tuple[Hit, ...]) -> list[Hit]:
    """The hits, which come best first, as somebody reads them."""
    far = faint(hits)
    return sorted(hits, key=lambda hit: (hit in far, hit.state is State.STALE))


def faint(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits that share letters alone and are far behind the best."""
    least = WEAK * max((hit.score for hit in hits), default=0.0)
    return tuple(hit for hit in hits if not hit.shares_words and hit.score < least)


def _checked(cache: Cache, as_of: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...] | None:
    """The hits with what the last check found, None where something changed since: then git has to be asked."""
    memo = cache.memo(CHECK)
    if memo is None or not memo.startswith(f"{as_of} {cache.stamp}\n"):
        return None
    from curator.core import record  # noqa: PLC0415 - the hits have loaded it already

    found = {one.where: one for one in record.load_findings(memo.rpartition("\n")[2]) if isinstance(one.kind, State)}
    return tuple(_marked(hit, found.get(hit.entry.path)) for hit in hits)


def _marked(hit: Hit, found: Finding | None) -> Hit:
    return hit._replace(state=State(found.kind.value), doubt=found.message.partition(": ")[2]) if found else hit


def _doubted(workspace: Workspace, cache: Cache, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits with what git's index says of their sources; code is compared only where it changed.

    Git is asked only for sources with evidence: of others a check tells, and its memo.
    """
    stamped = {source.path for hit in hits for source in hit.entry.sources if source.blob}
    if not stamped:
        return hits
    config = store.config_of(cache)
    held = store.blobs(workspace, config, stamped)
    changed = [hit.entry for hit in hits if any(_has_changed(one, held.get(one.path)) for one in hit.entry.sources)]
    judged: dict[str, Judged] = {}
    if changed:
        from curator.edge import code  # noqa: PLC0415 - what compares code costs as much as the search

        found = code.judge(workspace, cache, store.tree(workspace, config).code, changed, store.tip(config)).judged
        judged = {one.entry.path: one for one in found}
    return tuple(_told(hit, judged.get(hit.entry.path)) for hit in hits)


def _has_changed(source: Source, blob: str | None) -> bool:
    """Is the file gone, or another one than was confirmed?"""
    return bool(source.blob) and source.blob != blob


def _told(hit: Hit, judged: Judged | None) -> Hit:
    if judged is None or judged.state.level not in {Level.ERROR, Level.WARNING}:
        return hit
    return hit._replace(state=judged.state, doubt=judged.reasons[0].message)


def _fits(document: Document, wanted: Wanted, least: float) -> bool:
    expired = bool(document.expires) and document.expires < wanted.as_of
    return not expired and document.confidence >= least and wanted.category in {"", document.category}


def _ranked(cache: Cache, scores: scoring.Scores, ranks: Sequence[float]) -> Iterator[tuple[int, float, Document]]:
    """Hits with their documents, best first: mostly the first few are enough, and all are sorted only when not."""
    some = scoring.hits(scores, ranks, BATCH)
    yield from _documents(cache, some)
    if len(some) == BATCH:
        yield from _documents(cache, scoring.hits(scores, ranks)[BATCH:])


def _documents(cache: Cache, hits: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float, Document]]:
    for start in range(0, len(hits), BATCH):
        part = hits[start : start + BATCH]
        documents = cache.documents([ordinal for ordinal, _ in part])
        yield from ((ordinal, score, found) for (ordinal, score), found in zip(part, documents, strict=True))
