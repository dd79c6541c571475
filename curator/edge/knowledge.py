"""What is known here already: memories, proposals, refusals, and what curator itself showed a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from curator.core import keys
from curator.edge import arrivals, inbox

if TYPE_CHECKING:
    from collections.abc import Collection

    from curator.core.essentials import Settings
    from curator.core.extract import Candidate
    from curator.core.proposal import Said
    from curator.edge.reader import Cache
    from curator.edge.spool import Spool
    from curator.here import Workspace

MEMORY, WAITING, REFUSED, SHOWN = "memory", "waiting", "refused", "shown"
"""How a statement may be known."""


class Known(NamedTuple):
    """What a sentence is held against: the repository, its memories and settings; outside of one only the settings."""

    settings: Settings
    workspace: Workspace | None = None
    cache: Cache | None = None


def here(workspace: Workspace) -> Known:
    """What this work tree knows, with the index and its weights brought up to date."""
    from curator.edge import store  # noqa: PLC0415 - a hook takes the index as it is

    cache = store.reading(workspace, lambda cache: cache, weighed=True)
    settings = cache.settings()
    return Known(settings, workspace, cache) if settings else nowhere()._replace(workspace=workspace)


def nowhere() -> Known:
    """What is known without a repository: the default settings."""
    from curator.core import essentials, record  # noqa: PLC0415 - the same
    from curator.model import Config  # noqa: PLC0415 - the same

    return Known(essentials.Settings(record.dump_config(Config())))


def _waits(workspace: Workspace, key: str, by: str) -> bool:
    """Whether it was proposed here already, and does not give way to what *by* says."""
    return inbox.holds(workspace, key) and not arrivals.yielding(workspace, key, by)


class Judge:
    """Holds candidates against what is known, as statements of *by*, whatever each says of that.

    *anew* are keys that may be proposed although the session did before.
    """

    def __init__(self, known: Known, state: Spool, anew: Collection[str] = (), *, by: str = "user") -> None:
        self._known = known
        self._by = by
        self._taken = set(state.proposed).difference(anew)
        self._shown = set(state.shown)
        self._is_read = False  # the blocks are read for the first candidate only

    def out(self, one: Candidate, said: Said) -> str:
        """How a statement is known, "" for a new one."""
        if self._is_shown(one):
            return SHOWN
        at = self._known.workspace
        if at is not None and inbox.is_refused(at, said.key):
            return REFUSED
        if said.key in self._taken or (at is not None and _waits(at, said.key, self._by)):
            return WAITING
        if self._known.cache and self._known.cache.known_key(said.key):
            return MEMORY
        self._taken.add(said.key)
        return ""

    def _is_shown(self, one: Candidate) -> bool:
        """Whether curator itself showed this session the sentence."""
        if not self._is_read:
            from curator.edge import rendered  # noqa: PLC0415 - most messages hold no candidate

            at = self._known.workspace
            self._shown.update(rendered.marks(at, self._known.settings.targets) if at else ())
            self._is_read = True
        return not self._shown.isdisjoint({keys.mark(one.text), keys.mark(one.quote or one.text)})
