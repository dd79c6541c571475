"""A pull request opened with GitHub's own client, as the user has set it up."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from curator.core import site
from curator.core.site import Site
from curator.edge import remotes
from curator.errors import CuratorError
from curator.here import Workspace

PROGRAM = "gh"
SECONDS = 60.0
"""How long it may take."""

_URL = re.compile(r"https?://\S+")
_MOST_TOLD = 3  # lines that are repeated


def place(workspace: Workspace, remote: str) -> Site | None:
    """The site that a configured remote is on, None where that is no site."""
    try:
        url = remotes.url(workspace, remote)
    except CuratorError:
        return None
    return site.of(url, os.environ.get("GH_HOST", ""))


def is_at_hand() -> bool:
    """Whether the client is installed."""
    return shutil.which(PROGRAM) is not None


def opened(workspace: Workspace, arguments: Sequence[str], body: str) -> str:
    """Open a pull request with these arguments of the client; its address. CuratorError with the client's words."""
    quiet = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}
    try:
        done = subprocess.run(
            [PROGRAM, *arguments],
            cwd=workspace.root,
            env=os.environ | quiet,
            input=body.encode("utf-8", "replace"),
            capture_output=True,
            timeout=SECONDS,
        )
    except OSError as error:
        raise CuratorError(f"{PROGRAM} cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise CuratorError(f"{PROGRAM} did not answer within {SECONDS:g} s") from None
    told = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        words = [line.strip() for line in done.stderr.decode("utf-8", "replace").split("\n") if line.strip()]
        raise CuratorError(f"{PROGRAM}: {'; '.join(words[:_MOST_TOLD]) or f'exit code {done.returncode}'}")
    found = _URL.findall(told)
    return found[-1] if found else ""
