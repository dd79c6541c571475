"""Every entry as a plain value for the page: its file's keys, where it stands, whether it fits the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from curator.core import lifecycle, printable, record
from curator.core.verdict import Judged, Verdict
from curator.model import Entry, Source
from curator.outcome import Block

UNCITED = "uncited"
"""The state of an entry in use that cites no file."""


def rows(
    ordered: Sequence[Entry], judged: Iterable[Judged], blocks: Sequence[Block], as_of: str
) -> list[dict[str, Any]]:
    """One row an entry, in the order given, whatever could act or hide shown as an escape.

    Beside the keys of the entry's file, without those that say nothing:
    `standing` is shown, misfit, uncovered, retired, superseded or expired,
    and `out` says why it is in no block; `in` names the targets that show it;
    `state` is missing once it has ended; `heirs` are the ids that replaced it.
    Each source has its `state`, `reasons` as sentences, and `terms` as the
    names that are watched, those that the file defines with a `*`.
    """
    held = {one.entry.path: one for one in judged}
    standing = _standing(ordered, blocks, as_of)
    targets = _targets(blocks)
    heirs = _heirs(ordered)
    return [
        shown(
            {
                **record.plain(entry),
                "path": entry.path,
                "scope": entry.reach,
                "sources": _sources(entry, held.get(entry.path)),
                "state": _state(held.get(entry.path)),
                "standing": standing[entry.path][0],
                "out": standing[entry.path][1],
                "in": targets.get(entry.path, []),
                "heirs": heirs.get(entry.id, []),
                "schema": 0,
            }
        )
        for entry in ordered
    ]


def shown(value: Any) -> Any:
    """The same value, its texts safe to look at, without keys that say nothing."""
    if isinstance(value, str):
        return printable.escape(value)
    if isinstance(value, Mapping):
        return {key: shown(inner) for key, inner in value.items() if inner or inner is False}
    return [shown(inner) for inner in value] if isinstance(value, list) else value


def _state(judged: Judged | None) -> str:
    if judged is None:
        return ""
    return judged.state.value if judged.entry.sources or judged.due else UNCITED


def _standing(ordered: Sequence[Entry], blocks: Sequence[Block], as_of: str) -> Mapping[str, tuple[str, str]]:
    """Where each path stands, and the reason where it is in no block, most telling first."""
    ended = lifecycle.ended(ordered, as_of)
    found = {entry.path: ("uncovered", "no target covers it") for entry in ordered}
    outs = [out for block in blocks for out in block.selection.left_out]
    for out in sorted(outs, key=lambda out: out.misfit):
        found[out.entry.path] = ("misfit" if out.misfit else "uncovered", out.reason)
    found |= dict.fromkeys(_targets(blocks), ("shown", ""))
    return found | {path: (reason.partition(" ")[0], reason) for path, reason in ended.items()}


def _targets(blocks: Iterable[Block]) -> Mapping[str, list[str]]:
    targets: dict[str, list[str]] = {}
    for block in blocks:
        for section in block.selection.sections:
            for entry in section.shown:
                targets.setdefault(entry.path, []).append(block.target.path)
    return targets


def _heirs(ordered: Iterable[Entry]) -> Mapping[str, list[str]]:
    pairs = sorted((old, entry.id) for entry in ordered for old in entry.supersedes if old != entry.id)
    heirs: dict[str, list[str]] = {}
    for old, heir in pairs:
        heirs.setdefault(old, []).append(heir)
    return heirs


def _sources(entry: Entry, judged: Judged | None) -> list[dict[str, Any]]:
    verdicts: Iterator[Verdict] = iter(judged.verdicts if judged else ())
    return [_source(source, next(verdicts, None)) for source in entry.sources]


def _source(source: Source, verdict: Verdict | None) -> dict[str, Any]:
    return {
        "path": source.path,
        "symbol": source.symbol,
        "text": source.text,
        "absent": source.absent,
        "blob": source.blob[:7],
        "terms": [one.term + "*" * one.defines for one in source.terms],
        "state": verdict.state.value if verdict else "",
        "reasons": [reason.message for reason in verdict.reasons] if verdict else [],
    }
