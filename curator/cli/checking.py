"""Commands that hold memories against the code: check, confirm, refresh."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from curator.cli import door
from curator.cli.door import Door, say
from curator.cli.rendering import rerender
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curator.core.checkup import Checked
    from curator.model import Finding

SKIPPED = frozenset({"curator", "curator-check"})
"""What the variable SKIP may name, as with the pre-commit framework."""


@click.command(short_help="Check that memories can be used and that the code still agrees.")
@click.argument("names", nargs=-1, metavar="[ID|FILE]...")
@click.option("--strict", is_flag=True, help="Exit 1 on warnings too.")
@click.option("--staged", is_flag=True, help="Only what the staged changes break, as pre-commit does.")
@click.option("--since", "ref", default="", metavar="REF", help="Only what changed since this branch left REF.")
@click.option(
    "--block-on",
    type=click.Choice(["stale", "none"]),
    default="stale",
    help="none: tell, but exit 0 (default: stale).",
)
@click.option("--notes", is_flag=True, help="Also tell what changed without asking for anything.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json (docs/json.md).")
@click.option("--stdin-filename", "buffer", metavar="FILE", help="With -: the file that stdin will become.")
@click.pass_context
def check(
    ctx: click.Context,
    names: tuple[str, ...],
    strict: bool,
    staged: bool,
    ref: str,
    block_on: str,
    notes: bool,
    form: str,
    as_json: bool,
    buffer: str | None,
) -> None:
    """Check that every memory can be used and is still about the code that is there.

    Reads what is staged, writes nothing. Exits 1 when an entry is invalid or
    stale, with --strict on warnings too: a moved file, something to review.

    A FILE is checked as it lies on disk, staged or not, one line a finding
    (docs/editors.md). An ID means the entry that is staged.

    In a pre-commit hook, or with --staged, it looks only at what the commit
    touches, and fails only for what this commit breaks. With --since REF the
    same for all commits of a branch, for CI.
    """
    at = Door.open(ctx)
    hooked = staged or _in_hook(at)
    whole = as_json or form == "json"
    _refuse_mixed(names, at.rooted(buffer) if buffer is not None else "", narrowed=staged or bool(ref))
    if hooked and SKIPPED.intersection(name.strip() for name in os.environ.get("SKIP", "").split(",")):
        say("skipped, as SKIP says", err=True)
        return
    if ref or (hooked and not names):
        checked = _since(at, ref, whole=whole)
        if checked is None:
            return
    else:
        checked = _checked(at, names, buffer or "", notes=notes, whole=whole)
    _print(at, checked, whole=whole, quiet=hooked, files=_files(names))
    code = 0 if block_on == "none" else _code(checked.findings, strict=strict)
    if code and hooked and not whole:
        say(
            "the commit is stopped; mend this and commit again, or let this one through with SKIP=curator-check",
            err=True,
        )
    ctx.exit(code)


def _refuse_mixed(names: tuple[str, ...], buffer: str, *, narrowed: bool) -> None:
    """Raise for words that contradict one another."""
    if names and narrowed:
        raise CuratorError("names cannot be combined with --staged or --since", hint="leave one of them out")
    if ("-" in names) != bool(buffer):
        hint = "`curator check - --stdin-filename memories/gotcha/some-id.yaml`"
        raise CuratorError("standard input and --stdin-filename want one another", hint=hint)


def _files(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the names that are files and no ids."""
    return tuple(name for name in names if name == "-" or "/" in name or name.endswith((".yaml", ".yml")))


def _print(at: Door, checked: Checked, *, whole: bool, quiet: bool, files: tuple[str, ...]) -> None:
    from curator.core import checkup, linting

    if whole:
        door.say_json(checkup.value(checked))
        return
    if files:
        for one in checked.findings:
            say(linting.line(one._replace(where=door.relative(at.workspace, one.where))), err=True)
    else:
        at.findings(checked.findings)
    if checked.findings or not quiet:
        say(checkup.summary(checked), err=bool(checked.findings))


def _in_hook(at: Door) -> bool:
    """Is this git's hook of a commit that is being made here?"""
    from curator.edge import state

    return state.private_index(at.workspace)


def _code(findings: Iterable[Finding], *, strict: bool) -> int:
    from curator.model import Level

    bad = {Level.ERROR, Level.WARNING} if strict else {Level.ERROR}
    return int(any(found.level in bad for found in findings))


def _checked(at: Door, names: tuple[str, ...], buffer: str, *, notes: bool, whole: bool) -> Checked:
    today = door.today()
    files = _files(names)
    ids = tuple(name for name in names if name not in files)
    parts = [_linted(at, files, buffer, notes=notes)] if files else []
    if ids or not files:
        from curator.verbs import check as verb

        known = None if ids or notes or whole else verb.known(at.workspace, today=today)
        parts.append(known or verb.run(at.workspace, ids, today=today, notes=notes))
    if len(parts) == 1:
        return parts[0]
    from curator.core import linting

    return linting.joined(parts)


