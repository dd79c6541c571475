"""docs/mcp.md says what the server does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema

from curator.server import answers, guide, proposing, tools, wire

TEXT = (Path(__file__).parent.parent.parent / "docs/mcp.md").read_text(encoding="utf-8")


def test_the_table_names_each_tool_with_each_argument() -> None:
    rows = {row[0]: row[1] for row in re.findall(r"^\| `(\w+)` \| (.+?) \|", TEXT, re.M)}
    assert list(rows) == list(tools.TOOLS)
    for name, told in rows.items():
        assert re.findall(r"`(\w+)`", told) == [field.name for field in tools.TOOLS[name].fields]


def test_the_answer_that_is_shown_follows_the_schema() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```$", TEXT, re.M | re.S)
    jsonschema.validate(json.loads(shown), guide.FOUND)


def test_its_figures_are_those_of_the_code() -> None:
    assert f"{answers.MOST:,} characters" in TEXT
    assert abs(len(guide.INSTRUCTIONS) - int(re.findall(r"instructions \(([\d,]+)", TEXT)[0].replace(",", ""))) < 100
    assert f"Where {proposing.MOST_WAITING} proposals" in TEXT
    assert f"{wire.LONGEST >> 20} MB and {wire.MOST_COMMAS:,} commas" in TEXT
    assert f"{wire.PATIENCE:.0f} seconds after it" in TEXT
    loaded = [name for name, tool in tools.TOOLS.items() if tool.loads]
    assert f"`{loaded[0]}` and `{loaded[1]}`" in TEXT
