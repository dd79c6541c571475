"""What `doctor` makes of what it found: one verdict a check, with the way out where one is needed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from curator.core import clients
from curator.model import Config

OK, WARN, FAIL = "ok", "warn", "fail"
OLDEST_GIT = (2, 26)
"""The first that tells the scope of a setting, which finding git's hooks takes."""
DAYS = 7
"""How long a fault in the hook's log is news."""
SLOW = 0.5
"""Seconds for an event that means nothing."""
LONGEST_LINE = 127
"""Bytes of a script's first line that every system reads (Linux before 5.1 cuts there)."""
UNSTARTED = 126
"""The exit code that a shell gives to what it could not start."""


class Check(NamedTuple):
    """One line of `doctor`: what was looked at, ok, warn or fail, what was found, and the way out."""

    name: str
    level: str
    message: str
    fix: str = ""


class Program(NamedTuple):
    """A program as the shell finds it: its path, "" for none, and the folder of the Python that runs it."""

    path: str
    home: str = ""


class Wiring(NamedTuple):
    """What one settings file of Claude Code says about hooks. *missing*: a program it names that is not there."""

    path: str
    settings: Mapping[str, Any]
    missing: str = ""
    tracked: bool = False


def settings(path: str, config: Config, *, held: bool = True) -> Check:
    """The settings that count. *held*: the trusted tree has the file, which is there on disk at least."""
    if held:
        where = path if config.trust == _INDEX else f"{path} of {config.trust}"
        return Check("settings", OK, f"{where}, {len(config.targets)} file(s) with a block")
    if config.trust == _INDEX:
        return Check("settings", WARN, f"{path} is not staged, so the defaults hold", f"`git add {path}`")
    told = f"{path} is not in {config.trust}, so the defaults hold"
    return Check("settings", WARN, told, f"get it into {config.trust}, or `git config curator.trust {_INDEX}`")


def trust(ref: str, *, born: bool, held: bool) -> Check:
    """What counts as reviewed: the index or a *ref*. *born*: there is a commit; *held*: there are memories in it."""
    if ref == _INDEX:
        return Check("trust", OK, "what is staged counts" + ("" if born else "; nothing is committed yet"))
    if not held:
        told = f"{ref} holds no memories, so none is in use"
        return Check("trust", WARN, told, f"get them into {ref}, or `git config curator.trust {_INDEX}`")
    return Check("trust", OK, f"what is in {ref} counts")


_INDEX = "index"


def programs(
    curator: Program, hook: Program, own: Program, *, version: str, expected: str, needed: bool
) -> Iterator[Check]:
    """The two programs. *own* is the folder this curator lies in, *needed*: a hook looks for curator-hook on PATH."""
    install = f"add {own.path} to PATH" if own.path else "install curator (README.md)"
    if not curator.path:
        yield Check("curator", FAIL, "not on PATH: neither agents nor git hooks find it", install)
    elif version != expected:
        yield Check("curator", WARN, f"{curator.path} is version {version or 'unknown'}, this is {expected}", install)
    else:
        yield Check("curator", OK, f"{version}, {curator.path}")
    if not hook.path:
        yield Check("curator-hook", FAIL if needed else WARN, "not on PATH", install)
    elif curator.path and _differ(hook, curator):
        told = f"{hook.path} and {curator.path} belong to two installations"
        yield Check("curator-hook", WARN, told, "take one out, or install both in one place")
    elif _differ(hook, own):
        told = f"{hook.path} is of another installation than this curator, whose Python is in {own.home}"
        yield Check("curator-hook", WARN, told, f"{install} before the other, or take one out")
    else:
        yield Check("curator-hook", OK, hook.path)


def _differ(one: Program, other: Program) -> bool:
    """Do two Pythons run them? Of what no Python runs, such as a wrapper, nothing is known."""
    return bool(one.home and other.home) and one.home != other.home


