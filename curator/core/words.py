"""Text to search terms: whole identifiers, their stemmed parts, emoji, and 4-grams of words."""

from __future__ import annotations

import re
from functools import lru_cache

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been
    before being below between both but by can could did do does doing down
    during each few for from further had has have having he her here hers him
    his how i if in into is it its itself just me more most my no nor not now
    of off on once only or other our out over own same she should so some such
    than that the their them then there these they this those through to too
    under until up very was we were what when where which while who whom why
    will with would you your
    """.split()
)
"""English function words. Keywords that look like one (`async`, `find`, `use`) stay searchable."""

# A raw token starts with a word character, runs on over the joiners of paths, versions and flags, and ends
# with a word character, + or #: `C++` and `src/app.py:12` live, a full stop or an opening dash falls off.
_RAW = re.compile(r"\w[\w./:\\+#@$%&*-]*[\w+#]|\w")
_SEGMENT_BREAK = re.compile(r"[/\\:@&*]+")
_PART = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])"  # HTTP in HTTPServer
    r"|[A-Z]?[a-z]+"  # Server, server
    r"|[A-Z]+"  # HTTP
    r"|\d+"
    r"|[^\W\d_A-Za-z]+"  # letters beyond ASCII
)
_WORD = re.compile(r"\w+")
_PICTURE = re.compile(r"(?!\w)[\u2600-\u27bf\U0001f000-\U0001faff]")  # emoji: a short text may hold nothing else

# Tried in this order; the first one that leaves enough letters is cut.
_SUFFIXES = tuple(
    "ations ation izing ising izes ized ises ised ments ment ness ings ing edly ally able ible ions ion ity ous ive"
    " ers ors ier ies ed er or ly al es s y e".split()
)
_INFLECTIONS = frozenset("s es ed ing ings e y ies".split())
_CACHED = 1 << 15
"""Results kept per function: above the vocabulary of 10,000 entries (about 20,000 raw tokens), within a few MB."""


def words(text: str) -> list[str]:
    """The word terms of *text*, in order, repeats included.

    A token of several parts gives its whole, unstemmed, beside its stemmed
    parts; one with a path or line number in it also gives the token itself.
    Emoji come last.
    """
    terms: list[str] = []
    for raw in _RAW.findall(_composed(text)):
        terms += _token(raw)
    return terms if text.isascii() else terms + _PICTURE.findall(text)


def grams(text: str) -> list[str]:
    """The character 4-grams of the words of *text*, ends marked `^` and `$`; stop words give none."""
    terms: list[str] = []
    for word in _WORD.findall(_composed(text).lower()):
        terms += _windows(word)
    return terms


@lru_cache(_CACHED)
def stem(word: str) -> str:
    """Cut one English suffix from a lower-case *word*.

    At least 4 letters stay (3 before an inflection), a doubled last consonant
    is undoubled, a last `i` dropped: `running`, `runs` and `run` meet.
    """
    if len(word) < 4 or not word.isascii():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and _may_cut(word, suffix):
            return _tidy(word[: -len(suffix)])
    return word


def _may_cut(word: str, suffix: str) -> bool:
    if suffix == "s" and word[-2] in "su":  # class, status
        return False
    return len(word) - len(suffix) >= (3 if suffix in _INFLECTIONS else 4)


def _tidy(root: str) -> str:
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
        root = root[:-1]
    return root[:-1] if root[-1] == "i" and len(root) > 4 else root


def _composed(text: str) -> str:
    """*text* in Unicode's NFKC form, which ASCII text is in already."""
    if text.isascii():
        return text
    from unicodedata import normalize  # noqa: PLC0415 - a shared library to load, and most texts need none of it

    return normalize("NFKC", text)


@lru_cache(_CACHED)
def _token(raw: str) -> tuple[str, ...]:
    terms = [term for segment in _SEGMENT_BREAK.split(raw) for term in _segment(segment)]
    if "/" in raw or ":" in raw:
        terms.append(raw.lower())
    return tuple(terms)


def _segment(segment: str) -> list[str]:
    parts = _PART.findall(segment)
    whole = segment.lower()
    terms = [whole] if parts and parts[0].lower() != whole else []
    for part in parts:
        terms += _part(part.lower())
    return terms


def _part(part: str) -> list[str]:
    """Terms of one lower-case part: its stem, or windows of two where words have no spaces between them."""
    if not part.isascii() and any(map(_is_unspaced, part)):
        return [part[i : i + 2] for i in range(max(1, len(part) - 1))]
    return [] if part in STOP_WORDS else [stem(part)]


def _is_unspaced(letter: str) -> bool:
    """Whether *letter* is kana, han or hangul. A pattern with these ranges would take 2 ms to compile."""
    return "\u3040" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af"


@lru_cache(_CACHED)
def _windows(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    marked = f"^{word}$"
    return tuple(marked[i : i + 4] for i in range(max(1, len(marked) - 3)))
