"""Merges: conflicts are told before they are gone, and nothing depends on the order of things."""

from __future__ import annotations

from pathlib import Path

from tests.cases.conftest import Setup
from tests.conftest import FIXED


def test_me_01_a_conflict_inside_the_block_is_reported_and_then_replaced_with_it(case: Setup) -> None:
    at = case(
        r"""base; { echo top; echo "$S"; """
        r"""printf '<<<<<<< HEAD\n- one\n||||||| base\n- zero\n=======\n- two\n>>>>>>> br\n'; echo "$E"; """
        "echo tail; } >CLAUDE.md"
    )
    before = at.read()
    checked = at.run("render", "--check")
    assert checked.code != 0
    assert "conflict" in checked.told
    assert "CLAUDE.md" in checked.told
    assert at.read() == before
    assert at.run("render").code == 0
    for line in ("<<<<<<<", "|||||||", "=======", ">>>>>>>"):
        assert line not in at.read()
    assert "- Run pytest with -q." in at.block()


def test_me_01_a_conflict_that_reaches_outside_the_block_is_refused(case: Setup) -> None:
    at = case("base")
    at.write("CLAUDE.md", "<<<<<<< HEAD\n" + at.read() + "=======\nother\n>>>>>>> br\n")
    before = at.read()
    for arguments in (("render",), ("render", "--check")):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert "CLAUDE.md:1: a merge conflict on lines 1-10 is not resolved" in ran.told
    assert at.read() == before


def test_me_01_a_real_merge_leaves_the_conflict_inside_and_a_render_settles_it(case: Setup) -> None:
    at = case(
        "base; curator render; commit; git checkout -qb x; mem b.yaml b convention 'Their rule.'; git add -A; "
        "curator render; commit; git checkout -q main; mem c.yaml c convention 'Our rule.'; git add -A; "
        "curator render; commit; git merge -q --no-edit x || true"
    )
    checked = at.run("render", "--check")
    assert checked.code == 1
    assert "a merge conflict inside the block" in checked.told
    assert at.run("render").code == 0
    assert {"- Their rule.", "- Our rule."} <= set(at.block().split("\n"))
    at.sh("git add CLAUDE.md; git commit -q --no-edit")
    assert at.run("render", "--check").code == 0


def test_me_05_a_key_that_a_union_merge_doubled_is_refused_with_its_line(case: Setup) -> None:
    at = case(
        "base; echo 'memories/**/*.yaml merge=union' >.gitattributes; commit; git checkout -qb x; "
        "IMPORTANCE=3 mem a.yaml a convention 'Run pytest with -q.'; commit; git checkout -q main; "
        "IMPORTANCE=8 mem a.yaml a convention 'Run pytest with -q.'; commit; git merge -q --no-edit x; "
        "grep -c '^importance' memories/convention/a.yaml"
    )
    lines = at.read("memories/convention/a.yaml").split("\n")
    second = [number for number, line in enumerate(lines, 1) if line.startswith("importance")][1]
    ran = at.run("check")
    assert ran.code == 1
    assert f"memories/convention/a.yaml:{second}: error: " in ran.told
    assert "importance" in ran.told


def test_me_05_init_sets_union_for_nothing(case: Setup) -> None:
    at = case("base")
    at.sh("curator init --merge-driver --git-hooks --workflow; git add -A")
    assert "union" not in at.read(".gitattributes")
    assert "union" not in at.git("config", "--list", "--local")
    assert "`merge=union` is never set" in (Path(__file__).parents[2] / "docs/merging.md").read_text("utf-8")


def test_me_07_hash_seed_and_locale_and_place_do_not_change_a_byte(case: Setup) -> None:
    at = case(
        """base; for i in b bb z zz 10 9 a-1; do mem "m$i.yaml" "m$i" convention "rule $i ä Z B"; done; commit; """
        "git clone -q . ../o_$$"
    )
    (clone,) = at.outer.glob("o_*")
    results = set()
    for seed in range(10):
        folder = (at.folder, clone)[seed // 2 % 2]
        (folder / ".git/curator/index.db").unlink(missing_ok=True)
        at.git("checkout", "-q", "--", "CLAUDE.md", folder=folder)
        locale = ("C", "C.UTF-8")[seed % 2]
        more = {"PYTHONHASHSEED": str(seed), "LC_ALL": locale}
        assert at.run("render", folder=folder, more=more).code == 0
        results.add((folder / "CLAUDE.md").read_bytes())
    assert len(results) == 1
    (text,) = results
    order = [line.split()[2] for line in text.decode().split("\n") if line.startswith("- rule")]
    assert order == ["10", "9", "a-1", "b", "bb", "z", "zz"]


def test_me_07_the_date_and_the_folder_do_not_change_a_byte(case: Setup) -> None:
    at = case("base; mem b.yaml b convention 'Deploy only from main.'; commit")
    assert at.run("render").code == 0
    first = at.read()
    other = at.outer / "a folder with blanks"
    at.git("clone", "-q", ".", str(other))
    late = {name: "2031-05-05T00:00:00Z" for name in FIXED if name.endswith("_DATE")}
    assert at.run("render", folder=other, more=late).code == 0
    assert (other / "CLAUDE.md").read_text("utf-8") == first