def first_line(path: str, line: str, whole: bool) -> Iterator[Check]:
    """Whether a system can start the script at *path* by its first line. *whole*: its first word is a program."""
    told = ""
    if " " in line and not whole:
        told = "names a Python in a folder with a blank, where the system cuts"
    elif len(line.encode("utf-8", "surrogateescape")) > LONGEST_LINE:
        told = f"is longer than the {LONGEST_LINE} bytes that every system reads"
    if told:
        fix = "install curator in a folder with a short path and no blank in it"
        yield Check("curator-hook", WARN, f"the first line of {path} {told}", fix)


def git(said: str) -> Check:
    """What `git --version` said."""
    found = re.search(r"\d+(?:\.\d+)+", said)
    if not found:
        return Check("git", FAIL, "did not tell its version", "install git")
    numbers = tuple(int(one) for one in found[0].split(".")[:2])
    if numbers < OLDEST_GIT:
        oldest = ".".join(map(str, OLDEST_GIT))
        return Check(
            "git", WARN, f"{found[0]} is older than {oldest}, which some commands need", "bring git up to date"
        )
    return Check("git", OK, found[0])


def answered(code: int | None, said: bytes, seconds: float) -> Check:
    """How curator-hook took an event that means nothing to it; *code* is None where it did not end."""
    name, fix = "hook answers", "install curator again (README.md)"
    if code is None:
        return Check(name, FAIL, f"curator-hook did not end within {seconds:.1f} s", fix)
    if code == UNSTARTED:
        return Check(name, FAIL, f"curator-hook cannot be started: {said.decode('utf-8', 'replace')}", fix)
    if code or said.strip():
        told = f"ended with {code}" if code else "printed something"
        return Check(name, FAIL, f"curator-hook {told} at an event that it should ignore", fix)
    if seconds > SLOW:
        return Check(name, WARN, f"{seconds:.2f} s for an event that means nothing", "see what slows Python's start")
    return Check(name, OK, f"in {1000 * seconds:.0f} ms")


def hooks(wirings: Sequence[Wiring], plugins: Sequence[str]) -> Iterator[Check]:
    """The hooks of Claude Code. *wirings*: the settings files that count here."""
    name = "claude hooks"
    ours = {one.path: clients.installed(dict(one.settings)) for one in wirings}
    wired = [path for path, found in ours.items() if found]
    if any(one.settings.get("disableAllHooks") is True for one in wirings):
        yield Check(name, WARN, "`disableAllHooks` is set, so none runs", "take it out of Claude Code's settings")
    if not wired and not plugins:
        yield Check(name, WARN, "not wired: sessions propose nothing and are told nothing", _WIRE)
        return
    yield from _twice(name, ours, plugins)
    for one in wirings:
        if one.missing:
            yield Check(name, FAIL, f"{one.path} starts {one.missing}, which is not there", _WIRE)
        elif one.tracked and any(not found.command.startswith("command -v") for found in ours[one.path]):
            fix = "`curator init --claude --team` writes a form to commit"
            yield Check(name, WARN, f"{one.path} is tracked and names a path of this machine", fix)
    absent = [event for event in clients.EVENTS if not plugins and event not in _events(ours.values())]
    if absent:
        yield Check(name, WARN, f"no hook for {', '.join(absent)}", _WIRE)


_WIRE = "`curator init --claude`, or the plugin (docs/clients.md of curator's repository)"


def _events(found: Iterable[Sequence[clients.Ours]]) -> set[str]:
    return {one.event for many in found for one in many}


def _twice(name: str, ours: Mapping[str, Sequence[clients.Ours]], plugins: Sequence[str]) -> Iterator[Check]:
    """Which way events come; the client starts one command once, however many files name it."""
    wired = [path for path, found in ours.items() if found]
    commands = {one.command for found in ours.values() for one in found if one.event == "Stop"}
    ways = [*(f"the plugin {plugin}" for plugin in plugins), *wired]
    if len(plugins) + len(commands) > 1:
        fix = f"keep one: `claude plugin disable {plugins[0]}`" if plugins else f"keep one: edit {wired[0]}"
        other = ", or `curator init --claude --remove`" if plugins else ""
        yield Check(name, WARN, f"every event comes twice: {' and '.join(ways)}", fix + other)
    else:
        yield Check(name, OK, f"through {' and '.join(ways)}")


