"""The inside of a Markdown block as plain words: soft wraps, links, images, code spans, headings."""

from __future__ import annotations

import re

# Brackets may stay open for a whole file: a label ends within a thousand characters, and nothing is tried twice.
_IMAGE = re.compile(r"\[?!\[[^\]]{0,1000}+\]\([^)]*+\)(?:\]\([^)]*+\))?")
_LINK = re.compile(
    r"\[((?:[^\[\]]|\[[^\]]{0,1000}+\]){0,1000}+)\]\(([^()\s]*+(?:\([^()]*+\)[^()\s]*+)*+)(?:\s+\"[^\"]*+\")?\)"
)
_SPAN = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)", re.S)
_CODE = "\u00b7"
"""What stands for a code span in prose: no letter, so no word rule sees it."""
# Chinese, Japanese and Korean have no blank between words: a wrap between two of their letters is nothing.
_WIDE = r"\u1100-\u11ff\u2e80-\u303e\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60"
_WRAP = re.compile(rf"(?<=[{_WIDE}])\n(?=[{_WIDE}])")
_HARD_BREAK = re.compile(r"(?:(?<![ \t])[ \t]{2,}+|(?<!\\)\\)$")


def flow(text: str) -> str:
    """A paragraph's lines as one.

    A soft wrap becomes a blank; images go; a link whose label is its target is that label; a scoped package name
    gets a code span. A comment stays, for the guard to refuse it by name.
    """
    text = _IMAGE.sub("", text)
    lines = (_HARD_BREAK.sub("", line).strip(" \t") for line in text.split("\n"))
    joined = _WRAP.sub("", "\n".join(line for line in lines if line)).replace("\n", " ")
    text = _LINK.sub(_named, joined).strip()
    return _spanned(text) if "@" in text else text


def prose(text: str) -> str:
    """*text* with one mark for every code span and links by their labels: what is said around them."""
    return _LINK.sub(lambda link: link[1], _SPAN.sub(_CODE, text))


def codes(said: str) -> int:
    """How many code spans `prose` replaced in *said*."""
    return said.count(_CODE)


def _named(link: re.Match[str]) -> str:
    label, target = link[1], link[2]
    return label if label.strip("`*_") == target.removeprefix("./") or label == target else link[0]


_SCOPED = re.compile(r"(?<![\w/`.:=-])@[a-z0-9][\w.-]*/(?:[\w./<>-]*[\w>]|\*)(?![\w/])")
_IMPORT = re.compile(r"(?<![\w/`])@(?:[~.]{0,2}/\S+|[\w./-]+\.(?:mdc?|mdx|txt|json|ya?ml|toml)\b)")


def _spanned(text: str) -> str:
    """Scoped package names in code spans: bare, some clients take them for files to load."""
    spans = [(span.start(), span.end()) for pattern in (_SPAN, _LINK) for span in pattern.finditer(text)]

    def named(found: re.Match[str]) -> str:
        inside = any(start <= found.start() < end for start, end in spans)
        return found[0] if inside or _IMPORT.match(found[0]) else f"`{found[0]}`"

    return _SCOPED.sub(named, text)


def imports(text: str) -> bool:
    """It names a file with an @ before it outside code: clients such as Claude Code put that file there."""
    return bool(_IMPORT.search(_SPAN.sub("", text)))


_NUMBER = re.compile(r"(?:(?:step|rule|part|phase)\s+)?\d+(?:\.\d+)*\s*[.):\u2013\u2014-]?\s+(?=\S)", re.I)
_SYMBOLS = re.compile(r"^[^\w`<({\[\"'*_@#./$-]+")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def title(text: str) -> str:
    """A heading as a lead: without emphasis, number, symbols before it and a colon after it."""
    named = numbered_title(text)
    number = _NUMBER.match(named)
    return _SYMBOLS.sub("", named[number.end() :]) if number else named


def numbered_title(text: str) -> str:
    """A heading as `title` gives it, but with its number."""
    plain = _EMPHASIS.sub(r"\2", _LINK.sub(lambda link: link[1], flow(text)))
    return _SYMBOLS.sub("", plain.strip().rstrip(":").strip())
