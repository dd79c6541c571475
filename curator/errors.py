"""The one exception curator raises on purpose."""

from __future__ import annotations


class CuratorError(Exception):
    """Something the user can put right: what is wrong, where, and the next step.

    A door turns it into one message and exit code 2. *where* is a path, with
    ``:line`` when a line is known; *hint* names the command or edit that helps.
    """

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\nhint: {self.hint}" if self.hint else head
