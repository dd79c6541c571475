"""Check and take what a person made of one entry in an editor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curator.core import checkup, codec, guard, harvest, printable, queue, roster, splicing, vetting
from curator.core.queue import Choice, Proposal
from curator.edge import away, cited, code, files, inbox, plumbing, proposals, store
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, State, Workspace
from curator.outcome import Edit, Outcome


def opened(workspace: Workspace, name: str) -> tuple[str, str]:
    """The file that *name* means (an id, or the path of one that cannot be read), and its text.

    Raises for a memory whose move stopped halfway, with both its files staged.
    """
    held = store.load(workspace)
    broken = [found.where.partition(":")[0] for found in held.findings]
    if name not in broken:
        _refuse_doubled(workspace, roster.fitting(held.entries, name), held.entries)
    path = name if name in broken else roster.named(held.entries, name).path
    return path, store.settled(workspace, path)


def _refuse_doubled(workspace: Workspace, named: Sequence[Entry], entries: Sequence[Entry]) -> None:
    """Raise where several files hold what was named; the one that HEAD has is the old one."""
    paths = sorted({one.path for one in entries if any(_is_one(one, other) for other in named)})
    if not paths or len({one.id for one in named}) != 1 or len(paths) == 1:
        return
    known = plumbing.blobs(workspace, paths, "HEAD") if plumbing.head_commit(workspace) else {}
    ways = " or ".join(f"`git rm {printable.word(path)}`" for path in (known if len(known) == 1 else paths))
    raise CuratorError(f"is in {len(paths)} files: {', '.join(paths)}", where=named[0].id, hint=f"keep one: {ways}")


def _is_one(one: Entry, other: Entry) -> bool:
    """Whether two files hold one memory: the same id and key, and where it has no key the same words."""
    same = (one.id, one.origin.key) == (other.id, other.origin.key)
    return same and bool(one.origin.key or codec.canonical(one.text) == codec.canonical(other.text))


def run(workspace: Workspace, path: str, before: str, after: str) -> Outcome:
    """The edit to write and stage; raises CuratorError, with every reason, for what is no entry.

    Where the text or its sources changed, evidence is kept anew from the
    index: whoever rewords a memory has looked at what is there now. Raises
    where a symbol or a line of a source is not in its file, and where nothing
    has the name of what it replaces. In another category it is another file;
    one that an interrupted move left there is taken over.
    """
    if after == before:
        return Outcome()
    held = store.load(workspace)
    categories = held.config.categories
    there, lying = _there(workspace, path, after, categories)
    entry, findings = vetting.vet_text(after, there, categories)
    faults = vetting.errors(findings)
    if faults or entry is None:
        listed = "\n".join(f"{fault.where}: {fault.message}" for fault in faults)
        raise CuratorError(listed, hint=faults[0].hint if faults else "")
    old, _ = vetting.vet_text(before, path, categories)
    ids = tuple(
        name if old and name in old.supersedes else roster.named(held.entries, name).id for name in entry.supersedes
    )
    final, notes = replace(entry, supersedes=ids), tuple[str, ...]()
    if not old or _claims(old) != _claims(entry):
        final, notes = _stamped(workspace, final)
    text = splicing.splice(after, entry, final) if final != entry else after
    moved = there != path
    return Outcome(
        edits=(Edit(there, lying if moved else before, text),),
        findings=findings,
        notes=notes,
        stage=(there,),
        drop={path: before} if moved else {},
    )


def _there(workspace: Workspace, path: str, after: str, categories: Sequence[str]) -> tuple[str, str | None]:
    """The file of an entry as it was edited, in the folder of its category, and what lies there.

    One that lies in no folder of a category stays where it is.
    """
    entry, _ = codec.read(after.encode("utf-8", "surrogateescape"), path, categories, placed=False)
    *home, folder, name = path.split("/")
    if not entry or entry.category == folder or home[-1:] != [MEMORIES]:
        return path, None
    there = "/".join((*home, entry.category, name))
    lying = files.read_or_none(workspace, there)
    if lying is None and there not in plumbing.blobs(workspace, [there]):
        return there, None
    found, _ = codec.read((lying or "").encode("utf-8", "surrogateescape"), there, categories)
    if found and _is_one(found, entry) and there not in plumbing.blobs(workspace, [there]):
        return there, lying
    raise CuratorError("is there already", where=there, hint="look at it, or keep the category")


def _claims(entry: Entry) -> object:
    """What it says, and of what: all that evidence follows from."""
    return entry.text, tuple((one.path, one.symbol, one.text, one.absent) for one in entry.sources)


def _stamped(workspace: Workspace, entry: Entry) -> tuple[Entry, tuple[str, ...]]:
    """*entry* with the evidence that the index holds, and what there is to say about it.

    A source that what the text still names is gone from keeps what it has: only `confirm` says that it is true all
    the same.
    """
    tree = plumbing.index(workspace).code
    held = cited.files(workspace, tree, [source.path for source in entry.sources])
    notes = [harvest.examine(one, held[one.path]) for one in entry.sources if one.path in held]
    notes.extend(f"{one.path} is no tracked file, and is still cited" for one in entry.sources if one.path not in held)
    anew = harvest.restamp(entry.text, entry.sources, held)
    verdicts = code.judge(workspace, None, tree, [entry]).judged[0].verdicts
    sources = []
    for old, new, verdict in zip(entry.sources, anew, verdicts, strict=True):
        is_stale = verdict.state is State.STALE and old.path in held
        sources.append(old if is_stale else new)
        if is_stale:
            short = checkup.short(entry)
            notes.append(f"still stale: {verdict.reasons[0].message}; true all the same: `curator confirm {short}`")
    return replace(entry, sources=tuple(sources)), tuple(filter(None, notes))


# --- A proposal that waits ----------------------------------------------------------------------------------------


def waiting(workspace: Workspace, name: str) -> tuple[str, str, str] | None:
    """Key, file name to show and text of the proposal that *name* means, whether it can be read or not.

    CuratorError for one that is on a branch: what is changed here would not be there.
    """
    held = store.load(workspace, trust=store.INDEX)
    read, _ = proposals.read(workspace, held.config)
    one = queue.named(read, name)
    if one:
        _refuse_away(workspace, one)
        return one.key, f"{one.short}.yaml", written(one)
    near = [key for key in inbox.keys(workspace) if name and key.startswith(name)]
    data = inbox.read(workspace, near[0]) if len(near) == 1 else None
    return (near[0], f"{near[0]}.yaml", data.decode("utf-8", "surrogateescape")) if data is not None else None


def _refuse_away(workspace: Workspace, one: Proposal) -> None:
    for asked in away.split(workspace, (one,)).asked:
        hint = "change it there; or delete that branch, here and where it was pushed: then it waits again"
        raise CuratorError(f"is on {asked.branch} already", where=one.short, hint=hint)


def written(proposal: Proposal, choice: Choice = queue.NOTHING) -> str:
    """A proposal as it is opened in an editor, with what a reviewer set so far."""
    entry = proposal.entry
    return codec.write(
        replace(
            entry,
            path=f"{proposal.short}.yaml",
            text=choice.text or entry.text,
            category=choice.category or entry.category,
            importance=choice.importance or entry.importance,
            tags=entry.tags if choice.tags is None else choice.tags,
            sources=entry.sources if choice.sources is None else choice.sources,
        )
    )


def reworded(workspace: Workspace, key: str, where: str, after: str) -> Outcome:
    """The edit of a proposal after a person changed it; raises CuratorError, with every reason, for what is no entry.

    Who said it, when, and how often stays as it was, whatever stands there now; other words keep the first ones as
    their quote. *where* is how the file is called in a message.
    """
    config = store.config(workspace)
    entry, findings = codec.read(after.encode("utf-8", "surrogateescape"), where, config.categories, placed=False)
    found = (*findings, *(guard.inspect(replace(entry, path=where)) if entry else ()))
    faults = vetting.errors(found)
    if faults or entry is None:
        raise CuratorError(
            "\n".join(f"{one.where}: {one.message}" for one in faults), hint=faults[0].hint if faults else ""
        )
    lying = inbox.read(workspace, key)
    if lying is None:
        raise CuratorError("is no longer in the inbox", where=where)
    old, _ = codec.read(lying, where, config.categories, placed=False)
    if old:
        _refuse_away(workspace, Proposal(key, old, ""))
        entry = queue.kept(old, entry, keep_quote=config.capture.quotes != "drop")
    elif not entry.origin.key:
        entry = replace(entry, origin=replace(entry.origin, key=key if inbox.is_key(key) else ""))
    edit = Edit(
        inbox.path(workspace, key), lying.decode("utf-8", "surrogateescape"), codec.write(replace(entry, path=where))
    )
    return Outcome(edits=(edit,))
