"""Shipped templates and client files: a wheel reads its copy, an editable install the checkout."""

from __future__ import annotations

from pathlib import Path

BLOCK = "templates/block.md.j2"
_PACKAGE = Path(__file__).parent.parent
_SHIPPED = _PACKAGE / "_shipped"


def text(name: str) -> str:
    """Read a shipped file by its path in the checkout."""
    root = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent
    return (root / name).read_text(encoding="utf-8")
