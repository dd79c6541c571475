"""The check of a file against a table of keys: the values that are right, and every one that is wrong by its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from curator.core import document, rawtext, schema
from curator.core.document import Node, Scalar
from curator.core.schema import Key, Kind
from curator.model import SCHEMA, Evidence, Fault, Level

_YES = frozenset({"true", "yes", "on"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a value, at a 1-based line."""

    line: int
    message: str
    hint: str = ""
    kind: Fault = Fault.INVALID


@dataclass(slots=True)
class Check:
    """One walk over a file, noting what is wrong. *trail* names the groups around the present key.

    *closed* says why a file takes no other keys.
    """

    closed: str = ""
    problems: list[Problem] = field(default_factory=list)
    trail: str = ""

    def values(self, tree: document.Mapping, keys: tuple[Key, ...], trail: str = "") -> dict[str, Any]:
        """The values that are present and right, by key."""
        outer, self.trail = self.trail, self.trail + trail
        known = {key.name: key for key in keys}
        found: dict[str, Any] = {}
        for name, node in tree.pairs:
            key = known.get(name.text)
            if key is None:
                self.unknown(name, known)
            else:
                found[name.text] = _READ[key.kind](self, node, key)
        for key in keys:
            if key.required and key.name not in found:
                self.wrong(tree, key, "is missing", f"add `{key.name}:`")
        self.trail = outer
        return {name: value for name, value in found.items() if value is not None}

    def wrong(self, node: Node, key: Key, message: str, hint: str = "", kind: Fault = Fault.INVALID) -> None:
        self.problems.append(Problem(node.line, f"`{self.trail}{key.name}` {message}", hint, kind))

    def must(self, node: Node, key: Key, wanted: str, hint: str = "") -> None:
        self.wrong(node, key, f"must be {wanted}, not {_form(node)}", hint)

    def unknown(self, name: Scalar, known: Iterable[str]) -> None:
        near = nearest(name.text, known)
        others = "; ".join(filter(None, (f"known keys: {', '.join(known)}", self.closed)))
        hint = f"did you mean `{near}`?" if near else others
        self.problems.append(Problem(name.line, f"unknown key {rawtext.shown(self.trail + name.text)}", hint))

    def text(self, node: Node, key: Key, *, loose: bool = False) -> str | None:
        """The text of a scalar. Unless *loose*, one that YAML takes for something else wants quotes."""
        if not isinstance(node, Scalar):
            self.must(node, key, "text")
        elif node.plain_type == "null" and not node.text:
            self.wrong(node, key, "has no value", _cut(node) or "write one, or delete the line")
        elif node.plain_type and not loose:
            message = f"must be text, but YAML reads {rawtext.shown(node.text)} as {node.plain_type}"
            self.wrong(node, key, message, "quote it")
        else:
            return node.text
        return None

    def line(self, node: Node, key: Key, *, loose: bool = False) -> str | None:
        """Text of one line. A ``#`` right before a word was hardly meant to start a comment."""
        text = self.text(node, key, loose=loose)
        if text is None or not isinstance(node, Scalar):
            return None
        if "\n" in text or "\r" in text:
            self.must(node, key, "one line")
            return None
        if node.comment and node.comment[0] not in " \t#":
            self.wrong(node, key, "ends where a comment starts", _cut(node), Fault.SUSPECT)
        return text

    def like(self, node: Node, key: Key, pattern: re.Pattern[str], wanted: str, *, loose: bool = True) -> str | None:
        """Text that a pattern matches in full."""
        if not isinstance(node, Scalar):
            self.must(node, key, wanted)
            return None
        text = self.line(node, key, loose=loose)
        if text is None or pattern.fullmatch(text):
            return text
        self.must(node, key, wanted)
        return None

    def items(self, node: Node, key: Key) -> tuple[Node, ...]:
        if not isinstance(node, document.Sequence):
            self.must(node, key, "a list", "one item a line: `  - item`")
            return ()
        if key.most and len(node.items) > key.most:
            self.wrong(node, key, f"has {len(node.items)} items, at most {key.most} are allowed")
        return node.items

    def group(self, node: Node, key: Key) -> Any:
        """What *make* builds of a mapping; None when a part of it is wrong."""
        if not isinstance(node, document.Mapping):
            self.must(node, key, "a mapping", f"its keys: {', '.join(inner.name for inner in key.keys)}")
            return None
        before = self.errors
        values = self.values(node, key.keys, f"{key.name}.")
        return key.make(**values) if key.make and self.errors == before else None

    @property
    def errors(self) -> int:
        return sum(problem.kind.level is Level.ERROR for problem in self.problems)


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of *words* that *word* was most likely meant to be, or ""."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    return next(iter(get_close_matches(word, list(words), 1)), "")


def either(choices: tuple[str, ...]) -> str:
    return " or ".join((", ".join(choices[:-1]), choices[-1]))


def _form(node: Node) -> str:
    if isinstance(node, Scalar):
        return rawtext.shown(node.text) if node.text or node.style else "nothing"
    return "a list" if isinstance(node, document.Sequence) else "a mapping"


def _cut(node: Scalar) -> str:
    if not node.comment:
        return ""
    return f"{rawtext.shown('#' + node.comment)} is a comment: quote the whole value if it belongs to it"


def _version(check: Check, node: Node, key: Key) -> int | None:
    text = check.like(node, key, schema.WHOLE, str(SCHEMA))
    if text and int(text) > SCHEMA:
        message = f"is {text}, and this curator knows {SCHEMA}: the file is left alone"
        check.wrong(node, key, message, "update curator", Fault.NEWER)
    elif text and int(text) != SCHEMA:
        check.must(node, key, str(SCHEMA))
    return SCHEMA


