"""The pre-commit framework itself, installed from the registry, with both hooks taken from this checkout."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.conftest import FIXED, Repo

ROOT = Path(__file__).parent.parent
SHIPPED = ("curator", "templates", "hooks", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
TAX = "def round_vat(lines):\n    return sum(round(line, 2) for line in lines)\n\n\ndef other():\n    return 1\n"
RULE = "VAT is rounded per line by `round_vat`."


@dataclass(frozen=True)
class Framework:
    """A repository that pre-commit can take the hooks from, at tag v0.0.1, and where it keeps what it installed."""

    source: Path
    home: Path

    def config(self, *hooks: str) -> str:
        lines = "".join(f"      - id: {name}\n" for name in hooks)
        return f"repos:\n  - repo: {self.source}\n    rev: v0.0.1\n    hooks:\n{lines}"


@pytest.fixture(scope="session")
def framework(tmp_path_factory: pytest.TempPathFactory) -> Framework:
    """Built once, also for tests that run side by side: installing takes a while."""
    shared = (
        tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else tmp_path_factory.mktemp("f")
    )
    made = Framework(shared / "hooks", shared / "pre-commit")
    with (shared / "hooks.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "hooks.ready").exists():
            _build(made, shared / "first")
            (shared / "hooks.ready").touch()
    return made


def _build(made: Framework, first: Path) -> None:
    made.source.mkdir()
    for name in SHIPPED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, made.source / name)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= FIXED | {"PRE_COMMIT_HOME": str(made.home)}

    def run(folder: Path, *command: str) -> None:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    run(made.source, "git", "init", "-q", "-b", "main")
    run(made.source, "git", "add", "-A")
    run(made.source, "git", "commit", "-qm", "curator")
    run(made.source, "git", "tag", "v0.0.1")
    first.mkdir()
    run(first, "git", "init", "-q")
    (first / ".pre-commit-config.yaml").write_text(made.config("curator-check"), encoding="utf-8")
    run(first, sys.executable, "-m", "pre_commit", "install-hooks")


class Hooked(Repo):
    """A repository whose commits go through the framework."""

    def tried(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Try to commit; all that pre-commit and the hooks say is on stderr."""
        command = ["git", "commit", "-qm", "change", *arguments]
        return subprocess.run(command, cwd=self.root, env=os.environ | environment, capture_output=True, text=True)

    def files(self) -> dict[str, bytes]:
        """The work tree, byte for byte."""
        found = (path for path in self.root.rglob("*") if path.is_file() and ".git" not in path.parts)
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    @property
    def id(self) -> str:
        (path,) = (self.root / "memories/gotcha").glob("*.yaml")
        return path.stem


def hooked(repo: Repo, framework: Framework, monkeypatch: pytest.MonkeyPatch, *hooks: str) -> Hooked:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(framework.home))
    made = Hooked(repo.root)
    made.write(".pre-commit-config.yaml", framework.config(*hooks))
    made.write("shop/tax.py", TAX)
    made.write("shop/other.py", "a = 1\nb = 2\nc = 3\n")
    made.commit("code")
    assert made.curator("init").exit_code == 0
    added = made.curator("add", RULE, "--source", "shop/tax.py", "--category", "gotcha")
    assert added.exit_code == 0, added.stderr
    made.commit("memory")
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=made.root, check=True, capture_output=True)
    return made


@pytest.fixture
def checked(repo: Repo, framework: Framework, monkeypatch: pytest.MonkeyPatch) -> Hooked:
    """With `curator-check`, a memory about shop/tax.py, and all committed."""
    return hooked(repo, framework, monkeypatch, "curator-check")


@pytest.fixture
def fixed(repo: Repo, framework: Framework, monkeypatch: pytest.MonkeyPatch) -> Hooked:
    """With both hooks."""
    return hooked(repo, framework, monkeypatch, "curator-render", "curator-check")


@pytest.fixture
def filed(repo: Repo, framework: Framework, monkeypatch: pytest.MonkeyPatch) -> Hooked:
    """With the hook that is passed file names."""
    return hooked(repo, framework, monkeypatch, "curator-check-files")


def broken(repo: Hooked) -> subprocess.CompletedProcess[str]:
    """Try to commit the removal of the function that the memory names."""
    repo.write("shop/tax.py", TAX.partition("\n\n\n")[2])
    repo.git("add", "shop")
    before = repo.files()
    done = repo.tried()
    assert repo.files() == before
    return done


def test_the_documented_snippet_names_the_shipped_hooks() -> None:
    document = (ROOT / "docs/pre-commit.md").read_text(encoding="utf-8")
    snippet = yaml.safe_load(document.partition("```yaml\n")[2].partition("```")[0])
    shipped = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = snippet["repos"]
    assert repository["hooks"] == [{"id": one["id"]} for one in shipped if one["pass_filenames"] is False]
    assert all(f"`{one['id']}`" in document for one in shipped)


