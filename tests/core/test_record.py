"""Entries, settings and findings survive the cache; `--json` has the keys of the file."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings

from curator.core import codec, record
from curator.model import Budget, Capture, Config, Entry, Fault, Finding, Origin, Recall, Retired, Source, Target
from tests.core.test_codec import EXAMPLE, EXAMPLE_PATH, entries, whole


@settings(deadline=None, max_examples=50)
@given(entries())
def test_an_entry_comes_back_from_the_cache(entry: Entry) -> None:
    text = record.dumps(entry)
    assert record.loads(text) == entry
    assert "\n" not in text


@pytest.mark.parametrize(
    "entry",
    [Entry("b", "convention", "x"), whole(EXAMPLE, EXAMPLE_PATH), Entry("b", "todo", "x", retired=Retired("a", "b"))],
)
def test_what_comes_back_can_be_hashed_as_the_original_can(entry: Entry) -> None:
    assert hash(record.loads(record.dumps(entry))) == hash(entry)


def test_the_cache_never_holds_what_json_does_not_know() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        record.dumps(Entry("b", "convention", "x", origin=Origin(confidence=math.nan)))


@pytest.mark.parametrize(
    "config",
    [
        Config(),
        Config(
            namespace="ü",
            targets=(Target("a", "b/", (Budget("todo", 3),)), Target("c")),
            block="main",
            preamble=False,
            budgets=(Budget("z", 1), Budget("a", 2)),
            half_lives={"z": 3, "a": 1},
            trust="origin/main",
            capture=Capture("off", "drop", "block", True),
            recall=Recall(1, 2, 0.5, 3.0, 4.0, 5.0),
        ),
        Config(targets=()),
    ],
)
def test_settings_come_back_from_the_cache(config: Config) -> None:
    assert record.load_config(record.dump_config(config)) == config


def test_findings_come_back_from_the_cache() -> None:
    findings = tuple(Finding(kind, "a.yaml:3", "wörds", "hint", "a") for kind in Fault)
    assert record.load_findings(record.dump_findings(findings)) == findings
    assert record.load_findings(record.dump_findings(())) == ()


def test_a_plain_entry_has_the_keys_and_the_order_of_its_file() -> None:
    entry = whole(EXAMPLE, EXAMPLE_PATH)
    plain = record.plain(entry)
    in_file = yaml.safe_load(EXAMPLE)
    for texts in (in_file, in_file["origin"]):
        texts.update({key: value.rstrip("\n") for key, value in texts.items() if isinstance(value, str)})
    assert plain == in_file
    assert json.dumps(plain) == json.dumps(in_file)
    assert plain["sources"][0]["terms"] == {"round_vat": ["def", "3fa1", "90bc"]}


def test_a_plain_entry_leaves_out_what_says_nothing() -> None:
    entry = Entry("b", "convention", "x", "memories/convention/b.yaml", sources=(Source("a"),))
    assert record.plain(entry) == {
        "schema": 1,
        "id": "b",
        "category": "convention",
        "text": "x",
        "importance": 5,
        "sources": [{"path": "a"}],
    }
    assert list(record.plain(replace(entry, seen=2, retired=Retired("2026-01-01", "old"))))[-2:] == ["retired", "seen"]


@settings(deadline=None, max_examples=50)
@given(entries())
def test_mc_01_a_plain_entry_is_strict_json(entry: Entry) -> None:
    back = whole(codec.write(entry), entry.path)
    assert json.loads(json.dumps(record.plain(back), allow_nan=False)) == record.plain(entry)
