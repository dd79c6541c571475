"""Remotes, asked with the user's own transport settings: what they hold, what is fetched from them, pushed to them.

The only room in which git may open a connection. Only the name of a configured remote gets it there.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from curator.edge import launch, plumbing, preferences
from curator.errors import CuratorError
from curator.here import Workspace

if TYPE_CHECKING:
    import subprocess

TRANSPORTS = ("ssh", "https", "http", "git", "file")
"""What a remote is reached by, unless the user's own `protocol.NAME.allow` says otherwise; `ext` never is."""
SECONDS = 120.0
"""How long one question to a remote may take."""
_MEMORY = 1 << 30  # bytes that git may take: a small pack can unfold to anything, and a list of refs never end
_ANSWER = 16 << 20  # bytes that git may say: a quarter of a million refs
_AT_ONCE = 65_536
_GRACE = 1.0  # seconds that git has to end what it started
_DEATH = 1  # PR_SET_PDEATHSIG of Linux prctl(2)
_NAMED = 100  # refs in one command: each stands in it twice
_OWN = re.compile(
    r"GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND|SSL_\w+|HTTP_\w+|CONFIG_(?:COUNT|(?:KEY|VALUE)_\d+))"
)
_POLICIES = ("always", "never", "user")  # of git-config(1), protocol.allow
_FLAG = re.compile(r"([ +\-*!=])\t([^\t]*)\t(.*)")
_REASON = re.compile(r"\[[^\]]*\](?: \((.*)\))?")
_ACCOUNT = re.compile(r"(?<=://)[^\s'\"]+@")  # up to the last @: what a password may hold is not escaped by everybody
_NOISE = ("hint:", "error: failed to push some refs", "Please make sure", "and the repository exists", "To ")
_MOST_TOLD = 4  # lines of git's that are repeated


class Terms(NamedTuple):
    """How a remote is asked.

    *attended*: a person sits at a terminal, whom git may ask for a password. *objects* is a folder that takes the
    place of the repository's objects, *hooks* whether the user's own hooks run.
    """

    attended: bool = False
    seconds: float = SECONDS
    objects: str = ""
    hooks: bool = False


QUIETLY = Terms()
"""Nobody is asked for anything."""


class Spec(NamedTuple):
    """What a full *ref* of a remote is to become: the object id *new*, or nothing where that is "".

    *old* is what it must be for that ("": it must not exist). None: as git decides, and never by force.
    """

    ref: str
    new: str
    old: str | None = None


class Pushed(NamedTuple):
    """What became of a ref. *said*: why it was refused, in git's words. *told*: what the remote had to say to all."""

    ref: str
    done: bool
    said: str = ""
    told: str = ""


def chosen(workspace: Workspace, name: str = "") -> str:
    """The configured remote that *name* is; without one what `curator.sync` says, else `origin` or the only one.

    CuratorError for what is not the name of a configured remote.
    """
    known = _names(_settings(workspace))
    own = "" if name else preferences.all_of(workspace).get("sync", "")
    wanted = name or own or ("origin" if "origin" in known else known[0] if len(known) == 1 else "")
    if wanted in known and not wanted.startswith("-"):
        return wanted
    where = "git config curator.sync" if own else ""
    if not known:
        raise CuratorError("this repository has no remote", where=where, hint="`git remote add origin URL`")
    hint = f"the name of one that `git remote` lists: {', '.join(known)}"
    raise CuratorError(f"no remote {wanted!r}" if wanted else "which remote?", where=where, hint=hint)


def url(workspace: Workspace, remote: str) -> str:
    """Where a configured remote is pushed to, as git makes it of the user's settings."""
    told = plumbing.git(workspace, "remote", "get-url", "--push", "--end-of-options", remote)
    return told.decode("utf-8", "replace").strip()


