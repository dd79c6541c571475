from __future__ import annotations

import pytest

from curator.core import words

TERMS = [
    ("", []),
    ("   \n\t", []),
    ("...", []),
    ("the running tests", ["run", "test"]),
    ("HTTPServer.get_user", ["httpserver.get_user", "http", "serv", "get", "user"]),
    ("amount_minor", ["amount_minor", "amount", "minor"]),
    ("amountMinor", ["amountminor", "amount", "minor"]),
    ("core.clock", ["core.clock", "cor", "clock"]),
    ("src/app.py:12", ["src", "app.py", "app", "py", "12", "src/app.py:12"]),
    ("C:\\Users\\ada", ["c", "user", "ada", "c:\\users\\ada"]),
    ("std::vector", ["std", "vect", "std::vector"]),
    ("C++ and C#, F#", ["c++", "c", "c#", "c", "f#", "f"]),
    ("--frozen .env", ["frozen", "env"]),
    ("default_pool_size=20", ["default_pool_size", "default", "pool", "siz", "20"]),
    ("python3.12", ["python3.12", "python", "3", "12"]),
    ("$HOME @scope/pkg", ["hom", "scop", "pkg", "scope/pkg"]),
    ("a@b.org", ["b.org", "b", "org"]),
    ("Note: x", ["not", "x"]),
    ("not no should the of", []),
    ("async find use go", ["async", "find", "use", "go"]),
    ("ＨＴＴＰ ﬁle", ["http", "fil"]),
    ("Größe", ["größe", "gr", "öß", "e"]),
    ("naïve café", ["naïve", "na", "ï", "ve", "café", "caf", "é"]),
    ("設定値", ["設定", "定値"]),
    ("値", ["値"]),
    ("データ", ["デー", "ータ"]),
    ("データベースの移行", ["デー", "ータ", "タベ", "ベー", "ース", "スの", "の移", "移行"]),
    ("pytestを実行", ["pytestを実行", "pytest", "を実", "実行"]),
    ("데이터베이스", ["데이", "이터", "터베", "베이", "이스"]),
    ("миграция", ["миграция"]),
    ("\U0001f680 launch → \u2713", ["launch", "\U0001f680", "\u2713"]),
]

STEMS = [
    ("run", "run"),
    ("runs", "run"),
    ("running", "run"),
    ("tests", "test"),
    ("classes", "class"),
    ("class", "class"),
    ("status", "status"),
    ("policies", "polic"),
    ("policy", "polic"),
    ("migrations", "migr"),
    ("migration", "migr"),
    ("deployment", "deploy"),
    ("quickly", "quick"),
    ("falling", "fall"),
    ("ring", "ring"),
    ("used", "used"),
    ("größen", "größen"),
    ("12345", "12345"),
]


@pytest.mark.parametrize(("text", "terms"), TERMS)
def test_words_are_wholes_and_stemmed_parts(text: str, terms: list[str]) -> None:
    assert words.words(text) == terms


@pytest.mark.parametrize(("word", "root"), STEMS)
def test_a_stem_keeps_enough_letters(word: str, root: str) -> None:
    assert words.stem(word) == root


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("cat", ["^cat", "cat$"]),
        ("a I the", []),
        ("x", ["^x$"]),
        ("amount_minor", ["^amo", "amou", "moun", "ount", "unt_", "nt_m", "t_mi", "_min", "mino", "inor", "nor$"]),
        ("値", ["^値$"]),
        ("Ｃat", ["^cat", "cat$"]),
    ],
)
def test_grams_are_windows_of_four_over_marked_words(text: str, terms: list[str]) -> None:
    assert words.grams(text) == terms


def test_terms_hold_no_white_space() -> None:
    every = "".join(map(chr, range(0x3000))) + " a\u00a0b x\u2028y \u3000z"
    assert not [term for term in [*words.words(every), *words.grams(every)] if term.split() != [term]]


def test_there_are_116_stop_words() -> None:
    assert len(words.STOP_WORDS) == 116
