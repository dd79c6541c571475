"""On which line of an entry's file a key stands, for those who point at it."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Lines:
    """The lines of keys in files: *texts* are the files' bytes by path.

    A key is looked for at the start of a line, as everybody writes one. No
    parser is loaded for that; a file in braces is pointed at as a whole.
    """

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._keys: dict[str, dict[str, int]] = {}

    def of(self, path: str, key: str) -> int:
        """The line of a key, from 1; 1 where it is missing or the file cannot be read."""
        if path not in self._keys:
            self._keys[path] = {}
            for number, line in enumerate(self._lines(path), 1):
                found = _KEY.match(line)
                if found:
                    self._keys[path].setdefault(found[1], number)
        return self._keys[path].get(key, 1)

    def of_source(self, path: str, cited: str) -> int:
        """The line on which an entry's file names the *cited* one; else that of its sources."""
        start = self.of(path, "sources")
        for number, line in enumerate(self._lines(path)[start:], start + 1):
            found = _PATH.match(line)
            if found and found[1].strip("\"' ") == cited:
                return number
            if _KEY.match(line):
                break
        return start

    def of_message(self, path: str, message: str) -> int:
        """The line that a message of the guard is about, which begins with a key and may end in a line of its text."""
        named = _NAMED.match(message)
        return self.of(path, named[1]) + int(named[2] or 0) if named else 1

    def _lines(self, path: str) -> list[str]:
        return self._texts.get(path, b"").decode("utf-8", "surrogateescape").split("\n")


_KEY = re.compile(r"[\"']?([A-Za-z_]+)[\"']?[ \t]*:(?=\s|$)")
_NAMED = re.compile(r"([a-z_]+)(?:\.[a-z]+)?: (?:.*\(line (\d+)\)$)?", re.S)
_PATH = re.compile(r"[ \t]*(?:-[ \t]+)?path[ \t]*:[ \t]+(.*?)(?:[ \t]+#.*)?\s*$")
