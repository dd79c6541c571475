"""Which entries say nearly the same: shown to people, never merged or dropped."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from curator.core import words
from curator.model import Entry

LEAST = 0.33
MOST = 3
DAMPING = 20

Near = Callable[[str], tuple[tuple[Entry, float], ...]]
"""From a text to the entries nearest to it."""


def alike(text: str, entries: Sequence[Entry]) -> tuple[tuple[Entry, float], ...]:
    """The entries nearest to *text*, best first, with their likeness in 0-1.

    Likeness is the share of rare words that both have, of whichever text has
    the smaller share: a short sentence inside a long one is not a double.
    """
    return among(entries)(text)


def among(entries: Sequence[Entry]) -> Near:
    """The same for many texts, each held against *entries*, which are read once."""
    bags = [frozenset(words.words(entry.text)) for entry in entries]
    rarity = Rarity(bags)

    def near(text: str) -> tuple[tuple[Entry, float], ...]:
        mine = frozenset(words.words(text))
        scored = [(entry, round(rarity.likeness(mine, bag), 6)) for entry, bag in zip(entries, bags, strict=True)]
        pairs = [pair for pair in scored if pair[1] >= LEAST]
        return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0].id))[:MOST])

    return near


class Rarity:
    """Inverse document frequencies, damped: in a store of a few entries all words count nearly alike."""

    def __init__(self, bags: Sequence[frozenset[str]]) -> None:
        self._total = len(bags)
        self._found = Counter(word for bag in bags for word in bag)

    def likeness(self, one: frozenset[str], other: frozenset[str]) -> float:
        """The rarity of the shared words over that of all words of the text that shares less."""
        shared = self._sum(one & other)
        return shared / max(self._sum(one), self._sum(other)) if shared else 0.0

    def _sum(self, bag: Iterable[str]) -> float:
        return math.fsum(self._idf(self._found[word]) for word in bag)

    def _idf(self, found: int) -> float:
        return math.log(1 + (self._total + DAMPING) / (found + 1))
