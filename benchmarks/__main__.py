"""Run every benchmark and print its tables; exit 1 when a number to reach was missed."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

from benchmarks import (
    audit,
    capture,
    check,
    diff,
    hook,
    importing,
    publishing,
    report,
    retrieval,
    serving,
    speed,
    staleness,
    tokens,
    transcripts,
)

PARTS: dict[str, Callable[[], bool]] = {
    "Speed": speed.main,
    "Hook": hook.main,
    "Session logs": transcripts.main,
    "Capture": capture.main,
    "Check": check.main,
    "Comparing": diff.main,
    "Publishing": publishing.main,
    "Importing": importing.main,
    "Serving": serving.main,
    "Report": report.main,
    "Audit": audit.reached,
    "Staleness": staleness.own,
    "Retrieval": retrieval.main,
    "Tokens": tokens.main,
}


def main() -> int:
    """The tables of docs/performance.md and docs/staleness.md."""
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    return int(not all([_part(name, run) for name, run in PARTS.items()]))


def _part(name: str, run: Callable[[], bool]) -> bool:
    print(f"## {name}\n")
    reached = run()
    print()
    return reached


if __name__ == "__main__":
    sys.exit(main())
