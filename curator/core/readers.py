"""What other agents than Claude Code make of curator here: their files, the block they read, and what it costs them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from curator.core import block, targets, tokens
from curator.core.diagnosis import FAIL, OK, WARN, Check
from curator.errors import CuratorError
from curator.model import Target

NAMES = {"mcp": "Claude Code", "opencode": "OpenCode", "codex": "Codex", "kimi": "Kimi Code"}
READING = {"opencode": ("AGENTS.md", "CLAUDE.md"), "codex": ("AGENTS.md",), "kimi": ("AGENTS.md",)}
"""The instruction files of each client; of several that are there it reads the first."""
WANTED = {"mcp": {"MCP server"}, "opencode": {"MCP server", "plugin"}, "codex": {"MCP server", "hook"}}
CODEX_BYTES = 32_768
"""What Codex reads of instruction files where `project_doc_max_bytes` says nothing else."""


class Told(NamedTuple):
    """What one file says of curator: *missing* is a program that it names and that cannot be started.

    *old*: a plugin of another version; *absolute*: it names a path of this machine.
    """

    path: str
    what: str
    missing: str = ""
    old: bool = False
    absolute: bool = False


def client(name: str, told: Sequence[Told], *, serves: bool, tracked: Collection[str] = ()) -> Iterator[Check]:
    """A client that is set up here; no line for one that is not.

    *serves*: the package is there that `curator mcp` needs; *tracked*: files with a path of this machine in git.
    """
    again = f"`curator init --{name}`"
    for one in told:
        yield from _file(name, one, again, tracked=one.path in tracked)
    lacking = WANTED.get(name, {"MCP server", "hook"}) - {one.what for one in told}
    if told and lacking:
        yield Check(name, WARN, f"{NAMES[name]} has no {' and no '.join(sorted(lacking))} of curator's here", again)
    elif told and not any(one.missing or one.old for one in told):
        yield Check(name, OK, ", ".join(f"{one.what} in {one.path}" for one in told))
    if not serves and any(one.what == "MCP server" for one in told):
        yield Check(name, WARN, "`curator mcp` needs a package that is not installed", "`pip install 'curator[mcp]'`")


def _file(name: str, one: Told, again: str, *, tracked: bool) -> Iterator[Check]:
    if one.missing:
        yield Check(name, FAIL, f"{one.path} starts {one.missing}, which is not there", again)
    if one.old:
        yield Check(name, WARN, f"{one.path} is of another curator than this", again)
    if tracked:
        fix = f"`curator init --{name} --team` writes a form to commit"
        yield Check(name, WARN, f"{one.path} is tracked and names a path of this machine", fix)


def unread(names: Iterable[str], wanted: Iterable[Target], present: Collection[str]) -> dict[str, list[str]]:
    """The files that clients which are set up here read and where no block is, each with the clients' names.

    *present*: instruction files at the root.
    """
    paths = {one.path for one in wanted}
    found: dict[str, list[str]] = {}
    for name in names:
        reading = READING.get(name, ())
        first = next((path for path in reading if path in present), reading[0] if reading else "")
        if first and first not in paths:
            found.setdefault(first, []).append(NAMES[name])
    return found


def unread_told(path: str, names: Sequence[str]) -> tuple[str, str]:
    """That these clients read a file where no block is, and the way out."""
    several = f"{', '.join(names[:-1])} and {names[-1]} read" if len(names) > 1 else f"{names[0]} reads"
    return f"{several} {path}, where no block is", f"`curator init --target {path}`"


def costs(wanted: Iterable[Target], texts: Mapping[str, str], limit: int) -> Iterator[Check]:
    """What AGENTS.md costs those who read it as it is: the bytes that Codex takes, and the tokens of the markers."""
    for path in (one.path for one in wanted if one.path.rpartition("/")[2] == "AGENTS.md"):
        text = texts.get(path, "")
        above = [f"{folder}AGENTS.md" for folder in _above(path)]
        before = sum(_bytes(texts.get(one, "")) for one in above)
        end = before + _end(text, path)
        size = before + _bytes(text)
        with_those = f" with {', '.join(one for one in above if texts.get(one))}" if before else ""
        if end > limit:
            told = f"Codex reads {limit} bytes, and the block of {path} ends at byte {end}{with_those}: it is cut"
            yield Check("codex", WARN, told, "move the block up, shorten the file, or raise `project_doc_max_bytes`")
        elif size > limit:
            told = f"Codex reads {limit} bytes of {size} in {path}{with_those}; the block is among them"
            yield Check("codex", WARN, told, "shorten the file, or raise `project_doc_max_bytes`")
        else:
            price = tokens.estimate(f"{block.START}\n{block.END}\n")
            told = f"{path}: {size} of the {limit} bytes that Codex reads{with_those}"
            yield Check("markers", OK, f"{told}; its two markers cost {price} tokens, in Claude Code none")


def misplaced(wanted: Iterable[Target], texts: Mapping[str, str]) -> Iterator[Check]:
    """Rule files whose front matter keeps their block from being read when it should."""
    for one in wanted:
        told, fix = targets.unread(one, texts.get(one.path, ""))
        if told:
            yield Check("instructions", WARN, told, fix)


def _above(path: str) -> list[str]:
    """The folders above that of a file, from the root, which is "", down, each with a slash; of the root none."""
    parts = path.split("/")[:-1]
    return ["", *(f"{'/'.join(parts[:number])}/" for number in range(1, len(parts)))] if parts else []


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _end(text: str, path: str) -> int:
    """Where the block ends, in bytes; 0 where there is no sound one."""
    try:
        span = block.find(text, path)
    except CuratorError:
        return 0
    return _bytes("\n".join(text.split("\n")[: span.end + 1]))
