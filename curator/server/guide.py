"""What an agent reads before it calls anything. Clients may show it the instructions and the names alone."""

from __future__ import annotations

from typing import Any

from curator.core import schema
from curator.server.arguments import Field, Kind

SCHEME = "memory://"
TEMPLATE = f"{SCHEME}{{id}}"
TYPE = "text/plain"
"""How an entry is named as a resource, and what it is."""

NAME, TITLE = "curator", "Repository memory"
DESCRIPTION = (
    "Memories of this repository that people reviewed: rules, decisions, gotchas, dead ends, where things live."
)

INSTRUCTIONS = """\
curator is this repository's memory: constraints, decisions, conventions, gotchas, dead ends, and where things live. \
Every memory was reviewed by a person and is kept in git. The block in CLAUDE.md or AGENTS.md shows only the most \
important ones; the rest is found here.

Look first. Before you change code you do not know, choose an approach, or chase an error, call search_memory once. \
Give 2-3 different phrasings in `queries`: the task in your own words, the exact error text or symptom, and the \
identifiers involved; and in `files` the paths you are about to touch. Do not search again for what you were told. \
To find where something lives, call find_route before you search the tree.

Trust, but look: a result with a `state` (stale, moved, review) no longer fits the code that is there. Read the \
files it names before you rely on it. list_stale lists all of those. No result means that nothing is remembered, \
not that nothing matters. Memories inform you; they do not overrule the user.

Save what the next session would lose: a correction by the user, a decision with its reason, an approach that failed \
and why, a trap that cost time, where something turned out to live. Call save_memory when you learn it, once per \
fact. One self-contained statement in one to three sentences, true for the whole team, in the present tense, with the \
names and files it is about. Be honest about `importance`: 8-10 only if work goes wrong without it, 5 for what is \
useful, 1-3 for what is nice to know. Give 2-5 `tags`, and in `triggers` what somebody would type who needs it. \
Do not save what the code or its comments say already, progress of the task, guesses, personal data or secrets; \
search first, and name in `supersedes` what it replaces.

You propose, people decide. save_memory and forget_memory put a proposal into an inbox and change nothing else. \
A person accepts or rejects it with `curator review`. Never accept on the user's behalf, and tell the user in one \
line what you proposed. forget_memory proposes to retire a memory that is wrong; say why.

All of one memory, with its origin: the resource memory://<id>, or `curator show <id>` in a shell."""

SEARCH = """\
Search this repository's reviewed memories (rules, decisions, gotchas, dead ends, where things live) before you \
change unknown code, choose an approach or chase an error. Give 2-3 phrasings in one call: your words, the exact \
error text, identifiers. A result with `state` no longer fits the code: verify it."""
SAVE = """\
Propose one memory for the whole team: a correction, a decision with its reason, a dead end, a trap, where something \
lives. It waits in an inbox until a person accepts it. One self-contained statement; honest importance; 2-5 tags; the \
files it is about. Not for task progress, guesses, secrets, or what the code says itself."""
FORGET = """\
Propose to retire a memory that is wrong or no longer applies, with the reason. Nothing changes until a person \
accepts; the history is kept and it can be brought back. To correct a memory, use save_memory with `supersedes`."""
STALE = """\
List memories that no longer fit the code: their files, or the lines and names they rely on, changed since a person \
confirmed them. Narrow it with `files`. Use it before you rely on old memories or after a refactoring."""
ROUTE = """\
Find where something lives in this repository: the files and symbols that memories name for a topic, a feature or a \
term. Call it before you search the tree."""

_LIMITS = {key.name: key.most for key in schema.ENTRY}
_PATH, _LINE, _PHRASE = 1_000, 300, 2_000
_MOST_PHRASES, _MOST_FILES = 12, 20

_FILES = Field("files", Kind.LINES, "Paths you work on or ask about.", most=_MOST_FILES, longest=_PATH)
_CATEGORY = (
    "constraint, decision, convention, gotcha (a trap), dead-end (tried, does not work), route (where something lives)"
    " or todo; a repository may have others."
)

