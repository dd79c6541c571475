"""One note in a merge request that says what a file says; nothing at all without CURATOR_TOKEN.

The note is found again by the mark it begins with and by its author, the
token's own user; nobody else's note is touched. An empty file takes it away.
GitLab's notes API; needs nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

MARK = "<!-- curator:review -->"


def main(path: str) -> int:
    if not os.environ.get("CURATOR_TOKEN"):
        print("The review is the artifact: there is no CURATOR_TOKEN to write a note with.")
        return 0
    review = Path(path).read_text(encoding="utf-8").strip()
    body = review if review.startswith(MARK) or not review else f"{MARK}\n{review}"
    project, number = os.environ["CI_MERGE_REQUEST_PROJECT_ID"], os.environ["CI_MERGE_REQUEST_IID"]
    try:
        print(settle(f"projects/{project}/merge_requests/{number}/notes", body))
    except HTTPError as fault:
        if fault.code not in (401, 403, 404):
            print(f"GitLab does not take the note: HTTP {fault.code}", file=sys.stderr)
            return 1
        print(f"CURATOR_TOKEN may not write notes here, so the review is the artifact (HTTP {fault.code})")
    except URLError as fault:
        print(f"GitLab cannot be reached: {fault.reason}", file=sys.stderr)
        return 1
    return 0


def settle(notes: str, body: str) -> str:
    """Make, change or take away the note, so that there is one that says *body*, none where that is ""."""
    found = mine(notes)
    kept = found[:1] if body else []
    for note in found[len(kept) :]:
        ask("DELETE", f"{notes}/{note['id']}")
    if not body:
        return "Nothing changes in the memories: " + ("the note is taken away." if found else "no note.")
    if not kept:
        ask("POST", notes, {"body": body})
        return "Noted."
    if kept[0]["body"].strip() == body:
        return "The note says so already."
    ask("PUT", f"{notes}/{kept[0]['id']}", {"body": body})
    return "The note is brought up to date."


def mine(notes: str) -> list[dict[str, Any]]:
    """The notes that begin with the mark and are by the token's own user, the oldest first."""
    own, _ = ask("GET", "user")
    return [one for one in pages(notes) if one["author"]["id"] == own["id"] and one["body"].startswith(MARK)]


def pages(notes: str) -> Iterator[dict[str, Any]]:
    page = "1"
    while page:
        found, page = ask("GET", f"{notes}?sort=asc&order_by=created_at&per_page=100&page={page}")
        yield from found


def ask(method: str, path: str, body: dict[str, str] | None = None) -> tuple[Any, str]:
    """GitLab's answer, and the number of the next page, "" after the last."""
    headers = {"PRIVATE-TOKEN": os.environ["CURATOR_TOKEN"], "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    request = Request(f"{os.environ['CI_API_V4_URL']}/{path}", data, headers, method=method)
    with urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null"), answer.headers.get("X-Next-Page", "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
