"""The file of an entry: strict reading, one way of writing, changing a hand-written one, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from curator.core import document, quoting, rawtext, schema
from curator.core.check import Check, Problem, nearest
from curator.core.schema import ENTRY, Key, Kind
from curator.errors import CuratorError
from curator.model import MEMORIES, Entry, Fault, Finding, Level

MODELINE = "# yaml-language-server: $schema="
SCHEMA_FILE = "memory.schema.json"
SLUG = 60
"""Characters of the longest slug."""

_STRUCTURE = re.compile(r"^(?:$|[ \t]|[-*+] |#{1,6} |>|\||```|~~~|\d+[.)] )", re.M)
_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
_END = re.compile("[.!?][\"'\u201d\u2019\u00bb)\\]]*( +)(?=(?!```|\\d+[.)])\\S)")
_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie etc vs cf ca approx resp incl excl no nr fig eq sec ch vol p pp ed al viz"
    " mr mrs ms dr prof st jr sr inc ltd co corp dept est min max avg".split()
)
_VERSION = re.compile(r"v?[0-9]{1,2}|v[0-9]+|v?[0-9]+(?:\.[0-9]+)+")
_LEADS = "`\"'\u201c\u2018\u00ab("

_SMALL = frozenset(
    "a an and are as at be but by for from in into is it its of on or our than that the their then this to was we were"
    " when which with you your".split()
)
_DANGLING = _SMALL | {"not", "per", "never", "no", "only", "must", "should", "always"}
_SLUG_WORDS = 6


def read(
    data: bytes, path: str, categories: Sequence[str], *, placed: bool = True
) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The entry in a file, and everything that is wrong with it; no entry when any of that is an error.

    *path* is ``memories/<category>/<id>.yaml``, below a folder in a monorepo. A proposal that waits elsewhere is
    read with *placed* false: its path says nothing about it and is not kept.
    """
    stem = path.rpartition("/")[2].removesuffix(".yaml")
    try:
        tree = document.read(data, path)
    except rawtext.ReadError as error:
        return None, (Finding(error.fault, error.where, error.message, error.hint, stem),)
    check = Check()
    values = check.values(tree, ENTRY)
    newer = [problem for problem in check.problems if problem.kind is Fault.NEWER]
    if not newer:
        check.problems.extend(_misfits(tree, values, categories))
        check.problems.extend((*_misplaced(tree, values, path, categories), *_escaped(tree)) if placed else ())
    problems = newer or sorted(check.problems, key=lambda problem: problem.line)
    findings = tuple(Finding(one.kind, f"{path}:{one.line}", one.message, one.hint, stem) for one in problems)
    if any(finding.level is Level.ERROR for finding in findings):
        return None, findings
    return assemble(values, path if placed else ""), findings


def partly(data: bytes, path: str) -> Entry:
    """What can be read of a file that is no entry, as one: what is missing or wrong is left empty."""
    try:
        tree = document.read(data, path)
    except rawtext.ReadError:
        return Entry("", "", "", path=path)
    empty = {"schema": 1, "id": path.rpartition("/")[2].removesuffix(".yaml"), "category": "", "text": ""}
    return assemble(empty | Check().values(tree, ENTRY), path)


def assemble(values: dict[str, Any], path: str) -> Entry:
    values.pop("schema")
    return Entry(path=path, **values)


def _misfits(tree: document.Mapping, values: dict[str, Any], categories: Sequence[str]) -> Iterator[Problem]:
    """What no single value is to blame for."""
    category = values.get("category")
    if category and category not in categories:
        near = nearest(category, categories)
        hint = f"did you mean `{near}`?" if near else f"one of {', '.join(categories)}"
        yield Problem(tree.line_of("category"), f"`category` {rawtext.shown(category)} is not configured", hint)
    if category == "route" and not values.get("sources"):
        yield Problem(tree.line_of("category"), "a route needs a source", "add `sources:` with the files it leads to")
    if values.get("id") in values.get("supersedes", ()):
        yield Problem(tree.line_of("supersedes"), "`supersedes` names the entry itself", "delete that line")


