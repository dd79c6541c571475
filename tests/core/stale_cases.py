"""Labelled changes: a statement, the file it was true of, the file after a change, and what is to be said.

Invented code in six languages. The state follows from whether the statement
still holds, and from how much the change says about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from curator.model import Source, State

FRESH, AUTO, NOTE, REVIEW, STALE, MOVED, UNKNOWN = (
    State.FRESH,
    State.AUTO,
    State.NOTE,
    State.REVIEW,
    State.STALE,
    State.MOVED,
    State.UNKNOWN,
)


@dataclass(frozen=True, slots=True)
class Case:
    """One change. *after* is None when the path is gone; *moved* is where the file was found then."""

    name: str
    statement: str
    source: Source
    before: str
    after: str | None
    expected: State
    moved: str = ""
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Whether path and texts say it all: no symbol, line, absence, other file or move."""
        return not self.moved and not self.others and self.source == Source(self.source.path)


def swap(text: str, *pairs: tuple[str, str]) -> str:
    """*text* with each first string replaced by the second; one that does not occur is a mistake in the case."""
    for old, new in pairs:
        assert old in text, f"{old!r} does not occur"
        text = text.replace(old, new)
    return text


# Python --------------------------------------------------------------------------------------------------------------

POOL = Source("app/pool.py")
POOL_SAYS = "`open_pool` in `app/pool.py` caps connections at `MAX_OPEN` unless `--burst` is given."
POOL_PY = '''\
"""The connection pool."""

import argparse

MAX_OPEN = 20
LABEL = "pool"


def open_pool(size):
    return connect(min(size, MAX_OPEN))


def close_pool(pool):
    for connection in pool:
        connection.close()


parser = argparse.ArgumentParser()
parser.add_argument("--burst", action="store_true")
print(MAX_OPEN)
'''
OPEN_PY = "def open_pool(size):\n    return connect(min(size, MAX_OPEN))\n\n\n"
CLOSE_PY = "def close_pool(pool):\n    for connection in pool:\n        connection.close()\n\n\n"


def pool(name: str, after: str | None, expected: State, says: str = POOL_SAYS, moved: str = "") -> Case:
    return Case(f"python: {name}", says, POOL, POOL_PY, after, expected, moved)


