"""`init --codex` with the real client: the block, the hooks, and the MCP server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients.sandbox import Sandbox
from tests.clients.wired import ABOUT, CURATOR, HIDDEN, SHOWN, asked, remembering, searched, tree, without_curator

NAME = "codex"


@pytest.fixture
def box(having: Callable[..., Sandbox]) -> Sandbox:
    made = having(NAME)
    remembering(made)
    return made


def waiting(box: Sandbox) -> None:
    """What docs/agents.md tells users of `codex exec` to write."""
    path = box.home / ".codex/config.toml"
    path.write_text(f"mcp_optional_startup_grace_ms = 15000\n{path.read_text(encoding='utf-8')}", encoding="utf-8")


def trusted(box: Sandbox) -> None:
    """What Codex writes when its user trusts the folder."""
    path = box.home / ".codex/config.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'{text}\n[projects."{box.project}"]\ntrust_level = "trusted"\n', encoding="utf-8")


def test_a_session_reads_the_block_and_is_told_what_a_prompt_is_about(box: Sandbox) -> None:
    box.sh("curator init --codex")
    run = asked(box, NAME, ABOUT, script=[{"text": "hi"}])
    assert run.code == 0, run.err
    assert SHOWN in run.read(0)
    assert run.read(0).count(HIDDEN) == 1, run.out
    assert CURATOR.search(run.read(0))
    assert "clamping" not in run.out, "no hook asks for more time than Codex gives"


def test_the_server_answers(box: Sandbox) -> None:
    waiting(box)
    box.sh("curator init --codex")
    run = searched(box, NAME)
    assert "mcp__curator/search_memory" in run.tools(), run.err
    assert HIDDEN in run.read(-1)


def test_the_form_for_a_team_works_once_the_folder_is_trusted(box: Sandbox) -> None:
    box.sh("curator init --codex --team && git commit -qm codex")
    assert HIDDEN not in box.session(NAME, ABOUT, script=[{"text": "hi"}]).read(0)
    trusted(box)
    waiting(box)
    run = asked(box, NAME, ABOUT, script=[{"text": "hi"}])
    assert run.read(0).count(HIDDEN) == 1, run.out
    assert "mcp__curator/search_memory" in run.tools()


def test_where_there_is_no_curator_a_session_goes_on(box: Sandbox) -> None:
    box.sh("curator init --codex --team && git commit -qm codex")
    trusted(box)
    without_curator(box, "node")
    run = box.session(NAME, ABOUT, script=[{"text": "hi"}])
    assert SHOWN in run.read(0)
    assert HIDDEN not in run.read(0)


def test_taking_it_out_leaves_the_users_folder_as_it_was(box: Sandbox) -> None:
    before = tree(box.home / ".codex")
    box.sh("curator init --codex && curator init --codex --remove")
    assert tree(box.home / ".codex") == before


def test_codex_cuts_a_file_where_doctor_says_so(box: Sandbox) -> None:
    box.sh("curator init --codex")
    text = (box.project / "AGENTS.md").read_text(encoding="utf-8")
    box.write("AGENTS.md", f"{'x' * 79}\n" * 410 + text)
    told = box.sh("curator doctor", ok=False)
    assert "32768" in told and "AGENTS.md" in told
    run = box.session(NAME, "hello", script=[{"text": "hi"}])
    assert SHOWN not in run.read(0)
