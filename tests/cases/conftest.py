"""A case: its shell setup run in an empty folder, then the real `curator`, watched for what no command may do."""

from __future__ import annotations

import json
import os
import re
import resource
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import END, FIXED, START

LIBRARY = Path(__file__).parent / "lib.sh"
TIME_LIMIT = 60.0
SHIM = f'#!/bin/sh\nexec "{sys.executable}" -P -m curator "$@"\n'
"""What the name `curator` starts in a shell and in a hook of git."""
CODES = frozenset({0, 1, 2})
STEERING = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
WRITERS = frozenset({"accept", "add", "edit", "import", "init", "reject", "render", "retire"})
LOOKING = {"init": frozenset({"--dry-run"}), "render": frozenset({"--check", "--diff", "--task"})}

# Runs `curator` and notes, in the file that TRACE names, every file it opens and every program or address it calls.
TRACER = """
import os, sys
log = open(os.environ["TRACE"], "a", encoding="utf-8", errors="backslashreplace")
watched = {"open", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect", "socket.bind"}
def note(event, arguments):
    if event in watched and not isinstance(arguments[0], int):
        log.write(f"{event}\\t{os.fsdecode(arguments[0]) if event == 'open' else arguments!r}\\n")
        log.flush()
sys.addaudithook(note)
sys.argv[0] = "curator"
from curator.cli import main
main()
"""


@dataclass(frozen=True)
class Ran:
    """How one command ended, what it said, and the seconds it took: on the clock, and of processor time."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    worked: float

    @property
    def said(self) -> str:
        """Standard output and standard error, one after the other."""
        return self.out.decode() + self.err.decode()

    @property
    def told(self) -> str:
        return self.err.decode()

    def json(self) -> Any:
        def refuse(name: str) -> None:
            raise AssertionError(f"{name} is no JSON")

        return json.loads(self.out, parse_constant=refuse)


@dataclass(frozen=True)
class Seen:
    """One path as it stood: kind and mode, and the bytes or what a link points to."""

    mode: int
    data: bytes

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)


class Case:
    """The folder a setup left behind. Everything it may touch lies below *outer*; commands run in *folder*."""

    def __init__(self, outer: Path) -> None:
        self.outer = outer
        self.folder = outer / "work"
        for made in (self.folder, outer / "home", outer / "tmp", outer / "template" / "hooks", outer / "bin"):
            made.mkdir(parents=True)
        shim = outer / "bin" / "curator"
        shim.write_text(SHIM, encoding="utf-8")
        shim.chmod(0o755)
        self.environment = {
            **FIXED,
            "GIT_TEMPLATE_DIR": str(outer / "template"),
            "HOME": str(outer / "home"),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join((str(outer / "bin"), str(Path(sys.executable).parent), os.environ["PATH"])),
            "TMPDIR": str(outer / "tmp"),
        }

    def sh(self, script: str, *, ok: bool = True, folder: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run shell words with lib.sh at hand."""
        done = subprocess.run(
            ["bash", "-euc", f'. "{LIBRARY}"\n{script}'],
            cwd=folder or self.folder,
            env=self.environment,
            capture_output=True,
            timeout=TIME_LIMIT,
        )
        assert not ok or done.returncode == 0, done.stderr.decode()
        return done

    def set_up(self, script: str) -> Case:
        """Run a case's setup; where it changes the folder, commands run there."""
        self.sh(f'{script.rstrip()}\npwd -P >"$TMPDIR/folder"')
        told = self.outer / "tmp" / "folder"
        self.folder = Path(told.read_text().rstrip("\n"))
        told.unlink()
        return self

    def git(self, *arguments: str, folder: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder or self.folder, env=self.environment, check=True, capture_output=True
        )
        return done.stdout.decode("utf-8", "surrogateescape")

    def path(self, name: str) -> Path:
        return self.folder / name

    def read(self, name: str = "CLAUDE.md") -> str:
        """The bytes of a file as text, newlines untouched."""
        return self.path(name).read_bytes().decode()

    def write(self, name: str, text: str | bytes) -> None:
        target = self.path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)

    def memory(self, name: str, text: str, category: str = "convention", more: str = "") -> str:
        """Write an entry with this text as it stands, not staged; return its path."""
        path = f"memories/{category}/{name}.yaml"
        lines = "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))
        self.write(path, f"schema: 1\nid: {name}\ncategory: {category}\ntext: |\n{lines}{more}")
        return path

    def block(self, name: str = "CLAUDE.md") -> str:
        """The text between the markers of a file."""
        parts = parted(self.path(name).read_bytes())
        assert parts, f"{name} has no block"
        return parts[1].decode()

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        folder: Path | None = None,
        more: Mapping[str, str] | None = None,
        changes: Iterable[str] = (),
        flags: Iterable[str] = (),
    ) -> Ran:
        """Run `curator`, see how it ends, and hold it to the promises that every command makes.

        *changes* names existing files, besides the block, that this command is told to change; *more* adds
        variables, *flags* options of the interpreter.
        """
        where = folder or self.folder
        before = self.seen()
        ran = self._ran([*flags, "-m", "curator", *arguments], where, stdin, more or {})
        self._hold(before, where, arguments, set(changes))
        return ran

    def traced(self, *arguments: str) -> tuple[Ran, list[str]]:
        """Run `curator`; also return the files that it opened and what it started or called, one a line."""
        log = self.outer / "tmp" / "trace"
        before = self.seen()
        ran = self._ran(["-c", TRACER, *arguments], self.folder, b"", {"TRACE": str(log)})
        lines = log.read_text().splitlines()
        log.unlink()
        self._hold(before, self.folder, arguments, set())
        return ran, lines

    def _ran(self, command: list[str], where: Path, stdin: bytes, more: Mapping[str, str]) -> Ran:
        began, worked = time.monotonic(), _worked()
        done = subprocess.run(
            [sys.executable, "-P", *command],
            cwd=where,
            env={**self.environment, **more},
            input=stdin,
            capture_output=True,
            timeout=TIME_LIMIT,
        )
        spoke = done.stdout + done.stderr
        assert b"Traceback" not in spoke, spoke.decode()
        assert done.returncode in CODES, spoke.decode()
        assert not STEERING.search(spoke), spoke
        return Ran(done.returncode, done.stdout, done.stderr, time.monotonic() - began, _worked() - worked)

    def seen(self) -> dict[Path, Seen]:
        """Everything below *outer*, links not followed."""
        return {path: _look(path) for path in _below(self.outer)}

    def _hold(self, before: dict[Path, Seen], where: Path, arguments: tuple[str, ...], changes: set[str]) -> None:
        """Nothing changed but what the command is for."""
        after = self.seen()
        changed = [path for path in {*before, *after} if before.get(path) != after.get(path)]
        if not changed:
            return
        verb = arguments[0] if arguments[0] in WRITERS else ""
        if LOOKING.get(verb, frozenset()).intersection(arguments):
            verb = ""
        root, owned = self._places(where)
        for path in changed:
            if any(path == place or place in path.parents for place in owned):
                continue
            rule = _Rule(path, root, verb, {root / name for name in changes} if root else set())
            assert rule.allows(before.get(path), after.get(path)), f"{path} was changed"

    def _places(self, where: Path) -> tuple[Path | None, set[Path]]:
        """The root of the work tree, and the folders in git's that belong to curator."""
        done = subprocess.run(
            ["git", "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"],
            cwd=where,
            env=self.environment,
            capture_output=True,
        )
        if done.returncode:
            return None, set()
        root, *folders = done.stdout.decode().splitlines()
        return Path(root), {Path(folder) / "curator" for folder in folders}