PYTHON = (
    pool("the same bytes again, a revert", POOL_PY, FRESH),
    pool("a neighbour function is added", POOL_PY + "\n\ndef unrelated():\n    pass\n", AUTO),
    pool("a neighbour function is deleted", swap(POOL_PY, (CLOSE_PY, "")), AUTO),
    pool("a neighbour function is renamed", swap(POOL_PY, ("close_pool", "shut_pool")), AUTO),
    pool("functions change places", swap(POOL_PY, (OPEN_PY + CLOSE_PY, CLOSE_PY + OPEN_PY)), AUTO),
    pool("all lines shift down", "# Copyright\n" * 40 + POOL_PY, AUTO),
    pool("CRLF instead of LF", swap(POOL_PY, ("\n", "\r\n")), AUTO),
    pool("tabs instead of spaces", swap(POOL_PY, ("    ", "\t")), AUTO),
    pool("spaces around operators", swap(POOL_PY, ("min(size, MAX_OPEN)", "min( size,  MAX_OPEN )")), AUTO),
    pool(
        "a formatter splits the header and the call",
        swap(
            POOL_PY,
            ("def open_pool(size):", "def open_pool(\n    size,\n):"),
            (
                "connect(min(size, MAX_OPEN))",
                "connect(\n        min(\n            size,\n            MAX_OPEN,\n        ),\n    )",
            ),
        ),
        AUTO,
    ),
    pool("no newline at the end", POOL_PY.rstrip("\n"), AUTO),
    pool("a type annotation is added", swap(POOL_PY, ("(size):", "(size: int) -> Pool:")), NOTE),
    pool("a parameter no sentence names is renamed", swap(POOL_PY, ("close_pool(pool)", "close_pool(all)")), AUTO),
    pool("a caller in the file is edited", swap(POOL_PY, ("print(MAX_OPEN)", "log(MAX_OPEN)")), NOTE),
    pool("the body behind the name is edited", swap(POOL_PY, ("connect(min(size, MAX_OPEN))", "c(MAX_OPEN)")), NOTE),
    pool("the function is renamed", swap(POOL_PY, ("open_pool", "start_pool")), STALE),
    pool("the function is deleted", swap(POOL_PY, (OPEN_PY, "")), STALE),
    pool("the function moves out and is imported", swap(POOL_PY, (OPEN_PY, "from other import open_pool\n")), STALE),
    pool("the constant is renamed to a longer name", swap(POOL_PY, ("MAX_OPEN", "MAX_OPENED")), STALE),
    pool("the constant gets a prefix", swap(POOL_PY, ("MAX_OPEN", "POOL_MAX_OPEN")), STALE),
    pool("the flag is renamed to a longer name", swap(POOL_PY, ("--burst", "--burst-size")), STALE),
    pool("the flag is removed", swap(POOL_PY, ('parser.add_argument("--burst", action="store_true")\n', "")), STALE),
    pool("the file is emptied", "", STALE),
    pool("the file is deleted", None, STALE),
    pool("the file moves as it is", POOL_PY, MOVED, moved="app/db/pool.py"),
    pool("only the case of the path changes", POOL_PY, MOVED, moved="app/Pool.py"),
    pool("the file moves and a neighbour changes", swap(POOL_PY, ("close_pool", "shut")), MOVED, moved="db/pool.py"),
    pool("the file moves and loses the flag", swap(POOL_PY, ("--burst", "--fast")), STALE, moved="db/pool.py"),
    pool("a value the statement does not give", swap(POOL_PY, ('LABEL = "pool"', 'LABEL = "main pool"')), AUTO),
    pool("a value the statement gives", swap(POOL_PY, ("20", "30")), REVIEW, "The limit in app/pool.py is 20."),
    pool("a quoted value", swap(POOL_PY, ("store_true", "store_false")), STALE, "app/pool.py says `store_true`."),
    pool("nothing to check", swap(POOL_PY, ("20", "30")), UNKNOWN, "Talk to the owner before touching app/pool.py."),
    pool("nothing to check and deleted", None, STALE, "Talk to the owner before touching app/pool.py."),
    pool(
        "a syntax error elsewhere",
        POOL_PY + "def broken(:\n",
        AUTO,
    ),
    pool(
        "most lines of the named things are rewritten",
        swap(POOL_PY, ("(size):", "(size, wait):"), ("min(size, MAX_OPEN)", "MAX_OPEN"), ("print(", "log(")),
        REVIEW,
        "`open_pool` hands out at most `MAX_OPEN`.",
    ),
    pool(
        "a topic of the prose leaves the file",
        swap(POOL_PY, ("connection", "session")),
        REVIEW,
        "The pool keeps every connection until it is told to let go.",
    ),
)

# TypeScript ----------------------------------------------------------------------------------------------------------

CART = Source("web/src/cart.ts")
CART_SAYS = "`addItem` in `cart.ts` merges lines by `skuOf`, and `CartError` is thrown above `MAX_LINES` (99)."
CART_TS = """\
import { skuOf } from "./sku";

export const MAX_LINES = 99;

export class CartError extends Error {}

export function addItem(cart: Cart, item: Item): Cart {
  const known = cart.lines.find((line) => skuOf(line) === skuOf(item));
  if (cart.lines.length >= MAX_LINES) throw new CartError("full");
  return known ? merge(cart, known) : { lines: [...cart.lines, item] };
}

export const removeItem = (cart: Cart, id: string) => ({
  lines: cart.lines.filter((line) => line.id !== id),
});
"""


def cart(name: str, after: str | None, expected: State, says: str = CART_SAYS, moved: str = "") -> Case:
    return Case(f"typescript: {name}", says, CART, CART_TS, after, expected, moved)


