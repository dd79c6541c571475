"""The templates of OpenCode's commands and skills, as they lie in a folder, above it and with the user's settings."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

from curator.core import opencode

_FOLDERS = (".opencode", ".claude", ".agents")
_CONFIGS = ("opencode.json", "opencode.jsonc")
_IN_CONFIG = re.compile(r'"template"\s*:\s*("(?:[^"\\\n]|\\.)*")')
_FILES = 1000  # of one folder that are read
_LONGEST = 1 << 18  # bytes of one file
_ABOVE = 64


def templates(folder: str) -> tuple[tuple[str, ...], ...]:
    """What `core/opencode.is_expanded` takes; files that cannot be read give none."""
    pages = (page for place in _places(folder) for page in place)
    return tuple(dict.fromkeys(filter(None, map(opencode.template, pages))))


def _places(folder: str) -> Iterator[Iterator[str]]:
    at = folder
    for _ in range(_ABOVE):
        for name in _FOLDERS:
            yield _pages(os.path.join(at, name))
        yield _configured(at)
        if os.path.exists(os.path.join(at, ".git")) or at == os.path.dirname(at):
            break
        at = os.path.dirname(at)
    own = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "opencode")
    yield _pages(own)
    yield _configured(own)


def _pages(folder: str) -> Iterator[str]:
    left = _FILES
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "node_modules")
        for name in sorted(names):
            if not name.endswith(".md"):
                continue
            left -= 1
            if left < 0:
                return
            yield _text(os.path.join(place, name))


def _configured(folder: str) -> Iterator[str]:
    for place in (folder, os.path.join(folder, ".opencode")):
        for name in _CONFIGS:
            for found in _IN_CONFIG.finditer(_text(os.path.join(place, name))):
                try:
                    yield str(json.loads(found[1]))
                except ValueError:
                    continue


def _text(path: str) -> str:
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb") as file:
            return file.read(_LONGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
