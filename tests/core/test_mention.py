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
