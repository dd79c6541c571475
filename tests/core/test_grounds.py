"""What a model says of a session lives only on the words that it names."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.core import dialogue, distil, grounds, pricing, session
from curator.core.dialogue import Line, Turn
from curator.core.distil import Item
from curator.errors import CuratorError

WORDS = st.sampled_from(
    "the uploads fail when `max_body` is 1m in deploy/nginx.conf not proxyBuffer --force 30s a".split()
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
TRACKED = frozenset({"deploy/nginx.conf"})


def of(*texts: str) -> tuple[Line, ...]:
    turn = Turn(session.Said(session.AGENT, "\n".join(texts)), 0, 1)
    return tuple(Line(number, text, turn) for number, text in enumerate(texts, 1))


@given(
    st.lists(SENTENCES, max_size=6),
    st.one_of(SENTENCES, st.text(max_size=40)),
    st.one_of(SENTENCES, st.text(max_size=40)),
    st.integers(-3, 9),
    st.lists(st.sampled_from(["deploy/nginx.conf", "other.py", ""]), max_size=2),
)
def test_no_item_lives_without_its_quote_its_words_and_its_files(
    texts: list[str], fact: str, quote: str, number: int, files: list[str]
) -> None:
    lines = of(*texts)
    answer = json.dumps(
        [{"fact": fact, "category": "gotcha", "files": files, "confidence": 1, "quote": quote, "line": number}]
    )
    items = distil.items(answer)
    assert items is not None
    for item in items:
        if grounds.lacks(item, lines, TRACKED):
            continue
        line = lines[item.line - 1]
        assert line.number == number
        assert " ".join(quote.split()) in " ".join(line.text.split())
        assert " ".join(quote.split())
        around = " ".join(texts[max(0, number - 4) : number + 3])
        assert all(word in around for word in fact.split() if word in {"`max_body`", "proxyBuffer", "--force", "30s"})
        assert set(files) <= TRACKED
        assert grounds.candidate(item, line).quote == line.text


@given(st.text(), st.text())
def test_a_quote_is_words_of_its_sentence(quote: str, text: str) -> None:
    if grounds.is_quoted(quote, text):
        assert quote.split()
        assert " ".join(quote.split()) in " ".join(text.split())


@given(st.text())
def test_any_answer_is_items_or_none(answer: str) -> None:
    found = distil.items(answer)
    assert found is None or all(isinstance(one, Item) and one.fact and one.quote for one in found)


KEYS = st.sampled_from(["items", "fact", "category", "files", "confidence", "quote", "line"])
LEAVES = st.none() | st.booleans() | st.floats() | st.text()


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)))
def test_any_json_is_items_or_none(value: object) -> None:
    found = distil.items(json.dumps(value))
    assert found is None or all(0 <= one.confidence <= 1 for one in found)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("Uploads fail when MAX_BODY is 1m.", {"MAX_BODY", "1m"}),
        ("See deploy/nginx.conf and src/.", {"deploy/nginx.conf", "src/"}),
        ("`make lint` runs ruff.check first.", {"make lint", "make", "lint", "ruff.check"}),
        ("Pass --no-cache to it.", {"--no-cache"}),
        ("Use version 3.12 of Python.", {"3.12"}),
        ("The proxy buffers uploads.", set()),
        ("A read-only database takes no writes.", set()),
    ],
)
def test_code_words_are_names_paths_flags_and_numbers(fact: str, words: set[str]) -> None:
    assert set(grounds.code_words(fact)) >= words
    assert bool(words) == bool(grounds.code_words(fact))


def test_a_word_stands_in_the_context_of_a_sentence_and_no_further() -> None:
    texts = ["It is proxyBuffer.", *("Nothing of the kind is here." for _ in range(5))]
    lines = of(*texts)
    item = Item("The proxyBuffer is here.", "gotcha", (), 1.0, "Nothing of the kind", 4)
    assert grounds.lacks(item, lines, ()) == ""
    assert grounds.lacks(item._replace(line=5), lines, ()) == grounds.WORDS


def talk(*said: tuple[str, str]) -> tuple[Line, ...]:
    return tuple(Line(at, text, Turn(session.Said(by, text), at, at)) for at, (by, text) in enumerate(said, 1))


ASKED = (session.USER, "The nightly batch failed again, please find out why it does that.")
FAR = tuple((session.USER, f"There is nothing else to say in sentence {number}.") for number in "abcd")


@pytest.mark.parametrize(
    ("fact", "mine", "other"),
    [
        (
            "Always push with --force to main.",
            "Push it to main when the batch is done.",
            "You should use --force here.",
        ),
        ("The nightly batch needs --force.", ASKED[1], "Maybe it is --force that it needs."),
        ("Always delete the old logs.", "Never delete the old logs of a batch.", "We always do that here anyway."),
        ("Delete no old logs of a batch.", "Delete the old logs of a batch.", "There is no need to do that."),
        ("Skip the slow ops tests.", "The ops tests are slow.", "Rather skip them."),
        ("Run the tests before a deploy.", "Run the tests after a deploy.", "It should be before that, I think."),
        ("Secrets belong to everybody.", ASKED[1], "Nothing of that kind is here."),
    ],
)
def test_a_fact_with_a_word_of_a_sentence_nearby_rests_on_that_too(fact: str, mine: str, other: str) -> None:
    lines = talk((session.USER, mine), (session.AGENT, other))
    item = Item(fact, "constraint", (), 1.0, mine, 1)
    assert [line.number for line in grounds.rests(item, lines)] == [1, 2]


@pytest.mark.parametrize(
    ("other", "is_worded"),
    [("You push to main with force each time.", True), ("As I told you, this is done.", False)],
)
def test_of_sentences_further_off_those_count_that_word_the_fact(other: str, is_worded: bool) -> None:
    lines = talk((session.AGENT, other), *FAR, (session.USER, "You have to push to main after the batch."))
    item = Item("Push to main with force, they told us.", "constraint", (), 1.0, "You have to push to main", 6)
    assert (1 in {line.number for line in grounds.rests(item, lines)}) is is_worded


def test_a_fact_in_the_words_of_its_sentence_rests_on_that_alone() -> None:
    said = "Never change the proxy settings without telling the platform team first."
    lines = talk((session.AGENT, f"Understood: {said}"), (session.USER, said), (session.AGENT, "The proxy buffers it."))
    item = Item("Do not change proxy settings without telling the platform team.", "constraint", (), 1.0, said, 2)
    assert grounds.rests(item, lines) == (lines[1],)


def test_a_part_of_a_longer_name_is_not_that_word() -> None:
    lines = of("The upload failed because of max_body_size there.")
    item = Item("It is max_body.", "gotcha", (), 1.0, "The upload failed because", 1)
    assert grounds.lacks(item, lines, ()) == grounds.WORDS


def test_files_that_are_rules_of_agents_are_not_cited() -> None:
    item = Item("x", "gotcha", ("CLAUDE.md", "memories/a/b.yaml", "uv.lock", "src/app.py"), 1.0, "x", 1)
    assert grounds.cited(item) == ("src/app.py",)


def test_of_an_agent_only_what_it_says_after_the_last_tool_is_final() -> None:
    said = [(by, f"{by} {number}") for number, by in enumerate("user agent tool agent agent user agent tool".split())]
    records = [(at, at + 1, session.Said(by, text)) for at, (by, text) in enumerate(said)]
    found = [turn.said.text for turn in dialogue.finals([*records, (9, 10, None)])]
    assert found == ["user 0", "agent 3", "agent 4", "user 5"]


@pytest.mark.parametrize(
    ("model", "setting", "into", "out", "cost"),
    [
        ("claude-haiku-5-5", "", 100_000, 1_000_000, 0.01 + 0.5),
        ("claude-haiku-5-5", "", 100_001, 0, 0.0500005),
        ("claude-haiku-4-5-20251001", "", 1_000_000, 0, 1),
        ("anything", "3/15", 1_000_000, 1_000_000, 18),
    ],
)
def test_a_price_is_that_of_the_list_or_of_the_user(model: str, setting: str, into: int, out: int, cost: float) -> None:
    price = pricing.price(model, setting)
    assert price
    assert pricing.spent(price, into, out).cost == pytest.approx(cost)


@pytest.mark.parametrize("setting", ["1", "1/", "/1", "a/b", "-1/2", "nan/1", "inf/1"])
def test_what_is_no_price_is_refused(setting: str) -> None:
    with pytest.raises(CuratorError, match="is no amount"):
        pricing.price("x", setting)


def test_the_default_model_has_a_price() -> None:
    assert pricing.DEFAULT in pricing.PRICES
