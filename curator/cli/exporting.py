"""Handing memories on to other tools: export."""

from __future__ import annotations

import click

from curator.cli import door
from curator.cli.door import Door, say


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, which `curator import` takes in another repository.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a Markdown page (the default).")
@click.option("--category", default="", help="Only this category.")
@click.option("--all", "ended", is_flag=True, help="Also what is retired, superseded or expired.")
@click.pass_context
def export(ctx: click.Context, as_json: bool, as_markdown: bool, category: str, ended: bool) -> None:
    """Print the memories for another tool or another repository.

    What is printed is for anybody: statements, reasons, files, who said it
    and when, but no quote, no session and no commit. It writes nothing.

    \b
      curator export --json > memories.json     then, elsewhere: curator import memories.json
      curator export --markdown > MEMORY.md
    """
    from curator.core import exported, report
    from curator.verbs import export as verb

    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown are two ways to print the same: ask for one")
    at = Door.open(ctx)
    listed = verb.run(at.workspace, as_of=door.today(), category=category, ended=ended)
    entries = [one.entry for one in listed.entries]
    at.findings(listed.findings)
    if as_json:
        door.say_json(exported.value(entries))
    else:
        for line in exported.page(entries).split("\n")[:-1]:
            say(line)
    say(report.plural(len(entries), "memory"), err=True)
