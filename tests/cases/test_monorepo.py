"""Monorepos: only configured files are written, from whatever folder a command runs in."""

from __future__ import annotations

from tests.cases.conftest import Case, Setup
from tests.cases.hooking import fired
from tests.conftest import END, START


def guides(at: Case) -> set[str]:
    listed = at.git("ls-files", "-co").split("\n")
    return {path for path in listed if path.endswith(("CLAUDE.md", "AGENTS.md"))}


def test_mo_01_no_command_leaves_new_guides_in_any_folder(case: Setup) -> None:
    at = case(
        "base; mkdir -p api/v1 web/src .github/issues; echo x >api/v1/f.py; echo y >web/src/g.ts; "
        "mem p.yaml p convention P api/v1/f.py; commit; touch t.jsonl; "
        '(cd web/src; hook Stop "$PWD/../../t.jsonl"; mv hook.json ../../)'
    )
    before = at.git("status", "--porcelain", "--ignored").split("\n")
    for folder in (".", "web/src", ".github/issues"):
        for command in ("render", "check"):
            assert at.run(command, folder=at.path(folder)).code == 0
        fired(at, folder=at.path(folder))
    assert guides(at) == {"CLAUDE.md"}
    after = at.git("status", "--porcelain", "--ignored").split("\n")
    assert set(after) - set(before) == {" M CLAUDE.md"}


def test_mo_03_a_guide_that_is_no_target_stays_byte_for_byte(case: Setup) -> None:
    at = case("base; mkdir -p pkg/a; { echo A; block; } >pkg/a/CLAUDE.md; commit")
    inner = at.read("pkg/a/CLAUDE.md")
    assert at.run("render").code == 0
    assert at.git("diff", "--name-only") == "CLAUDE.md\n"
    assert at.read("pkg/a/CLAUDE.md") == inner


def test_mo_03_a_guide_in_a_folder_as_the_only_target_is_the_only_file_written(case: Setup) -> None:
    at = case("base; mkdir -p pkg/a; { echo A; block; } >pkg/a/CLAUDE.md; commit")
    at.write("memories/curator.yaml", "schema: 1\ntargets:\n  - path: pkg/a/CLAUDE.md\n")
    at.git("add", "memories")
    assert at.run("render").code == 0
    assert at.git("diff", "--name-only") == "pkg/a/CLAUDE.md\n"
    assert "- Run pytest with -q." in at.block("pkg/a/CLAUDE.md")


def test_mo_05_from_a_deep_folder_the_top_file_is_written_and_paths_can_be_opened(case: Setup) -> None:
    at = case("base; mkdir -p a/b/c; cd a/b/c")
    top = at.outer / "work"
    assert at.run("render").code == 0
    assert "- Run pytest with -q." in (top / "CLAUDE.md").read_text("utf-8")
    assert not list(at.folder.iterdir())
    (top / "memories/convention/x.yaml").write_text("schema: 1\n", "utf-8")
    at.git("add", "-A", folder=top)
    ran = at.run("check")
    assert ran.code == 1
    assert "../../../memories/convention/x.yaml:1: error" in ran.told
    assert at.run("check", "../../../memories/convention/a.yaml").code == 0
    assert at.run("show", "../../../memories/convention/a.yaml").code == 0
    added = at.run("add", "Deploy from main only.", "--category", "decision", "--no-render")
    assert added.code == 0
    (named,) = [line.partition(": ")[2] for line in added.out.decode().split("\n") if line.startswith("added")]
    assert (at.folder / named).is_file()
    (top / "CLAUDE.md").write_text(f"{START}\n", "utf-8")
    broken = at.run("render")
    assert broken.code == 2
    assert "../../../CLAUDE.md:1: the end marker is missing" in broken.told
    assert not list(at.folder.iterdir())


AGENTS = (
    "repo; mem a.yaml a convention x; { echo '# Rules'; block; } >AGENTS.md; mkdir pkg; "
    "echo 'pkg rules' >pkg/AGENTS.md; commit"
)


def test_mo_07_where_only_agents_md_exists_it_is_the_target_and_no_claude_md_appears(case: Setup) -> None:
    at = case(AGENTS)
    for name in ("SessionStart", "UserPromptSubmit", "Stop"):
        at.sh(f"""hook {name} /nowhere ',"prompt":"x"'; mv hook.json .git/""")
        fired(at, at.path(".git/hook.json").read_bytes())
        assert guides(at) == {"AGENTS.md", "pkg/AGENTS.md"}
    refused = at.run("render")
    assert refused.code == 2
    assert "CLAUDE.md" in refused.told
    assert "`curator init`" in refused.told
    assert at.run("init").code == 0
    assert at.run("render").code == 0
    assert "- x" in at.block("AGENTS.md").split("\n")
    assert guides(at) == {"AGENTS.md", "pkg/AGENTS.md"}
    assert "CLAUDE.md" not in at.read("memories/curator.yaml")


def test_mo_07_init_takes_agents_md_also_where_it_only_stands_in_a_folder(case: Setup) -> None:
    at = case(AGENTS)
    at.git("rm", "-q", "AGENTS.md")
    assert at.run("init").code == 0
    assert guides(at) == {"AGENTS.md", "pkg/AGENTS.md"}


def test_mo_07_a_claude_md_that_is_asked_for_imports_agents_md_and_says_what_it_hides(case: Setup) -> None:
    at = case(AGENTS)
    ran = at.run("init", "--target", "CLAUDE.md")
    assert ran.code == 0
    assert at.read("CLAUDE.md").startswith(f"@AGENTS.md\n\n{START}\n")
    assert at.read("CLAUDE.md").endswith(f"- x\n{END}\n")
    assert "pkg/AGENTS.md" in ran.told


def test_a_folder_has_memories_of_its_own_only_where_it_holds_settings(case: Setup) -> None:
    at = case("base; mkdir -p pkg/a/memories/convention x; cp memories/convention/a.yaml x/a.yaml; commit")
    inner = at.read("memories/convention/a.yaml").replace('"a"', "b").replace("Run pytest with -q.", "Only in pkg/a.")
    at.write("pkg/a/memories/convention/b.yaml", inner)
    at.git("add", "-A")
    assert [one["id"] for one in at.run("list", "--json").json()["entries"]] == ["a"]
    at.write("pkg/a/memories/curator.yaml", "")
    at.git("add", "-A")
    entries = at.run("list", "--json").json()["entries"]
    assert [(one["path"], one["out"]) for one in entries] == [
        ("memories/convention/a.yaml", ""),
        ("pkg/a/memories/convention/b.yaml", "scope pkg/a/"),
    ]
    at.write("pkg/a/CLAUDE.md", f"{START}\n{END}\n")
    at.write(
        "memories/curator.yaml",
        "schema: 1\ntargets:\n  - path: CLAUDE.md\n  - {path: pkg/a/CLAUDE.md, scope: pkg/a/}\n",
    )
    at.git("add", "-A")
    assert at.run("render").code == 0
    assert "- Only in pkg/a." in at.block("pkg/a/CLAUDE.md").split("\n")
    assert "pytest" not in at.block("pkg/a/CLAUDE.md")
    assert "Only in pkg/a." not in at.block()
