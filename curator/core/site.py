"""The site that a remote is on, told by its address: where a pull request is opened there, and with which command."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

GITHUB, GITLAB = "github", "gitlab"

_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ssh|git)://(?:[^/@\s]*@)?(?P<host>[A-Za-z0-9.-]+)(?P<port>:\d+)?/"
    r"|(?:[^/@:\s]+@)?(?P<short>[A-Za-z0-9.-]+):(?!/))"
    r"(?P<path>[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)+)/?"
)
_BEFORE_SSH = re.compile(r"^(?:ssh|altssh)\.")


class Site(NamedTuple):
    """A repository on a site: GITHUB, GITLAB or "" for another one; its *host*, and its *path* there."""

    kind: str
    host: str
    path: str


def of(url: str, github: str = "") -> Site | None:
    """The site of a remote's address, None for what is no address of one. *github*: one more host that is GitHub."""
    found = _ADDRESS.fullmatch(url)
    if not found:
        return None
    host = _BEFORE_SSH.sub("", (found["host"] or found["short"]).lower())
    if found["port"] and found["scheme"] in {"http", "https"}:
        host += found["port"]
    return Site(_kind(host, github.lower()), host, found["path"].removesuffix(".git"))


def _kind(host: str, github: str) -> str:
    labels = host.partition(":")[0].split(".")
    if GITHUB in labels or host == github:
        return GITHUB
    return GITLAB if GITLAB in labels else ""


def page(site: Site, branch: str, base: str) -> str:
    """Where a person opens the pull request; "" where that is not known."""
    if site.kind == GITHUB:
        between = f"{quote(base, safe='')}...{quote(branch, safe='/')}" if base else quote(branch, safe="/")
        return f"https://{site.host}/{site.path}/compare/{between}?expand=1"
    if site.kind == GITLAB:
        onto = f"&merge_request%5Btarget_branch%5D={quote(base, safe='')}" if base else ""
        wanted = f"merge_request%5Bsource_branch%5D={quote(branch, safe='')}{onto}"
        return f"https://{site.host}/{site.path}/-/merge_requests/new?{wanted}"
    return ""


def command(site: Site, onto: Site, branch: str, base: str, title: str) -> list[str]:
    """The arguments of `gh` that open the pull request, its text on standard input.

    The branch is on *site*, and *onto* is where it is to go: another repository where this one is a fork.
    """
    head = branch if site == onto else f"{site.path.partition('/')[0]}:{branch}"
    return [
        *("pr", "create", f"--repo={onto.host}/{onto.path}", f"--head={head}"),
        *([f"--base={base}"] if base else []),
        *(f"--title={title}", "--body-file=-"),
    ]
