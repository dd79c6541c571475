"""Refuse one proposal, so that the same thing is not proposed again."""

from __future__ import annotations

from dataclasses import dataclass

from curator.core import keys, queue
from curator.edge import files, inbox, proposals, standstill, store
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit, Outcome

REASONS = (*inbox.OWN, *inbox.SHARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection(Outcome):
    """A refusal of the proposal with this *key*. A shared one is an edit; *own*: kept beside the inbox instead.

    *said* is the key of what is refused, which is another one where a stranger put other words under that name.
    *keeps*: what was refused is to retire a memory.
    """

    key: str
    reason: str
    own: bool = False
    said: str = ""
    keeps: bool = False


def run(workspace: Workspace, name: str, reason: str) -> Rejection:
    """What to remember of the proposal that *name* means: for all (`wrong`, `private`) a file of the tree.

    A proposal that cannot be read can be refused all the same.
    """
    if reason not in REASONS:
        raise CuratorError(f"no reason {reason!r}", hint=f"there are: {', '.join(REASONS)}")
    key, said, keeps = _meant(workspace, name)
    if reason in inbox.OWN or not inbox.is_key(said):
        return Rejection(key=key, reason=reason, own=inbox.is_key(said), said=said, keeps=keeps)
    path = inbox.shared_refusal(said)
    standstill.refuse(workspace, f"the proposal stays in the inbox ({key})")
    lying = files.read_or_none(workspace, path)
    edit = Edit(path, lying, f"{reason}\n" if lying is None else lying)
    return Rejection(edits=(edit,), stage=(path,), key=key, reason=reason, said=said, keeps=keeps)


def found(workspace: Workspace, name: str) -> str:
    """The key of the proposal that *name* means, whether it can be read or not."""
    return _meant(workspace, name)[0]


def _meant(workspace: Workspace, name: str) -> tuple[str, str, bool]:
    """The same, with the key of what it says: of one that was fetched, its own; and whether it is to retire."""
    held = store.load(workspace, trust=store.INDEX)
    read, _ = proposals.read(workspace, held.config, name)
    one = queue.named(read, name)
    if one:
        said = keys.own(held.config.namespace, one.entry) if one.remote else one.key
        return one.key, said, one.entry.retired is not None
    near = [key for key in inbox.keys(workspace) if name and key.startswith(name)]
    if len(near) != 1:
        raise CuratorError(f"no proposal {name!r}", hint="`curator status` shows what waits")
    return near[0], near[0], False
