"""Git's plumbing, asked through one `git()` helper: what is tracked, its bytes, staging."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from curator.edge import launch, state
from curator.edge.launch import SAFE as SAFE
from curator.errors import CuratorError
from curator.model import Workspace

TIMEOUT = 60
LOCK_WAIT = 5.0
LINK = "120000"
SUBMODULE = "160000"

_MOST_NAMED = 100_000  # bytes of paths in one command; the rest goes into another


class Busy(CuratorError):  # noqa: N818 - it says what happened
    """Another git process held the index lock for longer than is waited."""


class Tracked(NamedTuple):
    """A path of a tree: its mode (as git prints it) and its blob id."""

    mode: str
    blob: str


class Tree(NamedTuple):
    """All paths of the index or of a commit, and those a merge left open; *ours* is our side of these."""

    files: Mapping[str, Tracked]
    unmerged: tuple[str, ...] = ()
    ours: Mapping[str, Tracked] = MappingProxyType({})

    @property
    def code(self) -> Mapping[str, Tracked]:
        """Every path: one whose merge is open is not gone, it is still what our side says."""
        return {**self.files, **self.ours} if self.ours else self.files


def git(
    workspace: Workspace,
    *arguments: str,
    stdin: bytes = b"",
    write: bool = False,
    literal: bool = True,
    ok: tuple[int, ...] = (0,),
    own: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Run git at the root and return its standard output.

    *write* says that the command may take locks, *literal* that paths are
    names, never patterns; *own* are further variables. Raises CuratorError with git's own last line when
    the exit code is not in *ok*.
    """
    import subprocess  # noqa: PLC0415 - a search with a valid cache starts no process

    try:
        done = subprocess.run(
            ["git", *SAFE, *arguments],
            cwd=workspace.root,
            env={**launch.environment(workspace, write=write, literal=literal), **own},
            input=stdin,
            capture_output=True,
            timeout=TIMEOUT,
        )
    except (FileNotFoundError, NotADirectoryError):
        raise CuratorError("git is not on PATH", hint="install git, then try again") from None
    except OSError as error:
        raise CuratorError(f"git {arguments[0]}: {error.strerror}", where=workspace.root) from None
    except subprocess.TimeoutExpired:
        raise CuratorError(f"git {arguments[0]} did not answer within {TIMEOUT} s") from None
    if done.returncode not in ok:
        raise CuratorError(f"git {arguments[0]}: {_complaint(done.stderr)}", where=workspace.root)
    return done.stdout


def _complaint(stderr: bytes) -> str:
    lines = [line for line in stderr.decode("utf-8", "replace").split("\n") if line.strip()]
    told = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "failed")
    return told.removeprefix("fatal: ").removeprefix("error: ")


def stamp(workspace: Workspace) -> str:
    """Say which state the index and the user's settings are in, mostly without starting git."""
    facts = state.facts(workspace)
    if not state.has_includes(workspace):
        return facts
    told = _records(git(workspace, "config", "--null", "--get-regexp", r"^curator\.", ok=(0, 1)))
    own = {name.removeprefix("curator."): value for name, _, value in (one.partition("\n") for one in told)}
    return f"{facts}|{sorted(own.items())!r}"


def index(workspace: Workspace) -> Tree:
    """Read the whole index with one process."""
    import re  # noqa: PLC0415 - the pattern reads an index of 50,000 paths twice as fast as a loop

    text = git(workspace, "ls-files", "-s", "-z").decode("utf-8", "surrogateescape")
    rows = re.findall(r"(\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0", text)
    files = {path: Tracked(mode, blob) for mode, blob, stage, path in rows if stage == "0"}
    ours: dict[str, Tracked] = {}
    for mode, blob, stage, path in rows if len(files) != len(rows) else ():
        if stage == "2" or (stage != "0" and path not in ours):
            ours[path] = Tracked(mode, blob)
    return Tree(files, tuple(ours), ours)


def tree(workspace: Workspace, ref: str) -> Tree:
    """Read the whole tree of *ref* with one process."""
    return tree_of(workspace, tree_id(workspace, ref))


