"""Files on a real disk, with real processes wherever two of them matter."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest

from curator.core import block
from curator.core.block import END, START
from curator.edge import exchange, files
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit

SOURCES = str(Path(__file__).parents[2])
HEAD, TAIL = "# Rules\nUse tabs. Ünïcode.\n", "After.\n"
WORKER = f"""
import sys
sys.path.insert(0, {SOURCES!r})
from pathlib import Path
from curator.core import block
from curator.edge import files
from curator.errors import CuratorError
from curator.model import Workspace
from curator.outcome import Edit
root = sys.argv[1]
workspace = Workspace(root, root + "/.git", root + "/.git")
"""
RENDER = """
files.update(workspace, "CLAUDE.md", lambda text: block.replace(text, "\\n".join([sys.argv[2]] * 2000)))
"""
RENDER_ALWAYS = """
number = 0
while not Path(root, "stop").exists():
    number += 1
    files.update(workspace, "CLAUDE.md", lambda text: block.replace(text, "\\n".join([f"- {number}"] * 50)))
print(number)
"""
ADD_LINE = """
files.update(workspace, "CLAUDE.md", lambda text: block.replace(text, block.body(text) + "\\n" + sys.argv[2]))
"""
CREATE = """
files.apply(workspace, [Edit("memories/gotcha/x.yaml", None, sys.argv[2] * 50)])
"""
HOLD = """
with files.lock(workspace):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A work tree with a CLAUDE.md; only its shape matters here, so git itself is not asked."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "CLAUDE.md").write_bytes(text("old").encode())
    return Workspace(str(root), str(root / ".git"), str(root / ".git"))


def text(body: str) -> str:
    return f"{HEAD}{START}\n{body}\n{END}\n{TAIL}"


def at(workspace: Workspace, path: str) -> Path:
    return Path(workspace.root, path)


def replaced(workspace: Workspace) -> list[str]:
    """What was kept, without the time in the names."""
    shelf = at(workspace, ".git/curator/replaced")
    return sorted(path.read_text() for path in shelf.iterdir()) if shelf.exists() else []


def litter(workspace: Workspace) -> list[str]:
    return [path.name for path in at(workspace, ".").rglob(".tmp*")]


