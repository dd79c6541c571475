"""What kind of file a path names, told by its name: memories, instructions, lock files, files that always change."""

from __future__ import annotations

import re

from curator.model import MEMORIES

_LOCK = re.compile(
    r"(?:^|/)(?:[^/]+\.lock|[^/]+\.lockb|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|gradle\.lockfile"
    r"|[^/]*requirements[^/]*\.lock\.txt|packages\.lock\.json|Package\.resolved)$",
    re.I,
)
_RESTLESS = re.compile(
    r"(?:^|/)(?:package\.json|readme(?:\.[^/]*)?|(?:changelog|changes|history|release[_-]?notes|news)(?:\.(?:md|rst|txt))?)$"
    r"|(?:^|/)(?:dist|\.next)/|\.(?:min|bundle|chunk)\.(?:js|css|mjs)$|\.map$|[._-](?:generated|pb)\.[^/]+$|_pb2\.pyi?$",
    re.I,
)
_INSTRUCTIONS = re.compile(
    r"(?:^|/)(?:(?:claude|agents?|gemini|qwen|kimi|copilot|crush|warp|conventions)(?:\.local)?\.md"
    r"|copilot-instructions\.md|[^/]+\.instructions\.md|\.(?:cursor|windsurf|cline|goose|roo)rules)$"
    r"|(?:^|/)\.(?:claude|cursor|codex|windsurf|clinerules|roo|kiro|continue|opencode|gemini|agents)/",
    re.I,
)


def is_memory(path: str) -> bool:
    """Whether *path* lies in a store of memories."""
    return f"/{MEMORIES}/" in f"/{path}"


def is_instructions(path: str) -> bool:
    """Whether an agent reads the file *path* as its rules: a statement in it is no fact about it."""
    return bool(_INSTRUCTIONS.search(path))


def is_lock(path: str) -> bool:
    """Whether a package manager writes the file *path*."""
    return bool(_LOCK.search(path))


def is_restless(path: str) -> bool:
    """Whether the file *path* changes all the time, whatever a statement about it says."""
    return is_lock(path) or bool(_RESTLESS.search(path))
