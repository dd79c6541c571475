"""Memory files as they lie on disk, staged or not: what an editor or a hook that passes file names asks about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from curator.core import linting, printable, settings, vetting
from curator.edge import files, plumbing, store
from curator.errors import CuratorError
from curator.model import MEMORIES, Config, Fault, Finding, Workspace

_MOST = vetting.MOST + 1
"""Bytes of a file that are read: one more than any may have, which tells."""


class Lying(NamedTuple):
    """One file: its text, None where there is nothing to check, and what is said of the place where it lies.

    *home* is the folder whose memories/ hold it, "" for the root.
    """

    path: str
    home: str
    text: str | None
    findings: tuple[Finding, ...] = ()

    @property
    def is_settings(self) -> bool:
        return self.path == f"{self.home}{linting.SETTINGS}"


def read(workspace: Workspace, path: str, given: Mapping[str, str]) -> Lying:
    """The file at *path*; *given* has the text of those that an editor holds and has not saved.

    CuratorError for what is no memory file, or was never there.
    """
    linting.refuse(path)
    home = next((one for one in linting.homes(path) if _counts(workspace, one)), None)
    if home is None:
        folder = linting.homes(path)[0] + MEMORIES
        told = f"not read: {folder}/ holds no {store.CONFIG}, which makes its memories count"
        return Lying(path, "", None, (_note(path, told, "an empty one will do"),))
    if linting.is_hidden(path, home):
        return Lying(path, home, None, (_note(path, "not read: its name begins with a dot", ""),))
    if path in given:
        return Lying(path, home, given[path])
    link = next((one for one in _folders(path) if os.path.islink(os.path.join(workspace.root, one))), "")
    if link:
        told = f"under the link {link}, and git keeps nothing there"
        fault = Finding(Fault.INVALID, path, told, "name the file itself")
        return Lying(path, home, None, (fault,))
    try:
        text = files.read_or_none(workspace, path, most=_MOST)
    except CuratorError as error:
        return Lying(path, home, None, (Finding(Fault.INVALID, path, error.message, error.hint),))
    if text is None:
        return Lying(path, home, None, (_gone(workspace, path),))
    if os.path.islink(os.path.join(workspace.root, path)):
        fault = Finding(Fault.INVALID, path, "a link, and git keeps only where it leads", "put the file itself there")
        return Lying(path, home, None, (fault,))
    return Lying(path, home, text)


def _folders(path: str) -> Iterator[str]:
    """The folders that a path lies in, the outermost first."""
    return (path[:at] for at, letter in enumerate(path) if letter == "/")


def _counts(workspace: Workspace, home: str) -> bool:
    """Do the memories of a folder count? Those of the root do; elsewhere a curator.yaml says so."""
    if not home:
        return True
    path = f"{home}{linting.SETTINGS}"
    return files.exists(workspace, path) or bool(plumbing.blobs(workspace, [path]))


def _gone(workspace: Workspace, path: str) -> Finding:
    """What is said of a file that is not on disk. CuratorError where git knows none of that name either."""
    word = printable.word(path)
    if plumbing.blobs(workspace, [path]):
        return _note(path, "deleted on disk, but staged, so it is still used", f"git rm {word}, or git restore {word}")
    if plumbing.head_commit(workspace) and plumbing.blobs(workspace, [path], "HEAD"):
        return _note(path, "deleted, and that is staged", "")
    raise CuratorError("no such file", where=path, hint="make the file, or correct the path")


def _note(path: str, message: str, hint: str) -> Finding:
    return Finding(Fault.UNREVIEWED, path, message, hint)


def config(workspace: Workspace, given: Mapping[str, str], trusted: Config) -> Config:
    """The settings as they lie on disk; the *trusted* ones where those cannot be read."""
    try:
        text = given.get(linting.SETTINGS) or files.read_or_none(workspace, linting.SETTINGS, most=_MOST)
        return settings.read(text.encode("utf-8", "surrogateescape")) if text is not None else trusted
    except CuratorError:
        return trusted


def unreviewed(workspace: Workspace, trust: str, paths: Sequence[str]) -> tuple[Finding, ...]:
    """Those of *paths* whose bytes on disk are not the trusted ones, which alone are used."""
    if not paths:
        return ()
    ref = "" if trust == store.INDEX else trust
    loose = plumbing.differing(workspace, ref, paths) if ref else plumbing.loose(workspace, paths)
    held = plumbing.blobs(workspace, loose, ref) if loose else {}
    tracked = plumbing.index(workspace).files if loose and not ref else {}
    return tuple(store.not_reviewed(path, trusted=path in held, trust=trust, tracked=tracked) for path in loose)


def there(workspace: Workspace, paths: Iterable[str]) -> frozenset[str]:
    """Those of *paths* that are on disk."""
    return frozenset(path for path in paths if files.exists(workspace, path))
