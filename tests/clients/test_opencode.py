"""`init --opencode` with the real client: the block, the plugin, and the MCP server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients.sandbox import Sandbox
from tests.clients.wired import ABOUT, CURATOR, HIDDEN, SHOWN, asked, remembering, searched, tree, without_curator

NAME = "opencode"


@pytest.fixture
def box(having: Callable[..., Sandbox]) -> Sandbox:
    made = having(NAME)
    remembering(made)
    return made


def test_a_session_reads_the_block_and_is_told_what_a_prompt_is_about(box: Sandbox) -> None:
    box.sh("curator init --opencode")
    script = [{"tool": "read", "input": {"filePath": str(box.project / "src/app.py")}}, {"text": "done"}]
    run = asked(box, NAME, ABOUT, script=script)
    assert run.code == 0, run.err
    assert SHOWN in run.read(0)
    assert [run.read(number).count(HIDDEN) for number in (0, 1)] == [1, 1], "once, and as long as the process lives"
    assert len(CURATOR.findall(run.read(0))) == 1
    titles = [body for body in run.requests if not body.get("tools")]
    assert titles and not any(HIDDEN in str(body) for body in titles)


def test_an_edited_file_brings_the_memories_that_cite_it(box: Sandbox) -> None:
    box.sh("curator init --opencode")
    script = [
        {
            "tool": "edit",
            "input": {"filePath": str(box.project / "src/app.py"), "oldString": "8080", "newString": "9090"},
        },
        {"text": "done"},
    ]
    run = asked(box, NAME, "change it", script=script)
    assert [run.read(number).count(HIDDEN) for number in (0, 1)] == [0, 1]
    assert "memories that cite src/app.py" in run.read(1)


def test_a_subagent_is_told_what_its_session_was_told(box: Sandbox) -> None:
    box.sh("curator init --opencode")
    task = {"description": "look", "prompt": "SUBTASK-7", "subagent_type": "general"}
    run = asked(box, NAME, ABOUT, script=[{"tool": "task", "input": task}, {"text": "looked"}, {"text": "done"}])
    mine = [run.read(number) for number in range(len(run.turns)) if "SUBTASK-7" in run.read(number)]
    assert mine and mine[0].count(HIDDEN) == 1, run.err


def test_a_comment_in_the_users_config_stays_and_the_server_answers(box: Sandbox) -> None:
    box.write("opencode.jsonc", '{\n  // ours\n  "autoupdate": false,\n}\n')
    box.sh("git add -A && git commit -qm config && curator init --opencode --team")
    text = (box.project / "opencode.jsonc").read_text(encoding="utf-8")
    assert text.startswith('{\n  // ours\n  "autoupdate": false,\n')
    run = searched(box, NAME)
    assert "curator_search_memory" in run.tools(), run.err
    assert HIDDEN in run.read(-1)


def test_where_there_is_no_curator_the_plugin_is_silent(box: Sandbox) -> None:
    box.sh("curator init --opencode --team")
    without_curator(box)
    run = box.session(NAME, ABOUT, script=[{"text": "hi"}])
    assert run.code == 0, run.err
    assert SHOWN in run.read(0)
    assert HIDDEN not in run.read(0)
    assert "urator" not in run.out, "nothing is said about it"


def test_taking_it_out_leaves_the_repository_as_it_was(box: Sandbox) -> None:
    before = tree(box.project)
    box.sh("curator init --opencode && curator init --opencode --remove")
    assert tree(box.project) == before
    assert not (box.project / ".opencode").exists()


def test_the_template_of_a_command_is_marked_and_no_word_of_the_users(box: Sandbox) -> None:
    box.sh("curator init --opencode")
    page = "Never use the legacy client, always use the new client in this repository. Go to $ARGUMENTS."
    box.write(".opencode/command/deploy.md", f"---\ndescription: deploy\n---\n{page}\n")
    run = box.session(NAME, "staging", words=("--command", "deploy"))
    assert run.code == 0, run.err
    (box.project / ".opencode/command/deploy.md").unlink()  # its text does not tell any more
    assert "0 memories proposed, from 0 messages" in box.sh("curator propose 2>&1")
