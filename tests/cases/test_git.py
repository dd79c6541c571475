"""Git: new, bare, linked, nested, shallow and locked repositories, and names that git would quote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases.conftest import Case, Setup
from tests.cases.hooking import fired


def test_ge_01_a_repository_without_a_commit_works(case: Setup) -> None:
    at = case("repo; echo x >src.py; mem a.yaml a convention 'A.' src.py; block >CLAUDE.md; git add -A")
    for arguments in (("check",), ("check", "--json"), ("render",), ("recall", "A"), ("status",), ("list",)):
        assert at.run(*arguments).code == 0, arguments
    (entry,) = at.run("check", "--json").json()["entries"]
    assert entry["state"] in {"fresh", "unknown"}
    assert "- A." in at.block().split("\n")
    assert at.run("render", "--check").code == 0
    assert fired(at, b"").out == b""
    assert at.run("add", "Deploy from main only.", "--category", "decision").code == 0


def test_ge_03_a_bare_repository_is_refused_in_one_line(case: Setup) -> None:
    at = case("repo ../b_$$.git; git init -q --bare x.git; cd x.git")
    for command in ("render", "check", "recall", "init", "status"):
        ran = at.run(command)
        assert ran.code == 2
        assert "no work tree here" in ran.told
        assert ran.told.count("\n") == 1
        assert ran.out == b""


def test_outside_any_repository_the_way_in_is_named(case: Setup) -> None:
    at = case("mkdir plain; cd plain")
    ran = at.run("check")
    assert ran.code == 2
    assert "not inside a git repository" in ran.told
    assert "`git init`" in ran.told


def test_ge_05_a_linked_work_tree_is_worked_on_by_itself(case: Setup) -> None:
    # `curator init` installs no hooks; where they go waits for the command that does.
    at = case("base; git worktree add -q ../w3_$$ -b w3; cd ../w3_$$")
    main = at.outer / "work"
    before = (main / "CLAUDE.md").read_bytes()
    at.sh("mem l.yaml l convention 'Only here.'; git add -A")
    assert at.run("check").code == 0
    assert at.run("render").code == 0
    assert "- Only here." in at.block().split("\n")
    assert (main / "CLAUDE.md").read_bytes() == before
    assert "Only here." not in at.run("list", folder=main).out.decode()
    assert at.run("init").code == 0
    assert list((main / ".git/hooks").iterdir()) == []


def test_ge_07_a_submodule_and_its_parent_keep_their_memories_apart(case: Setup) -> None:
    at = case(
        "repo sub; (cd sub; mem s.yaml s convention 'SUB rule'; block >CLAUDE.md; commit); repo top; cd top; "
        "mem t.yaml t convention 'TOP rule'; block >CLAUDE.md; commit; "
        "git -c protocol.file.allow=always submodule --quiet add ../sub sm; commit"
    )
    assert at.run("render", folder=at.path("sm")).code == 0
    assert "SUB rule" in at.block("sm/CLAUDE.md")
    assert "TOP rule" not in at.block("sm/CLAUDE.md")
    assert at.block() == "old"
    assert at.run("render").code == 0
    assert "TOP rule" in at.block()
    assert "SUB rule" not in at.block()
    assert at.run("render", "--check", folder=at.path("sm")).code == 0


def test_ge_09_a_shallow_clone_gives_the_same_answer(case: Setup) -> None:
    at = case(
        "base; echo v1 >old.py; mem o.yaml o convention 'O.' old.py; commit; "
        "for i in 1 2 3; do echo $i >n; commit n$i; done; "
        'git clone -q --depth 1 "file://$PWD" ../sh_$$; cd ../sh_$$'
    )
    full = at.outer / "work"
    here, there = at.run("check", "--json"), at.run("check", "--json", folder=full)
    assert (here.code, here.out) == (there.code, there.out)
    assert here.code == 0
    assert {entry["id"]: entry["state"] for entry in here.json()["entries"]}["o"] == "fresh"
    assert at.run("render").code == 0
    assert at.run("render", folder=full).code == 0
    assert at.path("CLAUDE.md").read_bytes() == (full / "CLAUDE.md").read_bytes()


def test_ge_11_a_repository_with_sha_256_names_is_never_called_up_to_date(case: Setup) -> None:
    at = case(
        "git init -q -b main --object-format=sha256; mem a.yaml a convention A; block >CLAUDE.md; git add -A; "
        "git -c user.name=t -c user.email=t commit -qm 1; mem a.yaml a convention CHANGED; git add -A"
    )
    ran = at.run("render", "--check")
    assert ran.code == 1
    assert "+- CHANGED" in ran.out.decode().split("\n")
    assert at.run("render").code == 0
    assert "- CHANGED" in at.block().split("\n")
    assert at.run("render", "--check").code == 0
    at.sh("echo x >src.py; git add -A")
    assert at.run("add", "Keep src.py small.", "--category", "convention", "--source", "src.py").code == 0
    assert at.run("check").code == 0


def test_ge_13_a_secret_in_a_file_with_a_foreign_name_is_refused_and_the_name_readable(case: Setup) -> None:
    at = case(
        """base; mem 'règle-日本.yaml' r convention "token $(fake ghp_ 36)"; echo x >'src-é.py'; """
        "mem q.yaml q convention Q 'src-é.py'; git add -A"
    )
    ran = at.run("check")
    assert ran.code == 1
    assert "memories/convention/règle-日本.yaml" in ran.told
    assert "looks like a secret" in ran.told
    assert "memories/convention/q.yaml" not in ran.told
    assert at.run("render").code == 0
    assert "token" not in at.block()
    assert state(at, "q") == "fresh"
    at.sh("echo y >'src-é.py'; git add -A")
    assert state(at, "q") == "unknown"  # another content, and Q names nothing in it
    at.sh("git rm -qf 'src-é.py'")
    assert state(at, "q") == "stale"
    assert "src-é.py is not a tracked file" in at.run("check").told


def state(at: Case, name: str) -> str:
    found: str = next(entry["state"] for entry in at.run("check", "--json").json()["entries"] if entry["id"] == name)
    return found


def test_ge_16_a_path_in_another_unicode_form_is_no_error(case: Setup) -> None:
    at = case(
        r"""base; NFC=$(printf '\303\251.py'); NFD=$(printf 'e\314\201.py'); echo x >"$NFC"; """
        """BLOB=$(git hash-object -- "$NFC") mem n.yaml n convention N "$NFD"; commit"""
    )
    ran = at.run("check")
    assert (ran.code, ran.err) == (0, b"")
    assert state(at, "n") == "fresh"
    at.sh(r"""echo y >"$(printf '\303\251.py')"; git add -A""")
    assert state(at, "n") == "unknown"
    assert at.run("check", "--staged", "--strict").code == 0


def test_ge_17_commands_that_look_work_beside_a_lock_and_leave_the_index_alone(case: Setup) -> None:
    at = case("base; touch CLAUDE.md; touch .git/index.lock")
    for name in ("SessionStart", "UserPromptSubmit", "Stop"):
        at.sh(f"""hook {name} /nowhere ',"prompt":"pytest -q"'""")
        fired(at)
    looking = (("check",), ("check", "--json"), ("recall", "pytest"), ("render", "--check"))
    for arguments in looking:
        assert at.run(*arguments).code == int(arguments[0] == "render")
    at.path(".git/index.lock").unlink()
    index = at.path(".git/index")
    before = index.stat().st_mtime_ns, index.read_bytes()
    at.path(".git/curator/index.db").unlink()
    for arguments in looking:
        at.run(*arguments)
    assert (index.stat().st_mtime_ns, index.read_bytes()) == before


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_ge_19_no_child_outlives_a_command_and_the_folder_can_be_removed(case: Setup) -> None:
    at = case("base")
    for arguments in (
        ("check",),
        ("render",),
        ("recall", "x"),
        ("add", "Deploy from main only."),
        ("import", "CLAUDE.md"),
    ):
        started = subprocess.Popen(
            [sys.executable, "-P", "-m", "curator", *arguments],
            cwd=at.folder,
            env=at.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert started.wait(60) == 0
        assert in_session(started.pid) == []
    at.sh("rm -r .git memories CLAUDE.md")
    assert list(at.folder.iterdir()) == []


def in_session(leader: int) -> list[int]:
    """Processes of the session that *leader* opened (proc_pid_stat(5): the sixth field)."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(process.name))
    return found
