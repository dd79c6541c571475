"""Capture with a model: `propose --model`, and what a hook's child does after a turn where the user wants it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from curator.cli import asking, door
from curator.cli.asking import Options, Plan, Purse
from curator.cli.door import say
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.core.distil import Item
    from curator.edge.knowledge import Known
    from curator.edge.spool import Spool
    from curator.edge.transcript import Log
    from curator.model import Workspace
    from curator.verbs.distil import Asked, Batch, Decided, Found, Gathered

    Logs = Iterable[tuple[str, Log, Spool]]

STDIN = "stdin"

_REQUESTS = 3  # of one child, at most
_QUIET = 600.0  # seconds after which a session counts as over
_DAY = 86_400.0  # seconds after which what a session left is let lie


class Told(NamedTuple):
    """What one session came to: what was to be sent of it, and what became of the answers."""

    session: str
    gathered: Gathered
    decided: list[Decided]


def run(known: Known, logs: Logs, options: Options) -> None:
    """Show a model what is new in *logs*, put what it finds into the inbox, and say what that cost."""
    at = known.workspace
    plan = asking.planned(at, options)
    purse = Purse(at, plan) if at and not options.dry_run else None
    told: list[Told] = []
    ended = False
    try:
        for session, log, state in logs:
            with closing(log):
                told.append(_read(known, session, log, state, options))
                _by_hand(known, told[-1], log, state, plan, purse, quiet=options.as_json)
        ended = True
    finally:
        if not (told or ended):
            pass  # there was no log to read: the error says so
        elif options.as_json:
            door.say_json(_value(told, plan, purse))
        else:
            _summary(told, plan, purse, at)


def _read(known: Known, session: str, log: Log, state: Spool, options: Options) -> Told:
    from curator.verbs import distil as verb

    if not (options.again or session == STDIN) and state.sent <= log.size:
        log.offset = state.sent
    return Told(session, verb.gather(log, state, known, options.since), [])


def _by_hand(known: Known, told: Told, log: Log, state: Spool, plan: Plan, purse: Purse | None, *, quiet: bool) -> None:
    """Ask about all that was read; without a purse only show it."""
    from curator.verbs import distil as verb

    asked = verb.Asked(told.session, "propose", door.now(), plan.model, door.tail)
    for batch in told.gathered.batches:
        if not quiet:
            _announce(known, batch, told.session, plan, sent=purse is not None)
        if purse:
            told.decided.append(_sent(known, log, state, batch, purse, asked))
            if not quiet:
                _tell(told.decided[-1])
    if purse and not told.gathered.batches:
        _noted(known, told.session, state, told.gathered.end, verb.Decided(()))


def _sent(known: Known, log: Log, state: Spool, batch: Batch, purse: Purse, asked: Asked) -> Decided:
    """Ask about a batch and put what stands into the inbox. What has been answered is not sent again."""
    from curator.verbs import distil as verb

    try:
        items = _answered(known, batch, purse)
    except _UselessError as error:
        _noted(known, asked.session, state, batch.end, verb.Decided(()))
        hint = "these sentences are not sent again, but with `--since 0`"
        raise CuratorError(str(error), hint=hint) from None
    decided = verb.decide(batch, items, log, state, known, asked)
    _noted(known, asked.session, state, batch.end, decided)
    return decided


class _UselessError(Exception):
    """An answer that was paid for, and is none."""


def _answered(known: Known, batch: Batch, purse: Purse) -> tuple[Item, ...]:
    """The items of the answer; asked once more where it is no JSON, and none where that helps nothing."""
    from curator.core import distil
    from curator.edge import answering

    request = distil.request(batch.lines, known.settings.categories)
    for _ in range(2):
        reply = purse.ask(request, known.settings.categories)
        if reply.ended == answering.REFUSED:
            raise _UselessError("the model declines to answer (refusal)")
        if reply.ended == answering.CUT:
            raise _UselessError(f"the answer was cut off at {reply.out:,} tokens, and nothing of it is taken")
        items = distil.items(reply.text)
        if items is not None:
            return items
        request = distil.again(request, reply.text)
    return ()


def _noted(known: Known, session: str, state: Spool, end: int, decided: Decided) -> None:
    """Put proposals into the inbox, and take down that what they were made of was sent."""
    from curator.edge import arrivals, spool
    from curator.verbs import distil as verb

    at = known.workspace
    if at is None:
        return
    try:
        arrivals.deliver(at, decided.files)
        verb.note(state, end, decided)
        if session != STDIN:
            spool.save(at, session, state)
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else f"{at.common_dir}/curator"
        hint = "put that right, then run the command again"
        raise CuratorError(f"cannot be written: {error.strerror or error}", where=where, hint=hint) from None


# --- After a turn -------------------------------------------------------------------------------------------------


def after_stop(at: Workspace, session: str, *, over: bool = False) -> None:
    """Ask a model about what is new in a session, or in all that have been quiet for a while, where the user says so.

    A session that is not *over* is only asked about when enough was said. It
    raises nothing: what goes wrong stands in hook.log.
    """
    from curator.edge import claude, hooklog

    try:
        if is_on(at):
            if led := claude.steering(at):
                message = f"no model is asked after a turn where the project's settings say {led}"
                raise CuratorError(message, hint="`curator propose --model` in your own shell asks")
            for name in (session,) if session else _left(at):
                _distil(at, name, over=over or not session)
    except Exception as error:  # nobody reads what a child says
        hooklog.append(at, "model", hooklog.fault(error))


def is_on(at: Workspace) -> bool:
    """Whether the user lets models be asked without a command: `git config curator.modelCapture true`."""
    from curator.edge import preferences

    return preferences.is_on(at, "modelcapture")


def _left(at: Workspace) -> Iterator[str]:
    """Sessions whose logs go on behind what was sent, and that nobody has been at for a while, but of late."""
    from curator.edge import logs, spool

    now = time.time()
    for name in spool.recent(at):
        state = spool.load(at, name)
        changed = logs.changed(state.log) if state.log else ""
        oldest, newest = (time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now - age)) for age in (_DAY, _QUIET))
        if oldest <= changed <= newest and logs.size(state.log) > state.sent:
            yield name


def _distil(at: Workspace, session: str, *, over: bool) -> None:
    from curator.edge import knowledge, logs, spool
    from curator.verbs import distil as verb

    with spool.locked(at, f"{session[:58]}-model") as alone:
        state = spool.load(at, session)
        known = knowledge.here(at)
        if not (alone and state.log) or known.settings.sensitivity == "off":
            return
        plan = asking.planned(at, Options())
        log = logs.opened(state.log)
        with closing(log):
            log.offset = state.sent if state.sent <= log.size else 0
            gathered = verb.gather(log, state, known)
            if not verb.is_due(gathered, over=over):
                return
            purse = Purse(at, plan)
            asked = verb.Asked(session, "model", door.now(), plan.model, door.tail)
            for batch in gathered.batches[:_REQUESTS]:
                _sent(known, log, state, batch, purse, asked)


# --- What is said -------------------------------------------------------------------------------------------------

_OUT = {
    "quote": "whose quote is not in the sentence that it names",
    "long": "too long",
    "words": "with names or numbers that were not said there",
    "files": "that name files which are not tracked",
    "secret": "with something that looks like a secret",
    "memory": "known already",
    "waiting": "waiting already",
    "refused": "refused before",
    "shown": "said by curator itself",
    "cap": "over the limit of 5 a session",
    "full": "while 10 wait in the inbox: `curator review`",
    "unfit": "that no memory may hold",
}


def _announce(known: Known, batch: Batch, session: str, plan: Plan, *, sent: bool) -> None:
    """Say what goes out and what it may cost; where it does not go out, show all of it."""
    from curator.core import distil, pricing, proposal, report

    request = distil.request(batch.lines, known.settings.categories)
    way = "through Claude Code" if plan.transport == "claude" else "over the API"
    what = f"{report.plural(len(batch.lines), 'sentence')} of session {proposal.short(session)}"
    cost = f"about {pricing.estimate(request.whole):,} tokens, at most {pricing.dollars(plan.most(request).cost)}"
    say(f"{'' if sent else 'would go '}to {plan.model} {way}: {what}, {cost}", err=True)
    for line in () if sent else f"{request.order}\n\n{request.text}".split("\n"):
        say(line)


def _tell(decided: Decided) -> None:
    for one in decided.proposed:
        if one.entry and one.line:
            confidence = f"{one.item.confidence:.2f}"
            say(f"{one.entry.category}  {confidence}  {one.entry.text}")
            say(f"  {_WHO.get(one.by, one.by)}: {one.line.text}")


_WHO = {"user": "you said", "agent": "the agent said", "tool": "a tool put out"}


def _summary(told: list[Told], plan: Plan, purse: Purse | None, at: Workspace | None) -> None:
    from curator.core import pricing, report
    from curator.edge import spent

    decided = [one for each in told for one in each.decided]
    proposed = sum(len(one.proposed) for one in decided)
    sentences = sum(len(batch.lines) for each in told for batch in each.gathered.batches)
    if decided:
        tail = "; review with `curator review`" if proposed else ""
        say(f"{report.plural(proposed, 'memory')} proposed{tail}", err=True)
    elif not sentences:
        messages = report.plural(sum(each.gathered.messages for each in told), "new message")
        say(f"nothing to send, of {messages}", err=True)
    out = Counter(one.out for each in decided for one in each.found if one.out)
    for reason, text in _OUT.items():
        if out[reason]:
            say(f"left out: {out[reason]} {text}", err=True)
    if at:
        month = spent.of_month(at, door.today()[:7])
        used = f"used {purse.spent.tokens:,} tokens, {pricing.dollars(purse.spent.cost)}; " if purse else ""
        tokens = f"{month.tokens:,} of {plan.caps.tokens:,} tokens"
        cost = f"{pricing.dollars(month.cost)} of {pricing.dollars(plan.caps.cost)}"
        say(f"{used}this month {tokens}, {cost}", err=True)


def _value(told: list[Told], plan: Plan, purse: Purse | None) -> dict[str, object]:
    sentences = [
        {"session": each.session, "number": line.number, "by": line.turn.said.by, "text": line.text}
        for each in told
        for batch in each.gathered.batches
        for line in batch.lines
    ]
    return {
        "model": plan.model,
        "transport": plan.transport,
        "sentences": sentences,
        "items": [_item(each.session, one) for each in told for decided in each.decided for one in decided.found],
        "answers": sum(len(each.decided) for each in told),
        "tokens": purse.spent.tokens if purse else 0,
        "cost": round(purse.spent.cost, 6) if purse else 0,
    }


def _item(session: str, one: Found) -> dict[str, object]:
    return {
        "fact": one.item.fact,
        "category": one.item.category,
        "files": list(one.item.files),
        "confidence": one.item.confidence,
        "quote": one.item.quote,
        "sentence": one.line.text if one.line else "",
        "by": one.by or (one.line.turn.said.by if one.line else ""),
        "session": session,
        "out": one.out,
        "proposed": one.entry is not None,
    }
