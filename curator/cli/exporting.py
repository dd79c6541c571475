"""Handing memories on to other tools: export."""

from __future__ import annotations

import click


@click.command()
@click.pass_context
def export(ctx: click.Context) -> None:
    """Print the memories for another tool."""
