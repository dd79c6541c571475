"""What history did to memory files: one walk over all of them, renames seen, and the life of one entry in it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from curator.core import lineage, printable
from curator.core.lineage import Commit, Life, Reading, Touch
from curator.edge import changes, files, plumbing, store
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, Workspace
from curator.outcome import Store

_RENAMES = "-l3000"
_MOST_STEPS = 1_000
"""Versions of one entry that are read, the newest of them."""
_MOST_READ = 20_000
"""Versions of all entries that a search for an old text looks through, the newest of them."""
_PORTION = 2_000
_MOST_HOMES = 8  # folders that entries came from, followed one after the other
# Merges are shown only for what none of their parents had: what they bring is told by the commits of the branch.
_LOG = (
    *("log", "--raw", "-r", "-z", "--no-abbrev", "--root", "-c", "--full-history", "--topo-order", "--no-notes"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--encoding=UTF-8", "--format=%H%n%aI%n%aN%n%s"),
)
_INSTRUCTIONS = frozenset({"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".cursorrules", "copilot-instructions.md"})
_DISK = "disk"
_STAGED = "index"


@dataclass(frozen=True, slots=True)
class History:
    """Every change of a memory file, the newest first and no commit before its children."""

    workspace: Workspace
    held: Store
    touches: tuple[Touch, ...]
    same: lineage.Same
    notes: tuple[str, ...] = ()


def read(workspace: Workspace, held: Store, path: str = "") -> History:
    """What history did to the memories of every folder that holds some, and of that of *path*."""
    homes = {"", *(_home(entry.path) for entry in held.entries), *([_home(path)] if path else [])}
    return _walk(workspace, held, homes)


def _walk(workspace: Workspace, held: Store, homes: Iterable[str]) -> History:
    tips = _tips(workspace, held)
    if not tips:
        return History(workspace, held, (), _sameness(workspace, held))
    paths = tuple(f"{home}{MEMORIES}" for home in sorted(homes))
    notes: tuple[str, ...] = ()
    try:
        output = plumbing.git(workspace, *_LOG, "-M", _RENAMES, "--end-of-options", *tips, "--", *paths)
    except CuratorError:  # a partial clone lacks the bytes that -M compares
        output = plumbing.git(workspace, *_LOG, "-M100%", "--end-of-options", *tips, "--", *paths)
        notes = ("this partial clone lacks old bytes: a file that moved and was edited at once is not followed",)
    return History(workspace, held, tuple(_touches(output, _cuts(workspace))), _sameness(workspace, held), notes)


def _tips(workspace: Workspace, held: Store) -> tuple[str, ...]:
    """HEAD, and the commit that is trusted instead of the index; none on an unborn branch."""
    refs = dict.fromkeys(["HEAD", store.tip(held.config) or "HEAD"])
    form = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    found = (plumbing.git(workspace, *form, f"{ref}^{{commit}}", ok=(0, 1, 128)).decode().strip() for ref in refs)
    return tuple(dict.fromkeys(filter(None, found)))


def _cuts(workspace: Workspace) -> frozenset[str]:
    """The commits that a shallow clone made the first ones."""
    try:
        return frozenset(Path(workspace.common_dir, "shallow").read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()


def _touches(output: bytes, cuts: frozenset[str]) -> Iterator[Touch]:
    """Read `git log --raw -z` (git-diff(1), RAW OUTPUT FORMAT, and for merges COMBINED DIFF FORMAT)."""
    fields = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    commit = Commit("")
    for field in fields:
        told = field.lstrip("\n")
        if told.startswith(":"):
            parents = len(told) - len(told.lstrip(":"))
            facts = told[parents:].split(" ")
            blobs, status = facts[parents + 1 : -1], facts[-1]
            first = next(fields)
            path = next(fields) if parents == 1 and status[0] in "RC" else first
            if not _is_entry(path):
                continue
            old, new = blobs[0].strip("0") and blobs[0], blobs[-1].strip("0") and blobs[-1]
            yield Touch(commit, path, old, new, first if path != first and _is_entry(first) else "")
        elif told:
            name, time, author, subject = (*told.split("\n"), "", "", "")[:4]
            commit = Commit(name, time, author, subject, name in cuts)


def _is_entry(path: str) -> bool:
    return path.lower().endswith((".yaml", ".yml")) and posixpath.basename(path) != store.CONFIG


def _home(path: str) -> str:
    """The folder whose memories/ hold a path: "" for the root, else with a slash at its end."""
    place = f"/{path}".rfind(f"/{MEMORIES}/")
    return path[: max(place, 0)]


def meant(history: History, wanted: str) -> str:
    """The id that *wanted* means: of an entry that is here, else of one that was. CuratorError where it means none."""
    from curator.core import checkup, roster  # noqa: PLC0415 - a search for a line of the block names no id

    if roster.fitting(history.held.entries, wanted):
        return roster.named(history.held.entries, wanted).id
    broken = {lineage.name_of(path): path for path in map(checkup.file_of, history.held.findings)}
    once = {**lineage.names(history.touches), **broken}
    gone = [Entry(name, "", "", path=path) for name, path in once.items()]
    if any(wanted in {one.path, one.was} for one in history.touches):
        return lineage.latest(history.touches, lineage.name_of(wanted), history.same)
    if "/" in wanted and not _is_entry(wanted) and files.exists(history.workspace, wanted):
        raise CuratorError("no memory", where=wanted, hint=f"`git log -- {printable.word(wanted)}`")
    if not roster.fitting(gone, wanted) and files.exists(history.workspace, wanted):
        hint = f"`git add {printable.word(wanted)}`, then commit it"
        raise CuratorError("neither staged nor committed, so it has no history", where=wanted, hint=hint)
    return lineage.latest(history.touches, roster.named(gone, wanted).id, history.same)


def life(history: History, name: str) -> Life:
    """All that happened to the entry *name*, what is staged or on disk and not committed included."""
    history = _reaching(history, name)
    entry = next((one for one in history.held.entries if one.id == name), None)
    own = lineage.followed(history.touches, name, history.same)
    path = entry.path if entry else (own[0].path if own else _broken(history, name))
    own = own or _staged_move(history, path)
    loose = _loose(history.workspace, path, own)
    touches = (*(one for one, _ in loose), *own)
    notes = history.notes
    if len(touches) > _MOST_STEPS:
        notes = (*notes, f"{len(touches) - _MOST_STEPS:,} older changes are not shown")
    shown = touches[:_MOST_STEPS]
    steps = lineage.steps(shown, _versions(history, shown, {one.new: data for one, data in loose if data is not None}))
    last = entry or next((step.after for step in steps if step.after), None)
    ids = {name, *(lineage.name_of(one.was) for one in shown if one.was)}
    heirs = tuple(sorted(one.id for one in history.held.entries if ids.intersection(one.supersedes)))
    told = Life(name, path, last, steps, gone=entry is None, heirs=heirs, notes=notes)
    return _imported(history.workspace, told)


def _imported(workspace: Workspace, life: Life) -> Life:
    """With the commit that an imported statement was written in, as `import` found it by blame, where it is here."""
    if life.origin.by != "import" or not life.origin.commit:
        return life
    try:
        wrote = commit(workspace, life.origin.commit)
        form = ("diff-tree", "--root", "-r", "-z", "--name-only", "--no-commit-id", "--end-of-options", wrote.id, "--")
        changed = plumbing.git(workspace, *form).decode("utf-8", "surrogateescape").split("\0")
    except CuratorError:
        return life
    read = [path for path in changed if posixpath.basename(path) in _INSTRUCTIONS]
    return replace(life, wrote=wrote, read=read[0] if len(read) == 1 else "")


def _sameness(workspace: Workspace, held: Store) -> lineage.Same:
    """Whether what git took for a rename is one, from the bytes of both sides."""

    @cache
    def same(touch: Touch) -> bool:
        bytes_of = plumbing.contents(workspace, [touch.old, touch.new]) if touch.old != touch.new else {}
        sides = ((touch.old, touch.was), (touch.new, touch.path))
        before, after = (lineage.read(bytes_of.get(blob), path, held.config.categories) for blob, path in sides)
        return lineage.is_same(before, after)

    return same


def _broken(history: History, name: str) -> str:
    """The file of an entry that cannot be read and that no commit holds."""
    places = (one.where.partition(":")[0] for one in history.held.findings)
    return next((path for path in places if lineage.name_of(path) == name), "")


def _staged_move(history: History, path: str) -> tuple[Touch, ...]:
    """What history did to a file that is committed under another name only."""
    here = history.workspace
    moved = changes.to_index(here, changes.base(here), renames=True) if path and history.touches else ()
    was = next((one.was for one in moved if one.path == path and one.was), "")
    return lineage.followed(history.touches, lineage.name_of(was), history.same) if was else ()


def _reaching(history: History, name: str) -> History:
    """The same history, with the folders that the entry came from: renames are seen only among what is walked."""
    homes = {"", *(_home(one.path) for one in history.touches)}
    for _ in range(_MOST_HOMES):
        own = lineage.followed(history.touches, name, history.same)
        births = [one.commit.id for one in own if not one.old and not one.commit.cut]
        found = {home for commit in births for home in _left(history.workspace, commit)} - homes
        if not found:
            return history
        homes |= found
        history = _walk(history.workspace, history.held, homes)
    return history


def _left(workspace: Workspace, commit: str) -> frozenset[str]:
    """The folders whose memories/ a commit took files out of."""
    form = ("diff-tree", "--root", "-r", "-z", "--no-renames", "--diff-filter=D", "--name-only", "--no-commit-id")
    gone = plumbing.git(workspace, *form, "--end-of-options", commit, "--").decode("utf-8", "surrogateescape")
    return frozenset(_home(path) for path in gone.split("\0") if f"/{MEMORIES}/" in f"/{path}" and _is_entry(path))


def _loose(workspace: Workspace, path: str, own: Sequence[Touch]) -> tuple[tuple[Touch, bytes | None], ...]:
    """What is staged and what lies on disk beyond the newest commit, the newest first, each with its bytes."""
    found: list[tuple[Touch, bytes | None]] = []
    committed = own[0] if own else Touch(Commit(""), path)
    staged = plumbing.blobs(workspace, [path]).get(path, "") if path else ""
    if staged != committed.new or (staged and path != committed.path):
        data = plumbing.contents(workspace, [staged]).get(staged) if staged else None
        was = committed.path if committed.path != path and committed.new else ""
        touch = Touch(Commit("", subject=lineage.STAGED), path, committed.new, staged and _STAGED, was)
        found.append((touch, data))
    if path and path in plumbing.loose(workspace, [path]):
        text = files.read_or_none(workspace, path)
        old = _STAGED if found and staged else staged
        touch = Touch(Commit("", subject=lineage.DISK), path, old, "" if text is None else _DISK)
        found.insert(0, (touch, None if text is None else text.encode("utf-8", "surrogateescape")))
    return tuple(found)


def _versions(history: History, touches: Sequence[Touch], loose: Mapping[str, bytes]) -> dict[str, Reading]:
    paths = {blob: path for one in touches for blob, path in ((one.old, one.was or one.path), (one.new, one.path))}
    blobs = [blob for blob in paths if blob and blob not in loose]
    held = plumbing.contents(history.workspace, blobs) | dict(loose)
    categories = history.held.config.categories
    return {blob: lineage.read(held.get(blob), path, categories) for blob, path in paths.items() if blob}


def holders(history: History, text: str, *, whole: bool) -> tuple[str, ...]:
    """The entries whose statement once held *text*, or with *whole* was it: by id, the latest first.

    How lines are broken makes no difference.
    """
    wanted = " ".join(text.split())
    paths: dict[str, str] = {}
    for one in history.touches:
        for blob, path in ((one.new, one.path), (one.old, one.was or one.path)):
            if blob and len(paths) < _MOST_READ:
                paths.setdefault(blob, path)
    found: dict[str, str] = {}
    for blob, data in _near(history.workspace, list(paths), wanted):
        entry = lineage.read(data, paths[blob], history.held.config.categories).entry
        if entry and lineage.says(entry, wanted, whole=whole):
            name = lineage.latest(history.touches, lineage.name_of(paths[blob]), history.same)
            found.setdefault(name, blob)
    return tuple(found)


def _near(workspace: Workspace, blobs: Sequence[str], wanted: str) -> Iterator[tuple[str, bytes]]:
    """Those of *blobs* that hold a text somewhere, in order."""
    low = wanted.lower().encode("utf-8", "surrogateescape")
    for start in range(0, len(blobs), _PORTION):
        held = plumbing.contents(workspace, blobs[start : start + _PORTION])
        for blob, data in held.items():
            if low in b" ".join(data.lower().split()) or not wanted.isascii():
                yield blob, data


def commit(workspace: Workspace, name: str) -> Commit:
    """The facts of one commit, whose id git gave."""
    form = ("log", "-1", "--no-notes", "--encoding=UTF-8", "--format=%H%n%aI%n%aN%n%s", "--end-of-options", name, "--")
    told = plumbing.git(workspace, *form).decode("utf-8", "surrogateescape").split("\n")
    identity, time, author, subject = (*told, "", "", "", "")[:4]
    return Commit(identity, time, author, subject)
