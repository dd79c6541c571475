"""How a reviewer answers: single keys on a terminal, or lines for pipes and screen readers."""

from __future__ import annotations

import os
import sys

import click

from curator.cli.door import say


class Quit(Exception):  # noqa: N818 - it reads as what happened
    """The reviewer leaves; what was decided stands."""


class Screen:
    """A terminal: single keys, a clear screen for each proposal."""

    shows_pages = True  # a changed one is shown anew

    def clear(self) -> None:
        if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            click.clear()

    def key(self, asked: str) -> str:
        say(asked)
        try:
            return click.getchar()
        except EOFError:
            raise Quit from None

    def line(self, asked: str, now: str) -> str:
        """What is typed; "" for Enter alone, which keeps what is there *now*."""
        from curator.core import printable

        try:
            return str(click.prompt(printable.escape(_with(asked, now)), default="", show_default=False)).strip()
        except click.Abort:
            raise Quit from None


class Lines:
    """Lines of standard input as answers: no screen control, and nothing is asked twice for want of a terminal."""

    shows_pages = False  # of a changed one only what changed is said

    def clear(self) -> None:
        say()

    def key(self, asked: str) -> str:
        return self._read(asked)[:1] or "\r"

    def line(self, asked: str, now: str) -> str:
        """The same, in a line of its own."""
        return self._read(f"{_with(asked, now)}:")

    def _read(self, asked: str) -> str:
        say(asked)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise Quit
        return line.strip()


def _with(asked: str, now: str) -> str:
    return f"{asked} [{now}]" if now else asked
