"""The JSON Schemas that are shipped and that `init` writes: made from the code, and of one mind with the checker.

`python -m tests.test_schemas` writes the shipped ones anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from curator.core import editors, schema, settings
from curator.core.settings import SETTINGS
from curator.errors import CuratorError
from curator.model import Config
from tests.conftest import Repo
from tests.core.test_schema import Loader

ROOT = Path(__file__).parent.parent
MADE = {ROOT / editors.SHIPPED[path]: text for path, text in editors.schemas(Config()).items()}


def valid(text: str, path: str = editors.SETTINGS) -> list[str]:
    validator = jsonschema.Draft202012Validator(json.loads(editors.schemas(Config())[path]))
    return [error.message for error in validator.iter_errors(yaml.load(text, Loader))]


def refused(text: str) -> str:
    """What curator's own checker says of settings, "" when it takes them."""
    try:
        settings.read(text.encode())
    except CuratorError as error:
        return error.message
    return ""


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_the_shipped_schemas_are_what_the_code_makes(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == MADE[path], "write them anew with `python -m tests.test_schemas`"


@pytest.mark.parametrize("text", MADE.values(), ids=[path.name for path in MADE])
def test_they_are_json_schema_2020_12_and_every_key_has_help(text: str) -> None:
    made = json.loads(text)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(made)
    assert '"description": ""' not in text


def test_patterns_mean_the_same_to_editors_which_read_them_as_javascript() -> None:
    for text in MADE.values():
        for pattern in re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', text):
            found = json.loads(pattern)
            assert not re.search(r"\(\?[aiLmsux]|\(\?P|\(\?<[=!]|\\[AZ]|[*+?}]\+", found), found


def test_our_own_memories_and_settings_are_valid() -> None:
    for file in sorted((ROOT / "memories").rglob("*.yaml")):
        kind = editors.SETTINGS if file.name == "curator.yaml" else editors.ENTRY
        assert valid(file.read_text(encoding="utf-8"), kind) == [], file.name


def test_every_entry_and_settings_file_in_the_documents_is_valid() -> None:
    blocks = [
        code
        for path in sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
        for code in re.findall(r"^```yaml\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)
    ]
    entries = [code for code in blocks if re.search("^category: ", code, re.M)]
    assert entries
    for code in entries:
        assert valid(code, editors.ENTRY) == [], code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "schema: 1\n",
        settings.initial(["CLAUDE.md", "docs/AGENTS.md"], team=False),
        settings.initial([], team=True),
        "budget:\n  style: 100\n  route: 50\nhalf_life_days:\n  style: 9\n",
        "targets:\n  - path: a.md\n    scope: svc/\n    budget: {gotcha: 5}\n",
        "targets: []\n",
        "preamble: yes\n",
        "preamble: OFF\n",
        "namespace: 12\n",
        "trust: origin/main\n",
        "trust: v1.2\n",
        "capture: {sensitivity: keen, gate_lookup: true}\n",
        "recall: {limit: '7', min_confidence: 0.25, weights: {words: 2}}\n",
    ],
)
def test_settings_that_curator_takes_an_editor_takes(text: str) -> None:
    assert refused(text) == ""
    assert valid(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "- a\n",
        "colour: red\n",
        "schema: 2\n",
        "targets: CLAUDE.md\n",
        "targets: [a.md]\n",
        "targets: [{path: ../a.md}]\n",
        "targets: [{path: .git/config}]\n",
        "targets: [{scope: a/}]\n",
        "targets: [{path: a.md, template: x}]\n",
        "block: there\n",
        "preamble: perhaps\n",
        "budget: {}\n",
        "budget: {Gotcha: 5}\n",
        "budget: {gotcha: many}\n",
        "budget: {gotcha: -1}\n",
        "half_life_days: {gotcha: 0}\n",
        "trust: --output=x\n",
        "trust: a..b\n",
        "trust: ''\n",
        "namespace: ' '\n",
        "capture: {sensitivity: loud}\n",
        "capture: {command: rm}\n",
        "recall: {limit: 0}\n",
        "recall: {limit: 101}\n",
        "recall: {weights: {words: 1001}}\n",
        "recall: {min_confidence: 2}\n",
    ],
)
def test_settings_that_curator_refuses_an_editor_marks(text: str) -> None:
    assert refused(text)
    assert valid(text)


def test_the_schema_of_the_settings_has_every_key_in_order() -> None:
    made: Any = json.loads(settings.schema_text())
    assert list(made["properties"]) == [key.name for key in SETTINGS]
    assert list(made["properties"]["recall"]["properties"]["weights"]["properties"]) == ["words", "grams", "paths"]


def test_init_writes_both_and_editors_find_them(repo: Repo) -> None:
    assert repo.curator("init").exit_code == 0
    for path, text in editors.schemas(Config()).items():
        assert repo.read(path) == text
    assert repo.read("memories/curator.yaml").startswith("# yaml-language-server: $schema=curator.schema.json\n")
    assert repo.curator("add", "Be brief.").exit_code == 0
    (entry,) = (repo.root / "memories").glob("*/*.yaml")
    modeline = entry.read_text(encoding="utf-8").split("\n")[0]
    assert (entry.parent / modeline.partition("$schema=")[2]).resolve() == repo.root / editors.ENTRY


def test_an_outdated_schema_is_told_by_doctor_and_mended_by_init(repo: Repo) -> None:
    assert repo.curator("init").exit_code == 0
    shown = repo.curator("doctor").stdout
    assert "current, for editors" in shown
    repo.write(editors.ENTRY, '{"made by": "an older curator"}\n')
    repo.add()
    ran = repo.curator("doctor", "--json")
    (found,) = [one for one in json.loads(ran.stdout)["checks"] if one["name"] == "schemas"]
    assert (found["level"], editors.ENTRY in found["message"]) == ("warn", True)
    assert "`curator init`" in found["fix"]
    assert repo.curator("check").exit_code == 0
    assert repo.curator("init").exit_code == 0
    assert repo.read(editors.ENTRY) == schema.text(Config())


def test_a_schema_that_is_not_there_is_no_fault(repo: Repo) -> None:
    assert repo.curator("init").exit_code == 0
    (repo.root / editors.SETTINGS).unlink()
    (found,) = [
        one for one in json.loads(repo.curator("doctor", "--json").stdout)["checks"] if one["name"] == "schemas"
    ]
    assert (found["level"], editors.SETTINGS in found["message"]) == ("ok", True)


def test_new_categories_are_in_the_schema_after_init(repo: Repo) -> None:
    repo.write("memories/curator.yaml", "budget:\n  style: 100\n")
    assert repo.curator("init").exit_code == 0
    assert json.loads(repo.read(editors.ENTRY))["properties"]["category"]["enum"] == ["style"]
    repo.write("memories/curator.yaml", "budget:\n  style: 100\n  taste: 100\n")
    assert "not what this curator and the categories give" in repo.curator("doctor").stdout


if __name__ == "__main__":
    for file, text in MADE.items():
        file.write_text(text, encoding="utf-8")