def instructions(
    targets: Mapping[str, str],
    texts: Mapping[str, str],
    same: Collection[str],
    unread: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> Iterator[Check]:
    """Whether each block is in a file that is read.

    *targets*: path of the target -> its folder with a slash, "" for the root; *texts*: instruction files that are
    there; *same*: those that are the same file as a target; *unread*: files without a block that clients which are
    set up here read, each with what is said of it and the way out.
    """
    name, found = "instructions", bool(unread)
    yield from (Check(name, WARN, told, fix) for told, fix in unread.values())
    for path, folder in targets.items():
        for told, fix in _shadows(path, folder, texts, {*same, *unread}, targets):
            found = True
            yield Check(name, WARN, told, fix)
    if not found:
        yield Check(name, OK, "each block is in a file that agents read")


def _shadows(
    path: str, folder: str, texts: Mapping[str, str], same: Collection[str], targets: Collection[str]
) -> Iterator[tuple[str, str]]:
    claude, agents, override = f"{folder}CLAUDE.md", f"{folder}AGENTS.md", f"{folder}AGENTS.override.md"
    imported = any(line.strip() in {"@AGENTS.md", "@./AGENTS.md"} for line in texts.get(claude, "").split("\n"))
    if path == agents and claude in texts and claude not in same and claude not in targets and not imported:
        yield f"Claude Code reads {claude} and not {path}, where the block is", f"add a line `@AGENTS.md` to {claude}"
    if path == claude and agents in texts and agents not in same and agents not in targets:
        fix = f"`curator init --target {agents}`"
        fix = f"{fix}, then `curator init --target {claude} --remove`" if imported else fix
        yield f"other agents read {agents}, which has no block; the block is in {path}", fix
    if path == claude and agents in targets and imported:
        yield f"{claude} imports {agents}, so Claude Code reads two blocks", f"take {claude} out of `targets`"
    if path == agents and override in texts:
        yield f"Codex reads {override} and not {path}, where the block is", f"remove {override}"


def faults(log: str, now: str, path: str) -> Check:
    """What the hook wrote down in the last days. Lines are `<ISO time> <event> <what>`; *now* is ISO 8601."""
    since = (datetime.fromisoformat(now) - timedelta(days=DAYS)).isoformat()[:19]
    recent = [line for line in log.split("\n") if line[:4].isdigit() and line >= since]
    if not recent:
        return Check("hook.log", OK, f"no fault in {DAYS} days")
    count = f"{len(recent)} faults" if len(recent) > 1 else "1 fault"
    return Check(
        "hook.log",
        WARN,
        f"{count} in {DAYS} days, the newest: {recent[-1]}",
        f"when dealt with: `rm {shlex.quote(path)}`",
    )


def waiting(proposals: int) -> Check:
    """What waits for a person."""
    told = f"{proposals} wait" if proposals != 1 else "1 waits"
    return Check("proposals", OK, told if proposals else "none wait", "`curator review`" if proposals else "")


def unreviewed(paths: Sequence[str]) -> Check:
    """Whether what is on disk is what counts; *paths* are files that are not."""
    if not paths:
        return Check("entries", OK, "what is on disk is what is used")
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return Check("entries", WARN, f"not in use, as not reviewed: {paths[0]}{more}", "look, then `git add` them")


def failed(checks: Iterable[Check]) -> bool:
    """Does any of them fail?"""
    return any(one.level == FAIL for one in checks)


def lines(check: Check) -> tuple[str, ...]:
    """A check as text."""
    head = f"{check.level:<5} {check.name:<13} {check.message}"
    return (head, f"      -> {check.fix}") if check.fix else (head,)
