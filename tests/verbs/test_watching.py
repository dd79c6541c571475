"""Claude Code's own memory, looked at when a session starts: what is new there becomes a proposal, once."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from curator.edge import claude
from tests.conftest import Repo
from tests.transcripts import inbox

SAMPLE = Path(__file__).parent.parent / "data" / "imports" / "claude-memory"
FACT = """\
---
name: {name}
description: {text}
metadata:
  node_type: memory
  type: {kind}
  originSessionId: f3c493c1-a804-4648-8259-be96ce98e8e4
  modified: 2026-11-30T17:32:08.278Z
---

{text}
"""


@pytest.fixture
def watched(base: Repo) -> Repo:
    """A repository whose user lets curator look, and about which Claude Code remembers what the sample holds."""
    base.git("config", "curator.autoMemory", "true")
    shutil.copytree(SAMPLE, memory(base))
    return base


def memory(repo: Repo) -> Path:
    return Path(claude.memory_folder(repo.workspace, claude.own()))


def look(repo: Repo) -> None:
    """What a session's start has a child do."""
    run = repo.curator("sweep", "--watch")
    assert (run.exit_code, run.output) == (0, "")


def remember(repo: Repo, name: str, text: str, kind: str = "feedback") -> None:
    """What Claude Code does when it learns something."""
    path = memory(repo) / f"{name}.md"
    path.write_text(FACT.format(name=name, kind=kind, text=text), encoding="utf-8")


def texts(repo: Repo) -> list[str]:
    """The first lines of the statements that wait, in order."""
    return sorted(text.split("text: |\n  ")[1].split("\n")[0] for text in inbox(repo).values())


SAID = [
    "Ask before every git push, even when an earlier push in the session was approved.",
    "Spanish VAT is rounded per line in `shop/checkout/tax.py`, never on the order total.",
    "Tickets about tax live in the board CF; incidents go to the channel #tax-alerts.",
]


def test_what_is_remembered_becomes_proposals_of_an_import_and_nothing_of_it_twice(watched: Repo) -> None:
    look(watched)
    assert texts(watched) == SAID
    first = inbox(watched)
    assert all("  by: import\n" in text and "  extractor: import/claude-memory\n" in text for text in first.values())
    look(watched)
    assert inbox(watched) == first
    assert not (watched.root / ".git/curator/hook.log").exists()


def test_a_file_that_is_new_at_the_next_start_is_proposed_alone(watched: Repo) -> None:
    look(watched)
    for key in inbox(watched):
        assert watched.curator("reject", key, "--reason", "noise").exit_code == 0
    remember(watched, "makefile", "Always run the tests with make test.")
    look(watched)
    assert texts(watched) == ["Always run the tests with make test."]


def test_nothing_comes_again_that_was_accepted_in_other_words_and_then_taken_out_of_the_tree(watched: Repo) -> None:
    remember(watched, "makefile", "Always run the tests with make test.")
    look(watched)
    (key,) = (key for key, text in inbox(watched).items() if "make test" in text)
    assert watched.curator("accept", key, "--no-render").exit_code == 0
    watched.git("rm", "-qrf", "memories")
    look(watched)
    assert "Always run the tests with make test." not in texts(watched)


def test_nothing_comes_again_that_somebody_took_out_of_the_inbox(watched: Repo) -> None:
    look(watched)
    shutil.rmtree(watched.root / ".git/curator/inbox")
    look(watched)
    assert inbox(watched) == {}
    remember(watched, "makefile", "Always run the tests with make test.")
    look(watched)
    assert texts(watched) == ["Always run the tests with make test."]


def test_a_file_that_is_reworded_waits_once_in_its_last_words(watched: Repo) -> None:
    look(watched)
    for number in range(4):
        remember(watched, "clock", f"Always run the tax tests with the frozen clock number {number}.")
        look(watched)
    assert [text for text in texts(watched) if "frozen" in text] == [
        "Always run the tax tests with the frozen clock number 3."
    ]
    assert len(texts(watched)) == len(SAID) + 1


def test_what_a_reviewer_or_a_user_made_of_a_proposal_stays_beside_the_new_words(watched: Repo) -> None:
    remember(watched, "clock", "Always run the tax tests with the frozen clock.")
    look(watched)
    (path,) = (
        path for path in (watched.root / ".git/curator/inbox").iterdir() if "frozen" in path.read_text(encoding="utf-8")
    )
    path.write_text(
        path.read_text(encoding="utf-8").replace("frozen clock", "frozen clock, says Ada"), encoding="utf-8"
    )
    remember(watched, "clock", "Always run the tax tests twice.")
    look(watched)
    assert "Always run the tax tests with the frozen clock, says Ada." in texts(watched)
    assert "Always run the tax tests twice." in texts(watched)


