"""Git, asked safely: real repositories, real hooks, hostile names and settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curator.edge import plumbing, store, workspace
from curator.errors import CuratorError
from tests.conftest import Repo

CURATOR = f"{sys.executable} -m curator"


def hook(repo: Repo, command: str) -> None:
    path = Path(repo.git("rev-parse", "--git-path", "hooks/pre-commit").strip())
    target = path if path.is_absolute() else repo.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    target.chmod(0o755)


def test_the_root_is_found_from_a_sub_folder_without_a_process(base: Repo) -> None:
    (base.root / "a/b").mkdir(parents=True)
    found = workspace.open_at(str(base.root / "a/b"))
    assert (found.root, found.git_dir) == (str(base.root), str(base.root / ".git"))


def test_a_linked_work_tree_has_its_own_git_folder_and_shares_the_common_one(base: Repo) -> None:
    base.git("worktree", "add", "-q", "../linked", "-b", "w")
    found = workspace.open_at(str(base.root.parent / "linked"))
    assert found.root == str(base.root.parent / "linked")
    assert found.git_dir == str(base.root / ".git/worktrees/linked")
    assert found.common_dir == str(base.root / ".git")


def test_ge_03_a_bare_repository_is_refused_in_one_line(base: Repo) -> None:
    base.git("init", "-q", "--bare", "bare.git")
    with pytest.raises(CuratorError, match="no work tree here"):
        workspace.open_at(str(base.root / "bare.git"))


def test_commit_a_is_read_from_the_index_git_prepared(base: Repo) -> None:
    hook(base, f"{CURATOR} list >&2")
    base.memory("a", "Changed with commit -a.")
    done = subprocess.run(["git", "commit", "-qam", "x"], cwd=base.root, capture_output=True, text=True, check=True)
    assert "Changed with commit -a." in done.stderr
    base.memory("a", "Committed by path.")
    done = subprocess.run(
        ["git", "commit", "-qm", "y", "memories"], cwd=base.root, capture_output=True, text=True, check=True
    )
    assert "Committed by path." in done.stderr


def test_a_hooks_private_index_does_not_disturb_the_cache(base: Repo) -> None:
    base.curator("list")
    cache = base.root / ".git/curator/index.db"
    before = cache.read_bytes()
    hook(base, f"{CURATOR} list >&2")
    base.memory("b", "More.")
    subprocess.run(["git", "commit", "-qam", "x", "--allow-empty"], cwd=base.root, capture_output=True, check=True)
    assert cache.read_bytes() == before


def test_pc_05_a_commit_in_a_linked_work_tree_touches_no_other_repository(base: Repo) -> None:
    base.git("worktree", "add", "-q", "../linked", "-b", "w")
    linked = Repo(base.root.parent / "linked")
    hook(base, f"exec {CURATOR} check --block-on none")
    count = len(base.git("ls-files").split())
    linked.memory("n", "From the linked tree.")
    linked.commit("n")
    assert base.git("config", "core.bare").strip() == "false"
    assert len(base.git("ls-files").split()) == count


def test_ge_17_reading_works_beside_a_foreign_index_lock_and_leaves_the_index_alone(base: Repo) -> None:
    base.curator("render")
    index = (base.root / ".git/index").read_bytes()
    (base.root / ".git/index.lock").touch()
    os.utime(base.root / "CLAUDE.md")
    for command in (["check"], ["recall", "pytest"], ["status"], ["render", "--check"]):
        assert base.curator(*command).exit_code == 0, command
    assert (base.root / ".git/index").read_bytes() == index


def test_staging_waits_for_a_lock_and_then_says_what_is_left_to_do(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plumbing, "LOCK_WAIT", 0.2)
    (base.root / ".git/index.lock").touch()
    result = base.curator("add", "Ship on Fridays.")
    assert result.exit_code == 2
    assert "written, but not staged" in result.stderr
    assert "git add" in result.stderr
    assert list(base.root.glob("memories/convention/ship-*.yaml"))


def test_t20_names_that_look_like_options_or_magic_stay_names(base: Repo) -> None:
    for name in ("--output=x", ":(glob)*", "-rf"):
        base.write(name, "x\n")
    base.commit()
    result = base.curator("add", "Odd names.", "--source", ":(glob)*", "--source=--output=x")
    assert result.exit_code == 0, result.stderr
    assert not (base.root / "x").exists()
    with pytest.raises(CuratorError, match="does not exist here"):
        plumbing.tree_id(base.workspace, "--output=x")


def test_t21_settings_of_a_nested_bare_repository_run_nothing(base: Repo) -> None:
    canary = base.root / "canary"
    nested = base.root / "vendor"
    base.git("init", "-q", "--bare", "vendor")
    (nested / "config").write_text(
        f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch {canary}\n",
        encoding="utf-8",
    )
    base.git("config", "core.fsmonitor", f"touch {canary}")
    for command in (["status"], ["render"], ["check"]):
        base.curator(*command)
    assert not canary.exists()


def test_names_outside_ascii_and_utf8_are_read(base: Repo) -> None:
    base.write("memories/convention/règle-日本.yaml", "schema: 1\n")
    base.write(os.fsdecode(b"bad-\xff.py"), "x\n")
    base.add()
    result = base.curator("check")
    assert "memories/convention/règle-日本.yaml" in result.stderr
    assert result.exit_code == 1


def test_ge_11_a_sha256_repository_works_in_full(repo: Repo) -> None:
    import shutil

    shutil.rmtree(repo.root / ".git")
    repo.git("init", "-q", "-b", "main", "--object-format=sha256")
    repo.memory("a", "A.")
    repo.block()
    repo.commit()
    repo.curator("render")
    repo.memory("a", "CHANGED.")
    repo.add()
    assert repo.curator("render", "--check").exit_code == 1
    assert repo.curator("import", "CLAUDE.md").exit_code == 0


def test_a_linked_entry_file_is_named_and_never_followed(base: Repo) -> None:
    secret = base.write("../outside.yaml", "schema: 1\nid: x\ncategory: convention\ntext: stolen\n")
    (base.root / "memories/convention/x.yaml").symlink_to(secret)
    base.add()
    result = base.curator("check")
    assert "memories/convention/x.yaml: error: not a file whose bytes git can read" in result.stderr
    assert "stolen" not in base.curator("list").stdout


def test_git_is_asked_a_few_times_for_any_number_of_new_entries(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        base.memory(f"m{number}", f"Rule {number}.")
    base.add()
    asked: list[str] = []
    real = plumbing.git

    def counted(*arguments: object, **options: object) -> bytes:
        asked.append(str(arguments[1]))
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(plumbing, "git", counted)
    assert len(store.load(base.workspace).entries) == 51
    assert sorted(asked) == ["cat-file", "config", "ls-files", "ls-files"]


def test_without_git_on_path_the_message_says_so(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    result = base.curator("list")
    assert (result.exit_code, result.stderr) == (2, "curator: git is not on PATH\n  -> install git, then try again\n")


def test_the_index_is_a_cache(base: Repo) -> None:
    for damage in (None, b"", b"garbage", b"SQLite format 3\0" + b"x" * 4096):
        path = base.root / ".git/curator/index.db"
        if damage is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(damage)
        assert "Run pytest" in base.curator("recall", "pytest").stdout
        assert path.stat().st_size > 10_000


def test_a_hook_of_another_repository_does_not_lend_its_index(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.git("init", "-q", "../outer")
    monkeypatch.setenv("GIT_INDEX_FILE", str(base.root.parent / "outer/.git/index.lock"))
    assert "Run pytest" in base.curator("list").stdout
    assert base.curator("add", "Ship on Fridays.").exit_code == 0
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert "ship-" in base.git("diff", "--cached", "--name-only")
    assert not (base.root.parent / "outer/.git/index.lock").exists()


@pytest.mark.parametrize("level", ["--local", "--global"])
def test_the_users_own_trust_counts_at_once(base: Repo, monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    base.memory("new", "Staged, not committed.")
    base.add()
    assert "Staged, not" in base.curator("list").stdout
    base.git("config", level, "curator.trust", "HEAD")
    assert "Staged, not" not in base.curator("list").stdout
    base.git("config", level, "--unset", "curator.trust")
    assert "Staged, not" in base.curator("list").stdout


def test_own_trust_makes_broken_settings_of_the_branch_harmless(base: Repo) -> None:
    base.git("config", "curator.trust", "HEAD")
    base.write("memories/curator.yaml", "unknwon: 1\n")
    base.add()
    assert base.curator("list").exit_code == 0


def test_unmerged_settings_of_a_nested_store_stop_a_render(base: Repo) -> None:
    base.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: pay/CLAUDE.md\n    scope: pay\n")
    base.write("pay/memories/curator.yaml", "")
    base.write("pay/memories/gotcha/n.yaml", base.read(base.memory("n", "Pay rule.", "gotcha")))
    (base.root / "memories/gotcha/n.yaml").unlink()
    base.block("pay/CLAUDE.md")
    base.commit()
    assert base.curator("render").exit_code == 0
    assert "Pay rule." in base.read("pay/CLAUDE.md")
    base.commit()
    for branch in ("other", "main"):
        base.git("checkout", "-q", *(["-b", branch] if branch == "other" else [branch]))
        base.write("pay/memories/curator.yaml", f"namespace: {branch}\n")
        base.commit()
    with pytest.raises(subprocess.CalledProcessError):
        base.git("merge", "-q", "other")
    result = base.curator("render")
    assert result.exit_code == 2
    assert "pay/memories/curator.yaml: unmerged" in result.stderr
    assert "Pay rule." in base.read("pay/CLAUDE.md")
