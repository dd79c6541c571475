"""A step of the Action: one comment in the pull request that says what RUNNER_TEMP/curator-review.md says.

The comment is found again by the mark it begins with and by its author, the
workflow's own token; nobody else's comment is touched. An empty file takes it
away. Speaks to GitHub through `gh`; needs nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

MARK = "<!-- curator:review -->"
BOT = "github-actions[bot]"
"""Whom a comment by a workflow's token is from. No person can have this name: `[` is in none."""
MINE = (
    f'.[] | select(.user.login == "{BOT}" and .user.type == "Bot" and ((.body // "") | startswith("{MARK}")))'
    " | {id, body}"
)
PAUSES = (1, 4)
"""Seconds between tries, where GitHub is out of reach or says that it is its own fault."""


class RefusedError(Exception):
    """The token may not do this."""


class FailedError(Exception):
    """GitHub did not do this, for whatever other reason."""


def main() -> int:
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    pull = event.get("pull_request")
    number = pull.get("number") if isinstance(pull, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        print("This is no pull request: no comment.")
        return 0
    review = (Path(os.environ["RUNNER_TEMP"]) / "curator-review.md").read_text(encoding="utf-8").strip()
    body = review if review.startswith(MARK) or not review else f"{MARK}\n{review}"
    try:
        print(settle(f"repos/{os.environ['GITHUB_REPOSITORY']}/issues", number, body))
    except RefusedError as fault:
        tell("notice", f"This token may not comment here, so the job's summary is the review ({fault})")
    except FileNotFoundError:
        tell("warning", "There is no `gh` on this runner, so the job's summary is the review")
    except FailedError as fault:
        tell("error", f"The comment could not be made, and an earlier one may be out of date ({fault})")
        return 1
    return 0


def settle(issues: str, number: int, body: str) -> str:
    """Make, change or take away the comment, so that there is one that says *body*, none where that is ""."""
    told = api("GET", f"{issues}/{number}/comments?per_page=100", "--paginate", "--jq", MINE)
    found = [json.loads(line) for line in told.split("\n") if line]
    kept = found[:1] if body else []
    for comment in found[len(kept) :]:
        api("DELETE", f"{issues}/comments/{comment['id']}")
    if not body:
        return "Nothing changes in the memories: " + ("the comment is taken away." if found else "no comment.")
    if not kept:
        api("POST", f"{issues}/{number}/comments", body={"body": body})
        return "Commented."
    if kept[0]["body"].replace("\r\n", "\n").strip() == body:
        return "The comment says so already."
    api("PATCH", f"{issues}/comments/{kept[0]['id']}", body={"body": body})
    return "The comment is brought up to date."


def api(method: str, path: str, *options: str, body: dict[str, Any] | None = None) -> str:
    """What `gh api` prints. RefusedError where the token may not, FailedError after some tries."""
    temporary = os.environ["RUNNER_TEMP"]
    host = urlsplit(os.environ.get("GITHUB_SERVER_URL") or "https://github.com").netloc
    command = ["gh", "api", "--hostname", host, "--method", method, path, *options, *(["--input", "-"] if body else [])]
    token = os.environ.get("GH_TOKEN", "")
    environment = os.environ | {"GH_CONFIG_DIR": f"{temporary}/curator-gh", "GH_ENTERPRISE_TOKEN": token}
    given = json.dumps(body).encode() if body else b""
    for pause in (*PAUSES, None):
        done = subprocess.run(command, cwd=temporary, env=environment, input=given, capture_output=True, check=False)
        if done.returncode == 0:
            return done.stdout.decode("utf-8", "replace")
        said = done.stderr.decode("utf-8", "replace").strip()
        status = int((re.search(r"\(HTTP (\d{3})\)", said) or ["", "0"])[1])
        if status in (403, 404) and "rate limit" not in said.lower():
            raise RefusedError(said)
        if pause is None or 400 <= status < 500:
            break
        time.sleep(pause)
    raise FailedError(said)


def tell(level: str, text: str) -> None:
    """One annotation. What GitHub said is data: it ends no line and no command."""
    safe = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::{level} title=curator::{safe}")


if __name__ == "__main__":
    sys.exit(main())
