from __future__ import annotations

import pytest

from curator.core import mention

TRACKED = [
    "README.md",
    "Makefile",
    "package.json",
    "docs/Architecture Overview.md",
    "docs/guide.md",
    "src/app.py",
    "src/auth/token.py",
    "src/auth/__init__.py",
    "src/web/__init__.py",
    "src/web/routes.ts",
    "services/billing/README.md",
    "services/billing/src/app.py",
    "services/billing/tax.py",
    "tests/test_token.py",
    "tests/fixtures/schema.sql",
    "docs/règle.md",
]

NAMED = [
    ("a path in a code span", "Tokens are made in `src/auth/token.py`.", ["src/auth/token.py"]),
    ("a bare path", "Tokens are made in src/auth/token.py, always.", ["src/auth/token.py"]),
    ("a path from here", "Run `./src/app.py`.", ["src/app.py"]),
    ("a path at the end of a sentence", "Read README.md.", ["README.md"]),
    ("the only file of that name", "See `token.py`.", ["src/auth/token.py"]),
    ("the end of one path", "See `auth/__init__.py`.", ["src/auth/__init__.py"]),
    ("a file name that several have", "Each has an `__init__.py`.", []),
    ("the one at the root before others", "See README.md first.", ["README.md"]),
    ("a link", "See [the guide](docs/guide.md#testing).", ["docs/guide.md"]),
    ("a link with blanks", "See [it](docs/Architecture%20Overview.md).", ["docs/Architecture Overview.md"]),
    ("a line number", "See src/app.py:12.", ["src/app.py"]),
    ("a file beside a folder", "**Auth** (`src/auth/`): `token.py` makes tokens.", ["src/auth/token.py"]),
    ("a file below a folder around", "`services/billing/src/` - `tax.py` rounds.", ["services/billing/tax.py"]),
    ("a makefile", "Targets are in the Makefile.", ["Makefile"]),
    ("letters beyond ASCII", "See `docs/règle.md`.", ["docs/règle.md"]),
    ("each once, in order", "`src/app.py`, README.md and src/app.py", ["src/app.py", "README.md"]),
    ("no folder", "See `src/auth/` and `docs`.", []),
    ("no pattern", "Handlers are `src/<name>/app.py`, `src/*/token.py`, `{Kind}/routes.ts`.", []),
    ("no address", "See https://example.org/README.md and ada@package.json.", []),
    ("no file that is not tracked", "See `src/gone.py`.", []),
    ("no fixture by its name alone", "The `schema.sql` is generated.", []),
    ("a test by its name alone", "Run `test_token.py`.", ["tests/test_token.py"]),
    ("no name for all such files", "README.md files in each package are short.", []),
    ("no word with a dot", "Use Node.js, e.g. v22.1, i.e. the LTS.", []),
]

SYMBOLS = [
    ("`src/app.py:main` starts it.", "main"),
    ("`src/app.py::App.run` starts it.", "App.run"),
    ("`main` in `src/app.py` starts it.", "main"),
    ("The `main()` function in src/app.py starts it.", "main"),
    ("`main()` (`src/app.py`) starts it.", "main"),
    ("`src/app.py`'s `main` starts it.", "main"),
    ("`src/app.py` - `main()` starts it.", "main"),
    ("`src/app.py` starts it.", ""),
    ("`src/app.py:12` starts it.", ""),
    ("`src/auth/token.py` and `src/app.py`", ""),
]


@pytest.mark.parametrize(("text", "paths"), [case[1:] for case in NAMED], ids=[case[0] for case in NAMED])
def test_sources_are_the_tracked_files_a_text_names(text: str, paths: list[str]) -> None:
    assert [source.path for source in mention.sources(text, mention.paths(TRACKED))] == paths


@pytest.mark.parametrize(("text", "symbol"), SYMBOLS)
def test_a_name_beside_a_file_is_its_symbol(text: str, symbol: str) -> None:
    found = {source.path: source.symbol for source in mention.sources(text, mention.paths(TRACKED))}
    assert found["src/app.py"] == symbol


def test_only_code_has_symbols() -> None:
    (source,) = mention.sources("the `prepare` script in `package.json`", mention.paths(TRACKED))
    assert source.symbol == ""


def test_a_file_in_a_folder_speaks_of_that_folder() -> None:
    known = mention.paths(TRACKED)
    named = mention.sources("See README.md, src/app.py and docs/guide.md.", known, "services/billing/")
    assert [one.path for one in named] == ["services/billing/README.md", "services/billing/src/app.py", "docs/guide.md"]


