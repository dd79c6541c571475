"""Time of `curator pr` with a full inbox: a hundred proposals as a hundred commits, in a small and a large store."""

from __future__ import annotations

import random
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks import check, stores
from benchmarks.speed import CURATOR
from curator.core import codec, keys
from curator.edge import inbox, workspace
from curator.model import CATEGORIES, Entry, Origin

PROPOSALS = 100
RUNS = 3
LIMIT = 5.0
"""Seconds that a hundred proposals may take."""
REPOSITORIES = ((200, 2_000), (10_000, 20_000))
"""Entries and files."""


def main() -> bool:
    """Print the table; False when the limit is missed."""
    print(f"{PROPOSALS} proposals on a branch, one commit each and one for the block; median of {RUNS}\n")
    print("| entries | files | `pr --dry-run` | `pr` | CPU of `pr` |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        return all([_told(Path(scratch) / str(entries), entries, files) for entries, files in REPOSITORIES])


def _told(root: Path, entries: int, files: int) -> bool:
    check.make(root, entries, files)
    subprocess.run(["git", "config", "user.name", "b"], cwd=root, check=True)
    subprocess.run(["git", "config", "user.email", "b"], cwd=root, check=True)
    _propose(root, files)
    subprocess.run([*CURATOR, "recall", "x"], cwd=root, check=True, capture_output=True)
    dry = [_seconds(root, "pr", "--dry-run")[0] for _ in range(RUNS)]
    wet = []
    for number in range(RUNS):
        wet.append(_seconds(root, "pr", "--branch", f"memories/{number}"))
        subprocess.run(["git", "branch", "--quiet", "-D", f"memories/{number}"], cwd=root, check=True)
        subprocess.run([*CURATOR, "sweep"], cwd=root, check=True, capture_output=True)
    (taken, used) = sorted(wet)[RUNS // 2]
    print(f"| {entries:,} | {files:,} | {sorted(dry)[RUNS // 2]:.2f} s | {taken:.2f} s | {used:.2f} s |")
    return taken <= LIMIT


def _propose(root: Path, files: int) -> None:
    rng = random.Random(files)
    here = workspace.open_at(str(root))
    for number in range(PROPOSALS):
        path = f"src/p{number % 97:02}/q{number % 31:02}/m{number}.py"
        text = f"{stores.sentence(rng)} Case {number} is decided by {path}.\n"
        key = keys.key("default", text)
        origin = Origin("user", "claude-code", "5d0c77e1", created="2026-03-03T14:03:00Z", key=key)
        entry = Entry(f"{codec.slug(text)}-{key[:6]}", rng.choice(list(CATEGORIES)), text, origin=origin)
        inbox.put(here, key, codec.write(entry))


def _seconds(root: Path, *arguments: str) -> tuple[float, float]:
    """Seconds on the clock, and of CPU, git's included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([*CURATOR, *arguments], cwd=root, capture_output=True, text=True)
    took = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in {0, 1}, done.stderr
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    raise SystemExit(not main())
