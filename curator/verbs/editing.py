"""Check and take what a person made of one entry in an editor."""

from __future__ import annotations

from curator.core import roster, vetting
from curator.edge import store
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit, Outcome


def opened(workspace: Workspace, name: str) -> tuple[str, str]:
    """The file that *name* means (an id, or the path of one that cannot be read), and its text."""
    held = store.load(workspace)
    broken = [found.where.partition(":")[0] for found in held.findings]
    path = name if name in broken else roster.named(held.entries, name).path
    return path, store.settled(workspace, path)


def run(workspace: Workspace, path: str, before: str, after: str) -> Outcome:
    """The edit to write and stage; raises CuratorError, with every reason, for what is no entry."""
    if after == before:
        return Outcome()
    held = store.load(workspace)
    _, findings = vetting.vet_text(after, path, held.config.categories)
    faults = vetting.errors(findings)
    if faults:
        listed = "\n".join(f"{fault.where}: {fault.message}" for fault in faults)
        raise CuratorError(listed, hint=faults[0].hint)
    return Outcome(edits=(Edit(path, before, after),), findings=findings, stage=(path,))