TYPESCRIPT = (
    cart("semicolons are dropped", swap(CART_TS, (";\n", "\n")), AUTO),
    cart("four spaces instead of two", swap(CART_TS, ("  ", "    ")), AUTO),
    cart("a trailing comma is dropped", swap(CART_TS, ("!== id),", "!== id)")), AUTO),
    cart("a neighbour is renamed", swap(CART_TS, ("removeItem", "dropItem")), AUTO),
    cart("a neighbour is added", CART_TS + "\nexport const total = (cart: Cart) => cart.lines.length;\n", AUTO),
    cart("the message of the error changes", swap(CART_TS, ('"full"', '"the cart is full"')), NOTE),
    cart("a parameter is added", swap(CART_TS, ("item: Item)", "item: Item, now: Date)")), NOTE),
    cart("the function becomes a constant", swap(CART_TS, ("function addItem(", "const addItem = (")), NOTE),
    cart("the function is renamed", swap(CART_TS, ("addItem", "putItem")), STALE),
    cart("the class is only imported", swap(CART_TS, ("export class CartError extends Error {}", "")), STALE),
    cart("the limit is raised", swap(CART_TS, ("99", "199")), REVIEW),
    cart("the helper is replaced", swap(CART_TS, ("skuOf", "keyOf"), ("./sku", "./key")), STALE),
    cart("the file is deleted", None, STALE),
    cart("it becomes a component", CART_TS, MOVED, moved="web/src/cart/cart.tsx"),
    cart("the file is split: the rest stays", swap(CART_TS, ("removeItem", "x")), AUTO),
    cart("the file is split: the named part leaves", CART_TS[CART_TS.index("export const removeItem") :], STALE),
    Case(
        "typescript: a member is added to the list the statement gives",
        "`PanelType` in types.ts is one of terminal, browser, editor, canvas and agent.",
        Source("src/types.ts"),
        "export type PanelType = 'terminal' | 'browser' | 'editor' | 'canvas' | 'agent'\n"
        "// terminal\n// browser\n// editor\n// canvas\n// agent\nlet a: PanelType\nlet b: PanelType\n",
        "export type PanelType = 'terminal' | 'browser' | 'editor' | 'canvas' | 'agent' | 'document'\n"
        "// terminal\n// browser\n// editor\n// canvas\n// agent\nlet a: PanelType\nlet b: PanelType\n",
        REVIEW,
    ),
)

# Go ------------------------------------------------------------------------------------------------------------------

RETRY = Source("internal/retry/retry.go")
RETRY_SAYS = "`Try` in `retry.go` backs off from `baseDelay` and gives up with `ErrExhausted` after 5 rounds."
RETRY_GO = """\
package retry

import "time"

const baseDelay = 250 * time.Millisecond

var ErrExhausted = errors.New("retry: exhausted")

type Policy struct {
	Tries int
}

func (p *Policy) Try(call func() error) error {
	for try := 0; try < p.Tries; try++ {
		if err := call(); err == nil {
			return nil
		}
		time.Sleep(baseDelay << try)
	}
	return ErrExhausted
}
"""


def retry(name: str, after: str | None, expected: State, says: str = RETRY_SAYS) -> Case:
    return Case(f"go: {name}", says, RETRY, RETRY_GO, after, expected)


GO = (
    retry("gofmt aligns the struct", swap(RETRY_GO, ("\tTries int", "\tTries   int")), AUTO),
    retry("a field is added", swap(RETRY_GO, ("\tTries int", "\tTries int\n\tJitter bool")), AUTO),
    retry("the receiver is renamed", swap(RETRY_GO, ("(p *Policy)", "(policy *Policy)"), ("p.T", "policy.T")), NOTE),
    retry("an import is added", swap(RETRY_GO, ('import "time"', 'import (\n\t"errors"\n\t"time"\n)')), AUTO),
    retry("the delay doubles", swap(RETRY_GO, ("250", "500")), NOTE),
    retry("the error is renamed", swap(RETRY_GO, ("ErrExhausted", "ErrGaveUp")), STALE),
    retry("the constant becomes a field", swap(RETRY_GO, ("baseDelay", "p.Base")), STALE),
    retry("the method moves away", RETRY_GO[: RETRY_GO.index("func (p")], STALE),
    retry("a dollar and brackets in a term", RETRY_GO + "// $(x)[0]\n", AUTO, "`call()` ends with `(x)[0]`."),
)

# Rust ----------------------------------------------------------------------------------------------------------------

LEXER = Source("crates/lex/src/lib.rs", symbol="Lexer::next_token")
LEXER_SAYS = "`Lexer::next_token` skips trivia; unknown characters become `TokenKind::Unknown`, never a panic."
LEXER_RS = """\
#[derive(Debug)]
pub enum TokenKind {
    Ident,
    Number,
    Unknown,
}

pub struct Lexer<'a> {
    rest: &'a str,
}

impl<'a> Lexer<'a> {
    pub fn next_token(&mut self) -> Token {
        self.skip_trivia();
        match self.bump() {
            Some(c) if c.is_alphabetic() => Token(TokenKind::Ident),
            Some(c) if c.is_numeric() => Token(TokenKind::Number),
            _ => Token(TokenKind::Unknown),
        }
    }

    fn skip_trivia(&mut self) {
        self.rest = self.rest.trim_start();
    }
}
"""


