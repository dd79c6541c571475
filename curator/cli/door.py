"""What every command does at the door: open the workspace, print, write, stage, leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.model import Finding, Workspace
    from curator.outcome import Edit, Outcome, Rendered

T = TypeVar("T")
NO_RENDER = click.option("--no-render", is_flag=True, help="Leave the block as it is.")
ATTEMPTS = 32
MANY = 20
# Variables that agents set in the shells they open, and the name origin.agent gets.
AGENTS = {
    "CLAUDECODE": "claude-code",
    "CLAUDE_CODE_ENTRYPOINT": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_THREAD_ID": "codex",
    "CURSOR_AGENT": "cursor",
    "GEMINI_CLI": "gemini-cli",
    "KIMI_CLI": "kimi-code",
    "KIMI_CODE": "kimi-code",
    "OPENCODE": "opencode",
    "AI_AGENT": "agent",
    "AGENT": "agent",
}
SESSIONS = "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"  # what agents' shells call their session
PROCESSES = {"kimi-code": "kimi-code"}  # Kimi Code sets no variable in its agent's shell


class Door:
    """One run of a command: where it works and how it speaks."""

    __slots__ = ("workspace",)

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @classmethod
    def open(cls, ctx: click.Context) -> Door:
        from curator.edge import workspace

        try:
            here = os.getcwd()
        except OSError:
            raise CuratorError("the current folder is gone", hint="go to one that is there (`cd`)") from None
        door = cls(workspace.open_at(here))
        ctx.find_root().obj = ctx.obj = door
        return door

    def findings(self, found: Iterable[Finding]) -> None:
        """Print findings on stderr, their paths as seen from the current folder."""
        from curator.core import report

        for one in found:
            say(report.finding(one._replace(where=relative(self.workspace, one.where))), err=True)

    def show(self, rendered: Rendered) -> None:
        """Print the bars of all blocks, what was written, and which budgets would show what was left out."""
        from curator.core import report

        for line in report.bars(rendered.blocks, marks()):
            say(line)
        for note in report.changes(rendered):
            say(note, err=True)

    def rooted(self, named: str) -> str:
        """A path as the user typed it, relative to the root."""
        if not named:
            raise CuratorError("an empty path", hint="name a file of this repository")
        root = self.workspace.root
        path = os.path.relpath(named, root)
        if not os.path.lexists(os.path.join(root, path)) and os.path.lexists(os.path.join(root, named)):
            path = named
        return path.replace(os.sep, "/")

    def named(self, name: str) -> str:
        """An id as it is, a path relative to the root."""
        return self.rooted(name) if "/" in name or name.endswith(".yaml") else name

    def rooted_source(self, named: str) -> str:
        """The same for `PATH#symbol`."""
        path, mark, symbol = named.partition("#")
        return self.rooted(path) + mark + symbol

    def render(self, only: str = "") -> Rendered:
        """Render and write, again from the start while somebody saves a target or stages something in between."""
        from curator.edge import files
        from curator.verbs import render

        for _ in range(ATTEMPTS):
            try:
                rendered = render.run(self.workspace, as_of=today(), only=only)
                files.apply(self.workspace, rendered.edits)
                return rendered
            except files.Changed as error:
                last = error
        raise last

    def stage_blocks(self, rendered: Rendered) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Stage the blocks and nothing else of their files; the files of those, and where that cannot be done."""
        from curator.edge import plumbing
        from curator.verbs import render

        paths, notes = [], []
        for edit, note in render.staged(self.workspace, rendered):
            if edit.changes:
                plumbing.add_text(self.workspace, edit.path, edit.after)
                paths.append(edit.path)
            notes.extend([note] if note else [])
        return tuple(paths), tuple(notes)

    def keep(self, text: str) -> None:
        """Keep what a person typed and curator could not take; nothing with a secret in it."""
        from curator.core import secrets

        if secrets.find(text):
            say("your text is not kept: it holds a secret", err=True)
            return
        path = os.path.join(self.workspace.common_dir, "curator", "unfinished.yaml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        where = os.path.relpath(path)
        say(f"your text is kept in {where}; `cat {where}` shows it, to be pasted when you try again", err=True)

    def settle(self, outcome: Outcome) -> None:
        """Write an outcome's edits and stage what it names.

        All is looked at before the first file is written. New files come
        first and are staged at once: when a file that changes cannot be
        written any more, nothing that was made is left lying about.
        """
        from curator.edge import files, plumbing, standstill

        files.examine(self.workspace, outcome.edits)
        standstill.refuse_sparse(self.workspace, outcome.stage)
        for path in plumbing.ignored(self.workspace, outcome.stage)[:1]:
            hint = f"take it out of .gitignore: `git check-ignore -v {path}` names the line"
            raise CuratorError("git ignores it, so nothing was written", where=path, hint=hint)
        new = [edit for edit in outcome.edits if edit.before is None]
        with files.lock(self.workspace):
            if outcome.drop:
                self._move(outcome)
                return
            self._write(new)
            plumbing.add(self.workspace, [path for path in outcome.stage if path in {edit.path for edit in new}])
            self._write([edit for edit in outcome.edits if edit.before is not None])
            plumbing.add(self.workspace, outcome.stage)

    def _move(self, outcome: Outcome) -> None:
        """Write a file in its new place and take away the old one, which must still be what was read, staged or not."""
        from curator.edge import files, plumbing, store

        for path, text in outcome.drop.items():
            if not store.is_still(self.workspace, path, text):
                message = "was saved, staged or removed by somebody else meanwhile"
                raise files.Changed(message, where=path, hint="run the command again")
        self._write(outcome.edits)
        for (path, text), place in zip(outcome.drop.items(), outcome.stage, strict=True):
            plumbing.move(self.workspace, path, place)
            files.remove(self.workspace, path, text)

    def _write(self, edits: Sequence[Edit]) -> None:
        """Write edits; where they are many, new ones together, and on a terminal with a progress bar."""
        from curator.edge import files

        if len(edits) < MANY:
            files.apply(self.workspace, edits)
        elif all(edit.before is None for edit in edits):
            files.create(self.workspace, edits, each=_counted if is_watched() else iter)
        else:
            for edit in _counted(edits) if is_watched() else edits:
                files.apply(self.workspace, (edit,))


def _counted(things: Iterable[T]) -> Iterator[T]:
    with click.progressbar(things, label="writing", file=sys.stderr) as bar:
        yield from bar


def say(text: str = "", *, err: bool = False, paint: str = "") -> None:
    """Print one text; whatever could drive a terminal is shown as an escape."""
    shown = text
    if not (text.isascii() and text.isprintable()):
        from curator.core import printable

        shown = printable.escape(text)
    stream = sys.stderr if err else sys.stdout
    coloured = bool(paint) and stream is not None and stream.isatty() and not os.environ.get("NO_COLOR")
    click.echo(click.style(shown, fg=paint) if coloured else shown, err=err)


def say_diff(lines: Iterable[str]) -> None:
    """Print a unified diff, coloured on a terminal."""
    for line in lines:
        say(line, paint={"+": "green", "-": "red", "@": "cyan"}.get(line[:1], ""))


def say_json(value: object) -> None:
    """Print one JSON document in ASCII, so that no text in it can drive a terminal."""
    import json

    click.echo(json.dumps(value, indent=2, allow_nan=False).replace("\x7f", "\\u007f"))


def marks() -> str:
    """The two characters that bars are drawn with."""
    return "█░" if _speaks_utf8() else "#."


def _speaks_utf8() -> bool:
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") == "utf8"


def width() -> int:
    """Columns of the terminal; 100 where there is none."""
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def relative(workspace: Workspace, where: str) -> str:
    """A `path:line` of the repository as seen from the current folder, so that it can be opened."""
    path, colon, line = where.partition(":")
    absolute = os.path.join(workspace.root, path)
    if not path or os.path.isabs(path) or os.getcwd() == workspace.root or not os.path.lexists(absolute):
        return where
    return os.path.relpath(absolute) + colon + line


def today() -> str:
    """The date here, ISO 8601."""
    from datetime import date

    return date.today().isoformat()


def now() -> str:
    """The time, ISO 8601 in UTC, to the second."""
    from datetime import UTC, datetime

    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def tail() -> str:
    """Six random hex digits for an id."""
    return os.urandom(3).hex()


def shell() -> str:
    """The agent whose shell this is, whatever it may do here; "" for a person."""
    told = next((AGENTS[variable] for variable in AGENTS if os.environ.get(variable)), "")
    if told:
        return told
    from curator.edge import ancestry

    return next((PROCESSES[name] for name in ancestry.names() if name in PROCESSES), "")


def agent(door: Door) -> str:
    """The agent whose shell this is, "" for a person, or where the user lets agents act as one."""
    from curator.edge import preferences

    name = shell()
    if name and preferences.is_on(door.workspace, "agentsmay"):
        return ""
    return name


def standard_input(most: int = -1) -> str:
    """All of standard input, or its first *most* bytes; UTF-8 whatever the locale says. Nothing where it is closed."""
    return sys.stdin.buffer.read(most).decode("utf-8", "surrogateescape") if sys.stdin else ""


def is_attended() -> bool:
    """Does a person sit at standard input? It may be closed, too."""
    return bool(sys.stdin) and sys.stdin.isatty()


def is_watched() -> bool:
    """Is standard error a terminal? It may be closed, too."""
    return bool(sys.stderr) and sys.stderr.isatty()


def edited(text: str) -> str:
    """The text as it comes back from the user's editor, line ends and all."""
    if not (is_attended() or os.environ.get("EDITOR") or os.environ.get("VISUAL")):
        raise CuratorError("no terminal to open an editor on", hint="set EDITOR, or pass the text on the command line")
    try:
        changed = click.edit(text.encode("utf-8", "surrogateescape"), extension=".yaml", require_save=False)
    except click.ClickException as error:
        raise CuratorError(error.message, hint="set EDITOR to an editor that runs here") from None
    if changed is None:
        raise CuratorError("the editor gave nothing back", hint="set EDITOR, or pass the text on the command line")
    return changed.decode("utf-8", "surrogateescape")


def edited_until(at: Door, text: str, take: Callable[[str], Outcome]) -> Outcome:
    """What *take* makes of the text after the editor, opened again with the fault said while a person wants to.

    The text is kept when they do not.
    """
    while True:
        text = edited(text)
        try:
            _refuse_secrets(text)
            return take(text)
        except CuratorError as error:
            say(str(error), err=True)
            if not again():
                at.keep(text)
                raise
        except click.Abort:
            at.keep(text)
            raise


def _refuse_secrets(text: str) -> None:
    """Raise for a text with a secret, before any message can repeat a part of it."""
    from curator.core import secrets

    found = secrets.find(text)
    if found:
        listed = ", ".join(dict.fromkeys(f"line {one.line} looks like a secret: {one.kind}" for one in found))
        raise CuratorError(listed, hint="say where it is kept instead of what it is")


def again() -> bool:
    """Ask whether to go on editing; no terminal, no answer and end of input mean no."""
    try:
        return bool(click.confirm("Edit again?", default=True, err=True))
    except click.Abort:
        return False


def agreed(question: str) -> bool:
    """Ask a person; no terminal, no answer."""
    return is_attended() and click.confirm(question, default=False, err=True)


def session() -> str:
    """The agent's session whose shell this is, "" outside of one, and where the agent does not say."""
    return next((os.environ[variable] for variable in SESSIONS if os.environ.get(variable)), "")


def people_only(door: Door, command: str, hint: str = "ask the user to run it in a terminal of their own") -> None:
    """Refuse a decision to an agent."""
    name = agent(door)
    if name:
        raise CuratorError(f"`curator {command}` is a person's decision, and {name} runs this shell", hint=hint)
