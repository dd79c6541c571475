"""What of a message is proposed, and how sure the rules are."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml

from curator.core import extract
from curator.model import CATEGORIES

NORMAL = extract.LEAST["normal"]
PROBE = yaml.safe_load((Path(__file__).parent / "data" / "probe.yaml").read_text(encoding="utf-8"))
ASIDE = "The weather in the mountains was lovely."


def proposed(text: str, least: float = NORMAL) -> list[str]:
    return [one.text for one in extract.candidates(text, least=least)]


def test_of_the_probe_enough_is_proposed_and_nothing_else() -> None:
    found = {row["id"] for row in PROBE if proposed(row["text"])}
    wanted = {row["id"] for row in PROBE if row["expect"] == "propose"}
    assert found <= wanted
    assert len(found) >= 18


@pytest.mark.parametrize("row", [row for row in PROBE if row.get("explicit")], ids=lambda row: row["id"])
def test_an_explicit_order_passes_whatever_the_sensitivity(row: dict[str, str]) -> None:
    (one,) = extract.candidates(row["text"], least=1.0)
    assert one.explicit
    assert one.confidence >= 0.9


@pytest.mark.parametrize(
    "sentence",
    [
        "All timestamps must be stored in UTC.",
        "Don't mock the database in integration tests.",
        "I prefer explicit returns over implicit ones.",
        "No, we don't use lodash anymore, write it in plain JS.",
        "Wrong, in this codebase services never talk to the database directly.",
        "We tried Redis for this last year and it was too slow, that's why it's in Postgres.",
        "The tests need docker running, otherwise they hang.",
        "Commit messages should be in imperative mood.",
        "For logging use structlog, not print.",
        "The public API is frozen until 2.0, so no signature changes.",
        "Don\u2019t ever push to main.",
        "我们使用pnpm而不是npm。",
        "不要直接修改生成的文件。",
        "テストでは必ずモックを使わないでください。",
        "Wir verwenden keine Mocks in Integrationstests.",
        "Ne jamais modifier les fichiers générés.",
        "Usamos pnpm en lugar de npm en este proyecto.",
        "I'm on Windows, so bash scripts are no good here.",
        "Keep the changelog up to date.",
        "don't ask me to apply fixes, apply them",
        "use uv for dependency management pls",
        "use fastapi for all endpoints",
        "use ky instead of axios",
        "we should exclude them from our lint check as we don't want to report third parties",
        "以后都不要直接修改生成的文件",
        "je veux que ce fichier ne soit jamais ajouté dans git",
        "Dependencies are no longer installed with pip from requirements.txt, use uv sync instead.",
        "We moved the api client from eu-west-1 to eu-north-1.",
        "Don't forget to update CHANGELOG.md when you change the API.",
        "Use tabs, not spaces, in Makefiles.",
    ],
)
def test_what_lasts_is_proposed(sentence: str) -> None:
    assert proposed(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Add a dark mode toggle to the settings page.",
        "The login page doesn't work anymore, I get a 500.",
        "I want the button to be blue instead of green.",
        "Don't change any code yet, only give me a plan.",
        "We need to add a new endpoint for users.",
        "I never said you should delete it!",
        "you always forget to run the tests",
        "ok let's commit this and move on to the next task",
        "The server must be running because I can open the page.",
        "That is by design, right?",
        "Nein, das funktioniert immer noch nicht.",
        "请帮我修复这个错误",
        "Kannst du immer den ganzen Diff zeigen?",
        "Player name and team should always be visible.",
        "Always show all available options based on the current selection.",
        "The tab bar must never be hidden on the search screen.",
        "Logic types should be orange.",
        "Each user should see all options.",
        "It should always replace the one that is in there.",
        "Before Features, add a section to say this repository uses tabs.",
        "Constraints: reuse the api routes, don't add new infra.",
        "We need the schema, the rule is not updated",
        "I know that variables in Rust are immutable by default.",
        "There was a convention for naming plan files.",
        "dont make any changes besides the commit",
        "do not create any files until further notice",
        "Don't use 'BuildContext' across gaps, guarded by an unrelated 'mounted' check.",
        "make sure you do not make such dumb mistakes in the future",
        "From now on I am just giving you instructions.",
        "make a plan going forward for the migration",
        "la carte ne se réinitialise toujours pas dans les tests",
        "yo nunca te pedi tres archivos de tests",
        "代码写完以后看一下测试的结果",
        "给我制定一个计划，尽量不要改代码",
    ],
)
def test_tasks_questions_and_complaints_are_not(sentence: str) -> None:
    assert not proposed(sentence)


def test_the_text_is_what_was_typed() -> None:
    (one,) = extract.candidates(f"ok, we use ruff for linting, not flake8. {ASIDE}", least=NORMAL)
    assert (one.text, one.quote) == ("we use ruff for linting, not flake8.", "")
    assert 0 < one.confidence < 1
    assert one.confidence == round(one.confidence, 2)
    assert "policy" in one.cues


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("Remember that the staging database is read-only.", "The staging database is read-only."),
        ("please remember: `make gen` is slow on CI", "`make gen` is slow on CI"),
        ("Keep in mind that we never mock the database.", "We never mock the database."),
        ("Note that setUp runs once and never again in CI.", "setUp runs once and never again in CI."),
    ],
)
def test_the_lead_of_an_order_to_remember_is_cut_and_quoted(typed: str, text: str) -> None:
    (one,) = extract.candidates(typed, least=0.0)
    assert (one.text, one.quote) == (text, typed)


@pytest.mark.parametrize("typed", ["Remember that it works.", "From now on use tabs for everything."])
def test_a_lead_stays_where_too_little_would_be_left_or_the_rest_needs_it(typed: str) -> None:
    (one,) = extract.candidates(typed, least=0.0)
    assert (one.text, one.quote) == (typed, "")


def test_an_order_to_remember_this_means_what_was_said_before_it() -> None:
    (one,) = extract.candidates("The nightly job owns that bucket. Please remember this for next time.", least=1.0)
    assert (one.text, one.explicit) == ("The nightly job owns that bucket.", True)
    assert not extract.candidates("Please remember this. The nightly job owns that bucket.", least=1.0)
    assert not extract.candidates("Who owns that bucket? Add that to your memory.", least=1.0)


def test_make_it_a_rule_means_what_was_said_before_it_and_is_no_rule_itself() -> None:
    (one,) = extract.candidates("The specification is updated with the code. Make this a rule.", least=0.6)
    assert (one.text, one.explicit) == ("The specification is updated with the code.", True)
    assert not extract.candidates("Make this as a rule.", least=0.0)


SPECIFICATION = """## Goal
Store what the user picks.

