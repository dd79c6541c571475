"""Files that carry a block: the form that each agent wants of one, and one more of them in the settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from curator.core import document, quoting, settings
from curator.errors import CuratorError
from curator.model import Config, Target

NESTED = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
"""Names that agents look for in every folder: one below the root speaks about its folder."""

_ABOUT = "Memories of this repository (curator)"
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<keys>.*?)^---[ \t]*\r?$", re.S | re.M)


def made(path: str, scope: str = "") -> Target:
    """A target of that path: about *scope*, else about the folder that its name says."""
    folder, _, name = path.rpartition("/")
    folder = folder.removesuffix(".claude").rstrip("/") if name == "CLAUDE.md" else folder
    own = folder if name in NESTED else ""
    reach = scope.strip("/") if scope not in {"", "."} else own
    return Target(path, f"{reach}/" if reach else "")


def refuse_other(target: Target) -> None:
    """Raise for a file in which the two markers, which are HTML comments, would be no comments."""
    name = target.path.rpartition("/")[2]
    if not (name.endswith((".md", ".mdc", ".markdown", ".txt")) or (name.startswith(".") and name.endswith("rules"))):
        hint = "name a Markdown file, such as AGENTS.md; docs/agents.md of curator's repository lists what agents read"
        raise CuratorError(
            "is no Markdown file, so the markers of a block would break it", where=target.path, hint=hint
        )


def unfounded(target: Target, tracked: Iterable[str], others: Collection[str]) -> str:
    """That nothing is in the folder that a target is about; "" where something is. *others*: paths of all targets."""
    if not target.scope or any(path.startswith(target.scope) and path not in others for path in tracked):
        return ""
    return f"git tracks nothing in {target.scope}, and the block of {target.path} is about that folder"


def front(target: Target) -> str:
    """What a new file needs above its block so that the agent reads it: front matter, "" for none."""
    if _is_cursor(target.path):
        when = f"globs: {target.scope}**\nalwaysApply: false" if target.scope else "alwaysApply: true"
        return f"---\ndescription: {_ABOUT}\n{when}\n---\n\n"
    if _is_rule(target.path) and target.scope:
        return f"---\npaths:\n  - {quoting.quoted(f'{target.scope}**')}\n---\n\n"
    return ""


def unread(target: Target, text: str) -> tuple[str, str]:
    """Why the agent does not read the block of this file when it should, and the way out; "" where all is well."""
    found = _FRONT.match(text)
    keys = set(
        re.findall(r"^(\w+)[ \t]*:(?![ \t]*(?:false)?[ \t]*\r?$(?!\n[ \t]))", found["keys"] if found else "", re.M)
    )
    if _is_cursor(target.path) and not keys & {"alwaysApply", "globs"}:
        return f"Cursor reads {target.path} only when its agent asks for it", "put `alwaysApply: true` in front of it"
    if _is_rule(target.path) and target.scope and "paths" not in keys:
        glob = f"{target.scope}**"
        return f"Claude Code reads {target.path} in every session", f'put `paths: ["{glob}"]` in front of it'
    if _is_rule(target.path) and not target.scope and "paths" in keys:
        return f"Claude Code reads {target.path} only beside some files", "take `paths` out of its front matter"
    return "", ""


def _is_cursor(path: str) -> bool:
    return path.endswith(".mdc") and ".cursor/rules/" in path


def _is_rule(path: str) -> bool:
    return path.endswith(".md") and ".claude/rules/" in path


def enlisted(text: str, config: Config, more: Sequence[Target], where: str) -> str:
    """The settings in *text*, which are *config*, with *more* targets at the end of the list; all else as it was.

    Where none were named, the one that holds by default is written too. CuratorError where the layout leaves no room.
    """
    if not more:
        return text
    _refuse_misnamed(more, where)
    mark, body, found, newline = _opened(text, where)
    node = found[1] if found else None
    if not found:
        body += _lines("targets:", (*config.targets, *more), "  ", newline)
    elif isinstance(node, document.Sequence) and node.flow:
        listed = ", ".join(f"{{{', '.join(_pairs(one))}}}" for one in more)
        at = node.end - 1
        body = f"{body[:at].rstrip()}{', ' if node.items else ''}{listed}{body[at:]}"
    elif isinstance(node, document.Sequence):
        body = _below(body, node, more, newline)
    if not _says(mark + body, (*config.targets, *more)):
        lines = "; ".join(f"`- {{{', '.join(_pairs(one))}}}`" for one in more)
        raise CuratorError(
            "`targets` is written in a form that curator cannot add to", where=where, hint=f"add {lines}"
        )
    return mark + body


def dismissed(text: str, config: Config, gone: Collection[str], where: str) -> str:
    """The settings in *text*, which are *config*, without the targets of those paths; all else as it was.

    CuratorError where the layout leaves no room.
    """
    kept = tuple(one for one in config.targets if one.path not in gone)
    if kept == config.targets:
        return text
    mark, body, found, newline = _opened(text, where)
    node = found[1] if found else None
    if not found:
        body += _lines("targets:", kept, "  ", newline) if kept else f"targets: []{newline}"
    elif isinstance(node, document.Sequence) and not kept:
        head = body[: found[0].end]
        body = f"{head}: []{body[node.end :] if node.flow else newline + body[_after(body, node.items[-1].end) :]}"
    elif isinstance(node, document.Sequence):
        body = _thinned(body, node, gone)
    if not _says(mark + body, kept):
        raise CuratorError(
            "`targets` is written in a form that curator cannot take from",
            where=where,
            hint=f"take {', '.join(sorted(gone))} out of `targets` by hand, then run this again",
        )
    return mark + body


class _Opened(NamedTuple):
    """Settings apart from a byte order mark, the key and value of `targets`, and the newline of new lines.

    Without `targets` the body ends in a newline.
    """

    mark: str
    body: str
    found: tuple[document.Scalar, document.Node] | None
    newline: str


def _opened(text: str, where: str) -> _Opened:
    body = text.removeprefix("\ufeff")
    newline = "\r\n" if "\r\n" in body else "\n"
    found = document.parse(body, where, blank=True).find("targets")
    gap = newline if not found and body and not body.endswith("\n") else ""
    return _Opened(text[: len(text) - len(body)], body + gap, found, newline)


def _thinned(text: str, node: document.Sequence, gone: Collection[str]) -> str:
    """The text without the items of a list that name one of the paths."""
    for number, item in reversed(list(enumerate(node.items))):
        path = item.find("path") if isinstance(item, document.Mapping) else None
        if not (path and isinstance(path[1], document.Scalar) and path[1].text in gone):
            continue
        if not node.flow:
            start = text.rfind("\n", 0, text.rfind("-", 0, item.start)) + 1
            text = text[:start] + text[_after(text, item.end) :]
        elif number:
            text = text[: node.items[number - 1].end] + text[item.end :]
        else:
            text = text[: item.start] + text[node.items[1].start :]
    return text


def _after(text: str, end: int) -> int:
    """Where the line behind that of a node begins which ends at *end*."""
    return text.find("\n", end - 1) + 1 or len(text)


def _refuse_misnamed(more: Sequence[Target], where: str) -> None:
    """Raise for a path or a folder that no settings may name."""
    try:
        settings.read(_lines("targets:", more, "  ", "\n").encode("utf-8", "surrogateescape"), where)
    except CuratorError as error:
        raise CuratorError(error.message, hint=error.hint) from None


def _below(text: str, node: document.Sequence, more: Iterable[Target], newline: str) -> str:
    """The text with lines behind the last item of a list that has a line for each."""
    first = node.items[0].start
    dash = text.rfind("-", 0, first)
    indent = text[text.rfind("\n", 0, dash) + 1 : dash]
    end = text.find("\n", node.items[-1].end - 1) + 1
    gap = "" if end else newline
    end = end or len(text)
    return f"{text[:end]}{gap}{_lines('', more, indent, newline)}{text[end:]}"


def _lines(head: str, more: Iterable[Target], indent: str, newline: str) -> str:
    lines = [head] if head else []
    for one in more:
        first, *rest = _pairs(one)
        lines += [f"{indent}- {first}", *(f"{indent}  {pair}" for pair in rest)]
    return "".join(f"{line}{newline}" for line in lines)


def _pairs(target: Target) -> list[str]:
    scope = [f"scope: {quoting.inline(target.scope)}"] if target.scope else []
    return [f"path: {quoting.inline(target.path)}", *scope]


def _says(text: str, targets: Sequence[Target]) -> bool:
    try:
        said = settings.read(text.encode("utf-8", "surrogateescape")).targets
    except CuratorError:
        return False
    return [(one.path, one.scope) for one in said] == [(one.path, one.scope) for one in targets]
