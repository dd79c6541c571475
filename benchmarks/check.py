"""Time and CPU of `curator check` and of the pre-commit check in a large repository, beside git's own commands."""

from __future__ import annotations

import compileall
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks import stores
from benchmarks.speed import CURATOR, PASS, cost
from curator.core import codec, stale
from curator.model import CATEGORIES, Entry, Source

RUNS = 7
FILES = 50_000
TEXTS = 500
"""Different texts: files with the same one share a blob, which changes nothing for whoever compares ids."""


def main() -> bool:
    """Print the tables; False when a limit is missed."""
    compileall.compile_dir(Path(__file__).parent.parent / "curator", quiet=1)
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        small, large = Path(scratch) / "small", Path(scratch) / "large"
        make(small, 200, 2_000)
        make(large, 10_000, FILES)
        return all([*(look(root) for look in (_hook, _file) for root in (small, large)), _whole(large)])


def make(root: Path, entries: int, files: int) -> None:
    """A committed repository of small Python files, and entries that cite them with evidence, all fresh."""
    rng = random.Random(entries)
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(root)], check=True)
    texts = [_code(rng, number) for number in range(TEXTS)]
    for number in range(files):
        file = root / _path(number)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(texts[number % TEXTS], encoding="utf-8")
    blobs = [_git(root, "hash-object", "--stdin", stdin=text).strip() for text in texts]
    for number in range(entries):
        cited = rng.randrange(files)
        text = f"{stores.sentence(rng)} It is `rule_{cited % TEXTS}` that decides.\n"
        source = stale.stamped(text, Source(_path(cited)), texts[cited % TEXTS], blobs[cited % TEXTS])
        category = rng.choice(list(CATEGORIES))
        entry = Entry(f"memory-{number:06x}", category, text, sources=(source,))
        file = root / codec.path_of(entry.id, category, "")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(codec.write(entry), encoding="utf-8")
    (root / "CLAUDE.md").write_text("<!-- AGENT_MEMORY_START -->\n<!-- AGENT_MEMORY_END -->\n", encoding="utf-8")
    _git(root, "add", "--all")
    subprocess.run([*CURATOR, "render"], cwd=root, check=True, capture_output=True)
    _git(root, "add", "--all")
    _git(root, "-c", "user.name=b", "-c", "user.email=b", "commit", "--quiet", "-m", "all")


def _path(number: int) -> str:
    return f"src/p{number % 97:02}/q{number % 31:02}/m{number}.py"


def _code(rng: random.Random, number: int) -> str:
    words = " ".join(stores.sentence(rng) for _ in range(3))
    return f'def rule_{number}(order):\n    """{words}"""\n    return order.total * {number}\n'


def _git(root: Path, *arguments: str, stdin: str = "", environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, text=True, input=stdin, env=environment
    )
    return done.stdout


def _hook(root: Path) -> bool:
    """CPU of the pre-commit check of a commit that touches no cited file, as a ratio to `python -c pass`."""
    (root / "notes.txt").write_text("no memory cites it\n", encoding="utf-8")
    _git(root, "add", "notes.txt")
    private = root / ".git" / "next-index"
    private.write_bytes((root / ".git" / "index").read_bytes())
    os.environ["GIT_INDEX_FILE"] = str(private)
    try:
        command = [*CURATOR, "check", "--staged"]
        assert subprocess.run(command, cwd=root, capture_output=True).returncode == 0
        pairs = [(cost(PASS, root)[0], cost(command, root)[0]) for _ in range(RUNS)]
    finally:
        del os.environ["GIT_INDEX_FILE"]
    ratio = statistics.median(mine / base for base, mine in pairs)
    listed = len(_git(root, "ls-files").split("\n")) - 1
    print(f"pre-commit check, {listed:,} tracked files, no cited one touched: {ratio:.1f}x `python -c pass` (limit 12)")
    return ratio <= 12


def _file(root: Path) -> bool:
    """CPU of the check of one file for an editor, as a ratio to `python -c pass`."""
    found = sorted(root.glob("memories/*/*.yaml"))
    command = [*CURATOR, "check", str(found[0].relative_to(root))]
    assert subprocess.run(command, cwd=root, capture_output=True).returncode == 0
    pairs = [(cost(PASS, root)[0], cost(command, root)[0]) for _ in range(RUNS)]
    ratio = statistics.median(mine / base for base, mine in pairs)
    print(f"check of one file beside {len(found) - 1:,} others: {ratio:.1f}x `python -c pass` (limit 15)")
    return ratio <= 15


def _whole(root: Path) -> bool:
    """Wall time of a whole check beside `git status`: with everything as it was, and after other files were staged."""
    check = [*CURATOR, "check"]
    _timed(check, root)
    pairs = [(_timed(["git", "status", "--porcelain"], root), _timed(check, root)) for _ in range(RUNS)]
    status, warm = statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)
    ratio = statistics.median(b / a for a, b in pairs)
    staged, edited = [], []
    for number in range(3):
        (root / "notes.txt").write_text(f"another state {number}\n", encoding="utf-8")
        _git(root, "add", "notes.txt")
        staged.append(_timed(check, root))
    for number in range(3):
        cited = root / _path(0)
        cited.write_text(cited.read_text(encoding="utf-8") + f"# {number}\n", encoding="utf-8")
        _git(root, "add", "--all")
        edited.append(_timed(check, root))
    print(f"`git status`: {status:.2f} s; `check` warm: {warm:.2f} s (limit 1), {ratio:.1f}x git status (limit 3)")
    print(f"after another file was staged: {_median(staged)}, after a cited one: {_median(edited)}")
    return warm <= 1 and ratio <= 3


def _median(times: list[float]) -> str:
    return f"{statistics.median(times):.2f} s"


def _timed(command: list[str], root: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
