"""Several sessions at once: proposals are neither lost nor doubled, and nobody waits for the dead."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from tests.cases.conftest import Case, Setup


def at_once(at: Case, count: int, *options: str) -> list[int]:
    """Start so many `curator add` together, each with its own text; their exit codes."""
    started = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "curator", "add", f"Rule number {number} is about invoices.", *options],
            cwd=at.folder,
            env=at.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(count)
    ]
    return [process.wait(60) for process in started]


def test_co_01_twenty_proposals_at_once_are_twenty_files_that_can_be_read(case: Setup) -> None:
    at = case("base")
    assert at_once(at, 20, "--propose") == [0] * 20
    files = sorted(at.path(".git/curator/inbox").iterdir())
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert len(files) == 20
    assert all(path.suffix == ".yaml" for path in files)
    ids = {text.split("\nid: ")[1].partition("\n")[0] for text in texts}
    assert len(ids) == 20
    assert sorted(f"Rule number {number} is about invoices." in "".join(texts) for number in range(20)) == [True] * 20
    assert at.git("status", "--porcelain") == ""


def test_co_05_a_killed_add_holds_up_nobody(case: Setup) -> None:
    at = case("base")
    holder = (
        "import sys, time; from curator.edge import files, workspace\n"
        "with files.lock(workspace.open_at(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(at.folder)], env=at.environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        process.send_signal(signal.SIGKILL)
    begun = time.monotonic()
    assert at_once(at, 1) == [0]
    assert time.monotonic() - begun < 5