def _linted(at: Door, files: tuple[str, ...], buffer: str, *, notes: bool) -> Checked:
    """What is wrong with files as they lie on disk, `-` as it comes on standard input."""
    from curator.core import vetting
    from curator.verbs import lint as verb

    given = {at.rooted(buffer): door.standard_input(vetting.MOST + 1)} if buffer else {}
    paths = tuple(at.rooted(buffer if name == "-" else name) for name in files)
    return verb.run(at.workspace, paths, given, today=door.today(), notes=notes)


def _since(at: Door, ref: str, *, whole: bool) -> Checked | None:
    """What the staged changes break, or with *ref* those of the branch; None where they concern no memory."""
    from curator.edge import changes, touched

    here = at.workspace
    bases = (changes.fork_point(here, ref),) if ref else (changes.base(here), *changes.merging(here))
    found = touched.find(here, bases)
    if found.is_nothing and not whole:
        if ref:
            say(f"nothing since {ref} concerns a memory")
        return None
    from dataclasses import replace

    from curator.model import Level
    from curator.verbs import since as verb

    checked = verb.run(here, found, today=door.today(), past=bool(ref))
    if not found.with_blocks or any(one.level is Level.ERROR for one in checked.findings):
        return checked  # an entry that has to change first will change the block too
    return replace(checked, findings=(*checked.findings, *_blocks(at)))


def _blocks(at: Door) -> list[Finding]:
    """The blocks that are not what the staged entries give; none where a render writes what another tree gives."""
    from curator.edge import store
    from curator.model import Fault, Finding
    from curator.verbs import render as verb

    try:
        rendered = verb.run(at.workspace, as_of=door.today(), check=True, staged=True)
        if store.trust(at.workspace) != store.INDEX:
            return []
    except CuratorError as error:
        return [Finding(Fault.INVALID, error.where, error.message, error.hint)]
    return [
        Finding(
            Fault.OUT_OF_DATE,
            edit.path,
            "the block is not what the staged memories give",
            f"`curator render`, then `git add {edit.path}`",
        )
        for edit in rendered.edits
        if edit.changes
    ]


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@door.NO_RENDER
@click.pass_context
def confirm(ctx: click.Context, names: tuple[str, ...], yes: bool, no_render: bool) -> None:
    """Say that memories are still true, after a look at what changed.

    Shows each statement, what stood in its sources when it was last
    confirmed, and what is staged there now. Then stamps the sources anew,
    with today as the date of confirmation, and stages the entry. What is in
    doubt wants a yes.
    """
    at = Door.open(ctx)
    door.people_only(at, "confirm")
    agreed = [_confirmed(at, at.named(name), yes=yes) for name in names]
    if any(agreed) and not no_render:
        rerender(at)
    ctx.exit(0 if all(agreed) else 1)


def _confirmed(at: Door, name: str, *, yes: bool) -> bool:
    """Show one memory then and now, and stamp it anew; False when a yes was wanted and not given."""
    from curator.core import comparison
    from curator.verbs import confirm as verb

    confirmation = verb.run(at.workspace, name, today=door.today())
    for line in comparison.told(confirmation.entry, confirmation.views):
        say(line, paint={"-": "red", "+": "green"}.get(line.strip()[:1], ""))
    for note in confirmation.notes:
        say(note, err=True)
    if confirmation.wants_yes and not yes and not door.agreed("Still true?"):
        say("nothing was written; `--yes` confirms without asking", err=True)
        return False
    at.settle(confirmation)
    say(f"confirmed and staged: {door.relative(at.workspace, confirmation.edits[0].path)}")
    return True


@click.command(short_help="Anchor memories anew where what they say of the code still holds.")
@click.argument("names", nargs=-1, metavar="[ID|FILE]...")
@click.option("--moves", is_flag=True, help="Also take files that moved and were edited, and paths in the text.")
@door.NO_RENDER
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing.")
@click.pass_context
def refresh(ctx: click.Context, names: tuple[str, ...], moves: bool, no_render: bool, dry_run: bool) -> None:
    """Anchor memories anew whose code provably did not change in what they say.

    Writes git's ids of the cited files, and the new path of a file that moved
    with the same bytes. A file that moved and was edited is proposed. Nobody
    confirms anything by that: dates and evidence stay.
    """
    from curator.core import report
    from curator.verbs import refresh as verb

    at = Door.open(ctx)
    refreshed = verb.run(at.workspace, tuple(at.named(name) for name in names), today=door.today(), moves=moves)
    if dry_run:
        for edit in refreshed.edits:
            door.say_diff(report.diff(edit))
    else:
        at.settle(refreshed)
    for note in refreshed.notes:
        say(note, err=True)
    for line in refreshed.proposed:
        say(f"moved and edited: {line}")
    if refreshed.proposed:
        say("  -> `curator refresh --moves` writes these paths too", err=True)
    verb_told = "would be anchored anew" if dry_run else "anchored anew and staged"
    say(f"{report.plural(len(refreshed.edits), 'memory')} {verb_told}", err=True)
    if moves and refreshed.edits and not (dry_run or no_render):
        rerender(at, reworded="\n".join(edit.before or "" for edit in refreshed.edits))
