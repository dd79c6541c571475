"""Ids: any text gets a name of its own, and no name leads out of its folder."""

from __future__ import annotations

import re

import pytest

from tests.cases.conftest import Setup

NAME = re.compile("[a-z0-9][a-z0-9-]{0,79}")
FOREIGN = ("数据库迁移用 alembic 完成", "部署前先备份", "🚀", "🎯", "Иван")


def test_id_01_texts_without_latin_letters_get_proposals_of_their_own(case: Setup) -> None:
    at = case("base")
    for text in FOREIGN:
        assert at.run("add", "--propose", text).code == 0
    proposals = list(at.path(".git/curator/inbox").iterdir())
    assert len(proposals) == 5
    names = [re.findall(r"^id: (.*)$", path.read_text("utf-8"), re.M)[0] for path in proposals]
    assert len(set(names)) == 5
    for name in (*names, *(path.stem for path in proposals)):
        assert NAME.fullmatch(name), name
    assert at.run("accept", "--all").code == 0
    assert list(at.path(".git/curator/inbox").iterdir()) == []
    for text in FOREIGN:
        assert text in at.run("recall", text, "-k", "1").out.decode()


def test_id_01_texts_without_latin_letters_are_stored_and_found_again(case: Setup) -> None:
    at = case("base")
    for text in FOREIGN:
        assert at.run("add", "--no-render", "--category", "convention", text).code == 0
    stems = [path.stem for path in at.path("memories/convention").iterdir()]
    assert len(stems) == 6
    assert all(NAME.fullmatch(stem) for stem in stems)
    for text in FOREIGN:
        assert text in at.run("recall", text, "-k", "1").out.decode()


WAYS_OUT = ("../escape", "..", "a/../../b", "/abs/x", "..\\..\\x", "CON", ".git/hooks/pre-commit")


@pytest.mark.parametrize("propose", [(), ("--propose",)], ids=["add", "propose"])
def test_id_03_a_category_that_leads_elsewhere_is_refused(case: Setup, propose: tuple[str, ...]) -> None:
    # `save_memory` over MCP waits for the server. Each run is watched for files outside memories/ and the inbox.
    at = case("base; mkdir -p ../outside_$$")
    for name in WAYS_OUT[len(propose) :: 2]:
        ran = at.run("add", "Keep it inside.", "--category", name, *propose)
        assert ran.code == 2, name
        assert "category" in ran.told
    assert at.git("status", "--porcelain") == ""


def test_id_03_a_nul_byte_in_a_name_is_refused(case: Setup) -> None:
    # No program can get a NUL in an argument; a file may hold one.
    at = case("base; mkdir -p ../outside_$$")
    for key, line in (("id", 2), ("category", 3)):
        facts = {"id": "b", "category": "convention"} | {key: '"a\\0b"'}
        at.write(
            "memories/convention/b.yaml", f"schema: 1\nid: {facts['id']}\ncategory: {facts['category']}\ntext: |\n  x\n"
        )
        at.git("add", "-A")
        ran = at.run("check")
        assert ran.code == 1
        assert f"memories/convention/b.yaml:{line}: error: `{key}` must be" in ran.said


def test_id_03_an_entry_whose_id_leads_elsewhere_is_refused_and_left_out(case: Setup) -> None:
    at = case("base; mkdir -p ../outside_$$")
    for number, name in enumerate(WAYS_OUT):
        at.write(
            f"memories/convention/n{number}.yaml",
            f"schema: 1\nid: '{name}'\ncategory: convention\ntext: |\n  ESCAPED {number}\n",
        )
    at.git("add", "-A")
    ran = at.run("check")
    assert ran.code == 1
    for number in range(len(WAYS_OUT)):
        assert f"memories/convention/n{number}.yaml:2: error: `id` must be" in ran.said
    assert at.run("render").code == 0
    assert "ESCAPED" not in at.read()


@pytest.mark.parametrize("option", ["--supersedes", "--scope"])
def test_id_03_no_option_of_add_takes_a_name_that_leads_elsewhere(case: Setup, option: str) -> None:
    at = case("base; mkdir -p ../outside_$$")
    for name in ("../escape", "/abs/x", ".git/hooks"):
        ran = at.run("add", "Keep it inside.", option, name)
        assert ran.code == 2, name
    assert at.git("status", "--porcelain") == ""


def test_id_05_names_that_differ_only_in_case_are_both_named(case: Setup) -> None:
    at = case("base; mem Rule.yaml Rule convention one; mem rule.yaml rule convention two; commit")
    if len(list(at.path("memories/convention").iterdir())) < 3:
        pytest.skip("this file system does not tell the two names apart")
    ran = at.run("check")
    assert ran.code == 1
    assert "memories/convention/Rule.yaml:2: error: `id` must be" in ran.said
    assert "memories/convention/rule.yaml" in ran.said


def test_id_05_add_makes_lower_case_names_only(case: Setup) -> None:
    at = case("base")
    for text in ("ALWAYS RUN MAKE CHECK.", "Always run make check first"):
        assert at.run("add", text, "--category", "convention", "--no-render").code == 0
    stems = [path.stem for path in at.path("memories/convention").iterdir()]
    assert len({stem.lower() for stem in stems}) == 3
    assert all(NAME.fullmatch(stem) and stem == stem.lower() for stem in stems)
