"""doctor: one line a check, each failing one with its fix; it changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from curator.core import clients, diagnosis
from curator.core.diagnosis import FAIL, OK, WARN, Check, Program
from curator.verbs import doctor
from tests.conftest import END, START, Repo

NOW = "2026-03-10T12:00:00Z"
SETTINGS = ".claude/settings.json"


@pytest.fixture
def ready(base: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repo:
    """A repository that is set up, and a PATH whose curator and curator-hook belong to this Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program(folder / "curator", f"#!{sys.executable}\nprint('curator 0')\n")
    program(folder / "curator-hook", f"#!{sys.executable}\n")
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))
    for arguments in (("init", "--git-hooks", "--claude", "--team"), ("render",), ("status",)):
        assert base.curator(*arguments).exit_code == 0
    base.commit("set up")
    base.curator("status")
    return base


def program(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def checks(repo: Repo) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = {}
    for one in doctor.run(repo.workspace, now=NOW):
        found.setdefault(one.name, []).append(one)
    return found


def only(repo: Repo, name: str) -> Check:
    (one,) = checks(repo)[name]
    return one


def tree(repo: Repo) -> Mapping[Path, tuple[int, bytes]]:
    files = (path for path in repo.root.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_all_is_well_where_all_is_wired_and_nothing_is_changed(ready: Repo) -> None:
    before = tree(ready)
    told = ready.curator("doctor")
    assert told.exit_code == 0, told.stdout
    assert {one.level for found in checks(ready).values() for one in found} == {OK}, told.stdout
    assert "fail" not in told.stdout
    assert tree(ready) == before


def test_it_is_quick(ready: Repo) -> None:
    def seconds() -> float:
        began = time.monotonic()
        checks(ready)
        return time.monotonic() - began

    assert min(seconds() for _ in range(3)) < 1.0


def test_json_has_the_same_and_a_failure_ends_with_1(ready: Repo) -> None:
    (ready.root / "CLAUDE.md").unlink()
    told = ready.curator("doctor", "--json")
    assert told.exit_code == 1
    listed = json.loads(told.stdout)["checks"]
    assert {"name": "block", "level": "fail", "message": "CLAUDE.md is not there", "fix": "`curator init`"} in listed
    text = ready.curator("doctor").stdout
    assert "fail  block         CLAUDE.md is not there\n      -> `curator init`\n" in text
    for one in listed:
        assert one["name"] in text
        assert one["level"] == OK or one["fix"], one


def test_a_repository_that_is_not_set_up_says_what_to_do(repo: Repo) -> None:
    told = repo.curator("doctor")
    assert told.exit_code == 1
    assert told.stdout.startswith("fail  settings      this repository is not set up\n      -> `curator init`\n")
    assert not (repo.root / "memories").exists()
    assert not {"trust", "index", "block", "git hook", "merge driver", "instructions", "entries"} & checks(repo).keys()
    assert {"git", "curator", "claude hooks"} <= checks(repo).keys()


def test_settings_that_cannot_be_read_hide_no_other_check(ready: Repo) -> None:
    ready.write("memories/curator.yaml", "schema: [")
    found = checks(ready)
    assert found["settings"][0].level == FAIL
    assert found["git"][0].level == OK
    assert found["proposals"]
    assert found["claude hooks"][0].level == OK


@pytest.mark.parametrize("born", [True, False])
def test_a_trusted_ref_that_is_not_there_fails_as_every_command_does(ready: Repo, born: bool) -> None:
    if not born:
        ready.git("checkout", "-q", "--orphan", "new")
    ready.git("config", "curator.trust", "origin/nope" if born else "HEAD")
    assert ready.curator("list").exit_code == 2
    told = ready.curator("doctor")
    assert told.exit_code == 1
    one = only(ready, "trust")
    assert one.level == FAIL
    assert "does not exist here" in one.message
    assert "`git config curator.trust` names it" in one.message
    assert ("no commit yet" in one.message) != born
    assert "git config --unset curator.trust" in one.fix
    assert not {"index", "entries"} & checks(ready).keys(), "nothing can be said of them"
    assert only(ready, "block").level == OK
    ready.git("config", "--unset", "curator.trust")
    assert only(ready, "trust") == Check("trust", OK, "what is staged counts" + ("" if born else _UNBORN))


_UNBORN = "; nothing is committed yet"


def test_a_ref_that_the_settings_trust_and_that_is_not_there_fails(ready: Repo) -> None:
    ready.write("memories/curator.yaml", ready.read("memories/curator.yaml").replace("trust: index", "trust: topic"))
    ready.add()
    one = only(ready, "trust")
    assert (one.level, "memories/curator.yaml: the trusted ref 'topic' does not exist" in one.message) == (FAIL, True)
    assert "curator.trust` names" not in one.message
    ready.git("branch", "topic")
    assert only(ready, "trust") == Check("trust", OK, "what is in topic counts")


def test_a_trusted_ref_without_memories_and_one_without_settings_are_named(ready: Repo) -> None:
    empty = ready.git("commit-tree", "-m", "x", ready.git("hash-object", "-t", "tree", os.devnull).strip()).strip()
    ready.git("branch", "empty", empty)
    ready.git("config", "curator.trust", "empty")
    assert ready.curator("list").stdout == ""
    assert (only(ready, "trust").level, only(ready, "trust").message) == (
        WARN,
        "empty holds no memories, so none is in use",
    )
    assert only(ready, "settings").message == "memories/curator.yaml is not in empty, so the defaults hold"
    ready.git("config", "curator.trust", "HEAD")
    assert only(ready, "settings").message == "memories/curator.yaml of HEAD, 1 file(s) with a block"
    assert only(ready, "trust").level == OK


def test_settings_that_are_not_staged_do_not_count(ready: Repo) -> None:
    ready.git("rm", "-q", "--cached", "memories/curator.yaml")
    one = only(ready, "settings")
    assert (one.level, one.fix) == (WARN, "`git add memories/curator.yaml`")


@pytest.mark.parametrize("where", ["on disk", "staged", "both", "a folder"])
def test_settings_that_cannot_be_read_fail_wherever_they_are(ready: Repo, where: str) -> None:
    good = ready.read("memories/curator.yaml")
    if where in {"staged", "both"}:
        ready.write("memories/curator.yaml", "schema: [")
        ready.add()
    ready.write("memories/curator.yaml", "schema: [" if where in {"on disk", "both"} else good)
    if where == "a folder":
        (ready.root / "memories/curator.yaml").unlink()
        (ready.root / "memories/curator.yaml").mkdir()
    told = ready.curator("doctor")
    assert told.exit_code == 1
    named = {one.name for found in checks(ready).values() for one in found if one.level == FAIL}
    assert named == {"trust" if where == "staged" else "settings"}, told.stdout
    assert ready.curator("list").exit_code == (2 if where in {"staged", "both"} else 0)
    assert ("instructions" in checks(ready)) == (where != "both"), "without settings nothing is known of blocks"


def test_a_block_that_is_rendered_on_another_branch_says_so(ready: Repo) -> None:
    assert "block: main" in ready.read("memories/curator.yaml")
    assert only(ready, "block") == Check("block", OK, "CLAUDE.md")
    ready.git("checkout", "-q", "-b", "topic")
    told = "CLAUDE.md, rendered on main only (`block: main`), not on this branch"
    assert only(ready, "block") == Check("block", OK, told)


def test_without_git_that_is_said_once(ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    told = ready.curator("doctor")
    assert told.exit_code == 1
    assert told.stdout.count("fail") == told.stdout.count("git is not on PATH") == 1


@pytest.mark.parametrize("damage", [b"", b"junk" * 1000])
def test_files_of_ours_that_are_broken_hide_nothing(ready: Repo, damage: bytes) -> None:
    ready.write(".git/curator/index.db", damage)
    ready.write(".git/curator/hook.log", b"\xff\x00\x1b[2J\n" + damage)
    told = ready.curator("doctor")
    assert told.exit_code == 0
    assert "warn  index" in told.stdout
    assert "\x1b" not in told.stdout
    assert "ok    entries" in told.stdout


def test_programs_that_are_missing_or_of_two_installations_are_named(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "python"
    other.parent.mkdir()
    program(tmp_path / "bin/curator-hook", f"#!{other}\n")
    assert "two installations" in only(ready, "curator-hook").message
    assert only(ready, "hook answers").level == FAIL
    program(tmp_path / "bin/curator", f"#!{other}\nnothing\n")
    assert "is version unknown" in only(ready, "curator").message
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    found = checks(ready)
    assert found["curator"][0].level == FAIL
    assert found["curator-hook"][0].level == FAIL
    assert "to PATH" in found["curator"][0].fix or "install" in found["curator"][0].fix


def test_a_long_first_line_of_a_script_is_understood(tmp_path: Path) -> None:
    from curator.edge import programs

    script = f"#!/bin/sh\n'''exec' \"{tmp_path}/a b/python\" \"$0\" \"$@\"\n' '''\nimport sys\n"
    path = program(tmp_path / "curator", script)
    assert programs._home(str(path)) == f"{tmp_path}/a b"


@pytest.mark.parametrize(
    ("folder", "told", "starts"),
    [("a b", "in a folder with a blank", False), ("x" * 130, "is longer than the 127 bytes", True), ("x", "", True)],
)
def test_a_first_line_that_a_system_cannot_start_is_named(
    ready: Repo, tmp_path: Path, folder: str, told: str, starts: bool
) -> None:
    python = tmp_path / folder / "python"
    python.parent.mkdir()
    python.symlink_to("/bin/true")
    program(tmp_path / "bin/curator-hook", f"#!{python}\n")
    found = checks(ready)
    lines = [one for one in found["curator-hook"] if "the first line of" in one.message]
    assert [(one.level, told in one.message) for one in lines] == ([(WARN, True)] if told else [])
    assert (found["hook answers"][0].level == OK) == starts
    assert starts or "cannot be started: No such file" in found["hook answers"][0].message


@pytest.mark.parametrize("line", ["#!/usr/bin/env python3", "#!/bin/sh -eu", "\x7fELF", ""])
def test_a_first_line_with_options_and_a_wrapper_are_no_fault(ready: Repo, tmp_path: Path, line: str) -> None:
    program(tmp_path / "bin/curator-hook", f"{line}\n")
    assert {one.level for one in checks(ready)["curator-hook"]} == {OK}


def test_both_programs_of_another_installation_than_this_one_are_named(ready: Repo, tmp_path: Path) -> None:
    python = tmp_path / "other" / "python"
    python.parent.mkdir()
    program(python, "#!/bin/sh\necho 'curator, version 0'\n")
    for name in ("curator", "curator-hook"):
        program(tmp_path / "bin" / name, f"#!{python}\n")
    one = only(ready, "curator-hook")
    assert one.level == WARN
    assert "is of another installation than this curator" in one.message


@pytest.mark.parametrize(
    ("script", "level", "told"),
    [
        ("exit 3", FAIL, "ended with 3"),
        ("echo noise", FAIL, "printed something"),
        ("sleep 0.6", WARN, "s for an event"),
    ],
)
def test_a_hook_that_does_not_answer_as_it_should_is_named(
    ready: Repo, tmp_path: Path, script: str, level: str, told: str
) -> None:
    program(tmp_path / "bin/curator-hook", f"#!/bin/sh\n{script}\n")
    one = only(ready, "hook answers")
    assert (one.level, told in one.message) == (level, True)


def test_no_program_that_only_the_repository_names_is_started(ready: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    evil = program(ready.root / "curator-hook", f"#!/bin/sh\ntouch {mark}\n")
    ready.write(SETTINGS, clients.new(str(evil), team=False, where=SETTINGS))
    checks(ready)
    assert not mark.exists()


def test_the_index_is_seen_to_be_missing_or_behind(ready: Repo) -> None:
    ready.memory("b", "Another.")
    ready.add()
    assert "behind" in only(ready, "index").message
    (ready.root / ".git/curator/index.db").unlink()
    assert only(ready, "index").level == WARN


@pytest.mark.parametrize("text", ["# no block\n", f"{START}\n", f"{START}\n{END}\n{START}\n{END}\n"])
def test_a_block_that_is_not_one_pair_of_markers_fails(ready: Repo, text: str) -> None:
    ready.write("CLAUDE.md", text)
    one = only(ready, "block")
    assert one.level == FAIL
    assert one.fix


def test_git_hooks_of_others_count_where_they_run_curator(ready: Repo) -> None:
    hook = ready.root / ".git/hooks/pre-commit"
    hook.chmod(0o644)
    assert "not executable" in only(ready, "git hook").message
    hook.unlink()
    assert only(ready, "git hook") == Check(
        "git hook", WARN, "nothing checks memories in a commit", "`curator init --git-hooks`"
    )
    ready.write(".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: curator-check\n")
    assert only(ready, "git hook").fix == "`pre-commit install`"
    ready.write(".git/hooks/pre-commit", "#!/bin/sh\n# File generated by pre-commit\n")
    assert only(ready, "git hook").level == OK


def test_a_merge_driver_that_is_asked_for_and_not_set_is_named(ready: Repo) -> None:
    ready.write(".gitattributes", "/CLAUDE.md merge=curator\n")
    one = only(ready, "merge driver")
    assert (one.level, one.fix) == (WARN, "`curator init --merge-driver`")
    ready.curator("init", "--merge-driver")
    assert only(ready, "merge driver").level == OK


def test_hooks_of_claude_code_are_seen_in_settings_or_plugin_and_both_are_too_many(ready: Repo) -> None:
    assert only(ready, "claude hooks").message == f"through {SETTINGS}"
    home = Path(os.environ["HOME"]) / ".claude" / "settings.json"
    home.parent.mkdir()
    home.write_text('{"enabledPlugins": {"curator@curator": true, "other@x": true}}', encoding="utf-8")
    twice = only(ready, "claude hooks")
    assert twice.level == WARN
    assert twice.message == f"every event comes twice: the plugin curator@curator and {SETTINGS}"
    assert "claude plugin disable curator@curator" in twice.fix
    ready.curator("init", "--claude", "--remove")
    assert only(ready, "claude hooks").message == "through the plugin curator@curator"
    ready.write(".claude/settings.local.json", '{"enabledPlugins": {"curator@curator": false}}')
    assert only(ready, "claude hooks").level == WARN
    assert "not wired" in only(ready, "claude hooks").message


def test_hooks_that_cannot_run_are_named(ready: Repo) -> None:
    ready.write(SETTINGS, clients.new("/nowhere/curator-hook", team=False, where=SETTINGS))
    assert any(one.level == FAIL and "/nowhere/curator-hook" in one.message for one in checks(ready)["claude hooks"])
    text = clients.new("curator-hook", team=True, where=SETTINGS)
    ready.write(SETTINGS, json.dumps({**json.loads(text), "disableAllHooks": True}))
    assert any("disableAllHooks" in one.message for one in checks(ready)["claude hooks"])
    ready.write(SETTINGS, text.replace('"Stop"', '"Stopp"'))
    assert any("no hook for Stop" in one.message for one in checks(ready)["claude hooks"])
    ready.write(SETTINGS, "{")
    assert only(ready, "claude hooks").level == FAIL


def test_a_path_of_this_machine_in_a_tracked_file_is_named(ready: Repo, tmp_path: Path) -> None:
    hook = str(tmp_path / "bin/curator-hook")
    ready.write(SETTINGS, clients.new(hook, team=False, where=SETTINGS))
    assert any("is tracked and names a path" in one.message for one in checks(ready)["claude hooks"])


def test_the_same_command_in_two_files_runs_once_and_two_commands_twice(ready: Repo) -> None:
    text = ready.read(SETTINGS)
    ready.write(".claude/settings.local.json", text)
    assert only(ready, "claude hooks").level == OK
    ready.write(".claude/settings.local.json", clients.new("curator-hook", team=False, where=""))
    assert any("comes twice" in one.message for one in checks(ready)["claude hooks"])


def test_a_block_in_a_file_that_an_agent_does_not_read_is_named(ready: Repo) -> None:
    ready.write("AGENTS.md", "# other\n")
    one = only(ready, "instructions")
    assert "other agents read AGENTS.md" in one.message
    (ready.root / "AGENTS.md").unlink()
    (ready.root / "AGENTS.md").symlink_to("CLAUDE.md")
    assert only(ready, "instructions").level == OK
    ready.write("CLAUDE.local.md", f"{START}\n{END}\n")
    assert any("CLAUDE.local.md" in one.message for one in checks(ready)["instructions"])


@pytest.mark.parametrize(
    ("claude", "told"), [(None, ""), ("# x\n", "Claude Code reads CLAUDE.md and not AGENTS.md"), ("@AGENTS.md\n", "")]
)
def test_agents_md_is_read_by_claude_code_only_alone_or_imported(repo: Repo, claude: str | None, told: str) -> None:
    repo.curator("init", "--target", "AGENTS.md")
    if claude is not None:
        repo.write("CLAUDE.md", claude)
    one = only(repo, "instructions")
    assert (one.level == WARN) == bool(told)
    assert told in one.message
    repo.write("AGENTS.override.md", "x")
    assert any("Codex reads AGENTS.override.md" in one.message for one in checks(repo)["instructions"])


def test_claude_codes_own_memory_is_named_until_it_is_off(ready: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    slug = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in str(ready.root))
    index = Path(os.environ["HOME"]) / ".claude" / "projects" / slug / "memory" / "MEMORY.md"
    index.parent.mkdir(parents=True)
    assert only(ready, "auto memory").level == OK
    index.write_text("- [a](a.md)\n", encoding="utf-8")
    one = only(ready, "auto memory")
    assert one.level == WARN
    assert str(index) in one.message
    assert "autoMemoryEnabled" in one.fix
    ready.write(".claude/settings.local.json", '{"autoMemoryEnabled": false}')
    assert only(ready, "auto memory").level == OK
    (ready.root / ".claude/settings.local.json").unlink()
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    assert only(ready, "auto memory").level == OK


def test_only_recent_faults_of_the_hook_are_news(ready: Repo) -> None:
    old = "2026-03-01T00:00:00Z Stop old\n"
    ready.write(".git/curator/hook.log", old)
    assert only(ready, "hook.log").level == OK
    ready.write(".git/curator/hook.log", f"{old}2026-03-09T00:00:00Z Stop one\n2026-03-10T00:00:00Z Stop two\n")
    one = only(ready, "hook.log")
    assert one.message == "2 faults in 7 days, the newest: 2026-03-10T00:00:00Z Stop two"
    assert one.fix == "when dealt with: `rm .git/curator/hook.log`"
    subprocess.run(["sh", "-c", one.fix.split("`")[1]], cwd=ready.root, check=True)
    assert only(ready, "hook.log").level == OK


def test_what_waits_for_a_person_is_counted(ready: Repo) -> None:
    ready.curator("add", "--propose", "Never load the seed data into the shared database.")
    assert only(ready, "proposals") == Check("proposals", OK, "1 waits", "`curator review`")
    ready.memory("b", "Another.")
    one = only(ready, "entries")
    assert one.level == WARN
    assert "memories/convention/b.yaml" in one.message


@pytest.mark.parametrize(
    ("said", "level"), [("git version 2.39.5 (Apple Git-154)", OK), ("git version 2.17.1", WARN), ("what", FAIL)]
)
def test_the_version_of_git(said: str, level: str) -> None:
    assert diagnosis.git(said).level == level


def test_a_hook_on_no_path_is_bearable_where_the_settings_name_its_place() -> None:
    curator = Program("/a/curator", "/a")
    (_, one) = diagnosis.programs(curator, Program(""), Program("/a", "/a"), version="1", expected="1", needed=False)
    assert (one.level, one.fix) == (WARN, "add /a to PATH")


def test_outside_a_repository_it_says_so(tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = repo.curator("doctor")
    assert told.exit_code == 2
    assert "not inside a git repository" in told.stderr
