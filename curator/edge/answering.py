"""What is asked of a model by whichever way, and what comes back."""

from __future__ import annotations

from typing import NamedTuple

from curator.errors import CuratorError

SECONDS = 90.0
"""How long an answer is waited for."""

CUT, REFUSED = "cut", "refused"
"""How an answer may have ended that is none: at its limit of tokens, or because the model would not."""


class Wanted(NamedTuple):
    """Which *model*, at most *most* tokens and *cost* US dollars of answer, the form of it, how long it is waited for.

    *effort*: the model takes a setting for how long it thinks.
    """

    model: str
    most: int
    cost: float
    form: dict[str, object]
    effort: bool = True
    seconds: float = SECONDS


class Reply(NamedTuple):
    """An answer: its text, tokens *into* the model and *out* of it, how it *ended* ("" as it should).

    *cost* in US dollars, None where only a price list tells.
    """

    text: str
    into: int
    out: int
    ended: str = ""
    cost: float | None = None


class Unanswered(CuratorError):  # noqa: N818 - it reads as what happened
    """There is no answer. *charged*: what was asked may cost something all the same."""

    def __init__(self, message: str, *, hint: str = "", charged: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.charged = charged


def count(value: object) -> int:
    """A number of tokens as an answer tells it, 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def word(value: object, most: int = 200) -> str:
    """A text that a server sent, on one line and not too long; "" for anything else."""
    return " ".join(value.split())[:most] if isinstance(value, str) else ""
