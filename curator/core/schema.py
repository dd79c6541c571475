"""The shape of a file: its keys, kinds and limits in one table, the check of a file against it, and its JSON Schema.

`ENTRY` is the only place where a key of an entry or its limit stands: codec, cache and editors all go by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import Any

from curator.core import document
from curator.core.document import Node, Scalar
from curator.model import SCHEMA, Config, Entry, Evidence, Fault, Level, Origin, Retired, Source

NAME = "[a-z0-9][a-z0-9-]{0,79}"
"""Ids and categories: one file name on every system, and never an option."""
DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that Windows keeps for itself, whatever the ending (Microsoft, "Naming Files, Paths, and Namespaces")."""

_INSIDE = r"(?![/~]|[A-Za-z]:)(?!(?:.*/)?(?:\.{1,2}|\.[Gg][Ii][Tt])(?:/|$))(?!.*//)[^\\\x00-\x1f\x7f]+"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT = _DATE + r"(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:[Zz]|[-+][0-9]{2}:?[0-9]{2})?)?"
_WHOLE = re.compile("0|[1-9][0-9]{0,8}")
_DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")
_YES = frozenset({"true", "yes", "on"})


class Kind(Enum):
    """How a value is read, checked and written."""

    VERSION = auto()
    NAME = auto()
    PROSE = auto()  # a `|` block, one sentence a line
    REMARK = auto()  # prose that is mostly one line, and then stands beside its key
    LINE = auto()
    TOKEN = auto()  # a line that may be all digits without quotes
    LINES = auto()
    NAMES = auto()
    FILE = auto()
    PREFIX = auto()
    DATE = auto()
    MOMENT = auto()  # a date, or a date with a time
    HASH = auto()
    MARK = auto()  # a short hash: always quoted, too many of them look like numbers
    TERMS = auto()
    CHOICE = auto()
    COUNT = auto()
    NUMBER = auto()
    FLAG = auto()
    TABLE = auto()  # names with a count each, in the file's order
    GROUP = auto()
    GROUPS = auto()

    __hash__ = object.__hash__  # Enum's own is written in Python, and each value of a file asks for it


_TREE = "in the repository, relative, with /, without .. and not in .git"
FORMS = {
    kind: (re.compile(pattern), wanted)
    for kind, pattern, wanted in (
        (Kind.NAME, NAME, "1 to 80 of a-z, 0-9 and -, with no - in front"),
        (Kind.NAMES, NAME, "1 to 80 of a-z, 0-9 and -, with no - in front"),
        (Kind.FILE, rf"(?!.*/$){_INSIDE}", f"a file {_TREE}"),
        (Kind.PREFIX, rf"(?:{_INSIDE})?", f"a folder {_TREE}"),
        (Kind.DATE, f"(?:{_DATE})?", "a date such as '2026-07-31'"),
        (Kind.MOMENT, f"(?:{_MOMENT})?", "a date such as '2026-07-31' or '2026-07-31T09:24:01Z'"),
    )
}
"""What a value of a kind must look like in full, as a pattern and in words."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a file. *least* and *most* bound characters, digits of a hash, items of a list, or the number itself.

    *make* builds the value of a group from its own *keys*; *always*: written even when it holds the default.
    """

    name: str
    kind: Kind
    help: str = ""
    least: int = 0
    most: int = 0
    required: bool = False
    always: bool = False
    choices: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    make: Callable[..., Any] | None = None


VERSION = Key("schema", Kind.VERSION, "Number of the file format.", SCHEMA, SCHEMA, required=True, always=True)

