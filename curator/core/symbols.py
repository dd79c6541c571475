"""Which names a file defines, and the header of a definition: Python through `ast`, other languages by patterns."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha1

MOST_PARSED = 256 * 1024
"""Characters of Python that are parsed; a longer file is read by patterns."""

_LONGEST = 400  # characters of a line that patterns look at
_MOST_READ = 2000  # lines with the name that are looked at
_HEADER_LINES = 20
_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_OPEN, _SHUT = "([{", ")]}"
_N = r"([A-Za-z_$][A-Za-z0-9_$]*)"
_WHOLE = r"([A-Za-z_$][A-Za-z0-9_$]*+)"

# One pattern a language. Each is tried on a line that holds the name; any of its groups may be the name. Anyone's line
# may be a hostile one: where two repeats could share characters, the first is possessive or begins at a boundary.
_MODIFIERS = (
    r"(?:(?:export|default|declare|pub(?:\([^)]*\))?|public|private|protected|internal|static|final|abstract|async"
    r"|unsafe|virtual|override|inline|sealed|open|data|local|extern|const|partial|readonly|suspend|lateinit)\s+)*"
)
_ANY = (
    r"^\s*" + _MODIFIERS + r"(?:def|defp|defmodule|defmacro|class|func|fun|fn|function|sub|struct|enum|trait|interface"
    r"|type|typealias|typedef|record|object|protocol|extension|actor|message|service|rpc|module|mod|namespace|union"
    r"|macro_rules!|static|readonly)(?!\w)\s*\*?\s*" + _N
)
_VARIABLE = r"^" + _MODIFIERS + r"(?:const|let|var|val)\s+" + _N  # an indented one is a function's own
_MEMBER = r"^\s*" + _MODIFIERS + r"(?:const|val|var)\s+" + _N
_CONSTANT = r"^\s*(?:[A-Za-z_]+\s+)*([A-Z][A-Z0-9_]{2,})\s*(?::[^=]+)?=(?!=)"
_PYTHON = (
    r"^\s*(?:async\s+)?(?:def|class)\s+" + _N,
    r"^" + _N + r"(?:\s*,\s*[\w*]+)*\s*(?::[^=]+)?=(?!=)",
    r"^(?:[\w*]+\s*,\s*)+" + _N + r"\s*=(?!=)",
    r"^\s*" + _N + r"\s*:\s*[^=\s][^=]*(?:=.*)?$",
    r"^\s+([A-Z][A-Z0-9_]+)\s*=(?!=)",
)
_SCRIPT_METHOD = (
    r"^\s*(?:(?:public|private|protected|static|readonly|async|override|get|set|abstract)\s+)*\*?\s*(#?[A-Za-z_$][\w$]*)"
    r"\s*(?:<[^>]*>)?\s*\([^()\"'=>]*\)\s*(?::[^={]+)?\{"
)
_SCRIPT_MEMBER = (
    r"^\s*(?:(?:public|private|protected|static|readonly|declare)\s+)+" + _N + r"\s*[?!]?\s*[:=]",
    r"^\s*[\"']?" + _N + r"[\"']?\s*:\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)",
    r"^\s*(?:module\.)?exports\." + _N + r"\s*=",
)
_GO = (
    r"^func\s+(?:\([^)]*\)\s*)?" + _N,
    r"^\s*(?:type|var|const)\s+" + _N,
    r"^\t([A-Z]\w*)(?:\s+[\w.*\[\]]+)?\s+=\s",
)
_TYPED = (
    r"^\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:public|private|protected|internal|static|final|abstract|synchronized|virtual|override"
    r"|async|default|native|sealed|readonly|unsafe|extern|new)\s+(?:[\w<>\[\],.?]+\s+)+" + _N + r"\s*[(=;{]",
    r"^\s*(?!return\b|else\b|new\b|throw\b|await\b|case\b)[\w<>\[\],.?]+\s+" + _N + r"\s*\([^;]*$",
)
_C = (
    r"^\s*#\s*define\s+" + _N,
    r"^\s*(?:typedef\s+)?(?:struct|class|enum|union|namespace|enum\s+class)\s+" + _N,
    r"^\}\s*" + _N + r"\s*;",
    r"^typedef\b.*\b" + _WHOLE + r"\s*;",
    r"^(?!return\b|else\b|if\b|while\b|for\b|switch\b)[A-Za-z_][\w\s*&:<>,~]*?[\s*&:]" + _N + r"\s*\(",
    r"^\s+(?:virtual|static|inline|explicit|constexpr|friend)\s[\w\s*&:<>,~]*?(?<!\w)" + _WHOLE + r"\s*\(",
)
_RUBY = (
    r"^\s*def\s+(?:self\.)?([A-Za-z_]\w*[?!=]?)",
    r"^\s*(?:class|module)\s+(?:\w+::)*" + _N,
    r"^\s*(?:attr_\w+|scope|has_many|has_one|belongs_to|enum|delegate)\b.*?:" + _N,
)
_PHP = r"\bfunction\s+&?\s*" + _N, r"(?<!\$)\$" + _WHOLE + r"\s*(?:=|;)", r"\bdefine\(\s*['\"]" + _N
_SHELL = (
    r"^\s*(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)",
    r"^\s*function\s+([A-Za-z_][\w-]*)",
    r"^\s*(?:(?:export|readonly|declare|local|typeset)\s+(?:-\w+\s+)*)?" + _N + r"\+?=",
)
_KEYS = (
    r"^\s*(?:-\s+)?[\"']?([^\s\"'#:=,{}\[\]][^\"':=,{}]*?)[\"']?\s*[:=](?:\s|$|[\"'{\[\d])",
    r"^\s*\[++\s*+[\"']?([^\]\"']++)[\"']?\s*\]",
    r"[{,]\s*\"([^\"]+)\"\s*:",
)
_SQL = (
    r"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+|temp(?:orary)?\s+|materialized\s+)*(?:table|view|index|function"
    r"|procedure|type|trigger|schema|sequence|domain|policy|role|extension)\s+(?:if\s+not\s+exists\s+)?"
    r"(?:[\"`\[]?\w+[\"`\]]?\.)?[\"`\[]?" + _N,
    r"(?i)^\s*[\"`\[]?" + _N + r"[\"`\]]?\s+(?:\w+\s*)?(?:int|text|char|varchar|bool|date|time|numeric|decimal|real"
    r"|float|double|json|uuid|serial|bigint|smallint|blob|bytea)",
)
_HEADING = r"^#{1,6}\s+(\S.*)$", r"^#{1,6}\s.*`([^`]+)`"
_MAKE = (
    r"^([A-Za-z_.][\w.-]*)\s*:(?!=)",
    r"^(?:export\s+)?([A-Za-z_][\w.-]*)\s*[:?+]?=",
    r"^\.PHONY:(?:.*[^\w-])?([\w-]++)$",
)
_DOCKER = r"(?i)^\s*(?:ARG|ENV)\s+" + _N, r"(?i)^\s*FROM\s.*\sAS\s+([\w-]+)"

_PATTERNS: dict[str, tuple[str, ...]] = {
    "py pyi": _PYTHON,
    "ts tsx js jsx mjs cjs mts cts vue svelte": (_ANY, _VARIABLE, _SCRIPT_METHOD, *_SCRIPT_MEMBER),
    "go": _GO,
    "rs": (_ANY, r"^\s*(?:pub(?:\([^)]*\))?\s+)?const\s+" + _N),
    "java kt kts scala cs swift dart groovy": (_ANY, _MEMBER, *_TYPED, _CONSTANT),
    "c h cc cpp cxx hpp hh m mm ino": _C,
    "rb rake": (*_RUBY, _CONSTANT),
    "php": (_ANY, r"^\s*(?:\w+\s+)*const\s+" + _N, *_PHP),
    "sh bash zsh ksh bats": _SHELL,
    "yaml yml toml json jsonc json5 ini cfg conf env properties": _KEYS,
    "sql": _SQL,
    "md mdx markdown": _HEADING,
    "makefile mk justfile": _MAKE,
    "dockerfile": _DOCKER,
}
_LANGUAGES = {ending: patterns for endings, patterns in _PATTERNS.items() for ending in endings.split()}
_OTHER = (_ANY, _VARIABLE, _MEMBER, _CONSTANT)
_RUN = re.compile(r"(?<=\S)(\s)\s++")
_INDENT = re.compile(r"^(\s\s)\s++")


@lru_cache(maxsize=32)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The patterns of one language: those of all take 25 ms to compile, and most files are of one."""
    return tuple(re.compile(pattern) for pattern in patterns)


