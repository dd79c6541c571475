"""The server as a process: what it reads, what it writes, how it ends, and that nothing a client sends ends it."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repo
from tests.server.talking import COMMAND, HELLO, SAVED, SECONDS, Line, inbox

PROBE = {
    "jsonrpc": "2.0",
    "id": "server-discover-probe-1",
    "method": "server/discover",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_protocol_version_that_was_asked_for_is_spoken(base: Repo, version: str) -> None:
    with Line(base.root, hello=False) as line:
        answer = line.ask("initialize", {**HELLO, "protocolVersion": version})["result"]
        assert answer["protocolVersion"] == version
        assert answer["serverInfo"]["name"] == "curator"
        assert set(answer["capabilities"]) == {"tools", "resources", "prompts"}
        line.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert len(line.ask("tools/list")["result"]["tools"]) == 5


def test_the_probe_of_claude_code_is_answered_and_a_session_of_that_era_served(base: Repo) -> None:
    with Line(base.root, hello=False) as line:
        line.send(PROBE)
        answer = line.read()
        assert answer["id"] == "server-discover-probe-1"
        assert "2026-07-28" in answer["result"]["supportedVersions"]
        params = {"name": "search_memory", "arguments": {"queries": ["pytest"]}, **PROBE["params"]}  # type: ignore[dict-item]
        found = line.ask("tools/call", params)["result"]
        assert [one["id"] for one in found["structuredContent"]["results"]] == ["a"]


def test_a_bare_probe_gets_an_error_at_once_and_the_handshake_still_works(base: Repo) -> None:
    with Line(base.root, hello=False) as line:
        assert line.ask("server/discover")["error"]["code"] == -32601
        assert line.ask("initialize", HELLO)["result"]["protocolVersion"] == HELLO["protocolVersion"]


@pytest.mark.parametrize(
    ("sent", "named", "code"),
    [
        (b"{", None, -32700),
        (b"\xff\xfe\x00", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', 7, -32600),
        (b'{"id":"x","method":"ping"}', "x", -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
        (b"7", None, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\\ud800"}}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":"a\\udfffb","method":5}', None, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":' + b"9" * 5_000 + b"}}", 7, -32600),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":' + b"[" * 9_999 + b"]" * 9_999 + b"}", 7, -32700),
        (b'{"jsonrpc":"2.0","id":"x","method":"ping","params":' + b"[" * 9_999 + b"]" * 9_999 + b"}", "x", -32700),
        (
            b'{"jsonrpc":"2.0","method":"ping","params":' + b'{"id":1,"a":' * 9_999 + b"0" + b"}" * 9_999 + b"}",
            None,
            -32700,
        ),
        (b'{"jsonrpc":"2.0","id":7,"method":"nope"}', 7, -32601),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call"}', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nope"}}', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_stale","arguments":[]}}', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"resources/list","params":{"cursor":"x"}}', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"nope"}}', 7, -32602),
    ],
)
def test_what_is_no_request_gets_an_error_with_its_id(base: Repo, sent: bytes, named: object, code: int) -> None:
    with Line(base.root) as line:
        line.write(sent + b"\n")
        answer = line.read()
        assert (answer["id"], answer["error"]["code"]) == (named, code)
        assert line.ask("ping")["result"] == {}


def test_a_notification_is_never_answered(base: Repo) -> None:
    with Line(base.root) as line:
        for method in ("notifications/cancelled", "notifications/nope", "tools/call"):
            line.send({"jsonrpc": "2.0", "method": method, "params": {"requestId": 99}})
            line.send({"jsonrpc": "2.0", "method": method, "params": 7})
        line.write(b"\n   \n\r\n")
        assert line.ask("ping")["result"] == {}


def test_who_writes_all_and_closes_is_answered_too(base: Repo) -> None:
    asked = [("initialize", HELLO), ("tools/call", {"name": "search_memory", "arguments": {"queries": ["pytest"]}})]
    with Line(base.root, hello=False) as line:
        for number, (method, params) in enumerate(asked):
            line.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        code, out, err = line.end()
    answers = [json.loads(one) for one in out.decode().splitlines()]
    assert (code, err) == (0, b"")
    assert [one["id"] for one in answers] == [0, 1]
    assert answers[1]["result"]["structuredContent"]["results"]


def test_a_message_without_end_is_refused_and_not_kept(base: Repo) -> None:
    with Line(base.root) as line:
        head = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save_memory","arguments":{"text":"'
        line.write(head)
        for _ in range(70):
            line.write(b"x" * (1 << 20))
        line.write(b'"}}}\n')
        assert line.read()["error"]["code"] == -32700
        assert line.ask("ping")["result"] == {}


def test_a_message_of_many_values_is_refused_before_it_is_parsed(base: Repo) -> None:
    with Line(base.root) as line:
        many = b",".join([b'{"a":1}'] * 700_000)
        line.write(b'{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"search_memory","arguments":')
        line.write(b'{"queries":[' + many + b"]}}}\n")
        answer = line.read()
        assert (answer["id"], answer["error"]["code"]) == ("m", -32600)
        status = Path(f"/proc/{line.process.pid}/status")
        if status.exists():
            (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
            assert int(peak) < 200_000
        assert line.ask("ping")["result"] == {}


def _value(rng: random.Random, depth: int = 0) -> Any:
    made: list[Callable[[], Any]] = [
        lambda: rng.choice([None, True, False, 0, -1, 1 << 70, 0.5, 1e308, "", " ", "x"]),
        lambda: rng.choice(["../../etc/passwd", "a\0b", "CON", "\x1b[31m", "‮", "é" * 400, "-rf", "a;rm -rf /"]),
        lambda: rng.choice(["a", "pytest", "convention", SAVED, "memory://a", "shop/tax.py#round_vat"]),
        lambda: "y" * rng.choice([10, 1_300, 40_000]),
        lambda: [_value(rng, depth + 1) for _ in range(rng.randrange(4))],
        lambda: {f"k{n}": _value(rng, depth + 1) for n in range(rng.randrange(3))},
    ]
    pick: Callable[[], Any] = rng.choice(made[: 4 if depth > 2 else 6])
    return pick()


ARGUMENTS = (
    "queries files category limit min_confidence explain text why tags importance triggers supersedes task id reason"
    " topic nope"
).split()
METHODS = "tools/call tools/call tools/call tools/list resources/list resources/read prompts/get ping nope".split()


def _request(rng: random.Random) -> dict[str, Any]:
    """A request of which anything may be wrong; mostly a call of a tool that is there."""
    method = rng.choice(METHODS)
    names = rng.sample(ARGUMENTS, rng.randrange(5))
    tools = ["search_memory", "save_memory", "forget_memory", "list_stale", "find_route", "../x", "nope"]
    params: dict[str, Any] = {
        "name": rng.choice(tools),
        "arguments": {name: _value(rng) for name in names} if rng.random() < 0.9 else _value(rng),
        "uri": rng.choice(["memory://a", "memory://../../x", "memory://%00", "file:///etc/passwd", "x" * 9_000, ""]),
    }
    if rng.random() < 0.3:
        params["cursor"] = _value(rng)
    if rng.random() < 0.1:
        params = {name: value for name, value in params.items() if rng.random() < 0.5}
    return {"method": method, **({"params": params} if rng.random() < 0.97 else {"params": _value(rng)})}


def test_a_thousand_random_requests_are_answered_and_write_nothing_but_proposals(base: Repo) -> None:
    """Wrong types, missing fields, ids with `../`, a text of 10 MB: the server lives, each request gets one answer."""
    rng = random.Random(6)
    before = _outside(base)
    with Line(base.root) as line:
        for number in range(1_000):
            line.send({"jsonrpc": "2.0", "id": f"r{number}", **_request(rng)})
            answer = line.read()
            assert answer["id"] == f"r{number}"
            assert ("result" in answer) != ("error" in answer)
            if "error" in answer:
                assert answer["error"]["code"] in {-32600, -32601, -32602}, answer
            assert len(json.dumps(answer)) < 100_000
        for arguments in ({"text": "z" * 10_000_000}, {"text": SAVED, "why": "z" * 10_000_000}):
            assert line.call("save_memory", **arguments)["result"]["isError"]
        assert line.call("search_memory", queries=["q" * 10_000_000])["result"]["isError"]
        assert line.call("search_memory", queries=["pytest"])["result"]["structuredContent"]["results"]
        code, out, err = line.end()
    assert (code, out) == (0, b"")
    assert b"Traceback" not in err, err.decode()
    assert _outside(base) == before
    assert base.git("status", "--porcelain") == ""
    assert all(re.fullmatch(r"[0-9a-f]{12}\.yaml", path.name) for path in inbox(base))


def _outside(repo: Repo) -> list[str]:
    """Every file beside the repository, in its work tree and in git's folder, curator's own there left out."""
    return sorted(
        str(path) for path in repo.root.parent.rglob("*") if ".git/curator" not in path.as_posix() and path.is_file()
    )


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_the_server_opens_no_socket_that_listens(base: Repo) -> None:
    """T23."""
    with Line(base.root) as line:
        line.call("search_memory", queries=["pytest"])
        mine = {str(one.readlink()) for one in Path(f"/proc/{line.process.pid}/fd").iterdir()}
        inodes = {name[8:-1] for name in mine if name.startswith("socket:[")}
        for table in ("tcp", "tcp6", "udp", "udp6"):
            path = Path(f"/proc/{line.process.pid}/net/{table}")
            rows = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else []
            assert not inodes & {row.split()[9] for row in rows}
        listening = [
            row.split()
            for row in Path(f"/proc/{line.process.pid}/net/unix").read_text(encoding="utf-8").splitlines()[1:]
        ]
        assert not [row for row in listening if row[6] in inodes and row[3] == "00010000"]


def test_the_end_of_input_is_the_end_and_nothing_else_was_printed(base: Repo) -> None:
    with Line(base.root) as line:
        line.call("search_memory", queries=["pytest"])
        assert line.end() == (0, b"", b"")


NOISE = """
import os
from curator.verbs import recall
real = recall.run
def noisy(*words):
    print("noise of ours", flush=True)
    os.system("echo noise of a child; cat")
    return real(*words)
