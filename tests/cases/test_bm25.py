"""Search: small stores, frequent words, ties and empty queries give the answers a person expects."""

from __future__ import annotations

import re

import pytest

from tests.cases.conftest import Case, Setup

TWO = (
    "repo; block >CLAUDE.md; mem a.yaml a convention 'Run pytest with -q'; "
    "mem b.yaml b convention 'Deploy with terraform'; commit"
)
THREE = (
    "repo; block >CLAUDE.md; mem a.yaml a convention 'use pytest'; mem b.yaml b convention 'use ruff'; "
    "mem c.yaml c convention 'use pytest xdist'; commit"
)


def found(at: Case, *query: str) -> list[str]:
    """The ids of the hits, best first."""
    ran = at.run("recall", *query)
    assert ran.code == 0
    return re.findall(r"^convention/(\S+)", ran.out.decode(), re.M)


def test_bm_01_in_a_store_of_two_each_word_finds_its_memory_and_no_other(case: Setup) -> None:
    at = case(TWO)
    assert found(at, "how do I run pytest") == ["a"]
    assert found(at, "terraform") == ["b"]


def test_bm_03_a_word_of_most_memories_still_finds_them(case: Setup) -> None:
    at = case(THREE)
    assert sorted(found(at, "pytest")) == ["a", "c"]


def test_bm_05_without_memories_search_and_render_end_well_and_find_nothing(case: Setup) -> None:
    # Recall over MCP waits for the server.
    at = case("repo; block >CLAUDE.md; mkdir memories; touch memories/.gitkeep; commit")
    ran = at.run("recall", "x")
    assert (ran.code, ran.out) == (0, b"")
    assert ran.told == "nothing found in 0 memories\n"
    assert at.run("recall", "x", "--json").json()["results"] == []
    assert at.run("render").code == 0


@pytest.mark.parametrize("query", ["", "   "])
def test_bm_07_an_empty_query_finds_nothing_each_time(case: Setup, query: str) -> None:
    at = case("base; mem b.yaml b convention B; mem c.yaml c convention C; commit")
    first = at.run("recall", query)
    assert (first.code, first.out) == (0, b"")
    again = at.run("recall", query)
    assert (again.out, again.err) == (first.out, first.err)


def test_bm_09_words_that_look_like_stop_words_are_found_and_stop_words_find_nothing(case: Setup) -> None:
    at = case(
        "base; mem b.yaml b convention 'DO NOT use find, use fd'; mem c.yaml c convention 'the and of to'; commit"
    )
    assert found(at, "find use") == ["b"]
    assert found(at, "the of and") == []


def test_bm_12_ties_stand_in_the_order_of_their_ids_everywhere(case: Setup) -> None:
    at = case(
        """repo; block >CLAUDE.md; for i in z y x w v; do mem $i.yaml $i convention "alpha $i"; done; """
        "mem q.yaml q convention other; mem r.yaml r convention thing; mem s.yaml s convention else; "
        "mem t.yaml t convention more; mem u.yaml u convention last; mem p.yaml p convention end; commit; "
        "git clone -q . ../t_$$"
    )
    assert found(at, "alpha") == ["v", "w", "x", "y", "z"]
    (clone,) = at.outer.glob("t_*")
    other = at.outer / "other"
    other.mkdir()
    at.sh(
        """repo; block >CLAUDE.md; for i in p u t s r q; do mem $i.yaml $i convention "no $i"; done; commit; """
        """for i in v z w y x; do mem $i.yaml $i convention "alpha $i"; commit; done""",
        folder=other,
    )
    for place in (clone, other):
        ran = at.run("recall", "alpha", folder=place)
        assert re.findall(r"^convention/(\S+)", ran.out.decode(), re.M) == ["v", "w", "x", "y", "z"]


def test_bm_13_unrelated_memories_do_not_change_what_is_found(case: Setup) -> None:
    at = case(THREE)
    before = found(at, "pytest")
    at.sh('for i in 1 2 3 4; do mem n$i.yaml n$i convention "unrelated statement $i"; done; commit')
    assert found(at, "pytest") == before
