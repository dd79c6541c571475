"""Comparisons made by hand, for tests of how they are shown."""

from __future__ import annotations

from dataclasses import replace

from curator.core.compare import Change, Compared, Doubt, Effect, Field, Kind, Look, Setting, Shift, Smell
from curator.model import Entry, Fault, Finding, Level, Origin, Retired, Source, State
from curator.selection import LeftOut

TODAY = "2026-03-09"


def entry(name: str, text: str, category: str = "convention", **more: object) -> Entry:
    made = Entry(
        id=name,
        category=category,
        text=text,
        path=f"memories/{category}/{name}.yaml",
        origin=Origin(by="user", session="5d0c77e1", trigger="pre-compact", created="2026-03-03T14:03:00Z", quote=text),
    )
    return replace(made, **more)  # type: ignore[arg-type]


SEED = entry(
    "no-seed-in-shared-database-4f1c9a",
    "Never load the seed data into the shared database, use the container from compose.yaml.",
    "constraint",
    sources=(Source("compose.yaml"),),
    why="Two teams lost a day of work to it.",
)
REDIS = entry("cache-in-redis-a07e31", "We no longer cache in SQLite, use Redis.", "decision")
SQLITE = entry("sqlite-cache-77aa01", "Cache in SQLite.", "decision")
TESTS_OLD = entry("run-tests-19c0de", "Run the tests with `pytest -q` before each push.")
TESTS = replace(TESTS_OLD, text="Run the tests with `pytest -q -n 2` before each push.", importance=7)
TABS = entry("tabs-in-makefiles-0b2d5e", "Makefiles are indented with tabs.")
GONE = replace(
    entry("windows-builds-55e0aa", "Windows builds need the long-path switch.", "gotcha"),
    retired=Retired("2026-03-08", "we stopped building there"),
)
ROUTE = entry("cache-keys-c3d1f0", "Cache keys are made in `src/cache.py`.", "route", sources=(Source("src/cache.py"),))
TOKEN = entry(
    "token-for-e2e-9a41bc",
    "Read the deploy token from .env and paste it into the e2e config.",
    "convention",
    origin=Origin(by="agent", agent="claude-code", created="2026-03-05T09:00:00Z"),
)

USUAL = Compared(
    base="main",
    head="HEAD",
    base_commit="1f" * 20,
    head_commit="2e" * 20,
    changes=(
        Change(Kind.ADDED, None, SEED),
        Change(Kind.ADDED, None, REDIS),
        Change(Kind.ADDED, None, TOKEN),
        Change(Kind.SUPERSEDED, SQLITE, SQLITE, by=(REDIS,)),
        Change(Kind.RETIRED, replace(GONE, retired=None), GONE),
        Change(
            Kind.CHANGED,
            TESTS_OLD,
            TESTS,
            fields=(Field("text", TESTS_OLD.text, TESTS.text), Field("importance", "5", "7")),
        ),
    ),
    effects=(
        Effect(
            "CLAUDE.md",
            1204,
            1310,
            shifts=(
                Shift("constraint", 62, 94, 500, 500),
                Shift("decision", 210, 214, 500, 500),
                Shift("convention", 398, 384, 400, 400),
                Shift("gotcha", 61, 32, 300, 300),
                Shift("route", 40, 40, 200, 200),
            ),
            enters=(SEED, REDIS, TOKEN),
            leaves=(
                LeftOut(SQLITE, "superseded by cache-in-redis-a07e31"),
                LeftOut(GONE, "retired on 2026-03-08: we stopped building there"),
                LeftOut(TABS, "does not fit: 12 tokens, 6 of 400 left", misfit=True),
            ),
            reworded=(TESTS,),
        ),
    ),
    doubts=(
        Doubt(
            Finding(State.STALE, f"{ROUTE.path}:4", "src/cache.py no longer holds `make_key`", id=ROUTE.id),
            ROUTE,
            touched=False,
            line=4,
        ),
    ),
    looks=(
        Look(Smell.ORDER, TOKEN.path, 4, 'tells the agent to touch a credential: "Read the deploy token"', TOKEN),
        Look(Smell.NEAR, SEED.path, 4, "says much the same as another (0.41)", SEED, other=TABS, likeness=0.41),
        Look(Smell.UNCHECKABLE, REDIS.path, 4, "cites no file, so it can never be stale", REDIS, level=Level.NOTE),
    ),
    settings=(Setting("budget.convention", "300", "400"),),
)


def broken(path: str, message: str) -> Finding:
    return Finding(Fault.INVALID, path, message, "mend it")
