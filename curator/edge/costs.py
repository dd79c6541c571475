"""What blocks cost in tokens, from the cache where the same one was made before: a template engine loads slowly."""

from __future__ import annotations

from hashlib import sha1

from curator.core import bullet, tokens
from curator.core.effect import Shown, Side
from curator.edge import assets, index
from curator.model import Workspace


def of_blocks(workspace: Workspace, side: Side) -> dict[str, int]:
    """The tokens of each target's block, by the target's path."""
    template, preamble = assets.text(assets.BLOCK), side.config.preamble
    keys = {path: _key(template, one, preamble=preamble) for path, one in side.shown.items()}
    cache = index.open(workspace)
    known = cache.verdicts(keys.values())
    learned: dict[str, str] = {}
    for path, key in keys.items():
        if key not in known and key not in learned:
            learned[key] = str(_counted(template, side.shown[path], preamble=preamble))
    if learned:
        index.remember(workspace, cache, {}, learned)
    return {path: int((known | learned)[key]) for path, key in keys.items()}


def _counted(template: str, shown: Shown, *, preamble: bool) -> int:
    from curator.core import page  # noqa: PLC0415 - 50 ms: only a block that was never made before pays

    return tokens.estimate(page.body(shown.selection, template, preamble=preamble))


def _key(template: str, shown: Shown, *, preamble: bool) -> str:
    """All that the text of a block follows from."""
    items = [[one.category, *map(bullet.item, one.shown)] for one in shown.sections if one.shown]
    told = repr((template, preamble, items, len(shown.missing)))
    return f"cost {sha1(told.encode('utf-8', 'surrogatepass')).hexdigest()}"
