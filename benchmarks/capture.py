"""What capture makes of forty sentences, and how long a session log takes.

    python -m benchmarks.capture [LOG...]

Without a log it makes one of 4 MB, nine in ten lines of it tool results. Each
log is read by a Python of its own, start included.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from curator.core import extract

PROBE = Path(__file__).parent.parent / "tests" / "core" / "data" / "probe.yaml"
LEAST_FOUND, MOST_FALSE = 18, 0
MOST_SECONDS = 0.5
"""For 4 MB of log."""

_MEGABYTE = 1_000_000
_READ = """
import json, sys
from curator.core import extract, session
texts = found = 0
with open(sys.argv[1], "rb") as log:
    for line in log:
        said = session.said(json.loads(line)) if b'"user"' in line else None
        if said and said.by == "user":
            texts += 1
            found += len(extract.candidates(said.text, least=extract.LEAST["normal"]))
print(texts, found)
"""


def probe() -> bool:
    """Print what is proposed at each sensitivity; False when too little or anything else is at the default."""
    rows = yaml.safe_load(PROBE.read_text(encoding="utf-8"))
    wanted = {row["id"] for row in rows if row["expect"] == "propose"}
    print("| sensitivity | confidence | proposed | of the others |\n|---|---|---|---|")
    reached = True
    for name, least in extract.LEAST.items():
        found = {row["id"] for row in rows if extract.candidates(row["text"], least=least)}
        print(f"| {name} | {least:.2f} | {len(found & wanted)} of {len(wanted)} | {len(found - wanted)} |")
        if name == "normal":
            reached = len(found & wanted) >= LEAST_FOUND and len(found - wanted) <= MOST_FALSE
    return reached


def make(log: Path, size: int) -> None:
    """A log of *size* bytes: a typed message, an answer, and sixteen tool results of 2 kB, over and over."""
    said = [json.dumps({"type": "user", "message": {"content": f"{row} Then look at it."}}) for row in _typed()]
    answer = json.dumps({"type": "assistant", "message": {"content": [{"type": "text", "text": "Done. " * 80}]}})
    part = {"type": "tool_result", "content": "x = 1\n" * 340}
    result = json.dumps({"type": "user", "message": {"content": [part]}, "toolUseResult": {"stdout": "x"}})
    turns = ["\n".join([one, answer, *[result] * 16, ""]) for one in said]
    text = "".join(turns[number % len(turns)] for number in range(1 + size // len(turns[0])))
    log.write_text(text[: text.rfind("\n", 0, size) + 1], encoding="utf-8")


def _typed() -> list[str]:
    return [row["text"] for row in yaml.safe_load(PROBE.read_text(encoding="utf-8"))]


def timed(log: Path) -> float:
    """Seconds to read and extract one log, the best of three; prints what it holds."""
    best, told = 60.0, ""
    for _ in range(3):
        start = time.perf_counter()
        told = subprocess.run(
            [sys.executable, "-c", _READ, str(log)], check=True, capture_output=True, text=True
        ).stdout
        best = min(best, time.perf_counter() - start)
    texts, found = told.split()
    size = log.stat().st_size / _MEGABYTE
    print(
        f"{size:.1f} MB, {texts} typed messages, {found} candidates: {best:.2f} s ({best / size * 1000:.0f} ms per MB)"
    )
    return best


def main(logs: list[str] | None = None) -> bool:
    """Print both tables; False when a number to reach was missed."""
    reached = probe()
    print()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "session.jsonl")
        make(made, 4 * _MEGABYTE)
        for log in map(Path, logs) if logs else (made,):
            reached = timed(log) <= MOST_SECONDS * max(1.0, log.stat().st_size / (4 * _MEGABYTE)) and reached
    return reached


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
