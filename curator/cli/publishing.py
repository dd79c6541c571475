"""pr: memories on a branch of their own on top of the default branch, for a pull request."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from curator.cli import deciding, door
from curator.cli.deciding import tell
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.edge.branches import Base
    from curator.verbs.pr import Branch, Unpushed, Wanted


@click.command(short_help="Put what waits on a branch of its own, for a pull request.")
@click.argument("names", nargs=-1, metavar="[KEY|ID]...")
@click.option("--branch", default="", metavar="NAME", help="What the branch is called (default: curator/memories-...).")
@click.option("--base", default="", metavar="REF", help="Where it begins (default: the remote's default branch).")
@click.option("--title", default="", help="The title of the pull request.")
@click.option("--push", is_flag=True, help="Push it, and open the pull request where `gh` can.")
@click.option("--remote", default="", metavar="NAME", help="Where it is pushed to (default: origin).")
@click.option("--dry-run", is_flag=True, help="Show the commits and what they change; write nothing.")
@click.pass_context
def pr(
    ctx: click.Context,
    names: tuple[str, ...],
    branch: str,
    base: str,
    title: str,
    push: bool,
    remote: str,
    dry_run: bool,
) -> None:
    """Put what waits on a branch of its own, for a pull request.

    The branch begins at the default branch, not at the one you work on: one
    commit for each memory, and one for the block where it is rendered on
    every branch. Nothing is checked out: the work tree, git's index and HEAD
    stay as they are, whatever state they are in.

    KEY names a proposal; without one all go that want no look of their own.
    ID names a memory that you accepted here and the default branch does not
    have, or one that you retired here.

    The proposals wait no more, and stay in the inbox until the branch is
    merged and pulled; when you delete the branch they wait again.
    """
    from curator.verbs.pr import Unpushed, Wanted

    at = Door.open(ctx)
    if not dry_run:
        door.people_only(at, "pr")
        deciding.settle(at)
    wanted = Wanted(names, base, remote, title)
    if dry_run:
        made = _prepared(at, wanted)
        _show(made)
        ctx.exit(int(bool(made.stays)))
    made, name, to = _built(at, wanted, branch, push=push)
    if name and push:
        _push(at, Unpushed(name, made.start, made.request), to)
    elif push and not names:
        _push_older(at, wanted)
    elif name:
        _say_next(at, made, name, to)
    ctx.exit(int(bool(made.stays)))


def _prepared(at: Door, wanted: Wanted) -> Branch:
    """What would go on the branch; what stays and what there is to say is told."""
    from curator.verbs import pr as verb

    made = verb.run(at.workspace, wanted, today=door.today())
    at.findings(made.findings)
    for one in made.stays:
        tell(f"{one.short} stays: {one.reason}", err=True)
    for item in made.items if wanted.names else ():
        for warning in item.warnings:
            tell(f"look twice at {item.short}: {warning}", err=True)
    for note in made.notes:
        tell(note, err=True)
    if not made.items and not (made.stays or made.findings):
        say("nothing waits for review")
    return made


def _built(at: Door, wanted: Wanted, branch: str, *, push: bool) -> tuple[Branch, str, str]:
    """The branch, its name, "" where nothing goes on it, and the remote it is for; proposals on it are marked."""
    from curator.edge import branches, inbox

    if branch:
        branches.refuse_name(at.workspace, branch)
    with inbox.deciding(at.workspace):
        made = _prepared(at, wanted)
        if not made.items:
            return made, "", ""
        to = _remote(at, made, wanted, push=push)
        if len(made.commits) >= door.MANY and sys.stderr.isatty():
            say(f"writing {len(made.commits)} commits", err=True)
        tip = branches.build(at.workspace, made.start, made.on.tree, made.commits)
        name = _named(at, made, tip, branch)
    _say_built(made, name)
    if branches.signs(at.workspace):
        tell("the commits are not signed, whatever commit.gpgsign says: a merge by squash signs its own", err=True)
    return made, name, to


def _remote(at: Door, made: Branch, wanted: Wanted, *, push: bool) -> str:
    """The remote that the branch is for. One that is none stops it before anything is made."""
    from curator.edge import remotes

    own = "" if wanted.base else made.start.remote
    return remotes.chosen(at.workspace, wanted.remote or own) if push or wanted.remote else own


def _named(at: Door, made: Branch, tip: str, wanted: str) -> str:
    """Give the commits a branch. A name that somebody else takes meanwhile is passed over, unless it was asked for.

    The proposals are marked before there is a branch: one that is marked with a branch that is not there waits.
    """
    from curator.edge import branches, inbox

    names = iter([wanted]) if wanted else branches.free(made.stem, branches.existing(at.workspace))
    error = CuratorError("no name is free for the branch", hint="say one: --branch NAME")
    for name in names:
        _mark(at, made, tip, name)
        try:
            branches.create(at.workspace, name, tip)
        except CuratorError as refused:
            for item in made.items:
                inbox.ask_back(at.workspace, item.key)
            hint = "say another name: --branch NAME"
            error = CuratorError(refused.message, where=name, hint=hint)
            if wanted or name not in branches.existing(at.workspace):
                break
        else:
            return name
    raise error


def _mark(at: Door, made: Branch, tip: str, name: str) -> None:
    """Mark the proposals of a branch with what they say."""
    from curator.core import queue
    from curator.edge import inbox

    for item in made.items:
        said = item.proposed
        if said:
            mark = inbox.Mark(name, tip, queue.words(said), said.seen, item.entry.seen)
            inbox.ask(at.workspace, item.key, mark)


def _say_built(made: Branch, name: str) -> None:
    from curator.core import publication, report

    say(f"{name}: {report.plural(len(made.commits), 'commit')} on top of {made.start.name}")
    for item in made.items:
        tell(f"  {publication.subject(item)}")
    if len(made.commits) > len(made.items):
        say(f"  {made.commits[-1].message.rstrip()}")


def _show(made: Branch) -> None:
    """The commits with their messages, each with what it changes."""
    from curator.core import patch

    for number, commit in enumerate(made.commits, 1):
        say(f"commit {number} of {len(made.commits)}, on top of {made.start.name}")
        say()
        for line in commit.message.rstrip("\n").split("\n"):
            say(f"    {line}" if line else "")
        say()
        door.say_diff(patch.written(commit.edits).split("\n"))


def _say_next(at: Door, made: Branch, name: str, remote: str) -> None:
    if remote:
        say(f"Next: {_by_hand(remote, name)}, then {_asking(at, made.start, name, remote)}")
    else:
        say(f"Next: merge it into {made.start.name}, or push it and open a pull request for it")


def _by_hand(remote: str, name: str) -> str:
    """The command that pushes the branch; a remote and a branch may have any name that git takes."""
    return f"git push {shlex.quote(remote)} {shlex.quote(name)}"


def _asking(at: Door, start: Base, name: str, remote: str) -> str:
    """How a person asks for the branch to be merged."""
    from curator.core import site
    from curator.edge import pulls

    place = pulls.place(at.workspace, remote) if remote else None
    page = site.page(place, name, start.branch) if place else ""
    return f"open the pull request: {page}" if page else "open a pull request for it"


# --- Pushing ------------------------------------------------------------------------------------------------------


def _push_older(at: Door, wanted: Wanted) -> None:
    """Push the branches that were made before and that the remote does not have."""
    from curator.edge import remotes
    from curator.verbs import pr as verb

    older = verb.unpushed(at.workspace, wanted)
    if not older:
        return
    remote = remotes.chosen(at.workspace, wanted.remote or older[0].start.remote)
    try:
        there = remotes.listed(at.workspace, remote, "refs/heads/*", remotes.Terms(attended=door.is_attended()))
    except CuratorError as error:
        names = " ".join(shlex.quote(one.name) for one in older)
        hint = f"`git push {shlex.quote(remote)} {names}` when that is put right"
        raise CuratorError(error.message, where=error.where or remote, hint=hint) from None
    for one in older:
        if f"refs/heads/{one.name}" in there:
            say(f"{one.name} is on {remote} already")
        else:
            say(f"{one.name} was made before")
            _push(at, one, remote)


def _push(at: Door, made: Unpushed, remote: str) -> None:
    """Push exactly this branch, and open its pull request; what fails leaves the branch here as it is."""
    from curator.edge import remotes

    name = made.name
    again = f"the branch is here, and nothing is lost: `{_by_hand(remote, name)}` when that is put right"
    spec = remotes.Spec(f"refs/heads/{name}", _tip(at, name), "")
    terms = remotes.Terms(attended=door.is_attended(), hooks=True)
    try:
        (pushed,) = remotes.push(at.workspace, remote, [spec], terms)
    except CuratorError as error:
        raise CuratorError(error.message, where=error.where or remote, hint=again) from None
    if not pushed.done:
        words = "; ".join(filter(None, (pushed.said, *pushed.told.split("\n")[:4])))
        other = f"where the name is taken there: `git branch -m {shlex.quote(name)} OTHER`, then push that"
        raise CuratorError(f"the push was rejected: {words}", where=remote, hint=f"{again}; {other}")
    say(f"Pushed to {remote}.")
    for line in pushed.told.split("\n") if pushed.told else ():
        tell(f"  {remote} says: {line.strip()}", err=True)
    _open(at, made, remote)


def _tip(at: Door, name: str) -> str:
    from curator.edge import branches

    return branches.base(at.workspace, f"refs/heads/{name}").commit


def _open(at: Door, made: Unpushed, remote: str) -> None:
    """Open the pull request with `gh`, or say where a person does."""
    from curator.core import site
    from curator.edge import pulls

    name = made.name
    here = pulls.place(at.workspace, remote)
    onto = (pulls.place(at.workspace, made.start.remote) if made.start.remote else None) or here
    if not (here and onto and here.kind == onto.kind == site.GITHUB and pulls.is_at_hand()):
        say(f"Next: {_asking(at, made.start, name, remote)}")
        return
    arguments = site.command(here, onto, name, made.start.branch, made.request.title)
    try:
        address = pulls.opened(at.workspace, arguments, made.request.body)
        say(f"Pull request: {address}" if address else f"Next: {_asking(at, made.start, name, remote)}")
    except CuratorError as error:
        page = site.page(onto, name, made.start.branch)
        raise CuratorError(f"it is pushed, and no pull request was opened: {error.message}", hint=page) from None
