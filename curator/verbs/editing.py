"""Check and take what a person made of one entry in an editor."""

from __future__ import annotations

from dataclasses import replace

from curator.core import checkup, harvest, roster, splicing, vetting
from curator.edge import cited, code, plumbing, store
from curator.errors import CuratorError
from curator.model import Entry, State, Workspace
from curator.outcome import Edit, Outcome


def opened(workspace: Workspace, name: str) -> tuple[str, str]:
    """The file that *name* means (an id, or the path of one that cannot be read), and its text."""
    held = store.load(workspace)
    broken = [found.where.partition(":")[0] for found in held.findings]
    path = name if name in broken else roster.named(held.entries, name).path
    return path, store.settled(workspace, path)


def run(workspace: Workspace, path: str, before: str, after: str) -> Outcome:
    """The edit to write and stage; raises CuratorError, with every reason, for what is no entry.

    Where the text or its sources changed, evidence is kept anew from the
    index: whoever rewords a memory has looked at what is there now. Raises
    where a symbol or a line of a source is not in its file.
    """
    if after == before:
        return Outcome()
    held = store.load(workspace)
    categories = held.config.categories
    entry, findings = vetting.vet_text(after, path, categories)
    faults = vetting.errors(findings)
    if faults or entry is None:
        listed = "\n".join(f"{fault.where}: {fault.message}" for fault in faults)
        raise CuratorError(listed, hint=faults[0].hint if faults else "")
    old, _ = vetting.vet_text(before, path, categories)
    if old and _claims(old) == _claims(entry):
        return Outcome(edits=(Edit(path, before, after),), findings=findings, stage=(path,))
    stamped, notes = _stamped(workspace, entry)
    text = splicing.splice(after, entry, stamped)
    return Outcome(edits=(Edit(path, before, text),), findings=findings, notes=notes, stage=(path,))


def _claims(entry: Entry) -> object:
    """What it says, and of what: all that evidence follows from."""
    return entry.text, tuple((one.path, one.symbol, one.text, one.absent) for one in entry.sources)


def _stamped(workspace: Workspace, entry: Entry) -> tuple[Entry, tuple[str, ...]]:
    """*entry* with the evidence that the index holds, and what there is to say about it.

    A source that what the text still names is gone from keeps what it has: only `confirm` says that it is true all
    the same.
    """
    tree = plumbing.index(workspace).code
    files = cited.files(workspace, tree, [source.path for source in entry.sources])
    notes = [harvest.examine(one, files[one.path]) for one in entry.sources if one.path in files]
    notes.extend(f"{one.path} is no tracked file, and is still cited" for one in entry.sources if one.path not in files)
    anew = harvest.restamp(entry.text, entry.sources, files)
    verdicts = code.judge(workspace, None, tree, [entry]).judged[0].verdicts
    sources = []
    for old, new, verdict in zip(entry.sources, anew, verdicts, strict=True):
        is_stale = verdict.state is State.STALE and old.path in files
        sources.append(old if is_stale else new)
        if is_stale:
            short = checkup.short(entry)
            notes.append(f"still stale: {verdict.reasons[0].message}; true all the same: `curator confirm {short}`")
    return replace(entry, sources=tuple(sources)), tuple(filter(None, notes))
