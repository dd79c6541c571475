"""Markers: the block is found only where there is exactly one, and nothing else of the file is touched."""

from __future__ import annotations

import re
import socket

import curator
from tests.cases.conftest import Setup
from tests.conftest import END, START


def test_mk_01_an_unclosed_marker_is_refused_with_its_line_and_nothing_is_lost(case: Setup) -> None:
    at = case(r"""base; printf '# P\n%s\nold\nHAND WRITTEN POLICY\n' "$S" >CLAUDE.md; commit""")
    before = at.read()
    for _ in range(3):
        ran = at.run("render")
        assert ran.code == 2
        assert "CLAUDE.md:2: the end marker is missing" in ran.told
        assert at.read() == before
    checked = at.run("render", "--check")
    assert checked.code == 2
    assert checked.told == ran.told


def test_mk_01_init_refuses_it_too_instead_of_calling_everything_in_place(case: Setup) -> None:
    at = case(r"""base; printf '# P\n%s\nold\nHAND WRITTEN POLICY\n' "$S" >CLAUDE.md; commit""")
    before = at.read()
    ran = at.run("init")
    assert ran.code == 2
    assert "CLAUDE.md:2: the end marker is missing" in ran.told
    assert at.read() == before


def test_mk_05_a_sentence_that_names_both_markers_is_no_block(case: Setup) -> None:
    at = case(
        r"""base; { echo "- the block sits between \`$S\` and \`$E\`, do not edit it"; """
        "block; echo tail; } >CLAUDE.md; commit"
    )
    sentence = at.read().split("\n")[0]
    assert at.run("render").code == 0
    assert at.read().split("\n")[0] == sentence
    assert "- Run pytest with -q." in at.block()
    assert at.read().endswith(f"{END}\ntail\n")


def test_mk_05_blanks_around_a_marker_are_allowed_and_kept(case: Setup) -> None:
    at = case("base")
    at.write("CLAUDE.md", f"top\n  {START} \t\nold\n\t{END}  \ntail")
    assert at.run("render").code == 0
    assert at.read().startswith(f"top\n  {START} \t\n## Agent memory\n")
    assert at.read().endswith(f"\n\t{END}  \ntail")


def test_mk_07_backslashes_stay_literal(case: Setup) -> None:
    at = case(
        r"""base; mem b.yaml b convention 'paths like C:\Users\sam\new, regex \d+ and \1, \g<0>, literal \n'; """
        "commit"
    )
    assert at.run("render").code == 0
    assert r"- paths like C:\Users\sam\new, regex \d+ and \1, \g<0>, literal \n" in at.block().split("\n")
    first = at.read()
    assert at.run("render").code == 0
    assert at.read() == first


def test_mk_08_an_edit_inside_the_block_is_never_discarded_in_silence(case: Setup) -> None:
    at = case(r"""base; sed -i 's/^old$/old\n- hand edit inside the block/' CLAUDE.md; commit""")
    checked = at.run("render", "--check")
    assert checked.code == 1
    assert "CLAUDE.md: the block is out of date" in checked.told
    shown = at.run("render", "--diff")
    assert shown.code == 0
    assert "\n-- hand edit inside the block\n" in shown.out.decode()
    written = at.run("render")
    assert written.code == 0
    assert "- hand edit inside the block" in written.told
    assert "hand edit" not in at.read()


def test_mk_09_a_second_render_writes_nothing_and_the_block_holds_nothing_that_moves(case: Setup) -> None:
    at = case("base")
    assert at.run("render").code == 0
    first, written = at.read(), at.path("CLAUDE.md").stat()
    status = at.git("status", "--porcelain")
    assert at.run("render").code == 0
    assert at.read() == first
    assert at.path("CLAUDE.md").stat().st_mtime_ns == written.st_mtime_ns
    assert at.path("CLAUDE.md").stat().st_ino == written.st_ino
    assert at.git("status", "--porcelain") == status
    block = at.block()
    assert not re.search(r"\d{4}-\d\d|\d\.\d|\d:\d\d", block)
    for moving in (curator.__version__, socket.gethostname(), str(at.folder), str(at.outer), "2099"):
        assert moving not in block


def test_mk_10_a_file_without_markers_is_left_alone_and_init_is_named(case: Setup) -> None:
    at = case("repo; mem a.yaml a convention x; echo '# P' >CLAUDE.md; commit")
    for arguments in (("render",), ("render", "--check")):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "CLAUDE.md: no memory block: both markers are missing" in ran.told
        assert "`curator init`" in ran.told
    assert at.read() == "# P\n"


def test_mk_10_a_target_that_is_not_there_is_not_created_and_init_is_named(case: Setup) -> None:
    at = case("repo; mem a.yaml a convention x; echo '# P' >CLAUDE.md; commit")
    at.path("CLAUDE.md").unlink()
    for arguments in (("render",), ("render", "--check")):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "CLAUDE.md" in ran.told
        assert "`curator init`" in ran.told
    assert not at.path("CLAUDE.md").exists()


def test_mk_11_without_memories_the_block_has_one_stable_form_and_no_file_is_made(case: Setup) -> None:
    at = case(
        "repo; mkdir memories; touch memories/.gitkeep; { echo hi; block; } >CLAUDE.md; commit; "
        "rm CLAUDE.md; git commit -qam gone; git checkout -q HEAD~1 -- CLAUDE.md"
    )
    assert at.run("render").code == 0
    first = at.read()
    assert first.startswith(f"hi\n{START}\n")
    assert "old" not in at.block()
    assert at.run("render").code == 0
    assert at.read() == first
    assert at.run("render", "--check").code == 0
    at.git("rm", "-qf", "CLAUDE.md")
    assert at.run("render").code == 2
    assert sorted(path.name for path in at.folder.iterdir()) == [".git", "memories"]


def test_mk_13_stacked_end_markers_are_counted_and_nothing_is_written(case: Setup) -> None:
    at = case("""base; { block; for i in $(seq 40); do echo "$E"; done; echo tail; } >CLAUDE.md; commit""")
    before = at.read()
    for arguments in (("render", "--check"), ("render",)):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "CLAUDE.md:4: 40 stray end markers on lines 4, 5, 6, 7, 8 and 35 more" in ran.told
    assert at.read() == before
