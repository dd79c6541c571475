"""Files that carry a block: their form for each agent, and one more of them in hand-written settings."""

from __future__ import annotations

import pytest

from curator.core import settings, targets
from curator.errors import CuratorError
from curator.model import Config, Target

WHERE = "memories/curator.yaml"


def enlisted(text: str, *more: Target) -> str:
    return targets.enlisted(text, settings.read(text.encode()), more, WHERE)


@pytest.mark.parametrize(
    ("path", "scope", "reach"),
    [
        ("AGENTS.md", "", ""),
        ("svc/pay/CLAUDE.md", "", "svc/pay/"),
        ("svc/AGENTS.md", "svc/pay", "svc/pay/"),
        (".claude/CLAUDE.md", "", ""),
        ("svc/.claude/CLAUDE.md", "", "svc/"),
        (".github/copilot-instructions.md", "", ""),
        (".claude/rules/pay.md", "svc/pay/", "svc/pay/"),
        ("docs/rules.md", "", ""),
    ],
)
def test_a_file_is_about_the_folder_that_agents_read_it_for(path: str, scope: str, reach: str) -> None:
    assert targets.made(path, scope) == Target(path, reach)


def test_a_new_file_has_the_front_matter_that_its_agent_reads() -> None:
    assert "alwaysApply: true\n" in targets.front(Target(".cursor/rules/a.mdc"))
    assert "globs: svc/**\nalwaysApply: false\n" in targets.front(Target(".cursor/rules/a.mdc", "svc/"))
    assert targets.front(Target(".claude/rules/a.md", "svc/")) == '---\npaths:\n  - "svc/**"\n---\n\n'.replace('"', "'")
    for path in (".claude/rules/a.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md"):
        assert targets.front(Target(path)) == ""
    for target in (
        Target(".cursor/rules/a.mdc"),
        Target(".cursor/rules/a.mdc", "s/"),
        Target(".claude/rules/a.md", "s/"),
    ):
        assert targets.unread(target, targets.front(target)) == ("", ""), target


@pytest.mark.parametrize(
    ("path", "scope", "text", "told"),
    [
        (".cursor/rules/a.mdc", "", "# Rules\n", "only when its agent asks"),
        (".cursor/rules/a.mdc", "", "---\nalwaysApply: false\nglobs:\n---\n", "only when its agent asks"),
        (".cursor/rules/a.mdc", "", "---\r\nalwaysApply: true\r\n---\r\n", ""),
        (".cursor/rules/a.mdc", "", "---\nglobs: src/**\n---\n", ""),
        (".claude/rules/a.md", "svc/", "# Rules\n", "in every session"),
        (".claude/rules/a.md", "svc/", "---\npaths: svc/**\n---\n", ""),
        (".claude/rules/a.md", "", "---\npaths:\n  - svc/**\n---\n", "only beside some files"),
        ("docs/a.md", "svc/", "", ""),
    ],
)
def test_front_matter_that_keeps_a_block_from_being_read_is_named(path: str, scope: str, text: str, told: str) -> None:
    found = targets.unread(Target(path, scope), text)[0]
    assert told in found
    assert bool(told) == bool(found)


NEW = (Target(".cursor/rules/a.mdc"), Target("svc/CLAUDE.md", "svc/"))
LINES = "  - path: '.cursor/rules/a.mdc'\n  - path: svc/CLAUDE.md\n    scope: svc/\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"targets:\n  - path: CLAUDE.md\n{LINES}"),
        ("block: main", f"block: main\ntargets:\n  - path: CLAUDE.md\n{LINES}"),
        (
            "targets: # files\n  - path: AGENTS.md # theirs\n    budget: {todo: 1}\n# tail\nblock: main\n",
            f"targets: # files\n  - path: AGENTS.md # theirs\n    budget: {{todo: 1}}\n{LINES}# tail\nblock: main\n",
        ),
        (
            "targets:\n- path: AGENTS.md\n",
            f"targets:\n- path: AGENTS.md\n{LINES}".replace("\n  ", "\n"),
        ),
        ("targets:\n  - path: AGENTS.md", f"targets:\n  - path: AGENTS.md\n{LINES}"),
        ("targets: []\n", "targets: [{path: '.cursor/rules/a.mdc'}, {path: svc/CLAUDE.md, scope: svc/}]\n"),
        (
            "targets: [{path: A.md}] # x\r\n",
            "targets: [{path: A.md}, {path: '.cursor/rules/a.mdc'}, {path: svc/CLAUDE.md, scope: svc/}] # x\r\n",
        ),
        ("\ufeffschema: 1\n", f"\ufeffschema: 1\ntargets:\n  - path: CLAUDE.md\n{LINES}"),
    ],
)
def test_a_target_is_added_and_every_other_byte_stays(before: str, after: str) -> None:
    assert enlisted(before, *NEW) == after


@pytest.mark.parametrize(
    "text",
    [
        "targets: # files\n  - path: AGENTS.md # theirs\n    budget: {todo: 1}\n# tail\nblock: main\n",
        "targets:\n- path: AGENTS.md\n",
        "targets:\n  - path: AGENTS.md\n",
        "targets: [{path: A.md}] # x\r\n",
        "targets: []\n",
        "\ufeffschema: 1\ntargets:\r\n  - path: CLAUDE.md\r\nblock: main\r\n",
    ],
)
def test_targets_that_are_taken_out_again_leave_every_byte(text: str) -> None:
    grown = enlisted(text, *NEW)
    config = settings.read(grown.encode())
    assert targets.dismissed(grown, config, [one.path for one in NEW], "c.yaml") == text
    first, *rest = [one.path for one in config.targets]
    left = targets.dismissed(grown, config, [first], "c.yaml")
    assert [one.path for one in settings.read(left.encode()).targets] == rest
    none = targets.dismissed(grown, config, [first, *rest], "c.yaml")
    assert settings.read(none.encode()).targets == ()
    assert none.count("\n") == text.count("\n") - text.count("  budget") - text.count("- path")


def test_a_target_that_holds_by_default_is_taken_out_by_naming_the_others() -> None:
    assert targets.dismissed("schema: 1", Config(), ["CLAUDE.md"], "c.yaml") == "schema: 1\ntargets: []\n"


@pytest.mark.parametrize("text", ["{schema: 1, targets: [{path: A.md}]}\n", "targets:\n  -\n    path: A.md\n", "{}\n"])
def test_another_layout_is_added_to_or_refused_with_the_lines_to_write(text: str) -> None:
    try:
        found = settings.read(enlisted(text, *NEW).encode()).targets
    except CuratorError as error:
        assert "`- {path: '.cursor/rules/a.mdc'}`" in (error.hint or "")
    else:
        assert [one.path for one in found][-2:] == [one.path for one in NEW]


@pytest.mark.parametrize("target", [Target("../x"), Target(".git/x"), Target("a.md", "../y/")])
def test_a_path_that_no_settings_may_name_is_refused_for_what_it_is(target: Target) -> None:
    with pytest.raises(CuratorError, match=r"must be a (file|folder) in the repository"):
        enlisted("targets: []\n", target)
