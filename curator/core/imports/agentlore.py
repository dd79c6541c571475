"""agentlore's `.memory/*.md`: headings with a comment of keys behind each, and a body (agentlore 0.9.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.core.imports import item, notes
from curator.core.imports.item import Document, Item

FILES = {
    "decisions.md": "decision",
    "dead-ends.md": "dead-end",
    "conventions.md": "convention",
    "hazards.md": "constraint",
}
"""Its files, with what stands in each."""
MARK = "<!-- agentlore"

_HEADING = re.compile(r"^##[ \t]+(.*)$", re.M)
_KEYS = re.compile(r"<!--\s*agentlore\b")
_SETTLED = " (settled)"


def is_ours(document: Document) -> bool:
    """Whether a file is one of agentlore's, by a comment of its keys or by its name."""
    return MARK in document.text or document.path.rpartition("/")[2] in FILES


def read(document: Document) -> tuple[Item, ...]:
    """The memories of one file; of another tool's or of a person's what a note says."""
    return tuple(_entries(document)) if is_ours(document) else notes.read(document)


def _entries(document: Document) -> Iterator[Item]:
    text = document.text.replace("\r\n", "\n")
    heads = list(_HEADING.finditer(text))
    starts = [one.start() for one in heads]
    ends = [*starts[1:], len(text)] if starts else []
    name = document.path.rpartition("/")[2]
    line, counted = 1, 0
    for head, end in zip(heads, ends, strict=True):
        line, counted = line + text.count("\n", counted, head.start()), head.start()
        keys, body = _cut(text[head.end() : end])
        where = f"{document.path}:{line}"
        title = head[1].strip().removesuffix(_SETTLED)
        left = "its comment of keys has no end: half written" if keys is None else ""
        keys = keys or {}
        left = left or item.ended(keys.get("status", ""))
        left = left or ("its store says that it is settled" if keys.get("resolved_by") else "")
        said, why = _told(title, body, keys)
        anchors = item.words(keys.get("anchors", "").replace(" ", ","))
        kind = keys.get("type", "") or FILES.get(name, "")
        yield Item(
            text=said,
            where=where,
            kind="constraint" if kind == "hazard" else kind,
            headings=(title,),
            why=why,
            paths=tuple(one for one in anchors if not re.search(r"[*?\[]", one)),
            created=item.moment(keys.get("created")) or document.changed,
            same=keys.get("id", ""),
            left=left,
        )


def _cut(rest: str) -> tuple[dict[str, str] | None, str]:
    """The keys of the comment behind a heading, None where it has no end, and the body without it."""
    mark = _KEYS.search(rest)
    if mark is None:
        return {}, rest.strip()
    end = rest.find("-->", mark.end())
    if end < 0:
        return None, rest.strip()
    return _keys(rest[mark.end() : end]), (rest[: mark.start()] + rest[end + 3 :]).strip()


def _keys(comment: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in comment.split("\n"))
    return {key.strip(): value.strip() for key, mark, value in pairs if mark and not key.lstrip().startswith("#")}


def _told(title: str, body: str, keys: dict[str, str]) -> tuple[str, str]:
    """A memory's text and its reason: the body goes to the reason where both are too long for one text."""
    proof = f"Evidence: {keys['evidence']}" if keys.get("evidence") else ""
    sentence = title if re.search(r"[.!?]$", title) or not title else f"{title}."
    whole = f"{sentence}\n\n{body}".strip()
    if len(whole) <= item.WHOLE or not body:
        return whole, proof
    return (sentence, f"{body}\n\n{proof}".strip()) if len(body) + len(proof) < item.REASON else (whole, proof)
