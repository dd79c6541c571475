"""sync: proposals between clones, as refs of a remote; and what a hook's child sends of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.edge.parcels import Parcels
    from curator.edge.remotes import Pushed, Terms
    from curator.model import Workspace
    from curator.verbs.sync import Delivery, Planned, Sending

_TRIES = 3  # while others change the same refs
_RACES = ("stale info", "cannot lock ref", "failed to update ref")
_SECONDS = 20.0  # that a hook's child gives one question to a remote


@click.command(short_help="Send and fetch proposals that wait, through a remote.")
@click.option("--remote", "name", default=None, metavar="NAME", help="Instead of `git config curator.sync`, or origin.")
@click.option("--dry-run", is_flag=True, help="Show what would be done; change nothing here or there.")
@click.pass_context
def sync(ctx: click.Context, name: str | None, dry_run: bool) -> None:
    """Exchange the proposals that wait for review with a remote.

    A clone where sessions run sends what they proposed, and another one
    fetches it, to be reviewed there. On the remote each is a ref of its own,
    refs/curator/inbox/KEY; it goes when it is accepted or rejected. Whoever
    may fetch from the remote can read it.

    What comes from a remote is marked in `curator review`, and `accept --all`
    leaves it for a look of its own. An agent's shell may run this: it sends
    and fetches proposals, and decides nothing.

    Exit code 1 when the remote refused some of the refs, 2 when all.
    """
    from curator.edge import arrivals, away, parcels, remotes

    at = Door.open(ctx)
    if name == "":
        raise CuratorError("an empty name of a remote", hint="`git remote` lists them")
    remote = remotes.chosen(at.workspace, name or "")
    terms = remotes.Terms(attended=door.is_attended() and door.is_watched() and not door.shell())
    with parcels.opened(at.workspace) as made:
        if not dry_run:
            arrivals.tidy(at.workspace)  # a mark that is left says nothing of what comes now
        done, planned = _exchanged(at.workspace, made, remote, terms, dry_run=dry_run)
    waiting = away.waits(at.workspace) + (done.received - done.taken if dry_run else 0)
    _tell(planned, done, waiting, dry_run=dry_run)
    if planned.left and not dry_run:
        with _reasons(at.workspace, done):
            _save(at.workspace, planned, planned.last.told.union(planned.left))
    refused = [one for one in done.pushed if not one.done]
    if refused:
        ctx.exit(1 if any(one.done for one in done.pushed) or done.received else 2)


class _Done:
    """What came of it so far: refs that were pushed, and how many went which way."""

    def __init__(self) -> None:
        self.pushed: list[Pushed] = []
        self.sent = self.received = self.cleared = self.taken = 0


def _exchanged(
    at: Workspace, made: Parcels, remote: str, terms: Terms, *, dry_run: bool = False, fetching: bool = True
) -> tuple[_Done, Planned]:
    """Do what is planned, again from the start while others change the same refs."""
    from curator.verbs import sync as verb

    done = _Done()
    for _ in range(_TRIES):
        _progress(f"asking {remote}", terms)
        planned = verb.run(at, made, remote, today=door.today(), terms=terms, fetching=fetching)
        if dry_run:
            _counted(done, planned.sendings)
            done.received, done.taken = sum(not one.before for one in planned.deliveries), len(planned.outs)
            break
        done.pushed = _settled(at, made, planned, terms, done)
        if not any(reason in one.said for one in done.pushed for reason in _RACES):
            break
    return done, planned


def _settled(at: Workspace, made: Parcels, planned: Planned, terms: Terms, done: _Done) -> list[Pushed]:
    """Deliver, then push: whenever this is killed, each proposal is still on one side, and the next run goes on."""
    from curator.core.syncing import Pair
    from curator.edge import remotes

    with _reasons(at, done):
        for one in planned.deliveries:
            done.received += _delivered(at, planned, one)
        changed = {key: Pair() for key, data in planned.outs.items() if not _taken_out(at, key, data, done)}
        planned.last.pairs.update(changed)  # met before: the next run holds it against the decision anew
        _save(at, planned)
    if not planned.sendings:
        return []
    _progress(f"sending {len(planned.sendings):,} to {planned.remote}", terms)
    specs = [one.spec for one in planned.sendings]
    pushed = remotes.push(at, planned.remote, specs, terms._replace(objects=made.objects))
    agreed = [one for one, result in zip(planned.sendings, pushed, strict=True) if result.done]
    _counted(done, agreed)
    for sent in agreed:
        planned.last.pairs.pop(sent.key, None)
        planned.last.pairs.update({sent.key: sent.after} if sent.after else {})
    planned.last.pairs.update(changed)
    with _reasons(at, done):
        _save(at, planned)
    return list(pushed)


def _save(at: Workspace, planned: Planned, told: frozenset[str] = frozenset()) -> None:
    """Keep what is so for the next time.

    Where something that was said here took the place of a fetched one meanwhile, that has met no remote.
    """
    from curator.edge import arrivals, inbox, synced

    fetched = planned.foreign.union(one.key for one in planned.deliveries if not one.before)
    for key in fetched - arrivals.keys(at):
        if inbox.holds(at, key):
            planned.last.pairs.pop(key, None)
    last = planned.last._replace(told=planned.last.told | told)
    synced.save(at, planned.remote, planned.place, last)


def _delivered(at: Workspace, planned: Planned, one: Delivery) -> bool:
    """Put one into the inbox, marked before it is there; whether it is new."""
    from curator.edge import arrivals, inbox

    if one.before:
        if not inbox.rewrite(at, one.key, one.before, one.text):
            planned.last.pairs.pop(one.key, None)  # somebody changed it: it is held against the remote's anew
        return False
    marked = arrivals.mark(at, one.key, planned.remote)
    is_new = inbox.put(at, one.key, one.text)
    if marked and not is_new:
        arrivals.unmark(at, one.key)
    if is_new and not arrivals.remote(at, one.key):  # another sync took it for a mark that was left
        arrivals.mark(at, one.key, planned.remote)
    return is_new


def _taken_out(at: Workspace, key: str, data: bytes, done: _Done) -> bool:
    """Remove what others decided; False, and it stays, when it was changed while the remote was asked."""
    from curator.edge import arrivals, inbox

    with inbox.deciding(at):
        if _now(at, key) not in {None, data}:
            return False
        done.taken += inbox.take_out(at, key)
        arrivals.unmark(at, key)
    return True


def _now(at: Workspace, key: str) -> bytes | None:
    """What the inbox has of it: None for nothing, no bytes for what is no file of ours."""
    from curator.edge import inbox

    try:
        return inbox.read(at, key)
    except OSError:
        return b""


def _counted(done: _Done, agreed: Iterable[Sending]) -> None:
    from curator.core.syncing import Step

    for one in agreed:
        done.cleared += one.step is Step.CLEAR
        done.sent += one.step is not Step.CLEAR


# --- A hook's child -----------------------------------------------------------------------------------------------


def send(at: Workspace) -> None:
    """Send what waits, and clear what was decided, where the user's own `curator.sync` names a remote; fetch nothing.

    Nobody is asked for anything. CuratorError when it cannot be done, or some of it was refused.
    """
    from curator.edge import parcels, preferences, remotes

    if not preferences.all_of(at).get("sync"):
        return
    remote = remotes.chosen(at)
    with parcels.opened(at, _SECONDS) as made:
        done, _ = _exchanged(at, made, remote, remotes.Terms(seconds=_SECONDS), fetching=False)
    refused = [one for one in done.pushed if not one.done]
    if refused:
        raise CuratorError(f"{len(refused)} refs refused: {refused[0].said}", where=remote)


# --- What is said -------------------------------------------------------------------------------------------------


def _tell(planned: Planned, done: _Done, waiting: int, *, dry_run: bool) -> None:
    from curator.core import syncing

    if dry_run:
        _list(planned)
    count = planned.told._replace(
        sent=done.sent, received=done.received, cleared=done.cleared, taken=done.taken, waiting=waiting
    )
    if planned.left:
        say(syncing.left([_short(planned, key) for key in planned.left], planned.remote), err=True)
    for line in syncing.remarks(count, planned.remote, planned.unfit):
        say(line, err=True)
    _tell_refused(planned.remote, [one for one in done.pushed if not one.done])
    say(syncing.summary(count, dry_run=dry_run))
    if done.received and not dry_run:
        say("Next: curator review.")


def _list(planned: Planned) -> None:
    """The plan, by what `accept` and `review` take, and of what lies here the first words.

    Not of what comes: that is for `review`, which marks a stranger's words, and an agent's shell may run this.
    """
    from curator.core import ending, report

    steps = [(one.step.value, one.key) for one in planned.sendings]
    steps += [("count" if one.before else "receive", one.key) for one in planned.deliveries]
    steps += [("take out", key) for key in planned.outs]
    for step, key in steps:
        words = report.shorten(ending.told(planned.ours[key].entry), 60) if key in planned.ours else ""
        say(f"{step:<8} {_short(planned, key)}  {words}".rstrip())


def _short(planned: Planned, key: str) -> str:
    return planned.ours[key].short if key in planned.ours else key[:6]


def _tell_refused(remote: str, refused: Sequence[Pushed]) -> None:
    for one in refused[: door.MANY]:
        say(f"{remote} refused {one.ref}: {one.said}", err=True)
    if len(refused) > door.MANY:
        say(f"and {len(refused) - door.MANY:,} more", err=True)
    told = next((one.told for one in refused if one.told), "")
    for line in told.split("\n")[: door.MANY] if told else ():
        say(f"{remote} says: {line}", err=True)


def _progress(text: str, terms: Terms) -> None:
    if terms.attended:
        say(f"{text} ...", err=True)


@contextmanager
def _reasons(at: Workspace, done: _Done) -> Iterator[None]:
    """Turn what the system refuses into a message: what is in the inbox or on the remote stands, and is counted."""
    try:
        yield
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else f"{at.common_dir}/curator"
        hint = "put that right, then run the command again"
        counts = ((done.received, "received"), (done.sent, "sent"), (done.cleared, "cleared"))
        stands = ", ".join(f"{count:,} {verb}" for count, verb in counts if count)
        told = f"cannot be written: {error.strerror or error}{f'; {stands} before' if stands else ''}"
        raise CuratorError(told, where=where, hint=hint) from None
