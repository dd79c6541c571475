"""What speaks for a sentence, and what against it."""

from __future__ import annotations

import time

import pytest

from curator.core import cues, doubts, lasting
from curator.core.cue import Cue


def test_a_sentence_with_no_word_of_a_rule_is_hopeless() -> None:
    assert cues.score("The weather in the mountains was lovely.").total < -5
    assert not cues.score("The weather in the mountains was lovely.").cues


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("We decided to use Postgres.", "Did we decide to use Postgres?"),
        ("We never mock the database.", "Maybe we never mock the database."),
        ("Don't add comments.", "Don't add comments yet."),
        ("We always squash before merging.", "Can you always squash before merging?"),
        ("Errors must never be swallowed here.", "I just got errors that must never be swallowed here."),
        ("Use pnpm instead of npm here.", "Use the blue button instead of the icon here."),
        ("Run the linter before every commit.", "Run the linter."),
        ("Endpoints must be versioned.", "Endpoints must be versioned:"),
        ("Endpoints must be versioned.", "Endpoints must be displayed."),
        ("Keep the changelog sorted out by hand, always.", "Keep the list sorted out by hand, always."),
        ("Remark: never sleep in tests.", "Requirements: never sleep in tests."),
        ("Tests must never sleep, you know.", "Tests must never sleep, i've read."),
        ("CI is slow, so avoid rebuilding in tests.", "CI is slow, so it should rebuild in tests."),
        ("By default we sleep in tests.", "We should sleep in tests."),
        ("Don't touch code in tests.", "Don't touch it in tests."),
        ("Never retry in tests.", "Never retry in this function in tests."),
        ("All branches must be rebased.", "All pets must be groomed."),
        ("We use tabs, never spaces.", "We use tabs, never spaces, " + "and so on " * 30),
    ],
)
def test_what_speaks_against_a_sentence_lowers_its_score(better: str, worse: str) -> None:
    assert cues.score(better).total > cues.score(worse).total


def test_a_task_to_be_done_every_time_is_a_rule() -> None:
    assert "task" in cues.score("Update the docs, we use them.").cues
    assert "task" not in cues.score("Update the docs on every release.").cues


@pytest.mark.parametrize(
    ("sentence", "settled", "left"),
    [
        ("Tests should never sleep.", "should", "forbidden"),
        ("We should always squash.", "habitual", "standing"),
        ("Add a rule that tests which fail are fixed first.", "failure", "rule"),
        ("I'm using pnpm here.", "event", "environment"),
        ("Never retry, and don't sleep.", "aside", "prohibition"),
        ("Remember: the plan is written first, always.", "the thing", "remember"),
    ],
)
def test_a_clear_cue_settles_what_a_weaker_one_says(sentence: str, settled: str, left: str) -> None:
    found = cues.score(sentence).cues
    assert left in found
    assert settled not in found


def test_loose_rules_want_a_word_about_the_work() -> None:
    """ "Must", "should" and "by default" as often say what a product does."""
    assert (
        cues.score("By default, tests run in parallel.").total
        > cues.score("By default, pets run in parallel.").total + 1
    )
    assert cues.score("Commits should be small.").total > cues.score("Portions should be small.").total + 1


def test_a_curly_apostrophe_reads_like_a_straight_one() -> None:
    assert cues.score("Don\u2019t mock the database.").cues == cues.score("Don't mock the database.").cues


@pytest.mark.parametrize(
    ("sentence", "is_one"),
    [
        ("why do we never hit this branch", True),
        ("Should we always squash", True),
        ("ok, can I use npm", True),
        ("Do not push to main", False),
        ("When you change the schema, update the docs", False),
        ("However you do it, never push", False),
    ],
)
def test_a_question_is_known_by_how_it_opens(sentence: str, is_one: bool) -> None:
    assert cues.asks(sentence) is is_one


def test_every_cue_has_a_name_of_its_own_and_a_pattern_that_compiles() -> None:
    table = (*lasting.RULES, *doubts.SUPPORT, *doubts.AGAINST)
    assert len({cue.name for cue in table}) == len(table)
    assert not any(cue.fires("", "") for cue in table if cue.name != "cut off")


def test_no_sign_keeps_a_cue_from_what_it_is_for() -> None:
    """A sign that is missing makes a cue blind. Each sentence fires the cue of its name."""
    fired = {
        "standing": "Not a single test may fail, ever",
        "policy": "we're stuck on Node 18, so we cannot upgrade",
        "change": "The v1 API is deprecated",
        "unwanted": "I don't want any of that",
        "why": "That's why it is pinned",
        "tried": "We tried Redis and it was slow",
        "status": "That folder is off limits",
        "here": "In this repo tests run in parallel",
        "rule": "Add a rule that bans default exports",
        "forbidden": "Tests shouldn't sleep",
        "generic": "Only the bot may publish packages",
        "place": "Flags are stored in config/flags.yaml",
        "event": "you always forget that",
        "asking": "can I do it",
        "upkeep": "Keep all the docs in sync",
        "environment": "I'm on windows",
        "conduct": "stop guessing what I want",
        "use for": "use vitest for all tests",
        "aside": "It works, but avoid mocking it",
        "about here": "In this repo it is so",
        "story": "we've always done it",
        "heading": "Scope: we only do it",
        "other must": "尽量",
    }
    assert {name for name, sentence in fired.items() if name not in cues.score(f"{sentence}, never.").cues} == set()


def test_a_tool_that_is_named_before_another_is_a_choice_that_lasts() -> None:
    assert "this not that" in cues.score("use vitest instead of jest").cues
    assert "this not that" in cues.score("For logging use structlog, not print.").cues
    assert "this not that" not in cues.score("rename those to use a dot instead of a hyphen").cues


def test_a_cue_without_signs_is_always_tried() -> None:
    assert Cue("x", 1.0, "", r"\bLOUD\b", shouted=True).fires("so LOUD", "so loud")
    assert not Cue("x", 1.0, "", r"\bLOUD\b", shouted=True).fires("so loud", "so loud")
    assert not Cue("x", 1.0, "absent", r"loud").fires("so loud", "so loud")


@pytest.mark.parametrize(
    "part",
    [
        "we do not ",
        "if not but ",
        "only the ",
        "add a rule to ",
        "and so but ",
        "a/",
        "_a",
        "every each all ",
        "no a ",
        '"abc" ',
    ],
)
def test_a_sentence_of_the_longest_size_costs_milliseconds(part: str) -> None:
    sentence = (part * 300)[:590] + " never"
    start = time.process_time()
    for _ in range(10):
        cues.score(sentence)
    assert time.process_time() - start < 0.2


def test_every_rule_adds_and_every_doubt_takes_away() -> None:
    assert all(cue.weight > 0 for cue in (*lasting.RULES, *doubts.SUPPORT))
    assert all(cue.weight < 0 for cue in doubts.AGAINST)
