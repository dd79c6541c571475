"""A message as its sentences: what the person wrote, without what was pasted into it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.core import keys

MOST = 20_000
"""Characters of a message that are looked at: half from its start, half from its end. People type less."""

_START, _END = "<!-- AGENT_MEMORY_START -->", "<!-- AGENT_MEMORY_END -->"
# How lines begin that curator prints or renders, and those that a client's button for "build this plan" types.
_SHOWN = (
    "Implement the plan as specified, it is attached",
    "Implement the following to-dos from the plan",
    "To-do's from the plan have already been created",
    "These to-dos have already been created",
    "curator:",
    "Before working on something you do not know, search these memories",
    "When you learn something durable, propose it",
    "Check before relying on: ",
    "(check before relying on it: ",
)
_NAMED = re.compile(r"[ \t>]*+[-*+][ \t]++\[[0-9a-f]{6}\] ")  # a memory as a hook shows it

# Patterns as text are compiled by the first message that needs them: a hook that only shows a memory does not.
# --- Pasted text -------------------------------------------------------------------------------------------------

_FENCES = ("```", "~~~", '"""')
_TAG = re.compile(r"[ \t]*+<([a-z][\w-]*+)(?:>|[ \t][^<>]{0,200}>)")
# Signs of a program's output at the start of a line: prompts and frames, times, stack traces, levels, file:line.
_LOGGED = (
    "(?i:"
    "\\s*+(?:[>│├└╭╰╮╯─━┃⎿\u276f$•✓✗✔✘\u2a2f\u00d7⏺●|+@=]"
    r"|--- |\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|at \S++ ?\(|File \"|Traceback|\[[\w:.,/ -]{1,40}\] "
    r"|(?:error|warning|fatal|panic|fail|pass|info|debug|warn|exception|\w{3,40}error)\b ?[:\[(]"
    r"|(?-i:FAIL|PASS|ERROR|WARN|INFO|DEBUG|npm (?:ERR|WARN)\S*|ok \d+) |[\w./\\-]{1,200}\.\w{1,8}:\d+|[{}\[\]);<]"
    r"|\w{1,40}\(\)|-?(?:ba|z|fi)?sh: |\(?[\w.-]{1,40}\)? ?[\w.-]{1,40}@[\w.-]{1,60}[:~ ]|PS [A-Z]:"
    r"|[A-Z]:\\[^\n>]{0,200}>|[-+] {2,}|[^\n]{0,60}?\b\d+:\d+ +(?:warning|error)\b|\d{1,6} +[-+|] )|\s{8,}\S"
    r"|[^\n]*[\x00-\x08\x0b-\x1f\x7f])"
)
_PICTURE = re.compile(r"\[(?:Image|Pasted text) #\d{1,4}[^\]\n]{0,40}\]")
_CODE = r"[^\n]*(?:[{};]|\)\s?=>|\):)\s*\Z|\s*+(?:import |from \S+ import |const |let |var |def |class |#include)"
# A review, or another agent's answer, that somebody pasted to have it judged. All that follows is not theirs.
_REVIEW_SIGNS = tuple(
    "severity nitpick feedback review p0 p1 p2 p3 said says wrote replied summary details impact remediat reproduce"
    " behavio proof".split()
)
_REVIEW = (
    "(?im:"
    r"\b(?:low|medium|high|critical) severity|\((?:nitpick|P[0-3])\)|\bnitpick:|^P[0-3]:"
    r"|\bgot (?:this|a|an|the|some)? ?(?:feedback|review)|\bfeedback (?:from|on)\b|\breview comments?\b"
    r"|\bevaluate this feedback|\b(?:agent|reviewer|ai|claude|codex|gpt|gemini|copilot) (?:said|says|wrote|replied)\b"
    r"[^\n]{0,60}:\s*$|^[#* ]{0,6}(?:summary|details|impact|remediation|proof of concept|steps to reproduce"
    r"|(?:expected|actual) behaviou?r)[*: ]{0,4}$)"
)

# --- Sentences ---------------------------------------------------------------------------------------------------

