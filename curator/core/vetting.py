"""May these bytes be an entry: its format and the guard in one answer, for all who read or are about to write one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curator.core import codec, guard, rawtext, schema, secrets
from curator.core.schema import Kind
from curator.errors import CuratorError
from curator.model import Entry, Fault, Finding, Level, Source

MOST = rawtext.LIMIT
"""Bytes of the longest file of an entry."""


def vet(data: bytes, path: str, categories: Sequence[str]) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The entry, or None when an error is among the findings.

    What the guard says of a file with other faults is told at once, as far as
    that can be read: who mends it wants all of it, and a secret may stand in
    history after the repair.
    """
    entry, findings = codec.read(data, path, categories)
    said = (*guard.inspect(entry), *_unsaid(entry)) if entry else (*_secrets(path, data), *_guarded(path, data))
    found = (*findings, *said)
    return (None if errors(found) else entry), found


def vet_text(text: str, path: str, categories: Sequence[str]) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The same for a text that may be written: bytes that were no UTF-8 stand in it as lone surrogates."""
    return vet(text.encode("utf-8", "surrogateescape"), path, categories)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Those of the findings that keep an entry out."""
    return tuple(found for found in findings if found.level is Level.ERROR)


def refuse(findings: Iterable[Finding], hint: str = "reword it, then try again") -> None:
    """Raise, with every reason, when *findings* keep what was going to be written from being an entry."""
    faults = errors(findings)
    if faults:
        reasons = "; ".join(dict.fromkeys(fault.message for fault in faults))
        raise CuratorError(f"this cannot be a memory: {reasons}", hint=faults[0].hint or hint)


def is_citable(path: str) -> bool:
    """Whether an entry may name *path* in its sources: not every name that git tracks is one that a file can hold."""
    form, _ = schema.FORMS[Kind.FILE]
    if not form.fullmatch(path) or rawtext.unreadable(path):
        return False
    return not errors(guard.inspect(Entry("", "", "", sources=(Source(path),))))


def _unsaid(entry: Entry) -> Iterator[Finding]:
    """Terms that are not in the text: curator keeps none such, so the text or they were changed by hand."""
    said = " ".join(entry.text.split())
    for source in entry.sources:
        other = next((one.term for one in source.terms if one.term not in said and one.term != source.symbol), None)
        if other is not None:
            message = (
                f"`sources.terms` of {rawtext.shown(source.path)} has {rawtext.shown(other)}, which the text has not"
            )
            hint = "it counts for nothing: `curator confirm` keeps the terms of the text as it is"
            yield Finding(Fault.SUSPECT, entry.path, message, hint, entry.id)


def _guarded(path: str, data: bytes) -> list[Finding]:
    return [one for one in guard.inspect(codec.partly(data, path)) if one.kind is not Fault.SECRET]


def _secrets(path: str, data: bytes) -> list[Finding]:
    found = secrets.find(data[:MOST].decode("utf-8", "replace"))
    hint = "take it out, and change it where it was used"
    return [Finding(Fault.SECRET, f"{path}:{one.line}", f"looks like a secret: {one.kind}", hint) for one in found]
