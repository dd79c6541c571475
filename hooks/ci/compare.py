"""A step of the Action: what a pull request changes in the memories, for the log, the summary and the comment.

Asked by variables: FOLDER, BASE and HEAD ("" for what the event says), besides
those of every step. Writes RUNNER_TEMP/curator-review.md, empty where nothing
changed. Runs the `curator` that is installed beside its own Python; needs
nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

LIMIT = 65_000
"""Characters: GitHub refuses a comment of more than 65,536."""
CUT = "\n\n**This is not all of it**: run `curator diff BASE..HEAD` in a clone for the rest.\n"


def main() -> int:
    folder = Path(os.environ.get("FOLDER") or ".").resolve()
    temporary = Path(os.environ["RUNNER_TEMP"])
    environment = alone(folder, temporary)
    if not is_checkout(folder, environment):
        print(f"::error title=curator::{escaped(os.environ.get('FOLDER') or '.')} is no checkout: give its top folder")
        return 2
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    sides = ends(event, parents(folder, environment), base=os.environ.get("BASE", ""), head=os.environ.get("HEAD", ""))
    if sides is None:
        print("::error title=curator::This is no pull request: give the Action a `base` to compare with")
        return 2
    given = os.environ.get("BASE") or os.environ.get("HEAD")
    environment["CURATOR_RANGE"] = "" if given else asked(event)
    shown = []
    for form in ("markdown", "github"):
        command = [sys.executable, "-I", "-m", "curator", "diff", "--format", form, "--", sides]
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            return done.returncode
        shown.append(done.stdout.decode("utf-8", "replace"))
    review, annotations = shown
    print(annotations, end="", flush=True)
    review = cut(review)
    (temporary / "curator-review.md").write_text(review, encoding="utf-8")
    if review and os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
            summary.write(review.rstrip("\n") + "\n")
    print("What changes in the memories stands in the job's summary." if review else "Nothing changes in the memories.")
    return 0


def ends(event: dict[str, Any], merged: list[str], *, base: str, head: str) -> str | None:
    """The range to compare, None where the event names no base and none is given.

    actions/checkout gives the merge of a pull request. Its first parent is the
    base as it was merged with; the event's own base commit is an older one
    once the base branch moved on, and may be missing in a shallow clone.
    """
    if not base and not head and len(merged) == 2 and merged[1] == told(event, "head", "sha"):
        base = merged[0]
    base = base or told(event, "base", "sha")
    return f"{base}..{head or 'HEAD'}" if base else None


def asked(event: dict[str, Any]) -> str:
    """The range as a reviewer's clone knows it, "" where that is not known: a fork's branch is none of origin's."""
    home = told(event, "base", "repo", "full_name")
    base, head = told(event, "base", "ref"), told(event, "head", "ref")
    if not home or told(event, "head", "repo", "full_name") != home or not (base and head):
        return ""
    return f"origin/{base}..origin/{head}"


def told(event: Any, *names: str) -> str:
    """A word of the event's pull request, "" where it tells none."""
    for name in ("pull_request", *names):
        event = event.get(name) if isinstance(event, dict) else None
    return event if isinstance(event, str) else ""


def parents(folder: Path, environment: dict[str, str]) -> list[str]:
    """The parents of what is checked out, as the commit names them: a shallow clone has none of them to show."""
    command = ["git", "cat-file", "commit", "HEAD"]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=False)
    head = done.stdout.partition(b"\n\n")[0].decode("utf-8", "replace")
    return [line.removeprefix("parent ") for line in head.split("\n") if line.startswith("parent ")]


def is_checkout(folder: Path, environment: dict[str, str]) -> bool:
    """Whether it is the top of a work tree. Any folder below holds what the pull request put there."""
    command = ["git", "rev-parse", "--show-toplevel"]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=False)
    except OSError:
        return False
    top = os.fsdecode(done.stdout.removesuffix(b"\n"))
    return done.returncode == 0 and bool(top) and os.path.realpath(top) == os.path.realpath(folder)


def alone(folder: Path, temporary: Path) -> dict[str, str]:
    """Variables under which git fetches nothing and takes no repository that it stumbles upon, and Python no module."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | {
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_CONFIG_GLOBAL": trusting(folder, temporary),
        "GIT_NO_LAZY_FETCH": "1",
        "NO_COLOR": "1",
    }


def escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def trusting(folder: Path, temporary: Path) -> str:
    """Git settings under which git reads *folder* whoever owns it: in a container the runner's user does."""
    settings = str(temporary / "curator-gitconfig")
    for name, value in (("safe.directory", str(folder)), ("safe.bareRepository", "explicit")):
        subprocess.run(["git", "config", "--file", settings, name, value], check=True)
    return settings


def cut(text: str, limit: int = LIMIT) -> str:
    """Text of at most *limit* characters, cut at a blank line outside of any fence or `<details>`."""
    if len(text) <= limit:
        return text
    kept = length = depth = 0
    fenced = False
    for line in text.split("\n"):
        length += len(line) + 1
        if length > limit - len(CUT):
            break
        if line.startswith("```"):
            fenced = not fenced
        depth += 0 if fenced else line.count("<details") - line.count("</details")
        if not (fenced or depth or line.strip()):
            kept = length
    return text[:kept].rstrip("\n") + CUT


if __name__ == "__main__":
    sys.exit(main())
