from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curator.core.intake import Blamed
from curator.edge import history, workspace
from curator.errors import CuratorError
from tests.conftest import Repo


def commit(repo: Repo, monkeypatch: pytest.MonkeyPatch, date: str, committed: str = "") -> str:
    monkeypatch.setenv("GIT_AUTHOR_DATE", date)
    monkeypatch.setenv("GIT_COMMITTER_DATE", committed or date)
    repo.commit()
    return repo.git("rev-parse", "HEAD").strip()


def known(lines: tuple[Blamed, ...]) -> list[tuple[int, str, str]]:
    return [(line.line, line.commit, line.time) for line in lines]


def test_each_line_has_its_commit_and_its_authors_time_in_utc(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("CLAUDE.md", "a\nb\n")
    first = commit(repo, monkeypatch, "2024-01-31T23:30:00-0200", "2024-05-05T00:00:00Z")
    repo.write("CLAUDE.md", "a\nnew\nb\n")
    second = commit(repo, monkeypatch, "2024-03-01T10:00:00Z")
    assert known(history.blame(repo.workspace, "CLAUDE.md")) == [
        (1, first, "2024-02-01T01:30:00Z"),
        (2, second, "2024-03-01T10:00:00Z"),
        (3, first, "2024-02-01T01:30:00Z"),
    ]


def test_lines_that_are_not_committed_say_so(repo: Repo) -> None:
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    repo.write("CLAUDE.md", "a\nstaged\n")
    repo.add()
    repo.write("CLAUDE.md", "a\nstaged\nwritten")
    lines = history.blame(repo.workspace, "CLAUDE.md")
    assert [line.unknown for line in lines] == ["", history.NOT_COMMITTED, history.NOT_COMMITTED]
    assert lines[1] == Blamed(2, unknown=history.NOT_COMMITTED)


def test_a_file_without_history_has_no_lines(repo: Repo) -> None:
    repo.write("CLAUDE.md", "a\n")
    assert history.blame(repo.workspace, "CLAUDE.md") == ()  # no commit at all
    repo.add()
    assert history.blame(repo.workspace, "CLAUDE.md") == ()
    repo.git("commit", "-qm", "x")
    repo.write("AGENTS.md", "a\n")
    assert history.blame(repo.workspace, "AGENTS.md") == ()  # not tracked
    repo.add()
    assert [line.unknown for line in history.blame(repo.workspace, "AGENTS.md")] == [history.NOT_COMMITTED]  # staged
    assert history.blame(repo.workspace, "gone.md") == ()


def test_an_empty_file_has_no_lines(repo: Repo) -> None:
    repo.write("CLAUDE.md", "")
    repo.commit()
    assert history.blame(repo.workspace, "CLAUDE.md") == ()


def test_the_first_commit_of_a_shallow_clone_is_no_truth(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.write("CLAUDE.md", "old\n")
    commit(repo, monkeypatch, "2024-01-01T00:00:00Z")
    repo.write("other", "x\n")
    commit(repo, monkeypatch, "2024-02-01T00:00:00Z")
    repo.write("CLAUDE.md", "old\nnew\n")
    newest = commit(repo, monkeypatch, "2024-03-01T00:00:00Z")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{repo.root}", str(clone)], check=True)
    old, new = history.blame(workspace.open_at(str(clone)), "CLAUDE.md")
    assert old == Blamed(1, unknown=history.CUT_OFF)
    assert (new.commit, new.time) == (newest, "2024-03-01T00:00:00Z")


def test_the_root_commit_of_a_whole_clone_is_known(repo: Repo) -> None:
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    assert history.blame(repo.workspace, "CLAUDE.md")[0].time == "2026-01-01T00:00:00Z"


def test_a_repository_with_long_object_names_works_too(tmp_path: Path) -> None:
    root = tmp_path / "long"
    root.mkdir()
    long = Repo(root)
    long.git("init", "-q", "-b", "main", "--object-format=sha256")
    long.write("CLAUDE.md", "a\n")
    long.commit()
    (line,) = history.blame(long.workspace, "CLAUDE.md")
    assert (line.commit, len(line.commit)) == (long.git("rev-parse", "HEAD").strip(), 64)


@pytest.mark.parametrize(
    "name",
    [
        "with blanks.md",
        ":x.md",
        "règle-日本.md",
        "-rf.md",
        "--output=x.md",
        "a*b[c].md",
        "folder/CLAUDE.md",
        'a"b\t.md',
    ],
)
def test_names_are_taken_as_they_are(repo: Repo, name: str) -> None:
    repo.write(name, "a\n")
    repo.write("x.md", "other\n")
    repo.commit()
    assert len(history.blame(repo.workspace, name)) == 1


def test_lines_keep_their_commit_through_a_new_name(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"Rule number {number} says something of its own.\n" for number in range(9))
    repo.write("CLAUDE.md", text)
    first = commit(repo, monkeypatch, "2024-01-01T00:00:00Z")
    repo.git("mv", "CLAUDE.md", "AGENTS.md")
    (repo.root / "CLAUDE.md").symlink_to("AGENTS.md")
    commit(repo, monkeypatch, "2024-02-01T00:00:00Z")
    assert {line.commit for line in history.blame(repo.workspace, "AGENTS.md")} == {first}


def test_a_link_is_followed_to_the_file_it_names(repo: Repo) -> None:
    repo.write("AGENTS.md", "a\nb\n")
    (repo.root / "CLAUDE.md").symlink_to("AGENTS.md")
    repo.commit()
    assert len(history.blame(repo.workspace, "CLAUDE.md")) == 2


def test_a_link_that_leaves_the_work_tree_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("a\nb\n")
    (repo.root / "CLAUDE.md").symlink_to("../outside.md")
    repo.commit()
    assert len(history.blame(repo.workspace, "CLAUDE.md")) == 1


def test_a_change_of_blanks_or_line_ends_is_no_new_line(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("CLAUDE.md", "- Use tabs everywhere.\n")
    first = commit(repo, monkeypatch, "2024-01-01T00:00:00Z")
    repo.write("CLAUDE.md", "  - Use tabs everywhere.\r\n")
    commit(repo, monkeypatch, "2024-02-01T00:00:00Z")
    assert history.blame(repo.workspace, "CLAUDE.md")[0].commit == first


def test_a_checkout_with_crlf_is_no_change(repo: Repo) -> None:
    repo.write("CLAUDE.md", "a\nb\n")
    repo.commit()
    repo.git("config", "core.autocrlf", "true")
    (repo.root / "CLAUDE.md").unlink()
    repo.git("checkout", "-q", "--", "CLAUDE.md")
    assert "\r" in repo.read("CLAUDE.md")
    assert [line.unknown for line in history.blame(repo.workspace, "CLAUDE.md")] == ["", ""]


def test_lines_are_counted_by_line_feeds_only(repo: Repo) -> None:
    repo.write("CLAUDE.md", "a\u2028b\x0cc\rd\n\te\nf")
    repo.commit()
    assert [line.line for line in history.blame(repo.workspace, "CLAUDE.md")] == [1, 2, 3]


def test_a_linked_work_tree_has_the_same_history(repo: Repo, tmp_path: Path) -> None:
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    linked = workspace.open_at(str(tmp_path / "linked"))
    assert known(history.blame(linked, "CLAUDE.md")) == known(history.blame(repo.workspace, "CLAUDE.md"))


def test_another_repository_in_the_environment_is_not_asked(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert len(history.blame(repo.workspace, "CLAUDE.md")) == 1
    assert os.environ["GIT_DIR"] == str(other / ".git")


def test_a_list_of_commits_to_ignore_that_is_missing_does_no_harm(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "settings").write_text("[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    assert len(history.blame(repo.workspace, "CLAUDE.md")) == 1


def test_commits_that_the_repository_ignores_are_no_change(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("CLAUDE.md", "Use tabs everywhere.\n")
    first = commit(repo, monkeypatch, "2024-01-01T00:00:00Z")
    repo.write("CLAUDE.md", "Use tabs, everywhere.\n")
    second = commit(repo, monkeypatch, "2024-02-01T00:00:00Z")
    repo.write(".git-blame-ignore-revs", f"{second}\n")
    repo.git("config", "blame.ignoreRevsFile", ".git-blame-ignore-revs")
    assert history.blame(repo.workspace, "CLAUDE.md")[0].commit == first


def test_no_program_that_settings_name_is_run(repo: Repo) -> None:
    canary = repo.root.parent / "canary"
    script = repo.write("run.sh", f"#!/bin/sh\ntouch '{canary}'\ncat \"$@\"\n")
    script.chmod(0o755)
    repo.write(".gitattributes", "*.md diff=own\n")
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    for name in (
        "diff.own.textconv",
        "diff.own.command",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
        "pager.blame",
    ):
        repo.git("config", name, str(script))
    assert len(history.blame(repo.workspace, "CLAUDE.md")) == 1
    assert not canary.exists()


def test_a_date_that_no_calendar_has_is_left_out(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("CLAUDE.md", "a\n")
    repo.add()
    tree = repo.git("write-tree").strip()
    raw = f"tree {tree}\nauthor A <a> 99999999999999 +0000\ncommitter A <a> 1700000000 +0000\n\nx\n"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        cwd=repo.root,
        input=raw.encode(),
        capture_output=True,
        check=True,
    )
    repo.git("reset", "-q", "--hard", made.stdout.decode().strip())
    (line,) = history.blame(repo.workspace, "CLAUDE.md")
    assert line in (Blamed(1, unknown=history.NO_DATE), Blamed(1, line.commit, line.time))
    assert line.time == "" or line.time[:2] in ("19", "20", "21")


def test_what_stops_git_is_told(repo: Repo) -> None:
    repo.write("CLAUDE.md", "a\n")
    repo.commit()
    blob = repo.git("rev-parse", "HEAD:CLAUDE.md").strip()
    lost = repo.root / ".git" / "objects" / blob[:2] / blob[2:]
    lost.chmod(0o600)
    lost.unlink()
    repo.write("CLAUDE.md", "b\n")
    with pytest.raises(CuratorError) as caught:
        history.blame(repo.workspace, "CLAUDE.md")
    assert caught.value.where == "CLAUDE.md"
    assert caught.value.message.startswith("git blame: ")


def test_gitpython_is_loaded_only_to_ask() -> None:
    code = "import sys; import curator.edge.history; assert 'git' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
