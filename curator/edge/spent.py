"""What models have cost this clone: a line for each request in git's common folder, made before it is sent.

A request that is killed half-way stays in the books with all it could have cost.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from curator.core.pricing import Spent, plus
from curator.edge import exchange
from curator.errors import CuratorError
from curator.here import Workspace

_PATIENCE = 10.0  # seconds that others are waited for; nobody holds the books while a model is asked
_MOST = 16 << 20  # bytes of the books that are read


def path(workspace: Workspace) -> str:
    """Where the lines stand."""
    return f"{workspace.common_dir}/curator/model-spent"


def of_month(workspace: Workspace, month: str) -> Spent:
    """What was spent in a month ("2026-11")."""
    with _told(workspace):
        return _sum(_lines(workspace), month)


def reserve(workspace: Workspace, day: str, name: str, most: Spent, refuse: Callable[[Spent], str]) -> None:
    """Put a request with the new *name* down with the *most* that it can cost, on a day ("2026-11-30").

    CuratorError with what *refuse* says of that month's sum, "" for nothing.
    """
    with _told(workspace), _alone(workspace):
        reason = refuse(_sum(_lines(workspace), day[:7]))
        if reason:
            hint = "`git config curator.modelTokens` and `curator.modelCost` raise what a month may take"
            raise CuratorError(reason, hint=hint)
        _append(workspace, day, name, most)


def settle(workspace: Workspace, day: str, name: str, spent: Spent) -> None:
    """Put down what the request with this *name* came to."""
    with _told(workspace), _alone(workspace):
        _append(workspace, day, name, spent)


def _sum(lines: Iterator[bytes], month: str) -> Spent:
    last: dict[str, Spent] = {}
    for line in lines:
        try:
            day, name, tokens, cost = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            continue  # half a line of a process that was killed
        if isinstance(day, str) and day.startswith(month) and _is_amount(tokens) and _is_amount(cost):
            last[str(name)] = Spent(int(tokens), float(cost))
    total = Spent()
    for one in last.values():
        total = plus(total, one)
    return total


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _lines(workspace: Workspace) -> Iterator[bytes]:
    try:
        data = exchange.content(path(workspace), _MOST)
    except FileNotFoundError:
        return
    yield from data.split(b"\n")


def _append(workspace: Workspace, day: str, name: str, spent: Spent) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path(workspace), flags, 0o666)
    try:
        line = json.dumps([day, name, spent.tokens, round(spent.cost, 8)], separators=(",", ":"))
        os.write(handle, f"\n{line}\n".encode())  # a line of its own, also behind half of another
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _alone(workspace: Workspace) -> Iterator[None]:
    folder = f"{workspace.common_dir}/curator"
    exchange.make(folder)
    handle = os.open(f"{folder}/model-spent.lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        if exchange.claim(handle, _PATIENCE) is False:
            raise CuratorError("busy: somebody else is in the books", where=path(workspace), hint="try again")
        yield
    finally:
        os.close(handle)


@contextmanager
def _told(workspace: Workspace) -> Iterator[None]:
    """Without books nothing is spent."""
    try:
        yield
    except OSError as error:
        hint = "put that right: nothing is sent while what was spent cannot be noted"
        message = f"what models cost cannot be noted: {error.strerror or error}"
        raise CuratorError(message, where=path(workspace), hint=hint) from None
