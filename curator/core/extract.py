"""The candidates of one message: which sentences are worth a proposal, and how sure the rules are."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping

from curator.core import cues, sentences

EXTRACTOR = "rules/1"
LEAST: Mapping[str, float] = {"quiet": 0.70, "normal": 0.60, "keen": 0.50}
"""The least confidence by `capture.sensitivity`."""
PER_SESSION, WAITING = 3, 10
"""How many proposals a session may make, and how many may wait. Explicit orders are not held back."""

MOST = 5
"""How many sentences of one message are proposed, explicit orders included: more of them are a pasted list."""

_SURE = 0.9
_SHORTEST, _LONGEST = 18, 600
_SHORT = 1200
"""Characters of a message up to which "always" and "never" are orders by themselves."""

_ACKNOWLEDGED = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|sure|thanks?|thank you|lgtm)\b[\s,.!:;-]*+"
    r"|(?:no|nope|great|cool|nice|perfect|go ahead|continue|proceed|done|sounds good|good|right|hmm+|ah+|oh|actually"
    r"|well|also|wait|wrong|incorrect)[,.!:;-]++\s*+)+",
    re.I,
)
# No possessive repeat around a group in these rooms: Python before 3.11.4 keeps a part of it that did not match.
_OPENING = r"(?:(?:please|and|but|also|so|then|you (?:must|should|need to))[, ]+)*"
_LEAD_IN = re.compile(rf"{_OPENING}(?:remember|keep in mind|note)(?:,? that\b|:| this:)\s*+", re.I)
_LASTING = re.compile(
    r"\b(?:from now on(?!,? i\b)|(?<!plan )(?<!easier )(?<!better )going forward|from here on(?: out)?"
    r"|as a (?:general )?rule(?! of)"
    r"|for future reference|in (?:all )?future sessions|remember)\b|记住|(?:^|[\uff0c。\uff1b,])(?:以后|今后)",
    re.I,
)
_PRODUCT = frozenset({"screen", "feature", "passing", "pointing", "failure", "quoted"})
_EXPLICIT = re.compile(
    r"\b(?:from now on(?!,? i\b)|(?<!plan )(?<!easier )(?<!better )going forward|from here on(?: out)?"
    r"|as a (?:general )?rule(?! of)"
    r"|for future reference|in (?:all )?future sessions)\b"
    rf"|^{_OPENING}(?:remember(?: that|:| this:)|(?:(?:every ?|each )time|whenever) you [^,]{{3,80}}, \w+ \w)"
    rf"|^{_OPENING}(?:always|never) (?!mind\b|ever\b|seen\b|had\b|been\b|got\b|worked\b)[a-z]+\b"
    r"|\b(?:you|we) (?:must|should|need to|have to) (?:always|never) [a-z]+"
    r"|\b(?:i want you to|make sure (?:to|you|that you)|be sure to) (?:always|never) [a-z]+"
    r"|记住|(?:^|[\uff0c。\uff1b,])(?:以后|今后).{0,8}?(?:都|不要|请|每次|必须|别|统一|一律|默认|记得|只)|(?:^"
    r"|[\uff0c。\uff1b,])(?:请)?(?:永远|始终|总是)",
    re.I,
)
# An order to remember what was said just before.
_POINTS_BACK = re.compile(
    rf"{_OPENING}(?:(?:always )?(?:remember|memori[sz]e|note) (?:this|that|it)"
    r"|(?:add|save|put|store|write) (?:this|that|it) (?:down )?(?:to|in|into) (?:your |the )?"
    r"(?:memory|memories|CLAUDE\.md|AGENTS\.md|notes|rules)"
    r"|make (?:this|that|it) (?:as )?(?:a|your) (?:new )?rule)"
    r"(?: (?:for|in|as) (?:your|the|next|later|future|all)[\w ]{0,30}+)?[.!]*+",
    re.I,
)
_PERSONAL = re.compile(r"\b(?:I|i'?m|we|us|our|my|me|you|your|let'?s|please|don'?t)\b", re.I)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_SCREEN = re.compile(r"[⎿╭│├]|^[ \t]*+[>v] [*o] |=== Step|\(\d+ (?:steps|checkpoints)\)|\bPASS\b|--- FAIL", re.M)
_REVIEW = re.compile(
    r"\b(?:Consider (?:adding|using|whether|either|normali[sz]ing|logging|removing|testing|returning|moving|a|an"
    r"|the)\b"
    r"|This (?:could|can|will|may|means|creates|causes|inconsistency)\b|the fix requires|lacks? (?:unit )?tests?"
    r"|For example, if\b)"
)
_CAMEL_CASE = re.compile(r"\b[A-Za-z]+[A-Z]\w+")
_ADDRESSED = re.compile(r"\b(?:I|we|let'?s|can you|please)\b", re.I)

_MARKED = re.compile(r"[ \t]*+(?:#{1,6} |[-*\u2022\u2705\u274c] |\d{1,2}[.)] |\*\*|[a-z][.)] )")
_HEADING = re.compile(
    r"^[ \t]*+(?:#{1,6} \S|\*\*[^*\n]{2,60}\*\*:?[ \t]*$|(?:step|phase|part|task) \d)",
    re.M | re.I,
)
_SECTION = re.compile(
    r"^[\s#*\d.)-]{0,8}(goals?|scope|out of scope|non-goals?|context|requirements?|constraints?|acceptance"
    r"|deliverables?"
    r"|objectives?|tasks?|background|overview|definition of done|architecture|behaviou?r|tests?|files?|output|notes?"
    r"|rules?"
    r"|implementation|steps)\b[^\n]{0,40}?(?::|$)",
    re.M | re.I,
)
_HANDED_OVER = re.compile(
    r"\s*+(?:here (?:is|are)|this is|below (?:is|are)|use this)\b[^\n]{0,100}:[ \t]*+(?:\n|\Z)", re.I
)
_FIRST_PERSON = re.compile(r"\b(?:I|i'?m|i'?d|we|let'?s|my|our)\b")
_ROLE = re.compile(r"\s*+(?:you are|act as|your (?:job|task|goal|role) is|implement phase)\b", re.I)


class Candidate:
    """One sentence of a message. *quote* is what was typed, "" where *text* is that already.

    *confidence* ranks, from 0 to 1; *explicit* says that the user ordered it
    to be remembered; *category* is a guess.
    """

    __slots__ = ("category", "confidence", "cues", "explicit", "quote", "text")

    def __init__(self, sentence: str, confidence: float, explicit: bool, fired: Iterable[str]) -> None:
        self.text = _body(sentence)
        self.quote = "" if self.text == sentence else sentence
        self.confidence = confidence
        self.explicit = explicit
        self.cues = tuple(sorted(fired))
        self.category = _category(frozenset(fired))


def candidates(text: str, *, least: float) -> list[Candidate]:
    """What one message of the user's is worth proposing, best first: one, and explicit orders up to `MOST`.

    A sentence that holds a secret is none, whatever it says.
    """
    found = sorted(_weighed(text, least), key=lambda one: -one.confidence)
    kept: list[Candidate] = []
    for one in found:
        if (one.explicit or not kept) and one.text not in {other.text for other in kept} and not _is_secret(one):
            kept.append(one)
    return kept[:MOST]


def _is_secret(one: Candidate) -> bool:
    from curator.core import secrets  # noqa: PLC0415 - a table of patterns: pay only when something is proposed

    return bool(secrets.find(one.quote or one.text))


def _weighed(text: str, least: float) -> Iterator[Candidate]:
    own = sentences.cut(text)
    if not own.strip():
        return
    doubt, is_pasted = _doubt(own, text)
    for sentence, is_meant in _said(own):
        if not _is_sized(sentence) or _POINTS_BACK.fullmatch(sentence):
            continue
        scored = cues.score(sentence)
        confidence = round(1 / (1 + math.exp(doubt - scored.total - cues.BIAS)), 2)
        ordered = is_meant or (_is_order(sentence) and (len(own) <= _SHORT or _LASTING.search(sentence) is not None))
        explicit = not is_pasted and ordered and _is_plain(sentence, scored.cues)
        if explicit or confidence >= least:
            yield Candidate(sentence, max(confidence, _SURE) if explicit else confidence, explicit, scored.cues)


def _said(own: str) -> Iterator[tuple[str, bool]]:
    """Each sentence without its ok or yes, and whether the next one says to remember it."""
    held = ""
    for raw in sentences.split(own):
        if held:
            yield held, _POINTS_BACK.fullmatch(raw) is not None
        held = _ACKNOWLEDGED.sub("", raw, count=1).strip() if _ACKNOWLEDGED.match(raw) else raw
    if held:
        yield held, False


def _is_sized(sentence: str) -> bool:
    if len(sentence) > _LONGEST:
        return False
    return len(sentence) >= _SHORTEST or len(_UNSPACED.findall(sentence)) >= 6


def _doubt(own: str, text: str) -> tuple[float, bool]:
    """How much less a message counts that reads as if it was pasted, and whether it does."""
    impersonal = len(own) > 160 and not _PERSONAL.search(own) and not _UNSPACED.search(own)
    screen = _SCREEN.search(text[: sentences.MOST]) is not None
    review = (
        len(own) > 300 and bool(_REVIEW.search(own) and _CAMEL_CASE.search(own)) and not _ADDRESSED.search(own[:200])
    )
    planned = _planned(own) + 2 * (_HANDED_OVER.match(own) is not None)
    doubt = (
        (1.5 if len(own) > 500 else 0.8) * impersonal
        + 1.0 * screen
        + (0.7 * (len(own) > _SHORT) + 0.8 * (len(own) > 3000)) * (not _is_spoken(own))
        + 0.8 * planned
        + 9.0 * review
    )
    return doubt, impersonal or screen or review or planned > 1 or (len(own) > 3000 and not _is_spoken(own))


def _is_spoken(own: str) -> bool:
    """A person talks at length: about themselves every other sentence or so."""
    return 250 * len(_FIRST_PERSON.findall(own)) > len(own)


def _planned(own: str) -> int:
    """How many signs of a specification a message has, from 0 to 4: headings, sections, lists, nobody who speaks."""
    lines = [line for line in own.split("\n") if line.strip()]
    marked = sum(_MARKED.match(line) is not None for line in lines)
    return (
        (len(_HEADING.findall(own)) > 1)
        + (len({name.lower() for name in _SECTION.findall(own)}) > 1)
        + (marked >= 6 and 2 * marked >= len(lines))
        + ((len(own) > 600 and not _FIRST_PERSON.search(own)) or _ROLE.match(own) is not None)
    )


def _is_order(sentence: str) -> bool:
    """It says by itself that it is to last."""
    return _EXPLICIT.search(sentence) is not None and not _POINTS_BACK.fullmatch(sentence)


def _is_plain(sentence: str, fired: frozenset[str]) -> bool:
    """It asks nothing, takes nothing back, and what says no more than always or never is not about the product."""
    if not _LASTING.search(sentence) and fired & _PRODUCT:
        return False
    return not (
        sentence.endswith(("?", "\uff1f"))
        or cues.asks(sentence)
        or {"asking", "other request", "hedge", "empty"} & fired
    )


def _body(sentence: str) -> str:
    """The sentence without "remember that", in a capital if it begins with a plain word."""
    lead = _LEAD_IN.match(sentence)
    rest = sentence[lead.end() :] if lead else ""
    if len(rest) < _SHORTEST and not _UNSPACED.search(rest):
        return sentence
    return rest[0].upper() + rest[1:] if re.match(r"[a-z]+[ ,']", rest) else rest


_KINDS = (
    ("dead-end", frozenset({"tried"})),
    ("gotcha", frozenset({"gotcha", "consequence"})),
    ("convention", frozenset({"convention"})),
    ("constraint", frozenset({"prohibition", "forbidden", "must", "asked first", "status", "conduct"})),
    (
        "decision",
        frozenset(
            {
                "decision",
                "policy",
                "agreed",
                "change",
                "preference",
                "choice",
                "why",
                "contrast",
                "this not that",
                "environment",
            }
        ),
    ),
    (
        "convention",
        frozenset({"standing", "habitual", "cadence", "upkeep", "use", "as possible", "generic", "other policy"}),
    ),
)
"""Categories, each with the cues that speak for it. The first that fits counts."""


def _category(fired: frozenset[str]) -> str:
    """A guess. The reviewer sets it with one key, and nothing else rests on it."""
    if {"place", "name"} <= fired and not fired & {"forbidden", "prohibition"}:
        return "route"
    return next((category for category, kinds in _KINDS if fired & kinds), "decision")
