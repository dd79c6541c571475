"""One statement of another tool's store, and the plain values that such stores write in many ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from curator.model import Source

WHOLE = 1200
"""Characters of the longest statement that a memory can hold (the limit of `text`)."""
REASON = 2000
"""The same for `why`."""
DONE = "it tells what was done, not what to do"
"""Why a report is left out."""
MOST = 12
"""Tags, triggers and files that an entry can hold."""


@dataclass(frozen=True, slots=True)
class Item:
    """A statement as its store has it.

    *where* says where it stands there: a file with its line, a row. *kind* is the store's own word for what it is;
    *headings* lead to it, the nearest last. *importance* is the store's number on whatever scale, None where it has
    none. *paths* are files that the store ties to it, *sources* the same as curator's own export has them; *folders*
    those it holds for. *created* and *ends*, when it holds no more, are ISO 8601 in UTC, or "". *seen*: how often it
    was said or used. *review* is when a person should look at it again. *own*: curator exported it, so a person has
    judged it, and it is taken as it is. *same* is the store's own key of what it says: one with the same replaces an
    older one. *project* is what the store says it is about, "" for everything. *left* says why it is no memory, ""
    when it may become one.
    """

    text: str
    where: str
    kind: str = ""
    headings: tuple[str, ...] = ()
    why: str = ""
    importance: float | None = None
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    folders: tuple[str, ...] = ()
    task: str = ""
    session: str = ""
    created: str = ""
    seen: int = 1
    same: str = ""
    ends: str = ""
    review: str = ""
    own: bool = False
    project: str = ""
    left: str = ""


class Document(NamedTuple):
    """A text file of a store: its path there, its text, and the time of its last change, ISO 8601 in UTC, or "".

    *named*: the user named this very file, no folder around it.
    """

    path: str
    text: str
    changed: str = ""
    named: bool = False


ENDED = frozenset(
    """
    archived deleted deprecated expired inactive invalid invalidated obsolete rejected removed retired retracted
    superseded tombstone tombstoned
    """.split()
)
"""Words by which stores say that a statement holds no more."""


def ended(word: object) -> str:
    """Why a statement with this status is left out, "" for one in use."""
    first = re.match(r"\W*([a-z]+)", word.lower()) if isinstance(word, str) else None
    return f"its store says that it is {first[1]}" if first and first[1] in ENDED else ""


_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:[.,]\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?\s*", re.I
)
_MILLISECONDS = 100_000_000_000  # an epoch of so many seconds is in the year 5138
_LATEST = 4_102_444_800  # 2100


def moment(value: object) -> str:
    """A date as other tools write it - ISO 8601, SQLite's own form, seconds or milliseconds - in UTC; "" for none."""
    if isinstance(value, dict):  # MongoDB's extended JSON
        value = value.get("$date", value.get("$numberLong"))
        value = value.get("$numberLong") if isinstance(value, dict) else value
    if isinstance(value, str) and re.fullmatch(r"\d{9,13}(?:\.\d+)?", value.strip()):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not 0 < value < 1000 * _LATEST:  # a number of JSON may be too large for a float
            return ""
        seconds = value / 1000 if value >= _MILLISECONDS else value
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds < _LATEST else ""
    found = _MOMENT.fullmatch(value) if isinstance(value, str) else None
    return _written(found) if found else ""


def _written(found: re.Match[str]) -> str:
    year, month, day, hour, minute, second, zone = found.groups()
    offset = "+00:00" if not zone or zone.upper() in {"Z", "UTC"} else zone
    try:
        at = datetime.fromisoformat(f"{year}-{month}-{day}T{hour or '00'}:{minute or '00'}:{second or '00'}{offset}")
        return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):  # a 13th month; a year that leaves the calendar by its offset
        return ""


def words(value: object) -> tuple[str, ...]:
    """A list as other tools write it: a list, its JSON, or words between commas; each once, on one line, 12 at most."""
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, list | tuple):
        return ()
    texts = (" ".join(one.split()).removeprefix("#") for one in value if isinstance(one, str))
    return tuple(dict.fromkeys(text for text in texts if text))[:MOST]


def _listed(text: str) -> list[str]:
    if text.lstrip().startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list):
            return [str(one) for one in found if isinstance(one, str | int | float)]
    return re.split(r"[,;\n]", text)


def number(value: object) -> float | None:
    """A number as it is or as text, or one of the words for how much something matters; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _GRADES:
            return _GRADES[word]
        if not re.fullmatch(r"\d{1,6}(?:\.\d{1,9})?", word):
            return None
        value = float(word)
    if not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1_000_000 else None


_GRADES = {"critical": 9.0, "highest": 9.0, "high": 8.0, "medium": 5.0, "normal": 5.0, "low": 3.0, "lowest": 2.0}


def count(value: object) -> int:
    """How often something was used or said; 1 for what is no such number."""
    found = number(value) if not isinstance(value, str) or value.strip().isdecimal() else None
    return max(1, int(found)) if found else 1


def scale(numbers: Iterable[float | None]) -> float:
    """By what the importance in a store is multiplied to be on a scale up to 10.

    From 0 to 1 where none is larger and one of them is a fraction; up to 100 where one is over 10.
    """
    told = [one for one in numbers if one is not None]
    most = max(told, default=0.0)
    if most <= 1 and any(one != int(one) for one in told):
        return 10.0
    return 1.0 if most <= 10 else 10 / max(100.0, most)


def titled(title: str, text: str) -> str:
    """*text* with its title before it, where that is more than a name and says something that the text does not."""
    title = " ".join(title.split()).rstrip(".:")
    known = set(re.findall(r"\w+", text.lower()))
    if not text.strip():
        return title
    whole = f"{title}: {text}"
    if " " not in title or len(text) <= WHOLE < len(whole) or known.issuperset(re.findall(r"\w+", title.lower())):
        return text
    return whole