_SOURCE = (
    Key("path", Kind.FILE, "A tracked file, from the root of the repository.", required=True),
    Key("symbol", Kind.LINE, "A name that the file defines; stale when the definition is gone."),
    Key("text", Kind.LINE, "A line of the file, white space ignored; stale when there is none like it."),
    Key("absent", Kind.LINE, 'A term the file must not hold, for "we do not use X".'),
    Key("header", Kind.MARK, "Kept by curator: hash of the line that defines the symbol.", 4, 64),
    Key("blob", Kind.HASH, "Kept by curator: git's id of the file when the entry was last confirmed.", 4, 64),
    Key("terms", Kind.TERMS, "Kept by curator: terms of the text, with hashes of the lines that hold them.", 4, 64),
)
_RETIRED = (
    Key("on", Kind.DATE, "Since when.", required=True),
    Key("reason", Kind.REMARK, "Why. It stops the same thing being proposed again.", 1, required=True),
)
_ORIGIN = (
    Key("by", Kind.CHOICE, "Whose words these are.", choices=("user", "agent", "model", "tool", "import")),
    Key("agent", Kind.LINE, "The client that took part."),
    Key("session", Kind.TOKEN, "The client's name for the session."),
    Key("trigger", Kind.LINE, "The event that made curator propose it."),
    Key("commit", Kind.HASH, "The commit that was checked out.", 4, 64),
    Key("created", Kind.MOMENT, "When it was first written: a date, or a date with a time."),
    Key("quote", Kind.PROSE, "The words it was made from, where the text is not verbatim. Never edited."),
    Key("extractor", Kind.LINE, "The rules or the model that found it."),
    Key("confidence", Kind.NUMBER, "The extractor's score; 1 for what a person wrote by hand.", 0, 1),
    Key("key", Kind.HASH, "Kept by curator: tells that the same thing was said again.", 12, 12),
)
ENTRY = (
    VERSION,
    Key("id", Kind.NAME, "The file's name without .yaml: words of the text and 6 random hex digits.", required=True),
    Key("category", Kind.NAME, "The folder's name: one of the categories of curator.yaml.", required=True),
    Key("text", Kind.PROSE, "What the agent reads, as it stands. One sentence a line.", 1, 1200, required=True),
    Key("why", Kind.PROSE, "The reason. Shown to whoever looks the entry up, not rendered.", 0, 2000),
    Key("importance", Kind.COUNT, "What the next session loses by missing it, 1 to 10.", 1, 10, always=True),
    Key("tags", Kind.LINES, "Words to find it by; two to five are plenty.", 0, 12),
    Key("triggers", Kind.LINES, "Symptoms, error texts, phrases that people really type.", 0, 12),
    Key("scope", Kind.PREFIX, "Path prefix it applies to. With one, the entry stays out of the root's block."),
    Key("task", Kind.LINE, "The ticket or task it came from."),
    Key("sources", Kind.GROUPS, "Files the text is about.", 0, 12, keys=_SOURCE, make=Source),
    Key("supersedes", Kind.NAMES, "Ids of entries that this one replaces: they are not rendered any more."),
    Key("review_by", Kind.DATE, "When a person should look again; asked for where nothing can be checked."),
    Key("expires", Kind.DATE, "After this day it counts as retired."),
    Key("retired", Kind.GROUP, "Out of use, with its history kept.", keys=_RETIRED, make=Retired),
    Key("confirmed", Kind.DATE, "When a person last confirmed it. Only `curator confirm` and `accept` move it."),
    Key("seen", Kind.COUNT, "How often the same thing was said.", 1, 999_999_999),
    Key("origin", Kind.GROUP, "Where it came from.", keys=_ORIGIN, make=Origin),
)
"""Every key of an entry, in the order of the file."""

_FRESH = {Entry: Entry("", "", ""), Source: Source(""), Origin: Origin()}


def said(owner: Any, key: Key) -> Any:
    """What the file of an entry says under a key of it, or of a group in it; None where it is silent."""
    if key.kind is Kind.VERSION:
        return key.most
    if owner is None:
        return None
    value = getattr(owner, key.name)
    silent = not key.always and not key.required and value == getattr(_FRESH.get(type(owner)), key.name)
    return None if silent else value


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
        self.problems.append(Problem(name.line, f"unknown key {document.shown(self.trail + name.text)}", hint))

    def text(self, node: Node, key: Key, *, loose: bool = False) -> str | None:
        """The text of a scalar. Unless *loose*, one that YAML takes for something else wants quotes."""
        if not isinstance(node, Scalar):
            self.must(node, key, "text")
        elif node.plain_type == "null" and not node.text:
            self.wrong(node, key, "has no value", _cut(node) or "write one, or delete the line")
        elif node.plain_type and not loose:
            message = f"must be text, but YAML reads {document.shown(node.text)} as {node.plain_type}"
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
        return document.shown(node.text) if node.text or node.style else "nothing"
    return "a list" if isinstance(node, document.Sequence) else "a mapping"


def _cut(node: Scalar) -> str:
    if not node.comment:
        return ""
    return f"{document.shown('#' + node.comment)} is a comment: quote the whole value if it belongs to it"


