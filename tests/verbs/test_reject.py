"""Refusals: which are shared, which are one person's, and that each lasts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from curator.edge import decisions as edge_decisions
from curator.edge import inbox as edge_inbox
from tests.conftest import Repo
from tests.proposing import decisions, inbox, propose, put

TEXT = "Deploy from main only."


@pytest.mark.parametrize("reason", ["wrong", "private"])
def test_a_refusal_for_the_team_is_a_staged_file_of_one_word(base: Repo, reason: str) -> None:
    key = propose(base, TEXT)
    seen = base.curator("reject", key, "--reason", reason)
    assert seen.exit_code == 0, seen.stderr
    assert f"memories/.rejected/{key}" in seen.stdout
    assert base.git("diff", "--cached", "--name-only").split() == [f"memories/.rejected/{key}"]
    assert base.git("show", f":memories/.rejected/{key}") == f"{reason}\n"
    assert "Deploy" not in base.git("diff", "--cached")
    assert inbox(base) == []
    assert decisions(base) == ["rejected"]
    assert edge_inbox.is_refused(base.workspace, key)
    assert base.curator("check").exit_code == 0


@pytest.mark.parametrize("reason", ["noise", "once", "duplicate"])
def test_a_refusal_of_ones_own_leaves_the_tree_alone(base: Repo, reason: str) -> None:
    key = propose(base, TEXT)
    assert base.curator("reject", key, "--reason", reason).exit_code == 0
    assert base.git("status", "--porcelain") == ""
    assert (base.root / f".git/curator/rejected/{key}").read_text("utf-8") == f"{reason}\n"
    assert inbox(base) == []
    assert edge_inbox.is_refused(base.workspace, key)


def test_what_was_refused_is_not_proposed_again(base: Repo) -> None:
    assert base.curator("add", "--propose", TEXT).exit_code == 0
    (key,) = inbox(base)
    base.curator("reject", key, "--reason", "noise")
    seen = base.curator("add", "--propose", "deploy from main ONLY")
    assert seen.exit_code == 2
    assert "a person refused that before" in seen.stderr
    assert inbox(base) == []
    assert base.curator("add", TEXT).exit_code == 0  # a person may still write it


def test_a_refusal_that_another_branch_brought_is_no_conflict(base: Repo) -> None:
    key = propose(base, TEXT)
    base.write(f"memories/.rejected/{key}", "private\n")
    base.commit()
    assert base.curator("reject", key, "--reason", "wrong").exit_code == 0
    assert base.read(f"memories/.rejected/{key}") == "private\n"
    assert inbox(base) == []
    assert base.git("status", "--porcelain") == ""


def test_several_are_refused_at_once(base: Repo) -> None:
    keys = [propose(base, f"Rule number {number}.") for number in range(3)]
    assert base.curator("reject", *keys, "--reason", "noise").exit_code == 0
    assert inbox(base) == []


def test_noise_is_the_reason_where_none_is_given(base: Repo) -> None:
    key = propose(base, TEXT)
    assert base.curator("reject", key).exit_code == 0
    assert (base.root / f".git/curator/rejected/{key}").read_text("utf-8") == "noise\n"


@pytest.mark.parametrize(
    ("reason", "counted"), [("noise", 1), ("wrong", 1), ("private", 1), ("duplicate", 0), ("once", 0)]
)
def test_what_says_nothing_of_the_proposals_is_not_counted(base: Repo, reason: str, counted: int) -> None:
    key = propose(base, TEXT)
    base.curator("reject", key, "--reason", reason)
    assert len(decisions(base)) == counted


def test_a_wrong_reason_and_a_wrong_name_are_told(base: Repo) -> None:
    key = propose(base, TEXT)
    assert base.curator("reject", key, "--reason", "boring").exit_code == 2
    assert "no proposal 'zebra'" in base.curator("reject", "zebra", "--reason", "noise").stderr
    assert "no proposal ''" in base.curator("reject", "", "--reason", "noise").stderr
    assert inbox(base) == [key]


def test_a_file_with_a_name_of_its_own_is_removed_and_nothing_is_kept(base: Repo) -> None:
    put(base, "..notes", "x")
    assert base.curator("reject", "..notes", "--reason", "wrong").exit_code == 0
    assert inbox(base) == []
    assert base.git("status", "--porcelain") == ""
    assert not (base.root / ".git/curator/rejected").exists()


def test_a_killed_reject_is_ended_by_the_next(base: Repo) -> None:
    key = propose(base, TEXT)
    kept = (base.root / f".git/curator/inbox/{key}.yaml").read_bytes()
    base.curator("reject", key, "--reason", "wrong")
    put(base, key, kept)
    base.git("reset", "-q")
    assert base.curator("reject", key, "--reason", "wrong").exit_code == 0
    assert base.git("diff", "--cached", "--name-only").split() == [f"memories/.rejected/{key}"]
    assert inbox(base) == []


def test_eight_refusals_at_once_are_one(base: Repo) -> None:
    key = propose(base, TEXT)
    command = (sys.executable, "-P", "-m", "curator", "reject", key, "--reason", "wrong")
    running = [subprocess.Popen(command, cwd=base.root, stderr=subprocess.PIPE) for _ in range(8)]
    told = [one.communicate(timeout=60)[1] for one in running]
    assert 0 in {one.returncode for one in running}
    assert {one.returncode for one in running} <= {0, 2}
    assert not any(b"Traceback" in err for err in told)
    assert base.git("status", "--porcelain") == f"A  memories/.rejected/{key}\n"
    assert decisions(base) == ["rejected"]


def test_only_the_last_two_hundred_decisions_are_kept(base: Repo) -> None:
    here = base.workspace
    for number in range(260):
        edge_decisions.record(here, edge_decisions.ACCEPTED, f"{number:012x}", "2026-03-03")
    edge_decisions.record(here, edge_decisions.REJECTED, "ffffffffffff", "2026-03-04")
    lines = Path(base.root, ".git/curator/decisions").read_text("utf-8").split("\n")[:-1]
    assert edge_decisions.KEPT <= len(lines) <= 250
    assert lines[-1] == "2026-03-04 rejected ffffffffffff"
    assert edge_decisions.last(here, 20) == (19, 1)
