"""Which tracked files hold a term: one `git grep` proposes them, their blobs decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from curator.core import terms as rules
from curator.edge import plumbing
from curator.edge.plumbing import Tracked
from curator.model import Workspace

MOST = 100
"""Files of one term that are told. As many as this means: it is all over the repository."""

_TRIED = 4  # times as many files are read at most, where git's idea of a word is the wider one
_FEW = 500  # files that differ from the index and are read one by one; with more, git greps the index itself
_PLAIN = 8  # terms up to which single expressions beat one of alternatives
_BATCH = 256  # blobs held at once
_FOUND = re.compile(rb"([^\0]+)\0([^\n]*)\n")
_RUN = re.compile(r"[A-Za-z0-9_]+")
_OTHER = re.compile(r"[^A-Za-z0-9_]")
_BOUNDARY = re.compile(r"[^A-Za-z0-9_](?=.)")
_SPECIAL = frozenset(".[]*$+?(){}|")
_OPTIONS = (
    *("-E", "-w", "-o", "-I", "-z", "-f", "-", "--full-name", "--no-color", "--no-line-number", "--no-column"),
    *("--no-recurse-submodules", "--no-textconv"),
)


def files(
    workspace: Workspace,
    terms: Iterable[str],
    *,
    at: str = "",
    but: Collection[str] = (),
    most: int = MOST,
    known: Mapping[str, Tracked] | None = None,
) -> dict[str, tuple[str, ...]]:
    """For each term the tracked files that hold it as a whole word, sorted, *most* of them at most.

    Looks at the content of the index, or of the tree-ish *at*; *known* are the files of that tree where the caller has
    read it already. *but* are paths that do not count. Binary files, links and submodules hold nothing.
    """
    asked = tuple(terms)
    wanted = sorted({term for term in asked if term and not {"\n", "\0"} & set(term)})
    if not wanted:
        return dict.fromkeys(asked, ())
    tree = known if known is not None else (plumbing.tree(workspace, at) if at else plumbing.index(workspace)).files
    likely = _likely(workspace, wanted, plumbing.tree_id(workspace, at)) if at else _in_index(workspace, wanted)
    skipped = set(but)
    tried: dict[str, list[str]] = {}
    for term in wanted:
        regular = (path for path in sorted(likely.get(term, ())) if path not in skipped and _is_text(tree.get(path)))
        tried[term] = list(islice(regular, _TRIED * most))
    held = _verified(workspace, tried, tree, most)
    return {term: tuple(held.get(term, ())) for term in asked}


def _is_text(file: Tracked | None) -> bool:
    return file is not None and file.mode.startswith("100")


def _verified(
    workspace: Workspace, tried: Mapping[str, list[str]], tree: Mapping[str, Tracked], most: int
) -> dict[str, list[str]]:
    """The paths of each term whose blob holds it as `terms.holds` means it: `$` and dashes belong to a word there."""
    asked: dict[str, list[str]] = {}
    for term, paths in tried.items():
        for path in paths:
            asked.setdefault(path, []).append(term)
    held: dict[str, list[str]] = {term: [] for term in tried}
    left = sorted(asked)
    while left:
        paths, left = left[:_BATCH], left[_BATCH:]
        blobs = plumbing.contents(workspace, (tree[path].blob for path in paths))
        for path in paths:
            text = blobs.get(tree[path].blob, b"").decode("utf-8", "surrogateescape")
            for term in asked[path]:
                if len(held[term]) < most and rules.holds(text, term):
                    held[term].append(path)
        left = [path for path in left if any(len(held[term]) < most for term in asked[path])]
    return held


def _in_index(workspace: Workspace, wanted: Sequence[str]) -> dict[str, set[str]]:
    """Files that may hold a term in the index.

    The work tree answers four times as fast as the index, whose blobs must be unpacked. Files that differ there, or
    are not checked out, stay candidates for every term.
    """
    differing = _differing(workspace)
    if len(differing) > _FEW:
        return _likely(workspace, wanted, "--cached")
    likely = _likely(workspace, wanted)
    return {term: likely.get(term, set()) | differing for term in wanted}


def _differing(workspace: Workspace) -> set[str]:
    listed = plumbing.git(workspace, "ls-files", "-t", "-c", "-m", "-d", "-z").split(b"\0")
    return {line[2:].decode("utf-8", "surrogateescape") for line in listed if line[:1] in b"SCR" and line}


def _likely(workspace: Workspace, wanted: Sequence[str], where: str = "") -> dict[str, set[str]]:
    """The files in which git finds each term as what it calls a word."""
    stdin = "".join(f"{'|'.join(map(_expression, group))}\n" for group in _groups(wanted))
    arguments = ("grep", *_OPTIONS, *([where] if where else []), "--")
    output = plumbing.git(workspace, *arguments, stdin=stdin.encode("utf-8", "surrogateescape"), ok=(0, 1))
    prefix = f"{where}:" if where and where != "--cached" else ""
    likely: dict[str, set[str]] = {}
    known = _Terms(wanted)
    meant: dict[bytes, tuple[str, ...]] = {}
    for path, match in {found.groups() for found in _FOUND.finditer(output)}:
        if match not in meant:
            meant[match] = tuple(known.hidden(match.decode("utf-8", "surrogateescape")))
        name = path.decode("utf-8", "surrogateescape").removeprefix(prefix)
        for term in meant[match]:
            likely.setdefault(term, set()).add(name)
    return likely


def _groups(wanted: Sequence[str]) -> list[list[str]]:
    """Terms that one expression may look for: it takes the longest match, which must not be tried instead of a word.

    In `foo-bar` it would try `foo-b` and never `foo`, so these two stand apart. A few terms are looked for one by one:
    git then knows them for plain strings.
    """
    if len(wanted) <= _PLAIN:
        return [[term] for term in wanted]
    groups: list[dict[str, None]] = []
    for term in wanted:  # sorted, so that a prefix comes first
        starts = [term[: found.start()] for found in _OTHER.finditer(term)]
        fits = (group for group in groups if not any(start in group for start in starts))
        group = next(fits, None)
        if group is None:
            groups.append({term: None})
        else:
            group[term] = None
    return [list(group) for group in groups]


def _expression(term: str) -> str:
    """An extended regular expression for *term* as it stands; a version may have its `v`."""
    literal = "".join(f"[{c}]" if c in _SPECIAL else f"\\{c}" if c in "\\^" else c for c in term)
    return f"[vV]?{literal}" if term[0].isdigit() and "." in term else literal


class _Terms:
    """Terms by a word of each and by their beginnings: a match is tried against those alone that it may hold."""

    def __init__(self, wanted: Sequence[str]) -> None:
        common = Counter(word for term in wanted for word in set(_RUN.findall(term)))
        self._by_word: dict[str, list[str]] = {}
        self._by_sign: dict[str, list[str]] = {}
        self._by_start: dict[str, list[str]] = {}
        for term in wanted:
            words = _RUN.findall(term)
            for key in _spellings(term, min(words, key=common.__getitem__)) if words else ():
                self._by_word.setdefault(key, []).append(term)
            if not words:
                self._by_sign.setdefault(term[0], []).append(term)
            for found in _OTHER.finditer(term, 1):
                self._by_start.setdefault(term[: found.start()], []).append(term)

    def hidden(self, match: str) -> Iterator[str]:
        """The terms that stand in *match*, or may begin in it and go on behind it, where git does not look again."""
        maybe = [self._by_word.get(word, ()) for word in dict.fromkeys(_RUN.findall(match))]
        maybe += [self._by_sign.get(sign, ()) for sign in dict.fromkeys(match)]
        yield from (term for terms in maybe for term in terms if term in match)
        tails = (match[found.end() :] for found in _BOUNDARY.finditer(match))
        yield from chain.from_iterable(self._by_start.get(tail, ()) for tail in tails)


def _spellings(term: str, word: str) -> tuple[str, ...]:
    """A *word* of a term as it may stand in a file: in that of a version with a `v` before it too."""
    return (word, f"v{word}", f"V{word}") if term[0].isdigit() and "." in term else (word,)
