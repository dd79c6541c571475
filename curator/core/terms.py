"""Which terms a statement names, and how a file holds them: whole words and hashes of their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha1
from itertools import islice

from curator.core import symbols
from curator.model import Evidence

MOST_LINES = 16
"""A term on more distinct lines than this keeps none of them: only its disappearance counts."""
MOST_TERMS = 32
"""Terms kept for one source, the strongest first."""

_OFTEN = 4  # lines from which on a term is a topic of the file
_MOST_READ = 500  # lines of one term that are looked at: a term on more is all over the file
_REACH = 500  # characters either side of a term that count as its line, so that a bundle's one line stays bounded
_LEVELS = 3  # brackets around a term that a formatter may have split
_DEEPEST = 16  # brackets open at once: what opens more is not shut by a formatter's split
_PHRASE = range(5, 81)

_STOP = frozenset(
    """
    the and for with from this that when use used uses using must never always
    not should will all any each only are was has have new file files code test
    tests run see also add into via can if is in to of on or a an be by it as
    at no do true false null none string number list name path type data value
    main index json yaml http https get set app api cli src lib note todo md
    """.split()
)
"""Words that say nothing of a file, even back-ticked."""
_COMMON = frozenset(
    """
    about above across after again against along already and another are around available avoid away back base based
    because been before being below between both but by call called calls change changed changes check checks class
    command common complete component config configuration contain contains could create created creates current
    default define defined defines description different directly does don done down during either else end ensure
    entry error errors etc even every example examples exist existing explicit extra feature field first fix follow
    format found full function functions general generate generated given global goes good group handle handled
    handler handles handling have help helper helpers here high how however implement implementation implemented
    import imports include includes including information input inside instead internal itself its just keep key keys
    kind know last later layer least less like line lines load local logic long longer look made make makes manage
    management many may mean means method methods mode modes module modules more most move multiple name named need
    needed needs next non now object once one option options order other out output over own package packages page
    parameter part pass passed path pattern patterns per place point prefer project provide provides put read real
    reference related remove removed require required requires requirements result return returns right root rule
    rules same script scripts section service settings setup several shared show simple since single small some
    specific standard start state step still stop store such support sure system take target task temporary term text
    than their them then there these they thing those three through time together tool tools top two types under
    unless until update updated updates user users values various version very want way well were what where whether
    which while who whole why within without word work works would write written you your
    """.split()
)
"""Words of plain prose that come and go with any edit."""
_BRANDS = frozenset("GitHub GitLab JavaScript TypeScript PostgreSQL MySQL OpenAI YouTube macOS iOS".split())
"""Written like identifiers, and none: weak in plain prose."""

_TICKED = re.compile(r"`([^`]+)`")
_QUOTED = re.compile(r'"([^"\n]{2,40})"|(?<![A-Za-z])\'([^\'\n]{2,40})\'(?![A-Za-z])')
_WORDY = re.compile(r"[A-Za-z0-9]")
_CUTS = re.compile(r"[\s,;|]+")
_PART_CUTS = re.compile(r"[(.:]")
_PATH_CUTS = re.compile(r"[^A-Za-z0-9_$]+")
_FILE = re.compile(r"[^\s()]*/[^\s()/]+\.[A-Za-z]{1,5}")  # another file's path: it is mentioned, not described
_WRAPPING = "()[]{}<>\"'.:"
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_PROSE = re.compile(r"(?<![A-Za-z0-9_/])[A-Za-z_$][A-Za-z0-9_$]*")
_COMPOUND = re.compile(
    r"[A-Za-z_$@][A-Za-z0-9_$]*(?:[-.][A-Za-z_][A-Za-z0-9_]*)*"  # names, dotted, dashed, @scoped
    r"|--[A-Za-z0-9_-]+"  # flags
    r"|\d[\d_.]*[A-Za-z0-9_]*"  # numbers, versions, 30s
)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.-])\d{2,}(?![A-Za-z0-9_-])")
_VERSION = re.compile(r"(?<![A-Za-z0-9_.])(?:[vV](?=\d))?(\d+(?:\.\d+)+)(?![A-Za-z0-9_])")
_STRUCTURED = re.compile(r"[a-z][A-Z]|_[A-Za-z]|[A-Za-z]_")
_CODE_LIKE = re.compile(r"[a-z][A-Z]|_|\d")
_PLAIN = re.compile(r"(?<![A-Za-z0-9_/.`-])[A-Za-z]{3,}(?![A-Za-z0-9_/])")
_OPENING = frozenset(["", *".:|-—!?"])  # what stands before the first word of a sentence, a cell or a list item
_LITERAL = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_LAST_COMMA = re.compile(r",([)\]}])")  # one that formatters put where they split
_BRACKETS = re.compile(r"[()\[\]{}]")
_SPLITS = re.compile(r"[()\[\]{}\n]")
_FIGURES = re.compile(r"\d[A-Za-z0-9_.+-]*")
_SWITCH = re.compile(r"(?<![\w-])(?:[Tt]rue|[Ff]alse)(?![\w-])")
_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")


class Strength(IntEnum):
    """What the disappearance of a term says: PLAIN and WEAK ask for a look, STRONG makes the statement stale."""

    PLAIN = 1
    WEAK = 2
    STRONG = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line that holds a term: its hash of 4 hex digits, and its text."""

    mark: str
    text: str


