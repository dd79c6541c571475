"""What a tool takes: one table for its JSON Schema and for holding a call against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

from curator.core import printable, report
from curator.errors import CuratorError


class Kind(Enum):
    """How a value is given."""

    TEXT = auto()
    NAME = auto()  # one line: an id, a category
    TEXTS = auto()  # a list of texts; one text alone is taken for a list of one
    LINES = auto()  # the same of single lines: ids, tags, paths
    WHOLE = auto()
    NUMBER = auto()
    FLAG = auto()


class Field(NamedTuple):
    """One argument. *least* and *most* bound the number itself, or how many texts; *longest* the characters of each."""

    name: str
    kind: Kind
    help: str
    least: float = 0
    most: float = 0
    longest: int = 0
    required: bool = False


_TYPES = {
    Kind.TEXT: "string",
    Kind.NAME: "string",
    Kind.TEXTS: "array",
    Kind.LINES: "array",
    Kind.WHOLE: "integer",
    Kind.NUMBER: "number",
    Kind.FLAG: "boolean",
}
_SHOWN = 40  # characters of a wrong name that are said back


def schema(fields: Sequence[Field]) -> dict[str, Any]:
    """The JSON Schema of a call."""
    return {
        "type": "object",
        "properties": {field.name: _property(field) for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def _property(field: Field) -> dict[str, Any]:
    found: dict[str, Any] = {"type": _TYPES[field.kind], "description": field.help}
    if field.kind in {Kind.TEXTS, Kind.LINES}:
        found["items"] = {"type": "string", "maxLength": field.longest}
        found |= {"minItems": 1} if field.required else {}
        found["maxItems"] = int(field.most)
    elif field.kind in {Kind.WHOLE, Kind.NUMBER}:
        found |= {"minimum": field.least, "maximum": field.most}
    elif field.kind in {Kind.TEXT, Kind.NAME}:
        found |= {"minLength": 1} if field.required else {}
        found["maxLength"] = field.longest
    return found


def read(fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a call by name: texts as tuples, None for what was left out.

    CuratorError names everything that does not fit, and what would.
    """
    problems = list(_unknown(fields, given))
    values: dict[str, Any] = {}
    for field in fields:
        try:
            values[field.name] = _value(field, given.get(field.name))
        except CuratorError as error:
            problems.append(error.message)
    if problems:
        raise CuratorError("; ".join(problems), hint="correct that and call again")
    return values


def _unknown(fields: Sequence[Field], given: Mapping[str, Any]) -> Iterator[str]:
    from curator.core.check import nearest

    names = [field.name for field in fields]
    for name in given:
        if name not in names:
            near = nearest(name[:_SHOWN], names)
            meant = f"did you mean `{near}`?" if near else f"there are: {', '.join(names) or 'none'}"
            yield f"no argument `{printable.inline(report.shorten(name, _SHOWN))}`: {meant}"


def _value(field: Field, value: Any) -> Any:
    if field.kind in {Kind.TEXTS, Kind.LINES}:
        return _texts(field, value)
    if value is None or (isinstance(value, str) and not value.strip()):
        if field.required:
            raise CuratorError(f"`{field.name}` is {'missing' if value is None else 'blank'}: {_plainly(field)}")
        return None
    if field.kind in {Kind.TEXT, Kind.NAME}:
        return _text(field, value)
    if field.kind is Kind.FLAG:
        if not isinstance(value, bool):
            raise CuratorError(f"`{field.name}` is true or false")
        return value
    return _number(field, value)


def _plainly(field: Field) -> str:
    """The first sentence of what an argument is for."""
    return field.help.partition(". ")[0].rstrip(".")


def _text(field: Field, value: Any) -> str:
    if not isinstance(value, str):
        raise CuratorError(f"`{field.name}` is a text, not {_article(value)}")
    if len(value) > field.longest:
        raise CuratorError(f"`{field.name}` has {len(value):,} characters, and may have {field.longest:,}")
    if field.kind is not Kind.TEXT and not _is_line(value.strip()):
        raise CuratorError(f"`{field.name}` is one line without control characters")
    return value if field.kind is Kind.TEXT else value.strip()


def _is_line(value: str) -> bool:
    return not any(ord(character) < 0x20 or ord(character) == 0x7F for character in value)


def _texts(field: Field, value: Any) -> tuple[str, ...]:
    listed = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise CuratorError(f"`{field.name}` is a list of texts")
    kept = tuple(dict.fromkeys(one.strip() for one in listed if one.strip()))
    if field.required and not kept:
        raise CuratorError(f"`{field.name}` is {'blank' if listed else 'missing'}: {_plainly(field)}")
    if len(kept) > field.most:
        raise CuratorError(f"`{field.name}` has {len(kept)} texts, and may have {field.most:.0f}")
    for one in kept:
        if len(one) > field.longest:
            raise CuratorError(f"a text of `{field.name}` has {len(one):,} characters, and may have {field.longest:,}")
        if field.kind is Kind.LINES and not _is_line(one):
            raise CuratorError(f"each of `{field.name}` is one line without control characters")
    return kept


def _number(field: Field, value: Any) -> float:
    whole = field.kind is Kind.WHOLE
    wanted = f"`{field.name}` is a {'whole number' if whole else 'number'} from {field.least:g} to {field.most:g}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CuratorError(wanted)
    if not field.least <= value <= field.most or (whole and value != int(value)):
        raise CuratorError(wanted)
    return int(value) if whole else float(value)


def _article(value: object) -> str:
    names = {dict: "an object", list: "a list", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "that")
