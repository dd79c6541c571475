"""Entries with evidence, stamped from the index as `curator add` does it, without the questions that `add` asks."""

from __future__ import annotations

import json
from typing import Any

from curator.core import codec, harvest
from curator.edge import cited, plumbing
from curator.model import CATEGORIES, Entry, Origin, Source
from tests.conftest import Repo

TAX = "RATE = 21\n\n\ndef round_vat(amount):\n    return round(amount, 2)\n"
RULE = "Spanish VAT is rounded per line, by `round_vat`."


def cite(repo: Repo, name: str, text: str, *sources: str | Source, **more: Any) -> str:
    """Stage all, then write and stage memories/convention/<name>.yaml, stamped from the index; return its path."""
    repo.add()
    made = stamped(repo, name, text, *sources, **more)
    repo.write(made.path, codec.write(made))
    repo.git("add", "--", made.path)
    return made.path


def stamped(repo: Repo, name: str, text: str, *sources: str | Source, **more: Any) -> Entry:
    """The entry that cites *sources* (paths, or sources with anchors) as they are staged."""
    listed = [source if isinstance(source, Source) else Source(source) for source in sources]
    here = repo.workspace
    read = cited.files(here, plumbing.index(here).files, [source.path for source in listed])
    return Entry(
        name,
        "convention",
        f"{text}\n",
        path=f"memories/convention/{name}.yaml",
        sources=harvest.restamp(text, listed, read),
        review_by=more.pop("review_by", "2099-12-31"),
        origin=more.pop("origin", Origin(by="user", created="2026-01-01T00:00:00Z")),
        **more,
    )


def entry(repo: Repo, path: str) -> Entry:
    """The staged entry at *path*."""
    text = repo.git("show", f":{path}").encode("utf-8", "surrogateescape")
    found, problems = codec.read(text, path, tuple(CATEGORIES))
    assert found, problems
    return found


def taxed(repo: Repo, code: str = TAX) -> str:
    """A committed shop/tax.py with the entry `vat` about it; return the entry's path."""
    repo.write("shop/tax.py", code)
    path = cite(repo, "vat", RULE, "shop/tax.py")
    repo.commit("tax")
    return path


def report(repo: Repo, *arguments: str) -> dict[str, Any]:
    """What `curator check --json` prints."""
    ran = repo.curator("check", "--json", *arguments)
    assert ran.exit_code in {0, 1}, ran.output
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def states(repo: Repo, *arguments: str) -> dict[str, str]:
    """The state of each entry in use, by id."""
    return {one["id"]: one["state"] for one in report(repo, *arguments)["entries"]}


def changes(repo: Repo, name: str = "vat") -> list[str]:
    """What the reasons of one entry say happened, such as `term-gone`."""
    told = next(one for one in report(repo)["entries"] if one["id"] == name)
    return [reason["change"] for source in told["sources"] for reason in source["reasons"]]
