"""report: the state of the memories as one page to look at."""

from __future__ import annotations

import os

import click

from curator.cli import door
from curator.cli.door import Door, say


@click.command(short_help="Write one page to look at: blocks, all memories searchable, history.")
@click.option("--html", "file", required=True, metavar="FILE", help="Where to write the page; - is standard output.")
@click.option("--title", default="", metavar="TEXT", help="What the page is called (default: the folder's name).")
@click.pass_context
def report(ctx: click.Context, file: str, title: str) -> None:
    """Write one page to look at.

    It shows the block of each target with its budgets, every memory, to be
    searched and filtered, with what is known of where it came from, and what
    was learned and retired over time. The page stands alone: it loads nothing,
    works from disk, prints, and follows light and dark.

    FILE may be anywhere; a file there is replaced only if it is such a page.

    \b
      curator report --html memories.html
    """
    from curator.core import report as told
    from curator.core import webpage
    from curator.edge import assets, outlet
    from curator.verbs import report as verb

    at = Door.open(ctx)
    overview = verb.run(at.workspace, as_of=door.today(), title=title or os.path.basename(at.workspace.root))
    page = webpage.write(overview, webpage.Parts(*map(assets.text, assets.REPORT)))
    data = page.encode()
    if file == "-":
        click.echo(data, nl=False)
        return
    outlet.write(file, data, webpage.MARK.encode())
    size = told.plural(len(data) // 1000 + 1, "kilobyte")
    say(f"written: {file}, {told.plural(len(overview.ordered), 'memory')}, {size}", err=True)
    at.findings(overview.findings)
