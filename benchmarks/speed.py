"""CPU and memory of cold curator processes, as ratios to `python -c pass` in the same run."""

from __future__ import annotations

import compileall
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import stores

RUNS = 11
PASS = [sys.executable, "-c", "pass"]
CURATOR = [str(Path(sys.executable).with_name("curator"))]


@dataclass(frozen=True)
class Figures:
    """One command, measured: medians over the runs."""

    name: str
    milliseconds: float
    ratio: float
    megabytes: float
    limit: float


def cost(command: list[str], folder: Path) -> tuple[float, float]:
    """CPU seconds (user and system, git included) and peak memory in MB of one cold process."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # reaped here
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale


def measure(name: str, command: list[str], folder: Path, limit: float) -> Figures:
    """Run the command and `python -c pass` in turn; the ratio is the median of the pairs' ratios."""
    cost(command, folder)
    pairs = [(cost(PASS, folder)[0], *cost(command, folder)) for _ in range(RUNS)]
    return Figures(
        name,
        statistics.median(mine for _, mine, _ in pairs) * 1000,
        statistics.median(mine / base for base, mine, _ in pairs),
        max(memory for _, _, memory in pairs),
        limit,
    )


def main() -> bool:
    """Print the table; False when a limit is missed."""
    # pip compiles what it installs; a checkout may hold no bytecode where PYTHONDONTWRITEBYTECODE is set.
    compileall.compile_dir(Path(__file__).parent.parent / "curator", quiet=1)
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        figures: list[Figures] = []
        for size in (100, 1_000, 10_000):
            root = Path(scratch) / str(size)
            stores.make(root, size)
            environment = subprocess.run([*CURATOR, "render"], cwd=root, check=True, capture_output=True)
            assert environment.returncode == 0
            subprocess.run([*CURATOR, "recall", "checkout"], cwd=root, check=True, capture_output=True)
            figures += rows(root, size)
    print("| command | CPU ms | x `python -c pass` | limit | peak MB |\n|---|---|---|---|---|")
    for row in figures:
        limit = f"{row.limit:g}" if row.limit else ""
        print(f"| {row.name} | {row.milliseconds:.0f} | {row.ratio:.1f} | {limit} | {row.megabytes:.0f} |")
    return all(row.ratio <= row.limit for row in figures if row.limit)


def rows(root: Path, size: int) -> list[Figures]:
    """The commands measured on one store."""
    found = [measure("`--help`", [*CURATOR, "--help"], root, 6)] if size == 100 else []
    query = ["recall", "the invoice is rounded per line", "invoiceRounding"]
    found.append(measure(f"`recall`, {size:,} entries", [*CURATOR, *query], root, 7 if size == 10_000 else 0))
    limits = {1_000: 15, 10_000: 35}
    found.append(
        measure(f"`render --check`, {size:,} entries", [*CURATOR, "render", "--check"], root, limits.get(size, 0))
    )
    found.append(measure(f"`render`, {size:,} entries, nothing changed", [*CURATOR, "render"], root, 0))
    found.append(measure(f"`status`, {size:,} entries", [*CURATOR, "status"], root, 0))
    return found


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
