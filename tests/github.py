"""What a GitHub runner and GitHub's API are to the Action, on this machine: a checkout, an event, a server for `gh`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import yaml

from tests.conftest import Repo

ROOT = Path(__file__).parent.parent
NUMBER = 7
TOKEN = "the-workflows-own-token"
BOT = {"login": "github-actions[bot]", "type": "Bot"}
COMMENTS = re.compile(r"/repos/team/shop/issues/(?:(\d+)/comments|comments/(\d+))(?:\?.*)?")


@dataclass
class Forge:
    """The comments of one pull request, and how the server behaves."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    writable: bool = True
    failures: int = 0
    url: str = ""

    def said(self, body: str, login: str = "mallory", type_: str = "User") -> dict[str, Any]:
        made = {"id": 100 + len(self.asked) + len(self.comments), "user": {"login": login, "type": type_}, "body": body}
        self.comments.append(made)
        return made

    def bodies(self) -> list[str]:
        return [comment["body"] for comment in self.comments]

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and value, as GitHub's REST API gives them."""
        self.asked.append(f"{method} {path}")
        found = COMMENTS.fullmatch(path)
        if self.failures:
            self.failures -= 1
            return 502, {"message": "Server Error"}
        if found is None or found[1] not in (None, str(NUMBER)):
            return 404, {"message": "Not Found"}
        if method == "GET":
            return 200, self.comments
        if not self.writable:
            return 403, {"message": "Resource not accessible by integration"}
        if len(body.get("body", "")) > 65_536:
            return 422, {"message": "Body is too long (maximum is 65536 characters)"}
        if method == "POST":
            return 201, self.said(body["body"], **{"login": BOT["login"], "type_": BOT["type"]})
        (comment,) = [one for one in self.comments if str(one["id"]) == found[2]]
        if method == "DELETE":
            self.comments.remove(comment)
            return 204, None
        comment["body"] = body["body"]
        return 200, comment


class Handler(BaseHTTPRequestHandler):
    """One request of `gh`."""

    forge: ClassVar[Forge]
    page: ClassVar[int]

    def do(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Transfer-Encoding") == "chunked":
            data = b"".join(iter(self.chunk, b""))
        path = self.path.removeprefix("http://api.github.localhost")
        status, value = 401, {"message": "Bad credentials"}
        if self.headers.get("Authorization") == f"token {TOKEN}":
            status, value = self.forge.answer(self.command, path, json.loads(data or b"{}"))
        self.send_response(status)
        text = b"" if value is None else json.dumps(self.part(value, path)).encode()
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline(), 16))
        self.rfile.readline()
        return data

    def part(self, value: Any, path: str) -> Any:
        """One page of a list, and the address of the next."""
        if not isinstance(value, list):
            return value
        at = int((re.search(r"[?&]page=(\d+)", path) or ["", "1"])[1])
        if at * self.page < len(value):
            following = re.sub(r"&page=\d+", "", path) + f"&page={at + 1}"
            self.send_header("Link", f'<http://api.github.localhost{following}>; rel="next"')
        return value[(at - 1) * self.page : at * self.page]

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the standard library's name
        pass

    do_GET = do_POST = do_PATCH = do_DELETE = do  # noqa: N815 - the same


@contextmanager
def serving(forge: Forge, page: int = 100) -> Iterator[Forge]:
    """Answer `gh` on the loopback address. It speaks plain HTTP to github.localhost, through the proxy it is told."""
    handler = type("Bound", (Handler,), {"forge": forge, "page": page})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        forge.url = f"http://127.0.0.1:{server.server_port}"
        yield forge
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class Done:
    """What a run of the Action left: exit code, the log, the job's summary."""

    code: int
    log: str
    summary: str

    def commands(self) -> list[str]:
        """The lines that the runner takes as commands."""
        return [line for line in self.log.splitlines() if line.lstrip().startswith("::") or line.startswith("##[")]


@dataclass
class Runner:
    """One runner: its folders, the event, and the Action's steps run as it runs them."""

    folder: Path
    forge: Forge
    event: dict[str, Any] = field(default_factory=dict)

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    def check_out(self, repo: Repo, merge: str, *, depth: int = 2) -> Path:
        """As actions/checkout does: a fetch of one commit, and a detached HEAD. *depth* 0 is all of it."""
        made = self.workspace / "pull-request"
        made.mkdir(parents=True)
        git = ["git", "-C", str(made)]
        options = ["--depth", str(depth)] if depth else []
        for command in (
            ["init", "-q"],
            ["remote", "add", "origin", repo.root.as_uri()],
            ["fetch", "-q", *options, "origin", f"+{merge}:refs/remotes/pull/{NUMBER}/merge"],
            ["checkout", "-q", "--force", f"refs/remotes/pull/{NUMBER}/merge"],
        ):
            subprocess.run([*git, *command], check=True, capture_output=True)
        return made

    def run(
        self, *names: str, inputs: Mapping[str, str] | None = None, variables: Mapping[str, str] | None = None
    ) -> Done:
        """Run the steps of action.yml that have these names, each in a shell of its own, until one fails."""
        action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        given = {name: value["default"] for name, value in action["inputs"].items()} | {"path": "pull-request"}
        given |= inputs or {}
        values = {f"${{{{ inputs.{name} }}}}": value for name, value in given.items()}
        values |= {
            "${{ github.token }}": TOKEN,
            "${{ inputs.python || steps.python.outputs.python-path }}": sys.executable,
        }
        base = self.environment() | dict(variables or {})
        code, log = 0, ""
        for step in (one for one in action["runs"]["steps"] if one.get("name") in names):
            own = {name: values[value] for name, value in step["env"].items()}
            command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
            done = subprocess.run(
                command, cwd=self.workspace, env=base | own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            code, log = done.returncode, log + done.stdout.decode("utf-8", "replace")
            if code:
                break
        summary = self.folder / "summary.md"
        return Done(code, log, summary.read_text(encoding="utf-8") if summary.exists() else "")

    def review(self, **options: Any) -> Done:
        """One run of the Action, with the curator of this checkout in the place of the one it installs."""
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        if not (temporary / "curator").exists():
            (temporary / "curator").symlink_to(sys.prefix)
        (self.folder / "summary.md").unlink(missing_ok=True)
        return self.run("Compare", "Comment", **options)

    def environment(self) -> dict[str, str]:
        event = self.folder / "event.json"
        event.write_text(json.dumps(self.event), encoding="utf-8")
        names = ("PATH", "HOME", "LANG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
        return {name: os.environ[name] for name in names if name in os.environ} | {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "team/shop",
            "GITHUB_SERVER_URL": "http://github.localhost",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.folder / "temporary"),
            "http_proxy": self.forge.url,
        }
