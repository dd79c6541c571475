"""The shape of a file: its keys, kinds and limits in one table, and the JSON Schema made of it.

`ENTRY` is the only place where a key of an entry or its limit stands: codec, cache and editors all go by it. Those of
the settings stand in `core/settings`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any

from curator.model import SCHEMA, Config, Entry, Origin, Retired, Source

NAME = "[a-z0-9][a-z0-9-]{0,79}"
"""Ids and categories: one file name on every system, and never an option."""
DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that Windows keeps for itself, whatever the ending (Microsoft, "Naming Files, Paths, and Namespaces")."""

_INSIDE = r"(?![/~]|[A-Za-z]:)(?!(?:.*/)?(?:\.{1,2}|\.[Gg][Ii][Tt])(?:/|$))(?!.*//)[^\\\x00-\x1f\x7f]+"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT = _DATE + r"(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:[Zz]|[-+][0-9]{2}:?[0-9]{2})?)?"
WHOLE = re.compile("0|[1-9][0-9]{0,8}")
DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")


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


@cache
def digits(least: int, most: int, other: str) -> re.Pattern[str]:
    """A hash of so many hex digits, or *other*."""
    return re.compile(f"[0-9a-f]{{{least},{most}}}{other}")


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def entry_schema(config: Config) -> dict[str, object]:
    """JSON Schema 2020-12 of an entry's file, for editors: what the codec takes, and help to every key.

    A block scalar ends in a line break, so one character more than the limit is let through here.
    """
    shape = shape_of(ENTRY)
    properties: dict[str, Any] = shape["properties"]
    properties["category"] = {"description": properties["category"]["description"], "enum": list(config.categories)}
    return {
        "$schema": _DIALECT,
        "title": "A memory of curator",
        **shape,
        "if": {"properties": {"category": {"const": "route"}}, "required": ["category"]},
        "then": {"properties": {"sources": {"minItems": 1}}, "required": ["sources"]},
    }


def text(config: Config) -> str:
    """`entry_schema` as the text of memories/memory.schema.json."""
    return as_text(entry_schema(config))


def settings_schema(keys: tuple[Key, ...], patterns: Mapping[str, str]) -> dict[str, object]:
    """JSON Schema 2020-12 of the settings, from their table of *keys*; *patterns* hold single texts to a form.

    That a table names a category which there is, and a file only once, is beyond it.
    """
    shape = shape_of(keys)
    for name, pattern in patterns.items():
        shape["properties"][name] |= _loose(pattern)
    shape["properties"]["budget"]["minProperties"] = 1
    return {"$schema": _DIALECT, "title": "Settings of curator", **shape, "type": ["object", "null"]}


def as_text(made: Mapping[str, object]) -> str:
    """A JSON Schema as the text of its file."""
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def shape_of(keys: tuple[Key, ...]) -> dict[str, Any]:
    """A mapping with these keys and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [key.name for key in keys if key.required],
        "properties": {key.name: {"description": key.help, **_shape(key)} for key in keys},
    }


def _shape(key: Key) -> dict[str, Any]:
    match key.kind:
        case Kind.GROUP:
            return shape_of(key.keys)
        case Kind.GROUPS:
            return {"type": "array", "maxItems": key.most, "items": shape_of(key.keys)}
        case Kind.LINES:
            return {"type": "array", "maxItems": key.most, "items": _string(".*")}
        case Kind.FLAG:
            return {**_string(_FLAG), "type": ["boolean", "string"]}
        case Kind.TABLE:
            counts = _bounded(key, "integer", WHOLE)
            return {"type": "object", "propertyNames": {"pattern": f"^{NAME}$"}, "additionalProperties": counts}
        case Kind.NAMES:
            return {"type": "array", "items": _string(NAME)}
        case Kind.TERMS:
            items = _loose(digits(key.least, key.most, "|def").pattern)
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
            return _bounded(key, "integer", WHOLE)
        case Kind.NUMBER:
            return _bounded(key, "number", DECIMAL)
        case Kind.PROSE | Kind.REMARK:
            most = {"maxLength": key.most + 1} if key.most else {}
            return {"type": "string", **most, **({"pattern": r"\S"} if key.least else {})}
        case Kind.HASH | Kind.MARK:
            return _loose(digits(key.least, key.most, "|").pattern)
        case Kind.TOKEN:
            return _loose(".*")
        case _:
            return _string(FORMS[key.kind][0].pattern if key.kind in FORMS else ".*")


# What YAML 1.1 reads as true or false; an editor that follows 1.2 takes most of it for text.
_FLAG = "[Yy]es|YES|[Nn]o|NO|[Tt]rue|TRUE|[Ff]alse|FALSE|[Oo]n|ON|[Oo]ff|OFF"


def _bounded(key: Key, form: str, digits: re.Pattern[str]) -> dict[str, Any]:
    """A number; in quotes, where a file was written without a YAML library, the codec takes it too."""
    return {**_string(digits.pattern), "type": [form, "string"], "minimum": key.least, "maximum": key.most}


def _string(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


def _loose(pattern: str) -> dict[str, Any]:
    """Digits without quotes are numbers to an editor, and read as the text they are by the codec."""
    return {**_string(pattern), "type": ["string", "number"]}
