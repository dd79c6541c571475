"""Staleness: moves, times, line ends, dates, paths that lead out, submodules, bare names."""

from __future__ import annotations

import pytest

from tests.cases.conftest import Case, Ran, Setup


def states(ran: Ran) -> dict[str, str]:
    """The state of each entry in use, by id."""
    return {entry["id"]: entry["state"] for entry in ran.json()["entries"]}


def checked(at: Case) -> dict[str, str]:
    return states(at.run("check", "--json"))


def test_st_01_a_renamed_source_is_moved_and_fails_only_a_strict_check(case: Setup) -> None:
    at = case("base; seq 30 >auth.py; mem m.yaml m convention M auth.py; commit; git mv auth.py login.py; commit")
    ran = at.run("check", "--json")
    assert ran.code == 0
    assert states(ran)["m"] == "moved"
    told = at.run("check").told
    assert "auth.py moved to login.py" in told
    assert at.run("check", "--strict").code == 1


ST_03 = "base; echo x >s.py; mem m.yaml m convention M s.py; commit; touch s.py; git clone -q . ../cl_$$; cd ../cl_$$"


def test_st_03_no_state_depends_on_a_time_of_the_file_system(case: Setup) -> None:
    at = case(ST_03)
    assert checked(at)["m"] == "fresh"
    here = at.outer / "work"
    assert states(at.run("check", "--json", folder=here))["m"] == "fresh"
    at.sh("touch -d '2001-01-01' s.py; touch -d '2040-01-01' memories/convention/m.yaml", folder=here)
    assert states(at.run("check", "--json", folder=here))["m"] == "fresh"


def test_st_05_a_checkout_with_crlf_is_fresh(case: Setup) -> None:
    at = case(
        r"base; printf 'a\nb\n' >s.py; mem m.yaml m convention M s.py; commit; git config core.autocrlf true; "
        r"rm s.py; git checkout -q -- s.py; grep -c $'\r' s.py"
    )
    assert at.path("s.py").read_bytes() == b"a\r\nb\r\n"
    assert checked(at)["m"] == "fresh"
    at.sh("git config core.autocrlf false; rm s.py; git checkout -q -- s.py")
    assert at.path("s.py").read_bytes() == b"a\nb\n"
    assert checked(at)["m"] == "fresh"


ST_09 = r"""base; echo 1 >s.py; mem m.yaml m convention M s.py; mem n.yaml n convention N s.py
mem o.yaml o convention O s.py
for p in 'm 2024-01-15' 'n 2024-01-15T10:00:00' 'o 2024-01-15T10:00:00+02:00'; do
set -- $p; printf 'origin:\n  by: user\n  created: %s\n' "$2" >>memories/convention/$1.yaml; done; commit"""


@pytest.mark.parametrize("name", ["m", "n", "o"])
def test_st_09_a_bare_date_is_shown_or_refused_by_name_and_never_today(case: Setup, name: str) -> None:
    at = case(ST_09)
    for arguments in (("check",), ("check", "--json"), ("recall", "M"), ("render",)):
        assert b"TypeError" not in at.run(*arguments).err
    shown = at.run("show", name)
    if shown.code == 0:
        assert "2024-01-15" in shown.said
    else:
        told = at.run("check").told
        assert f"memories/convention/{name}.yaml" in told
        assert "quote it" in told


def test_st_11_a_source_that_leads_out_is_refused_and_never_opened(case: Setup) -> None:
    at = case("base; mem m.yaml m convention M ../../etc/hostname; mem n.yaml n convention N /etc/hostname; commit")
    ran, trace = at.traced("check")
    assert ran.code == 1
    for name, path in (("m", "../../etc/hostname"), ("n", "/etc/hostname")):
        assert f"memories/convention/{name}.yaml" in ran.told
        assert path in ran.told
    assert not any("hostname" in line for line in trace)


ST_12 = (
    "repo sub; (cd sub; echo 1 >s; commit); repo top; cd top; block >CLAUDE.md; "
    "git -c protocol.file.allow=always submodule --quiet add ../sub sm; mem m.yaml m convention M sm/s; commit; "
    "echo 2 >sm/s; git -C sm commit -qam 2; commit bump"
)


def test_st_12_a_source_in_a_submodule_is_foreign_and_the_difference_is_told(case: Setup) -> None:
    at = case(ST_12)
    ran = at.run("check", "--json", "--notes")
    (entry,) = ran.json()["entries"]
    assert entry["state"] == "foreign"
    (reason,) = entry["sources"][0]["reasons"]
    assert reason["change"] == "bumped"
    assert "sm" in reason["message"]
    assert at.run("check", "--strict").code == 0
    assert "another commit" in at.run("check", "--notes").told


def test_st_13_a_name_without_its_folder_is_not_found_and_never_fresh(case: Setup) -> None:
    at = case(
        "base; mkdir -p deep/er; echo x >deep/er/only.py; mem m.yaml m convention M only.py; "
        "mem z.yaml z convention 'Z, no source'; commit"
    )
    ran = at.run("check", "--json")
    assert states(ran)["m"] == "stale"
    assert ran.json()["states"] == {"stale": 1}
    assert ran.json()["uncited"] == 2
    told = at.run("check").told
    assert "only.py is not a tracked file" in told
    assert "deep/er/only.py" in told
    assert "2 cite no file" in told
