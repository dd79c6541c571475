"""The job for GitLab: its script run as a runner runs it, and its note, against a server that speaks the notes API."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from tests.conftest import Repo
from tests.github import ROOT

MARK = "<!-- curator:review -->"
TOKEN = "a-masked-token"
OURS = 41
NOTES = re.compile(r"/api/v4/projects/3/merge_requests/7/notes(?:/(\d+))?(?:\?.*[?&]page=(\d+))?")
JOB = yaml.safe_load((ROOT / "hooks/ci/gitlab-review.yml").read_text(encoding="utf-8"))["curator-review"]


@dataclass
class Notes:
    held: list[dict[str, Any]] = field(default_factory=list)
    refused: int = 0
    url: str = ""

    def said(self, body: str, author: int = 5) -> dict[str, Any]:
        made = {"id": 100 + len(self.held), "author": {"id": author}, "body": body}
        self.held.append(made)
        return made

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any, str]:
        """Status, value and next page."""
        if path == "/api/v4/user":
            return 200, {"id": OURS}, ""
        found = NOTES.fullmatch(path)
        if found is None or self.refused:
            return self.refused or 404, {"message": "no"}, ""
        if method == "GET":
            at = int(found[2])
            return 200, self.held[at * 100 - 100 : at * 100], str(at + 1) if len(self.held) > at * 100 else ""
        if method == "POST":
            return 201, self.said(body["body"], OURS), ""
        (note,) = [one for one in self.held if str(one["id"]) == found[1]]
        if method == "DELETE":
            self.held.remove(note)
            return 204, None, ""
        note["body"] = body["body"]
        return 200, note, ""


class Handler(BaseHTTPRequestHandler):
    notes: ClassVar[Notes]

    def do(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, value, following = 401, None, ""
        if self.headers.get("PRIVATE-TOKEN") == TOKEN:
            status, value, following = self.notes.answer(self.command, self.path, json.loads(data or b"{}"))
        self.send_response(status)
        self.send_header("X-Next-Page", following)
        self.end_headers()
        self.wfile.write(b"" if value is None else json.dumps(value).encode())

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the standard library's name
        pass

    do_GET = do_POST = do_PUT = do_DELETE = do  # noqa: N815 - the same


@contextmanager
def serving(notes: Notes) -> Iterator[Notes]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"notes": notes}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        notes.url = f"http://127.0.0.1:{server.server_port}/api/v4"
        yield notes
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def notes() -> Iterator[Notes]:
    with serving(Notes()) as held:
        yield held


def noted(notes: Notes, folder: Path, text: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    file = folder / "curator-review.md"
    file.write_text(text, encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "CI_API_V4_URL": notes.url,
        "CI_MERGE_REQUEST_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "CURATOR_TOKEN": token,
    }
    command = [sys.executable, "-I", str(ROOT / "hooks/ci/gitlab_note.py"), str(file)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_the_job_runs_on_merge_requests_and_needs_no_token() -> None:
    assert JOB["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'}]
    assert JOB["artifacts"]["paths"] == ["curator-review.md"]
    assert set(JOB["variables"]) == {"CURATOR", "GIT_DEPTH"}
    assert "CURATOR_TOKEN" not in JOB["script"][0]


@pytest.fixture
def runner(base: Repo, tmp_path: Path) -> Repo:
    """The merge request's branch, with a new memory; main moved on meanwhile."""
    base.git("switch", "-q", "-c", "topic")
    base.memory("b", "Never mock the database.")
    base.commit("b")
    base.git("switch", "-q", "main")
    base.memory("c", "Main moved on meanwhile.")
    base.commit("c")
    base.git("switch", "-q", "topic")
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin/python"
    python.write_text(_INSTALLER.format(python=sys.executable), encoding="utf-8")
    python.chmod(0o755)
    return base


_INSTALLER = """#!/bin/sh
# Makes a "virtual environment" of this checkout's own, so that nothing is fetched.
case "$*" in
  "-I -m venv "*)
    mkdir -p "$4/bin" && ln -s "$(dirname {python})/curator" "$4/bin/curator" && cp "$0" "$4/bin/python" ;;
  "-I -m pip install "*) ;;
  *) exec {python} "$@" ;;
esac
"""


