"""What a person decided: one line each, in a file of ours and in nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator.edge import decisions
from tests.conftest import Repo

DAY = "2026-01-02"


def test_decisions_are_counted_and_the_last_ones_kept(repo: Repo) -> None:
    for number in range(300):
        decisions.record(repo.workspace, decisions.ACCEPTED if number % 2 else decisions.REJECTED, f"{number:012}", DAY)
    assert decisions.last(repo.workspace, 10) == (5, 5)
    assert decisions.KEPT <= repo.read(".git/curator/decisions").count("\n") <= 250


@pytest.mark.parametrize("kind", ["link", "fifo", "read fifo", "folder"])
def test_what_is_no_file_is_neither_followed_nor_waited_for(repo: Repo, kind: str, tmp_path: Path) -> None:
    path = repo.root / ".git/curator/decisions"
    path.parent.mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    reader = -1
    if kind == "link":
        path.symlink_to(victim)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK) if kind == "read fifo" else -1
    decisions.record(repo.workspace, decisions.ACCEPTED, "0123456789ab", DAY)
    assert victim.read_text() == "mine"
    assert decisions.last(repo.workspace, 10) == (0, 0)
    if reader >= 0:
        assert os.read(reader, 10) == b""
        os.close(reader)
