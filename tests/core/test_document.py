"""The strict YAML reader, and values that every YAML reader gives back."""

from __future__ import annotations

import re
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.core import document, quoting, rawtext
from curator.model import Fault

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{this}: &{this} [{','.join(['*' + before] * 9)}]\n" for before, this in zip("abcdefgh", "bcdefghi", strict=True)
)

YAML_1_2_CORE = re.compile(
    r"(?:null|Null|NULL|~|true|True|TRUE|false|False|FALSE|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))?"
)
"""What YAML 1.2.2 10.3.2 takes for something other than text."""

any_text = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(st.sampled_from(list(" \n\t#:-'\"%\\`.!?|>[]{}&*@,~=<>0e1xyA\r\x85\u2028\ufeff\u200d😀é日")), max_size=30),
    st.sampled_from(["no", "On", "~", "1e5", "0o17", "0x1F", "12:30", "1_000", "2024-01-15", "<<", "=", "---", "..."]),
)


@pytest.fixture(params=["as built", "without C"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test holds for PyYAML with and without its C parser."""
    if request.param == "without C":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


def read(text: str | bytes) -> document.Mapping:
    return document.read(text if isinstance(text, bytes) else text.encode(), "memories/convention/b.yaml")


def refused(text: str | bytes) -> rawtext.ReadError:
    with pytest.raises(rawtext.ReadError) as caught:
        read(text)
    assert caught.value.where.startswith("memories/convention/b.yaml")
    return caught.value


def scalar(text: str, key: str = "v") -> document.Scalar:
    pair = read(text).find(key)
    assert pair
    assert isinstance(pair[1], document.Scalar)
    return pair[1]


def test_every_value_is_its_text_and_knows_its_line() -> None:
    tree = read("schema: 1\nlist:\n  - no\n  - 007\nnested:\n  when: 2024-01-15\n")
    (_, one), (_, items), (_, nested) = tree.pairs
    assert isinstance(one, document.Scalar)
    assert isinstance(items, document.Sequence)
    assert isinstance(nested, document.Mapping)
    assert (one.text, one.line) == ("1", 1)
    assert [(item.text, item.line) for item in items.items if isinstance(item, document.Scalar)] == [
        ("no", 3),
        ("007", 4),
    ]
    assert [(key.text, key.line) for key, _ in nested.pairs] == [("when", 6)]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("no", "bool"),
        ("on", "bool"),
        ("~", "null"),
        ("", "null"),
        ("4225332", "int"),
        ("0123", "int"),
        ("1_000", "int"),
        ("12:30", "int"),
        ("0x1F", "int"),
        ("1.10", "float"),
        (".nan", "float"),
        ("2024-01-15", "timestamp"),
        ("2024-01-15T10:00:00+02:00", "timestamp"),
        ("1234e8", ""),
        ("y", ""),
        ("=", ""),
        ("text", ""),
        ("'no'", ""),
        ('"1"', ""),
    ],
)
def test_plain_values_know_what_yaml_1_1_makes_of_them(written: str, kind: str) -> None:
    assert scalar(f"v: {written}\n").plain_type == kind


def test_ya_14_a_comment_after_a_plain_value_is_known() -> None:
    value = scalar("text: ask in channel #ops\n", "text")
    assert (value.text, value.comment) == ("ask in channel", "ops")
    assert scalar("v: 'ask in #ops' # remark\n").comment == ""
    assert scalar("v: a#b\n").comment == ""


def test_ya_26_escapes_that_make_a_tab_or_line_break_are_known() -> None:
    assert scalar('v: "C:\\temp\\new"\n').escaped
    assert not scalar('v: "C:\\\\temp"\n').escaped
    assert not scalar("v: 'C:\\temp'\n").escaped


def test_line_breaks_of_windows_are_read_as_line_breaks() -> None:
    assert scalar("a: 1\r\nv: |\r\n  one\r\n  two\r\n").text == "one\ntwo\n"


def test_a_byte_order_mark_at_the_start_is_no_part_of_the_first_key() -> None:
    assert read(b"\xef\xbb\xbfa: 1\n").pairs[0][0].text == "a"


def test_one_leading_document_mark_is_fine() -> None:
    assert scalar("---\nv: 1\n...\n").line == 2


def test_tabs_are_kept_inside_quotes_blocks_and_comments() -> None:
    assert scalar("v: 'a\tb'\n").text == "a\tb"
    assert scalar("v: |\n  all:\n  \tmake\n").text == "all:\n\tmake\n"
    assert scalar("v: 1 # see\tthere\n").text == "1"
    assert read("'a\tb': 1\n").pairs[0][0].text == "a\tb"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("schema: 1\nid: b\ncategory: convention\ntext: run\tmake\n", 4, "`text`: a tab"),
        ("a: 1\nb:\tc\n", 2, "`b`: a tab"),
        ("a: 1\n\tb: 2\n", 2, "a tab"),
        ("a: |\n\tfoo\n", 2, "a tab"),
    ],
    ids=["in a value", "after the colon", "as indent", "as indent of a block"],
)
def test_ya_07_a_tab_is_called_a_tab(text: str, line: int, words: str) -> None:
    error = refused(text)
    assert error.where.endswith(f":{line}")
    assert words in error.message


def test_ya_08_a_doubled_key_is_named_with_its_second_line() -> None:
    error = refused("schema: 1\nid: b\ncategory: convention\ntext: first\ntext: second\n")
    assert error.where.endswith(":5")
    assert error.message == "`text`: the key stands twice, first on line 4"


def test_me_05_a_key_doubled_by_a_union_merge_is_named_with_its_line() -> None:
    error = refused("schema: 1\nid: a\ncategory: convention\ntext: |\n  Run it.\nimportance: 3\nimportance: 8\n")
    assert error.where.endswith(":7")
    assert "`importance`" in error.message


def test_a_doubled_key_inside_a_group_is_named_with_the_group() -> None:
    assert "`origin.by`" in refused("origin:\n  by: user\n  by: tool\n").message


def test_ya_10_nested_anchors_are_refused_at_once() -> None:
    start = time.perf_counter()
    error = refused(BOMB + "schema: 1\nid: b\ncategory: convention\ntext: *i\n")
    assert time.perf_counter() - start < 1
    assert "`a`: a YAML anchor ('&a')" in error.message
    assert error.where.endswith(":1")


@pytest.mark.parametrize("text", ["[" * 5000, "a: " + "[" * 21, "a: " + "{x: " * 30, "- " * 30 + "x"])
def test_deep_nesting_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    assert "20 levels" in refused(text).message
    assert time.process_time() - start < 1


def test_ya_12_a_number_of_5000_digits_is_only_text() -> None:
    assert scalar("v: " + "9" * 5000 + "\n").text == "9" * 5000


@pytest.mark.parametrize("text", ["", "# todo\n", "---\n", "\n\n"])
def test_ya_21_a_file_without_a_value_is_called_empty(text: str) -> None:
    assert refused(text).message == "the file is empty"
    assert document.read(text.encode(), "f", blank=True).pairs == ()


@pytest.mark.parametrize("text", ["hello\n", "- a\n- b\n", "42\n"])
def test_ya_21_a_file_that_is_no_mapping_says_what_is_due(text: str) -> None:
    assert "a mapping of keys and values is due" in refused(text).message


def test_ya_22_conflict_markers_that_break_the_file_are_called_a_merge_conflict() -> None:
    error = refused("schema: 1\nid: b\n<<<<<<< HEAD\ntext: x\n=======\ntext: y\n>>>>>>> br\ncategory: convention\n")
    assert error.fault is Fault.CONFLICT
    assert error.message.startswith("merge conflict")
    assert error.where.endswith(":3")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("id: b\ntext: |\n  <<<<<<< HEAD\n  a\n  =======\n  b\n", 3),
        ("id: b\r\ntext: |\r\n  a\r\n  >>>>>>> theirs\r\n", 4),
        ("id: b\n=======\nid: c\n", 2),
        ("id: b\n||||||| base\nid: c\n", 2),
    ],
    ids=["in a block", "end in a block, CRLF", "only the middle is left", "of diff3"],
)
def test_conflict_markers_are_found_wherever_they_stand(text: str, line: int) -> None:
    error = refused(text)
    assert error.fault is Fault.CONFLICT
    assert error.where.endswith(f":{line}")


@pytest.mark.parametrize("text", ["v: |\n  Heading\n  =======\n", "v: a <<<<<<< b\n", "v: |\n  <<<<<<<<\n"])
def test_what_only_resembles_a_conflict_marker_is_read(text: str) -> None:
    assert read(text).pairs


def test_ya_24_a_tag_is_refused_by_name() -> None:
    error = refused('schema: 1\nid: b\ntext: !!python/object/apply:os.system ["touch pwned"]\n')
    assert "`text`: a YAML tag ('!!python/object/apply:os.system')" in error.message
    assert error.where.endswith(":3")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: *x\n", 2, "a YAML alias ('*x')"),
        ("a: ! x\n", 1, "a YAML tag ('!')"),
        ("&x a: 1\n", 1, "a YAML anchor"),
        ("%YAML 1.1\n---\na: 1\n", 1, "a YAML directive"),
        ("a: 1\n---\nb: 2\n", 2, "a second document"),
        ("a: 1\n---\n", 2, "a second document"),
        ("a: 1\n? [x]\n: y\n", 2, "a key must be one word"),
        ("a: 1\nb: c: d\n", 2, '`b`: ": " inside a value'),
        ("a: @x\n", 1, "cannot start a value"),
        ("a: `x`\n", 1, "cannot start a value"),
        ('a: "C:\\Users"\n', 1, "a backslash escape that does not exist"),
        ("a: 1\nb: 'it's'\n", 2, "does not fit"),
        ("a: 1\nb: 'x\n", 2, "a quote that is not closed"),
        ("a: 1\nb: [x, y\n", 2, "a bracket that is not closed"),
        ("text: foo\nbar\nid: x\n", 2, "a line without a key"),
        ('a: "\\ud800"\n', 1, "`a`"),
    ],
)
def test_what_is_not_read_is_named_with_line_and_reason(text: str, line: int, words: str) -> None:
    error = refused(text)
    assert error.where == f"memories/convention/b.yaml:{line}"
    assert words in error.message
    assert error.hint


@pytest.mark.parametrize(
    ("data", "where", "words"),
    [
        ("a: é\n".encode("utf-16"), ":1", "UTF-16"),
        ("a: e\n".encode("utf-16-le"), ":1", "UTF-16"),
        (b"a: 1\nb: caf\xe9\n", ":2", "not UTF-8: byte 0xe9"),
        (b"a: 1\nb: \0\n", ":2", "NUL"),
        (b"a: \xed\xa0\x80\n", ":1", "not UTF-8"),
        (b"a: " + b"x" * 70_000, ".yaml", "70,003 bytes"),
        (bytes(range(256)), ":1", "NUL"),
    ],
    ids=["UTF-16", "UTF-16 without a mark", "Latin-1", "NUL", "a surrogate", "too long", "binary"],
)
def test_bytes_that_are_no_yaml_text_are_refused(data: bytes, where: str, words: str) -> None:
    error = refused(data)
    assert error.where.endswith(where)
    assert words in error.message


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"])
def test_ya_20_characters_that_readers_do_not_agree_on_are_refused(character: str) -> None:
    error = refused(f"a: 1\nb: x{character}y\n")
    assert f"U+{ord(character):04X}" in error.message
    assert error.where.endswith(":2")
    assert error.fault is Fault.UNSAFE


def test_a_carriage_return_alone_is_refused() -> None:
    assert "U+000D" in refused("a: b\rc: d\n").message


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        document.read(data, "f")
    except rawtext.ReadError as error:
        assert error.where.startswith("f")
        assert len(error.message) < 200


@settings(deadline=None)
@given(st.text(st.sampled_from(list("a:-?|>&*!%@[]{},#'\"\\ \n\t~.1")), max_size=60))
def test_any_yaml_punctuation_is_read_or_refused(text: str) -> None:
    try:
        document.read(text.encode(), "f")
    except rawtext.ReadError as error:
        assert re.fullmatch(r"f(:\d+)?", error.where)


def test_messages_never_show_a_long_value() -> None:
    assert len(rawtext.shown("x" * 500)) <= 60
    assert rawtext.shown("a\nb\x1b") == r"'a\nb\x1b'"
    assert len(refused("a: !" + "x" * 5000 + " b\n").message) < 120
    assert len(refused(f"{'k' * 900}: 1\n{'k' * 900}: 2\n").message) < 120


@settings(deadline=None)
@given(any_text)
def test_inline_text_is_one_line_that_reads_back_as_the_same_text(text: str) -> None:
    written = quoting.inline(text)
    assert "\n" not in written
    value = scalar(f"v: {written}\n")
    assert value.text == text
    assert value.plain_type == ""
    assert value.comment == ""


@settings(deadline=None)
@given(any_text)
def test_bare_text_is_text_for_readers_of_yaml_1_1_and_1_2(text: str) -> None:
    written = quoting.inline(text)
    if written == text:
        assert yaml.safe_load(f"v: {written}")["v"] == text
        assert yaml.safe_load(f"[{written}]") == [text]
        assert not YAML_1_2_CORE.fullmatch(written)


@pytest.mark.parametrize(
    "text", ["4225332", "1234e8", "1e5", "0o17", "0b11", "012", "no", "Yes", "y", "null", "NaN", "1.0"]
)
def test_ya_03_what_some_reader_takes_for_a_number_or_flag_gets_quotes(text: str) -> None:
    assert quoting.inline(text) == f"'{text}'"


@pytest.mark.parametrize(
    "text", ["f446dcf", "b81d02f3a977", "253fd5ef", "pytest", "one cent off", "shop/checkout/tax.py"]
)
def test_words_paths_and_hashes_with_letters_stand_bare(text: str) -> None:
    assert quoting.inline(text) == text


def test_quotes_are_single_and_escapes_are_only_for_what_would_be_lost() -> None:
    assert quoting.quoted("it's C:\\temp #1: 100 %") == "'it''s C:\\temp #1: 100 %'"
    assert quoting.quoted("a\nb\x85\x1b") == '"a\\nb\\u0085\\u001b"'


def test_a_block_keeps_lines_and_falls_back_to_quotes() -> None:
    assert quoting.block("one\n\ntwo", 2) == "|\n  one\n\n  two"
    assert quoting.block(" one", 2) == "' one'"
    assert quoting.block("", 2) == "''"
    assert quoting.block("one\r\ntwo", 2) == '"one\\r\\ntwo"'
    assert quoting.block("<<<<<<< ours\nb", 2) == '"<<<<<<< ours\\nb"'


@settings(deadline=None)
@given(any_text)
def test_a_block_reads_back_but_for_the_line_break_at_its_end(text: str) -> None:
    value = scalar(f"v: {quoting.block(text, 2)}\nw: 1\n")
    assert value.text.removesuffix("\n" if value.style == "|" else "") == text


def test_a_value_knows_where_it_ends() -> None:
    text = "a: [x,\n  y]  # c\nb: |  # c\n  one\n  two  \n\n\n# end\nc:\n  - k: 'z'  # c\n"
    ends = [text[node.start : node.end] for _, node in read(text).pairs]
    assert ends == ["[x,\n  y]", "|  # c\n  one\n  two  ", "- k: 'z'"]


def test_a_key_that_is_indented_too_far_is_told_from_a_value_that_wants_quotes() -> None:
    with pytest.raises(rawtext.ReadError) as caught:
        document.read(b"id: a\n category: gotcha\ntext: b\n", "a.yaml")
    assert "`category`: stands further in than the line before" in str(caught.value)
    assert caught.value.where == "a.yaml:2"
    with pytest.raises(rawtext.ReadError, match="inside a value without quotes"):
        document.read(b"id: a\ntext: b: c\n", "a.yaml")
