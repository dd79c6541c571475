"""`curator propose`: what of a log is proposed, what is left out, who said it first, and what is printed."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from curator.core import codec, keys
from tests.conftest import Repo
from tests.transcripts import SESSION, answered, inbox, record, spool, texts, told, typed

RULES = [
    "We use ruff for linting, not flake8.",
    "We decided to use Postgres instead of SQLite.",
    "The API must stay backwards compatible with v1 clients.",
    "Tests should never hit the network.",
    "We no longer support Python 3.9, use 3.11.",
]
"""Statements that pass at the default, none of them an explicit order."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / f"{SESSION}.jsonl"


def propose(repo: Repo, log: Path, *options: str) -> str:
    result = repo.curator("propose", "--transcript", str(log), *options)
    assert result.exit_code == 0, result.stderr
    return result.stdout + result.stderr


def candidates(repo: Repo, log: Path, *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(propose(repo, log, "--dry-run", "--json", *options))["candidates"]
    return found


def test_a_proposal_waits_as_a_file_that_can_be_read_and_says_where_it_comes_from(base: Repo, log: Path) -> None:
    log.write_text(typed("Remember that the staging database is read-only."))
    assert "1 memory proposed, from 1 message; review with `curator review`" in propose(base, log)
    ((key, text),) = inbox(base).items()
    entry, findings = codec.read(text.encode(), "x.yaml", ("constraint", "decision", "gotcha"), placed=False)
    assert (findings, entry is not None) == ((), True)
    assert entry
    assert entry.text == "The staging database is read-only."
    assert re.fullmatch(r"staging-database-read-[0-9a-f]{6}", entry.id)
    origin = entry.origin
    assert (origin.by, origin.agent, origin.session, origin.trigger) == ("user", "claude-code", SESSION[:8], "propose")
    assert (origin.created, origin.extractor, origin.key) == ("2026-03-03T14:03:00Z", "rules/1", key)
    assert origin.quote == "Remember that the staging database is read-only."
    assert origin.commit == base.git("rev-parse", "--short", "HEAD").strip()
    assert key == keys.key("default", entry.text)
    assert base.git("status", "--porcelain") == ""


def test_the_words_are_not_kept_where_the_settings_drop_quotes(base: Repo, log: Path) -> None:
    base.write("memories/curator.yaml", "capture:\n  quotes: drop\n")
    base.add()
    log.write_text(typed("Remember that the staging database is read-only."))
    propose(base, log)
    assert "quote" not in next(iter(inbox(base).values()))


def test_a_second_run_proposes_nothing_and_the_hooks_own_place_stays(base: Repo, log: Path) -> None:
    log.write_text(typed("Never push to main."))
    propose(base, log)
    before = inbox(base)
    assert "0 memories proposed" in propose(base, log)
    assert inbox(base) == before
    assert spool(base)["offset"] == 0


def test_a_dry_run_writes_nothing(base: Repo, log: Path) -> None:
    log.write_text(typed("Never push to main."))
    assert "Never push to main." in propose(base, log, "--dry-run")
    assert inbox(base) == {}
    assert not (base.root / ".git/curator/spool").exists()


def test_what_is_known_is_left_out_and_named(base: Repo, log: Path) -> None:
    base.memory("b", "Never push to main.", more="review_by: '2099-12-31'\nretired: {on: '2026-01-02', reason: old}\n")
    base.commit()
    refused = keys.key("default", "Tests should never hit the network.")
    base.write(f".git/curator/rejected/{refused}", "noise\n")
    log.write_text("".join(map(typed, ["Never push to main!", "Tests should never hit the network.", RULES[0]])))
    propose(base, log)
    assert texts(base) == [RULES[0]]
    told = {one["text"]: (one["known"], one["proposed"]) for one in candidates(base, log)}
    assert told == {
        "Never push to main!": ("memory", False),
        "Tests should never hit the network.": ("refused", False),
        RULES[0]: ("waiting", False),
    }


def test_a_refusal_of_the_team_counts_too(base: Repo, log: Path) -> None:
    base.write(f"memories/.rejected/{keys.key('default', 'Never push to main.')}", "wrong\n")
    log.write_text(typed("Never push to main."))
    propose(base, log)
    assert inbox(base) == {}


def test_the_sentence_an_accepted_entry_was_made_of_is_known_after_its_text_was_edited(base: Repo, log: Path) -> None:
    key = keys.key("default", "Never push to main.")
    more = f"origin:\n  by: user\n  session: {SESSION[:8]}\n  key: {key}\nreview_by: '2099-12-31'\n"
    base.memory("b", "Push to main by pull request only.", more=more)
    base.commit()
    log.write_text(typed("Never push to main."))
    assert [one["known"] for one in candidates(base, log)] == ["memory"]


def test_a_session_may_propose_three_the_best_and_explicit_orders_pass(base: Repo, log: Path) -> None:
    log.write_text("".join(map(typed, [*RULES, "Always run make check before you push."])))
    said = propose(base, log)
    assert "left out: 2 over the limit of 3 a session" in said
    found = candidates(base, log)
    assert len(found) == 6
    waiting = texts(base)
    assert len(waiting) == 4
    assert "Always run make check before you push." in waiting
    left = [one["score"] for one in found if one["text"] not in waiting]
    kept = [one["score"] for one in found if one["text"] in waiting and not one["explicit"]]
    assert max(left) <= min(kept)
    log.write_text(log.read_text() + typed("The config lives in etc, not in the repo, by design."))
    propose(base, log)
    assert len(texts(base)) == 4


def test_ten_may_wait_and_explicit_orders_pass(base: Repo, log: Path) -> None:
    for number in range(10):
        base.write(f".git/curator/inbox/{number:012}.yaml", "schema: 1\n")
    log.write_text(typed(RULES[0]) + typed("Never push to main."))
    assert "left out: 1 while 10 wait in the inbox" in propose(base, log)
    assert len(inbox(base)) == 11
    assert "Never push to main." in "".join(inbox(base).values())


def test_what_curator_showed_the_session_is_not_proposed(base: Repo, log: Path) -> None:
    base.memory("b", "Never push to main. Tests should never hit the network.")
    base.commit()
    base.curator("render")
    base.memory("b", "Something else.")
    base.add()
    log.write_text(typed("Never push to main.") + typed("Tests should never hit the network.") + typed(RULES[0]))
    assert "left out: 2 said by curator itself" in propose(base, log)
    assert texts(base) == [RULES[0]]


@pytest.mark.parametrize(
    ("before", "label"),
    [
        (lambda: told("warning: x\nNever push\tto  main.\nmore"), "tool"),
        (lambda: answered("I will **never push** to `main`. Never push to main."), "agent"),
        (lambda: answered("Never push to main.") + told("never push to main"), "tool"),
        (lambda: typed("Never push to main?"), "user"),
        (lambda: answered("Never, ever push. To main I go."), "user"),
        (lambda: record("assistant", [{"type": "thinking", "thinking": "Never push to main."}]), "user"),
    ],
)
def test_what_an_agent_or_a_tool_said_before_keeps_the_weaker_label(
    base: Repo, log: Path, before: Any, label: str
) -> None:
    log.write_text(before() + typed("Never push to main."))
    (one,) = [one for one in candidates(base, log) if one["text"] == "Never push to main."]
    assert one["source"]["by"] == label
    propose(base, log)
    assert f"origin:\n  by: {label}\n" in next(iter(inbox(base).values()))


def test_what_is_said_only_afterwards_takes_nothing_away(base: Repo, log: Path) -> None:
    log.write_text(typed("Never push to main.") + answered("OK: never push to main."))
    assert [one["source"]["by"] for one in candidates(base, log)] == ["user"]


def test_the_label_holds_across_letters_that_json_escapes(base: Repo, log: Path) -> None:
    order = "Always answer in Übersee-Büro naming, 以后 too."
    log.write_text(told(order) + typed(order) + "\n", encoding="utf-8")
    raw = log.read_text().replace("\\u00dc", "Ü").replace("\\u00fc", "ü").replace("\\u4ee5\\u540e", "以后")
    assert [one["source"]["by"] for one in candidates(base, log)] == ["tool"]
    log.write_text(raw, encoding="utf-8")
    assert [one["source"]["by"] for one in candidates(base, log)] == ["tool"]


def test_a_memory_said_again_in_another_session_is_a_proposal_that_counts_it(base: Repo, log: Path) -> None:
    more = "seen: 2\norigin:\n  by: user\n  session: aaaaaaaa\n  created: '2026-01-01T00:00:00Z'\n"
    base.memory("b", "Never push to main.", more=f"{more}review_by: '2099-12-31'\n")
    base.commit()
    log.write_text(typed("never push to main"))
    assert "1 known statement said again" in propose(base, log)
    ((key, text),) = inbox(base).items()
    assert key == keys.key("default", "Never push to main.")
    assert "\nid: b\n" in text
    assert "\nseen: 3\n" in text
    propose(base, log)
    assert inbox(base) == {key: text}


def test_a_memory_of_the_same_session_or_said_earlier_is_no_repeat(base: Repo, log: Path) -> None:
    for name, session, created in (("b", SESSION[:8], "2026-01-01"), ("c", "aaaaaaaa", "2026-03-03")):
        origin = f"origin:\n  by: user\n  session: {session}\n  created: '{created}T14:03:00Z'\n"
        base.memory(name, f"Never push to branch {name}.", more=f"{origin}review_by: '2099-12-31'\n")
    base.commit()
    log.write_text(typed("Never push to branch b.") + typed("Never push to branch c."))
    propose(base, log)
    assert inbox(base) == {}
    log.write_text(typed("Never push to branch c.", timestamp="2026-03-03T14:03:01.000Z"))
    propose(base, log)
    assert len(inbox(base)) == 1


def test_a_waiting_proposal_said_again_elsewhere_is_counted_once_a_session(base: Repo, log: Path) -> None:
    log.write_text(typed("Never push to main."))
    propose(base, log)
    first = inbox(base)
    other = log.with_name("bbbbbbbb-1.jsonl")
    other.write_text(typed("Never push to main.", timestamp="2026-03-04T09:00:00.000Z"))
    for _ in range(2):
        propose(base, other)
    third = log.with_name("cccccccc-1.jsonl")
    third.write_text(typed("Never push to main.", timestamp="2026-03-05T09:00:00.000Z"))
    propose(base, third)
    ((key, text),) = inbox(base).items()
    assert list(first) == [key]
    assert text == first[key].replace("origin:\n", "seen: 3\norigin:\n")


def test_a_secret_is_neither_proposed_nor_written_anywhere(base: Repo, log: Path) -> None:
    token = "ghp_" + ("aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z" * 2)[:36]
    log.write_text(typed(f"Remember: for deploys export GITHUB_TOKEN={token} always"))
    assert token not in propose(base, log)
    for path in (base.root / ".git/curator").rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()
    assert inbox(base) == {}


def test_what_no_memory_may_hold_is_left_out(base: Repo, log: Path) -> None:
    log.write_text(typed("Always read @docs/rules.md before you start."))
    assert "left out: 1 that no memory may hold" in propose(base, log)
    assert inbox(base) == {}


def test_torn_lines_and_records_of_other_kinds_are_passed_over_and_counted(base: Repo, log: Path) -> None:
    lines = ["null", "[]", "42", '{"type":"assis', "", "   ", '{"type":"user"}', '{"type":"user","message":null}']
    log.write_bytes("\n".join([*lines, typed("Never push to main."), '{"ty"']).encode() + b"\xff\xfe\n\x00\x01\n")
    told = json.loads(propose(base, log, "--dry-run", "--json"))
    assert [one["text"] for one in told["candidates"]] == ["Never push to main."]
    assert (told["skipped"], told["messages"]) == (6, 1)
    assert "passed over: 6 lines that could not be read" in propose(base, log)


def test_json_says_where_each_candidate_stands_and_why(base: Repo, log: Path) -> None:
    first = typed("hello")
    log.write_text(first + typed("Never push to main.", uuid="u-1", timestamp="2026-03-03T14:03:09.123Z"))
    (one,) = candidates(base, log)
    assert one["source"] == {
        "message": "u-1",
        "offset": len(first),
        "session": SESSION,
        "time": "2026-03-03T14:03:09.123Z",
        "by": "user",
    }
    assert one["explicit"] is True
    assert one["score"] >= 0.9
    assert "prohibition" in one["reasons"]


def test_since_takes_a_date_or_a_byte(base: Repo, log: Path) -> None:
    first = typed("Never push to main.", timestamp="2026-03-01T10:00:00.000Z")
    log.write_text(first + typed("Always use make here.", timestamp="2026-03-02T10:00:00.000Z"))
    assert [one["text"] for one in candidates(base, log, "--since", "2026-03-02")] == ["Always use make here."]
    assert [one["text"] for one in candidates(base, log, "--since", str(len(first)))] == ["Always use make here."]
    assert len(candidates(base, log, "--since", "2026-01-01")) == 2
    result = base.curator("propose", "--transcript", str(log), "--since", "yesterday")
    assert result.exit_code == 2
    assert "'yesterday' is no date" in result.stderr


def test_standard_input_outside_of_any_repository(tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = typed("Never push to main.") + typed("hello")
    result = repo.curator("propose", "--transcript", "-", "--dry-run", "--json", stdin=lines)
    assert result.exit_code == 0, result.stderr
    assert [one["text"] for one in json.loads(result.stdout)["candidates"]] == ["Never push to main."]
    refused = repo.curator("propose", "--transcript", "-", stdin=lines)
    assert refused.exit_code == 2
    assert "not inside a git repository" in refused.stderr


def test_sensitivity_is_that_of_the_settings_or_of_the_option(base: Repo, log: Path) -> None:
    log.write_text(typed("We decided to use Postgres instead of SQLite.") + typed("The build should be in build/."))
    by_level = {level: len(candidates(base, log, "--sensitivity", level)) for level in ("quiet", "normal", "keen")}
    assert by_level["quiet"] <= by_level["normal"] <= by_level["keen"]
    assert all(one["score"] >= 0.7 for one in candidates(base, log, "--sensitivity", "quiet"))
    base.write("memories/curator.yaml", "capture:\n  sensitivity: quiet\n")
    base.add()
    assert len(candidates(base, log)) == by_level["quiet"]


def test_without_arguments_the_newest_log_of_this_repository_is_read_and_all_on_demand(
    base: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    assert "no session of this repository left a log" in base.curator("propose").stderr
    folder = tmp_path / "config" / "projects" / "-x"
    folder.mkdir(parents=True)
    for number, order in enumerate(("Never push to main.", "Always use make here.", "Never edit dist by hand.")):
        path = folder / f"s{number}.jsonl"
        where = str(tmp_path) if number == 2 else str(base.root)
        path.write_text(typed(order, cwd=where, timestamp=f"2026-03-0{number + 1}T00:00:00.000Z"))
        os.utime(path, (1772323200 + 86400 * number,) * 2)
    assert "Always use make here." in base.curator("propose", "--dry-run").stdout
    since = base.curator("propose", "--dry-run", "--all-sessions", "--since", "2026-03-02").stdout
    assert "Never push" not in since
    assert base.curator("propose", "--all-sessions").exit_code == 0
    assert texts(base) == ["Always use make here.", "Never push to main."]


@pytest.mark.parametrize("kind", ["missing", "folder"])
def test_a_log_that_cannot_be_read_is_named(base: Repo, log: Path, kind: str) -> None:
    if kind == "folder":
        log.mkdir()
    result = base.curator("propose", "--transcript", str(log))
    assert result.exit_code == 2
    assert f"{log}: cannot be read" in result.stderr


def test_what_a_tool_read_out_of_a_file_is_known_without_the_numbers_of_its_lines(base: Repo, log: Path) -> None:
    order = "Always run the linter before the tests and never after them."
    for mark in ("\u2192", "\t"):
        lines = ["# Rules", "Always run the linter before", "the tests and never after them."]
        log.write_text(told("\n".join(f"    {at}{mark}{line}" for at, line in enumerate(lines, 9))) + typed(order))
        assert [one["source"]["by"] for one in candidates(base, log)] == ["tool"]


@pytest.mark.parametrize("size", [5 << 20, 9 << 20])
def test_the_weaker_label_is_found_however_far_back(base: Repo, log: Path, size: int) -> None:
    filler = typed("x" * 500_000)
    log.write_text(filler + told("Never push to main.") + filler * (size // len(filler)) + typed("Never push to main."))
    assert [one["source"]["by"] for one in candidates(base, log)] == ["tool"]


def test_an_agent_may_look_and_makes_nobody_say_what_it_wrote(
    base: Repo, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    log.write_text(typed("Never push to main."))
    assert len(candidates(base, log)) == 1
    for options in (["--transcript", str(log)], ["--transcript", "-"], []):
        refused = base.curator("propose", *options, stdin=log.read_text())
        assert refused.exit_code == 2
        assert "`curator propose` is a person's decision" in refused.stderr
    assert inbox(base) == {}


@pytest.mark.parametrize("since", ["\u00b2", "0001-01-01", "9999-12-31T23:59:59", "9" * 5000])
def test_a_since_that_is_none_is_told(base: Repo, log: Path, since: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "XXX-14" if since.startswith("0") else "XXX+11")
    time.tzset()
    try:
        log.write_text(typed("Never push to main."))
        result = base.curator("propose", "--dry-run", "--transcript", str(log), "--since", since)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert result.exit_code == 2
    assert "is no date" in result.stderr


def test_from_a_byte_behind_the_end_nothing_is_read(base: Repo, log: Path) -> None:
    log.write_text(typed("Never push to main."))
    assert candidates(base, log, "--since", str(log.stat().st_size + 1)) == []


@pytest.mark.parametrize("name", ["inbox", "spool"])
def test_a_folder_that_cannot_be_written_is_told(base: Repo, log: Path, name: str) -> None:
    base.write(f".git/curator/{name}", "in the way")
    log.write_text(typed("Never push to main."))
    result = base.curator("propose", "--transcript", str(log))
    assert result.exit_code == 2, result.exception
    assert f".git/curator/{name}" in result.stderr
    assert "cannot be written: " in result.stderr


def test_a_memory_said_again_waits_for_its_turn_while_ten_wait(base: Repo, log: Path) -> None:
    origin = "origin:\n  by: user\n  session: aaaaaaaa\n  created: '2026-01-01T00:00:00Z'\n"
    base.memory("b", RULES[0], more=f"{origin}review_by: '2099-12-31'\n")
    base.commit()
    for number in range(10):
        base.write(f".git/curator/inbox/{number:012}.yaml", "schema: 1\n")
    log.write_text(typed(RULES[0]))
    propose(base, log)
    assert len(inbox(base)) == 10
    base.write(f".git/curator/inbox/{9:012}.yaml", "").unlink()
    propose(base, log)
    assert len(inbox(base)) == 10
    assert "\nid: b\n" in "".join(inbox(base).values())


SHOWING = {
    "recall": ["recall", "ruff"],
    "show": ["show", "b"],
    "list": ["list"],
    "json": ["recall", "ruff", "--json"],
}


@pytest.mark.parametrize("command", SHOWING)
def test_what_a_command_shows_a_session_is_not_proposed_by_it(
    base: Repo, log: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = base.root / base.memory("b", RULES[0])
    base.commit()
    base.curator("recall", "ruff")
    assert not (base.root / ".git/curator/spool").exists()
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert base.curator(*SHOWING[command]).exit_code == 0
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    path.unlink()
    base.commit()
    log.write_text(typed(RULES[0]) + typed(RULES[1]))
    propose(base, log)
    assert texts(base) == [RULES[1]]