def lexer(name: str, after: str | None, expected: State, source: Source = LEXER) -> Case:
    return Case(f"rust: {name}", LEXER_SAYS, source, LEXER_RS, after, expected)


RUST = (
    lexer("the body of the symbol changes", swap(LEXER_RS, ("match self.bump()", "match self.take()")), AUTO),
    lexer("a neighbour's arm changes", swap(LEXER_RS, ("is_numeric()", "is_ascii_digit()")), NOTE),
    lexer("the header of the symbol changes", swap(LEXER_RS, ("-> Token {", "-> Option<Token> {")), NOTE),
    lexer(
        "rustfmt breaks the header",
        swap(LEXER_RS, ("(&mut self) -> Token {", "(\n        &mut self,\n    ) -> Token {")),
        NOTE,
    ),
    lexer("an attribute is added", swap(LEXER_RS, ("    pub fn next", "    #[inline]\n    pub fn next")), AUTO),
    lexer("the symbol is renamed", swap(LEXER_RS, ("next_token", "advance")), STALE),
    lexer("the symbol is only called", swap(LEXER_RS, ("pub fn next_token(", "pub fn go(")) + "// next_token\n", STALE),
    lexer("the variant is renamed", swap(LEXER_RS, ("Unknown", "Error")), STALE),
    lexer("a variant is added", swap(LEXER_RS, ("    Unknown,", "    String,\n    Unknown,")), AUTO),
)

# YAML ----------------------------------------------------------------------------------------------------------------

CI = Source(".github/workflows/ci.yml")
CI_SAYS = "`ci.yml` runs `pytest -q` on Python 3.11 with `fail-fast: false`, on push to `release`."
CI_YML = """\
name: ci
on:
  push:
    branches: [main, release]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        python: ["3.11", "3.12"]
    steps:
      - uses: actions/checkout@v4
      - run: pytest -q
"""


def ci(name: str, after: str | None, expected: State, says: str = CI_SAYS) -> Case:
    return Case(f"yaml: {name}", says, CI, CI_YML, after, expected)


YAML = (
    ci("an action is updated", swap(CI_YML, ("checkout@v4", "checkout@v5")), AUTO),
    ci("a step is added", CI_YML + "      - run: mypy\n", AUTO),
    ci("the indentation changes", swap(CI_YML, ("      - ", "    - ")), AUTO),
    ci("comments are added", "# Continuous integration\n" + CI_YML, AUTO),
    ci("another version is added", swap(CI_YML, ('"3.12"]', '"3.12", "3.13"]')), NOTE),
    ci("the version is dropped", swap(CI_YML, ('"3.11", ', "")), STALE),
    ci("a version that begins alike stays", swap(CI_YML, ('"3.11"', '"3.110"')), STALE),
    ci("the value of the key is turned", swap(CI_YML, ("fail-fast: false", "fail-fast: true")), STALE),
    ci("the key is dropped", swap(CI_YML, ("      fail-fast: false\n", "")), STALE),
    ci("the command changes", swap(CI_YML, ("pytest -q", "pytest -n auto")), STALE),
    ci("the branch is dropped", swap(CI_YML, ("[main, release]", "[main]")), STALE),
    ci("the workflow is deleted", None, STALE),
)

# Markdown ------------------------------------------------------------------------------------------------------------

GUIDE = Source("docs/guide.md")
GUIDE_SAYS = "`docs/guide.md` tells under `Releasing` to run `make release` with `--sign`."
GUIDE_MD = """\
# Guide

## Building

Run `make build` first.

## Releasing

Run `make release` with `--sign`, from the main branch.
"""


def guide(name: str, after: str | None, expected: State, source: Source = GUIDE) -> Case:
    return Case(f"markdown: {name}", GUIDE_SAYS, source, GUIDE_MD, after, expected)


MARKDOWN = (
    guide("another section is rewritten", swap(GUIDE_MD, ("Run `make build` first.", "Nothing to build.")), NOTE),
    guide("a section is added above", "Status: draft\n\n" + GUIDE_MD, AUTO),
    guide("sections change places", GUIDE_MD[:9] + GUIDE_MD[46:] + GUIDE_MD[9:46], AUTO),
    guide("the sentence is reworded", swap(GUIDE_MD, (", from the main branch", " once the tests are green")), NOTE),
    guide("the command is renamed", swap(GUIDE_MD, ("make release", "make publish")), STALE),
    guide("the heading is renamed", swap(GUIDE_MD, ("## Releasing", "## Shipping")), STALE),
    guide("the flag is dropped", swap(GUIDE_MD, (" with `--sign`", "")), STALE),
)

