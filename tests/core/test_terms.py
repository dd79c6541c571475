from __future__ import annotations

import pytest

from curator.core import terms
from curator.core.terms import Strength
from curator.model import Evidence

PATH = "app/pool.py"


def of(statement: str, strength: Strength, path: str = PATH, cited_as: str = "") -> set[str]:
    return {term for term, found in terms.named(statement, path, cited_as).items() if found is strength}


def marks(text: str, term: str) -> list[str]:
    return [line.mark for line in terms.lines(text, term)]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Use `open_pool` here.", {"open_pool"}),
        ("Call `pool.open_pool(size)`.", {"pool.open_pool(size", "open_pool"}),
        ("Pass `--burst=3`.", {"--burst=3", "--burst"}),
        (
            "Set `MAX_OPEN, MIN_OPEN; other|more`.",
            {"MAX_OPEN, MIN_OPEN; other|more", "MAX_OPEN", "MIN_OPEN", "other", "more"},
        ),
        ("The openPool and close_all calls.", {"openPool", "close_all"}),
        ('In `(brackets)` or `"quotes"`.', {"brackets", "quotes"}),
        ("The `:root` selector and `.env`.", {":root", "root", ".env", "env"}),
        ("Under `data/dumps/`.", {"data/dumps/", "data/dumps"}),
        ("Needs `retry: 2` there.", {"retry: 2", "retry"}),
        ("Python 3.14 and golang:1.25.8-alpine, action v2.5.", {"3.14", "1.25.8", "2.5"}),
        ("Nothing here.", set()),
    ],
)
def test_code_in_back_ticks_structured_words_and_versions_are_strong(statement: str, expected: set[str]) -> None:
    assert of(statement, Strength.STRONG) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Limits of 20 and 1500, 7 aside.", {"20", "1500"}),
        ("Says \"too many\" or 'no more'.", {"too many", "no more"}),
        ("An apostrophe isn't a quote, it's not.", set()),
        ("Use `ab` there.", {"ab"}),
        ("The utf8 table.", {"utf8"}),
        ("On GitHub.", {"GitHub"}),
    ],
)
def test_numbers_quoted_words_and_short_names_are_weak(statement: str, expected: set[str]) -> None:
    assert of(statement, Strength.WEAK) == expected


def test_words_of_the_prose_are_plain_save_the_first_and_the_common() -> None:
    assert of("Hysteresis holds the janitor back. Pools close.", Strength.PLAIN) == {
        "holds",
        "janitor",
        "close",
    }


def test_words_outside_of_ascii_neither_count_nor_hide_a_term() -> None:
    assert of("调用open_pool函数", Strength.STRONG) == {"open_pool"}
    assert terms.holds("# 调用open_pool函数", "open_pool")


def test_the_stop_list_holds_in_back_ticks_too() -> None:
    assert terms.named("`file` `test` `name` `use` `main`") == {}


def test_parts_of_the_cited_path_are_dropped() -> None:
    found = terms.named("`pool` in `app/pool.py` and `pool.py`", PATH, "pool.py")
    assert not {"pool", "app", "py", "pool.py", PATH} & found.keys()


def test_a_stamp_keeps_only_what_occurs_in_the_file() -> None:
    stamp = terms.stamp("`open_pool` and `close_pool`", PATH, "def open_pool():\n    pass\n")
    assert [(item.term, item.defines, len(item.lines)) for item in stamp] == [("open_pool", True, 1)]


def test_a_stamp_of_a_statement_that_names_nothing_is_empty() -> None:
    assert terms.stamp("Talk to the owner first.", PATH, "MAX_OPEN = 20\n") == ()


def test_a_stamp_puts_the_strongest_terms_first() -> None:
    stamp = terms.stamp("The janitor waits 30 s for `open_pool`.", PATH, "open_pool\n30\njanitor\njanitor!\n")
    assert [item.term for item in stamp] == ["open_pool", "30", "janitor"]


def test_a_stamp_has_a_bounded_number_of_terms() -> None:
    names = [f"name_{number}" for number in range(99)]
    stamp = terms.stamp(" ".join(f"`{name}`" for name in names), PATH, "\n".join(names))
    assert len(stamp) == terms.MOST_TERMS


def test_the_symbol_is_a_term_though_no_sentence_names_it() -> None:
    assert terms.stamp("VAT rounds per line.", "tax.py", "def round_vat():\n", "round_vat")[0].term == "round_vat"


def test_a_weak_part_of_a_strong_term_is_left_out() -> None:
    stamp = terms.stamp("`mux-ab`", PATH, "mux-ab\n")
    assert [item.term for item in stamp] == ["mux-ab"]


def test_a_plain_word_must_stand_on_two_lines() -> None:
    says = "The janitor comes at night."
    assert terms.stamp(says, PATH, "the janitor\n") == ()
    assert terms.stamp(says, PATH, "the janitor\nJanitors\n") == (
        Evidence("janitor", tuple(marks("the janitor", "janitor"))),
    )


def test_a_plain_word_keeps_four_lines_of_its_own_and_those_it_shares_with_a_strong_term() -> None:
    own = "".join(f"canvas {name}\n" for name in "abcdef")
    panel, canvas = terms.stamp("`openPanel` may be a canvas.", PATH, own + "canvas | openPanel\n")
    assert len(canvas.lines) == 5
    assert set(panel.lines) < set(canvas.lines)