def named(statement: str, path: str = "", cited_as: str = "") -> dict[str, Strength]:
    """The terms of *statement* about the file *path*, which it calls *cited_as*, each with its strength.

    Parts of the cited path are left out: `pool` says nothing about the content of `app/pool.py`.
    """
    cited = {path, cited_as, path.rsplit("/", 1)[-1]}
    own = cited | {part for name in cited for part in _PATH_CUTS.split(name)}
    found: dict[str, Strength] = {}
    for strength, least, terms in (
        (Strength.STRONG, 3, _strong(statement)),
        (Strength.WEAK, 2, _weak(statement)),
        (Strength.PLAIN, 3, _plain(statement)),
    ):
        for term in terms:
            if len(term) >= least and term.lower() not in _STOP and term not in own:
                found.setdefault(term, strength)
    for term in _SWITCH.findall(statement):
        found.setdefault(term, Strength.WEAK)
    return found


def stamp(statement: str, path: str, text: str, symbol: str = "", cited_as: str = "") -> tuple[Evidence, ...]:
    """The terms that *statement* and the file's *text* share, with hashes of the lines that hold them.

    The *symbol* of a source is a term as well. An empty result means that
    nothing the statement names occurs in the file: its author should be told.
    A weak term inside a strong one is left out, as it cannot go alone.
    """
    wanted = named(statement, path, cited_as)
    if symbol:
        wanted[symbol] = Strength.STRONG
    held = {term: found for term in wanted if wanted[term] > Strength.PLAIN and (found := _held(text, term))}
    strong = [term for term in held if wanted[term] is Strength.STRONG]
    weak = [term for term in held if wanted[term] is Strength.WEAK and not any(holds(it, term) for it in strong)]
    plain = [term for term in wanted if wanted[term] is Strength.PLAIN]
    about = {line.mark: line.text for term in strong for line in held[term]}
    evidence = [_evidence(term, held[term], path, text) for term in strong + weak]
    evidence += (_said(word, about, text) for word in _repeated(text.lower(), plain))
    return tuple(evidence[:MOST_TERMS])


def strengths(statement: str, symbol: str, evidence: Iterable[Evidence]) -> dict[str, Strength]:
    """How strong each stored term is: that follows from the statement. One it names no more has none."""
    wanted = named(statement)
    if symbol:
        wanted[symbol] = Strength.STRONG
    return {item.term: wanted[item.term] for item in evidence if item.term in wanted}


def lines(text: str, term: str) -> Iterator[Line]:
    """The lines of *text* that hold *term* as a whole word, in order, repeats included.

    White space, a trailing comma or semicolon and figures inside quotes do
    not tell lines apart: a reflow or another version number is no edit.
    """
    start = 0
    while (at := find(text, term, start)) >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[max(text.rfind("\n", 0, at) + 1, at - _REACH) : min(end, at + len(term) + _REACH)]
        yield Line(_mark(line), line.strip())
        start = end + 1


def find(text: str, term: str, start: int = 0) -> int:
    """Where *term* stands in *text* as a whole word at or after *start*; -1 when it does not.

    Nothing of a name is beside it: no letter, digit, `_` or `$`. A dash goes
    on a dashed term, so that `--cache` is not in `--cache-dir`.
    """
    step = len(term) if term.isidentifier() else 1  # whole names do not overlap
    while (at := text.find(term, start)) >= 0:
        if _is_whole(text, at, at + len(term), term):
            return at
        start = at + step
    return -1


