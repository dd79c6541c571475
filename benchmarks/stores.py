"""Repositories with many memories, made of a fixed vocabulary: the same every time."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from curator.model import CATEGORIES

_NOUNS = """checkout invoice ledger tax order parcel session token cache queue worker index schema migration fixture
    endpoint webhook header cursor page account tenant role policy budget report export import ticket branch release
    build image cluster bucket topic stream partition replica shard lock timer clock locale currency rounding""".split()
_VERBS = """rounds stores reads writes retries skips locks caches validates signs rotates paginates batches flushes
    drops merges sorts streams parses rejects escapes normalises deploys""".split()
_TAILS = """per line, never per total|before the first request|only after the migration|in one transaction|
    with the tenant's own key|because the vendor caps it at 100|unless the flag is set|twice on Mondays|
    through the outbox, not directly|in UTC, shown in local time""".split("|")


def sentence(rng: random.Random) -> str:
    """One made-up rule that names an identifier."""
    first, second = rng.sample(_NOUNS, 2)
    name = f"{first}_{second}" if rng.random() < 0.5 else first + second.capitalize()
    verb, tail = rng.choice(_VERBS), rng.choice(_TAILS).strip()
    return f"The {first} {verb} each {second} {tail}; see `{name}{rng.randrange(999)}`."


def entry(number: int, rng: random.Random) -> tuple[str, str]:
    """(path, YAML) of one entry of about 400 bytes."""
    category = rng.choice(list(CATEGORIES))
    name = f"memory-{number:06x}"
    text = "\n".join(f"  {sentence(rng)}" for _ in range(rng.randint(1, 2)))
    source = f"src/{rng.choice(_NOUNS)}/{rng.choice(_NOUNS)}.py"
    day = f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T09:00:00Z"
    tags = "\n".join(f"  - {tag}" for tag in rng.sample(_NOUNS, 2))
    return f"memories/{category}/{name}.yaml", (
        f"schema: 1\nid: {name}\ncategory: {category}\ntext: |\n{text}\nimportance: {rng.randint(1, 10)}\n"
        f"tags:\n{tags}\nsources:\n  - path: {source}\norigin:\n  by: user\n  created: '{day}'\n"
    )


def make(root: Path, entries: int) -> None:
    """A git repository at *root* with so many staged entries and a CLAUDE.md with a block."""
    rng = random.Random(entries)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    for number in range(entries):
        path, text = entry(number, rng)
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    block = "<!-- AGENT_MEMORY_START -->\n<!-- AGENT_MEMORY_END -->\n"
    (root / "CLAUDE.md").write_text(f"# Rules\n{block}", encoding="utf-8")
    subprocess.run(["git", "-C", str(root), "add", "--all"], check=True)
