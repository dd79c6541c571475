"""A repository with two memories, one in the block and one for a search alone, and another agent wired to it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from tests.clients.agents import AGENTS
from tests.clients.sandbox import Run, Sandbox

SHOWN = "Never load the seed data into the shared database."
HIDDEN = "The port is what the firewall lets through."
ABOUT = "Which port does the firewall let through?"
CURATOR = re.compile(r"curator: memories about this")


def remembering(box: Sandbox, *targets: str) -> None:
    """SHOWN stands in the block of AGENTS.md; HIDDEN does not fit any block, and is found by those who ask."""
    wanted = " ".join(f"--target {path}" for path in targets or ("AGENTS.md",))
    box.write("src/app.py", "PORT = 8080\n")
    box.sh(f"curator init {wanted} && git add -A && git commit -qm init")
    settings = (box.project / "memories/curator.yaml").read_text(encoding="utf-8")
    box.write("memories/curator.yaml", settings.replace("gotcha: 300", "gotcha: 1"))
    box.sh(
        f"git add -A && curator add '{SHOWN}' --category constraint && curator add '{HIDDEN}' --category gotcha"
        " --source src/app.py && curator render && git add -A && git commit -qm memories && curator recall x"
    )


def asked(box: Sandbox, name: str, *turns: str, **options: Any) -> Run:
    """A session, held again where this machine was too slow for a hook: that ends in time, and silent."""
    for _ in range(3):
        box.sh("git checkout -q -- src && rm -f .git/curator/hook.log")
        run = box.session(name, *turns, **options)
        if "not done within" not in faults(box):
            break
    return run


def faults(box: Sandbox) -> str:
    path = box.project / ".git/curator/hook.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def searched(box: Sandbox, name: str) -> Run:
    """A session in which the model searches over MCP."""
    call = AGENTS[name].calls("search_memory", queries=["firewall port", "which port is open"])
    return box.session(name, "look it up", script=[call, {"text": "8080"}])


def without_curator(box: Sandbox, *more: str) -> None:
    """From here on there is a git and a shell, and no curator."""
    folder = box.home / "bin"
    folder.mkdir()
    for tool in ("git", "sh", "ls", "cat", "env", *more):
        found = shutil.which(tool)
        assert found
        (folder / tool).symlink_to(found)
    box.path = str(folder)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, git's own left out."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.relative_to(folder).parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
