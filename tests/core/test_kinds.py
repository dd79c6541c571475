from __future__ import annotations

import pytest

from curator.core import kinds


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "pay/AGENTS.md",
        ".claude/rules/a.md",
        ".github/copilot-instructions.md",
        ".cursorrules",
        "x/.cursor/rules/b.mdc",
        "CLAUDE.local.md",
        "GEMINI.md",
    ],
)
def test_what_agents_read_as_rules(path: str) -> None:
    assert kinds.is_instructions(path)


@pytest.mark.parametrize("path", ["docs/claude.py", "src/agents/run.py", "README.md", "agents.mdx", "src/cursor/a.ts"])
def test_what_only_sounds_like_rules(path: str) -> None:
    assert not kinds.is_instructions(path)


@pytest.mark.parametrize(
    "path",
    ["uv.lock", "web/package-lock.json", "pnpm-lock.yaml", "go.sum", "bun.lockb", "Cargo.lock", "Package.resolved"],
)
def test_lock_files_always_change(path: str) -> None:
    assert kinds.is_lock(path)
    assert kinds.is_restless(path)


@pytest.mark.parametrize(
    "path",
    [
        "package.json",
        "README.md",
        "a/README",
        "CHANGELOG.md",
        "HISTORY.rst",
        "dist/app.js",
        "web/app.min.js",
        "api_pb2.py",
        "types.generated.ts",
        "app.js.map",
    ],
)
def test_files_that_always_change(path: str) -> None:
    assert kinds.is_restless(path)
    assert not kinds.is_lock(path)


@pytest.mark.parametrize(
    "path",
    [
        "pyproject.toml",
        "src/lock.py",
        "distance/app.js",
        "docs/changes/a.md",
        "map.py",
        "src/history.py",
        "readme_parser.py",
        "tsconfig.json",
    ],
)
def test_files_that_do_not(path: str) -> None:
    assert not kinds.is_restless(path)


def test_memories_are_told_by_their_folder() -> None:
    assert kinds.is_memory("memories/gotcha/a.yaml")
    assert kinds.is_memory("pay/memories/gotcha/a.yaml")
    assert not kinds.is_memory("src/memories.py")
