"""Which commits changed a path: `history.versions` on real repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from curator.edge import history, workspace
from tests.conftest import Repo


def subjects(repo: Repo, *paths: str, since: str = "", branches: bool = False) -> dict[str, list[str]]:
    found = history.versions(repo.workspace, paths, since, branches=branches)
    return {path: [version.subject for version in held] for path, held in found.items()}


def blob(repo: Repo, spec: str) -> str:
    return repo.git("rev-parse", spec).strip()


def test_versions_are_told_newest_first_with_their_blobs(repo: Repo) -> None:
    repo.write("a.txt", "1\n")
    repo.commit("add")
    repo.write("a.txt", "2\n")
    repo.commit("edit")
    repo.git("rm", "-q", "a.txt")
    repo.commit("remove")

    found = history.versions(repo.workspace, ["a.txt", "never.txt"])

    assert list(found) == ["a.txt"]
    assert [(one.subject, one.old, one.new) for one in found["a.txt"]] == [
        ("remove", blob(repo, "HEAD^:a.txt"), ""),
        ("edit", blob(repo, "HEAD~2:a.txt"), blob(repo, "HEAD^:a.txt")),
        ("add", "", blob(repo, "HEAD~2:a.txt")),
    ]
    first = found["a.txt"][0]
    assert (first.commit, first.date, first.author) == (blob(repo, "HEAD"), "2026-01-01", "Ada")


def test_only_what_came_after_a_commit_is_told(repo: Repo) -> None:
    for number in range(3):
        repo.write("a.txt", f"{number}\n")
        repo.commit(str(number))

    assert subjects(repo, "a.txt", since=blob(repo, "HEAD^")) == {"a.txt": ["2"]}
    assert subjects(repo, "a.txt", since=blob(repo, "HEAD")) == {}


def test_a_merge_stands_for_what_it_brought_unless_branches_are_asked_for(repo: Repo) -> None:
    repo.write("a.txt", "1\n")
    repo.commit("add")
    repo.git("checkout", "-qb", "side")
    repo.write("a.txt", "2\n")
    repo.commit("on side")
    repo.git("checkout", "-q", "main")
    repo.write("b.txt", "1\n")
    repo.commit("other")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")

    assert subjects(repo, "a.txt") == {"a.txt": ["merge", "add"]}
    assert subjects(repo, "a.txt", branches=True) == {"a.txt": ["on side", "add"]}


@pytest.mark.parametrize("path", [":(glob)*.txt", "[a].txt", "*.txt", "a b.txt", ":!a.txt", "-x.txt"])
def test_a_path_is_a_name_and_never_a_pattern(repo: Repo, path: str) -> None:
    repo.write("a.txt", "1\n")
    repo.commit("other")
    repo.write(path, "1\n")
    repo.commit("this")

    assert subjects(repo, path) == {path: ["this"]}


def test_variables_of_git_do_not_lead_to_another_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("a.txt", "1\n")
    repo.commit("here")
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    here = repo.workspace
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_ICASE_PATHSPECS", "1")

    assert [one.subject for one in history.versions(here, ["a.txt"])["a.txt"]] == ["here"]


def test_settings_of_the_user_change_nothing(repo: Repo) -> None:
    for name, value in {"log.follow": "true", "log.showSignature": "true", "diff.renames": "copies"}.items():
        repo.git("config", name, value)
    repo.write("a.txt", "same\n" * 5)
    repo.commit("add")
    repo.git("mv", "a.txt", "b.txt")
    repo.commit("move")

    assert subjects(repo, "b.txt") == {"b.txt": ["move"]}


def test_an_unborn_branch_has_no_versions(repo: Repo) -> None:
    assert history.versions(repo.workspace, ["a.txt"]) == {}


def test_a_shallow_clone_tells_what_it_has(repo: Repo, tmp_path: Path) -> None:
    for number in range(3):
        repo.write("a.txt", f"{number}\n")
        repo.commit(str(number))
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{repo.root}", str(clone)], check=True)

    found = history.versions(workspace.open_at(str(clone)), ["a.txt"])

    assert [one.subject for one in found["a.txt"]] == ["2", "1"]


def test_commits_share_the_newest_commit_they_come_from(repo: Repo) -> None:
    repo.write("a.txt", "1\n")
    repo.commit("base")
    base = blob(repo, "HEAD")
    repo.write("a.txt", "2\n")
    repo.commit("main")
    repo.git("checkout", "-qb", "side", base)
    repo.write("b.txt", "1\n")
    repo.commit("side")

    assert history.fork(repo.workspace, [blob(repo, "main"), blob(repo, "side")]) == base
    assert history.fork(repo.workspace, []) == ""
