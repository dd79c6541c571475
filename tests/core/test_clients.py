"""Claude Code's settings as text: hooks in, hooks out, everything else as it was."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as running
from hypothesis import strategies as some

from curator.core import clients
from curator.errors import CuratorError

PROGRAM = "/opt/my tools/curator-hook"
WHERE = ".claude/settings.json"

keys = some.text(max_size=6).filter(lambda key: key != "hooks") | some.sampled_from(["model", *clients.EVENTS])
values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
commands = some.text().map(lambda text: text.replace(clients.PROGRAM, ""))
groups = some.fixed_dictionaries(
    {"hooks": some.lists(some.fixed_dictionaries({"type": some.just("command"), "command": commands}), max_size=2)},
    optional={"matcher": some.text(max_size=5)},
)
theirs = some.dictionaries(some.sampled_from([*clients.EVENTS, "PreToolUse"]), some.lists(groups, max_size=2))
settings = some.dictionaries(keys, values, max_size=4).flatmap(
    lambda rest: some.one_of(some.just(rest), theirs.map(lambda hooks: {**rest, "hooks": hooks}))
)
layouts = some.sampled_from([{"indent": 2}, {"indent": "\t"}, {"indent": 4}, {}, {"separators": (",", ":")}])


def merged(text: str, program: str = PROGRAM, *, team: bool = False) -> str:
    return clients.merged(text, program, team=team, where=WHERE)


def without_ours(value: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The value after a merge, less the groups at the end of each list that were not there before."""
    hooks = {event: list(groups) for event, groups in value["hooks"].items()}
    held = before.get("hooks", {})
    cut = {event: groups[: len(held.get(event, []))] for event, groups in hooks.items()}
    return {**value, "hooks": {event: groups for event, groups in cut.items() if event in held}}


@running(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(settings, layouts, some.sampled_from(["", "\n", "\n\n"]), some.booleans())
def test_all_that_was_there_stays_in_its_order_and_goes_back_byte_for_byte(
    before: dict[str, Any], layout: dict[str, Any], end: str, team: bool
) -> None:
    text = json.dumps(before, **layout) + end
    hollow = clients.hollow(text, WHERE)
    after = merged(text, team=team)
    value = json.loads(after)
    assert list(value)[: len(before)] == list(before)
    rest = without_ours(value, before)
    assert rest == (before if "hooks" in before else {**before, "hooks": {}})
    if "hooks" in before:
        assert list(value["hooks"])[: len(before["hooks"])] == list(before["hooks"])
    assert sorted(one.event for one in clients.installed(value)) == sorted(clients.EVENTS)
    assert merged(after, team=team) == after, "a second time changes nothing"
    assert clients.removed(after, WHERE, keep=hollow) == text


@running(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(settings, layouts, some.booleans())
def test_another_place_or_form_is_brought_up_to_date_in_place(
    before: dict[str, Any], layout: dict[str, Any], team: bool
) -> None:
    text = json.dumps(before, **layout)
    assert merged(merged(text, "/old/curator-hook", team=team)) == merged(text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text", ["{\n  'model': 'opus'\n}\n", "{\n\t'a': 1,\n\t'hooks': {\n\t\t'Stop': []\n\t}\n}", "{'a':{},'hooks':{}}"]
)
def test_line_ends_and_indentation_are_the_users(text: str, newline: str) -> None:
    text = text.replace("'", '"').replace("\n", newline)
    after = merged(text)
    assert after.count("\n") == after.count(newline)
    assert clients.removed(after, WHERE, keep=clients.hollow(text, WHERE)) == text
    if "\t" in text:
        assert f'{newline}\t\t"SessionEnd": [' in after


def test_every_event_has_its_hook_and_the_end_of_a_session_a_timeout() -> None:
    hooks = json.loads(clients.new(PROGRAM, team=False, where=WHERE))["hooks"]
    assert tuple(hooks) == clients.EVENTS
    for event, groups in hooks.items():
        (group,) = groups
        (handler,) = group["hooks"]
        assert handler["type"] == "command"
        assert handler["command"] == "'/opt/my tools/curator-hook'"
        assert handler["timeout"] == (15 if event == "SessionEnd" else 10)
        assert group.get("matcher", "") == ("Edit|Write|MultiEdit|NotebookEdit" if event == "PostToolUse" else "")


def test_what_somebody_changed_in_our_hook_stays() -> None:
    text = clients.new(PROGRAM, team=False, where=WHERE)
    changed = text.replace('"timeout": 15', '"timeout": 60').replace("NotebookEdit", "NotebookEdit|Bash")
    assert merged(changed, "/new/curator-hook") == changed.replace("'/opt/my tools/curator-hook'", "/new/curator-hook")


def test_hooks_that_are_there_twice_become_one_and_those_of_other_events_go() -> None:
    twice = {"hooks": [{"type": "command", "command": "/a/curator-hook"}, {"type": "command", "command": "mine"}]}
    text = json.dumps({"hooks": {"Stop": [twice, twice], "Notification": [twice, {"hooks": twice["hooks"][:1]}]}})
    hooks = json.loads(merged(text))["hooks"]
    assert [one["command"] for group in hooks["Stop"] for one in group["hooks"]] == [
        "'/opt/my tools/curator-hook'",
        "mine",
        "mine",
    ]
    assert hooks["Notification"] == [{"hooks": twice["hooks"][1:]}]


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("curator-hook", True),
        ("/a/b/curator-hook", True),
        ("'/a b/curator-hook'", True),
        ("curator-hook | tee log", False),
        ("env X=1 curator-hook", False),
        ("/a/my-curator-hook", False),
        ("curator check", False),
        ("it's", False),
        (None, False),
        *((clients.command("", event, team=True), True) for event in clients.EVENTS),
    ],
)
def test_a_hook_of_ours_is_known_and_no_other(command: object, ours: bool) -> None:
    assert clients.is_ours(command) == ours


