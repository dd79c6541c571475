"""What tells one statement from another, whatever its case, quotes and punctuation."""

from __future__ import annotations

import re

ACKNOWLEDGED = re.compile(
    r"\A(?:(?:ok(?:ay)?|yes|yeah|yep|thanks?|thank you|lgtm|hmm+|ah+)\b[\s,.!:;-]*|"
    r"(?:no|nope|sure|great|cool|nice|perfect|go ahead|continue|proceed|done|sounds good|good|right)\b"
    r"(?:[,.!:;-]\s*|\Z))"
)
"""What opens an answer. `no` and its like say something of their own where no comma follows: "No emojis"."""


def normalise(text: str) -> str:
    """The bare words of a statement, in lower case, without a leading ok or yes."""
    bare = ACKNOWLEDGED.sub("", re.sub(r"[`\"'*_]+", "", text.lower()))
    return re.sub(r"[^\w]+", " ", bare).strip() or " ".join(text.split())  # an emoji alone is told by itself


def key(namespace: str, text: str) -> str:
    """Twelve hex digits that name a statement in a repository, the same in every clone."""
    from hashlib import sha256  # noqa: PLC0415 - 4 ms: pay only when something is stored

    return sha256(f"{namespace}\0{normalise(text)}".encode("utf-8", "replace")).hexdigest()[:12]


def mark(text: str) -> int:
    """A 32-bit fingerprint of a statement for lists of a few hundred: cheaper than a key, and it says nothing."""
    from zlib import crc32  # noqa: PLC0415 - only what was shown or is held against that needs it

    return crc32(normalise(text).encode("utf-8", "replace"))
