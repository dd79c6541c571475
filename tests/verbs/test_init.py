"""Setting a repository up."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import END, START, Repo

BLOCK = f"{START}\n{END}\n"


def test_init_writes_settings_schema_attributes_and_an_empty_block(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Rules\n")
    repo.commit()
    result = repo.curator("init")
    assert result.exit_code == 0
    assert repo.read("CLAUDE.md") == f"# Rules\n\n{BLOCK}"
    assert repo.read(".gitattributes").startswith("memories/**/*.yaml text eol=lf\n")
    assert '"$schema"' in repo.read("memories/memory.schema.json")
    staged = repo.git("diff", "--cached", "--name-only").split()
    assert staged == [
        *(".gitattributes", "CLAUDE.md", "memories/curator.schema.json", "memories/curator.yaml"),
        "memories/memory.schema.json",
    ]
    assert "Next: `curator add" in result.stdout


def test_init_twice_changes_nothing(repo: Repo) -> None:
    repo.curator("init")
    before = {path: path.read_bytes() for path in repo.root.rglob("*") if path.is_file() and ".git/" not in str(path)}
    assert "nothing to do" in repo.curator("init").stdout
    assert before == {path: path.read_bytes() for path in before}


def test_a_dry_run_shows_a_diff_and_writes_nothing(repo: Repo) -> None:
    result = repo.curator("init", "--dry-run")
    assert "+++ b/memories/curator.yaml" in result.stdout
    assert f"+{START}" in result.stdout
    assert sorted(path.name for path in repo.root.iterdir()) == [".git"]


@pytest.mark.parametrize("options", [(), ("--claude", "--team")])
def test_what_a_dry_run_shows_is_what_git_applies(repo: Repo, options: tuple[str, ...]) -> None:
    repo.write("AGENTS.md", "# Rules without a last line break")
    repo.commit()
    shown = repo.curator("init", *options, "--dry-run").stdout
    subprocess.run(["git", "apply", "--index"], input=shown.encode(), cwd=repo.root, check=True)
    applied = {path: repo.read(path) for path in repo.git("ls-files").split()}
    repo.git("reset", "-q", "--hard")
    assert repo.curator("init", *options).exit_code == 0
    assert applied == {path: repo.read(path) for path in repo.git("ls-files").split()}
    assert "memories/curator.yaml" in applied


def test_init_takes_agents_md_where_only_that_exists(repo: Repo) -> None:
    repo.write("AGENTS.md", "# Rules\n")
    repo.commit()
    repo.curator("init")
    assert START in repo.read("AGENTS.md")
    assert not (repo.root / "CLAUDE.md").exists()
    assert "- path: AGENTS.md" in repo.read("memories/curator.yaml")
    repo.curator("add", "Use tabs.")
    assert "- Use tabs." in repo.read("AGENTS.md")


def test_a_wanted_claude_md_imports_agents_md_and_names_what_it_hides(repo: Repo) -> None:
    repo.write("AGENTS.md", "# Rules\n")
    repo.write("pkg/AGENTS.md", "# More\n")
    repo.commit()
    result = repo.curator("init", "--target", "CLAUDE.md")
    assert repo.read("CLAUDE.md").startswith("@AGENTS.md\n")
    assert "stops reading AGENTS.md, pkg/AGENTS.md" in result.stderr


def test_init_follows_a_link_from_claude_md(repo: Repo) -> None:
    repo.write("AGENTS.md", "# Rules\n")
    (repo.root / "CLAUDE.md").symlink_to("AGENTS.md")
    repo.commit()
    repo.curator("init")
    assert (repo.root / "CLAUDE.md").is_symlink()
    assert START in repo.read("AGENTS.md")


def test_team_sets_block_main(repo: Repo) -> None:
    repo.curator("init", "--team")
    assert "block: main" in repo.read("memories/curator.yaml")


def test_init_never_overwrites_settings_that_are_there(repo: Repo) -> None:
    repo.write("memories/curator.yaml", "namespace: ours\n")
    repo.curator("init")
    assert repo.read("memories/curator.yaml") == "namespace: ours\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("namespace: ours\n", "namespace: ours\nblock: main\n"),
        ("block: here   # for now\nnamespace: ours\n", "block: main   # for now\nnamespace: ours\n"),
        ("block: main\n", "block: main\n"),
        ("block: 'here'\n", "block: main\n"),
        ("schema: 1\r\n# tail\r\n\r\n", "schema: 1\r\n# tail\r\n\r\nblock: main\r\n"),
        ("{schema: 1}\n", "{schema: 1}\n"),
        ("block :  here\n", "block :  here\n"),
    ],
)
def test_a_repository_that_is_set_up_becomes_a_teams(repo: Repo, before: str, after: str) -> None:
    repo.write("memories/curator.yaml", before)
    assert repo.curator("init", "--team").exit_code == 0
    assert repo.read("memories/curator.yaml") == after


def test_init_does_not_stage_other_peoples_changes(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Rules\n")
    repo.commit()
    repo.write("CLAUDE.md", "# Rules\nunfinished\n")
    result = repo.curator("init")
    assert "CLAUDE.md  (not staged, it holds more than this: `git add CLAUDE.md`)" in result.stdout
    assert "unfinished" not in repo.git("show", ":CLAUDE.md")


def test_init_keeps_line_ends_and_mode(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Rules\r\nmore\r\n")
    (repo.root / "CLAUDE.md").chmod(0o640)
    repo.curator("init")
    assert repo.read("CLAUDE.md") == f"# Rules\r\nmore\r\n\r\n{START}\r\n{END}\r\n"
    assert (repo.root / "CLAUDE.md").stat().st_mode & 0o777 == 0o640


def test_init_offers_to_import_what_the_file_says_already(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Rules\n\n- Never push to main.\n- Run the tests with `make test` before each commit.\n")
    assert "CLAUDE.md holds 2 rules: `curator import CLAUDE.md` shows" in repo.curator("init").stdout


def test_outside_a_repository_init_says_what_to_do(repo: Repo) -> None:
    import shutil

    shutil.rmtree(repo.root / ".git")
    result = repo.curator("init")
    assert result.exit_code == 2
    assert "not inside a git repository\n  -> run `git init` first" in result.stderr
