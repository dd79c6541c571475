from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.core import block, rules
from curator.errors import CuratorError
from curator.outcome import Statement
from tests.core.test_markdown import FRAGMENTS

LONG = "Every sentence of this paragraph adds a little more to what is already far too long to be a rule. " * 8


def texts(page: str) -> list[str]:
    return [one.text for one in rules.statements(page) if not one.kept]


def kept(page: str) -> list[tuple[str, str]]:
    return [(one.text, one.kept) for one in rules.statements(page) if one.kept]


def spans(page: str) -> list[tuple[int, int]]:
    return [(one.first, one.last) for one in rules.statements(page)]


WHOLE = [
    ("a bullet is a statement", "- Use tabs.\n- Never push.\n", ["Use tabs.", "Never push."]),
    ("soft wraps become blanks", "- Use tabs\n  everywhere.\n", ["Use tabs everywhere."]),
    ("a hard break is a wrap", "Use tabs.  \nNever push.\\\nAsk first.\n", ["Use tabs. Never push. Ask first."]),
    ("Chinese lines join without a blank", "不要直接\n推送到主分支。\n", ["不要直接推送到主分支。"]),
    ("a paragraph is a statement", "# T\n\nThe `main` branch is protected.\n", ["The `main` branch is protected."]),
    (
        "emphasis and code stay as written",
        "- **Never** use `sed`: *read* the file.\n",
        ["**Never** use `sed`: *read* the file."],
    ),
    (
        "a lead-in with its short points is one",
        "- Avoid `sleep()`. Instead:\n  - use an event\n  - use a queue\n- Ask first before pushing.\n",
        ["Avoid `sleep()`. Instead:\n- use an event\n- use a queue", "Ask first before pushing."],
    ),
    (
        "a paragraph with its code is one",
        "Run the tests:\n\n```sh\npytest -q\n```\n\nNever skip them.\n",
        ["Run the tests:\n```sh\npytest -q\n```", "Never skip them."],
    ),
    (
        "code right below a list belongs to the last item that asks for it",
        "- Use `uv` for everything.\n- To run one test, use:\n```sh\nuv run pytest x\n```\n",
        ["Use `uv` for everything.", "To run one test, use:\n```sh\nuv run pytest x\n```"],
    ),
    (
        "code without a paragraph has its heading",
        "# T\n## Running tests\n```sh\npytest\n```\n",
        ["Running tests:\n```sh\npytest\n```"],
    ),
    ("an indented block of code gets fences", "Run this:\n\n    make\n", ["Run this:\n```\nmake\n```"]),
    ("a fence that is never closed is closed", "Run this:\n```\nmake\n", ["Run this:\n```\nmake\n```"]),
    (
        "steps belong together",
        "# T\n## Adding a command\n1. Define it in `a.py`\n2. Wire it up\n3. Add a test\n",
        ["Adding a command:\n1. Define it in `a.py`\n2. Wire it up\n3. Add a test"],
    ),
    (
        "numbered rules stand alone",
        "# T\n## Core\n1. **Read first.** Never guess.\n2. **Soft delete only.** Ask before a hard one.\n",
        ["**Read first.** Never guess.", "**Soft delete only.** Ask before a hard one."],
    ),
    (
        "a glossary is one",
        "# T\n## Key directories\n- `cli/` - the command line\n- `ext/` - extensions\n",
        ["Key directories:\n- `cli/` - the command line\n- `ext/` - extensions"],
    ),
    (
        "a table is read as a list",
        "# T\n## Commands\n| Command | What |\n|---|---|\n| `make` | Build it |\n| `make test` | Run tests |\n",
        ["Commands:\n- `make` - Build it\n- `make test` - Run tests"],
    ),
    (
        "a table with three columns names them",
        "# T\n## Naming\n| Kind | Case | Sample |\n|---|---|---|\n| Types | Pascal | `Foo` |\n| Hooks | camel | — |\n",
        ["Naming (Kind - Case - Sample):\n- Types - Pascal - `Foo`\n- Hooks - camel"],
    ),
    ("a quoted paragraph is one", "> Never edit `gen/`.\n", ["Never edit `gen/`."]),
    (
        "what points back goes with what it points at",
        "Run `make check` before a push.\n\nThis also formats the code.\n",
        ["Run `make check` before a push. This also formats the code."],
    ),
    (
        "an example goes with what it shows",
        "Name tests after the file.\n\nExample:\n```\ntest_a.py\n```\n",
        ["Name tests after the file.\nExample:\n```\ntest_a.py\n```"],
    ),
    (
        "a link that is its own name is the name",
        "- See [`docs/a.md`](docs/a.md) and [the guide](docs/b.md).\n",
        ["See `docs/a.md` and [the guide](docs/b.md)."],
    ),
    (
        "a scoped package gets a code span",
        "Use @acme/ui for all buttons.\n",
        ["Use `@acme/ui` for all buttons."],
    ),
    ("a word that ties it to its neighbour goes", "Additionally, run `make`.\n", ["Run `make`."]),
]

