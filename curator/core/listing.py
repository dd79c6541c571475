"""Lists and tables of a rules file: when one reads as a whole, and what each of its items says by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from curator.core import inline, markdown, phrase
from curator.core.markdown import Block, Kind

Headings = tuple[str, ...]

LIMIT = 1200
"""Characters of an entry's text, at most."""
TOGETHER = 600
"""Characters of a list that is kept as one statement although its items are sentences, at most."""
_PART = 900
"""Characters of one part of a glossary that is too long, about."""
_MEANING = 110
"""Characters of a glossary's item, on average at most: with more, each is a statement of its own."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement in the making.

    *framed*: its text names its subject, so no heading is put before it. *listed*: it is an item of a list. *kept*:
    why it has to stay in the file.
    """

    text: str
    first: int
    last: int
    headings: Headings
    framed: bool = False
    listed: bool = False
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A list item or a table row: all its text. *lead* and *nested* are its first paragraph and its only list.

    *box* is the blank or the x of a box to tick.
    """

    text: str
    first: int
    last: int
    number: int = -1
    lead: str = ""
    nested: Block | None = None
    box: str = ""
    kept: str = ""


def items(around: Block) -> list[Item]:
    """The items of a list, or the rows of a table."""
    if around.kind is Kind.TABLE:
        return _rows(around)
    made = [_item(child) for child in around.children]
    begun = any(item.box in ("x", "X") for item in made)
    return [replace(item, text=f"To do: {item.text}") if begun and item.box == " " else item for item in made]


def pieces(parts: Sequence[Item], around: Block, lead: str, headings: Headings) -> list[Piece]:
    """A list as one statement where it reads as one, else a statement for each item.

    *lead* is the paragraph that leads to it, or empty: then its heading does.
    """
    parts = [item for item in parts if re.search(r"\w", item.text)]
    if not parts or _contents(parts):
        return []
    if len(parts) == 1:
        return _split(parts[0], lead, headings)
    body = "\n".join(line for item in parts for line in _marked(item))
    whole = _under(lead or phrase.lead(headings), _columns(around), body)
    if len(whole) <= LIMIT and _reads_as_one(parts, body, lead, headings):
        told = phrase.alone(lead) or len(lead.split()) > 2
        framed = not lead or (told and not phrase.stepped(headings))
        return [Piece(whole, _first(parts, around), parts[-1].last, headings, framed, kept=_kept(parts))]
    if _glossary(parts) and len(body) <= _MEANING * len(parts):
        return [piece for some in _cut(parts, len(body)) for piece in pieces(some, around, lead, headings)]
    if parts[0].number >= 0 and _procedure(parts, lead, headings):
        kept = "a procedure that is too long for one memory"
        return [Piece(whole, around.first, around.last, headings, True, kept=kept)]
    return [piece for item in parts for piece in _split(item, lead, headings)]


def code(one: Block) -> str:
    """A code block with both its fences."""
    if one.kind is Kind.CODE:
        run = max(["``", *re.findall(r"`{3,}", one.text)], key=len) + "`"
        return f"{run}\n{one.text}\n{run}"
    return one.text if one.level else f"{one.text}\n{one.marker}"


def hidden(one: Block) -> bool:
    """Raw HTML with words in it, other than a comment: what a page would show of it is not what stands there."""
    if one.kind is not Kind.HTML:
        return any(hidden(child) for child in one.children)
    return bool(re.search(r"\w", re.sub(r"<!--.*?(?:-->|$)|<[^>]*>", "", one.text, flags=re.S)))


def bound(headings: Headings, piece: Piece) -> bool:
    """Without its *headings* it would say something else: it holds only there, or the nearest forbids it."""
    opening = piece.text.partition("\n")[0]
    if phrase.binding(headings):
        return not phrase.conditional(opening)
    if phrase.task(headings, opening):
        return True
    return bool(headings) and piece.listed and phrase.negative(headings[-1]) and not phrase.denies(opening)


def _rows(table: Block) -> list[Item]:
    """The rows of a table, each as its cells joined by dashes."""
    rows = table.text.split("\n")[2:]
    filled = ([cell for cell in map(inline.flow, markdown.cells(row)) if not _NOTHING.fullmatch(cell)] for row in rows)
    texts = (" - ".join(cells) for cells in filled)
    return [Item(text, line, line) for line, text in enumerate(texts, table.first + 2) if text]


_BOX = re.compile(r"\[([ xX])\]\s+")
_NOTHING = re.compile(r"[-\u2013\u2014]*|n/?a", re.I)


def _item(one: Block) -> Item:
    children = [child for child in one.children if child.kind is not Kind.HTML]
    lead = inline.flow(children[0].text) if children and children[0].kind is Kind.PARAGRAPH else ""
    nested = children[1] if lead and len(children) == 2 and children[1].kind is Kind.LIST else None
    text = "\n".join(_lines(children))
    box = _BOX.match(text)
    text, mark = (text[box.end() :], box[1]) if box else (text, "")
    kept = "it is done" if mark in ("x", "X") else "it stands inside HTML tags" if hidden(one) else ""
    return Item(text, one.first, one.last, one.level, lead, nested, mark, kept)


def _lines(blocks: Sequence[Block]) -> list[str]:
    """The reading text of an item's blocks: paragraphs flow into each other, lists and code keep lines of their own."""
    out: list[str] = []
    flowing = False
    for one in blocks:
        if one.kind in (Kind.PARAGRAPH, Kind.HEADING):
            before = f"{out.pop()} " if flowing else ""
            out.append(f"{before}{inline.flow(one.text)}")
        elif one.kind in (Kind.LIST, Kind.TABLE):
            out.extend(line for item in items(one) for line in _marked(item))
        elif one.kind in (Kind.FENCE, Kind.CODE):
            out.extend(code(one).split("\n"))
        else:
            out.extend(_lines(one.children))
        flowing = one.kind is Kind.PARAGRAPH
    return out


