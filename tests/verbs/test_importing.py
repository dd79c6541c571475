"""The first minute of somebody with a CLAUDE.md full of rules."""

from __future__ import annotations

import json
import os
import subprocess

from tests.citing import TAX
from tests.conftest import END, START, Repo

PROSE = "Words about the project that no list of rules needs. " * 15
RULES = f"""\
# Shop

{PROSE}

## Testing

- Run the tests with `make test` before each commit.
- Never mock the database.

## Layout

- `src/tax.py` - rounds VAT per line

## Commands

```sh
make build
```
"""


def rules(repo: Repo, text: str = RULES) -> None:
    repo.write("src/tax.py", "def round_vat(): ...\n")
    repo.write("CLAUDE.md", text)
    repo.commit()


def test_the_plan_is_shown_and_nothing_written_without_a_yes(repo: Repo) -> None:
    rules(repo)
    result = repo.curator("import", "CLAUDE.md")
    assert result.exit_code == 0
    assert "Never mock the database." in result.stdout
    assert "constraint (" in result.stdout
    assert "nothing was written; `--yes` writes without asking" in result.stderr
    assert repo.git("status", "--porcelain") == ""


def test_entries_have_category_source_and_date_from_blame(repo: Repo) -> None:
    rules(repo)
    entries = json.loads(repo.curator("import", "CLAUDE.md", "--json").stdout)["entries"]
    told = {entry["text"]: entry for entry in entries}
    mock = told["Never mock the database."]
    assert mock["category"] == "constraint"
    assert mock["lines"] == [8, 8]
    assert mock["origin"]["by"] == "import"
    assert mock["origin"]["created"].startswith("2026-01-01T00:00:00")
    assert repo.git("rev-parse", "HEAD").startswith(mock["origin"]["commit"])
    (route,) = [entry for entry in entries if entry["category"] == "route"]
    assert [source["path"] for source in route["sources"]] == ["src/tax.py"]


def test_yes_writes_and_stages_the_entries_and_the_block(repo: Repo) -> None:
    rules(repo)
    repo.curator("init")
    repo.commit()
    result = repo.curator("import", "CLAUDE.md", "--yes")
    assert result.exit_code == 0, result.stderr
    assert "written and staged: " in result.stderr
    assert "- Never mock the database." in repo.read("CLAUDE.md").partition(START)[2]
    assert repo.git("diff", "--name-only") == ""
    assert repo.curator("check").exit_code == 0
    assert repo.curator("render", "--check").exit_code == 0


def test_remove_takes_the_imported_lines_out_and_keeps_every_other_byte(repo: Repo) -> None:
    rules(repo)
    repo.curator("init")
    repo.commit()
    plan = repo.curator("import", "CLAUDE.md", "--remove")
    assert "\n-- Never mock the database.\n" in plan.stdout
    assert "Never mock" in repo.read("CLAUDE.md")
    repo.curator("import", "CLAUDE.md", "--remove", "--yes")
    text = repo.read("CLAUDE.md")
    written = text.partition(START)[0]
    assert "Never mock" not in written
    assert PROSE in written
    assert text.count(START) == text.count(END) == 1
    assert "Never mock" in text
    kept = [line for line in written.split("\n") if line]
    assert [line for line in RULES.split("\n") if line in kept and line] == kept


def test_an_import_twice_adds_nothing(repo: Repo) -> None:
    rules(repo)
    repo.curator("init")
    repo.curator("import", "CLAUDE.md", "--yes")
    before = repo.git("ls-files", "-s")
    result = repo.curator("import", "CLAUDE.md", "--yes")
    assert "already a memory: " in result.stdout
    assert "0 new memories" in result.stdout
    assert repo.git("ls-files", "-s") == before


def test_the_block_itself_is_not_imported(repo: Repo) -> None:
    rules(repo, RULES + f"\n{START}\n- Written by curator.\n{END}\n")
    assert "Written by curator" not in repo.curator("import", "CLAUDE.md", "--json").stdout


def test_what_the_guard_refuses_stays_and_is_named(repo: Repo) -> None:
    rules(repo, "- Load @docs/style.md before you start with anything.\n- Never mock the database.\n")
    told = json.loads(repo.curator("import", "CLAUDE.md", "--json").stdout)
    assert [entry["text"] for entry in told["entries"]] == ["Never mock the database."]
    assert "@docs/style.md" in told["skipped"][0]["text"]


def test_an_agent_may_look_at_the_plan_but_not_take_it(repo: Repo) -> None:
    rules(repo)
    os.environ["CLAUDECODE"] = "1"
    try:
        assert repo.curator("import", "CLAUDE.md").exit_code == 0
        assert repo.curator("import", "CLAUDE.md", "--yes").exit_code == 2
    finally:
        del os.environ["CLAUDECODE"]
    assert repo.git("status", "--porcelain") == ""


