"""What of a message its author wrote, cut into sentences."""

from __future__ import annotations

import time

import pytest

from curator.core import keys, sentences

OWN = "Never push to main."
START, END = "<!-- AGENT_MEMORY_START -->", "<!-- AGENT_MEMORY_END -->"


def kept(text: str) -> list[str]:
    return list(sentences.split(sentences.cut(text)))


@pytest.mark.parametrize(
    "pasted",
    [
        f"{START}\n- Always use uv.\n{END}",
        f"{START}\r\n- Always use uv.\r\n{END}\r\n",
        f"{START} Always use uv. {END}{START} Always use pip. {END}",
        "curator: 2 memories wait for review, always.",
        "  curator: Always use uv.",
        '- Before working on something you do not know, search these memories: `curator recall "<topic>"`.',
        'When you learn something durable, propose it: `curator add --propose "<fact>"`.',
        'Check before relying on: "Always use uv" (src/a.py is gone).',
        "```\nAlways use uv.\n```",
        "```python\nAlways use uv.\n\nAlways.\n```",
        "~~~\nAlways use uv.\n~~~",
        '"""\nAlways use uv.\n"""',
        "<log level='x'>\nAlways use uv.\n</log>",
        "<b>Always use uv.</b>",
        "> Always use uv.",
        "2026-03-01 10:00:00 Always use uv.",
        "[INFO] Always use uv.",
        "ERROR: Always use uv.",
        "ValueError: always use uv",
        "Traceback (most recent call last): always",
        "src/a.py:12 always use uv",
        "⎿ Always use uv.",
        "│ Always use uv. │",
        "+ always use uv",
        "@@ -1,2 +1,2 @@ always",
        "            always use uv",
        "ada@host:~$ always use uv",
        "-bash: always: command not found",
        "C:\\Users\\ada> always use uv",
        "\x1b[31mAlways use uv.\x1b[0m",
        "always\0use uv",
        "const always = use(uv);",
        "if (always) {",
        "import always from 'uv'",
    ],
)
def test_what_was_pasted_is_cut_and_what_stands_beside_it_stays(pasted: str) -> None:
    assert kept(f"{OWN}\n\n{pasted}\n\nUse branches.") == [OWN, "Use branches."]


def test_a_block_or_a_fence_without_an_end_runs_to_the_end() -> None:
    assert kept(f"{OWN}\n{START}\n- Always use uv.\nAlways.") == [OWN]
    assert kept(f"{OWN}\n```\nAlways use uv.\nAlways.") == [OWN]


def test_a_fence_opened_in_a_line_keeps_the_words_before_it() -> None:
    assert kept(f"{OWN} ```\nAlways use uv.\n```\nUse branches.") == [OWN, "Use branches."]


def test_a_tag_that_is_never_closed_cuts_nothing() -> None:
    assert kept(f"<T> is a type parameter here.\n{OWN}")[-1] == OWN
    assert kept(f"<note>\n{OWN}")[-1] == OWN


@pytest.mark.parametrize("heading", ["High Severity: always use uv", "I got this feedback:", "Codex said:"])
def test_all_that_follows_a_review_heading_is_somebody_elses(heading: str) -> None:
    assert kept(f"{OWN}\n{heading}\nAlways use uv.\n\nAlways.") == [OWN]


def test_a_paragraph_that_is_mostly_output_goes_whole() -> None:
    assert kept(f"{OWN}\n\nbuild it always\n[1/3] one\n[2/3] two\n[3/3] three\nERROR: four") == [OWN]


def test_of_a_very_long_message_the_start_and_the_end_are_read() -> None:
    text = "\n".join([OWN, *["The middle says little."] * 40_000, "Use branches."])
    found = kept(text)
    assert (found[0], found[-1]) == (OWN, "Use branches.")
    assert sum(map(len, found)) <= sentences.MOST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One here. Two here! Three here? Four", ["One here.", "Two here!", "Three here?", "Four"]),
        ("- one\n* two\n1. three\n2) four\n## five\n- [x] six", ["one", "two", "three", "four", "five", "six"]),
        ("Use pnpm; never npm", ["Use pnpm", "never npm"]),
        ("Use a tool, e.g. uv or pip, i.e. one.", ["Use a tool, e.g. uv or pip, i.e. one."]),
        ("Set v1.2 in a.py to 3.5 please", ["Set v1.2 in a.py to 3.5 please"]),
        ('He said "stop." Then go.', ['He said "stop."', "Then go."]),
        ("提交用英文。不要用npm!好", ["提交用英文。", "不要用npm!好"]),
        (
            "Never load the seed data into the shared database, use the container\n  from compose.yaml.",
            ["Never load the seed data into the shared database, use the container from compose.yaml."],
        ),
        ("A short line\nand another", ["A short line", "and another"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_a_text_is_cut_at_the_ends_of_its_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences.split(text)) == expected


def test_no_other_separator_than_a_newline_ends_a_line() -> None:
    assert list(sentences.split("one\x0btwo\x85three\u2028four")) == ["one\x0btwo\x85three\u2028four"]


def test_marks_know_a_sentence_again_whatever_its_dress() -> None:
    shown = "## Conventions\n- **Never** push to `main`. Use branches.\n"
    assert keys.mark("never push to main") in sentences.marks(shown)
    assert keys.mark("Use branches!") in sentences.marks(shown)
    assert keys.mark("Use trunks.") not in sentences.marks(shown)


def test_a_message_of_a_megabyte_is_cut_in_an_instant() -> None:
    start = time.process_time()
    for text in ("a" * 1_000_000, "\n" * 1_000_000, "<a>\n" * 250_000, f"{START}\n" * 36_000, "agent said " * 90_000):
        list(sentences.split(sentences.cut(text)))
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize(
    "line",
    [
        "Implement the following to-dos from the plan (the plan is attached). Do NOT edit the plan file itself.",
        "To-do's from the plan have already been created. Do not create them again.",
        "These to-dos have already been created. Do not create them again.",
        "- [8ea596] We decided to use Postgres. Never push to main.",
        "  (check before relying on it: src/pool.py changed)",
        "docs:lint: 12:7  Warning: 'API_BASE' is assigned a value but never used.",
    ],
)
def test_what_a_client_a_hook_or_a_linter_writes_is_cut(line: str) -> None:
    assert sentences.cut(f"Mine.\n\n{line}\n\nAlso mine.").split() == ["Mine.", "Also", "mine."]


def test_dots_part_sentences_and_are_no_part_of_them() -> None:
    assert list(sentences.split("it is generated...never edit it... ok")) == ["it is generated", "never edit it", "ok"]
    assert list(sentences.split("and so on...")) == ["and so on..."]
