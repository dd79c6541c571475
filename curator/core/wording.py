"""How instruction files word things: which they are, how they write paths, which names they give, what they deny."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from curator.core import inline, phrase, terms
from curator.core.mention import Paths
from curator.core.terms import Strength
from curator.outcome import Statement

_FILES = re.compile(
    r"(?:^|/)(?:(?:CLAUDE|AGENTS|GEMINI)(?:\.local|\.override)?\.md|\.cursorrules|\.windsurfrules"
    r"|\.claude/rules/.+\.md|\.cursor/rules/.+\.mdc?)$"
    r"|^\.github/(?:copilot-instructions\.md|instructions/.+\.instructions\.md)$"
)
_SAMPLES = re.compile(r"(?:^|/)(?:fixtures?|testdata|templates?|vendor|third_party|node_modules)/", re.I)
_TOOL_FOLDER = re.compile(r"(?:^|/)\.(?:claude|cursor|github)/")


def instructs(path: str) -> bool:
    """Whether agents read the file *path* as their instructions."""
    return bool(_FILES.search(path))


def instructions(tracked: Iterable[str]) -> tuple[str, ...]:
    """Those of the *tracked* paths that tell agents what to do here; samples and copies of others' are none."""
    return tuple(sorted(path for path in tracked if instructs(path) and not _SAMPLES.search(path)))


def folder(path: str) -> str:
    """The folder that an instruction file speaks of, with a final slash: the one around `.claude/` or `.cursor/`."""
    inside = _TOOL_FOLDER.search(path)
    return path[: inside.start() + (path[inside.start()] == "/")] if inside else path[: path.rfind("/") + 1]


def token(written: str) -> re.Pattern[str]:
    """Where a path stands as it is *written*, and no longer one that holds it; a folder with or without its slash."""
    stem = re.escape(written.rstrip("/"))
    return re.compile(r"(?<![\w./@~-])(?P<lead>\.?/)?" + stem + r"(?P<slash>/(?![\w.*<{\[]))?(?![\w/-]|\.\w)")


def spelled(text: str, path: str, home: str) -> str:
    """How *text*, of a file that speaks of the folder *home*, writes *path*: in full, from *home* or by its end."""
    parts = path.split("/")
    tries = [path, posixpath.relpath(path, home or "."), *("/".join(parts[at:]) for at in range(1, len(parts)))]
    return next((each for each in tries if token(each).search(text)), "")


def respelled(written: str, old: str, new: str, home: str, known: Paths) -> str:
    """The path *new* written as *old* was: a bare name stays bare while it is the only one, a relative one relative."""
    if "/" not in written.rstrip("/") and written != old:
        name = new.rpartition("/")[2]
        return name if len(known.by_name.get(name, ())) == 1 else new
    if written.startswith("../"):
        return posixpath.relpath(new, home or ".")
    before = old[: len(old) - len(written)] if old.endswith(written) else ""
    return new[len(before) :] if new.startswith(before) else new


def moved(text: str, moves: Mapping[str, str], taken: Container[str]) -> str:
    """*text* with the new path wherever it names an old one of *moves*, all in one pass.

    A base name stands for its file only with a dot in it, where the text does
    not write the path in full, and where no other file bears it: *taken*.
    """
    names = {old: new for old, new in moves.items() if token(old).search(text)}
    for old, new in moves.items():
        name = old.rpartition("/")[2]
        if old not in names and "." in name and name not in taken:
            names[name] = new.rpartition("/")[2]
    if not names:
        return text
    stems = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = rf"(?<![\w./@~-])(?P<lead>\.?/)?(?P<name>{stems})(?![\w/-]|\.\w)"
    return re.sub(pattern, lambda found: f"{found['lead'] or ''}{names[found['name']]}", text)


def rewritten(line: str, written: str, new: str) -> str:
    """*line* with the path it calls *written* as *new*."""
    return token(written).sub(lambda it: f"{it['lead'] or ''}{new.rstrip('/')}{it['slash'] or ''}", line)


def place(lines: Sequence[str], statement: Statement, name: str) -> int:
    """The line of *statement*, counted from 1, that says *name*; its first where none does."""
    span = range(statement.first, min(statement.last, len(lines)) + 1)
    return next(
        (n for n in span if name and (token(name).search(lines[n - 1]) or terms.holds(lines[n - 1], name))),
        statement.first,
    )


_FOLDER = re.compile(r"(?<![\w./@~<>{}*$-])(?:\./)?((?:[\w.@+-]+/)+)(?![\w<>{}*\[$])")
_TICKED_FOLDER = re.compile(r"`(?:\./)?([\w.@+-]+(?:/[\w.@+-]+)+)/?`")
_LINKS = re.compile(r"(?:https?://|git@|www\.)\S+")


