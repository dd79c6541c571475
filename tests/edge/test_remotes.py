"""Git towards a remote: what it may use, how it is asked, and what it answers."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from curator.core.syncing import REFS
from curator.edge import parcels, remotes
from curator.edge.remotes import Pushed, Spec, Terms
from curator.errors import CuratorError
from tests.syncing import Clones, made

REF = "refs/heads/topic"


@pytest.fixture
def clones(tmp_path: Path) -> Clones:
    return made(tmp_path)


def head(clones: Clones) -> str:
    return clones.cloud.git("rev-parse", "HEAD").strip()


def test_a_ref_is_made_changed_and_deleted_under_a_lease(clones: Clones) -> None:
    at, one = clones.cloud.workspace, head(clones)
    clones.cloud.write("x", "x")
    clones.cloud.commit()
    two = head(clones)
    assert remotes.push(at, "origin", [Spec(REF, two, "")]) == (Pushed(REF, True),)
    assert remotes.push(at, "origin", [Spec(REF, one, two)]) == (Pushed(REF, True),)
    assert remotes.push(at, "origin", [Spec(REF, two, two)]) == (Pushed(REF, False, "stale info"),)
    assert remotes.push(at, "origin", [Spec(REF, one, "")]) == (Pushed(REF, True),)  # it is that already
    assert remotes.push(at, "origin", [Spec(REF, "", one)]) == (Pushed(REF, True),)
    assert remotes.listed(at, "origin", REF) == {}


def test_without_a_lease_nothing_is_forced(clones: Clones) -> None:
    at, one = clones.cloud.workspace, head(clones)
    clones.cloud.write("x", "x")
    clones.cloud.commit()
    assert remotes.push(at, "origin", [Spec(REF, head(clones))])[0].done
    (result,) = remotes.push(at, "origin", [Spec(REF, one)])
    assert (result.done, result.said) == (False, "non-fast-forward")


def test_each_ref_has_its_own_answer(clones: Clones) -> None:
    clones.remote.hook("update", 'case "$1" in *bad) echo "not that one"; exit 1;; esac')
    specs = [Spec("refs/heads/bad", head(clones), ""), Spec(REF, head(clones), "")]
    bad, good = remotes.push(clones.cloud.workspace, "origin", specs)
    assert (bad.done, bad.said) == (False, "hook declined")
    assert good.done
    assert "not that one" in bad.told


def test_what_a_remote_says_to_all_is_passed_on(clones: Clones) -> None:
    clones.remote.hook("post-receive", "echo 'To create a merge request, visit:'; echo '  https://example.org/new'")
    (result,) = remotes.push(clones.cloud.workspace, "origin", [Spec(REF, head(clones))])
    assert result.done
    assert result.told == "To create a merge request, visit:\n  https://example.org/new"


def test_many_refs_go_in_portions(clones: Clones) -> None:
    specs = [Spec(f"refs/heads/b{number}", head(clones), "") for number in range(250)]
    assert all(one.done for one in remotes.push(clones.cloud.workspace, "origin", specs))
    assert len(remotes.listed(clones.cloud.workspace, "origin", "refs/heads/b*")) == 250


def test_the_only_remote_is_taken_origin_goes_before(clones: Clones) -> None:
    at = clones.cloud.workspace
    assert remotes.chosen(at) == "origin"
    clones.cloud.git("remote", "rename", "origin", "team/queue")
    assert remotes.chosen(at) == "team/queue"
    clones.cloud.git("remote", "add", "other", "x")
    with pytest.raises(CuratorError, match="which remote"):
        remotes.chosen(at)
    clones.cloud.git("config", "curator.sync", "other")
    assert remotes.chosen(at) == "other"
    assert remotes.chosen(at, "team/queue") == "team/queue"


def test_a_remote_named_like_an_option_is_refused(clones: Clones) -> None:
    """T20."""
    clones.cloud.git("config", "remote.--upload-pack=x.url", "x")
    with pytest.raises(CuratorError, match="no remote"):
        remotes.chosen(clones.cloud.workspace, "--upload-pack=x")


def test_an_address_is_what_git_makes_of_it(clones: Clones) -> None:
    clones.cloud.git("config", "url.https://example.org/.insteadOf", "ex:")
    clones.cloud.git("remote", "set-url", "origin", "ex:team/x")
    assert remotes.url(clones.cloud.workspace, "origin") == "https://example.org/team/x"


def test_the_users_hook_runs_only_where_it_may(clones: Clones, tmp_path: Path) -> None:
    path = clones.cloud.write(".git/hooks/pre-push", f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    path.chmod(0o755)
    at = clones.cloud.workspace
    assert remotes.push(at, "origin", [Spec(REF, head(clones), "")])[0].done
    assert not (tmp_path / "ran").exists()
    with pytest.raises(CuratorError):
        remotes.push(at, "origin", [Spec("refs/heads/next", head(clones), "")], Terms(hooks=True))
    assert (tmp_path / "ran").exists()


def test_a_remote_that_does_not_answer_costs_its_time_and_no_more(clones: Clones, tmp_path: Path) -> None:
    program = tmp_path / "ssh"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    program.chmod(0o755)
    clones.cloud.git("config", "core.sshCommand", str(program))
    clones.cloud.git("remote", "set-url", "origin", "ssh://nowhere.example/x")
    began = time.monotonic()
    with pytest.raises(CuratorError, match="no answer within 1 s"):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*", Terms(seconds=1))
    assert time.monotonic() - began < 5
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(int((tmp_path / "pid").read_text()), 0)
            time.sleep(0.05)


@pytest.mark.parametrize("name", ["GIT_SSH", "GIT_SSH_COMMAND"])
def test_the_users_own_way_to_a_remote_is_kept(
    clones: Clones, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    program = tmp_path / "ssh"
    program.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    program.chmod(0o755)
    monkeypatch.setenv(name, str(program))
    clones.cloud.git("remote", "set-url", "origin", f"ssh://nowhere.example{clones.remote.root}")
    assert "refs/heads/main" in remotes.listed(clones.cloud.workspace, "origin", "refs/heads/*")


@pytest.mark.parametrize("attended", [True, False])
def test_only_a_person_at_a_terminal_is_asked(
    clones: Clones, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attended: bool
) -> None:
    program = tmp_path / "ssh"
    program.write_text(f"#!/bin/sh\nenv > {tmp_path}/seen\nps -o sid= -p $$ >> {tmp_path}/seen\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(program))
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setenv("GIT_ASKPASS", "/usr/bin/askpass")
    clones.cloud.git("remote", "set-url", "origin", "ssh://nowhere.example/x")
    with pytest.raises(CuratorError):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*", Terms(attended=attended))
    seen = (tmp_path / "seen").read_text().split("\n")
    assert f"GIT_TERMINAL_PROMPT={int(attended)}" in seen
    assert ("GIT_ASKPASS=/usr/bin/askpass" in seen) is attended
    assert ("GIT_ASKPASS=" in seen) is not attended
    assert (str(os.getsid(0)) in map(str.strip, seen)) is attended


def test_settings_in_the_environment_are_kept(clones: Clones, monkeypatch: pytest.MonkeyPatch) -> None:
    clones.cloud.git("remote", "set-url", "origin", "team:x")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{clones.remote.root}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "team:x")
    assert remotes.listed(clones.cloud.workspace, "origin", "refs/heads/*")


def test_a_transport_that_the_user_closed_stays_closed(clones: Clones) -> None:
    clones.cloud.git("config", "protocol.file.allow", "never")
    with pytest.raises(CuratorError, match="transport 'file' not allowed"):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*")


@pytest.mark.parametrize("how", ["config", "environment"])
def test_what_the_user_says_of_all_transports_holds_for_those_he_does_not_name(
    clones: Clones, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how == "config":
        clones.cloud.git("config", "protocol.allow", "never")
    else:
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "protocol.allow")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", "never")
    with pytest.raises(CuratorError, match="transport 'file' not allowed"):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*")
    clones.cloud.git("config", "protocol.file.allow", "always")
    assert remotes.listed(clones.cloud.workspace, "origin", "refs/*")


@pytest.mark.parametrize("named", ["ssh", "ext", "ext:https"])
def test_the_environment_may_narrow_what_is_open_and_never_widen_it(
    clones: Clones, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", named)
    with pytest.raises(CuratorError, match="not allowed"):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*")
    clones.cloud.git("remote", "set-url", "origin", "ext::false")
    with pytest.raises(CuratorError, match="not allowed"):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*")


def test_a_fetch_leaves_nothing_in_the_repository(clones: Clones) -> None:
    clones.laptop.git("config", "remote.origin.fetch", "+refs/*:refs/*")
    clones.laptop.git("config", "fetch.prune", "true")
    clones.laptop.git("tag", "mine")
    clones.remote.put("0123456789ab", b"x")
    before = clones.laptop.git("for-each-ref")
    with parcels.opened(clones.laptop.workspace) as held:
        remotes.fetch(clones.laptop.workspace, "origin", [f"{REFS}0123456789ab"], Terms(objects=held.objects), 9_999)
        assert list(Path(held.objects, "pack").iterdir())
    assert not Path(held.objects).exists()
    assert clones.laptop.git("for-each-ref") == before
    assert not (clones.laptop.root / ".git/FETCH_HEAD").exists()


ENDLESS = """#!{python}
import os, sys
def line(data):
    return b"%04x%b" % (len(data) + 4, data)
