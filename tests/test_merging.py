"""Branches meet: real merges, rebases and picks, with the merge driver and without it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from curator.core import block
from tests.conftest import Repo


@dataclass(frozen=True)
class Clone(Repo):
    """A repository with a rendered block in which git may also fail."""

    def tried(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, env=os.environ | environment
        )

    def learns(self, name: str, text: str, message: str = "") -> None:
        """One memory and the block that shows it, in one commit, as `block: here` has it."""
        self.memory(name, text)
        self.add()
        self.rendered()
        self.commit(message or name)

    def rendered(self) -> None:
        result = self.curator("render")
        assert result.exit_code == 0, result.stderr

    def branch(self, name: str, at: str = "main") -> None:
        self.git("checkout", "-q", "-b", name, at)

    def go(self, name: str) -> None:
        self.git("checkout", "-q", name)

    @property
    def body(self) -> str:
        return block.body(self.read("CLAUDE.md"))

    def is_right(self) -> bool:
        """Is the committed block what a render writes, to the byte?"""
        before = self.read("CLAUDE.md")
        self.rendered()
        return self.read("CLAUDE.md") == before and self.git("status", "--porcelain") == ""


@pytest.fixture
def clone(repo: Repo) -> Clone:
    """One memory, a rendered block between hand-written lines."""
    made = Clone(repo.root)
    made.block(before="# Project\n\nAbove.\n\n", after="\nBelow.\n")
    made.learns("a", "Run pytest with -q.", "base")
    return made


@pytest.fixture
def driven(clone: Clone) -> Clone:
    """The same with the merge driver."""
    assert clone.curator("init", "--merge-driver").exit_code == 0
    clone.commit("driver")
    return clone


def fork(clone: Clone) -> None:
    """Two branches, each with a memory of its own, so that the block conflicts."""
    clone.branch("other")
    clone.learns("b", "Never mock the database.")
    clone.go("main")
    clone.learns("c", "Deploy from main only.")


def test_without_the_driver_the_block_conflicts_inside_the_markers_and_a_render_settles_it(clone: Clone) -> None:
    fork(clone)
    assert clone.tried("merge", "--no-edit", "other").returncode == 1
    assert clone.git("diff", "--name-only", "--diff-filter=U").split() == ["CLAUDE.md"]
    clone.rendered()
    clone.git("add", "CLAUDE.md")
    clone.git("commit", "-q", "--no-edit")
    assert "Never mock" in clone.body
    assert "Deploy from main" in clone.body
    assert clone.is_right()


def test_with_the_driver_a_merge_is_clean_and_exactly_what_render_gives(driven: Clone) -> None:
    fork(driven)
    merged = driven.tried("merge", "--no-edit", "other")
    assert merged.returncode == 0, merged.stderr + merged.stdout
    assert all(text in driven.body for text in ("Run pytest", "Never mock", "Deploy from main"))
    assert driven.is_right()


@pytest.mark.parametrize("how", [("merge", "--squash"), ("merge", "--no-commit", "--no-ff")])
def test_a_merge_that_stops_before_its_commit_is_right_too(driven: Clone, how: tuple[str, ...]) -> None:
    fork(driven)
    assert driven.tried(*how, "other").returncode == 0
    driven.git("commit", "-qm", "joined")
    assert driven.is_right()


def test_a_pull_is_right_with_merge_and_with_rebase(driven: Clone, tmp_path: Path) -> None:
    fork(driven)
    for how in ("--no-rebase", "--rebase"):
        there = Clone(tmp_path / how)
        driven.git("clone", "-q", ".", str(there.root))
        there.git("config", "merge.curator.driver", driven.git("config", "merge.curator.driver").rstrip("\n"))
        pulled = there.tried("pull", "-q", how, "--no-edit", "origin", "other")
        assert pulled.returncode == 0, pulled.stderr
        done = subprocess.run(
            ["curator", "render", "--check"], cwd=there.root, env=os.environ | {"PATH": _path()}, capture_output=True
        )
        assert done.returncode == 0, done.stdout
        assert all(text in there.body for text in ("Never mock", "Deploy from main"))


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_a_rebase_of_several_commits_is_right_at_every_one(driven: Clone, backend: str) -> None:
    fork(driven)
    driven.go("other")
    driven.learns("d", "Log in UTC.")
    driven.learns("e", "Use tabs in makefiles.")
    rebased = driven.tried("rebase", backend, "main")
    assert rebased.returncode == 0, rebased.stderr + rebased.stdout
    commits = driven.git("rev-list", "main..other").split()
    assert len(commits) == 3
    for commit in commits:
        driven.git("checkout", "-q", commit)
        assert driven.is_right(), commit


def test_a_rebase_without_the_driver_goes_on_after_a_render_at_each_stop(clone: Clone) -> None:
    fork(clone)
    clone.go("other")
    clone.learns("d", "Log in UTC.")
    done = clone.tried("rebase", "main")
    stops = 0
    while done.returncode:
        stops += 1
        assert stops < 5
        assert clone.git("diff", "--name-only", "--diff-filter=U").split() == ["CLAUDE.md"]
        clone.rendered()
        clone.git("add", "CLAUDE.md")
        done = clone.tried("-c", "core.editor=true", "rebase", "--continue")
    assert stops >= 1
    assert clone.git("log", "--format=%s", "main..").split() == ["d", "b"]
    assert clone.is_right()


def test_a_cherry_pick_is_right_alone_and_in_a_series(driven: Clone) -> None:
    fork(driven)
    driven.go("other")
    driven.learns("d", "Log in UTC.")
    driven.go("main")
    driven.branch("one")
    picked = driven.tried("cherry-pick", "other~1")
    assert picked.returncode == 0, picked.stderr
    assert driven.is_right()
    assert "Log in UTC" not in driven.body
    driven.branch("all", "main")
    picked = driven.tried("cherry-pick", "main..other")
    assert picked.returncode == 0, picked.stderr
    assert driven.is_right()
    assert "Log in UTC" in driven.body


def test_a_pick_of_what_was_only_fetched_is_right_and_one_from_nowhere_stays_open(
    driven: Clone, tmp_path: Path
) -> None:
    there = Clone(tmp_path / "there")
    driven.git("clone", "-q", ".", str(there.root))
    fork(driven)
    there.git("fetch", "-q", str(driven.root), "other")
    there.memory("x", "Only here.")
    there.add()
    shim = os.environ | {"PATH": _path()}
    subprocess.run(["curator", "render"], cwd=there.root, env=shim, check=True, capture_output=True)
    there.commit("x")
    there.git("config", "merge.curator.driver", driven.git("config", "merge.curator.driver").rstrip("\n"))
    picked = there.git("rev-parse", "FETCH_HEAD").strip()
    assert there.tried("cherry-pick", "FETCH_HEAD").returncode == 0
    checked = subprocess.run(["curator", "render", "--check"], cwd=there.root, env=shim, capture_output=True)
    assert checked.returncode == 0, checked.stdout
    there.git("reset", "-q", "--hard", "HEAD~1")
    for name in (there.root / ".git/FETCH_HEAD", there.root / ".git/logs/HEAD", there.root / ".git/ORIG_HEAD"):
        name.unlink()
    assert there.tried("cherry-pick", picked).returncode == 1
    assert block.conflict(there.read("CLAUDE.md"))


def test_a_cherry_pick_without_the_driver_goes_on_after_a_render(clone: Clone) -> None:
    fork(clone)
    assert clone.tried("cherry-pick", "other").returncode == 1
    clone.rendered()
    clone.git("add", "CLAUDE.md")
    assert clone.tried("-c", "core.editor=true", "cherry-pick", "--continue").returncode == 0
    assert clone.is_right()


def test_a_revert_takes_the_memory_out_of_the_block(driven: Clone) -> None:
    driven.learns("b", "Never mock the database.")
    driven.learns("c", "Deploy from main only.")
    reverted = driven.tried("revert", "--no-edit", "HEAD~1")
    assert reverted.returncode == 0, reverted.stderr
    assert "Never mock" not in driven.body
    assert "Deploy from main" in driven.body
    assert driven.is_right()


def test_a_stash_comes_back_with_both_memories_in_the_block(driven: Clone) -> None:
    driven.memory("b", "Never mock the database.")
    driven.add()
    driven.rendered()
    driven.add()
    driven.git("stash", "-q")
    driven.learns("c", "Deploy from main only.")
    popped = driven.tried("stash", "pop")
    assert popped.returncode == 0, popped.stderr
    driven.add()
    assert all(text in driven.body for text in ("Never mock", "Deploy from main"))
    before = driven.read("CLAUDE.md")
    driven.rendered()
    assert driven.read("CLAUDE.md") == before


def test_text_around_the_block_merges_and_conflicts_as_git_has_it(driven: Clone) -> None:
    fork(driven)
    driven.go("other")
    driven.write("CLAUDE.md", driven.read("CLAUDE.md").replace("Above.", "Above, theirs."))
    driven.commit("theirs")
    driven.go("main")
    driven.write("CLAUDE.md", driven.read("CLAUDE.md").replace("Below.", "Below, ours."))
    driven.commit("ours")
    assert driven.tried("merge", "--no-edit", "other").returncode == 0
    assert "Above, theirs." in driven.read("CLAUDE.md")
    assert "Below, ours." in driven.read("CLAUDE.md")
    assert driven.is_right()
    driven.git("reset", "-q", "--hard", "HEAD~1")
    driven.write("CLAUDE.md", driven.read("CLAUDE.md").replace("Above.", "Above, ours."))
    driven.commit("ours too")
    assert driven.tried("merge", "--no-edit", "other").returncode == 1
    text = driven.read("CLAUDE.md")
    assert "<<<<<<< ours\nAbove, ours.\n=======\nAbove, theirs.\n>>>>>>> theirs\n" in text
    assert all(words in block.body(text) for words in ("Never mock", "Deploy from main"))
    driven.memory("d", "Log in UTC.")
    driven.git("add", "memories")
    refused = driven.curator("render")
    assert refused.exit_code == 2
    assert "a merge conflict on lines" in refused.stderr
    assert driven.read("CLAUDE.md") == text


def test_a_memory_both_sides_changed_leaves_the_block_open_for_after(driven: Clone) -> None:
    driven.branch("other")
    driven.learns("a", "Run pytest with -x.")
    driven.go("main")
    driven.learns("a", "Run pytest with -v.")
    merged = driven.tried("merge", "--no-edit", "other")
    assert merged.returncode == 1
    assert "both sides changed the block" in merged.stderr
    assert set(driven.git("diff", "--name-only", "--diff-filter=U").split()) == {
        "CLAUDE.md",
        "memories/convention/a.yaml",
    }
    assert block.conflict(driven.read("CLAUDE.md"))
    assert driven.curator("render").exit_code == 2
    driven.memory("a", "Run pytest with -xv.")
    driven.git("add", "memories")
    driven.rendered()
    driven.add()
    driven.git("commit", "-q", "--no-edit")
    assert "Run pytest with -xv." in driven.body
    assert driven.is_right()


def test_a_memory_both_sides_changed_in_different_lines_merges_as_text(driven: Clone) -> None:
    text = "First line of it.\nSecond line of it.\nThird line of it.\nFourth line of it.\nFifth line of it."
    driven.learns("long", text)
    driven.branch("other")
    driven.learns("long", text.replace("First", "Number one,"))
    driven.go("main")
    driven.learns("long", text.replace("Fifth", "Number five,"))
    merged = driven.tried("merge", "--no-edit", "other")
    assert merged.returncode == 0, merged.stderr
    assert "Number one," in driven.body
    assert "Number five," in driven.body
    assert driven.is_right()


def test_a_retired_memory_and_changed_settings_count_in_the_merged_block(driven: Clone) -> None:
    fork(driven)
    driven.go("other")
    driven.write(
        "memories/curator.yaml", driven.read("memories/curator.yaml").replace("preamble: true", "preamble: false")
    )
    driven.add()
    driven.rendered()
    driven.commit("no preamble")
    driven.go("main")
    driven.git("rm", "-q", "memories/convention/a.yaml")
    driven.rendered()
    driven.commit("gone")
    merged = driven.tried("merge", "--no-edit", "other")
    assert merged.returncode == 0, merged.stderr
    assert "Run pytest" not in driven.body
    assert "Before working on" not in driven.body
    assert driven.is_right()


def test_code_that_one_side_took_away_counts_in_the_merged_block(driven: Clone) -> None:
    driven.write("shop/tax.py", "def round_vat(lines):\n    return sum(lines)\n\n\ndef other():\n    return 1\n")
    driven.commit("code")
    added = driven.curator("add", "VAT is rounded by `round_vat`.", "--source", "shop/tax.py", "--category", "gotcha")
    assert added.exit_code == 0, added.stderr
    driven.commit("memory")
    fork(driven)
    driven.go("other")
    driven.write("shop/tax.py", "def other():\n    return 1\n")
    driven.learns("d", "Log in UTC.")
    driven.go("main")
    merged = driven.tried("merge", "--no-edit", "other")
    assert merged.returncode == 0, merged.stderr
    assert "`round_vat` is gone from shop/tax.py" in driven.body
    assert all(text in driven.body for text in ("Never mock", "Deploy from main", "Log in UTC"))
    assert driven.is_right()


def test_branches_that_crossed_are_not_guessed_at(driven: Clone) -> None:
    fork(driven)
    main, other = (driven.git("rev-parse", name).strip() for name in ("main", "other"))
    for name, merged in (("main", other), ("other", main)):
        driven.go(name)
        assert driven.tried("merge", "--no-edit", merged).returncode == 0
        driven.learns(f"new-{name}", f"Something only {name} knows.")
    assert driven.tried("merge", "--no-edit", "main").returncode == 1
    assert block.conflict(driven.read("CLAUDE.md"))
    driven.rendered()
    driven.add()
    driven.git("commit", "-q", "--no-edit")
    assert driven.is_right()


def test_another_clone_without_the_driver_merges_as_text(driven: Clone) -> None:
    fork(driven)
    assert driven.curator("init", "--no-merge-driver").exit_code == 0
    assert driven.tried("config", "merge.curator.driver").returncode == 1
    assert "/CLAUDE.md merge=curator" in driven.read(".gitattributes")
    assert driven.tried("merge", "--no-edit", "other").returncode == 1
    assert "<<<<<<< HEAD" in driven.body
    driven.rendered()
    driven.add()
    driven.git("commit", "-q", "--no-edit")
    assert driven.is_right()


@pytest.mark.parametrize("broken", ["exit 1", "exit 2", "exit 127", "kill -9 $$"])
def test_a_curator_that_fails_leaves_the_merge_to_git(driven: Clone, tmp_path: Path, broken: str) -> None:
    fork(driven)
    program = tmp_path / "curator"
    program.write_text(f"#!/bin/sh\n{broken}\n", encoding="utf-8")
    program.chmod(0o755)
    from curator.core import wiring

    driven.git("config", "merge.curator.driver", wiring.driver(str(program)))
    driven.go("other")
    driven.write("CLAUDE.md", driven.read("CLAUDE.md").replace("Above.", "Above, theirs."))
    driven.commit("theirs")
    driven.go("main")
    merged = driven.tried("merge", "--no-edit", "other", PATH=_without_curator(tmp_path))
    assert merged.returncode == 1, merged.stderr
    text = driven.read("CLAUDE.md")
    assert "Above, theirs." in text
    assert "<<<<<<< ours" in text
    assert "Never mock" in text


def test_a_file_without_a_block_on_one_side_merges_as_text(driven: Clone) -> None:
    driven.branch("other")
    driven.write("CLAUDE.md", "# Project\n\nAbove.\n\nNo block any more.\n\nBelow.\n")
    driven.commit("no block")
    driven.go("main")
    driven.learns("b", "Never mock the database.")
    assert driven.tried("merge", "--no-edit", "other").returncode == 1
    text = driven.read("CLAUDE.md")
    assert "No block any more." in text
    assert "Never mock the database." in text
    assert "<<<<<<< ours" in text


def test_line_ends_and_a_missing_final_newline_come_through(driven: Clone) -> None:
    driven.write("CLAUDE.md", driven.read("CLAUDE.md").replace("\n", "\r\n").removesuffix("\r\n"))
    driven.commit("CRLF")
    fork(driven)
    merged = driven.tried("merge", "--no-edit", "other")
    assert merged.returncode == 0, merged.stderr
    text = driven.read("CLAUDE.md")
    assert text.count("\n") == text.count("\r\n")
    assert text.endswith("Below.")
    assert driven.is_right()


def test_a_target_with_blanks_in_its_path_and_a_linked_work_tree(
    driven: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    driven.write("memories/curator.yaml", 'targets:\n  - path: "my docs/[a] CLAUDE.md"\n')
    driven.block("my docs/[a] CLAUDE.md")
    driven.add()
    assert driven.curator("init", "--merge-driver").exit_code == 0
    assert '"/my docs/\\\\[a] CLAUDE.md" merge=curator\n' in driven.read(".gitattributes")
    attribute = driven.git("check-attr", "merge", "--", "my docs/[a] CLAUDE.md", "my docs/a CLAUDE.md").split("\n")
    assert [line.rpartition(": ")[2] for line in attribute[:2]] == ["curator", "unspecified"]
    driven.commit("another target")
    fork(driven)
    linked = Clone(driven.root.parent / "linked")
    driven.git("worktree", "add", "-q", str(linked.root), "other")
    monkeypatch.chdir(linked.root)
    assert linked.tried("merge", "--no-edit", "main").returncode == 0
    assert all(text in linked.read("my docs/[a] CLAUDE.md") for text in ("Never mock", "Deploy from main"))
    assert linked.git("status", "--porcelain") == ""


@pytest.mark.parametrize("mode", ["here", "main"])
def test_five_branches_add_entries_without_a_conflict_under_memories(clone: Clone, mode: str) -> None:
    clone.write("memories/curator.yaml", f"block: {mode}\n")
    clone.add()
    clone.rendered()
    clone.commit("settings")
    for number in range(5):
        clone.branch(f"b{number}")
        for each in "xy":
            clone.memory(
                f"m{number}{each}", f"Rule {number} {each} of this branch.", ("gotcha", "decision")[number % 2]
            )
        clone.add()
        if mode == "here":
            clone.rendered()
        clone.commit(f"b{number}")
    clone.go("main")
    for number in range(5):
        merged = clone.tried("merge", "--no-edit", f"b{number}")
        unmerged = clone.git("diff", "--name-only", "--diff-filter=U").split()
        assert unmerged in ([], ["CLAUDE.md"])
        if mode == "main":
            assert merged.returncode == 0, merged.stdout
        if unmerged:
            clone.rendered()
            clone.git("add", "CLAUDE.md")
            clone.git("commit", "-q", "--no-edit")
    clone.rendered()
    assert clone.body.count("of this branch") == 10


def test_five_branches_merge_clean_with_the_driver(driven: Clone) -> None:
    for number in range(5):
        driven.branch(f"b{number}")
        driven.learns(f"m{number}", f"Rule {number} of this branch.")
    driven.go("main")
    for number in range(5):
        assert driven.tried("merge", "--no-edit", f"b{number}").returncode == 0
        assert driven.is_right()
    assert driven.body.count("of this branch") == 5


def test_a_repository_with_sha256_ids(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Clone(tmp_path / "long")
    made.root.mkdir()
    monkeypatch.chdir(made.root)
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    made.block()
    made.learns("a", "Run pytest with -q.")
    assert made.curator("init", "--merge-driver").exit_code == 0
    made.commit("driver")
    fork(made)
    assert made.tried("cherry-pick", "other").returncode == 0
    assert made.is_right()
    assert "Never mock" in made.body


def test_a_rebase_that_makes_merges_anew_leaves_them_open_rather_than_guess(driven: Clone) -> None:
    fork(driven)
    driven.git("checkout", "-q", "main")
    driven.git("merge", "-q", "--no-ff", "--no-edit", "other")
    driven.branch("ground", "main~1~1")
    driven.learns("z", "Use tabs in makefiles.")
    driven.go("main")
    done = driven.tried("rebase", "--rebase-merges", "ground")
    stops = 0
    while done.returncode:
        stops += 1
        assert stops < 4
        assert block.conflict(driven.read("CLAUDE.md"))
        driven.rendered()
        driven.add()
        done = driven.tried("-c", "core.editor=true", "rebase", "--continue")
    assert stops >= 1
    assert all(text in driven.body for text in ("Never mock", "Deploy from main", "Use tabs"))
    assert driven.is_right()


def test_the_driver_by_hand_names_a_file_that_is_not_there(driven: Clone) -> None:
    ran = driven.curator("merge-block", "no", "such", "files", "7", "CLAUDE.md")
    assert ran.exit_code == 2
    assert "cannot be read" in ran.stderr


def test_the_driver_leaves_nothing_behind(driven: Clone) -> None:
    fork(driven)
    before = {path.name for path in (driven.root / ".git").iterdir()}
    assert driven.tried("merge", "--no-edit", "other").returncode == 0
    after = {path.name for path in (driven.root / ".git").iterdir()}
    assert after - before <= {"ORIG_HEAD", "AUTO_MERGE"}
    assert driven.git("status", "--porcelain", "--ignored") == ""


def test_setting_the_driver_up_is_printed_and_twice_changes_nothing(clone: Clone) -> None:
    clone.curator("init")
    clone.commit("init")
    shown = clone.curator("init", "--merge-driver", "--dry-run")
    assert "+/CLAUDE.md merge=curator" in shown.stdout
    assert "would set in this clone's git settings: merge.curator.driver=" in shown.stdout
    assert clone.tried("config", "merge.curator.driver").returncode == 1
    first = clone.curator("init", "--merge-driver")
    value = clone.git("config", "--local", "merge.curator.driver").rstrip("\n")
    assert f"merge.curator.driver={value}" in first.stdout
    attributes = clone.read(".gitattributes")
    assert "merge.curator.driver is set already" in clone.curator("init", "--merge-driver").stdout
    assert clone.read(".gitattributes") == attributes


def test_a_merge_somebody_chose_for_the_target_stays(clone: Clone) -> None:
    clone.write(".gitattributes", "CLAUDE.md merge=ours\n")
    clone.commit("attributes")
    told = clone.curator("init", "--merge-driver")
    assert "CLAUDE.md: has merge=ours already, which stays" in told.stderr
    assert "merge=curator" not in clone.read(".gitattributes")


def _path() -> str:
    import sys

    return os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))


def _without_curator(folder: Path) -> str:
    """A PATH with git and a shell on it, and no curator."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("git", "sh"):
        found = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
        (tools / name).symlink_to(found.stdout.strip())
    return str(tools)
