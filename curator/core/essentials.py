"""The settings that a hook goes by, out of the JSON that `record.dump_config` wrote, without the nouns."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Limits:
    """Limits and signal weights of a search, as `model.Recall` has them."""

    __slots__ = ("grams", "limit", "min_confidence", "paths", "tokens", "words")

    def __init__(self, row: Sequence[float]) -> None:
        self.limit = int(row[0])
        self.tokens = int(row[1])
        self.min_confidence, self.words, self.grams, self.paths = row[2:6]


class Settings:
    """What hooks ask of memories/curator.yaml. *targets* are the paths of the files that carry a block.

    *sensitivity*, *quotes*, *gate* and *gate_lookup* are those of `model.Capture`.
    """

    __slots__ = (
        *("block", "categories", "gate", "gate_lookup", "namespace", "quotes", "recall", "sensitivity", "targets"),
        "trust",
    )

    def __init__(self, text: str) -> None:
        row = json.loads(text)
        self.namespace: str = row[0]
        self.targets = tuple(str(target[0]) for target in row[1])
        self.block: str = row[2]
        self.categories = tuple(str(budget[0]) for budget in row[4])
        self.trust: str = row[6]
        self.sensitivity, self.quotes, self.gate, self.gate_lookup = row[7][:4]
        self.recall = Limits(row[8])
