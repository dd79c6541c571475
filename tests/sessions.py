"""Sessions that the real clients wrote (tests/data/sessions), put where those clients keep them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

DATA = Path(__file__).parent / "data" / "sessions"
FOLDER = "/home/ann/shop"
CODEX = "01a22d77-939c-73b1-9547-dc9acfa3d3d3"
KIMI = "session_878da42c-cdc0-48a9-a41f-98c30d78dc49"
OPENCODE = "ses_dd28558a8ffeE2NIq8BvOR6JcC"
SAID = [
    "Always close the pool handle before forking a worker.",
    "From now on run the linter before every commit, thanks.",
    "Never commit directly to the release branch.",
    "We decided to use Postgres instead of SQLite because of concurrent writers.",
]
"""What is worth proposing of each, in order; the first stood in a file that a tool had read."""

ROLLOUT = next((DATA / "codex").glob("*.jsonl"))
WIRE = next((DATA / "kimi").rglob("wire.jsonl"))
DATABASE = DATA / "opencode" / "opencode.db"


def home() -> Path:
    return Path(os.environ["HOME"])


def codex(root: Path, when: int = 100) -> Path:
    """The session of Codex, as if it had run at *root*; last written at *when*."""
    return _copied(ROLLOUT, home() / ".codex/sessions/2026/11/30" / ROLLOUT.name, root, when)


def kimi(root: Path, when: int = 200) -> Path:
    """The same of Kimi Code."""
    base = home() / ".kimi-code/sessions"
    state = WIRE.parents[2] / "state.json"
    _copied(state, base / state.relative_to(DATA / "kimi"), root, when)
    return _copied(WIRE, base / WIRE.relative_to(DATA / "kimi"), root, when)


def opencode(root: Path, when: int = 300) -> Path:
    """The same of OpenCode; its database."""
    path = home() / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(DATABASE, path)
    with closing(sqlite3.connect(path)) as database, database:
        for table, column in (("session", "directory"), ("message", "data"), ("part", "data")):
            database.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (FOLDER, str(root)))
        database.execute("UPDATE session SET time_updated = ?", (when * 1000,))
    return path


def _copied(source: Path, target: Path, root: Path, when: int) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(source.read_text(encoding="utf-8").replace(FOLDER, str(root)), encoding="utf-8")
    os.utime(target, (when, when))
    return target
