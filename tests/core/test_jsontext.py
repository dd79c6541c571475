"""JSON as somebody wrote it: a part put in and cut again, comments and commas where they were."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as running
from hypothesis import strategies as some

from curator.core import jsontext
from curator.errors import CuratorError

COMMENTED = """\
{
  // which model
  "model": "opus", // the large one
  "mcp": {
    "theirs": { "type": "local", "command": ["x"] }, /* keep */
  },
  "last": [1, 2], // the end
}
"""


def read(text: str, *, comments: bool = True) -> dict[str, object]:
    return jsontext.read(text, "a.json", "by hand", comments=comments)


@pytest.mark.parametrize(
    "text",
    [
        COMMENTED,
        COMMENTED.replace("\n", "\r\n"),
        COMMENTED.replace("}, /* keep */", "} /* keep */").replace("], // the end", "] // the end"),
        '{"mcp": {"theirs": 1}, "last": 2}',
        '{"mcp":{"theirs":1},"last":2}\n',
        '{\n\t"mcp": {\n\t\t"theirs": 1\n\t},\n\t"last": "// no comment, [1,]"\n}',
        '{ "mcp": { "theirs": 1, }, "last": "\\"//" }',
        '{\n  "mcp": {\n    // nothing yet\n  },\n  "last": 1\n}',
        '{ "mcp": {},\n  "last": 1 // one line below\n}',
        '\n{\n    "mcp": {"a": 1, /* t */}, /* t */}',
        '// head\n{"mcp": {"a": 1 /* one, */, /* two */ }, // end ,\n// tail\n}',
    ],
)
@pytest.mark.parametrize("path", [(), ("mcp",)])
def test_a_member_that_is_put_in_and_cut_leaves_every_byte(text: str, path: tuple[str, ...]) -> None:
    before = read(text)
    after = jsontext.append(text, path, "curator", {"command": ["a", "b"], "on": True})
    value = read(after)
    inside = value
    for name in path:
        inside = inside[name]  # type: ignore[assignment]
    assert list(inside)[-1] == "curator"
    assert inside.pop("curator") == {"command": ["a", "b"], "on": True}
    assert value == before
    assert all(line in after for line in text.replace("\r", "").split("\n") if "//" in line and line.endswith("e"))
    assert jsontext.cut(after, (*path, "curator")) == text


def test_a_comment_stays_beside_what_it_is_about() -> None:
    after = jsontext.append(COMMENTED, (), "more", 1)
    assert '"last": [1, 2], // the end\n  "more": 1,\n}' in after
    assert '"more": 1,\n' in jsontext.append(COMMENTED.replace("2],", "2]"), (), "more", 1).replace("1\n}", "1,\n}")


def test_cutting_the_first_or_the_middle_keeps_the_comments_of_the_others() -> None:
    assert jsontext.cut(COMMENTED, ("model",)) == COMMENTED.replace(
        '  "model": "opus", // the large one\n', "   // the large one\n"
    )
    assert '// the large one\n  "last"' in jsontext.cut(COMMENTED, ("mcp",))


def test_another_value_takes_the_place_of_one_and_nothing_else_moves() -> None:
    assert jsontext.spelt(COMMENTED, ("mcp", "theirs", "command"), ["é"]) == COMMENTED.replace('["x"]', '["é"]')


@pytest.mark.parametrize(
    ("text", "told", "line"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "is not JSON", 3),
        ('{\n/* open\n "a": 1}', "holds a comment", 2),
        ('{"a": 1, "a": 2}', "'a' is there twice", 0),
        ("[]", "is not a JSON object", 0),
        ('{"a": NaN}', "NaN is no JSON", 0),
        ('\ufeff{"a": 1}', "byte order mark", 1),
        ("", "is not JSON", 1),
    ],
)
@pytest.mark.parametrize("comments", [True, False])
def test_what_is_no_json_is_named_with_its_line(text: str, told: str, line: int, comments: bool) -> None:
    with pytest.raises(CuratorError) as caught:
        read(text, comments=comments)
    assert told in caught.value.message
    assert caught.value.where == (f"a.json:{line}" if line else "a.json")


def test_a_comment_is_refused_where_the_client_takes_none() -> None:
    with pytest.raises(CuratorError, match="holds a comment"):
        read(COMMENTED, comments=False)


values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=6),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
layouts = some.sampled_from([{"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")}])


@running(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(some.dictionaries(some.text(max_size=4), values, max_size=4), layouts, values)
def test_any_value_survives_another(value: dict[str, object], layout: dict[str, object], new: object) -> None:
    value.pop("curator", None)
    text = json.dumps(value, ensure_ascii=False, **layout)  # type: ignore[arg-type]
    after = jsontext.append(text, (), "curator", new)
    assert read(after) == {**value, "curator": new}
    assert jsontext.cut(after, ("curator",), jsontext.container(text, ())) == text
