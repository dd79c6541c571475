"""The example of the documents is what curator prints. To write it again: `python -m tests.example`."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests import example
from tests.conftest import Repo


def test_the_example_of_the_documents_is_what_is_printed(repo: Repo) -> None:
    example.build(repo)
    assert example.page(example.compared(repo)) == example.FILE.read_text(encoding="utf-8")


def test_the_command_prints_what_the_example_shows(repo: Repo) -> None:
    """But for dates, which depend on the day."""
    example.build(repo)
    ran = repo.curator("diff", "main..redis", "--format", "markdown")
    assert ran.exit_code == 0
    printed = re.sub(r"(\d [A-Z][a-z]{2}) 20\d\d", r"\1", ran.stdout)
    shown = example.FILE.read_text(encoding="utf-8").split("\n---\n")[1].strip("\n") + "\n"
    assert "".join(printed.split()) == "".join(shown.split())


def test_the_example_holds_one_of_each(repo: Repo) -> None:
    text = example.FILE.read_text(encoding="utf-8")
    for word in ("4 new", "1 changed", "1 moved", "1 superseded", "1 retired", "1 stale", "1 setting changed"):
        assert word in text
    for word in ("gives an order", "says nearly the same", "over budget", "superseded by the line above", "{+-n 2+}"):
        assert word in text


def test_the_comment_needs_no_utf8_locale(repo: Repo) -> None:
    """F18."""
    example.build(repo)
    repo.memory("wide", "加载种子数据到共享数据库之前先问一声。")
    repo.commit("wide")
    command = [sys.executable, "-m", "curator", "diff", "main..redis"]
    for form in ("markdown", "github", "terminal", "json"):
        printed = set()
        for more in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "utf-8"}):
            environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTHON"))}
            ran = subprocess.run(
                [*command, "--format", form], cwd=repo.root, env=environment | more, capture_output=True, check=False
            )
            assert (ran.returncode, ran.stderr) == (0, b"")
            printed.add(ran.stdout)
        assert len(printed) == 1, form
        if form in {"markdown", "terminal"}:
            assert "加载种子数据" in printed.pop().decode("utf-8")
