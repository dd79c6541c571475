"""Looking something up: search_memory, and find_route for where it lives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curator.core import rank, report, words
from curator.model import Found, Hit
from curator.server import answers
from curator.server.answers import Answer
from curator.server.desk import Desk

ROUTE = "route"

MOST_PLACES = 6
NEAR = 0.4
"""The share of the best score that a place must reach."""

_WIDE = 20
_NO_ROUTE = "No route is kept for that: these memories speak of it and name files, which may be about something else."
_MORE = "All of one memory: read memory://<id>, or run `curator show <id>`."


def search(desk: Desk, asked: dict[str, Any], _: str) -> Answer:
    """The memories that match any of the phrasings, best first; of those, stale ones last."""
    from curator.verbs import recall

    held = desk.workspace()
    wanted = recall.Wanted(
        queries=asked["queries"],
        as_of=desk.clock.today(),
        paths=tuple(desk.rooted(held, path) for path in asked["files"]),
        limit=asked["limit"],
        category=asked["category"] or "",
        min_confidence=asked["min_confidence"],
    )
    found = recall.run(held, wanted)
    faint = recall.faint(found.hits)  # an agent pays for each and learns nothing
    found = found._replace(hits=tuple(hit for hit in found.hits if hit not in faint))
    told = answers.fitting(answers.clean(_told(hit, explain=bool(asked["explain"]))) for hit in found.hits)
    return Answer("\n".join(_page(told, found)), _value(told, found))


def _told(hit: Hit, *, explain: bool = False) -> dict[str, Any]:
    state = {"state": hit.state.value, "doubt": hit.doubt} if hit.state else {}
    weak = {} if hit.shares_words else {"match": "weak: shares letters, no word"}
    told = answers.said(hit.entry, **state, **weak) | {"score": round(hit.score, 3)}
    if explain:
        told["shares"] = [
            {"signal": share.signal, "value": round(share.value, 3), "terms": list(share.terms)} for share in hit.shares
        ]
    return told


def _value(told: list[dict[str, Any]], found: Found) -> dict[str, Any]:
    value: dict[str, Any] = {"results": told, "searched": found.searched}
    hint = _hint(told, found)
    return value | {"hint": hint} if hint else value


def _hint(told: list[dict[str, Any]], found: Found) -> str:
    if not found.searched:
        return "No memories are in use in this repository yet."
    if not told:
        return "Nothing matches. Try other words: the error text, an identifier, a file."
    parts = []
    if len(told) < len(found.hits):
        parts.append(f"{len(found.hits) - len(told)} more did not fit: ask for fewer, or for one category.")
    if any("state" in one for one in told):
        parts.append("Where `state` is set the code has changed since: look at the files before you rely on it.")
    return " ".join((*parts, _MORE))


def _page(told: list[dict[str, Any]], found: Found) -> Iterator[str]:
    yield f"{len(told)} of {report.plural(found.searched, 'memory')}"
    for one in told:
        yield ""
        yield from answers.lines(one)
        yield from (f"  {_share(share)}" for share in one.get("shares", ()))
    yield ""
    yield _hint(told, found)


def _share(share: dict[str, Any]) -> str:
    return f"{share['signal']:<6} {share['value']:+.3f} {' '.join(share['terms'])}".rstrip()


def route(desk: Desk, asked: dict[str, Any], _: str) -> Answer:
    """Where something lives: the files that memories about it name, those of routes first."""
    from curator.edge import store
    from curator.verbs import recall

    held, today = desk.workspace(), desk.clock.today()
    wanted = recall.Wanted(queries=asked["topic"], as_of=today, limit=_WIDE)
    routes = ROUTE in store.config(held).categories
    first = recall.run(held, wanted._replace(category=ROUTE)) if routes else Found()
    found = recall.run(held, wanted)
    told = answers.fitting(answers.clean(_place(hit)) for hit in _places(first.hits, found.hits))
    hint = _nowhere(found) if not told else "" if any(one["category"] == ROUTE for one in told) else _NO_ROUTE
    return Answer("\n".join(_signposts(told, hint)), {"places": told} | ({"hint": hint} if hint else {}))


def _places(routes: Sequence[Hit], hits: Sequence[Hit]) -> list[Hit]:
    """Routes, then other memories that name files; only what is about the topic nearly as much as the best is."""
    best = max((hit.score for hit in (*routes, *hits)), default=0.0)
    naming = [hit for hit in hits if hit.entry.sources and hit.entry.category != ROUTE]
    near = [hit for hit in (*routes, *naming) if _says(hit) and hit.score >= NEAR * best]
    return near[:MOST_PLACES]


def _says(hit: Hit) -> bool:
    """Whether a memory speaks of the topic, and not its reason alone."""
    terms = {term for share in hit.shares if share.signal == "words" for term in share.terms}
    texts = rank.fields(hit.entry)
    return any(not terms.isdisjoint(words.words(text)) for name, text in texts.items() if name != "why")


def _place(hit: Hit) -> dict[str, Any]:
    return {name: value for name, value in _told(hit).items() if name not in {"why", "score"}}


def _nowhere(found: Found) -> str:
    looked = "No memories are in use yet" if not found.searched else "No memory says where that is"
    return f"{looked}: search the code. Once found, save_memory with category `route` and `files` keeps it."


def _signposts(told: list[dict[str, Any]], hint: str) -> Iterator[str]:
    for one in told:
        yield from (*answers.lines(one), "")
    if hint:
        yield hint
