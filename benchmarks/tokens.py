"""How far the token estimate is from exact counters, for 40 made-up memories in each of six kinds of text.

The vocabulary of the current Claude models is not public. That of the older
ones is (the package `anthropic-tokenizer`), and o200k_base stands for others
of today (`bpe-openai`). Both count offline.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from curator.core import tokens

DATA = Path(__file__).parent / "data" / "tokens"
SAMPLES = ("english", "code", "german", "portuguese", "chinese", "japanese")
LOWEST, HIGHEST = 0.97, 1.30
Counter = Callable[[str], int]


def entries(sample: str) -> list[str]:
    """The memories of one sample, as lines of a block."""
    return [f"- {line}\n" for line in (DATA / f"{sample}.txt").read_text("utf-8").split("\n") if line]


def block(sample: str) -> str:
    return "### Conventions\n" + "".join(entries(sample))


def counters() -> Mapping[str, Counter]:
    """Exact counters by name. Raises ImportError when a package is missing."""
    from anthropic_tokenizer import count_tokens
    from bpe_openai import get_encoding

    encoding = get_encoding("o200k_base")
    return {"Claude, older": count_tokens, "o200k_base": lambda text: len(encoding.encode_ordinary(text))}


def main() -> bool:
    """Print the table; False when a block is outside the limits for the older Claude vocabulary."""
    exact = counters()
    names = " | ".join(f"{name} | estimate / count" for name in exact)
    print(f"| 40 memories | characters | estimate | {names} | single memories |")
    print("|---|---|---|---|---|---|---|---|")
    good = True
    for sample in SAMPLES:
        text = block(sample)
        estimate = tokens.estimate(text)
        counts = {name: count(text) for name, count in exact.items()}
        told = " | ".join(f"{count} | {estimate / count:.2f}" for count in counts.values())
        single = sorted(tokens.cost(entry) / exact["Claude, older"](entry) for entry in entries(sample))
        print(f"| {sample} | {len(text)} | {estimate} | {told} | {single[0]:.2f}-{single[-1]:.2f} |")
        good = good and LOWEST <= estimate / counts["Claude, older"] <= HIGHEST
    print(f"\n88,000 characters take {milliseconds():.0f} ms.")
    return good


def milliseconds() -> float:
    """CPU time of estimating 88,000 characters of English and code, the median of nine."""
    text = ((block("english") + block("code")) * 12)[:88_000]
    spent = []
    for _ in range(9):
        start = time.process_time()
        tokens.estimate(text)
        spent.append(time.process_time() - start)
    return statistics.median(spent) * 1000


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
