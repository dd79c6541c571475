"""The review: one proposal a screen and one key a decision; the same with lines for pipes and screen readers."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from curator.cli import deciding, door
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.core.queue import Choice, Prepared, Waiting

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
    from curator.verbs import waiting

    at = Door.open(ctx)
    if not as_json:
        door.people_only(at, "review")
    if not (plain or as_json or sys.stdin.isatty()):
        hint = "`curator review --plain` reads answers as lines, `--json` lists what waits"
        raise CuratorError("no terminal to read keys from", hint=hint)
    held = waiting.run(at.workspace, today=door.today())
    if as_json:
        from curator.core import screen

        door.say_json(screen.value(held))
        return
    at.findings(held.findings)
    if not held.prepared:
        say("nothing waits for review" if not held.findings else "nothing else waits for review")
        _say_rate(held)
        return
    _Review(at, Lines() if plain else Screen()).run(held, no_render=no_render)


class Quit(Exception):  # noqa: N818 - it reads as what happened
    """The reviewer leaves; what was decided stands."""


class Screen:
    """A terminal: single keys, a clear screen for each proposal."""

    def clear(self) -> None:
        if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            click.clear()

    def key(self, asked: str) -> str:
        say(asked)
        try:
            return click.getchar()
        except EOFError:
            raise Quit from None

    def line(self, asked: str, default: str) -> str:
        try:
            return str(click.prompt(asked, default=default, show_default=bool(default))).strip()
        except click.Abort:
            raise Quit from None


class Lines:
    """Lines of standard input as answers: no screen control, and nothing is asked twice for want of a terminal."""

    def clear(self) -> None:
        say()

    def key(self, asked: str) -> str:
        return self._read(asked)[:1] or "\r"

    def line(self, asked: str, default: str) -> str:
        return self._read(f"{asked} [{default}]:" if default else f"{asked}:") or default

    def _read(self, asked: str) -> str:
        say(asked)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise Quit
        return line.strip()


class _Review:
    """One run: what was decided so far, and how the reviewer is asked."""

    def __init__(self, at: Door, ask: Screen | Lines) -> None:
        self.at = at
        self.ask = ask
        self.accepted: list[Prepared] = []
        self.rejected = 0
        self.categories: tuple[str, ...] = ()
        self.news: list[str] = []  # said on the next page, since this one goes

    def run(self, held: Waiting, *, no_render: bool) -> None:
        from curator.edge import store

        self.categories = store.config(self.at.workspace).categories
        try:
            for number, one in enumerate(held.prepared, 1):
                self._next(one, number, len(held.prepared))
        except Quit:
            pass
        finally:
            self._end(no_render=no_render)

    # --- One proposal ---------------------------------------------------------------------------------------------

    def _next(self, prepared: Prepared, number: int, total: int) -> None:
        from curator.core.queue import NOTHING, State

        # What was accepted before this one is what it is held against now.
        fresh = self._anew(prepared, NOTHING) if self.accepted else prepared
        if fresh and fresh.state is State.DONE:
            self.accepted.append(deciding.take(self.at, fresh.proposal.key, None))
        elif fresh:
            self._decide(fresh, number, total)

    def _decide(self, prepared: Prepared, number: int, total: int) -> None:
        """Show one proposal until it is decided or put off."""
        from curator.core import screen
        from curator.core.queue import NOTHING

        choice = NOTHING
        self._show(prepared, number, total)
        while True:
            key = self.ask.key(screen.folded(_keys(prepared), door.width()))
            try:
                if self._is_decided(prepared, choice, key):
                    return
                changed = self._changed(prepared, choice, key)
                if changed is None:
                    continue
                fresh = self._anew(prepared, changed)
                if fresh is None:
                    return
                choice, prepared = changed, fresh
                self._show(prepared, number, total)
            except CuratorError as error:
                say(str(error), paint="red")

    def _anew(self, prepared: Prepared, choice: Choice) -> Prepared | None:
        """The proposal held against the store once more, with what the reviewer set; None when it is gone."""
        from curator.edge import inbox
        from curator.verbs import waiting

        key = prepared.proposal.key
        if key not in inbox.keys(self.at.workspace):
            self.news.append("Somebody else decided about one meanwhile.")
            return None
        return waiting.one(self.at.workspace, key, choice, today=door.today())

    def _show(self, prepared: Prepared, number: int, total: int) -> None:
        from curator.core import screen

        self.ask.clear()
        for told in self.news:
            say(told)
        self.news.clear()
        page = screen.Page(number, total, door.width(), _local, self.categories)
        for line in screen.page(prepared, page):
            say(line.text, paint=line.paint)
        for line in screen.because(_because(prepared), page.width):
            say(line.text, paint=line.paint)
        say()

    def _is_decided(self, prepared: Prepared, choice: Choice, key: str) -> bool:
        """Do what a deciding key says; False for any other."""
        name = prepared.proposal.key
        if key == "s" or (key in {"\r", "\n"} and prepared.replaces):
            old = self._old(prepared)
            return bool(old) and self._accept(name, replace(choice, supersedes=(old,)))
        if key == "a":
            return self._accept(name, choice)
        if key == "r":
            return self._reject(name, _REASONS.get(self.ask.key(_WHY), ""))
        if key == "d" and prepared.known:
            return self._reject(name, "duplicate")
        if key in {"k", "l"}:
            deciding.put_off(self.at, name)
            return True
        if key in {"q", "\x04"}:
            raise Quit
        return False

    def _accept(self, name: str, choice: Choice) -> bool:
        self.accepted.append(deciding.take(self.at, name, choice))
        return True

    def _reject(self, name: str, reason: str) -> bool:
        if not reason:
            say("Not rejected.")
            return False
        self.news.append(deciding.refused(deciding.refuse(self.at, name, reason)))
        self.rejected += 1
        return True

    def _old(self, prepared: Prepared) -> str:
        """The entry that this one replaces: the nearest; which, is asked where several are near, or none."""
        near = [entry.id for entry, _ in prepared.near]
        if len(near) == 1 or prepared.replaces:
            return near[0]
        return self.ask.line(
            "Which one does it replace (its id, or the six digits at its end)", near[0] if near else ""
        )

    # --- What a key sets ------------------------------------------------------------------------------------------

    def _changed(self, prepared: Prepared, choice: Choice, key: str) -> Choice | None:
        """The choice after a key that sets something; None when there is nothing new to show."""
        if key.isdigit() and key.isascii() and 0 < int(key) <= len(self.categories):
            return replace(choice, category=self.categories[int(key) - 1])
        if key in {"+", "=", "-"}:
            step = -1 if key == "-" else 1
            return replace(choice, importance=min(10, max(1, prepared.entry.importance + step)))
        if key == "t":
            return replace(choice, tags=_split(self.ask.line(_TAGS, ", ".join(prepared.entry.tags))))
        if key == "f":
            return self._cited(prepared, choice)
        if key == "e":
            return self._edited(prepared, choice)
        if key == "?":
            self._context(prepared)
        return None

    def _cited(self, prepared: Prepared, choice: Choice) -> Choice:
        from curator.core import harvest

        now = ", ".join(map(harvest.shown, prepared.entry.sources))
        named = _split(self.ask.line(_FILES, now))
        return replace(choice, sources=tuple(harvest.source(self.at.rooted_source(one)) for one in named))

    def _edited(self, prepared: Prepared, choice: Choice) -> Choice | None:
        """Open it in the editor; it goes on waiting, changed, until it is decided."""
        from curator.core.queue import NOTHING
        from curator.verbs import editing, waiting

        one = prepared.proposal
        opened = editing.written(one, choice)
        outcome = door.edited_until(
            self.at, opened, lambda text: editing.reworded(self.at.workspace, one.key, f"{one.short}.yaml", text)
        )
        self.at.settle(outcome)
        if choice.sources is None:
            return NOTHING
        read = waiting.one(self.at.workspace, one.key, NOTHING, today=door.today())
        return replace(NOTHING, sources=read.proposal.entry.sources)

    def _context(self, prepared: Prepared) -> None:
        from curator.core import report
        from curator.edge import turns

        entry = prepared.proposal.entry
        found = turns.around(self.at.workspace, entry.origin.session, entry.origin.quote or entry.text)
        if not found:
            say("There is no transcript of that session any more, or none that holds these words.")
        for turn in found:
            say(f"{'You' if turn.by == 'user' else 'Agent'}: {report.shorten(turn.text, _CUT)}")
        say()

    # --- The end --------------------------------------------------------------------------------------------------

    def _end(self, *, no_render: bool) -> None:
        """Say what was written, and render: also after an interrupt, since what was decided stands."""
        from curator.edge import store
        from curator.verbs import waiting

        for line in (*self.news, *deciding.written(self.accepted)):
            say(line)
        if self.rejected > 1:
            say(f"{self.rejected} rejected.")
        if self.accepted:
            here = store.config(self.at.workspace).block == "here"
            if here and not no_render:
                rerender(self.at)
            say("Next: curator render, then commit." if here and no_render else "Next: commit.")
        _say_rate(waiting.brief(self.at.workspace))


_WHY = "Why? [n]oise [w]rong [p]rivate [d]uplicate [o]nce only; another key: back"
_TAGS = "Tags, with commas; - for none"
_FILES = "Sources, PATH or PATH#symbol, with commas; - for none"


def _split(line: str) -> tuple[str, ...]:
    return tuple(filter(None, (one.strip() for one in line.split(",")))) if line != "-" else ()


def _keys(prepared: Prepared) -> str:
    """The keys that do something now."""
    from curator.core import queue, screen

    tail = "[e]dit [f]iles [t]ags" if prepared.state is queue.State.NEW else ""
    end = "[r]eject [k] later [?] context [q]uit"
    if prepared.state is queue.State.KNOWN:
        return f"[d] reject as duplicate {end}"
    if prepared.state is queue.State.REPEAT:
        return f"[a]ccept {end}"
    old = screen.short(prepared.near[0][0]) if prepared.near else ""
    if prepared.replaces:
        return f"[s]upersede {old} (default) [a]ccept both {tail} {end}"
    return f"[a]ccept {tail} [s]upersede {old} {end}".replace("  ", " ")


def _because(prepared: Prepared) -> tuple[str, ...]:
    """The cues that made the rules propose it."""
    from curator.core import cues

    origin = prepared.proposal.entry.origin
    if not origin.extractor.startswith("rules/"):
        return ()
    return tuple(sorted(cues.score(origin.quote or prepared.proposal.entry.text).cues))


def _local(moment: str) -> str:
    """A moment as it was here: `3 Mar 14:03`, with the year when it is not this one."""
    from datetime import datetime

    try:
        then = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError, OSError):
        return moment
    year = "" if str(then.year) == door.today()[:4] else f" {then.year}"
    return f"{then.day} {then:%b}{year} {then:%H:%M}"


def _say_rate(held: Waiting) -> None:
    from curator.core import screen

    for line in screen.rate(held.decided, held.sensitivity):
        say(line)