# The other anchors ---------------------------------------------------------------------------------------------------

_LINE = replace(POOL, text="return connect(min(size, MAX_OPEN))")
_ABSENT = replace(POOL, absent="requests")
_SYMBOL = replace(POOL, symbol="open_pool")


def anchor(
    name: str, source: Source, after: str | None, expected: State, others: Mapping[str, str] | None = None
) -> Case:
    return Case(f"anchor: {name}", "Connections are capped.", source, POOL_PY, after, expected, others=others or {})


ANCHORS = (
    anchor("the line moves", _LINE, swap(POOL_PY, (OPEN_PY + CLOSE_PY, CLOSE_PY + OPEN_PY)), AUTO),
    anchor("the line is indented", _LINE, swap(POOL_PY, ("    return", "        return")), AUTO),
    anchor("the line is edited", _LINE, swap(POOL_PY, ("min(size, MAX_OPEN)", "min(size, LIMIT)")), REVIEW),
    anchor("the line is gone", _LINE, swap(POOL_PY, (OPEN_PY, "")), STALE),
    anchor("the line has a copy", _LINE, POOL_PY + POOL_PY, AUTO),
    anchor("the absent term comes in", _ABSENT, "import requests\n" + POOL_PY, STALE),
    anchor("a longer word is not the absent term", _ABSENT, "import requests_mock\n" + POOL_PY, AUTO),
    anchor("the symbol is decorated", _SYMBOL, swap(POOL_PY, ("def open_pool", "@cached\ndef open_pool")), AUTO),
    anchor("the symbol gets a default", _SYMBOL, swap(POOL_PY, ("(size):", "(size=8):")), NOTE),
    anchor("the symbol becomes async", _SYMBOL, swap(POOL_PY, ("def open_pool", "async def open_pool")), NOTE),
    anchor("the symbol's body changes", _SYMBOL, swap(POOL_PY, ("min(size, MAX_OPEN)", "MAX_OPEN")), AUTO),
    anchor("the symbol is gone", _SYMBOL, swap(POOL_PY, ("open_pool", "start")), STALE),
    anchor(
        "the symbol moved to another cited file",
        _SYMBOL,
        swap(POOL_PY, (OPEN_PY, "from app.opening import open_pool\n")),
        REVIEW,
        others={"app/opening.py": OPEN_PY},
    ),
    anchor("the file became a Git LFS pointer", _SYMBOL, "version https://git-lfs.github.com/spec/v1\n", UNKNOWN),
    anchor("the file became binary", _SYMBOL, "\0PNG" + POOL_PY, UNKNOWN),
    anchor("the file grew past a mebibyte", _SYMBOL, POOL_PY + "#" * (1 << 20), UNKNOWN),
)

_FLAGS = Source("deploy/flags.yaml")
_FLAGS_YAML = 'FEATURE_X: "false"\nFEATURE_Y: "true"\nFEATURE_Z: "false"\nPOOL_SIZE: 16\nWORKERS: 16\n'


def flag(name: str, says: str, after: str, expected: State) -> Case:
    return Case(f"yaml: {name}", says, _FLAGS, _FLAGS_YAML, after, expected)


SWITCHES = (
    flag("a switch is flipped", 'FEATURE_X must stay "false".', swap(_FLAGS_YAML, ('X: "false"', 'X: "true"')), REVIEW),
    flag("another switch is flipped", 'FEATURE_X stays "false".', swap(_FLAGS_YAML, ('Z: "false"', 'Z: "true"')), NOTE),
    flag(
        "a figure changes that stands elsewhere too", "POOL_SIZE is 16.", swap(_FLAGS_YAML, ("E: 16", "E: 8")), REVIEW
    ),
    flag("the same figure changes elsewhere", "POOL_SIZE is 16.", swap(_FLAGS_YAML, ("S: 16", "S: 8")), NOTE),
)

CASES = (*PYTHON, *TYPESCRIPT, *GO, *RUST, *YAML, *SWITCHES, *MARKDOWN, *ANCHORS)