def test_a_path_that_goes_up_is_seen_from_its_folder() -> None:
    known = mention.paths(TRACKED)
    assert mention.sources("`../../docs/guide.md`", known, "services/billing/")[0].path == "docs/guide.md"
    assert mention.sources("`../docs/guide.md` and `../../../../README.md`", known, "services/billing/") == ()
    assert mention.sources("`../README.md`", known) == ()


def test_the_file_itself_is_no_source() -> None:
    assert mention.sources("README.md is short.", mention.paths(TRACKED), "", "README.md") == ()


def test_there_are_twelve_sources_at_most() -> None:
    many = [f"src/file{number}.py" for number in range(20)]
    assert len(mention.sources(" ".join(many), mention.paths(many))) == 12


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("See `src/auth/token.py`.", "src/auth/token.py"),
        ("See ./src/auth/token.py:12.", "src/auth/token.py"),
        ("See [it](../auth/token.py#L3).", "auth/token.py"),
        ("`token.py` makes tokens.", "token.py"),
        ("token.py", "token.py"),
        ("`other/token.py` is another.", ""),
        ("`mytoken.py` and token.pyc are others.", ""),
        ("The auth module.", ""),
        ("First token.py, then auth/token.py.", "auth/token.py"),
    ],
)
def test_a_path_is_cited_as_the_longest_end_that_the_text_writes(text: str, cited: str) -> None:
    assert mention.cited_as(text, "src/auth/token.py") == cited


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("There is no `setup.py`.", True),
        ("There's no setup.py here.", True),
        ("We do not use `setup.py`.", True),
        ("It never uses the `setup.py`.", True),
        ("`setup.py` does not exist.", True),
        ("`setup.py` has been removed.", True),
        ("setup.py no longer exists", True),
        ("Metadata lives in pyproject.toml, not `setup.py`.", True),
        ("Never edit `setup.py` by hand.", False),
        ("Do not run `setup.py`.", False),
        ("`setup.py` is not to be edited.", False),
        ("There is no `setup.py` below, only `setup.py` at the root.", False),
        ("There is no way around it.", False),
    ],
)
def test_a_name_is_denied_when_each_mention_says_it_is_not_there(text: str, denied: bool) -> None:
    assert mention.denies(text, "setup.py") is denied


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("`round_vat` and parseRow, then `Cart`.", ("round_vat", "Cart", "parseRow")),
        ("`flush` and `gc`, but `put()` is called.", ("flush", "put")),
        ("Use `main`, `test` and `true`.", ()),
        ("We do not use `round_vat`.", ()),
        ("`--flag`, `src/app.py`, `1.2` and GitHub are none.", ()),
    ],
)
def test_symbols_are_names_that_code_may_define(text: str, symbols: tuple[str, ...]) -> None:
    assert mention.symbols(text) == symbols


def test_twenty_symbols_are_looked_for_at_most() -> None:
    assert len(mention.symbols(" ".join(f"name_{number}" for number in range(30)))) == 20


def test_tests_and_examples_define_nothing_a_statement_is_about() -> None:
    assert [
        path
        for path in ("a/b.py", "tests/b.py", "a/test_b.py", "b.spec.ts", "examples/b.go", "b.md")
        if mention.is_definer(path)
    ] == ["a/b.py"]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Use `.ts` extensions (e.g., `import { foo } from './utils.ts'`).", "utils.ts", True),
        ("Prefix internal files, for example `_types.ts` or `_utils.ts`.", "_utils.ts", True),
        ("E.g. round per line. The rule lives in `shop/tax.py`.", "shop/tax.py", False),
        ("See `shop/tax.py`, for example its first rule.", "shop/tax.py", False),
        ("Like `a.py`, e.g. `b.py`, and `a.py` again.", "a.py", False),
    ],
)
def test_what_is_given_as_an_example_is_told_apart(text: str, name: str, expected: bool) -> None:
    assert mention.is_example(text, name) is expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Do not use shop/nothere.py.", ("shop/nothere.py",)),
        ("Call `web/gone.ts` and shop/tax.py.", ("web/gone.ts",)),
        ("Put fakes beside it, for example shop/nothere.py.", ()),
        ("Load https://example.org/a/b.js or example.org/a/b.js and/or ~/x/y.py, ../z/a.py.", ()),
        ("Name tests such as src/<name>/mod.rs; tax.py is the model, nothere.py too.", ()),
    ],
)
def test_files_that_are_nowhere_are_named(text: str, names: tuple[str, ...]) -> None:
    assert mention.missing(text, mention.paths(["src/shop/tax.py"])) == names
