"""docs/import.md: its commands run as they stand, and its formats are those that there are."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from curator.core.imports import formats
from tests.conftest import Repo
from tests.importing import SAMPLES, shop

PAGE = (Path(__file__).parent.parent / "docs" / "import.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    code = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    return [line for block in code for line in block.split("\n") if line.startswith("curator ")]


def test_every_command_of_the_page_runs(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    here = shop(repo)
    monkeypatch.chdir(here.root)
    home = here.root.parent / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(here.root))
    shutil.copytree(SAMPLES / "claude-memory", home / "projects" / slug / "memory")
    shutil.copytree(SAMPLES / "agentlore/.memory", here.root / ".memory")
    here.write("docs/adr/1.md", "# Use Redis\n\n## Context\n\nSQLite locks.\n\n## Decision\n\nWe cache in Redis.\n")
    here.write("team.json", json.dumps([{"text": "Amounts are integers, in minor units."}]))
    here.commit("stores")
    assert len(commands()) >= 8
    for line in commands():
        result = here.curator(*shlex.split(line)[1:])
        assert result.exit_code == 0, f"{line}: {result.output}{result.stderr}"
        if "import" in line:
            assert '"entries": []' not in result.stdout and " 0 new" not in result.stdout, f"{line}: {result.output}"


def test_the_page_names_every_format(repo: Repo) -> None:
    told = PAGE.partition("`--from FORMAT`")[2].partition("`--category")[0]
    assert set(re.findall(r"`([a-z-]+)`", told)) == set(formats.NAMES)