@pytest.mark.parametrize(
    ("text", "told", "line"),
    [
        ("", "is not JSON", ":1"),
        ('{\n  "a": 1,\n}', "is not JSON", ""),
        ('{\n  // why\n  "a": 1\n}', "holds a comment", ":2"),
        ('{"a": 1} /* end */', "holds a comment", ":1"),
        ("[]", "is not a JSON object", ""),
        ("null", "is not a JSON object", ""),
        ("\ufeff{}", "byte order mark", ":1"),
        ('{"a": 1, "a": 2}', "'a' is there twice", ""),
        ('{"a": NaN}', "NaN", ""),
        ('{"hooks": []}', "`hooks` is not an object", ""),
        ('{"hooks": {"Stop": {}}}', "`hooks.Stop` is no list", ""),
        ('{"hooks": {"Stop": [{"command": "x"}]}}', "`hooks.Stop` is no list", ""),
        ('{"hooks": {"Stop": ["curator-hook"]}}', "`hooks.Stop` is no list", ""),
        ('{"a": ' + "[" * 100_000, "nested too deeply", ""),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(text: str, told: str, line: str) -> None:
    with pytest.raises(CuratorError) as caught:
        merged(text)
    assert told in caught.value.message
    assert caught.value.where.startswith(WHERE + line)
    assert "docs/clients.md" in caught.value.hint


def test_hooks_of_another_shape_under_other_events_are_nobodys() -> None:
    text = '{"hooks": {"PreToolUse": {"x": 1}, "Notification": [3, {"hooks": "curator-hook"}, {"hooks": [7]}]}}'
    after = merged(text)
    assert clients.removed(after, WHERE) == text


def test_removing_takes_containers_that_are_left_empty_unless_they_were_so_before() -> None:
    after = merged('{"model": "opus", "hooks": {"Stop": []}}')
    assert clients.removed(after, WHERE) == '{"model": "opus"}'
    assert clients.removed(after, WHERE, keep=["Stop"]) == '{"model": "opus", "hooks": {"Stop": []}}'
    assert clients.removed(merged("{}"), WHERE) == "{}"


@pytest.mark.parametrize("event", clients.EVENTS)
def test_the_form_for_a_team_starts_curator_hook_where_it_is_and_else_says_one_line(event: str, tmp_path: Path) -> None:
    command = clients.command("", event, team=True)
    run = ["/bin/sh", "-c", command]
    done = subprocess.run(run, env={"PATH": "/nowhere"}, input=b"{}", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    if event == "SessionStart":
        assert json.loads(done.stdout) == {"systemMessage": clients.ABSENT}
        assert done.stdout.count(b"\n") == 1
    else:
        assert done.stdout == b""
    program = tmp_path / "curator-hook"
    program.write_text('#!/bin/sh\nread -r said\necho "$said"\nexit 7\n', encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(run, env={"PATH": str(tmp_path)}, input=b"event\n", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"event\n", b"")
