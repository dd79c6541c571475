"""What tells one statement from another, whatever its case, quotes and punctuation.

Signs are no punctuation where the statement would say something else without them: `< 30` is not `> 30`, C# not C++,
-1 not 1. Words that hold none of them are told by the words alone.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curator.model import Entry

ACKNOWLEDGED = re.compile(
    r"\A(?:(?:ok(?:ay)?|yes|yeah|yep|thanks?|thank you|lgtm|hmm+|ah+)\b[\s,.!:;-]*|"
    r"(?:no|nope|sure|great|cool|nice|perfect|go ahead|continue|proceed|done|sounds good|good|right)\b"
    r"(?:[,.!:;-]\s*|\Z))"
)
"""What opens an answer. `no` and its like say something of their own where no comma follows: "No emojis"."""

_SIGN = (
    r"[<>=+#%^~|&$\u00a3\u00a5\u20ac\u00ac\u00b1\u00d7\u00f7\u2190-\u21ff\u2200-\u22ff"  # arrows, mathematics
    r"\u2705\u2713\u2714\u2716\u2717\u2718\u274c\U0001f44d\U0001f44e]"  # a tick or a cross, a thumb up or down
    r"|(?<![\w)\]])[-.](?=\.?\d)|(?<![\w!])!(?=[\w=(])"  # -1, .5, !=, !ready
)
_TOKEN = re.compile(rf"\w+|{_SIGN}")


def _bare(text: str) -> str:
    return ACKNOWLEDGED.sub("", re.sub(r"[`\"'*_]+", "", text.lower()))


def words(text: str) -> str:
    """The bare words of a text, in lower case; "" where it has none."""
    return re.sub(r"[^\w]+", " ", re.sub(r"[`\"'*_]+", "", text.lower())).strip()


def normalise(text: str) -> str:
    """The bare words of a statement, in lower case, without a leading ok or yes."""
    return re.sub(r"[^\w]+", " ", _bare(text)).strip() or " ".join(text.split())  # an emoji alone is told by itself


def told(text: str) -> str:
    """The same with the signs that change what the words say."""
    return " ".join(_TOKEN.findall(_bare(text))) or " ".join(text.split())


def key(namespace: str, text: str) -> str:
    """Twelve hex digits that name a statement in a repository, the same in every clone."""
    from hashlib import sha256  # noqa: PLC0415 - 4 ms: pay only when something is stored

    return sha256(f"{namespace}\0{told(text)}".encode("utf-8", "replace")).hexdigest()[:12]


def mark(text: str) -> int:
    """A 32-bit fingerprint of a statement for lists of a few hundred: cheaper than a key, and it says nothing."""
    from zlib import crc32  # noqa: PLC0415 - only what was shown or is held against that needs it

    return crc32(told(text).encode("utf-8", "replace"))


def ending(namespace: str, entry_id: str) -> str:
    """The key of a proposal to retire the memory with this id: no statement has it, since none begins with a NUL."""
    from hashlib import sha256  # noqa: PLC0415 - the same

    return sha256(f"{namespace}\0\0retire\0{entry_id}".encode("utf-8", "replace")).hexdigest()[:12]


def own(namespace: str, entry: Entry) -> str:
    """The key that names a proposal's file: that of its words, or of what it asks to retire."""
    return ending(namespace, entry.id) if entry.retired else key(namespace, entry.text)
