"""Which tracked files, and which names in them, a text speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote

from curator.core import kinds, terms
from curator.model import Source

MOST = 12
"""Sources of an entry, at most."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The tracked paths, and for each file name those that end in it."""

    all: frozenset[str]
    by_name: Mapping[str, tuple[str, ...]]


def paths(tracked: Iterable[str]) -> Paths:
    """Make *tracked* ready to be searched."""
    every = sorted(tracked)
    by_name: dict[str, list[str]] = {}
    for path in every:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    return Paths(frozenset(every), {name: tuple(found) for name, found in by_name.items()})


def sources(text: str, known: Paths, folder: str = "", but: str = "") -> tuple[Source, ...]:
    """The tracked files that *text* names, in its order, each once, 12 at most.

    A name counts when it is a tracked path from *folder* (with a final slash), from the root or from a folder that
    *text* names too, or the end of just one. *but* is left out: the file that *text* comes from.
    """
    text = shortened(text)
    names = tuple(dict.fromkeys(_names(text)))
    folders = (folder, *islice(dict.fromkeys(_folders(name for name, _ in names)), _MOST_FOLDERS))
    symbols = _symbols(text, known, folders)
    found: dict[str, str] = {}
    for name, symbol in names:
        path = _resolve(name, known, folders)
        if path and path != but and not found.get(path):
            found[path] = (symbol if _CODE.search(path) else "") or symbols.get(path, "")
    return tuple(Source(path, symbol) for path, symbol in list(found.items())[:MOST])


def missing(text: str, known: Paths) -> tuple[str, ...]:
    """The files that *text* names by folder and name and that are nowhere; examples apart."""
    names = dict.fromkeys(_plain(name) for name, _ in _names(shortened(text)))
    return tuple(name for name in names if _is_file(name) and not _is_known(name, known) and not is_example(text, name))


def _is_file(name: str) -> bool:
    return bool(_FILE.fullmatch(name))


def _is_known(name: str, known: Paths) -> bool:
    held = known.by_name.get(name.rpartition("/")[2], ())
    return any(path == name or path.endswith(f"/{name}") for path in held)


# Not what begins as an address of the web does: a point in the first folder.
_FILE = re.compile(
    r"[\w@+-]+(?:/[\w@.+-]+)*/[\w@+-][\w@.+-]*\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|rb|java|kts?|swift"
    r"|c|h|cc|cpp|hpp|cs|php|sh|scala|exs?|lua|dart|md|ya?ml|json|toml|sql|html|css|cfg|ini)",
    re.I,
)
_MOST_FOLDERS = 200  # folders from which the names of one text are tried
_LONG_RUN = re.compile(r"[!-~]{501,}+")  # data: a name is shorter, and only in ASCII words have blanks between them
_BLANKS = re.compile(r"[^\S\n]{2,}+")


def shortened(text: str) -> str:
    """*text* with a blank for every run that is too long to be a name or a word, and for several blanks; lines stay."""
    return _BLANKS.sub(" ", _LONG_RUN.sub(" ", text))


def cited_as(text: str, path: str) -> str:
    """How *text* writes the tracked *path*: the longest end of it that stands there as a name of its own, or ""."""
    end = path
    while end:
        if _mentions(text, end):
            return end
        end = end.partition("/")[2]
    return ""


def _mentions(text: str, name: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<![\w/.@-])(?:(?:\.\.?)?/)*{re.escape(name)}(?![\w/-])(?!\.\w)", text))


_NOT = r"(?:do|does|did)(?: not|n['\u2019]t)"
_DENIED = re.compile(
    r"(?:\b(?:is|are|was|were|has|have|had|need|needs|with|there'?s) no|\bno longer (?:\w+ ){0,2}|\bwithout"
    rf"|\b(?:instead of|rather than|never uses?|not)|\b{_NOT} (?:have|exist|use)"
    r"|\b(?:removed?|deleted?|dropped|replaces|replaced|obsolete))\s+(?:(?:the|an?|any|our|old)\s+)?[`*\"'(\[]*$",
    re.I,
)
_DENIED_AFTER = re.compile(
    rf"(?:\(\))?[`*\"')\]]*\s+(?:(?:file|module|function|class|helper)\s+)?(?:{_NOT} exist|no longer exists?"
    r"|(?:is|are|was|were|has been|have been) (?:\w+ )?(?:gone|removed|deleted|dropped|replaced))\b",
    re.I,
)


