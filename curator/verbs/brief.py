"""Make a block for one task, without touching any target."""

from __future__ import annotations

from curator.core import block, page, rank, scoring
from curator.edge import assets, blocks, files, plumbing, store
from curator.edge.index import Cache
from curator.errors import CuratorError
from curator.model import Target, Workspace
from curator.outcome import Block, Edit


def run(workspace: Workspace, task: str, *, as_of: str, target: Target) -> Block:
    """Fill the budgets of *target* with what matters for *task*: hits first, the rest as without a task."""
    held = store.load(workspace)

    def scored(cache: Cache) -> dict[str, float]:
        scores = scoring.score(cache.postings, scoring.query([task], (), held.config.recall))
        ordinals = [ordinal for ordinal, _ in scoring.hits(scores, cache.prior_ranks())]
        documents = cache.documents(ordinals)
        return {found.id: scores.total(ordinal) for ordinal, found in zip(ordinals, documents, strict=True)}

    found = store.reading(workspace, scored, weighed=True)
    ordered = rank.order(held.entries, held.config, found)
    template = assets.text(assets.BLOCK)
    made = page.compose(ordered, target, held.config, template, as_of)
    return blocks.flagged(workspace, held.config, made, template)


def into(workspace: Workspace, path: str, body: str) -> Edit:
    """The edit that puts a task's block into a file that git ignores, such as CLAUDE.local.md."""
    path = files.real(workspace, path)
    if not plumbing.ignored(workspace, [path]):
        raise CuratorError(
            "git does not ignore it, so a block for one task could be committed",
            where=path,
            hint=f"add {path} to .gitignore, or write to CLAUDE.local.md and ignore that",
        )
    before = files.read_or_none(workspace, path)
    return Edit(path, before, block.replace(block.insert(before or "", path), body, path))
