"""CPU and memory of `curator-hook`, as ratios to `python -c pass` in the same run, and what prompts bring."""

from __future__ import annotations

import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import retrieval, stores
from benchmarks.speed import CURATOR, PASS
from curator.core import relevance as relevant
from curator.core import scoring
from curator.edge import spool, workspace
from curator.model import Config

RUNS = 21
HOOK = [str(Path(sys.executable).with_name("curator-hook"))]
ENTRIES = 10_000
IDLE = """fix the failing test please|commit and push|yes|ok go ahead|do stuff|continue|run the tests and fix it
    |can you explain what this function does|why is this failing?|please refactor this module|add a test for that
    |looks good, commit it|open a pull request|what does this error mean|update the readme|make it faster|try again
    |clean up the code and remove dead code|write documentation for the new feature|revert the last change
    |I get an error when I run the build|use a better name for that variable|rename the file|check the logs
    |the build is broken on main, find out why|can you look at the CI failure|no, do it the other way
    |review my changes and tell me what you think|let's start with the plan first|implement step 2 of the plan
    |merge main into this branch and resolve the conflicts|bump the version and update the changelog|what's next?
    |show me the diff|run the linter|add type hints to this file|split this function into smaller ones
    |is there a way to make this simpler?|install the dependencies|the tests pass locally but not in CI
    |add error handling here|use the same pattern as in the other files|delete the old files|fix the typo
    |please summarise what you did|make the button blue|how do I run this project?|sort the list by date
    |create a new branch and commit the work there|the output is not what I expected|find all usages of this""".split(
    "|"
)
"""Prompts that are about no memory."""


@dataclass(frozen=True)
class Relevance:
    """What prompts bring, of the set of `benchmarks.retrieval`.

    *recall* and *precision* are those of its identifier queries, put into a
    sentence; *chance* is the share of all queries that bring something when
    the one memory that answers them is not there, *idle* the number of IDLE
    prompts that bring something.
    """

    recall: float
    precision: float
    chance: float
    idle: int


def shown(search: retrieval.Search, prompt: str, limit: int = 5) -> list[str]:
    """Ids of the memories that a prompt brings."""
    postings = search.lookup(scoring.WORDS, relevant.terms(prompt))
    return [search.entries[at].id for at, _ in relevant.chosen(prompt, postings, search.ranks)[:limit]]


def relevance() -> Relevance:
    """Measure what prompts bring."""
    entries, questions = retrieval.load(retrieval.DATA / "hard_own.jsonl")
    search = retrieval.Search(entries, Config())
    named = [one for one in questions if one.kind == "identifier"]
    found = [(one, shown(search, f"Please look into {one.text} and fix it, then run the tests.")) for one in named]
    right = sum(bool(one.relevant.intersection(ids)) for one, ids in found)
    wrong = sum(len(set(ids) - one.relevant) for one, ids in found)
    astray = 0
    for answer in {next(iter(one.relevant)) for one in questions}:
        rest = retrieval.Search([entry for entry in entries if entry.id != answer], Config())
        astray += sum(bool(shown(rest, one.text)) for one in questions if answer in one.relevant)
    idle = sum(bool(shown(search, prompt)) for prompt in IDLE)
    return Relevance(right / len(named), right / (right + wrong), astray / len(questions), idle)


def main() -> bool:
    """Print the tables; False when a limit is missed."""
    compileall.compile_dir(Path(__file__).parent.parent / "curator", quiet=1)
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        root = Path(scratch) / "store"
        stores.make(root, ENTRIES)
        subprocess.run([*CURATOR, "recall", "checkout"], cwd=root, check=True, capture_output=True)
        print("| event | CPU ms | x `python -c pass` | limit | peak MB |\n|---|---|---|---|---|")
        with spool.locked(workspace.open_at(str(root)), ""):  # the children that a hook starts find nothing to do
            reached = all([_row(root, *case) for case in _cases(root)])
    figures = relevance()
    print(
        f"\nidentifiers in a sentence: recall {figures.recall:.2f}, precision {figures.precision:.2f}; queries without "
        f"an answer that bring something: {figures.chance:.0%}; idle prompts: {figures.idle} of {len(IDLE)}"
    )
    return reached and figures.recall >= 0.9 and figures.precision >= 0.97 and not figures.idle


def _cases(root: Path) -> list[tuple[str, dict[str, object], Callable[[int], None], float]]:
    """(name, event, what happens before each run, limit)"""
    listed = subprocess.run([*CURATOR, "list", "--json"], cwd=root, check=True, capture_output=True)
    name = json.loads(listed.stdout)["entries"][7]["text"].partition("`")[2].partition("`")[0]
    prompt: dict[str, object] = {
        "hook_event_name": "UserPromptSubmit",
        "prompt": f"Why does {name} round the invoice per line? Fix it.",
    }
    idle: dict[str, object] = {**prompt, "prompt": IDLE[0]}
    edited: dict[str, object] = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": f"{root}/src/x.py"},
    }

    def stage(number: int) -> None:
        (root / "other.txt").write_text(f"state {number}\n", encoding="utf-8")
        subprocess.run(["git", "add", "other.txt"], cwd=root, check=True)

    return [
        ("PreToolUse, which it ignores", {"hook_event_name": "PreToolUse", "tool_name": "Bash"}, _nothing, 1.3),
        ("PostToolUse of an edit", {"hook_event_name": "PostToolUse", **edited}, _nothing, 0),
        (f"UserPromptSubmit about nothing, {ENTRIES:,} entries", idle, _nothing, 3),
        (f"UserPromptSubmit that brings memories, {ENTRIES:,} entries", prompt, _nothing, 3),
        ("the same after `git add` of another file", prompt, stage, 5),
    ]


def _nothing(number: int) -> None:
    """Nothing happens before a run."""


def _row(root: Path, name: str, event: dict[str, object], before: Callable[[int], None], limit: float) -> bool:
    """Measure one event and print its row: medians of the pairs with `python -c pass`."""
    data = json.dumps({"session_id": "bench", "cwd": str(root), **event}).encode()
    pairs = []
    for number in range(RUNS):
        (root / ".git/curator/spool/bench.json").unlink(missing_ok=True)
        before(number)
        pairs.append((_cost(PASS, b"", root)[0], *_cost(HOOK, data, root)))
    ratio = statistics.median(mine / base for base, mine, _ in pairs)
    milliseconds = statistics.median(mine for _, mine, _ in pairs) * 1000
    print(
        f"| {name} | {milliseconds:.0f} | {ratio:.1f} | {f'{limit:g}' if limit else ''} "
        f"| {max(memory for *_, memory in pairs):.0f} |"
    )
    return not limit or ratio <= limit


def _cost(command: list[str], data: bytes, folder: Path) -> tuple[float, float]:
    """CPU seconds (git included) and peak memory in MB of one cold process."""
    source, sink = os.pipe()
    os.write(sink, data)
    os.close(sink)
    null = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, stdin=source, stdout=null, stderr=null)
    os.close(source)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # reaped here
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
