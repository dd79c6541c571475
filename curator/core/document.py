"""YAML text: a strict reader into a small tree that knows its lines.

The only room of PyYAML. It is imported when a file is read, not before: it costs more than a whole warm command.
Aliases, tags and their like are refused before anything is built from them, so no file can grow or run anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from curator.core import rawtext

if TYPE_CHECKING:
    from collections.abc import Callable

DEPTH = 20
"""Lists and mappings that may stand inside one another."""

_COMMENT = re.compile(r"[ \t]+#([^\r\n]*)")
_LAYOUT_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[tn]")
_TROUBLE = (
    ("mapping values are not allowed", '": " inside a value without quotes', "put the value in quotes"),
    ("cannot start any token", "a character that cannot start a value without quotes", "put the value in quotes"),
    ("escape", "a backslash escape that does not exist", "use single quotes, which keep backslashes as they are"),
    ("hexdecimal", "a backslash escape that does not exist", "use single quotes, which keep backslashes as they are"),
    ("expected key", "this does not fit the lines around it", "look at the indentation and at closing quotes"),
    ("expected <block end>", "this does not fit the lines around it", "look at the indentation and at closing quotes"),
    ("expected ':'", "a line without a key", "write `key: value`; lines of a `|` block stand two blanks further in"),
    ("end of stream", "a quote that is not closed", "close it"),
    ("expected ',' or", "a bracket that is not closed", "close it"),
    ("nesting", f"more than {DEPTH} levels of nesting", ""),
)
_OTHER_TROUBLE = ("not valid YAML", "put the value in quotes, or look at the indentation")


class Scalar(NamedTuple):
    """One value, as written, from *start* to *end*: offsets in the text without its BOM.

    *style* is "" for a plain scalar, else one of ``' " | >``. *plain_type* is what YAML 1.1 makes of a plain scalar:
    bool, null, int, float, timestamp, or "" for text. *comment* follows a plain scalar on its line. *escaped*: a tab
    or line break stands there as an escape.
    """

    line: int
    start: int
    end: int
    text: str
    style: str = ""
    plain_type: str = ""
    comment: str = ""
    escaped: bool = False

    @property
    def block(self) -> bool:
        return self.style in {"|", ">"}


class Sequence(NamedTuple):
    """A list. *flow* is the form in brackets."""

    line: int
    start: int
    end: int
    items: tuple[Node, ...]
    flow: bool = False


class Mapping(NamedTuple):
    """Keys and values in the file's order. *flow* is the form in braces."""

    line: int
    start: int
    end: int
    pairs: tuple[tuple[Scalar, Node], ...]
    flow: bool = False

    def find(self, name: str) -> tuple[Scalar, Node] | None:
        return next((pair for pair in self.pairs if pair[0].text == name), None)

    def line_of(self, name: str) -> int:
        """Line of a key; of the mapping itself where the key is missing."""
        pair = self.find(name)
        return pair[0].line if pair else self.line


Node: TypeAlias = Scalar | Sequence | Mapping
"""Named tuples, all three: a file has forty, and a frozen dataclass takes seven times as long to make."""


def read(data: bytes, where: str, *, blank: bool = False) -> Mapping:
    """Read one file. *where* is its path; a file without a value is refused unless *blank* is true.

    Raises `rawtext.ReadError` with ``path:line``.
    """
    return parse(rawtext.decode(data, where), where, blank=blank)


def parse(text: str, where: str, *, blank: bool = False) -> Mapping:
    """`read` for text that is decoded already and carries no BOM."""
    rawtext.refuse_conflict(text, where)
    rawtext.refuse_unreadable(text, where)
    return _Builder(text, where).document(blank=blank)