open({pid!r}, "w").write(str(os.getpid()))
sys.stdout.buffer.write(line(b"a" * 40 + b" HEAD\\0agent=x\\n"))
for number in range({most}):
    sys.stdout.buffer.write(line(b"%040x refs/curator/inbox/%012x%s\\n" % (number, number, b"z" * 900)))
sys.stdout.buffer.write(b"0000")
"""


def lying(clones: Clones, folder: Path, most: int) -> Path:
    """Let the remote list *most* refs of 1 KB each; the file that will hold its process id."""
    program = folder / "lying"
    program.write_text(ENDLESS.format(python=sys.executable, pid=str(folder / "pid"), most=most))
    program.chmod(0o755)
    clones.cloud.git("config", "remote.origin.uploadpack", str(program))
    return folder / "pid"


def bounded(clones: Clones) -> None:
    """Ask in a process that may take 3 GB: a failing test takes no more of this machine."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from curator.edge import remotes, workspace\n"
        "remotes.listed(workspace.open_at('.'), 'origin', 'refs/*', remotes.Terms(seconds=60))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=clones.cloud.root, capture_output=True, text=True)
    assert done.returncode
    assert "an answer of over 16 MB" in done.stderr, done.stderr[-400:]


def test_a_list_of_refs_that_is_too_long_ends_with_a_message(clones: Clones, tmp_path: Path) -> None:
    lying(clones, tmp_path, 40_000)
    bounded(clones)


