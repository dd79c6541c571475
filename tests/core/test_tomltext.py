"""config.toml as somebody wrote it: curator's tables put at its end and cut again."""

from __future__ import annotations

import tomllib

import pytest

from curator.core import agents, tomltext
from curator.errors import CuratorError

WHERE = "config.toml"
THEIRS = '''\
# mine
model = "o3" # for now
notes = """
[mcp_servers.fake]
command = "no table"
"""
matrix = [
  [1, 2],
  [3, 4], # ] [
]

[mcp_servers.x]
command = 'npx'
args = ["[hooks]"]

  [ mcp_servers . "a.b" ] # theirs
  url = "https://example.org/#[x]"

[[hooks]]
event = "Stop"
command = "echo mine"

# about the profile
[profiles.fast]
model = "mini"
'''
TEXTS = [
    THEIRS,
    THEIRS.replace("\n", "\r\n"),
    THEIRS.rstrip("\n"),
    f"{THEIRS}\n\n",
    f"{THEIRS}# the end",
    "",
    "\n",
    "a = 1",
    "mcp_servers.y.command = 'z'\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_server_that_is_put_in_and_taken_out_leaves_every_byte(text: str) -> None:
    after = agents.toml_server(text, "/opt/my tools/curator", WHERE)
    value = tomllib.loads(after)
    assert value["mcp_servers"].pop("curator") == {"command": "/opt/my tools/curator", "args": ["mcp"]}
    assert {name: one for name, one in value.items() if one} == tomllib.loads(text)
    assert after.startswith(text)
    assert agents.toml_server(after, "/opt/my tools/curator", WHERE) == after
    moved = agents.toml_server(after, "/new/curator", WHERE)
    assert moved == after.replace("/opt/my tools/curator", "/new/curator")
    assert agents.toml_unserved(after, WHERE) == text


@pytest.mark.parametrize("text", TEXTS)
def test_hooks_that_are_put_in_and_taken_out_leave_every_byte(text: str) -> None:
    after = agents.toml_hooks(text, "/opt/my tools/curator-hook", WHERE)
    hooks = tomllib.loads(after)["hooks"]
    assert [one["event"] for one in hooks if "curator" in one["command"]] == list(agents.KIMI)
    assert after.startswith(text)
    assert agents.toml_hooks(after, "/new/curator-hook", WHERE).count("/new/curator-hook") == len(agents.KIMI)
    assert agents.toml_unhooked(after, WHERE) == text


def test_what_was_added_to_our_table_goes_with_it_and_what_stands_behind_it_stays() -> None:
    after = agents.toml_server(THEIRS, "/opt/curator", WHERE)
    grown = f'{after}startup_timeout_sec = 20\n\n[mcp_servers.curator.env]\nA = "b"\n\n# theirs\n[tail]\nx = 1\n'
    assert agents.toml_server(grown, "/new/curator", WHERE) == grown.replace("/opt/curator", "/new/curator")
    assert agents.toml_unserved(grown, WHERE) == f"{THEIRS}\n# theirs\n[tail]\nx = 1\n"


@pytest.mark.parametrize(
    ("text", "told", "where"),
    [
        ("a = 1\nb = = 2\n", "is not TOML", f"{WHERE}:2"),
        ('a = "open\n', "is not TOML", f"{WHERE}:1"),
        ("[a]\n[a]\n", "is not TOML", f"{WHERE}:2"),
        ("[mcp_servers.curator]\nurl = 'https://example.org'\n", "is not curator's server", WHERE),
        ("mcp_servers = { x = { command = 'y' } }\n", "in a form that curator cannot change in place", WHERE),
        ("mcp_servers.curator = { command = '/old/curator', args = ['mcp'] }\n", "in a form", WHERE),
        ("a = '\udce9'\n", "is not UTF-8", f"{WHERE}:1"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(text: str, told: str, where: str) -> None:
    with pytest.raises(CuratorError) as caught:
        agents.toml_server(text, "/opt/curator", WHERE)
    assert told in caught.value.message
    assert caught.value.where == where


def test_hooks_in_another_form_are_refused() -> None:
    for text in ("hooks = [{ event = 'Stop', command = 'x' }]\n", "[hooks]\nx = 1\n", "hooks = 3\n"):
        with pytest.raises(CuratorError):
            agents.toml_hooks(text, "/opt/curator-hook", WHERE)
    for text in ("hooks = [{ event = 'Stop', command = '/opt/curator-hook' }]\n", "hooks = []\n"):
        with pytest.raises(CuratorError, match="in a form that curator cannot change in place"):
            agents.toml_hooks(text, "/opt/curator-hook", WHERE)


def test_a_bracket_within_a_string_or_an_array_begins_no_table() -> None:
    found = tomltext.tables(THEIRS)
    assert [one.path for one in found] == [
        *(("mcp_servers", "x"), ("mcp_servers", "a.b"), ("hooks",), ("profiles", "fast"))
    ]
    assert [one.array for one in found] == [False, False, True, False]
    assert THEIRS[found[2].start : found[2].end] == '[[hooks]]\nevent = "Stop"\ncommand = "echo mine"\n'
