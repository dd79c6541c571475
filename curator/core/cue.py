"""One cue: a pattern that a sentence may hold, and what that adds to its score."""

from __future__ import annotations

import re

# How an order may begin, and where a clause does.
_PLACES = {
    "<lead>": r"^(?:(?:please|and|but|also|so|then|just|btw|again|no|actually|important|moreover|however|additionally"
    r"|finally|first|second|great|yes|ok)[,: ]+)*",
    "<clause>": r"(?:^|[,;:.(\u2013\u2014-]\s*|\b(?:and|so|but|because|as|here|remember|note)\s+)",
}


class Cue:
    """A named pattern and its weight.

    Without one of the *signs* (words parted by blanks, "_" for a blank) in
    the lower-case sentence the pattern is not tried, nor compiled: most
    sentences have none, and a hook pays for each pattern. *shouted* minds case.
    """

    __slots__ = ("_compiled", "_flags", "_pattern", "_signs", "name", "weight")

    def __init__(self, name: str, weight: float, signs: str, pattern: str, shouted: bool = False) -> None:
        self.name = name
        self.weight = weight
        self._signs = tuple(sign.replace("_", " ") for sign in signs.split())
        self._pattern = pattern
        self._flags = re.NOFLAG if shouted else re.I
        self._compiled: re.Pattern[str] | None = None

    def fires(self, sentence: str, lowered: str) -> bool:
        """Whether the sentence, also given in lower case, holds it."""
        for sign in self._signs:  # any() takes twice as long, and this runs for every sentence
            if sign in lowered:
                break
        else:
            if self._signs:
                return False
        if self._compiled is None:
            pattern = self._pattern
            for name, place in _PLACES.items():
                pattern = pattern.replace(name, place)
            self._compiled = re.compile(pattern, self._flags)
        return self._compiled.search(sentence) is not None
