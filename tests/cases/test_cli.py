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
