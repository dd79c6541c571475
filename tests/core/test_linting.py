"""Findings as one line each, at the line they are about."""

from __future__ import annotations

import pytest

from curator.core import linting
from curator.errors import CuratorError
from curator.model import Entry, Fault, Finding, Source, State

TEXT = """schema: 1
id: a
category: gotcha
text: |
  One.
  Two.
tags:
  - x
sources:
  - path: a.py
  - symbol: f
    path: "a.py.bak"
supersedes: [b]
review_by: '2026-01-01'
origin:
  key: aaaaaaaaaaaa
  quote: said
"""
ENTRY = Entry("a", "gotcha", "One.\nTwo.", "m/a.yaml", sources=(Source("a.py"), Source("a.py.bak")))


@pytest.mark.parametrize(
    ("kind", "message", "line"),
    [
        (Fault.UNSAFE, "text: `<!--` opens a comment (line 2)", 6),
        (Fault.UNSAFE, "text: U+200B zero-width space", 5),
        (Fault.UNSAFE, "tags: a marker", 7),
        (Fault.UNSAFE, "origin.quote: a marker", 17),
        (Fault.INVALID, "`importance` is missing", 1),
        (Fault.SUSPECT, "`sources.terms` of a.py has x, which the text has not", 1),
        (Fault.DUPLICATE, "the same id a as m/b.yaml", 2),
        (Fault.DUPLICATE, "the same key aaaaaaaaaaaa as m/b.yaml", 16),
        (Fault.SUSPECT, "supersedes b, which is not here", 13),
        (Fault.DUPLICATE, "differs from m/A.yaml only in case", 1),
        (Fault.UNREVIEWED, "neither staged nor committed: not used", 1),
        (State.STALE, "stale: a.py is gone", 10),
        (State.STALE, "stale: `f` is gone from a.py.bak", 11),
        (State.REVIEW, "review: to be looked at again by 2026-01-01", 14),
    ],
)
def test_a_finding_gets_the_line_of_what_it_names(kind: Fault | State, message: str, line: int) -> None:
    assert linting.placed(Finding(kind, "m/a.yaml", message), TEXT, ENTRY).where == f"m/a.yaml:{line}"


def test_a_line_that_is_known_stays_and_a_file_that_is_not_there_has_one() -> None:
    assert linting.placed(Finding(Fault.INVALID, "m/a.yaml:7", "text: x"), TEXT, None).where == "m/a.yaml:7"
    assert linting.placed(Finding(Fault.INVALID, "m/a.yaml", "text: x"), "", None).where == "m/a.yaml:1"


def test_a_finding_is_one_line_whatever_it_holds() -> None:
    told = linting.line(Finding(Fault.INVALID, "m/a\n::error::b.yaml:1", "two\nlines \x1b[2J", "way\nout"))
    assert told == "m/a\\x0a::error::b.yaml:1: error: two lines \\x1b[2J (way out)"


@pytest.mark.parametrize(
    ("path", "homes"),
    [
        ("memories/a.yaml", ("",)),
        ("svc/memories/x/a.yaml", ("svc/",)),
        ("memories/memories/a.yaml", ("", "memories/")),
        ("a/memories/b/memories/c.yaml", ("a/", "a/memories/b/")),
        ("mymemories/a.yaml", ()),
        ("memories.yaml", ()),
    ],
)
def test_folders_whose_memories_could_hold_a_path(path: str, homes: tuple[str, ...]) -> None:
    assert linting.homes(path) == homes


@pytest.mark.parametrize(
    "path", ["../memories/a.yaml", "..", ".", "a.yaml", "memories/a.json", "memories", "docs/a.yml"]
)
def test_what_is_no_memory_file_is_refused_by_its_name(path: str) -> None:
    with pytest.raises(CuratorError) as caught:
        linting.refuse(path)
    assert caught.value.hint
