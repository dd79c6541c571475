"""Hostile lines: nobody's text makes a pattern try all ways to share its characters."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from curator.core import mention, rules, stale, symbols, terms, wording
from curator.model import Source

SECONDS = 1.0
"""CPU time of one hostile text; where two repeats of a pattern can share characters it takes ten times as long."""

_LINE = 390  # characters: as many as patterns look at
_LINES = 2000  # as many as are looked at
_LONG = 20_000


def spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


HOSTILE = [
    ("a.md", "# name_1", " ", "x"),
    ("a.md", "# name_1 ", "#", "x"),
    ("a.md", "# name_1 ", "# ", "x"),
    ("a.md", "# name_1 `", "a`", "x"),
    ("Makefile", ".PHONY: name_1 ", "-", "!"),
    ("Makefile", ".PHONY: name_1 ", "a ", "!"),
    ("Makefile", ".PHONY: name_1 ", " ", "!"),
    ("a.yaml", "name_1 ", " ", '"'),
    ("a.yaml", "[ name_1", " ", "("),
    ("a.yaml", "name_1 ", "[", "("),
    ("a.yaml", "[", "[", "name_1"),
    ("a.yaml", "name_1", ',"', "x"),
    ("a.ts", "enum ", "\t", "{name_1"),
    ("a.ts", "public name_1", " ", "x"),
    ("a.ts", "static name_1", "async ", "x"),
    ("a.ts", "name_1", "(", "x"),
    ("a.java", "static name_1 ", "new ", "x"),
    ("a.java", "name_1 ", "a ", "x"),
    ("a.java", "name_1", "@a(", "x"),
    ("a.c", "typedef name_1 ", "$a", "x"),
    ("a.c", "  virtual name_1 ", "A_", "\u00e9"),
    ("a.c", "name_1 ", "a ", "x"),
    ("a.php", "function name_1", " ", "\u00e9"),
    ("a.php", "name_1 ", "$", ":"),
    ("a.php", "name_1 ", "$a", ":"),
    ("a.rb", "module name_1", "::a", "x"),
    ("a.go", "func (name_1", " ", "x"),
    ("a.rs", "pub(name_1", " ", "x"),
    ("a.sql", "create unique name_1", " ", "x"),
    ("a.py", "name_1", ", a", "x"),
    ("a.sh", "declare name_1 ", "-a ", "x"),
    ("Dockerfile", "FROM name_1", " AS ", "!"),
    ("a.other", "name_1 ", "a ", "x"),
]


@pytest.mark.parametrize(("path", "start", "pump", "end"), HOSTILE)
def test_two_thousand_hostile_lines_define_nothing_within_a_second(path: str, start: str, pump: str, end: str) -> None:
    room = _LINE - len(start) - len(end)
    line = start + (pump * room)[:room] + end
    text = f"{line}\n" * _LINES
    assert spent(lambda: symbols.defines(path, text, "name_1")) < SECONDS


PUMPS = (
    " ",
    "\t",
    "a ",
    "A_",
    "_",
    "$",
    "$a",
    "1 ",
    "-",
    "#",
    "[",
    "(",
    "@a ",
    "a::",
    "a,",
    '"',
    "'",
    "`",
    "new ",
    "=",
)
STARTS = ("name_1", "# name_1 ", "  static name_1 ", "[name_1", ".PHONY: name_1 ", "typedef name_1 ", "function name_1")


@pytest.mark.parametrize("path", [f"a.{endings.split()[0]}" for endings in symbols._PATTERNS] + ["a.other"])
def test_no_pattern_of_any_language_is_slow_on_any_run(path: str) -> None:
    lines = [(start + pump * _LINE)[:_LINE] + end for start in STARTS for pump in PUMPS for end in ("", "!")]
    text = "".join(f"{line}\n" for line in lines)
    assert spent(lambda: symbols.defines(path, text, "name_1")) < SECONDS / 2


def test_definitions_quoted_in_a_long_python_file_are_looked_up_once() -> None:
    text = 'text = """\n' + "def name_1():\n" * _LINES + '"""\n' + "x = 1\n" * 15_000
    assert spent(lambda: symbols.defines("a.py", text, "name_1")) < SECONDS
    assert not symbols.defines("a.py", text, "name_1")


@pytest.mark.parametrize("default", ["a" + ".b" * 900, "-" * 900 + "1", "a" + "()" * 900])
def test_a_default_nested_deeper_than_can_be_written_out_has_a_header(default: str) -> None:
    assert symbols.header("a.py", f"def name_1(x={default}): pass\n", "name_1")


@pytest.mark.parametrize(
    ("line", "name", "is_defined"),
    [
        ("#   Setup  of it  ##  ", "Setup  of it", True),
        ("## Setup #", "Setup", True),
        ("# a # # ", "a #", True),
        ("# Setup of it", "Setup", False),
        (".PHONY: build  test", "test", True),
        (".PHONY:test", "test", True),
        ("[ [ server ]", "server", False),
        ("[[server]]", "server", True),
    ],
)
def test_headings_and_keys_are_still_read_as_before(line: str, name: str, is_defined: bool) -> None:
    path = "a.md" if line.startswith("#") else "a.toml" if line.startswith("[") else "Makefile"
    assert symbols.defines(path, f"{line}\n", name) is is_defined


def test_an_indent_still_tells_a_go_constant_from_a_deeper_one() -> None:
    assert symbols.defines("a.go", "\tName   =   1\n", "Name")
    assert not symbols.defines("a.go", "\t\tName   =   1\n", "Name")


RUNS = ("x", "a/", "_", "1.", "a.", "a@", "../", "a:", "[", "![", "](", "[a](", "<", "{", "*", "`", " ", "#", "a, ")
TEXTS = [
    *((run * _LONG)[:_LONG] for run in RUNS),
    *("- a" + (run * _LONG)[:_LONG] + "b" for run in RUNS),
    "- ![logo](data:image/png;base64," + "iVBORw0KGgo" * 4000 + ")",
    "not README.md " * 2000,
    "".join(f"`a_{number}` " for number in range(2000)),
    "".join(f"a{number}/ README.md src/q{number}/README.md " for number in range(1000)),
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text[:12]!r}")
@pytest.mark.parametrize(
    "read",
    [
        lambda text: mention.sources(text, mention.paths(["README.md", "a/b.py", "docs/README.md"])),
        mention.symbols,
        lambda text: mention.denies(text, "README.md"),
        lambda text: mention.cited_as(text, "docs/a/README.md"),
        rules.statements,
        terms.named,
        wording.folders,
    ],
    ids=["sources", "symbols", "denies", "cited_as", "statements", "named", "folders"],
)
def test_a_hostile_line_of_a_rules_file_is_read_within_a_second(text: str, read: Callable[[str], object]) -> None:
    assert spent(lambda: read(text)) < SECONDS


def test_names_beside_data_are_still_found() -> None:
    known = mention.paths(["src/a.py", "src/b.py"])
    text = f"Use src/a.py\n\n![logo](data:image/png;base64,{'iVBOR/' * 500})   and `parse`   in   src/b.py"
    assert mention.sources(text, known) == (Source("src/a.py"), Source("src/b.py", "parse"))
    assert mention.sources("\u5728" * 600 + " src/a.py " + "\u4e2d" * 600, known) == (Source("src/a.py"),)


WORDS = [f"term_{number:02d}x" for number in range(terms.MOST_TERMS)]
STATEMENT = "Use " + ", ".join(f"`{word}`" for word in WORDS)
OLD = "".join(f"call({word}, 1);\nset({word}, 2)\n" for word in WORDS)


def _cycled(line: str, length: int) -> str:
    whole = "".join(line.format(word=word, n=number) for number, word in enumerate(WORDS))
    return (whole * (length // len(whole) + 1))[:length]


@pytest.mark.parametrize(
    "text",
    [
        _cycled("foo({word}, [a, b]); {{x: (", stale.LONGEST - 1),
        _cycled("    call({word}, [1, {n}], {{a: 'lit {n}'}});\n", stale.LONGEST - 1),
        _cycled("foo({{[ {word},\n", 250_000),
        _cycled("({word} " * 10 + "\n", 900_000),
    ],
    ids=["one line", "ordinary lines", "brackets that stay open", "long lines"],
)
def test_a_file_as_long_as_is_judged_costs_a_source_a_fraction_of_a_second(text: str) -> None:
    source = stale.stamped(STATEMENT, Source("a.js"), OLD, "blob")
    assert len(source.terms) == terms.MOST_TERMS
    assert spent(lambda: stale.judge(STATEMENT, source, text, blob="other")) < 2 * SECONDS
