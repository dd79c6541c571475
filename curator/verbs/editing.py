"""Check and take what a person made of one entry in an editor."""

from __future__ import annotations

from dataclasses import replace

from curator.core import harvest, roster, splicing, vetting
from curator.edge import cited, plumbing, store
from curator.errors import CuratorError
from curator.model import Entry, Workspace
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
    """*entry* with the evidence that the index holds, and what there is to say about it."""
    files = cited.files(workspace, plumbing.index(workspace).files, [source.path for source in entry.sources])
    notes = [harvest.examine(one, files[one.path]) for one in entry.sources if one.path in files]
    notes.extend(f"{one.path} is no tracked file, and is still cited" for one in entry.sources if one.path not in files)
    sources = harvest.restamp(entry.text, entry.sources, files)
    return replace(entry, sources=sources), tuple(filter(None, notes))