def test_git_itself_may_take_so_much_memory_and_no_more(
    clones: Clones, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remotes, "_MEMORY", 64 << 20)
    lying(clones, tmp_path, 200_000)
    with pytest.raises(CuratorError, match=r"git ls-remote: .*[Oo]ut of memory"):
        remotes.listed(clones.cloud.workspace, "origin", "refs/*", Terms(seconds=60))


SLOW = """#!/bin/sh
echo $$ > {pid}
exec sleep 60
"""


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("command", ["ls-remote", "fetch"])
def test_what_ends_us_ends_git(clones: Clones, tmp_path: Path, kind: signal.Signals, command: str) -> None:
    """Also what git started, and the folder of objects goes but where nobody could remove it."""
    if kind == signal.SIGKILL and sys.platform != "linux":
        pytest.skip("only Linux tells a process that its parent is gone")
    program = tmp_path / "slow"
    program.write_text(SLOW.format(pid=tmp_path / "pid"))
    program.chmod(0o755)
    clones.remote.put("0123456789ab", b"x")
    if command == "fetch":
        program.write_text(
            f'#!/bin/sh\n[ -e {tmp_path}/once ] || {{ touch {tmp_path}/once; exec git-upload-pack "$@"; }}\n'
            f"echo $$ > {tmp_path}/pid\nexec sleep 60\n"
        )
    clones.cloud.git("config", "remote.origin.uploadpack", str(program))
    # a test run in the background of a shell ignores SIGINT, one under nohup SIGHUP, and so would what it starts
    script = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "for kind in (signal.SIGTERM, signal.SIGHUP): signal.signal(kind, signal.SIG_DFL)\n"
        "from curator.cli import main; main(['sync'])"
    )
    done = subprocess.Popen([sys.executable, "-c", script], cwd=clones.cloud.root, stdin=subprocess.DEVNULL)
    until = time.monotonic() + 30
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
        assert time.monotonic() < until
        time.sleep(0.02)
    (git,) = [one for one in children(done.pid) if one]
    done.send_signal(kind)
    assert done.wait(20) == {signal.SIGKILL: -9, signal.SIGINT: 130}.get(kind, 128 + kind)
    assert gone(git)
    if kind != signal.SIGKILL:
        assert gone(int((tmp_path / "pid").read_text()))
        assert not (clones.cloud.root / ".git/curator/parcels").exists()
    else:
        with suppress(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def children(pid: int) -> list[int]:
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(one) for one in told.stdout.split()]


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        time.sleep(0.05)
    return False


def test_no_part_of_a_password_is_repeated(clones: Clones) -> None:
    clones.cloud.git("remote", "set-url", "origin", "http://user:p@ss/w0rd@127.0.0.1:1/x")
    with pytest.raises(CuratorError) as caught:
        remotes.listed(clones.cloud.workspace, "origin", "refs/*")
    assert not any(part in str(caught.value) for part in ("user", "p@ss", "ss/w0rd", "w0rd"))


def test_a_folder_that_could_not_be_made_whole_is_removed(clones: Clones, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(name: str, **_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    monkeypatch.setattr(os, "makedirs", full)
    with pytest.raises(CuratorError, match="No space left"), parcels.opened(clones.cloud.workspace):
        pass
    assert not (clones.cloud.root / ".git/curator/parcels").exists()
