"""`init --claude`: hooks in Claude Code's settings, taken out again without a trace."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from curator.core import clients
from tests.conftest import Repo

SETTINGS = ".claude/settings.json"
THEIRS = """{
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [ { "type": "command", "command": "echo mine" } ] }
    ]
  }
}
"""


@pytest.fixture
def ready(base: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repo:
    """A repository that is set up, and a curator-hook in a folder with a blank in its name."""
    from curator.edge import hooks

    assert base.curator("init").exit_code == 0
    base.commit("init")
    program = tmp_path / "my tools" / "curator-hook"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(hooks, "program", lambda name="curator": str(program.with_name(name)))
    return base


def commands(repo: Repo) -> dict[str, list[Any]]:
    hooks = json.loads(repo.read(SETTINGS))["hooks"]
    return {event: [one["command"] for group in groups for one in group["hooks"]] for event, groups in hooks.items()}


def test_init_alone_wires_no_client(ready: Repo) -> None:
    ready.curator("init")
    assert not (ready.root / ".claude").exists()


def test_the_diff_is_shown_and_the_way_out_and_that_the_path_is_of_this_machine(ready: Repo, tmp_path: Path) -> None:
    ready.write(SETTINGS, THEIRS)
    told = ready.curator("init", "--claude")
    assert told.exit_code == 0, told.stderr
    program = tmp_path / "my tools" / "curator-hook"
    quoted = json.dumps(shlex.quote(str(program)))
    assert f'+            "command": {quoted},' in told.stdout
    assert f"written  {SETTINGS}\n" in told.stdout
    assert "`curator init --claude --remove` takes the hooks out again" in told.stderr
    assert "is a path of this machine" in told.stderr
    assert "`curator init --claude --team`" in told.stderr
    assert commands(ready)["Stop"] == ["echo mine", shlex.quote(str(program))]
    assert set(commands(ready)) == set(clients.EVENTS)
    assert "?? .claude/" in ready.git("status", "--porcelain"), "not staged"


def test_a_dry_run_shows_and_writes_nothing(ready: Repo) -> None:
    ready.write(SETTINGS, THEIRS)
    told = ready.curator("init", "--claude", "--dry-run")
    assert '+            "type": "command",' in told.stdout
    assert ready.read(SETTINGS) == THEIRS
    ready.curator("init", "--claude")
    wired = ready.read(SETTINGS)
    told = ready.curator("init", "--claude", "--remove", "--dry-run")
    assert '-            "type": "command",' in told.stdout
    assert ready.read(SETTINGS) == wired


def test_twice_changes_nothing_and_says_so(ready: Repo) -> None:
    ready.write(SETTINGS, THEIRS)
    ready.curator("init", "--claude")
    once = ready.read(SETTINGS)
    told = ready.curator("init", "--claude")
    assert told.exit_code == 0
    assert f"the hooks are in place: {SETTINGS}" in told.stdout
    assert ready.read(SETTINGS) == once


@pytest.mark.parametrize("form", [(), ("--team",)])
@pytest.mark.parametrize("text", [THEIRS, "{}", '{"hooks":{}}', '{"hooks": {"Stop": [], "SessionEnd": []}}', "{\n}\n"])
def test_taking_the_hooks_out_gives_back_the_file(ready: Repo, text: str, form: tuple[str, ...]) -> None:
    ready.write(SETTINGS, text)
    assert ready.curator("init", "--claude", *form).exit_code == 0
    assert ready.curator("init", "--claude", *form).exit_code == 0
    told = ready.curator("init", "--claude", "--remove")
    assert told.exit_code == 0
    assert json.loads(ready.read(SETTINGS)) == json.loads(text)
    if text != "{\n}\n":
        assert ready.read(SETTINGS) == text
    assert "no hooks of curator's" in ready.curator("init", "--claude", "--remove").stdout


@pytest.mark.parametrize("folder", [True, False])
def test_a_file_that_held_nothing_else_goes_and_the_folder_if_it_came_with_it(ready: Repo, folder: bool) -> None:
    if folder:
        (ready.root / ".claude").mkdir()
    ready.curator("init", "--claude")
    assert (ready.root / SETTINGS).exists()
    assert "?? .claude/" in ready.git("status", "--porcelain"), "a path of this machine is not staged"
    assert f"removed  {SETTINGS}" in ready.curator("init", "--claude", "--remove").stdout
    assert (ready.root / ".claude").exists() == folder
    assert not (ready.root / SETTINGS).exists()


def test_hooks_that_came_with_a_pull_are_taken_out_too(ready: Repo) -> None:
    ready.write(SETTINGS, clients.new("", team=True, where=SETTINGS))
    ready.commit("team")
    assert ready.curator("init", "--claude", "--remove").exit_code == 0
    assert not (ready.root / SETTINGS).exists()


def test_a_curator_that_moved_is_brought_up_to_date_not_doubled(ready: Repo) -> None:
    ready.write(SETTINGS, clients.merged(THEIRS, "/gone/curator-hook", team=False, where=SETTINGS))
    told = ready.curator("init", "--claude")
    assert '-            "command": "/gone/curator-hook",' in told.stdout
    assert all(len(found) == (2 if event == "Stop" else 1) for event, found in commands(ready).items())
    assert "gone" not in ready.read(SETTINGS)
    ready.curator("init", "--claude", "--remove")
    assert ready.read(SETTINGS) == THEIRS


def test_the_form_for_a_team_is_staged_and_names_no_path(ready: Repo, tmp_path: Path) -> None:
    told = ready.curator("init", "--claude", "--team")
    assert told.exit_code == 0
    assert str(tmp_path) not in ready.read(SETTINGS)
    assert f"A  {SETTINGS}" in ready.git("status", "--porcelain")
    assert "of this machine" not in told.stderr
    assert ready.read("memories/curator.yaml").find("block: here") > 0, "the settings of the repository stay"
    ready.curator("init", "--claude")
    assert str(tmp_path) in ready.read(SETTINGS), "one form takes the place of the other"
    assert all(len(found) == 1 for found in commands(ready).values())


def test_a_team_that_starts_gets_both(repo: Repo) -> None:
    assert repo.curator("init", "--claude", "--team").exit_code == 0
    assert "block: main" in repo.read("memories/curator.yaml")
    assert "command -v curator-hook" in repo.read(SETTINGS)


def test_the_form_for_a_team_is_not_staged_where_that_would_bring_other_work_along(ready: Repo) -> None:
    ready.write(SETTINGS, THEIRS)
    ready.commit("theirs")
    ready.write(SETTINGS, THEIRS.replace("opus", "haiku"))
    ready.curator("init", "--claude", "--team")
    assert f" M {SETTINGS}" in ready.git("status", "--porcelain")


def test_a_file_that_git_ignores_is_written_and_said_to_reach_nobody(ready: Repo) -> None:
    ready.write(".gitignore", "/.claude/\n")
    ready.commit("ignore")
    told = ready.curator("init", "--claude", "--team")
    assert told.exit_code == 0
    assert "ignored by git" in told.stderr
    assert "command -v curator-hook" in ready.read(SETTINGS)


@pytest.mark.parametrize("option", [(), ("--remove",)])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1,}', "is not JSON"),
        ('{\n// no\n"hooks": {}}', f"{SETTINGS}:2: holds a comment"),
        ('["curator-hook"]', "is not a JSON object"),
        ('\ufeff{"a": 1}', "byte order mark"),
        ('{"hooks": {}, "hooks": {}}', "'hooks' is there twice"),
        ("", "is not JSON"),
    ],
)
def test_what_is_not_understood_is_refused_and_left(ready: Repo, text: str, told: str, option: tuple[str, ...]) -> None:
    ready.write(SETTINGS, text)
    before = ready.git("status", "--porcelain")
    result = ready.curator("init", "--claude", *option)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "docs/clients.md" in result.stderr
    assert ready.read(SETTINGS) == text
    assert ready.git("status", "--porcelain") == before


def test_bytes_that_are_not_utf_8_stay(ready: Repo) -> None:
    text = b'{"note": "caf\xe9"}'
    ready.write(SETTINGS, text)
    assert ready.curator("init", "--claude").exit_code == 0
    assert ready.curator("init", "--claude", "--remove").exit_code == 0
    assert (ready.root / SETTINGS).read_bytes() == text


@pytest.mark.parametrize("name", [SETTINGS, ".claude"])
def test_a_link_is_refused(ready: Repo, name: str) -> None:
    ready.write("shared/settings.json", THEIRS)
    link = ready.root / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(ready.root / ("shared/settings.json" if name == SETTINGS else "shared"))
    told = ready.curator("init", "--claude")
    assert told.exit_code == 2
    assert "is a link to" in told.stderr
    assert ready.read("shared/settings.json") == THEIRS


def test_a_read_only_file_is_refused(ready: Repo) -> None:
    ready.write(SETTINGS, THEIRS).chmod(0o444)
    told = ready.curator("init", "--claude")
    assert told.exit_code == 2
    assert "is read-only" in told.stderr
    assert ready.read(SETTINGS) == THEIRS


def test_a_folder_in_its_place_is_refused(ready: Repo) -> None:
    (ready.root / SETTINGS).mkdir(parents=True)
    told = ready.curator("init", "--claude")
    assert told.exit_code == 2
    assert "is a folder" in told.stderr


def test_from_a_subfolder_the_file_is_at_gits_root(ready: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    (ready.root / "deep").mkdir()
    monkeypatch.chdir(ready.root / "deep")
    assert ready.curator("init", "--claude").exit_code == 0
    assert (ready.root / SETTINGS).exists()
    assert not (ready.root / "deep/.claude").exists()


def test_without_curator_hook_the_next_step_is_named(ready: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.edge import hooks

    monkeypatch.setattr(hooks, "program", lambda name="curator": "")
    told = ready.curator("init", "--claude")
    assert told.exit_code == 2
    assert "curator-hook is not beside curator" in told.stderr
    assert not (ready.root / SETTINGS).exists()
    assert ready.curator("init", "--claude", "--team").exit_code == 0


def test_a_plugin_that_is_on_as_well_is_named(ready: Repo) -> None:
    ready.write(".claude/settings.local.json", '{"enabledPlugins": {"curator@curator": true}}')
    told = ready.curator("init", "--claude")
    assert "the plugin curator@curator is on as well, so every event comes twice" in told.stderr


@pytest.mark.parametrize("options", [("--remove",), ("--claude", "--remove", "--team")])
def test_options_that_contradict_are_refused(ready: Repo, options: tuple[str, ...]) -> None:
    before = ready.git("status", "--porcelain")
    assert ready.curator("init", *options).exit_code == 2
    assert ready.git("status", "--porcelain") == before


def test_taking_out_sets_nothing_up(repo: Repo) -> None:
    assert repo.curator("init", "--claude", "--remove").exit_code == 0
    assert sorted(path.name for path in repo.root.iterdir()) == [".git"]
