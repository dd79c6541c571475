"""Does a statement say that something is not so any more? Wording tells a reversal from a repeat; likeness cannot."""

from __future__ import annotations

import re

_CUES = re.compile(
    r"\b(?:actually|instead|no\s+longer|any\s?more(?=[\s.,;!]|$)|moved\s+(?:in)?to"
    r"|(?:switch(?:ed|ing)?|migrat(?:ed|ing)|changed)\s+(?:over\s+)?to|(?:replaced|superseded)\s+(?:by|with)"
    r"|renamed\s+to)"
    r"|不再|改为|改用|換成|换成|代わりに|ではなく",
    re.I,
)


def cue(text: str) -> str:
    """The words of *text* that speak of a change, in lower case, the first of them; "" when there are none."""
    found = _CUES.search(text)
    return " ".join(found[0].lower().split()) if found else ""
