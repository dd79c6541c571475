"""Commands that put what was said into the inbox: propose, and the sweep that hooks leave to a child."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from curator.cli import choosing, door
from curator.cli.door import Door, say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Callable

    from curator.edge.knowledge import Known
    from curator.edge.spool import Spool
    from curator.edge.transcript import Log
    from curator.model import Workspace
    from curator.verbs.propose import Found, Gathered

_LONG = 10 << 20  # bytes from which a log is worth a progress bar
_PATIENCE = 5.0
_LEVELS = ("quiet", "normal", "keen")


@click.command()
@click.option("--transcript", "file", default="", metavar="FILE", help="A session's log; `-` reads standard input.")
@click.option("--since", default="", metavar="DATE|OFFSET", help="Only what was said since then, or from that byte on.")
@click.option("--all-sessions", is_flag=True, help="All logs of this repository, those of its other work trees too.")
@click.option("--sensitivity", type=click.Choice(_LEVELS), default=None, help="Instead of what the settings say.")
@click.option("--dry-run", is_flag=True, help="Show what would be proposed; write nothing.")
@click.option("--model", is_flag=True, help="Ask a model instead of the rules (docs/model.md).")
@click.option("--transport", type=click.Choice(("api", "claude")), help="With --model: how it is asked.")
@click.option("--model-name", "name", default="", help="With --model: which one.")
@click.option("--max-tokens", "tokens", type=click.IntRange(0), help="With --model: what this run may use.")
@click.option("--max-cost", "cost", type=click.FloatRange(0), metavar="USD", help="With --model: what it may cost.")
@click.option("--json", "as_json", is_flag=True, help="Print all candidates as JSON (docs/json.md).")
@click.pass_context
def propose(
    ctx: click.Context,
    file: str,
    since: str,
    all_sessions: bool,
    sensitivity: str | None,
    dry_run: bool,
    as_json: bool,
    model: bool,
    transport: str | None,
    name: str,
    tokens: int | None,
    cost: float | None,
) -> None:
    """Propose memories from what you said in a session.

    Reads the newest log of this repository's sessions, of whichever client
    (docs/capture.md), by the rules that the hooks go by. What is found waits in the inbox until
    `curator review`. With --dry-run and a --transcript no repository is
    needed; an agent's shell may only use it with --dry-run.

    \b
      curator propose --dry-run
      curator propose --all-sessions --since 2026-01-01
    """
    if file and all_sessions:
        raise CuratorError("--transcript and --all-sessions exclude each other", hint="leave one of them out")
    known = _known(ctx, sensitivity, outside=dry_run and bool(file))
    if not dry_run:
        door.people_only(Door.open(ctx), "propose")  # what a log says is a person's word
    if model:
        from curator.cli import asking, distilling

        moment = choosing.moment(since)
        options = asking.Options(transport or "", name, tokens, cost, moment, bool(since), dry_run, as_json)
        distilling.run(known, choosing.logs(known.workspace, file, since, all_sessions), options)
        return
    found: list[Gathered] = []
    for session, log, state in choosing.logs(known.workspace, file, since, all_sessions):
        try:
            found += _captured(
                known, session, log, state, trigger="propose", since=choosing.moment(since), dry_run=dry_run
            )
        finally:
            log.close()
    if as_json:
        door.say_json(_value(found))
    else:
        _tell(found, dry_run=dry_run)


def _known(ctx: click.Context, sensitivity: str | None, *, outside: bool) -> Known:
    from curator.edge import knowledge

    try:
        known = knowledge.here(Door.open(ctx).workspace)
    except CuratorError:
        if not outside:
            raise
        known = knowledge.nowhere()
    level = sensitivity or known.settings.sensitivity
    known.settings.sensitivity = level if level in _LEVELS else "normal"
    return known


def _captured(
    known: Known, session: str, log: Log, state: Spool, *, trigger: str, since: str = "", dry_run: bool = False
) -> Iterator[Gathered]:
    """Read a log to its end, and put what is found into the inbox piece by piece; the door's only way to do so."""
    from curator.edge import arrivals, spool
    from curator.verbs import propose

    now, tallies = door.now(), known.settings.gate != "off"
    by_hand = trigger == "propose"
    asked = propose.Asked(
        session,
        trigger,
        now,
        door.tail,
        since=since,
        tallies=tallies and not by_hand,
        labels_all=dry_run,
        anew=frozenset(state.proposed) if by_hand else frozenset(),  # a person asks again: what waited may be lost
    )
    with _progress(log) as moved:
        while True:
            gathered = propose.run(log, state, known, asked)
            with _told(known.workspace):
                if not dry_run and known.workspace:
                    arrivals.deliver(known.workspace, gathered.files)
                place = state.offset, state.inside, state.size, state.torn
                propose.note(state, gathered)
                if by_hand:  # where the hook goes on reading stays where it was
                    state.offset, state.inside, state.size, state.torn = place
                if not dry_run and known.workspace:
                    spool.save(known.workspace, session, state)
            moved(gathered.offset)
            yield gathered
            if not gathered.more:
                return


@contextmanager
def _told(at: Workspace | None) -> Iterator[None]:
    """Turn what the system refuses into a message. What was put into the inbox is found there the next time."""
    try:
        yield
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else f"{at.common_dir}/curator" if at else ""
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot be written: {error.strerror or error}", where=where, hint=hint) from None


@contextmanager
def _progress(log: Log) -> Iterator[Callable[[int], None]]:
    """A progress bar for a long log, on a terminal."""
    if log.size < _LONG or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    begun = log.offset
    with click.progressbar(length=log.size - begun, label="reading", file=sys.stderr) as bar:
        yield lambda offset: bar.update(offset - begun - bar.pos)