SEARCHING = (
    Field(
        "queries",
        Kind.TEXTS,
        "2-3 phrasings of what you look for: in your words, the exact error text, identifiers.",
        most=_MOST_PHRASES,
        longest=_PHRASE,
        required=True,
    ),
    _FILES._replace(help="Paths you are about to touch, from the root; memories about them rise."),
    Field("category", Kind.NAME, f"Only this one: {_CATEGORY}", longest=_LINE),
    Field("limit", Kind.WHOLE, "How many results at most; 5 unless the repository says otherwise.", 1, 20),
    Field("min_confidence", Kind.NUMBER, "Leave out what was captured with less confidence.", 0, 1),
    Field("explain", Kind.FLAG, "Say what each signal adds to a score."),
)
SAVING = (
    Field(
        "text",
        Kind.TEXT,
        "The statement, self-contained, in one to three sentences. Name things as the code does.",
        longest=_LIMITS["text"],
        required=True,
    ),
    Field("category", Kind.NAME, f"{_CATEGORY} Guessed when left out.", longest=_LINE),
    Field("why", Kind.TEXT, "The reason, and what happened without it.", longest=_LIMITS["why"]),
    Field(
        "files",
        Kind.LINES,
        "Tracked files it is about, as `path` or `path#symbol`: when they change, it is checked again.",
        most=_LIMITS["sources"],
        longest=_PATH,
    ),
    Field("tags", Kind.LINES, "2-5 words to find it by that the text does not have.", most=_LIMITS["tags"], longest=80),
    Field(
        "importance",
        Kind.WHOLE,
        "Honestly, what a session loses without it: 8-10 work goes wrong, 5 useful, 1-3 nice to know.",
        1,
        10,
    ),
    Field(
        "triggers",
        Kind.LINES,
        "What somebody types who needs it: a symptom, an error text.",
        most=_LIMITS["triggers"],
        longest=_LINE,
    ),
    Field("supersedes", Kind.LINES, "Ids of memories that this one replaces.", most=12, longest=_LINE),
    Field("task", Kind.NAME, "The ticket or task it came from.", longest=_LINE),
)
FORGETTING = (
    Field("id", Kind.NAME, "The memory's id, as search_memory gives it.", longest=_LINE, required=True),
    Field("reason", Kind.TEXT, "Why it no longer holds, for the person who decides.", longest=2_000, required=True),
)
DOUBTING = (
    _FILES._replace(help="Only memories about these files or folders."),
    Field("limit", Kind.WHOLE, "How many at most; 20 by default.", 1, 50),
)
ROUTING = (
    Field(
        "topic",
        Kind.TEXTS,
        "What you look for, in one to three phrasings: a feature, a term, an identifier.",
        most=_MOST_PHRASES,
        longest=_PHRASE,
        required=True,
    ),
)

_TEXT, _TEXTS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
_MEMORY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "category": _TEXT,
        "text": _TEXT,
        "why": {**_TEXT, "description": "The reason, its beginning."},
        "files": {**_TEXTS, "description": "path or path#symbol."},
        "scope": {**_TEXT, "description": "Applies only below this folder."},
        "score": {"type": "number"},
        "match": {**_TEXT, "description": "Set where the match is weak."},
        "state": {"enum": ["stale", "moved", "review"], "description": "Set where it no longer fits the code."},
        "doubt": {**_TEXT, "description": "What changed."},
        "shares": {"type": "array", "items": {"type": "object"}, "description": "What each signal adds to the score."},
    },
    "required": ["id", "category", "text"],
}
_COUNT, _HINT = {"type": "integer", "minimum": 0}, {**_TEXT, "description": "What to do next."}


def _object(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required.split()}


FOUND = _object("results searched", results={"type": "array", "items": _MEMORY}, searched=_COUNT, hint=_HINT)
PROPOSED = _object(
    "status next",
    status={"enum": ["proposed", "waiting already"]},
    proposal={**_TEXT, "description": "What a person types for it: `curator accept <proposal>`."},
    notes=_TEXTS,
    next=_HINT,
)
DOUBTFUL = _object(
    "results doubtful searched",
    results={"type": "array", "items": _MEMORY},
    doubtful=_COUNT,
    searched=_COUNT,
    states={"type": "object", "additionalProperties": {"type": "integer"}},
    hint=_HINT,
)
PLACES = _object("places", places={"type": "array", "items": _MEMORY}, hint=_HINT)
