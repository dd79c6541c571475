"""A file that the user names, wherever it is, made or replaced as a whole."""

from __future__ import annotations

import os
import stat
from errno import EDQUOT, ENOSPC

from curator.edge import exchange
from curator.errors import CuratorError

_TRIES = 8


def write(path: str, data: bytes, mark: bytes) -> None:
    """Put *data* into the file, durably and in one step; links are followed, no folder is made.

    Only a file that begins with *mark*, or is empty, is replaced: anything
    else is a person's. CuratorError when it cannot be written; it is then
    what it was.
    """
    real = os.path.realpath(path)
    try:
        _refuse(real, path)
        with exchange.opened(os.path.dirname(real)) as folder:
            for _ in range(_TRIES):
                if _put(real, path, data, mark, folder):
                    return
    except OSError as error:
        full = error.errno in (ENOSPC, EDQUOT)
        hint = "free some space, then run the command again" if full else "name another file, or put that right"
        raise CuratorError(f"cannot be written: {error.strerror or error}", where=path, hint=hint) from None
    raise CuratorError("another program is writing it", where=path, hint="run the command again")


def _refuse(real: str, path: str) -> None:
    """Raise for what is no regular file that may be written, and for one in a folder that is not there."""
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        raise CuratorError(f"there is no folder {os.path.dirname(path) or folder}", where=path, hint="make it first")
    try:
        mode = os.stat(real).st_mode
    except FileNotFoundError:
        if path.endswith(os.sep):
            raise CuratorError("is a folder's name", where=path, hint="name a file") from None
        return
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise CuratorError(f"is {kind}", where=path, hint="name a file, or - for standard output")
    if not mode & 0o222 or not os.access(real, os.W_OK):
        raise CuratorError("is read-only", where=path, hint="allow writing to it (`chmod u+w`), or name another file")


def _put(real: str, path: str, data: bytes, mark: bytes, folder: int | None) -> bool:
    """Make or replace it; False when somebody else did meanwhile."""
    try:
        before = exchange.content(real)
    except FileNotFoundError:
        try:
            exchange.create(real, data, folder)
        except FileExistsError:
            return False
        return True
    if before and not before.startswith(mark):
        raise CuratorError("is there and is no page that curator wrote", where=path, hint="name another file")
    outcome = exchange.replace(real, (before, data), folder, os.unlink)
    return outcome in {exchange.Outcome.WRITTEN, exchange.Outcome.SAME}
