"""When the gate speaks, to whom, and what it counts as a lookup or a proposal."""

from __future__ import annotations

import pytest

from curator.core import gate
from curator.core.gate import Since, Tally

LONG = float("inf")


def since(calls: int = 5, silent: float = LONG, lookups: int = 0, stores: int = 0, **more: bool) -> Since:
    return Since(
        Tally(calls, lookups, stores, more.get("writes", 1)),
        silent,
        more.get("first", False),
        more.get("reminded", False),
    )


@pytest.mark.parametrize(
    ("mode", "what", "due"),
    [
        ("block", since(), True),
        ("remind", since(), True),
        ("off", since(), False),
        ("", since(), False),
        ("block", since(calls=2), False),
        ("block", since(calls=3), True),
        ("block", since(silent=599), False),
        ("block", since(silent=600), True),
    ],
)
def test_it_looks_only_after_some_calls_and_some_minutes(mode: str, what: Since, due: bool) -> None:
    assert gate.is_due(mode, what) is due


@pytest.mark.parametrize(
    ("changed", "stored", "stores", "wanted"),
    [(True, False, 0, True), (True, True, 0, False), (True, False, 1, False), (False, False, 0, False)],
)
def test_a_memory_is_wanted_when_files_changed_and_nothing_was_stored(
    changed: bool, stored: bool, stores: int, wanted: bool
) -> None:
    assert gate.wants_memory(since(stores=stores), changed=changed, stored=stored) is wanted


def test_a_lookup_is_wanted_at_the_first_check_only_and_where_there_is_something_to_find() -> None:
    assert gate.wants_lookup(since(first=True), asked=True, memories=True)
    assert not gate.wants_lookup(since(first=True), asked=False, memories=True)
    assert not gate.wants_lookup(since(first=True), asked=True, memories=False)
    assert not gate.wants_lookup(since(first=True, lookups=1), asked=True, memories=True)
    assert not gate.wants_lookup(since(first=False), asked=True, memories=True)


def test_the_agent_is_sent_back_and_the_user_is_told_once() -> None:
    blocked = gate.answer("block", gate.STORE, since(reminded=True))
    assert blocked is not None
    assert blocked["decision"] == "block"
    assert "curator add --propose" in str(blocked["reason"])
    reminded = gate.answer("remind", gate.STORE, since())
    assert reminded is not None
    assert list(reminded) == ["systemMessage"]
    assert gate.answer("remind", gate.STORE, since(reminded=True)) is None
    assert gate.answer("block", "", since()) is None


def test_what_it_says_is_marked_as_curators_own() -> None:
    for mode in ("block", "remind"):
        for want in (gate.STORE, gate.LOOKUP):
            said = gate.answer(mode, want, since())
            assert said
            assert str(said.get("reason") or said["systemMessage"]).startswith("curator:")


@pytest.mark.parametrize(
    ("name", "detail", "counted"),
    [
        ("Bash", "curator recall 'tax rounding'", Tally(1, 1, 0, 1)),
        ("Bash", "cd src && curator recall tax | head", Tally(1, 1, 0, 1)),
        ("Bash", "python -m curator recall tax", Tally(1, 1, 0, 1)),
        ("Bash", "git log --grep recall", Tally(1, 0, 0, 1)),
        ("Bash", "curator add --propose 'x'", Tally(1, 0, 1, 1)),
        ("Bash", "cat curator/cli.py; echo add", Tally(1, 0, 0, 1)),
        ("Bash", "X=1 .venv/bin/curator add 'x; y' --why 'see --help'", Tally(1, 0, 1, 1)),
        ("Bash", "cd a\n(uv run --frozen curator add x)", Tally(1, 0, 1, 1)),
        ("Bash", "if true; then curator add x; fi", Tally(1, 0, 1, 1)),
        ("Bash", "curator add --help", Tally(1, 0, 0, 1)),
        ("Bash", "curator recall -h", Tally(1, 0, 0, 1)),
        ("Bash", "git -C /srv/curator add file.py", Tally(1, 0, 0, 1)),
        ("Bash", "git commit -m 'curator: add x'", Tally(1, 0, 0, 1)),
        ("Bash", "git commit -m 'done; curator add x'", Tally(1, 0, 0, 1)),
        ("Bash", "grep -r curator add", Tally(1, 0, 0, 1)),
        ("Bash", "curator propose --dry-run", Tally(1, 0, 0, 1)),
        ("Bash", "curator address", Tally(1, 0, 0, 1)),
        ("mcp__curator__recall", "", Tally(1, 1, 0)),
        ("mcp__curator__save_memory", "", Tally(1, 0, 1, 1)),
        ("Read", "docs/curator recall.md", Tally(1, 0, 0)),
        ("Edit", "src/a.py", Tally(1, 0, 0, 1)),
    ],
)
def test_lookups_and_proposals_are_seen_in_tool_calls(name: str, detail: str, counted: Tally) -> None:
    assert gate.tally([(name, detail)]) == counted
