"""Commands that only look: recall, list, show, status."""

from __future__ import annotations

from contextlib import suppress

import click

from curator.cli import door
from curator.cli.door import Door, say


class _Search(click.Command):
    """A command whose words may look like options: `recall --frozen`. What was typed before `--` is kept."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_TYPED] = args[: args.index("--")] if "--" in args else list(args)
        return super().parse_args(ctx, args)


_TYPED = f"{__name__}.typed"


@click.command(cls=_Search, context_settings={"ignore_unknown_options": True})
@click.argument("query", nargs=-1)
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    help="A file you work on; memories about it rise. May be repeated.",
)
@click.option("-k", "--limit", type=click.IntRange(1), metavar="N", help="How many at most (default: recall.limit, 5).")
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
    _say_no_options(ctx, query)
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


def _say_no_options(ctx: click.Context, query: tuple[str, ...]) -> None:
    """Say of words that look like options that they are searched for, and which option may have been meant."""
    words = [word for word in query if _looks_like_an_option(word) and word in ctx.meta[_TYPED]]
    if not words:
        return
    from difflib import get_close_matches

    options = [name for option in ctx.command.params for name in option.opts if name.startswith("--")]
    for word in words:
        near = get_close_matches(word.partition("=")[0], options, 1)
        meant = f"; did you mean {near[0]}?" if near else ""
        say(f"{word} is no option of `curator recall` and is searched for as a word{meant}", err=True)


def _looks_like_an_option(word: str) -> bool:
    name = word.partition("=")[0].lstrip("-").replace("-", "")
    return word.startswith("-") and name.isalnum() and not name.isdigit()


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
    held = waiting.brief(at.workspace, most=0 if as_json else _LOOKED_AT)
    census = replace(census, waiting=len(held.proposals) + len(held.findings) + held.more)
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


_LOOKED_AT = 500
"""Proposals that `status` reads: an import may have brought thousands."""


def _note(at: Door, texts: list[str]) -> None:
    """In a session's shell: take down what it is shown, so that it is not proposed when it is said again."""
    session = door.session()
    if not (session and texts):
        return
    from curator.edge import spool

    with suppress(OSError):  # costs a repetition
        state = spool.load(at.workspace, session)
        spool.show(state, texts)
        spool.save(at.workspace, session, state)
