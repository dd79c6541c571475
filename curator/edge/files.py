"""Which files may be read and written, exact reads, and edits applied so that nobody's save is lost."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EDQUOT, ENOSPC, EXDEV

from curator.edge import exchange
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit

WAIT = 5.0
"""Seconds that any lock is waited for."""

_TRIES = 32  # how often `update` starts again because somebody else saved
_DAY = 86400
_MINUTE = 60
_KINDS = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a named pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)


Each = Callable[[Iterable[tuple[str, bytes]]], Iterable[tuple[str, bytes]]]
"""What files, a path and its bytes, go through before they are written."""


class Changed(CuratorError):  # noqa: N818 - it reads as what happened: `except files.Changed`
    """The file is not what the edit started from: read it again and decide again."""


def read(workspace: Workspace, path: str) -> str:
    """The whole file: newlines untouched, bytes that are not UTF-8 as lone surrogates."""
    text = read_or_none(workspace, path)
    if text is None:
        raise CuratorError("no such file", where=path, hint="make the file, or correct the path")
    return text


def read_or_none(workspace: Workspace, path: str, *, most: int = -1) -> str | None:
    """Like `read`, no more than *most* bytes; None when nothing has that name. A link to nothing is an error."""
    real = resolve(workspace, path)
    with _reasons(path, "be read"):
        try:
            return exchange.content(real, most).decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return None


def resolve(workspace: Workspace, path: str) -> str:
    """The absolute path of the regular file that *path* leads to, every link followed; it need not exist.

    *path* counts from the root. It must stay inside the work tree and out of git's folders, curator's own in the
    common directory excepted. CuratorError for anything else, a folder, a link to nothing, a pipe or a device.
    """
    full = os.path.join(workspace.root, path)
    try:
        real = os.path.realpath(full)
        problem, hint = _misplaced(workspace, real) or _unusable(full, real) or ("", "")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise CuratorError(f"cannot be looked up: {reason}", where=path, hint="correct the path") from None
    if problem:
        raise CuratorError(problem, where=path, hint=hint)
    return real


def real(workspace: Workspace, path: str) -> str:
    """The path relative to the root of the file that *path* leads to, every link followed."""
    return _shown(workspace, resolve(workspace, path))


def exists(workspace: Workspace, path: str) -> bool:
    """Whether anything, also a link to nothing, has that name."""
    return os.path.lexists(os.path.join(workspace.root, path))


def apply(workspace: Workspace, edits: Iterable[Edit]) -> tuple[str, ...]:
    """Write every edit that changes something; return the files written, relative to the root, links followed.

    All edits are looked at before the first is written. Two for one file are written once. Changed when a file
    is not what its edit started from; CuratorError when it cannot be written: it is then whole, old or new.
    """
    written = []
    for real, edit in _by_file(workspace, edits).items():
        folder = os.path.dirname(real)
        with _reasons(edit.path, "be written"):
            if edit.changes and _write(workspace, real, edit):
                written.append(_shown(workspace, real))
            elif not edit.changes and _leftovers(folder):
                with suppress(OSError, CuratorError), _alone(workspace, folder, edit.path):
                    pass
    if written:
        _prune(workspace)
    return tuple(written)


def create(workspace: Workspace, edits: Iterable[Edit], *, each: Each = iter) -> None:
    """Make many new files, all or none, made durable together; *each* passes them on and may count them.

    Changed when something has the name of one already; CuratorError when one cannot be written.
    """
    from curator.edge import bulk  # noqa: PLC0415 - a hook writes one file

    chosen = _by_file(workspace, edits)
    folders = {os.path.dirname(real): os.path.dirname(edit.path) for real, edit in chosen.items()}
    with ExitStack() as held, _reasons(", ".join(sorted(folders.values())), "be written"):
        for folder, where in sorted(folders.items()):
            exchange.make(folder)
            held.enter_context(_alone(workspace, folder, where))
        try:
            bulk.create([(real, _encode(edit.after, edit.path)) for real, edit in chosen.items()], each=each)
        except FileExistsError as error:
            raise _taken(_shown(workspace, os.fspath(error.filename2 or error.filename or ""))) from None


def remove(workspace: Workspace, path: str, text: str) -> None:
    """Take away a file that still holds *text*; one that says something else by now stays, and is nobody's to lose."""
    real = resolve(workspace, path)
    if read_or_none(workspace, path) != text:
        return
    with _reasons(path, "be removed"), suppress(FileNotFoundError):
        os.unlink(real)
        with exchange.opened(os.path.dirname(real)) as handle:
            exchange.sync(handle)