HEADED = [
    ("a fragment gets its heading", "# T\n## Tools\n- GitHub CLI for issues\n- Use labels.\n", "Tools:\n- GitHub CLI"),
    ("a sentence does not", "# T\n## Testing\n- Run the tests with `pytest -q`.\n", "Run the tests"),
    (
        "a prohibition gets the heading that makes it one",
        "# T\n## Do not\n- Add dependencies\n- Use `any`\n",
        "Do not: Add",
    ),
    ("but not twice", "# T\n## Do not\n- Never add dependencies\n- Don't use `any`\n", "Never add"),
    (
        "a condition comes before what it holds for",
        "# T\n## If a rebase fails\n- Resolve your own files\n",
        "If a rebase",
    ),
    (
        "a heading of one word gets its parent",
        "# T\n## Changelog\n### Format\n- `Added` - new\n- `Fixed` - bugs\n",
        "Changelog: F",
    ),
    ("a general heading is passed over", "# T\n## Commits\n### Notes\n- Lower-case titles\n", "Commits: Lower-case"),
    ("the title of the page is no context", "# CLAUDE.md\n- Python 3.11\n", "Python 3.11"),
    ("numbers and symbols go", "# T\n## 3. 🚀 Releasing:\n- `make release` only\n", "Releasing: `make release` only"),
    (
        "a step keeps its number",
        "# T\n## Adding a provider\n### 2. Types\n- Add it to `Api`\n",
        "Adding a provider: 2. Types: ",
    ),
    (
        "a name in bold leads its list",
        "**Flaky tests:**\n- Add a retry\n- Check for races\n",
        "Flaky tests:\n- Add a retry",
    ),
    (
        "a name in bold is a heading for paragraphs",
        "**When offline**\n\nUse the cache.\n",
        "When offline: Use the cache.",
    ),
]

NOTHING = [
    ("headings alone", "# T\n\n## A\n\n### B\n"),
    ("comments", "<!-- prettier-ignore -->\n\n<!--\n- Never push.\n-->\n"),
    ("a table of contents", "## Contents\n- [Testing](#testing)\n  - [Unit](#unit)\n- [Style](#style)\n"),
    ("badges and images", "[![ci](a.svg)](b) ![logo](c.png)\n\n- ![x](y.png)\n"),
    ("thematic breaks", "---\n\n***\n"),
    ("front matter", "---\npaths: src/**\ndescription: Never push.\n---\n"),
    ("link definitions", "[a]: https://example.org\n[b]: <c>\n"),
    ("empty items and fences", "-\n-\n\n```\n```\n"),
    ("an empty page", ""),
]

KEPT = [
    ("a long paragraph", LONG, "a paragraph of 783 characters: cut it into rules first"),
    ("long code", "```\n" + "make all\n" * 200 + "```\n", "1,807 characters; a memory holds 1,200"),
    (
        "a long procedure",
        "## Release steps\n" + "".join(f"{n}. {'Do one more small thing. ' * 8}\n" for n in range(1, 9)),
        "a procedure that is too long for one memory",
    ),
    ("an import", "See @docs/style.md for the style.\n", "it imports a file where it stands"),
    ("a box that is ticked", "- [x] Move to uv\n", "it is done"),
    ("words in HTML", "<important>\nNever push.\n</important>\n", "it stands inside HTML tags"),
    ("a lead to nothing", "When the build fails, follow these steps:\n\n## Next\n", "it only leads to what follows it"),
    (
        "what another tool writes",
        "<!-- BEGIN:next-rules -->\n# Next\n- Never push.\n<!-- END:next-rules -->\n",
        "another tool keeps this part",
    ),
]


