"""What an entry may not hold: text that a reviewer does not see as the agent does, or that acts on what is around it.

The rules are about form, never about meaning: a plain, visible lie passes and
is the reviewer's to catch. Code that every Markdown reader takes for code may
hold what only acts in prose: tags, headings, imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from curator.core import characters, markup, roles, secrets, tags
from curator.model import Entry, Fault, Finding


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a text: which rule, what to tell, and the line it is on, counted from 1."""

    rule: str
    message: str
    line: int


class _Kind(Enum):
    """How a field is read.

    QUOTED holds words of a person or a program that nobody edits and no page
    imports from. CODE is only ever shown as code.
    """

    PROSE = "prose"
    QUOTED = "quoted"
    CODE = "code"


_HINTS = {
    "hidden": "delete the character or type the text anew",
    "blanks": "shorten the run of blanks, so that no text stands off screen",
    "comment": "say it in plain text: rendered pages and some agents drop comments",
    "marker": "describe the marker in words",
    "role": "describe it in words, so that no agent takes it for a change of speaker",
    "import": "put it in a code span, `@like/this`: some agents load the file it names",
    "html": "put it in a code span, `<like this>`",
    "fence": "open and close the code fence at the start of its own lines",
    "heading": "write a sentence, or put the line in a code fence",
    "definition": "write the address in the sentence itself",
    "link": "give the link visible words and a plain address",
    "conflict": "finish the merge, then delete the conflict markers",
    "entity": "delete the character reference",
    "scripts": "type the whole word in one script",
    "turn": "reword the start of the line unless it names a thing of the project",
}
_WARNINGS = frozenset({"scripts", "turn"})

# --- Rules for all text, code included ---------------------------------------------------------------------------

_MARKER = re.compile(r"AGENT_MEMORY_(?:START|END)")
_CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7})(?:[ \t].*)?$", re.M)
_MOST_NAMED = 40

# --- Rules for prose ---------------------------------------------------------------------------------------------

