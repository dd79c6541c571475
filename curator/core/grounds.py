"""Whether what a model says of a session stands on the words it names: without them nothing of it is kept."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from curator.core import cues, dialogue, distil, extract, keys, kinds, secrets, terms, words

if TYPE_CHECKING:
    from curator.core.dialogue import Line
    from curator.core.distil import Item
    from curator.core.extract import Candidate

QUOTE, LONG, WORDS, FILES, SECRET = "quote", "long", "words", "files", "secret"
"""What an item may lack: words that are there, shortness, code words from there, files, harmlessness."""

_LEAST = 12  # characters of a quote that is only a part of its sentence
_MOST_FILES = 12
_TURNING = frozenset("no nor not off only all before after until under above below".split())
"""Stop words that make another statement of the same words."""
_LETTERS = re.compile(r"[a-z]+")
_ENOUGH = 0.5  # share of a fact's words below which what stands around its sentence says as much of it
_FAR = 2  # words of a fact that a sentence further off shares with it where it words it
# What is written like code outside of back-ticks: paths, dotted names, flags, capitals with underscores, versions.
_CODE = re.compile(
    r"(?<!\w)(?:--?[A-Za-z][\w-]*|[\w@~.-]*(?:/[\w@~.*-]+)+/?|[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?|[A-Z][A-Z0-9_]{2,}|\d[\w.]*)"
)


def lacks(item: Item, lines: Sequence[Line], tracked: Collection[str]) -> str:
    """Why *item* cannot stand, "" where it can: *lines* are those that the model was shown, *tracked* files."""
    if len(item.fact) > distil.LONGEST:
        return LONG
    if not (0 < item.line <= len(lines)) or not is_quoted(item.quote, lines[item.line - 1].text):
        return QUOTE
    if secrets.find(f"{item.fact}\n{' '.join(item.files)}"):
        return SECRET
    if any(path not in tracked for path in item.files):
        return FILES
    around = dialogue.context(lines, lines[item.line - 1])
    return "" if all(holds(around, word) for word in code_words(item.fact)) else WORDS


def is_quoted(quote: str, text: str) -> bool:
    """Whether *quote* stands in *text* word for word, blanks folded, and says enough of it."""
    wanted, whole = " ".join(quote.split()), " ".join(text.split())
    return wanted in whole and (len(wanted) >= _LEAST or wanted == whole) and wanted != ""


def code_words(fact: str) -> tuple[str, ...]:
    """The names, paths, flags and numbers of a statement."""
    named = (term for term, strength in terms.named(fact).items() if strength is not terms.Strength.PLAIN)
    written = (word.rstrip(".") for word in _CODE.findall(fact))
    return tuple(dict.fromkeys(word for word in (*named, *written) if word))


def holds(text: str, word: str) -> bool:
    """Whether a code word stands in *text*, not as a part of a longer name."""
    return terms.holds(text, word) or re.search(rf"(?<![\w$]){re.escape(word)}(?![\w$])", text) is not None


def rests(item: Item, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The sentences that the words of an item which stands are from: the one it names, then the nearest to the fact.

    A word of the fact that the named sentence has not makes each sentence that
    has it one of them: nearby any such word, further off only with a second of
    the fact. Where the named one has less than half of the words, all that
    stands around it is.
    """
    named = lines[item.line - 1]
    wanted, code = _words(item.fact), [word for word in code_words(item.fact) if not holds(named.text, word)]
    missing = wanted - _words(named.text)
    is_far = len(wanted) - len(missing) < _ENOUGH * len(wanted)
    found: list[tuple[int, int, Line]] = []
    for line in lines:
        distance = abs(line.number - named.number)
        shared = wanted & _words(line.text)
        coded = sum(holds(line.text, word) for word in code)
        is_near = distance <= dialogue.AROUND
        is_worded = bool(shared & missing) and (is_near or len(shared) >= min(_FAR, len(wanted)))
        if distance and (coded or is_worded or (is_far and is_near)):
            found.append((-coded - len(shared), distance, line))
    return (named, *(line for _, _, line in sorted(found, key=lambda one: (one[:2], one[2].number))))


def _words(text: str) -> frozenset[str]:
    return frozenset(words.words(text)) | _TURNING.intersection(_LETTERS.findall(text.lower()))


def candidate(item: Item, line: Line) -> Candidate:
    """What an item proposes; its words are the model's, its quote is the sentence it goes by."""
    found = extract.Candidate(item.fact, item.confidence, False, ())
    found.text, found.quote, found.category = item.fact, line.text, item.category
    return found


def rank(line: Line) -> float:
    """How sure the rules are of the sentence behind an item, from 0 to 1."""
    return 1 / (1 + math.exp(-cues.score(line.text).total - cues.BIAS))


def cited(item: Item) -> tuple[str, ...]:
    """The files of an item that a memory may be about: no rules of agents, memories or lock files."""
    kept = [path for path in item.files if not (kinds.is_memory(path) or kinds.is_instructions(path))]
    return tuple(path for path in kept if not kinds.is_lock(path))[:_MOST_FILES]


def names(item: Item, line: Line, namespace: str) -> tuple[str, ...]:
    """The keys under which what an item says may be known: as it words it, and as it was said."""
    return keys.key(namespace, item.fact), keys.key(namespace, line.text)
