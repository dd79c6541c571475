from __future__ import annotations

import pytest

from curator.core import symbols

PYTHON = '''\
"""Module.

def in_docstring(a):
"""
from other import imported
LIMIT = 3
first, second = 1, 2
typed: int

@cached
async def run(size, *, wait=True):
    called(size)

class Pool(Base, metaclass=Meta):
    kind = "x"

    def open(self, size: int) -> None:
        pass
'''


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.py", PYTHON, "LIMIT"),
        ("a.py", PYTHON, "first"),
        ("a.py", PYTHON, "second"),
        ("a.py", PYTHON, "typed"),
        ("a.py", PYTHON, "run"),
        ("a.py", PYTHON, "Pool"),
        ("a.py", PYTHON, "open"),
        ("a.py", PYTHON, "Pool.open"),
        ("a.py", PYTHON, "Pool.kind"),
        ("a.py", PYTHON + "def broken(:\n", "run"),
        ("a.ts", "export default async function load<T>(x: T) {", "load"),
        ("a.ts", "export const load = () => 1", "load"),
        ("a.tsx", "export interface Props {", "Props"),
        ("a.ts", "  private async save(entry: Entry): Promise<void> {", "save"),
        ("a.ts", "  static readonly limit = 3", "limit"),
        ("a.js", "exports.load = load", "load"),
        ("a.js", "  onClick: (event) => {", "onClick"),
        ("a.go", "func (p *Policy) Do(call func() error) error {", "Do"),
        ("a.go", "func New() *Policy {", "New"),
        ("a.go", "type Policy struct {", "Policy"),
        ("a.go", "const (\n\tLow = iota\n\tHigh Level = 2\n)", "High"),
        ("a.rs", "    pub(crate) async unsafe fn next_token(&mut self) {", "next_token"),
        ("a.rs", "    pub fn next_token(&mut self) {", "Lexer::next_token"),
        ("a.rs", "pub enum Kind {", "Kind"),
        ("a.rs", "macro_rules! bail {", "bail"),
        ("A.java", "    public static final int LIMIT = 3;", "LIMIT"),
        ("A.java", "    public List<String> names(int size) {", "names"),
        ("A.java", "public abstract class Pool extends Base {", "Pool"),
        ("A.kt", "override suspend fun load(id: Int): User {", "load"),
        ("A.kt", "data class User(val id: Int)", "User"),
        ("A.cs", "    public async Task<int> Load(int id)", "Load"),
        ("a.swift", "final class Pool {", "Pool"),
        ("a.c", "#define MAX_OPEN 20", "MAX_OPEN"),
        ("a.c", "static int open_pool(size_t size)", "open_pool"),
        ("a.h", "typedef struct { int size; } pool_t;", "pool_t"),
        ("a.h", "} pool_t;", "pool_t"),
        ("a.cpp", "void Pool::open(int size) {", "open"),
        ("a.hpp", "    virtual void close() = 0;", "close"),
        ("a.rb", "  def self.open!(size)", "open!"),
        ("a.rb", "class Shop::Pool < Base", "Pool"),
        ("a.rb", "  attr_reader :size", "size"),
        ("a.php", "    public function open(int $size): void", "open"),
        ("a.php", "    private $limit = 3;", "limit"),
        ("a.sh", "open_pool() {", "open_pool"),
        ("a.sh", "export MAX_OPEN=20", "MAX_OPEN"),
        ("a.yml", "  fail-fast: false", "fail-fast"),
        ("a.yml", "  - name: x", "name"),
        ("a.json", '  "lint-staged": {', "lint-staged"),
        ("a.json", '{"a": 1, "b": 2}', "b"),
        ("a.toml", "[tool.ruff]", "tool.ruff"),
        ("a.toml", "line-length = 120", "line-length"),
        ("a.sql", "CREATE TABLE IF NOT EXISTS shop.orders (", "orders"),
        ("a.sql", "create or replace function total(", "total"),
        ("a.sql", "    amount numeric(10, 2)", "amount"),
        ("a.md", "## Getting started", "Getting started"),
        ("a.md", "### The `open_pool` call ###", "open_pool"),
        ("Makefile", "release: build", "release"),
        ("Makefile", "VERSION ?= 3", "VERSION"),
        ("Dockerfile", "FROM golang:1.25 AS build", "build"),
        ("a.zig", "pub const Page = struct {", "Page"),
        ("a.ex", "  defp open_pool(size) do", "open_pool"),
    ],
)
def test_a_definition_is_seen(path: str, text: str, name: str) -> None:
    assert symbols.defines(path, text, name)


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.py", PYTHON, "imported"),
        ("a.py", PYTHON, "called"),
        ("a.py", PYTHON, "in_docstring"),
        ("a.py", PYTHON, "Other.open"),
        ("a.py", "if x == limit:\n    pass", "limit"),
        ("a.py", "open_pool(size=3)", "open_pool"),
        ("a.py", "def open_pool_fast():", "open_pool"),
        ("a.ts", 'import { load } from "./load"', "load"),
        ("a.ts", "  load(entry)", "load"),
        ("a.ts", '  describe("a", () => {', "describe"),
        ("a.ts", "// const load", "load"),
        ("a.go", "\tpolicy.Do(call)", "Do"),
        ("a.go", "\ttry := 5", "try"),
        ("a.rs", "use crate::next_token;", "next_token"),
        ("a.rs", "    self.next_token()", "next_token"),
        ("A.java", "        return names(3);", "names"),
        ("A.java", "import shop.Pool;", "Pool"),
        ("a.c", "    open_pool(3);", "open_pool"),
        ("a.c", "#include <open_pool.h>", "open_pool"),
        ("a.sh", "open_pool 3", "open_pool"),
        ("a.yml", "  - run: make release", "release"),
        ("a.sql", "SELECT total FROM orders", "orders"),
        ("a.md", "Getting started is easy.", "Getting started"),
        ("a.md", "#Getting started", "Getting started"),
        ("a.unknown", "open_pool", "open_pool"),
        ("a.py", "", "open_pool"),
        ("a.py", PYTHON, ""),
    ],
)
def test_a_mention_is_no_definition(path: str, text: str, name: str) -> None:
    assert not symbols.defines(path, text, name)


