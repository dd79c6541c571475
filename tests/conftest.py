"""A real repository for every test that needs one, away from the user's own settings."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from curator.edge import workspace
from curator.model import Workspace

START = "<!-- AGENT_MEMORY_START -->"
END = "<!-- AGENT_MEMORY_END -->"
BLOCK_TEMPLATE = (Path(__file__).parent.parent / "templates" / "block.md.j2").read_text(encoding="utf-8")
AGENT_VARIABLES = ("CLAUDE", "CODEX", "OPENCODE", "GEMINI_CLI", "CURSOR", "KIMI", "AI_AGENT", "AGENT", "CURATOR")
FIXED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "NO_COLOR": "1",
}


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No agent, no git settings of the machine, an empty HOME, fixed identity and dates."""
    for name in list(os.environ):
        if name.startswith(("GIT_", *AGENT_VARIABLES)):
            monkeypatch.delenv(name)
    for name in ("EDITOR", "VISUAL", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in FIXED.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


def commands() -> dict[str, click.Command]:
    """Every command of the command line, loaded."""
    from curator.cli import main

    context = click.Context(main)
    found = {name: main.get_command(context, name) for name in main.list_commands(context)}
    return {name: command for name, command in found.items() if command}


@dataclass(frozen=True)
class Repo:
    """A git repository in a temporary folder."""

    root: Path

    @property
    def workspace(self) -> Workspace:
        return workspace.open_at(str(self.root))

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True)
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text)
        return target

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8", "surrogateescape")

    def memory(
        self, name: str, text: str, category: str = "convention", more: str = "review_by: '2099-12-31'\n"
    ) -> str:
        """Write memories/<category>/<name>.yaml, not staged; return its path."""
        path = f"memories/{category}/{name}.yaml"
        lines = "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))
        self.write(path, f'schema: 1\nid: "{name}"\ncategory: {category}\ntext: |\n{lines}importance: 5\n{more}')
        return path

    def block(
        self, path: str = "CLAUDE.md", inner: str = "old", before: str = "# Project\ntop\n", after: str = "USER TAIL\n"
    ) -> None:
        self.write(path, f"{before}{START}\n{inner}\n{END}\n{after}")

    def add(self) -> None:
        self.git("add", "-A")

    def commit(self, message: str = "change") -> None:
        self.add()
        self.git("commit", "-qm", message)

    def curator(self, *arguments: str, stdin: str | None = None) -> Result:
        """Run the command line in this process."""
        from curator.cli import main

        return CliRunner().invoke(main, list(arguments), input=stdin)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """An empty repository on branch main, which is also the current folder."""
    root = tmp_path / "repo"
    root.mkdir()
    monkeypatch.chdir(root)
    made = Repo(root)
    made.git("init", "-q", "-b", "main")
    return made


@pytest.fixture
def base(repo: Repo) -> Repo:
    """A repository with one memory and a CLAUDE.md with a block, committed."""
    repo.memory("a", "Run pytest with -q.")
    repo.block()
    repo.commit("base")
    return repo
