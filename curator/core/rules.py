"""Statements of a hand-written rules file: which of its lines are one rule, whole and understood alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from curator.core import block, inline, listing, markdown, phrase
from curator.core.listing import LIMIT, Headings, Piece
from curator.core.markdown import Block, Kind
from curator.outcome import Statement

PROSE = 600
"""Characters of a paragraph without structure, at most."""
FOREIGN = "another tool keeps this part"
"""Why a region between the comments of another tool stays as it is."""
_CODE = (Kind.FENCE, Kind.CODE)
_LISTS = (Kind.LIST, Kind.TABLE)


@dataclass(frozen=True, slots=True)
class Region:
    """Lines that a tool writes between two comments. *name* is empty for curator's own block."""

    first: int
    last: int
    name: str = ""

    def holds(self, one: Block) -> bool:
        return self.first <= one.first <= self.last


def statements(text: str, where: str = "CLAUDE.md") -> tuple[Statement, ...]:
    """All statements of *text*, in order, those that have to stay (`kept`) among them.

    Each has lines of its own. CuratorError when the markers of the memory block are broken.
    """
    blocks = markdown.parse(text)
    kept = _regions(text, blocks, where)
    found = [_headed(piece) for headings, run in _sections(blocks, kept) for piece in _joined(run, headings)]
    others = [Statement(region.name, region.first, region.last, (), FOREIGN) for region in kept if region.name]
    return tuple(sorted((_measured(one) for one in (*found, *others)), key=lambda one: one.first))


def regions(text: str, where: str = "CLAUDE.md") -> tuple[Region, ...]:
    """The lines of *text* that a tool keeps, curator's own block among them."""
    return _regions(text, markdown.parse(text), where)


_EDGE = re.compile(r"(?<![A-Za-z])(?:(?P<begin>begin|start)|(?P<end>end|stop|finish))(?![A-Za-z])", re.I)
_OWN = "agent memory"


def _regions(text: str, blocks: Sequence[Block], where: str) -> tuple[Region, ...]:
    """Tools mark what they write by a pair of comments with one name, such as "BEGIN x" and "END x"."""
    found: list[Region] = []
    if block.present(text):
        span = block.find(text, where)
        found.append(Region(span.start + 1, span.end + 1))
    begun: dict[str, int] = {}
    for one in blocks:
        edge = _EDGE.search(one.text) if one.kind is Kind.HTML and one.text.lstrip().startswith("<!--") else None
        if edge is None:
            continue
        name = " ".join(re.sub(r"[\W_]+", " ", _EDGE.sub("", one.text, count=1)).split()).lower()
        if edge["begin"]:
            begun.setdefault(name, one.first)
        elif name in begun and name != _OWN:
            found.append(Region(begun.pop(name), one.last, name))
    return tuple(sorted(found, key=lambda region: region.first))


def _sections(blocks: Sequence[Block], kept: Sequence[Region]) -> Iterator[tuple[Headings, list[Block]]]:
    """The blocks under each heading, and the way to it. The title of the page is left out."""
    tops = [one for one in blocks if one.kind is Kind.HEADING and one.level == 1]
    page = tops[0] if len(tops) == 1 else None
    path: list[tuple[int, str]] = []
    run: list[Block] = []
    for one, after in markdown.followed(blocks):
        depth = _depth(one, after)
        foreign = any(region.holds(one) for region in kept)
        if depth is None and not foreign:
            run.append(one)
            continue
        yield tuple(name for _, name in path), run
        run = []
        if depth is not None and not foreign:
            path = [step for step in path if step[0] < depth]
            path.extend([(depth, _title(one, path))] if one is not page else [])
    yield tuple(name for _, name in path), run


def _title(one: Block, path: Sequence[tuple[int, str]]) -> str:
    """A heading's words; the number stays where it counts the steps of what its parent tells."""
    return inline.numbered_title(one.text) if path and phrase.steps(path[-1][1]) else inline.title(one.text)


def _depth(one: Block, after: Block | None) -> int | None:
    """The level of a heading; 7 for a name in bold that stands over paragraphs."""
    if one.kind is Kind.HEADING:
        return one.level
    leads = after is not None and after.kind not in (Kind.PARAGRAPH, Kind.QUOTE)
    return None if leads or not is_name(one) else 7


_BOLD = re.compile(r"(\*\*|__)(?P<inside>(?:(?!\1).)+)\1:?$")


def is_name(one: Block) -> bool:
    """A paragraph used as a heading: one line all in bold that is no sentence."""
    if one.kind is not Kind.PARAGRAPH or "\n" in one.text or len(one.text) > 80:
        return False
    bold = _BOLD.match(one.text.strip())
    if bold is None or bold["inside"].rstrip(":").endswith((".", "!", "?")):
        return False
    return one.text.rstrip("*_").endswith(":") or not phrase.orders(bold["inside"])


def _pieces(run: Sequence[Block], headings: Headings) -> list[Piece]:
    pieces: list[Piece] = []
    here = 0
    while here < len(run):
        made, used = _piece(run[here], run[here + 1] if here + 1 < len(run) else None, headings)
        pieces.extend(made)
        here += used
    return pieces