def job(repo: Repo, tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    source = tmp_path / "source"
    if not source.exists():
        source.mkdir()
        script = "hooks/ci/gitlab_note.py"
        made = Repo(source)
        made.git("init", "-q")
        made.write(script, (ROOT / script).read_bytes())
        made.commit("curator")
        made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    commit = Repo(source).git("rev-parse", "HEAD").strip()
    environment = {
        "PATH": os.pathsep.join((str(tmp_path / "bin"), os.environ["PATH"])),
        "HOME": os.environ["HOME"],
        "CI_PROJECT_DIR": str(repo.root),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": repo.git("merge-base", "main", "topic").strip(),
        "CURATOR": f"git+{source.as_uri()}@{commit}",
    }
    command = ["bash", "-eo", "pipefail", "-c", "\n".join(JOB["script"])]
    return subprocess.run(command, cwd=repo.root, env=environment | variables, capture_output=True, text=True)


def test_the_job_writes_what_the_merge_request_brings(runner: Repo, tmp_path: Path) -> None:
    done = job(runner, tmp_path)
    assert done.returncode == 0, done.stderr
    review = runner.read("curator-review.md")
    assert review.startswith(MARK)
    assert "1 new" in review
    assert "Main moved on meanwhile." not in review
    assert "The review is the artifact" in done.stdout


@pytest.mark.parametrize(("project", "known"), [("3", True), ("4", False)], ids=["here", "fork"])
def test_the_job_names_a_range_that_a_reviewers_clone_knows(
    runner: Repo, tmp_path: Path, project: str, known: bool
) -> None:
    done = job(
        runner,
        tmp_path,
        CI_MERGE_REQUEST_PROJECT_ID="3",
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID=project,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME="topic",
    )
    assert done.returncode == 0, done.stderr
    assert ("`curator diff origin/main..origin/topic`" in runner.read("curator-review.md")) == known


def test_the_job_compares_a_merged_result_with_the_target_branch(runner: Repo, tmp_path: Path) -> None:
    target = runner.git("rev-parse", "main").strip()
    runner.git("merge", "-q", "--no-ff", "-m", "merged result", "main")
    assert job(runner, tmp_path, CI_MERGE_REQUEST_TARGET_BRANCH_SHA=target).returncode == 0
    assert "Never mock the database." in runner.read("curator-review.md")
    assert "Main moved on meanwhile." not in runner.read("curator-review.md")


def test_the_job_writes_through_no_link_of_the_merge_request(runner: Repo, tmp_path: Path) -> None:
    (runner.root / "curator-review.md").symlink_to(tmp_path / "elsewhere")
    assert job(runner, tmp_path).returncode == 0
    assert not (tmp_path / "elsewhere").exists()


def test_the_job_takes_curator_from_a_whole_commit_alone(runner: Repo, tmp_path: Path) -> None:
    for address in ("", "curator==1.0", "git+https://example.org/curator@main"):
        done = job(runner, tmp_path, CURATOR=address)
        assert done.returncode == 1
        assert "CURATOR is to be git+URL@COMMIT" in done.stderr


def test_without_a_token_no_note_is_written(notes: Notes, tmp_path: Path) -> None:
    done = noted(notes, tmp_path, f"{MARK}\none new\n", token="")
    assert done.returncode == 0
    assert not notes.held


def test_one_note_is_made_and_kept_up_to_date_behind_many_others(notes: Notes, tmp_path: Path) -> None:
    theirs = [dict(notes.said(f"{MARK}\nof somebody else {number}")) for number in range(150)]
    assert "Noted." in noted(notes, tmp_path, f"{MARK}\none new\n").stdout
    assert "already" in noted(notes, tmp_path, f"{MARK}\none new\n").stdout
    assert "up to date" in noted(notes, tmp_path, f"{MARK}\ntwo new\n").stdout
    assert notes.held[:150] == theirs
    assert [note["body"] for note in notes.held[150:]] == [f"{MARK}\ntwo new"]
    assert "taken away" in noted(notes, tmp_path, "").stdout
    assert notes.held == theirs


def test_a_token_without_the_right_is_told_and_fails_nothing(notes: Notes, tmp_path: Path) -> None:
    notes.refused = 403
    done = noted(notes, tmp_path, f"{MARK}\none new\n")
    assert done.returncode == 0
    assert "may not write notes here" in done.stdout
    assert noted(notes, tmp_path, "x", token="wrong").returncode == 0


def test_a_gitlab_that_fails_is_told_without_a_traceback(notes: Notes, tmp_path: Path) -> None:
    notes.refused = 503
    done = noted(notes, tmp_path, f"{MARK}\none new\n")
    assert (done.returncode, done.stderr) == (1, "GitLab does not take the note: HTTP 503\n")


def test_a_gitlab_out_of_reach_fails_the_job(tmp_path: Path) -> None:
    done = noted(Notes(url="http://127.0.0.1:9/api/v4"), tmp_path, f"{MARK}\none new\n")
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
