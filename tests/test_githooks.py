"""`init --git-hooks`: a hook beside those that are there, taken out again without a trace."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Repo

EARLIER = "pre-commit.before-curator"
THEIRS = '#!/bin/sh\necho theirs "$@" >>"$LOG"\nexit ${THEIRS:-0}\n'


@pytest.fixture
def ready(base: Repo) -> Repo:
    """A repository that is set up, its block rendered, everything committed."""
    base.curator("init")
    base.add()
    base.curator("render")
    base.commit("init")
    return base


def commit(repo: Repo, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "commit", "-qm", "change", "--allow-empty", *arguments]
    return subprocess.run(command, cwd=repo.root, capture_output=True, text=True, env=os.environ | environment)


def hook_of(repo: Repo, text: str = THEIRS, mode: int = 0o755) -> Path:
    path = repo.write(".git/hooks/pre-commit", text)
    path.chmod(mode)
    return path


def stand_in(folder: Path, script: str) -> str:
    """A program `curator` that runs *script*; returns a PATH that finds it first."""
    folder.mkdir(exist_ok=True)
    program = folder / "curator"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return os.pathsep.join((str(folder), os.environ["PATH"]))


def without_program(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the hook so that it looks for curator on PATH alone."""
    from curator.edge import hooks

    monkeypatch.setattr(hooks, "program", lambda: "")
    assert repo.curator("init", "--git-hooks").exit_code == 0


def files(repo: Repo) -> dict[str, tuple[int, bytes]]:
    folder = repo.root / ".git/hooks"
    return {path.name: (path.lstat().st_mode, path.read_bytes()) for path in folder.iterdir()}


def test_init_alone_writes_no_hook(ready: Repo) -> None:
    before = files(ready)
    ready.curator("init")
    assert files(ready) == before


