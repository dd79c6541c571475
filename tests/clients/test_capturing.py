"""What a person says to Codex, Kimi Code or OpenCode is proposed by their hooks, and nothing that others said."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.clients.agents import AGENTS
from tests.clients.sandbox import Sandbox
from tests.clients.wired import ABOUT, HIDDEN, faults, remembering
from tests.transcripts import becomes

NAMES = {"codex": "codex", "kimi": "kimi-code", "opencode": "opencode"}
SAID = [
    "Always close the pool handle before forking a worker.",
    "From now on run the linter before every commit, thanks.",
    "Never commit directly to the release branch.",
]
TURNS = f"{SAID[2]} {ABOUT} Please look at src/app.py.", f"{SAID[0]} {SAID[1]}"


@pytest.fixture(params=sorted(NAMES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def box(having: Callable[..., Sandbox], name: str) -> Sandbox:
    made = having(name)
    remembering(made)
    made.write("src/app.py", "# Always close the pool handle before forking a worker.\nPORT = 8080\n")
    made.sh(f"git commit -qam app && curator recall x >/dev/null && curator init --{name}")
    return made


def waiting(box: Sandbox) -> list[str]:
    """The files of the proposals that wait."""
    return [path.read_text(encoding="utf-8") for path in sorted((box.project / ".git/curator/inbox").glob("*.yaml"))]


def texts(box: Sandbox) -> list[str]:
    return sorted(found[1] for one in waiting(box) if (found := re.search(r"^text: \|\n  (.*)$", one, re.M)))


def test_what_was_typed_waits_for_review_with_where_it_comes_from(box: Sandbox, name: str) -> None:
    agent = AGENTS[name]
    script = [
        agent.runs("cat src/app.py"),
        {"text": "We always retry the flaky upload twice in this service."},
        {"text": "Never forget the zebra crossing."},
    ]
    run = box.session(name, *TURNS, script=script)
    assert run.code == 0, run.err
    assert HIDDEN in run.read(0)  # it was told something, which is not to come back
    assert becomes(lambda: texts(box) == SAID), (texts(box), faults(box))
    proposals = "".join(waiting(box))
    assert set(re.findall(r"^  agent: (.*)$", proposals, re.M)) == {NAMES[name]}
    assert sorted(re.findall(r"^  by: (.*)$", proposals, re.M)) == ["tool", "user", "user"]


def test_by_hand_the_same_is_found_without_a_hook(box: Sandbox, name: str) -> None:
    box.sh(f"curator init --{name} --remove")
    assert box.session(name, SAID[0], script=[{"text": "Never forget the zebra crossing."}]).code == 0
    assert waiting(box) == []
    assert "1 memory proposed" in box.sh("curator propose 2>&1")
    assert texts(box) == SAID[:1]
