"""What a remote and this clone had of each proposal when they last met: one small file a remote, and no text in it.

A file that is missing, torn or foreign counts as empty: then all that waits
is sent again, and what was decided is cleared again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote

from curator.core.syncing import Pair, Unfit
from curator.edge import exchange
from curator.here import Workspace

_LONGEST = 8 << 20  # bytes of a file that is still ours


class Last(NamedTuple):
    """*pairs* of object ids by key, and what was *unfit* to be a proposal, also by key.

    *told* are the keys of those that others decided, and that the user heard of.
    """

    pairs: dict[str, Pair]
    unfit: dict[str, Unfit]
    told: frozenset[str] = frozenset()


def load(workspace: Workspace, remote: str, place: str) -> Last:
    """What was so the last time; empty when the remote was another *place* then."""
    value = _read(_path(workspace, remote))
    if value.get("place") != place:
        return Last({}, {})
    pairs = {key: Pair(*one) for key, one in _items(value.get("pairs")) if _is_texts(one, 2)}
    unfit = {key: one for key, one in _items(value.get("unfit")) if _is_texts(one, 3)}
    told = value.get("told")
    heard = frozenset(one for one in told if isinstance(one, str)) if isinstance(told, list) else frozenset()
    return Last(pairs, {key: Unfit(one[0], one[1], bool(one[2])) for key, one in unfit.items()}, heard)


def save(workspace: Workspace, remote: str, place: str, last: Last) -> None:
    """Keep it for the next time. OSError where it cannot be written."""
    path = _path(workspace, remote)
    exchange.make(os.path.dirname(path))
    unfit = {key: (one.value, one.why, "for good" if one.final else "") for key, one in last.unfit.items()}
    _write(path, {"place": place, "pairs": last.pairs, "unfit": unfit, "told": sorted(last.told)})


def forget(workspace: Workspace, key: str) -> None:
    """Let a proposal count as one that has met no remote. OSError where that cannot be written."""
    folder = _folder(workspace)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        value = _read(f"{folder}/{name}")
        pairs = value.get("pairs")
        if isinstance(pairs, dict) and pairs.pop(key, None) is not None:
            _write(f"{folder}/{name}", value)


def _write(path: str, value: object) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            file.write(json.dumps(value, separators=(",", ":"), sort_keys=True).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _items(value: object) -> Iterable[tuple[str, list[str]]]:
    return value.items() if isinstance(value, dict) else ()


def _is_texts(value: object, number: int) -> bool:
    return isinstance(value, list) and len(value) == number and all(isinstance(one, str) for one in value)


def _read(path: str) -> dict[str, object]:
    try:
        data = exchange.content(path)
        value = json.loads(data) if len(data) <= _LONGEST else None
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _folder(workspace: Workspace) -> str:
    return f"{workspace.common_dir}/curator/synced"


def _path(workspace: Workspace, remote: str) -> str:
    return f"{_folder(workspace)}/{quote(remote, safe='', errors='replace')}.json"
