"""`init --claude`: hooks in Claude Code's settings, taken out again without a trace."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
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


ALL = "SessionStart, UserPromptSubmit, SubagentStart, PostToolUse, PreCompact, Stop, SessionEnd"


def test_it_says_what_it_added_and_the_way_out_and_that_the_path_is_of_this_machine(
    ready: Repo, tmp_path: Path
) -> None:
    ready.write(SETTINGS, THEIRS)
    told = ready.curator("init", "--claude")
    assert told.exit_code == 0, told.stderr
    program = tmp_path / "my tools" / "curator-hook"
    assert told.stdout == f"7 hooks added to {SETTINGS} ({ALL})\n"
    assert "`curator init --claude --remove` takes the hooks out again" in told.stderr
    assert "is a path of this machine" in told.stderr
    assert "`curator init --claude --team`" in told.stderr
    assert commands(ready)["Stop"] == ["echo mine", shlex.quote(str(program))]
    assert set(commands(ready)) == set(clients.EVENTS)
    assert "?? .claude/" in ready.git("status", "--porcelain"), "not staged"


def test_a_path_of_this_machine_is_kept_out_of_commits_by_the_line_that_it_names(
    ready: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ready.root / "deep"
    folder.mkdir()
    monkeypatch.chdir(folder)
    told = ready.curator("init", "--claude").stderr
    (command,) = re.findall(r"should not be committed: `([^`]+)`", told)
    subprocess.run(["sh", "-c", command], cwd=folder, check=True)
    assert ready.git("status", "--porcelain") == ""
    assert "should not be committed" not in ready.curator("init", "--claude").stderr


@pytest.mark.parametrize("committed", [True, False])
def test_a_path_of_this_machine_is_not_put_into_a_file_that_git_tracks(ready: Repo, committed: bool) -> None:
    ready.write(SETTINGS, THEIRS)
    ready.add()
    if committed:
        ready.commit("theirs")
    before = ready.git("status", "--porcelain")
    told = ready.curator("init", "--claude")
    assert told.exit_code == 2
    assert f"{SETTINGS}: git tracks it" in told.stderr
    assert "`curator init --claude --team`" in told.stderr
    assert ready.read(SETTINGS) == THEIRS
    assert ready.git("status", "--porcelain") == before
    assert ready.curator("init", "--claude", "--team").exit_code == 0


def test_whatever_stands_against_the_hooks_is_said_before_a_repository_is_set_up(repo: Repo) -> None:
    repo.write(SETTINGS, "{")
    for options in ((), ("--team",)):
        assert repo.curator("init", "--claude", *options).exit_code == 2
        assert sorted(path.name for path in repo.root.iterdir()) == [".claude", ".git"]


def test_a_dry_run_shows_and_writes_nothing(ready: Repo) -> None:
    ready.write(SETTINGS, THEIRS)
    told = ready.curator("init", "--claude", "--dry-run")
    assert '+            "type": "command",' in told.stdout
    assert "hooks added" not in told.stdout
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
    told = ready.curator("init", "--claude", "--remove").stdout
    assert f"7 hooks taken out of {SETTINGS} ({ALL})\nremoved  {SETTINGS}" in told
    assert (ready.root / ".claude").exists() == folder
    assert not (ready.root / SETTINGS).exists()


@pytest.mark.parametrize("theirs", ["{}\n", THEIRS])
def test_hooks_that_came_with_a_pull_are_taken_out_and_that_is_staged(ready: Repo, theirs: str) -> None:
    ready.write(SETTINGS, clients.merged(theirs, "", team=True, where=SETTINGS))
    ready.commit("team")
    shown = ready.curator("init", "--claude", "--remove", "--dry-run").stdout
    told = ready.curator("init", "--claude", "--remove")
    assert "(staged)" in told.stdout
    gone = theirs != THEIRS
    assert (ready.root / SETTINGS).exists() != gone
    assert ready.git("status", "--porcelain") == f"{'D' if gone else 'M'}  {SETTINGS}\n"
    ready.git("reset", "-q", "--hard")
    (ready.root / "patch").write_text(shown, encoding="utf-8")
    ready.git("apply", "patch")
    assert (ready.root / SETTINGS).exists() != gone
    assert gone or ready.read(SETTINGS) == theirs


def test_the_form_for_a_team_that_was_only_staged_leaves_no_trace(ready: Repo) -> None:
    ready.curator("init", "--claude", "--team")
    assert ready.curator("init", "--claude", "--remove").exit_code == 0
    assert ready.git("status", "--porcelain") == ""


def test_a_removal_is_not_staged_where_that_would_bring_other_work_along(ready: Repo) -> None:
    ready.write(SETTINGS, clients.merged(THEIRS, "", team=True, where=SETTINGS))
    ready.commit("team")
    ready.write(SETTINGS, ready.read(SETTINGS).replace("opus", "haiku"))
    assert "(staged)" not in ready.curator("init", "--claude", "--remove").stdout
    assert ready.git("status", "--porcelain") == f" M {SETTINGS}\n"


def test_a_curator_that_moved_is_brought_up_to_date_not_doubled(ready: Repo) -> None:
    ready.write(SETTINGS, clients.merged(THEIRS, "/gone/curator-hook", team=False, where=SETTINGS))
    told = ready.curator("init", "--claude")
    assert told.stdout == f"7 hooks changed in {SETTINGS} ({ALL})\n"
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
    ready.git("rm", "-q", "--cached", SETTINGS)
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


@pytest.mark.parametrize(
    ("place", "whose", "off"),
    [
        ("~/.claude/settings.json", "for you", "disable curator@curator`"),
        (SETTINGS, "for this project", "disable curator@curator --scope project`"),
        (".claude/settings.local.json", "for you in this project", "disable curator@curator --scope local`"),
    ],
)
@pytest.mark.parametrize("form", [(), ("--team",), ("--dry-run",)])
def test_hooks_beside_a_plugin_are_refused_and_nothing_is_written(
    repo: Repo, place: str, whose: str, off: str, form: tuple[str, ...]
) -> None:
    path = repo.root / Path(place).expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"enabledPlugins": {"curator@curator": true}}', encoding="utf-8")
    before = sorted(repo.root.rglob("*"))
    told = repo.curator("init", "--claude", *form)
    assert told.exit_code == 2
    assert f"the plugin curator@curator is on {whose}, so" in told.stderr
    assert off in told.stderr
    assert sorted(repo.root.rglob("*")) == before
    assert "enabledPlugins" in path.read_text(encoding="utf-8")


def test_beside_a_plugin_hooks_that_are_there_can_be_taken_out(ready: Repo) -> None:
    ready.curator("init", "--claude")
    ready.write(".claude/settings.local.json", '{"enabledPlugins": {"curator@curator": true}}')
    assert "`curator init --claude --remove`" in ready.curator("init", "--claude").stderr
    assert ready.curator("init", "--claude", "--remove").exit_code == 0
    assert not (ready.root / SETTINGS).exists()


@pytest.mark.parametrize(
    ("options", "way"),
    [
        (("--remove",), "`curator init --claude --remove`"),
        (("--claude", "--remove", "--team"), "--team"),
        (("--chain",), "--git-hooks"),
        (("--git-hooks", "--no-git-hooks"), "--no-git-hooks"),
    ],
)
def test_options_that_contradict_are_refused_with_the_way_out(ready: Repo, options: tuple[str, ...], way: str) -> None:
    before = ready.git("status", "--porcelain")
    told = ready.curator("init", *options)
    assert told.exit_code == 2
    assert way in told.stderr.partition("\n  -> ")[2]
    assert ready.git("status", "--porcelain") == before


def test_taking_out_sets_nothing_up(repo: Repo) -> None:
    assert repo.curator("init", "--claude", "--remove").exit_code == 0
    assert sorted(path.name for path in repo.root.iterdir()) == [".git"]


def test_what_the_document_says_takes_everything_out_again(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.write("CLAUDE.md", "# Rules\n")
    repo.write("AGENTS.md", "# Theirs\n")
    repo.write(".gitattributes", "*.png binary\n")
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\n").chmod(0o755)
    repo.write(SETTINGS, THEIRS)
    repo.commit("before")
    kept = {path: path.read_bytes() for path in (repo.root / ".git/hooks").iterdir()}
    options = ("--claude", "--team", "--git-hooks", "--merge-driver", "--workflow")
    assert repo.curator("init").exit_code == 0
    for path in ("AGENTS.md", "GEMINI.md", ".cursor/rules/x.mdc", "src/CLAUDE.md"):
        assert repo.curator("init", "--target", path).exit_code == 0
    assert repo.curator("init", *options).exit_code == 0
    assert repo.curator("add", "Never mock the database.").exit_code == 0
    repo.curator("add", "--propose", "Never load the seed data into the shared database.")
    repo.git("config", "curator.trust", "index")
    repo.git("add", "-A")
    repo.git("commit", "-q", "--no-verify", "-m", "curator")
    script = f"#!{sys.executable}\nfrom curator.cli import main\nmain()\n"
    (tmp_path / "curator").write_text(script, encoding="utf-8")
    (tmp_path / "curator").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    text = (Path(__file__).parent.parent / "docs/clients.md").read_text(encoding="utf-8")
    (steps,) = re.findall(r"^```sh\n(.*?)^```$", text.partition("## Taking it out again")[2], re.M | re.S)
    subprocess.run(["sh", "-e", "-c", steps], cwd=repo.root, check=True)
    assert "seed data" in repo.read("waiting.patch")
    assert "Never mock the database." in repo.read("memories.md"), "what was reviewed is not lost"
    for path in ("waiting.patch", "memories.md"):
        (repo.root / path).unlink()
    assert repo.read("AGENTS.md") == "# Theirs\n"
    assert not any((repo.root / path).exists() for path in (".cursor", "GEMINI.md", "src/CLAUDE.md"))
    repo.git("add", "-A")
    assert repo.git("diff", "--cached", "--ignore-blank-lines", "HEAD~1") == ""
    assert kept == {path: path.read_bytes() for path in (repo.root / ".git/hooks").iterdir()}
    assert not (repo.root / ".git/curator").exists()
    assert "curator" not in repo.git("config", "--local", "--list")
