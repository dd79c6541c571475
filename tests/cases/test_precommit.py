"""Checks in a pre-commit hook: they read what is staged, write nothing, and name the way out."""

from __future__ import annotations

import stat
from pathlib import Path

import yaml

from tests.cases.conftest import Case, Seen, Setup

SHIPPED = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def hooked(at: Case, command: str) -> None:
    at.sh(f"printf '#!/bin/sh\\nexec {command}\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit")


def tree(at: Case) -> dict[str, Seen]:
    """The work tree: modes and bytes of every file, git's own left out."""
    return {str(path): seen for path, seen in at.seen().items() if ".git" not in path.parts}


def tried(at: Case, script: str) -> tuple[int, str]:
    """Try to commit; a hook leaves the work tree as it is."""
    before = tree(at)
    done = at.sh(script, ok=False)
    assert tree(at) == before
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stderr.decode() + done.stdout.decode()


PC_01 = (
    r"base; printf '#!/bin/sh\nexec curator render --check\n' >.git/hooks/pre-commit; "
    "chmod +x .git/hooks/pre-commit; mem b.yaml b convention 'New rule.'; git add memories"
)


def test_pc_01_a_refused_commit_names_file_and_command_and_passes_after_it(case: Setup) -> None:
    at = case(PC_01)
    code, told = tried(at, "git commit -qm x")
    assert code == 1
    assert "CLAUDE.md" in told
    assert "`curator render`" in told
    assert at.run("render").code == 0
    at.git("add", "CLAUDE.md")
    assert tried(at, "git commit -qm x")[0] == 0
    assert tried(at, "git commit -qm again --allow-empty")[0] == 0
    assert at.git("status", "--porcelain") == ""


def test_pc_01_a_block_that_was_rendered_but_not_staged_does_not_pass(case: Setup) -> None:
    at = case(PC_01)
    assert at.run("render").code == 0
    code, told = tried(at, "git commit -qm x")
    assert code == 1
    assert "git add CLAUDE.md" in told


def test_pc_01_the_hook_that_init_installs_does_the_same(case: Setup) -> None:
    at = case(
        "base; curator init --git-hooks; curator render; commit; mem b.yaml b convention 'New.'; git add memories"
    )
    code, told = tried(at, "git commit -qm x")
    assert code == 1
    assert "CLAUDE.md" in told
    assert "`curator render`, then `git add CLAUDE.md`" in told
    assert at.run("render").code == 0
    at.git("add", "CLAUDE.md")
    assert tried(at, "git commit -qm x")[0] == 0
    assert tried(at, "git commit -qm again --allow-empty") == (0, "")
    assert at.git("status", "--porcelain") == ""


def test_pc_03_a_commit_of_everything_is_refused_as_a_staged_one_is(case: Setup) -> None:
    at = case('base; mem a.yaml a convention "token $(fake ghp_ 36)"')
    hooked(at, "curator check")
    code, told = tried(at, "git commit -qam x")
    assert code == 1
    assert "memories/convention/a.yaml: error: text: looks like a secret: " in told
    assert at.git("diff", "--cached", "--name-only") == ""
    assert tried(at, "git commit -qm x memories/convention/a.yaml")[0] == 1
    assert tried(at, "git add -A && git commit -qm x") == (code, told)
    assert at.git("log", "--format=%s") == "base\n"


def test_pc_03_the_hook_that_init_installs_reads_the_index_of_the_commit(case: Setup) -> None:
    at = case(
        "base; curator init --git-hooks; git add -A; curator render; commit; "
        'mem a.yaml a convention "token $(fake ghp_ 36)"'
    )
    code, told = tried(at, "git commit -qam x")
    assert code == 1
    assert "memories/convention/a.yaml: error: text: looks like a secret: " in told
    assert tried(at, "git commit -qm x memories/convention/a.yaml")[0] == 1
    assert at.git("diff", "--cached", "--name-only") == ""
    assert tried(at, "git add -A && git commit -qm x") == (code, told)