def _value(found: list[Gathered]) -> dict[str, object]:
    return {
        "candidates": [_candidate(one) for each in found for one in each.found if one.out not in {"shown", "unfit"}],
        "skipped": sum(each.torn for each in found),
        "messages": sum(each.messages for each in found),
    }


def _candidate(one: Found) -> dict[str, object]:
    return {
        "text": one.candidate.text,
        "score": one.candidate.confidence,
        "category": one.candidate.category,
        "source": {
            "message": one.message,
            "offset": one.offset,
            "session": one.session,
            "time": one.time,
            "by": one.said.by,
        },
        "reasons": list(one.candidate.cues),
        "explicit": one.candidate.explicit,
        "known": one.out if one.out in {"memory", "waiting", "refused"} else "",
        "proposed": not one.out,
    }


_OUT = {
    "memory": "known already",
    "waiting": "waiting already",
    "refused": "refused before",
    "shown": "said by curator itself",
    "cap": "over the limit of 3 a session",
    "full": "while 10 wait in the inbox: `curator review`",
    "unfit": "that no memory may hold",
}


def _tell(found: list[Gathered], *, dry_run: bool) -> None:
    from curator.core import report

    proposed = [one for each in found for one in each.proposed]
    again = sum(len(each.repeated) for each in found)
    out = Counter(one.out for each in found for one in each.found if one.out)
    for one in proposed:
        by = "" if one.said.by == "user" else f", said by the {one.said.by} before"
        say(f"{one.candidate.category}  {one.candidate.confidence:.2f}{by}  {one.candidate.text}")
    verb = "would be proposed" if dry_run else "proposed"
    tail = "" if dry_run or not proposed else "; review with `curator review`"
    messages = report.plural(sum(each.messages for each in found), "message")
    say(f"{report.plural(len(proposed), 'memory')} {verb}, from {messages}{tail}", err=True)
    if again:
        say(f"{report.plural(again, 'known statement')} said again, counted in the inbox", err=True)
    for reason, text in _OUT.items():
        if out[reason]:
            say(f"left out: {out[reason]} {text}", err=True)
    torn = sum(each.torn for each in found)
    if torn:
        say(f"passed over: {report.plural(torn, 'line')} that could not be read", err=True)


@click.command(hidden=True)
@click.option("--session", default="", help="Only this session.")
@click.option("--log", default="", help="Its log, where the hook had no time to note it.")
@click.option("--send", is_flag=True, help="Then send what waits, where `git config curator.sync` names a remote.")
@click.option(
    "--model", is_flag=True, help="Then ask a model about it, where `git config curator.modelCapture` says so."
)
@click.option("--over", is_flag=True, help="The session has ended.")
@click.option("--watch", is_flag=True, help="Then look at auto memory, where `git config curator.autoMemory` says so.")
@click.pass_context
def sweep(ctx: click.Context, session: str, log: str, send: bool, model: bool, over: bool, watch: bool) -> None:
    """Bring the index up to date and capture what hooks left over: they start this and do not wait."""
    from curator.cli import distilling, importing, syncing
    from curator.edge import hooklog

    at = Door.open(ctx).workspace
    try:
        with _told(at):
            _swept(at, session, log)
        if model:
            distilling.after_stop(at, session, over=over)
        if watch:
            importing.watch(at)
        if send:
            syncing.send(at)
    except Exception as error:  # nobody reads what a child says
        hooklog.append(at, "sweep", hooklog.fault(error))
        raise


def _swept(at: Workspace, session: str, log: str) -> None:
    from curator.edge import away, bulk, hooklog, inbox, spool, store
    from curator.verbs import check
    from curator.verbs import sweep as verb

    if session and log:
        _follow(at, session, log)
    with spool.locked(at, "") as alone:
        if not (alone or session):
            return
        if alone:  # a session that starts waits for this a moment
            store.reading(at, lambda cache: cache.stamp, weighed=True)
        for left in verb.run(at, (session,) if session else ()):
            try:
                _sweep(left.session, left.workspace)
            except (CuratorError, OSError) as error:  # one session's fault is not another's
                hooklog.append(at, "sweep", f"{left.session}: {hooklog.fault(error)}")
        if alone:
            spool.clear(at, time.time())
            bulk.sweep(inbox.folder(at))  # what a killed writer left
            away.settle(at, door.today())
            check.run(at, today=door.today())


def _follow(at: Workspace, session: str, log: str) -> None:
    """Note a session's log. Anybody can name any file here, and what a log says counts as a person's word."""
    from curator.edge import logs, spool
    from curator.verbs import propose

    state = spool.load(at, session)
    if state.log != log and not logs.is_the_clients(log):
        hint = "`curator propose --transcript FILE` reads any log"
        raise CuratorError("is no log of a session that the client keeps", where=log, hint=hint)
    propose.follow(state, log, at.root)
    spool.save(at, session, state)


def _opened(state: Spool) -> Log:
    """The log of a session, a CuratorError where it cannot be read."""
    from curator.verbs import propose

    try:
        return propose.opened(state)
    except OSError as error:
        raise CuratorError(f"cannot be read: {error.strerror or error}", where=state.log) from None


def _sweep(session: str, at: Workspace) -> None:
    from curator.edge import knowledge, logs, spool

    with spool.locked(at, session, _PATIENCE) as alone:
        if not alone:
            return
        state = spool.load(at, session)
        known, read = knowledge.here(at), -1
        while read != logs.size(state.log):  # it may have grown meanwhile
            log = _opened(state)
            read = log.size
            try:
                for _ in _captured(known, session, log, state, trigger="sweep"):
                    pass
            finally:
                log.close()
