"""Who proposes something and whose words it holds, as a reviewer is told."""

from __future__ import annotations

import re

from curator.core import caution, columns, ending
from curator.model import Entry

NOT_KEPT = "of which no words were kept"
"""What is said where the line that a model goes by is not in the proposal (`capture.quotes: drop`)."""

CLIENTS = frozenset({"claude-code", "codex", "opencode", "kimi-code", "cursor", "gemini-cli"})
"""Clients by the names that `origin.agent` gives them."""

_AGENT = "agent"  # origin.agent of one that says no name
_LONGEST = 40  # columns of a name
_SPEAKERS = re.compile(r"(?:you|your|me|a|an|the|user|users|person|people|human|nobody|somebody|owner)\b", re.I)


def is_by_rules(entry: Entry) -> bool:
    """Whether the rules of capture found it."""
    return entry.origin.extractor.startswith("rules/")


def head(entry: Entry) -> str:
    """Which rules proposed it, and how sure they are; or who did."""
    origin = entry.origin
    if is_by_rules(entry):
        return f"{origin.extractor} · confidence {origin.confidence:.2f}"
    if caution.is_by_model(entry) and origin.extractor:
        return f"{_name(origin.extractor)} · its confidence {origin.confidence:.2f}"
    who = _name(origin.extractor) or proposer(entry)
    return f"proposed by {who}" if who else ""


def proposer(entry: Entry) -> str:
    """The agent or the person who proposed it, "" where it does not say."""
    return client(entry.origin.agent) or {"user": "a person", "agent": "an agent"}.get(entry.origin.by, "")


def client(name: str) -> str:
    """A client as a sentence names it, "" for one without a name.

    Any client may call itself "you": a name that is not known is told as one.
    """
    if name in CLIENTS:
        return name
    shown = columns.shorten(name.replace('"', "'"), _LONGEST)
    return f'agent "{shown}"' if name not in {"", _AGENT} else ""


def brief(entry: Entry) -> str:
    """The same in a list: how sure the rules are of it, which model it was, what was imported, or who proposed it."""
    if is_by_rules(entry):
        return f"{entry.origin.confidence:.2f}"
    if caution.is_by_model(entry) or entry.origin.by == "import":
        return _source(entry) or entry.origin.by
    return proposer(entry)


def said(entry: Entry, *, here: bool = True) -> str:
    """Whose words they are, as the beginning of a sentence that quotes them; not *here*, as a stranger claims."""
    told = _told(entry, "you" if here else "a user")
    is_name = entry.origin.by == "agent" and told.partition(" ")[0] in CLIENTS
    return told if is_name or not here else told[:1].upper() + told[1:]


def _told(entry: Entry, you: str) -> str:
    by = entry.origin.by
    who = {"user": you, "model": you, "tool": "a tool", "agent": _agent(entry)}.get(by, "")
    verb = "put out" if by == "tool" else "said"
    if entry.retired:
        return f"{who or 'somebody'} {'ask' if who == 'you' else 'asks'} to retire a memory"
    if caution.is_by_model(entry):
        return f"a model's wording of what {who or 'nobody tells who'} {verb}"
    if by == "import":
        source = _source(entry)
        return f"imported from {source}" if source else "imported"
    return f"{who} {verb}" if who else "said, nobody tells by whom"


def _agent(entry: Entry) -> str:
    named = client(entry.origin.agent)
    return named if named in CLIENTS else f"the {named}" if named else "an agent"


def _source(entry: Entry) -> str:
    """What an extractor's name says after its kind: the name of a model, the format of an import."""
    return _name(entry.origin.extractor.partition("/")[2])


def _name(text: str) -> str:
    """A name that a proposal gives; in quotes where it reads as the one who speaks."""
    shown = columns.shorten(text, _LONGEST) if text else ""
    return f'"{shown}"' if _SPEAKERS.match(shown) else shown


def words(entry: Entry) -> str:
    """What was said word for word: the reason of what asks to retire a memory; "" where a model's words stand alone."""
    if entry.retired:
        return ending.reason(entry)
    return entry.origin.quote or ("" if caution.is_by_model(entry) else entry.text)
