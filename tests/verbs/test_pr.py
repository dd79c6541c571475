"""Memories on a branch of their own: what is in it, what stays, and that nothing else moves."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from curator.core import extract, queue
from curator.edge import inbox as lying
from curator.edge import proposals
from curator.model import Config
from curator.verbs import report
from tests.conftest import Repo
from tests.proposing import decisions, inbox, propose, put
from tests.transcripts import typed

NAME = re.compile(r"^(curator/memories-\S+): ", re.M)


@pytest.fixture
def team(base: Repo) -> Repo:
    """A clone on a feature branch, its default branch pushed to a bare repository that is `origin`."""
    base.write("src/tax.py", "def round_vat(line):\n    return round(line, 2)\n")
    base.commit("code")
    base.git("init", "-q", "--bare", "-b", "main", "../origin.git")
    base.git("remote", "add", "origin", "../origin.git")
    base.git("push", "-q", "origin", "main")
    base.git("checkout", "-qb", "feature")
    base.write("src/new.py", "def only_here(): ...\n")
    base.commit("feature")
    return base


def published(repo: Repo, *arguments: str, code: int = 0) -> str:
    """Run `pr` and return the branch it made."""
    result = repo.curator("pr", *arguments)
    assert result.exit_code == code, result.output
    found = NAME.search(result.stdout)
    assert found, result.output
    return found[1]


def added(repo: Repo, branch: str, start: str = "origin/main") -> list[str]:
    return repo.git("diff", "--name-status", start, branch).split("\n")[:-1]


def message(repo: Repo, commit: str) -> str:
    return repo.git("log", "-1", "--format=%B", commit).rstrip("\n")


def picture(repo: Repo) -> dict[str, object]:
    """Index, HEAD, refs but the curator's, and every file of the work tree with its times."""
    files = {}
    for folder, folders, names in os.walk(repo.root):
        folders[:] = [one for one in folders if one != ".git"]
        for name in names:
            place = Path(folder, name)
            files[str(place)] = (place.lstat().st_mtime_ns, hashlib.sha1(place.read_bytes()).hexdigest())
    own = Path(repo.git("rev-parse", "--absolute-git-dir").strip())
    index = (own / "index").read_bytes() if (own / "index").exists() else b""
    refs = [line for line in repo.git("for-each-ref").split("\n") if "curator/memories" not in line]
    logs = (own / "logs/HEAD").read_bytes() if (own / "logs/HEAD").exists() else b""
    return {"files": files, "index": index, "head": (own / "HEAD").read_bytes(), "refs": refs, "log": logs}


# --- What is in it ------------------------------------------------------------------------------------------------


def test_a_proposal_becomes_one_commit_on_the_default_branch(team: Repo) -> None:
    key = propose(team, "Never load the seed data by hand.", "constraint", why="The data is shared.")
    branch = published(team)
    assert branch == f"curator/memories-{key[:6]}"
    path = f"memories/constraint/never-load-seed-data-hand-{key[:6]}.yaml"
    assert added(team, branch) == ["M\tCLAUDE.md", f"A\t{path}"]
    assert team.git("log", "--format=%s", f"origin/main..{branch}").split("\n")[:-1] == [
        "Render the memories in CLAUDE.md",
        "Remember: Never load the seed data by hand.",
    ]
    assert message(team, f"{branch}~") == (
        "Remember: Never load the seed data by hand.\n\nThe data is shared.\n\n"
        f"Memory-Id: never-load-seed-data-hand-{key[:6]}\nMemory-Key: {key}\n"
        "Memory-Origin: user, claude-code, session 5d0c77e1, 2026-03-03T14:03:00Z"
    )
    trailers = team.git("log", "-1", "--format=%(trailers:only,unfold)", f"{branch}~").split("\n")
    assert [line.partition(":")[0] for line in trailers if line] == ["Memory-Id", "Memory-Key", "Memory-Origin"]
    assert "confirmed:" not in team.git("show", f"{branch}:{path}")
    assert "- Never load the seed data by hand.\n" in team.git("show", f"{branch}:CLAUDE.md")


def test_it_says_what_accept_would_write_there(team: Repo) -> None:
    """The same bytes as accepting it on the default branch, which also confirms it."""
    key = propose(team, "`round_vat` in src/tax.py rounds per line.")
    branch = published(team)
    team.git("checkout", "-q", "main")
    assert team.curator("accept", key).exit_code == 0
    (path,) = team.git("diff", "--cached", "--name-only", "--", "memories").split()
    assert team.git("show", f"{branch}:{path}") == re.sub(r"confirmed: .*\n", "", team.read(path))
    assert team.git("show", f"{branch}:CLAUDE.md") == team.read("CLAUDE.md")
    team.git("stash", "-q")
    team.git("checkout", "-q", branch)
    assert team.curator("check").exit_code == 0
    assert team.curator("render", "--check").exit_code == 0


def test_evidence_is_that_of_the_default_branch(team: Repo) -> None:
    team.write("src/tax.py", "def round_vat(line, order):\n    return 0\n")
    team.add()
    key = propose(team, "`round_vat` in src/tax.py rounds per line.", sources=None)
    branch = published(team)
    text = team.git("show", f"{branch}:memories/convention/round-vat-src-tax-py-rounds-{key[:6]}.yaml")
    assert f"    blob: {team.git('rev-parse', 'origin/main:src/tax.py').strip()}\n" in text
    assert "symbol: round_vat" in text


def test_names_are_looked_for_on_the_default_branch(team: Repo) -> None:
    """A function that is gone here is still a source there, and one that is only here is none."""
    team.git("rm", "-q", "src/tax.py")
    key = propose(team, "`round_vat` goes before `only_here`, whatever the order.")
    text = team.git("show", f"{published(team, key)}~")
    assert "+  - path: src/tax.py\n+    symbol: round_vat\n" in text
    assert "src/new.py" not in text


