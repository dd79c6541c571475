"""Which memories a prompt is about: an agent that is shown what shares a word by chance stops reading.

A search ranks; this decides. Words that every session is full of say nothing. A name that prompt and memory share
is enough; of other words two have to meet, or one that is nearly all that was asked.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left

from curator.core import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from curator.core.scoring import Posting

COVERED, MOSTLY = 0.3, 0.75
"""The share of what a prompt's telling words weigh that a memory must hold: with two of them, and with one."""

NEAR = 0.45
"""The share of the best score that a memory must reach."""

LONGEST = 8_000
"""Characters of a prompt that are looked at: its beginning, and a quarter of that from its end."""

_MOST_TERMS = 300
_MOST_CANDIDATES = 40
_OFTEN, _TELLING, _NAME = 0.5, 1.0, 2.0
_ENOUGH = 1.5
_RARE = 0.08  # of the memories may hold a word that tells; _FEW always may, and _MANY a name
_FEW, _MANY = 3, 10
_LOW, _SPAN = 0.95, 0.1  # as in a search: the prior decides near ties
_DIGITS = 6

COMMON = frozenset(
    """
     abl accept actu add agent agre air almost alread alway answ anyth app apparent appl approach ask autumn averag
    awa back backward bad bar bas basic befor begin behav behaviour believ best bet big bit blu bod book bottom box
    branch break broken brows bug build bump busi button call cam cannot car careful cas catch caus centur certain
    chang changelog check child choos ci cit class clean clear clev click clos close cod color colour command
    comment commit common compan compar compil complet config configur confirm conflict consid contain content
    continu convert cool cop correct cost couldn count countr coupl cover creat current custom dark dat data day
    dead debug deep default defin definite delet depend dependenc deplo describ descript design detail develop die
    diff differenc different direct director doc docu document doe doesn don doubl drop earl earth eas easi edit
    effect els empt end endpoint enough ensur entr error espec ever everyth exact exampl except execut exist exit
    expect explain extra eye fac fail failur fami far fast featur feel field figur fil fill fin final find finish
    fir first fix flag flow focus fold follow food forget format forward found fresh friend full funct furth gam
    gener generat get giv given goe going good got great green group guess guid half hand handl happen hard hav head
    heav hello help hey hid high hint hit hom hop hopeful hour hous howev hug hundr idea ignor imag immediate imple
    implement import improv includ incorrect info inform init input insert insid install instanc instead interest
    intern isn issu item job keep key kind know known land larg last lat later latest law lead leav left less let
    level lgtm librar light lik like lin link lint list littl load local lock log logic long look lost lot lov mad
    main major mak man manag manu market mat match maximum mayb mean merg messag method middl mill min minimum minut
    miss mistak mod model modif modul moment mone month mor morn mov multipl must nam near neat need never new next
    nic night nois nop norm noth notic numb object obvious odd often ok oka old onc one open option order origin
    otherwis output outsid overall packag pag paramet part pass past path pattern peopl percent perfect perhap
    person pick piec plac plain plan pleas plent plus point polic poss possib post pref present president pret prev
    prevent pric print probab problem process produc product profil program progress project prop proper provid
    public pull push put quart quest quick quit random rath read readm real reason recent red refact refer referenc
    relat releas remain rememb remov renam replac repo report repositor request requir rerun resolv rest result
    return reus revert review rewrit right root rul run saf safe sam sav saw say school screen script search second
    sect see seem select send sens separat serv servic sess set setup sever shar short shouldn show sid sidebar
    similar simp simpl simplif singl sit siz skip slow small someon someth sometim soon sor sort sound sourc spec
    specific spot spr sta stag standard start stat status step still stop stor str straight strang strong structur
    student stuff styl sudden suggest sum summar summaris summariz sun support suppos sur switch system tabl tak
    talk target task teach team tell temporar test text thank thing think third thought thousand thre throughout tim
    tin toda togeth told took tool top total touch track tri tripl troubl tru trul trust try turn two typ typo ugl
    understand understood unfortunate unit unless unsaf unus updat usag use used useful user using usual valid valu
    vari verif vers via view wait walk want war warn wasn watch water way week weird well went whatev wheth whichev
    whol wid window wint wish without woman won wond wor word work world wors writ written wrong wrot yeah year yep
    yes yesterda yet zero
    """.split()
)
"""Stems that sessions are full of, whatever they are about."""

_ENDLESS = re.compile(r"(\w{100})(?=\w)")

_NAMES = re.compile(
    r"[A-Za-z]\w*(?:[./:\\#]+\w+)+"  # a path, a call, a module
    r"|\w+_\w+"
    r"|[A-Za-z]*[a-z][A-Z]\w*"  # camelCase
    r"|[A-Za-z]+-?\d\w*|\d+[A-Za-z_]\w*|\d{4,}"
    r"|\w+(?:-\w+){2,}|[A-Z]\w*-[A-Z]\w*"
)


