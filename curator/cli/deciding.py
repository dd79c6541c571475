"""Commands that decide about proposals, each what one key of the screen does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curator.core.queue import Choice, Prepared, Proposal
    from curator.verbs.reject import Rejection


class Moved(CuratorError):  # noqa: N818 - it reads as what happened: `except deciding.Moved`
    """A proposal is not what was looked at any more."""


REASONS = ("noise", "wrong", "private", "duplicate", "once")
_UNJUDGED = ("duplicate", "once")
"""Reasons that say nothing of how well sessions propose."""


@click.command()
@click.argument("names", nargs=-1, metavar="[KEY|ID]...")
@click.option("--all", "every", is_flag=True, help="All that wait, but those that want a look of their own.")
@click.option("--category", default="", help="Put it into this category.")
@click.option("--importance", type=click.IntRange(1, 10), help="What a session loses without it.")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="Words to find it by, instead of those proposed.")
@click.option(
    "--source", "sources", multiple=True, metavar="PATH[#SYMBOL]", help="Cite exactly these; may be repeated."
)
@click.option("--cite/--no-cite", default=True, help="Also cite the files and symbols that the text names.")
@click.option("--supersedes", multiple=True, metavar="ID", help="An entry this one replaces; that is retired.")
@click.option("--text", default="", help="Word it so. The proposed words stay as its quote.")
@door.NO_RENDER
@click.pass_context
def accept(ctx: click.Context, /, names: tuple[str, ...], every: bool, no_render: bool, **choices: object) -> None:
    """Take proposals into the tree: one new file each, staged.

    KEY is the file's name in the inbox, ID the id the memory will have; the
    beginning or the last six digits of either do. What accepting would write
    is what `curator diff` shows.

    With several at once, proposals that want a look of their own stay: words
    of a tool, an order to download or to upload something, credentials, and
    what would retire another memory.
    """
    at = Door.open(ctx)
    door.people_only(at, "accept")
    if every == bool(names):
        raise CuratorError("say which: a KEY, or --all", hint="`curator status` shows what waits")
    choice = _choice(at, choices)
    if (every or len(names) > 1) and choice is not None:
        raise CuratorError("options that change a memory are for one KEY", hint="accept that one by itself")
    if every or len(names) > 1:
        ctx.exit(_several(at, names, no_render=no_render))
    prepared = take(at, names[0], choice)
    told_notes(prepared)
    for line in written([prepared]):
        tell(line)
    if not no_render:
        rerender(at)  # also after one that was killed before it came to that


def _choice(at: Door, given: dict[str, object]) -> Choice | None:
    """What the options set; None when there is none."""
    from curator.core import harvest
    from curator.core.queue import NOTHING, Choice

    sources, tags = texts(given["sources"]), texts(given["tags"])
    choice = Choice(
        text=str(given["text"]),
        category=str(given["category"]),
        importance=int(str(given["importance"] or 0)),
        tags=tags or None,
        sources=tuple(harvest.source(at.rooted_source(named)) for named in sources) if sources else None,
        supersedes=texts(given["supersedes"]),
        cite=bool(given["cite"]),
    )
    return None if choice == NOTHING else choice


def texts(value: object) -> tuple[str, ...]:
    """The values of an option that may be repeated."""
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def _several(at: Door, names: tuple[str, ...], *, no_render: bool) -> int:
    """Accept what needs no look of its own; 1 when something stays."""
    from curator.core import queue
    from curator.verbs import waiting

    settle(at)
    done = [*(() if names else _together(at))]
    stays = 0
    try:
        held = waiting.run(at.workspace, today=door.today(), whole=bool(names))
        known = [one.proposal for one in held.prepared]
        wanted = {one.key for one in (queue.named(known, name) for name in names) if one}
        for one in held.prepared:
            if not names or one.proposal.key in wanted:
                stays += not _taken(at, one, done)
        done.extend(take(at, name, None) for name in names if queue.named(known, name) is None)
    finally:
        for line in written(done):
            tell(line)
        if stays:
            say("Next: `curator review` shows those that stay, one by one", err=True)
        if done and not no_render:
            rerender(at)
    at.findings(held.findings if not names else ())
    return int(bool(stays or (held.findings and not names)))


def settle(at: Door) -> None:
    """Clear proposals that a pull brought back from a branch; those whose branch is gone wait again."""
    from curator.edge import away

    for key in sorted(away.settle(at.workspace, door.today()).arrived):
        say(f"{key[:6]} is cleared: it came with the branch it was on", err=True)


def _together(at: Door) -> tuple[Prepared, ...]:
    """Accept in one go what is new and wants no look, where very many wait; what fails is for one by one."""
    from curator.edge import decisions, inbox, plumbing
    from curator.outcome import Outcome
    from curator.verbs import accept as verb

    if len(inbox.keys(at.workspace)) < door.MANY:
        return ()
    with inbox.deciding(at.workspace):
        try:
            made = verb.several(at.workspace, today=door.today(), least=door.MANY)
            edits = tuple(edit for one in made for edit in one.edits)
            at.settle(Outcome(edits=edits, stage=tuple(edit.path for edit in edits)))
        except plumbing.Busy:
            raise  # it would be waited for again with each of them
        except CuratorError:
            return ()
        for key in inbox.clear(at.workspace, [one.proposal.key for one in made]):
            decisions.record(at.workspace, decisions.ACCEPTED, key, door.today())
    return made


def _taken(at: Door, one: Prepared, done: list[Prepared]) -> bool:
    """Accept one of several, unless it wants a look of its own; one that cannot be written stops no other."""
    from curator.core.queue import State
    from curator.edge import plumbing, proposals

    if one.state is not State.DONE and not (one.is_safe and one.replaces is None):
        _stays(one, why(one))
        return False
    try:
        done.append(take(at, one.proposal.key, None, seen=one.proposal, alone=False))
    except plumbing.Busy:
        raise  # the next would wait for it as long
    except CuratorError as error:
        told = str(error).replace(f"; {proposals.kept(one.proposal)}", "")  # which is what it begins with
        _stays(one, told)
        return False
    return True


def _stays(one: Prepared, reason: str) -> None:
    """Say in one line that a proposal goes on waiting."""
    from curator.core import columns as lines

    first = reason.partition("\n")[0]
    say(lines.shorten(f"{one.proposal.short} stays: {first}", door.width()), err=True)


def why(one: Prepared) -> str:
    from curator.core import queue

    return queue.why(one)


def take(at: Door, name: str, choice: Choice | None, *, seen: Proposal | None = None, alone: bool = True) -> Prepared:
    """Accept one proposal durably, again from the start while others write; the inbox file goes last.

    What was *seen* must be what lies there still. Not *alone*, among others
    that nobody looked at one by one, it must want no look of its own.
    """
    from curator.core.queue import NOTHING
    from curator.edge import away, decisions, files, inbox
    from curator.verbs import accept as verb

    with inbox.deciding(at.workspace):
        for _ in range(door.ATTEMPTS):
            try:
                prepared = verb.run(at.workspace, name, choice or NOTHING, today=door.today())
                _held_against(prepared, seen, alone=alone)
                at.settle(prepared)
                break
            except files.Changed as error:
                last = error
        else:
            raise last
        key = prepared.proposal.key
        place = away.place(at.workspace, key)
        if key and inbox.take_out(at.workspace, key):
            decisions.record(at.workspace, decisions.ACCEPTED, key, door.today())
    _say_still(place)
    return prepared


def _say_still(place: str) -> None:
    """Say where a proposal goes on asking to be merged although it is decided."""
    if place:
        tell(f"it is still on {place}: close its pull request and delete the branch", err=True)


def _held_against(prepared: Prepared, seen: Proposal | None, *, alone: bool) -> None:
    """Refuse what is not what a person looked at, or should have looked at."""
    from curator.core import queue
    from curator.core.queue import State

    if prepared.state is State.DONE:
        return
    if seen and not queue.is_same(seen, prepared.proposal):
        message = "was changed while you looked at it, so nothing was written"
        raise Moved(message, where=seen.short, hint="look at it again: `curator review`")
    if not alone and not (prepared.is_safe and prepared.replaces is None):
        raise CuratorError(why(prepared))


def told_notes(prepared: Prepared) -> None:
    """Say on stderr what there is to say about one that was accepted."""
    for warning in prepared.warnings:
        tell(f"look twice: {warning}", err=True)
    for note in prepared.notes:
        tell(note, err=True)
    if prepared.replaces:
        one = prepared.replaces
        tell(f'it seems to replace {one.category}/{one.id} ("{prepared.cue}"): `curator retire {one.id}`', err=True)


def written(done: Iterable[Prepared]) -> list[str]:
    """What was accepted, as lines to print."""
    from curator.core import tally

    return tally.accepted(tuple(done), columns())


def columns(*, err: bool = False) -> int:
    """Columns of the terminal that is written to; 0 where it is none, and lines are read by programs."""
    return door.width() if (sys.stderr if err else sys.stdout).isatty() else 0


def tell(text: str, *, err: bool = False, paint: str = "") -> None:
    """Say a text that may be long: on a terminal no word of it is broken, and its further lines are indented."""
    from curator.core import columns as lines

    width = columns(err=err)
    for line in text.split("\n"):
        for part in lines.wrap(line, width, "  ") if width else [line]:
            say(part, err=err, paint=paint)


@click.command(short_help="Refuse proposals: the same sentence is not proposed again.")
@click.argument("names", nargs=-1, required=True, metavar="KEY|ID...")
@click.option(
    "--reason",
    type=click.Choice(REASONS),
    default="noise",
    show_default=True,
    help="wrong and private are remembered for the team, the others for you.",
)
@click.pass_context
def reject(ctx: click.Context, names: tuple[str, ...], reason: str) -> None:
    """Refuse proposals, so that the same sentence is not proposed again.

    What is kept is a hash, never the text: for `wrong` and `private` a file
    of the tree, which is staged (memories/.rejected/), for the others a file
    in git's folder that concerns only this clone.
    """
    at = Door.open(ctx)
    door.people_only(at, "reject")
    for name in names:
        rejection = refuse(at, name, reason)
        say(refused(rejection))


def refuse(at: Door, name: str, reason: str) -> Rejection:
    """Refuse one proposal durably: it leaves the inbox when its refusal is on disk."""
    from curator.edge import away, decisions, files, inbox
    from curator.verbs import reject as verb

    with inbox.deciding(at.workspace):
        for _ in range(door.ATTEMPTS):
            try:
                rejection = verb.run(at.workspace, name, reason)
                at.settle(rejection)
                break
            except files.Changed as error:
                last = error
        else:
            raise last
        if rejection.own:
            inbox.refuse(at.workspace, rejection.said, reason)
        place = away.place(at.workspace, rejection.key)
        if inbox.take_out(at.workspace, rejection.key) and reason not in _UNJUDGED:
            decisions.record(at.workspace, decisions.REJECTED, rejection.key, door.today())
    _say_still(place)
    return rejection


def refused(rejection: Rejection) -> str:
    """What is said after a refusal."""
    again = "to retire that" if rejection.keeps else "the same sentence"
    if rejection.edits:
        told = f"{again[0].upper()}{again[1:]} is not proposed again."
        return f"Rejected for the team, and staged: {rejection.edits[0].path}. {told}"
    kept = f"Its hash is kept, so {again} is not proposed again." if rejection.own else "It is removed."
    return f"Rejected. {kept}"


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="KEY|ID...")
@click.pass_context
def later(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Let proposals wait behind all others."""
    at = Door.open(ctx)
    door.people_only(at, "later")
    for name in names:
        put_off(at, name)
        say("It waits behind the others.")


def put_off(at: Door, name: str) -> None:
    """Let one proposal wait."""
    from curator.edge import inbox
    from curator.verbs import reject as verb

    inbox.put_off(at.workspace, verb.found(at.workspace, name))
