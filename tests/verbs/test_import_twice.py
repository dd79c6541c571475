"""Nothing is imported twice, and nothing by halves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.edge import arrivals, bulk, exchange, imported, inbox
from tests.conftest import Repo
from tests.importing import plan, reasons, table, texts, waiting

RULES = [
    ("gotcha", "The worker must be restarted after a deploy."),
    ("gotcha", "The cache is empty after a deploy."),
    ("decision", "Amounts are kept as integers."),
]


def store(repo: Repo, rows: list[tuple[str, str]] = RULES) -> str:
    return str(table(repo.root.parent / "m.db", "category TEXT, content TEXT", rows))


def test_a_second_import_finds_nothing_new(base: Repo) -> None:
    source = store(base)
    assert base.curator("import", source, "--yes").exit_code == 0
    before = waiting(base)
    again = base.curator("import", source, "--yes")
    assert again.exit_code == 0
    assert "0 proposals, 3 left where they are" in again.stdout
    assert "waits for review already" in again.stdout
    assert waiting(base) == before


def test_memories_retired_ones_refusals_and_repeats_are_known(base: Repo) -> None:
    base.memory("restart", RULES[0][1], "gotcha")
    base.memory("cache", RULES[1][1], "gotcha", "retired:\n  on: '2026-01-01'\n  reason: not so\n")
    base.commit()
    rows = [*RULES, ("decision", "amounts are kept as integers")]
    source = store(base, rows)
    found = plan(base, source)
    assert reasons(found) == {
        "memories row 1": "already a memory (restart)",
        "memories row 2": "was retired (cache)",
        "memories row 4": "said twice (memories row 3)",
    }
    assert base.curator("import", source, "--yes").exit_code == 0
    (key,) = waiting(base)
    assert base.curator("reject", key.removesuffix(".yaml"), "--reason", "noise").exit_code == 0
    assert reasons(plan(base, source))["memories row 3"] == "was refused before"


def test_what_was_accepted_in_other_words_is_not_brought_again(base: Repo) -> None:
    source = store(base, RULES[:1])
    base.curator("import", source, "--yes")
    (name,) = waiting(base)
    done = base.curator(
        "accept", name.removesuffix(".yaml"), "--text", "Restart the worker after a deploy.", "--no-render"
    )
    assert done.exit_code == 0, done.stderr
    assert next(iter(reasons(plan(base, source)).values())).startswith("already a memory")


def test_imports_take_no_room_from_what_sessions_say_and_wait_behind_it(base: Repo) -> None:
    rows = [("gotcha", f"The job {number} must be restarted by hand.") for number in range(30)]
    base.curator("import", store(base, rows), "--yes")
    assert base.curator("add", "Deploys happen on Fridays only.", "--propose").exit_code == 0
    space = base.workspace
    assert len(inbox.keys(space)) == 31
    assert len(arrivals.own(space)) == 1
    assert len(imported.keys(space)) == 30
    assert inbox.waiting(space)[0] == arrivals.own(space)[0]


def test_a_session_is_not_told_that_capture_stops_while_only_imports_wait(base: Repo) -> None:
    rows = [("gotcha", f"The job {number} must be restarted by hand.") for number in range(30)]
    base.curator("import", store(base, rows), "--yes")
    hook = [str(Path(sys.executable).with_name("curator-hook"))]
    started = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": str(base.root)}
    done = subprocess.run(hook, cwd=base.root, input=json.dumps(started), capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)["systemMessage"]
    assert "30 memories wait for review" in told
    assert "Nothing more is captured" not in told


def test_a_full_disk_leaves_nothing_of_an_import(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    source = store(base)
    real = bulk._written

    def full(path: str, data: bytes, number: int) -> str:
        if number == 2:
            raise OSError(28, "No space left on device")
        return real(path, data, number)

    monkeypatch.setattr(bulk, "_written", full)
    for options in ((), ("--accept",)):
        result = base.curator("import", source, "--yes", *options)
        assert result.exit_code == 2
        assert "nothing was imported: No space left on device" in result.stderr
        assert waiting(base) == []
        assert imported.keys(base.workspace) == frozenset()
        assert base.git("status", "--porcelain") == ""


def test_a_file_that_cannot_get_its_name_takes_all_others_with_it(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    source = store(base)
    real = exchange.place
    placed: list[str] = []

    def refuse(temporary: str, path: str) -> None:
        if len(placed) == 2:
            raise PermissionError(1, "Operation not permitted")
        placed.append(path)
        real(temporary, path)

    monkeypatch.setattr(exchange, "place", refuse)
    result = base.curator("import", source, "--accept", "--yes")
    assert result.exit_code == 2
    assert "nothing was imported: Operation not permitted" in result.stderr
    assert len(placed) == 2
    assert base.git("status", "--porcelain") == ""


def test_an_index_that_is_locked_leaves_nothing_of_an_accepted_import(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curator.edge.plumbing.LOCK_WAIT", 0.1)
    base.write(".git/index.lock", "")
    result = base.curator("import", store(base), "--accept", "--yes")
    assert result.exit_code == 2
    assert "index lock" in result.stderr
    (base.root / ".git/index.lock").unlink()
    assert base.git("status", "--porcelain") == ""


def test_what_a_killed_import_wrote_is_staged_by_the_next_under_the_same_names(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = store(base)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bulk, "remove", lambda paths: None)  # a process that is killed takes nothing back
        patch.setattr("curator.edge.plumbing.add", killed)
        base.curator("import", source, "--accept", "--yes")
    lying = {path.name for path in base.root.glob("memories/*/*.yaml")} - {"a.yaml"}
    assert len(lying) == 3
    result = base.curator("import", source, "--accept", "--yes", "--no-render")
    assert result.exit_code == 0, result.stderr
    staged = base.git("diff", "--cached", "--name-only").split()
    assert {Path(path).name for path in staged} == lying


@pytest.mark.parametrize("options", [(), ("--accept", "--no-render")])
def test_a_rerun_completes_an_import_that_was_killed_at_any_moment(base: Repo, options: tuple[str, ...]) -> None:
    rows = [("gotcha", f"The job {number} must be restarted by hand.") for number in range(400)]
    source = store(base, rows)
    command = [str(Path(sys.executable).with_name("curator")), "import", source, "--yes", *options]
    for delay in (0.5, 0.8, 1.1):
        process = subprocess.Popen(command, cwd=base.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    lock = base.root / ".git/index.lock"
    if lock.exists():  # git's own, which a person takes away
        lock.unlink()
    done = subprocess.run(command, cwd=base.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if options:
        found = [path for path in base.root.glob("memories/gotcha/*.yaml")]
        assert len(found) == 400
        assert base.git("status", "--porcelain", "memories").count("A  ") == 400
    else:
        assert len([name for name in waiting(base) if name.endswith(".yaml")]) == 400
        assert len(imported.keys(base.workspace)) == 400


def test_two_imports_at_once_make_each_proposal_once(base: Repo) -> None:
    rows = [("gotcha", f"The job {number} must be restarted by hand.") for number in range(200)]
    source = store(base, rows)
    command = [str(Path(sys.executable).with_name("curator")), "import", source, "--yes"]
    both = [subprocess.Popen(command, cwd=base.root, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [one.wait() for one in both] == [0, 0]
    assert len(waiting(base)) == 200


def test_the_plan_of_accept_says_memories_and_an_unknown_category_is_refused(base: Repo) -> None:
    source = store(base)
    assert "3 new memories" in base.curator("import", source, "--accept").stdout
    wrong = base.curator("import", source, "--category", "zebra")
    assert wrong.exit_code == 2
    assert "there are: " in wrong.stderr
    assert {entry["category"] for entry in texts(plan(base, source, "--category", "todo")).values()} == {"todo"}


def test_remove_is_for_rules_files_alone(base: Repo) -> None:
    result = base.curator("import", store(base), "--remove", "--yes")
    assert result.exit_code == 2
    assert "only the lines of a rules file" in result.stderr
    assert waiting(base) == []


def test_files_that_lay_about_under_other_names_are_removed_by_the_next_import(base: Repo) -> None:
    left = base.write(".git/curator/inbox/.tmp.curator.x.yaml.1.2.3", "half")
    os.utime(left, (0, 0))
    base.curator("import", store(base), "--yes")
    assert len(waiting(base)) == 3