def start(code: str, workspace: Workspace, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER + code, workspace.root, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


def refused(call: Callable[[], object]) -> CuratorError:
    with pytest.raises(CuratorError) as caught:
        call()
    assert "\n" not in caught.value.message
    return caught.value


# reading


def test_read_gives_every_byte_and_translates_no_newline(workspace: Workspace) -> None:
    at(workspace, "a.md").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\xe9\x00\n")
    assert files.read(workspace, "a.md") == "\ufeffa\r\nb\rc\udce9\x00\n"
    files.update(workspace, "a.md", lambda before: before + "d")
    assert at(workspace, "a.md").read_bytes() == b"\xef\xbb\xbfa\r\nb\rc\xe9\x00\nd"


def test_a_missing_file_is_none_or_an_error_with_its_name(workspace: Workspace) -> None:
    assert files.read_or_none(workspace, "gone.md") is None
    assert files.read_or_none(workspace, "no/such/gone.md") is None
    error = refused(lambda: files.read(workspace, "gone.md"))
    assert (error.message, error.where) == ("no such file", "gone.md")


def make_odd(root: Path) -> None:
    """Everything that is no file to write, under a name that says what it is."""
    (root.parent / "outside.md").write_text("outside")
    (root / "folder").mkdir()
    (root / "sub/.git").mkdir(parents=True)
    os.mkfifo(root / "pipe")
    for name, goal in {
        "nowhere": "nowhere.md",
        "loop": "loop",
        "device": "/dev/zero",
        "out": "../outside.md",
        "out-folder": "..",
        "into-git": ".git/config",
        "to-pipe": "pipe",
        "no-folder": "missing",
    }.items():
        (root / name).symlink_to(goal)


ODD = {
    "folder": "is a folder",
    ".": "is a folder",
    "": "is a folder",
    "pipe": "is a named pipe",
    "to-pipe": "is a named pipe",
    "nowhere": "is a link to nothing",
    "no-folder/x.md": "is a link to nothing",
    "loop": "cannot be looked up: Too many levels of symbolic links",
    "device": "leads outside the work tree",
    "out": "leads outside the work tree",
    "out-folder/outside.md": "leads outside the work tree",
    "out-folder/new.md": "leads outside the work tree",
    "../outside.md": "leads outside the work tree",
    "a/../../outside.md": "leads outside the work tree",
    "/etc/passwd": "leads outside the work tree",
    ".git/config": "leads into git's own folder",
    ".GIT/config": "leads into git's own folder",
    "sub/.git/config": "leads into git's own folder",
    "into-git": "leads into git's own folder",
    "CLAUDE.md/x": "cannot exist: CLAUDE.md is not a folder",
    "nul\0": "cannot be looked up: embedded null byte",
    "x" * 300: "cannot be looked up: File name too long",
}


@pytest.mark.parametrize("path", ODD, ids=[repr(path[:20]) for path in ODD])
def test_fs_06_what_is_no_file_in_the_work_tree_is_refused_at_once_and_nothing_is_made(
    workspace: Workspace, path: str
) -> None:
    make_odd(at(workspace, "."))
    before = sorted(at(workspace, "..").rglob("*"))
    edits = (Edit(path, None, "new"), Edit(path, "old", "new"), Edit(path, "same", "same"))
    calls: list[Callable[[], object]] = [
        lambda: files.resolve(workspace, path),
        lambda: files.read(workspace, path),
        lambda: files.read_or_none(workspace, path),
        *(partial(files.apply, workspace, [edit]) for edit in edits),
        lambda: files.update(workspace, path, lambda before: before + "new"),
    ]
    for call in calls:
        error = refused(call)
        assert (error.message, error.where) == (ODD[path], path)
        assert error.hint
    assert sorted(at(workspace, "..").rglob("*")) == before


def test_a_socket_and_a_file_that_turns_into_a_pipe_are_refused_without_waiting(workspace: Workspace) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(at(workspace, "socket")))
        assert refused(lambda: files.read(workspace, "socket")).message == "is a socket"
    os.mkfifo(at(workspace, "pipe"))
    with pytest.raises(OSError, match="not a regular file"):
        exchange.content(str(at(workspace, "pipe")))


def test_curators_own_folder_in_the_common_directory_may_be_written(workspace: Workspace, tmp_path: Path) -> None:
    files.apply(workspace, [Edit(".git/curator/inbox/k.yaml", None, "a\n")])
    assert at(workspace, ".git/curator/inbox/k.yaml").read_text() == "a\n"
    common = tmp_path / "elsewhere/.git"
    apart = Workspace(workspace.root, f"{common}/worktrees/x", str(common))
    goal = f"{common}/curator/inbox/k.yaml"
    assert files.apply(apart, [Edit(goal, None, "b\n")]) == (goal,)
    assert refused(lambda: files.apply(apart, [Edit(f"{common}/config", None, "b\n")])).message.startswith("leads")


# replacing


def test_fs_01_a_link_stays_a_link_and_its_target_is_written_once(workspace: Workspace) -> None:
    at(workspace, "CLAUDE.md").rename(at(workspace, "AGENTS.md"))
    at(workspace, "CLAUDE.md").symlink_to("AGENTS.md")
    edits = [Edit(path, text("old"), text("new")) for path in ("CLAUDE.md", "AGENTS.md")]
    assert files.apply(workspace, edits) == ("AGENTS.md",)
    assert at(workspace, "CLAUDE.md").readlink() == Path("AGENTS.md")
    assert at(workspace, "AGENTS.md").read_text() == text("new")


