"""Time of `curator import` of five thousand statements, of a database, a folder of notes and a file of JSON."""

from __future__ import annotations

import json
import os
import random
import resource
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import check, stores
from benchmarks.speed import CURATOR

STATEMENTS = 5_000
ENTRIES, FILES = 1_000, 2_000
LIMIT = 10.0
"""Seconds that an import may take, all of it durable at the end."""

Row = tuple[str, str, int, float]


def main() -> bool:
    """Print the table; False when the limit is missed."""
    print(f"{STATEMENTS:,} statements into a repository of {ENTRIES:,} memories and {FILES:,} files\n")
    print("| source | into | seconds | CPU | again | written |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        rows = _rows()
        makers = (("SQLite", _database), ("Markdown notes", _notes), ("JSON", _json))
        reached = [_told(Path(scratch), name, make, rows, ()) for name, make in makers]
        _told(Path(scratch), "JSON", _json, rows, ("--accept", "--no-render"))  # unreviewed, with evidence: no limit
        return all(reached)


def _rows() -> list[Row]:
    rng = random.Random(STATEMENTS)
    kinds = ("decision", "gotcha", "convention", "constraint")
    return [
        (f"{stores.sentence(rng)} Case {number} is in src/p{number % 97:02}/q{number % 31:02}/m{number % FILES}.py.",
         rng.choice(kinds), rng.randrange(9), round(rng.random(), 2))
        for number in range(STATEMENTS)
    ]  # fmt: skip


def _told(
    scratch: Path, name: str, make: Callable[[Path, Sequence[Row]], Path], rows: list[Row], options: tuple[str, ...]
) -> bool:
    root = scratch / f"{name}{len(options)}"
    check.make(root, ENTRIES, FILES)
    source = make(scratch / f"{name}{len(options)}-source", rows)
    first, used, said = _seconds(root, source, options)
    again, _, _ = _seconds(root, source, options)
    into = "tree" if options else "inbox"
    made = len(list((root / "memories").rglob("*.yaml"))) - ENTRIES if options else _waiting(root)
    print(f"| {name} | {into} | {first:.2f} | {used:.2f} | {again:.2f} | {made:,} |")
    if made != STATEMENTS:
        print(f"\n{said}")
    return first <= LIMIT and made == STATEMENTS


def _waiting(root: Path) -> int:
    return len(list((root / ".git/curator/inbox").glob("*.yaml")))


def _seconds(root: Path, source: Path, options: tuple[str, ...]) -> tuple[float, float, str]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    person = {key: value for key, value in os.environ.items() if not key.startswith(("CLAUDE", "AI_AGENT", "AGENT"))}
    command = [*CURATOR, "import", str(source), "--yes", *options]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True, env=person)
    taken = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def _database(place: Path, rows: Sequence[Row]) -> Path:
    path = place.with_suffix(".db")
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, session_id TEXT, category TEXT, content TEXT,"
               " access_count INTEGER, importance REAL, created_at TEXT)")  # fmt: skip
    db.executemany(
        "INSERT INTO memories (content, category, access_count, importance, created_at)"
        " VALUES (?, ?, ?, ?, '2026-03-03 14:03:00')",
        rows,
    )
    db.commit()
    db.close()
    return path


def _notes(place: Path, rows: Sequence[Row]) -> Path:
    for number, (text, kind, seen, _) in enumerate(rows):
        file = place / f"{number % 50:02}" / f"note-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"---\nname: note {number}\ntype: {kind}\naccess_count: {seen}\ntags: [a, b]\n---\n\n{text}\n",
            encoding="utf-8",
        )
    return place


def _json(place: Path, rows: Sequence[Row]) -> Path:
    path = place.with_suffix(".json")
    names = ("text", "category", "access_count", "importance")
    path.write_text(json.dumps([dict(zip(names, row, strict=True)) for row in rows]), encoding="utf-8")
    return path
