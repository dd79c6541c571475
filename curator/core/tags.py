"""Which HTML in prose changes how a page around it reads, or hides text from those who see the page rendered.

Placeholders (`<path>`, `<commit message>`), type arguments (`List<str>`) and
plain, closed elements are no concern of this room.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from curator.core import markup

# Their content is not text any more, or not shown (HTML 13.1.2 raw text elements; GitHub Flavored Markdown 6.11).
_RAW = frozenset("pre script style textarea xmp iframe noembed noframes plaintext frameset".split())
_HIDING = frozenset("details summary template noscript svg math object embed dialog rp rt bdo".split())
# Left open they style all that follows, in later paragraphs too (HTML 13.2.4.3, list of active formatting elements).
_STYLING = frozenset("s strike del small sub sup big font center tt blink marquee mark".split())
# Elements that start an HTML block at the beginning of a line (CommonMark 0.31 4.6, condition 6).
_BLOCK = frozenset(
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul".split()
)
_PLAIN = frozenset(
    "a abbr area audio b bdi button br canvas cite code data datalist em i image img input ins kbd label map meta "
    "meter output picture progress q ruby samp select slot source span strong time u var video wbr".split()
)
_ELEMENTS = _RAW | _HIDING | _STYLING | _BLOCK | _PLAIN

_START = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)")
_LINE_START = re.compile(rf"^{markup.CONTAINERS}", re.M)
# CommonMark 0.31 6.6, open tag and closing tag.
_ATTRIBUTES = r"""(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)*+\s*+"""
_TAG = re.compile(rf"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*+)(?P<more>{_ATTRIBUTES})(?P<closed>/?)>")
# CommonMark 0.31 4.6, condition 7: a tag alone on its line. It takes all lines down to the next blank one, and those
# below the entry too where the list item around it ended above.
_ALONE = re.compile(rf"\n{markup.CONTAINERS}(?:{_TAG.pattern})[ \t]*$", re.M)
_ACTIVE = re.compile(r"\s(?:(?:style|srcdoc|formaction|on\w+)\s*=|hidden\s*(?:=|$))", re.I)
# `<?php`, `<!DOCTYPE`, `<![CDATA[`; not the wildcards of Java: `Class<?>`, `List<? extends Shape>`.
_DECLARATION = re.compile(r"<!(?=[A-Za-z\[])|<\?(?!>|\s*(?:extends|super)\b|\s*,)|(?<![\w.])<\?")
_LONGEST = 48


def problems(prose: str) -> Iterator[tuple[int, str]]:
    """Offset and message of each tag that does not stay where it is."""
    if "<" not in prose:
        return
    for found in _DECLARATION.finditer(prose):
        yield found.start(), f"`{found[0]}` starts a declaration"
    yield from _starts(prose)
    tags = list(_TAG.finditer(prose))
    for found in _ALONE.finditer(prose):
        yield found.start("name"), "a tag alone on its line can start an HTML block"
    for tag in tags:
        if message := _attributes(tag):
            yield tag.start(), message
    yield from _unbalanced(prose, tags)


def _starts(prose: str) -> Iterator[tuple[int, str]]:
    """Elements that act from their first letters on, closed or not."""
    for found in _START.finditer(prose):
        name = found["name"].lower()
        if name in _RAW or (name in _HIDING and not _is_argument(prose, found)):
            yield found.start(), f"<{found['end']}{name}> changes how later text is read"
        elif name in _BLOCK and _opens_line(prose, found.start()):
            yield found.start(), f"<{found['end']}{name}> at the start of a line starts an HTML block"


def _opens_line(prose: str, place: int) -> bool:
    line = prose.rfind("\n", 0, place) + 1
    start = _LINE_START.match(prose, line)
    return start is not None and start.end() >= place


def _is_argument(prose: str, found: re.Match[str]) -> bool:
    """A type argument such as `Promise<Details>`: behind a name, capitalised, without more."""
    glued = re.match(r"[\w.\])]", _before(prose, found)) is not None
    capital = re.match(r"[A-Z][a-z]|object$", found["name"]) is not None
    return glued and capital and prose[found.end() : found.end() + 1] == ">"


def _attributes(tag: re.Match[str]) -> str:
    """What is wrong with the inside of a tag: rendered pages do not show it."""
    name = tag["name"]
    if _ACTIVE.search(tag["more"]):
        return f"<{name}> with an attribute that hides or runs something"
    is_element = name.lower() in _ELEMENTS and (name.islower() or name.isupper())
    if is_element and "=" in tag["more"]:
        return f"<{name}> with attributes, which rendered pages do not show"
    return "long text in angle brackets, which rendered pages do not show" if len(tag[0]) > _LONGEST else ""


def _unbalanced(prose: str, tags: list[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """Closing tags that close nothing of this text, and styling elements that it leaves open."""
    opened: Counter[str] = Counter()
    last: dict[str, int] = {}
    for tag in tags:
        name = tag["name"].lower()
        if not tag["end"]:
            opened[name] += not tag["closed"] and not _is_parameter(prose, tag)
            last[name] = tag.start()
        elif opened[name]:
            opened[name] -= 1
        else:
            yield tag.start(), f"</{name}> closes nothing that was opened before it"
    yield from ((last[name], f"<{name}> is left open") for name in sorted(_STYLING) if opened[name])


def _is_parameter(prose: str, tag: re.Match[str]) -> bool:
    """`Pair<S>`: one capital behind a name."""
    return len(tag["name"]) == 1 and tag["name"].isupper() and _before(prose, tag).isalnum()


def _before(prose: str, found: re.Match[str]) -> str:
    """The character before a match; "" at the start of the text."""
    return prose[found.start() - 1 : found.start()] if found.start() else ""
