"""The short form that `curator add` opens in an editor, and what a person made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curator.core import document, harvest
from curator.errors import CuratorError
from curator.model import Source
from curator.outcome import Draft

_BLANK = """\
# A new memory. Save and close to add it; leave the text empty to drop it.
# One of: {categories}
category: {category}
# What the agent reads, one sentence a line.
text: |
  

# The reason; not rendered, shown by recall and review.
why: |
  

# What the next session loses by missing it, 1-10.
importance: 5
# Two to five words to find it by, and words people really type (error texts).
tags: []
triggers: []
# Files it is about: PATH or PATH#symbol. Or a line with `{{path: PATH, text: 'a line of it'}}`, or with `absent: TERM`
# for what the file must not hold. What the text itself names is proposed anyway.
sources: []
# A path prefix, when it applies to a part of the repository only.
scope: ''
"""
_LISTS = ("tags", "triggers")
_ANCHORS = ("path", "symbol", "text", "absent")
_TEXTS = ("category", "text", "why", "importance", "scope")


def blank(categories: Sequence[str], category: str) -> str:
    """The empty form."""
    return _BLANK.format(categories=", ".join(categories), category=category)


def read(text: str, where: str = "the form") -> Draft | None:
    """What the form says; None when its text was left empty.

    Raises CuratorError with the line of what cannot be read.
    """
    form = document.read(text.encode("utf-8", "surrogateescape"), where)
    unknown = next((key for key, _ in form.pairs if key.text not in (*_LISTS, *_TEXTS, "sources")), None)
    if unknown:
        known = ", ".join(sorted((*_LISTS, *_TEXTS, "sources")))
        raise CuratorError(f"unknown key {unknown.text!r}", where=f"{where}:{unknown.line}", hint=f"keys are: {known}")
    told = {name: _text(form, name, where) for name in _TEXTS}
    lists = {name: _list(form, name, where) for name in _LISTS}
    if not told["text"].strip():
        return None
    return Draft(
        text=told["text"],
        category=told["category"],
        why=told["why"],
        importance=_whole(told["importance"] or "5", f"{where}:{form.line_of('importance')}"),
        tags=lists["tags"],
        triggers=lists["triggers"],
        sources=tuple(_source(item, where) for item in _items(form, "sources")),
        scope=told["scope"],
    )


def _text(form: document.Mapping, name: str, where: str) -> str:
    pair = form.find(name)
    if pair is None:
        return ""
    if not isinstance(pair[1], document.Scalar):
        raise CuratorError(f"{name}: one text is expected", where=f"{where}:{pair[0].line}")
    return pair[1].text


def _source(item: document.Node, where: str) -> Source:
    """A source as a text, or as a group of its keys."""
    if isinstance(item, document.Scalar):
        return harvest.source(item.text)
    at = f"{where}:{item.line}"
    if not isinstance(item, document.Mapping) or item.find("path") is None:
        raise CuratorError("sources: a path, or a group with a `path` is expected", where=at)
    unknown = next((key.text for key, _ in item.pairs if key.text not in _ANCHORS), "")
    if unknown:
        raise CuratorError(f"unknown key {unknown!r}", where=at, hint=f"keys of a source are: {', '.join(_ANCHORS)}")
    told = {name: " ".join(_text(item, name, where).split()) for name in _ANCHORS}
    named = harvest.source(f"{told['path']}#{told['symbol']}")
    return replace(named, text=told["text"], absent=told["absent"])


def _items(form: document.Mapping, name: str) -> tuple[document.Node, ...]:
    pair = form.find(name)
    if pair is None or (isinstance(pair[1], document.Scalar) and not pair[1].text):
        return ()
    return tuple(pair[1].items) if isinstance(pair[1], document.Sequence) else (pair[1],)


def _list(form: document.Mapping, name: str, where: str) -> tuple[str, ...]:
    pair = form.find(name)
    items = _items(form, name)
    if pair is None or not items:
        return ()
    if not all(isinstance(item, document.Scalar) for item in items):
        raise CuratorError(f"{name}: a list of texts is expected", where=f"{where}:{pair[0].line}")
    return tuple(item.text for item in items if isinstance(item, document.Scalar))


def _whole(text: str, where: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:3]) <= 10:
        raise CuratorError("importance: a whole number from 1 to 10 is expected", where=where)
    return int(text)