def test_a_proposal_in_which_a_user_set_anything_stays_beside_the_new_words(watched: Repo) -> None:
    remember(watched, "clock", "Always run the tax tests with the frozen clock.")
    look(watched)
    (path,) = (
        path for path in (watched.root / ".git/curator/inbox").iterdir() if "frozen" in path.read_text(encoding="utf-8")
    )
    before = path.read_text(encoding="utf-8")
    after = re.sub("importance: \\d+\n", "", before).replace("origin:\n", "importance: 9\norigin:\n")
    assert after != before
    path.write_text(after, encoding="utf-8")
    remember(watched, "clock", "Always run the tax tests twice.")
    look(watched)
    assert path.read_text(encoding="utf-8") == after
    assert "Always run the tax tests twice." in texts(watched)


def test_what_another_file_still_says_stays_and_what_is_said_again_comes_back(watched: Repo) -> None:
    frozen, twice = "Always run the tax tests with the frozen clock.", "Always run the tax tests twice."
    remember(watched, "clock", frozen)
    remember(watched, "other", frozen)
    look(watched)
    remember(watched, "clock", twice)
    remember(watched, "other", twice)
    look(watched)
    assert frozen not in texts(watched)
    remember(watched, "clock", frozen)
    look(watched)
    assert {frozen, twice} <= set(texts(watched))
    (memory(watched) / "other.md").unlink()
    remember(watched, "clock", twice)
    remember(watched, "third", frozen)
    look(watched)
    assert {frozen, twice} <= set(texts(watched))


def test_what_is_about_the_user_stays_where_it_is(watched: Repo) -> None:
    look(watched)
    assert not any("ten years of Go" in text for text in inbox(watched).values())


def test_without_the_users_word_nothing_is_looked_at(watched: Repo) -> None:
    watched.git("config", "--unset", "curator.autoMemory")
    watched.write("memories/curator.yaml", "schema: 1\n")
    look(watched)
    assert inbox(watched) == {}


def test_settings_of_the_repository_lead_it_to_no_other_folder(watched: Repo, tmp_path: Path) -> None:
    """A repository that names any folder of the user's would have its notes proposed, and carried away by a sync."""
    private = tmp_path / "private"
    shutil.move(memory(watched), private)
    watched.write(".claude/settings.json", json.dumps({"autoMemoryDirectory": str(private)}))
    watched.write(".claude/settings.local.json", json.dumps({"autoMemoryDirectory": str(private)}))
    look(watched)
    assert inbox(watched) == {}
    settings = Path(claude.home()) / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"autoMemoryDirectory": str(private)}), encoding="utf-8")
    look(watched)
    assert texts(watched) == SAID


def test_a_memory_with_a_secret_is_no_proposal_and_its_neighbours_are(watched: Repo) -> None:
    remember(watched, "token", "The token of the tracker is " + "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5.")
    look(watched)
    assert texts(watched) == SAID
    assert not (watched.root / ".git/curator/hook.log").exists()


def test_a_folder_that_is_not_there_or_cannot_be_read_is_no_fault_of_the_session(watched: Repo) -> None:
    shutil.rmtree(memory(watched))
    look(watched)
    memory(watched).parent.mkdir(parents=True, exist_ok=True)
    memory(watched).write_text("a file\n", encoding="utf-8")
    look(watched)
    assert inbox(watched) == {}


def test_a_fault_stands_in_the_log_of_hooks_and_leaves_the_rest_of_the_sweep_alone(watched: Repo) -> None:
    blocked = Path(watched.workspace.common_dir) / "curator" / "inbox"
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("in the way", encoding="utf-8")
    look(watched)
    assert "auto memory" in watched.read(".git/curator/hook.log")


def test_two_sessions_that_start_at_once_propose_it_once(watched: Repo) -> None:
    program = [sys.executable, "-m", "curator", "sweep", "--watch"]
    children = [subprocess.Popen(program, cwd=watched.root) for _ in range(3)]
    assert [child.wait() for child in children] == [0, 0, 0]
    assert texts(watched) == SAID
    assert len(inbox(watched)) == len(SAID)
