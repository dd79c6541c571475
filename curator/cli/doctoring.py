"""Looking after the wiring: doctor."""

from __future__ import annotations

import click

from curator.cli import door
from curator.cli.door import Door, say

PAINT = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command(short_help="Check that everything is wired, and say how to mend what is not.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/clients.md).")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check that everything is wired, and say how to put right what is not.

    One line a check: the programs on PATH, git, settings, index, blocks, the
    git hook, the merge driver, the hooks of Claude Code, files that keep a
    block from being read, faults of the hook. Changes nothing, asks no
    network. Exits 1 when something fails; a warning fails nothing.
    """
    from curator.core import diagnosis
    from curator.verbs import doctor as verb

    checks = verb.run(Door.open(ctx).workspace, now=door.now())
    if as_json:
        door.say_json({"checks": [one._asdict() for one in checks]})
    else:
        for one in checks:
            head, *more = diagnosis.lines(one)
            say(head, paint="" if one.level == diagnosis.OK else PAINT[one.level])
            for line in more:
                say(line)
    ctx.exit(int(diagnosis.failed(checks)))
