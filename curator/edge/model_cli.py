"""A model asked through Claude Code (`claude -p`), in an empty folder, without hooks, tools, memories and servers.

Its own hooks would start curator again, which would ask again: `CURATOR_CHILD` tells them to do nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

from curator.edge.answering import CUT, REFUSED, Reply, Unanswered, Wanted, count, word
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curator.core.distil import Request

CHILD = "CURATOR_CHILD"
_PROGRAM = "claude"
# What tells a client that it runs inside another one, or leads it to the other's project, folders and hooks.
_FOREIGN = ("CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_", "CLAUDE_CODE_SESSION_")
_OTHERS = ("CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SIMPLE", "AI_AGENT", "AGENT", "GIT_")
_LONGEST = 4 << 20  # bytes of what it prints


def ask(request: Request, wanted: Wanted) -> Reply:
    """The model's answer. Unanswered where there is none; CuratorError where there is no Claude Code."""
    program = shutil.which(_PROGRAM)
    if program is None:
        raise CuratorError("there is no `claude` on PATH", hint="install Claude Code, or use `--transport api`")
    text = "\n\n".join((request.text, *(text for role, text in request.after if role == "user")))
    with tempfile.TemporaryDirectory(prefix="curator-") as folder:
        return _read(*_run([program, *_words(request, wanted)], text, folder, wanted))


def _words(request: Request, wanted: Wanted) -> list[str]:
    words = [
        *("-p", "--output-format", "json", "--model", wanted.model, "--system-prompt", request.order),
        *("--safe-mode", "--tools", "", "--strict-mcp-config", "--disable-slash-commands"),
        *("--settings", json.dumps({"disableAllHooks": True}), "--no-session-persistence"),
        *("--max-budget-usd", f"{max(wanted.cost, 0.0001):.4f}"),
    ]
    return [*words, "--effort", "low"] if wanted.effort else words


def environment(found: Mapping[str, str]) -> dict[str, str]:
    """The variables that Claude Code is given: the user's, without those of the session that this may run in."""
    kept = {name: value for name, value in found.items() if not name.startswith((*_FOREIGN, *_OTHERS))}
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    return {**kept, **quiet, CHILD: "1"}


def _run(command: list[str], text: str, folder: str, wanted: Wanted) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and standard error. What outlives its time is ended with all it started."""
    pipe = subprocess.PIPE
    try:
        client = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=environment(os.environ),
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise Unanswered(
            f"`claude` cannot be started: {error.strerror}", hint="`claude --version` tells more"
        ) from None
    try:
        out, err = client.communicate(text.encode("utf-8", "replace"), timeout=wanted.seconds)
    except subprocess.TimeoutExpired:
        message = f"no answer came from `claude` within {wanted.seconds:.0f} seconds"
        raise Unanswered(message, hint="try again later", charged=True) from None
    finally:
        if client.poll() is None:
            with suppress(OSError):
                os.killpg(client.pid, signal.SIGKILL)
            client.communicate()
    return client.returncode, out[:_LONGEST], err


def _read(code: int, out: bytes, err: bytes) -> Reply:
    """What `--output-format json` says: the answer, what it used, and what it cost."""
    try:
        told = json.loads(out)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("type") != "result":
        lines = word((err or out).decode("utf-8", "replace"))
        raise Unanswered(f"`claude` gave no answer (exit {code})", hint=lines or "`claude -p hello` tells more")
    text = told.get("result")
    cost = told.get("total_cost_usd")
    paid = float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and cost >= 0 else None
    if told.get("is_error") or not isinstance(text, str):
        kind = word(told.get("subtype"), 40) or "error"
        status = told.get("api_error_status")
        what = f"the API refuses ({status})" if isinstance(status, int) else f"it ended with {kind}"
        raise Unanswered(f"`claude` gave no answer: {what}", hint=word(text) or "`claude -p hello` tells more",
                         charged=bool(paid))  # fmt: skip
    used = told.get("usage")
    usage = used if isinstance(used, dict) else {}
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    into, answered = sum(count(usage.get(name)) for name in names), count(usage.get("output_tokens"))
    ended = {"refusal": REFUSED, "max_tokens": CUT}.get(str(told.get("stop_reason")), "")
    return Reply(text, into, answered, ended, paid)
