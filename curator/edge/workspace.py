"""Where we are: the work tree's root and its git folders, found without starting a process."""

from __future__ import annotations

import os
from collections.abc import Iterator

from curator.errors import CuratorError
from curator.here import Workspace


def open_at(start: str) -> Workspace:
    """Walk up from the absolute folder *start* to the work tree that holds it.

    ``.git`` is a folder, or a file in linked work trees and submodules
    (gitrepository-layout(5)). GIT_DIR is not asked: curator works on the
    folder it is started in, also inside another repository's hook.
    """
    for folder in _upwards(start):
        git_dir = _git_dir(os.path.join(folder, ".git"))
        if git_dir:
            return Workspace(folder, git_dir, _common_dir(git_dir))
        if _is_git_dir(folder):
            raise CuratorError("no work tree here: this is a bare repository", where=folder)
    raise CuratorError("not inside a git repository", where=start, hint="run `git init` first, or change folder")


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _git_dir(dot_git: str) -> str:
    """The git folder that a `.git` stands for, "" when it is none."""
    if os.path.isfile(dot_git):
        head, _, target = _first_line(dot_git).partition(": ")
        dot_git = os.path.join(os.path.dirname(dot_git), target) if head == "gitdir" else dot_git
    return os.path.realpath(dot_git) if _is_git_dir(dot_git) else ""


def _is_git_dir(folder: str) -> bool:
    if not os.path.isfile(os.path.join(folder, "HEAD")):
        return False
    parts = (os.path.join(folder, name) for name in ("objects", "refs"))
    return os.path.isfile(os.path.join(folder, "commondir")) or all(map(os.path.isdir, parts))


def _common_dir(git_dir: str) -> str:
    """What all work trees of a clone share; a linked one names it in a file."""
    pointer = os.path.join(git_dir, "commondir")
    return os.path.realpath(os.path.join(git_dir, _first_line(pointer))) if os.path.isfile(pointer) else git_dir


def _first_line(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.readline().rstrip("\n")
