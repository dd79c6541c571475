"""The JSON Schema that editors use agrees with the codec."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings

from curator.core import check, codec, schema
from curator.model import Budget, Config, Entry
from tests.core.test_codec import EXAMPLE, HAND_WRITTEN, NAMES, PATH, entries, file

SHAPE: Any = schema.entry_schema(Config())
VALIDATOR = jsonschema.Draft202012Validator(SHAPE)


class Loader(yaml.SafeLoader):
    """What an editor makes of a file: the core types of YAML 1.2, so no dates and no yes and no."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag.rpartition(":")[2] in {"int", "float", "null"}]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), list("tf"))


def faults(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(yaml.load(text, Loader))]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SHAPE)


def test_its_text_is_json_with_one_line_break_at_the_end() -> None:
    text = schema.text(Config())
    assert json.loads(text) == SHAPE
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_every_key_says_what_it_is_for() -> None:
    def described(shape: dict[str, Any]) -> bool:
        parts = shape.get("properties", {})
        return all(part["description"] and described(part.get("items", part)) for part in parts.values())

    assert described(SHAPE)


def test_it_has_the_keys_of_the_format_in_their_order() -> None:
    keys = [line.split(":")[0] for line in EXAMPLE.split("\n") if re.match("[a-z_]+:", line)]
    keys.insert(keys.index("confirmed"), "retired")
    assert list(SHAPE["properties"]) == keys
    assert SHAPE["required"] == ["schema", "id", "category", "text"]


def test_categories_are_the_configured_ones() -> None:
    config = Config(budgets=(Budget("style", 1), Budget("route", 1)))
    shape: Any = schema.entry_schema(config)
    assert shape["properties"]["category"]["enum"] == ["style", "route"]


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        HAND_WRITTEN,
        file(origin="{commit: 4225332, created: 2024-01-15}"),
        file(schema='"1"', importance='"7"', origin='{confidence: "0.71"}'),
        file(text="|\n  " + "x" * 1200),
    ],
)
def test_what_the_codec_takes_an_editor_takes(text: str) -> None:
    assert faults(text) == []


@settings(deadline=None, max_examples=50)
@given(entries())
def test_what_curator_writes_an_editor_takes(entry: Entry) -> None:
    assert faults(codec.write(entry)) == []


@pytest.mark.parametrize(
    "text",
    [
        "schema: 1\nid: b\ncategory: convention\n",
        file(schema="2"),
        file(importnace="7"),
        file(id="Rule"),
        file(id="../x"),
        file(id="123"),
        file(category="conventoin"),
        file(text="''"),
        file(text="true"),
        file(text="12"),
        file(text="x" * 1202),
        file(importance="11"),
        file(importance="lots"),
        file(importance="7.5"),
        file(tags="pytest"),
        file(tags="[1]"),
        file(tags="[" + ", ".join("abcdefghijklm") + "]"),
        file(sources="[a.py]"),
        file(sources="[{path: ../x}]"),
        file(sources="[{path: a/}]"),
        file(sources="[{path: .git/config}]"),
        file(sources="[{symbol: x}]"),
        file(sources="[{path: a, terms: {x: [zz]}}]"),
        file(scope="/etc"),
        file(expires="tomorrow"),
        file(retired="{on: '2026-01-01'}"),
        file(origin="{by: me}"),
        file(origin="{key: xyz}"),
        file(origin="{confidence: 2}"),
        file(origin="{colour: red}"),
    ],
)
def test_what_the_codec_refuses_an_editor_marks(text: str) -> None:
    entry, findings = codec.read(text.encode(), PATH, NAMES)
    assert entry is None
    assert findings
    assert faults(text)


def test_a_route_without_a_source_is_marked() -> None:
    assert faults(file(category="route"))
    assert faults(file(category="route", sources="[]"))
    assert not faults(file(category="route", sources="[{path: a.py}]"))


def test_the_nearest_word_is_named_and_nothing_far_away() -> None:
    assert check.nearest("importnace", ["importance", "id"]) == "importance"
    assert check.nearest("colour", ["importance", "id"]) == ""