def defines(path: str, text: str, name: str) -> bool:
    """Whether the file *path* with this *text* defines *name*; `Class.method` and `module::item` work too.

    An import, a mention or a call defines nothing.
    """
    last = _last(path, name)
    if not _is_python(path):
        return next(_definitions(path, text, last), None) is not None
    if "." in name and (tree := _parsed(text)):
        return _found(tree, name) is not None
    found = False
    for is_quoted in _quoted(text, _definitions(path, text, last)):
        if not is_quoted:
            return True
        found = True
    return found and _defined_by_tree(text, name)


def header(path: str, text: str, symbol: str) -> str:
    """A hash of 4 hex digits of what a caller of *symbol* sees: parameters, types, bases; "" when it is not defined.

    White space, the body and a value do not count.
    """
    signature = _signature(path, text, symbol)
    return sha1(signature.encode("utf-8", "surrogatepass")).hexdigest()[:4] if signature else ""


def _signature(path: str, text: str, symbol: str) -> str:
    if _is_python(path) and (tree := _parsed(text)):
        node = _found(tree, symbol)
        with suppress(RecursionError):  # nested deeper than can be written out: then by patterns
            return _python_header(node, symbol) if node else ""
    at = next(_definitions(path, text, _last(path, symbol)), None)
    return "" if at is None else _head(text, at)


