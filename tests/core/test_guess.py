from __future__ import annotations

import pytest

from curator.core import guess

CATEGORIES = [
    ("constraint", "Never run migrations by hand on the staging server.", (), False),
    ("constraint", "Do not edit generated files.", (), False),
    ("constraint", "Always pass `--context` to `dotnet ef`.", (), False),
    ("constraint", "Public APIs must have docstrings.", (), False),
    ("constraint", "ONLY use uv", (), False),
    ("constraint", "No default exports.", (), False),
    ("constraint", "When pushing updates, make sure to never force push.", (), False),
    ("constraint", "Keep tokens out of logs.", ("Security",), False),
    ("constraint", "Ask First:\n- Changes to the schema\n- New dependencies", ("Ask First",), False),
    ("decision", "The project uses Vitest for unit testing.", (), False),
    ("decision", "We chose SQLite over Postgres for the cache.", (), False),
    ("decision", "Frames feed into the tracker; the tracker smooths them.", ("Architecture",), False),
    ("convention", "Use `describe` blocks to group tests by function.", (), False),
    ("convention", "Build one bundle for each package.", ("Architecture",), False),
    ("convention", "Commands:\n```sh\nnpm test  # NEVER fails\n```", ("Commands",), False),
    ("convention", "No extra setup is needed for local runs.", (), False),
    ("gotcha", "The upload only works when the server is idle.", (), False),
    ("gotcha", "Ad-hoc signing may block prompts.", ("Known issues",), False),
    ("gotcha", "Note that `npm run check` runs no tests.", (), False),
    ("gotcha", "A rule added elsewhere is silently lost.", (), False),
    ("dead-end", "We tried caching in Redis and gave up on it.", (), False),
    ("dead-end", "Don't bother with the old exporter.", (), False),
    ("todo", "To do: remove the old client", (), False),
    ("todo", "A third backend, fully native.", ("Next steps",), False),
    ("convention", "Call the todo tool before you answer.", ("Todo tool rules",), False),
    ("route", "`src/auth/token.py` - how tokens are made", (), True),
    ("route", "For the full design see `docs/DESIGN.md`.", (), True),
    ("route", "Key files:\n- `src/main.rs` - entry point\n- `src/cli/` - commands", ("Key files",), True),
    ("route", "- [Testing](docs/testing.md) - commands and patterns", ("Start",), True),
    ("route", "The schema is defined in `src/schema.sql`.", (), True),
    ("route", "React composition and component design: `docs/react/design.md`", (), True),
    ("convention", "Key directories:\n- `cli/` - commands\n- `ext/` - extensions", ("Key directories",), False),
    ("constraint", "Never edit `src/schema.sql` by hand.", ("Key files",), True),
    ("convention", "Before each commit run `make check`, see `Makefile`.", ("Structure",), True),
]


@pytest.mark.parametrize(("category", "text", "headings", "routes"), CATEGORIES)
def test_category_is_guessed_from_cues(category: str, text: str, headings: tuple[str, ...], routes: bool) -> None:
    assert guess.category(text, headings, routes) == category


@pytest.mark.parametrize(
    ("text", "importance"),
    [
        ("NEVER push to main.", 7),
        ("**Never push** to main.", 7),
        ("**IMPORTANT**: restart the session.", 7),
        ("You MUST read the file.", 7),
        ("Never push to main.", 5),
        ("**Performance-critical code** is in C.", 5),
        ("Run `git commit -m 'NEVER'`.", 5),
        ("Update `api/**`, do not edit `gen/**`.", 5),
        ("**Use tabs** and never spaces.", 5),
    ],
)
def test_importance_is_higher_for_what_is_shouted_or_demanded_in_bold(text: str, importance: int) -> None:
    assert guess.importance(text) == importance


@pytest.mark.parametrize(
    ("headings", "tags"),
    [
        ((), ()),
        (("Testing", "Running the Tests"), ("running-tests", "testing")),
        (("Code Style (strict)", "React & CSS"), ("react-css", "code-style")),
        (("General Guidelines",), ()),
        (("What Not to Do",), ()),
        (("Display Not Working",), ("display-not-working",)),
        (("Größe & Maße",), ("größe-maße",)),
        (tuple(f"Part of chapter{n}" for n in "abcdefg"), tuple(f"part-chapter{n}" for n in "gfedc")),
        (("Testing", "Testing"), ("testing",)),
    ],
)
def test_tags_are_slugs_of_the_headings(headings: tuple[str, ...], tags: tuple[str, ...]) -> None:
    assert guess.tags(headings) == tags