def test_the_shipped_hooks_look_at_the_whole_commit_once() -> None:
    shipped = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [one["id"] for one in shipped] == ["curator-render", "curator-check", "curator-check-files"]
    for one in shipped[:2]:
        assert one["language"] == "python"
        assert one["pass_filenames"] is False
        assert one["always_run"] is True
        assert one["require_serial"] is True
        assert one["stages"] == ["pre-commit"]


def test_the_hook_of_single_files_takes_memory_files_and_no_others() -> None:
    shipped = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[2]
    assert shipped["pass_filenames"] is True
    assert shipped["require_serial"] is True, "one process holds all of them against one another"
    for path in ("memories/gotcha/a.yaml", "svc/memories/curator.yaml", "memories/a.yml"):
        assert re.search(shipped["files"], path)
    for path in ("docs/memories.yaml", "mymemories/a.yaml", "memories/memory.schema.json"):
        assert not re.search(shipped["files"], path)


def test_memory_files_are_checked_one_by_one_also_outside_a_commit(filed: Hooked) -> None:
    filed.memory("b", "Never mock the database.")
    filed.memory("c", "Log in UTC.")
    filed.git("add", "memories")
    done = filed.tried()
    assert done.returncode == 0, done.stderr
    assert "check memory files" in done.stderr
    filed.write("memories/convention/c.yaml", "schema: 1\nid: b\ncategory: convention\ntext: x\nbad: y\n")
    filed.git("add", "memories")
    before = filed.files()
    done = filed.tried()
    assert done.returncode == 1
    assert "memories/convention/c.yaml:5: error: unknown key 'bad'" in done.stderr
    assert filed.files() == before
    filed.git("commit", "-qnm", "let it through")
    command = [sys.executable, "-m", "pre_commit", "run", "curator-check-files", "--all-files"]
    every = subprocess.run(command, cwd=filed.root, capture_output=True, text=True)
    assert every.returncode == 1
    assert "memories/convention/c.yaml:5: error: unknown key 'bad'" in every.stdout
    filed.git("rm", "-q", "memories/convention/c.yaml")
    done = filed.tried()
    assert done.returncode == 0, done.stderr


def test_what_is_not_staged_is_not_held_against_a_commit_of_files(filed: Hooked) -> None:
    filed.memory("b", "Never mock the database.")
    filed.git("add", "memories")
    path = "memories/convention/b.yaml"
    filed.write(path, filed.read(path) + "bad: y\n")
    before = filed.files()
    done = filed.tried()
    assert done.returncode == 0, done.stderr
    assert filed.files() == before


def test_a_clean_commit_passes_also_with_code_alone(checked: Hooked) -> None:
    checked.write("shop/other.py", "a = 2\n")
    checked.git("add", "shop")
    done = checked.tried()
    assert done.returncode == 0, done.stderr
    assert "check memories against this commit" in done.stderr
    checked.write("shop/tax.py", TAX.replace("sum(round", "sum(  round"))
    checked.git("add", "shop")
    assert checked.tried().returncode == 0


def test_a_commit_that_removes_a_cited_function_is_stopped_and_a_newcomer_sees_why(checked: Hooked) -> None:
    done = broken(checked)
    assert done.returncode == 1
    assert checked.git("log", "--format=%s").splitlines() == ["memory", "code"]
    told = done.stderr
    assert f"memories/gotcha/{checked.id}.yaml: error: stale: `round_vat` is gone from shop/tax.py" in told
    assert RULE in told
    assert "def round_vat(lines):" in told
    tail = checked.id.rpartition("-")[2]
    for way in ("confirm", "edit", "retire"):
        assert f"`curator {way} " in told
        assert tail in told


def test_deleting_the_cited_file_is_stopped_too(checked: Hooked) -> None:
    checked.git("rm", "-q", "shop/tax.py")
    done = checked.tried()
    assert done.returncode == 1
    assert "shop/tax.py" in done.stderr


def test_retiring_the_memory_lets_the_commit_through(checked: Hooked) -> None:
    assert broken(checked).returncode == 1
    assert checked.curator("retire", checked.id, "--reason", "rounding moved to the bank").exit_code == 0
    done = checked.tried()
    assert done.returncode == 0, done.stderr
    assert checked.git("status", "--porcelain") == ""


def test_confirming_the_memory_lets_the_commit_through(checked: Hooked) -> None:
    assert broken(checked).returncode == 1
    confirmed = checked.curator("confirm", checked.id, "--yes")
    assert confirmed.exit_code == 0, confirmed.stderr
    done = checked.tried()
    assert done.returncode == 0, done.stderr
    assert checked.git("status", "--porcelain") == ""


