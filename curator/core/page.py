"""A whole block: choose the entries for a target and put them through the template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from curator.core import budget, bullet, flags, lifecycle, tokens
from curator.model import CATEGORIES, Config, Entry, Target
from curator.outcome import Block
from curator.selection import Selection

_FOOTER = re.compile(r"\d+ more did not fit: .*")


def compose(ordered: Sequence[Entry], target: Target, config: Config, template: str, as_of: str = "") -> Block:
    """The block of *target* on an ISO date, from entries that come best first."""
    selection = budget.select(ordered, target, config, as_of)
    text = body(selection, template, preamble=config.preamble)
    return Block(target, selection, text, tokens.estimate(text))


def flagged(made: Block, config: Config, template: str, line: str) -> Block:
    """The same block with the closing *line* about stale entries; "" changes nothing."""
    if not line:
        return made
    text = body(made.selection, template, preamble=config.preamble, flags=line)
    return replace(made, body=text, tokens=tokens.estimate(text))


def shown(selection: Selection) -> tuple[Entry, ...]:
    """The entries of a selection, in the order of the block."""
    return tuple(entry for section in selection.sections for entry in section.shown)


def holds(held: str, ordered: Sequence[Entry], target: Target, config: Config, template: str) -> bool:
    """Is *held* this target's block on any date?

    Expiry alone never makes a block out of date, and no clock is asked, so
    that the answer is the same on every machine and day.
    """
    tried: list[Selection] = []
    for moment in lifecycle.moments(ordered):
        selection = budget.select(ordered, target, config, moment)
        if tried and _looks(selection) == _looks(tried[-1]):
            continue
        tried.append(selection)
        line = flags.found(held, shown(selection))
        if body(selection, template, preamble=config.preamble, flags=line) == held:
            return True
    return False


def _looks(selection: Selection) -> tuple[object, ...]:
    return selection.sections, len(selection.misfits)


def body(selection: Selection, template: str, *, preamble: bool, flags: str = "") -> str:
    """Render the text between the markers: LF, no final newline, nothing that moves by itself.

    *flags* is the closing line about stale entries.
    *template* is jinja2 source shipped with curator; entry text is only ever
    data, and the environment is sandboxed (jinja2 documentation, "Sandbox").
    """
    from jinja2 import DictLoader, StrictUndefined  # noqa: PLC0415 - 50 ms that only a render pays
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415 - the same

    environment = ImmutableSandboxedEnvironment(
        loader=DictLoader({"block": template}),
        undefined=StrictUndefined,
        autoescape=False,  # Markdown, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    sections = [
        {"heading": bullet.heading(section.category), "items": [bullet.item(entry) for entry in section.shown]}
        for section in selection.sections
        if section.shown
    ]
    text = environment.get_template("block").render(
        preamble=preamble, sections=sections, flags=flags, misfits=len(selection.misfits)
    )
    return text.strip("\n")


def markup(template: str, values: Mapping[str, object]) -> str:
    """*template*, which is jinja2 source shipped with curator, as HTML.

    *values* are texts, numbers, lists and dicts. Every one is escaped where
    the template does not say `| safe`.
    """
    from jinja2 import DictLoader, StrictUndefined  # noqa: PLC0415 - 50 ms that only a report pays
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415 - the same

    environment = ImmutableSandboxedEnvironment(
        loader=DictLoader({"page": template}),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page").render(values)


def foreign(held: str, composed: str, entries: Iterable[Entry], categories: Iterable[str] = ()) -> tuple[str, ...]:
    """Lines of the block on disk that neither an entry nor the template wrote and that the new block does not hold.

    The heading of each of *categories*, and of those there are by default, is the template's.
    """
    known = {*composed.split("\n"), *(bullet.heading(name).strip() for name in (*CATEGORIES, *categories))}
    for entry in entries:
        known.update(bullet.item(entry).split("\n"))
    lines = (line for line in held.split("\n") if line.strip() and line not in known and not flags.is_flag(line))
    return tuple(line for line in lines if not _FOOTER.fullmatch(line))
