"""The command line: words in, an outcome out, an exit code last."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

gc.disable()  # a command lives for a moment and makes hardly a cycle; collecting costs it a tenth of its start

import click  # noqa: E402

from curator import __version__  # noqa: E402
from curator.cli.door import Door, relative  # noqa: E402
from curator.errors import CuratorError  # noqa: E402

# In the order one meets them, each with its room and its function there.
COMMANDS = {
    "audit": "auditing.audit",
    "init": "setup.init",
    "import": "importing.import_",
    "add": "writing.add",
    "propose": "proposing.propose",
    "review": "reviewing.review",
    "accept": "deciding.accept",
    "reject": "deciding.reject",
    "later": "deciding.later",
    "diff": "comparing.diff",
    "pr": "publishing.pr",
    "sync": "syncing.sync",
    "render": "rendering.render",
    "recall": "reading.recall",
    "list": "reading.list_",
    "show": "reading.show",
    "edit": "writing.edit",
    "retire": "writing.retire",
    "status": "reading.status",
    "log": "tracing.log",
    "blame": "tracing.blame",
    "report": "reporting.report",
    "export": "exporting.export",
    "mcp": "serving.mcp",
    "check": "checking.check",
    "confirm": "checking.confirm",
    "refresh": "checking.refresh",
    "doctor": "doctoring.doctor",
}

# What git and hooks start, and no person.
HIDDEN = {"merge-block": "merging.merge_block", "sweep": "proposing.sweep"}


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Refusal(click.ClickException):
    """A CuratorError on its way out: one message on stderr and exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        from curator.core import printable

        click.echo(f"curator: {printable.escape(self.message)}", err=True)


class Curator(click.Group):
    """Shows commands in the order one meets them, and turns what a user caused into a message."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        if args is None and sys.getfilesystemencoding() != "utf-8":
            # In an ASCII locale UTF-8 arguments arrive as lone surrogates.
            args = [os.fsencode(one).decode("utf-8", "surrogateescape") for one in sys.argv[1:]]
        try:
            return super().main(args, *more, **options)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            _let_go(sys.stdout)
            Refusal(f"cannot write {error.filename or 'the output'}: {error.strerror}").show()
            sys.exit(2)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the room of one command only: a search does not pay for the options of `add`."""
        room, _, name = (COMMANDS | HIDDEN).get(cmd_name, "").partition(".")
        return _command(importlib.import_module(f"curator.cli.{room}"), name) if room else None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CuratorError as error:
            raise Refusal(_told(ctx, error)) from error
        except KeyboardInterrupt:
            ctx.exit(130)


def _let_go(output: Any) -> None:
    """Forget what was printed and cannot be written: Python would try once more when it ends."""
    try:
        output.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def _command(room: object, name: str) -> click.Command:
    command: click.Command = getattr(room, name)
    return command


def _told(ctx: click.Context, error: CuratorError) -> str:
    """The error's words, its path as seen from the current folder."""
    from curator.core import printable

    where = printable.inline(relative(ctx.obj.workspace, error.where) if isinstance(ctx.obj, Door) else error.where)
    head = f"{where}: {error.message}" if where else error.message
    return f"{head}\n  -> {error.hint}" if error.hint else head


@click.group(cls=Curator, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, package_name="curator", message="curator %(version)s")
def main() -> None:
    """Keep a coding agent's memories in this repository, reviewed like code.

    Memories are YAML files under memories/. `curator render` writes the ones
    that matter most between the markers in CLAUDE.md, within a token budget
    for each category; `curator recall` finds the rest.

    Start with `curator init`, then `curator import CLAUDE.md` or `curator add`.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets an escape, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
