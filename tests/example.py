"""The example pull request of docs/example-review.md: a repository with its branch, made anew with fixed dates.

`python -m tests.example` writes the file again; `tests/test_example.py` compares it byte for byte.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from curator.core import codec, comment, harvest, overview
from curator.core.compare import Compared
from curator.edge import cited, plumbing
from curator.model import Entry, Origin, Retired, Source
from curator.outcome import Draft
from curator.verbs import diff
from tests.conftest import FIXED, Repo

TODAY = "2026-03-09"
FILE = Path(__file__).parent.parent / "docs" / "example-review.md"
_SETTINGS = """\
schema: 1
block: main
targets:
  - path: CLAUDE.md
budget:
  constraint: {constraint}
  decision: 160
  convention: 60
  gotcha: 120
  route: 120
"""
_CACHE = '''\
"""Prices are kept for an hour."""

import sqlite3


def make_key(shop: str, article: str) -> str:
    return f"{shop}/{article}"


def open_cache() -> sqlite3.Connection:
    return sqlite3.connect("cache.db")
'''
_REDIS = '''\
"""Prices are kept for an hour."""

import redis


def price_key(shop: str, article: str) -> str:
    return f"{shop}/{article}"


def open_cache() -> redis.Redis:
    return redis.Redis()
'''
_COMPOSE = "services:\n  db:\n    image: postgres:17\n  seed:\n    image: shop/seed\n"
_MONEY = "def round_vat(amount):\n    return round(amount, 2)\n"
_CHECKS = "on: push\njobs:\n  tests:\n    steps:\n      - run: pytest -q\n"


def build(repo: Repo) -> None:
    """Make main and a branch `redis` on it, which stays checked out."""
    _base(repo)
    repo.git("switch", "-q", "-c", "redis")
    _change(repo)


def _base(repo: Repo) -> None:
    repo.write("compose.yaml", _COMPOSE)
    repo.write("src/cache.py", _CACHE)
    repo.write("src/money.py", _MONEY)
    repo.write(".github/workflows/tests.yml", _CHECKS)
    repo.write("memories/curator.yaml", _SETTINGS.format(constraint=80))
    repo.block(inner="", before="# Shop\n\n", after="")
    repo.add()
    _put(repo, "decision", "77aa01", "Prices are cached in SQLite, see `open_cache`.", "src/cache.py")
    _put(repo, "route", "c3d1f0", "Cache keys are made by `make_key` in `src/cache.py`.", "src/cache.py")
    _put(repo, "convention", "19c0de", _TESTS, ".github/workflows/tests.yml")
    _put(repo, "convention", "0b2d5e", "Round VAT with `round_vat`, never by hand.", "src/money.py", importance=3)
    _put(repo, "gotcha", "55e0aa", "On Windows the build needs the long-path switch of git.")
    _put(repo, "convention", "8812ff", "Money is `Decimal`, cents are rounded last.", "src/money.py")
    repo.commit("The shop as it was")


_TESTS = "Run the tests with `pytest -q` before each push."


def _change(repo: Repo) -> None:
    repo.write("src/cache.py", _REDIS)
    repo.write("memories/curator.yaml", _SETTINGS.format(constraint=120))
    repo.add()
    said = "and please never load the seed data into the shared database, use the container from compose.yaml"
    _put(repo, "constraint", "4f1c9a", _SEED, "compose.yaml", importance=8, quote=said, why=_WHY)
    old = _found(repo, "77aa01")
    _put(repo, "decision", "a07e31", _REDIS_TEXT, "src/cache.py", supersedes=(old.id,))
    _put(repo, "convention", "9a41bc", _TOKEN, by="agent", agent="claude-code")
    _put(repo, "convention", "e2e001", "Run the tests with `pytest -q` in CI and before you push.")
    _save(repo, replace(_found(repo, "19c0de"), text=_TESTS.replace("-q`", "-q -n 2`") + "\n", importance=7))
    _save(repo, replace(_found(repo, "55e0aa"), retired=Retired("2026-03-06", "we build on Linux alone")))
    _move(repo, _found(repo, "8812ff"), "gotcha")
    repo.commit("Cache prices in Redis")


_SEED = "Never load the seed data into the shared database, use the `seed` container from compose.yaml."
_WHY = "In January it took two teams a day to get the real prices back."
_REDIS_TEXT = "We no longer cache prices in SQLite: `open_cache` connects to Redis, so that all workers share one."
_TOKEN = "Read the deploy token from .env and paste it into the settings of the end-to-end tests."


def _put(
    repo: Repo,
    category: str,
    tail: str,
    text: str,
    *sources: str,
    quote: str = "",
    by: str = "user",
    agent: str = "",
    why: str = "",
    importance: int = 5,
    supersedes: tuple[str, ...] = (),
) -> None:
    """Write and stage a memory as `curator accept` would."""
    at = repo.workspace
    read = cited.files(at, plumbing.index(at).files, list(sources))
    origin = Origin(
        by=by,
        agent=agent,
        session="5d0c77e1",
        trigger="pre-compact",
        created="2026-03-03T14:03:00Z",
        quote=quote or text,
    )
    draft = Draft(
        text, category, why, importance, sources=tuple(map(Source, sources)), supersedes=supersedes, origin=origin
    )
    _save(repo, harvest.stamp(draft, read, namespace="default", now="2026-03-03T14:03:00Z", tail=tail))


def _found(repo: Repo, tail: str) -> Entry:
    (path,) = repo.git("ls-files", f"memories/*-{tail}.yaml").split()
    found, problems = codec.read(
        repo.read(path).encode(), path, ("constraint", "decision", "convention", "gotcha", "route")
    )
    assert found, problems
    return found


def _save(repo: Repo, entry: Entry) -> None:
    repo.write(entry.path, codec.write(entry))
    repo.git("add", "--", entry.path)


def _move(repo: Repo, entry: Entry, category: str) -> None:
    repo.git("rm", "-q", "--", entry.path)
    _save(repo, replace(entry, category=category, path=codec.path_of(entry.id, category)))


def compared(repo: Repo) -> Compared:
    return diff.run(repo.workspace, "main..redis", today=TODAY)


def page(found: Compared) -> str:
    """docs/example-review.md: what it is, then the comment, then the same on a terminal."""
    screen = "\n".join(line.text for line in overview.screen(found, width=100, today=TODAY))
    return _FRAME.format(comment=comment.written(found, today=TODAY), screen=screen)


_FRAME = """\
<!-- Written by `python -m tests.example`; a test compares it with what curator prints. -->
# A pull request as its reviewer sees it

The branch moves a cache from SQLite to Redis and brings what was learned on the way. It also brings what a reviewer
should not let pass: an agent's order to copy a credential, and a rule that is there already. One memory became wrong
by the code alone, and one has no room in the block any more.

This is the comment, as `curator diff main..redis --format markdown` prints it and GitHub shows it.

---

{comment}
---

On a terminal, `curator diff main..redis`:

~~~text
{screen}
~~~
"""


def main() -> None:
    """Write the file again."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            del os.environ[name]
    os.environ.update(FIXED)
    with tempfile.TemporaryDirectory() as folder:
        repo = Repo(Path(folder).resolve())
        repo.git("init", "-q", "-b", "main")
        build(repo)
        FILE.write_text(page(compared(repo)), encoding="utf-8")


if __name__ == "__main__":
    main()
