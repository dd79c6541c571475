from __future__ import annotations

import pytest

from curator.core import guard, intake
from curator.core.intake import Blamed
from curator.model import Origin, Source
from curator.outcome import Draft

PAGE = """\
# CLAUDE.md

This file provides guidance to Claude Code when working with this repository.

## Testing

- NEVER run `pytest` directly: use `scripts/run`.
- Tests live in `tests/` and mirror the source tree.
- Tests live in `tests/` and mirror the source tree.

## Recent changes

- Moved the parser to Rust, which made it faster.
"""


def test_a_plan_has_drafts_and_what_stays_with_its_reason() -> None:
    plan = intake.plan(PAGE, ["scripts/run", "tests/test_a.py", "CLAUDE.md"])
    assert [(draft.category, draft.importance, draft.text) for draft, _ in plan.drafts] == [
        ("constraint", 7, "NEVER run `pytest` directly: use `scripts/run`."),
        ("convention", 5, "Tests live in `tests/` and mirror the source tree."),
    ]
    assert [(one.first, reason) for one, reason in plan.skipped] == [
        (3, "it says what this file is for"),
        (9, "the same as line 8"),
        (13, "it tells what was done, not what to do"),
    ]


def test_a_draft_is_filled_from_its_statement() -> None:
    dates = (Blamed(7, "c" * 40, "2025-03-01T10:00:00Z"),)
    draft, statement = intake.plan(PAGE, ["scripts/run"], dates).drafts[0]
    assert (statement.first, statement.last, statement.headings) == (7, 7, ("Testing",))
    assert draft == Draft(
        text="NEVER run `pytest` directly: use `scripts/run`.",
        category="constraint",
        importance=7,
        tags=("testing",),
        sources=(Source("scripts/run"),),
        origin=Origin(by="import", commit="c" * 40, created="2025-03-01T10:00:00Z"),
    )


def test_a_statement_is_as_old_as_its_oldest_line() -> None:
    page = "- Use tabs\n  for all\n  files.\n"
    dates = (
        Blamed(1, "a" * 40, "2025-03-01T00:00:00Z"),
        Blamed(2, "b" * 40, "2024-01-01T00:00:00Z"),
        Blamed(3, unknown="not committed yet"),
        Blamed(4, "d" * 40, "2020-01-01T00:00:00Z"),
    )
    ((draft, _),) = intake.plan(page, [], dates).drafts
    assert (draft.origin.commit, draft.origin.created) == ("b" * 40, "2024-01-01T00:00:00Z")


@pytest.mark.parametrize("dates", [(), (Blamed(1, unknown="not committed yet"),)])
def test_without_history_there_is_no_date(dates: tuple[Blamed, ...]) -> None:
    ((draft, _),) = intake.plan("- Use tabs everywhere.\n", [], dates).drafts
    assert (draft.origin.commit, draft.origin.created) == ("", "")


def test_a_file_in_a_folder_gives_its_folder_as_scope() -> None:
    page = "- Tax rounding is in `tax.py`, see there.\n"
    ((draft, _),) = intake.plan(page, ["services/billing/tax.py", "tax.py"], (), "services/billing/CLAUDE.md").drafts
    assert draft.scope == "services/billing/"
    assert draft.sources == (Source("services/billing/tax.py"),)


def test_a_category_that_is_not_configured_becomes_one_that_is() -> None:
    page = "- Never push to `main`.\n"
    assert intake.plan(page, [], (), "CLAUDE.md", ("gotcha", "convention")).drafts[0][0].category == "convention"
    assert intake.plan(page, [], (), "CLAUDE.md", ("gotcha",)).drafts[0][0].category == "gotcha"


@pytest.mark.parametrize(
    "text",
    [
        "This document describes how to work here.",
        "Guidance for AI agents working in this repository.",
        "Agent instructions for Claude Code working in this repository.",
        "Welcome! This is a data layer.",
        "Single source of truth for all AI coding assistants.",
    ],
)
def test_what_introduces_the_file_stays(text: str) -> None:
    assert [reason for _, reason in intake.plan(f"{text}\n", []).skipped] == ["it says what this file is for"]


@pytest.mark.parametrize(
    "page",
    [
        "## Session 8 - Feb 22\n- The panel floats above the overlay.\n",
        "## Current status\n- The parser handles all dialects.\n",
        "**Status:** hardware works on the second board\n",
        "## Plan\n- Parser (complete)\n- Printer (complete)\n- Linter (in progress)\n",
    ],
)
def test_what_tells_how_far_things_are_stays(page: str) -> None:
    plan = intake.plan(page, [])
    assert plan.drafts == ()
    assert {reason for _, reason in plan.skipped} == {"it tells what was done, not what to do"}


def test_the_changelog_is_a_subject_like_any_other() -> None:
    assert intake.plan("## Changelog\n- Append to existing sections, do not create duplicates.\n", []).drafts


def test_what_is_too_short_stays() -> None:
    assert [reason for _, reason in intake.plan("- uv\n", []).skipped] == ["too short to be understood alone"]


def test_drafts_pass_the_guard() -> None:
    page = """\
## Build

- Use @acme/ui for buttons and `<b>` for bold.
- Run this first:
  ```sh
  # build it
  make
  ```

| Tool | Use |
|---|---|
| `a` | Build it now |

<!-- a note -->
Then:

    make test
"""
    for draft, _ in intake.plan(page, []).drafts:
        assert guard.problems(draft.text) == (), draft.text


def test_a_comment_inside_a_rule_stays_for_the_guard_to_refuse() -> None:
    ((draft, _),) = intake.plan("- Build it <!-- hidden --> before each release.\n", []).drafts
    assert [problem.rule for problem in guard.problems(draft.text)] == ["comment"]
