"""Is there anything in an entry that code could contradict?"""

from __future__ import annotations

from collections.abc import Iterable

from curator.core import kinds, terms
from curator.core.terms import Strength
from curator.model import Source


def is_checkable(statement: str, sources: Iterable[Source]) -> bool:
    """Whether any stamped source gives something to check; without it a person must look again by a date.

    In a file that always changes only what *statement* says strongly counts.
    """
    return any(_tells(statement, source) for source in sources)


def _tells(statement: str, source: Source) -> bool:
    if source.header or source.text or source.absent:
        return True
    if not kinds.is_restless(source.path):
        return bool(source.terms)
    return Strength.STRONG in terms.strengths(statement, source.symbol, source.terms).values()