def _piece(one: Block, after: Block | None, headings: Headings) -> tuple[list[Piece], int]:
    """The statements of a block, and how many blocks they took."""
    if one.kind is Kind.PARAGRAPH:
        return _paragraph(one, after, headings)
    if one.kind in _LISTS:
        made = listing.pieces(listing.items(one), one, "", headings)
        if after is not None and after.kind in _CODE and made and made[-1].text.endswith(":"):
            return [*made[:-1], *_with_code(made[-1], after)], 2
        return made, 1
    if one.kind in _CODE and re.search(r"\w", one.text.partition("\n")[2] or one.text):
        return [Piece(listing.code(one), one.first, one.last, headings)], 1
    if one.kind is Kind.QUOTE:
        return _pieces(one.children, headings), 1
    if listing.hidden(one):
        return [Piece(one.text, one.first, one.last, headings, kept="it stands inside HTML tags")], 1
    return [], 1


_DEFINITIONS = re.compile(r"(?:\[[^\]\n]+\]:[ \t]*\S+[^\n]*(?:\n|$))+")


def _paragraph(one: Block, after: Block | None, headings: Headings) -> tuple[list[Piece], int]:
    text = f"{inline.title(one.text)}:" if is_name(one) else inline.flow(one.text)
    if not re.search(r"\w", text) or _DEFINITIONS.fullmatch(one.text):
        return [], 1
    piece = Piece(text, one.first, one.last, headings)
    if after is None:
        return [_ended(piece)], 1
    if after.kind in _CODE:
        return _with_code(piece, after), 2
    if after.kind in _LISTS and _leads(piece, after):
        return _with_list(piece, after), 2
    if after.kind is Kind.PARAGRAPH and text.endswith(":") and not is_name(after):
        more = inline.flow(after.text)
        if len(text) + len(more) < PROSE and not more.endswith(":"):
            return [replace(piece, text=f"{text} {more}", last=after.last)], 2
    return [_ended(piece)], 1


def _leads(piece: Piece, after: Block) -> bool:
    """A paragraph that ends in a colon, or stands right on a list of fragments, belongs to the list."""
    if piece.text.rstrip("*_").endswith(":"):
        return True
    items = listing.items(after)
    return after.first == piece.last + 1 and 2 * sum(phrase.alone(item.text) for item in items) <= len(items)


def _with_list(lead: Piece, after: Block) -> list[Piece]:
    """A list with its lead; where each item stands by itself, what the lead says before its last sentence does too."""
    made = listing.pieces(listing.items(after), after, lead.text, lead.headings)
    if len(made) == 1 and made[0].text.startswith(lead.text.rstrip(":")):
        return [replace(made[0], first=lead.first)]
    said = phrase.sentences(lead.text)[:-1]
    return [replace(lead, text=" ".join(said)), *made] if said else made


def _with_code(piece: Piece, after: Block) -> list[Piece]:
    text = f"{piece.text}\n{listing.code(after)}"
    if len(text) <= LIMIT or piece.text.endswith(":"):
        return [replace(piece, text=text, last=after.last)]
    return [piece, Piece(listing.code(after), after.first, after.last, piece.headings)]


def _ended(piece: Piece) -> Piece:
    """Without a last sentence that leads to nothing of its own, such as "Follow these rules:" before a heading."""
    if not piece.text.endswith(":"):
        return piece
    *said, last = phrase.sentences(piece.text)
    points = phrase.onward(last) or phrase.conditional(last) or re.search(r"\bth(?:is|ese)\b", last[-60:])
    if phrase.alone(last) and not points:
        return replace(piece, text=f"{piece.text[:-1]}.")
    return replace(piece, text=" ".join(said)) if said else replace(piece, kept="it only leads to what follows it")


def _joined(run: Sequence[Block], headings: Headings) -> list[Piece]:
    """The pieces of a section; one that points back goes to the one before it, if nothing stands between them."""
    joined: list[Piece] = []
    for piece in _pieces(run, headings):
        before = joined[-1] if joined else None
        apart = before is not None and any(before.last < one.first < piece.first for one in run)
        if before and not apart and _points_back(piece, before):
            stop = "" if before.text.endswith((".", "!", "?", ":", ";", ",")) else "."
            glue = "\n" if "\n" in before.text or "\n" in piece.text else f"{stop} "
            joined[-1] = replace(before, text=f"{before.text}{glue}{piece.text}", last=piece.last)
        else:
            joined.append(piece)
    return joined


def _points_back(piece: Piece, before: Piece) -> bool:
    opening = piece.text.partition("\n")[0]
    points = phrase.back(opening) or phrase.sample(opening) or (phrase.subjectless(opening) and not piece.listed)
    prose = "\n" not in piece.text and "\n" not in before.text
    size = len(before.text) + len(piece.text) + 1
    return points and not before.kept and not piece.kept and size <= (PROSE if prose else LIMIT - 300)


def _headed(piece: Piece) -> Statement:
    """A piece with its heading before it where it would not be understood, or not rightly, without."""
    text = piece.text
    kept = piece.kept or ("it imports a file where it stands" if inline.imports(text) else "")
    context = phrase.lead(piece.headings)
    if context and not piece.framed and not kept:
        opening = text.partition("\n")[0]
        if text.startswith(("```", "~~~")):
            text = f"{context}:\n{text}"
        elif not inline.title(opening).lower().startswith(context.lower()):
            needed = listing.bound(piece.headings, piece) or not phrase.alone(opening)
            text = f"{context}: {text}" if needed else text
    return Statement(phrase.opened(text), piece.first, piece.last, piece.headings, kept)


def _measured(one: Statement) -> Statement:
    """Say of a statement that is too long that it stays."""
    if one.kept:
        return one
    if len(one.text) > LIMIT:
        return replace(one, kept=f"{len(one.text):,} characters; a memory holds {LIMIT:,}")
    if "\n" not in one.text and len(one.text) > PROSE:
        return replace(one, kept=f"a paragraph of {len(one.text):,} characters: cut it into rules first")
    return one
