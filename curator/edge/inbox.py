"""Proposals that wait for review, and refusals: one file each in git's common folder, named by its key.

A proposal never touches the work tree or git's index, and all work trees of a
clone share it. Its name is its key, so whoever proposes the same thing again
finds it there: no lock is needed.

One that was put on a branch for a pull request stays until it comes back with
a pull. A mark of the same name beside the inbox says which branch; it waits
for nobody here meanwhile.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from curator.edge import exchange, imported
from curator.errors import CuratorError
from curator.here import Workspace

SHARED = ("private", "wrong")
"""Reasons that hold for the whole team: these refusals are files of the tree."""
OWN = ("duplicate", "noise", "once")
"""Reasons of one person, kept beside the inbox."""
MOST = 65_536
"""Bytes of a proposal that is read: more than twenty times what one can need."""

_SHARED = "memories/.rejected"
_KEY = 12


PATIENCE = 30.0
"""Seconds that a decision waits for others."""


class Mark(NamedTuple):
    """A proposal that is on a branch: the *branch* and the id of its *tip* as it was made, "" where that is not known.

    *words* stand for what the proposal said then (`queue.words`), *seen* and *there* for how often it had been said,
    and how often the branch says it was: 0 where that is not known.
    """

    branch: str
    tip: str = ""
    words: str = ""
    seen: int = 0
    there: int = 0


def folder(workspace: Workspace) -> str:
    """Where proposals lie; outside the work tree, shared by all work trees of the clone."""
    return f"{workspace.common_dir}/curator/inbox"


def path(workspace: Workspace, key: str) -> str:
    """Where the proposal with this key lies."""
    return f"{folder(workspace)}/{key}.yaml"


def keys(workspace: Workspace) -> tuple[str, ...]:
    """The keys of all proposals that wait."""
    with suppress(OSError):
        names = os.listdir(folder(workspace))
        return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))
    return ()


def waits(workspace: Workspace) -> tuple[str, ...]:
    """The keys of those that wait for a decision here: not on a branch."""
    held = keys(workspace)
    away = set(_marks(workspace)) if held else ()
    return tuple(key for key in held if key not in away)


def asked(workspace: Workspace) -> dict[str, str]:
    """The keys of those on a branch, each with the branch's name; "" where that cannot be read."""
    return {key: mark.branch for key, mark in marks(workspace).items()}


def marks(workspace: Workspace) -> dict[str, Mark]:
    """The same with all that their marks say."""
    held = set(keys(workspace))
    found = {}
    for key in sorted(held.intersection(_marks(workspace))):
        found[key] = Mark("")
        with suppress(OSError):
            data = exchange.content(f"{_asked(workspace)}/{key}")[:MOST]
            found[key] = _mark(data.decode("utf-8", "surrogateescape"))
    return found


def _mark(text: str) -> Mark:
    """A mark as it was written; a file that somebody else wrote says the branch at most."""
    branch, *more = text.split("\n")
    if len(more) < 4 or not (more[2].isdecimal() and more[3].isdecimal()):
        return Mark(branch)
    return Mark(branch, more[0], more[1], int(more[2][:9]), int(more[3][:9]))


def ask(workspace: Workspace, key: str, mark: Mark) -> None:
    """Mark durably that a proposal is on a branch. CuratorError where the system refuses."""
    place = _asked(workspace)
    ask_back(workspace, key)
    with _reasons(place, "be written"):
        exchange.make(place)
        with exchange.opened(place) as handle, suppress(FileExistsError):
            text = "".join(f"{one}\n" for one in mark)
            exchange.create(f"{place}/{key}", text.encode("utf-8", "surrogateescape"), handle)


def ask_back(workspace: Workspace, key: str) -> None:
    """Let a proposal wait again; what cannot be taken away stays marked."""
    with suppress(OSError):
        os.unlink(f"{_asked(workspace)}/{key}")


