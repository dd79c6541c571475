"""doctor on other agents: what is set up here, what they read, and what it costs them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from curator.core.diagnosis import FAIL, OK, WARN, Check
from curator.edge import configs, hooks
from curator.verbs import doctor
from tests.conftest import Repo

NOW = "2026-03-10T12:00:00Z"
CLIENTS = ("mcp", "opencode", "codex", "kimi")


@pytest.fixture
def ready(base: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repo:
    """A repository with AGENTS.md as its target, and programs on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("curator", "curator-hook"):
        (folder / name).write_text(f"#!{sys.executable}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))
    monkeypatch.setattr(hooks, "program", lambda name="curator": str(folder / name))
    monkeypatch.setattr(configs, "serves", lambda: True)
    (base.root / "CLAUDE.md").unlink()
    for arguments in (("init", "--target", "AGENTS.md"), ("render",)):
        assert base.curator(*arguments).exit_code == 0
    base.commit("set up")
    return base


def found(repo: Repo, *names: str) -> list[Check]:
    return [one for one in doctor.run(repo.workspace, now=NOW) if one.name in names]


def test_a_client_that_is_not_set_up_has_no_line(ready: Repo) -> None:
    assert found(ready, *CLIENTS) == []


@pytest.mark.parametrize("team", [True, False])
def test_each_client_that_is_set_up_has_one(ready: Repo, team: bool) -> None:
    options = [*(f"--{client}" for client in CLIENTS), *(["--team"] if team else [])]
    assert ready.curator("init", *options).exit_code == 0
    told = {one.name: one for one in found(ready, *CLIENTS)}
    assert {name: one.level for name, one in told.items() if name != "kimi"} == dict.fromkeys(CLIENTS[:3], OK)
    assert told["codex"].message == (
        "MCP server in .codex/config.toml, hook in .codex/hooks.json"
        if team
        else "MCP server in ~/.codex/config.toml, hook in ~/.codex/hooks.json"
    )
    assert told["kimi"].level == (WARN if team else OK), "hooks of Kimi Code are the user's alone"


def test_a_program_that_is_gone_fails_with_the_way_out(ready: Repo, tmp_path: Path) -> None:
    ready.curator("init", *(f"--{client}" for client in CLIENTS))
    for name in ("curator", "curator-hook"):
        (tmp_path / "bin" / name).unlink()
    told = found(ready, *CLIENTS)
    assert {one.name for one in told if one.level == FAIL} == set(CLIENTS)
    assert all("which is not there" in one.message and one.fix == f"`curator init --{one.name}`" for one in told)


def test_a_broken_file_is_named_with_its_line_and_the_others_are_looked_at(ready: Repo) -> None:
    ready.curator("init", "--mcp", "--opencode")
    ready.write(".mcp.json", '{\n  "mcpServers": {\n')
    (broken, *rest) = found(ready, "mcp", "opencode")
    assert (broken.name, broken.level) == ("mcp", FAIL)
    assert ".mcp.json:3: is not JSON" in broken.message
    assert [one.level for one in rest] == [OK]


def test_a_plugin_of_another_curator_and_half_a_set_up_are_said(ready: Repo) -> None:
    ready.curator("init", "--opencode")
    path = ".opencode/plugins/curator.js"
    ready.write(path, ready.read(path).replace("3000", "2000"))
    (one,) = found(ready, "opencode")
    assert (one.level, one.fix) == (WARN, "`curator init --opencode`")
    assert f"{path} is of another curator" in one.message
    (ready.root / path).unlink()
    (one,) = found(ready, "opencode")
    assert "OpenCode has no plugin" in one.message
    assert ready.curator("init", "--opencode").exit_code == 0
    assert [one.level for one in found(ready, "opencode")] == [OK]


def test_a_path_of_this_machine_in_a_tracked_file_is_said(ready: Repo) -> None:
    ready.curator("init", "--mcp")
    ready.commit("by mistake")
    assert any("names a path of this machine" in one.message for one in found(ready, "mcp"))


def test_a_missing_package_is_said_where_a_server_is_set_up(ready: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configs, "serves", lambda: False)
    assert found(ready, "mcp") == []
    assert "pip install 'curator[mcp]'" in ready.curator("init", "--mcp").stderr
    assert any(one.fix == "`pip install 'curator[mcp]'`" for one in found(ready, "mcp"))


def test_a_client_that_reads_no_block_is_told_the_target_it_wants(base: Repo, ready: Repo) -> None:
    ready.write("CLAUDE.md", "# Rules\n")
    text = ready.read("memories/curator.yaml")
    ready.write("memories/curator.yaml", text.replace("- path: AGENTS.md", "- path: CLAUDE.md"))
    ready.git("rm", "-q", "AGENTS.md")
    ready.curator("init", "--codex", "--opencode")
    ready.commit("CLAUDE.md")
    (one,) = found(ready, "instructions")
    assert (one.message, one.fix) == ("Codex reads AGENTS.md, where no block is", "`curator init --target AGENTS.md`")
    assert "OpenCode" not in one.message, "without AGENTS.md it reads CLAUDE.md"
    ready.curator("init", "--target", "AGENTS.md")
    ready.commit("AGENTS.md")
    assert [one.level for one in found(ready, "instructions")] == [OK]


def test_a_file_that_several_clients_read_is_named_once_with_one_way_out(ready: Repo) -> None:
    ready.write("AGENTS.md", "# Rules\n")
    text = ready.read("memories/curator.yaml")
    ready.write("memories/curator.yaml", text.replace("- path: AGENTS.md", "- path: CLAUDE.md"))
    ready.git("add", "-A")
    assert ready.curator("init").exit_code == 0
    told = ready.curator("init", "--opencode", "--codex", "--kimi").stderr
    both = "OpenCode, Codex and Kimi Code read AGENTS.md, where no block is"
    assert f"{both}; `curator init --target AGENTS.md`" in told
    assert "`curator doctor`" in told
    warned = [one for one in doctor.run(ready.workspace, now=NOW) if "AGENTS.md" in one.message and one.level != OK]
    assert [(one.name, one.message, one.fix) for one in warned] == [
        ("instructions", both, "`curator init --target AGENTS.md`")
    ]
    ready.curator("init", "--target", "AGENTS.md")
    assert both not in ready.curator("init", "--codex").stderr


def test_a_block_that_does_not_show_what_the_memories_give_is_named_and_the_look_changes_nothing(ready: Repo) -> None:
    assert [one.level for one in found(ready, "block")] == [OK]
    assert ready.curator("add", "Never round taxes down.", "--no-render").exit_code == 0
    cache = ready.root / ".git/curator"
    before = {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
    (one,) = found(ready, "block")
    told = ("AGENTS.md does not show what the memories give", "`curator render`")
    assert (one.level, one.message, one.fix) == (WARN, *told)
    assert {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()} == before
    ready.curator("render")
    assert [one.level for one in found(ready, "block")] == [OK]


def test_a_block_about_a_folder_where_nothing_is_is_named(ready: Repo) -> None:
    told = ready.curator("init", "--target", ".claude/rules/a.md", "--scope", "nosuchdir")
    assert told.exit_code == 0
    nothing = "git tracks nothing in nosuchdir/, and the block of .claude/rules/a.md is about that folder"
    assert nothing in told.stderr
    assert nothing in [one.message for one in found(ready, "block") if one.level == WARN]
    shown = ready.curator("init", "--target", "nodir/CLAUDE.md", "--dry-run")
    assert "git tracks nothing in nodir/" in shown.stderr
    ready.write("nosuchdir/x.py", "x = 1\n")
    ready.git("add", "-A")
    assert nothing not in [one.message for one in found(ready, "block")]


def test_what_codex_cuts_and_what_markers_cost_is_counted(ready: Repo) -> None:
    (one,) = found(ready, "markers")
    size = len(ready.read("AGENTS.md").encode())
    assert one.message.startswith(f"AGENTS.md: {size} of the 32768 bytes that Codex reads; its two markers cost ")
    block = ready.read("AGENTS.md")
    ready.write("AGENTS.md", block + "é" * 20_000)
    (one,) = found(ready, "codex")
    assert f"32768 bytes of {size + 40_000} in AGENTS.md; the block is among them" in one.message
    ready.write("AGENTS.md", "é" * 16_300 + "\n" + block)
    (one,) = found(ready, "codex")
    assert (one.level, "it is cut" in one.message) == (WARN, True)
    config = Path(os.environ["HOME"]) / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text("project_doc_max_bytes = 65536\n", encoding="utf-8")
    assert "of the 65536 bytes" in found(ready, "markers")[0].message


def test_files_of_the_folders_above_count_towards_what_codex_reads(ready: Repo) -> None:
    ready.curator("init", "--target", "svc/AGENTS.md")
    ready.write("AGENTS.md", ready.read("AGENTS.md") + "x" * 32_700)
    told = [one.message for one in found(ready, "codex")]
    assert any("svc/AGENTS.md" in one and "with AGENTS.md" in one and "is cut" in one for one in told)


def test_a_rule_file_whose_front_matter_hides_the_block_is_said(ready: Repo) -> None:
    ready.curator("init", "--target", ".cursor/rules/a.mdc")
    ready.commit("rules")
    assert [one.level for one in found(ready, "instructions")] == [OK]
    ready.write(".cursor/rules/a.mdc", ready.read(".cursor/rules/a.mdc").replace("true", "false"))
    assert any("only when its agent asks" in one.message for one in found(ready, "instructions"))