def tree_of(workspace: Workspace, name: str) -> Tree:
    """The same for the full id of a commit or tree that is known to be here."""
    import re  # noqa: PLC0415 - the same as in `index`

    listed = git(workspace, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", name)
    rows = re.findall(r"(\d{6}) [a-z]+ ([0-9a-f]+)\t([^\0]+)\0", listed.decode("utf-8", "surrogateescape"))
    return Tree({path: Tracked(mode, blob) for mode, blob, path in rows})


def blobs(workspace: Workspace, paths: Iterable[str], ref: str = "") -> dict[str, str]:
    """The blob ids of those of *paths* that the index holds, or the tree of *ref*."""
    command = ("ls-tree", "-z", "--full-tree", tree_id(workspace, ref)) if ref else ("ls-files", "-s", "-z")
    rows = (
        record.partition("\t")
        for group in portions(paths)
        for record in _records(git(workspace, *command, "--", *group))
    )
    return {path: facts.split(" ")[2 if ref else 1] for facts, _, path in rows}


def tree_id(workspace: Workspace, ref: str) -> str:
    """Return the tree a ref names; a missing ref names the settings to look at."""
    try:
        found = git(workspace, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{tree}}")
    except CuratorError:
        raise CuratorError(
            f"the trusted ref {ref!r} does not exist here",
            where="memories/curator.yaml",
            hint="fetch or commit it, or change `trust` there or `git config curator.trust`",
        ) from None
    return found.decode().strip()


def _records(output: bytes) -> Iterator[str]:
    return filter(None, output.decode("utf-8", "surrogateescape").split("\0"))


def contents(workspace: Workspace, blobs: Iterable[str], most: int = 0) -> dict[str, bytes]:
    """Read many blobs with one process; one that is not there is left out, and with *most* one of more bytes."""
    wanted = list(dict.fromkeys(blobs))
    if most and wanted:
        wanted = _small(workspace, wanted, most)
    if not wanted:
        return {}
    asked = "".join(f"{blob}\n" for blob in wanted).encode()
    try:
        output = git(workspace, "cat-file", "--batch", stdin=asked)
    except CuratorError:
        held = _at_hand(workspace, asked)
        if len(held) == len(wanted):
            raise
        return contents(workspace, held)
    found: dict[str, bytes] = {}
    at = 0
    for blob in wanted:
        end = output.index(b"\n", at)
        words = output[at:end].split(b" ")
        at = end + 1
        if len(words) > 2:  # else it is missing, or an ambiguous abbreviation
            size = int(words[2])
            found[blob] = output[at : at + size]
            at += size + 1
    return found


def _at_hand(workspace: Workspace, asked: bytes) -> list[str]:
    """Those of the blobs *asked* for, one a line, that are here: in a partial clone git gives up at one that is not."""
    form = ("--objects", "--no-object-names", "--no-walk", "--ignore-missing", "--missing=allow-any", "--stdin")
    return git(workspace, "rev-list", *form, stdin=asked).decode().split()


def _small(workspace: Workspace, blobs: Iterable[str], most: int) -> list[str]:
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    form = "--batch-check=%(objectname) %(objectsize)"
    try:
        output = git(workspace, "cat-file", form, stdin=asked)
    except CuratorError:
        held = "".join(f"{blob}\n" for blob in _at_hand(workspace, asked)).encode()
        if held == asked:
            raise
        output = git(workspace, "cat-file", form, stdin=held)
    rows = output.split(b"\n")
    facts = (row.split(b" ") for row in rows if row)
    return [blob.decode() for blob, size in facts if size.isdigit() and int(size) <= most]  # no digits: missing


def staged(workspace: Workspace, path: str) -> str | None:
    """The text of *path* in the index, or None when it is not tracked. CuratorError while a merge of it is open."""
    for record in _records(git(workspace, "ls-files", "-s", "-z", "--", path)):
        _, blob, stage = record.partition("\t")[0].split(" ")
        if stage != "0":
            raise CuratorError("unmerged", where=path, hint=f"finish the merge, then `git add {path}`")
        return contents(workspace, [blob])[blob].decode("utf-8", "surrogateescape")
    return None


def loose(workspace: Workspace, folders: Iterable[str]) -> tuple[str, ...]:
    """Paths under *folders* whose bytes on disk are not those of the index: changed, deleted or untracked."""
    command = ("ls-files", "-m", "-d", "-o", "-z", "--")
    return tuple(sorted({path for group in portions(folders) for path in _records(git(workspace, *command, *group))}))


def differing(workspace: Workspace, ref: str, folders: Iterable[str]) -> tuple[str, ...]:
    """Paths under *folders* whose bytes on disk are not those of *ref*."""
    options = ("--no-ext-diff", "--no-textconv", "--name-only", "--no-renames", "-z")
    changed = git(workspace, "diff", *options, "--end-of-options", tree_id(workspace, ref), "--", *folders)
    untracked = git(workspace, "ls-files", "-o", "-z", "--", *folders)
    return tuple(sorted({*_records(changed), *_records(untracked)}))


def portions(paths: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """*paths* in groups, each short enough for one command line."""
    group: list[str] = []
    size = 0
    for path in paths:
        size += len(os.fsencode(path)) + 1
        if group and size > _MOST_NAMED:
            yield tuple(group)
            group, size = [], len(os.fsencode(path)) + 1
        group.append(path)
    if group:
        yield tuple(group)


def add(workspace: Workspace, paths: Iterable[str]) -> None:
    """Stage whole files, waiting a while for another process's index lock."""
    listed = tuple(paths)
    if sum(map(len, listed)) > _MOST_NAMED:
        names = "\0".join(listed).encode("utf-8", "surrogateescape")
        _patiently(workspace, "add", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=names)
    elif listed:
        _patiently(workspace, "add", "--", *listed)


def beyond(workspace: Workspace, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of *paths* that a sparse checkout leaves out, so that git would stage none of them.

    Git is asked about empty files of these names in a folder of ours: it tells of what exists only.
    """
    listed = tuple(dict.fromkeys(paths))
    if not listed or git(workspace, "config", "--bool", "core.sparseCheckout", ok=(0, 1, 128)).strip() != b"true":
        return ()
    import tempfile  # noqa: PLC0415 - sparse checkouts are rare

    with tempfile.TemporaryDirectory(prefix="curator-") as scratch:
        place = os.path.join(scratch, "tree")
        for path in listed:
            os.makedirs(os.path.join(place, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(place, path), "wb"):
                pass
        own = {"GIT_INDEX_FILE": os.path.join(scratch, "index"), "GIT_WORK_TREE": place, "GIT_DIR": workspace.git_dir}
        found = []
        for path in listed:
            out = git(workspace, "add", "--dry-run", "--force", "--", os.path.join(place, path), ok=(0, 1), own=own)
            found += [] if out.strip() else [path]
    return tuple(found)


def move(workspace: Workspace, old: str, new: str) -> None:
    """Stage *new* and take *old* out of the index, both or neither; the files stay as they lie."""
    from curator.core import printable  # noqa: PLC0415 - a search moves nothing

    way = f"`git add -- {printable.word(new)}` and `git rm -- {printable.word(old)}`"
    _patiently(workspace, "update-index", "--add", f"./{new}", "--force-remove", f"./{old}", way=way)


def add_text(workspace: Workspace, path: str, text: str) -> None:
    """Stage *text* as *path*, whatever the work tree holds; the mode stays."""
    blob = git(workspace, "hash-object", "-w", "--stdin", stdin=text.encode("utf-8", "surrogateescape"), write=True)
    mode = git(workspace, "ls-files", "-s", "-z", "--", path).split(b" ")[0].decode()
    _patiently(workspace, "update-index", "--cacheinfo", f"{mode},{blob.decode().strip()},{path}")


def _patiently(workspace: Workspace, *arguments: str, way: str = "", stdin: bytes = b"") -> None:
    """Run git again and again while another process holds the index lock; *way* are the commands to run after it."""
    import time  # noqa: PLC0415 - only where a lock is waited for

    until = time.monotonic() + LOCK_WAIT
    while True:
        try:
            git(workspace, *arguments, stdin=stdin, write=True)
            return
        except CuratorError as error:
            if "index.lock" not in error.message:
                raise
            if time.monotonic() > until:
                raise Busy(
                    "written, but not staged: another git process holds the index lock",
                    where=state.index_path(workspace) + ".lock",
                    hint=f"when it has ended, run {way or '`git ' + ' '.join(arguments) + '`'}",
                ) from None
        time.sleep(0.05)


def ignored(workspace: Workspace, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of *paths* that git ignores and does not track already."""
    names = "".join(f"./{path}\0" for path in paths)  # with ./ no name can be taken for pathspec magic
    if not names:
        return ()
    stdin = names.encode("utf-8", "surrogateescape")
    output = git(workspace, "check-ignore", "-z", "--stdin", stdin=stdin, literal=False, ok=(0, 1))
    return tuple(path.removeprefix("./") for path in _records(output))


def branch(workspace: Workspace) -> str:
    """The branch that is checked out, "" when HEAD is detached."""
    name = git(workspace, "symbolic-ref", "--quiet", "--short", "HEAD", ok=(0, 1))
    return name.decode("utf-8", "surrogateescape").strip()


def default_branch(workspace: Workspace) -> str:
    """The branch that memories are rendered on with `block: main`.

    What origin calls its HEAD; without a remote, `main` or `master`, whichever exists.
    """
    head = git(workspace, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD", ok=(0, 1))
    if head.strip():
        return head.decode("utf-8", "surrogateescape").strip().removeprefix("origin/")
    for name in ("main", "master"):
        if git(workspace, "rev-parse", "--verify", "--quiet", f"refs/heads/{name}", ok=(0, 1)).strip():
            return name
    return "main"


def head_commit(workspace: Workspace) -> str:
    """The abbreviated commit of HEAD, "" on an unborn branch."""
    return git(workspace, "rev-parse", "--verify", "--quiet", "--short", "HEAD", ok=(0, 1)).decode().strip()
