"""`init` for other agents: their files spliced, shown, refused and given back byte for byte (is-01)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import END, START, Repo

SERVER = (
    '{\n  "mcpServers": {\n    "theirs": { "command": "npx", "args": ["-y", "x"], "env": { "KEY": "k" } }\n  }\n}\n'
)
COMMENTED = """\
{
  "$schema": "https://opencode.ai/config.json",
  // which model
  "model": "a/b", // for now
  "mcp": {
    "theirs": { "type": "local", "command": ["x"] },
  },
}
"""
CONFIG = (
    '# mine\nmodel = "o3" # for now\n\n[mcp_servers.x]\ncommand = "npx"\n\n[projects."/a b"]\ntrust_level = "trusted"\n'
)
HOOKS = """\
{
  "hooks": {
    "Stop": [
      { "hooks": [ { "type": "command", "command": "echo mine" } ] }
    ]
  }
}
"""
CLIENTS = ("mcp", "opencode", "codex", "kimi")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, empty."""
    return Path(os.environ["HOME"])


@pytest.fixture
def ready(base: Repo, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repo:
    """A repository that is set up, and programs in a folder with a blank in its name."""
    from curator.edge import hooks

    assert base.curator("init").exit_code == 0
    base.commit("init")
    folder = tmp_path / "my tools"
    folder.mkdir()
    for name in ("curator", "curator-hook"):
        (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(hooks, "program", lambda name="curator": str(folder / name))
    return base


def theirs(repo: Repo, home: Path) -> None:
    """What a person has written for all these clients."""
    repo.write(".mcp.json", SERVER)
    repo.write("opencode.json", COMMENTED)
    for path, text in {
        ".codex/config.toml": CONFIG,
        ".codex/hooks.json": HOOKS,
        ".kimi-code/config.toml": CONFIG.replace("mcp_servers", "models"),
        ".kimi-code/mcp.json": SERVER,
    }.items():
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.relative_to(folder).parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_there_stays_in_its_order_and_comes_back_byte_for_byte(ready: Repo, home: Path, client: str) -> None:
    theirs(ready, home)
    before = files(ready.root), files(home)
    told = ready.curator("init", f"--{client}")
    assert told.exit_code == 0, told.stderr
    after = {**files(ready.root), **files(home)}
    held: dict[str, bytes] = {**before[0], **before[1]}
    changed = {path for path, data in after.items() if data != held.get(path)}
    for path in changed.intersection(held):
        lines = held[path].decode().split("\n")
        rest = iter(after[path].decode().split("\n"))
        assert all(any(line.rstrip(",") == other.rstrip(",") for other in rest) for line in lines), path
    assert b"my tools/curator" in b"".join(after[path] for path in changed)
    once = files(ready.root), files(home)
    assert "in place" in ready.curator("init", f"--{client}").stdout
    assert (files(ready.root), files(home)) == once, "twice changes nothing"
    told = ready.curator("init", f"--{client}", "--remove")
    assert told.exit_code == 0, told.stderr
    assert (files(ready.root), files(home)) == before
    assert "nothing of curator's" in ready.curator("init", f"--{client}", "--remove").stdout


@pytest.mark.parametrize("client", CLIENTS)
def test_where_nothing_was_nothing_is_left(ready: Repo, home: Path, client: str) -> None:
    before = ready.git("status", "--porcelain", "--ignored"), files(ready.root)
    assert ready.curator("init", f"--{client}").exit_code == 0
    assert "removed" in ready.curator("init", f"--{client}", "--remove").stdout
    assert (ready.git("status", "--porcelain", "--ignored"), files(ready.root)) == before
    assert files(home) == {}
    assert not (ready.root / ".opencode").exists()


@pytest.mark.parametrize(
    ("client", "path", "text"),
    [
        ("mcp", ".mcp.json", "{}"),
        ("mcp", ".mcp.json", "{ }\n"),
        ("mcp", ".mcp.json", '{\n  "mcpServers": {}\n}\n'),
        ("mcp", ".mcp.json", '{"mcpServers":{ }}'),
        ("mcp", ".mcp.json", '{\r\n\t"mcpServers": {\r\n\t}\r\n}'),
        ("opencode", "opencode.json", '{\n  "$schema": "https://opencode.ai/config.json"\n}\n'),
        ("opencode", "opencode.jsonc", "{\n  // nothing yet\n}\n"),
        ("opencode", "opencode.jsonc", '{ "mcp": { /* none */ }, }'),
        ("opencode", ".opencode/opencode.json", '{\n  "mcp": {\n    // none\n  }\n}\n'),
        ("codex", "~/.codex/config.toml", ""),
        ("codex", "~/.codex/config.toml", "\n"),
        ("codex", "~/.codex/config.toml", "a = 1"),
        ("codex", "~/.codex/config.toml", "a = 1\r\n"),
        ("codex", "~/.codex/hooks.json", "{}"),
        ("codex", "~/.codex/hooks.json", '{"hooks": {"Stop": []}}'),
        ("kimi", "~/.kimi-code/mcp.json", '{"mcpServers": {}}'),
        ("kimi", "~/.kimi-code/config.toml", "# nothing\n"),
    ],
)
def test_what_was_empty_before_is_empty_again(ready: Repo, home: Path, client: str, path: str, text: str) -> None:
    full = home / path[2:] if path.startswith("~/") else ready.root / path
    full.parent.mkdir(exist_ok=True)
    full.write_bytes(text.encode())
    assert ready.curator("init", f"--{client}").exit_code == 0
    assert full.read_bytes() != text.encode()
    assert ready.curator("init", f"--{client}").exit_code == 0
    assert ready.curator("init", f"--{client}", "--remove").exit_code == 0
    assert full.read_bytes() == text.encode()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_dry_run_shows_every_change_and_writes_nothing(ready: Repo, home: Path, client: str) -> None:
    theirs(ready, home)
    before = files(ready.root), files(home)
    shown = ready.curator("init", f"--{client}", "--dry-run").stdout
    assert "my tools/curator" in shown
    assert (files(ready.root), files(home)) == before
    ready.curator("init", f"--{client}")
    wired = files(ready.root), files(home)
    back = ready.curator("init", f"--{client}", "--remove", "--dry-run").stdout
    assert "my tools/curator" in back
    assert (files(ready.root), files(home)) == wired


@pytest.mark.parametrize("client", ["mcp", "opencode", "codex"])
def test_what_a_dry_run_shows_of_the_repository_git_applies(ready: Repo, client: str) -> None:
    shown = ready.curator("init", f"--{client}", "--team", "--dry-run").stdout
    subprocess.run(["git", "apply"], input=shown.encode(), cwd=ready.root, check=True)
    applied = files(ready.root)
    ready.git("clean", "-fdq")
    ready.curator("init", f"--{client}", "--team")
    assert files(ready.root) == applied


@pytest.mark.parametrize("client", CLIENTS)
def test_the_form_for_a_team_names_no_path_and_is_staged(ready: Repo, home: Path, client: str, tmp_path: Path) -> None:
    told = ready.curator("init", f"--{client}", "--team")
    assert told.exit_code == 0, told.stderr
    staged = ready.git("diff", "--cached", "--name-only").split()
    assert staged and not files(home)
    assert all(str(tmp_path) not in ready.read(path) for path in staged)
    assert "block: here" in ready.read("memories/curator.yaml"), "the settings of the repository stay"
    ready.commit("team")
    assert ready.curator("init", f"--{client}", "--remove").exit_code == 0
    assert set(ready.git("status", "--porcelain").split("\n")) == {*(f"D  {path}" for path in staged), ""}


@pytest.mark.parametrize("client", ["mcp", "opencode"])
def test_a_path_of_this_machine_is_not_put_into_a_file_that_git_tracks(ready: Repo, client: str) -> None:
    path = {"mcp": ".mcp.json", "opencode": "opencode.json"}[client]
    ready.write(path, SERVER)
    ready.commit("theirs")
    told = ready.curator("init", f"--{client}")
    assert told.exit_code == 2
    assert f"{path}: git tracks it" in told.stderr
    assert f"`curator init --{client} --team`" in told.stderr
    assert ready.git("status", "--porcelain") == ""


def test_a_path_of_this_machine_is_kept_out_of_commits_by_the_line_that_is_named(ready: Repo) -> None:
    told = ready.curator("init", "--opencode", "--mcp").stderr
    lines = [line for line in told.split("\n") if "should not be committed" in line]
    for line in lines:
        subprocess.run(["sh", "-c", line.split("`")[1]], cwd=ready.root, check=True)
    assert len(lines) == 2
    assert ready.git("status", "--porcelain") == ""


BROKEN = [
    ("mcp", ".mcp.json", '{\n  "mcpServers": {\n', ":3: is not JSON"),
    ("mcp", ".mcp.json", '{\n// no\n"a": 1}', ":2: holds a comment"),
    ("mcp", ".mcp.json", '{"mcpServers": []}', "`mcpServers` is not an object"),
    ("mcp", ".mcp.json", '{"mcpServers": {"curator": {"url": "https://example.org"}}}', "is not curator's server"),
    ("opencode", "opencode.json", '{\n"mcp": {},\n"mcp": {}\n}', "'mcp' is there twice"),
    ("opencode", "opencode.jsonc", "{ /* open\n}", ":1: holds a comment that is not closed"),
    ("opencode", ".opencode/plugins/curator.js", "export const Mine = 1\n", "is not curator's plugin"),
    ("codex", "~/.codex/config.toml", "a = 1\nb = = 2\n", ":2: is not TOML"),
    ("codex", "~/.codex/hooks.json", '{"hooks": {"Stop": 1}}', "`hooks.Stop` is no list"),
    ("kimi", "~/.kimi-code/config.toml", "hooks = 3\n", "`hooks` is no list of tables"),
    ("kimi", "~/.kimi-code/mcp.json", "[]", "is not a JSON object"),
]


@pytest.mark.parametrize(("client", "path", "text", "told"), BROKEN)
def test_what_is_not_understood_is_refused_with_its_line_and_nothing_is_written(
    ready: Repo, home: Path, client: str, path: str, text: str, told: str
) -> None:
    theirs(ready, home)
    full = home / path[2:] if path.startswith("~/") else ready.root / path
    if path == "opencode.jsonc":
        (ready.root / "opencode.json").unlink()
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_text(text, encoding="utf-8")
    before = files(ready.root), files(home)
    result = ready.curator("init", f"--{client}", "--target", "AGENTS.md")
    assert result.exit_code == 2
    assert f"{path}" in result.stderr and told in result.stderr
    assert (files(ready.root), files(home)) == before


@pytest.mark.parametrize(
    ("client", "path"),
    [
        ("mcp", ".mcp.json"),
        ("opencode", ".opencode"),
        ("codex", "~/.codex/config.toml"),
        ("kimi", "~/.kimi-code/mcp.json"),
    ],
)
@pytest.mark.parametrize("option", [(), ("--remove",)])
def test_a_link_is_left_alone(ready: Repo, home: Path, client: str, path: str, option: tuple[str, ...]) -> None:
    full = home / path[2:] if path.startswith("~/") else ready.root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    shared = ready.root / "shared"
    if path == ".opencode":
        shared.mkdir()
        (shared / "opencode.json").write_text(COMMENTED, encoding="utf-8")
    else:
        shared.write_text(SERVER, encoding="utf-8")
    full.symlink_to(shared)
    before = files(ready.root)
    result = ready.curator("init", f"--{client}", *option)
    assert result.exit_code == 2
    assert f"{path}: is a link to" in result.stderr
    assert files(ready.root) == before


@pytest.mark.parametrize("path", [".mcp.json", "~/.codex/hooks.json", "~/.kimi-code/config.toml"])
def test_a_read_only_file_is_refused_before_anything_is_written(ready: Repo, home: Path, path: str) -> None:
    theirs(ready, home)
    full = home / path[2:] if path.startswith("~/") else ready.root / path
    full.chmod(0o444)
    before = files(ready.root), files(home)
    result = ready.curator("init", "--mcp", "--codex", "--kimi")
    assert result.exit_code == 2
    assert f"{path}: is read-only" in result.stderr
    assert (files(ready.root), files(home)) == before


def test_mode_and_keys_that_somebody_added_stay(ready: Repo, home: Path) -> None:
    theirs(ready, home)
    (home / ".codex/config.toml").chmod(0o600)
    ready.curator("init", "--codex", "--mcp")
    assert (home / ".codex/config.toml").stat().st_mode & 0o777 == 0o600
    ready.write(
        ".mcp.json",
        ready.read(".mcp.json").replace(
            '"args": [\n        "mcp"', '"env": {"A": "b"},\n      "args": [\n        "mcp"'
        ),
    )
    value = json.loads(ready.read(".mcp.json"))
    assert value["mcpServers"]["curator"]["env"] == {"A": "b"}
    assert "in place" in ready.curator("init", "--mcp").stdout
    assert json.loads(ready.read(".mcp.json")) == value


def test_a_curator_that_moved_is_brought_up_to_date_in_place(
    ready: Repo, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curator.edge import hooks

    theirs(ready, home)
    names = [f"--{client}" for client in CLIENTS]
    ready.curator("init", *names)
    before = {**files(ready.root), **files(home)}
    monkeypatch.setattr(hooks, "program", lambda name="curator": f"/elsewhere/{name}")
    told = ready.curator("init", *names)
    assert told.exit_code == 0, told.stderr
    assert "1 MCP server changed in .mcp.json" in told.stdout
    assert "6 hooks changed in ~/.codex/hooks.json" in told.stdout
    after = {**files(ready.root), **files(home)}
    assert before.keys() == after.keys()
    assert all(b"my tools" not in data for data in after.values())
    assert (
        tomllib.loads(after[".codex/config.toml"].decode())["mcp_servers"]["curator"]["command"] == "/elsewhere/curator"
    )


def test_codex_hooks_are_not_put_into_both_of_its_places(ready: Repo) -> None:
    assert ready.curator("init", "--codex", "--team").exit_code == 0
    told = ready.curator("init", "--codex")
    assert told.exit_code == 2
    assert ".codex/hooks.json holds curator's hooks" in told.stderr
    ready.curator("init", "--codex", "--remove")
    assert ready.curator("init", "--codex").exit_code == 0
    assert "~/.codex/hooks.json holds" in ready.curator("init", "--codex", "--team").stderr


def test_the_folder_that_a_variable_names_is_taken(
    ready: Repo, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("KIMI_CODE_HOME", str(tmp_path / "k"))
    assert ready.curator("init", "--codex", "--kimi").exit_code == 0
    assert files(home) == {}
    assert {*files(tmp_path / "c"), *files(tmp_path / "k")} == {"config.toml", "hooks.json", "mcp.json"}


def test_remove_wants_to_know_what_and_scope_for_which_file(ready: Repo) -> None:
    assert (
        "--remove needs one of --claude, --mcp, --opencode, --codex, --kimi" in ready.curator("init", "--remove").stderr
    )
    assert "--scope needs --target" in ready.curator("init", "--scope", "svc").stderr


# -- targets -----------------------------------------------------------------------


def test_each_agents_file_is_made_in_its_form_and_listed_in_the_settings(ready: Repo) -> None:
    ready.write("memories/curator.yaml", "# ours\ntargets:\n  - path: CLAUDE.md # first\nblock: here\n")
    ready.commit("settings")
    wanted = [
        "AGENTS.md",
        "GEMINI.md",
        ".github/copilot-instructions.md",
        ".cursor/rules/memories.mdc",
        "svc/CLAUDE.md",
    ]
    told = ready.curator("init", *(word for path in wanted for word in ("--target", path)))
    assert told.exit_code == 0, told.stderr
    assert ready.curator("init", "--target", ".claude/rules/pay.md", "--scope", "svc/pay").exit_code == 0
    assert ready.read("memories/curator.yaml") == (
        "# ours\ntargets:\n  - path: CLAUDE.md # first\n  - path: AGENTS.md\n  - path: GEMINI.md\n"
        "  - path: '.github/copilot-instructions.md'\n  - path: '.cursor/rules/memories.mdc'\n"
        "  - path: svc/CLAUDE.md\n    scope: svc/\n  - path: '.claude/rules/pay.md'\n    scope: svc/pay/\nblock: here\n"
    )
    assert ready.read(".cursor/rules/memories.mdc").startswith("---\ndescription: ")
    assert ready.read(".claude/rules/pay.md").startswith("---\npaths:\n  - 'svc/pay/**'\n---\n")
    assert ready.read("GEMINI.md").startswith(f"{START}\n")
    assert ready.git("status", "--porcelain").count("A  ") == 6, "all is staged"


def test_a_render_keeps_front_matter_and_shows_each_file_what_is_about_its_folder(ready: Repo) -> None:
    ready.write(".cursor/rules/ours.mdc", "---\r\ndescription: mine\r\nglobs: a/**\r\n---\r\n# Mine\r\n")
    ready.write("svc/pay/a.py", "A = 1\n")
    ready.curator("init", "--target", ".cursor/rules/ours.mdc", "--target", "svc/pay/AGENTS.md")
    ready.curator("init", "--target", ".claude/rules/pay.md", "--scope", "svc/pay")
    ready.commit("targets")
    ready.memory("pay", "Amounts are cents.", more="scope: svc/pay/\nreview_by: '2099-12-31'\n")
    ready.add()
    assert ready.curator("render").exit_code == 0
    assert "Amounts are cents." in ready.read("svc/pay/AGENTS.md")
    assert ready.read(".claude/rules/pay.md").startswith("---\npaths:\n  - 'svc/pay/**'\n---\n\n")
    assert "Amounts are cents." in ready.read(".claude/rules/pay.md")
    assert "Amounts are cents." not in ready.read("CLAUDE.md") + ready.read(".cursor/rules/ours.mdc")
    mine = ready.read(".cursor/rules/ours.mdc")
    assert mine.startswith("---\r\ndescription: mine\r\nglobs: a/**\r\n---\r\n# Mine\r\n\r\n")
    assert "Run pytest" in mine and "\r\n" in mine.split(START)[1]


def test_a_target_that_is_there_already_is_not_listed_twice(ready: Repo) -> None:
    ready.curator("init", "--target", "AGENTS.md")
    once = ready.read("memories/curator.yaml")
    ready.curator("init", "--target", "AGENTS.md", "--target", "./AGENTS.md")
    assert ready.read("memories/curator.yaml") == once


def test_a_target_that_is_added_where_memories_are_shows_them_at_once(ready: Repo) -> None:
    told = ready.curator("init", "--target", "GEMINI.md")
    assert "rendered  GEMINI.md  (staged)" in told.stdout
    assert told.stdout.endswith("Next: `git commit`\n")
    assert "Run pytest" in ready.read("GEMINI.md")
    assert ready.git("diff", "--name-only") == ""
    ready.commit("GEMINI.md")
    assert ready.curator("render", "--check", "--target", "GEMINI.md").exit_code == 0


def test_an_empty_block_is_rendered_by_another_init_and_not_called_in_place(ready: Repo) -> None:
    ready.write("CLAUDE.md", f"# Mine\n\n{START}\n{END}\n")
    told = ready.curator("init")
    assert "everything is in place" not in told.stdout
    assert "Run pytest" in ready.read("CLAUDE.md")
    assert "everything is in place" in ready.curator("init").stdout


def test_no_branch_of_a_team_renders_a_new_target(ready: Repo) -> None:
    ready.curator("init", "--team", "--target", "GEMINI.md")
    assert ready.read("GEMINI.md") == f"{START}\n{END}\n"


@pytest.mark.parametrize("path", ["shop/app.py", "Makefile", "data.json", "page.mdx"])
def test_a_file_in_which_markers_are_no_comments_is_no_target(ready: Repo, path: str) -> None:
    ready.write(path, "x = 1\n")
    told = ready.curator("init", "--target", path)
    assert told.exit_code == 2
    assert f"{path}: is no Markdown file" in told.stderr
    assert ready.read(path) == "x = 1\n"


def test_another_folder_than_that_of_a_target_that_is_there_is_refused(ready: Repo) -> None:
    ready.curator("init", "--target", ".claude/rules/a.md", "--scope", "svc")
    before = files(ready.root)
    told = ready.curator("init", "--target", ".claude/rules/a.md", "--scope", "other")
    assert told.exit_code == 2
    assert ".claude/rules/a.md is a target already, about svc/" in told.stderr
    assert files(ready.root) == before
    assert ready.curator("init", "--target", ".claude/rules/a.md", "--scope", "svc/").exit_code == 0
    assert ready.curator("init", "--target", ".claude/rules/a.md").exit_code == 0


def test_what_a_file_holds_to_import_is_said_of_new_targets_alone(ready: Repo) -> None:
    ready.write("AGENTS.md", "# Rules\n\n- Never mock the database.\n")
    told = ready.curator("init", "--target", "AGENTS.md").stdout
    assert "AGENTS.md holds 1 rule: `curator import AGENTS.md` shows what it makes as a memory" in told
    assert "holds" not in ready.curator("init", "--target", "GEMINI.md").stdout


def test_targets_are_taken_out_again_with_their_settings_and_what_was_made_for_them(ready: Repo) -> None:
    ready.write("AGENTS.md", "# Mine\n\ntext\n")
    ready.commit("mine")
    before = ready.git("rev-parse", "HEAD^{tree}")
    made = ("AGENTS.md", "GEMINI.md", ".cursor/rules/x.mdc", "svc/CLAUDE.md")
    options = [word for path in made for word in ("--target", path)]
    assert ready.curator("init", *options).exit_code == 0
    assert ready.curator("init", "--target", ".claude/rules/p.md", "--scope", "svc").exit_code == 0
    ready.commit("targets")
    shown = ready.curator("init", *options, "--remove", "--dry-run")
    assert "deleted file mode" in shown.stdout
    assert ready.git("status", "--porcelain") == ""
    told = ready.curator("init", *options, "--target", ".claude/rules/p.md", "--remove")
    assert told.exit_code == 0, told.stderr
    assert "removed  GEMINI.md, which held nothing else" in told.stdout
    assert ready.git("write-tree") == before, "all of it is staged"
    assert ready.git("status", "--porcelain").count("??") == 0
    assert not (ready.root / ".cursor").exists()
    assert ready.curator("init", "--target", "GEMINI.md", "--remove").exit_code == 2


def test_every_block_is_taken_out_and_memories_stay(ready: Repo) -> None:
    ready.write("AGENTS.md", "# Mine\r\n\r\ntext")
    ready.curator("init", "--target", "AGENTS.md", "--target", "GEMINI.md")
    ready.commit("targets")
    told = ready.curator("init", "--no-blocks")
    assert told.exit_code == 0, told.stderr
    assert all(START not in ready.git("show", f":{path}") for path in ("CLAUDE.md", "AGENTS.md"))
    assert ready.read("AGENTS.md").rstrip() == "# Mine\r\n\r\ntext"
    assert not (ready.root / "GEMINI.md").exists()
    assert "targets: []" in ready.read("memories/curator.yaml")
    assert "no block of curator's here" in ready.curator("init", "--no-blocks").stdout
    for command in (("render",), ("status",), ("doctor",), ("recall", "pytest"), ("render", "--task", "pytest")):
        assert not isinstance(ready.curator(*command).exception, (IndexError, ValueError)), command
    assert ready.curator("add", "Never round taxes down.").exit_code == 0


def test_a_block_that_cannot_be_told_from_the_rest_stops_the_taking_out(ready: Repo) -> None:
    ready.curator("init", "--target", "GEMINI.md")
    ready.write("CLAUDE.md", f"{START}\nx\n")
    before = files(ready.root)
    told = ready.curator("init", "--no-blocks")
    assert told.exit_code == 2
    assert "the end marker is missing" in told.stderr
    assert files(ready.root) == before


@pytest.mark.parametrize("client", ["codex", "kimi"])
def test_a_home_folder_that_is_the_repository_holds_one_set_of_files(
    ready: Repo, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    monkeypatch.setenv("HOME", str(ready.root))
    before = files(ready.root)
    for options in (("--team",), ()):
        for _ in range(2):
            told = ready.curator("init", f"--{client}", *options)
            assert told.exit_code == 0, told.stderr
        told = ready.curator("init", f"--{client}", "--remove")
        assert told.exit_code == 0, told.stderr
        assert files(ready.root) == before


def test_a_repository_that_starts_takes_several_targets(repo: Repo) -> None:
    told = repo.curator("init", "--target", "AGENTS.md", "--target", "svc/AGENTS.md")
    assert told.exit_code == 0, told.stderr
    assert "  - path: AGENTS.md\n  - path: svc/AGENTS.md\n    scope: svc/\n" in repo.read("memories/curator.yaml")


def test_a_first_target_about_a_folder_is_said_to_leave_the_rest_out(repo: Repo) -> None:
    assert "no file those of the whole repository" in repo.curator("init", "--target", "svc/CLAUDE.md").stderr


def test_the_plugin_is_shipped_and_its_program_is_the_one_line_that_differs(ready: Repo) -> None:
    from curator.edge import assets

    ready.curator("init", "--opencode")
    mine = ready.read(".opencode/plugins/curator.js").split("\n")
    shipped = assets.text(assets.OPENCODE).split("\n")
    (other,) = [line for line, given in zip(mine, shipped, strict=True) if line != given]
    assert json.loads(other.removeprefix("const PROGRAM = ")).endswith("my tools/curator-hook")
    node = shutil.which("node")
    if node:
        subprocess.run([node, "--check", ".opencode/plugins/curator.js"], cwd=ready.root, check=True)


@pytest.mark.parametrize(
    ("client", "path", "text"),
    [
        ("kimi", ".kimi-code/config.toml", '[providers.k]\ntype = "x"\napi_key = "sk-SECRET"'),
        ("kimi", ".kimi-code/mcp.json", '{"mcpServers": {"x": {"command": "x", "env": {"KEY": "sk-SECRET"}}}}'),
        ("kimi", ".kimi-code/mcp.json", SERVER.replace('"k"', '"sk-SECRET"')),
        ("codex", ".codex/config.toml", 'api_key = "sk-SECRET"\n'),
        ("codex", ".codex/hooks.json", '{"key": "sk-SECRET"}'),
    ],
)
def test_a_dry_run_shows_nothing_of_the_users_own_files_but_what_changes(
    ready: Repo, home: Path, client: str, path: str, text: str
) -> None:
    (home / path).parent.mkdir()
    (home / path).write_text(text, encoding="utf-8")
    for options in ((), ("--remove",)):
        told = ready.curator("init", f"--{client}", *options, "--dry-run")
        assert f"~/{path}:" in told.stdout
        assert "my tools/curator" in told.stdout
        assert "SECRET" not in told.output
        assert ready.curator("init", f"--{client}", *options).exit_code == 0
    assert (home / path).read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("client", "folder"), [("codex", ".codex"), ("kimi", ".kimi-code")])
def test_a_folder_of_the_users_that_was_made_goes_again_and_one_that_was_there_stays(
    ready: Repo, home: Path, client: str, folder: str
) -> None:
    for there in (False, True):
        if there:
            (home / folder).mkdir()
        ready.curator("init", f"--{client}")
        assert list((home / folder).iterdir())
        ready.curator("init", f"--{client}", "--remove")
        assert (home / folder).exists() == there


def test_hooks_of_kimis_on_one_line_are_refused_and_nothing_is_written(ready: Repo, home: Path) -> None:
    path = home / ".kimi-code/config.toml"
    path.parent.mkdir()
    path.write_text('hooks = [{event = "Stop", command = "/x/curator-hook"}]\n', encoding="utf-8")
    for options in ((), ("--remove",)):
        told = ready.curator("init", "--kimi", *options)
        assert told.exit_code == 2
        assert "~/.kimi-code/config.toml: is written in a form that curator cannot change in place" in told.stderr
    assert files(home) == {".kimi-code/config.toml": path.read_bytes()}


def test_the_server_is_found_in_whichever_config_of_opencodes_holds_it(ready: Repo) -> None:
    ready.curator("init", "--opencode", "--team")
    ready.git("mv", "opencode.json", "opencode.jsonc")
    other = '{"agent": {"curator": {}}}\n'
    ready.write("opencode.json", other)
    assert "in place: opencode.jsonc" in ready.curator("init", "--opencode", "--team").stdout
    assert "opencode.jsonc starts curator, which is not there" in ready.curator("doctor").stdout
    assert "1 MCP server taken out of opencode.jsonc" in ready.curator("init", "--opencode", "--remove").stdout
    assert not (ready.root / "opencode.jsonc").exists()
    assert ready.read("opencode.json") == other


def test_two_configs_of_opencodes_that_hold_the_server_are_both_cleared(ready: Repo) -> None:
    ready.curator("init", "--opencode", "--team")
    ready.write(".opencode/opencode.json", ready.read("opencode.json"))
    ready.curator("init", "--opencode", "--remove")
    assert not (ready.root / "opencode.json").exists()
    assert not (ready.root / ".opencode").exists()


@pytest.mark.parametrize(
    ("client", "path"), [("mcp", ".mcp.json"), ("opencode", "opencode.json"), ("claude", ".claude/settings.json")]
)
def test_from_the_form_of_one_machine_to_a_teams_the_line_that_ignores_is_named(
    ready: Repo, client: str, path: str
) -> None:
    assert ready.curator("init", f"--{client}").exit_code == 0
    ready.write(".git/info/exclude", f"# own\n/{path}\n")
    told = ready.curator("init", f"--{client}", "--team")
    assert f"take `/{path}` in .git/info/exclude:2 out, then run this again" in told.stderr
    assert path not in ready.git("diff", "--cached", "--name-only").split()
    ready.write(".git/info/exclude", "# own\n")
    told = ready.curator("init", f"--{client}", "--team")
    assert "(staged)" in told.stdout
    assert "ignored by git" not in told.stderr
    assert path in ready.git("diff", "--cached", "--name-only").split()


@pytest.mark.parametrize(
    ("client", "path"), [("mcp", ".mcp.json"), ("opencode", "opencode.json"), ("claude", ".claude/settings.json")]
)
def test_taking_it_out_names_the_line_that_keeps_the_file_out_of_commits(ready: Repo, client: str, path: str) -> None:
    ready.curator("init", f"--{client}")
    ready.write(".git/info/exclude", f"/{path}\n")
    told = ready.curator("init", f"--{client}", "--remove")
    assert f"`/{path}` in .git/info/exclude:1 still keeps {path} out of commits" in told.stderr