def test_a_file_of_the_work_tree_stands_in_nobodys_way(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    path = f"memories/convention/never-push-fridays-{key[:6]}.yaml"
    team.write(path, "something else\n")
    team.write("CLAUDE.md", "# mine, without a block\n")
    branch = published(team)
    assert added(team, branch) == ["M\tCLAUDE.md", f"A\t{path}"]
    assert team.git("show", f"{branch}:CLAUDE.md").endswith("USER TAIL\n")


@pytest.mark.parametrize(
    "text", ["`only_here` is slow.", "Keep src/new.py small.", "`floor_vat` in src/tax.py is slow."]
)
def test_what_is_about_code_that_only_this_branch_has_belongs_to_it(team: Repo, text: str) -> None:
    team.write("src/tax.py", team.read("src/tax.py") + "\n\ndef floor_vat(line): ...\n")
    team.commit("a function of this branch")
    key = propose(team, text)
    other = propose(team, "`round_vat` rounds per line.")
    branch = published(team, code=1)
    assert set(lying.asked(team.workspace)) == {other}
    assert "symbol: round_vat" in team.git("show", f"{branch}~")
    told = team.curator("pr").stderr
    assert re.search(rf"{key[:6]} stays: src/(new|tax)\.py(#\w+)? is not on origin/main", told)
    assert f"it belongs to your branch: `curator accept {key[:6]}`" in told
    result = team.curator("pr", key)
    assert result.exit_code == 0
    assert "is not on origin/main, and is not cited" in result.stderr


def test_a_source_that_only_the_feature_branch_has_is_told_and_left_out(team: Repo) -> None:
    assert team.curator("add", "--propose", "Only here.", "--source", "src/new.py#only_here").exit_code == 0
    result = team.curator("pr")
    assert result.exit_code == 1
    assert "src/new.py#only_here is not on origin/main, so it belongs to your branch" in result.stderr
    (key,) = inbox(team)
    result = team.curator("pr", key)
    assert result.exit_code == 0, result.output
    assert re.search(r"src/new\.py is not at [0-9a-f]{12}, and is left out of the sources", result.stderr)
    branch = NAME.search(result.stdout)
    assert branch
    assert "sources:" not in team.git("show", f"{branch[1]}~")


def test_several_go_together_each_in_its_own_commit(team: Repo) -> None:
    for text in ("Deploy from main only.", "Run the linter before each commit.", "Never push on Fridays."):
        propose(team, text)
    branch = published(team)
    assert re.fullmatch(r"curator/memories-\d{4}-\d\d-\d\d", branch)
    assert team.git("rev-list", "--count", f"origin/main..{branch}").strip() == "4"
    for number in (1, 2, 3):
        changed = team.git("diff", "--name-only", f"{branch}~{number + 1}", f"{branch}~{number}").split()
        assert len(changed) == 1
        assert changed[0].startswith("memories/convention/")


def test_names_pick_and_the_others_wait(team: Repo) -> None:
    first, second = propose(team, "Deploy from main only."), propose(team, "Never push on Fridays.")
    published(team, second[:4])
    assert lying.waits(team.workspace) == (first,)


def test_a_memory_that_replaces_another_retires_it_in_the_same_commit(team: Repo) -> None:
    key = propose(team, "Run pytest with -x, no longer with -q.", supersedes=["a"])
    waiting = team.curator("pr")
    assert waiting.exit_code == 1
    assert f"{key[:6]} stays: it would retire a: `curator pr {key[:6]}` takes it" in waiting.stderr
    branch = published(team, key)
    assert [line[:2] for line in added(team, f"{branch}~")] == ["M\t", "A\t"]
    assert "retired:\n  'on': '" in team.git("show", f"{branch}:memories/convention/a.yaml").replace("on:", "'on':")
    assert "Memory-Supersedes: a" in message(team, f"{branch}~")
    assert "- Run pytest with -q." not in team.git("show", f"{branch}:CLAUDE.md")


def test_what_was_said_again_counts_up_there(team: Repo) -> None:
    text = team.read("memories/convention/a.yaml")
    propose(team, "Run pytest with -q.", id="a", seen=3)
    branch = published(team)
    after = team.git("show", f"{branch}:memories/convention/a.yaml")
    assert "seen: 3\n" in after
    assert message(team, f"{branch}~").startswith("Said again: Run pytest with -q.")
    assert team.read("memories/convention/a.yaml") == text


def test_the_default_branchs_settings_count(team: Repo) -> None:
    team.git("checkout", "-q", "main")
    team.write("memories/curator.yaml", "block: main\ncapture:\n  quotes: drop\nbudget:\n  rule: 300\n")
    team.git("rm", "-q", "-r", "memories/convention")
    team.commit("settings")
    team.git("push", "-q", "origin", "main")
    team.git("checkout", "-q", "feature")
    propose(team, "Never push on Fridays.", "rule", quote="hm, never push on fridays, ok")
    branch = published(team)
    (only,) = added(team, branch)
    assert only.startswith("A\tmemories/rule/")
    assert "quote" not in team.git("show", branch)


def test_only_the_block_of_a_target_changes(team: Repo) -> None:
    team.git("checkout", "-q", "main")
    text = "\ufeff# Top\r\n<!-- AGENT_MEMORY_START -->\r\nold\r\n<!-- AGENT_MEMORY_END -->\r\nend without newline"
    team.write("AGENTS.md", text)
    (team.root / "CLAUDE.md").unlink()
    (team.root / "CLAUDE.md").symlink_to("AGENTS.md")
    team.commit("link")
    propose(team, "Never push on Fridays.")
    branch = published(team, "--base", "main")
    after = team.git("show", f"{branch}:AGENTS.md")
    assert after.startswith("\ufeff# Top\r\n<!-- AGENT_MEMORY_START -->\r\n## Agent memory\r\n")
    assert after.endswith("\r\n<!-- AGENT_MEMORY_END -->\r\nend without newline")
    assert team.git("ls-tree", branch, "CLAUDE.md").startswith("120000 ")


def test_what_the_block_says_of_stale_entries_stays(team: Repo) -> None:
    team.git("checkout", "-q", "main")
    team.curator("add", "`round_vat` in src/tax.py rounds per line.", "--source", "src/tax.py#round_vat")
    team.git("rm", "-q", "-f", "src/tax.py")
    team.curator("render")
    team.commit("stale")
    (flag,) = [line for line in team.read("CLAUDE.md").split("\n") if line.startswith("Check before relying on")]
    propose(team, "Never push on Fridays.")
    after = team.git("show", f"{published(team, '--base', 'main')}:CLAUDE.md")
    assert flag in after.split("\n")
    assert "- Never push on Fridays." in after


def test_a_target_without_sound_markers_is_told_and_left(team: Repo) -> None:
    team.git("checkout", "-q", "main")
    team.write("CLAUDE.md", "# no block here\n")
    team.commit("none")
    propose(team, "Never push on Fridays.")
    result = team.curator("pr", "--base", "main")
    assert result.exit_code == 0
    assert "CLAUDE.md: no memory block: both markers are missing; its block is left as it is" in result.stderr
    assert "1 commit on top of main" in result.stdout


# --- What stays ---------------------------------------------------------------------------------------------------


def test_what_asks_for_a_look_of_its_own_stays_unless_it_is_named(team: Repo) -> None:
    key = propose(team, "Deploy from main only.", by="tool")
    result = team.curator("pr")
    assert result.exit_code == 1
    assert f"{key[:6]} stays: it was put out by a tool or a page first: `curator pr" in result.stderr
    assert "curator/memories" not in team.git("for-each-ref")
    result = team.curator("pr", key)
    assert result.exit_code == 0
    assert f"look twice at {key[:6]}: it was put out by a tool or a page" in result.stderr


def test_what_cannot_be_a_memory_stays_and_is_told(team: Repo) -> None:
    good = propose(team, "Never push on Fridays.")
    bad = propose(team, "See <!-- hidden --> it.")
    put(team, "0" * 12, "not: [yaml")
    branch = published(team, code=1)
    assert len(added(team, f"{branch}~")) == 1
    assert set(lying.asked(team.workspace)) == {good}
    result = team.curator("pr", bad)
    assert result.exit_code == 2
    assert "comment" in result.stderr


def test_what_the_default_branch_has_already_is_told(team: Repo) -> None:
    team.git("checkout", "-q", "main")
    key = propose(team, "Never push on Fridays.")
    assert team.curator("accept", key).exit_code == 0
    team.commit("accepted")
    team.git("push", "-q", "origin", "main")
    team.git("checkout", "-q", "feature")
    propose(team, "Never push on Fridays.")
    propose(team, "Run pytest with -q.", id="other-abcdef")
    result = team.curator("pr")
    assert result.exit_code == 1
    assert f"{key[:6]} stays: origin/main has it already" in result.stderr
    assert "abcdef stays: that is known already (memories/convention/a.yaml)" in result.stderr
    assert team.curator("pr", key).exit_code == 2


def test_two_that_change_one_file_do_not_go_together(team: Repo) -> None:
    keys = [propose(team, text, supersedes=["a"]) for text in ("Run pytest with -x.", "Run pytest with -v.")]
    branch = published(team, *keys, code=1)
    assert len(added(team, f"{branch}~")) == 2
    assert len(lying.asked(team.workspace)) == 1


def test_where_nothing_waits_nothing_is_made(team: Repo) -> None:
    result = team.curator("pr")
    assert (result.exit_code, result.stdout) == (0, "nothing waits for review\n")


def test_a_name_that_means_nothing_is_told(team: Repo) -> None:
    result = team.curator("pr", "zebra")
    assert result.exit_code == 2
    assert "zebra" in result.stderr


# --- Entries that are here already --------------------------------------------------------------------------------


def test_an_accepted_memory_goes_by_its_id_as_it_stands(team: Repo) -> None:
    key = propose(team, "`round_vat` in src/tax.py rounds per line.")
    assert team.curator("accept", key).exit_code == 0
    team.commit("accepted on the feature branch")
    (path,) = team.git("diff", "--name-only", "main", "--", "memories").split()
    branch = published(team, Path(path).stem)
    assert f"A\t{path}" in added(team, branch)
    assert team.git("show", f"{branch}:{path}") == team.read(path)
    team.git("checkout", "-q", "main")
    team.git("merge", "-q", "--ff-only", branch)
    team.git("checkout", "-q", "feature")
    team.git("merge", "-q", "--no-edit", "main", "-X", "ours")  # the same file on both sides is no conflict
    assert team.git("status", "--porcelain") == ""


def test_an_entry_goes_without_the_sources_that_only_this_branch_has(team: Repo) -> None:
    team.curator(
        "add", "Mind `only_here`.", "--source", "src/new.py#only_here", "--source", "src/tax.py", "--no-render"
    )
    team.commit("entry")
    (path,) = team.git("diff", "--name-only", "main", "--", "memories").split()
    result = team.curator("pr", Path(path).stem)
    assert result.exit_code == 0, result.output
    assert "src/new.py is not on origin/main, and is left out of the sources" in result.stderr
    found = NAME.search(result.stdout)
    assert found
    text = team.git("show", f"{found[1]}:{path}")
    assert "src/new.py" not in text
    assert "review_by: '" in text  # nothing is left to be checked
    assert "  - path: src/tax.py\n" in text


def test_a_retirement_goes_by_its_id(team: Repo) -> None:
    assert team.curator("retire", "a", "--reason", "wrong since March").exit_code == 0
    branch = published(team, "a")
    assert "wrong since March" in team.git("show", f"{branch}:memories/convention/a.yaml")
    assert message(team, f"{branch}~").startswith("Retire: Run pytest with -q.\n\n  Retired: wrong since March\n\n")
    assert "- Run pytest with -q." not in team.git("show", f"{branch}:CLAUDE.md")


def test_an_entry_that_the_default_branch_has_is_told(team: Repo) -> None:
    result = team.curator("pr", "a")
    assert result.exit_code == 2
    assert "origin/main has it already" in result.stderr


# --- Nothing else moves -------------------------------------------------------------------------------------------


def dirty(repo: Repo) -> None:
    repo.write("src/tax.py", "staged\n")
    repo.git("add", "src/tax.py")
    repo.write("src/tax.py", "staged and changed\n")
    repo.write("untracked.txt", "x")


def merging(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "other", "main")
    repo.write("memories/convention/a.yaml", "theirs\n")
    repo.write("memories/curator.yaml", "namespace: theirs\n")
    repo.commit("theirs")
    repo.git("checkout", "-q", "feature")
    repo.write("memories/convention/a.yaml", "ours\n")
    repo.write("memories/curator.yaml", "namespace: ours\n")
    repo.commit("ours")
    subprocess.run(["git", "merge", "-q", "other"], cwd=repo.root, capture_output=True)


def detached(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")


def unborn(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.git("rm", "-rq", "--cached", ".")


@pytest.mark.parametrize("state", [dirty, merging, detached, unborn])
def test_work_tree_index_and_head_stay_byte_for_byte(team: Repo, state: object) -> None:
    state(team)  # type: ignore[operator]
    propose(team, "Never push on Fridays.")
    team.git("status", "--porcelain")  # it refreshes the index
    before, told = picture(team), team.git("status", "--porcelain")
    branch = published(team)
    assert picture(team) == before
    assert team.git("status", "--porcelain") == told
    assert len(added(team, branch)) == 2


def test_a_linked_work_tree_makes_its_branches_in_the_clone(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    team.git("worktree", "add", "-q", "../linked", "-b", "linked")
    propose(team, "Never push on Fridays.")
    linked = Repo(team.root.parent / "linked")
    monkeypatch.chdir(linked.root)
    before = picture(linked)
    branch = published(linked)
    assert picture(linked) == before
    assert branch in team.git("branch", "--list", "--format=%(refname:short)").split()
    assert lying.waits(team.workspace) == ()


def test_a_shallow_clone_makes_them_too(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{team.root}/../origin.git", "../shallow"], check=True)
    shallow = Repo(team.root.parent / "shallow")
    monkeypatch.chdir(shallow.root)
    propose(shallow, "Never push on Fridays.")
    assert shallow.curator("pr", "--push").exit_code == 0
    assert "curator/memories" in team.git("ls-remote", "origin")


def test_a_dry_run_shows_commits_and_patch_and_writes_nothing(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    propose(team, "Never push on Fridays.")
    objects = sorted(path.name for path in (team.root / ".git/objects").rglob("*"))
    monkeypatch.setenv("CLAUDECODE", "1")  # looking is nobody's decision
    result = team.curator("pr", "--dry-run")
    assert result.exit_code == 0
    assert "commit 1 of 2, on top of origin/main\n\n    Remember: Never push on Fridays.\n" in result.stdout
    assert "+  Never push on Fridays.\n" in result.stdout
    assert "+- Never push on Fridays.\n" in result.stdout
    assert sorted(path.name for path in (team.root / ".git/objects").rglob("*")) == objects
    assert "curator/memories" not in team.git("for-each-ref")
    assert lying.asked(team.workspace) == {}


def test_it_is_a_persons_decision(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    propose(team, "Never push on Fridays.")
    monkeypatch.setenv("CLAUDECODE", "1")
    result = team.curator("pr")
    assert result.exit_code == 2
    assert "is a person's decision" in result.stderr


CUT = """
import os, sys
from curator.cli import main
from curator.edge import branches, inbox
room = {"branches": branches, "inbox": inbox}[sys.argv[1]]
setattr(room, sys.argv[2], lambda *a, **k: os._exit(9))
main(["pr"])
"""


@pytest.mark.parametrize("step", ["branches.build", "branches.create", "inbox.ask"])
def test_killed_before_any_step_it_leaves_nothing_half(team: Repo, step: str) -> None:
    """F1: the branch is whole or not there, and what waits is in the inbox."""
    key = propose(team, "Never push on Fridays.")
    before = picture(team)
    command = [sys.executable, "-P", "-c", CUT, *step.split(".")]
    assert subprocess.run(command, cwd=team.root, capture_output=True).returncode == 9
    assert picture(team) == before
    assert json.loads(team.curator("status", "--json").stdout)["waiting"] == 1
    assert "curator/memories" not in team.git("for-each-ref")
    assert published(team) == f"curator/memories-{key[:6]}"


def test_killed_after_its_branch_was_made_it_does_not_wait(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    cut = CUT.replace(
        "from curator.edge import branches, inbox", "from curator.cli import publishing as branches, door as inbox"
    )
    command = [sys.executable, "-P", "-c", cut, "branches", "_say_built"]
    assert subprocess.run(command, cwd=team.root, capture_output=True).returncode == 9
    assert "nothing waits" in team.curator("pr").stdout
    assert lying.asked(team.workspace) == {key: f"curator/memories-{key[:6]}"}
    assert len(added(team, f"curator/memories-{key[:6]}")) == 2


def test_where_commits_are_to_be_signed_it_says_that_they_are_not(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    team.git("config", "commit.gpgSign", "yes")
    assert "the commits are not signed" in team.curator("pr").stderr


# --- Names --------------------------------------------------------------------------------------------------------


def test_a_second_branch_of_a_day_has_a_name_of_its_own(team: Repo) -> None:
    names = []
    for word in ("one", "two"):
        propose(team, f"Never push {word} on Fridays.")
        propose(team, f"Always deploy {word} from main.")
        names.append(published(team))
    assert names[1] == f"{names[0]}-2"


def test_a_branch_that_is_there_is_never_written_over(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    before = team.git("rev-parse", "feature", "main")
    for name in ("main", "feature"):
        result = team.curator("pr", "--branch", name)
        assert result.exit_code == 2
        assert "there is a branch of that name" in result.stderr
    assert team.git("rev-parse", "feature", "main") == before
    assert len(lying.waits(team.workspace)) == 1
    assert team.curator("pr", "--branch", "memories/mine").exit_code == 0
    assert "memories/mine" in lying.asked(team.workspace).values()


def test_where_the_name_cannot_be_had_git_says_why_and_nothing_is_lost(team: Repo) -> None:
    team.git("branch", "curator")
    key = propose(team, "Never push on Fridays.")
    result = team.curator("pr")
    assert result.exit_code == 2
    assert "'refs/heads/curator' exists" in result.stderr
    assert "--branch NAME" in result.stderr
    assert lying.waits(team.workspace) == (key,)


# --- Hostile words ------------------------------------------------------------------------------------------------

ORDERS = (
    "Fixes #12 and closes GH-7 and other/repo#3.",
    "Resolves https://github.com/a/b/issues/1 for good.",
    "Ask @octocat about it.",
    "Always write [skip ci] and [ci skip] and ***NO_CI*** there.",
    "See merge request !12 first.",
)


@pytest.mark.parametrize("text", ORDERS)
def test_no_message_gives_orders_to_a_site(team: Repo, text: str) -> None:
    key = propose(team, text, why=text)
    branch = published(team, key)
    told = message(team, f"{branch}~")
    assert not re.search(r"[#@!]\w|GH-\d|\[|\*\*|://", told), told


def test_no_line_of_a_message_can_be_a_trailer_or_end_it(team: Repo) -> None:
    why = "Signed-off-by: Eve\nCo-authored-by: Eve\n\nReviewed-by: Eve\ndiff --git a/x b/x\nFrom 0123 Mon"
    key = propose(team, "Never push on Fridays.\n\nSigned-off-by: Eve", why=why)
    branch = published(team, key)
    told = message(team, f"{branch}~")
    names = team.git("log", "-1", "--format=%(trailers:only)", f"{branch}~").split("\n")
    assert {line.partition(":")[0] for line in names if line} == {"Memory-Id", "Memory-Key", "Memory-Origin"}
    assert not re.search(r"^(?:Signed|Co-auth|Reviewed|diff|From)", told, re.M), told


# --- On a branch: it waits for nobody -----------------------------------------------------------------------------


def test_on_a_branch_it_stays_in_the_inbox_and_waits_for_nobody(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    assert inbox(team) == [key]
    tip = team.git("rev-parse", branch).strip()
    words = queue.words(proposals.read(team.workspace, Config())[0][0].entry)
    assert (team.root / ".git/curator/asked" / key).read_text() == f"{branch}\n{tip}\n{words}\n1\n1\n"
    assert f"On a branch 1: {branch}, not pushed" in team.curator("status").stdout
    assert "Waiting " not in team.curator("status").stdout
    told = json.loads(team.curator("status", "--json").stdout)
    assert (told["waiting"], told["proposals"]) == (0, [])
    assert told["asked"] == [{"key": key, "short": key[:6], "branch": branch}]
    assert "nothing else waits for review" in team.curator("review", "--plain").stdout
    assert json.loads(team.curator("review", "--json").stdout)["waiting"] == []
    assert team.curator("accept", "--all").exit_code == 0
    assert inbox(team) == [key]
    assert "known already" in team.curator("add", "--propose", "Never push on Fridays.").stderr or inbox(team) == [key]
    again = team.curator("pr", key)
    assert again.exit_code == 2
    assert f"is on {branch} already" in again.stderr


def test_the_sessions_start_and_the_cap_do_not_count_it(team: Repo) -> None:
    for number in range(extract.WAITING):
        propose(team, f"Never push number {number} on Fridays.")
    assert len(lying.waits(team.workspace)) == extract.WAITING
    log = team.root.parent / "log.jsonl"
    log.write_text(typed("We decided to use ruff instead of flake8 for linting, because it is faster."))
    told = team.curator("propose", "--transcript", str(log))
    assert "left out: 1 while 10 wait in the inbox" in told.stderr, told.output
    published(team)
    assert lying.waits(team.workspace) == ()
    assert team.curator("propose", "--transcript", str(log)).exit_code == 0
    assert len(lying.waits(team.workspace)) == 1


@pytest.mark.parametrize("command", [("accept",), ("reject",)])
def test_it_can_be_decided_here_all_the_same(team: Repo, command: tuple[str, ...]) -> None:
    key = propose(team, "Never push on Fridays.")
    published(team)
    assert team.curator(*command, key).exit_code == 0
    assert inbox(team) == []
    assert lying.asked(team.workspace) == {}
    assert list((team.root / ".git/curator/asked").iterdir()) == []


def test_when_the_branch_is_deleted_it_waits_again(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    team.git("branch", "-qD", branch)
    assert "Waiting   1" in team.curator("status").stdout
    assert lying.asked(team.workspace) == {key: branch}  # looking changes nothing
    assert team.curator("pr").exit_code == 0
    assert lying.asked(team.workspace) == {key: branch}


def test_what_lost_its_branch_is_counted_everywhere_as_status_counts_it(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    propose(team, "Ship on Mondays only.")
    branch = published(team)
    assert lying.put(team.workspace, "77" * 6, "no: [memory")
    lying.ask(team.workspace, "77" * 6, lying.Mark(branch))
    for number in (1, 3):  # the one that cannot be read; then those whose branch is gone, too
        assert f"Waiting   {number}" in team.curator("status").stdout
        assert re.search(rf"proposals +{number} wait", team.curator("doctor").stdout)
        assert f"{number} wait" in team.curator("sync", "--dry-run").stdout
        assert report.run(team.workspace, as_of="2026-07-01", title="").waiting == number
        if number == 1:
            team.git("branch", "-qD", branch)


def test_while_the_remote_has_the_branch_it_is_still_asked_for(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    branch = published(team, "--push")
    team.git("branch", "-qD", branch)
    assert f"On a branch 1: {branch}" in team.curator("status").stdout


def test_when_it_came_with_a_pull_it_is_cleared(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    branch = published(team)
    team.git("checkout", "-q", "main")
    team.git("merge", "-q", "--squash", branch)
    team.commit("squashed")
    result = team.curator("review", "--plain")
    assert "is cleared: it came with the branch it was on" in result.stderr
    assert inbox(team) == []
    assert list((team.root / ".git/curator/asked").iterdir()) == []
    assert decisions(team) == ["accepted"]


def test_on_the_branch_itself_it_is_still_asked_for(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    team.git("checkout", "-q", branch)
    assert "is cleared" not in team.curator("review", "--plain").stderr
    assert team.curator("sweep").exit_code == 0
    assert inbox(team) == [key]
    team.git("checkout", "-q", "feature")
    team.git("branch", "-qD", branch)
    assert "Waiting   1" in team.curator("status").stdout


def test_where_nothing_can_be_written_nothing_is_made(team: Repo) -> None:
    """F4: git may write no byte."""
    key = propose(team, "Never push on Fridays.")
    team.curator("status")

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    command = [sys.executable, "-P", "-m", "curator", "pr"]
    done = subprocess.run(command, cwd=team.root, capture_output=True, text=True, preexec_fn=bound)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "no branch was made" in done.stderr
    assert "curator/memories" not in team.git("for-each-ref")
    assert lying.waits(team.workspace) == (key,)
    assert team.curator("pr").exit_code == 0


def test_when_it_was_merged_and_the_branch_deleted_a_feature_branch_knows(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    branch = published(team)
    team.git("push", "-q", "origin", f"{branch}:main")
    team.git("branch", "-qD", branch)
    assert team.curator("sweep").exit_code == 0
    assert inbox(team) == []


# --- Pushing ------------------------------------------------------------------------------------------------------


def test_push_pushes_exactly_that_branch(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    team.git("config", "push.default", "matching")
    team.git("config", "push.followTags", "true")
    team.git("tag", "-a", "v1", "-m", "v1")
    before = team.git("ls-remote", "origin", "main")
    result = team.curator("pr", "--push")
    assert result.exit_code == 0, result.output
    found = NAME.search(result.stdout)
    assert found
    tip = team.git("rev-parse", found[1]).strip()
    assert "Pushed to origin.\nNext: open a pull request for it\n" in result.stdout
    assert team.git("ls-remote", "origin").split("\n")[1:-1] == [
        f"{tip}\trefs/heads/{found[1]}",
        before.rstrip("\n"),
    ]


def test_a_later_push_takes_the_branches_that_the_remote_does_not_have(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    branch = published(team)
    assert f"1: {branch}, not pushed: `curator pr --push`" in team.curator("status").stdout
    result = team.curator("pr", "--push")
    assert result.exit_code == 0, result.output
    assert f"{branch} was made before\nPushed to origin.\nNext: open a pull request for it\n" in result.stdout
    assert team.git("rev-parse", branch).strip() in team.git("ls-remote", "origin", branch)
    assert f"1: {branch}\n" in team.curator("status").stdout
    result = team.curator("pr", "--push")
    assert (result.exit_code, result.stdout) == (0, "nothing waits for review\n")


def rejecting(repo: Repo) -> None:
    hook = Path(repo.root.parent / "origin.git/hooks/update")
    hook.write_text("#!/bin/sh\necho 'memories need a ticket' >&2\nexit 1\n")
    hook.chmod(0o755)


def unreachable(repo: Repo) -> None:
    repo.git("remote", "set-url", "--push", "origin", str(repo.root.parent / "gone.git"))


def taken(repo: Repo) -> None:
    (key,) = inbox(repo)
    repo.git("push", "-q", "origin", f"main:refs/heads/curator/memories-{key[:6]}")
    repo.git("update-ref", "-d", f"refs/remotes/origin/curator/memories-{key[:6]}")


def refusing(repo: Repo) -> None:
    hook = repo.write(".git/hooks/pre-push", "#!/bin/sh\necho 'my own hook says no' >&2\nexit 1\n")
    hook.chmod(0o755)


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (rejecting, "memories need a ticket"),
        (unreachable, "does not appear to be a git repository"),
        (taken, "stale info|already exists|rejected"),
        (refusing, "my own hook says no"),
    ],
)
def test_a_push_that_fails_says_gits_words_and_loses_nothing(team: Repo, trouble: object, words: str) -> None:
    key = propose(team, "Never push on Fridays.")
    trouble(team)  # type: ignore[operator]
    there = team.git("ls-remote", "../origin.git")
    result = team.curator("pr", "--push")
    assert result.exit_code == 2
    assert re.search(words, result.stderr), result.stderr
    found = NAME.search(result.stdout)
    assert found
    assert f"`git push origin {found[1]}`" in result.stderr
    assert team.git("rev-list", "--count", f"origin/main..{found[1]}").strip() == "2"
    assert lying.asked(team.workspace) == {key: found[1]}
    assert team.git("ls-remote", "../origin.git") == there


def test_a_remote_that_is_none_is_told_before_anything_is_made(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    for name in ("zebra", "--upload-pack=x", "ext::sh -c x", "../origin.git"):
        for push in (["--push"], []):
            result = team.curator("pr", *push, f"--remote={name}")
            assert result.exit_code == 2
            assert "no remote" in result.stderr
    assert "curator/memories" not in team.git("for-each-ref")
    assert lying.waits(team.workspace) == (key,)


GH = """#!{python}
import json, os, sys
open({log!r}, "w").write(json.dumps([sys.argv[1:], sys.stdin.read(), os.environ.get("GH_PROMPT_DISABLED")]))
print({out!r})
sys.stderr.write({err!r})
sys.exit({code})
"""


def gh(repo: Repo, monkeypatch: pytest.MonkeyPatch, *, out: str = "", err: str = "", code: int = 0) -> Path:
    """A `gh` that writes down how it was started: that the right pull request would be asked for, no more."""
    folder, log = repo.root.parent / "bin", repo.root.parent / "gh.json"
    folder.mkdir()
    program = folder / "gh"
    program.write_text(GH.format(python=sys.executable, log=str(log), out=out, err=err, code=code))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    # The remote is GitHub's by its address, and the bare repository by git's own rewriting of it for the push.
    repo.git("remote", "set-url", "origin", "git@github.com:acme/shop.git")
    return log


def reachable(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ssh to the site arrive at the bare repository."""
    script = repo.root.parent / "ssh"
    script.write_text(f'#!/bin/sh\nexec git receive-pack "{repo.root.parent}/origin.git"\n')
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(script))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")


def test_a_pull_request_is_asked_for_with_gh(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    log = gh(team, monkeypatch, out="https://github.com/acme/shop/pull/7")
    reachable(team, monkeypatch)
    key = propose(team, "Never push `x` on Fridays, @octocat.", why="Fixes #1 and [this](https://example.org).")
    result = team.curator("pr", key, "--push", "--title", "-x [skip ci]\n@octocat")
    assert result.exit_code == 0, result.output
    assert "Pull request: https://github.com/acme/shop/pull/7\n" in result.stdout
    arguments, body, quiet = json.loads(log.read_text())
    assert arguments == [
        *("pr", "create", "--repo=github.com/acme/shop", f"--head=curator/memories-{key[:6]}"),
        *("--base=main", "--title=-x (skip ci) @ octocat", "--body-file=-"),
    ]
    assert quiet == "1"
    assert (
        "- `convention` ``Never push `x` on Fridays, @octocat.``\n  Why: `Fixes #1 and [this](https://example.org).`\n"
        in body
    )
    assert "<details>" in body
    assert "session 5d0c77e1" in body


def test_where_gh_fails_the_branch_is_pushed_and_a_person_is_told_where(
    team: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    gh(team, monkeypatch, err="To get started with GitHub CLI, please run:  gh auth login\n", code=4)
    reachable(team, monkeypatch)
    key = propose(team, "Never push on Fridays.")
    result = team.curator("pr", "--push")
    assert result.exit_code == 2
    assert "it is pushed, and no pull request was opened: gh: To get started with GitHub CLI" in result.stderr
    page = f"https://github.com/acme/shop/compare/main...curator/memories-{key[:6]}?expand=1"
    assert page in result.stderr
    assert "curator/memories" in team.git("ls-remote", "../origin.git")


def test_without_a_push_gh_is_not_asked(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    log = gh(team, monkeypatch)
    propose(team, "Never push on Fridays.")
    result = team.curator("pr")
    assert "then open the pull request: https://github.com/acme/shop/compare/main...curator/" in result.stdout
    assert not log.exists()


# --- Until the default branch holds it ------------------------------------------------------------------------------


def at_the_tip(repo: Repo, branch: str) -> None:
    repo.git("checkout", "-q", "--detach", branch)


def on_another_name(repo: Repo, branch: str) -> None:
    repo.git("checkout", "-q", "-b", "polish", branch)


def merged_into_the_feature(repo: Repo, branch: str) -> None:
    repo.git("merge", "-q", "--no-edit", branch)


def rebasing(repo: Repo, branch: str) -> None:
    repo.git("checkout", "-q", branch)
    command = ["git", "-c", "sequence.editor=sed -i 's/^pick/edit/'", "rebase", "-qi", "--force-rebase", "origin/main"]
    subprocess.run(command, cwd=repo.root, capture_output=True)
    assert repo.git("branch", "--show-current").strip() == ""


def in_a_linked_work_tree(repo: Repo, branch: str) -> None:
    repo.git("worktree", "add", "-q", "--detach", "../linked", branch)
    done = subprocess.run([sys.executable, "-P", "-m", "curator", "sweep"], cwd=repo.root.parent / "linked")
    assert done.returncode == 0


@pytest.mark.parametrize(
    "state", [at_the_tip, on_another_name, merged_into_the_feature, rebasing, in_a_linked_work_tree]
)
def test_what_only_this_work_tree_holds_has_not_arrived(team: Repo, state: object) -> None:
    """A branch that can still be thrown away is no place where a memory is kept."""
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    state(team, branch)  # type: ignore[operator]
    assert team.curator("sweep").exit_code == 0
    assert "is cleared" not in team.curator("review", "--plain").stderr
    assert inbox(team) == [key]
    assert lying.asked(team.workspace) == {key: branch}
    assert decisions(team) == []


def test_a_branch_that_was_merged_into_one_that_is_gone_too_lets_it_wait_again(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    merged_into_the_feature(team, branch)
    team.git("branch", "-qD", branch)
    assert team.curator("sweep").exit_code == 0
    assert lying.asked(team.workspace) == {key: branch}  # the feature has its commits
    team.git("checkout", "-q", "main")
    team.git("branch", "-qD", "feature")
    assert team.curator("sweep").exit_code == 0
    assert inbox(team) == [key]
    assert lying.asked(team.workspace) == {}


def test_a_renamed_branch_is_still_asked_for(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    branch = published(team)
    team.git("branch", "-qm", branch, "mine/fridays")
    assert "On a branch 1: mine/fridays" in team.curator("status").stdout
    assert "nothing waits" in team.curator("pr").stdout


def test_a_proposal_that_was_changed_since_is_not_what_arrived(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    place = team.root / f".git/curator/inbox/{key}.yaml"
    place.write_text(place.read_text().replace("importance: 5", "importance: 9"))
    team.git("push", "-q", "origin", f"{branch}:main")
    team.git("branch", "-qD", branch)
    assert team.curator("sweep").exit_code == 0
    assert inbox(team) == [key]


def test_one_that_is_on_a_branch_is_edited_there(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    before = team.read(f".git/curator/inbox/{key}.yaml")
    monkeypatch.setenv("EDITOR", "sed -i s/Fridays/Sundays/")
    result = team.curator("edit", key)
    assert result.exit_code == 2
    assert f"is on {branch} already" in result.stderr
    assert "change it there" in result.stderr
    assert team.read(f".git/curator/inbox/{key}.yaml") == before


@pytest.mark.parametrize(("command", "words"), [("accept", "close its pull request"), ("reject", "delete the branch")])
def test_a_decision_about_one_on_a_branch_says_that_it_is_there_still(team: Repo, command: str, words: str) -> None:
    key = propose(team, "Never push on Fridays.")
    branch = published(team)
    told = team.curator(command, key).stderr
    assert f"it is still on {branch}" in told
    assert words in told


def test_what_was_said_again_often_arrives_with_what_the_branch_could_count(team: Repo) -> None:
    propose(team, "Run pytest with -q.", id="a", seen=40)
    branch = published(team)
    team.git("push", "-q", "origin", f"{branch}:main")
    team.git("branch", "-qD", branch)
    assert team.curator("sweep").exit_code == 0
    assert inbox(team) == []


def test_one_that_was_retired_after_its_merge_is_cleared(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    branch = published(team)
    team.git("checkout", "-q", "main")
    team.git("merge", "-q", "--ff-only", branch)
    (name,) = [path.stem for path in (team.root / "memories/convention").glob("never*")]
    assert team.curator("retire", name, "--reason", "moved").exit_code == 0
    team.commit("retired")
    assert team.curator("sweep").exit_code == 0
    assert inbox(team) == []


def test_one_whose_output_breaks_is_marked_all_the_same(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-P", "-m", "curator", "pr"]
        subprocess.run(command, cwd=team.root, stdout=full, stderr=full)
    assert list(lying.asked(team.workspace)) == [key]
    assert lying.asked(team.workspace)[key] in team.git("branch", "--format=%(refname:short)").split()


# --- Nothing stands in its place ------------------------------------------------------------------------------------


def a_file(repo: Repo) -> None:
    repo.write("memories/gotcha", "important\n")
    repo.add()


def a_link(repo: Repo) -> None:
    (repo.root / "memories/gotcha").symlink_to("../src")
    repo.add()


def a_submodule(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD").strip()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},memories/gotcha")


def a_link_for_all(repo: Repo) -> None:
    repo.git("rm", "-rq", "memories")
    repo.write("mem2/x", "x\n")
    (repo.root / "memories").symlink_to("mem2")
    repo.add()


@pytest.mark.parametrize("place", [a_file, a_link, a_submodule, a_link_for_all])
@pytest.mark.parametrize("by", ["key", "id"])
def test_what_stands_where_a_folder_is_needed_stays(team: Repo, place: object, by: str) -> None:
    team.git("checkout", "-q", "main")
    place(team)  # type: ignore[operator]
    team.git("commit", "-qm", "in the way")
    team.git("push", "-q", "origin", "main")
    team.git("checkout", "-q", "feature")
    key = name = propose(team, "Never push on Fridays.", "gotcha")
    if by == "id":
        assert team.curator("accept", key).exit_code == 0
        name = f"never-push-fridays-{key[:6]}"
    result = team.curator("pr", name)
    assert result.exit_code == 2
    assert re.search(r"memories(/gotcha)? is no folder|has no memories/", result.stderr), result.stderr
    assert "curator/memories" not in team.git("for-each-ref")


# --- What is told -----------------------------------------------------------------------------------------------------


def test_where_only_reviewed_entries_are_trusted_the_block_is_left_as_it_is(team: Repo) -> None:
    """Its render on the branch would take only what the trusted ref has: the branch passes its own check."""
    team.git("checkout", "-q", "main")
    team.write("memories/curator.yaml", "block: here\ntrust: origin/main\n")
    team.commit("settings")
    team.git("push", "-q", "origin", "main")
    team.curator("render")
    team.commit("rendered")
    team.git("push", "-q", "origin", "main")
    propose(team, "Never push on Fridays.")
    result = team.curator("pr")
    assert "trust: origin/main" in result.stderr
    found = NAME.search(result.stdout)
    assert found
    assert [line[:2] for line in added(team, found[1])] == ["A\t"]
    team.git("checkout", "-q", found[1])
    assert team.curator("render", "--check").exit_code == 0


def test_a_client_that_prints_no_address_is_told(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    gh(team, monkeypatch)
    reachable(team, monkeypatch)
    key = propose(team, "Never push on Fridays.")
    result = team.curator("pr", "--push")
    assert result.exit_code == 0, result.output
    assert "Pull request: \n" not in result.stdout
    assert f"/compare/main...curator/memories-{key[:6]}" in result.stdout


def test_an_entry_that_is_on_a_branch_of_memories_already_is_told(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    assert team.curator("accept", key).exit_code == 0
    name = f"never-push-fridays-{key[:6]}"
    branch = published(team, name)
    result = team.curator("pr", name)
    assert result.exit_code == 0
    assert f"{name} is on {branch} too" in result.stderr


def test_what_is_typed_again_is_quoted_for_the_shell(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    result = team.curator("pr", "--branch", "q$(id)")
    assert "git push origin 'q$(id)'" in result.stdout


def test_a_date_that_git_cannot_read_is_told(team: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    key = propose(team, "Never push on Fridays.")
    for date in ("zebra", "99999999999999999999 +0000", "2026-01-01T00:00:00 +1545"):
        monkeypatch.setenv("GIT_AUTHOR_DATE", date)
        result = team.curator("pr")
        assert result.exit_code == 2
        assert "GIT_AUTHOR_DATE" in result.stderr
        assert list((team.root / ".git").glob("fast_import_crash_*")) == []
    assert lying.waits(team.workspace) == (key,)


def test_a_range_is_no_base(team: Repo) -> None:
    propose(team, "Never push on Fridays.")
    result = team.curator("pr", "--base", "main..feature")
    assert result.exit_code == 2
    assert "is a range" in result.stderr


def test_what_is_staged_goes_and_what_is_not_is_told(team: Repo) -> None:
    key = propose(team, "Never push on Fridays.")
    assert team.curator("accept", key).exit_code == 0
    name = f"never-push-fridays-{key[:6]}"
    path = team.root / f"memories/convention/{name}.yaml"
    path.write_text(path.read_text().replace("importance: 5", "importance: 9"))
    result = team.curator("pr", name)
    assert result.exit_code == 0, result.output
    assert f"{name}.yaml is changed and not staged: what is staged goes" in result.stderr
