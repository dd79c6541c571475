from __future__ import annotations

import math

import pytest

from benchmarks import tokens as samples
from curator.core import tokens


def test_no_text_costs_nothing() -> None:
    assert tokens.cost("") == 0
    assert tokens.estimate("") == 0


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("word", 1.15),
        ("one two three four", 4.6),
        ("internationalisation", 1.15 + 4),
        ("camelCaseName", 1.15 + 2 + 2 * 0.5),
        ("1234567", 3.3),
        ("a\n\n\n  b", 2 * 1.15 + 1.1),
        ("a    b", 2 * 1.15 + 0.5),
        ("a, b.", 2 * 1.15 + 2 * 0.85),
        ("設定値", 3.0),
        ("データ", 3.0),
        ("한글", 3.0),
        ("миграция", 8 * 0.6),
        ("αβγ", 3 * 1.4),
        ("שלום", 4 * 1.4),
        ("ไทย", 9.0),
        ("\U0001f680", 3.0),
        ("\x1b\x07", 6.0),
        ("\u3000\u00a0", 0.0),
        ("nicht mit Datenbankwerkzeugen", 5 / 3 + 1.15 + 19 / 3),
        ("é", 1.15 + 0.4),
        ("ł", 1.15 + 1.5),
        ("the café", 1.15 + 4 / 3 + 0.4),
    ],
)
def test_runs_of_one_class_have_a_fixed_price(text: str, cost: float) -> None:
    assert tokens.cost(text) == pytest.approx(cost)


def test_costs_of_lines_add_up_to_the_cost_of_the_text() -> None:
    lines = [entry for sample in samples.SAMPLES for entry in samples.entries(sample)]
    assert sum(map(tokens.cost, lines)) == pytest.approx(tokens.cost("".join(lines)))


def test_an_estimate_is_the_cost_rounded_up() -> None:
    assert tokens.estimate("word " * 20) == 23
    assert all(tokens.estimate("x, " * n) == math.ceil(round(tokens.cost("x, " * n), 6)) for n in range(200))


def test_bu_01_a_chinese_character_costs_a_token() -> None:
    text = "使用测试运行部署" * 10
    assert tokens.estimate(text) >= len(text)


def test_bu_05_emoji_families_and_combining_marks_have_a_price() -> None:
    text = "👩\u200d👩\u200d👧 e\u0301 " * 50
    assert tokens.estimate(text) > 50 * 5
    assert tokens.cost(text) == pytest.approx(50 * tokens.cost("👩\u200d👩\u200d👧 e\u0301 "))


@pytest.mark.parametrize("sample", samples.SAMPLES)
def test_40_memories_are_estimated_within_3_percent_below_and_30_above(sample: str) -> None:
    exact = _counters()
    text = samples.block(sample)
    assert 0.97 <= tokens.estimate(text) / exact["Claude, older"](text) <= 1.30


@pytest.mark.parametrize("sample", samples.SAMPLES)
def test_40_memories_never_cost_more_than_estimated_in_another_vocabulary(sample: str) -> None:
    text = samples.block(sample)
    assert tokens.estimate(text) >= _counters()["o200k_base"](text)


@pytest.mark.parametrize("sample", ["english", "code"])
def test_english_and_code_stay_within_30_percent_in_another_vocabulary(sample: str) -> None:
    text = samples.block(sample)
    assert tokens.estimate(text) / _counters()["o200k_base"](text) <= 1.30


def _counters() -> dict[str, samples.Counter]:
    pytest.importorskip("anthropic_tokenizer", reason="the exact counter is not installed")
    pytest.importorskip("bpe_openai", reason="the exact counter is not installed")
    return dict(samples.counters())
