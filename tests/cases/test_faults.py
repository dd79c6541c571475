"""Faults at the command line: partly staged files, odd locales, repeated runs, newer files."""

from __future__ import annotations

import pytest

from tests.cases.conftest import Setup

BAD = "schema: 1\nid: a\ncategory: convention\ntext: |\n  x\nunknown: 1\n"


def test_f16_check_reads_the_index_and_changes_neither_status_nor_diff(case: Setup) -> None:
    at = case("base")
    good = at.read("memories/convention/a.yaml")
    for index, disk, code in ((good, BAD, 0), (BAD, good, 1)):
        at.write("memories/convention/a.yaml", index)
        at.git("add", "-A")
        at.write("memories/convention/a.yaml", disk)
        at.write("CLAUDE.md", at.read() + "unstaged\n")
        before = at.git("status", "--porcelain"), at.git("diff"), at.git("diff", "--cached")
        stamp = at.path(".git/index").stat().st_mtime_ns
        assert at.run("check").code == code
        assert at.path(".git/index").stat().st_mtime_ns == stamp
        assert (at.git("status", "--porcelain"), at.git("diff"), at.git("diff", "--cached")) == before
    assert at.git("stash", "list") == ""


@pytest.mark.parametrize(
    "more",
    [
        {"LANG": "C", "LC_ALL": "C"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1:strict"},
    ],
    ids=["C", "ascii", "cp1252", "latin-1"],
)
def test_f18_no_locale_stops_a_command_or_changes_a_file(case: Setup, more: dict[str, str]) -> None:
    at = case("base; mem b.yaml b convention 'naïve 日本 😀'; commit")
    shown = at.run("list", more=more)
    assert shown.code == 0
    assert b"convention/b" in shown.out
    assert at.run("render", "--diff", more=more).code == 0
    assert at.run("render", more=more).code == 0
    assert "- naïve 日本 😀" in at.block().split("\n")
    stdin = "Größe zählt: 日本.".encode()
    assert at.run("add", "-", "--category", "gotcha", stdin=stdin, more=more).code == 0
    (entry,) = at.path("memories/gotcha").iterdir()
    assert "Größe zählt: 日本.\n" in entry.read_text("utf-8")
    assert "- Größe zählt: 日本." in at.block().split("\n")


def test_f19_a_second_run_writes_nothing(case: Setup) -> None:
    at = case("base")
    assert at.run("init").code == 0
    assert at.run("render").code == 0
    names = ("CLAUDE.md", "memories/curator.yaml", "memories/memory.schema.json", ".gitattributes")
    before = [at.path(name).stat() for name in names]
    assert at.run("render").code == 0
    assert at.run("init").code == 0
    after = [at.path(name).stat() for name in names]
    assert [(one.st_mtime_ns, one.st_ino) for one in after] == [(one.st_mtime_ns, one.st_ino) for one in before]


@pytest.mark.parametrize("accepted", [False, True], ids=["add", "accept"])
def test_f19_after_a_revert_the_block_is_what_it_was(case: Setup, accepted: bool) -> None:
    at = case("base")
    assert at.run("render").code == 0
    at.sh("commit rendered")
    first = at.read()
    text = ("Deploy from main only.", "--category", "decision")
    assert at.run("add", *text, *(["--propose"] if accepted else [])).code == 0
    if accepted:
        assert at.git("status", "--porcelain") == ""
        assert at.run("accept", "--all").code == 0
    assert "- Deploy from main only." in at.block()
    at.git("commit", "-qm", "one more")
    assert at.git("status", "--porcelain") == ""
    at.git("revert", "--no-edit", "HEAD")
    assert at.run("render").code == 0
    assert at.read() == first
    assert b"Deploy" not in at.run("recall", "deploy from main").out


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("newer", "schema: 2\nid: newer\ncategory: convention\ntext: t\nmood: bright\n", "schema"),
        ("unknown", "schema: 1\nid: unknown\ncategory: convention\ntext: t\nmood: bright # why\n", "mood"),
    ],
)
def test_f20_a_newer_file_and_an_unknown_key_are_reported_and_kept(
    case: Setup, name: str, text: str, said: str
) -> None:
    at = case("base")
    path = f"memories/convention/{name}.yaml"
    at.write(path, text)
    at.sh("commit newer")
    ran = at.run("check")
    assert ran.code == 1
    assert any(line.startswith(path) and said in line for line in ran.told.split("\n"))
    rendered = at.run("render")
    assert rendered.code == 0
    assert path in rendered.told
    assert at.run("retire", name, "--reason", "old").code == 2
    assert at.run("add", "Deploy from main only.").code == 0
    assert at.run("init").code == 0
    assert at.read(path) == text


def test_f20_rewriting_an_entry_keeps_its_comments_and_layout(case: Setup) -> None:
    at = case("base")
    text = "# mine\nid:   kept   # here\nschema: 1\ncategory: 'convention'\ntext: >-\n  two\n  lines\n"
    at.write("memories/convention/kept.yaml", text)
    at.sh("commit kept")
    assert at.run("retire", "kept", "--reason", "old", changes=["memories/convention/kept.yaml"]).code == 0
    after = at.read("memories/convention/kept.yaml")
    assert after.startswith(text)
    assert after.removeprefix(text).startswith("retired:\n")
