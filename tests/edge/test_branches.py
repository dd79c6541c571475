"""Branches made beside the work tree: where they begin, what is in them, and that nothing else moves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.edge import branches, plumbing
from curator.edge.branches import Commit
from curator.errors import CuratorError
from curator.outcome import Edit
from tests.conftest import Repo


def build(repo: Repo, *commits: Commit) -> str:
    start = branches.base(repo.workspace)
    return branches.build(repo.workspace, start, plumbing.tree(repo.workspace, start.commit), commits)


def refs(repo: Repo) -> list[str]:
    return repo.git("for-each-ref", "--format=%(refname)").split()


def test_commits_stand_one_on_the_other_and_no_ref_names_them(base: Repo) -> None:
    before = refs(base)
    tip = build(base, Commit("one\n", (Edit("x.txt", None, "1\n"),)), Commit("two\n", (Edit("x.txt", "1\n", "2\n"),)))
    assert base.git("log", "--format=%s", tip).split() == ["two", "one", "base"]
    assert base.git("show", f"{tip}:x.txt") == "2\n"
    assert base.git("show", f"{tip}~:x.txt") == "1\n"
    assert base.git("diff", "--name-only", "main", tip).split() == ["x.txt"]
    assert refs(base) == before
    assert not (base.root / "x.txt").exists()


HOSTILE = (
    "a\ncommit refs/heads/main\nmark :9\n",
    "deleteall\n",
    "data 3\nabc\n\nreset refs/heads/main\nfrom 0000000000000000000000000000000000000000\n\n",
    "done\n",
    "\nM 100755 inline evil\ndata 1\nx\n",
    "EOF\n\u202e\x1b]52;c;eA==\x07\n",
    "nul\0in it\n",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_message_and_no_content_is_read_as_a_command(base: Repo, text: str) -> None:
    """T20: each stands behind its exact number of bytes."""
    head = base.git("rev-parse", "main")
    if "\0" in text:  # git keeps no such message, and none is ever made: only content
        tip = build(base, Commit("plain\n", (Edit("x.txt", None, text),)))
    else:
        tip = build(base, Commit(text, (Edit("x.txt", None, text),)))
        assert base.git("cat-file", "commit", tip).partition("\n\n")[2] == text
    assert base.git("cat-file", "blob", f"{tip}:x.txt") == text
    assert base.git("ls-tree", "-r", "--name-only", tip).split() == ["CLAUDE.md", "memories/convention/a.yaml", "x.txt"]
    assert base.git("rev-parse", "main") == head
    assert refs(base) == ["refs/heads/main"]


@pytest.mark.parametrize(
    "path", ["a b.txt", 'q"uote.txt', "tab\there.txt", "umlaut-\u00fc.txt", "new\nline.txt", "back\\slash"]
)
def test_paths_are_taken_byte_by_byte(base: Repo, path: str) -> None:
    tip = build(base, Commit("x\n", (Edit(path, None, "1\n"),)))
    assert path in base.git("ls-tree", "-r", "-z", "--name-only", tip).split("\0")


def test_bytes_that_are_no_utf8_stay_what_they_are(base: Repo) -> None:
    tip = build(base, Commit("x\n", (Edit("x.txt", None, b"\xff\r\n".decode("utf-8", "surrogateescape")),)))
    done = subprocess.run(["git", "cat-file", "blob", f"{tip}:x.txt"], cwd=base.root, capture_output=True, check=True)
    assert done.stdout == b"\xff\r\n"


def test_the_mode_of_a_file_stays(base: Repo) -> None:
    base.write("run", "1\n").chmod(0o755)
    base.commit()
    tip = build(base, Commit("x\n", (Edit("run", "1\n", "2\n"),)))
    assert base.git("ls-tree", tip, "run").startswith("100755 ")


def test_author_and_committer_are_the_users(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    tip = build(base, Commit("x\n", ()))
    assert base.git("log", "-1", "--format=%an <%ae> %at %cn", tip) == "Ada <ada@example.org> 1767225600 Ada\n"
    for name in list(os.environ):
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")):
            monkeypatch.delenv(name)
    base.git("config", "user.name", "Grace <x>\t")
    base.git("config", "user.email", "grace@example.org")
    tip = build(base, Commit("x\n", ()))
    assert base.git("log", "-1", "--format=%an|%ae|%cn", tip) == "Grace x|grace@example.org|Grace x\n"


def test_without_an_identity_the_commands_that_set_it_are_named(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER", "EMAIL")):
            monkeypatch.delenv(name)
    base.git("config", "user.useConfigOnly", "true")
    with pytest.raises(CuratorError, match="git does not know who you are") as error:
        build(base, Commit("x\n", ()))
    assert "git config --global user.name" in error.value.hint
    assert "git config --global user.email" in error.value.hint


# --- Where it begins ----------------------------------------------------------------------------------------------


def origin(repo: Repo, name: str = "origin", branch: str = "main") -> Path:
    place = repo.root.parent / f"{name}.git"
    repo.git("init", "-q", "--bare", "-b", branch, str(place))
    repo.git("remote", "add", name, str(place))
    repo.git("push", "-q", name, branch)
    return place


def test_it_begins_at_the_default_branch_as_the_remote_has_it(base: Repo) -> None:
    origin(base)
    there = base.git("rev-parse", "main").strip()
    base.write("x", "not pushed")
    base.commit()
    for _ in range(2):  # with and without refs/remotes/origin/HEAD
        found = branches.base(base.workspace)
        assert found == branches.Base("origin/main", there, "main", "origin")
        base.git("remote", "set-head", "origin", "main")


def test_the_remotes_head_says_which_branch_is_the_default(base: Repo) -> None:
    base.git("branch", "trunk")
    origin(base, branch="trunk")
    base.git("remote", "set-head", "origin", "trunk")
    assert branches.base(base.workspace)[::2] == ("origin/trunk", "trunk")


def test_without_a_remote_it_begins_at_the_local_default_branch(base: Repo) -> None:
    base.git("checkout", "-qb", "feature")
    assert branches.base(base.workspace)[::2] == ("main", "main")
    base.git("remote", "add", "origin", "/nowhere")  # never fetched
    assert branches.base(base.workspace).name == "main"


@pytest.mark.parametrize(
    ("wanted", "name", "branch", "remote"),
    [
        ("main", "main", "main", ""),
        ("up/stream/main", "up/stream/main", "main", "up/stream"),
        ("refs/remotes/up/stream/main", "up/stream/main", "main", "up/stream"),
        ("v1", "v1", "", ""),
        ("HEAD", "main", "main", ""),
    ],
)
def test_base_overrules_and_knows_whose_branch_it_is(
    base: Repo, wanted: str, name: str, branch: str, remote: str
) -> None:
    base.git("tag", "v1")
    base.git("init", "-q", "--bare", "-b", "main", "../other.git")
    base.git("remote", "add", "up/stream", "../other.git")
    base.git("push", "-q", "up/stream", "main")
    commit = base.git("rev-parse", "main").strip()
    assert branches.base(base.workspace, wanted) == branches.Base(name, commit, branch, remote)
    assert branches.base(base.workspace, commit) == branches.Base(commit[:12], commit)


@pytest.mark.parametrize("wanted", ["zebra", "--output=x", "-x", "main:CLAUDE.md", "a\nb", "@{-1}", "refs/heads/"])
def test_a_base_that_is_no_commit_here_is_told(base: Repo, wanted: str) -> None:
    """T20: a ref is never an option."""
    with pytest.raises(CuratorError, match="there is no commit"):
        branches.base(base.workspace, wanted)
    assert not (base.root / "x").exists()


def test_without_commits_there_is_nothing_to_begin_at(repo: Repo) -> None:
    with pytest.raises(CuratorError, match="no default branch is known here") as error:
        branches.base(repo.workspace)
    assert "--base REF" in error.value.hint


# --- Its name -----------------------------------------------------------------------------------------------------


def test_a_branch_is_made_once_and_never_written_over(base: Repo) -> None:
    first = build(base, Commit("one\n", ()))
    second = build(base, Commit("two\n", ()))
    branches.create(base.workspace, "curator/x", first)
    with pytest.raises(CuratorError, match="update-ref"):
        branches.create(base.workspace, "curator/x", second)
    assert base.git("rev-parse", "curator/x").strip() == first


@pytest.mark.parametrize("name", ["", "-x", "HEAD", "a b", "a..b", "x.lock", "a\nb", "refs//x", "@{-1}"])
def test_a_name_that_can_be_no_branch_is_refused(base: Repo, name: str) -> None:
    with pytest.raises(CuratorError, match="can be no branch"):
        branches.refuse_name(base.workspace, name)


def test_a_name_that_is_taken_here_or_on_a_remote_is_refused(base: Repo) -> None:
    origin(base)
    base.git("push", "-q", "origin", "main:refs/heads/there")
    base.git("fetch", "-q")
    base.git("checkout", "-q", "--orphan", "unborn")
    for name in ("main", "there", "unborn"):
        with pytest.raises(CuratorError, match="there is a branch of that name"):
            branches.refuse_name(base.workspace, name)
    branches.refuse_name(base.workspace, "curator/free")


def test_free_names_are_counted_up() -> None:
    names = branches.free("curator/x", {"curator/x", "curator/x-2"})
    assert [next(names), next(names)] == ["curator/x-3", "curator/x-4"]


# --- Being killed -------------------------------------------------------------------------------------------------

SLOW = """
import re, subprocess, sys
from curator.edge import branches, plumbing, workspace
from curator.outcome import Edit
here = workspace.open_at(sys.argv[1])
start = branches.base(here)
plain = subprocess.run
def slow(command, **options):
    if "fast-import" not in command:
        return plain(command, **options)
    data = options.pop("input")
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=options["cwd"], env=options["env"]) as process:
        for part in re.split(rb"(?=^commit |^data |^get-mark )", data, flags=re.M):
            process.stdin.write(part)
            process.stdin.flush()
            print("part", flush=True)
            sys.stdin.readline()