_MAY_DENY = re.compile(
    r"n['\u2019]t\b|\b(?:no|not|never|without|instead|rather|gone|removed?|deleted?|dropped|replace[sd]|obsolete)\b",
    re.I,
)
_MAY_EXEMPLIFY = re.compile(r"\be\.g\.|\bfor (?:example|instance)\b", re.I)
# Without one of these words there is nothing that a pattern made for one name could find, and making that is dear.

_DENIAL = 200  # characters before and behind a name that may deny it


def denies(text: str, name: str) -> bool:
    """Whether *text*, wherever it names *name*, says that it does not exist or is not used."""
    if not _MAY_DENY.search(text):
        return False
    found = _mentions(text, name)
    return bool(found) and all(
        _DENIED.search(text[max(0, one.start() - _DENIAL) : one.start()])
        or _DENIED_AFTER.match(text[one.end() : one.end() + _DENIAL])
        for one in found
    )


_EXAMPLE = re.compile(r"(?:\be\.g\.|\bfor (?:example|instance)\b)(?:(?!\.\s)[^\n]){0,80}$", re.I)
_LEAD = 100  # characters before a name in which it may be called an example


def is_example(text: str, name: str) -> bool:
    """Whether *text*, wherever it names *name*, gives it as an example: it speaks of others just as much."""
    if not _MAY_EXEMPLIFY.search(text):
        return False
    found = _mentions(text, name)
    return bool(found) and all(_EXAMPLE.search(text[max(0, one.start() - _LEAD) : one.start()]) for one in found)


MOST_SYMBOLS = 20
"""Symbols of one text that are looked for, at most."""
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_SHORTEST = 5  # letters of a plain word in back-ticks that may be the name of a definition
_STRUCTURED = re.compile(r"[A-Z]|_[A-Za-z0-9]|[A-Za-z0-9]_")


def symbols(text: str) -> tuple[str, ...]:
    """Names in *text* that code may define: `snake_case` and camelCase, and back-ticked identifiers; 20 at most.

    A plain word in back-ticks counts when it is long, or called: `flush()`. A denied one does not.
    """
    text = shortened(text)
    strong = (name for name, strength in terms.named(text).items() if strength is terms.Strength.STRONG)
    names = [name for name in strong if _IDENTIFIER.fullmatch(name) and _may_be_defined(text, name)]
    return tuple(islice((name for name in names if not denies(text, name)), MOST_SYMBOLS))


def _may_be_defined(text: str, name: str) -> bool:
    return bool(_STRUCTURED.search(name)) or len(name) >= _SHORTEST or f"`{name}()" in text


def is_proposable(text: str, path: str) -> bool:
    """Whether *path*, which *text* names, may be proposed: no rules, memory, lock file, example, nor what is denied.

    Nor a name that is no UTF-8: a memory cannot write it.
    """
    if any("\ud800" <= letter <= "\udfff" for letter in path):
        return False
    if kinds.is_memory(path) or kinds.is_instructions(path) or kinds.is_lock(path):
        return False
    if not (_MAY_DENY.search(text) or _MAY_EXEMPLIFY.search(text)):
        return True
    name = cited_as(text, path)
    return not (name and (denies(text, name) or is_example(text, name)))


def is_definer(path: str) -> bool:
    """Whether a definition in *path* is one that a statement may be about: code, and no test, example or copy."""
    return bool(_CODE.search(path)) and not _APART.search(path) and not _TEST.search(path.rpartition("/")[2])