def test_two_texts_for_one_file_are_refused_before_anything_is_written(workspace: Workspace) -> None:
    at(workspace, "AGENTS.md").symlink_to("CLAUDE.md")
    edits = [Edit("new.md", None, "x"), Edit("CLAUDE.md", text("old"), "a"), Edit("AGENTS.md", text("old"), "b")]
    error = refused(lambda: files.apply(workspace, edits))
    assert error.message == "is the same file as CLAUDE.md and would get two different texts"
    assert (files.read(workspace, "CLAUDE.md"), files.read_or_none(workspace, "new.md")) == (text("old"), None)


@pytest.mark.parametrize("mode", [0o664, 0o600, 0o755, 0o666])
def test_fs_04_the_mode_is_kept(workspace: Workspace, mode: int) -> None:
    path = at(workspace, "CLAUDE.md")
    path.chmod(mode)
    files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
    assert (path.stat().st_mode & 0o7777, path.read_text()) == (mode, text("new"))


def test_owner_and_extended_attributes_are_kept(workspace: Workspace) -> None:
    path = at(workspace, "CLAUDE.md")
    if os.geteuid() == 0:
        os.chown(path, 1234, 2345)
    with suppress(OSError):
        os.setxattr(path, "user.note", b"mine")
    attributes = os.listxattr(path)
    owner = path.stat().st_uid, path.stat().st_gid
    files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
    assert (path.stat().st_uid, path.stat().st_gid) == owner
    assert os.listxattr(path) == attributes


def test_a_file_without_any_write_bit_is_refused_even_for_root(workspace: Workspace) -> None:
    at(workspace, "CLAUDE.md").chmod(0o444)
    error = refused(lambda: files.apply(workspace, [Edit("CLAUDE.md", text("old"), text("new"))]))
    assert (error.message, error.where) == ("is read-only", "CLAUDE.md")
    assert files.read(workspace, "CLAUDE.md") == text("old")


def test_mk_09_unchanged_content_touches_nothing(workspace: Workspace) -> None:
    path = at(workspace, "CLAUDE.md")
    os.utime(path, ns=(1, 1))
    before = path.stat()
    edit = files.update(workspace, "CLAUDE.md", lambda now: block.replace(now, "old"))
    assert not edit.changes
    assert files.apply(workspace, [edit]) == ()
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (before.st_ino, 1, before.st_ctime_ns)


def test_an_edit_from_an_older_text_is_refused_and_one_already_there_is_done(workspace: Workspace) -> None:
    with pytest.raises(files.Changed):
        files.apply(workspace, [Edit("CLAUDE.md", text("older"), text("new"))])
    assert files.read(workspace, "CLAUDE.md") == text("old")
    assert files.apply(workspace, [Edit("CLAUDE.md", text("older"), text("old"))]) == ()
    at(workspace, "CLAUDE.md").unlink()
    with pytest.raises(files.Changed):
        files.apply(workspace, [Edit("CLAUDE.md", text("old"), text("new"))])
    assert litter(workspace) == replaced(workspace) == []


def test_text_that_utf_8_cannot_hold_is_refused(workspace: Workspace) -> None:
    error = refused(lambda: files.apply(workspace, [Edit("x.md", None, "a\ud800")]))
    assert (error.message, error.where) == ("holds a lone surrogate, which UTF-8 cannot", "x.md")


# making


def test_fs_04_a_new_file_and_its_folders_follow_the_umask(workspace: Workspace) -> None:
    old = os.umask(0o022)
    try:
        assert files.apply(workspace, [Edit("memories/gotcha/x.yaml", None, "a\n")]) == ("memories/gotcha/x.yaml",)
    finally:
        os.umask(old)
    made = at(workspace, "memories/gotcha/x.yaml")
    assert (made.read_text(), made.stat().st_mode & 0o777, made.stat().st_nlink) == ("a\n", 0o644, 1)
    assert made.parent.stat().st_mode & 0o777 == 0o755
    assert litter(workspace) == []