def terms(text: str) -> list[str]:
    """The terms of a prompt to look up, common ones only where they are part of a name."""
    text = _cut(text)
    parts = {part for name in _NAMES.findall(text) for part in words.words(name)}
    found = [term for term in dict.fromkeys(words.words(text)) if term in parts or not _is_common(term)]
    return found[:_MOST_TERMS]


def chosen(text: str, postings: Mapping[str, Posting], ranks: Sequence[float]) -> list[tuple[int, float]]:
    """(ordinal, score) of the documents that a prompt is about, best first.

    *postings* are those of its `terms` among the words, *ranks* the prior ranks of all documents.
    """
    asked = _Asked(_cut(text), postings, len(ranks))
    found = []
    for ordinal in asked.candidates():
        score = asked.score(ordinal)
        if score and ordinal < len(ranks):
            found.append((-round(score * (_LOW + _SPAN * ranks[ordinal]), _DIGITS), ordinal))
    found.sort()
    return [(ordinal, -score) for score, ordinal in found if score <= NEAR * found[0][0]]


def _cut(text: str) -> str:
    """The beginning and the end of a long prompt. Words without an end are cut: looking for names in one takes long."""
    short = text if len(text) <= LONGEST else f"{text[: LONGEST * 3 // 4]}\n{text[-LONGEST // 4 :]}"
    return _ENDLESS.sub(r"\1 ", short)


class _Asked:
    """What a prompt asks for: names by their parts; terms with the evidence in each, and what all of them weigh."""

    __slots__ = ("everything", "evidence", "names", "postings", "weights")

    def __init__(self, text: str, postings: Mapping[str, Posting], size: int) -> None:
        found = frozenset(_NAMES.findall(text))
        whole = {name.lower() for name in found}
        self.postings = postings
        counts = {term: len(postings[term][0]) if term in postings else 0 for term in terms(text)}
        split = {part for parts in map(_parts, found) for part in parts if part.isdigit()}
        self.evidence = {
            term: 0.0 if term in split else _evidence(term, term in whole, count, size)
            for term, count in counts.items()
        }
        self.weights = {
            term: math.log(1 + (size - count + 0.5) / (count + 0.5))
            for term, count in counts.items()
            if self.evidence[term]
        }
        self.everything = sum(self.weights.values()) or 1.0
        self.names = [parts for parts in map(_parts, found) if any(self.evidence.get(part) for part in parts)]

    def candidates(self) -> list[int]:
        """The documents that hold a telling word, those first in which these weigh most."""
        sums: dict[int, float] = {}
        for term, (ordinals, weights) in self.postings.items():
            if self.evidence.get(term, 0.0) >= _TELLING:
                for ordinal, weight in zip(ordinals, weights, strict=True):
                    sums[ordinal] = sums.get(ordinal, 0.0) + weight
        return sorted(sums, key=lambda ordinal: (-sums[ordinal], ordinal))[:_MOST_CANDIDATES]

    def score(self, ordinal: int) -> float:
        """The score of a document, 0 where the prompt is not about it."""
        found = {}
        for term, (ordinals, weights) in self.postings.items():
            at = bisect_left(ordinals, ordinal)
            if at < len(ordinals) and ordinals[at] == ordinal:
                found[term] = weights[at]
        return sum(found[term] for term in sorted(found)) if self._fits(found) else 0.0

    def _fits(self, found: Mapping[str, float]) -> bool:
        evidence = [self.evidence.get(term, 0.0) for term in found]
        if _NAME in evidence or any(parts <= found.keys() for parts in self.names):
            return True
        share = sum(self.weights.get(term, 0.0) for term in found) / self.everything
        return (sum(evidence) >= _ENOUGH and share >= COVERED) or share >= MOSTLY


def _parts(name: str) -> frozenset[str]:
    """The terms of a name of several parts, its whole left out."""
    parts = frozenset(words.words(name)) - {name.lower()}
    return parts if len(parts) > 1 else frozenset()


def _evidence(term: str, named: bool, count: int, size: int) -> float:
    """What it says about a memory that it holds *term*, as *count* of *size* memories do; *named*: it is a name."""
    if _is_common(term):
        return 0.0
    if named and count <= max(_MANY, _RARE * size):
        return _NAME
    return _TELLING if count <= max(_FEW, _RARE * size) else _OFTEN


def _is_common(term: str) -> bool:
    return term in COMMON or (term.isdigit() and len(term) < 3) or (len(term) < 2 and term.isascii())
