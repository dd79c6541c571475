"""Proposals as git objects, in a folder that is thrown away: the repository's own store gets none of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from curator.edge import exchange, inbox, launch, plumbing, remotes
from curator.edge.remotes import Terms
from curator.errors import CuratorError
from curator.here import Workspace

PATIENCE = 30.0
"""Seconds that a person's sync waits for another one of this clone."""

_SLACK = 65_536  # bytes of a pack besides its objects
_FETCHES = 40  # of one sync: one ref that cannot be had makes a handful


class Came(NamedTuple):
    """What was behind a ref: its bytes; or none, and *why*. *final*: it can never be had."""

    data: bytes = b""
    why: str = ""
    final: bool = False


class Parcels:
    """The folder, and git with it in the place of the repository's objects."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self._workspace = workspace
        self._folder = folder
        self.objects = f"{folder}/objects"

    def ids(self, texts: Mapping[str, bytes]) -> dict[str, str]:
        """The object id of each text, by its key; from now on they can be pushed."""
        if not texts:
            return {}
        home = f"{self._folder}/texts"
        os.makedirs(home, exist_ok=True)
        for number, data in enumerate(texts.values()):
            with open(f"{home}/{number}", "wb") as file:
                file.write(data)
        named = "".join(f"{home}/{number}\n" for number in range(len(texts)))
        asked = named.encode("utf-8", "surrogateescape")
        told = self._git("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=asked)
        return dict(zip(texts, told.decode().split(), strict=True))

    def fetched(self, remote: str, wanted: Mapping[str, str], terms: Terms) -> dict[str, Came]:
        """What is behind each ref of *wanted*, which has the object id given, or why that is no proposal.

        Refs are asked for together; where that fails, in halves, so that one
        that is gone or too large hides no other. CuratorError where none can be had.
        """
        inward = terms._replace(objects=self.objects)
        here = self._facts(set(wanted.values()))
        missing = [ref for ref, value in wanted.items() if value not in here]
        left, failed, tries = [missing], dict[str, str](), 0
        while any(left) and tries < _FETCHES:
            refs = left.pop(0)
            tries += 1
            try:
                remotes.fetch(self._workspace, remote, refs, inward, _SLACK + len(refs) * inbox.MOST)
            except CuratorError as error:
                if tries == 1 and not self._answers(remote, terms):
                    raise
                half = len(refs) // 2
                left += [refs[:half], refs[half:]] if half else []
                failed[refs[0]] = error.message  # of one ref alone, in the end
        return self._sorted(wanted, failed)

    def _answers(self, remote: str, terms: Terms) -> bool:
        try:
            remotes.listed(self._workspace, remote, "refs/curator/nothing", terms)
        except CuratorError:
            return False
        return True

    def _sorted(self, wanted: Mapping[str, str], failed: Mapping[str, str]) -> dict[str, Came]:
        facts = self._facts(set(wanted.values()))
        found: dict[str, Came] = {}
        for ref, value in wanted.items():
            kind, size = facts.get(value, ("", 0))
            if kind == "blob" and size <= inbox.MOST:
                found[ref] = Came(self._git("cat-file", "blob", value))
            elif kind:
                why = f"is a {kind}" if kind != "blob" else f"has over {inbox.MOST:,} bytes"
                found[ref] = Came(why=why, final=True)
            else:
                found[ref] = _missing(failed.get(ref, "changed meanwhile"))
        return found

    def _facts(self, values: set[str]) -> dict[str, tuple[str, int]]:
        """Kind and size of those objects that are here."""
        asked = "".join(f"{value}\n" for value in sorted(values)).encode()
        told = self._git("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", stdin=asked)
        rows = (line.split(" ") for line in told.decode().split("\n"))
        return {row[0]: (row[1], int(row[2])) for row in rows if len(row) == 3 and row[2].isdigit()}

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Git in the folder: there no object that is missing is fetched by itself."""
        return plumbing.git(self._workspace, *arguments, stdin=stdin, own={"GIT_DIR": self._folder})


@contextmanager
def opened(workspace: Workspace, patience: float = PATIENCE) -> Iterator[Parcels]:
    """A folder for one sync; those of a clone take turns, and what a killed one left is removed.

    CuratorError when another one goes on for *patience* seconds, or where nothing can be written.
    """
    home = f"{workspace.common_dir}/curator"
    with _reasons(home):
        exchange.make(home)
        handle = os.open(f"{home}/sync.lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        if exchange.claim(handle, patience) is False:
            raise CuratorError("busy: another sync of this clone goes on", hint="run the command again")
        with _reasons(home):
            _clear(f"{home}/parcels")
        try:
            with _reasons(home):
                made = _made(workspace, f"{home}/parcels")
            yield made
        finally:
            with suppress(OSError):
                _clear(f"{home}/parcels")
    finally:
        os.close(handle)


def _missing(why: str) -> Came:
    """What could not be fetched. The limits of a fetch end the program that keeps what comes."""
    too_large = "index-pack" in why
    return Came(why=f"brings more than {inbox.MOST:,} bytes" if too_large else why, final=too_large)


def _made(workspace: Workspace, folder: str) -> Parcels:
    """A bare repository that sees the objects of this one."""
    form = (launch.ask(workspace, "rev-parse", "--show-object-format") or b"sha1").decode().strip()
    options = ("--bare", "--quiet", "--template=", f"--object-format={form}")
    plumbing.git(workspace, "init", *options, "--end-of-options", folder, write=True)
    os.makedirs(f"{folder}/objects/info", exist_ok=True)
    with open(f"{folder}/objects/info/alternates", "wb") as file:
        file.write(os.fsencode(f"{workspace.common_dir}/objects\n"))
    return Parcels(workspace, folder)


def _clear(folder: str) -> None:
    if os.path.islink(folder):
        os.unlink(folder)
    elif os.path.lexists(folder):
        shutil.rmtree(folder)


@contextmanager
def _reasons(where: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot be written: {error.strerror or error}", where=where, hint=hint) from None
