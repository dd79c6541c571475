"""`init --kimi` with the real client: the block, the hooks, and the MCP server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients.sandbox import Sandbox
from tests.clients.wired import ABOUT, CURATOR, HIDDEN, SHOWN, asked, remembering, searched, tree

NAME = "kimi"


@pytest.fixture
def box(having: Callable[..., Sandbox]) -> Sandbox:
    made = having(NAME)
    remembering(made)
    return made


def test_a_session_reads_the_block_and_is_told_what_a_prompt_is_about(box: Sandbox) -> None:
    box.sh("curator init --kimi")
    run = asked(box, NAME, ABOUT, script=[{"text": "hi"}])
    assert run.code == 0, run.err
    assert SHOWN in run.read(0)
    assert run.read(0).count(HIDDEN) == 1, run.out
    assert CURATOR.search(run.read(0))


def test_the_server_answers(box: Sandbox) -> None:
    box.sh("curator init --kimi")
    run = searched(box, NAME)
    assert "mcp__curator__search_memory" in run.tools(), run.err
    assert HIDDEN in run.read(-1)


def test_a_server_of_the_repository_waits_for_the_folder_to_be_trusted(box: Sandbox) -> None:
    box.sh("curator init --kimi --team && git commit -qm kimi")
    run = box.session(NAME, "hello", script=[{"text": "hi"}])
    assert "mcp__curator__search_memory" not in run.tools()
    assert "not trusted" in run.err


def test_taking_it_out_leaves_the_users_folder_as_it_was(box: Sandbox) -> None:
    before = tree(box.home / ".kimi-code")
    box.sh("curator init --kimi && curator init --kimi --remove")
    assert tree(box.home / ".kimi-code") == before
