"""Which code made a cache: another byte in what decides about it, and the file is another code's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache as once
from zlib import crc32

from curator import __version__

_CODE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SHAPING = (
    *("core", "model.py"),
    *(
        f"edge/{name}.py"
        for name in "changes code context database index listing places reader rows state store version".split()
    ),
)
"""The code that decides what stands in the file: one more byte in it makes the file foreign."""


@once
def current() -> int:
    """A number that changes with the code that makes the file, and with Python's Unicode tables and numbers."""
    key = crc32(f"{__version__} {sys.version} {sys.byteorder}".encode())
    try:
        for path in _sources():
            handle = os.open(path, os.O_RDONLY)
            key = crc32(os.read(handle, 1 << 20), key)
            os.close(handle)
    except OSError:
        pass  # installed without its sources: the version has to do
    return key


@once
def facts() -> str:
    """Places, sizes and times of the same code: while they are what they were, nothing has to be read again."""
    told = [__version__, sys.version, sys.byteorder]
    try:
        for path in _sources():
            found = os.stat(path)
            told.append(f"{path}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}")
    except OSError:
        return ""
    return f"{crc32(chr(0).join(told).encode('utf-8', 'surrogateescape')):08x}"


def _sources() -> Iterator[str]:
    for name in _SHAPING:
        path = f"{_CODE}/{name}"
        if name.endswith(".py"):
            yield path
        else:
            yield from sorted(f"{path}/{module}" for module in os.listdir(path) if module.endswith(".py"))
