"""The plugin for OpenCode as text: the shipped one with the program that it starts, and is a file one of them."""

from __future__ import annotations

import json
import re

_PROGRAM = re.compile(r'^const PROGRAM = "(?:[^"\\\n]|\\.)*"$', re.M)
_MARK = "// curator's plugin for OpenCode"


def written(shipped: str, program: str) -> str:
    """The plugin that starts *program*."""
    return _PROGRAM.sub(lambda _: f"const PROGRAM = {json.dumps(program)}", shipped, count=1)


def is_ours(text: str) -> bool:
    """Did curator write it, in this version or another?"""
    return text.startswith(_MARK)


def program(text: str) -> str:
    """The program that it starts."""
    found = _PROGRAM.search(text)
    return str(json.loads(found[0].removeprefix("const PROGRAM = "))) if found else ""