def _misplaced(
    tree: document.Mapping, values: dict[str, Any], path: str, categories: Sequence[str]
) -> Iterator[Problem]:
    parts = path.split("/")
    if len(parts) < 3 or parts[-3] != MEMORIES or not path.endswith(".yaml"):
        yield Problem(1, "not where an entry lives", f"move it to {MEMORIES}/<category>/<id>.yaml")
        return
    for name, due, what in (("id", parts[-1].removesuffix(".yaml"), "file"), ("category", parts[-2], "folder")):
        value = values.get(name, due)
        if value != due and (name == "id" or value in categories):
            message = f"`{name}` is {rawtext.shown(value)}, but the {what} is called {rawtext.shown(due)}"
            yield Problem(tree.line_of(name), message, "make the two equal")


def _escaped(tree: document.Mapping) -> Iterator[Problem]:
    pair = tree.find("text")
    if pair and isinstance(pair[1], document.Scalar) and pair[1].escaped:
        message = "`text` holds a tab or line break that a backslash in double quotes made"
        hint = r"for a path such as C:\temp use single quotes or a `|` block"
        yield Problem(pair[1].line, message, hint, Fault.SUSPECT)


def write(entry: Entry) -> str:
    """The file of an entry, all of it. Text, why and quote are written as `canonical` has them."""
    written = [modeline(entry)] if _is_placed(entry.path) else []
    for key in ENTRY:
        value = schema.said(entry, key)
        if value is not None:
            written.extend(lines(key, value, 0))
    return "\n".join(written) + "\n"


def _is_placed(path: str) -> bool:
    return not path or path.split("/")[-3:-2] == [MEMORIES]


def modeline(entry: Entry) -> str:
    """The first line of the file, by which editors find the schema."""
    return f"{MODELINE}{_way_to_schema(entry.path)}"


def _way_to_schema(path: str) -> str:
    """From the entry's folder to the schema, which only the root's memories/ holds."""
    above = folder(path).count("/")
    return f"{'../' * (above + 2)}{MEMORIES}/{SCHEMA_FILE}" if above else f"../{SCHEMA_FILE}"


def lines(key: Key, value: Any, column: int) -> list[str]:
    """One key and its value; *column* is where the key stands, and the first line leaves that to the caller."""
    inner = column + 2
    pad = " " * inner
    match key.kind:
        case Kind.LINES | Kind.NAMES:
            return [f"{key.name}:", *(f"{pad}- {quoting.inline(item)}" for item in value)]
        case Kind.TERMS:
            return [f"{key.name}:", *(f"{pad}{quoting.inline(one.term)}: {_evidence(one)}" for one in value)]
        case Kind.GROUP:
            return [f"{key.name}:", *_indented(_group(key.keys, value, inner), pad, pad)]
        case Kind.GROUPS:
            items = (_indented(_group(key.keys, item, inner + 2), f"{pad}- ", f"{pad}  ") for item in value)
            return [f"{key.name}:", *(line for item in items for line in item)]
        case _:
            return f"{key.name}: {_scalar(key, value, inner)}".split("\n")


def _group(keys: tuple[Key, ...], owner: Any, column: int) -> list[list[str]]:
    values = ((key, schema.said(owner, key)) for key in keys)
    return [lines(key, value, column) for key, value in values if value is not None]


def _indented(groups: list[list[str]], first: str, rest: str) -> list[str]:
    """Only the first line of a key is without its indent."""
    return [
        (first if not index else rest) + line if not inner else line
        for index, lines in enumerate(groups)
        for inner, line in enumerate(lines)
    ]


