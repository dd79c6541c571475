"""What people and agents said in a session, as numbered sentences that may be shown to a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from curator.core import keys, secrets, sentences, session

AROUND = 3
"""Sentences before and after one that are its context."""

_FAILED = "API Error"  # what a client says in the agent's name
_SHORTEST, _LONGEST = 12, 600
_UNSPACED = 6  # characters of a sentence in a script without blanks
_BROAD = "\u3040"  # the first of the scripts of which a few characters say as much as a sentence


class Turn(NamedTuple):
    """A message of the user's, or a final one of the agent's, that ends at the byte *end* of its log."""

    said: session.Said
    offset: int
    end: int


class Line(NamedTuple):
    """One sentence, its *number* from 1 in a request, and the message it stands in."""

    number: int
    text: str
    turn: Turn


def finals(records: Iterable[tuple[int, int, session.Said | None]]) -> Iterator[Turn]:
    """The turns in *records* (offset, end, what was said): of the agent what it says after the last tool of a turn.

    The end of a turn is also where a tool's answer, which is left out, ends.
    """
    held: list[Turn] = []
    for offset, end, said in records:
        if said is None:
            continue
        if said.by == session.TOOL:
            held = []
        elif said.by == session.AGENT:
            held.append(Turn(said, offset, end))
        else:
            yield from held
            held = []
            yield Turn(said, offset, end)
    yield from held


def spoken(turn: Turn, shown: Collection[int]) -> tuple[str, ...]:
    """The sentences of a turn: nothing pasted, nothing that curator *showed* (`keys.mark`), blanks folded.

    A message in which anything looks like a secret is left out whole: a secret may go on over several sentences.
    """
    if turn.said.text.startswith(_FAILED) or secrets.find(turn.said.text):
        return ()
    own = sentences.cut(turn.said.text, reviews=turn.said.by == session.AGENT)
    found = (" ".join(sentence.split()) for sentence in sentences.split(own))
    return tuple(one for one in found if _is_sized(one) and keys.mark(one) not in shown)


def _is_sized(sentence: str) -> bool:
    if len(sentence) > _LONGEST:
        return False
    return len(sentence) >= _SHORTEST or sum(letter >= _BROAD for letter in sentence) >= _UNSPACED


def numbered(turns: Iterable[tuple[Turn, Sequence[str]]]) -> tuple[Line, ...]:
    """The sentences of *turns*, numbered.

    Where sentences of several messages look like a secret together, the message
    in which it begins is left out with the next one.
    """
    kept = list(turns)
    while leaks := secrets.find("\n".join(text for _, texts in kept for text in texts)):
        owners = [place for place, (_, texts) in enumerate(kept) for _ in texts]
        first = owners[leaks[0].line - 1]
        del kept[first : first + 2]
    found = [(text, turn) for turn, texts in kept for text in texts]
    return tuple(Line(number, text, turn) for number, (text, turn) in enumerate(found, 1))


def context(lines: Sequence[Line], line: Line) -> str:
    """What stands around a sentence, it included."""
    first = max(0, line.number - 1 - AROUND)
    return "\n".join(one.text for one in lines[first : line.number + AROUND])


def script(lines: Iterable[Line]) -> str:
    """The sentences as a model reads them, one a line."""
    return "\n".join(f"{line.number} {line.turn.said.by}: {line.text}" for line in lines)
