"""The entries taken together: which one a name means, and what is wrong between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from curator.core import printable
from curator.errors import CuratorError
from curator.model import Entry, Fault, Finding


def named(entries: Sequence[Entry], wanted: str) -> Entry:
    """The entry that *wanted* names: its id, its file, or an unambiguous beginning or end of its id."""
    found = fitting(entries, wanted)
    if len(found) == 1:
        return found[0]
    if found:
        exact = wanted in {found[0].id, found[0].path}
        listed = ", ".join(sorted(entry.path if exact else entry.id for entry in found)[:5])
        raise CuratorError(f"{wanted!r} fits {len(found)} memories", hint=f"say which: {listed}")
    near = _near(entries, wanted)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    hint = f"{meant}`curator list` shows every id, `curator recall` searches"
    raise CuratorError(f"no memory {wanted!r}", hint=hint)


_MOST_COMPARED = 2000  # ids; in more a slip of the pen is not looked for


def _near(entries: Iterable[Entry], wanted: str) -> list[str]:
    """Up to three ids that look like *wanted*."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a name that means nothing

    ids = [entry.id for entry in entries]
    holding = [one for one in ids if len(wanted) > 2 and wanted.lower() in one]
    return holding[:3] or (get_close_matches(wanted, ids, 3) if len(ids) <= _MOST_COMPARED else [])


def fitting(entries: Iterable[Entry], wanted: str) -> tuple[Entry, ...]:
    """Those that *wanted* may name: by id or file, and only where none has it so, by a beginning or end of the id."""
    known = tuple(entries)
    exact = tuple(entry for entry in known if wanted in {entry.id, entry.path})
    if exact or not wanted:
        return exact
    return tuple(entry for entry in known if entry.id.startswith(wanted) or entry.id.endswith(f"-{wanted}"))


def known_category(name: str, categories: Sequence[str]) -> None:
    """Raise when a search or a list is narrowed to a category that does not exist; "" is all of them."""
    if name and name not in categories:
        raise CuratorError(f"no category {name!r}", hint=f"there are: {', '.join(categories)}")


def findings(entries: Sequence[Entry]) -> tuple[Finding, ...]:
    """Doubled ids and keys, ids that differ only in case, broken and circular replacements."""
    return (
        *_doubled(entries, lambda entry: entry.id.lower(), "id"),
        *_doubled(entries, lambda entry: entry.origin.key, "key"),
        *_unknown(entries),
        *_circles(entries),
    )


def colliding(paths: Iterable[str]) -> Iterator[Finding]:
    """Files whose names differ only in case: macOS and Windows check out one of them."""
    first: dict[str, str] = {}
    for path in sorted(paths):
        earlier = first.setdefault(path.casefold(), path)
        if earlier != path:
            hint = f"rename one: `git mv {printable.word(path)} ...`"
            yield Finding(Fault.DUPLICATE, path, f"differs from {earlier} only in case", hint)


def unknown(entry: Entry, entries: Iterable[Entry], tracked: Iterable[str]) -> Iterator[str]:
    """Names in a new entry that may be slips of the pen: nothing is wrong with it, only nothing will come of them."""
    known = {one.id for one in entries}
    yield from (f"supersedes {old}, which is not here" for old in entry.supersedes if old not in known)
    if entry.scope and not any(path.startswith(entry.scope) for path in tracked):
        yield f"no tracked file below {entry.scope}"


def _doubled(entries: Sequence[Entry], name: Callable[[Entry], str], what: str) -> Iterator[Finding]:
    first: dict[str, Entry] = {}
    for entry in entries:
        value = name(entry)
        earlier = first.setdefault(value, entry) if value else entry
        if earlier is not entry:
            yield Finding(
                Fault.DUPLICATE,
                entry.path,
                f"the same {what} {value} as {earlier.path}",
                f"keep one: `git rm {printable.word(entry.path)}`, or give it another id"
                if what == "id"
                else f"keep one: `git rm {printable.word(entry.path)}`",
                entry.id,
            )


def _unknown(entries: Sequence[Entry]) -> Iterator[Finding]:
    known = {entry.id for entry in entries}
    for entry in entries:
        for old in entry.supersedes:
            if old not in known:
                yield Finding(Fault.SUSPECT, entry.path, f"supersedes {old}, which is not here", "", entry.id)


def _circles(entries: Sequence[Entry]) -> Iterator[Finding]:
    replaced = {entry.id: entry.supersedes for entry in entries if entry.supersedes}
    for entry in entries:
        if entry.supersedes and entry.id in _reachable(replaced, entry.supersedes):
            yield Finding(
                Fault.INVALID,
                entry.path,
                "supersedes itself, through other entries or directly",
                "break the circle",
                entry.id,
            )


def _reachable(replaced: dict[str, tuple[str, ...]], start: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(replaced.get(name, ()))
    return seen