_START = rf"^{markup.CONTAINERS}"
_HEADING = re.compile(rf"{_START}(?:#{{1,6}}(?=[ \t]|$)|(?:=+|-+)[ \t]*$)", re.M)
# CommonMark 0.31 6.3, target and title of a link; 4.7, link reference definition; and footnotes as GitHub reads them.
_BRACKETED = r"<(?:[^<>\n\\]|\\.)*>"
_TARGET = rf"(?:{_BRACKETED}|(?:[^\s()<\\]|\\.|\([^\s()]*\))(?:[^\s()\\]|\\.|\([^\s()]*\))*)"
_TITLE = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))"""
_DEFINITION = re.compile(
    rf"{_START}\[(?:\^[^\]\s]+\]:|(?!\s*\])(?:[^\[\]\\]|\\.){{1,999}}\]:[ \t]*\n?[ \t]*(?:{_BRACKETED}|(?!<)\S+)"
    rf"(?:[ \t]*$|\s+{_TITLE}[ \t]*$))",
    re.M | re.S,
)
_LINK = re.compile(
    rf"(?<!!)\[\s*\]\(\s*{_TARGET}(?:\s+{_TITLE})?\s*\)|\]\(\s*<[^<>\n]*\s[^<>\n]*\s[^<>\n]*>"
    rf"|\]\(\s*{_TARGET}\s+(?=[\"'(].{{61}}){_TITLE}\s*\)",
    re.S,
)
_REFERENCE = re.compile(
    r"&(?:#[xX](?P<hex>[0-9a-fA-F]{1,6})|#(?P<number>[0-9]{1,7})"
    r"|(?:zwj|zwnj|lrm|rlm|shy|af|ic|it|NoBreak|ZeroWidthSpace|Invisible[A-Za-z]+|ApplyFunction|Negative[A-Za-z]+Space));"
)

_EXTENSION = (
    r"md|mdx|mdc|markdown|txt|rst|adoc|json|jsonc|json5|jsonl|ya?ml|toml|ini|cfg|conf|env|xml|csv|tsv|log|sql|py|pyi"
    r"|[cm]?[jt]sx?|vue|svelte|go|rs|rb|java|kts?|swift|[ch]|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|html?|s?css|less|lock"
    r"|pem|key|crt|cer|p12|pfx|tf|tfvars|proto|graphql|gradle|properties|ipynb"
)
_FILES = (
    r"README|LICENSE|CHANGELOG|CONTRIBUTING|CODEOWNERS|Makefile|Dockerfile|Gemfile|Procfile|Jenkinsfile|Vagrantfile"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|authorized_keys|known_hosts|netrc|passwd|shadow|credentials"
)
_NAME = r"""[^\s@/\\`'"()<>\[\]{},;*|]"""
_ROOTED = r"@(?:\.{1,2}[/\\]|\.\w|[/\\~][\w.~/\\]|[A-Za-z]:[\\/])"
_FILE = rf"@(?:(?:{_NAME}|[/\\])*\.(?:{_EXTENSION})|{_FILES})(?![\w(/])"
_FOLDER = rf"""@(?:{_NAME}|\\ )+[/\\][^\s*`'")\]>,;:!?@]"""
# Claude Code takes `@` at the start of a word for an import. A mail address, `pkg@1.2` and `node_modules/@scope/x` have
# something before it, a decorator has no path behind it. Its parser also starts a word behind a mail address and behind
# an escaped punctuation mark.
_IMPORT = re.compile(
    rf"(?<![A-Za-z0-9/]){_ROOTED}|(?<![A-Za-z0-9/:=.+-]){_FILE}"
    rf"""|(?<![A-Za-z0-9/:=.+"'(\u2018\u201c-]){_FOLDER}"""
    rf"|(?:(?<=\\[!-/:-@\[-`{{-~])|(?<=\w)@[\w-]+(?:\.[\w-]+)+)(?:{_ROOTED}|{_FILE}|{_FOLDER})"
)

# --- What may need one of the rules: a text that this leaves alone breaks none ------------------------------------

_LOUD = re.compile(r"[^\n\t -;=>?A-~]")  # not ASCII, or one of <@
_LOUD_LINE = re.compile(r"\n[ \t>*+0-9.)_-]*(?:[#=\[]|(?<=-)[ \t]*(?:\n|$))|\n[<>|]{7}")


def _is_quiet(text: str) -> bool:
    """Whether a text can break no rule. Most texts end here, so that an index of thousands is built in a second."""
    if _LOUD.search(text) or _LOUD_LINE.search("\n" + text) or not roles.is_quiet(text):
        return False
    if "```" in text or "~~~" in text or "-->" in text or "](" in text or "AGENT_MEMORY" in text:
        return False
    if "&" in text and ";" in text:
        return False
    return next(characters.gaps(text), None) is None


def problems(text: str) -> tuple[Problem, ...]:
    """All that is wrong with one text, by line; at most one problem of a rule on a line.

    Windows line ends pass here, since writing an entry drops them; in an entry
    they do not.
    """
    return _problems(text.replace("\r\n", "\n"), _Kind.PROSE)


def _problems(text: str, kind: _Kind) -> tuple[Problem, ...]:
    if _is_quiet(text):
        return ()
    found: dict[tuple[int, str], Problem] = {}
    for rule, offset, message in _all(text, kind):
        line = text.count("\n", 0, offset) + 1
        found.setdefault((line, rule), Problem(rule, message, line))
    return tuple(found[place] for place in sorted(found))


_Hit = tuple[str, int, str]
"""Rule, offset in the text, message."""


def _all(text: str, kind: _Kind) -> Iterator[_Hit]:
    yield from _unseen(text)
    yield from (("role", offset, message) for offset, message in roles.marks(text))
    yield from (("marker", found.start(), f"the marker {found[0]}") for found in _MARKER.finditer(text))
    yield from (("conflict", found.start(), "a conflict marker of git") for found in _CONFLICT.finditer(text))
    yield from (("comment", found.start(), "`<!--` opens a comment") for found in re.finditer("<!--", text))
    if kind is not _Kind.CODE:
        yield from _acting(text, kind)


def _acting(text: str, kind: _Kind) -> Iterator[_Hit]:
    """What acts in prose only."""
    reading = markup.read(text)
    yield from (("fence", fault.offset, fault.message) for fault in reading.faults)
    yield from _lines(reading.blocks)
    prose = reading.prose
    yield from (("html", offset, message) for offset, message in tags.problems(prose))
    yield from (("comment", found.start(), "`-->` closes a comment") for found in _closers(prose))
    yield from (("link", found.start(), "a link that hides text") for found in _LINK.finditer(prose))
    yield from (("entity", found.start(), f"{found[0]} stands for a hidden character") for found in _references(prose))
    if kind is _Kind.PROSE and "@" in prose:
        message = "`@` before a path imports that file"
        yield from (("import", found.start(), message) for found in _IMPORT.finditer(prose))


def _unseen(text: str) -> Iterator[_Hit]:
    """Characters one cannot see, gaps that push text off the screen, letters of one script posing as another."""
    by_line: dict[int, dict[str, int]] = {}
    for offset in characters.hidden(text):
        by_line.setdefault(text.count("\n", 0, offset), {}).setdefault(text[offset], offset)
    for seen in by_line.values():
        names = [characters.name(character) for character in seen][:_MOST_NAMED]
        yield "hidden", min(seen.values()), ", ".join(names)
    yield from (("hidden", offset, message) for offset, message in characters.piles(text))
    yield from (("blanks", offset, "a gap that pushes text off the screen") for offset in characters.gaps(text))
    yield from (("scripts", offset, "a word that mixes look-alike letters") for offset in characters.mixed(text))


def _lines(blocks: str) -> Iterator[_Hit]:
    """What acts at the start of a line, outside fenced code."""
    for found in _HEADING.finditer(blocks):
        yield "heading", found.start(), "a line that makes a heading"
    for found in _DEFINITION.finditer(blocks):
        yield "definition", found.start(), "a link definition: its text is hidden and changes other links"
    for offset, message, is_certain in roles.turns(blocks):
        yield "role" if is_certain else "turn", offset, message


def _closers(prose: str) -> Iterator[re.Match[str]]:
    """`-->` where it is no arrow between two things on a line."""
    for found in re.finditer("-->", prose):
        before = prose[prose.rfind("\n", 0, found.start()) + 1 : found.start()].rstrip("-")
        after = prose[found.end() :].partition("\n")[0]
        if not (before.strip() and after.strip()):
            yield found


def _references(prose: str) -> Iterator[re.Match[str]]:
    """Character references that a page shows as a character one cannot see."""
    for found in _REFERENCE.finditer(prose):
        code = int(found["hex"], 16) if found["hex"] else int(found["number"] or 0x200B)
        if code > 0x10FFFF or (code != 0xA0 and next(characters.hidden(f"a{chr(code)}a"), None) is not None):
            yield found


# --- Entries -----------------------------------------------------------------------------------------------------


def inspect(entry: Entry) -> tuple[Finding, ...]:
    """Apply every rule to every text of an entry, and look for secrets and for paths that leave the work tree.

    *where* is the entry's path; the message names the key, and the line of
    its text when it has several. No message holds a secret or a hidden
    character.
    """
    fields = [field for field in _fields(entry) if field[1]]
    together = "\n".join([text for _, text, _ in fields])
    findings: list[Finding] = []
    if not _is_quiet(together):
        for key, text, kind in fields:
            findings.extend(_finding(entry, key, text, problem) for problem in _problems(text, kind))
    if secrets.find(together):
        for key, text, _ in fields:
            findings.extend(_leak(entry, key, secret) for secret in secrets.find(text))
    return (*findings, *_astray(entry))


def _fields(entry: Entry) -> Iterator[tuple[str, str, _Kind]]:
    """Key, text and kind of everything in an entry that an agent or a reviewer reads."""
    prose, quoted, code = _Kind.PROSE, _Kind.QUOTED, _Kind.CODE
    yield "text", entry.text, prose
    yield "why", entry.why, prose
    yield "id", entry.id, prose
    yield "category", entry.category, prose
    yield from (("tags", tag, prose) for tag in entry.tags)
    yield from (("triggers", trigger, quoted) for trigger in entry.triggers)
    yield "scope", entry.scope, prose
    yield "task", entry.task, prose
    for source in entry.sources:
        yield "sources.path", source.path, prose
        yield "sources.symbol", source.symbol, code
        yield "sources.text", source.text, code
        yield "sources.absent", source.absent, code
        yield from (("sources.terms", evidence.term, code) for evidence in source.terms)
    yield from (("supersedes", other, prose) for other in entry.supersedes)
    yield from (("review_by", entry.review_by, prose), ("expires", entry.expires, prose))
    yield "confirmed", entry.confirmed, prose
    if entry.retired is not None:
        yield from (("retired.on", entry.retired.on, prose), ("retired.reason", entry.retired.reason, prose))
    origin = entry.origin
    yield from (("origin.by", origin.by, prose), ("origin.agent", origin.agent, prose))
    yield from (("origin.session", origin.session, prose), ("origin.trigger", origin.trigger, prose))
    yield from (("origin.commit", origin.commit, prose), ("origin.created", origin.created, prose))
    yield from (("origin.extractor", origin.extractor, prose), ("origin.key", origin.key, prose))
    yield "origin.quote", origin.quote, quoted


def _finding(entry: Entry, key: str, text: str, problem: Problem) -> Finding:
    kind = Fault.SUSPECT if problem.rule in _WARNINGS else Fault.UNSAFE
    message = f"{key}: {problem.message}{_line(text, problem.line)}"
    return Finding(kind, entry.path, message, _HINTS[problem.rule], entry.id)


def _leak(entry: Entry, key: str, secret: secrets.Secret) -> Finding:
    hint = "revoke it if it is real; name the variable or vault that holds it instead"
    return Finding(Fault.SECRET, entry.path, f"{key}: looks like a secret: {secret.kind}", hint, entry.id)


def _line(text: str, line: int) -> str:
    return f" (line {line})" if "\n" in text.strip("\n") else ""


def _astray(entry: Entry) -> Iterator[Finding]:
    """Paths that do not stay inside the work tree."""
    paths = [("sources.path", source.path, "name a file inside the work tree: src/app.py") for source in entry.sources]
    if entry.scope:
        paths.append(("scope", entry.scope, "name a folder inside the work tree, or leave it out for the whole of it"))
    for key, path, hint in paths:
        if message := outside(path):
            yield Finding(Fault.UNSAFE, entry.path, f"{key}: {message}", hint, entry.id)


def outside(path: str) -> str:
    """Why *path* does not name something inside the work tree, relative to its root; "" when it does."""
    if not path:
        return "an empty path"
    if "\\" in path or re.match("[A-Za-z]:", path):
        return "a path of another system, with a backslash or a drive letter"
    if path[0] in "/~":
        return "a path that starts at the root of the machine or in a home folder"
    parts = path.removesuffix("/").split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return "a path with `.`, `..` or an empty part"
    # Windows and macOS find the folder of git under these names too (git's core.protectNTFS).
    if any(part.casefold().partition(":")[0].rstrip(". ") in {".git", "git~1"} for part in parts):
        return "a path into the folder of git"
    return ""
