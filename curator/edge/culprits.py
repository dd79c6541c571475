"""Who broke a claim: the commit from which on what is wrong with it has been wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from curator.core import survey
from curator.core.survey import Version
from curator.edge import claims, history, past
from curator.edge.troubles import Trouble

_MOST_WALKED = 200  # versions of a path that are judged in search of the one that broke a statement


class Walk:
    """The history of the paths that worst reasons are about."""

    def __init__(self, now: claims.Now, chosen: Mapping[claims.Case, Sequence[Trouble]]) -> None:
        self._now = now
        self._paths = sorted({path for troubles in chosen.values() for path in troubles[0].paths})
        since = history.fork(now.workspace, sorted({case.claim.commit for case in chosen}))
        self._line = history.versions(now.workspace, self._paths, since)
        self._since = since

    @cached_property
    def _branches(self) -> Mapping[str, Sequence[Version]]:
        return history.versions(self._now.workspace, self._paths, self._since, branches=True)

    @cached_property
    def _texts(self) -> past.Texts:
        """The texts of all versions, path by path, as most claims about one are judged by the same ones."""
        walks = [walked.get(path, ()) for path in self._paths for walked in (self._line, self._branches)]
        walked = (one for versions in walks for one in versions[:_MOST_WALKED])
        return past.Texts(self._now.workspace, (blob for one in walked for blob in (one.new, one.old)))

    def culprit(self, trouble: Trouble) -> Version | None:
        """The commit that broke a claim: of several files that held a name, the one that lost it last."""
        for walked, search in ((self._line, survey.culprit), (self._branches, survey.breach)):
            found = [search(versions, self._broken(trouble)) for versions in self._of(trouble, walked)]
            if any(found):
                return min(filter(None, found), key=lambda version: version.place)
            if not self._is_committed(trouble):
                break
        return None

    def _of(self, trouble: Trouble, walked: Mapping[str, Sequence[Version]]) -> list[Sequence[Version]]:
        return [walked[path][:_MOST_WALKED] for path in trouble.paths if path in walked]

    def _is_committed(self, trouble: Trouble) -> bool:
        """Whether the newest commit of the path left it as it is now; else what broke it may be staged only."""
        now = self._now.files
        return all(
            versions[0].new == (now[path].blob if path in now else "")
            for path in trouble.paths
            if (versions := self._line.get(path))
        )

    def _broken(self, trouble: Trouble) -> Callable[[str], bool]:
        holds = trouble.holds
        if holds is None:
            return lambda blob: not blob
        texts = self._texts
        return lambda blob: not blob or ((text := texts.get(blob)) is not None and holds(text))
