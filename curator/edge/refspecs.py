"""The command that brings a branch which this clone does not fetch by itself, as one that was cloned alone does not."""

from __future__ import annotations

import re
from typing import NamedTuple

from curator.edge import plumbing
from curator.model import Workspace

_REMOTES = "refs/remotes/"
# What needs no quoting in any shell and is no pattern to git.
_PLAIN = re.compile(r"(?!-)(?!.*\.\.)(?!.*//)[A-Za-z0-9_./-]{1,200}(?<![./])")
_HEX = re.compile(r"[0-9a-f]{7,64}")


class Fetch(NamedTuple):
    """What a person types, and the name that the branch then has here."""

    command: str
    name: str


def of(workspace: Workspace, ref: str) -> Fetch | None:
    """How to get *ref*, as `REMOTE/BRANCH` or as a branch of the usual remote; None where it can be neither."""
    told = plumbing.git(workspace, "remote", ok=(0, 1, 128)).decode("utf-8", "surrogateescape").split("\n")
    remotes = [one for one in told if _PLAIN.fullmatch(one)]
    name = ref.removeprefix(_REMOTES)
    for remote in sorted(remotes, key=len, reverse=True):
        if name.startswith(f"{remote}/"):
            return _made(remote, name.removeprefix(f"{remote}/"))
    usual = "origin" if "origin" in remotes else remotes[0] if len(remotes) == 1 else ""
    known = ref == "HEAD" or ref.startswith("refs/") or _HEX.fullmatch(ref)
    return _made(usual, ref) if usual and not known else None


def way_to(workspace: Workspace, ref: str, else_: str = "") -> str:
    """What a person can do about a *ref* that is not here; *else_* is said of one that is no branch of a remote."""
    fetch = of(workspace, ref)
    if fetch and fetch.name == ref.removeprefix(_REMOTES):
        return f"`{fetch.command}` fetches it"
    told = "fetch it, or name another commit or branch"
    if fetch:
        return f"{told}; where it is a branch of the remote: `{fetch.command}`, and name {fetch.name}{else_}"
    return told + else_


def _made(remote: str, branch: str) -> Fetch | None:
    if not _PLAIN.fullmatch(branch) or branch == "HEAD":
        return None
    return Fetch(f"git fetch {remote} {branch}:{_REMOTES}{remote}/{branch}", f"{remote}/{branch}")