def holds(text: str, term: str) -> bool:
    """Whether *term* occurs in *text* as a whole word."""
    return find(text, term) >= 0


def is_topic(evidence: Evidence, strength: Strength) -> bool:
    """Whether the term stood on several lines. No hash means too many lines, save for a plain word."""
    return len(evidence.lines) >= _OFTEN or (not evidence.lines and strength is not Strength.PLAIN)


def lost(text: str, lowered: str, evidence: Evidence, strength: Strength) -> frozenset[str] | None:
    """Which of the lines of *evidence* are gone from *text*; None when the term itself is.

    *lowered* is the text in lower case: a plain word stands in any case, and inside a longer name too.
    """
    if strength is Strength.PLAIN and (_root(evidence.term) not in lowered or not evidence.lines):
        return frozenset() if _root(evidence.term) in lowered else None
    missing = set(evidence.lines)
    read = 0
    for line in islice(lines(text, evidence.term), _MOST_READ):
        missing.discard(line.mark)
        read += 1
        if not missing:
            break
    if not read and strength is not Strength.PLAIN:
        return None
    if missing and read < _MOST_READ:
        missing.difference_update(_split_marks(text, evidence.term))
    return frozenset() if read == _MOST_READ else frozenset(missing)


def _split_marks(text: str, term: str) -> Iterator[str]:
    """The hashes that lines with *term* had before a formatter split them at their brackets.

    A line that is longer than a line is looked at was not split, and is left out.
    """
    start = 0
    while (at := find(text, term, start)) >= 0:
        end = text.find("\n", at)
        end = start = len(text) if end < 0 else end
        if end - at > _REACH:
            continue
        for begin in dict.fromkeys(_line_begin(text, place) for place in (at, *_enclosing(text, at))):
            packed = _packed(text, begin, end) if begin >= 0 else ""
            if packed:
                yield _mark(packed)
            if _LAST_COMMA.search(packed):
                yield _mark(_LAST_COMMA.sub(r"\1", packed))


def _packed(text: str, begin: int, end: int) -> str:
    """The text from *begin* without white space, on from *end* to where its brackets are shut; "" when that is far."""
    depth = _depth(text[begin:end])
    if depth > 0 and end >= begin + _REACH:
        return ""
    if depth > 0:
        end = _shut(text, end, begin + _REACH, depth)
    return "".join(text[begin:end].split())


def _shut(text: str, end: int, last: int, depth: int) -> int:
    """Where the first line ends, of those that begin before *last*, at which *depth* open brackets are shut; else 0."""
    for found in _SPLITS.finditer(text, end + 1, last + _REACH):
        if found[0] in "([{":
            depth += 1
            if depth > _DEEPEST:
                return 0
        elif found[0] != "\n":
            depth -= 1
        elif depth <= 0:
            return found.start()
        elif found.start() >= last:
            return 0
    return len(text) if depth <= 0 and last + _REACH >= len(text) else 0


def _line_begin(text: str, at: int) -> int:
    """Where the line of *at* begins; -1 when that is farther away than a line is looked at."""
    least = max(0, at - _REACH)
    found = text.rfind("\n", least, at)
    return found + 1 if found >= 0 or not least else -1


def _enclosing(text: str, at: int) -> Iterator[int]:
    """Where the innermost brackets around a place open, a few of them, no further than a line is looked at."""
    closed = levels = 0
    least = max(0, at - _REACH + 1)
    for bracket in reversed(list(_BRACKETS.finditer(text, least, at))):
        if bracket[0] in ")]}":
            closed += 1
        elif closed:
            closed -= 1
        else:
            yield bracket.start()
            levels += 1
            if levels == _LEVELS:
                return


def _depth(text: str) -> int:
    """How many brackets are open at its end."""
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def _held(text: str, term: str) -> tuple[Line, ...]:
    """The distinct lines of *text* with *term*: one more than are kept, so that the caller sees there are too many."""
    found: dict[str, Line] = {}
    for line in islice(lines(text, term), _MOST_READ):
        found.setdefault(line.mark, line)
        if len(found) > MOST_LINES:
            break
    return tuple(found.values())


