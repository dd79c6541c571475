"""Edits as patches: git applies what is shown."""

from __future__ import annotations

import subprocess

import pytest

from curator.core import report
from curator.outcome import Edit
from tests.conftest import Repo


def applied(repo: Repo, edit: Edit, *, gone: bool = False) -> str | None:
    """What git makes of the file from the lines of a diff; None where it is not there."""
    if edit.before is not None:
        repo.write(edit.path, edit.before)
    shown = "".join(f"{line}\n" for line in report.diff(edit, gone=gone))
    subprocess.run(["git", "apply"], input=shown.encode("utf-8", "surrogateescape"), cwd=repo.root, check=True)
    return repo.read(edit.path) if (repo.root / edit.path).exists() else None


@pytest.mark.parametrize("path", ["a.md", "deep/a b.md", 'a "b"\\c.md', "ünïcode.md"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "one\ntwo\n"),
        (None, "no line break"),
        (None, ""),
        ("one\ntwo\n", "one\n2\n"),
        ("one", "one\n"),
        ("one\n", "one"),
        ("one\r\ntwo\r\n", "one\r\n"),
        ("", "one\n"),
        ("one\n", ""),
        ("a\x0cb\x85c\u2028d\n", "a\x0cb\x85c\u2028d\ne\n"),
    ],
)
def test_git_applies_a_diff_as_it_is_shown(repo: Repo, path: str, before: str | None, after: str) -> None:
    assert applied(repo, Edit(path, before, after)) == after


@pytest.mark.parametrize("before", ["one\ntwo\n", "no line break", ""])
def test_git_applies_a_removal(repo: Repo, before: str) -> None:
    assert applied(repo, Edit("a.md", before, "{}\n"), gone=True) is None


def test_a_new_file_has_no_line_before(repo: Repo) -> None:
    lines = report.diff(Edit("a.md", None, "one\ntwo\n"))
    assert lines[2:] == ("--- /dev/null", "+++ b/a.md", "@@ -0,0 +1,2 @@", "+one", "+two")