def examine(workspace: Workspace, edits: Iterable[Edit]) -> None:
    """Raise what `apply` would raise before it writes: a place that cannot be written, two texts for one file."""
    _by_file(workspace, edits)


def update(workspace: Workspace, path: str, change: Callable[[str], str]) -> Edit:
    """Read, change and write until nobody saved in between; return the edit that holds.

    An error of *change* or of reading stands only if the file stays as it is: a program that saves in place
    shows it half written for a moment.
    """
    for _ in range(_TRIES):
        text = None
        try:
            text = read(workspace, path)
            edit = Edit(path, text, change(text))
            apply(workspace, (edit,))
        except Changed:
            continue
        except CuratorError:
            if not _moved_on(workspace, path, text):
                raise
        else:
            return edit
    raise _changed(path)


@contextmanager
def lock(workspace: Workspace, seconds: float = WAIT) -> Iterator[None]:
    """Keep other curator commands of this clone waiting, *seconds* at most; then CuratorError.

    An flock on `curator/lock` in the common directory: it ends with the process, so what the file holds or how
    old it is means nothing. Where the system has no flock, nothing is locked.
    """
    folder = os.path.join(workspace.common_dir, "curator")
    where = ".git/curator/lock"
    with _reasons(where, "be opened"):
        exchange.make(folder)
        handle = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        _claim(handle, seconds, where)
        yield
    finally:
        os.close(handle)


def _by_file(workspace: Workspace, edits: Iterable[Edit]) -> dict[str, Edit]:
    chosen: dict[str, Edit] = {}
    for edit in edits:
        real = resolve(workspace, edit.path)
        if edit.changes and edit.before is not None:
            _refuse_read_only(real, edit.path)
        other = chosen.setdefault(real, edit)
        if other.after != edit.after:
            raise CuratorError(
                f"is the same file as {other.path} and would get two different texts",
                where=edit.path,
                hint="give both the same scope and budget, or leave one out of `targets`",
            )
    return chosen


def _misplaced(workspace: Workspace, real: str) -> tuple[str, str] | None:
    """Message and hint when *real* is nowhere that curator may read or write."""
    hint = "name a file inside the work tree"
    if _within(real, os.path.realpath(os.path.join(workspace.common_dir, "curator"))):
        return None
    root = os.path.realpath(workspace.root)
    if not _within(real, root):
        return "leads outside the work tree", hint
    parts = os.path.relpath(real, root).lower().split(os.sep)
    git = (os.path.realpath(workspace.git_dir), os.path.realpath(workspace.common_dir))
    if ".git" in parts or any(_within(real, folder) for folder in git):
        return "leads into git's own folder", hint
    return None


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _unusable(full: str, real: str) -> tuple[str, str] | None:
    """Message and hint when *real* is there but no regular file, or cannot be made because of what is there."""
    try:
        mode = os.stat(real).st_mode
    except (FileNotFoundError, NotADirectoryError):
        near = full
        while not os.path.lexists(near):
            near = os.path.dirname(near)
        if os.path.isdir(near):
            return None
        if os.path.islink(near):
            return "is a link to nothing", "make the file it leads to, or remove the link"
        return f"cannot exist: {os.path.basename(near)} is not a folder", "correct the path"
    kind = next((name for test, name in _KINDS if test(mode)), None)
    return (kind, "name a regular file") if kind else None


def _refuse_read_only(real: str, where: str) -> None:
    """Nobody may write it, or we may not: replacing it would only need the right to write its folder."""
    with suppress(FileNotFoundError):
        if not os.stat(real).st_mode & 0o222 or not os.access(real, os.W_OK):
            raise CuratorError("is read-only", where=where, hint="allow writing to it (`chmod u+w`), or leave it out")


def _write(workspace: Workspace, real: str, edit: Edit) -> bool:
    """Make or replace one file. False when it holds the wanted text already."""
    after, folder = _encode(edit.after, edit.path), os.path.dirname(real)
    if edit.before is not None:
        texts = _encode(edit.before, edit.path), after
        with _alone(workspace, folder, edit.path) as handle:
            return _replace(workspace, real, texts, handle, edit.path)
    exchange.make(folder)
    with _alone(workspace, folder, edit.path) as handle:
        try:
            exchange.create(real, after, handle)
        except FileExistsError:
            raise _taken(edit.path) from None
    return True


