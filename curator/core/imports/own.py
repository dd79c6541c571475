"""What curator itself exported: its JSON, of which every part is taken as it is, and its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from curator.core import bullet, exported
from curator.core.imports import item
from curator.core.imports.item import Document, Item
from curator.model import CATEGORIES, SCHEMA, Source

_NEWER = "its store has a newer one"


def is_export(value: object) -> bool:
    """Whether a value of JSON is what `curator export --json` prints."""
    return isinstance(value, dict) and set(value) == {"schema", "entries"} and value["schema"] == SCHEMA


def read(value: Mapping[str, Any], name: str) -> Iterator[Item]:
    """The memories of an export; those that have ended are left."""
    entries = value["entries"] if isinstance(value["entries"], list) else []
    told = [(one if isinstance(one, dict) else {}, f"{name}#{number}") for number, one in enumerate(entries, 1)]
    heirs = {old: _text(one, "id") for one, _ in told for old in _texts(one, "supersedes")}
    for one, where in told:
        newer = heirs.get(_text(one, "id"), "")
        yield _memory(one, where, _NEWER if newer and newer != _text(one, "id") else "")


def _memory(one: Mapping[str, Any], where: str, left: str) -> Item:
    origin = one["origin"] if isinstance(one.get("origin"), dict) else {}
    left = left or ("its store says that it is retired" if one.get("retired") else "")
    return Item(
        text=_text(one, "text").strip(),
        where=where,
        kind=_text(one, "category"),
        why=_text(one, "why"),
        importance=item.number(one.get("importance")),
        tags=_texts(one, "tags"),
        triggers=_texts(one, "triggers"),
        sources=tuple(_sources(one.get("sources"))),
        folders=tuple(filter(None, [_text(one, "scope")])),
        task=" ".join(_text(one, "task").split()),
        created=item.moment(origin.get("created")),
        seen=item.count(one.get("seen")),
        ends=item.moment(one.get("expires")),
        review=item.moment(one.get("review_by"))[:10],
        own=True,
        left=left or ("" if _text(one, "text").strip() else "it holds no text"),
    )


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _texts(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts, each once and on one line."""
    value = record.get(name)
    held = (" ".join(one.split()) for one in value if isinstance(one, str)) if isinstance(value, list) else ()
    return tuple(dict.fromkeys(one for one in held if one))[: item.MOST]


def _sources(value: object) -> Iterator[Source]:
    for one in value[: item.MOST] if isinstance(value, list) else ():
        if isinstance(one, dict) and _text(one, "path"):
            yield Source(_text(one, "path"), _text(one, "symbol"), _text(one, "text"), _text(one, "absent"))


# --- The page -----------------------------------------------------------------------------------------------------

_LINE = re.compile(r"(?:## \S|- \S|  \S|[ \t]*$)")
_FACT = re.compile(r"  - (Why|Scope|Files|Tags|Retired): (.*)")
_CITED = re.compile(r"`([^`]+)`(?: \(`([^`]+)`\))?")
_CATEGORIES = {bullet.title(name): name for name in CATEGORIES}


def is_page(text: str) -> bool:
    """Whether a text is what `curator export --markdown` prints, and nothing else."""
    head, *rest = text.lstrip("\ufeff").split("\n")
    first = next((line for line in rest if line.strip()), "")
    return head.rstrip() == exported.TITLE and first.startswith("## ") and all(map(_LINE.match, rest))


def page(document: Document) -> tuple[Item, ...]:
    """The memories of such a page."""
    return tuple(_items(document))


def _items(document: Document) -> Iterator[Item]:
    category = ""
    begun: list[str] = []
    first = 0
    for number, line in enumerate([*document.text.replace("\r\n", "\n").split("\n"), "## end"], 1):
        if line.startswith(("## ", "- ")) and begun:
            yield _listed(begun, category, f"{document.path}:{first}", document.changed)
            begun = []
        if line.startswith("## "):
            category = _CATEGORIES.get(line[3:].strip()) or line[3:].strip().lower().replace(" ", "-").removesuffix("s")
        elif line.startswith("- "):
            begun, first = [line], number
        elif begun:
            begun.append(line)


def _listed(lines: list[str], category: str, where: str, changed: str) -> Item:
    facts: dict[str, str] = {}
    while lines and (not lines[-1].strip() or (_FACT.fullmatch(lines[-1]) and lines[1:])):
        fact = _FACT.fullmatch(lines.pop())
        if fact:
            facts[fact[1]] = fact[2]
    cited = _CITED.findall(facts.get("Files", ""))[: item.MOST]
    return Item(
        text="\n".join(line[2:] for line in lines).strip(),
        where=where,
        kind=category,
        why=facts.get("Why", ""),
        tags=item.words(facts.get("Tags", "")),
        sources=tuple(Source(path, symbol) for path, symbol in cited),
        folders=tuple(filter(None, [facts.get("Scope", "").strip("`")])),
        created=changed,
        own=True,
        left="its store says that it is retired" if "Retired" in facts else "",
    )
