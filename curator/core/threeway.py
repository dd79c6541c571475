"""Three versions of something and the one they make: a file with a block, and whole trees by path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from curator.core import block
from curator.errors import CuratorError

T = TypeVar("T")

# Stands for the block while the text around it is merged: the same in all three versions, so it can never conflict,
# and so many lines that no conflict before it is joined with one behind it (git joins those up to three lines apart).
_STANDIN = tuple(f"the block of curator, line {number} of 8" for number in range(1, 9))


class Three(NamedTuple):
    """What both sides started from, and what each made of it; git's words."""

    base: str
    ours: str
    theirs: str


class Merged(NamedTuple):
    """A merged file. *conflict*: it holds conflict markers; *note* says what a person should do next."""

    text: str
    conflict: bool
    note: str = ""


def masked(texts: Three, where: str) -> Three | None:
    """The three versions with the same text for a block; None where a side has not one sound block."""
    try:
        ours, theirs = (block.replace(text, "\n".join(_STANDIN), where) for text in texts[1:])
    except CuratorError:
        return None
    try:
        base = block.replace(texts.base, "\n".join(_STANDIN), where)
    except CuratorError:
        base = texts.base
    return Three(base, ours, theirs)


def filled(text: str, body: str) -> str | None:
    """A merged text with *body* as its block; None where the block did not come through whole."""
    lines = text.split("\n")
    bare = [line.removesuffix("\r") for line in lines]
    if bare.count(_STANDIN[0]) != 1:
        return None
    at = bare.index(_STANDIN[0])
    if tuple(bare[at : at + len(_STANDIN)]) != _STANDIN:
        return None
    newline = "\r" if lines[at].endswith("\r") else ""
    inner = [line + newline for line in body.split("\n")] if body else []
    return "\n".join([*lines[:at], *inner, *lines[at + len(_STANDIN) :]])


def body(texts: Three, where: str, size: int) -> tuple[str, bool]:
    """The block where nobody knows the entries of both sides, and whether it is settled.

    A side that left the block alone gives way. Where both changed it, both
    stand between conflict markers of *size* characters: neither is right.
    """
    ours, theirs = block.body(texts.ours, where), block.body(texts.theirs, where)
    base = block.body(texts.base, where) if block.present(texts.base) else ""
    if ours == theirs or theirs == base:
        return ours, True
    if ours == base:
        return theirs, True
    marks = ("<" * size + " ours", ours, "=" * size, theirs, ">" * size + " theirs")
    return "\n".join(part for part in marks if part), False


def trees(
    base: Mapping[str, T], ours: Mapping[str, T], theirs: Mapping[str, T]
) -> tuple[dict[str, T], tuple[str, ...]]:
    """Two trees on a common one, path by path: what is settled, and the paths that both sides changed differently.

    Renames are a path gone and a path new: a file that one side renamed and
    the other changed is among the unsettled.
    """
    settled: dict[str, T] = {}
    open_ones: list[str] = []
    for path in sorted({*base, *ours, *theirs}):
        was, mine, other = base.get(path), ours.get(path), theirs.get(path)
        if mine != other and was not in (mine, other):
            open_ones.append(path)
            continue
        chosen = mine if other in (was, mine) else other
        if chosen is not None:
            settled[path] = chosen
    return settled, tuple(open_ones)