def _asked(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/asked"


def _marks(workspace: Workspace) -> list[str]:
    with suppress(OSError):
        return os.listdir(_asked(workspace))
    return []


def put(workspace: Workspace, key: str, text: str) -> bool:
    """Make the proposal durably; False when one with this key waits already. OSError where nothing can be written."""
    exchange.make(folder(workspace))
    with exchange.opened(folder(workspace)) as handle:
        try:
            exchange.create(path(workspace, key), text.encode("utf-8", "replace"), handle)
        except FileExistsError:
            return False
    return True


def holds(workspace: Workspace, key: str) -> bool:
    """Whether a proposal with this key waits."""
    return os.path.lexists(path(workspace, key))


def displace(workspace: Workspace, key: str, before: bytes, after: str) -> bool:
    """As `rewrite`, and keep what was there aside: it was somebody else's."""
    aside = f"{workspace.common_dir}/curator/replaced"
    exchange.make(aside)
    with suppress(FileExistsError), exchange.opened(aside) as handle:
        exchange.create(f"{aside}/{int(time.time())}-{key}.yaml", before, handle)
    return rewrite(workspace, key, before, after)


def edited(workspace: Workspace, key: str) -> None:
    """Note that a person has edited this proposal. OSError."""
    exchange.make(_edited(workspace))
    with suppress(FileExistsError), exchange.opened(_edited(workspace)) as handle:
        exchange.create(f"{_edited(workspace)}/{key}", b"", handle)


def is_edited(workspace: Workspace, key: str) -> bool:
    """Whether a person has edited this proposal."""
    return os.path.lexists(f"{_edited(workspace)}/{key}")


def _edited(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/edited"


def rewrite(workspace: Workspace, key: str, before: bytes, after: str) -> bool:
    """Replace a proposal that still reads as *before*, durably; False when somebody changed it or took it out."""
    aside = f"{workspace.common_dir}/curator/replaced"

    def keep(temporary: str) -> None:
        exchange.make(aside)
        os.replace(temporary, f"{aside}/{int(time.time())}-{key}.yaml")

    with suppress(FileNotFoundError), exchange.opened(folder(workspace)) as handle:
        texts = before, after.encode("utf-8", "surrogateescape")
        return exchange.replace(path(workspace, key), texts, handle, keep) is exchange.Outcome.WRITTEN
    return False


def waiting(workspace: Workspace) -> tuple[str, ...]:
    """The keys of all proposals, those that have waited longest first; one that was put off counts from then.

    What an import brought comes behind all that was said here.
    """
    moments: dict[str, int] = {}
    for key in keys(workspace):
        with suppress(OSError):
            moments[key] = os.lstat(path(workspace, key)).st_mtime_ns
    brought = imported.keys(workspace) if moments else frozenset()
    return tuple(sorted(moments, key=lambda key: (key in brought, moments[key], key)))


def read(workspace: Workspace, key: str) -> bytes | None:
    """The bytes of a proposal; None when it is gone. OSError for a link, a folder or more than MOST bytes."""
    try:
        if os.lstat(path(workspace, key)).st_size > MOST:
            raise OSError(f"over {MOST:,} bytes")
        return exchange.content(path(workspace, key))
    except FileNotFoundError:
        return None


def take_out(workspace: Workspace, key: str) -> bool:
    """Remove a proposal durably; False when somebody else did. CuratorError where the system refuses."""
    return bool(clear(workspace, [key]))


def clear(workspace: Workspace, keys: Iterable[str]) -> list[str]:
    """Remove proposals durably; the keys of those that were there. CuratorError where the system refuses."""
    gone = []
    for key in keys:
        with _reasons(path(workspace, key), "be taken out of the inbox"), suppress(FileNotFoundError):
            os.unlink(path(workspace, key))
            gone.append(key)
    if gone:
        with _reasons(folder(workspace), "be written"), exchange.opened(folder(workspace)) as handle:
            exchange.sync(handle)
    for key in gone:
        ask_back(workspace, key)
        with suppress(OSError):
            os.unlink(f"{_edited(workspace)}/{key}")
    return gone


def put_off(workspace: Workspace, key: str) -> bool:
    """Let a proposal wait behind all others; False when it is gone. CuratorError where the system refuses."""
    with _reasons(path(workspace, key), "be put off"):
        try:
            os.utime(path(workspace, key), follow_symlinks=False)
        except FileNotFoundError:
            return False
    return True


@contextmanager
def _reasons(where: str, doing: str) -> Iterator[None]:
    """Turn what the system refuses into a message: what was decided stands, and the same command ends it later."""
    try:
        yield
    except OSError as error:
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot {doing}: {error.strerror or error}", where=where, hint=hint) from None


@contextmanager
def deciding(workspace: Workspace) -> Iterator[None]:
    """Let decisions of this clone take turns: what is accepted here is not refused there at the same time."""
    place = f"{workspace.common_dir}/curator"
    with _reasons(f"{place}/deciding.lock", "be opened"):
        exchange.make(place)
        handle = os.open(f"{place}/deciding.lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        if exchange.claim(handle, PATIENCE) is False:
            raise CuratorError("busy: somebody else is deciding about proposals", hint="run the command again")
        yield
    finally:
        os.close(handle)


def is_key(key: str) -> bool:
    """Whether this can be the key of a statement, and so the name of a file that remembers a refusal."""
    return len(key) == _KEY and not set(key) - set("0123456789abcdef")


def shared_refusal(key: str) -> str:
    """The file of the tree that tells a team of a refusal."""
    return f"{_SHARED}/{key}"


def refuse(workspace: Workspace, key: str, reason: str) -> None:
    """Remember, for this person alone, that a statement is not wanted. CuratorError where the system refuses."""
    place = f"{workspace.common_dir}/curator/rejected"
    with _reasons(place, "be written"):
        exchange.make(place)
        with exchange.opened(place) as handle, suppress(FileExistsError):
            exchange.create(f"{place}/{key}", f"{reason}\n".encode(), handle)


def is_refused(workspace: Workspace, key: str) -> bool:
    """Whether this person, or the team, refused a statement with this key."""
    return os.path.exists(f"{workspace.common_dir}/curator/rejected/{key}") or os.path.exists(
        f"{workspace.root}/{_SHARED}/{key}"
    )
