"""Edits as a patch that `git apply` takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import SequenceMatcher

from curator.outcome import Edit

_CONTEXT = 3
_UNENDED = "\\ No newline at end of file\n"


def written(edits: Iterable[Edit], *, gone: Collection[str] = ()) -> str:
    """The patch of all edits that change something; of two for one file, the first. *gone*: files that are removed."""
    first: dict[str, Edit] = {}
    for edit in edits:
        first.setdefault(edit.path, edit)
    return "".join(line for edit in first.values() if edit.changes for line in _file(edit, edit.path in gone))


def parts(before: str, after: str) -> Iterator[str]:
    """What is put in and taken out, a line each, and nothing that stays: of a changed line only what differs in it."""
    old, new = _lines(before), _lines(after)
    for kind, low, high, start, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        gone, come = "".join(old[low:high]), "".join(new[start:stop])
        head = _shared(gone, come)
        tail = _shared(gone[head:][::-1], come[head:][::-1])
        for sign, text in (("-", gone[head : len(gone) - tail]), ("+", come[head : len(come) - tail])):
            yield from (f"{sign}{line}" for line in text.strip("\r\n").split("\n") if text.strip())


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _file(edit: Edit, gone: bool) -> Iterator[str]:
    old, new = _name(f"a/{edit.path}"), _name(f"b/{edit.path}")
    yield f"diff --git {old} {new}\n"
    end = "\t" if " " in edit.path and not old.startswith('"') else ""  # where the name ends, as git says it
    before, after = _lines(edit.before or ""), [] if gone else _lines(edit.after)
    if edit.before is None:
        yield "new file mode 100644\n"
    elif gone:
        yield "deleted file mode 100644\n"
    if before or after:  # an empty file has no lines to name it for
        yield "--- /dev/null\n" if edit.before is None else f"--- {old}{end}\n"
        yield "+++ /dev/null\n" if gone else f"+++ {new}{end}\n"
    yield from _hunks(before, after)


def _hunks(before: list[str], after: list[str]) -> Iterator[str]:
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_span(first[1], last[2])} +{_span(first[3], last[4])} @@\n"
        for kind, low, high, start, stop in group:
            if kind == "equal":
                yield from _marked(" ", before[low:high])
                continue
            yield from _marked("-", before[low:high])
            yield from _marked("+", after[start:stop])


def _marked(sign: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"{sign}{line}"
        if not line.endswith("\n"):
            yield f"\n{_UNENDED}"


def _span(start: int, stop: int) -> str:
    """Lines of a hunk: the first, counted from 1, and how many; an empty one stands after a line."""
    count = stop - start
    return f"{start + bool(count)},{count}"


def _lines(text: str) -> list[str]:
    """Lines with their line breaks."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]


def _name(path: str) -> str:
    r"""A path as git writes it in a patch: between quotes, with escapes, when a character would mislead."""
    if not any(ord(letter) < 0x20 or letter in '"\\\x7f' for letter in path):
        return path
    quoted = "".join(f"\\{ord(one):03o}" if ord(one) < 0x20 or one in '"\\\x7f' else one for one in path)
    return f'"{quoted}"'
