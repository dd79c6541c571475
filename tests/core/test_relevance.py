"""A prompt brings what it is about, and one about anything brings nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from benchmarks import hook
from benchmarks.retrieval import Search
from curator.core import relevance, scoring, words
from curator.model import Config, Entry, Source


def held(*texts: str, path: str = "") -> Search:
    sources = (Source(path),) if path else ()
    entries = [
        Entry(f"m{number}", "gotcha", text, path=f"memories/gotcha/m{number}.yaml", sources=sources)
        for number, text in enumerate(texts)
    ]
    return Search(entries, Config())


STORE = (
    "The pgbouncer pool stays below default_pool_size 20.",
    "Alembic revisions are made with make migrate.",
    "AuthService.rotate is called by the cron job only.",
    "Error 53300 means that the pool is exhausted, HTTP 429 that a client is throttled.",
    "Run the tests of the checkout with make e2e and commit the snapshots.",
    "Retries of the outbox worker never pass the ledger.",
)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("why is default_pool_size 20?", ["m0"]),
        ("fix DEFAULT_POOL_SIZE please", ["m0"]),
        ("please add a revision with alembic", ["m1"]),
        ("who calls auth_service?", ["m2"]),
        ("authService fails", ["m2"]),
        ("it exits with 53300 now", ["m3"]),
        ("the zebra eats purple bananas, sings in Lisbon, dances with kangaroos and exits with 53300", ["m3"]),
        ("the outbox worker retries for ever, look into the ledger", ["m5"]),
        ("run the tests and commit", []),
        ("fix the failing test please", []),
        ("commit and push", []),
        ("yes", []),
        ("", []),
        ("12 34 a b", []),
        ("write a poem about the sea", []),
    ],
)
def test_a_shared_name_or_most_of_what_is_asked_makes_a_memory_relevant(prompt: str, expected: list[str]) -> None:
    assert hook.shown(held(*STORE), prompt) == expected


def test_a_path_in_a_prompt_is_a_name() -> None:
    assert hook.shown(held("Keep it bare.", path="src/pool.py"), "open src/pool.py and src/other.py") == ["m0"]


def test_a_word_that_every_memory_holds_tells_nothing() -> None:
    store = held(*(f"The ledger keeps {word}." for word in "rows sums taxes dates names keys marks notes".split()))
    assert hook.shown(store, "the ledger looks odd") == []


def test_a_long_prompt_is_cut_and_its_names_still_count() -> None:
    text = "lorem ipsum dolor " * 50_000
    assert hook.shown(held(*STORE), f"default_pool_size {text}") == ["m0"]
    assert hook.shown(held(*STORE), f"{text} default_pool_size") == ["m0"]
    assert hook.shown(held(*STORE), f"{text} default_pool_size {text}") == []
    many = " ".join(f"word{number}" for number in range(5_000))
    assert len(relevance.terms(many)) == 300


def test_common_words_are_stems_that_a_search_makes() -> None:
    assert {stem for stem in relevance.COMMON if words.words(stem) == []} == set()
    assert {"test", "commit", "fix", "run", "pleas"} <= relevance.COMMON


def test_the_best_come_first_and_those_far_below_are_left_out() -> None:
    store = held("alpha_one beta_two gamma_three.", "alpha_one alone among many other words of the shop.")
    postings = store.lookup(scoring.WORDS, relevance.terms("alpha_one beta_two gamma_three"))
    found = relevance.chosen("alpha_one beta_two gamma_three", postings, store.ranks)
    assert [ordinal for ordinal, _ in found] == [0]


def test_figures_of_the_bench_hold() -> None:
    figures = hook.relevance()
    assert figures.recall >= 0.9
    assert figures.precision >= 0.97
    assert figures.chance <= 0.05
    assert figures.idle == 0
    assert Path(hook.__file__).exists()


@pytest.mark.parametrize("word", ["a" * 8000, "记" * 8000, "aB" * 4000, "a_" * 4000])
def test_a_word_without_an_end_takes_no_longer(word: str) -> None:
    began = time.process_time()
    relevance.terms(word)
    assert time.process_time() - began < 0.3
