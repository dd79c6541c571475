"""Which entries say nearly the same: shown to people, never merged or dropped."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from curator.core import words
from curator.model import Entry

LEAST = 0.33
MOST = 3
DAMPING = 20
_SLACK = 1e-5  # more than rounding can add or take

Near = Callable[[str], tuple[tuple[Entry, float], ...]]
"""From a text to the entries nearest to it."""


def alike(text: str, entries: Sequence[Entry]) -> tuple[tuple[Entry, float], ...]:
    """The entries nearest to *text*, best first, with their likeness in 0-1.

    Likeness is the share of rare words that both have, of whichever text has
    the smaller share: a short sentence inside a long one is not a double.
    """
    return among(entries)(text)


def among(
    entries: Sequence[Entry], bags: Sequence[frozenset[str]] | None = None, asked: Iterable[str] | None = None
) -> Near:
    """The same for many texts, each held against *entries*, which are read once.

    *bags* are the distinct words of each, and *asked* all texts that will be
    held against them, where these are known.
    """
    return _Crowd(entries, bags or [bag(entry.text) for entry in entries], asked).near


def bag(text: str) -> frozenset[str]:
    """The distinct words of a text."""
    return frozenset(words.words(text))


class _Crowd:
    """Entries by their words, so that a text is held against those alone that can be like it.

    Words have inverse document frequencies, damped: in a store of a few
    entries all words count nearly alike.
    """

    def __init__(
        self, entries: Sequence[Entry], bags: Sequence[frozenset[str]], asked: Iterable[str] | None = None
    ) -> None:
        self._entries = entries
        self._bags = bags
        size = len(bags) + DAMPING
        found = Counter(chain.from_iterable(bags))
        self._rarity = {word: math.log(1 + size / (times + 1)) for word, times in found.items()}
        self._unknown = math.log(1 + size)
        self._totals = [math.fsum(map(self._rarity.__getitem__, words_)) for words_ in bags]
        self._holders: dict[str, list[int]] = {}
        wanted = frozenset(chain.from_iterable(bags if asked is None else map(self._rare, asked)))
        for place, words_ in enumerate(bags):
            for word in words_ & wanted:
                self._holders.setdefault(word, []).append(place)

    def near(self, text: str) -> tuple[tuple[Entry, float], ...]:
        mine = bag(text)
        total = self._total(mine)
        found = [(self._entries[place], self._likeness(mine, total, place)) for place in self._likeliest(mine, total)]
        held = [pair for pair in found if pair[1] >= LEAST]
        return tuple(sorted(held, key=lambda pair: (-pair[1], pair[0].id, pair[0].path))[:MOST])

    def _total(self, mine: frozenset[str]) -> float:
        return math.fsum(self._rarity.get(word, self._unknown) for word in mine)

    def _rare(self, text: str) -> list[str]:
        """The rarest words of a text, without some of which none can be like it."""
        mine = bag(text)
        return [word for word, _ in self._parted(mine, self._total(mine))[0]]

    def _parted(self, mine: frozenset[str], total: float) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
        """Those words with their rarity, and the others."""
        common = sorted(((word, self._rarity.get(word, self._unknown)) for word in mine), key=lambda pair: pair[1])
        rare, left = [], total
        while common and left >= (LEAST - _SLACK) * total:
            rare.append(common.pop())
            left -= rare[-1][1]
        return rare, common

    def _likeness(self, mine: frozenset[str], total: float, place: int) -> float:
        """The rarity of the shared words over that of all words of the text that shares less."""
        shared = math.fsum(self._rarity[word] for word in mine & self._bags[place])
        return round(shared / max(total, self._totals[place]), 6)

    def _likeliest(self, mine: frozenset[str], total: float) -> list[int]:
        """Those of which the nearest are some, by sums that are not exact."""
        shared, common, left = self._shared(mine, total)
        least, bags, totals = LEAST - _SLACK, self._bags, self._totals
        found: list[tuple[float, int]] = []
        for place, weight in shared.items():
            if weight + left < least * totals[place]:
                continue
            words_ = bags[place]
            for word, value in common:
                if word in words_:
                    weight += value
            if weight >= least * max(total, totals[place]):
                found.append((weight / max(total, totals[place]), place))
        found.sort(reverse=True)
        lowest = found[MOST - 1][0] - _SLACK if len(found) > MOST else 0.0
        return [place for likeness, place in found if likeness >= lowest]

    def _shared(self, mine: frozenset[str], total: float) -> tuple[dict[int, float], list[tuple[str, float]], float]:
        """What each entry shares of the rarest words of a text; its other words with their rarity, and their sum."""
        shared: dict[int, float] = {}
        rare, common = self._parted(mine, total)
        for word, weight in rare:
            for place in self._holders.get(word, ()):
                shared[place] = shared.get(place, 0.0) + weight
        left = sum(weight for _, weight in common)
        least = (LEAST - _SLACK) * total - left
        return {place: weight for place, weight in shared.items() if weight >= least}, common, left + _SLACK
