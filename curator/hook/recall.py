"""What a session is told while it works: memories about a prompt, about a file it changed, and for its subagents."""

from __future__ import annotations

import os

from curator.edge import current, reader, spool
from curator.hook import KIMI, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from curator.core.essentials import Settings
    from curator.edge.current import View
    from curator.edge.rows import Document
    from curator.hook.visit import Visit

_HEAD = "curator: memories about this, from this repository's reviewed store:"
_PATHS = ("file_path", "notebook_path", "filePath", "path")
_PATCH = "*** Begin Patch"
_MOST_LOOKED_AT = 20  # hits; some may stand in the block, or be out of date


def prompted(visit: Visit) -> dict[str, Any] | None:
    """The memories that a prompt is about and that the session has not seen."""
    prompt = visit.prompt
    if not prompt.strip() or prompt.lstrip().startswith(("<task-notification>", "/")):
        return None
    view, settings = seen(visit)
    found = _about(visit, view, settings, prompt) if view and settings else []
    state = spool.load(visit.workspace, visit.session)
    begun = _begun(visit, view, settings, state) if state.untold and view and settings else ""
    new = [one for one in found if one.path not in state.paths]
    words, named = shown.text(view, settings, _HEAD, new) if view and settings and new else ("", [])
    state.last = [one.path for one in found]
    state.paths = shown.noted(state.paths, [one.path for one in named])
    spool.show(state, [words, *(one.text for one in named)])
    keep(visit, state)
    told = "\n\n".join(filter(None, (begun, words)))
    return shown.only(visit, told) if told else None


def _begun(visit: Visit, view: View, settings: Settings, state: spool.Spool) -> str:
    """What the session should have been told as it started, by a client that takes nothing then."""
    from curator.hook import branch

    words, named = branch.text(visit, view, settings)
    state.untold = False
    state.paths = shown.noted(state.paths, [one.path for one in named])
    spool.show(state, [words, *(one.text for one in named)])
    return words


def _about(visit: Visit, view: View, settings: Settings, prompt: str) -> list[Document]:
    """The documents that the prompt is about, best first."""
    from curator.core import relevance, scoring

    ranks = view.cache.prior_ranks()
    postings = view.cache.postings(scoring.WORDS, relevance.terms(prompt))
    best = relevance.chosen(prompt, postings, ranks)[:_MOST_LOOKED_AT]
    found = shown.fresh(visit, view, settings, view.cache.documents([ordinal for ordinal, _ in best]))
    return found[: settings.recall.limit]


def subagent(visit: Visit) -> dict[str, Any] | None:
    """What a subagent should know: it is given CLAUDE.md, and nothing of what its session was told."""
    view, settings = seen(visit)
    if not view or not settings:
        return None
    from curator.hook import branch

    added, named = branch.text(visit, view, settings)
    known = {one.path for one in named}
    state = spool.load(visit.workspace, visit.session)
    last = view.cache.documents_at([path for path in state.last if path not in known])
    words, more = shown.text(view, settings, _HEAD, shown.fresh(visit, view, settings, last))
    spool.show(state, [added, words, *(one.text for one in (*named, *more))])
    keep(visit, state)
    told = "\n\n".join(filter(None, (added, words)))
    return shown.only(visit, told) if told else None


def touched(visit: Visit) -> dict[str, Any] | None:
    """The memories that cite a file which was just changed, once for a session and a file.

    Of those that stand in a block only the first words are said: which of them are about this file is what is new.
    """
    path = _edited(visit) if visit.client != KIMI else ""  # which does not read the answer
    state = spool.load(visit.workspace, visit.session)
    if not path or path in state.files:
        return None
    view, settings = seen(visit)
    if not view or not settings:
        return None
    citing = view.cache.documents_at(sorted(view.cache.citing([path])))
    found = [one for one in shown.holding(view, settings, citing) if one.path not in state.paths]
    blocked = shown.in_blocks(visit, settings, found)
    found.sort(key=lambda one: one.path in blocked)
    words, named = shown.text(view, settings, f"curator: memories that cite {_shown(path)}:", found, blocked)
    if words:
        state.files = shown.noted(state.files, [path])
        state.paths = shown.noted(state.paths, [one.path for one in named if one.path not in blocked])
        spool.show(state, [words, *(one.text for one in named)])
        keep(visit, state)
    return shown.only(visit, words) if words else None


def _edited(visit: Visit) -> str:
    """The file that a tool changed, relative to the root; "" for one that is not in this work tree."""
    given = visit.payload.get("tool_input")
    names = [given.get(key) for key in _PATHS] if isinstance(given, dict) else []
    named = next((one for one in names if isinstance(one, str) and one), "") or _patched(given)
    if not named:
        return ""
    root = os.path.realpath(visit.workspace.root)
    try:
        path = os.path.realpath(os.path.join(visit.folder, named))
    except ValueError:
        return ""  # no name of a file
    return path[len(root) + 1 :] if path.startswith(f"{root}/") else ""


def _patched(given: object) -> str:
    """The first file that a patch of Codex's names."""
    patch = given.get("command") if isinstance(given, dict) else None
    lines = patch.split("\n") if isinstance(patch, str) and patch.startswith(_PATCH) else []
    named = (line.partition(" File: ")[2].strip() for line in lines if line.startswith("*** "))
    return next(filter(None, named), "")


def _shown(path: str) -> str:
    return "".join(one if one.isprintable() else "?" for one in path)


def seen(visit: Visit) -> tuple[View | None, Settings | None]:
    """The cache and its settings; a child brings them up to date where they are not of this state of git."""
    try:
        view = current.look(visit.workspace)
        settings = view.cache.settings() if view else None
    except reader.Damaged:
        view = settings = None
    if view is None or not view.valid or not view.cache.weighed:
        visit.refresh()
    return view, settings


def keep(visit: Visit, state: spool.Spool) -> None:
    """Save what the session was told. That it cannot be saved costs a repetition."""
    try:
        spool.save(visit.workspace, visit.session, state)
    except OSError as error:
        visit.tell(f"what was shown cannot be noted: {error.strerror}")
