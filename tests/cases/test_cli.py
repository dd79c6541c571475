"""The command line itself: closed pipes, and settings that are not what they should be."""

from __future__ import annotations

import re

import pytest

from tests.cases.conftest import Setup


def test_cl_01_a_reader_that_leaves_or_a_closed_output_gives_no_traceback(case: Setup) -> None:
    at = case(
        """base; python3 -c "
for i in range(2000): open(f'memories/convention/m{i}.yaml','w').write(f'schema: 1\\nid: m{i}\\ncategory: convention\\ntext: rule {i}\\n')"; git add -A"""  # noqa: E501
    )
    before = at.seen()
    for line in ("recall rule -k 2000 | head -1", "recall rule | head -1", "list | head -1", "check >&-", "list >&-"):
        done = at.sh(f"curator {line}", ok=False)
        assert b"Traceback" not in done.stderr, line
        assert b"Exception ignored" not in done.stderr, line
        assert b"BrokenPipeError" not in done.stderr, line
        assert done.stdout.count(b"\n") == ("head" in line), line
    changed = {path for path, seen in at.seen().items() if before.get(path) != seen}
    assert all(".git/curator" in str(path) for path in changed)


def test_cl_03_wrong_settings_are_named_with_file_line_and_key(case: Setup) -> None:
    at = case(
        r"base; printf 'schema: 1\nbudget:\n  categories:\n    convention: lots\nunknwon: 1\n' >memories/curator.yaml; "
        "git add -A"
    )
    for command in ("render", "check", "recall", "list", "status"):
        ran = at.run(command)
        assert ran.code == 2, command
        told = ran.told.split("\n")
        assert any("memories/curator.yaml:5" in line and "unknwon" in line for line in told), ran.told
        assert any(re.search("memories/curator.yaml:[34]: .*categories.* whole number", line) for line in told), (
            ran.told
        )


@pytest.mark.parametrize(
    ("settings", "line", "said"),
    [
        ("budgets:\n  gotcha: 100\n", 1, "budget"),
        ("schema: 1\nbudget:\n  convention: lots\n", 3, "number"),
        ("schema: 1\nblock: there\n", 2, "main"),
        ("schema: 1\nhalf_life_days:\n  gotchas: 10\n", 3, "gotcha"),
        ("schema: 1\nrecall:\n  limt: 10\n", 3, "limit"),
        ("schema: 1\npreamble: maybe\n", 2, "true"),
        ("- a\n", 1, "memories/curator.yaml"),
    ],
)
def test_cl_03_each_message_says_what_is_expected(case: Setup, settings: str, line: int, said: str) -> None:
    at = case("base")
    at.write("memories/curator.yaml", settings)
    at.git("add", "-A")
    ran = at.run("check")
    assert ran.code == 2
    assert f"memories/curator.yaml:{line}: " in ran.told
    assert said in ran.told
    assert len(ran.told.rstrip("\n").split("\n")) <= 2


@pytest.mark.parametrize(
    "arguments", [("--nope",), ("nope",), ("add", "--importance", "11", "x"), ("recall", "-k", "none", "x")]
)
def test_a_usage_error_ends_with_2_and_names_what_is_wrong(case: Setup, arguments: tuple[str, ...]) -> None:
    at = case("base")
    ran = at.run(*arguments)
    assert ran.code == 2
    assert ran.out == b""
    assert "Error: " in ran.told


def test_a_blank_reason_is_refused_before_anything_is_written(case: Setup) -> None:
    at = case("base")
    before = at.read("memories/convention/a.yaml")
    for reason in ("", "  "):
        assert at.run("retire", "a", "--reason", reason, changes=["memories/convention/a.yaml"]).code == 2
        assert at.read("memories/convention/a.yaml") == before


@pytest.mark.parametrize(("to", "said"), [("../y.md", "outside the work tree"), (".git/x", "git's own folder")])
def test_a_block_for_a_task_goes_into_no_file_outside(case: Setup, to: str, said: str) -> None:
    at = case("base")
    ran = at.run("render", "--task", "tests", "--to", to)
    assert ran.code == 2
    assert said in ran.told


def test_an_agent_proposes_and_decides_nothing(case: Setup) -> None:
    at = case("base")
    more = {"CLAUDECODE": "1"}
    assert at.run("add", "Deploy from main only.", more=more).code == 0
    assert at.git("status", "--porcelain") == ""
    (proposal,) = at.path(".git/curator/inbox").iterdir()
    assert "  agent: claude-code\n" in proposal.read_text("utf-8")
    for arguments in (
        ("retire", "a", "--reason", "old"),
        ("edit", "a"),
        ("confirm", "a"),
        ("accept", proposal.stem),
        ("accept", "--all"),
        ("reject", proposal.stem, "--reason", "noise"),
        ("later", proposal.stem),
        ("edit", proposal.stem),
        ("review", "--plain"),
    ):
        ran = at.run(*arguments, more=more)
        assert ran.code == 2
        assert "a person's decision" in ran.told
    assert proposal.exists()
    assert at.git("status", "--porcelain") == ""
