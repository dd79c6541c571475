"""Markdown notes with front matter: one file a fact, or pages of rules, observations and records of decisions.

What stands here of each tool is from its own documents and files: Claude Code's auto memory (`name`, `description`,
`metadata.type`), agent-memory-git (the same, flat, with `scope` and `source`), bettermemory (`scopes`, `origin`,
`claims`), basic-memory (`- [category] observation #tag (context)` and `- relation [[note]]`), decision records after
Nygard and MADR, memory banks, and rules of Cursor and Claude Code (`globs`, `paths`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from curator.core import intake, markdown, rules
from curator.core.imports import frontmatter, item, own, records
from curator.core.imports.frontmatter import Page
from curator.core.imports.item import DONE, Document, Item
from curator.errors import CuratorError

INDEX = "MEMORY.md"
"""The index of an auto memory, which may hold facts of its own."""
FACTS = frozenset({"user", "feedback", "project", "reference"})
"""What auto memory calls its files."""

_NEUTRAL = frozenset({"note", "memory", "entity", "document", "page", "doc", "markdown", "text", "rule", "adr"})
_BY_NAME = {"decisions": "decision", "adr": "decision", "adrs": "decision", "decision": "decision"}
_DIARY = re.compile(
    r"(?:progress|active-?_?context|current-?_?(?:task|context|state|focus)|session[\w-]*|status|journal|changelog|log"
    r"|work-?log|history|(?:\d{4}-\d\d-\d\d|\d{8})|diary|handoff|hand-over)",
    re.I,
)


def read(document: Document) -> tuple[Item, ...]:
    """The statements of one note, those that are left out among them, each with its reason.

    An index that holds nothing but links has none.
    """
    if own.is_page(document.text):
        return own.page(document)
    page = frontmatter.read(document.text)
    base = _base(document, page)
    if page.torn:
        return (replace(base, left="its front matter has no end: half written"),)
    reason = item.ended(page.text("status", "state")) or ("" if not page.meta.get("removed_at") else "it was removed")
    if reason:
        return (replace(base, text=_opening(page), left=reason),)
    if base.left and not document.named:
        return _diary(document, page, base)
    found = tuple(_statements(document, page, replace(base, left="")))
    if document.path == INDEX:
        return found
    return found or (replace(base, left="there is nothing in it"),)


_LASTING = re.compile(
    r"\b(?:decisions?|decided|learnings?|lessons?|learned|insights?|patterns?|conventions?|rules|constraints?|gotchas?"
    r"|pitfalls?|preferences?|known (?:issues|problems|bugs|limitations))\b",
    re.I,
)


def _diary(document: Document, page: Page, base: Item) -> tuple[Item, ...]:
    """A file that tells what was done: what lasts of it stands under headings that say so."""
    found = tuple(_split(document, page, replace(base, left="")))
    told = [replace(one, left=one.left or base.left) if not _lasts(one) else one for one in found]
    return tuple(told) if any(map(_lasts, found)) else (replace(base, text=_opening(page)),)


def _lasts(one: Item) -> bool:
    return any(map(_LASTING.search, one.headings))


def _base(document: Document, page: Page) -> Item:
    """What holds for all that the note says."""
    inner, origin, source = page.under("metadata"), page.under("origin"), page.under("source")
    stem = document.path.rpartition("/")[2].rpartition(".")[0]
    kind = inner.get("type") or inner.get("category") or page.text("category", "type", "kind", "memory_type")
    folder = document.path.rpartition("/")[0].rpartition("/")[2].lower()
    about = origin.get("repo") or source.get("git_root") or origin.get("cwd") or source.get("cwd") or ""
    born = page.text("created", "created_at", "createdAt", "date", "modified", "updated") or inner.get("modified", "")
    session = inner.get("originSessionId") or source.get("session_id") or page.text("session_id", "session")
    return Item(
        text="",
        where=document.path,
        kind=(kind if kind.lower() not in _NEUTRAL else "") or _BY_NAME.get(folder, ""),
        importance=item.number(page.meta.get("importance", page.meta.get("priority"))),
        tags=item.words(page.meta.get("tags", page.meta.get("keywords"))),
        triggers=item.words(page.meta.get("triggers")),
        paths=_named(page),
        folders=_folders(page),
        session=session,
        created=item.moment(born) or document.changed,
        seen=item.count(page.text("corroborations", "access_count", "seen")),
        same=page.text("dedupeKey", "dedupe_key"),
        ends=item.moment(page.text("expires", "expires_at", "valid_until")),
        project="" if page.text("scope") == "global" else records.project(page.text("project") or about),
        left=DONE if _DIARY.fullmatch(stem) else "",
    )


def _named(page: Page) -> tuple[str, ...]:
    listed = [*item.words(page.meta.get("files")), *item.words(page.meta.get("verified_paths"))]
    claims = [one.partition("::")[0] for one in item.words(page.meta.get("claims"))]
    return tuple(dict.fromkeys((*listed, *item.words(page.meta.get("sources")), *claims)))


def _folders(page: Page) -> tuple[str, ...]:
    """The folders that the patterns of a rule hold for; none where one of them holds everywhere."""
    patterns = [one for name in ("globs", "paths", "applyTo") for one in item.words(page.meta.get(name))]
    if page.text("alwaysApply").lower() == "true":
        return ()
    heads = [re.split(r"[*?{\[]", one.lstrip("./"), maxsplit=1) for one in patterns]
    folders = [parts[0][: parts[0].rfind("/") + 1] for parts in heads]
    return tuple(dict.fromkeys(folders)) if all(folders) else ()


def _opening(page: Page) -> str:
    lines = (line.strip("#* \t") for line in page.body.split("\n"))
    return page.text("title", "name", "description") or next((line for line in lines if line), "")


def _statements(document: Document, page: Page, base: Item) -> Iterator[Item]:
    record = _record(page, base)
    if record:
        yield record
    elif document.path.rpartition("/")[2] == INDEX:
        yield from _split(document, page, base, index=True)
    elif _OBSERVATION.search(page.body):
        yield from _observations(page, base)
        rest = _RELATION.sub("", _OBSERVATION.sub("", page.body))
        yield from _split(document, page._replace(body=rest), base)
    elif page.meta and _is_fact(page, base):
        fact = _fact(page, base)
        if len(fact.text) > item.WHOLE and _HEADED.search(page.body):
            yield from _split(document, page, base)
        elif fact.text:
            yield fact
    else:
        yield from _split(document, page, base)


# --- One fact a file ----------------------------------------------------------------------------------------------

_HEADED = re.compile(r"^(?:#{1,6} |[-*+] |\d+[.)] )", re.M)
_TITLE = re.compile(r"\A\s*#{1,6} [^\n]*\n")
_ABOUT = re.compile(r"^\*\*(?P<name>Why|How to apply|Reason|Rationale):?\*\*:?[ \t]*", re.M | re.I)


def _is_fact(page: Page, base: Item) -> bool:
    """Whether the note is one statement: of a tool that keeps one a file, or short and without sections of its own."""
    named = base.kind.lower() in FACTS or any(name in page.meta for name in ("scopes", "schema_version", "permalink"))
    return named or (len(page.body) <= item.WHOLE and not _HEADED.search(_TITLE.sub("", page.body)))


def _fact(page: Page, base: Item) -> Item:
    """A fact with its reason apart; where both do not fit, what follows from it goes to the reason too."""
    parts = _parts(_TITLE.sub("", page.body).strip())
    lead = parts.pop("", "")
    how = parts.pop("how to apply", "")
    why = " ".join(" ".join(part.split()) for part in parts.values())
    text = "\n\n".join(part for part in (lead, how) if part)
    if len(text) > item.WHOLE and lead and len(lead) <= item.WHOLE and len(why) + len(how) < item.REASON:
        text, why = lead, f"{why} {how}".strip()
    said = text or page.text("description")
    headings = tuple(filter(None, [page.text("title")]))
    return replace(base, text=item.titled(page.text("title"), said), headings=headings, why=why)


def _parts(body: str) -> dict[str, str]:
    """The body before the first paragraph that begins with a name in bold, and each of those by its name."""
    marks = list(_ABOUT.finditer(body))
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    found = {"": body[: marks[0].start()].strip() if marks else body}
    for mark, end in zip(marks, ends, strict=False):
        found.setdefault(mark["name"].lower(), body[mark.end() : end].strip())
    return found


# --- Pages --------------------------------------------------------------------------------------------------------

_INDEXED = re.compile(r"\[[^\]]+\]\([\w ./-]+\.md\)")


def _split(document: Document, page: Page, base: Item, *, index: bool = False) -> Iterator[Item]:
    """Each statement of a page of rules; a link of an *index* only leads to another file of the folder."""
    try:
        found = rules.statements(page.body, document.path)
    except CuratorError as error:
        yield replace(base, left=error.message)
        return
    title = page.text("title") or (page.text("description") if page.text("globs", "alwaysApply") else "")
    for one in found:
        if index and _INDEXED.search(one.text):
            continue
        headings = tuple(filter(None, (title, *one.headings)))
        where = f"{document.path}:{page.first + one.first}"
        yield replace(base, text=one.text, where=where, headings=headings, left=one.kept or intake.introduces(one))


# The line ends stay, so that what is left keeps its lines.
_OBSERVATION = re.compile(r"^[ \t]*[-*] \[(?P<kind>[A-Za-z][\w -]{1,40})\] (?P<text>\S.*)$", re.M)
_RELATION = re.compile(r"^[ \t]*[-*] (?:[\w -]{1,60} )?\[\[[^\]\n]+\]\].*$", re.M)
_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")
_CONTEXT = re.compile(r"\(([^()]+)\)$")


def _observations(page: Page, base: Item) -> Iterator[Item]:
    """The observations of a note; its links to others say nothing by themselves."""
    for line, found in _lines(_OBSERVATION, page):
        said = _TAG.sub("", found["text"]).strip()
        context = _CONTEXT.search(said)
        yield replace(
            base,
            text=(said[: context.start()] if context else said).strip(),
            why=context[1] if context else "",
            where=f"{base.where}:{line}",
            kind=found["kind"],
            headings=tuple(filter(None, [page.text("title")])),
            tags=tuple(dict.fromkeys((*_TAG.findall(found["text"]), *base.tags)))[: item.MOST],
        )
    for line, found in _lines(_RELATION, page):
        yield replace(base, text=found[0].strip(), where=f"{base.where}:{line}", left="a link to another note")


def _lines(pattern: re.Pattern[str], page: Page) -> Iterator[tuple[int, re.Match[str]]]:
    """What a pattern finds in a page, each with its line."""
    line, counted = page.first + 1, 0
    for found in pattern.finditer(page.body):
        line, counted = line + page.body.count("\n", counted, found.start()), found.start()
        yield line, found


# --- Records of decisions -----------------------------------------------------------------------------------------

_NUMBERED = re.compile(r"^\W*(?:adr[\s-]*)?\d+[.:)\s-]*", re.I)
_DECIDED = ("decision outcome", "decision", "the decision", "outcome")
_BECAUSE = ("context and problem statement", "context", "problem", "rationale", "problem statement")


def _record(page: Page, base: Item) -> Item | None:
    """The page as a record of a decision, None where it is none: its title, what was decided, and the context."""
    if not re.search(r"decision|outcome", page.body, re.I):
        return None
    title, parts = _sections(page.body)
    decided = next((parts[name] for name in _DECIDED if parts.get(name)), "")
    if not decided or not ({"status", "consequences", *_BECAUSE} & set(parts)):
        return None
    title = _NUMBERED.sub("", title or page.text("title"))
    status = parts.get("status", "") or _field(page.body, "status")
    because = next((parts[name] for name in _BECAUSE if parts.get(name)), "")
    text = item.titled(title, decided)
    left = item.ended(status)
    dates = page.text("date"), parts.get("date", ""), _field(page.body, "date")
    created = next(filter(None, map(item.moment, dates)), base.created)
    why = f"{because}\n\nConsequences: {parts['consequences']}".strip() if parts.get("consequences") else because
    why = why if len(why) <= item.REASON else because
    return replace(base, text=text, kind="decision", headings=(title,), why=why, created=created, left=left)


_FIELD = re.compile(
    r"^[ \t]{0,3}(?:[-*+] )?(?:\*\*|__)?(date|status)(?:\*\*|__)?:(?:\*\*|__)?[ \t]*([^\n]*)", re.I | re.M
)


def _field(body: str, name: str) -> str:
    """What a line `Date: ...` or `* Status: ...` between the title and the first section says."""
    head = re.split(r"^## ", body, maxsplit=1, flags=re.M)[0]
    return next((found[2].strip(" \t*_") for found in _FIELD.finditer(head) if found[1].lower() == name), "")


def _sections(body: str) -> tuple[str, dict[str, str]]:
    """The title of a page and the text under each heading of the next level, by its lower-case name."""
    lines = markdown.lines(body)
    heads = [one for one in markdown.parse(body) if one.kind is markdown.Kind.HEADING]
    title = next((one.text for one in heads if one.level == 1), "")
    tops = [one for one in heads if one.level == 2]
    ends = [*(one.first - 1 for one in tops[1:]), len(lines)]
    found: dict[str, str] = {}
    for one, end in zip(tops, ends, strict=False):
        found.setdefault(one.text.strip().lower(), "\n".join(lines[one.last : end]).strip())
    return title, found
