"""What of an import travels: nothing that a person brought in, and what Claude Code's own memory added by itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from curator.edge import claude
from tests.importing import SAMPLES
from tests.proposing import inbox, propose
from tests.syncing import Clones, made, run, sync


@pytest.fixture
def clones(tmp_path: Path) -> Clones:
    return made(tmp_path)


def test_what_import_brought_stays_here_and_what_was_said_here_travels(clones: Clones) -> None:
    assert run(clones.cloud, "import", str(SAMPLES / "agentlore"), "--yes").exit_code == 0
    brought = set(inbox(clones.cloud))
    propose(clones.cloud, "Use ky instead of axios.")
    (said,) = set(inbox(clones.cloud)) - brought
    sync(clones.cloud)
    assert len(brought) == 5
    assert clones.remote.refs() == [said]
    assert set(inbox(clones.cloud)) == {said, *brought}


def test_what_was_taken_from_claudes_own_memory_travels_as_what_a_session_said(clones: Clones) -> None:
    clones.cloud.git("config", "curator.autoMemory", "true")
    shutil.copytree(SAMPLES / "claude-memory", claude.memory_folder(clones.cloud.workspace, claude.own()))
    assert run(clones.cloud, "sweep", "--watch").exit_code == 0
    sync(clones.cloud)
    assert clones.remote.refs() == sorted(inbox(clones.cloud))
    assert len(clones.remote.refs()) == 3