def _formed(check: Check, node: Node, key: Key) -> str | None:
    pattern, wanted = schema.FORMS[key.kind]
    text = check.like(node, key, pattern, wanted, loose=key.kind in {Kind.DATE, Kind.MOMENT})
    if text in schema.DEVICES and key.kind in {Kind.NAME, Kind.NAMES}:
        check.wrong(node, key, f"is {rawtext.shown(text)}, a device on Windows", "choose another name")
    if text and key.kind in {Kind.DATE, Kind.MOMENT} and not _exists(text):
        check.wrong(node, key, f"is no day of the calendar: {rawtext.shown(text)}")
    return text


def _exists(moment: str) -> bool:
    from datetime import datetime  # noqa: PLC0415 - 2 ms: pay only when a file is read

    try:
        return bool(datetime.fromisoformat(moment))
    except ValueError:
        return False


def _prose(check: Check, node: Node, key: Key) -> str | None:
    text = check.text(node, key)
    if text is None or not isinstance(node, Scalar):
        return None
    text = text.rstrip("\n")
    if key.most and len(text) > key.most:
        check.wrong(node, key, f"has {len(text):,} characters, at most {key.most:,} are allowed", "shorten it")
    elif len(text.strip()) < key.least:
        check.wrong(node, key, "is empty", "write a sentence")
    if node.comment:
        check.wrong(node, key, "ends where a comment starts", _cut(node), Fault.SUSPECT)
    return text


def _hash(check: Check, node: Node, key: Key) -> str | None:
    return check.like(node, key, schema.digits(key.least, key.most, "|"), f"{_range(key)} hex digits")


def _range(key: Key) -> str:
    return str(key.least) if key.least == key.most else f"{key.least} to {key.most:,}"


def _terms(check: Check, node: Node, key: Key) -> tuple[Evidence, ...] | None:
    if not isinstance(node, document.Mapping):
        check.must(node, key, "a mapping", "write `term: [def, '3fa1']`")
        return None
    return tuple(_evidence(check, name.text, hashes, key) for name, hashes in node.pairs)


def _evidence(check: Check, term: str, node: Node, key: Key) -> Evidence:
    if not isinstance(node, document.Sequence):
        check.must(node, key, "a list for each term", "write `term: [def, '3fa1']`")
        return Evidence(term)
    pattern = schema.digits(key.least, key.most, "|def")
    marks = [check.like(item, key, pattern, "`def` or 4 hex digits") for item in node.items]
    return Evidence(term, tuple(mark for mark in marks if mark and mark != "def"), "def" in marks)


def _choice(check: Check, node: Node, key: Key) -> str | None:
    text = check.line(node, key, loose=True)
    if text is None or text in key.choices:
        return text
    near = nearest(text, key.choices)
    check.must(node, key, either(key.choices), f"did you mean `{near}`?" if near else "")
    return None


def _number(check: Check, node: Node, key: Key) -> float | None:
    whole = key.kind is Kind.COUNT
    wanted = f"a {'whole ' if whole else ''}number from {_range(key)}"
    text = check.like(node, key, schema.WHOLE if whole else schema.DECIMAL, wanted)
    if text is None:
        return None
    value = int(text) if whole else float(text)
    if key.least <= value <= key.most:
        return value
    check.must(node, key, wanted)
    return None


def _flag(check: Check, node: Node, key: Key) -> bool | None:
    if isinstance(node, Scalar) and node.plain_type == "bool":
        return node.text.lower() in _YES
    check.must(node, key, "true or false")
    return None


def _table(check: Check, node: Node, key: Key) -> dict[str, int] | None:
    if not isinstance(node, document.Mapping):
        check.must(node, key, "a mapping of categories", "write `convention: 400`")
        return None
    good = [
        name.text for name, _ in node.pairs if re.fullmatch(schema.NAME, name.text) and name.text not in schema.DEVICES
    ]
    names = tuple(Key(name, Kind.COUNT, least=key.least, most=key.most) for name in good)
    return check.values(node, names, f"{key.name}.")


def _token(check: Check, node: Node, key: Key) -> str | None:
    return check.line(node, key, loose=True)


def _each(read: Callable[[Check, Node, Key], Any]) -> Callable[[Check, Node, Key], tuple[Any, ...]]:
    def listed(check: Check, node: Node, key: Key) -> tuple[Any, ...]:
        values = [read(check, item, key) for item in check.items(node, key)]
        return tuple(value for value in values if value is not None)

    return listed


_READ: dict[Kind, Callable[[Check, Node, Key], Any]] = {
    Kind.VERSION: _version,
    **dict.fromkeys((Kind.NAME, Kind.FILE, Kind.PREFIX, Kind.DATE, Kind.MOMENT), _formed),
    **dict.fromkeys((Kind.PROSE, Kind.REMARK), _prose),
    **dict.fromkeys((Kind.HASH, Kind.MARK), _hash),
    **dict.fromkeys((Kind.COUNT, Kind.NUMBER), _number),
    Kind.LINE: Check.line,
    Kind.TOKEN: _token,
    Kind.LINES: _each(Check.line),
    Kind.NAMES: _each(_formed),
    Kind.TERMS: _terms,
    Kind.CHOICE: _choice,
    Kind.FLAG: _flag,
    Kind.TABLE: _table,
    Kind.GROUP: Check.group,
    Kind.GROUPS: _each(Check.group),
}
