"""How long `curator audit` takes on a long history: a file of 300 lines, 20,000 commits.

    python -m benchmarks.audit [COMMITS] [FILES]

Makes the repository with `git fast-import`: each commit changes one file, every
hundredth renames one, every five hundredth empties one, every fiftieth writes
a line of CLAUDE.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from curator.edge import workspace
from curator.verbs import audit

MOST_SECONDS = 20.0
_LINES = 300


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def _body(number: int, version: int, kept: int = 20) -> str:
    names = "".join(
        f"def step_{number}_{each}(value):\n    return value + {each + version}\n\n\n" for each in range(kept)
    )
    return f"LIMIT_{number} = {version}\n\n\n{names}"


def _rule(number: int, files: int) -> str:
    place = f"src/part{number % 40}/file_{number % files}.py"
    return f"- Step {number} runs `step_{number % files}_{number % 20}` of `{place}` once."


def _history(commits: int, files: int) -> Iterator[str]:
    """The stream of git-fast-import(1)."""
    places = {number: f"src/part{number % 40}/file_{number}.py" for number in range(files)}
    rules = [_rule(number, files) for number in range(_LINES)]
    for commit in range(commits):
        yield f"commit refs/heads/main\ncommitter Ada <ada@example.org> {1600000000 + 600 * commit} +0000\n"
        yield _data(f"Change {commit}")
        if commit == 0:
            for number, path in places.items():
                yield f"M 100644 inline {path}\n{_data(_body(number, 0))}"
            yield f"M 100644 inline CLAUDE.md\n{_data(chr(10).join(rules))}"
            continue
        number = commit % files
        if commit % 100 == 0:
            number = commit // 100 * 7 % files
            moved = f"src/moved/file_{number}_{commit}.py"
            yield f'R "{places[number]}" "{moved}"\n'
            places[number] = moved
        else:
            kept = 0 if commit % 500 == 1 else 20
            yield f"M 100644 inline {places[number]}\n{_data(_body(number, commit, kept))}"
        if commit % 50 == 0:
            line = (commit // 50) % _LINES
            rules[line] = f"{_rule(line, files)} Since change {commit}."
            yield f"M 100644 inline CLAUDE.md\n{_data(chr(10).join(rules))}"


def make(root: Path, commits: int, files: int) -> None:
    """A repository at *root* with that history, checked out."""
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(root)], check=True)
    stream = "".join(_history(commits, files)).encode()
    subprocess.run(["git", "-C", str(root), "fast-import", "--quiet"], input=stream, check=True)
    subprocess.run(["git", "-C", str(root), "reset", "--quiet", "--hard", "main"], check=True)


def measure(commits: int, files: int) -> tuple[float, int]:
    """Seconds of one audit, and how many findings it has."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), commits, files)
        start = time.perf_counter()
        found = audit.run(workspace.open_at(folder))
        return time.perf_counter() - start, len(found.findings)


def reached(commits: int = 20_000, files: int = 500) -> bool:
    """Print seconds; False when they are too many."""
    seconds, findings = measure(commits, files)
    print(f"{commits:,} commits, {files:,} files, a file of {_LINES} lines: {seconds:.1f} s, {findings} findings")
    return seconds <= MOST_SECONDS


if __name__ == "__main__":
    sys.exit(0 if reached(*map(int, sys.argv[1:])) else 1)