_URL = re.compile(r"(?:https?://|git@|file://|www\.)[^\s)>\]\"'`]*|(?<![\w.+-])[.+-]*\b[\w.+-]++@[\w-]++\.[\w.]+")
_LINK = re.compile(r"\]\(([^()\s]+)\)")
# `src/<name>/mod.rs`, `docs/*.md`, `{Entity}Service.cs`: patterns, no paths.
_PATTERN = re.compile(r"(?<![\w./-])[\w./-]*+(?:<[^<>\n]*>|\{[^{}\n]*\}|\*)[\w./<>{}*|-]*")
_MANY = re.compile(r"[`*]*\s+files\b")
"""What follows a file name that stands for all files of that name."""
_NAME = re.compile(
    r"(?P<path>(?:(?:\.\./)+|\.?/)?[\w@.+~\[\]$-]+(?:/[\w@.+~\[\]$()-]+)*/?)"
    r"(?:::(?P<scoped>[A-Za-z_][\w.:]*)|:(?P<symbol>[A-Za-z_]\w*(?:\.\w+)*)(?![\w/])|#(?P<anchor>[A-Za-z_]\w*)(?![\w-]))?"
)


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Whatever may be a path, with the symbol behind it: link targets first, then words."""
    for link in _LINK.finditer(text):
        yield unquote(link[1].partition("#")[0]), ""
    plain = _PATTERN.sub(" ", _URL.sub(" ", _LINK.sub("] ", text)))
    for word in _NAME.finditer(plain):
        if _MANY.match(plain, word.end()):
            continue
        symbol = word["scoped"] or word["symbol"] or word["anchor"] or ""
        yield word["path"].rstrip(".,;"), symbol.replace("::", ".").rstrip(".")


def _folders(names: Iterable[str]) -> Iterator[str]:
    """The folders that are named, and those around them: a file named beside them may be meant from there."""
    for name in names:
        plain = _plain(name)
        while plain.endswith("/") and plain.count("/") <= 8:
            yield plain
            plain = plain[: plain.rstrip("/").rfind("/") + 1]


def _plain(name: str) -> str:
    return re.sub(r"^(?:\./|/)+", "", name)


def _above(name: str, folder: str) -> str:
    """A path that begins with ``../`` as seen from the root, or nothing where it leads out."""
    while name.startswith("../"):
        if not folder:
            return ""
        name, folder = name[3:], folder[: folder.rstrip("/").rfind("/") + 1]
    return f"{folder}{name}"


_BARE = re.compile(r"(?:Make|Docker|Just|Proc|Rake|Gem|Brew|Vagrant|Jenkins|Pip|Task)file|CODEOWNERS|LICENSE|justfile")
_TEST = re.compile(r"^tests?[_.-]|[_.-](?:tests?|spec)\.", re.I)
_APART = re.compile(
    r"(?:^|/)(?:tests?|__tests__|fixtures?|testdata|examples?|samples?|templates?|vendor|third_party|node_modules)/",
    re.I,
)


def _resolve(name: str, known: Paths, folders: Sequence[str]) -> str:
    """The one tracked path that *name* stands for, or nothing.

    A file name alone does not stand for a fixture or an example, unless it is a test's.
    """
    if name.startswith("../"):
        above = _above(name, folders[0])
        return above if above in known.all else ""
    plain = _plain(name)
    if len(plain) < 3 or not re.search(r"[A-Za-z]", plain) or not (re.search(r"[/.]", plain) or _BARE.fullmatch(plain)):
        return ""
    named = known.by_name.get(plain.rpartition("/")[2], ())
    if not named:
        return ""
    for path in (f"{folders[0]}{plain}", plain, *(f"{folder}{plain}" for folder in folders[1:])):
        if path in known.all:
            return path
    ends = [path for path in named if path.endswith(f"/{plain}")]
    if "/" not in plain and not _TEST.search(plain):
        ends = [path for path in ends if not _APART.search(path)]
    near = [path for path in ends if folders[0] and path.startswith(folders[0])]
    return (near or ends)[0] if len(near or ends) == 1 else ""


_CODE = re.compile(
    r"\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|rb|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|sh|scala|ex|exs|lua|dart)$",
    re.I,
)
"""Files in which a name can be defined."""
_SYMBOL = r"`(?P<symbol>[A-Za-z_]\w*)(?:\(\))?`"
_PATH = r"(?P<path>[\w@./+~-]+)"
_BEFORE = re.compile(
    _SYMBOL + r"(?:\s+(?:\w+\s+){0,2}?(?:in|from|of|inside|within)\s+|\s*\((?:in |see )?)\[?[`*]*" + _PATH + r"[`*]*"
)
_AFTER = re.compile(f"`{_PATH}`" + r"(?:['\u2019]s\s+|\s*\(|\s*(?:\u2192|->|>|\u2014|-)\s*)" + _SYMBOL)


def _symbols(text: str, known: Paths, folders: Sequence[str]) -> dict[str, str]:
    """Symbols that are named before or after their file, by path: "`parse` in src/a.py", "src/a.py's `parse`"."""
    found: dict[str, str] = {}
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            path = _resolve(match["path"], known, folders)
            if path and _CODE.search(path) and not _resolve(match["symbol"], known, folders):
                found.setdefault(path, match["symbol"])
    return found
