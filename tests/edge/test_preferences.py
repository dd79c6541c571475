"""The user's own settings: from wherever git has them, but for files of the work tree, which a repository brings."""

from __future__ import annotations

import pytest

from curator.edge import preferences
from tests.conftest import Repo


@pytest.fixture
def led(base: Repo) -> Repo:
    """A repository whose own file says what only its user may say, and git is led to it."""
    base.write("dots.cfg", "[curator]\n\tautoMemory = true\n\ttrust = main\n")
    base.git("config", "include.path", str(base.root / "dots.cfg"))
    base.git("config", "curator.sync", "origin")
    return base


def test_what_a_file_of_the_work_tree_says_does_not_count(led: Repo) -> None:
    assert preferences.all_of(led.workspace) == {"sync": "origin"}
    assert not preferences.is_on(led.workspace, "automemory")


@pytest.mark.parametrize("home", [".", "ada"])
def test_where_the_users_home_is_in_the_work_tree_its_files_are_the_users(
    led: Repo, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.setattr(preferences, "_home", lambda: str(led.root / home))
    assert preferences.all_of(led.workspace) == {"sync": "origin", "automemory": "true", "trust": "main"}
    assert preferences.is_on(led.workspace, "automemory")


def test_a_home_elsewhere_changes_nothing(led: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "_home", lambda: f"{led.root}-of-somebody")
    assert preferences.all_of(led.workspace) == {"sync": "origin"}