def _scalar(key: Key, value: Any, column: int) -> str:
    if key.kind in {Kind.DATE, Kind.MOMENT, Kind.MARK}:
        return quoting.quoted(value)
    if key.kind is Kind.PROSE:
        return quoting.block(canonical(value), column)
    if key.kind is Kind.REMARK and "\n" in value:
        return quoting.block(value, column)
    return quoting.inline(value) if isinstance(value, str) else str(value)


def _evidence(one: Any) -> str:
    marks = [*(["def"] if one.defines else []), *map(quoting.quoted, one.lines)]
    return f"[{', '.join(marks)}]"


def canonical(text: str) -> str:
    r"""Text as files keep it: read and written again, it stays the same.

    CRLF becomes LF; blanks at the ends of lines, and around the whole, are dropped. Plain prose gets one sentence a
    line; text with lists, fences, tables, indents or empty lines keeps its lines. Nothing but blanks changes.
    """
    lines = re.sub(r"\r+\n", "\n", text).split("\n")
    body = "\n".join(line.rstrip(" \t") for line in lines).strip(" \t\n")
    return body if _STRUCTURE.search(body) else _one_sentence_a_line(body)


def _one_sentence_a_line(text: str) -> str:
    spans = [match.span() for match in _SPAN.finditer(text)]
    pieces: list[str] = []
    last = 0
    for match in _END.finditer(text):
        start, end = match.span(1)
        if _is_end(text, match.start(), end) and not any(low <= match.start() < high for low, high in spans):
            pieces.append(text[last:start])
            last = end
    return "\n".join([*pieces, text[last:]])


def _is_end(text: str, stop: int, following: int) -> bool:
    """Whether a stop ends a sentence, and no abbreviation, initial or version, and another one begins after it."""
    begin = max(text.rfind(" ", 0, stop), text.rfind("\n", 0, stop)) + 1
    word = text[begin:stop].lower().lstrip(_LEADS + "[")
    cut = text[stop] == "." and (len(word) < 2 or word in _ABBREVIATIONS or word[-1] == "." or _VERSION.fullmatch(word))
    head = text[following]
    return not cut and (head in _LEADS or head.isdigit() or (head.isalpha() and not head.islower()))


def slug(text: str) -> str:
    """The readable part of an id: a few Latin words of the text, at most 60 characters, never empty."""
    words = _latin_words(text.partition("\n")[0]) or _latin_words(text)
    telling = [word for word in words if word not in _SMALL][:_SLUG_WORDS] or words[:_SLUG_WORDS]
    while len(telling) > 1 and telling[-1] in _DANGLING:
        telling.pop()
    while len(telling) > 1 and len("-".join(telling)) > SLUG:
        telling.pop()
    name = "-".join(telling)[:SLUG]
    if not re.search("[a-z]", name):
        return "memory"
    return f"{name}-memory" if name in schema.DEVICES else name


def _latin_words(text: str) -> list[str]:
    from unicodedata import combining, normalize  # noqa: PLC0415 - pay only when something is stored

    plain = "".join(mark for mark in normalize("NFKD", text.casefold()) if not combining(mark))
    return re.findall("[a-z0-9]+", re.sub("['\u2019`]", "", plain))


def folder(path: str) -> str:
    """The folder whose memories/ hold a path: "" for the root, else with a slash at its end."""
    inside = path.rfind(f"/{MEMORIES}/")
    return path[: inside + 1] if inside >= 0 else ""


def path_of(entry_id: str, category: str, home: str = "") -> str:
    """Where an entry lives; *home* is a folder with a slash at its end. Raises CuratorError for names it refuses."""
    for what, name in (("id", entry_id), ("category", category)):
        if not re.fullmatch(schema.NAME, name) or name in schema.DEVICES:
            _, wanted = schema.FORMS[Kind.NAME]
            raise CuratorError(f"{what} must be {wanted}, not {rawtext.shown(name)}", hint=f"choose another {what}")
    return f"{home}{MEMORIES}/{category}/{entry_id}.yaml"