def _evidence(term: str, found: tuple[Line, ...], path: str, text: str) -> Evidence:
    marks = tuple(line.mark for line in found) if len(found) <= MOST_LINES else ()
    return Evidence(term, marks, symbols.defines(path, text, term))


def _said(word: str, about: Mapping[str, str], text: str) -> Evidence:
    """The evidence of a plain word: enough of its lines to see whether it is a topic, and those of strong terms."""
    shared = [mark for mark, line in about.items() if holds(line, word)]
    own = [line.mark for line in _held(text, word)]
    return Evidence(word, tuple(dict.fromkeys([*own[:_OFTEN], *shared]))[:MOST_LINES])


def _repeated(lowered: str, words: Iterable[str]) -> Iterator[str]:
    """The plain words that stand on two lines or more: said once, it is chance."""
    for word in words:
        first = _word_end(lowered, _root(word), 0)
        line_end = lowered.find("\n", first) if first else -1
        if line_end >= 0 and _word_end(lowered, _root(word), line_end):
            yield word


def _word_end(lowered: str, root: str, start: int) -> int:
    """Where the first word *root* ends at or after *start*, its plural included; 0 without one."""
    while (at := lowered.find(root, start)) >= 0:
        end = at + len(root)
        end += 2 if lowered.startswith("es", end) else lowered.startswith("s", end)
        if not (lowered[at - 1 : at].isalnum() or lowered[end : end + 1].isalnum()):
            return end
        start = at + len(root)
    return 0


def _root(word: str) -> str:
    low = word.lower()
    return low[:-1] if low.endswith("s") and len(low) > 4 else low


def _strong(statement: str) -> Iterator[str]:
    for span in _TICKED.findall(statement):
        phrase = " ".join(span.split())
        if " " in phrase and len(phrase) in _PHRASE:
            yield phrase
        for piece in _CUTS.split(span):
            yield from _token(piece)
    yield from (word for word in _PROSE.findall(statement) if _STRUCTURED.search(word) and word not in _BRANDS)
    yield from _VERSION.findall(statement)


def _token(piece: str) -> Iterator[str]:
    """A piece of a back-ticked span: without its wrapping, as written, and its parts that look like code."""
    token = piece.strip(_WRAPPING)
    if not token or _FILE.fullmatch(token):
        return
    yield token
    if piece[0] in ".:#@/":
        yield piece.rstrip(_WRAPPING)
    if token.endswith("/"):
        yield from (token.rstrip("/"), piece.rstrip("/"))
    if token.startswith("--"):
        yield token.split("=")[0]
    yield from (part.strip(")<>[]") for part in _PART_CUTS.split(token) if _STRUCTURED.search(part))


def _weak(statement: str) -> Iterator[str]:
    for span in _TICKED.findall(statement):
        yield from (piece.strip(_WRAPPING) for piece in _CUTS.split(span) if _FILE.fullmatch(piece.strip(_WRAPPING)))
        yield from _COMPOUND.findall(span)
        yield from _WORD.findall(span)
    yield from (word for word in _PROSE.findall(statement) if _CODE_LIKE.search(word))
    yield from (text for pair in _QUOTED.findall(statement) if _WORDY.search(text := pair[0] or pair[1]))
    yield from _NUMBER.findall(statement)


def _plain(statement: str) -> Iterator[str]:
    """Words of the prose that are about something: not the glue of English, and not the first of a sentence."""
    prose = _TICKED.sub(" ` ", statement)
    for match in _PLAIN.finditer(prose):
        opens = prose[: match.start()].rstrip(" *_(")[-1:] in _OPENING
        if match[0].lower() not in _COMMON and not (opens and match[0].istitle()):
            yield match[0]


def _is_whole(text: str, begin: int, end: int, term: str) -> bool:
    if begin and term[0].isdigit() and text[begin - 1] in "vV" and "." in term:
        begin -= 1  # v1.2 is version 1.2
    before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
    if "-" in term and ((after == "-" and text[end + 1 : end + 2] in _NAMES) or term[0] == "-" == before):
        return False
    return before not in _NAMES and after not in _NAMES


def _mark(line: str) -> str:
    bare = _LITERAL.sub(lambda literal: _FIGURES.sub("", literal[0]), line)
    packed = "".join(bare.split()).rstrip(",;")
    return sha1(packed.encode("utf-8", "surrogatepass")).hexdigest()[:4]
