"""The door of agents that speak MCP: mcp."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from types import ModuleType


@click.command(short_help="Serve the memories to an agent over MCP.")
def mcp() -> None:
    """Serve the memories of this repository over MCP, on standard input and output.

    An agent's client starts it; `curator init --mcp` writes its configuration.
    Agents search and propose; what they propose waits until a person takes
    it. No network, no socket. Needs the package mcp: pip install 'curator[mcp]'.
    """
    from curator.server.desk import Clock, Desk

    if sys.stdin is None or sys.stdout is None:
        closed = "input" if sys.stdin is None else "output"
        raise CuratorError(f"standard {closed} is closed", hint="a client starts `curator mcp` with a pipe for each")
    folders = [_here(), os.environ.get("CLAUDE_PROJECT_DIR", "")]
    at = Desk(tuple(filter(os.path.isabs, folders)), Clock(door.now, door.today, door.tail))
    if door.is_attended():
        say("an MCP server: an agent's client starts it and speaks JSON to it (Ctrl-D ends it)", err=True)
    app = _app()
    code = 0
    try:
        app.serve(at)
    except KeyboardInterrupt:
        code = 130
    os._exit(code)  # a thread may still wait for standard input, and would keep the process


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder is gone
        return ""


def _app() -> ModuleType:
    """The server, if what it is built on is installed."""
    try:
        from curator.server import light

        light.load()
        from curator.server import app
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "curator":
            raise
        message = f"`curator mcp` needs the package mcp, version 2.3 or later: {error.msg}"
        raise CuratorError(message, hint="install it beside curator: pip install 'curator[mcp]'") from None
    return app
