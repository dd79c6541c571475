"""Tell the state of the store: counts, budgets, what is not reviewed, what a session pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from curator.core import checkup, lifecycle, page, rank, roster, tokens
from curator.edge import assets, blocks, code, inbox, preferences, store
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Block, Census, Store


def run(workspace: Workspace, *, as_of: str) -> Census:
    """Look at everything, as of an ISO date; change nothing."""
    held = store.load(workspace)
    ended = lifecycle.ended(held.entries, as_of)
    ordered = rank.order(held.entries, held.config)
    template = assets.text(assets.BLOCK)
    bare = [page.compose(ordered, target, held.config, template, as_of) for target in held.config.targets]
    made = tuple(blocks.flagged(workspace, held.config, one, template) for one in bare)
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
        waiting=len(inbox.waits(workspace)),
        notes=() if elsewhere else tuple(note for one in made for note in _state(workspace, held, one)),
        blocks=made,
        price=tokens.price(preferences.all_of(workspace).get("price", "")),
    )


def _state(workspace: Workspace, held: Store, made: Block) -> Iterator[str]:
    """What is wrong with a target's block on disk."""
    path = made.target.path
    try:
        right = blocks.is_written(workspace, held.config, made, held.entries)
    except CuratorError as error:
        yield f"{error.where or path}: {error.message}"
        return
    if not right:
        yield f"{path}: the block is not what `curator render` would write"
