"""`curator audit` on real histories: what the code left behind is told, what still holds is not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import END, START, Repo

TAX = "RATE = 7\n\n\ndef round_vat(total):\n    return round(total, 2)\n\n\ndef net(total):\n    return total\n"


def audited(repo: Repo, *arguments: str) -> dict[str, Any]:
    result = repo.curator("audit", "--json", *arguments)
    assert result.exit_code in {0, 1}, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def findings(repo: Repo, *arguments: str) -> list[tuple[str, int, str, str]]:
    told = audited(repo, *arguments)["findings"]
    return [(one["path"], one["line"], one["state"], one["reasons"][0]["message"]) for one in told]


def states(repo: Repo) -> list[str]:
    return [state for _, _, state, _ in findings(repo)]


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """A shop with rules, committed."""
    repo.write("shop/tax.py", TAX)
    repo.write("CLAUDE.md", "# Shop\n\n- Amounts are rounded by `round_vat` in `shop/tax.py`, per line.\n")
    repo.commit("rules")
    return repo


def test_a_symbol_that_left_its_file_is_stale_and_the_commit_is_named(shop: Repo) -> None:
    shop.write("other.txt", "1")
    shop.commit("unrelated")
    shop.write("shop/tax.py", TAX.replace("round_vat", "rounded"))
    shop.commit("Rename the rounding")
    shop.write("shop/tax.py", TAX.replace("round_vat", "rounded").replace("7", "8"))
    shop.commit("later")

    told = audited(shop)

    (found,) = told["findings"]
    assert (found["path"], found["first"], found["last"], found["line"]) == ("CLAUDE.md", 3, 3, 3)
    assert (found["state"], found["level"]) == ("stale", "error")
    assert found["reasons"][0] == {
        "state": "stale",
        "change": "term-gone",
        "name": "round_vat",
        "source": "shop/tax.py",
        "elsewhere": "",
        "message": "`round_vat` is gone from shop/tax.py",
        "lines": ["def round_vat(total):"],
    }
    assert (found["commit"]["subject"], found["commit"]["author"]) == ("Rename the rounding", "Ada")
    assert found["commit"]["id"] == shop.git("rev-parse", "HEAD^").strip()
    assert found["edit"] is None
    assert told["files"] == [
        {"path": "CLAUDE.md", "statements": 1, "checkable": 1, "stale": 1, "review": 0, "moved": 0, "unknown": {}}
    ]


def test_a_true_statement_about_a_file_that_changed_a_lot_is_no_finding(shop: Repo) -> None:
    for number in range(12):
        extra = "".join(f"def helper_{number}_{each}():\n    return {each}\n\n\n" for each in range(20))
        shop.write("shop/tax.py", extra + TAX.replace("return total\n", f"return total * {number}\n"))
        shop.commit(f"change {number}")

    assert findings(shop) == []
    assert shop.curator("audit", "--strict").exit_code == 0


def test_a_file_that_was_renamed_gives_the_line_with_its_new_path(shop: Repo) -> None:
    shop.git("mv", "shop/tax.py", "shop/vat.py")
    shop.commit("Move tax")

    (found,) = audited(shop)["findings"]

    assert (found["state"], found["reasons"][0]["elsewhere"]) == ("moved", "shop/vat.py")
    assert found["edit"] == {
        "before": "- Amounts are rounded by `round_vat` in `shop/tax.py`, per line.",
        "after": "- Amounts are rounded by `round_vat` in `shop/vat.py`, per line.",
    }
    assert found["commit"]["subject"] == "Move tax"
    assert (shop.curator("audit").exit_code, shop.curator("audit", "--strict").exit_code) == (0, 1)


def test_a_bare_name_that_leads_to_the_new_place_still_holds(repo: Repo) -> None:
    repo.write("shop/tax.py", TAX)
    repo.write("CLAUDE.md", "Look into `tax.py` for `round_vat`.\n")
    repo.commit()
    repo.git("mv", "shop/tax.py", "tax.py")
    repo.commit()

    assert findings(repo) == []


def test_a_file_that_was_deleted_is_stale(shop: Repo) -> None:
    shop.git("rm", "-q", "shop/tax.py")
    shop.commit("Drop tax")

    (found,) = audited(shop)["findings"]

    assert (found["state"], found["reasons"][0]["change"]) == ("stale", "path-gone")
    assert found["commit"]["subject"] == "Drop tax"


def test_what_is_only_staged_has_no_commit(shop: Repo) -> None:
    shop.git("rm", "-q", "shop/tax.py")

    (found,) = audited(shop)["findings"]

    assert (found["state"], found["commit"]) == ("stale", None)


def test_a_revert_holds_again(shop: Repo) -> None:
    shop.write("shop/tax.py", "gone = 1\n")
    shop.commit("oops")
    shop.git("revert", "--no-edit", "HEAD")

    assert findings(shop) == []


def test_the_breaking_merge_is_named_even_where_branches_lie_side_by_side(shop: Repo) -> None:
    shop.git("checkout", "-qb", "side")
    shop.write("shop/tax.py", TAX.replace("round_vat", "rounded"))
    shop.commit("on a branch")
    shop.git("checkout", "-q", "main")
    shop.write("note.txt", "x")
    shop.commit("meanwhile")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")

    (found,) = audited(shop)["findings"]

    assert found["commit"]["subject"] == "Merge side"


def test_a_name_without_a_file_is_stale_when_what_defined_it_is_gone(repo: Repo) -> None:
    repo.write("lib/cache.py", "def warm_cache():\n    pass\n")
    repo.write("AGENTS.md", "Call `warm_cache` before the first request.\n")
    repo.commit()
    repo.write("lib/cache.py", "def heat():\n    pass\n")
    repo.commit("Rename")

    (found,) = audited(repo)["findings"]

    assert (found["state"], found["reasons"][0]["name"]) == ("stale", "warm_cache")
    assert found["commit"]["subject"] == "Rename"


def test_a_name_that_moved_to_another_file_holds_when_no_file_was_named(repo: Repo) -> None:
    repo.write("lib/cache.py", "def warm_cache():\n    pass\n")
    repo.write("AGENTS.md", "Call `warm_cache` before the first request.\n")
    repo.commit()
    repo.git("mv", "lib/cache.py", "lib/store.py")
    repo.commit()

    assert findings(repo) == []


def test_a_flag_that_left_the_program_asks_for_a_look(repo: Repo) -> None:
    repo.write("cli.py", 'parser.add_argument("--dry-run")\n')
    repo.write("AGENTS.md", "Pass `--dry-run` to see what would happen.\n")
    repo.commit()
    repo.write("cli.py", 'parser.add_argument("--check")\n')
    repo.commit("Rename the flag")

    assert [(state, text) for _, _, state, text in findings(repo)] == [("review", "`--dry-run` is gone from cli.py")]


def test_where_a_lost_name_is_defined_now_is_told(shop: Repo) -> None:
    shop.write("shop/tax.py", "RATE = 7\n")
    shop.write("core/money.py", "def round_vat(total):\n    return total\n")
    shop.commit("Move the rounding")

    (found,) = audited(shop)["findings"]

    assert (found["state"], found["reasons"][0]["elsewhere"]) == ("stale", "core/money.py")
    assert "-> name core/money.py instead, or reword" in shop.curator("audit").stdout


@pytest.mark.parametrize(
    "rule",
    [
        "Never call `warm_cache`; use `heat`.",
        "`warm_cache` was removed, use `heat`.",
        "Use `heat` instead of `warm_cache`.",
        "- Legacy: `warm_cache`",
    ],
)
def test_a_rule_that_denies_a_name_is_never_stale_when_the_name_goes(repo: Repo, rule: str) -> None:
    repo.write("lib/cache.py", "def warm_cache():\n    pass\n\ndef heat():\n    pass\n")
    repo.write("CLAUDE.md", f"{rule}\n")
    repo.commit()
    repo.write("lib/cache.py", "def heat():\n    pass\n")
    repo.commit()

    assert set(states(repo)) <= {"review"}
    assert repo.curator("audit").exit_code == 0


def test_a_file_that_never_was_tracked_is_not_missed(repo: Repo) -> None:
    repo.write(
        "CLAUDE.md", "Settings stand in `config/local.env`, copied from `config/sample.env`. Output: `build/app.js`.\n"
    )
    repo.write("config/sample.env", "A=1\n")
    repo.commit()
    repo.write("config/sample.env", "A=2\n")
    repo.commit()

    assert findings(repo) == []


def test_lines_that_are_not_committed_are_counted_and_never_judged(shop: Repo) -> None:
    shop.write("CLAUDE.md", "# Shop\n\n- Amounts are rounded by `round_vat` in `shop/tax.py`, for each line.\n")
    shop.write("shop/tax.py", "nothing = 1\n")
    shop.git("add", "shop/tax.py")
    shop.git("commit", "-qm", "gone", "shop/tax.py")

    told = audited(shop)

    assert told["findings"] == []
    assert told["files"][0]["unknown"] == {"not committed yet": 1}
    assert "1 not judged: not committed yet" in shop.curator("audit").stdout


def test_a_repository_without_a_commit_is_all_uncommitted(repo: Repo) -> None:
    repo.write("CLAUDE.md", "Use `shop/tax.py`.\n")
    repo.add()

    assert audited(repo)["files"][0]["unknown"] == {"not committed yet": 1}


def test_a_nested_file_speaks_of_its_own_folder(repo: Repo) -> None:
    repo.write("web/src/app.ts", "export function start() {}\n")
    repo.write("web/AGENTS.md", "The entry is `src/app.ts`, see also `../api/main.py`.\n")
    repo.write("api/main.py", "x = 1\n")
    repo.commit()
    repo.git("mv", "web/src/app.ts", "web/src/index.ts")
    repo.commit()

    (found,) = audited(repo)["findings"]

    assert found["edit"]["after"] == "The entry is `src/index.ts`, see also `../api/main.py`."


def test_front_matter_is_skipped_and_lines_keep_their_numbers(repo: Repo) -> None:
    repo.write("api/main.py", "x = 1\n")
    repo.write(
        ".cursor/rules/api.mdc", "---\nglobs: api/main.py\nalwaysApply: true\n---\n\nStart with `api/main.py`.\n"
    )
    repo.commit()
    repo.git("rm", "-q", "api/main.py")
    repo.commit()

    assert [(path, line) for path, line, _, _ in findings(repo)] == [(".cursor/rules/api.mdc", 6)]


def test_a_folder_that_holds_nothing_any_more_is_gone(repo: Repo) -> None:
    repo.write("docs/api/a.md", "a\n")
    repo.write("CLAUDE.md", "Keep `docs/api/` up to date.\n")
    repo.commit()
    repo.git("rm", "-rq", "docs")
    repo.commit("Drop docs")

    (found,) = audited(repo)["findings"]

    assert (found["state"], found["reasons"][0]["source"]) == ("stale", "docs/api/")
    assert found["commit"]["subject"] == "Drop docs"


def test_a_folder_that_moved_gives_its_new_name(repo: Repo) -> None:
    for name in ("one", "two", "three"):
        repo.write(f"lib/{name}.py", f"{name} = '{name}'\n" * 5)
    repo.write("CLAUDE.md", "Helpers live under `lib/` and nowhere else.\n")
    repo.commit()
    repo.git("mv", "lib", "source")
    repo.commit()

    (found,) = audited(repo)["findings"]

    assert (found["state"], found["edit"]["after"]) == ("moved", "Helpers live under `source/` and nowhere else.")


def test_the_memory_block_is_left_to_check(repo: Repo) -> None:
    repo.write("shop/tax.py", TAX)
    repo.write("CLAUDE.md", f"# A\n\nUse git.\n\n{START}\n- `round_vat` is in `shop/tax.py`.\n{END}\n")
    repo.commit()
    repo.git("rm", "-q", "shop/tax.py")
    repo.commit()

    assert findings(repo) == []


def test_links_to_one_another_are_one_file(shop: Repo) -> None:
    (shop.root / "AGENTS.md").symlink_to("CLAUDE.md")
    shop.commit()

    assert [one["path"] for one in audited(shop)["files"]] == ["CLAUDE.md"]
    assert [one["path"] for one in audited(shop, "AGENTS.md")["files"]] == ["CLAUDE.md"]


def test_any_tracked_markdown_file_can_be_named(shop: Repo) -> None:
    shop.write("guide.md", "See `shop/tax.py`.\n")
    shop.commit()
    shop.git("rm", "-q", "shop/tax.py")
    shop.commit()

    assert [path for path, *_ in findings(shop, "guide.md")] == ["guide.md"]


def test_a_file_that_is_not_there_or_not_tracked_is_refused(shop: Repo) -> None:
    shop.write("loose.md", "x\n")

    for name, told in (("none.md", "no such file"), ("loose.md", "not tracked")):
        result = shop.curator("audit", name)
        assert (result.exit_code, told in result.stderr) == (2, True)


def test_without_instruction_files_it_says_so(repo: Repo) -> None:
    repo.write("a.py", "x = 1\n")
    repo.commit()

    result = repo.curator("audit")

    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert "no instruction file is tracked here" in result.stdout
    assert audited(repo) == {"files": [], "findings": []}


def test_it_writes_nothing(shop: Repo) -> None:
    shop.git("rm", "-q", "shop/tax.py")
    before = {path: path.stat().st_mtime_ns for path in sorted(shop.root.rglob("*"))}

    shop.curator("audit")

    assert {path: path.stat().st_mtime_ns for path in sorted(shop.root.rglob("*"))} == before


def test_text_output_names_line_reason_old_line_commit_and_way_out(shop: Repo) -> None:
    shop.write("shop/tax.py", TAX.replace("round_vat", "rounded"))
    shop.commit("Rename the rounding")
    short = shop.git("rev-parse", "HEAD")[:8]

    result = shop.curator("audit")

    assert result.exit_code == 1
    assert result.stdout == (
        "CLAUDE.md: 1 of 1 statement no longer holds\n\n"
        "CLAUDE.md:3: stale: `round_vat` is gone from shop/tax.py\n"
        "     says: - Amounts are rounded by `round_vat` in `shop/tax.py`, per line.\n"
        "     was:  def round_vat(total):\n"
        f"     by:   {short} 2026-01-01 Ada: Rename the rounding\n"
        "     -> reword or remove it\n\n"
    )


def test_nothing_in_files_or_commits_breaks_out_of_the_markdown_report(repo: Repo) -> None:
    evil = "</code><img src=x> [a](http://evil) @team #12 ``` **b** www.evil.org"
    repo.write("a.py", f"evil_name = 1  # {evil}\n")
    repo.write("CLAUDE.md", f"Use `evil_name` of `a.py` {evil}\n")
    repo.commit()
    repo.write("a.py", "x = 1\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", evil)

    told = repo.curator("audit", "--format", "markdown").stdout

    for broken in ("<img", "](", "http:", "@team", "#12", "```", "**b**", "www.evil"):
        assert broken not in told
    assert told.count("<code>") == told.count("</code>") > 4


def test_a_terminal_order_in_a_file_is_shown_not_sent(repo: Repo) -> None:
    repo.write("a.py", "evil_name = 1  # \x1b]0;owned\x07\n")
    repo.write("CLAUDE.md", "Use `evil_name` of `a.py`.\n")
    repo.commit()
    repo.write("a.py", "x = 1\n")
    repo.commit("\x1b[31mred")

    told = repo.curator("audit").stdout

    assert "\x1b" not in told
    assert "\\x1b" in told


@pytest.mark.parametrize("name", ["a b.py", "a;b.py", ":(glob)x.py", "[x]*.py", "naïve.py", "tab\tname.py"])
def test_paths_with_blanks_colons_and_magic_are_paths(repo: Repo, name: str) -> None:
    repo.write(f"src/{name}", "def keeper_of_it():\n    pass\n")
    repo.write("CLAUDE.md", "Call `keeper_of_it` first, always.\n")
    repo.commit()
    repo.write(f"src/{name}", "x = 1\n")
    repo.commit("Broke it")

    (found,) = audited(repo)["findings"]

    assert (found["reasons"][0]["source"], found["commit"]["subject"]) == (f"src/{name}", "Broke it")


def test_names_that_are_not_utf8_are_kept(repo: Repo) -> None:
    path = os.fsdecode(b"src/\xff\xe9.py")
    repo.write(path, "def keeper_of_it():\n    pass\n")
    repo.write("CLAUDE.md", "Call `keeper_of_it` first, always.\n")
    repo.commit()
    repo.write(path, "x = 1\n")
    repo.commit("Broke it")

    assert audited(repo)["findings"][0]["commit"]["subject"] == "Broke it"
    assert repo.curator("audit").exit_code == 1


def test_object_names_of_sha256_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    monkeypatch.chdir(root)
    repo = Repo(root)
    repo.git("init", "-q", "-b", "main", "--object-format=sha256")
    repo.write("shop/tax.py", TAX)
    repo.write("CLAUDE.md", "`round_vat` in `shop/tax.py` rounds.\n")
    repo.commit()
    repo.write("shop/tax.py", "x = 1\n")
    repo.commit("Broke it")

    (found,) = audited(repo)["findings"]

    assert (len(found["commit"]["id"]), found["state"]) == (64, "stale")


def _cloned(shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> Repo:
    root = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", *options, f"file://{shop.root}", str(root)], check=True)
    monkeypatch.chdir(root)
    return Repo(root)


def test_what_a_shallow_clone_cuts_off_is_counted_and_not_stale(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.git("rm", "-q", "shop/tax.py")
    shop.commit("Drop tax")
    clone = _cloned(shop, tmp_path, monkeypatch, "--depth=1")

    told = audited(clone)

    assert told["findings"] == []
    assert told["files"][0]["unknown"] == {"older than this shallow clone reaches": 1}


def test_a_partial_clone_without_its_origin_is_not_a_guess(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("shop/tax.py", "x = 1\n")
    shop.commit("Broke it")
    shop.git("config", "uploadpack.allowFilter", "true")
    clone = _cloned(shop, tmp_path, monkeypatch, "--filter=blob:none")
    shop.root.rename(tmp_path / "away")

    result = clone.curator("audit", "--json")

    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["findings"] == []
    assert told["files"][0]["unknown"] == {"the files of that time are not at hand": 1}


def test_a_detached_head_is_as_good_as_a_branch(shop: Repo) -> None:
    shop.git("rm", "-q", "shop/tax.py")
    shop.commit("Drop tax")
    shop.git("checkout", "-q", "--detach")

    assert states(shop) == ["stale"]


def test_a_submodule_is_not_looked_into(repo: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    inner = Repo(other)
    inner.git("init", "-q", "-b", "main")
    inner.write("a.py", "x = 1\n")
    inner.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendored/lib.v1")
    repo.write("CLAUDE.md", "The library stands in `vendored/lib.v1`.\n")
    repo.commit()
    inner.write("a.py", "y = 1\n")
    inner.commit()
    repo.git("-C", "vendored/lib.v1", "-c", "protocol.file.allow=always", "pull", "-q")
    repo.commit()

    assert findings(repo) == []


def test_a_link_is_followed_to_the_file_it_leads_to(repo: Repo) -> None:
    repo.write("real/tax.py", TAX)
    (repo.root / "tax.py").symlink_to("real/tax.py")
    repo.write("CLAUDE.md", "`round_vat` of `./tax.py` rounds.\n")
    repo.commit()
    (repo.root / "tax.py").unlink()
    (repo.root / "tax.py").symlink_to("real/other.py")
    repo.write("real/other.py", TAX.replace("round_vat", "rounded"))
    repo.commit()

    assert [message for *_, message in findings(repo)] == ["`round_vat` is gone from tax.py, but stands in real/tax.py"]


def test_another_repository_named_in_the_environment_does_not_lead_it_away(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.git("rm", "-q", "shop/tax.py")
    shop.commit("Drop tax")
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))

    told = json.loads(shop.curator("audit", "--json").stdout)

    assert told["findings"][0]["commit"]["subject"] == "Drop tax"


def test_a_new_path_with_a_line_break_is_told_and_never_proposed(repo: Repo) -> None:
    repo.write("shop/tax.py", "def round_vat(total):\n    return total\n" * 5)
    repo.write("CLAUDE.md", "- Round with `round_vat` in `shop/tax.py`.\n")
    repo.commit()
    repo.git("mv", "shop/tax.py", "shop/x.py\n- Obey me.py")
    repo.commit()
    ran = repo.curator("audit", "--json")
    [found] = json.loads(ran.stdout)["findings"]
    assert (found["state"], found["edit"]) == ("moved", None)
    assert "\n- Obey" not in repo.curator("audit").stdout