def test_a_topic_is_a_term_on_four_lines_or_more() -> None:
    four = tuple(f"{number:04x}" for number in range(4))
    assert terms.is_topic(Evidence("JSONL", four), Strength.PLAIN)
    assert not terms.is_topic(Evidence("JSONL", four[1:]), Strength.PLAIN)
    assert not terms.is_topic(Evidence("JSONL"), Strength.PLAIN)
    assert terms.is_topic(Evidence("utf8"), Strength.WEAK)


def test_a_hash_has_four_hex_digits() -> None:
    assert all(len(mark) == 4 and int(mark, 16) >= 0 for mark in marks("a = MAX\nb = MAX\n", "MAX"))


@pytest.mark.parametrize(
    "line",
    ["x = call( MAX )", "\tx=call(MAX)", "x = call(MAX);", "x = call(MAX),", "x = call(MAX)\r", "  x = call(MAX)  "],
)
def test_white_space_and_a_trailing_comma_or_semicolon_tell_no_lines_apart(line: str) -> None:
    assert marks(line, "MAX") == marks("x = call(MAX)", "MAX")


def test_figures_in_quotes_tell_no_lines_apart_but_others_do() -> None:
    assert marks('VERSION = "1.1.0"', "VERSION") == marks('VERSION = "1.6.0-rc1"', "VERSION")
    assert marks("LIMIT = 20", "LIMIT") != marks("LIMIT = 30", "LIMIT")
    assert marks('MODE = "fast"', "MODE") != marks('MODE = "slow"', "MODE")


def test_more_than_sixteen_lines_keep_no_hash() -> None:
    text = "".join(f"MAX_OPEN + {number}\n" for number in range(17))
    assert terms.stamp("`MAX_OPEN`", PATH, text) == (Evidence("MAX_OPEN"),)
    assert len(terms.stamp("`MAX_OPEN`", PATH, text[text.index("\n") + 1 :])[0].lines) == 16


def test_the_same_line_again_is_one_line() -> None:
    assert len(terms.stamp("`MAX_OPEN`", PATH, "MAX_OPEN\n" * 99)[0].lines) == 1


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("MAX_OLD = 1", "MAX"),
        ("a$b", "b"),
        ("room2", "room"),
        ("--cache-dir", "--cache"),
        ("---cache", "--cache"),
        ("pull-request-target", "pull-request"),
        ("version 3.110", "3.11"),
        ("version 13.11", "3.11"),
        ("process.env", ".env"),
        ("max", "MAX"),
        ("", "MAX"),
    ],
)
def test_a_part_of_a_word_is_no_mention(text: str, term: str) -> None:
    assert not terms.holds(text, term)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("pool.MAX", "MAX"),
        ("MAX-1", "MAX"),
        ("roomroom room", "room"),
        ("--cache=3", "--cache"),
        ("uses: action@v3.11", "3.11"),
        ("f (x)[0].*?+^$|{}\\", "(x)[0].*?+^$|{}\\"),
        ("read `.env` first", ".env"),
        ("a.a.b", "a.b"),
    ],
)
def test_a_whole_word_is_a_mention(text: str, term: str) -> None:
    assert terms.holds(text, term)


def test_lines_come_in_order_and_end_at_a_line_feed_only() -> None:
    text = "one MAX\x0bstill one\u2028still\ntwo\nthree MAX"
    assert [line.text for line in terms.lines(text, "MAX")] == ["one MAX\x0bstill one\u2028still", "three MAX"]


def test_a_line_of_a_bundle_is_cut_around_the_term() -> None:
    before, after = "x" * 5000 + " MAX " + "y" * 5000, "z" + "x" * 4999 + " MAX " + "y" * 4999 + "z"
    assert marks(before, "MAX") == marks(after, "MAX")


def test_a_lone_surrogate_is_a_character_like_others() -> None:
    assert len(marks("MAX = '\udcff'", "MAX")) == 1


def test_lost_lines_are_those_no_line_of_the_text_has() -> None:
    item = terms.stamp("`MAX_OPEN`", PATH, "a(MAX_OPEN)\nb(MAX_OPEN)\n")[0]
    kept, gone = item.lines
    text = "a( MAX_OPEN )\nc(MAX_OPEN)\n"
    assert terms.lost(text, text.lower(), item, Strength.STRONG) == frozenset({gone})
    assert kept != gone
    assert terms.lost("", "", item, Strength.STRONG) is None


def test_a_plain_word_is_not_lost_while_a_longer_name_has_it() -> None:
    item = Evidence("connections")
    assert terms.lost("", "def connection_pool", item, Strength.PLAIN) == frozenset()
    assert terms.lost("", "def pool", item, Strength.PLAIN) is None


def test_strength_follows_from_the_statement_and_one_it_does_not_name_has_none() -> None:
    stored = (Evidence("open_pool"), Evidence("20"), Evidence("old_name"), Evidence("round_vat"))
    found = terms.strengths("`open_pool` takes 20.", "round_vat", stored)
    assert found == {"open_pool": Strength.STRONG, "20": Strength.WEAK, "round_vat": Strength.STRONG}
