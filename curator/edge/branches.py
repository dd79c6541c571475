"""Branches made beside the work tree: where one begins, its commits, its name. Index, HEAD and work tree stay."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from curator.edge import ground, plumbing, refspecs
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit

ORIGIN = "origin"
"""The remote whose default branch counts where no other is named."""

_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"
_IDENTITY = tuple(f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE"))
# Where fast-import counts commits until they have a branch. It is never written: the stream ends by giving it up.
_BUILDING = "refs/curator-building"
_FARTHEST = 1400  # hours and minutes of a time zone that git fast-import takes
_NAMED = 1000
"""Names that are tried for a branch before a person has to say one."""


class Base(NamedTuple):
    """Where a branch begins: the name of it that a person knows, and the *commit*.

    *branch* is the branch it is the tip of, on *remote* where that is not "".
    """

    name: str
    commit: str
    branch: str = ""
    remote: str = ""


class Commit(NamedTuple):
    """A commit to be made: its whole message, and the files that it changes."""

    message: str
    edits: tuple[Edit, ...]


class Identity(NamedTuple):
    """Author and committer as git writes them into a commit: name, address, seconds, time zone."""

    author: bytes
    committer: bytes


# --- Where it begins ----------------------------------------------------------------------------------------------


def base(workspace: Workspace, wanted: str = "", remote: str = ORIGIN) -> Base:
    """The commit that *wanted* names; else the tip of the default branch, as *remote* has it where that is known."""
    if ".." in wanted:
        raise CuratorError(f"{wanted!r} is a range, and a branch begins at one commit", hint="name its one end")
    for ref in (wanted,) if wanted else _defaults(workspace, remote):
        commit = _asked(workspace, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        if _is_id(commit):
            form = ("--symbolic-full-name", "--verify", "--quiet", "--end-of-options")
            return _named(workspace, _asked(workspace, "rev-parse", *form, ref), ref, commit)
    if wanted:
        fetch = refspecs.of(workspace, wanted)
        brings = f"`{fetch.command}` brings it, as {fetch.name}" if fetch else "`git fetch` brings what is not"
        hint = f"name a branch, a tag or a commit that is here; {brings}"
        raise CuratorError(f"there is no commit {wanted!r} here to build on", hint=hint)
    fetch = refspecs.of(workspace, f"{remote}/{plumbing.default_branch(workspace)}")
    brings = fetch.command if fetch else "git fetch"
    hint = f"name one: `--base REF`; `{brings}` brings it, and a repository without commits needs one first"
    raise CuratorError("no default branch is known here to build on", hint=hint)


def _defaults(workspace: Workspace, remote: str) -> Iterator[str]:
    """Full names that the default branch may have, the likeliest first."""
    if _is_part(workspace, remote):
        head = _asked(workspace, "symbolic-ref", "--quiet", f"{_REMOTES}{remote}/HEAD")
        if head.startswith(f"{_REMOTES}{remote}/"):
            yield head
    name = plumbing.default_branch(workspace)
    if _is_part(workspace, remote):
        yield f"{_REMOTES}{remote}/{name}"
    yield f"{_HEADS}{name}"


def _named(workspace: Workspace, whole: str, ref: str, commit: str) -> Base:
    if whole.startswith(_HEADS):
        return Base(whole.removeprefix(_HEADS), commit, whole.removeprefix(_HEADS))
    if whole.startswith(_REMOTES):
        name = whole.removeprefix(_REMOTES)
        owners = [one for one in _asked(workspace, "remote").split("\n") if one and name.startswith(f"{one}/")]
        if owners:
            remote = max(owners, key=len)
            return Base(name, commit, name.removeprefix(f"{remote}/"), remote)
        return Base(name, commit)
    return Base(commit[:12] if ref == commit else ref, commit)


def _is_id(text: str) -> bool:
    return bool(text) and set(text) <= set("0123456789abcdef")


def _is_part(workspace: Workspace, name: str) -> bool:
    """Whether a ref may have *name* in it."""
    return bool(name) and _is_ref(workspace, f"{_REMOTES}{name}/x")


def _asked(workspace: Workspace, *command: str) -> str:
    """What git answers, "" where it knows nothing."""
    answer = plumbing.git(workspace, *command, ok=(0, 1, 128))
    return answer.decode("utf-8", "surrogateescape").strip("\n")


# --- What it holds ------------------------------------------------------------------------------------------------


def identity(workspace: Workspace) -> Identity:
    """Who commits here, as `git commit` would have it."""
    own = {name: os.environ[name] for name in _IDENTITY if name in os.environ}
    try:
        author, committer = (
            plumbing.git(workspace, "var", name, own=own).strip()
            for name in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT")
        )
    except CuratorError as error:
        if "date" in error.message:
            raise _undated(error.message) from None
        hint = 'say it once: `git config --global user.name "Your Name"` and `git config --global user.email YOU@HOST`'
        raise CuratorError("git does not know who you are, and a commit names its author", hint=hint) from None
    for one in (author, committer):
        zone = one.rpartition(b" ")[2][1:]
        if not zone.isdigit() or int(zone) > _FARTHEST:
            raise _undated(f"git cannot commit in a time zone {one.rpartition(b' ')[2].decode('utf-8', 'replace')}")
    return Identity(author, committer)


def _undated(message: str) -> CuratorError:
    return CuratorError(message, hint="look at GIT_AUTHOR_DATE and GIT_COMMITTER_DATE: unset them, or say a sound date")


def signs(workspace: Workspace) -> bool:
    """Whether the user wants commits signed, which those made here are not."""
    return _asked(workspace, "config", "--type=bool", "--get", "commit.gpgsign") == "true"


def build(workspace: Workspace, start: Base, tree: plumbing.Tree, commits: Sequence[Commit]) -> str:
    """Make *commits*, one on the other, the first on *start*, whose tree is *tree*; the id of the last.

    One `git fast-import` writes them, and no ref: what is interrupted leaves objects that nothing names, which git
    clears away in its time.
    """
    who = identity(workspace)
    parts = [part for number, one in enumerate(commits, 1) for part in _written(one, number, start.commit, who, tree)]
    end = f"get-mark :{len(commits)}\nreset {_BUILDING}\nfrom {'0' * len(start.commit)}\n\ndone\n"
    stream = b"".join([*parts, end.encode()])
    command = ("fast-import", "--quiet", "--done", "--date-format=raw")
    try:
        return plumbing.git(workspace, *command, stdin=stream, write=True).decode("ascii").strip()
    except CuratorError as error:
        hint = "no branch was made, and what waits goes on waiting"
        raise CuratorError(error.message, where=error.where, hint=hint) from None


def _written(one: Commit, number: int, start: str, who: Identity, tree: plumbing.Tree) -> Iterator[bytes]:
    """A commit as git-fast-import(1) reads it: whatever comes from data stands behind its number of bytes."""
    yield f"commit {_BUILDING}\nmark :{number}\n".encode()
    yield b"author %b\ncommitter %b\n" % who
    yield _data(one.message)
    if number == 1:
        yield f"from {start}\n".encode()
    for edit in one.edits:
        wrong = ground.obstacle(tree, edit.path)
        if wrong:  # git would take away what stands there, without a word
            raise CuratorError(wrong, where=edit.path, hint="no branch was made, and what waits goes on waiting")
        tracked = tree.files.get(edit.path)
        mode = tracked.mode if tracked and tracked.mode.startswith("100") else "100644"
        yield f"M {mode} inline ".encode() + _quoted(edit.path) + b"\n"
        yield _data(edit.after)
    yield b"\n"


def _data(text: str) -> bytes:
    held = text.encode("utf-8", "surrogateescape")
    return b"data %d\n%b\n" % (len(held), held)


def _quoted(path: str) -> bytes:
    """A path between quotes, with an octal escape for each byte that is not plain (git-fast-import(1), filemodify)."""
    plain = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./")
    octets = path.encode("utf-8", "surrogateescape")
    return b'"%b"' % b"".join(bytes([one]) if one in plain else b"\\%03o" % one for one in octets)


# --- What it is called --------------------------------------------------------------------------------------------


def refuse_name(workspace: Workspace, name: str) -> None:
    """Raise where no new branch can have this name."""
    remotes = _asked(workspace, "remote").split("\n")
    is_other = name in {"HEAD", "@"} or name.startswith(("-", "refs/", *(f"{one}/" for one in remotes if one)))
    if not name or is_other or not _is_ref(workspace, _HEADS + name):
        raise CuratorError(f"{name!r} can be no branch", hint="letters, digits, `-`, `.` and `/` do: --branch NAME")
    if name == plumbing.branch(workspace) or name in existing(workspace):
        hint = "a branch that is there is never written over: choose another name, or delete that one"
        raise CuratorError("there is a branch of that name", where=name, hint=hint)


def _is_ref(workspace: Workspace, ref: str) -> bool:
    try:
        plumbing.git(workspace, "check-ref-format", ref)
    except CuratorError:
        return False
    return True


def existing(workspace: Workspace) -> frozenset[str]:
    """The names of all branches, those of remotes without the remote's."""
    listed = _asked(workspace, "for-each-ref", "--format=%(refname)", _HEADS, _REMOTES).split("\n")
    names = {ref.removeprefix(_HEADS) for ref in listed if ref.startswith(_HEADS)}
    for ref in listed:
        parts = ref.removeprefix(_REMOTES).split("/") if ref.startswith(_REMOTES) else []
        names.update("/".join(parts[at:]) for at in range(1, len(parts)))  # a remote's own name may have slashes
    return frozenset(names)


