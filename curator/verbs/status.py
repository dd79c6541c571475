"""Tell the state of the store: counts, budgets, what is not reviewed, what a session pays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from curator.core import block, checkup, lifecycle, page, rank, roster
from curator.edge import assets, code, files, inbox, plumbing, store
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Block, Census


def run(workspace: Workspace, *, as_of: str) -> Census:
    """Look at everything, as of an ISO date; change nothing."""
    held = store.load(workspace)
    ended = lifecycle.ended(held.entries, as_of)
    ordered = rank.order(held.entries, held.config)
    template = assets.text(assets.BLOCK)
    blocks = [page.compose(ordered, target, held.config, template, as_of) for target in held.config.targets]
    in_use = lifecycle.in_use(held.entries, as_of)
    tree = store.tree(workspace, held.config).code
    judged = store.reading(
        workspace, lambda cache: code.judge(workspace, cache, tree, in_use, store.tip(held.config))
    ).judged
    elsewhere = store.is_rendered_elsewhere(workspace, held.config)
    unreviewed = store.unreviewed(workspace, held.config.trust)
    return Census(
        findings=(*held.findings, *roster.findings(held.entries), *unreviewed),
        active=Counter(entry.category for entry in held.entries if entry.path not in ended),
        ended=Counter(entry.category for entry in held.entries if entry.path in ended),
        states=checkup.count([checkup.dated(one, as_of) for one in judged])[0],
        waiting=len(inbox.keys(workspace)),
        notes=() if elsewhere else tuple(note for made in blocks for note in _state(workspace, made)),
        blocks=tuple(blocks),
        price=_price(plumbing.user_settings(workspace).get("price", "")),
    )


def _state(workspace: Workspace, made: Block) -> Iterator[str]:
    """What is wrong with a target's block on disk."""
    path = made.target.path
    try:
        held = block.body(files.read(workspace, path), path)
    except CuratorError as error:
        yield f"{error.where or path}: {error.message}"
        return
    if held != made.body:
        yield f"{path}: the block is not what `curator render` would write"


def _price(setting: str) -> float | None:
    try:
        price = float(setting) if setting else None
        if price is None or (math.isfinite(price) and price >= 0):
            return price
        raise ValueError
    except ValueError:
        raise CuratorError(
            f"{setting!r} is not a price in dollars a million tokens",
            where="git config curator.price",
            hint="for example `git config curator.price 3`",
        ) from None
