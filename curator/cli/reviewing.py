"""The review: one proposal a screen and one key a decision; the same with lines for pipes and screen readers."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import click

from curator.cli import deciding, door
from curator.cli.answers import Lines, Quit, Screen
from curator.cli.deciding import tell
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curator.core.queue import Choice, Prepared, Waiting
    from curator.core.screen import Line
    from curator.verbs.reject import Rejection

_REASONS = {"n": "noise", "w": "wrong", "p": "private", "d": "duplicate", "o": "once"}
_CUT = 600  # characters of a turn that is shown as context


@click.command()
@click.option("--plain", is_flag=True, help="No screen control; answers are lines of standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print what waits as JSON (docs/json.md); decide nothing.")
@door.NO_RENDER
@click.pass_context
def review(ctx: click.Context, plain: bool, as_json: bool, no_render: bool) -> None:
    """Decide about what sessions proposed: one key each.

    Shows what was said beside what would be written, memories that say nearly
    the same, and what asks for a second look. An accepted proposal is written
    and staged at once; the block is rendered at the end. A refused one is
    remembered, and not proposed again.

    Each key has a command of its own for scripts: `curator accept`, `edit`,
    `reject`, `later`.
    """
    from curator.core import screen
    from curator.verbs import waiting

    at = Door.open(ctx)
    if not as_json:
        door.people_only(at, "review")
    if not as_json:
        deciding.settle(at)
    if as_json:
        door.say_json(screen.value(waiting.run(at.workspace, today=door.today())))
        return
    parts = waiting.parts(at.workspace, today=door.today())
    held = next(parts)
    at.findings(held.findings)
    if not (held.prepared or held.more):
        say("nothing waits for review" if not (held.findings or held.asked) else "nothing else waits for review")
        for line in screen.asked(held, deciding.columns()):
            tell(line)
        return
    if not (plain or door.is_attended()):
        hint = "`curator review --plain` reads answers as lines, `--json` lists what waits"
        raise CuratorError("no terminal to read keys from", hint=hint)
    _Review(at, Lines() if plain else Screen()).run(held, parts, no_render=no_render)


class _Review:
    """One run: what was decided so far, and how the reviewer is asked."""

    def __init__(self, at: Door, ask: Screen | Lines) -> None:
        self.at = at
        self.ask = ask
        self.accepted: list[Prepared] = []
        self.rejected: list[Rejection] = []
        self.later = 0
        self.categories: tuple[str, ...] = ()
        self.news: list[str] = []  # said on the next page, since this one goes
        self.shown: tuple[Line, ...] = ()

    def run(self, held: Waiting, parts: Iterator[Waiting], *, no_render: bool) -> None:
        """Go through what is *held*, then through the other *parts*."""
        from curator.core import tally
        from curator.edge import store

        self.categories = store.config(self.at.workspace).categories
        if not self.ask.shows_pages:
            say(tally.begun(len(held.prepared) + held.more))
        done = 0
        try:
            for part in chain((held,), self._told(parts)):
                total = done + len(part.prepared) + part.more
                for one in part.prepared:
                    done += 1
                    self._next(one, done, total)
        except Quit:
            pass
        finally:
            self._end(no_render=no_render)

    def _told(self, parts: Iterator[Waiting]) -> Iterator[Waiting]:
        """The parts, with what is wrong in them said on the next page."""
        from curator.core import report

        for part in parts:
            self.news.extend(report.finding(one) for one in part.findings)
            yield part

    # --- One proposal ---------------------------------------------------------------------------------------------

    def _next(self, prepared: Prepared, number: int, total: int, *, anew: bool = False) -> None:
        from curator.core.queue import NOTHING, State

        try:
            # What was accepted before this one is what it is held against now.
            fresh = self._anew(prepared, NOTHING) if self.accepted or anew else prepared
            if fresh and fresh.state is State.DONE:
                self._accept(fresh, None)
            elif fresh:
                self._decide(fresh, number, total)
        except deciding.Moved as error:
            self.news.append(str(error).replace("\nhint: ", "; "))
            self._next(prepared, number, total, anew=True)
        except CuratorError as error:  # one that cannot be looked at hides no other
            self.news.append(str(error).replace("\nhint: ", "; "))

    def _decide(self, prepared: Prepared, number: int, total: int) -> None:
        """Show one proposal until it is decided or put off."""
        from curator.core import screen
        from curator.core.queue import NOTHING

        choice = NOTHING
        self._show(prepared, number, total)
        while True:
            key = self.ask.key(screen.folded(_keys(prepared), door.width()))
            try:
                if not self._is_offered(prepared, key):
                    tell("Enter alone decides nothing here." if key in _ENTER else f"{key}: no such key")
                    continue
                if self._is_decided(prepared, choice, key):
                    return
                changed = self._changed(prepared, choice, key)
                if changed is None:
                    continue
                fresh = self._anew(prepared, changed)
                if fresh is None:
                    return
                choice, prepared = changed, fresh
                self._show(prepared, number, total, again=True)
            except deciding.Moved:
                raise
            except CuratorError as error:
                tell(str(error), paint="red")

    def _anew(self, prepared: Prepared, choice: Choice) -> Prepared | None:
        """The proposal held against the store once more, with what the reviewer set; None when it is gone."""
        from curator.edge import inbox
        from curator.verbs import waiting

        key = prepared.proposal.key
        if key not in inbox.keys(self.at.workspace):
            self.news.append(f"{prepared.proposal.short} is gone: somebody else decided about it meanwhile.")
            return None
        return waiting.one(self.at.workspace, key, choice, today=door.today())

    def _show(self, prepared: Prepared, number: int, total: int, *, again: bool = False) -> None:
        """The page of a proposal; *again*, where pages are not shown anew, what changed of it."""
        from curator.core import screen

        page = screen.page(prepared, screen.Page(number, total, door.width(), _local, self.categories))
        before, self.shown = self.shown, page
        if again and not self.ask.shows_pages:
            for line in screen.changed(before, page) or (screen.Line("No change."),):
                say(line.text, paint=line.paint)
            return
        self.ask.clear()
        for told in self.news:
            tell(told)
        if self.news:
            say()
        self.news.clear()
        for line in page:
            say(line.text, paint=line.paint)
        say()

    def _is_offered(self, prepared: Prepared, key: str) -> bool:
        """Whether a key does something with this proposal."""
        from curator.core.queue import State

        if key in _ENTER:
            return prepared.replaces is not None
        if prepared.state is State.NEW and key.isdigit() and key.isascii():
            return 0 < int(key) <= len(self.categories)
        return key in _ALWAYS or key in {State.NEW: _NEW, State.KNOWN: {"d"}}.get(prepared.state, set())

    def _is_decided(self, prepared: Prepared, choice: Choice, key: str) -> bool:
        """Do what a deciding key says; False for any other."""
        if key == "s" or key in _ENTER:
            return self._supersede(prepared, choice)
        if key == "a":
            return self._accept(prepared, choice)
        if key == "r":
            return self._reject(prepared, _REASONS.get(self.ask.key(_WHY), ""))
        if key == "d":
            return self._reject(prepared, "duplicate")
        if key in {"k", "l"}:
            deciding.put_off(self.at, prepared.proposal.key)
            self.news.append(f"later {prepared.proposal.short}: it waits behind the others")
            self.later += 1
            return True
        if key in {"q", "\x04"}:
            raise Quit
        return False

    def _accept(self, prepared: Prepared, choice: Choice | None) -> bool:
        done = deciding.take(self.at, prepared.proposal.key, choice, seen=prepared.proposal)
        self.news.append(f"accepted {prepared.proposal.short}: {done.entry.path}")
        self.accepted.append(done)
        return True

    def _supersede(self, prepared: Prepared, choice: Choice) -> bool:
        """Accept it in the place of another; where no words speak of a change, only after one more answer."""
        old = self._old(prepared)
        if not old:
            tell("Nothing is superseded.")
            return False
        wanted = replace(choice, supersedes=(old,))
        if prepared.replaces is None:
            fresh = self._anew(prepared, wanted)
            if fresh is None:
                return True
            if not self._may_retire(fresh, prepared):
                tell("Nothing is retired.")
                return False
        return self._accept(prepared, wanted)

    def _may_retire(self, fresh: Prepared, before: Prepared) -> bool:
        from curator.core import columns

        known = {entry.id for entry in before.retires}
        return all(
            self.ask.key(f'Retire "{columns.shorten(old.text, _TOLD)}"? [y/N]') in {"y", "Y"}
            for old in fresh.retires
            if old.id not in known
        )

    def _reject(self, prepared: Prepared, reason: str) -> bool:
        if not reason:
            tell("Not rejected.")
            return False
        rejection = deciding.refuse(self.at, prepared.proposal.key, reason)
        where = f", for the team: {rejection.edits[0].path}" if rejection.edits else ""
        self.news.append(f"rejected {prepared.proposal.short}: {reason}{where}")
        self.rejected.append(rejection)
        return True

    def _old(self, prepared: Prepared) -> str:
        """The entry that this one replaces: the nearest; which, is asked where several are near, or none."""
        near = [entry.id for entry, _ in prepared.near]
        if len(near) == 1 or prepared.replaces:
            return near[0]
        nearest = near[0] if near else ""
        return self.ask.line("Which one does it replace (its id, or the six digits at its end)", nearest) or nearest

    # --- What a key sets ------------------------------------------------------------------------------------------

    def _changed(self, prepared: Prepared, choice: Choice, key: str) -> Choice | None:
        """The choice after a key that sets something; None when there is nothing new to show."""
        if key.isdigit():
            return replace(choice, category=self.categories[int(key) - 1])
        if key in {"+", "=", "-"}:
            step = -1 if key == "-" else 1
            return replace(choice, importance=min(10, max(1, prepared.entry.importance + step)))
        if key == "t":
            typed = self.ask.line(_TAGS, ", ".join(prepared.entry.tags))
            return replace(choice, tags=_split(typed, r"[,\s]")) if typed else None
        if key == "f":
            return self._cited(prepared, choice)
        if key == "e":
            return self._edited(prepared, choice)
        if key == "?":
            self._context(prepared)
        return None

    def _cited(self, prepared: Prepared, choice: Choice) -> Choice | None:
        from curator.core import harvest

        typed = self.ask.line(_FILES, ", ".join(map(harvest.shown, prepared.entry.sources)))
        named = (harvest.source(self.at.rooted_source(one)) for one in _split(typed, ","))
        return replace(choice, sources=tuple(named)) if typed else None

    def _edited(self, prepared: Prepared, choice: Choice) -> Choice | None:
        """Open it in the editor; it goes on waiting, changed, until it is decided."""
        from curator.core.queue import NOTHING
        from curator.edge import inbox
        from curator.verbs import editing, waiting

        one = prepared.proposal
        opened = editing.written(one, choice)
        outcome = door.edited_until(
            self.at, opened, lambda text: editing.reworded(self.at.workspace, one.key, f"{one.short}.yaml", text)
        )
        self.at.settle(outcome)
        if outcome.changes:
            inbox.edited(self.at.workspace, one.key)
        if choice.sources is None:
            return NOTHING
        read = waiting.one(self.at.workspace, one.key, NOTHING, today=door.today())
        return replace(NOTHING, sources=read.proposal.entry.sources)

    def _context(self, prepared: Prepared) -> None:
        from curator.core import report, teller
        from curator.edge import turns

        entry = prepared.proposal.entry
        found = turns.around(self.at.workspace, entry.origin.session, teller.words(entry) or entry.text)
        if not found:
            tell("There is no transcript of that session any more, or none that holds these words.")
        for turn in found:
            tell(f"{'You' if turn.by == 'user' else 'Agent'}: {report.shorten(turn.text, _CUT)}")
        say()

    # --- The end --------------------------------------------------------------------------------------------------

    def _end(self, *, no_render: bool) -> None:
        """Say what was written, and render: also after an interrupt, since what was decided stands."""
        from curator.core import tally
        from curator.edge import inbox, store

        shared = [edit.path for one in self.rejected for edit in one.edits if edit.changes]
        for told in self.news:
            tell(told)
        say()
        for line in (
            *deciding.written(self.accepted),
            *tally.refused(shared, len(self.rejected), deciding.columns()),
            tally.left(len(inbox.waits(self.at.workspace)), self.later, len(self.accepted) + len(self.rejected)),
        ):
            tell(line)
        is_stale = no_render and bool(self.accepted) and store.config(self.at.workspace).block == "here"
        if self.accepted and not no_render and store.config(self.at.workspace).block == "here":
            rerender(self.at, ends=False)
        if self.accepted or shared:
            say("Next: curator render, then commit." if is_stale else "Next: commit.")
        _say_rate(self.at)


_ENTER = {"\r", "\n"}
_ALWAYS = {"a", "e", "r", "k", "l", "?", "q", "\x04"}
_NEW = {"s", "f", "t", "+", "=", "-"}
_TOLD = 48  # columns of a memory that is asked about
_WHY = "Why? [n]oise [w]rong [p]rivate [d]uplicate [o]nce only; another key: back"
_TAGS = "Tags, parted by commas or blanks; - for none, Enter keeps them"
_FILES = "Sources, PATH or PATH#symbol, with commas; - for none, Enter keeps them"


def _split(line: str, at: str) -> tuple[str, ...]:
    return tuple(filter(None, (one.strip() for one in re.split(at, line)))) if line != "-" else ()


def _keys(prepared: Prepared) -> list[str]:
    """The keys that do something now."""
    from curator.core import queue, screen

    end = ["[r]eject", "[k] later", "[?] context", "[q]uit"]
    if prepared.state is queue.State.KNOWN:
        return ["[d] reject as duplicate", *end]
    if prepared.state is queue.State.REPEAT:
        return ["[a]ccept", *end]
    if prepared.state is queue.State.ENDING:
        return [*([] if prepared.faults else ["[a]ccept and retire it"]), "[e]dit the reason", *end]
    change = ["[e]dit", "[f]iles", "[t]ags"]
    old = f"[s]upersede {screen.short(prepared.near[0][0])}" if prepared.near else "[s]upersede"
    if prepared.replaces:
        return [f"{old} (default)", "[a]ccept both", *change, *end]
    return ["[a]ccept", *change, old, *end]


def _local(moment: str) -> str:
    """A moment as it was here: `3 Mar 14:03`, with the year when it is not this one."""
    from datetime import datetime

    try:
        then = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError, OSError):
        return moment
    year = "" if str(then.year) == door.today()[:4] else f" {then.year}"
    return f"{then.day} {then:%b}{year} {then:%H:%M}"


def _say_rate(at: Door) -> None:
    from curator.core import screen
    from curator.verbs import waiting

    held = waiting.decided(at.workspace)
    for line in screen.rate(held.decided, held.sensitivity):
        tell(line)
