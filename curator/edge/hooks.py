"""Git's hook folder, and settings of this clone: found, read, and changed so that what was there can come back."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from contextlib import suppress
from typing import NamedTuple

from curator.edge import plumbing
from curator.errors import CuratorError
from curator.model import Workspace

NAME = "pre-commit"
EARLIER = "pre-commit.before-curator"
_SHARED = ("global", "system")
_SETTING = "core.hooksPath"


class Place(NamedTuple):
    """The folder git takes hooks from. *inside*: it lies in the work tree, so that it may be committed."""

    folder: str
    inside: bool = False
    tracked: bool = False

    @property
    def hook(self) -> str:
        return os.path.join(self.folder, NAME)

    @property
    def earlier(self) -> str:
        return os.path.join(self.folder, EARLIER)


def place(workspace: Workspace) -> Place:
    """Where a commit here looks for its hooks: what core.hooksPath says, else the folder all work trees share.

    CuratorError when a setting of the user or the machine leads there: such
    a folder serves other repositories too.
    """
    output = plumbing.git(workspace, "config", "--null", "--show-scope", "--type=path", "--get-all", _SETTING)
    words = output.decode("utf-8", "surrogateescape").split("\0")
    # curator's own call sets the key too, on the command line: that one is not the user's.
    found = [(scope, path) for scope, path in zip(words[::2], words[1::2], strict=False) if scope != "command"]
    if not found or not found[-1][1]:
        return Place(os.path.join(workspace.common_dir, "hooks"))
    scope, path = found[-1]
    folder = os.path.normpath(os.path.join(workspace.root, path))
    if scope in _SHARED:
        raise CuratorError(
            f"{_SETTING} is set in the {scope} git settings, so a hook there would run in every repository",
            where=folder,
            hint=f"add `curator check --staged` to {NAME} there yourself, or set {_SETTING} in this clone",
        )
    return _place(workspace, folder)


def read(path: str) -> bytes | None:
    """The bytes of a hook, a link followed; None where nothing has that name. A link to nothing counts as empty."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return b"" if os.path.lexists(path) else None
    except OSError as error:
        raise CuratorError(
            f"cannot be read: {error.strerror}", where=path, hint="put that right, then try again"
        ) from None


def executable(path: str) -> bool:
    """Would git run it?"""
    return os.access(path, os.X_OK)


def install(where: Place, text: str, *, aside: bool) -> None:
    """Put curator's hook in place; *aside* keeps the one that is there beside it, bytes, mode and link.

    The old hook has both names for a moment: a kill in between leaves a
    hook that git runs.
    """
    os.makedirs(where.folder, exist_ok=True)
    temporary = f"{where.hook}.curator-{os.getpid()}"
    with open(temporary, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
    os.chmod(temporary, stat.S_IMODE(os.stat(temporary).st_mode) | 0o111)
    if aside:
        try:
            os.link(where.hook, where.earlier, follow_symlinks=False)
        except (NotImplementedError, PermissionError):
            os.rename(where.hook, where.earlier)
    os.replace(temporary, where.hook)


def remove(where: Place) -> bool:
    """Take curator's hook out; whether an earlier one is back in its place."""
    if os.path.lexists(where.earlier):
        os.replace(where.earlier, where.hook)
        return True
    os.unlink(where.hook)
    return False


def setting(workspace: Workspace, name: str) -> str:
    """A setting of this clone alone, "" where it has none."""
    output = plumbing.git(workspace, "config", "--local", "--null", "--get", name, ok=(0, 1))
    return output.decode("utf-8", "surrogateescape").rstrip("\0")


def configure(workspace: Workspace, name: str, value: str) -> None:
    """Change a setting of this clone; "" takes it out."""
    arguments = (name, value) if value else ("--unset-all", name)
    plumbing.git(workspace, "config", "--local", *arguments, write=True)


def merged_as(workspace: Workspace, paths: tuple[str, ...]) -> dict[str, str]:
    """How git merges these files: the `merge` attribute where one is set."""
    output = plumbing.git(workspace, "check-attr", "-z", "merge", "--", *paths).decode("utf-8", "surrogateescape")
    words = output.split("\0")
    return {path: value for path, value in zip(words[::3], words[2::3], strict=False) if value != "unspecified"}


def program(name: str = "curator") -> str:
    """The absolute path of the curator that runs, or of another program beside it.

    "" where it has none that a shell could start.
    """
    own = os.path.join(os.path.dirname(sys.argv[0]), name) if os.path.basename(sys.argv[0]) == "curator" else ""
    beside = os.path.join(os.path.dirname(sys.executable), name)
    for path in (own, beside, shutil.which(name) or ""):
        full = os.path.abspath(path)
        if path and os.path.isfile(full) and os.access(full, os.X_OK):
            return full
    return ""


def origin() -> str:
    """What pip would install this curator from, for example git+URL@COMMIT; "" where that is known to no other machine.

    Installers write it down (PEP 610).
    """
    import json  # noqa: PLC0415 - only `init --workflow` asks
    from importlib import metadata  # noqa: PLC0415 - the same

    with suppress(metadata.PackageNotFoundError, ValueError, KeyError):
        told = json.loads(metadata.distribution("curator").read_text("direct_url.json") or "{}")
        return f"{told['vcs_info']['vcs']}+{told['url']}@{told['vcs_info']['commit_id']}"
    return ""


def _place(workspace: Workspace, folder: str) -> Place:
    real = os.path.realpath(folder)
    root, common = os.path.realpath(workspace.root), os.path.realpath(workspace.common_dir)
    if not _within(real, root) or _within(real, common) or _within(real, workspace.git_dir):
        return Place(folder)
    return Place(folder, True, bool(plumbing.git(workspace, "ls-files", "--", os.path.relpath(real, root))))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