recall.run = noisy
from curator.cli import main
main(["mcp"])
"""


def test_what_prints_or_reads_beside_the_server_gets_neither_its_output_nor_its_input(base: Repo) -> None:
    with Line(base.root, command=[sys.executable, "-c", NOISE]) as line:
        assert line.call("search_memory", queries=["pytest"])["result"]["structuredContent"]["results"]
        code, out, err = line.end()
    assert (code, out) == (0, b"")
    assert err == b"noise of ours\nnoise of a child\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_although_input_is_open(base: Repo, number: signal.Signals) -> None:
    with Line(base.root) as line:
        line.ask("ping")
        line.process.send_signal(number)
        assert line.process.wait(timeout=SECONDS) in {-number, 130}
        assert line.process.stderr
        assert b"Traceback" not in line.process.stderr.read()


def test_a_client_that_goes_away_ends_it(base: Repo) -> None:
    with Line(base.root) as line:
        assert line.process.stdout
        line.process.stdout.close()
        line.send({"jsonrpc": "2.0", "id": 9, "method": "ping"})
        line.process.wait(timeout=SECONDS)
        assert line.process.stderr
        assert b"Traceback" not in line.process.stderr.read()


def test_the_repository_is_found_from_a_subfolder_or_from_the_clients_variable(
    base: Repo, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base.write("shop/api/app.py", "PORT = 80\n")
    base.commit()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    folders: list[tuple[Path, dict[str, Any]]] = [
        (base.root / "shop/api", {}),
        (elsewhere, {"CLAUDE_PROJECT_DIR": str(base.root / "shop")}),
    ]
    for number, (folder, environment) in enumerate(folders):
        with Line(folder, **environment) as line:
            found = line.call("search_memory", queries=["pytest"])["result"]["structuredContent"]
            assert [one["id"] for one in found["results"]] == ["a"]
            for name in ("api/app.py", "shop/api/app.py", str(base.root / "shop/api/app.py")):
                saved = line.call("save_memory", text=f"PORT is {number} for {len(name)}.", files=[name])["result"]
                assert ("isError" not in saved or not saved["isError"]) is (name != "api/app.py" or number == 1), saved
    cited = {re.findall(r"path: (\S+)", path.read_text(encoding="utf-8"))[0] for path in inbox(base)}
    assert cited == {"shop/api/app.py"}


def test_outside_of_a_repository_each_call_says_so_and_git_init_mends_it(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    folder.mkdir()
    with Line(folder) as line:
        answer = line.call("search_memory", queries=["x"])["result"]
        assert answer["isError"]
        assert "not inside a git repository" in answer["content"][0]["text"]
        assert "git init" in answer["content"][0]["text"]
        assert "error" in line.ask("resources/list")
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        assert line.call("search_memory", queries=["x"])["result"]["structuredContent"]["results"] == []


def test_bad_settings_are_told_with_the_way_out_and_mended_without_a_restart(base: Repo) -> None:
    base.write("memories/curator.yaml", "budget: 7\n")
    base.add()
    with Line(base.root) as line:
        answer = line.call("search_memory", queries=["pytest"])["result"]
        assert answer["isError"]
        assert answer["structuredContent"]["where"].startswith("memories/curator.yaml")
        base.git("rm", "-qf", "memories/curator.yaml")
        assert line.call("search_memory", queries=["pytest"])["result"]["structuredContent"]["results"]


@pytest.mark.parametrize(("closing", "named"), [("<&-", "input"), (">&-", "output"), ("<&- >&- 2>&-", "")])
def test_a_closed_stream_is_told_and_no_traceback(base: Repo, closing: str, named: str) -> None:
    words = [sys.executable, "-P", "-m", "curator", "mcp"]
    command = ["sh", "-c", f'echo "{{}}" | "$@" {closing}', "sh", *words]
    done = subprocess.run(command, cwd=base.root, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not named or f"standard {named} is closed" in done.stderr
    assert done.stdout == ""


def test_standard_error_may_be_closed_and_what_is_printed_goes_nowhere(base: Repo) -> None:
    asked = (("initialize", HELLO), ("tools/call", {"name": "search_memory", "arguments": {"queries": ["pytest"]}}))
    sent = "".join(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"
        for number, (method, params) in enumerate(asked)
    )
    command = ["sh", "-c", '"$@" 2>&-', "sh", sys.executable, "-c", NOISE]
    done = subprocess.run(command, cwd=base.root, input=sent, capture_output=True, text=True, timeout=SECONDS)
    _, found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found["result"]["structuredContent"]["results"]
    assert done.returncode == 0


def test_input_that_cannot_be_read_has_ended(base: Repo) -> None:
    command = ["sh", "-c", '"$@" 0>>written', "sh", sys.executable, "-P", "-m", "curator", "mcp"]
    done = subprocess.run(command, cwd=base.root, capture_output=True, text=True, timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


HASTY = """
from curator.server import wire
wire.PATIENCE = 0.5
from curator.cli import main
main(["mcp"])
"""


def test_the_end_of_input_is_the_end_although_nobody_reads_the_answers(base: Repo) -> None:
    with Line(base.root, command=[sys.executable, "-c", HASTY]) as line:
        for number in range(300):
            line.send({"jsonrpc": "2.0", "id": f"t{number}", "method": "tools/list"})
        assert line.process.stdin
        line.process.stdin.close()
        assert line.process.wait(timeout=SECONDS) == 0
        line.process.stdin = None


def test_without_the_package_a_person_is_told_what_to_install(base: Repo) -> None:
    code = (
        "import sys; sys.modules['mcp'] = sys.modules['mcp_types'] = None; from curator.cli import main; main(['mcp'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=base.root, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "pip install 'curator[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_only_the_server_of_the_package_is_loaded_and_all_of_it_where_that_is_not_enough() -> None:
    code = """
