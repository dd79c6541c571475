"""A sandbox for each test; without the client, or without a way to cut it off the network, the tests are skipped."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.clients import sandbox
from tests.clients.sandbox import ROOT, Sandbox


@cache
def _missing() -> str:
    return sandbox.missing()


@pytest.fixture
def bare(tmp_path: Path) -> Sandbox:
    """A home and an empty repository."""
    if _missing():
        pytest.skip(_missing())
    return Sandbox(tmp_path / "box")


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
