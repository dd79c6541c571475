"""CPU of `curator diff` of a branch that changes 50 of 5,000 entries, and of one that changes 10,000."""

from __future__ import annotations

import compileall
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import check, stores
from benchmarks.speed import CURATOR, PASS, cost
from curator.core import codec
from curator.model import CATEGORIES, Entry, Origin

RUNS = 9
ENTRIES = 5_000
FILES = 2_000
CHANGED = 50
MANY = 10_000
LIMIT = 40
MINUTES = 2


def main() -> bool:
    """Print the table; False when a limit is missed."""
    compileall.compile_dir(Path(__file__).parent.parent / "curator", quiet=1)
    print("| `curator diff main..feature` | CPU ms | x `python -c pass` | limit |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        root = Path(scratch) / "store"
        check.make(root, ENTRIES, FILES)
        (root / "memories" / "curator.yaml").write_text("schema: 1\n", encoding="utf-8")
        _commit(root, "settings")
        subprocess.run([*CURATOR, "recall", "checkout"], cwd=root, check=True, capture_output=True)
        _branch(root, "feature", CHANGED)
        _git(root, "gc", "--quiet")  # what is cloned is packed
        plain = _warm(root, f"{CHANGED} of {ENTRIES:,} entries changed")
        _break_code(root)
        stale = _warm(root, f"the same, and {CHANGED} files that entries cite")
        _git(root, "checkout", "--quiet", "main")
        (root / "notes.txt").write_text("main went on\n", encoding="utf-8")
        _commit(root, "main went on")
        merged = _warm(root, "the same, and main went on: a merge is tried")
        _git(root, "checkout", "--quiet", "feature")
        _branch(root, "many", MANY)
        return all([plain, stale, merged, _many(root)])


def _branch(root: Path, name: str, count: int) -> None:
    """A branch on which half of *count* entries are new and half reworded; where there are too few, more are new."""
    rng = random.Random(count)
    _git(root, "checkout", "--quiet", "-b", name)
    known = sorted(root.glob("memories/*/*.yaml"))
    reworded = known[:: max(1, len(known) // (count // 2))][: min(count // 2, len(known))]
    for file in reworded:
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("text: |\n  The ", "text: |\n  Each ", 1), encoding="utf-8")
    for number in range(count - len(reworded)):
        text = stores.sentence(rng) + "\n"
        entry = Entry(f"{name}-{number:06x}", rng.choice(list(CATEGORIES)), text, origin=Origin(by="user"))
        file = root / codec.path_of(entry.id, entry.category, "")
        file.write_text(codec.write(entry), encoding="utf-8")
    _commit(root, name)


def _break_code(root: Path) -> None:
    for file in sorted((root / "src").rglob("*.py"))[:CHANGED]:
        file.write_text(file.read_text(encoding="utf-8").replace("def rule_", "def other_"), encoding="utf-8")
    _commit(root, "code")


def _warm(root: Path, name: str) -> bool:
    """The median of the ratios, of pairs of runs."""
    command = [*CURATOR, "diff", "main..feature", "--format", "markdown"]
    for _ in range(2):
        cost(command, root)
    pairs = [(cost(PASS, root)[0], cost(command, root)[0]) for _ in range(RUNS)]
    ratio = statistics.median(mine / base for base, mine in pairs)
    print(f"| {name} | {statistics.median(mine for _, mine in pairs) * 1000:.0f} | {ratio:.1f} | {LIMIT} |", flush=True)
    return ratio <= LIMIT


def _many(root: Path) -> bool:
    command = [*CURATOR, "diff", "main..many", "--format", "markdown"]
    cold, warm = (cost(command, root) for _ in range(2))
    for name, (seconds, megabytes) in (("for the first time", cold), ("again", warm)):
        print(f"| {MANY:,} entries changed, {name} | {seconds * 1000:,.0f} ({megabytes:.0f} MB) | | {MINUTES} min |")
    return cold[0] <= MINUTES * 60


def _commit(root: Path, message: str) -> None:
    _git(root, "add", "--all")
    _git(root, "-c", "user.name=b", "-c", "user.email=b", "commit", "--quiet", "-m", message)


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