def _marked(item: Item) -> list[str]:
    """An item's lines with its mark before the first and the others indented below it."""
    mark = f"{item.number}. " if item.number >= 0 else "- "
    first, *more = item.text.split("\n")
    return [f"{mark}{first}", *(f"{' ' * len(mark)}{line}" if line else "" for line in more)]


def _under(context: str, columns: str, body: str) -> str:
    """A list below its lead, which ends in a colon unless it is a sentence."""
    stop = "" if context.endswith((".", "!", "?")) else ":"
    return f"{context.rstrip(':')}{columns}{stop}\n{body}" if context else body


def _columns(around: Block) -> str:
    """The names of a table's columns where there are more than two, as the lead shows them."""
    names = markdown.cells(around.text.partition("\n")[0]) if around.kind is Kind.TABLE else ()
    return f" ({' - '.join(name for name in names if name)})" if len(names) > 2 else ""


def _first(parts: Sequence[Item], around: Block) -> int:
    """The line a list begins on: the head of a table goes with its first row."""
    return around.first if parts[0].first <= around.first + 2 else parts[0].first


def _kept(parts: Sequence[Item]) -> str:
    return next((item.kept for item in parts if item.kept), "")


def _contents(parts: Sequence[Item]) -> bool:
    """A table of contents: nothing but links into the page itself."""
    return all(re.fullmatch(r"(?:[-*\d.\s]*\[[^\n]*\]\(#[^)\n]*\)\s*)+", item.text) for item in parts)


def _cut(parts: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """A list that is too long, in parts of about the same number of items."""
    each = -(-len(parts) // max(2, -(-size // _PART)))
    return [parts[start : start + each] for start in range(0, len(parts), each)]


def _reads_as_one(parts: Sequence[Item], body: str, lead: str, headings: Headings) -> bool:
    """A glossary, a procedure, a few points under a lead, or fragments of a sentence."""
    size = len(parts)
    if any(item.box for item in parts):
        return all(item.box == " " for item in parts) and not any(item.text.startswith("To do: ") for item in parts)
    if _glossary(parts):
        return len(body) <= max(TOGETHER, _MEANING * size)
    short = len(body) <= TOGETHER
    if parts[0].number >= 0:
        return not _numbered_rules(parts) or _procedure(parts, lead, headings) or bool(lead and short)
    if lead:
        return short and not phrase.generic(lead)
    tasks = sum(phrase.task(headings, item.text) for item in parts)
    if short and (phrase.binding(headings) or 2 * tasks > size):
        return True
    named = sum(phrase.label(item.text) for item in parts) >= 0.7 * size and len(body) <= 400
    return named or (short and 2 * sum(phrase.alone(item.text) for item in parts) <= size)


def _glossary(parts: Sequence[Item]) -> bool:
    return sum(phrase.term(item.text) for item in parts) >= 0.6 * len(parts)


def _numbered_rules(parts: Sequence[Item]) -> bool:
    """Rules that are numbered, no steps: most begin with a name in bold, or forbid or demand something."""
    strong = sum(item.text.startswith(("**", "__")) or phrase.demands(item.text) for item in parts)
    return strong >= 0.6 * len(parts)


def _procedure(parts: Sequence[Item], lead: str, headings: Headings) -> bool:
    near = f"{lead[-120:]} {headings[-1] if headings else ''}"
    return phrase.steps(near) or not _numbered_rules(parts)


def _split(item: Item, lead: str, headings: Headings) -> list[Piece]:
    """One item by itself, or its parts where it is too long and holds a list."""
    opens = item.lead.rstrip("*_").endswith(":")
    if item.nested is None or len(item.text) <= (LIMIT if opens else TOGETHER):
        piece = Piece(item.text, item.first, item.last, headings, listed=True, kept=item.kept)
        return [_framed(piece, lead)]
    inner = items(item.nested)
    if opens:
        return pieces(inner, item.nested, item.lead, headings)
    own = Piece(item.lead, item.first, item.nested.first - 1, headings, listed=True, kept=item.kept)
    return [_framed(own, lead), *(piece for part in inner for piece in _split(part, _name(item.lead), headings))]


def _name(lead: str) -> str:
    """What an item is about, for the items below it: its term in bold, or itself where it is short."""
    bold = re.match(r"(\*\*|__)(?P<name>.+?)\1", lead)
    name = bold["name"] if bold else lead
    return f"{name.rstrip(':.')}:" if len(name) <= 80 else ""


def _framed(piece: Piece, lead: str) -> Piece:
    """Put *lead* before an item that needs it: it states a condition, is a name, or begins the item's sentence."""
    last = phrase.sentences(lead)[-1]
    if not last or phrase.generic(last) or phrase.onward(last):
        return piece
    begun = piece.text[:1].islower() and len(last) <= 200
    named = len(last.split()) <= 4 and not (phrase.verbal(last) and phrase.alone(piece.text))
    if begun or (len(last) <= 100 and (named or bound((last,), piece))):
        return replace(piece, text=f"{last} {piece.text}", framed=phrase.alone(last) or phrase.conditional(last))
    return piece