def _replace(workspace: Workspace, real: str, texts: tuple[bytes, bytes], folder: int | None, where: str) -> bool:
    outcome = exchange.replace(real, texts, folder, lambda path: _keep(workspace, path))
    if outcome is exchange.Outcome.CHANGED:
        raise _changed(where)
    if outcome is exchange.Outcome.BUSY:
        hint = "save and close it there, then run the command again"
        raise CuratorError("another program has it open for writing", where=where, hint=hint)
    return outcome is exchange.Outcome.WRITTEN


@contextmanager
def _alone(workspace: Workspace, folder: str, where: str) -> Iterator[int | None]:
    """Keep other curator processes out of a folder and clear up behind dead ones; gives its descriptor."""
    with exchange.opened(folder) as handle:
        _sweep(workspace, folder, alone=handle is not None and _claim(handle, WAIT, where))
        yield handle


def _claim(handle: int, seconds: float, where: str) -> bool:
    held = exchange.claim(handle, seconds)
    if held is False:
        raise CuratorError(
            f"busy: another curator command has been at work for {seconds:g} s",
            where=where,
            hint="run the command again when it has ended",
        )
    return bool(held)


def _leftovers(folder: str) -> tuple[str, ...]:
    with suppress(OSError):
        return tuple(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(exchange.OURS))
    return ()


def _sweep(workspace: Workspace, folder: str, *, alone: bool) -> None:
    """Keep for a day what a killed process left: after an exchange it may hold a person's save.

    Alone in the folder, every file of ours in it is one. Without locks, only one older than a minute.
    """
    for path in _leftovers(folder):
        with suppress(OSError):
            if alone or time.time() - os.lstat(path).st_ctime > _MINUTE:
                _keep(workspace, path)


def _keep(workspace: Workspace, path: str) -> None:
    """Move a file out of the tree, under the time and its own name."""
    shelf = _shelf(workspace)
    os.makedirs(shelf, exist_ok=True)
    goal = os.path.join(shelf, f"{int(time.time())}-{os.path.basename(path).removeprefix(exchange.OURS)}")
    try:
        os.replace(path, goal)
    except OSError as error:
        if error.errno != EXDEV:
            raise
        with open(goal, "xb") as writer:
            writer.write(exchange.content(path))
        os.unlink(path)


def _prune(workspace: Workspace) -> None:
    shelf, now = _shelf(workspace), time.time()
    with suppress(OSError):
        for name in os.listdir(shelf):
            stamp = name.partition("-")[0]
            if stamp.isdigit() and now - int(stamp) > _DAY:
                os.unlink(os.path.join(shelf, name))


def _shelf(workspace: Workspace) -> str:
    return os.path.join(workspace.common_dir, "curator", "replaced")


def _moved_on(workspace: Workspace, path: str, text: str | None) -> bool:
    """Whether the file becomes another one within 50 ms."""
    for _ in range(10):
        time.sleep(0.005)
        with suppress(CuratorError):
            if read(workspace, path) != text:
                return True
    return False


def _taken(where: str) -> Changed:
    return Changed("exists already", where=where, hint="look at it, then run the command again")


def _changed(where: str) -> Changed:
    return Changed("was saved by somebody else meanwhile", where=where, hint="run the command again")


def _shown(workspace: Workspace, real: str) -> str:
    root = os.path.realpath(workspace.root)
    path = os.path.relpath(real, root) if _within(real, root) else real
    return path.replace(os.sep, "/")


def _encode(text: str, where: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise CuratorError("holds a lone surrogate, which UTF-8 cannot", where=where, hint="remove it") from None


@contextmanager
def _reasons(where: str, doing: str) -> Iterator[None]:
    """Turn what the system refuses into a message that names the file and the system's reason."""
    try:
        yield
    except OSError as error:
        full = error.errno in (ENOSPC, EDQUOT)
        hint = "free some space, then run the command again" if full else "put that right, then run the command again"
        raise CuratorError(f"cannot {doing}: {error.strerror or error}", where=where, hint=hint) from None
