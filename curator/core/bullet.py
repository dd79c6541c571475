"""How one entry, and the heading above its category, read in the block."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.model import Entry

# Lists, fences, tables and blank lines need lines of their own; sentences make one paragraph.
_STRUCTURE = re.compile(r"[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|```|~~~|\||$)")
_TITLES = {"dead-end": "Dead ends", "route": "Where things live", "todo": "To do"}


def title(category: str) -> str:
    """What a category is called where its entries are listed."""
    return _TITLES.get(category) or f"{category[:1].upper()}{category[1:]}s".replace("-", " ")


def heading(category: str) -> str:
    """The lines that open a category, the blank one before it included."""
    return f"\n### {title(category)}\n"


def item(entry: Entry) -> str:
    """One entry as a Markdown list item, without a final newline."""
    return listed(entry.text)


def listed(text: str) -> str:
    """A statement as a Markdown list item, without a final newline.

    Its sentences are joined to one line; text with structure (fence, list,
    table, blank line) keeps its lines, indented below the bullet.
    """
    first, *more = [line.rstrip(" \t") for line in text.strip("\n").split("\n")]
    if not any(_STRUCTURE.match(line) for line in (first, *more)):
        return "- " + " ".join(line.strip(" \t") for line in (first, *more))
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in more)])
