"""What a model costs, and what it may cost: prices, an estimate of tokens, and the caps of a month and of a run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from curator.core import tokens
from curator.errors import CuratorError

DEFAULT = "claude-haiku-5-5"
"""The newest small model of the SDK's own list of names (anthropic 2.14, types/model_param.py)."""

TOKENS, COST = 2_000_000, 1.00
"""Tokens and US dollars of a month, where the user's git settings say nothing."""

_MILLION = 1_000_000
_MORE = 1.3  # models from 2026 on count more tokens for the same text than `tokens` knows of
_FORM = 400  # tokens that the form of the answer adds to a request
_DATED = re.compile(r"-\d{8}$")


class Price(NamedTuple):
    """US dollars for a million tokens in and out; *factor* times that from *long* tokens of a prompt on.

    *effort*: the model takes a setting for how long it thinks.
    """

    into: float
    out: float
    long: float = math.inf
    factor: float = 1
    effort: bool = True


# Source: the models' pages on platform.claude.com, November 2026.
PRICES: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(0.10, 0.50, long=100_000, factor=5),
    "claude-haiku-4-5": Price(1, 5, effort=False),
    "claude-sonnet-5-5": Price(2, 10),
    "claude-sonnet-5": Price(2, 10),
    "claude-sonnet-4-5": Price(3, 15, effort=False),
    "claude-opus-5-5": Price(4, 20),
    "claude-opus-5": Price(5, 25),
    "claude-fable-5-1": Price(10, 50),
}


class Spent(NamedTuple):
    """Tokens, in and out together, and US dollars."""

    tokens: int = 0
    cost: float = 0.0


class Caps(NamedTuple):
    """What may be spent: *tokens* and *cost* in a calendar month, *run_tokens* and *run_cost* by one command."""

    tokens: int = TOKENS
    cost: float = COST
    run_tokens: float = math.inf
    run_cost: float = math.inf


def price(model: str, setting: str = "") -> Price | None:
    """What *model* costs: as `curator.modelPrice` says ("IN/OUT"), else by the table; None where nobody knows."""
    known = PRICES.get(_DATED.sub("", model))
    if not setting:
        return known
    into, _, out = setting.partition("/")
    hint = 'dollars a million tokens, in and out: `git config curator.modelPrice "1.00/5.00"`'
    where = "git config curator.modelPrice"
    return Price(amount(into, where, hint), amount(out, where, hint), effort=known is not None and known.effort)


def amount(text: str, where: str, hint: str) -> float:
    """A number of dollars or tokens that is not negative; CuratorError for any other text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise CuratorError(f"{text!r} is no amount", where=where, hint=hint)
    return value


def estimate(text: str) -> int:
    """The tokens that a request with *text* is likely to have, rather too many."""
    return math.ceil(_MORE * tokens.estimate(text)) + _FORM


def spent(price: Price, into: int, out: int) -> Spent:
    """What so many tokens in and out cost."""
    factor = price.factor if into > price.long else 1
    return Spent(into + out, factor * (into * price.into + out * price.out) / _MILLION)


def plus(one: Spent, other: Spent) -> Spent:
    return Spent(one.tokens + other.tokens, one.cost + other.cost)


def reached(caps: Caps, month: Spent, run: Spent, more: Spent) -> str:
    """Why *more* may not be spent, "" where it may. *month* holds what *run* spent."""
    after, of_run = plus(month, more), plus(run, more)
    if after.tokens > caps.tokens:
        return f"the cap of {caps.tokens:,} tokens a month is reached: {month.tokens:,} are spent"
    if after.cost > caps.cost:
        return f"the cap of {dollars(caps.cost)} a month is reached: {dollars(month.cost)} are spent"
    if of_run.tokens > caps.run_tokens:
        return f"the cap of {caps.run_tokens:,.0f} tokens for this run is reached: {run.tokens:,} are spent"
    if of_run.cost > caps.run_cost:
        return f"the cap of {dollars(caps.run_cost)} for this run is reached: {dollars(run.cost)} are spent"
    return ""


def dollars(cost: float) -> str:
    """A sum as it is shown: to the cent, or to the first digit that is not 0."""
    return f"${cost:.2f}" if cost >= 0.1 or cost == 0 else f"${cost:.4f}"
