"""What a user says is never lost to a proposal of an agent's or an import's that has the same words, or takes room."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.core import keys
from curator.edge import arrivals, imported
from curator.verbs import forget
from tests.conftest import Repo
from tests.transcripts import SESSION, inbox, texts, typed

RULE = "Never push to main."


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / f"{SESSION}.jsonl"


def said(repo: Repo, log: Path, *words: str) -> str:
    log.write_text("".join(map(typed, words)))
    result = repo.curator("propose", "--transcript", str(log))
    assert result.exit_code == 0, result.stderr
    return result.stdout + result.stderr


def waits(repo: Repo, text: str, by: str = "agent", more: str = "") -> str:
    """A proposal of somebody else's, and its key."""
    key = keys.key("default", text)
    origin = f"origin:\n  by: {by}\n  agent: claude-code\n  created: '2026-01-01T00:00:00Z'\n  key: {key}\n{more}"
    body = f"schema: 1\nid: other-{key[:6]}\ncategory: gotcha\ntext: |\n  {text}\nimportance: 10\n"
    repo.write(f".git/curator/inbox/{key}.yaml", body + origin)
    return key


@pytest.mark.parametrize("by", ["agent", "tool", "model", "import"])
def test_a_weaker_proposal_gives_its_place_to_the_users_statement(base: Repo, log: Path, by: str) -> None:
    key = waits(base, "never push to MAIN", by)
    imported.note(base.workspace, [key], [key])
    assert "1 memory proposed" in said(base, log, RULE)
    (text,) = inbox(base).values()
    assert f"text: |\n  {RULE}\n" in text
    assert "\n  by: user\n" in text and "importance: 10" not in text and "seen" not in text
    assert imported.keys(base.workspace) == frozenset()
    assert arrivals.own(base.workspace) == (key,)


def test_what_gave_way_is_kept_aside_for_a_day(base: Repo, log: Path) -> None:
    key = waits(base, RULE)
    before = inbox(base)[key]
    said(base, log, RULE)
    (aside,) = (base.root / ".git/curator/replaced").iterdir()
    assert aside.read_text(encoding="utf-8") == before


def test_what_a_person_has_edited_gives_way_to_nobody(
    base: Repo, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = waits(base, RULE)
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/^importance: 10/importance: 2/" "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    assert base.curator("edit", key).exit_code == 0
    edited = inbox(base)[key]
    assert "importance: 2\n" in edited
    said(base, log, RULE)
    assert inbox(base)[key] == edited.replace("origin:\n", "seen: 2\norigin:\n")
    assert base.curator("reject", key, "--reason", "noise").exit_code == 0
    assert not list((base.root / ".git/curator/edited").iterdir())


def test_the_users_own_proposal_is_counted_and_keeps_its_place(base: Repo, log: Path) -> None:
    waits(base, RULE, "user")
    assert "said again" in said(base, log, RULE)
    (text,) = inbox(base).values()
    assert "id: other-" in text and "\nseen: 2\n" in text


PAIRS = [
    ("Always keep request timeouts > 30 seconds.", "Always keep request timeouts < 30 seconds."),
    ("Always write the parser in C#.", "Always write the parser in C++."),
    ("Always return 1 when the lock is taken.", "Always return -1 when the lock is taken."),
    ("Always compare the two digests with ==.", "Always compare the two digests with !=."),
]


@pytest.mark.parametrize("first", ["agent", "user"])
@pytest.mark.parametrize(("other", "own"), PAIRS)
def test_signs_that_turn_the_meaning_tell_statements_apart(
    base: Repo, log: Path, other: str, own: str, first: str
) -> None:
    waits(base, other, first)
    said(base, log, own)
    assert sorted(texts(base)) == sorted([other, own])
    assert "seen" not in "".join(inbox(base).values())


def test_what_agents_propose_takes_no_room(base: Repo, log: Path) -> None:
    for number in range(12):
        waits(base, f"Junk statement number {number} of an agent.")
    assert "1 memory proposed" in said(base, log, "We use ruff for linting, not flake8.")


def test_what_was_found_in_sessions_takes_room_whoever_said_it_first(base: Repo, log: Path) -> None:
    for number in range(10):
        waits(base, f"Junk statement number {number} of an agent.", more="  extractor: rules/1\n")
    assert "left out: 1 while 10 wait" in said(base, log, "We use ruff for linting, not flake8.")


def test_a_person_who_proposes_takes_the_place_of_an_agent(base: Repo) -> None:
    waits(base, RULE)
    result = base.curator("add", "--propose", RULE)
    assert result.exit_code == 0, result.stderr
    assert "takes the place of the same words proposed before (by agent)" in result.stderr
    assert "\n  by: user\n" in next(iter(inbox(base).values()))


def test_what_an_agent_proposed_while_a_session_was_read_gives_way_too(base: Repo) -> None:
    key = waits(base, RULE)
    mine = f"schema: 1\nid: x\ntext: |\n  {RULE}\norigin:\n  by: user\n"
    arrivals.deliver(base.workspace, [(key, mine, b"")])
    assert inbox(base) == {key: mine}
    arrivals.deliver(base.workspace, [(key, mine.replace("user", "tool"), b"")])
    assert inbox(base) == {key: mine}


def test_a_persons_wish_to_retire_takes_the_place_of_an_agents(base: Repo) -> None:
    base.memory("kept-b", RULE, more="review_by: '2099-12-31'\n")
    base.commit()
    more = {"now": "2026-01-01T00:00:00Z", "agent": ""}
    first = forget.run(base.workspace, "kept-b", "of an agent", by="agent", **more).edits[0]
    base.write(f".git/curator/inbox/{first.path.rpartition('/')[2]}", first.after)
    result = base.curator("retire", "kept-b", "--reason", "of a person", "--propose")
    assert result.exit_code == 0, result.stderr
    (text,) = inbox(base).values()
    assert "of a person" in text and "of an agent" not in text and "\n  by: user\n" in text
    assert not forget.run(base.workspace, "kept-b", "of an agent again", by="agent", **more).edits


def test_an_id_that_two_memories_have_is_no_name_to_retire_by(base: Repo) -> None:
    one = base.memory("twin", RULE, more="review_by: '2099-12-31'\n")
    base.write(f"pkgs/b/{one}", base.read(one).replace("Never", "Always"))
    base.write("pkgs/b/memories/curator.yaml", "")
    base.commit()
    result = base.curator("retire", one, "--reason", "gone", "--propose")
    assert result.exit_code == 2
    assert "another memory has the same id" in result.stderr