def header(text: str, symbol: str = "open_pool", path: str = "a.py") -> str:
    return symbols.header(path, text, symbol)


def test_a_header_has_four_hex_digits_and_none_is_empty() -> None:
    assert len(header("def open_pool(): pass")) == 4
    assert header("x = 1") == ""
    assert header("def open_pool(): pass", "") == ""


@pytest.mark.parametrize(
    "text",
    [
        "def open_pool(size, wait = 3) -> Pool:\n    return 2\n",
        "\n\ndef open_pool(\n    size,\n    wait=3,\n) -> Pool:\n    pass\n",
        "@cached\ndef open_pool(size, wait=3) -> Pool:  # opens\n    pass\n",
        "def open_pool(size, wait=3) -> Pool:\r\n    pass\r\n",
    ],
)
def test_layout_body_and_decorators_are_no_part_of_a_header(text: str) -> None:
    assert header(text) == header("def open_pool(size, wait=3) -> Pool:\n    pass\n")


@pytest.mark.parametrize(
    "text",
    [
        "def open_pool(size, wait=4) -> Pool: pass",
        "def open_pool(size, wait=3): pass",
        "def open_pool(size: int, wait=3) -> Pool: pass",
        "async def open_pool(size, wait=3) -> Pool: pass",
        "def open_pool(size) -> Pool: pass",
        "class open_pool(Base): pass",
    ],
)
def test_parameters_types_and_kind_are_the_header(text: str) -> None:
    assert header(text) != header("def open_pool(size, wait=3) -> Pool: pass")


def test_the_value_of_a_constant_is_no_part_of_its_header() -> None:
    assert header("MAX = 3", "MAX") == header("MAX = 4", "MAX")
    assert header("MAX: int = 3", "MAX") != header("MAX = 3", "MAX")
    assert header("const MAX = 3", "MAX", "a.ts") == header("const MAX = 4;", "MAX", "a.ts")


def test_the_bases_of_a_class_are_its_header() -> None:
    assert header("class Pool(Base): pass", "Pool") != header("class Pool(Other): pass", "Pool")


def test_a_method_is_found_in_its_class() -> None:
    text = "class A:\n    def open(self): pass\nclass B:\n    def open(self, size): pass\n"
    assert header(text, "A.open") != header(text, "B.open")
    assert header(text, "A.open()") == header(text, "A.open")


def test_a_header_over_several_lines_ends_before_the_body() -> None:
    short = "export function open_pool(size: number, wait = true): Pool {\n  return 1;\n}\n"
    long = "export function open_pool(\n  size: number,\n  wait = true\n): Pool {\n  return 2;\n}\n"
    assert header(short, path="a.ts") == header(long, path="a.ts")
    assert header(short, path="a.ts") != header(short.replace("wait = true", "wait = false"), path="a.ts")


def test_a_text_that_is_no_python_is_read_by_patterns() -> None:
    broken = "def open_pool(size):\n    pass\ndef broken(:\n"
    assert header(broken) != ""
    assert header(broken) != header(broken.replace("(size)", "(size, wait)"))


def test_a_python_text_too_long_to_parse_is_read_by_patterns() -> None:
    long = "def open_pool(size):\n    pass\n" + "#" * symbols.MOST_PARSED
    assert symbols.defines("a.py", long, "open_pool")
    assert header(long) != ""


@pytest.mark.parametrize(
    "text", ["(" * 100_000, "x = " + "-" * 50_000 + "1", "def f():\n\tx\n        y\n", "\0", "'" * 9]
)
def test_any_text_is_survived(text: str) -> None:
    for path in ("a.py", "a.ts", "a.c", "a.yml", "a.md", "Makefile", "noext"):
        assert not symbols.defines(path, text, "open_pool")
        assert symbols.header(path, text, "open_pool") == ""


def test_an_invalid_escape_in_the_file_is_no_warning_of_ours() -> None:
    assert header("def open_pool(): return '\\d'\n") != ""
