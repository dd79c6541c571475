"""Take over what another tool remembers, as proposals or as entries."""

from __future__ import annotations

from curator.core.adoption import Adoption
from curator.core.imports import formats
from curator.edge import adoption, foreign
from curator.edge.adoption import Asked as Asked
from curator.edge.foreign import Source
from curator.errors import CuratorError
from curator.model import Workspace

FOUND = foreign.FOUND
"""Names that stand for where a tool keeps what it remembers."""


def look(workspace: Workspace, named: str, wanted: str = "") -> Source:
    """What the user *named*, read in the *wanted* format or the one that it is found to be.

    CuratorError for what is not there, cannot be read or holds nothing of the kind.
    """
    source = foreign.read(workspace, foreign.find(workspace, named), named, wanted)
    if source.format != formats.RULES and not source.items:
        hint = f"`--from` names the format where it is another one of these: {formats.listed()}"
        message = f"nothing that can be imported was found: {source.format} without a statement"
        raise CuratorError(message, where=named, hint=hint)
    return source


def run(workspace: Workspace, source: Source, asked: Asked) -> Adoption:
    """Plan what becomes of each statement of *source*."""
    return adoption.adopt(workspace, source, asked)
