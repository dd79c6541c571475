"""How many language-model tokens a text costs, estimated without a vocabulary.

Every run of characters of one class has a fixed price. The prices lean high
for English and for code, so that a budget holds. A line in another language of
Latin letters pays more for the same letters, because vocabularies know fewer
of its words. `benchmarks/tokens.py` compares the sums with exact counters.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from curator.errors import CuratorError

_BREAK = re.compile(r"\n\s*")
_BREAK_COST = 1.1
_COSTS = (
    (re.compile(r"[0-9]{1,3}"), 1.1),
    (re.compile(r"[ \t]{2,}"), 0.5),
    (re.compile(r"[!-/:-@\[-`{-~]"), 0.85),
    (re.compile(r"[\x00-\x08\x0e-\x1b\x7f]"), 3.0),
)
"""What one match costs, in tokens. A single blank is free."""

_SCRIPTS = (
    ("\u0370", "\u03ff", 1.4),  # Greek
    ("\u0400", "\u052f", 0.6),  # Cyrillic
    ("\u0530", "\u0dff", 1.4),  # Armenian, Hebrew, Arabic, Indic
    ("\u3040", "\u30ff", 1.0),  # kana
    ("\u3400", "\u9fff", 1.0),  # han
    ("\uac00", "\ud7af", 1.5),  # hangul
    ("\uf900", "\ufaff", 1.0),  # han
)
"""What a character from one to another costs: compared one by one, because such patterns take 10 ms to compile."""

_OTHER_COST = 3.0  # emoji, Thai

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_WORD_COST = 1.15
_CAMEL = re.compile(r"[a-z][A-Z]")
_CAMEL_COST = 0.5
_FOREIGN_LETTERS = 3.0  # letters per token in other languages
_WESTERN = re.compile(r"[\u00c0-\u00ff]")
_WESTERN_COST = 0.4
_EXTENDED = re.compile(r"[\u0100-\u024f\u1e00-\u1eff]")
_EXTENDED_COST = 1.5

_ENGLISH = frozenset(
    "a an and are as at be by can do does for from has have if in is it must no not of on only or that the this to was"
    " when which with you".split()
)
_FOREIGN = frozenset(
    """
    das dem den der des ein eine einen für im ist kann mit nicht oder sich und von werden wird zu
    au avec dans de est et la le les ne pas pour que sur un une
    como con del el en es las los para por se
    ao com da dos em na não os ou ser um uma
    che di gli il lo nel non si sono
    aan dat een het met niet te van voor worden
    att av det inte och som
    jest nie się lub
    """.split()
)
"""Frequent words of German, French, Spanish, Portuguese, Italian, Dutch, Swedish and Polish."""


def price(setting: str) -> float | None:
    """US dollars a million tokens as `curator.price` of the user's git settings says, None where it is empty.

    Raises CuratorError for what is no price.
    """
    try:
        dollars = float(setting) if setting else None
        if dollars is None or (math.isfinite(dollars) and dollars >= 0):
            return dollars
        raise ValueError
    except ValueError:
        raise CuratorError(
            f"{setting!r} is not a price in dollars a million tokens",
            where="git config curator.price",
            hint="for example `git config curator.price 3`",
        ) from None


def estimate(text: str) -> int:
    """The tokens of *text*, rounded up."""
    return math.ceil(round(cost(text), 6))


def cost(text: str) -> float:
    """The tokens of *text*, not rounded, so that costs of lines can be added up."""
    lines = _BREAK.split(text)
    return _BREAK_COST * (len(lines) - 1) + sum(map(_line_cost, lines))


def _line_cost(line: str) -> float:
    words = _WORD.findall(line)
    total = sum(map(_foreign_cost if _is_foreign(words) else _word_cost, words))
    for runs, each in _COSTS:
        total += each * len(runs.findall(line))
    return total if line.isascii() else total + sum(map(_character_cost, _WORD.sub("", line)))


@lru_cache(1 << 13)
def _character_cost(character: str) -> float:
    """The cost of a character that neither `_COSTS` nor words cover."""
    if character.isascii() or character.isspace():
        return 0.0
    return next((each for first, last, each in _SCRIPTS if first <= character <= last), _OTHER_COST)


def _is_foreign(words: list[str]) -> bool:
    """Whether a line's words show more signs of another Latin-letter language than of English."""
    distinct = set(map(str.lower, words))
    signs = sum(1 for word in distinct if word in _FOREIGN or not word.isascii())
    return signs > len(distinct & _ENGLISH)


@lru_cache(1 << 13)
def _word_cost(word: str) -> float:
    if not word.isascii():
        return _foreign_cost(word)
    further = max(0, len(word) // 4 - 1)  # up to 7 letters in one token, then one for each 4
    return _WORD_COST + further + _CAMEL_COST * len(_CAMEL.findall(word))


@lru_cache(1 << 13)
def _foreign_cost(word: str) -> float:
    letters = max(_WORD_COST, len(word) / _FOREIGN_LETTERS)
    marks = _WESTERN_COST * len(_WESTERN.findall(word)) + _EXTENDED_COST * len(_EXTENDED.findall(word))
    return letters + marks + _CAMEL_COST * len(_CAMEL.findall(word))
