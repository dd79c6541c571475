"""`benchmarks.semantic`: what it adds to the search, it adds to the search that there is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from benchmarks import retrieval, semantic


def by_words(texts: Sequence[str], _: bool) -> Any:
    """Unit vectors of hashed words: as much meaning as a test needs."""
    vectors = numpy.full((len(texts), 512), 1e-9)
    for at, text in enumerate(texts):
        for word in text.lower().split():
            vectors[at, sum(word.encode()) % 512] += 1
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def test_without_weight_it_measures_the_search_itself_and_with_weight_something_else() -> None:
    store = semantic.Store(64, by_words)
    found = retrieval.figures(retrieval.DATA / "hard_own.jsonl")
    plain = store.figures(0.0)
    assert {kind: pytest.approx(rows["R@5"]) for kind, rows in plain.items()} == {
        kind: rows["R@5"] for kind, rows in found.items()
    }
    assert store.figures(0.5) != plain
    assert store.figures(semantic.ALONE)["identifier"]["R@5"] < plain["identifier"]["R@5"]


def test_the_statements_it_stands_among_are_first_paragraphs_of_docstrings(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        '''"""Read a file\n   and close it.\n\nMore."""\ndef f():\n    "No"\n''', encoding="utf-8"
    )
    (tmp_path / "broken.py").write_text("def (\n", encoding="utf-8")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "b.py").write_text('"""Of a test, so left out."""\n', encoding="utf-8")
    assert list(semantic.docstrings(tmp_path)) == ["Read a file and close it.", "No"]


def test_a_model_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> semantic.Encode:
        raise ImportError("no such package")

    monkeypatch.setitem(semantic.MODELS, "wordllama", absent)
    assert list(semantic.report("wordllama", [64])) == ["wordllama: not installed"]
