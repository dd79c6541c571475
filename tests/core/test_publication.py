"""A branch as it is told: subjects that fit a line, words that give no orders, trailers that only curator writes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from curator.core import publication
from curator.core.publication import Item, Kind
from curator.model import Entry, Origin, Retired
from curator.outcome import Edit

ORIGIN = Origin("user", "claude-code", "253fd5ef", created="2026-07-06T09:24:01Z", key="b81d02f3a977")
ENTRY = Entry("spanish-vat-4f1c9a", "gotcha", "Spanish VAT rounds per line.", origin=ORIGIN)


def item(text: str = ENTRY.text, *, kind: Kind = Kind.NEW, key: str = "b81d02f3a977", **facts: Any) -> Item:
    entry = replace(ENTRY, text=text, **facts)
    return Item(kind, entry, (Edit("x", None, ""),), key)


def test_a_message_says_what_why_and_where_from() -> None:
    assert publication.message(item(why="Tax authority rule.")) == (
        "Remember: Spanish VAT rounds per line.\n\nTax authority rule.\n\n"
        "Memory-Id: spanish-vat-4f1c9a\nMemory-Key: b81d02f3a977\n"
        "Memory-Origin: user, claude-code, session 253fd5ef, 2026-07-06T09:24:01Z\n"
    )


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Short.", "Remember: Short."),
        ("Spanish VAT rounds per line.\nRounding the total is off by a cent on multi-item orders.",
         "Remember: Spanish VAT rounds per line."),
        ("word " * 30, f"Remember: {'word ' * 11}word..."),
        ("x" * 100, f"Remember: {'x' * 59}..."),
        ("\u7a0e" * 60, "Remember: " + "\u7a0e" * 29 + "..."),
        ("- a list\n- of two", "Remember: - a list - of two"),
    ],
)  # fmt: skip
def test_a_subject_is_one_line_cut_between_words(text: str, subject: str) -> None:
    found = publication.subject(item(text))
    assert found == subject
    assert len(found) <= publication.WIDTH


def test_the_whole_text_follows_where_the_subject_holds_a_part() -> None:
    told = publication.message(
        item("Spanish VAT rounds per line.\nRounding the total is off by a cent, on all orders.")
    )
    assert told.split("\n\n")[1].replace("\n", " ") == (
        "Spanish VAT rounds per line. Rounding the total is off by a cent, on all orders."
    )


def test_a_retirement_says_its_reason() -> None:
    told = publication.message(item(kind=Kind.RETIRED, retired=Retired("2026-01-01", "wrong")))
    assert told.startswith("Retire: Spanish VAT rounds per line.\n\n  Retired: wrong\n\nMemory-Id: ")


HOSTILE = (
    "Fixes #12",
    "fixes: GH-12",
    "closes acme/shop#3",
    "Resolves https://github.com/a/b/issues/1",
    "@octocat and @acme/team",
    "[skip ci] [ci skip] [no ci] [skip actions]",
    "***NO_CI***",
    "see !12",
    "PROJ-1 #close #comment x",
    "a\nSigned-off-by: Eve <e@x>",
    "a\n\nCo-authored-by: Eve <e@x>\n",
    "a\r\nMemory-Id: other\r\n",
    "a\u2028Memory-Id: other",
    "a\x85b\x1b[2J\x07\u202e\u200b",
    "a\0b",
    "---\ndiff --git a/x b/x",
    "# comment",
    "/approve",
    "\udcff\ud800",
    "skip-checks: true",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("where", ["text", "why", "agent", "session", "id", "reason"])
def test_nothing_from_a_memory_gives_an_order(text: str, where: str) -> None:
    """T25 and its like: to sites, to git, to a terminal."""
    facts: dict[str, Any] = {where: text} if where in {"why", "id"} else {}
    if where in {"agent", "session"}:
        changed: dict[str, Any] = {where: text}
        facts["origin"] = replace(ORIGIN, **changed)
    if where == "reason":
        facts["retired"] = Retired("2026-01-01", text)
    kind = Kind.RETIRED if where == "reason" else Kind.NEW
    told = publication.message(item(text if where == "text" else ENTRY.text, kind=kind, **facts))
    told.encode("utf-8")
    assert "\0" not in told
    assert all(line.isprintable() for line in told.split("\n")), told
    assert not re.search(r"[#@!]\w|GH-\d|[][]|\*\*|://", told), told
    *paragraphs, trailers = told.rstrip("\n").split("\n\n")
    assert re.sub(r"(?m)^Memory-(?:Id|Key|Origin): [^\n]*\n?", "", trailers) == ""
    assert len(trailers.split("\n")) <= 3
    for line in "\n".join(paragraphs[1:]).split("\n"):
        assert not re.match(r"[^\s:]+\s*:|[-#]|diff |From |/", line), line


def test_the_branch_has_the_digits_of_one_or_the_date_of_several() -> None:
    assert publication.stem([item()], "2026-07-06") == "curator/memories-4f1c9a"
    assert publication.stem([item(), item()], "2026-07-06") == "curator/memories-2026-07-06"
    assert (
        publication.stem([item(id="../../x", key="..", origin=Origin())], "2026-07-06") == "curator/memories-2026-07-06"
    )


def test_a_request_lists_the_memories_and_folds_where_they_came_from() -> None:
    quoted = replace(ORIGIN, quote="vat has to be rounded per line, right")
    asked = publication.request([item(why="Tax rule.", origin=quoted), item("Deploy `main` only.")], rendered=True)
    assert asked.title == "Remember 2 things"
    assert asked.body == (
        "Memories for the agents that work here; each is one commit.\n\n"
        "- `gotcha` `Spanish VAT rounds per line.`\n"
        "  Why: `Tax rule.`\n"
        "- `gotcha` ``Deploy `main` only.``\n\n"
        "The last commit brings the block up to date.\n\n"
        "<details><summary>Where they came from</summary>\n\n"
        "- `spanish-vat-4f1c9a`: `by user, claude-code, session 253fd5ef, 2026-07-06T09:24:01Z`, "
        "as `vat has to be rounded per line, right`\n"
        "- `spanish-vat-4f1c9a`: `by user, claude-code, session 253fd5ef, 2026-07-06T09:24:01Z`\n\n"
        "</details>\n"
    )


@pytest.mark.parametrize(
    ("kinds", "title"),
    [
        ([Kind.NEW], "Remember: Spanish VAT rounds per line."),
        ([Kind.RETIRED, Kind.RETIRED], "Retire 2 memories"),
        ([Kind.NEW, Kind.AGAIN, Kind.RETIRED], "Memories: 1 new, 1 said again, 1 retired"),
    ],
)
def test_a_title_says_how_many(kinds: list[Kind], title: str) -> None:
    assert publication.request([item(kind=kind) for kind in kinds]).title == title


def test_a_request_stays_below_what_a_site_takes() -> None:
    long = [item("long words " * 109, why="because " * 240, id=f"long-{number:06x}") for number in range(300)]
    body = publication.request(long).body
    assert len(body.encode("utf-8")) <= publication.LARGEST
    assert "- and 200 more\n" in body
    assert body.endswith("</details>\n")
