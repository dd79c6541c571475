"""Take one entry out of use, keeping its history and stopping the same thing from coming back."""

from __future__ import annotations

from dataclasses import replace

from curator.core import codec, roster, splicing
from curator.edge import store
from curator.errors import CuratorError
from curator.model import Retired, Workspace
from curator.outcome import Edit, Outcome


def run(workspace: Workspace, name: str, reason: str, *, today: str) -> Outcome:
    """Mark the entry that *name* means as retired; its file stays."""
    if not reason.strip():
        raise CuratorError("a reason is needed", hint='for example --reason "we use Redis"')
    held = store.load(workspace)
    path = roster.named(held.entries, name).path
    text = store.settled(workspace, path)
    entry, findings = codec.read(text.encode("utf-8", "surrogateescape"), path, held.config.categories)
    if entry is None:
        raise CuratorError(findings[0].message, where=findings[0].where, hint=findings[0].hint)
    if entry.retired:
        raise CuratorError(f"already retired on {entry.retired.on}: {entry.retired.reason}", where=path)
    after = splicing.splice(text, entry, replace(entry, retired=Retired(today, " ".join(reason.split()))))
    return Outcome(edits=(Edit(path, text, after),), stage=(path,))
