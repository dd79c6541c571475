"""A sandbox for each test; without its client, or without a way to cut it off the network, the test is skipped."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients import sandbox
from tests.clients.sandbox import ROOT, Sandbox


@pytest.fixture
def having(tmp_path: Path) -> Callable[..., Sandbox]:
    """A function from names of clients to a home in which they are set up, and an empty repository."""

    def made(*clients: str) -> Sandbox:
        if reason := sandbox.missing(*clients):
            pytest.skip(reason)
        return Sandbox(tmp_path / "box", *clients)

    return made


@pytest.fixture
def bare(having: Callable[..., Sandbox]) -> Sandbox:
    """A home and an empty repository, for Claude Code."""
    return having("claude")


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone of this repository would hold, without the caches of this one."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


@pytest.fixture
def box(bare: Sandbox, checkout: Path) -> Sandbox:
    """A repository with memories, its block rendered, and the plugin installed from a checkout."""
    bare.write("src/app.py", "PORT = 8080\n")
    bare.sh("curator init && git add -A && git commit -qm init")
    for words in (("plugin", "marketplace", "add", "./"), ("plugin", "install", "curator@curator")):
        run = bare.cli(*words, folder=checkout)
        assert run.code == 0, run.out + run.err
    return bare
