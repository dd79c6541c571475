"""Shipped templates and client files: a wheel reads its copy, an editable install the checkout."""

from __future__ import annotations

import os

BLOCK = "templates/block.md.j2"
OPENCODE = "hooks/opencode/curator.js"
REPORT = ("templates/report.html.j2", "templates/report.css", "templates/report.js")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SHIPPED = f"{_PACKAGE}/_shipped"


def text(name: str) -> str:
    """Read a shipped file by its path in the checkout."""
    root = _SHIPPED if os.path.isdir(_SHIPPED) else os.path.dirname(_PACKAGE)
    with open(f"{root}/{name}", encoding="utf-8") as file:
        return file.read()
