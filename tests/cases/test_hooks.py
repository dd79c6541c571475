"""What agents' clients send to the hook: it exits 0, says little, and captures what was said once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cases.conftest import Case, Setup
from tests.cases.hooking import SCRIPT, awaited, fired, inbox, proposed, warm

MAKE, PUSH = "Remember: use make.", "Remember: never push to main."
SAID = f"base; say user '{MAKE}' >t.jsonl; "
STATEMENTS = ["Never push to main.", "Use make."]


def test_hk_01_without_a_transcript_nothing_is_written(case: Setup) -> None:
    at = case("base; hook PreCompact ''")
    ran = fired(at)
    assert ran.out == b""
    assert ran.err.startswith(b"curator-hook: ")
    assert inbox(at) == {}


def test_hk_03_a_long_session_ends_in_time(case: Setup) -> None:
    at = warm(
        case(
            """base; python3 -c "
import json
line = json.dumps({'type': 'user', 'message': {'role': 'user', 'content': 'line 1 of a long session about nothing'}})
open('t.jsonl', 'w').writelines([line + chr(10)] * 8000)"; hook SessionEnd "$PWD/t.jsonl" """
        )
    )
    assert fired(at, script=SCRIPT).seconds < 2.0
    assert awaited(lambda: offset(at, "s1") == at.path("t.jsonl").stat().st_size)
    assert inbox(at) == {}


def offset(at: Case, session: str) -> int:
    path = at.folder / f".git/curator/spool/{session}.json"
    return int(json.loads(path.read_bytes())["offset"]) if path.exists() else 0


def test_hk_03_settings_declare_how_long_a_session_end_may_take(case: Setup) -> None:
    at = case("base")
    at.sh("curator init --claude")
    (hooks,) = json.loads(at.read(".claude/settings.json"))["hooks"]["SessionEnd"]
    assert all(one["timeout"] >= 5 for one in hooks["hooks"])


def test_hk_04_a_stop_that_a_hook_caused_is_left_alone(case: Setup) -> None:
    at = warm(case(SAID + """hook Stop "$PWD/t.jsonl" ',"stop_hook_active":true'"""))
    ran = fired(at)
    assert (ran.out, ran.err) == (b"", b"")
    assert not (at.folder / ".git/curator/spool").exists()
    assert inbox(at) == {}


@pytest.mark.parametrize("noisy", [{}, {"PYTHONWARNINGS": "always"}])
def test_hk_06_standard_output_is_one_line_of_json_for_its_event(case: Setup, noisy: dict[str, str]) -> None:
    at = warm(case(SAID + """echo 'print("noise")' >sitecustomize.py; hook SessionStart ''"""))
    assert at.run("add", "--propose", "Ship on Fridays.").code == 0
    answer = json.loads(fired(at, more=noisy).out)
    assert answer["hookSpecificOutput"] == {"hookEventName": "SessionStart"}
    assert answer["systemMessage"] == "curator: 1 memory waits for review. Run: curator review"
    for name in ("UserPromptSubmit", "SubagentStart", "PostToolUse", "Stop", "PreCompact", "SessionEnd"):
        at.sh(f"""hook {name} "$PWD/t.jsonl" ',"prompt":"pytest -q","tool_name":"Edit"'""")
        out = fired(at, more=noisy).out
        assert out == b"" or json.loads(out)["hookSpecificOutput"]["hookEventName"] == name
        assert out == b"" or name not in {"PreCompact", "SessionEnd", "Stop"}


HK_08 = SAID + (
    """mkdir -p src/deep; (cd src/deep; printf '{"session_id":"s","transcript_path":"%s","cwd":"%s","""
    """"hook_event_name":"SessionEnd"}' "$OLDPWD/t.jsonl" "$PWD" >../../hook.json)"""
)


@pytest.mark.parametrize("place", ["src/deep", "."])
def test_hk_08_from_a_folder_below_the_result_is_the_same(case: Setup, place: str) -> None:
    at = warm(case(HK_08))
    fired(at, folder=at.path(place))
    assert awaited(lambda: proposed(at)) == ["Use make."]
    assert not list(at.path("src/deep").iterdir())


def torn(at: Case) -> Case:
    lines = ['{"type":"assis', "", "   ", "null", "[]", "42"]
    text = at.sh(f"say user '{MAKE}'").stdout.decode() + "\n".join(lines) + "\n"
    text += at.sh(f"say user '{PUSH}'").stdout.decode() + '{"type":"user","message":{"role":"us'
    at.write("t.jsonl", text)
    at.sh('hook SessionEnd "$PWD/t.jsonl"')
    return at


