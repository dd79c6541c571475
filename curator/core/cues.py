"""How likely a sentence is to last: the sum of its cues."""

from __future__ import annotations

import re
from collections.abc import Iterable

from curator.core import doubts, lasting

BIAS = -2.3
"""What is added to the sum before it becomes a confidence."""

_AGAINST = frozenset(cue.name for cue in doubts.AGAINST)
_UNCLEAR = frozenset({"should", "want", "choice", "ensure", "obligation", "use"})
"""Rules that are not clear by themselves."""
_LOOSE = (
    _UNCLEAR
    | frozenset(
        "must generic forbidden only general contrast habitual quality place consequence why gotcha habit here"
        " notice unlike shouted agreed aside".split()
    )
    | {"about here", "as possible", "other must", "other contrast"}
)
"""Rules that as often say what a product shall do: they want another beside them, and a word about files or code."""
_CRAFT = frozenset({"craft", "name", "convention"})
_SETTLED = (
    (frozenset({"cadence", "asked first", "rule", "generic"}), frozenset({"task"})),  # a task for every time is a rule
    (frozenset({"remember", "rule"}), frozenset({"the thing"})),
    (frozenset({"rule"}), frozenset({"failure", "story"})),
    (frozenset({"environment"}), frozenset({"event"})),
    (frozenset({"prohibition"}), frozenset({"aside"})),
    (frozenset({"forbidden"}), frozenset({"should", "must"})),  # "should never" is one rule
    (frozenset({"generic"}), frozenset({"should"})),
    (frozenset({"standing"}), frozenset({"habitual"})),
)
"""Cues, and those that say nothing more beside one of them."""
_HOPELESS = -9.0

_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_QUESTION = re.compile(
    r"(?:(?:and|but|so|also|then|now|ok|question:|hmm|wondering:?|quick (?:question|thing):?)[, ]+)*"
    r"(?:(?:can|could|would|will|shall|should|do|does|did|is|are|was|were|has|have|isn't|aren't|don't|doesn't|didn't"
    r"|shouldn't|wouldn't|can't|couldn't) (?:you|we|i|it|this|that|the|there|they|these|those|a|an|any)\b"
    r"|(?:what|why|how|which|who|whose)\b|(?:where|when) (?:is|are|do|does|did|can|should|would|will|was)\b"
    r"|any (?:ideas?|suggestions?|chance|way|reason)\b)",
    re.I,
)


class Scored:
    """The sum of a sentence's cues and their names."""

    __slots__ = ("cues", "total")

    def __init__(self, total: float, cues: Iterable[str]) -> None:
        self.total = total
        self.cues = frozenset(cues)


def score(sentence: str) -> Scored:
    """What the cues of a sentence add up to. It is no probability; `BIAS` is not in it."""
    plain = sentence.replace("\u2019", "'")
    lowered = plain.lower()
    rules = [cue for cue in lasting.RULES if cue.fires(plain, lowered)]
    if not rules:
        return Scored(_HOPELESS, ())
    fired = rules + [cue for cue in (*doubts.SUPPORT, *doubts.AGAINST) if cue.fires(plain, lowered)]
    names = {cue.name for cue in fired}
    for settling, settled in _SETTLED:
        if names & settling:
            names -= settled
    unspaced = _UNSPACED.search(sentence) is not None
    words = len(sentence) // 2 if unspaced else len(sentence.split())
    clear = not names & _AGAINST and _is_clear({cue.name for cue in rules} & names, names)
    total = sum(cue.weight for cue in fired if cue.name in names) + _length(words, clear)
    total += _loose({cue.name for cue in rules} & names, names)
    if "question" not in names and asks(plain):
        total -= 2.0
    return Scored(total, names)


def _is_clear(rules: set[str], names: set[str]) -> bool:
    """It has a rule that is seldom anything else, or two that agree."""
    if "process" in names and ("generic" in rules or len(rules - _UNCLEAR) > 1):
        return True
    return not rules <= _LOOSE or {"generic", "must"} <= rules


def _loose(rules: set[str], names: set[str]) -> float:
    """What a sentence loses whose rules are all loose: more if there is but one, or if it is not about the work."""
    if rules == {"prohibition"} and "process" not in names:
        return -0.2
    if not rules <= _LOOSE:
        return 0.0
    if "process" in names or {"generic", "must"} <= rules:
        return -0.6 * (not names & _CRAFT)
    return -0.8 - 0.3 * (len(rules) < 2) - 0.6 * (not names & _CRAFT)


def asks(sentence: str) -> bool:
    """It opens like a question, whether or not it ends in a question mark."""
    return _QUESTION.match(sentence) is not None


def _length(words: int, clear: bool) -> float:
    """Few words say little, many say several things. A sentence with a *clear* rule gains by being short."""
    if words < 5:
        return -1.2
    if clear and words <= 30:
        return 0.8
    if words < 8:
        return -0.4
    return -0.8 if words > 45 else 0.0