## Requirements
- Read the payload once.
- Never write the payload to disk.
- Return the result to the caller.
- Report what failed.

## Tests
- Cover every branch of the handler.
- Do not rely on the network in tests.
"""


def test_a_specification_orders_nothing_and_proposes_nothing() -> None:
    assert proposed("Never write the payload to disk.")
    assert not proposed(SPECIFICATION)
    assert not proposed(f"I need this, please.\n\n{SPECIFICATION}")


@pytest.mark.parametrize("lead", ["Here are the instructions for your developer:", "This is the plan of the team:"])
def test_what_somebody_hands_over_orders_nothing(lead: str) -> None:
    (handed,) = extract.candidates(f"{lead}\n\nNever commit directly to main.", least=0.0)
    (typed,) = extract.candidates("I have the instructions.\n\nNever commit directly to main.", least=0.0)
    assert (handed.explicit, typed.explicit) == (False, True)


def test_in_a_long_message_only_what_says_that_it_lasts_is_an_order() -> None:
    talk = "I looked at it and the weather was lovely, so I went for a walk. " * 25
    (never,) = extract.candidates(f"{talk}Never push to main.", least=0.0)
    (from_now_on,) = extract.candidates(f"{talk}From now on push to main.", least=0.0)
    assert (never.explicit, from_now_on.explicit) == (False, True)


def test_a_person_may_talk_at_length_and_a_paste_may_not() -> None:
    policy = "We deploy on Fridays only in emergencies."
    assert proposed("I looked at it and the weather was lovely, so I went for a walk. " * 25 + policy)
    assert not proposed("The weather in the mountains was lovely, so the walk was long. " * 25 + policy)


def test_an_order_about_the_screen_is_a_wish_unless_it_says_that_it_lasts() -> None:
    assert not proposed("Always show the blue button on that page.", 0.9)
    assert proposed("From now on always show me the diff before you commit.", 0.9)


def test_a_message_gives_its_best_sentence_and_every_explicit_order() -> None:
    policy = "We use ruff for linting, not flake8."
    better = "We decided to use Postgres instead of SQLite, that's why there is a container."
    assert proposed(f"{policy} {better}") == [better]
    orders = ["Never commit directly to main.", "Always run make check before you push."]
    assert set(orders) < set(proposed(f"{policy} {orders[0]} {better} {orders[1]}", 0.0))
    assert proposed(f"{orders[0]} {orders[0]}") == [orders[0]]


def test_a_list_of_orders_does_not_flood_the_inbox() -> None:
    orders = "\n".join(f"- Please never commit file number {number} to main." for number in range(12))
    assert len(extract.candidates(orders, least=NORMAL)) == extract.MOST


def test_the_best_comes_first() -> None:
    found = extract.candidates("We use uv. Never commit to main. From now on we use the same convention.", least=0.0)
    assert [one.confidence for one in found] == sorted((one.confidence for one in found), reverse=True)


@pytest.mark.parametrize("made", ["gh" + "p_" + "a1B2" * 9, "AK" + "IA" + "QWERTYUIOP123456"])
def test_a_sentence_with_a_secret_is_dropped_whole_and_the_next_best_stands(made: str) -> None:
    assert proposed(f"Always use the token {made} for deploys.") == []
    policy = "We use ruff for linting, not flake8."
    assert proposed(f"From now on the token is {made}, always use it. {policy}") == [policy]


def test_what_is_too_short_or_too_long_is_no_sentence() -> None:
    assert not extract.candidates("never do that", least=0.0)
    assert not extract.candidates("Always use uv " + "and uv " * 100, least=0.0)


def test_what_reads_like_a_paste_counts_less_and_orders_nothing() -> None:
    rule = "Always validate the payload before every write."
    (typed,) = extract.candidates(f"{rule} Tell me when it's done, my friend.", least=0.0)
    (pasted,) = extract.candidates(
        f"{rule} {'The handler reads the payload and writes it to the store. ' * 12}", least=0.0
    )
    assert typed.explicit
    assert not pasted.explicit
    assert pasted.confidence < typed.confidence
    policy = "We deploy on Fridays only in emergencies."
    assert proposed(policy)
    assert not proposed(f"╭──╮\n{policy}")


@pytest.mark.parametrize(
    "shown",
    [
        "<!-- AGENT_MEMORY_START -->\n## Agent memory\n- Never commit directly to main.\n<!-- AGENT_MEMORY_END -->",
        'Before working on something you do not know, search these memories: `curator recall "<topic>"`.',
        'When you learn something durable, propose it: `curator add --propose "<fact>" --why "<reason>"`.',
        "curator: 2 memories wait for review, 1 is stale. Run: curator review",
        'curator: Never commit directly to main.\ncurator: Always run "make check".',
    ],
)
def test_curator_never_proposes_what_it_said_itself(shown: str) -> None:
    assert extract.candidates(shown, least=0.0) == []


@pytest.mark.parametrize(
    ("sentence", "category"),
    [
        ("Never commit directly to main.", "constraint"),
        ("We decided to use Postgres instead of SQLite.", "decision"),
        ("We follow the naming convention of the old module, so we use snake case.", "convention"),
        ("The export only works on Linux because of the fonts.", "gotcha"),
        ("We tried Redis for this and it was too slow.", "dead-end"),
        ("The flags are stored in config/flags.yaml, we never hard-code them.", "route"),
    ],
)
def test_the_category_is_guessed_from_the_cues(sentence: str, category: str) -> None:
    (one,) = extract.candidates(sentence, least=0.0)
    assert one.category == category
    assert one.category in CATEGORIES


def test_thresholds_and_caps_are_the_documented_ones() -> None:
    assert dict(extract.LEAST) == {"quiet": 0.70, "normal": 0.60, "keen": 0.50}
    assert (extract.PER_SESSION, extract.WAITING) == (3, 10)


@pytest.mark.parametrize("text", ["", "\n", "\0", "\ud800", "\ud800 never push to main \udfff now", "?" * 100])
def test_no_text_is_too_odd(text: str) -> None:
    extract.candidates(text, least=0.0)


@pytest.mark.parametrize(
    "part",
    [
        *(
            "a",
            "\n",
            " ",
            "\n ",
            "<a>\n",
            "<a ",
            "</a>",
            "`",
            '"""\n',
            "_a",
            "a/",
            "aB",
            "--a",
            "a@a",
            ". ",
            "; ",
            "(",
            "[Image #",
        ),
        *("never ", "and ", "please, ", "we do not ", "every time you ", "remember that ", "ok ", "no. ", "severity "),
        *("agent said ", "<!-- AGENT_MEMORY_START -->", "不要", "error ", "C:\\", "\ud800", "\0", "12:"),
    ],
)
def test_a_message_of_200_kilobytes_is_read_in_linear_time(part: str) -> None:
    text = part * (200_000 // len(part))
    start = time.process_time()
    extract.candidates(text, least=NORMAL)
    assert time.process_time() - start < 0.2


def test_a_message_of_thirty_thousand_words_is_read_in_an_instant() -> None:
    text = "We decided to keep the build green. It must never break when somebody pushes to main.\n" * 2000
    start = time.process_time()
    assert len(extract.candidates(text, least=0.0)) == 1
    assert time.process_time() - start < 0.2