class _Builder:
    """One pass over the parser's events. *trail* holds the keys around the present value."""

    def __init__(self, text: str, where: str) -> None:
        import yaml  # noqa: PLC0415 - 15 ms: pay only when a file is read

        self.text = text
        self.where = where
        self.yaml: Any = yaml
        self.trail: list[str] = []
        self.depth = 0
        self.tabs = "\t" in text
        self.quoted: list[tuple[int, int]] = []
        self.typed = yaml.resolver.Resolver.yaml_implicit_resolvers
        self.make: dict[type, Callable[[Any], Node]] = {
            yaml.ScalarEvent: self.scalar,
            yaml.SequenceStartEvent: self.sequence,
            yaml.MappingStartEvent: self.mapping,
        }

    def document(self, *, blank: bool) -> Mapping:
        try:
            loader: Any = getattr(self.yaml, "CSafeLoader", self.yaml.SafeLoader)(self.text)
            try:
                return self.whole(loader.get_event, blank=blank)
            finally:
                loader.dispose()
        except (self.yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
            raise self.trouble(error) from None

    def whole(self, event: Callable[[], Any], *, blank: bool) -> Mapping:
        self.event = event
        event()
        root = self.root(event())
        if self.tabs:
            self.refuse_tabs()
        if isinstance(root, Mapping):
            return root
        if root is None or (isinstance(root, Scalar) and not root.text and not root.style):
            if blank:
                return Mapping(1, 0, 0, ())
            raise self.error("the file is empty", 1, "delete it, or write an entry into it", bare=True)
        raise self.error("a mapping of keys and values is due here", root.line, "write `key: value` lines", bare=True)

    def root(self, first: Any) -> Node | None:
        if isinstance(first, self.yaml.StreamEndEvent):
            return None
        if first.version or first.tags:
            line = first.start_mark.line + 1
            raise self.error("a YAML directive (%) is not read", line, "delete the line", bare=True)
        root = self.node(self.event())
        self.event()
        last = self.event()
        if not isinstance(last, self.yaml.StreamEndEvent):
            raise self.error("a second document starts here", last.start_mark.line + 1, "delete the `---`", bare=True)
        return root

    def node(self, event: Any) -> Node:
        if event.anchor is not None or event.tag is not None:
            raise self.reference(event)
        return self.make[type(event)](event)

    def scalar(self, event: Any) -> Scalar:
        first, last, value, style = event.start_mark, event.end_mark, event.value, event.style or ""
        line, start, end = first.line + 1, first.index, last.index
        if not style:
            kind = self.plain_type(value) if value[:1] in self.typed else ""
            comment = self.comment(end) if self.text[end : end + 1] == " " else ""
            return Scalar(line, start, end, value, "", kind, comment)
        if self.tabs:
            self.quoted.append((start, end))
        if style == "|" or style == ">":
            return Scalar(line, start, self.last_line(start, end), value, style)
        escaped = style == '"' and self.escapes(value, self.text[start:end], line)
        return Scalar(line, start, end, value, style, escaped=escaped)

    def plain_type(self, value: str) -> str:
        for tag, pattern in self.typed[value[:1]]:
            if pattern.match(value):
                kind: str = tag.rpartition(":")[2]
                return "" if kind in {"merge", "value"} else kind
        return ""

    def comment(self, end: int) -> str:
        match = _COMMENT.match(self.text, end)
        return match[1] if match else ""

    def escapes(self, value: str, raw: str, line: int) -> bool:
        if "\\" not in raw:
            return False
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise self.error("half of a surrogate pair is no character", line, "write the character itself")
        return _LAYOUT_ESCAPE.search(raw) is not None

    def last_line(self, start: int, end: int) -> int:
        """Where the last line of a block scalar ends that is not blank."""
        inside = start + len(self.text[start:end].rstrip(" \t\r\n"))
        found = self.text.find("\n", inside)
        return len(self.text) if found < 0 else found - (self.text[found - 1] == "\r")

    def sequence(self, event: Any) -> Sequence:
        self.enter(event)
        items: list[Node] = []
        while type(inner := self.event()) is not self.yaml.SequenceEndEvent:
            items.append(self.node(inner))
        self.depth -= 1
        first, flow = event.start_mark, bool(event.flow_style)
        end = inner.end_mark.index if flow or not items else items[-1].end
        return Sequence(first.line + 1, first.index, end, tuple(items), flow)

    def mapping(self, event: Any) -> Mapping:
        self.enter(event)
        pairs: list[tuple[Scalar, Node]] = []
        lines: dict[str, int] = {}
        while type(inner := self.event()) is not self.yaml.MappingEndEvent:
            key = self.key(inner, lines)
            self.trail.append(key.text)
            pairs.append((key, self.node(self.event())))
            self.trail.pop()
        self.depth -= 1
        first, flow = event.start_mark, bool(event.flow_style)
        end = inner.end_mark.index if flow or not pairs else pairs[-1][1].end
        return Mapping(first.line + 1, first.index, end, tuple(pairs), flow)

    def key(self, event: Any, lines: dict[str, int]) -> Scalar:
        line = event.start_mark.line + 1
        if type(event) is not self.yaml.ScalarEvent:
            raise self.error("a key must be one word", line, "write `key: value`")
        if event.anchor is not None or event.tag is not None:
            raise self.reference(event)
        name: str = event.value
        if name in lines:
            self.trail.append(name)
            raise self.error(f"the key stands twice, first on line {lines[name]}", line, "keep one of the two")
        lines[name] = line
        start, end = event.start_mark.index, event.end_mark.index
        if self.tabs and event.style:
            self.quoted.append((start, end))
        return Scalar(line, start, end, name, event.style or "")

    def enter(self, event: Any) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise self.error(f"more than {DEPTH} levels of nesting", event.start_mark.line + 1)

    def reference(self, event: Any) -> rawtext.ReadError:
        if type(event) is self.yaml.AliasEvent:
            what = f"a YAML alias ({rawtext.shown('*' + event.anchor)})"
        elif event.anchor is not None:
            what = f"a YAML anchor ({rawtext.shown('&' + event.anchor)})"
        else:
            what = f"a YAML tag ({rawtext.shown(event.tag.replace('tag:yaml.org,2002:', '!!'))})"
        return self.error(f"{what} is not read", event.start_mark.line + 1, "write the value itself, or quote it")

    def refuse_tabs(self) -> None:
        """Only the C parser lets a tab separate or stand in plain values; a tab is told from blanks by no reader."""
        kept = iter([*sorted(self.quoted), (len(self.text), len(self.text))])
        first, past = next(kept)
        for match in re.finditer("\t", self.text):
            while match.start() >= past:
                first, past = next(kept)
            if match.start() < first and not self.in_comment(match.start()):
                line = rawtext.line_of(self.text, match.start())
                message = f"{rawtext.beside(self.text, line)}a tab outside quotes"
                raise self.error(message, line, "use blanks, or put the value in quotes", bare=True)

    def in_comment(self, offset: int) -> bool:
        before = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        return re.search(r"(?:^|[ \t])#", before) is not None

    def error(self, message: str, line: int, hint: str = "", *, bare: bool = False) -> rawtext.ReadError:
        key = "" if bare or not self.trail else f"{rawtext.shown('.'.join(self.trail), '`')}: "
        return rawtext.ReadError(key + message, where=f"{self.where}:{line}", hint=hint)

    def trouble(self, error: Exception) -> rawtext.ReadError:
        """The parser's own complaint in plain words, at the line that a person has to look at."""
        problem = getattr(error, "problem", None) or ""
        mark = getattr(error, "problem_mark", None)
        if mark and ("expected ':'" in problem or mark.index >= len(self.text)):
            mark = getattr(error, "context_mark", None) or mark
        offset = min(mark.index, len(self.text)) if mark else 0
        line = rawtext.line_of(self.text, offset)
        found = next((known[1:] for known in _TROUBLE if known[0] in problem), _OTHER_TROUBLE)
        if "mapping values" in problem and _is_pushed_in(self.text.split("\n")[:line]):
            found = (
                "stands further in than the line before, whose key has its value",
                "begin it in the column of the key before",
            )
        if self.tabs and "\t" in self.text.split("\n")[line - 1]:
            found = ("a tab where YAML wants blanks", "use blanks, or put the value in quotes")
        return rawtext.ReadError(
            rawtext.beside(self.text, line) + found[0], where=f"{self.where}:{line}", hint=found[1]
        )


def _is_pushed_in(lines: list[str]) -> bool:
    """Is the last of *lines* a key below one with a value, indented as if it belonged to that?"""
    key = re.compile(r"( *)(?:- )?[A-Za-z_]+:(?: (.*))?")
    before, last = next((key.match(one) for one in reversed(lines[:-1]) if one.strip()), None), key.match(lines[-1])
    return bool(before and last and before[2] and not before[2].startswith("#") and len(last[1]) > len(before[1]))
