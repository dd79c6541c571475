"""What a session is shown of memories: which of them it has not seen, as text within the limits."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from curator.core.essentials import Settings
    from curator.edge.current import View
    from curator.edge.rows import Document
    from curator.hook.visit import Visit

CHECK = "check"
"""The memo in which `check` keeps what it found (verbs/check)."""

UNITS = 9_500
"""UTF-16 units of one answer: from 10,001 on the client puts a preview in its place."""

_WORDS = 8  # of a memory that the session knows
_LONGEST_BLOCK = 1 << 20  # bytes of a file with a block


def fresh(visit: Visit, view: View, settings: Settings, documents: Iterable[Document]) -> list[Document]:
    """Those of *documents* that are trusted now, hold today, and stand in no block that the session reads."""
    found = holding(view, settings, documents)
    blocked = in_blocks(visit, settings, found)
    return [one for one in found if one.path not in blocked]


def holding(view: View, settings: Settings, documents: Iterable[Document]) -> list[Document]:
    """Those of *documents* that are trusted now and hold today."""
    today = time.strftime("%Y-%m-%d")
    least = settings.recall.min_confidence
    return [
        one
        for one in documents
        if not (one.expires and one.expires < today) and one.confidence >= least and view.holds(one)
    ]


def in_blocks(visit: Visit, settings: Settings, documents: Collection[Document]) -> set[str]:
    """The paths of those that stand in a block which the session reads."""
    if not documents:
        return set()
    from curator.core import bullet

    blocks = _blocks(visit, settings)
    return {one.path for one in documents if f"\n{bullet.listed(one.text)}\n" in blocks}


def _blocks(visit: Visit, settings: Settings) -> str:
    """The files with a block that lie above the session's folder, and so are read by it."""
    folder = os.path.relpath(os.path.realpath(visit.folder), os.path.realpath(visit.workspace.root))
    texts = []
    for target in settings.targets:
        home = os.path.dirname(target)
        if not home or f"{folder}/".startswith(f"{home}/"):
            texts.append(_read(f"{visit.workspace.root}/{target}"))
    return "\n".join(["", *texts, ""])


def _read(path: str) -> str:
    """The text of a plain file, LF between its lines; "" for anything else."""
    from stat import S_ISREG

    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        data = os.read(handle, _LONGEST_BLOCK) if S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        data = b""
    finally:
        os.close(handle)
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def text(
    view: View, settings: Settings, head: str, documents: Iterable[Document], brief: Collection[str] = ()
) -> tuple[str, list[Document]]:
    """The *head* and a bullet for each document, and the documents that it names.

    Stale ones are left out, doubtful ones marked; those that pass `recall.limit` and `recall.tokens` are left out.
    Of those with a path in *brief* there are the first words only.
    """
    from curator.core import tokens

    states = doubts(view)
    lines = [head]
    named: list[Document] = []
    cost, units = tokens.cost(head), _units(head)
    for one in documents:
        state, doubt = states.get(one.path, ("", ""))
        if len(named) == settings.recall.limit:
            break
        line = f"- [{_short(one.id)}] {_reminder(one.text) if one.path in brief else _whole(one.text)}"
        line += f"\n  (check before relying on it: {doubt})" if doubt else ""
        more = tokens.cost(f"\n{line}")
        if state == "stale" or cost + more > settings.recall.tokens or units + 1 + _units(line) > UNITS:
            continue
        cost, units = cost + more, units + 1 + _units(line)
        lines.append(line)
        named.append(one)
    return "\n".join(lines) if named else "", named


def _whole(text: str) -> str:
    from curator.core import bullet

    return bullet.listed(text)[2:]


def _reminder(text: str) -> str:
    """The first words of what the session reads in a block."""
    words = text.split()
    return f"{' '.join(words[:_WORDS])}{' ...' if len(words) > _WORDS else ''} (in the block)"


def doubts(view: View) -> dict[str, tuple[str, str]]:
    """What the last check found about entries, by path: the state, and why. Later changes it does not know."""
    memo = view.cache.memo(CHECK)
    if not memo:
        return {}
    import json

    rows = json.loads(memo.rpartition("\n")[2])
    return {where: (kind, message.partition(": ")[2]) for group, kind, where, message, *_ in rows if group == "State"}


def only(visit: Visit, words: str) -> dict[str, object]:
    """An answer that adds *words* to what the model reads."""
    return {"hookSpecificOutput": {"hookEventName": visit.event, "additionalContext": words}}


def noted(told: list[str], paths: Collection[str]) -> list[str]:
    """A list of the spool with *paths* added, none of them twice."""
    return [*told, *(path for path in paths if path not in told)]


def _short(name: str) -> str:
    """The six digits at the end of an id, which every command takes; else all of it."""
    head, _, tail = name.rpartition("-")
    return tail if head and len(tail) == 6 and all(one in "0123456789abcdef" for one in tail) else name


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
