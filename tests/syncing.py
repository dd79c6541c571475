"""Clones and the bare remote between them, for tests of what travels."""

from __future__ import annotations

import subprocess
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from click.testing import Result

from curator.core.syncing import REFS
from tests.conftest import Repo


@dataclass(frozen=True)
class Remote:
    """A bare repository."""

    root: Path

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, input=stdin)
        return done.stdout.decode().strip()

    def put(self, name: str, data: bytes) -> str:
        """Let a ref below refs/curator/inbox/ be a blob, as anybody could who may push."""
        value = self.git("hash-object", "-w", "--stdin", stdin=data)
        self.git("update-ref", REFS + name, value)
        return value

    def refs(self) -> list[str]:
        """The names of what lies there."""
        return self.git("for-each-ref", "--format=%(refname:lstrip=3)", REFS).split()

    def text(self, key: str) -> str:
        return self.git("cat-file", "blob", REFS + key) + "\n"

    def hook(self, name: str, script: str) -> None:
        path = self.root / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)


@dataclass(frozen=True)
class Clones:
    """A remote with a memory and a block, the clone where sessions run, and the one where they are reviewed."""

    remote: Remote
    cloud: Repo
    laptop: Repo


def made(folder: Path, *options: str) -> Clones:
    """Fresh clones; *options* are those of `git init`."""
    remote = Remote(folder / "remote.git")
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", *options, str(remote.root)], check=True)
    first = Repo(folder / "cloud")
    subprocess.run(["git", "init", "-q", "-b", "main", *options, str(first.root)], check=True)
    first.git("remote", "add", "origin", str(remote.root))
    first.memory("a", "Run pytest with -q.")
    first.block()
    first.commit("base")
    first.git("push", "-q", "origin", "main")
    return Clones(remote, first, clone(remote, folder / "laptop"))


def clone(remote: Remote, folder: Path, *options: str) -> Repo:
    done = ["git", "clone", "-q", *options, str(remote.root), str(folder)]
    subprocess.run(done, check=True, capture_output=True)
    repo = Repo(folder)
    repo.git("checkout", "-q", "-B", "main")
    return repo


def run(repo: Repo, *arguments: str, stdin: str | None = None) -> Result:
    """The command line in a clone; nothing that a user can cause shows a traceback."""
    with chdir(repo.root):
        result = repo.curator(*arguments, stdin=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def sync(repo: Repo, *options: str, code: int = 0) -> str:
    """Sync, and what that said."""
    result = run(repo, "sync", *options)
    assert result.exit_code == code, result.output
    return result.output


def summary(told: str) -> str:
    """The line that every sync ends with."""
    return next(line for line in told.split("\n") if "sent " in line and " for review" in line)