@dataclass(frozen=True)
class _Rule:
    """What may change at one path, independent of how curator goes about it."""

    path: Path
    root: Path | None
    verb: str
    named: set[Path]

    def allows(self, before: Seen | None, after: Seen | None) -> bool:
        if not self.verb or self.root is None:
            return False
        if ".git" in self.path.parts:
            return self.verb != "render" and ("objects" in self.path.parts or self.path.name == "index")
        if self.root not in self.path.parents or after is None:
            return False
        if before is None:
            return self.verb != "render" and self._is_due()
        return after.mode == before.mode and (self.path in self.named or self._keeps(before.data, after.data))

    def _is_due(self) -> bool:
        """A new file or folder: an entry, or what `init` says it makes."""
        made = self.verb == "init" and self.path.name in {"CLAUDE.md", "AGENTS.md", ".gitattributes"}
        return made or "memories" in self.path.parts

    def _keeps(self, before: bytes, after: bytes) -> bool:
        """Nothing outside the markers differs; `init` adds at the end."""
        old, new = parted(before), parted(after)
        if old and new:
            return (old[0], old[2]) == (new[0], new[2])
        return self.verb == "init" and after.startswith(before)


def parted(data: bytes) -> tuple[bytes, bytes, bytes] | None:
    """What stands up to the start marker, between the markers, and from the end marker on; None without one pair."""
    lines = data.split(b"\n")
    bare = [line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r") for line in lines]
    starts = [number for number, line in enumerate(bare) if line == START.encode()]
    ends = [number for number, line in enumerate(bare) if line == END.encode()]
    if len(starts) != 1 or len(ends) != 1 or starts[0] > ends[0]:
        return None
    start, end = starts[0] + 1, ends[0]
    return b"\n".join(lines[:start]), b"\n".join(lines[start:end]), b"\n".join(lines[end:])


def _worked() -> float:
    """Seconds of processor time that the commands of this process have used so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _below(folder: Path) -> Iterator[Path]:
    for base, folders, files in os.walk(folder):
        yield from (Path(base, name) for name in (*folders, *files))


def _look(path: Path) -> Seen:
    facts = path.lstat()
    if stat.S_ISREG(facts.st_mode):
        return Seen(facts.st_mode, path.read_bytes())
    return Seen(facts.st_mode, os.fsencode(path.readlink()) if path.is_symlink() else b"")


Setup = Callable[[str], Case]


@pytest.fixture
def case(tmp_path: Path) -> Setup:
    """Call it with a case's setup: it runs in an empty folder, with git's and the agents' variables cleared."""
    return lambda script: Case(tmp_path.resolve()).set_up(script)
