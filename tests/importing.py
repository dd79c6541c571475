"""Stores of other tools for tests, and what an import makes of them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.conftest import Repo

SAMPLES = Path(__file__).parent / "data" / "imports"
"""Written by the tools themselves (tests/data/imports/README.md)."""


def sample(repo: Repo, name: str) -> str:
    """A copy of a sample beside the repository, which an import could spoil."""
    goal = repo.root.parent / "stores" / name
    goal.parent.mkdir(parents=True, exist_ok=True)
    source = SAMPLES / name
    if source.is_dir():
        shutil.copytree(source, goal, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, goal)
    return str(goal)


def shop(repo: Repo) -> Repo:
    """The repository that the samples are about: a folder called `shop` with the files that they name."""
    root = repo.root.with_name("shop")
    repo.root.rename(root)
    made = Repo(root)
    made.write("shop/checkout/tax.py", "def round_vat(): ...\n")
    made.write("deploy/Procfile", "web: gunicorn\n")
    made.block()
    made.commit("shop")
    return made


def plan(repo: Repo, *arguments: str) -> dict[str, Any]:
    """The plan of an import, as JSON."""
    result = repo.curator("import", *arguments, "--json")
    assert result.exit_code == 0, result.output + result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def texts(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The entries of a plan by their texts, each on one line."""
    return {" ".join(entry["text"].split()): entry for entry in found["entries"]}


def reasons(found: dict[str, Any]) -> dict[str, str]:
    """Why statements are left, by where they stand."""
    return {
        one["where"]: f"{one['reason']} ({one['detail']})" if one["detail"] else one["reason"] for one in found["left"]
    }


def waiting(repo: Repo) -> list[str]:
    """The names of the proposals that wait."""
    return sorted(path.name for path in (repo.root / ".git/curator/inbox").glob("*"))


def table(path: Path, columns: str, rows: Iterable[tuple[Any, ...]], name: str = "memories") -> Path:
    """A SQLite file with one table of *rows*."""
    db = sqlite3.connect(path)
    db.execute(f"CREATE TABLE {name} ({columns})")
    held = list(rows)
    marks = ", ".join("?" * len(held[0])) if held else ""
    db.executemany(f"INSERT INTO {name} VALUES ({marks})", held)
    db.commit()
    db.close()
    return path
