"""Whose a proposal is: those from a remote have a mark beside the inbox, since what they say of that is a claim.

What others put into the inbox gives way to what is said here: a fetched proposal to any, and one of an agent, a tool,
a model or an import to a statement of the user's. Else who proposes first could keep the user's words out. What a
person has edited gives way to nobody, and what gave way is kept aside for a day.
"""

from __future__ import annotations

import os
from contextlib import suppress

from curator.core import proposal
from curator.edge import exchange, imported, inbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from curator.here import Workspace

UNKNOWN = "a remote"
"""What is said where a mark is there and names none."""


def mark(workspace: Workspace, key: str, remote: str) -> bool:
    """Note durably that the proposal with this key is from *remote*; False when one has a mark. OSError."""
    exchange.make(_folder(workspace))
    with exchange.opened(_folder(workspace)) as handle:
        try:
            exchange.create(_path(workspace, key), f"{remote}\n".encode("utf-8", "surrogateescape"), handle)
        except FileExistsError:
            return False
    return True


def remote(workspace: Workspace, key: str) -> str:
    """The remote that a proposal came from, "" for one that was made here."""
    try:
        data = exchange.content(_path(workspace, key))
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return UNKNOWN
    return data.decode("utf-8", "surrogateescape").strip() or UNKNOWN


def yielding(workspace: Workspace, key: str, by: str) -> bytes:
    """The bytes of the proposal with this key that gives way to the same statement said here by *by*; b"" for none."""
    if not inbox.holds(workspace, key) or inbox.is_edited(workspace, key):
        return b""
    try:
        data = inbox.read(workspace, key) or b""
    except OSError:
        return b""
    is_weaker = proposal.gives_way(data.decode("utf-8", "replace"), by)
    return data if is_weaker or remote(workspace, key) else b""


def deliver(workspace: Workspace, files: Iterable[tuple[str, str, bytes]]) -> None:
    """Put what was said here into the inbox: each a key, its text, and the bytes it replaces, if any. OSError.

    What takes the place of one that came from elsewhere is nobody else's any more; nor is a new one, where a sync
    that was killed left a mark. What somebody proposed meanwhile gives way as it would have before.
    """
    for key, text, before in files:
        done = inbox.displace(workspace, key, before, text) if before else inbox.put(workspace, key, text)
        late = b"" if done else yielding(workspace, key, proposal.speaker(text))
        if done or (late and inbox.displace(workspace, key, late, text)):
            disown(workspace, key)


def disown(workspace: Workspace, key: str) -> None:
    """Let a proposal that took the place of another's be ours: not imported, unknown to any remote. OSError."""
    imported.drop(workspace, key)
    if remote(workspace, key):
        from curator.edge import synced  # noqa: PLC0415 - the nouns: only what takes another's place needs it

        synced.forget(workspace, key)
        unmark(workspace, key)


def unmark(workspace: Workspace, key: str) -> None:
    """Forget that the proposal came from elsewhere."""
    with suppress(OSError):
        os.unlink(_path(workspace, key))


def keys(workspace: Workspace) -> frozenset[str]:
    """The keys that have a mark."""
    with suppress(OSError):
        return frozenset(os.listdir(_folder(workspace)))
    return frozenset()


def own(workspace: Workspace) -> tuple[str, ...]:
    """The keys that wait for a decision and were said here: what others send, import or propose takes no room."""
    waiting = inbox.waits(workspace)
    others = keys(workspace) | imported.keys(workspace) if waiting else frozenset()
    return tuple(key for key in waiting if key not in others and _takes_room(workspace, key))


def _takes_room(workspace: Workspace, key: str) -> bool:
    try:
        data = inbox.read(workspace, key)
    except OSError:
        return True
    return data is not None and proposal.takes_room(data.decode("utf-8", "replace"))


def tidy(workspace: Workspace) -> None:
    """Remove the marks of proposals that wait no longer."""
    for key in keys(workspace).difference(inbox.keys(workspace)):
        if inbox.is_key(key):
            unmark(workspace, key)


def _folder(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/fetched"


def _path(workspace: Workspace, key: str) -> str:
    return f"{_folder(workspace)}/{key}"