subprocess.run = slow
branches.build(here, start, plumbing.tree(here, start.commit),
    [branches.Commit(f"m{n}\\n", (Edit(f"x{n}", None, "y" * 50),)) for n in range(40)])
"""


@pytest.mark.parametrize("after", [2, 3, 4, 5, 61, 121])  # each kind of place, between commits among them
def test_one_that_is_killed_leaves_objects_at_most(base: Repo, after: int) -> None:
    """F1: git is told where its input ends, so that half of it is nothing."""
    command = [sys.executable, "-P", "-c", SLOW, str(base.root)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    for _ in range(after):
        assert process.stdout.readline()
        process.stdin.write("\n")
        process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    process.stdin.close()
    time.sleep(0.3)  # git notices that its input has ended
    assert refs(base) == ["refs/heads/main"]
    assert base.git("status", "--porcelain") == ""
    assert base.git("fsck", "--connectivity-only") is not None
    assert build(base, Commit("again\n", ()))


@pytest.mark.parametrize("path", ["CLAUDE.md/x", "memories", "link", "link/x"])
def test_nothing_is_written_over_what_is_no_file(base: Repo, path: str) -> None:
    """git fast-import would take away what stands there without a word."""
    (base.root / "link").symlink_to("memories")
    base.commit("link")
    with pytest.raises(CuratorError, match="is no f"):
        build(base, Commit("x\n", (Edit(path, None, "1\n"),)))


@pytest.mark.parametrize("name", ["@", "refs/heads/q", "origin/main"])
def test_a_name_that_would_mean_another_ref_is_refused(base: Repo, name: str) -> None:
    origin(base)
    with pytest.raises(CuratorError, match="can be no branch"):
        branches.refuse_name(base.workspace, name)