_LIST_MARK = re.compile(r"\s*+(?:[-*+]|\d{1,3}[.)]|#{1,6}|\(?[a-z]\))\s++(?:\[[ xX]\]\s++)?")
_SENTENCE_END = re.compile(
    r"[.!?](?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bz\.B\.)[\"')*_`]{0,3}\s+(?=\S)"
    "|[。\uff01\uff1f]|;\\s+|\\.{3,}\\s*(?=[a-zA-Z])"
)
_ENDS = ".!?:;。\uff01\uff1f\uff1a\uff1b"
_WRAPPED = 50
"""Characters from which a line that ends no sentence may go on in the next one."""


def cut(text: str, *, reviews: bool = False) -> str:
    """What the person wrote: no memory block, no lines of curator's, no fences, logs, diffs or code.

    Nor what follows the heading of a review, unless *reviews* are the speaker's own.
    """
    text = _PICTURE.sub("", _without_blocks(text.replace("\r\n", "\n")))
    if len(text) > MOST:
        start, end = text[: MOST // 2], text[-(MOST // 2) :]
        text = "\n\n".join((start.rpartition("\n")[0] or start, end.partition("\n")[2] or end))
    bare = "\n".join(_unfenced(text.split("\n")))
    return "\n\n".join(_typed(bare if reviews else _unreviewed(bare)))


def split(text: str) -> Iterator[str]:
    """The sentences of *text*, line by line, without list marks. What was only wrapped is joined to the next line."""
    for line in _joined(text.split("\n")):
        start = 0
        for end in _SENTENCE_END.finditer(line):
            yield line[start : end.end()].rstrip("; ").removesuffix("...")
            start = end.end()
        if line[start:]:
            yield line[start:]


def marks(text: str) -> list[int]:
    """A fingerprint for each sentence of a text that curator shows, so that it is known when it comes back."""
    return [keys.mark(sentence) for sentence in split(text)]


def _without_blocks(text: str) -> str:
    """*text* without what stands between the markers; a block without an end runs to the end of the text."""
    if _START not in text:
        return text
    kept = [text[: text.index(_START)]]
    kept += [after for piece in text.split(_START)[1:] if (after := piece.partition(_END)[2])]
    return "\n".join(kept)


def _unfenced(lines: list[str]) -> Iterator[str]:
    """The lines outside of fences, quoted blocks and tagged blocks. A blank line stands for what is left out."""
    closing = ""
    ends = _ends(lines)
    for number, line in enumerate(lines):
        if closing:
            closing = "" if closing in line else closing
        elif fence := next((fence for fence in _FENCES if fence in line), ""):
            closing = fence if line.count(fence) % 2 else ""
            yield line.partition(fence)[0]
            yield ""
        elif (tag := _TAG.match(line)) and ends.get(f"</{tag[1]}>", -1) >= number:
            closing = "" if f"</{tag[1]}>" in line else f"</{tag[1]}>"
            yield ""
        elif not (line.lstrip(" \t>*-").startswith(_SHOWN) or _NAMED.match(line)):
            yield line


def _ends(lines: list[str]) -> dict[str, int]:
    """Closing tag -> the last line that has it."""
    found = {}
    for number, line in enumerate(lines):
        if "</" in line:
            found.update(dict.fromkeys(re.findall(r"</[a-z][\w-]*+>", line), number))
    return found


def _unreviewed(text: str) -> str:
    """*text* up to the line that says that a review follows."""
    lowered = text.lower()
    if not any(sign in lowered for sign in _REVIEW_SIGNS):
        return text
    review = re.search(_REVIEW, text)
    return text[: text.rfind("\n", 0, review.start()) + 1] if review else text


def _typed(text: str) -> Iterator[str]:
    """The paragraphs that are not mostly output or code, and of those the lines that are none."""
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.split("\n")
        kept = [line for line in lines if not re.match(_LOGGED, line) and not re.match(_CODE, line)]
        if 2 * len(kept) >= len(lines):
            yield "\n".join(kept)


def _joined(lines: list[str]) -> Iterator[str]:
    """Lines without list marks, each with those that only went on from it."""
    held: list[str] = []
    for line in lines:
        marked = _LIST_MARK.match(line)
        bare = (line[marked.end() :] if marked else line).strip()
        if held and not marked and bare[:1].islower() and len(held[-1]) >= _WRAPPED and held[-1][-1] not in _ENDS:
            held.append(bare)
            continue
        if held:
            yield " ".join(held)
        held = [bare] if bare else []
    if held:
        yield " ".join(held)