def test_the_hook_is_printed_and_runs_and_twice_changes_nothing(ready: Repo) -> None:
    told = ready.curator("init", "--git-hooks")
    assert told.exit_code == 0
    text = ready.read(".git/hooks/pre-commit")
    assert text in told.stdout
    assert "written  .git/hooks/pre-commit:" in told.stdout
    before = files(ready)
    assert "the hook is in place" in ready.curator("init", "--git-hooks").stdout
    assert files(ready) == before
    done = subprocess.run(["sh", "-n", ".git/hooks/pre-commit"], cwd=ready.root, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_dry_run_writes_no_hook(ready: Repo) -> None:
    before = files(ready)
    told = ready.curator("init", "--git-hooks", "--dry-run")
    assert "would write  .git/hooks/pre-commit:" in told.stdout
    assert files(ready) == before


def test_a_commit_runs_check_on_what_is_staged_and_its_answer_counts(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_program(ready, monkeypatch)
    log = tmp_path / "log"
    path = stand_in(tmp_path / "bin", f'echo "$@" >>"{log}"; exit "${{CODE:-0}}"')
    assert commit(ready, PATH=path).returncode == 0
    assert commit(ready, PATH=path, CODE="1").returncode == 1
    assert log.read_text() == "check --staged\n" * 2


def test_the_curator_that_installed_it_is_found_with_a_poor_path(ready: Repo, tmp_path: Path) -> None:
    ready.curator("init", "--git-hooks")
    listed = [line for line in ready.read(".git/hooks/pre-commit").split("\n") if line.startswith("for curator in ")]
    assert len(listed) == 1
    first = listed[0].split()[3].rstrip(";")
    assert Path(first).is_absolute()
    assert os.access(first, os.X_OK)


def test_a_missing_or_broken_curator_fails_no_commit(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_program(ready, monkeypatch)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("git", "sh", "dirname", "tr"):
        found = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
        (tools / name).symlink_to(found.stdout.strip())
    done = commit(ready, PATH=str(tools))
    assert done.returncode == 0
    assert done.stderr.startswith("curator: not found, so memories were not checked")
    assert done.stderr.count("\n") == 1
    path = stand_in(tmp_path / "bin", "")
    (tmp_path / "bin" / "curator").write_text("#!/nowhere/python\n", encoding="utf-8")
    assert commit(ready, PATH=path.split(os.pathsep)[0] + os.pathsep + str(tools)).returncode == 0


@pytest.mark.parametrize("skipped", ["curator", "curator-check", "ruff, curator-check", "ruff,curator,mypy"])
def test_skip_works_as_in_the_framework(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, skipped: str
) -> None:
    without_program(ready, monkeypatch)
    path = stand_in(tmp_path / "bin", "exit 1")
    assert commit(ready, PATH=path, SKIP="curator-checks,x-curator").returncode == 1
    assert commit(ready, PATH=path, SKIP=skipped).returncode == 0


def test_an_earlier_hook_runs_first_with_its_arguments_and_its_failure_counts(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hook_of(ready)
    without_program(ready, monkeypatch)
    log = tmp_path / "log"
    path = stand_in(tmp_path / "bin", f'echo curator "$@" >>"{log}"')
    done = subprocess.run(
        [".git/hooks/pre-commit", "one", "two words"], cwd=ready.root, env=os.environ | {"PATH": path, "LOG": str(log)}
    )
    assert done.returncode == 0
    assert log.read_text() == "theirs one two words\ncurator check --staged\n"
    assert commit(ready, PATH=path, LOG=str(log), THEIRS="3").returncode == 1
    assert log.read_text().endswith("theirs\n")
    assert commit(ready, PATH=path, LOG=str(log), THEIRS="3", SKIP="curator").returncode == 1


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o644])
def test_taking_it_out_brings_the_earlier_hook_back_byte_for_byte(ready: Repo, mode: int) -> None:
    hook_of(ready, "#!/bin/sh\r\n# caf\udce9, no final newline", mode)
    before = files(ready)
    told = ready.curator("init", "--git-hooks")
    assert f"kept as {EARLIER} and runs first" in told.stderr
    assert files(ready)[EARLIER] == before["pre-commit"]
    assert ready.curator("init", "--git-hooks").exit_code == 0
    told = ready.curator("init", "--no-git-hooks")
    assert "removed  .git/hooks/pre-commit; the hook from before is back" in told.stdout
    assert files(ready) == before
    assert "no hook of curator's" in ready.curator("init", "--no-git-hooks").stdout
    assert files(ready) == before


def test_an_earlier_hook_that_is_a_link_stays_a_link(ready: Repo, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.write_text("#!/bin/sh\nexit 7\n", encoding="utf-8")
    shared.chmod(0o755)
    hook = ready.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to(shared)
    ready.curator("init", "--git-hooks")
    assert (ready.root / ".git/hooks" / EARLIER).readlink() == shared
    assert not hook.is_symlink()
    assert shared.read_text(encoding="utf-8") == "#!/bin/sh\nexit 7\n"
    assert commit(ready).returncode == 1
    ready.curator("init", "--no-git-hooks")
    assert hook.readlink() == shared


def test_a_hook_that_was_changed_since_is_left_alone(ready: Repo) -> None:
    ready.curator("init", "--git-hooks")
    hook = ready.root / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text(encoding="utf-8").replace("exit 0\n", "exit 0\necho mine\n"), encoding="utf-8")
    before = files(ready)
    for option in ("--git-hooks", "--no-git-hooks"):
        told = ready.curator("init", option)
        assert told.exit_code == 2
        assert "curator's hook was changed since it was written, so it is left alone" in told.stderr
        assert "pre-commit: " in told.stderr
        assert files(ready) == before


def test_a_hook_that_replaced_curators_is_left_alone(ready: Repo) -> None:
    hook_of(ready)
    ready.curator("init", "--git-hooks")
    hook_of(ready, "#!/bin/sh\nexit 0\n")
    before = files(ready)
    for option, said in (("--no-git-hooks", "not curator's any more"), ("--git-hooks", "is there already")):
        told = ready.curator("init", option)
        assert told.exit_code == 2
        assert said in told.stderr
        assert files(ready) == before


def test_another_curator_brings_the_hook_up_to_date(ready: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.edge import hooks

    hook_of(ready)
    before = files(ready)
    monkeypatch.setattr(hooks, "program", lambda: "/opt/my tools/curator")
    ready.curator("init", "--git-hooks")
    assert "for curator in '/opt/my tools/curator' curator; do" in ready.read(".git/hooks/pre-commit")
    monkeypatch.setattr(hooks, "program", lambda: "")
    ready.curator("init", "--git-hooks")
    assert "for curator in curator; do" in ready.read(".git/hooks/pre-commit")
    assert files(ready)[EARLIER] == before["pre-commit"]
    ready.curator("init", "--no-git-hooks")
    assert files(ready) == before


def test_a_linked_work_tree_shares_the_hook(ready: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    linked = Repo(ready.root.parent / "linked")
    ready.git("worktree", "add", "-q", str(linked.root), "-b", "w")
    monkeypatch.chdir(linked.root)
    assert linked.curator("init", "--git-hooks").exit_code == 0
    assert (ready.root / ".git/hooks/pre-commit").exists()
    assert linked.curator("init", "--no-git-hooks").exit_code == 0
    assert not (ready.root / ".git/hooks/pre-commit").exists()


@pytest.mark.parametrize("tracked", [True, False])
def test_core_hooks_path_in_the_work_tree_is_respected_and_said(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tracked: bool
) -> None:
    ready.write(".githooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o755)
    if tracked:
        ready.commit("hooks")
    ready.git("config", "core.hooksPath", ".githooks")
    (ready.root / "deep").mkdir()
    monkeypatch.chdir(ready.root / "deep")
    told = ready.curator("init", "--git-hooks")
    assert told.exit_code == 0, told.stderr
    assert "core.hooksPath leads into the work tree" in told.stderr
    assert ("once it is committed" in told.stderr) == tracked
    assert "for curator in curator; do" in ready.read(".githooks/pre-commit"), "no path of this machine is committed"
    assert ready.read(f".githooks/{EARLIER}") == "#!/bin/sh\nexit 0\n"
    assert not (ready.root / ".git/hooks/pre-commit").exists()
    assert ready.curator("init", "--no-git-hooks").exit_code == 0
    assert ready.read(".githooks/pre-commit") == "#!/bin/sh\nexit 0\n"


def test_a_hooks_folder_of_all_repositories_is_not_touched(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shared = tmp_path / "all"
    shared.mkdir()
    settings = tmp_path / "gitconfig"
    settings.write_text(f"[core]\n\thooksPath = {shared}\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    told = ready.curator("init", "--git-hooks")
    assert told.exit_code == 2
    assert "core.hooksPath is set in the global git settings" in told.stderr
    assert list(shared.iterdir()) == []
    ready.git("config", "core.hooksPath", ".git/hooks")
    assert ready.curator("init", "--git-hooks").exit_code == 0
    assert (ready.root / ".git/hooks/pre-commit").exists()


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n", "      - id: curator-check"),
        ('#!/bin/sh\ncall_lefthook run "pre-commit" "$@"\n', "lefthook.yml"),
        ('#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n', ".husky/pre-commit"),
    ],
)
def test_a_hook_another_program_manages_is_left_to_it_unless_asked(ready: Repo, text: str, advice: str) -> None:
    hook_of(ready, text)
    before = files(ready)
    told = ready.curator("init", "--git-hooks")
    assert told.exit_code == 0
    assert advice in told.stderr
    assert files(ready) == before
    assert ready.curator("init", "--git-hooks", "--chain").exit_code == 0
    assert files(ready)[EARLIER] == before["pre-commit"]
    assert ready.curator("init", "--no-git-hooks").exit_code == 0
    assert files(ready) == before


@pytest.mark.parametrize(
    "options", [("--git-hooks", "--no-git-hooks"), ("--merge-driver", "--no-merge-driver"), ("--chain",)]
)
def test_options_that_contradict_are_refused(ready: Repo, options: tuple[str, ...]) -> None:
    before = files(ready)
    assert ready.curator("init", *options).exit_code == 2
    assert files(ready) == before


def test_taking_out_sets_nothing_up(repo: Repo) -> None:
    assert repo.curator("init", "--no-git-hooks", "--no-merge-driver").exit_code == 0
    assert sorted(path.name for path in repo.root.iterdir()) == [".git"]


def test_a_hooks_folder_that_cannot_be_written_is_named(ready: Repo) -> None:
    import shutil

    shutil.rmtree(ready.root / ".git/hooks", ignore_errors=True)
    ready.write(".git/hooks", "a file")
    told = ready.curator("init", "--git-hooks")
    assert told.exit_code == 2
    assert "hooks/pre-commit: cannot be" in told.stderr
