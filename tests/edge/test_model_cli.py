"""Claude Code as the way to a model: what it is started with, and what becomes of each way it can end.

A script stands in for it here; tests/clients/test_model_transport.py runs the real one.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curator.core.distil import Request
from curator.edge import answering, model_cli
from curator.edge.answering import Unanswered, Wanted
from curator.errors import CuratorError

ASKED = Request("the order", "the sentences")
WANTED = Wanted("claude-haiku-5-5", 800, 0.25, {"type": "object"}, seconds=20)
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": '{"items": []}',
    "stop_reason": "end_turn",
    "total_cost_usd": 0.001,
    "usage": {"input_tokens": 400, "cache_read_input_tokens": 50, "output_tokens": 7},
}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a `claude` that notes how it was started and ends as `ends` says."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def ends(client: Path, out: object = RESULT, code: int = 0, *, lines: str = "") -> None:
    text = out if isinstance(out, str) else json.dumps(out)
    client.write_text(
        f"#!{sys.executable}\n"
        "import json, os, sys, time\n"
        "noted = {'words': sys.argv[1:], 'given': sys.stdin.read(), 'environment': dict(os.environ),\n"
        "         'folder': os.getcwd(), 'files': os.listdir('.')}\n"
        f"open({str(client) + '.json'!r}, 'w').write(json.dumps(noted))\n"
        f"{lines}\nsys.stdout.write({text!r})\nsys.exit({code})\n",
        encoding="utf-8",
    )
    client.chmod(0o755)


def noted(client: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(f"{client}.json").read_text("utf-8"))
    return found


def test_it_runs_without_tools_hooks_memories_or_a_session_in_an_empty_folder_that_goes(
    client: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_CODE_SESSION_ID", "GIT_DIR"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "kept")
    ends(client)
    reply = model_cli.ask(ASKED, WANTED)
    assert reply == (RESULT["result"], 450, 7, "", 0.001)
    told = noted(client)
    line = shlex.join(told["words"])
    for words in ("-p", "--safe-mode", "--tools ''", "--strict-mcp-config", "--no-session-persistence",
                  "--output-format json", "--system-prompt 'the order'", "--max-budget-usd 0.2500",
                  "--model claude-haiku-5-5", '"disableAllHooks": true'):  # fmt: skip
        assert words in line
    assert told["given"] == "the sentences"
    assert told["files"] == []
    assert not Path(told["folder"]).exists()
    environment = told["environment"]
    assert environment["CURATOR_CHILD"] == "1"
    assert environment["CLAUDE_CODE_OAUTH_TOKEN"] == "kept"
    assert not {"CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "GIT_DIR"} & set(environment)
    assert "CLAUDE_CODE_SESSION_ID" not in environment


def test_after_an_answer_that_was_no_json_it_is_told_so(client: Path) -> None:
    ends(client)
    model_cli.ask(ASKED._replace(after=(("assistant", "no"), ("user", "JSON!"))), WANTED)
    assert noted(client)["given"] == "the sentences\n\nJSON!"


@pytest.mark.parametrize(
    ("out", "code", "message", "charged"),
    [
        ("", 1, "gave no answer (exit 1)", False),
        ("not logged in", 1, "gave no answer (exit 1)", False),
        ("[1, 2]", 0, "gave no answer (exit 0)", False),
        ('{"type": "other"}', 0, "gave no answer (exit 0)", False),
        ({**RESULT, "result": None}, 0, "it ended with success", True),
        ({**RESULT, "is_error": True, "subtype": "error_max_budget_usd"}, 1, "error_max_budget_usd", True),
        ({**RESULT, "is_error": True, "api_error_status": 401, "total_cost_usd": 0}, 1, "refuses (401)", False),
    ],
)
def test_what_is_no_answer_is_said(client: Path, out: object, code: int, message: str, charged: bool) -> None:
    ends(client, out, code)
    with pytest.raises(Unanswered, match=r"`claude` gave no answer") as caught:
        model_cli.ask(ASKED, WANTED)
    assert message in caught.value.message
    assert caught.value.charged == charged


@pytest.mark.parametrize(("reason", "ended"), [("refusal", answering.REFUSED), ("max_tokens", answering.CUT)])
def test_how_an_answer_ended_is_told(client: Path, reason: str, ended: str) -> None:
    ends(client, {**RESULT, "stop_reason": reason})
    assert model_cli.ask(ASKED, WANTED).ended == ended


@pytest.mark.parametrize("more", [{"usage": None}, {"usage": {"input_tokens": -1, "output_tokens": "x"}}])
def test_an_answer_without_its_figures_is_still_one(client: Path, more: dict[str, object]) -> None:
    ends(client, {**RESULT, **more, "total_cost_usd": "much"})
    assert model_cli.ask(ASKED, WANTED) == (RESULT["result"], 0, 0, "", None)


def test_one_that_does_not_end_is_ended_with_all_it_started(client: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"import time; time.sleep(3); open({str(mark)!r}, 'w')"
    ends(client, lines=f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)")
    begun = time.monotonic()
    with pytest.raises(Unanswered, match="within 1 seconds") as caught:
        model_cli.ask(ASKED, WANTED._replace(seconds=1.0))
    assert caught.value.charged
    assert time.monotonic() - begun < 20
    time.sleep(3.5)
    assert not mark.exists()


def test_one_that_cannot_be_started_or_is_not_there_is_named(client: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client.write_text("#!/no/such/program\n", encoding="utf-8")
    client.chmod(0o755)
    with pytest.raises(Unanswered, match="cannot be started"):
        model_cli.ask(ASKED, WANTED)
    monkeypatch.setenv("PATH", str(client.parent / "none"))
    with pytest.raises(CuratorError, match="no `claude` on PATH"):
        model_cli.ask(ASKED, WANTED)
