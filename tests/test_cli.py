"""The door: help, exit codes, pipes, terminals."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from tests.conftest import Repo, commands

COMMANDS = sorted(commands())


def run(repo: Repo, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "curator", *arguments]
    return subprocess.run(command, cwd=repo.root, capture_output=True, env=os.environ | environment, check=False)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help_that_teaches(repo: Repo, name: str) -> None:
    result = repo.curator(name, "--help")
    assert result.exit_code == 0
    command = commands()[name]
    assert command.help
    assert len(command.help) > 20
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{name} {option.name} says nothing"


def test_help_names_every_command(repo: Repo) -> None:
    shown = repo.curator("--help").output
    assert all(f"  {name} " in shown for name in COMMANDS)


def test_the_list_of_commands_fits_a_terminal_and_cuts_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = repo.curator("--help").output.partition("Commands:\n")[2].rstrip("\n").split("\n")
    assert len(lines) == len(COMMANDS), "one line each"
    assert [line for line in lines if len(line) > 80 or line.endswith("...")] == []


@pytest.mark.parametrize("arguments", [("nope",), ("render", "--nope"), ("add", "x", "--importance", "11"), ("show",)])
def test_a_wrong_call_exits_2_without_a_traceback(base: Repo, arguments: tuple[str, ...]) -> None:
    result = run(base, *arguments)
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


def test_version_is_printed(repo: Repo) -> None:
    from curator import __version__

    assert repo.curator("--version").output == f"curator {__version__}\n"


def test_cl_01_cut_and_closed_output_give_no_traceback(base: Repo) -> None:
    for number in range(300):
        base.memory(f"m{number}", f"rule {number}")
    base.add()
    python = f"{sys.executable} -m curator"
    for line in (f"{python} recall rule -k 300 | head -1", f"{python} check >&-", f"{python} list --json >&-"):
        done = subprocess.run(["bash", "-c", line], cwd=base.root, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr
        assert b"Exception" not in done.stderr


def test_en_07_any_locale_prints_without_an_encoding_error(base: Repo) -> None:
    base.memory("b", "naïve 日本 😀")
    base.add()
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for command in (("render",), ("list",), ("show", "b"), ("recall", "naïve"), ("status",), ("list", "--json")):
        done = run(base, *command, **plain)
        assert done.returncode == 0, done.stderr
    first = (base.root / "CLAUDE.md").read_bytes()
    run(base, "render", LC_ALL="C.UTF-8")
    assert (base.root / "CLAUDE.md").read_bytes() == first
    assert "naïve 日本 😀".encode() in first


def test_every_open_names_its_encoding(base: Repo) -> None:
    for command in (["render"], ["add", "Use tabs."], ["import", "CLAUDE.md"], ["status"]):
        options = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
        done = subprocess.run([*options, "-m", "curator", *command], cwd=base.root, capture_output=True, check=False)
        assert b"EncodingWarning" not in done.stderr
        assert done.returncode == 0, done.stderr


def test_t25_nothing_in_data_drives_a_terminal(base: Repo) -> None:
    base.write(
        "memories/convention/e.yaml", 'schema: 1\nid: e\ncategory: convention\ntext: "\\e]0;owned\\a\\e[2Jcleared"\n'
    )
    base.write("memories/convention/\x1b[2J.yaml", "schema: 1\n")
    base.add()
    for command in (
        ["check"],
        ["check", "--json"],
        ["list"],
        ["status"],
        ["render"],
        ["recall", "cleared"],
        ["show", "\x1b[31m"],
    ):
        done = run(base, *command)
        for stream in (done.stdout, done.stderr):
            assert not [byte for byte in stream if byte < 0x20 and byte != 0x0A], command
            assert b"\x7f" not in stream


def test_colour_follows_the_terminal_and_no_color(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    import pty

    def shown(**environment: str) -> bytes:
        leader, follower = pty.openpty()
        command = [sys.executable, "-m", "curator", "render", "--diff"]
        base_environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        subprocess.run(
            command, cwd=base.root, stdout=follower, stderr=follower, env=base_environment | environment, check=True
        )
        os.close(follower)
        text = os.read(leader, 100_000)
        os.close(leader)
        return text

    assert b"\x1b[32m+" in shown(TERM="xterm")
    assert b"\x1b[" not in shown(TERM="xterm", NO_COLOR="1")


def test_an_interrupt_exits_130(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.verbs import status

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(status, "run", stop)
    assert base.curator("status").exit_code == 130
