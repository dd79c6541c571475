"""How well a change of a cited file tells that a statement is stale: precision, recall, false alarms.

    python -m benchmarks.staleness [PAIRS.jsonl] [--misses]

Without a file: the invented changes of tests/core/stale_cases.py, by what is
to be said of them. With one: a pair a line, a JSON object: `statement`, its
text; `path`, the file it cites; `cited_as`, how it writes the path; `old`, the
file's text when the statement was true; `new`, its text after the change, null
when the path is gone; `stale`, whether the statement is stale then, as a
person judged. Under a true statement, `history` may list the texts after each
commit in between, in order: they count false alarms. Labelled texts belong to
others, so none are kept here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curator.core import stale
from curator.core.verdict import Change, Verdict
from curator.model import Source, State


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement and the file it cites, before and after a change, with the label."""

    statement: str
    path: str
    cited_as: str
    old: str
    new: str | None
    stale: bool
    history: tuple[str, ...] = ()

    def verdict(self, text: str | None) -> Verdict:
        if text == self.old:
            return Verdict(State.FRESH)
        source = stale.stamped(self.statement, Source(self.path), self.old, "-", self.cited_as)
        return stale.judge(self.statement, source, text)


Detector = Callable[[Verdict], bool]


def _states(*states: State) -> Detector:
    return lambda verdict: verdict.state in states


def _changes(*changes: Change) -> Detector:
    return lambda verdict: any(reason.change in changes for reason in verdict.reasons)


_GONE = (Change.PATH_GONE, Change.TERM_GONE)
_STALE = (State.STALE, State.MOVED)
DETECTORS: dict[str, Detector] = {
    "path gone": _changes(Change.PATH_GONE),
    "changed at all": lambda verdict: verdict.state is not State.FRESH,
    "any term gone": _changes(*_GONE),
    "a line that holds a term gone or edited": _changes(
        *_GONE, Change.LINES_GONE, Change.LIST_EDITED, Change.LINE_EDITED
    ),
    "stale": _states(*_STALE),
    "stale + review": _states(*_STALE, State.REVIEW),
    "stale + review + note": _states(*_STALE, State.REVIEW, State.NOTE),
}
WANTED = {"stale": (0.95, 0.80), "stale + review": (0.85, 0.90)}
MOST_ALARMS = 0.5


@dataclass(slots=True)
class Score:
    """Hits, false hits and false alarms of one detector."""

    hits: int = 0
    wrong: int = 0
    alarms: int = 0
    missed: list[Pair] = field(default_factory=list)
    false: list[Pair] = field(default_factory=list)

    def count(self, pair: Pair, found: bool) -> None:
        self.hits += found and pair.stale
        self.wrong += found and not pair.stale
        if found != pair.stale:
            (self.false if found else self.missed).append(pair)

    def precision(self) -> float:
        return self.hits / max(1, self.hits + self.wrong)

    def recall(self) -> float:
        return self.hits / max(1, self.hits + len(self.missed))


def load(path: Path) -> Iterator[Pair]:
    """The pairs of a JSON lines file; unknown keys are ignored."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            known = {name: row[name] for name in Pair.__slots__ if name in row}
            yield Pair(**{**known, "history": tuple(row.get("history", ()))})


def measure(pairs: Sequence[Pair]) -> tuple[dict[str, Score], int, float]:
    """Scores by detector, commits under true statements, and milliseconds a judgement, stamping included."""
    scores = {name: Score() for name in DETECTORS}
    commits, spent = 0, 0.0
    for pair in pairs:
        start = time.perf_counter()
        verdict = pair.verdict(pair.new)
        spent += time.perf_counter() - start
        verdicts = [pair.verdict(text) for text in pair.history if not pair.stale]
        commits += len(verdicts)
        for name, fires in DETECTORS.items():
            scores[name].count(pair, fires(verdict))
            scores[name].alarms += _onsets([fires(each) for each in verdicts])
    return scores, commits, 1000 * spent / max(1, len(pairs))


def _onsets(fired: Sequence[bool]) -> int:
    """How often an alarm begins: one that stands over many commits is one."""
    return sum(now and not before for before, now in zip((False, *fired), fired, strict=False))


def report(pairs: Sequence[Pair]) -> tuple[dict[str, Score], bool]:
    """Print the table; the scores, and whether every number to reach was reached."""
    scores, commits, cost = measure(pairs)
    positives = [pair for pair in pairs if pair.stale]
    gone = sum(pair.new is None for pair in positives)
    print(f"{len(positives)} stale pairs ({gone} with a path that is gone), {len(pairs) - len(positives)} true ones")
    print(f"{commits} commits under true statements; {cost:.1f} ms a judgement\n")
    print("| detector | precision | recall | hits | wrong | false alarms per 100 |\n|---|---|---|---|---|---|")
    for name, score in scores.items():
        rates = f"{score.precision():.2f} | {score.recall():.2f} | {score.hits} | {score.wrong}"
        print(f"| {name} | {rates} | {100 * score.alarms / max(1, commits):.1f} |")
    reached = all(
        scores[name].precision() >= precision and scores[name].recall() >= recall
        for name, (precision, recall) in WANTED.items()
    )
    return scores, reached and 100 * scores["stale"].alarms <= MOST_ALARMS * commits


def own() -> bool:
    """Print how many of the invented changes are judged as they should be; False when one is not."""
    from tests.core.stale_cases import CASES
    from tests.core.test_stale import judged

    print("| to be said | changes | said so |\n|---|---|---|")
    right = {case.name: judged(case) is case.expected for case in CASES}
    for state in dict.fromkeys(case.expected for case in CASES):
        of_it = [case.name for case in CASES if case.expected is state]
        print(f"| {state.value} | {len(of_it)} | {sum(right[name] for name in of_it)} |")
    print(f"| all | {len(CASES)} | {sum(right.values())} |")
    return all(right.values())


def main(arguments: Sequence[str]) -> int:
    """Exit 0 when the numbers are reached, 1 when one is missed."""
    files = [argument for argument in arguments if not argument.startswith("--")]
    if not files:
        return int(not own())
    scores, reached = report([pair for file in files for pair in load(Path(file))])
    if "--misses" in arguments:
        for label, pairs in (("missed", scores["stale"].missed), ("wrong", scores["stale + review"].false)):
            for pair in pairs:
                print(f"{label}: {pair.verdict(pair.new).state.value}: {pair.path}: {pair.statement[:120]}")
    return int(not reached)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