def defaults(workspace: Workspace, besides: Container[str] = ()) -> tuple[str, ...]:
    """The commits of the default branch, as origin has it and as it is here; not where it is one of *besides*."""
    refs = [ref for ref in _defaults(workspace, ORIGIN) if ref.removeprefix(_HEADS) not in besides]
    found = (_asked(workspace, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}") for ref in refs)
    return tuple(dict.fromkeys(filter(None, found)))


def holding(workspace: Workspace, commit: str) -> str:
    """A branch, here or of a remote, that has the commit in it, "" for none, or where the default branch has it."""
    if not _is_id(commit):
        return ""
    command = ("for-each-ref", f"--contains={commit}", "--format=%(refname)", _HEADS, _REMOTES)
    listed = plumbing.git(workspace, *command, ok=(0, 1, 128, 129)).decode("utf-8", "surrogateescape").split("\n")
    if not listed[0] or not set(listed).isdisjoint(_defaults(workspace, ORIGIN)):
        return ""
    return listed[0].removeprefix(_HEADS).removeprefix(_REMOTES)


def having(workspace: Workspace, path: str) -> str:
    """A branch of memories that has a file of that path, "" for none."""
    patterns = (f"{_HEADS}curator/memories-*", f"{_REMOTES}*/curator/memories-*")
    refs = [ref for ref in _asked(workspace, "for-each-ref", "--format=%(refname)", *patterns).split("\n") if ref]
    stdin = "".join(f"{ref}:{path}\n" for ref in refs).encode("utf-8", "surrogateescape")
    told = plumbing.git(workspace, "cat-file", "--batch-check=%(objecttype)", stdin=stdin).split(b"\n") if refs else []
    found = next((ref for ref, kind in zip(refs, told, strict=False) if kind == b"blob"), "")
    return found.removeprefix(_HEADS).removeprefix(_REMOTES)


def unpushed(workspace: Workspace) -> frozenset[str]:
    """The branches here that no remote has, as far as is known here; none where no remote is known."""
    listed = _asked(workspace, "for-each-ref", "--format=%(refname)", _HEADS, _REMOTES).split("\n")
    there = [ref.removeprefix(_REMOTES) for ref in listed if ref.startswith(_REMOTES)]
    here = {ref.removeprefix(_HEADS) for ref in listed if ref.startswith(_HEADS)}
    return frozenset(name for name in here if there and not any(one.endswith(f"/{name}") for one in there))


def free(stem: str, taken: Container[str]) -> Iterator[str]:
    """Names that begin with *stem* and are not *taken*."""
    names: Iterable[str] = (f"{stem}-{number}" if number > 1 else stem for number in range(1, _NAMED))
    return (name for name in names if name not in taken)


def create(workspace: Workspace, name: str, commit: str) -> None:
    """Give the commit a branch, in one step. CuratorError where the name is taken already, or cannot be had."""
    nothing = "0" * len(commit)
    reason = "curator pr"
    plumbing.git(workspace, "update-ref", "-m", reason, _HEADS + name, commit, nothing, write=True)