def test_a_file_that_was_never_committed_is_imported_too(repo: Repo) -> None:
    repo.write("notes.md", "- Never mock the database.\n")
    told = json.loads(repo.curator("import", "notes.md", "--json").stdout)
    assert len(told["entries"]) == 1
    assert "commit" not in told["entries"][0]["origin"]


def test_crlf_and_a_byte_order_mark_survive_a_removal(repo: Repo) -> None:
    rules(
        repo,
        f"\ufeff# Shop\r\n\r\n{PROSE}\r\n\r\n- Never mock the database.\r\n",
    )
    repo.curator("init")
    repo.curator("import", "CLAUDE.md", "--remove", "--yes")
    data = (repo.root / "CLAUDE.md").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# Shop\r\n\r\nWords about")
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_a_missing_file_is_named(repo: Repo) -> None:
    result = repo.curator("import", "RULES.md")
    assert result.exit_code == 2
    assert "RULES.md: no such file" in result.stderr


def test_a_question_is_asked_on_a_terminal(repo: Repo) -> None:
    import pty
    import sys

    rules(repo)
    repo.curator("init")
    repo.commit()
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "curator", "import", "CLAUDE.md"]
    with subprocess.Popen(
        command, cwd=repo.root, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        os.write(leader, b"y\n")
        _, stderr = run.communicate(timeout=60)
    os.close(leader)
    os.close(follower)
    assert b"Write " in stderr
    assert run.returncode == 0
    assert "memories/constraint/" in repo.git("diff", "--cached", "--name-only")


def test_a_rule_whose_twin_is_retired_stays_in_the_file(repo: Repo) -> None:
    rules(repo)
    repo.curator("init")
    repo.curator("add", "Never mock the database.")
    (path,) = repo.root.glob("memories/constraint/*.yaml")
    repo.curator("retire", path.stem, "--reason", "we use a fake")
    repo.commit()
    result = repo.curator("import", "CLAUDE.md", "--remove", "--yes")
    assert "was retired on" in result.stdout
    assert "- Never mock the database." in repo.read("CLAUDE.md")


def test_an_import_that_cannot_write_the_file_writes_no_entry(repo: Repo) -> None:
    rules(repo)
    repo.curator("init")
    repo.commit()
    (repo.root / "CLAUDE.md").chmod(0o444)
    result = repo.curator("import", "CLAUDE.md", "--remove", "--yes", "--no-render")
    assert result.exit_code == 2
    assert "CLAUDE.md: is read-only" in result.stderr
    assert repo.git("status", "--porcelain") == ""


def test_a_secret_in_the_file_is_named_and_never_printed(repo: Repo) -> None:
    value = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zaB3dE"
    rules(repo, f"- Deploy with the token {value} from CI only.\n- Never mock the database.\n")
    for options in ((), ("--json",)):
        result = repo.curator("import", "CLAUDE.md", *options)
        assert value not in result.stdout + result.stderr
        assert "looks like a secret" in result.stdout


def test_lines_that_are_memories_already_can_be_taken_out_later(repo: Repo) -> None:
    rules(repo)
    repo.curator("init")
    repo.commit()
    first = repo.curator("import", "CLAUDE.md", "--yes")
    assert "`curator import CLAUDE.md --remove` takes them out" in first.stderr
    second = repo.curator("import", "CLAUDE.md", "--remove", "--yes")
    assert "written and staged: 0" not in second.stderr
    assert "Never mock" not in repo.read("CLAUDE.md").partition(START)[0]


def test_an_import_leaves_out_what_no_longer_holds_and_says_why(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    base.write("shop/money.py", "CENT = 1\n" * 20)
    rules = ["- Round with `round_vat` from `shop/tax.py`.", "- Cents live in `shop/money.py` alone.", "- Be kind."]
    base.write("RULES.md", "\n".join([*rules, ""]))
    base.commit()
    base.write("shop/tax.py", TAX.replace("round_vat", "round_tax"))
    base.git("mv", "shop/money.py", "shop/cents.py")
    base.commit()
    told = base.curator("import", "RULES.md").stdout
    assert "no longer holds: `round_vat` is gone from shop/tax.py" in " ".join(told.split())
    assert "names an old path: shop/money.py moved to shop/cents.py" in " ".join(told.split())
    assert "0 new memories" in told or "Be kind" in told


def test_an_import_cites_the_one_file_that_defines_what_a_rule_names(base: Repo) -> None:
    base.write("shop/pool.py", "MAX_POOL_SIZE = 8\n")
    base.write("RULES.md", "- `MAX_POOL_SIZE` is 8, as the database allows ten connections.\n")
    base.commit()
    plan = json.loads(base.curator("import", "RULES.md", "--json").stdout)
    [source] = plan["entries"][0]["sources"]
    assert (source["path"], source["symbol"]) == ("shop/pool.py", "MAX_POOL_SIZE")
