"""How well search finds the right entry: recall and rank per kind of query, against a gate.

`data/hard_own.jsonl` holds 64 entries of an imaginary web company and 201
queries, each with the entry that answers it. Identifiers must be found in any
spelling. A query that shares no word with its entry cannot be, save by chance:
that kind shows what triggers would add, and is nothing to tune for.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curator.core import rank, scoring
from curator.model import Config, Entry, Source

DATA = Path(__file__).parent / "data"
MEASURES = ("R@5", "R@10", "nDCG@10", "MRR")
ALL = "all"


@dataclass(frozen=True, slots=True)
class Question:
    """A query, its kind, and the ids that answer it."""

    kind: str
    text: str
    relevant: frozenset[str]


class Search:
    """The entries of a set, weighed once."""

    def __init__(self, entries: Iterable[Entry], config: Config) -> None:
        self.entries = rank.active(tuple(entries))
        self.recall = config.recall
        self.ranks = rank.prior_ranks(self.entries, config)
        counted = [rank.counts(entry) for entry in self.entries]
        self.postings = {
            kind: {term: (ordinals, weights) for term, ordinals, weights in rank.weigh(column)}
            for kind, column in zip((scoring.WORDS, scoring.GRAMS), zip(*counted, strict=True), strict=True)
        }

    def lookup(self, kind: str, terms: Iterable[str]) -> dict[str, scoring.Posting]:
        return {term: self.postings[kind][term] for term in terms if term in self.postings[kind]}

    def ids(self, *queries: str) -> list[str]:
        """Ids of the entries that match, best first."""
        scores = scoring.score(self.lookup, scoring.query(queries, (), self.recall))
        return [self.entries[ordinal].id for ordinal, _ in scoring.hits(scores, self.ranks)]


def load(path: Path) -> tuple[list[Entry], list[Question]]:
    """The entries and the queries of a JSON lines file."""
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    entries = [_entry(row) for row in rows if row["type"] == "entry"]
    questions = [
        Question(row["kind"], row["text"], frozenset(row["relevant"])) for row in rows if row["type"] == "query"
    ]
    return entries, questions


def _entry(row: Mapping[str, str]) -> Entry:
    return Entry(
        id=row["id"],
        category=row["category"],
        text=row["text"],
        path=f"memories/{row['category']}/{row['id']}.yaml",
        tags=tuple(row["tags"]),
        triggers=tuple(row["triggers"]),
        sources=tuple(Source(path) for path in row["paths"]),
    )


def measure(ids: Sequence[str], relevant: frozenset[str]) -> dict[str, float]:
    """The measures of one ranked list."""
    places = [place for place, name in enumerate(ids) if name in relevant]
    gain = sum(1 / math.log2(place + 2) for place in places if place < 10)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(len(relevant), 10)))
    return {
        "R@5": sum(place < 5 for place in places) / len(relevant),
        "R@10": sum(place < 10 for place in places) / len(relevant),
        "nDCG@10": gain / ideal,
        "MRR": 1 / (places[0] + 1) if places else 0.0,
    }


def figures(path: Path) -> dict[str, dict[str, float]]:
    """The mean of every measure, for all queries and by kind."""
    entries, questions = load(path)
    search = Search(entries, Config())
    by_kind: dict[str, list[dict[str, float]]] = {ALL: []}
    for question in questions:
        measured = measure(search.ids(question.text), question.relevant)
        by_kind[ALL].append(measured)
        by_kind.setdefault(question.kind, []).append(measured)
    return {
        kind: {"n": len(rows), **{name: sum(row[name] for row in rows) / len(rows) for name in MEASURES}}
        for kind, rows in by_kind.items()
    }


def misses(found: Mapping[str, Mapping[str, float]], path: Path) -> list[str]:
    """What falls below the limits of a gate file: {kind: {measure: limit}}."""
    limits: dict[str, dict[str, float]] = json.loads(path.read_text("utf-8"))
    return [
        f"below the gate: {kind} {name} {found[kind][name]:.3f} < {limit}"
        for kind, measures in limits.items()
        for name, limit in measures.items()
        if found[kind][name] < limit
    ]


def main() -> bool:
    """Print the table; False when the gate is missed."""
    found = figures(DATA / "hard_own.jsonl")
    print(f"| queries | n | {' | '.join(MEASURES)} |\n|---|---|{'---|' * len(MEASURES)}")
    for kind, means in found.items():
        print(f"| {kind} | {means['n']:.0f} | {' | '.join(f'{means[name]:.3f}' for name in MEASURES)} |")
    missed = misses(found, DATA / "hard_own.gate.json")
    print("".join(f"\n{line}" for line in missed), end="")
    return not missed


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