def test_what_one_commit_broke_does_not_block_the_next(checked: Hooked) -> None:
    broken(checked)
    assert checked.tried(SKIP="curator-check").returncode == 0
    checked.write("shop/other.py", "a = 2\n")
    checked.git("add", "shop")
    done = checked.tried()
    assert done.returncode == 0, done.stderr
    checked.write("shop/tax.py", "def other():\n    return 2\n")
    checked.git("add", "shop")
    done = checked.tried()
    assert done.returncode == 0, done.stderr


def test_a_memory_of_the_same_commit_that_is_reworded_does_not_block(checked: Hooked) -> None:
    assert broken(checked).returncode == 1
    path = f"memories/gotcha/{checked.id}.yaml"
    checked.write(path, checked.read(path).replace(RULE, "VAT is rounded by the bank."))
    checked.git("add", path)
    assert checked.curator("render").exit_code == 0
    checked.git("add", "CLAUDE.md")
    done = checked.tried()
    assert done.returncode == 0, done.stderr


def test_git_mv_of_a_cited_file_never_blocks(checked: Hooked) -> None:
    checked.write("lib/.keep", "")
    checked.git("mv", "shop/tax.py", "lib/vat.py")
    checked.write("lib/vat.py", TAX + "\n\ndef third():\n    return 3\n")
    checked.git("add", "lib")
    done = checked.tried()
    assert done.returncode == 0, done.stderr


def test_a_memory_whose_block_was_not_rendered_blocks_and_a_render_helps(checked: Hooked) -> None:
    checked.memory("b", "Never mock the database.")
    checked.git("add", "memories")
    before = checked.files()
    done = checked.tried()
    assert done.returncode == 1
    assert checked.files() == before
    assert "CLAUDE.md" in done.stderr
    assert "`curator render`, then `git add CLAUDE.md`" in done.stderr
    assert checked.curator("render").exit_code == 0
    checked.git("add", "CLAUDE.md")
    done = checked.tried()
    assert done.returncode == 0, done.stderr


def test_an_invalid_memory_blocks(checked: Hooked) -> None:
    checked.write("memories/convention/c.yaml", "schema: 1\nid: c\ncategory: convention\ntext: x\nbad: y\n")
    checked.git("add", "memories")
    done = checked.tried()
    assert done.returncode == 1
    assert "memories/convention/c.yaml:5: error: " in done.stderr


@pytest.mark.parametrize("how", [("-a",), ("shop/tax.py",)])
def test_commit_all_and_commit_path_are_judged_by_what_they_would_commit(checked: Hooked, how: tuple[str, ...]) -> None:
    checked.write("shop/tax.py", TAX.partition("\n\n\n")[2])
    before = checked.files()
    assert checked.tried(*how).returncode == 1
    assert checked.files() == before
    assert checked.git("diff", "--cached", "--name-only") == ""
    checked.write("shop/tax.py", TAX)
    checked.write("shop/other.py", "a = 2\n")
    assert checked.tried("-a").returncode == 0


def test_partly_staged_files_stay_as_they_are(checked: Hooked) -> None:
    checked.write("shop/other.py", "a = 9\nb = 2\nc = 3\n")
    checked.git("add", "shop")
    checked.write("shop/other.py", "a = 9\nb = 2\nc = 9\n")
    checked.write("CLAUDE.md", checked.read("CLAUDE.md") + "unsaved thought\n")
    checked.write("memories/convention/loose.yaml", "not staged")
    checked.write("shop/tax.py", "gone, but not staged\n")
    before = checked.files()
    done = checked.tried()
    assert done.returncode == 0, done.stderr
    assert checked.files() == before
    assert checked.git("show", "HEAD:shop/other.py") == "a = 9\nb = 2\nc = 3\n"


def test_skip_and_a_hook_that_only_tells(checked: Hooked, framework: Framework) -> None:
    broken(checked)
    checked.write(
        ".pre-commit-config.yaml",
        framework.config("curator-check").rstrip("\n") + "\n        args: [--block-on, none]\n        verbose: true\n",
    )
    checked.git("add", ".pre-commit-config.yaml")
    done = checked.tried()
    assert done.returncode == 0, done.stderr
    assert "`round_vat` is gone from shop/tax.py" in done.stderr
    checked.write("shop/tax.py", TAX)
    checked.git("add", "shop")


