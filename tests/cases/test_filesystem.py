"""The file system: links, modes, and things that are no files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.cases.conftest import Setup

TARGETS = "schema: 1\ntargets:\n  - path: CLAUDE.md\n  - path: AGENTS.md\n"


def mode(path: os.PathLike[str]) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_fs_01_a_link_stays_a_link_and_the_file_behind_it_gets_the_block(case: Setup) -> None:
    at = case("base; mv CLAUDE.md AGENTS.md; ln -s AGENTS.md CLAUDE.md; commit")
    assert at.run("render").code == 0
    assert at.path("CLAUDE.md").is_symlink()
    assert at.path("CLAUDE.md").readlink() == Path("AGENTS.md")
    assert "- Run pytest with -q." in at.block("AGENTS.md")
    assert at.git("status", "--porcelain") == " M AGENTS.md\n"


def test_fs_01_a_link_and_its_file_as_two_targets_are_written_once(case: Setup) -> None:
    at = case("base; mv CLAUDE.md AGENTS.md; ln -s AGENTS.md CLAUDE.md; commit")
    at.write("memories/curator.yaml", TARGETS)
    at.git("add", "memories")
    ran = at.run("render", "--json")
    assert ran.code == 0
    assert ran.json()["changed"] == ["AGENTS.md"]
    assert at.path("CLAUDE.md").is_symlink()
    assert at.run("render", "--check").code == 0


def test_fs_01_a_link_that_leads_out_of_the_work_tree_is_refused(case: Setup) -> None:
    at = case("base; { block; } >../outside.md; rm CLAUDE.md; ln -s ../outside.md CLAUDE.md; commit")
    ran = at.run("render")
    assert ran.code == 2
    assert "CLAUDE.md: leads outside the work tree" in ran.told


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o002])
def test_fs_04_the_target_keeps_its_mode_and_new_files_follow_the_umask(case: Setup, umask: int) -> None:
    at = case("base; chmod 0664 CLAUDE.md memories/convention/a.yaml")
    before = os.umask(umask)
    try:
        assert at.run("render").code == 0
        assert at.run("add", "--propose", "Deploy only from main.").code == 0
        (proposal,) = at.path(".git/curator/inbox").iterdir()
        assert mode(proposal) == 0o666 & ~umask
        assert at.run("accept", proposal.stem).code == 0
        assert at.run("add", "Never edit generated files.", "--category", "convention").code == 0
    finally:
        os.umask(before)
    assert mode(at.path("CLAUDE.md")) == 0o664
    assert mode(at.path("memories/convention/a.yaml")) == 0o664
    for name in ("deploy-*.yaml", "never-*.yaml"):
        (entry,) = at.path("memories").glob(f"*/{name}")
        assert mode(entry) == 0o666 & ~umask


def test_fs_06_a_link_to_nothing_is_refused_and_nothing_is_made_behind_it(case: Setup) -> None:
    at = case("base; rm CLAUDE.md; ln -s nowhere.md CLAUDE.md; mkdir AGENTS.md")
    ran = at.run("render")
    assert ran.code == 2
    assert ran.told.split("\n")[0] == "curator: CLAUDE.md: is a link to nothing"
    assert not at.path("nowhere.md").exists()


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_fs_06_a_target_that_is_no_file_is_refused_at_once(case: Setup, kind: str) -> None:
    at = case("base; rm CLAUDE.md; ln -s nowhere.md CLAUDE.md; mkdir AGENTS.md")
    if kind == "pipe":
        at.path("AGENTS.md").rmdir()
        os.mkfifo(at.path("AGENTS.md"))
    at.write("memories/curator.yaml", "schema: 1\ntargets:\n  - path: AGENTS.md\n")
    at.git("add", "memories")
    for arguments in (("render",), ("render", "--check"), ("init",)):
        ran = at.run(*arguments)
        assert ran.code == 2
        assert ran.told.split("\n")[0] == f"curator: AGENTS.md: is a {'folder' if kind == 'folder' else 'named pipe'}"
        assert ran.seconds < 10
