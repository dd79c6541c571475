"""The workflows of `init`: what renders after a merge, run against a bare remote; what fetches curator for a review."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Repo

PATH = ".github/workflows/curator-render.yml"
REVIEW = ".github/workflows/curator-review.yml"
PINNED = re.compile(r"^\s*(?:- )?uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")


@pytest.fixture
def team(repo: Repo, tmp_path: Path) -> Repo:
    """A repository with `block: main` and the workflow, pushed to a bare remote."""
    assert repo.curator("init", "--team", "--workflow").exit_code == 0
    repo.memory("a", "Run pytest with -q.")
    repo.commit("start")
    repo.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    repo.git("push", "-q", "origin", "main")
    return repo


def parsed(repo: Repo) -> dict[Any, Any]:
    value = yaml.safe_load(repo.read(PATH))
    assert isinstance(value, dict)
    return value


def steps(repo: Repo) -> list[dict[str, Any]]:
    found = parsed(repo)["jobs"]["render"]["steps"]
    assert isinstance(found, list)
    return found


def run(repo: Repo, folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    """The rendering step as a runner has it: bash -e in a fresh clone, expressions replaced by their values."""
    (step,) = [one for one in steps(repo) if "push" in one.get("run", "")]
    values = {"${{ github.ref_name }}": "main"}
    given = {name: values[value] for name, value in step["env"].items()}
    script = folder.parent / f"{folder.name}.sh"
    script.write_text(before + step["run"], encoding="utf-8")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    return subprocess.run(command, cwd=folder, env=environment | given | {"PATH": path}, capture_output=True, text=True)


def checked_out(repo: Repo, tmp_path: Path, name: str = "runner") -> Repo:
    made = Repo(tmp_path / name)
    repo.git("clone", "-q", "--depth", "1", (tmp_path / "remote.git").as_uri(), str(made.root))
    return made


def tip(repo: Repo) -> list[str]:
    repo.git("fetch", "-q", "origin")
    return repo.git("log", "--format=%an: %s", "origin/main").splitlines()


def test_it_may_write_contents_and_nothing_else_and_runs_on_the_default_branch_only(team: Repo) -> None:
    flow = parsed(team)
    assert flow[True] == {  # YAML 1.1 reads `on` as true
        "push": {"branches": ["main"], "paths": ["memories/**", "**/memories/**", "CLAUDE.md"]}
    }
    assert flow["permissions"] == {"contents": "write"}
    assert flow["concurrency"] == {"group": "curator-render", "cancel-in-progress": False}
    assert list(flow["jobs"]) == ["render"]
    assert "permissions" not in flow["jobs"]["render"]
    assert "secrets." not in team.read(PATH)


def test_actions_are_pinned_by_commit_and_say_their_version(team: Repo) -> None:
    lines = [line for line in team.read(PATH).split("\n") if "uses:" in line]
    assert len(lines) == 2
    assert all(PINNED.match(line) for line in lines), lines


def test_no_script_holds_an_expression(team: Repo) -> None:
    """A branch may be named anything: it reaches a script as a variable, never as text."""
    scripts = [step["run"] for step in steps(team) if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


def test_the_block_is_rendered_and_pushed_alone(team: Repo, tmp_path: Path) -> None:
    runner = checked_out(team, tmp_path)
    done = run(team, runner.root)
    assert done.returncode == 0, done.stderr
    assert tip(team) == ["github-actions[bot]: Render the memory block", "Ada: start"]
    assert team.git("diff", "--name-only", "origin/main~1", "origin/main").split() == ["CLAUDE.md"]
    assert "- Run pytest with -q." in team.git("show", "origin/main:CLAUDE.md")


def test_a_block_that_is_right_makes_no_commit(team: Repo, tmp_path: Path) -> None:
    assert run(team, checked_out(team, tmp_path).root).returncode == 0
    before = tip(team)
    done = run(team, checked_out(team, tmp_path, "again").root)
    assert done.returncode == 0
    assert "up to date" in done.stdout
    assert tip(team) == before


def test_a_push_in_between_is_rendered_too(team: Repo, tmp_path: Path) -> None:
    runner = checked_out(team, tmp_path)
    team.memory("b", "Never mock the database.")
    team.commit("b")
    team.git("push", "-q", "origin", "main")
    done = run(team, runner.root)
    assert done.returncode == 0, done.stderr
    assert "Somebody pushed meanwhile (attempt 1)" in done.stdout
    assert tip(team) == ["github-actions[bot]: Render the memory block", "Ada: b", "Ada: start"]
    assert "- Never mock the database." in team.git("show", "origin/main:CLAUDE.md")


def test_a_refused_push_fails_the_run(team: Repo, tmp_path: Path) -> None:
    hook = tmp_path / "remote.git/hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho protected >&2\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    done = run(team, checked_out(team, tmp_path).root)
    assert done.returncode == 1
    assert "protected" in done.stderr
    assert tip(team) == ["Ada: start"]


def test_a_render_that_refuses_fails_the_run(team: Repo, tmp_path: Path) -> None:
    text = team.read("CLAUDE.md")
    team.write("CLAUDE.md", "<<<<<<< HEAD\n" + text + "=======\n>>>>>>> x\n")
    team.commit("conflict")
    team.git("push", "-q", "origin", "main")
    done = run(team, checked_out(team, tmp_path).root)
    assert done.returncode != 0
    assert "a merge conflict on lines" in done.stderr
    assert tip(team) == ["Ada: conflict", "Ada: start"]


def test_without_a_known_address_the_install_step_names_the_variable_to_set(team: Repo) -> None:
    (step,) = [one for one in steps(team) if "pip install" in one.get("run", "")]
    assert step["env"] == {"CURATOR": "${{ vars.CURATOR }}"}
    done = subprocess.run(["bash", "-e", "-c", step["run"]], env=os.environ | {"CURATOR": ""}, capture_output=True)
    assert done.returncode != 0
    assert b"set the repository variable CURATOR" in done.stderr


def test_an_address_the_installer_noted_is_filled_in(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.edge import hooks

    monkeypatch.setattr(hooks, "origin", lambda: 'git+ssh://git@example.org/it\'s "a" curator@' + "0" * 40)
    repo.write("memories/curator.yaml", "block: main\ntargets:\n  - path: CLAUDE.md\n  - path: 'a b/AGENTS.md'\n")
    repo.block("a b/AGENTS.md")
    repo.block()
    repo.add()
    assert repo.curator("init", "--workflow").exit_code == 0
    (step,) = [one for one in steps(repo) if "pip install" in one.get("run", "")]
    assert step["env"]["CURATOR"] == 'git+ssh://git@example.org/it\'s "a" curator@' + "0" * 40
    assert parsed(repo)[True]["push"]["paths"][2:] == ["CLAUDE.md", "a b/AGENTS.md"]
    (step,) = [one for one in yaml.safe_load(repo.read(REVIEW))["jobs"]["review"]["steps"] if "run" in one]
    assert step["env"]["CURATOR"] == 'git+ssh://git@example.org/it\'s "a" curator@' + "0" * 40


@pytest.mark.parametrize(
    ("noted", "said"),
    [
        (
            '{"url": "ssh://git@example.org/c", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}}',
            "git+ssh://git@example.org/c@0a1b",
        ),
        ('{"url": "file:///home/ada/curator", "dir_info": {"editable": true}}', ""),
        (None, ""),
        ("no json", ""),
    ],
)
def test_only_an_address_that_another_machine_can_reach_is_filled_in(
    monkeypatch: pytest.MonkeyPatch, noted: str | None, said: str
) -> None:
    from importlib import metadata

    from curator.edge import hooks

    class Installed:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return noted

    monkeypatch.setattr(metadata, "distribution", lambda name: Installed())
    assert hooks.origin() == said


def test_init_prints_both_and_keeps_one_that_is_there(repo: Repo) -> None:
    told = repo.curator("init", "--team", "--workflow")
    for path in (PATH, REVIEW):
        assert f"created  {path}" in told.stdout
        assert repo.read(path) in told.stdout
    assert told.stderr == ""
    variable, forks, commit, add = told.stdout.splitlines()[-4:]
    assert variable.startswith("Next: set the repository variable CURATOR")
    assert forks == f"a pull request from a fork gets no variables: where you take those, write it into {REVIEW}"
    assert commit.startswith("Next: `git commit` and push; what else protects the memories is in docs/review.md of ")
    assert add == 'Next: `curator add "..."`, then `git commit`'
    assert repo.git("diff", "--cached", "--name-only", "--", ".github").split() == [PATH, REVIEW]
    before = repo.read(PATH)
    again = repo.curator("init", "--team", "--workflow")
    assert (again.stdout, again.stderr) == ("the workflows are in place\n", "")
    assert repo.read(PATH) == before
    repo.write(PATH, "name: mine\n")
    (repo.root / REVIEW).unlink()
    told = repo.curator("init", "--workflow")
    assert f"{PATH} exists and stays" in told.stderr
    assert f"created  {REVIEW}" in told.stdout
    assert repo.read(PATH) == "name: mine\n"


def test_a_dry_run_shows_both_and_writes_neither(repo: Repo) -> None:
    told = repo.curator("init", "--workflow", "--dry-run").stdout
    assert f"+++ b/{PATH}" in told
    assert f"+++ b/{REVIEW}" in told
    assert "+permissions:" in told
    assert not (repo.root / ".github").exists()


def test_block_here_gets_them_too_and_is_told_what_for(repo: Repo) -> None:
    told = repo.curator("init", "--workflow")
    assert "curator-render.yml only mends what a merge left, curator-review.yml works the same" in told.stderr
    assert yaml.safe_load(repo.read(REVIEW))["name"] == "curator-review"


def fetched(repo: Repo, folder: Path, address: str) -> subprocess.CompletedProcess[str]:
    """The step of the review that fetches curator, in an empty workspace."""
    (step,) = [one for one in yaml.safe_load(repo.read(REVIEW))["jobs"]["review"]["steps"] if "run" in one]
    assert step["env"] == {"CURATOR": "${{ vars.CURATOR }}"}
    folder.mkdir()
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    environment = os.environ | {"CURATOR": address}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_a_review_fetches_curator_at_its_commit(team: Repo, tmp_path: Path) -> None:
    commit = team.git("rev-parse", "HEAD").strip()
    team.write("later.txt", "not yet at that commit\n")
    team.commit("later")
    team.git("config", "uploadpack.allowAnySHA1InWant", "true")
    done = fetched(team, tmp_path / "workspace", f"git+{team.root.as_uri()}@{commit}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "workspace/curator/CLAUDE.md").exists()
    assert not (tmp_path / "workspace/curator/later.txt").exists()


@pytest.mark.parametrize(
    "address", ["", "git+file:///x", "git+file:///x@main", "curator==1.0", "git+--upload-pack=touch pwned@" + "0" * 40]
)
def test_a_review_takes_curator_from_a_whole_commit_alone(team: Repo, tmp_path: Path, address: str) -> None:
    done = fetched(team, tmp_path / "workspace", address)
    assert done.returncode != 0
    assert ("CURATOR is to be git+URL@COMMIT" in done.stdout) is not address.startswith("git+--")
    assert not list(tmp_path.rglob("pwned"))


def test_plain_init_writes_no_workflow(repo: Repo) -> None:
    repo.curator("init", "--team")
    assert not (repo.root / ".github").exists()