def folders(text: str) -> tuple[str, ...]:
    """What *text* may call folders: names with a final slash, or back-ticked ones with any; each with a final one."""
    plain = _LINKS.sub(" ", text)
    ticked = (f"{name}/" for name in _TICKED_FOLDER.findall(plain))
    return tuple(dict.fromkeys(name for name in (*_FOLDER.findall(plain), *ticked) if len(name) > 3 and name[0] != "."))


_TICKED = re.compile(r"`([^`\n]+)`")
_FENCED = re.compile(r"(?ms)^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1|\Z)")
_FLAG = re.compile(r"--[a-z][a-z0-9-]{3,}")
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{4,}")
STRUCTURED = re.compile(r"[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
TASK = re.compile(r"[a-z][a-z0-9]+(?:[-:][a-z0-9]+)+")


def names(text: str) -> tuple[str, ...]:
    """Identifiers, flags and names of tasks in the back-ticks of *text* that say enough to be looked for alone.

    A sample of code is left out: its own names come and go.
    """
    prose = _FENCED.sub(" ", text)
    ticked = " ".join(_TICKED.findall(prose))
    strong = (term for term, strength in terms.named(prose).items() if strength is Strength.STRONG)
    return tuple(term for term in strong if _is_telling(term) and terms.holds(ticked, term))


def _is_telling(term: str) -> bool:
    if _FLAG.fullmatch(term) or (len(term) > 5 and TASK.fullmatch(term)):
        return True
    return bool(_NAME.fullmatch(term) and STRUCTURED.search(term.strip("_$")))


_PROSE_FILE = re.compile(
    r"\.(?:mdx?|mdc|rst|adoc|txt|html?|ipynb|svg|po|csv|lock|sum|snap|min\.js)$|(?:^|/)(?:docs?|CHANGELOG|LICENSE)|lock\.(?:json|ya?ml)$",
    re.I,
)


def is_code(path: str) -> bool:
    """Whether what stands in *path* is in force: no prose, no lock file, no snapshot."""
    return not _PROSE_FILE.search(path) and not instructs(path)


PROGRAM = re.compile(
    r"\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|rb|java|kts?|swift|mm?|c|h|cc|cpp|hpp|cs|php|sh|bash|scala|exs?|lua|dart)$",
    re.I,
)
TEST = re.compile(r"(?:^|/)(?:tests?|__tests__|spec|e2e)/|(?:^|/)tests?_|[_.-](?:test|spec)s?\.", re.I)


def is_flag(term: str) -> bool:
    return term.startswith("--")


_DENIAL = re.compile(
    r"\b(?:never|do(?:es)? ?n[o']t|don\u2019t|not|no|avoid\w*|cannot|can't|without|longer|remov\w+|delet\w+|deprecat\w+"
    r"|instead of|rather than|legacy|obsolete\w*|replac\w+|supersed\w+|renam\w+|migrat\w+|formerly|previous\w*|used to"
    r"|old|older|was|were|gone|dropped|retired|former|historic\w*|dead|forbid\w*|forbidden|prohibit\w*|ban|banned|moved"
    r"|refus\w+|reject\w*|wrong|bad)\b|[\u274c\U0001f6ab]",
    re.I,
)
_MADE = re.compile(
    r"\b(?:gitignored?|ignored|untracked|not tracked|not committed|at runtime|generat\w+|build output|output|artifacts?"
    r"|artefacts?|creat\w+|copy|copied|local only|temporary|cache\w*|download\w*"
    r"|e\.g|like|naming|file names|example|for instance|such as"
    r"|if (?:it )?exists?|optional\w*)\b",
    re.I,
)
_SENTENCES = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<=[.!?;])\s+|\n")


def denied(statement: Statement, name: str) -> bool:
    """Whether *statement* says of *name* that it is gone or not to be used: then its absence proves nothing."""
    above = any(phrase.negative(heading) or _DENIAL.search(heading) for heading in statement.headings[-2:])
    return above or any(_DENIAL.search(inline.prose(sentence)) for sentence in _about(statement, name))


def made(statement: Statement, name: str) -> bool:
    """Whether *statement* says of the path *name* that it is made, ignored or an example: it need not be there."""
    return any(_MADE.search(inline.prose(sentence)) for sentence in _about(statement, name))


def _about(statement: Statement, name: str) -> Iterator[str]:
    """The sentences with *name*; all of them where none has it as it is."""
    told = _SENTENCES.split(statement.text)
    return iter([sentence for sentence in told if name and name in sentence] or told)


def about(text: str, written: str) -> str:
    """What *text* says of the path it calls *written*: of a list or a tree the lines that name it, else all of it."""
    if "\n" not in text or not written:
        return text
    named = [line for line in text.split("\n") if token(written).search(line)]
    return "\n".join(named) or text
