"""Memory files as an editor asks for them: which paths are some, and findings as one line each with a line number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from curator.core import printable
from curator.core.checkup import Checked, Told
from curator.core.verdict import Judged
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, Fault, Finding, Level, State

SETTINGS = f"{MEMORIES}/curator.yaml"
# `text: ...` as the guard has it, "`text` ..." as the codec has it, and "the same id ..." or "supersedes ...".
_NAMED = re.compile(r"([a-z_]+(?:\.[a-z_]+)?): |`([a-z_.]+)`|(?:the same )?(id|key|supersedes) ")
_GUARDED = re.compile(r"[a-z_]+(?:\.[a-z_]+)?: ")
_INSIDE = re.compile(r" \(line (\d+)\)$")  # counted in the text of a key
_HINT = "memories are memories/<category>/<id>.yaml; `curator check` without a name looks at all of them"


def homes(path: str) -> tuple[str, ...]:
    """The folders whose memories/ could hold *path*, the root first; each is "" or ends with a slash."""
    found = [match.start() for match in re.finditer(f"(?<=/){MEMORIES}/", path)]
    return tuple(path[:at] for at in ([0] if path.startswith(f"{MEMORIES}/") else []) + found)


def refuse(path: str) -> None:
    """Raise for what cannot be a memory file, wherever it lies."""
    if path.startswith("../") or path in {"..", "."}:
        raise CuratorError("outside the repository", where=path, hint="name a file of this repository")
    if not homes(path):
        raise CuratorError("no memory file", where=path, hint=_HINT)
    if not path.lower().endswith((".yaml", ".yml")):
        raise CuratorError("no memory file: those end in .yaml", where=path, hint=_HINT)


def is_hidden(path: str, home: str) -> bool:
    """Is it under a name that begins with a dot, which nothing reads?"""
    return path.startswith(f"{home}{MEMORIES}/.")


def placed(finding: Finding, text: str, entry: Entry | None) -> Finding:
    """The finding with the line of *text*, its file, that it is about, and no second number beside that one."""
    if re.search(r":\d+$", finding.where):
        return finding
    at, inside = _line(finding, text, entry), _INSIDE.search(finding.message)
    if inside and at:
        opening = re.match(r"[^:]*:[ \t]*(\|?)", text.split("\n")[at - 1])
        exact = bool(opening and opening[1])
        at += int(inside[1]) if exact else 0
        told = finding.message[: inside.start()] + ("" if exact else f" (line {inside[1]} of the text)")
        finding = finding._replace(message=told)
    elif at and isinstance(finding.kind, Fault) and _GUARDED.match(finding.message):
        at += bool(re.match(r"[^:]*:[ \t]*[|>]", text.split("\n")[at - 1]))
    return finding._replace(where=f"{finding.where}:{at or 1}")


def parted(told: Told) -> tuple[Told, ...]:
    """One for each source of an entry that asks for something, as each has a line of its own."""
    judged = told.judged
    pairs = list(zip(judged.entry.sources, judged.verdicts, strict=True))
    asking = [(source, one) for source, one in pairs if one.state.level in {Level.ERROR, Level.WARNING}]
    if len(asking) < 2:
        return (told,)
    entries = ((replace(judged.entry, sources=(source,)), one) for source, one in asking)
    alone = [Judged(entry, (one,), due=judged.due and not number) for number, (entry, one) in enumerate(entries)]
    return tuple(replace(told, judged=one) for one in alone)


def _line(finding: Finding, text: str, entry: Entry | None) -> int:
    """The line of the key that the message names, or of the source that it is about."""
    if isinstance(finding.kind, State) and entry:
        anchor = re.search("`(.+)`", finding.message)
        if anchor and (at := _only(text, rf".*\b(?:symbol|text|absent)[\"']?:.*{re.escape(anchor[1])}")):
            return at
        cited = [source.path for source in entry.sources if source.path in finding.message]
        for path in sorted(cited, key=len, reverse=True):
            at = _first(text, rf"[ \t]*(?:-[ \t]+)?[\"']?path[\"']?:[ \t]*[\"']?{re.escape(path)}[\"']?[ \t]*$")
            if at:
                return at
        return _first(text, "review_by:" if "looked at again" in finding.message else "(?:sources|text):") or 1
    named = _NAMED.match(finding.message)
    if not named:
        return 0
    key = (named[1] or named[2] or named[3]).rpartition(".")[2]
    return _first(text, rf"[ \t]*(?:-[ \t]+)?[\"']?{key}[\"']?[ \t]*:")


def _only(text: str, pattern: str) -> int:
    """The line that begins with a pattern, where just one does; else 0."""
    found = list(re.finditer(f"^{pattern}", text, re.M))
    return text.count("\n", 0, found[0].start()) + 1 if len(found) == 1 else 0


def _first(text: str, pattern: str) -> int:
    """The first line that begins with a pattern, counted from 1; 0 where none does."""
    found = re.search(f"^{pattern}", text, re.M)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def line(finding: Finding) -> str:
    """`path:line: level: message (way out)` on one line, as editors and logs read it."""
    told = f"{finding.message} ({finding.hint})" if finding.hint else finding.message
    return f"{printable.inline(finding.where)}: {finding.level.value}: {printable.inline(' '.join(told.split()))}"


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by file and line; what is said twice is said once."""
    distinct = dict.fromkeys(findings)
    return tuple(sorted(distinct, key=lambda one: (one.where.rpartition(":")[0], _number(one.where))))


def _number(where: str) -> int:
    tail = where.rpartition(":")[2]
    return int(tail) if tail.isdigit() else 0


def joined(parts: Sequence[Checked]) -> Checked:
    """Several reports as one."""
    states: dict[str, int] = {}
    for part in parts:
        for name, number in part.states.items():
            states[name] = states.get(name, 0) + number
    return Checked(
        findings=tuple(found for part in parts for found in part.findings),
        notes=(" and ".join(note for part in parts for note in part.notes),),
        judged=tuple(one for part in parts for one in part.judged),
        states=states,
        uncited=sum(part.uncited for part in parts),
    )
