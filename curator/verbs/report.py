"""Gather what a page about the memories shows."""

from __future__ import annotations

from collections.abc import Sequence

from curator.core import checkup, lifecycle, page, rank, tokens
from curator.core.webpage import Overview
from curator.edge import assets, away, blocks, code, plumbing, preferences, store
from curator.errors import CuratorError
from curator.model import Config, Entry, Finding, Workspace
from curator.outcome import Block, Store


def run(workspace: Workspace, *, as_of: str, title: str) -> Overview:
    """Look at everything in the trusted tree, as of an ISO date; change nothing but the cache."""
    stamp = plumbing.stamp(workspace)
    held = store.load(workspace)
    config = held.config
    ordered = rank.order(held.entries, config)
    in_use = lifecycle.in_use(ordered, as_of)
    tree = store.tree(workspace, config).code
    found = store.reading(workspace, lambda cache: code.judge(workspace, cache, tree, in_use, store.tip(config)))
    store.remember(workspace, {}, stamp, found.learned)
    judged = tuple(checkup.dated(one, as_of) for one in found.judged)
    made = _blocks(workspace, ordered, config, as_of)
    elsewhere = store.is_rendered_elsewhere(workspace, config)
    return Overview(
        findings=_findings(workspace, held),
        title=title,
        as_of=as_of,
        commit=plumbing.head_commit(workspace),
        trust=config.trust,
        ordered=tuple(ordered),
        judged=judged,
        blocks=made,
        stray={} if elsewhere else {one.target.path: told for one in made if (told := _stray(workspace, held, one))},
        waiting=away.waits(workspace),
        price=tokens.price(preferences.all_of(workspace).get("price", "")),
    )


def _blocks(workspace: Workspace, ordered: Sequence[Entry], config: Config, as_of: str) -> tuple[Block, ...]:
    """The block of every target as a render would write it, closing line included."""
    template = assets.text(assets.BLOCK)
    bare = [page.compose(ordered, target, config, template, as_of) for target in config.targets]
    return tuple(blocks.flagged(workspace, config, one, template) for one in bare)


def _findings(workspace: Workspace, held: Store) -> tuple[Finding, ...]:
    """What is wrong with files and between them; what one entry says about code stands beside that entry."""
    return (*checkup.validity(held), *store.unreviewed(workspace, held.config.trust))


def _stray(workspace: Workspace, held: Store, made: Block) -> str:
    """Why sessions do not read this block from the target's file, "" where they do."""
    try:
        right = blocks.is_written(workspace, held.config, made, held.entries)
    except CuratorError as error:
        return error.message
    return "" if right else "the file holds another block: `curator render` writes this one"