import sys
from curator.server import light
real, asked = light.import_module, []
def importing(name):
    asked.append(name)
    if len(asked) == {fails}:
        raise ImportError
    return real(name)
light.import_module = importing
print(light.load().Server.__name__, "mcp.client.session" in sys.modules)
from curator.server import app
"""
    for fails, whole in ((0, False), (1, True)):
        words = [sys.executable, "-c", code.replace("{fails}", str(fails))]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        assert done.stdout == f"Server {whole}\n"


def test_a_ping_is_answered_while_a_search_runs(base: Repo) -> None:
    with Line(base.root) as line:
        for number in range(20):
            line.send({"jsonrpc": "2.0", "id": f"s{number}", "method": "tools/call", "params": {"name": "list_stale"}})
        line.send({"jsonrpc": "2.0", "id": "p", "method": "ping"})
        order = [line.read()["id"] for _ in range(21)]
        assert sorted(order) == sorted([f"s{number}" for number in range(20)] + ["p"])
        assert order.index("p") < 20


def test_opening_the_command_line_loads_no_part_of_the_server() -> None:
    code = "import curator.cli, sys; print([name for name in sys.modules if name.startswith(('mcp', 'pydantic'))])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_the_first_answer_comes_soon(base: Repo) -> None:
    """2 s on a loaded machine are the number to reach (benchmarks/serving.py): here it only must not hang."""
    began = time.monotonic()
    with Line(base.root):
        assert time.monotonic() - began < SECONDS / 2
    assert COMMAND[-1] == "mcp"
