"""This repository uses its own product: valid memories, a current block."""

from __future__ import annotations

import json
import os
from pathlib import Path

from click.testing import CliRunner

from curator.cli import main

ROOT = Path(__file__).parent.parent


def run(*arguments: str) -> tuple[int, str]:
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        result = CliRunner().invoke(main, list(arguments))
    finally:
        os.chdir(here)
    return result.exit_code, result.stdout + result.stderr


def test_our_own_memories_are_valid() -> None:
    assert run("check", "--strict")[0] == 0, run("check", "--strict")[1]


def test_our_own_block_is_current() -> None:
    assert run("render", "--check")[0] == 0, run("render", "--check")[1]


def test_we_keep_at_least_fifteen_memories_with_sources() -> None:
    code, output = run("list", "--json")
    entries = json.loads(output)["entries"]
    assert code == 0
    assert len(entries) >= 15
    assert sum(bool(entry.get("sources")) for entry in entries) >= 12


def test_every_source_of_our_memories_exists() -> None:
    for entry in json.loads(run("list", "--json")[1])["entries"]:
        for source in entry.get("sources", []):
            assert (ROOT / source["path"]).is_file(), f"{entry['id']} cites {source['path']}"
