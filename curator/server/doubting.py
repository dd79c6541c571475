"""What no longer fits the code: list_stale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curator.core import report
from curator.core.verdict import Judged
from curator.server import answers
from curator.server.answers import Answer
from curator.server.desk import Desk

if TYPE_CHECKING:
    from curator.verbs.doubtful import Doubtful

LIMIT = 20
_PATH = 100  # characters of a path that is not there
_NEXT = (
    "Look at the files. Still true: tell the user, who runs `curator confirm <id>`. Changed: save_memory with"
    " `supersedes`. No longer true: forget_memory."
)


def stale(desk: Desk, asked: dict[str, Any], _: str) -> Answer:
    """Memories whose files have changed so that they may be wrong, the worst first."""
    from curator.verbs import doubtful

    held = desk.workspace()
    files = tuple(desk.rooted(held, path) for path in asked["files"])
    found = doubtful.run(held, as_of=desk.clock.today(), files=files)
    shown = found.doubtful[: asked["limit"] or LIMIT]
    told = answers.fitting(answers.clean(_told(one)) for one in shown)
    value: dict[str, Any] = {
        "results": told,
        "doubtful": len(found.doubtful),
        "searched": found.searched,
        "states": dict(Counter(one.state.value for one in found.doubtful)),
    }
    hint = " ".join((*_unknown(found), *((_NEXT,) if told else ())))
    head = _head(len(told), found, is_narrowed=bool(files))
    lines = (head, *(line for one in told for line in ("", *answers.lines(one))), *(("", hint) if hint else ()))
    return Answer("\n".join(lines), value | ({"hint": hint} if hint else {}))


def _told(judged: Judged) -> dict[str, Any]:
    reasons = [reason.message for reason in judged.reasons if reason.state is judged.state]
    if judged.due:
        reasons.append(f"to be looked at again by {judged.entry.review_by}")
    doubt = "; ".join(dict.fromkeys(reasons[:3]))
    return answers.said(judged.entry, state=judged.state.value, doubt=doubt)


def _head(shown: int, found: Doubtful, *, is_narrowed: bool) -> str:
    looked = report.plural(found.searched, "memory") + (" about these files" if is_narrowed else "")
    if not found.searched:
        return "No memory is about these files." if is_narrowed else "No memories are in use in this repository yet."
    if not shown:
        return f"None of {looked} is in doubt."
    rest = f", the first {shown}" if shown < len(found.doubtful) else ""
    return f"{len(found.doubtful)} of {looked} in doubt{rest}:"


def _unknown(found: Doubtful) -> Iterator[str]:
    for path in found.unknown:
        yield f"{report.shorten(path, _PATH)}: no file that git tracks here."
