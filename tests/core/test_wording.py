"""How instruction files and memories write paths, and how a path is written anew."""

from __future__ import annotations

import pytest

from curator.core import wording


@pytest.mark.parametrize(
    ("text", "moves", "taken", "expected"),
    [
        ("First a.py, then b.py.", {"x/a.py": "y/b.py", "z/b.py": "z/c.py"}, (), "First b.py, then c.py."),
        ("Swap a.py and b.py.", {"a.py": "b.py", "b.py": "a.py"}, (), "Swap b.py and a.py."),
        (
            "Run tools/build before you build.",
            {"tools/build": "tools/compile"},
            (),
            "Run tools/compile before you build.",
        ),
        ("Of src/index.ts, not index.ts.", {"src/index.ts": "src/main.ts"}, (), "Of src/main.ts, not index.ts."),
        ("See index.ts.", {"src/index.ts": "src/main.ts"}, ("index.ts",), "See index.ts."),
        ("See ./a.py, not a.py.in or lib/a.py.", {"a.py": "b.py"}, (), "See ./b.py, not a.py.in or lib/a.py."),
        ("Nothing of it.", {"a.py": "b.py"}, (), "Nothing of it."),
    ],
)
def test_moved_paths_are_written_anew_and_nothing_else(
    text: str, moves: dict[str, str], taken: tuple[str, ...], expected: str
) -> None:
    assert wording.moved(text, moves, taken) == expected
