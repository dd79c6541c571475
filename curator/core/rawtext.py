"""The bytes of a file as text that every reader of YAML sees alike, and how messages show parts of it."""

from __future__ import annotations

import re
from functools import cache

from curator.errors import CuratorError
from curator.model import Fault

LIMIT = 64 * 1024
"""Bytes of the largest file that is read."""

_SHOWN = 48
CONFLICT = re.compile(r"^(?:[ \t]*(?:<{7}|>{7})(?=[ \r\n]|$)|(?:={7}|\|{7})(?=[ \r\n]|$))", re.M)
_MARKS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_KEY = re.compile(r"[ \t]*(?:- +)*([\w-]{1,40})[ \t]*:(?:\s|$)")


class ReadError(CuratorError):
    """A file that is not read at all. *fault* tells a merge conflict from the rest."""

    def __init__(self, message: str, *, where: str, hint: str = "", fault: Fault = Fault.INVALID) -> None:
        super().__init__(message, where=where, hint=hint)
        self.fault = fault


def shown(text: str, quote: str = "'") -> str:
    """A value as messages quote it: one line, nothing invisible, never long."""
    short = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return f"{quote}{repr(short)[1:-1]}{quote}"


def refuse_conflict(text: str, where: str) -> None:
    if any(mark in text for mark in _MARKS):
        found = CONFLICT.search(text)
        if found:
            message, hint = "merge conflict: conflict markers in the file", "finish the merge here, then `git add` it"
            line = line_of(text, found.end())
            raise ReadError(message, where=f"{where}:{line}", hint=hint, fault=Fault.CONFLICT)


def refuse_unreadable(text: str, where: str) -> None:
    found = unreadable(text)
    if found:
        line = line_of(text, found.start())
        message = f"{beside(text, line)}the character U+{ord(found[0]):04X} cannot stand in a file"
        raise ReadError(message, where=f"{where}:{line}", hint="delete it", fault=Fault.UNSAFE)


def unreadable(text: str) -> re.Match[str] | None:
    return None if text.replace("\n", "").isprintable() else _pattern_of_unreadable().search(text)


@cache
def _pattern_of_unreadable() -> re.Pattern[str]:
    """What YAML refuses, and what only some readers take for a line break (YAML 1.1 5.4 against YAML 1.2.2 5.4).

    4 ms to compile, and hardly ever needed.
    """
    return re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|\r(?!\n)")


def decode(data: bytes, where: str) -> str:
    save = "save the file as UTF-8 text"
    if len(data) > LIMIT:
        raise ReadError(f"{len(data):,} bytes are too many, at most {LIMIT:,} are read", where=where, hint="shorten it")
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise ReadError("UTF-16 text", where=f"{where}:1", hint=save)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise ReadError("a NUL byte: UTF-16, or no text at all", where=f"{where}:{line}", hint=save)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8: byte 0x{data[error.start]:02x}"
        raise ReadError(message, where=f"{where}:{line}", hint=save) from None


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def beside(text: str, line: int) -> str:
    """The key that a line starts with, as the beginning of a message."""
    match = _KEY.match(text.split("\n")[line - 1])
    return f"`{match[1]}`: " if match else ""
