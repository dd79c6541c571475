"""The door of agents that speak MCP: mcp."""

from __future__ import annotations

import click


@click.command()
@click.pass_context
def mcp(ctx: click.Context) -> None:
    """Serve the memories of this repository over MCP, on standard input and output."""