def test_the_fixer_rewrites_the_block_fails_once_and_settles(fixed: Hooked) -> None:
    fixed.memory("b", "Never mock the database.")
    fixed.git("add", "memories")
    done = fixed.tried()
    assert done.returncode == 1
    assert "- Never mock the database." in fixed.read("CLAUDE.md")
    assert fixed.git("diff", "--name-only").split() == ["CLAUDE.md"], "it stages nothing"
    assert "git add CLAUDE.md" in done.stderr
    fixed.git("add", "CLAUDE.md")
    done = fixed.tried()
    assert done.returncode == 0, done.stderr
    assert fixed.git("status", "--porcelain") == ""


def test_the_fixer_settles_with_commit_all(fixed: Hooked) -> None:
    fixed.memory("b", "Never mock the database.")
    fixed.git("add", "-N", "memories")
    assert fixed.tried("-a").returncode == 1
    assert "- Never mock the database." in fixed.read("CLAUDE.md")
    done = fixed.tried("-a")
    assert done.returncode == 0, done.stderr
    assert fixed.git("status", "--porcelain") == ""


def test_the_fixer_is_quiet_on_a_branch_where_the_block_is_not_kept(fixed: Hooked) -> None:
    fixed.write("memories/curator.yaml", fixed.read("memories/curator.yaml").replace("block: here", "block: main"))
    fixed.add()
    assert fixed.tried().returncode == 0
    fixed.git("checkout", "-qb", "topic")
    fixed.memory("b", "Never mock the database.")
    fixed.git("add", "memories")
    done = fixed.tried()
    assert done.returncode == 0, done.stderr
    assert "Never mock" not in fixed.read("CLAUDE.md")


def test_the_fixer_keeps_unstaged_text_around_the_block(fixed: Hooked) -> None:
    fixed.write("CLAUDE.md", "Above, not staged.\n" + fixed.read("CLAUDE.md"))
    fixed.memory("b", "Never mock the database.")
    fixed.git("add", "memories")
    before = fixed.files()
    assert fixed.tried().returncode == 1
    after = fixed.files()
    # pre-commit takes unstaged changes away meanwhile and, where its own change meets theirs, rolls the hook's back.
    assert after["CLAUDE.md"].startswith(b"Above, not staged.\n")
    assert {name for name in after if after[name] != before[name]} <= {"CLAUDE.md"}
    assert fixed.curator("render").exit_code == 0
    fixed.git("add", "CLAUDE.md")
    done = fixed.tried()
    assert done.returncode == 0, done.stderr


def test_the_fixer_by_itself_fails_once_and_settles_in_any_hook(base: Repo) -> None:
    base.curator("init")
    base.curator("render")
    base.commit("init")
    base.memory("b", "Never mock the database.")
    base.git("add", "memories")
    base.write("CLAUDE.md", "Above, not staged.\n" + base.read("CLAUDE.md"))
    first = base.curator("render", "--fix")
    assert first.exit_code == 1
    assert "git add CLAUDE.md" in first.stderr
    assert base.read("CLAUDE.md").startswith("Above, not staged.\n")
    assert "- Never mock the database." in base.read("CLAUDE.md")
    assert "Never mock" not in base.git("show", ":CLAUDE.md")
    base.git("add", "CLAUDE.md")
    assert base.curator("render", "--fix").exit_code == 0


def test_the_fixer_in_a_plain_hook_judges_what_a_commit_of_one_path_would_hold(base: Repo) -> None:
    base.curator("init")
    base.curator("render")
    base.commit("init")
    hook = base.write(".git/hooks/pre-commit", f'#!/bin/sh\nexec "{sys.executable}" -m curator render --fix\n')
    hook.chmod(0o755)
    made = Hooked(base.root)
    made.memory("b", "Never mock the database.")
    made.memory("c", "Log in UTC.")
    made.add()
    path = "memories/convention/b.yaml"
    assert made.tried(path).returncode == 1
    assert "- Never mock" in made.read("CLAUDE.md")
    assert "Log in UTC" not in made.read("CLAUDE.md")
    done = made.tried(path, "CLAUDE.md")
    assert done.returncode == 0, done.stderr
    assert made.git("diff", "--cached", "--name-only").split() == ["memories/convention/c.yaml"]


def test_curators_own_hook_and_the_framework_run_each_other(checked: Hooked) -> None:
    before = {path.name: path.read_bytes() for path in (checked.root / ".git/hooks").iterdir()}
    told = checked.curator("init", "--git-hooks")
    assert "belongs to pre-commit, so no hook was written" in told.stderr
    assert checked.curator("init", "--git-hooks", "--chain").exit_code == 0
    assert broken(checked).returncode == 1
    done = checked.tried(SKIP="curator-check")
    assert done.returncode == 0, done.stderr
    assert checked.curator("init", "--no-git-hooks").exit_code == 0
    assert {path.name: path.read_bytes() for path in (checked.root / ".git/hooks").iterdir()} == before