def _is_python(path: str) -> bool:
    return path.endswith((".py", ".pyi"))


def _last(path: str, name: str) -> str:
    """The last part of a qualified name. A key or a heading may have dots and spaces of its own."""
    if _language(path) in {_KEYS, _HEADING}:
        return name
    return re.split(r"\.|::|#", name.removesuffix("()"))[-1]


def _language(path: str) -> tuple[str, ...]:
    """The patterns of a file's language."""
    base = path.rsplit("/", 1)[-1].lower()
    return _LANGUAGES.get(base.rsplit(".", 1)[-1]) or _LANGUAGES.get(base.split(".", 1)[0], _OTHER)


def _definitions(path: str, text: str, name: str) -> Iterator[int]:
    """Where the lines start that define *name*."""
    language = _language(path)
    patterns = _compiled(language)
    wanted = _RUN.sub(r"\1", name)
    start = count = 0
    while name and count < _MOST_READ and (at := text.find(name, start)) >= 0:
        start = at + len(name)
        if text[start : start + 1] in _NAMES or (at and text[at - 1] in _NAMES):
            continue
        count += 1
        begin = text.rfind("\n", 0, at) + 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = _tidied(text[begin : min(end, begin + _LONGEST)], language is _HEADING)
        if any(wanted in match.groups() for pattern in patterns for match in pattern.finditer(line)):
            yield begin
        start = end + 1


def _tidied(line: str, is_heading: bool) -> str:
    """*line* with runs of blanks as one, so that no pattern tries each way to share them; a heading without its tail.

    Of an indent two characters stay: for Go it matters whether there is one.
    """
    line = line.rstrip()
    if is_heading:
        line = line.rstrip("#").rstrip()
    return _RUN.sub(r"\1", _INDENT.sub(r"\1", line))


def _quoted(text: str, places: Iterable[int]) -> Iterator[bool]:
    """For each of *places*, which ascend, whether it may lie inside a triple-quoted string: an odd number of quotes."""
    double = single = start = 0
    for at in places:
        double += text.count('"""', start, at)
        single += text.count("'''", start, at)
        start = at
        yield bool(double % 2 or single % 2)


def _defined_by_tree(text: str, name: str) -> bool:
    tree = _parsed(text)
    return tree is not None and _found(tree, name) is not None


@lru_cache(maxsize=8)
def _parsed(text: str) -> ast.Module | None:
    """The tree of a Python text; None when it is too long or no Python."""
    if len(text) > MOST_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _found(tree: ast.AST, name: str) -> ast.AST | None:
    """The node that defines *name*: a dotted one step by step, a simple one wherever it is."""
    node: ast.AST | None = tree
    for part in name.removesuffix("()").split("."):
        node = next((it for it in ast.walk(node) if part in _names(it)), None) if node else None
    return node


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (it.id for target in node.targets for it in ast.walk(target) if isinstance(it, ast.Name))
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name):
        yield node.target.id


def _python_header(node: ast.AST, symbol: str) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        returns = ast.unparse(node.returns) if node.returns else ""
        return f"{type(node).__name__} {node.name}({ast.unparse(node.args)}) -> {returns}"
    if isinstance(node, ast.ClassDef):
        return f"class {node.name}({', '.join(ast.unparse(it) for it in (*node.bases, *node.keywords))})"
    return f"{symbol}: {ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ''}"


def _head(text: str, begin: int) -> str:
    """The definition from its line on until its brackets are closed: up to the body, the value or the end of a line."""
    depth = 0
    taken: list[str] = []
    for number, line in enumerate(text[begin : begin + _HEADER_LINES * _LONGEST].split("\n")):
        for at, character in enumerate(line):
            if depth == 0 and (character == "{" or _is_value(line, at)):
                return _packed([*taken, line[:at]])
            depth += (character in _OPEN) - (character in _SHUT)
        taken.append(line)
        if depth <= 0 or number + 1 == _HEADER_LINES:
            break
    return _packed(taken)


def _is_value(line: str, at: int) -> bool:
    """Whether an assignment's value begins after *at*: `=`, but not `==`, `=>`, `<=`, `>=`, `!=`."""
    return line[at] == "=" and line[at + 1 : at + 2] not in {"=", ">"} and line[at - 1 : at] not in {"=", "<", ">", "!"}


def _packed(taken: list[str]) -> str:
    return "".join("".join(taken).split()).rstrip(",;:")
