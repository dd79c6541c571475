"""Doors open light: what costs start-up time is imported only on the path that needs it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import Repo

HEAVY = {"git", "jinja2", "numpy", "rank_bm25", "yaml"}


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], check=True, capture_output=True
    )
    return set(done.stdout.decode().split("\n")[-2].split())


def test_opening_the_command_line_loads_nothing_heavy() -> None:
    assert not loaded_by("import curator.cli") & (HEAVY | {"subprocess", "sqlite3", "json", "difflib", "curator.model"})


def test_a_recall_with_a_valid_cache_starts_no_git_and_loads_no_yaml(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert base.curator("recall", "pytest").exit_code == 0
    code = "from curator.cli import main; main(['recall', 'pytest'], standalone_mode=False)"
    assert not loaded_by(code) & (HEAVY | {"subprocess"})
    monkeypatch.setenv("PATH", os.devnull)
    assert base.curator("recall", "pytest").exit_code == 0


def test_a_check_of_a_current_block_starts_no_git_and_no_template_engine(base: Repo) -> None:
    assert base.curator("render").exit_code == 0
    assert base.curator("render", "--check").exit_code == 0
    code = "from curator.cli import main; main(['render', '--check'], standalone_mode=False)"
    assert not loaded_by(code) & (HEAVY | {"subprocess"})
