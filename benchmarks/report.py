"""What the report weighs, how long it takes to make, and how soon it can be searched in a headless Chromium.

    python -m benchmarks.report

A browser is opened on the page from disk, types a word as soon as the page listens, and notes the moment in which
the first result is painted, counted from the start of the navigation. Without playwright or Chromium
(/usr/bin/chromium, or where CURATOR_CHROMIUM points) the sizes are told and the browser's part is skipped.
"""

from __future__ import annotations

import hashlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import stores
from benchmarks.speed import CURATOR
from curator.core import codec, stale
from curator.model import CATEGORIES, Entry, Origin, Source

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = os.environ.get("CURATOR_CHROMIUM", "/usr/bin/chromium")
FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking".split()
RUNS = 5
MOST_BYTES = 1_500_000
MOST_MS = 1_000
TYPES = """
addEventListener("DOMContentLoaded", () => setTimeout(() => {
  const type = (text) => {
    const field = document.getElementById("q");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const painted = (then) => requestAnimationFrame(() => { const channel = new MessageChannel();
    channel.port1.onmessage = then; channel.port2.postMessage(0); });
  type("invoice");
  painted(() => {
    window.first = document.querySelector("#list mark") ? performance.now() : -1;
    const began = performance.now();
    type("invoice per");
    painted(() => { window.again = performance.now() - began; });
  });
}));
"""


def main() -> bool:
    """Print the table; False when a limit is missed."""
    print("| memories | page, kB | made in, s | first result, ms | next result, ms |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as scratch:
        reached = [_row(Path(scratch) / str(number), number) for number in (1_000, 10_000)]
    why = _unready()
    if why:
        print(f"\nskipped in the browser: {why}")
    return all(reached)


def _row(root: Path, number: int) -> bool:
    make(root, number)
    file = root / "page.html"
    seconds = [_made(root) for _ in range(3)]
    size = file.stat().st_size
    first, again = _browsed(file) if not _unready() else (0.0, 0.0)
    told = (f"{first:.0f}", f"{again:.0f}") if first else ("-", "-")
    print(f"| {number:,} | {size / 1000:,.0f} | {statistics.median(seconds):.2f} | {' | '.join(told)} |")
    return number > 1_000 or (size <= MOST_BYTES and first <= MOST_MS)


def _made(root: Path) -> float:
    began = time.perf_counter()
    subprocess.run([*CURATOR, "report", "--html", "page.html"], cwd=root, check=True, capture_output=True)
    return time.perf_counter() - began


def make(root: Path, entries: int) -> None:
    """A repository of so many memories with reasons, quotes and evidence, all staged."""
    rng = random.Random(entries)
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(root)], check=True)
    codes = {f"src/part{number}.py": f"def rule_{number}(order):\n    return {number}\n" for number in range(200)}
    files = dict(codes)
    for number in range(entries):
        one = _entry(number, rng, codes)
        files[codec.path_of(one.id, one.category, "")] = codec.write(one)
    files["CLAUDE.md"] = "<!-- AGENT_MEMORY_START -->\n<!-- AGENT_MEMORY_END -->\n"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    subprocess.run(["git", "-C", str(root), "add", "--all"], check=True)


def _entry(number: int, rng: random.Random, codes: dict[str, str]) -> Entry:
    path = rng.choice(list(codes))
    name = path.removeprefix("src/part").removesuffix(".py")
    text = f"{stores.sentence(rng)}\nIt is `rule_{name}` that decides.\n"
    day = f"{rng.randint(2023, 2026)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    return Entry(
        f"{codec.slug(text)}-{number:06x}",
        rng.choice(list(CATEGORIES)),
        text,
        why=stores.sentence(rng),
        importance=rng.randint(1, 10),
        tags=tuple(dict.fromkeys(rng.choice(stores._NOUNS) for _ in range(3))),
        sources=(stale.stamped(text, Source(path, f"rule_{name}"), codes[path], _blob(codes[path])),),
        confirmed=day,
        origin=Origin(
            "user",
            "claude-code",
            f"{rng.randrange(16**8):08x}",
            "stop",
            f"{rng.randrange(16**7):07x}",
            f"{day}T09:00:00Z",
            stores.sentence(rng),
            "rules/1",
            0.71,
            f"{rng.randrange(16**12):012x}",
        ),
    )


def _blob(text: str) -> str:
    """Git's id of a file with that text."""
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _unready() -> str:
    """Why no browser can be opened, "" when one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return "" if Path(CHROMIUM).is_file() else f"no Chromium at {CHROMIUM}"


def _browsed(file: Path) -> tuple[float, float]:
    """Milliseconds until the first result, and for the next one; medians."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        times = [_typed(browser, file) for _ in range(RUNS)]
        browser.close()
    return statistics.median(first for first, _ in times), statistics.median(again for _, again in times)


def _typed(browser: Browser, file: Path) -> tuple[float, float]:
    page = browser.new_page()
    page.add_init_script(TYPES)
    page.goto(file.as_uri())
    while page.evaluate("window.again") is None:
        page.wait_for_timeout(10)
    first, again = page.evaluate("[window.first, window.again]")
    page.close()
    assert first > 0, "no result was shown"
    return first, again


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