def test_hk_10_torn_lines_are_counted_and_hide_no_other(case: Setup) -> None:
    at = warm(torn(case("base")))
    ran = fired(at)
    assert awaited(lambda: len(proposed(at)) == 2)
    assert proposed(at) == STATEMENTS
    assert b"1 line" in ran.err or b"lines" in ran.err


def test_hk_10_the_same_where_a_child_has_to_make_the_index_first(case: Setup) -> None:
    at = torn(case("base"))
    fired(at)
    assert awaited(lambda: len(proposed(at)) == 2)
    assert proposed(at) == STATEMENTS


@pytest.mark.parametrize(
    "data",
    [b"", b"not json", b"[]", b"\xef\xbb\xbf{}", b'{"hook_event_name":"Stop"}', b'{"transcript_path":null,"cwd":null}'],
)
def test_hk_13_input_of_no_use_is_told_in_one_line(case: Setup, data: bytes) -> None:
    at = case("base")
    ran = fired(at, data)
    assert ran.out == b""
    assert ran.err.startswith(b"curator-hook: ")


def test_hk_13_closed_input_is_told_in_one_line(case: Setup) -> None:
    at = case("base")
    done = at.sh(f'"{sys.executable}" "{SCRIPT}" <&-')
    assert done.stdout == b""
    assert done.stderr.startswith(b"curator-hook: nothing on standard input")


def test_hk_14_what_was_said_is_proposed_once_and_what_is_added_too(case: Setup) -> None:
    at = warm(case(SAID + 'hook Stop "$PWD/t.jsonl"'))
    fired(at)
    first = awaited(lambda: inbox(at))
    assert proposed(at) == ["Use make."]
    for _ in range(4):
        assert fired(at).out == b""
        assert inbox(at) == first
    at.sh(f"say user '{PUSH}' >>t.jsonl")
    fired(at)
    assert awaited(lambda: len(proposed(at)) == 2)
    assert proposed(at) == STATEMENTS
    assert first.items() <= inbox(at).items()


def test_hk_16_elsewhere_it_is_silent_and_leaves_nothing(case: Setup) -> None:
    at = case(f"mkdir plain; cd plain; say user '{MAKE}' >t.jsonl; hook SessionEnd \"$PWD/t.jsonl\"")
    ran = fired(at)
    assert (ran.out, ran.err) == (b"", b"")
    assert sorted(path.name for path in at.folder.iterdir()) == ["hook.json", "t.jsonl"]


HK_18 = (
    {"type": "summary", "summary": "x"},
    {"type": "file-history-snapshot"},
    {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Remember: meta noise."}},
    {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "Remember: sub-agent noise."}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "Remember: thought."}, {"type": "tool_use", "name": "Bash"}],
        },
    },
    {"type": "user", "message": {"content": None}},
    {"type": "user"},
    {"type": "user", "message": {"role": "user", "content": MAKE}},
)


def test_hk_18_only_what_a_person_typed_is_proposed(case: Setup) -> None:
    at = case("base")
    at.write("t.jsonl", "".join(f"{json.dumps(one)}\n" for one in HK_18))
    at.sh('hook SessionEnd "$PWD/t.jsonl"')
    fired(warm(at))
    assert awaited(lambda: proposed(at)) == ["Use make."]


def test_co_05_a_lock_that_somebody_holds_is_not_waited_for(case: Setup) -> None:
    at = warm(case(SAID + 'hook Stop "$PWD/t.jsonl"; mkdir -p .git/curator/spool'))
    holder = "import fcntl,sys\nheld = [open(name, 'a') for name in sys.argv[1:]]\n"
    holder += "for one in held: fcntl.flock(one, fcntl.LOCK_EX)\nprint('held', flush=True)\nsys.stdin.read()"
    names = [".git/curator/lock", ".git/curator/spool/s1.lock", ".git/curator/spool/none.lock"]
    process = subprocess.Popen(
        [sys.executable, "-c", holder, *names], cwd=at.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    try:
        assert process.stdout.readline() == b"held\n"
        for name in ("Stop", "SessionStart", "UserPromptSubmit"):
            at.sh(f"""hook {name} "$PWD/t.jsonl" ',"prompt":"pytest -q"'""")
            assert fired(at, script=SCRIPT).seconds < 2.0
    finally:
        process.communicate()
    at.sh('hook Stop "$PWD/t.jsonl"')
    fired(at)
    assert awaited(lambda: proposed(at)) == ["Use make."]