def test_pc_05_a_commit_from_a_linked_work_tree_touches_nothing_else(case: Setup) -> None:
    at = case(
        "base; git worktree add -q ../wt_$$ -b w; cp -r memories ../wt_$$/; "
        r"printf '#!/bin/sh\nexec curator check\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit"
    )
    (linked,) = at.outer.glob("wt_*")
    before = {path: seen for path, seen in at.seen().items() if ".git" not in path.parts}
    tracked = at.git("ls-files", "-s")
    at.sh("mem n.yaml n convention 'New.'; git add -A; curator render; git add -A; git commit -qm w", folder=linked)
    assert at.git("config", "--get", "core.bare").strip() == "false"
    assert at.git("ls-files", "-s") == tracked
    assert len(at.git("ls-files", folder=linked).split("\n")) == len(tracked.split("\n")) + 1
    new = {path for path in at.seen() if ".git" not in path.parts} - set(before)
    assert new == {linked / "memories/convention/n.yaml"}
    assert {path for path, seen in before.items() if at.seen()[path] != seen} == {linked / "CLAUDE.md"}
    secret = """mem s.yaml s convention "token $(fake ghp_ 36)"; git add -A; git commit -qm s"""
    bad = at.sh(secret, folder=linked, ok=False)
    assert bad.returncode == 1
    assert b"memories/convention/s.yaml" in bad.stderr


def test_pc_05_variables_of_another_repository_do_not_lead_astray(case: Setup) -> None:
    at = case("base")
    other = at.outer / "other"
    other.mkdir()
    at.sh("base; mem o.yaml o convention 'The other one.'; commit", folder=other)
    more = {"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    listed = at.run("list", more=more)
    assert "convention/a" in listed.out.decode()
    assert "convention/o" not in listed.out.decode()
    assert at.run("render", more=more).code == 0
    assert "The other one." not in at.block()


def test_pc_07_block_and_white_space_fixers_agree_after_the_first_render(case: Setup) -> None:
    at = case("base; mem b.yaml b convention 'line with trailing blanks   \nsecond\ttab  '; commit\n")
    assert at.run("render").code == 0
    first = at.read()
    assert all(line == line.rstrip(" \t") for line in at.block().split("\n"))
    assert first.endswith("USER TAIL\n")
    at.sh(r"sed -i 's/[ \t]*$//' CLAUDE.md")
    assert at.read() == first
    assert at.run("render").code == 0
    assert at.read() == first
    assert at.run("render", "--check").code == 0


def test_pc_08_a_refused_commit_keeps_unstaged_work(case: Setup) -> None:
    at = case("base; echo 'unsaved work' >>CLAUDE.md; mem b.yaml b convention 'New.'; git add memories")
    hooked(at, "curator render --check")
    assert tried(at, "git commit -qm x")[0] == 1
    assert at.read().endswith("unsaved work\n")
    assert stat.S_IMODE(at.path("CLAUDE.md").stat().st_mode) & 0o600 == 0o600
    hooked(at, "curator check")
    assert tried(at, "git commit -qm x")[0] == 1
    assert tried(at, "SKIP=curator-check git commit -qm x")[0] == 0
    assert at.read().endswith("unsaved work\n")


def test_pc_08_the_shipped_entries_get_no_file_names_and_run_alone(case: Setup) -> None:
    shipped = {one["id"]: one for one in yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))}
    for one in shipped.values():
        assert one["pass_filenames"] is (one["id"] == "curator-check-files")
        assert one["require_serial"] is True
    at = case("base; echo 'unsaved work' >>CLAUDE.md; mem b.yaml b convention 'New.'; git add memories")
    hooked(at, shipped["curator-check"]["entry"])
    assert tried(at, "git commit -qm x")[0] == 1
    assert at.read().endswith("unsaved work\n")


def test_pc_11_an_unfinished_merge_is_named_and_left_as_it_is(case: Setup) -> None:
    at = case(
        "base; git checkout -qb x; mem a.yaml a convention X; commit; git checkout -q main; "
        "mem a.yaml a convention Y; commit; git merge -q x || true"
    )
    stages = at.git("ls-files", "-u")
    assert stages.count("\n") == 3
    ran = at.run("check")
    assert ran.code == 1
    assert "memories/convention/a.yaml: error: unmerged" in ran.told
    for arguments in (("render",), ("render", "--check"), ("render", "--diff")):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "memories/convention/a.yaml: unmerged" in ran.told
    assert at.git("ls-files", "-u") == stages
