"""What a tool takes: the schema says it, and a call is held against the same table."""

from __future__ import annotations

import math
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.errors import CuratorError
from curator.server import answers, arguments, desk, guide, tools
from curator.server.arguments import Field, Kind

FIELDS = (
    Field("text", Kind.TEXT, "Some words. And more.", longest=5, required=True),
    Field("name", Kind.NAME, "A name.", longest=5),
    Field("tags", Kind.TEXTS, "Words.", most=2, longest=3),
    Field("files", Kind.LINES, "Paths.", most=2, longest=5),
    Field("limit", Kind.WHOLE, "How many.", 1, 9),
    Field("least", Kind.NUMBER, "From 0 to 1.", 0, 1),
    Field("explain", Kind.FLAG, "Say why."),
)


def test_what_fits_comes_back_and_what_was_left_out_is_none() -> None:
    given_ = {
        "text": " ab ",
        "name": " x ",
        "tags": ["a", " a ", "", "b"],
        "files": [" x "],
        "limit": 3.0,
        "least": 1,
        "explain": True,
    }
    assert arguments.read(FIELDS, given_) == {
        "text": " ab ",
        "name": "x",
        "tags": ("a", "b"),
        "files": ("x",),
        "limit": 3,
        "least": 1.0,
        "explain": True,
    }
    assert arguments.read(FIELDS, {"text": "a", "name": None, "tags": None, "limit": None}) == {
        "text": "a",
        "name": None,
        "tags": (),
        "files": (),
        "limit": None,
        "least": None,
        "explain": None,
    }


def test_one_text_is_taken_for_a_list_of_one() -> None:
    assert arguments.read(FIELDS, {"text": "a", "tags": "b"})["tags"] == ("b",)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"text": "a", "limit": True}, "`limit` is a whole number from 1 to 9"),
        ({"text": "a", "limit": 1.5}, "`limit` is a whole number"),
        ({"text": "a", "limit": 10**400}, "`limit` is a whole number"),
        ({"text": "a", "least": math.nan}, "`least` is a number from 0 to 1"),
        ({"text": "a", "least": math.inf}, "`least` is a number"),
        ({"text": "a", "least": "1"}, "`least` is a number"),
        ({"text": "a", "explain": 1}, "`explain` is true or false"),
        ({"text": "a", "name": "x\ny"}, "`name` is one line"),
        ({"text": "a", "name": "x" * 9}, "`name` has 9 characters, and may have 5"),
        ({"text": "a", "tags": ["a", "b", "c"]}, "`tags` has 3 texts, and may have 2"),
        ({"text": "a", "tags": ["abcd"]}, "a text of `tags` has 4 characters"),
        ({"text": "a", "files": ["a", "b\0c"]}, "each of `files` is one line without control characters"),
        ({"text": "a", "files": "b\nc"}, "each of `files` is one line without control characters"),
        ({"text": "a", "tags": {"a": 1}}, "`tags` is a list of texts"),
        ({"text": "a", "txet": 1}, "no argument `txet`: did you mean `text`?"),
        ({"text": "a", "zzz\x1b": 1}, r"no argument `zzz\x1b`: there are: text, name"),
        ({}, "`text` is missing: Some words"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(CuratorError) as raised:
        arguments.read(FIELDS, wrong)
    assert reason in raised.value.message


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(CuratorError) as raised:
        arguments.read(FIELDS, {"limit": 0, "x": 1})
    assert raised.value.message.count(";") == 2


@pytest.mark.parametrize("name", tools.TOOLS)
def test_the_schemas_of_a_tool_are_schemas_and_every_argument_is_described(name: str) -> None:
    tool = tools.TOOLS[name]
    schema = arguments.schema(tool.fields)
    for one in (schema, tool.output):
        jsonschema.Draft202012Validator.check_schema(one)
        assert one["type"] == "object"
    assert all(len(field.help) > 15 for field in tool.fields)
    assert len({field.name for field in tool.fields}) == len(tool.fields)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
_NAMES = st.sampled_from([field.name for field in FIELDS]) | st.text(max_size=6)


@given(st.dictionaries(_NAMES, _JSON, max_size=6))
@settings(deadline=None)
def test_no_value_breaks_the_reading_and_what_the_schema_allows_is_taken(given_: dict[str, Any]) -> None:
    try:
        values = arguments.read(FIELDS, given_)
    except CuratorError as error:
        assert error.message
        blank = isinstance(given_.get("text"), str) and not given_["text"].strip()
        said = [given_.get("name"), *(given_["files"] if isinstance(given_.get("files"), list) else ())]
        lines = any(isinstance(one, str) and not one.isprintable() for one in said)
        valid = jsonschema.Draft202012Validator(arguments.schema(FIELDS)).is_valid(given_)
        assert not valid or blank or lines
    else:
        assert set(values) == {field.name for field in FIELDS}
        assert values["text"].strip()


@given(_JSON)
@settings(deadline=None)
def test_a_clean_value_is_utf_8_and_drives_no_terminal(value: Any) -> None:
    told = answers.clean({"a\ud800": value, "b": "\x1b[31m\u202e\ud800"})
    repr(told).encode()
    assert "\x1b" not in str(told)
    assert answers.clean("\ud800\x1b") == "\\ud800\\x1b"


def test_an_answer_takes_as_much_as_it_has_room_for_and_never_nothing() -> None:
    rows = [{"text": "x" * 100} for _ in range(10)]
    assert len(answers.fitting(rows, most=350)) == 3
    assert len(answers.fitting(rows, most=1)) == 1
    assert answers.fitting([]) == []


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("opencode", "opencode"),
        ("kimi_code", "kimi-code"),
        ("cursor-vscode", "cursor"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("mcp-inspector", "mcp-inspector"),
        ("é" * 99, "agent"),
        ("", "agent"),
    ],
)
def test_a_client_is_known_by_how_its_name_begins(name: str, known: str) -> None:
    assert desk.agent(name) == known


def test_each_client_that_is_known_is_one_that_a_review_names_without_quotes() -> None:
    from curator.cli import door
    from curator.core import teller, utterance

    known = {*desk._CLIENTS.values(), *door.AGENTS.values(), *door.PROCESSES.values()} - {"agent"}
    assert known | {utterance.CLAUDE, utterance.CODEX, utterance.KIMI, utterance.OPENCODE} == teller.CLIENTS


def test_the_instructions_name_no_tool_that_is_not_there() -> None:
    import re

    named = set(re.findall(r"\b[a-z]+_[a-z]+\b", guide.INSTRUCTIONS)) - {"round_vat"}
    assert named <= set(tools.TOOLS)
    assert set(tools.TOOLS) <= named
