"""The files that a new entry cites or could cite, as the index holds them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping

from curator.core import harvest, mention, printable, symbols
from curator.core.harvest import File
from curator.edge import grep, places
from curator.edge.plumbing import Tracked
from curator.errors import CuratorError
from curator.model import Source, Workspace

_MOST_HOLDERS = 200  # files that hold a name; in more it is no name of one place


def files(workspace: Workspace, tree: Mapping[str, Tracked], paths: Iterable[str]) -> dict[str, File]:
    """Those of *paths* that *tree* tracks, with their texts: one process, and one more for each step of links.

    A link stands for the file it leads to in *tree*. One that leads nowhere or outside has no text; nor has a path in a
    submodule, whose blob is the commit that the submodule is at.
    """
    found = places.find(workspace, tree, paths)
    facts = {path: place.file or tree.get(path) for path, place in found.items()}
    blobs = {path: file.blob for path, file in facts.items() if file}
    texts = places.texts(
        workspace, (blobs[path] for path, place in found.items() if place.file and not place.submodule)
    )
    return {path: File(blob, texts.get(blob)) for path, blob in blobs.items()}


def definers(workspace: Workspace, tree: Mapping[str, Tracked], text: str) -> tuple[Source, ...]:
    """The names in *text* that exactly one file of *tree* defines, each with that file; tests and examples apart."""
    return defined(workspace, tree, (text,))(text)


def defined(
    workspace: Workspace, tree: Mapping[str, Tracked], texts: Iterable[str], at: str = ""
) -> Callable[[str], tuple[Source, ...]]:
    """The same for each of many *texts*, all of whose names are looked for together; *tree* may be that of *at*."""
    names = dict.fromkeys(name for text in texts for name in mention.symbols(text))
    try:
        held = grep.files(workspace, names, at=at, most=_MOST_HOLDERS, known=tree) if names else {}
    except CuratorError:
        held = {}  # a partial clone without its files: nothing is proposed, and entries are written all the same
    holders = {
        name: [path for path in paths if mention.is_definer(path)]
        for name, paths in held.items()
        if len(paths) < _MOST_HOLDERS
    }
    read = files(workspace, tree, {path for paths in holders.values() for path in paths})
    homes: dict[str, Source] = {}
    for name, paths in holders.items():
        defining = [path for path in paths if symbols.defines(path, read[path].readable or "", name)]
        if len(defining) == 1:
            homes[name] = Source(defining[0], name)
    return lambda text: tuple(homes[name] for name in mention.symbols(text) if name in homes)


Naming = Callable[[str, str, Collection[str]], tuple[tuple[Source, File], ...]]
"""From a statement, its scope and the paths it cites already to what it names besides, each with its file."""


def naming(workspace: Workspace, tree: Mapping[str, Tracked], texts: Iterable[str], *, at: str = "") -> Naming:
    """How to find the sources that statements name themselves: files, then names that one file alone defines.

    *tree* is the index, or that of the commit *at*. The names of all *texts* are looked for together; nothing is found
    for a statement that is not among them.
    """
    said = tuple(texts)
    known = mention.paths(tree)
    definers = defined(workspace, tree, said, at)
    likely = {one.path for text in said for one in (*mention.sources(text, known, ""), *definers(text))}
    held = files(workspace, tree, likely)

    def named(text: str, scope: str, given: Collection[str]) -> tuple[tuple[Source, File], ...]:
        homes: dict[str, Source] = {}
        for one in definers(text):
            homes.setdefault(one.path, one)
        every = {one.path: one for one in mention.sources(text, known, scope)}
        every = {path: homes.pop(path, one) if not one.symbol else one for path, one in every.items()} | homes
        wanted = [one for path, one in every.items() if path not in given and mention.is_proposable(text, path)]
        chosen = wanted[: max(0, mention.MOST - len(given))]
        missing = [one.path for one in chosen if one.path not in held]  # those that a scope leads to
        read = held | files(workspace, tree, missing) if missing else held
        return tuple((harvest.fitting(one, read[one.path]), read[one.path]) for one in chosen if one.path in read)

    return named


def only_here(
    workspace: Workspace, here: Mapping[str, Tracked], there: Mapping[str, Tracked], sources: Iterable[Source]
) -> frozenset[Source]:
    """Those of *sources* that hold in the files of one tree, and not in those of the other."""
    listed = frozenset(sources)
    paths = {source.path for source in listed}
    mine, theirs = files(workspace, here, paths), files(workspace, there, paths)
    return frozenset(
        one for one in listed if harvest.holds(one, mine.get(one.path)) and not harvest.holds(one, theirs.get(one.path))
    )


def refuse_untracked(sources: Iterable[Source], known: Container[str], tree: Iterable[str]) -> None:
    """Raise for a source that is none of *known*: a folder, or not tracked."""
    for source in sources:
        if source.path in known:
            continue
        if any(path.startswith(source.path.rstrip("/") + "/") for path in tree):
            hint = "name a file in it, or use `--scope` for a whole folder"
            raise CuratorError("a folder cannot be a source", where=source.path, hint=hint)
        near = places.alike(frozenset(tree), source.path)
        found = f"did you mean {near}? Else `git add" if near else "check the path, or `git add"
        raise CuratorError("not a tracked file", where=source.path, hint=f"{found} {printable.word(source.path)}`")