def test_a_new_file_never_replaces_one(workspace: Workspace) -> None:
    with pytest.raises(files.Changed, match="exists already"):
        files.apply(workspace, [Edit("CLAUDE.md", None, "new")])
    assert files.read(workspace, "CLAUDE.md") == text("old")
    assert litter(workspace) == []


def test_of_eight_processes_that_make_one_file_one_succeeds(workspace: Workspace) -> None:
    ended = [finish(process) for process in [start(CREATE, workspace, f"{number}\n") for number in range(8)]]
    assert sorted(status for status, _, _ in ended) == [0] + [1] * 7
    winner = next(number for number, (status, _, _) in enumerate(ended) if status == 0)
    assert at(workspace, "memories/gotcha/x.yaml").read_text() == f"{winner}\n" * 50


def test_without_hard_links_a_new_file_is_made_all_the_same(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    files.apply(workspace, [Edit("x.md", None, "a\n")])
    with pytest.raises(files.Changed):
        files.apply(workspace, [Edit("x.md", None, "b\n")])
    monkeypatch.setattr(exchange, "_in_one_step", lambda *_: False)
    files.apply(workspace, [Edit("x.md", "a\n", "c\n")])
    assert (files.read(workspace, "x.md"), litter(workspace)) == ("c\n", [])


# people who save meanwhile: each window once, then at random


def by_rename(path: Path, data: str) -> None:
    """As most editors save: a new file over the old one."""
    fresh = path.with_name(".ed.swp")
    fresh.write_bytes(data.encode())
    fresh.replace(path)


def in_place(path: Path, data: str) -> None:
    """As some editors save: the same file, rewritten."""
    with path.open("r+b") as stream:
        stream.write(data.encode())
        stream.truncate()


def by_deleting(path: Path, data: str) -> None:
    """As git checks out: deleted, then made again."""
    path.unlink(missing_ok=True)
    path.write_bytes(data.encode())


STYLES = pytest.mark.parametrize("save", [by_rename, in_place, by_deleting])


@contextmanager
def before_call(monkeypatch: pytest.MonkeyPatch, name: str, acts: dict[int, Callable[[], None]]) -> Iterator[None]:
    """Do something right before the n-th call of a function of `exchange`."""
    original, number = getattr(exchange, name), count(1)

    def call(*arguments: object) -> object:
        acts.get(next(number), lambda: None)()
        return original(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(exchange, name, call)
        yield


@STYLES
@pytest.mark.parametrize("function", ["content", "_sibling", "swap", "being_written", "sync"])
@pytest.mark.parametrize("one_step", [True, False])
def test_a_save_in_any_window_stays_and_the_block_is_written_into_it(
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    save: Callable[[Path, str], None],
    function: str,
    one_step: bool,
) -> None:
    path, saved = at(workspace, "CLAUDE.md"), []
    if not one_step:
        monkeypatch.setattr(exchange, "_in_one_step", lambda *_: False)

    def act() -> None:
        person = path.read_text().replace("Use tabs.", "Use blanks.")
        save(path, person)
        saved.append(person)

    with before_call(monkeypatch, function, {1: act}):
        files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
    assert saved
    assert path.read_text() == text("new").replace("Use tabs.", "Use blanks.")
    assert litter(workspace) == []


def test_a_second_save_while_the_first_goes_back_wins_and_the_first_is_kept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = at(workspace, "CLAUDE.md")
    acts: dict[int, Callable[[], None]] = {
        number: partial(by_rename, path, text(f"person {number}")) for number in (1, 2, 3)
    }
    with before_call(monkeypatch, "swap", acts), pytest.raises(files.Changed):
        files.apply(workspace, [Edit("CLAUDE.md", text("old"), text("new"))])
    assert path.read_text() == text("person 3")
    assert replaced(workspace) == [text("person 2")]
    assert litter(workspace) == []


def test_a_program_that_opened_the_file_before_and_saves_after_the_exchange_is_waited_for(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = at(workspace, "CLAUDE.md")
    stream = path.open("r+b", buffering=0)

    def later() -> None:
        time.sleep(0.1)
        stream.write(text("old").replace("After", "Later").encode())
        stream.close()

    thread = threading.Thread(target=later)
    with before_call(monkeypatch, "swap", {1: thread.start}):
        files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
    thread.join()
    assert path.read_text() == text("new").replace("After", "Later")


def test_a_save_in_place_that_comes_after_the_first_look_at_the_replaced_file_goes_back(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = text("old").replace("After", "Later")

    def act() -> None:  # as a program that had found the file before the exchange and opens it only then
        in_place(at(workspace, litter(workspace)[0]), person)

    with before_call(monkeypatch, "sync", {1: act}), pytest.raises(files.Changed):
        files.apply(workspace, [Edit("CLAUDE.md", text("old"), text("new"))])
    assert at(workspace, "CLAUDE.md").read_text() == person


def test_a_save_that_is_seen_in_time_is_never_out_of_place(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = partial(by_rename, at(workspace, "CLAUDE.md"), text("person"))
    monkeypatch.setattr(exchange, "swap", lambda *_: pytest.fail("the files were exchanged"))
    with before_call(monkeypatch, "_sibling", {1: person}), pytest.raises(files.Changed):
        files.apply(workspace, [Edit("CLAUDE.md", text("old"), text("new"))])


def test_a_program_that_keeps_the_file_open_for_writing_is_named_and_nothing_changes(workspace: Workspace) -> None:
    with at(workspace, "CLAUDE.md").open("r+b"):
        error = refused(lambda: files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new")))
    assert (error.message, error.where) == ("another program has it open for writing", "CLAUDE.md")
    assert at(workspace, "CLAUDE.md").read_text() == text("old")
    assert litter(workspace) == replaced(workspace) == []


def test_where_open_files_cannot_be_told_the_replaced_version_is_kept_for_a_day(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "being_written", lambda _: None)
    shelf = at(workspace, ".git/curator/replaced")
    shelf.mkdir(parents=True)
    now = int(time.time())
    for age in (100, 86300, 86500, 10**7):
        (shelf / f"{now - age}-CLAUDE.md.{age}").write_text(f"{age}")
    (shelf / "mine").write_text("not ours")
    with at(workspace, "CLAUDE.md").open("r+b", buffering=0) as stream:
        files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
        stream.write(b"LATE")
    assert replaced(workspace) == sorted(["LATE" + text("old")[4:], "100", "86300", "not ours"])


def test_an_error_over_a_half_saved_file_is_not_reported(workspace: Workspace) -> None:
    path = at(workspace, "CLAUDE.md")
    path.write_text(text("old")[:50])
    timer = threading.Timer(0.02, lambda: in_place(path, text("old")))
    timer.start()
    files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
    assert path.read_text() == text("new")
    path.write_text("no block")
    assert "missing" in refused(lambda: files.update(workspace, "CLAUDE.md", block.body)).message


@STYLES
def test_none_of_200_saves_during_renders_is_lost(workspace: Workspace, save: Callable[[Path, str], None]) -> None:
    path, random, lost = at(workspace, "CLAUDE.md"), Random(1), []
    process = start(RENDER_ALWAYS, workspace)
    while path.read_text() == text("old"):
        time.sleep(0.01)
    for turn in range(200):
        time.sleep(random.uniform(0, 0.01))
        line = f"EDIT {turn} " + "y" * random.choice([1, 5000, 100_000])
        head = path.read_text().partition("EDIT")[0]
        save(path, f"{head}EDIT {turn} {line}\n")
        time.sleep(random.uniform(0.005, 0.02))
        if line not in path.read_text():
            lost.append(turn)
    at(workspace, "stop").touch()
    status, renders, errors = finish(process)
    assert (status, errors, lost) == (0, "", [])
    assert int(renders) > 100
    assert litter(workspace) == []


# processes that die, disks that fill


def test_kill_9_at_random_moments_leaves_the_old_or_the_new_text(workspace: Workspace) -> None:
    path, random, current, killed = at(workspace, "CLAUDE.md"), Random(1), text("old"), 0
    begun = time.monotonic()
    assert finish(start(RENDER, workspace, "x"))[0] == 0
    span, current = time.monotonic() - begun, text("\n".join(["x"] * 2000))
    for turn in range(40):
        process = start(RENDER, workspace, f"- {turn}")
        time.sleep(random.uniform(span * 0.4, span))
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        finish(process)
        new = text("\n".join([f"- {turn}"] * 2000))
        assert path.read_text() in (current, new)
        current = path.read_text()
    assert killed > 10
    assert finish(start(RENDER, workspace, "- end"))[0] == 0
    assert litter(workspace) == []


@pytest.mark.parametrize("changes", [True, False])
def test_what_a_killed_process_left_is_moved_out_of_the_tree_by_the_next_command(
    workspace: Workspace, changes: bool
) -> None:
    at(workspace, ".tmp.curator.CLAUDE.md.1.1").write_text("a person's save")
    at(workspace, ".tmp.other").write_text("not ours")
    files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new" if changes else "old"))
    assert litter(workspace) == [".tmp.other"]
    assert replaced(workspace) == ["a person's save"]


def test_a_temporary_file_in_use_is_left_alone(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "claim", lambda *_: None)
    at(workspace, ".tmp.curator.CLAUDE.md.1.1").write_text("being written by a process that cannot lock")
    files.update(workspace, "CLAUDE.md", lambda before: block.replace(before, "new"))
    assert litter(workspace) == [".tmp.curator.CLAUDE.md.1.1"]


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 1, 64, 512])
def test_at_the_file_size_limit_the_old_text_stays_and_the_reason_is_named(workspace: Workspace, size: int) -> None:
    edits = (Edit("CLAUDE.md", text("old"), text("new\n" * 200)), Edit("memories/x.yaml", None, "x" * 600))
    for edit in edits:
        with file_size_limit(size):
            error = refused(partial(files.apply, workspace, [edit]))
        assert (error.message, error.where) == ("cannot be written: File too large", edit.path)
    assert files.read(workspace, "CLAUDE.md") == text("old")
    assert files.read_or_none(workspace, "memories/x.yaml") is None
    assert litter(workspace) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Workspace]:
    """A file system of 256 kB with a work tree on it."""
    disk = tmp_path / "small"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        (disk / ".git").mkdir()
        (disk / "CLAUDE.md").write_bytes(text("old").encode())
        yield Workspace(str(disk), str(disk / ".git"), str(disk / ".git"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("free", [0, 4096, 8192])
def test_on_a_full_disk_the_old_text_stays_and_it_works_again_with_space(small_disk: Workspace, free: int) -> None:
    ballast = at(small_disk, "ballast")
    with ballast.open("wb", buffering=0) as stream, suppress(OSError):
        while stream.write(b"x" * 4096) == 4096:
            pass
    os.truncate(ballast, ballast.stat().st_size - free)
    edit = Edit("CLAUDE.md", text("old"), text("new\n" * 5000))
    error = refused(lambda: files.apply(small_disk, [edit]))
    assert (error.message, error.where) == ("cannot be written: No space left on device", "CLAUDE.md")
    assert "free some space" in error.hint
    assert (files.read(small_disk, "CLAUDE.md"), litter(small_disk)) == (text("old"), [])
    ballast.unlink()
    assert files.apply(small_disk, [edit]) == ("CLAUDE.md",)


@pytest.mark.parametrize("name", ["write", "fsync", "link", "chmod"])
def test_an_io_error_at_any_step_keeps_the_old_text_and_leaves_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    edits = {"CLAUDE.md": Edit("CLAUDE.md", text("old"), text("new")), "x.yaml": Edit("x.yaml", None, "x")}
    used = {"link": ["x.yaml"], "chmod": ["CLAUDE.md"]}.get(name, list(edits))
    for path in used:
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            error = refused(partial(files.apply, workspace, [edits[path]]))
        assert (error.message, error.where) == ("cannot be written: Input/output error", path)
    assert (files.read(workspace, "CLAUDE.md"), files.read_or_none(workspace, "x.yaml")) == (text("old"), None)
    assert litter(workspace) == []


def test_when_the_folder_cannot_be_made_durable_a_new_file_is_taken_back(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(exchange, "sync", fail)
        refused(lambda: files.apply(workspace, [Edit("x.yaml", None, "x")]))
    assert files.read_or_none(workspace, "x.yaml") is None


# many processes


def test_co_03_sixteen_processes_at_once_all_succeed_and_the_file_is_never_empty(workspace: Workspace) -> None:
    path, sizes, done = at(workspace, "CLAUDE.md"), set(), threading.Event()

    def watch() -> None:
        while not done.is_set():
            sizes.add(path.stat().st_size)

    watcher = threading.Thread(target=watch)
    watcher.start()
    ended = [finish(process) for process in [start(RENDER, workspace, "- a") for _ in range(16)]]
    done.set()
    watcher.join()
    assert {(status, errors) for status, _, errors in ended} == {(0, "")}
    new = text("\n".join(["- a"] * 2000))
    assert (path.read_text(), litter(workspace)) == (new, [])
    assert sizes <= {len(text("old").encode()), len(new.encode())}


def test_sixteen_updates_at_once_all_count(workspace: Workspace) -> None:
    ended = [finish(process) for process in [start(ADD_LINE, workspace, f"- {number}") for number in range(16)]]
    assert {(status, errors) for status, _, errors in ended} == {(0, "")}
    lines = block.body(files.read(workspace, "CLAUDE.md")).split("\n")
    assert sorted(lines) == sorted(["old", *(f"- {number}" for number in range(16))])


def test_a_lock_is_waited_for_and_then_called_busy(workspace: Workspace) -> None:
    holder = start(HOLD, workspace)
    assert holder.stdout and holder.stdout.readline() == "held\n"
    begun = time.monotonic()
    with pytest.raises(CuratorError, match="busy") as caught, files.lock(workspace, 0.3):
        pass
    assert 0.3 <= time.monotonic() - begun < 2
    assert (caught.value.where, bool(caught.value.hint)) == (".git/curator/lock", True)
    threading.Timer(0.2, lambda: holder.stdin and holder.stdin.close()).start()
    with files.lock(workspace):
        assert holder.wait(10) == 0
    holder.stdin = None
    finish(holder)


def test_a_dead_process_keeps_no_lock_and_what_the_file_holds_means_nothing(workspace: Workspace) -> None:
    lock = at(workspace, ".git/curator/lock")
    lock.parent.mkdir()
    lock.write_text("999999\n")
    os.utime(lock, (1, 1))
    holder = start(HOLD, workspace)
    assert holder.stdout and holder.stdout.readline() == "held\n"
    holder.kill()
    finish(holder)
    with files.lock(workspace, 1.0):
        assert lock.read_text() == "999999\n"
    with files.lock(workspace, 0):
        pass


def test_importing_files_loads_nothing_that_only_writing_or_posix_needs() -> None:
    code = f"import sys; sys.path.insert(0, {SOURCES!r}); import curator.edge.files; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"fcntl", "ctypes", "tempfile", "shutil", "random", "signal", "subprocess"} & set(loaded.split())
