"""What a range of commits means: where branches parted, what a merge would give, what a clone lacks."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from curator.edge import plumbing, refspecs, revisions, workspace
from curator.errors import CuratorError
from curator.model import Workspace
from tests.conftest import Repo


def branched(repo: Repo) -> None:
    """`main` and `feature` went on apart: each added a file."""
    repo.write("common.txt", "common\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "feature")
    repo.write("feature.txt", "feature\n")
    repo.commit("feature")
    repo.git("checkout", "-q", "main")
    repo.write("main.txt", "main\n")
    repo.commit("main")


def commit_of(repo: Repo, ref: str) -> str:
    return repo.git("rev-parse", ref).strip()


def paths(at: Workspace, tree: str) -> set[str]:
    return set((plumbing.tree_of(at, tree) if tree else plumbing.index(at)).files)


def clone(repo: Repo, into: Path, *options: str) -> Workspace:
    subprocess.run(["git", "clone", "-q", *options, f"file://{repo.root}", str(into)], check=True, capture_output=True)
    return workspace.open_at(str(into))


def test_three_dots_compare_with_where_they_parted(repo: Repo) -> None:
    branched(repo)
    with revisions.opened(repo.workspace, "main...feature") as trees:
        assert trees.before == repo.git("merge-base", "main", "feature").strip()
        assert (trees.after, trees.base, trees.head) == (commit_of(repo, "feature"), "main", "feature")
        assert (trees.base_commit, trees.head_commit) == (commit_of(repo, "main"), commit_of(repo, "feature"))
        assert not trees.notes


def test_two_dots_compare_with_what_the_merge_gives_and_leave_nothing_behind(repo: Repo) -> None:
    branched(repo)
    objects = repo.git("count-objects", "-v")
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert paths(trees.workspace, trees.before) == {"common.txt", "main.txt"}
        assert paths(trees.workspace, trees.after) == {"common.txt", "main.txt", "feature.txt"}
        assert trees.before == commit_of(repo, "main")
        assert not trees.notes
        made = trees.after
    assert repo.git("count-objects", "-v") == objects
    assert not list((repo.root / ".git" / "curator").iterdir())
    with pytest.raises(CuratorError):
        plumbing.tree_of(repo.workspace, made)


def test_what_a_killed_comparison_left_is_removed_after_a_day(repo: Repo) -> None:
    branched(repo)
    old, young = (repo.root / ".git/curator" / name for name in ("merge.000000000000", "merge.111111111111"))
    for folder in (old, young):
        (folder / "objects").mkdir(parents=True)
    os.utime(old, (0, 0))
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert not trees.notes
    assert not old.exists()
    assert young.exists()


def test_two_dots_of_an_ancestor_are_the_two_trees(repo: Repo) -> None:
    branched(repo)
    with revisions.opened(repo.workspace, "main~1..main") as trees:
        assert (trees.before, trees.after) == (commit_of(repo, "main~1"), commit_of(repo, "main"))
        assert trees.workspace is not None and not trees.workspace.objects


def test_a_merge_brings_text_of_both_sides_together(repo: Repo) -> None:
    repo.write("both.txt", "one\n2\n3\n4\nfive\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "feature")
    repo.write("both.txt", "one\n2\n3\n4\nFIVE\n")
    repo.commit("feature")
    repo.git("checkout", "-q", "main")
    repo.write("both.txt", "ONE\n2\n3\n4\nfive\n")
    repo.commit("main")
    with revisions.opened(repo.workspace, "main..feature") as trees:
        blob = plumbing.tree_of(trees.workspace, trees.after).files["both.txt"].blob
        assert plumbing.contents(trees.workspace, [blob])[blob] == b"ONE\n2\n3\n4\nFIVE\n"


def in_conflict(repo: Repo, *paths: str) -> None:
    for text, branch in (("base", ""), ("feature", "-bfeature"), ("main", "main")):
        if branch:
            repo.git("checkout", "-q", branch)
        for path in paths:
            repo.write(path, f"{text}\n")
        repo.commit(text)


@pytest.mark.parametrize("path", ["memories/gotcha/a.yaml", "memories/curator.yaml", "cart/memories/gotcha/a.yaml"])
def test_a_merge_with_conflicts_in_memories_falls_back_to_where_they_parted_and_says_so(repo: Repo, path: str) -> None:
    in_conflict(repo, path, "other.txt")
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert trees.before == repo.git("merge-base", "main", "feature").strip()
        assert trees.after == commit_of(repo, "feature")
        assert trees.notes == (
            f"merged as text, without a merge driver, {path} conflicts,"
            " so feature is compared with the place where it left main",
        )
        assert not trees.is_merged


def test_a_merge_with_conflicts_elsewhere_is_compared_and_names_them(repo: Repo) -> None:
    in_conflict(repo, "a.txt", "b\nx.txt")
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert (trees.before, trees.is_merged) == (commit_of(repo, "main"), True)
        assert trees.conflicts == ("a.txt", "b\nx.txt")
        assert trees.parted == repo.git("merge-base", "main", "feature").strip()
    assert revisions.told(trees.conflicts).endswith(r", a.txt, b\x0ax.txt conflict")
    assert revisions.told("abcde").endswith(", a, b, c and 2 more conflict")


def test_no_merge_driver_filter_or_setting_of_the_clone_runs(repo: Repo) -> None:
    """Where a merge is tried, neither settings nor attributes of the repository count."""
    canary = repo.root / "canary"
    repo.write(".gitattributes", "*.txt merge=evil\n")
    repo.write(".git/info/attributes", "*.txt merge=evil filter=evil\n")
    for key in ("merge.evil.driver", "filter.evil.smudge", "filter.evil.clean"):
        repo.git("config", key, f"touch {canary}; cat")
    repo.write("both.txt", "one\n2\n3\n4\nfive\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "feature")
    repo.write("both.txt", "one\n2\n3\n4\nFIVE\n")
    repo.commit("feature")
    repo.git("checkout", "-q", "main")
    repo.write("both.txt", "ONE\n2\n3\n4\nfive\n")
    repo.commit("main")
    canary.unlink(missing_ok=True)
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert not trees.notes
    assert not canary.exists()


def test_git_that_cannot_merge_trees_falls_back_and_says_why(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    branched(repo)
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    refusal = 'case "$*" in *--write-tree*) echo "fatal: not a valid mode" >&2; exit 129;; esac'
    fake.write_text(f'#!/bin/sh\n{refusal}\nexec {real} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert trees.before == repo.git("merge-base", "main", "feature").strip()
        assert trees.notes[0].startswith("what a merge would give cannot be told (not a valid mode)")


def test_a_criss_cross_of_branches_is_merged_as_git_does(repo: Repo) -> None:
    branched(repo)
    left, right = commit_of(repo, "main"), commit_of(repo, "feature")
    repo.git("merge", "-q", "-m", "m1", right)
    repo.git("checkout", "-q", "feature")
    repo.git("merge", "-q", "-m", "m2", left)
    repo.write("late.txt", "late\n")
    repo.commit("late")
    assert len(repo.git("merge-base", "--all", "main", "feature").split()) == 2
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert paths(trees.workspace, trees.after) - paths(trees.workspace, trees.before) == {"late.txt"}
    with revisions.opened(repo.workspace, "main...feature") as trees:
        assert trees.before == repo.git("merge-base", "main", "feature").strip()


def test_one_ref_is_held_against_the_index_from_where_it_was_left(repo: Repo) -> None:
    branched(repo)
    repo.git("checkout", "-q", "feature")
    repo.write("staged.txt", "staged\n")
    repo.add()
    with revisions.opened(repo.workspace, "main") as trees:
        assert trees.before == repo.git("merge-base", "main", "feature").strip()
        assert (trees.after, trees.head, trees.head_commit) == ("", "", "")
        assert "staged.txt" in paths(trees.workspace, trees.after)


def test_an_end_that_is_left_out_is_head(repo: Repo) -> None:
    branched(repo)
    repo.git("checkout", "-q", "feature")
    with revisions.opened(repo.workspace, "main...") as trees:
        assert (trees.base, trees.head, trees.head_commit) == ("main", "HEAD", commit_of(repo, "feature"))
    with revisions.opened(repo.workspace, "..main") as trees:
        assert (trees.base, trees.head) == ("HEAD", "main")


def test_before_the_first_commit_everything_staged_is_new(repo: Repo) -> None:
    repo.write("a.txt", "a\n")
    repo.add()
    with revisions.opened(repo.workspace, "HEAD") as trees:
        assert paths(trees.workspace, trees.before) == set()
        assert paths(trees.workspace, trees.after) == {"a.txt"}
        assert (trees.base_commit, trees.notes) == ("", ())


def test_a_branch_that_is_not_begun_is_compared_as_it_is(repo: Repo) -> None:
    branched(repo)
    repo.git("checkout", "-q", "--orphan", "fresh")
    with revisions.opened(repo.workspace, "main") as trees:
        assert trees.before == commit_of(repo, "main")
        assert "share no history" in trees.notes[0]


@pytest.mark.parametrize(
    "asked",
    [
        "nowhere",
        "nowhere..main",
        "main..nowhere",
        "main...nowhere",
        "--output=x",
        "--all..main",
        "main..--exec",
        "a..b..c",
    ],
)
def test_a_ref_that_is_not_here_is_said_with_a_way_out(repo: Repo, asked: str) -> None:
    branched(repo)
    with pytest.raises(CuratorError) as caught, revisions.opened(repo.workspace, asked):
        pass
    assert "is no commit here" in caught.value.message
    assert "fetch it" in caught.value.hint
    assert not (repo.root / "x").exists()


def test_a_branch_named_like_an_option_is_a_name(repo: Repo) -> None:
    branched(repo)
    repo.git("update-ref", "refs/heads/--output=x", "feature")
    with revisions.opened(repo.workspace, "main...refs/heads/--output=x") as trees:
        assert trees.head_commit == commit_of(repo, "feature")


def test_a_tag_stands_for_its_commit(repo: Repo) -> None:
    branched(repo)
    repo.git("tag", "-a", "-m", "note", "v1", "main~1")
    with revisions.opened(repo.workspace, "v1..main") as trees:
        assert trees.before == commit_of(repo, "main~1")


def test_branches_without_common_history_are_compared_as_they_are(repo: Repo) -> None:
    branched(repo)
    repo.git("checkout", "-q", "--orphan", "other")
    repo.write("other.txt", "other\n")
    repo.commit("other")
    for asked in ("main..other", "main...other"):
        with revisions.opened(repo.workspace, asked) as trees:
            assert (trees.before, trees.after) == (commit_of(repo, "main"), commit_of(repo, "other"))
            assert trees.notes == ("main and other share no history: the two are compared as they are",)


def test_a_clone_of_one_commit_says_how_deep_it_must_be_for_the_parent(repo: Repo, tmp_path: Path) -> None:
    branched(repo)
    repo.git("merge", "-q", "-m", "merge", "feature")
    shallow = clone(repo, tmp_path / "shallow", "--depth=1")
    with revisions.opened(shallow, "HEAD^1..HEAD") as trees:
        assert (trees.before, trees.after) == ("", trees.head_commit)
        assert trees.notes == (
            "HEAD^1 is not here, so nothing is compared: `git fetch --deepen=1`, or `fetch-depth: 2` in CI",
        )
    with revisions.opened(shallow, "HEAD~3..HEAD") as trees:
        assert "`fetch-depth: 4`" in trees.notes[0]
    with revisions.opened(shallow, f"{commit_of(repo, 'main~1')}..HEAD") as trees:
        assert "`git fetch --unshallow`, or `fetch-depth: 0` in CI" in trees.notes[0]
    with pytest.raises(CuratorError) as caught, revisions.opened(shallow, "nowhere..HEAD"):
        pass
    assert "shallow" in caught.value.hint


def test_a_branch_that_a_clone_of_one_branch_lacks_comes_by_the_command_that_is_told(
    repo: Repo, tmp_path: Path
) -> None:
    branched(repo)
    for number, options in enumerate((("--depth=1", "--branch=feature"), ("--single-branch", "--branch=feature"))):
        alone = clone(repo, tmp_path / str(number), *options)
        with pytest.raises(CuratorError) as caught, revisions.opened(alone, "origin/main..HEAD"):
            pass
        assert caught.value.hint == "`git fetch origin main:refs/remotes/origin/main` fetches it"
        subprocess.run(caught.value.hint.split("`")[1].split(), cwd=alone.root, check=True, capture_output=True)
        with revisions.opened(alone, "origin/main..HEAD") as trees:
            assert trees.base_commit == commit_of(repo, "main")
        with pytest.raises(CuratorError) as caught, revisions.opened(alone, "main..HEAD"):
            pass
        assert "`git fetch origin main:refs/remotes/origin/main`, and name origin/main" in caught.value.hint


@pytest.mark.parametrize(
    "ref", ["origin/$(id)", "origin/a b", "origin/-x;y", "origin/a`b`", "origin/a:b", "origin/x..y"]
)
def test_no_command_is_told_that_a_shell_would_read_otherwise(repo: Repo, ref: str) -> None:
    repo.git("remote", "add", "origin", ".")
    assert refspecs.of(repo.workspace, ref) is None


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP])
def test_a_comparison_that_is_ended_leaves_nothing_behind(repo: Repo, sent: signal.Signals) -> None:
    branched(repo)
    before = signal.getsignal(sent)
    with pytest.raises(SystemExit) as ended, revisions.opened(repo.workspace, "main..feature"):
        assert list((repo.root / ".git/curator").iterdir())
        os.kill(os.getpid(), sent)
    assert ended.value.code == 128 + sent
    assert not list((repo.root / ".git/curator").iterdir())
    assert signal.getsignal(sent) == before


def test_in_a_shallow_clone_that_knows_where_two_parted_they_are_merged(repo: Repo, tmp_path: Path) -> None:
    repo.write("older.txt", "older\n")
    repo.commit("older")
    branched(repo)
    shallow = clone(repo, tmp_path / "shallow", "--depth=2", "--no-single-branch")
    with revisions.opened(shallow, "origin/main..origin/feature") as trees:
        assert trees.is_merged
        assert not trees.notes


def test_the_merge_commit_of_a_pull_request_needs_two_commits_alone(repo: Repo, tmp_path: Path) -> None:
    branched(repo)
    repo.git("merge", "-q", "-m", "merge", "feature")
    shallow = clone(repo, tmp_path / "shallow", "--depth=2")
    with revisions.opened(shallow, "HEAD^1..HEAD") as trees:
        assert paths(shallow, trees.after) - paths(shallow, trees.before) == {"feature.txt"}
        assert not trees.notes


def test_two_tips_of_a_shallow_clone_are_compared_although_where_they_parted_is_cut_off(
    repo: Repo, tmp_path: Path
) -> None:
    branched(repo)
    shallow = clone(repo, tmp_path / "shallow", "--depth=1", "--no-single-branch")
    for asked in ("origin/main..origin/feature", "origin/main...origin/feature"):
        with revisions.opened(shallow, asked) as trees:
            assert (trees.before, trees.after) == (commit_of(repo, "main"), commit_of(repo, "feature"))
            assert "beyond this shallow clone" in trees.notes[0]
            assert "fetch-depth: 0" in trees.notes[0]


def test_a_whole_id_that_is_missing_from_a_full_clone_is_to_be_fetched(repo: Repo) -> None:
    branched(repo)
    missing = "12" * 20
    with revisions.opened(repo.workspace, f"{missing}..main") as trees:
        assert trees.before == ""
        assert trees.notes == (f"{missing} is not here, so nothing is compared: `git fetch origin {missing}`",)


def test_a_common_folder_that_cannot_be_written_falls_back(repo: Repo) -> None:
    branched(repo)
    repo.write(".git/curator", "a file where a folder should be\n")
    with revisions.opened(repo.workspace, "main..feature") as trees:
        assert trees.before == repo.git("merge-base", "main", "feature").strip()
        assert "cannot be told" in trees.notes[0]


def test_a_linked_work_tree_borrows_the_objects_of_its_clone(repo: Repo, tmp_path: Path) -> None:
    branched(repo)
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "feature")
    linked = workspace.open_at(str(tmp_path / "linked"))
    with revisions.opened(linked, "main..feature") as trees:
        assert paths(trees.workspace, trees.after) == {"common.txt", "main.txt", "feature.txt"}
        assert not trees.notes
