"""What `curator-hook` costs at a Stop, by the log it meets; and what the gate asks of git."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import stores

RUNS = 7
MOST_SECONDS = {"4 MB of a session": 0.5, "100 MB of a session": 1.0, "one line of 100 MB": 1.0}
"""CPU at 4 MB, the clock at 100 MB; the other logs no session looks like."""
MOST_MEGABYTES = 150
HOOK = Path(__file__).parent.parent / "hooks" / "bin" / "curator-hook"
_WORDS = (
    "the invoice total is rounded per line and tax tables live in shop settings while checkout retries a payment"
    " twice before it gives up on errors of the gateway so the cart keeps its items until the session ends"
).split()


def line(kind: str, content: object, **more: object) -> str:
    """One line of a log, as long as those of a real one."""
    record = {
        "parentUuid": "00000000-0000-4000-8000-000000000000",
        "isSidechain": False,
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": "00000000-0000-4000-8000-000000000001",
        "timestamp": "2026-03-03T14:03:00.000Z",
        "userType": "external",
        "cwd": "/somewhere",
        "sessionId": "s1",
    }
    return json.dumps({**record, **more}) + "\n"


def session(chance: random.Random) -> Iterator[str]:
    """A session's lines: a few typed messages, answers, tool calls, and mostly what tools put out."""

    def prose(count: int) -> str:
        return " ".join(chance.choices(_WORDS, k=count))

    while True:
        yield line("user", f"{prose(30)}. {prose(20)}. We keep {prose(3)} in one place, not {prose(2)}.")
        for _ in range(12):
            yield line("assistant", [{"type": "text", "text": prose(60)}])
            yield line("assistant", [{"type": "tool_use", "name": "Bash", "input": {"command": prose(5)}}])
            yield line("user", [{"type": "tool_result", "content": prose(300)}], toolUseResult={"stdout": ""})


def typed(chance: random.Random) -> Iterator[str]:
    """Nothing but typed messages, which no real log is."""
    while True:
        yield line("user", f"{' '.join(chance.choices(_WORDS, k=25))} {chance.random()}")


def orders(chance: random.Random) -> Iterator[str]:
    """Nothing but explicit orders."""
    while True:
        yield line("user", f"Always use the number {chance.random()} for invoices.")


def written(path: Path, lines: Iterator[str], size: int) -> Path:
    """A log of *size* bytes, made of a tenth of it over and over."""
    text = ""
    while len(text) < size // 10:
        text += "".join(next(lines) for _ in range(50))
    with path.open("w", encoding="utf-8") as writer:
        for _ in range(-(-size // len(text))):
            writer.write(text)
    return path


def one_line(path: Path, size: int) -> Path:
    with path.open("w", encoding="utf-8") as writer:
        writer.write('{"type":"user","message":{"role":"user","content":"')
        for _ in range(size >> 20):
            writer.write("x" * (1 << 20))
        writer.write('"}}\n')
    return path


def cost(root: Path, log: Path, name: str) -> tuple[float, float, float]:
    """Seconds on the clock, of the processor, and peak memory in MB of one Stop of a session that is new."""
    event = {"session_id": name, "transcript_path": str(log), "cwd": str(root), "hook_event_name": "Stop"}
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-P", str(HOOK)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(HOOK.parent.parent.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert process.stdin
    process.stdin.write(json.dumps(event).encode())
    process.stdin.close()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # reaped here
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale


def settled(root: Path, name: str, seconds: float = 300) -> float:
    """Seconds until a child has read the log to its end."""
    began = time.monotonic()
    state = root / f".git/curator/spool/{name}.json"
    while time.monotonic() - began < seconds:
        facts = json.loads(state.read_text()) if state.exists() else {}
        if facts and facts["offset"] == Path(str(facts["log"])).stat().st_size:
            break
        time.sleep(0.05)
    return time.monotonic() - began


def gate(root: Path) -> float:
    """Milliseconds that looking at a work tree takes, in the middle."""
    from curator.edge import activity, workspace

    at = workspace.open_at(str(root))
    was = activity.Seen("", (), time.time())
    taken = []
    for _ in range(RUNS):
        began = time.monotonic()
        activity.look(at, ["CLAUDE.md"], was, time.time())
        taken.append(time.monotonic() - began)
    return statistics.median(taken) * 1000


def main() -> bool:
    """Print the tables; False when a limit is missed."""
    makers: dict[str, Callable[[Path], Path]] = {
        "4 MB of a session": lambda path: written(path, session(random.Random(1)), 4 << 20),
        "4 MB of typed messages": lambda path: written(path, typed(random.Random(2)), 4 << 20),
        "4 MB of explicit orders": lambda path: written(path, orders(random.Random(3)), 4 << 20),
        "100 MB of a session": lambda path: written(path, session(random.Random(4)), 100 << 20),
        "one line of 100 MB": lambda path: one_line(path, 100 << 20),
    }
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        root = Path(scratch) / "store"
        stores.make(root, 100)
        subprocess.run([sys.executable, "-m", "curator", "recall", "x"], cwd=root, check=True, capture_output=True)
        reached = True
        print("| log | clock s | CPU s | peak MB | child s |\n|---|---|---|---|---|")
        for number, (name, make) in enumerate(makers.items()):
            log = make(Path(scratch) / f"{number}.jsonl")
            clock, worked, peak = cost(root, log, f"s{number}")
            print(
                f"| {name} | {clock:.2f} | {worked:.2f} | {peak:.0f} | {settled(root, f's{number}'):.1f} |", flush=True
            )
            seconds = clock if "100 MB" in name else worked
            reached = reached and seconds <= MOST_SECONDS.get(name, 60) and peak < MOST_MEGABYTES
            log.unlink()
        for number in range(5000):
            path = root / f"many/{number % 50}/{number}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"x = {number}\n")
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        subprocess.run(["git", "commit", "-qm", "many"], cwd=root, check=True)
        print(f"\nThe gate's look at 5,000 files: {gate(root):.0f} ms")
    return reached


if __name__ == "__main__":
    main()