def _version(check: Check, node: Node, key: Key) -> int | None:
    text = check.like(node, key, _WHOLE, str(SCHEMA))
    if text and int(text) > SCHEMA:
        message = f"is {text}, and this curator knows {SCHEMA}: the file is left alone"
        check.wrong(node, key, message, "update curator", Fault.NEWER)
    elif text and int(text) != SCHEMA:
        check.must(node, key, str(SCHEMA))
    return SCHEMA


def _formed(check: Check, node: Node, key: Key) -> str | None:
    pattern, wanted = FORMS[key.kind]
    text = check.like(node, key, pattern, wanted, loose=key.kind in {Kind.DATE, Kind.MOMENT})
    if text in DEVICES and key.kind in {Kind.NAME, Kind.NAMES}:
        check.wrong(node, key, f"is {document.shown(text)}, a device on Windows", "choose another name")
    if text and key.kind in {Kind.DATE, Kind.MOMENT} and not _exists(text):
        check.wrong(node, key, f"is no day of the calendar: {document.shown(text)}")
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
    return check.like(node, key, _digits(key.least, key.most, "|"), f"{_range(key)} hex digits")


@cache
def _digits(least: int, most: int, other: str) -> re.Pattern[str]:
    return re.compile(f"[0-9a-f]{{{least},{most}}}{other}")


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
    pattern = _digits(key.least, key.most, "|def")
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
    text = check.like(node, key, _WHOLE if whole else _DECIMAL, wanted)
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
    good = [name.text for name, _ in node.pairs if re.fullmatch(NAME, name.text) and name.text not in DEVICES]
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


def entry_schema(config: Config) -> dict[str, object]:
    """JSON Schema 2020-12 of an entry's file, for editors: what the codec takes, and help to every key.

    A block scalar ends in a line break, so one character more than the limit is let through here.
    """
    shape = _object(ENTRY)
    properties: dict[str, Any] = shape["properties"]
    properties["category"] = {"description": properties["category"]["description"], "enum": list(config.categories)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A memory of curator",
        **shape,
        "if": {"properties": {"category": {"const": "route"}}, "required": ["category"]},
        "then": {"properties": {"sources": {"minItems": 1}}, "required": ["sources"]},
    }


def text(config: Config) -> str:
    """`entry_schema` as the text of memories/memory.schema.json."""
    return json.dumps(entry_schema(config), indent=2, ensure_ascii=False) + "\n"


def _object(keys: tuple[Key, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [key.name for key in keys if key.required],
        "properties": {key.name: {"description": key.help, **_shape(key)} for key in keys},
    }


def _shape(key: Key) -> dict[str, Any]:
    match key.kind:
        case Kind.GROUP:
            return _object(key.keys)
        case Kind.GROUPS:
            return {"type": "array", "maxItems": key.most, "items": _object(key.keys)}
        case Kind.LINES:
            return {"type": "array", "maxItems": key.most, "items": _string(".*")}
        case Kind.NAMES:
            return {"type": "array", "items": _string(NAME)}
        case Kind.TERMS:
            items = _loose(_digits(key.least, key.most, "|def").pattern)
            return {"type": "object", "additionalProperties": {"type": "array", "items": items}}
        case _:
            return _scalar(key)


def _scalar(key: Key) -> dict[str, Any]:
    match key.kind:
        case Kind.VERSION:
            return {"enum": [SCHEMA, str(SCHEMA)]}
        case Kind.CHOICE:
            return {"enum": list(key.choices)}
        case Kind.COUNT:
            return _bounded(key, "integer", _WHOLE)
        case Kind.NUMBER:
            return _bounded(key, "number", _DECIMAL)
        case Kind.PROSE | Kind.REMARK:
            most = {"maxLength": key.most + 1} if key.most else {}
            return {"type": "string", **most, **({"pattern": r"\S"} if key.least else {})}
        case Kind.HASH | Kind.MARK:
            return _loose(_digits(key.least, key.most, "|").pattern)
        case Kind.TOKEN:
            return _loose(".*")
        case _:
            return _string(FORMS[key.kind][0].pattern if key.kind in FORMS else ".*")


def _bounded(key: Key, form: str, digits: re.Pattern[str]) -> dict[str, Any]:
    """A number; in quotes, where a file was written without a YAML library, the codec takes it too."""
    return {**_string(digits.pattern), "type": [form, "string"], "minimum": key.least, "maximum": key.most}


def _string(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


def _loose(pattern: str) -> dict[str, Any]:
    """Digits without quotes are numbers to an editor, and read as the text they are by the codec."""
    return {**_string(pattern), "type": ["string", "number"]}