@pytest.mark.parametrize(("page", "expected"), [case[1:] for case in WHOLE], ids=[case[0] for case in WHOLE])
def test_statements_are_whole(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


@pytest.mark.parametrize(("page", "opening"), [case[1:] for case in HEADED], ids=[case[0] for case in HEADED])
def test_statements_have_the_context_they_need(page: str, opening: str) -> None:
    assert texts(page)[0].startswith(opening)


@pytest.mark.parametrize("page", [case[1] for case in NOTHING], ids=[case[0] for case in NOTHING])
def test_what_says_nothing_is_no_statement(page: str) -> None:
    assert rules.statements(page) == ()


@pytest.mark.parametrize(("page", "reason"), [case[1:] for case in KEPT], ids=[case[0] for case in KEPT])
def test_what_has_to_stay_says_why(page: str, reason: str) -> None:
    assert [why for _, why in kept(page)] == [reason]
    assert texts(page) == []


def test_a_long_list_is_a_statement_for_each_item() -> None:
    item = "Never do the thing that this item speaks about, since it has bitten us more than once before."
    page = "Rules for all changes:\n" + "".join(f"- {n}. {item}\n" for n in "abcdefgh")
    assert len(texts(page)) == 8


def test_a_long_glossary_is_cut_into_parts_with_the_same_lead() -> None:
    page = "## Available tests\n" + "".join(
        f"- `case_{n}` - what the case {n} checks, in a few words\n" for n in range(30)
    )
    made = texts(page)
    assert len(made) == 2
    assert all(text.startswith("Available tests:\n- `case_") and len(text) <= 1200 for text in made)


def test_a_long_item_gives_way_to_its_points() -> None:
    point = "This point is a rule of its own and long enough to fill a line or two, as rules of this kind often are"
    page = "- **Tier 1:** `aqua:` is accepted.\n" + "".join(f"  - Use `{n}` always. {point}.\n" for n in "abcdefg")
    made = texts(page)
    assert made[0] == "**Tier 1:** `aqua:` is accepted."
    assert len(made) == 8


def test_what_a_long_lead_says_besides_is_a_statement_too() -> None:
    item = "Never do the thing that this item speaks about, since it has bitten us more than once before"
    page = "The configuration counts. In particular:\n" + "".join(f"- {item}, {n}.\n" for n in "abcdefgh")
    assert texts(page)[0] == "The configuration counts."


def test_a_checklist_is_no_list_of_things_to_do() -> None:
    assert texts("## Checklist\n- [ ] Types pass\n- [ ] Lint is clean\n") == [
        "Checklist:\n- Types pass\n- Lint is clean"
    ]


def test_a_list_with_ticked_boxes_has_things_to_do() -> None:
    page = "## Migration\n- [x] Move the API to v2\n- [ ] Remove the old client\n"
    assert texts(page) == ["To do: Remove the old client"]
    assert kept(page)[0][1] == "it is done"


def test_the_memory_block_is_never_a_statement() -> None:
    page = f"- Use tabs.\n\n{block.START}\n- Never push.\n{block.END}\n\n- Ask before pushing.\n"
    assert texts(page) == ["Use tabs.", "Ask before pushing."]


def test_a_lead_does_not_reach_across_the_memory_block() -> None:
    page = f"Do these:\n\n{block.START}\n{block.END}\n\n- Use tabs.\n"
    assert spans(page) == [(1, 1), (6, 6)]


def test_what_points_back_does_not_reach_across_a_comment() -> None:
    page = "Run `make check` before a push.\n\n<!-- keep -->\n\nThis also formats the code.\n"
    assert spans(page) == [(1, 1), (5, 5)]


def test_broken_markers_are_told_with_their_line() -> None:
    with pytest.raises(CuratorError) as caught:
        rules.statements(f"- Use tabs.\n{block.START}\n", "AGENTS.md")
    assert caught.value.where == "AGENTS.md:2"


def test_statements_have_their_lines_and_headings() -> None:
    page = "# T\n\n## Code\n\n### React\n\nLead for all:\n- Use hooks\n- No classes\n\n> Never push\n> to `main`.\n"
    first, second = rules.statements(page)
    assert first == Statement("Lead for all:\n- Use hooks\n- No classes", 7, 9, ("Code", "React"))
    assert second == Statement("Never push to `main`.", 11, 12, ("Code", "React"))


def test_crlf_and_a_byte_order_mark_change_no_statement() -> None:
    page = "# T\n\n## A\n- Use tabs\n  here.\n\nRun:\n```\na\n```\n"
    assert rules.statements("\ufeff" + page.replace("\n", "\r\n")) == rules.statements(page)


@settings(max_examples=150, deadline=None)
@given(st.lists(FRAGMENTS, min_size=1, max_size=14))
def test_every_statement_has_lines_of_its_own(lines: list[str]) -> None:
    taken: set[int] = set()
    for one in rules.statements("\n".join(lines)):
        own = set(range(one.first, one.last + 1))
        assert own and not own & taken and max(own) <= len(lines)
        assert one.text.strip() == one.text or one.kept
        taken |= own
