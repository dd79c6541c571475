"""The formats that an import knows, and which of them something is, told by what it holds."""

from __future__ import annotations

from collections.abc import Sequence

from curator.core import kinds
from curator.core.imports import agentlore, frontmatter, notes, own, tables
from curator.core.imports.item import Document

RULES, MEMORY, MEM, NOTES, LORE, SQLITE, JSON = (
    *("rules", "claude-memory", "claude-mem", "markdown", "agentlore", "sqlite", "json"),
)
NAMES = {
    RULES: "a Markdown file of rules, such as CLAUDE.md",
    MEMORY: "Claude Code's auto memory: a folder with MEMORY.md; the word alone finds this repository's",
    MEM: "claude-mem's database; the word alone finds it",
    NOTES: "Markdown notes, decision records or rules with front matter: a file or a folder",
    LORE: "agentlore's .memory folder",
    SQLITE: "a SQLite database with a table of memories",
    JSON: "JSON or JSON Lines, curator's own export too",
}
"""Every format with what it is, as `--from` names it."""
READERS = {NOTES: notes.read, MEMORY: notes.read, LORE: agentlore.read}
"""What makes statements of a text file in each of the formats of Markdown."""
ENDINGS = (".md", ".mdc", ".markdown")
"""How the names of Markdown files end."""


def of_documents(documents: Sequence[Document]) -> str:
    """The format of a folder with these Markdown files, "" where there is none."""
    if any(agentlore.MARK in one.text for one in documents):
        return LORE
    pages = [(one, frontmatter.read(one.text[:20_000])) for one in documents]
    if any(_is_fact(page) for _, page in pages) or any(one.path == notes.INDEX for one, _ in pages):
        return MEMORY
    return NOTES if documents else ""


def of_text(document: Document, *, inside: bool) -> str:
    """The format of one text file; *inside* the work tree a plain page is a file of rules."""
    start = document.text.lstrip("\ufeff \t\r\n")[:1]
    if document.path.lower().endswith((".json", ".jsonl", ".ndjson")) or start in {"{", "["}:
        return JSON
    if not document.path.lower().endswith((*ENDINGS, ".txt", ".rules")) and not kinds.is_instructions(document.path):
        return ""
    if agentlore.MARK in document.text:
        return LORE
    if own.is_page(document.text):
        return NOTES
    page = frontmatter.read(document.text)
    if _is_fact(page):
        return MEMORY
    noted = bool(page.meta) or page.torn
    plain = document.path.endswith(".mdc") or (noted and not kinds.is_instructions(document.path))
    return NOTES if plain or not inside else RULES


def of_tables(columns: tables.Columns) -> str:
    """The format of a database, "" where none of its tables holds memories."""
    if tables.is_claude_mem(columns):
        return MEM
    return SQLITE if tables.wanted(columns) else ""


def _is_fact(page: frontmatter.Page) -> bool:
    """A file of Claude Code's auto memory."""
    return page.under("metadata").get("type", "") in notes.FACTS and bool(page.text("name", "description"))


def listed() -> str:
    """The names for a message."""
    return ", ".join(NAMES)
