"""Proposals for tests, written into the inbox as a hook writes them: every scalar in double quotes."""

from __future__ import annotations

import json
from pathlib import Path

from curator.core import codec, keys
from tests.conftest import Repo


def propose(repo: Repo, text: str, category: str = "convention", **facts: object) -> str:
    """Put one proposal into the inbox and return its key. *facts* are keys of the entry or of its origin.

    A fact that is None is left out.
    """
    key = str(facts.pop("key", "") or keys.key("default", text))
    entry: dict[str, object] = {
        "schema": 1,
        "id": f"{codec.slug(text)}-{key[:6]}",
        "category": category,
        "text": text,
        "importance": 5,
    }
    origin: dict[str, object] = {
        "by": "user",
        "agent": "claude-code",
        "session": "5d0c77e1",
        "trigger": "pre-compact",
        "commit": "f446dcf",
        "created": "2026-03-03T14:03:00Z",
        "extractor": "rules/1",
        "confidence": 0.71,
        "key": key,
    }
    names = {*origin, "quote"}
    origin.update({name: value for name, value in facts.items() if name in names})
    entry.update({name: value for name, value in facts.items() if name not in names})
    lines = [line for name, value in entry.items() if value is not None for line in _lines(name, value, "")]
    lines += ["origin:", *(f"  {name}: {json.dumps(value)}" for name, value in origin.items() if value is not None)]
    put(repo, key, "\n".join(lines) + "\n")
    return key


def _lines(name: str, value: object, pad: str) -> list[str]:
    if isinstance(value, list):
        return [f"{pad}{name}:", *(f"{pad}  - {json.dumps(one)}" for one in value)]
    return [f"{pad}{name}: {json.dumps(value, ensure_ascii=False)}"]


def put(repo: Repo, key: str, text: str | bytes) -> Path:
    """Put bytes into the inbox as they are."""
    return repo.write(f".git/curator/inbox/{key}.yaml", text)


def inbox(repo: Repo) -> list[str]:
    """The keys that wait."""
    return sorted(path.stem for path in (repo.root / ".git/curator/inbox").glob("*.yaml"))


def decisions(repo: Repo) -> list[str]:
    """What was decided, oldest first."""
    path = repo.root / ".git/curator/decisions"
    return [line.split(" ")[1] for line in path.read_text("utf-8").split("\n")[:-1]] if path.exists() else []