def place(workspace: Workspace, remote: str) -> str:
    """A fingerprint of where a remote is; another one when it is pointed elsewhere."""
    from hashlib import sha256  # noqa: PLC0415 - pay only when something is exchanged

    names = f"remote.{remote}.url", f"remote.{remote}.pushurl"
    urls = [value for name, value in _settings(workspace) if name in names]
    return sha256("\0".join(urls).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def listed(workspace: Workspace, remote: str, pattern: str, terms: Terms = QUIETLY) -> dict[str, str]:
    """The refs of a remote that fit *pattern*, each with its object id."""
    told = _done(workspace, terms, "ls-remote", "--refs", "--end-of-options", remote, pattern)
    rows = (line.partition("\t") for line in told.decode("utf-8", "surrogateescape").split("\n") if line)
    return {ref: value for value, _, ref in rows}


def fetch(workspace: Workspace, remote: str, refs: Iterable[str], terms: Terms, most: int) -> None:
    """Bring what *refs* of a remote are into `terms.objects`, in a pack of *most* bytes; no ref is written.

    CuratorError where one of them is gone, or all together are larger.
    """
    settings = (
        *("fetch.unpackLimit=1", "fetch.negotiationAlgorithm=noop", "core.bigFileThreshold=128k"),
        *("fetch.fsckObjects=false", "transfer.fsckObjects=false"),  # one bad object would hide the others
    )
    options = (
        *("--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--no-write-fetch-head", "--no-prune"),
        *("--no-write-commit-graph", "--refmap=", "--quiet", "--end-of-options"),
    )
    _done(workspace, terms, *_with(settings), "fetch", *options, remote, *refs, most=most)


def push(workspace: Workspace, remote: str, specs: Sequence[Spec], terms: Terms = QUIETLY) -> tuple[Pushed, ...]:
    """Change refs of a remote, each by itself: one that is refused stops no other.

    CuratorError where the remote cannot be asked; what was pushed before that stands.
    """
    name = chosen(workspace, remote)
    groups = [specs[at : at + _NAMED] for at in range(0, len(specs), _NAMED)]
    return tuple(one for group in groups for one in _pushed(workspace, name, group, terms))


def _pushed(workspace: Workspace, remote: str, specs: Sequence[Spec], terms: Terms) -> Iterable[Pushed]:
    leases = [f"--force-with-lease={one.ref}:{one.old}" for one in specs if one.old is not None]
    options = ("--porcelain", "--no-follow-tags", "--no-recurse-submodules", "--no-progress", *leases)
    wanted = [f"{one.new}:{one.ref}" for one in specs]
    command = (*_with(["push.negotiate=false"]), "push", *options, "--end-of-options", remote, *wanted)
    done = _run(workspace, terms, *command)
    told = _refs(done.stdout)
    if done.returncode and not told:
        raise _failed("push", remote, done.stderr)
    lines = (line.removeprefix("remote: ").rstrip() for line in _lines(done.stderr) if line.startswith("remote: "))
    said = "\n".join(filter(None, lines))
    for one in specs:
        reason = told.get(one.ref, "git says nothing of it" if done.returncode else "")
        yield Pushed(one.ref, not reason, reason, said)


def _refs(output: bytes) -> dict[str, str]:
    """Each ref that `push --porcelain` names, with why it was refused. One of several addresses suffices for that."""
    found: dict[str, str] = {}
    for flag, pair, summary in (match.groups() for match in map(_FLAG.fullmatch, _lines(output)) if match):
        ref = pair.rpartition(":")[2]
        reason = _REASON.match(summary)
        refused = ((reason and reason[1]) or summary) if flag == "!" else ""
        found[ref] = found.get(ref, "") or refused
    return found


# --- How git is started -------------------------------------------------------------------------------------------


def _done(workspace: Workspace, terms: Terms, *arguments: str, most: int = 0) -> bytes:
    done = _run(workspace, terms, *arguments, most=most)
    if done.returncode:
        verb, remote = _asked(arguments)
        raise _failed(verb, remote, done.stderr)
    return done.stdout


def _asked(arguments: Sequence[str]) -> tuple[str, str]:
    """The command and the remote in git's arguments."""
    verb = next(word for word in arguments if word in {"ls-remote", "fetch", "push"})
    return verb, arguments[arguments.index("--end-of-options") + 1]


def _run(workspace: Workspace, terms: Terms, *arguments: str, most: int = 0) -> subprocess.CompletedProcess[bytes]:
    """One git that may connect, and write *most* bytes a file; all that it started ends with it, and with us."""
    import subprocess  # noqa: PLC0415 - pay only when a remote is asked

    command = ["git", *_safe(terms), *_allowed(_settings(workspace)), *arguments]
    verb, remote = _asked(arguments)
    with _ending():
        try:
            process = subprocess.Popen(
                command,
                cwd=workspace.root,
                env=_environment(workspace, terms),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=not terms.attended,
                preexec_fn=_bounds(most, memory=0 if terms.hooks else _MEMORY) if os.name == "posix" else None,
            )
        except OSError as error:
            raise CuratorError(f"git {verb}: {error.strerror}", where=workspace.root) from None
        with process:
            try:
                out, err = _heard(process, terms.seconds)
            except subprocess.TimeoutExpired:
                _end(process, alone=terms.attended)
                message = f"git {verb}: no answer within {terms.seconds:g} s"
                raise CuratorError(message, where=remote, hint="nothing is lost; try again") from None
            except _Endless:
                _end(process, alone=terms.attended)
                raise CuratorError(f"git {verb}: an answer of over {_ANSWER >> 20} MB", where=remote) from None
            except BaseException:
                _end(process, alone=terms.attended)
                raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


class _Endless(Exception):  # noqa: N818 - what was said, and no fault of ours
    """More came than any remote has to say."""


def _heard(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bytes]:
    """What git says on both its outputs until it ends; TimeoutExpired or _Endless where that is too much."""
    import selectors  # noqa: PLC0415 - the same
    from subprocess import TimeoutExpired  # noqa: PLC0415 - the same

    if os.name != "posix":  # a pipe cannot be waited for there
        return process.communicate(timeout=seconds)
    said: dict[object, list[bytes]] = {process.stdout: [], process.stderr: []}
    until, room = time.monotonic() + seconds, _ANSWER
    with selectors.DefaultSelector() as open_:
        for stream in filter(None, (process.stdout, process.stderr)):
            open_.register(stream, selectors.EVENT_READ)
        while open_.get_map():
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutExpired("git", seconds)
            for ready, _ in open_.select(left):
                data = os.read(ready.fd, _AT_ONCE)
                room -= len(data)
                if room < 0:
                    raise _Endless
                said[ready.fileobj].append(data)
                if not data:
                    open_.unregister(ready.fileobj)
    process.wait(max(0.0, until - time.monotonic()))
    return b"".join(said[process.stdout]), b"".join(said[process.stderr])


def _end(process: subprocess.Popen[bytes], *, alone: bool) -> None:
    """End git and what it started: all at once, or, where they share our terminal, by itself."""
    from subprocess import TimeoutExpired  # noqa: PLC0415 - the same

    with suppress(OSError):
        if alone or os.name != "posix":
            process.terminate()
            with suppress(TimeoutExpired):
                process.wait(_GRACE)
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def _ending() -> Iterator[None]:
    """Let what ends this process end git first, and remove what was made: as an interrupt does."""
    kinds = [kind for kind in (signal.SIGTERM, getattr(signal, "SIGHUP", None)) if kind]
    mine = [kind for kind in kinds if signal.getsignal(kind) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        mine = []
    try:
        for kind in mine:
            signal.signal(kind, _leave)
        yield
    finally:
        for kind in mine:
            signal.signal(kind, signal.SIG_DFL)


def _leave(kind: int, _: object) -> None:
    raise SystemExit(128 + kind)


def _bounds(most: int, memory: int) -> Callable[[], None]:
    """What git's process does before it is git: limit what it takes of the disk with one file, and of memory.

    On Linux it also ends when this process does, however that ends.
    """
    import resource  # noqa: PLC0415 - POSIX only

    limits = [(kind, limit) for kind, limit in ((resource.RLIMIT_FSIZE, most), (resource.RLIMIT_DATA, memory)) if limit]
    control, parent = _prctl(), os.getpid()

    def bound() -> None:
        for kind, limit in limits:
            with suppress(OSError, ValueError):
                resource.setrlimit(kind, (limit, limit))
        if control is not None:
            control(_DEATH, signal.SIGTERM)
            if os.getppid() != parent:  # it ended before it could say so
                os._exit(1)

    return bound


def _prctl() -> Callable[[int, int], object] | None:
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - its import costs as much as everything here; a remote costs more

    with suppress(OSError):
        return getattr(ctypes.CDLL(None), "prctl", None)
    return None


def _settings(workspace: Workspace) -> list[tuple[str, str]]:
    """The user's settings of remotes and protocols, in the order in which they count."""
    asked = ("config", "--null", "--get-regexp", r"^(remote|protocol)\.")
    told = plumbing.git(workspace, *asked, ok=(0, 1), own=_own())
    pairs = (one.partition("\n") for one in told.decode("utf-8", "surrogateescape").split("\0") if one)
    found = [(name, value) for name, _, value in pairs]
    ours = max((number for number, (name, _) in enumerate(found) if name == "protocol.allow"), default=len(found))
    return found[:ours] + found[ours + 1 :]  # the last one is what stands before every git command of ours


def _own() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if _OWN.fullmatch(name)}


def _names(settings: Iterable[tuple[str, str]]) -> list[str]:
    found = (name.removeprefix("remote.").rpartition(".") for name, _ in settings if name.startswith("remote."))
    return sorted({name for name, _, key in found if name and key in {"url", "pushurl"}})


def _safe(terms: Terms) -> tuple[str, ...]:
    """What stands before every git command, with the user's hooks where they may run."""
    if not terms.hooks:
        return launch.SAFE
    pairs = zip(launch.SAFE[::2], launch.SAFE[1::2], strict=True)
    return tuple(word for pair in pairs if not pair[1].startswith("core.hooksPath=") for word in pair)


def _allowed(settings: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The transports that are open here; what the user says of one, or of all that he does not name, goes before."""
    own = dict(settings)
    general = own.get("protocol.allow", "always").lower()
    opened = [
        f"protocol.{name}.allow={general if general in _POLICIES else 'always'}"
        for name in TRANSPORTS
        if f"protocol.{name}.allow" not in own
    ]
    return _with([*opened, "protocol.ext.allow=never"])


def _with(settings: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for one in settings for word in ("-c", one))


def _environment(workspace: Workspace, terms: Terms) -> Mapping[str, str]:
    """The variables of git, with those by which the user says how a remote is reached."""
    own = _own()
    if "GIT_ALLOW_PROTOCOL" in os.environ:  # it goes before all settings
        named = os.environ["GIT_ALLOW_PROTOCOL"].split(":")
        own["GIT_ALLOW_PROTOCOL"] = ":".join(name for name in named if name in TRANSPORTS)
    made = launch.environment(workspace, write=True) | own
    if terms.objects:
        made["GIT_OBJECT_DIRECTORY"] = terms.objects
    if terms.attended:
        return made | {"GIT_TERMINAL_PROMPT": "1"}
    if sys.platform == "darwin" or made.get("DISPLAY") or made.get("WAYLAND_DISPLAY"):
        made["GIT_ASKPASS"] = ""  # it would open a window in front of somebody who did not ask for it
    return made | {"SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}


def _failed(verb: str, remote: str, stderr: bytes) -> CuratorError:
    """What git says when nothing came of it, without an account that an address may hold."""
    lines = [line.strip() for line in _lines(stderr) if line.strip() and not line.startswith(_NOISE)]
    words = "; ".join(re.sub(r"^(?:fatal|error): ", "", line) for line in lines[:_MOST_TOLD])
    return CuratorError(f"git {verb}: {_ACCOUNT.sub('', words) or 'failed'}", where=remote)


def _lines(output: bytes) -> list[str]:
    return output.decode("utf-8", "replace").replace("\r", "\n").split("\n")
