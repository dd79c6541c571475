"""What the cache keeps of a file, a hit, a term and its counts, as values of the database and back."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from curator.edge import database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.model import Entry, Finding

_SEPARATOR = "\0"  # neither in paths, ids and dates nor in JSON


class Parsed:
    """What a file came to. *blob* is any text that changes with its bytes and with how they are read."""

    __slots__ = ("_cost", "_words", "blob", "entry", "findings", "path")

    def __init__(
        self,
        path: str,
        blob: str,
        entry: Entry | None,
        findings: tuple[Finding, ...] = (),
        words: str | None = None,
        cost: str = "",
    ) -> None:
        self.path = path
        self.blob = blob
        self.entry = entry
        self.findings = findings
        self._words = words
        self._cost = cost

    @property
    def words(self) -> str:
        """The distinct words of the entry's text, one a blank apart."""
        if self._words is None:
            from curator.core import alike  # noqa: PLC0415 - only what is new is cut into words

            self._words = " ".join(sorted(alike.bag(self.entry.text))) if self.entry else ""
        return self._words

    @property
    def cost(self) -> float:
        """What the entry costs in a block, in tokens, not rounded."""
        if not self._cost:
            from curator.core import budget  # noqa: PLC0415 - the same

            self._cost = repr(budget.cost(self.entry)) if self.entry else "0.0"
        return float(self._cost)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parsed) and _values(self) == _values(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Parsed{_values(self)!r}"


class Document:
    """What a search shows of a hit; *path* and *blob* say which state of which file it comes from."""

    __slots__ = ("blob", "category", "confidence", "expires", "id", "path", "text")

    def __init__(
        self, path: str, blob: str, name: str, category: str, text: str, expires: str, confidence: float
    ) -> None:
        self.path = path
        self.blob = blob
        self.id = name
        self.category = category
        self.text = text
        self.expires = expires
        self.confidence = confidence


class Known:
    """An entry of the listing by one of its keys: that of its text, or the one it was proposed under."""

    __slots__ = ("entry", "id", "path", "retired", "seen", "session")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.id = entry.id
        self.path = entry.path
        self.retired = entry.retired is not None
        self.seen = entry.seen
        self.session = entry.origin.session


def _values(one: Parsed) -> tuple[object, ...]:
    return one.path, one.blob, one.entry, one.findings


def of_parsed(one: Parsed) -> bytes:
    from curator.core import record  # noqa: PLC0415 - json: a search decodes its hits only

    entry = record.dumps(one.entry) if one.entry else ""
    findings = record.dump_findings(one.findings) if one.findings else ""
    return database.sealed_text(_SEPARATOR.join([one.path, one.blob, entry, findings, one.words, repr(one.cost)]))


def parsed(sealed: object) -> Parsed:
    from curator.core import record  # noqa: PLC0415 - the same

    path, blob, text, told, words, cost = database.opened_text(sealed).split(_SEPARATOR)
    entry = record.loads(text) if text else None
    return Parsed(path, blob, entry, record.load_findings(told) if told else (), words, cost)


def known(sealed: object) -> Known:
    """A file that holds an entry."""
    entry = parsed(sealed).entry
    if entry is None:
        raise database.Damaged
    return Known(entry)


def of_document(entry: Entry, blob: str) -> bytes:
    confidence = repr(entry.origin.confidence)
    facts = [entry.path, blob, entry.id, entry.category, entry.expires, confidence, entry.text]
    return database.sealed_text(_SEPARATOR.join(facts))


def document(sealed: object) -> Document:
    path, blob, name, category, expires, confidence, text = database.opened_text(sealed).split(_SEPARATOR, 6)
    return Document(path, blob, name, category, text, expires, float(confidence))


def of_posting(ordinals: Sequence[int], weights: Sequence[float]) -> tuple[bytes, bytes]:
    return database.sealed(array("I", ordinals).tobytes()), database.sealed(array("d", weights).tobytes())


def posting(ordinals: object, weights: object) -> tuple[array[int], array[float]]:
    return array("I", database.opened(ordinals)), array("d", database.opened(weights))


def of_counts(counts: Mapping[str, float]) -> bytes:
    """Counts as text, a line for each number with the terms that occur so often; terms hold no white space."""
    terms: dict[float, list[str]] = {}
    for term, count in counts.items():
        terms.setdefault(count, []).append(term)
    return database.sealed_text("\n".join(" ".join([repr(count), *group]) for count, group in terms.items()))


def counts(sealed: object) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in filter(None, database.opened_text(sealed).split("\n")):
        count, *terms = line.split(" ")
        found.update(dict.fromkeys(terms, float(count)))
    return found
