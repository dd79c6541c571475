"""Commands that only look: recall, list, show, status."""

from __future__ import annotations

import os
from contextlib import suppress

import click

from curator.cli import door
from curator.cli.door import Door, say


@click.command(context_settings={"ignore_unknown_options": True})  # a query may be a flag: `recall --frozen`
@click.argument("query", nargs=-1)
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    help="A file you work on; memories about it rise. May be repeated.",
)
@click.option("-k", "limit", type=click.IntRange(1), metavar="N", help="How many at most (default: recall.limit, 5).")
@click.option("--category", default="", help="Only this category.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), help="Leave out entries with a lower origin.confidence.")
@click.option("--explain", is_flag=True, help="Show what each signal adds to a score.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def recall(
    ctx: click.Context,
    query: tuple[str, ...],
    files: tuple[str, ...],
    limit: int | None,
    category: str,
    min_confidence: float | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Search the memories.

    Give several phrasings in one call: your words, the error text, the
    identifiers. Each QUERY is one phrasing; quote it.

    \b
      curator recall "tests hang in CI" "pytest timeout" --file tests/conftest.py
    """
    from curator.core import report
    from curator.verbs import recall as verb

    at = Door.open(ctx)
    paths = tuple(at.rooted(path) for path in files)
    found = verb.run(at.workspace, verb.Wanted(query, door.today(), paths, limit, category, min_confidence))
    _note(at, [hit.entry.text for hit in found.hits])
    if as_json:
        door.say_json(report.hits_value(found))
        return
    at.findings(found.findings)
    for line in report.hits(found, explain=explain):
        say(line)
    if not found.hits:
        say(f"nothing found in {report.plural(found.searched, 'memory')}", err=True)


@click.command("list")
@click.option("--category", default="", help="Only this category.")
@click.option("--tag", default="", help="Only entries with this tag.")
@click.option("--in", "shown", is_flag=True, help="Only entries that are in a block.")
@click.option("--out", "left_out", is_flag=True, help="Only entries that are in no block, with the reason.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def list_(ctx: click.Context, category: str, tag: str, shown: bool, left_out: bool, as_json: bool) -> None:
    """List all memories, one line each."""
    from curator.core import report
    from curator.verbs import listing

    at = Door.open(ctx)
    out = None if shown == left_out else left_out
    listed = listing.run(at.workspace, as_of=door.today(), category=category, tag=tag, out=out)
    _note(at, [out.entry.text for out in listed.entries])
    if as_json:
        door.say_json(report.listing_value(listed))
        return
    at.findings(listed.findings)
    for line in report.listing(listed, door.width()):
        say(line)
    say(report.plural(len(listed.entries), "memory"), err=True)


@click.command()
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def show(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show one memory with its reason, sources and origin.

    ID may be the beginning of an id, its last six digits, or the file.
    """
    from curator.core import report
    from curator.outcome import Listed
    from curator.verbs import listing

    at = Door.open(ctx)
    one = listing.one(at.workspace, at.named(name), as_of=door.today())
    _note(at, [one.entry.text])
    if as_json:
        door.say_json(report.listing_value(Listed(entries=(one,))))
        return
    for line in report.entry(one.entry, one.reason):
        say(line)


@click.command(short_help="Show counts, budgets, what is not reviewed, what a session pays.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json.md).")
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show counts, budgets, what is not reviewed and what a session pays.

    With a price in dollars a million input tokens in your own git settings
    (`git config curator.price 3`) it also says what 100 sessions cost.
    """
    from dataclasses import replace

    from curator.core import report, screen
    from curator.verbs import status as verb
    from curator.verbs import waiting

    at = Door.open(ctx)
    census = verb.run(at.workspace, as_of=door.today())
    held = waiting.brief(at.workspace)
    census = replace(census, waiting=len(held.proposals) + len(held.findings))
    if as_json:
        whole = replace(census, findings=(*held.findings, *census.findings))
        door.say_json(report.census_value(whole) | screen.brief_value(held))
        return
    for line in screen.waiting(held, door.width(), door.today()):
        say(line)
    for line in report.census(census, door.marks()):
        say(line)
    for line in screen.rate(held.decided, held.sensitivity):
        say(line)
    for note in census.notes:
        say(note, err=True)
    at.findings((*held.findings, *census.findings))


def _note(at: Door, texts: list[str]) -> None:
    """In a session's shell: take down what it is shown, so that it is not proposed when it is said again."""
    session = os.environ.get("CLAUDE_CODE_SESSION_ID")
    if not (session and texts):
        return
    from curator.edge import spool

    with suppress(OSError):  # costs a repetition
        state = spool.load(at.workspace, session)
        spool.show(state, texts)
        spool.save(at.workspace, session, state)
