"""The file of a session: what is kept, torn files, two processes at once, names that are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from curator.edge import spool
from tests.conftest import Repo


def file(repo: Repo, session: str = "s1") -> Path:
    return repo.root / f".git/curator/spool/{session}.json"


def test_what_is_saved_is_loaded_again(repo: Repo) -> None:
    state = spool.load(repo.workspace, "s1")
    state.log, state.root, state.offset, state.size, state.inside = "/x/é.jsonl", str(repo.root), 7, 9, True
    state.proposed, state.shown, state.last = ["0123456789ab"], [1, 4_000_000_000], ["memories/a/b.yaml"]
    state.gate = {"calls": 3, "files": [1, 2]}
    spool.save(repo.workspace, "s1", state)
    assert spool.load(repo.workspace, "s1").values() == state.values()
    assert spool.sessions(repo.workspace) == ("s1",)


def test_nothing_is_written_when_nothing_changed(repo: Repo) -> None:
    spool.save(repo.workspace, "s1", spool.load(repo.workspace, "s1"))
    assert not (repo.root / ".git/curator").exists()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"offset": "x", "shown": 3, "gate": []}']
)
def test_a_torn_or_foreign_file_counts_as_empty(repo: Repo, content: bytes) -> None:
    file(repo).parent.mkdir(parents=True)
    file(repo).write_bytes(content)
    state = spool.load(repo.workspace, "s1")
    assert (state.offset, state.shown, state.gate, state.log) == (0, [], {}, "")
    state.offset = 5
    spool.save(repo.workspace, "s1", state)
    assert spool.load(repo.workspace, "s1").offset == 5


@pytest.mark.parametrize("kind", ["fifo", "folder", "link"])
def test_a_pipe_a_folder_or_a_link_in_its_place_is_never_waited_for(repo: Repo, kind: str) -> None:
    file(repo).parent.mkdir(parents=True)
    if kind == "fifo":
        os.mkfifo(file(repo))
    elif kind == "folder":
        file(repo).mkdir()
    else:
        file(repo).symlink_to("/dev/zero")
    assert spool.load(repo.workspace, "s1").offset == 0


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a.b", "x" * 65, "a\n", "é"])
def test_a_name_that_could_lead_elsewhere_is_no_session(repo: Repo, name: str) -> None:
    state = spool.load(repo.workspace, name)
    state.offset = 3
    spool.save(repo.workspace, name, state)
    assert not (repo.root / ".git/curator").exists()


def test_what_another_process_added_meanwhile_is_kept(repo: Repo) -> None:
    mine, other = spool.load(repo.workspace, "s1"), spool.load(repo.workspace, "s1")
    mine.proposed.append("a")
    mine.offset = 10
    other.shown += [5, 6]
    other.paths = ["x"]
    spool.save(repo.workspace, "s1", other)
    spool.save(repo.workspace, "s1", mine)
    found = spool.load(repo.workspace, "s1")
    assert (found.proposed, found.shown, found.paths, found.offset) == (["a"], [5, 6], ["x"], 10)
    mine.proposed = []
    spool.save(repo.workspace, "s1", mine)
    assert spool.load(repo.workspace, "s1").proposed == []


def test_of_many_at_once_every_one_is_there(repo: Repo) -> None:
    def add(number: int) -> None:
        for step in range(20):
            state = spool.load(repo.workspace, "s1")
            state.shown.append(1000 * number + step)
            spool.save(repo.workspace, "s1", state)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(set(spool.load(repo.workspace, "s1").shown)) == 80
    assert sorted(path.name for path in file(repo).parent.iterdir()) == ["s1.json"]


def test_the_lock_of_a_session_is_refused_at_once_and_dies_with_its_process(repo: Repo) -> None:
    with spool.locked(repo.workspace, "s1") as first, spool.locked(repo.workspace, "s1") as second:
        assert (first, second) == (True, False)
        with spool.locked(repo.workspace, "s2") as other:
            assert other
    code = (
        "import os, sys; from curator.edge import spool, workspace\n"
        "held = spool.locked(workspace.open_at(sys.argv[1]), 's1'); assert held.__enter__(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(repo.root)], check=False)
    with spool.locked(repo.workspace, "s1") as again:
        assert again


def test_files_of_a_month_ago_are_removed_and_others_stay(repo: Repo) -> None:
    for name in ("old", "new"):
        state = spool.load(repo.workspace, name)
        state.offset = 1
        spool.save(repo.workspace, name, state)
    os.utime(file(repo, "old"), (1, 1))
    spool.clear(repo.workspace, file(repo, "new").stat().st_mtime + 60)
    assert spool.sessions(repo.workspace) == ("new",)


def test_a_lock_that_is_held_or_whose_session_is_there_stays(repo: Repo) -> None:
    state = spool.load(repo.workspace, "there")
    state.offset = 1
    spool.save(repo.workspace, "there", state)
    held, free = spool.locked(repo.workspace, "held"), spool.locked(repo.workspace, "free")
    there, sweeps = spool.locked(repo.workspace, "there"), spool.locked(repo.workspace, "")
    with free, there, sweeps:
        pass
    with held:
        for path in file(repo).parent.glob("*.lock"):
            os.utime(path, (1, 1))
        spool.clear(repo.workspace, file(repo, "there").stat().st_mtime)
        assert sorted(path.name for path in file(repo).parent.glob("*.lock")) == [".lock", "held.lock", "there.lock"]
        with spool.locked(repo.workspace, "held") as second:
            assert not second


def test_a_lock_that_was_removed_while_it_was_waited_for_is_none(repo: Repo) -> None:
    first = spool.locked(repo.workspace, "s1")
    assert first.__enter__()
    path = file(repo).with_suffix(".lock")

    def remove() -> None:
        time.sleep(0.2)
        path.unlink()
        first.__exit__()

    thread = threading.Thread(target=remove)
    thread.start()
    with spool.locked(repo.workspace, "s1", 5) as second:
        thread.join()
        assert second
        with spool.locked(repo.workspace, "s1") as third:
            assert not third


def test_lists_stay_bounded_and_the_newest_stay(repo: Repo) -> None:
    state = spool.load(repo.workspace, "s1")
    state.shown = list(range(30_000))
    spool.save(repo.workspace, "s1", state)
    assert spool.load(repo.workspace, "s1").shown == list(range(10_000, 30_000))
    assert len(json.loads(file(repo).read_text())["shown"]) == 20_000
