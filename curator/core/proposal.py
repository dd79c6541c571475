"""A proposal as its file: made of what was said, and counted on when it is said again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.core.extract import Candidate
    from curator.model import Entry

_SHORT = 8  # characters of a session's name that a proposal keeps
_KINDS = ("session_", "ses_")  # how the names of Kimi's and OpenCode's sessions begin

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z")
_SEEN = re.compile(r"^seen: ([0-9]{1,9})$", re.M)
_SESSION = re.compile(r"^  session: ['\"]?([A-Za-z0-9_-]+)['\"]?$", re.M)
_CREATED = re.compile(r"^  created: ['\"]?([0-9TZ:.+-]+)['\"]?$", re.M)
_ORIGIN = re.compile(r"^origin:$", re.M)
_BY = re.compile(r"^  by: ['\"]?([a-z]+)['\"]?$", re.M)
_CAPTURED = re.compile(r"^  extractor: ['\"]?(?:rules|model)/", re.M)
_USER = "user"
_WEAKER = frozenset({"agent", "tool", "model", "import"})


class Said(NamedTuple):
    """Where a statement comes from: who, in which session, when (ISO 8601, UTC), its key, and the client's name."""

    by: str
    session: str
    time: str
    key: str
    trigger: str
    agent: str = "claude-code"


def short(session: str) -> str:
    """As much of a session's name as a proposal keeps."""
    start = next((len(kind) for kind in _KINDS if session.startswith(kind)), 0)
    return session[start : start + _SHORT]


def moment(time: str, now: str) -> str:
    """The time of a message to the second, *now* where it has none that can be true."""
    if not _MOMENT.fullmatch(time):
        return now
    from datetime import datetime  # noqa: PLC0415 - the same

    try:
        datetime.fromisoformat(time[:19])
    except ValueError:  # a 13th month
        return now
    return min(f"{time[:19]}Z", now)


def entry(one: Candidate, said: Said, *, tail: str, commit: str, quotes: bool, categories: Sequence[str]) -> Entry:
    """What a candidate would be as a memory. *tail* is 6 random hex digits, *quotes* whether its words are kept."""
    from curator.core import codec, extract  # noqa: PLC0415 - the nouns: pay only when there is something to propose
    from curator.model import Entry, Origin  # noqa: PLC0415 - the same

    text = codec.canonical(one.text)
    category = one.category if one.category in categories else categories[0]
    entry_id = f"{codec.slug(text)}-{tail}"
    origin = Origin(
        by=said.by,
        agent=said.agent,
        session=short(said.session),
        trigger=said.trigger,
        commit=commit,
        created=said.time,
        quote=one.quote if quotes else "",
        extractor=extract.EXTRACTOR,
        confidence=one.confidence,
        key=said.key,
    )
    return Entry(entry_id, category, text, path=codec.path_of(entry_id, category), origin=origin)


def is_fit(made: Entry) -> bool:
    """Whether an entry may hold this: no secret, nothing hidden, nothing that acts in a page."""
    from curator.core import guard  # noqa: PLC0415 - the same
    from curator.model import Level  # noqa: PLC0415 - the same

    return not any(found.level is Level.ERROR for found in guard.inspect(made))


def speaker(text: str) -> str:
    """Whose words the file of a proposal says it holds, "" where it does not say."""
    origin = _ORIGIN.search(text)
    found = _BY.search(text, origin.end()) if origin else None
    return found[1] if found else ""


def gives_way(text: str, by: str) -> bool:
    """Whether the file of a proposal leaves its place to the same statement said by *by*: a user's is never lost."""
    return by == _USER and speaker(text) in _WEAKER


def takes_room(text: str) -> bool:
    """Whether the file of a proposal counts against the limit of the inbox.

    A user's does and what was found in a session; not what agents and imports put there by themselves.
    """
    origin = _ORIGIN.search(text)
    return speaker(text) not in _WEAKER or (origin is not None and bool(_CAPTURED.search(text, origin.end())))


def repeated(known: Entry) -> Entry:
    """A known memory, said once more."""
    from dataclasses import replace  # noqa: PLC0415 - the same

    return replace(known, seen=known.seen + 1)


def again(text: str, said: Said) -> str:
    """The file of a waiting proposal, counted once more; "" where it was not said anew.

    Only a later statement of another session counts: a session that goes on
    under another name brings its old lines along.
    """
    origin = _ORIGIN.search(text)
    if origin is None:
        return ""
    session, created = _SESSION.search(text, origin.end()), _CREATED.search(text, origin.end())
    if not is_anew(said, session[1] if session else "", created[1] if created else ""):
        return ""
    seen = _SEEN.search(text)
    if seen:
        return f"{text[: seen.start(1)]}{int(seen[1]) + 1}{text[seen.end(1) :]}"
    return f"{text[: origin.start()]}seen: 2\n{text[origin.start() :]}"


def is_anew(said: Said, session: str, created: str) -> bool:
    """Whether what is known since *created* from *session* was said again, by another one."""
    return short(said.session) != session and (not created or said.time > created)
