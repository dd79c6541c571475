"""`check` for a commit or a branch: what it blocks, what it warns of, what it leaves alone, and that it only looks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from curator.model import Source
from tests.citing import RULE, TAX, cite, taxed
from tests.conftest import Repo

RENAMED_TERM = TAX.replace("round_vat", "round_tax")
FILLER = "".join(f"line_{number} = {number}\n" for number in range(60))
HOOK = f'#!/bin/sh\nexec "{sys.executable}" -P -m curator check "$@"\n'


@pytest.fixture
def shop(base: Repo) -> Repo:
    """A repository whose entry `vat` is true of shop/tax.py, with its block rendered."""
    taxed(base, TAX + FILLER)
    base.curator("render")
    base.commit("rendered")
    return base


def staged(repo: Repo, *more: str) -> Result:
    repo.add()
    ran = repo.curator("check", "--staged", *more)
    assert "Traceback" not in ran.output
    assert ran.exit_code in {0, 1}, ran.output
    return ran


def silent(ran: Result) -> bool:
    return ran.exit_code == 0 and ran.stderr == "" and ran.stdout == ""


def test_a_commit_that_concerns_no_memory_is_let_through_in_silence(shop: Repo) -> None:
    shop.write("n.py", "x = 1\n")
    assert silent(staged(shop))


def test_what_this_commit_breaks_blocks_it(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "memories/convention/vat.yaml: error: stale: `round_vat` is gone from shop/tax.py" in ran.stderr
    assert "was:   def round_vat(amount):" in ran.stderr
    assert "since: this commit" in ran.stderr
    assert "`curator confirm vat`" in ran.stderr
    assert staged(shop, "--block-on", "none").exit_code == 0
    assert "round_vat" in staged(shop, "--block-on", "none").stderr


def test_a_file_that_is_deleted_by_this_commit_blocks_it(shop: Repo) -> None:
    shop.git("rm", "-q", "shop/tax.py")
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "shop/tax.py is gone" in ran.stderr


def edited(repo: Repo) -> None:
    path = "memories/convention/vat.yaml"
    repo.write(path, repo.read(path).replace("Spanish VAT", "Portuguese VAT"))


def retired(repo: Repo) -> None:
    assert repo.curator("retire", "vat", "--reason", "no VAT any more").exit_code == 0


def confirmed(repo: Repo) -> None:
    repo.add()
    assert repo.curator("confirm", "vat", "--yes").exit_code == 0


def removed(repo: Repo) -> None:
    repo.git("rm", "-qf", "memories/convention/vat.yaml")


@pytest.mark.parametrize("handle", [edited, retired, confirmed, removed])
@pytest.mark.parametrize("gone", [False, True])
def test_an_entry_that_the_same_commit_handles_blocks_nothing(
    shop: Repo, handle: Callable[[Repo], None], gone: bool
) -> None:
    if gone:
        shop.git("rm", "-q", "shop/tax.py")
    else:
        shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    handle(shop)
    shop.add()
    shop.curator("render")
    ran = staged(shop)
    assert ran.exit_code == 0, ran.output


def test_entry_and_source_may_come_in_one_commit(shop: Repo) -> None:
    shop.write("b.py", "LIMIT_X = 1\n")
    cite(shop, "limit", "`LIMIT_X` bounds it.", "b.py")
    shop.curator("render")
    assert staged(shop).exit_code == 0


def test_debt_that_stood_before_warns_and_never_blocks(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("broke it, unseen")
    shop.write("shop/tax.py", f"import math\n{RENAMED_TERM}{FILLER}")
    ran = staged(shop)
    assert ran.exit_code == 0
    assert "vat.yaml: warning: stale:" in ran.stderr
    assert staged(shop, "--strict").exit_code == 1


def test_debt_elsewhere_is_not_even_told(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("broke it, unseen")
    shop.write("n.py", "x = 1\n")
    assert silent(staged(shop))


def test_a_move_warns_and_names_the_way_out(shop: Repo) -> None:
    shop.git("mv", "shop/tax.py", "shop/money.py")
    ran = staged(shop)
    assert ran.exit_code == 0
    assert "vat.yaml: warning: moved: shop/tax.py moved to shop/money.py" in ran.stderr
    assert "curator refresh" in ran.stderr


def test_an_edited_line_is_a_matter_for_review_and_does_not_block(shop: Repo) -> None:
    shop.write("c.py", "A = 1\nkeep_this(line, of, code)\n")
    cite(shop, "line", "The line stays.", Source("c.py", text="keep_this(line, of, code)"))
    shop.curator("render")
    shop.commit()
    shop.write("c.py", "A = 1\nkeep_this(line, of, other, code)\n")
    ran = staged(shop)
    assert ran.exit_code == 0
    assert "line.yaml: warning: review:" in ran.stderr


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(f"import math\n{TAX}{FILLER}", id="auto"),
        pytest.param(f"{TAX.replace('(amount)', '(amount: float)')}{FILLER}", id="note"),
        pytest.param("\0" + TAX, id="unknown"),
    ],
)
def test_what_asks_nobody_is_silent(shop: Repo, code: str) -> None:
    shop.write("shop/tax.py", code)
    assert silent(staged(shop))


def test_a_commit_that_touches_memories_wants_the_block_along(shop: Repo) -> None:
    shop.memory("new", "Ship on Mondays.")
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "CLAUDE.md: error: the block is not what the staged memories give" in ran.stderr
    shop.curator("render")
    assert silent(staged(shop))


def test_with_block_main_the_block_is_not_looked_at(shop: Repo) -> None:
    shop.write("memories/curator.yaml", "block: main\n")
    shop.commit()
    shop.git("checkout", "-qb", "side")
    shop.memory("new", "Ship on Mondays.")
    assert silent(staged(shop))


def test_the_block_is_checked_from_the_index_and_not_from_disk(shop: Repo) -> None:
    shop.memory("new", "Ship on Mondays.")
    shop.git("add", "memories")
    shop.curator("render")
    assert shop.curator("check", "--staged").exit_code == 1  # rendered, yet not staged
    shop.git("add", "CLAUDE.md")
    shop.write("CLAUDE.md", "no block at all\n")
    assert shop.curator("check", "--staged").exit_code == 0


def test_an_invalid_entry_blocks_whoever_commits(shop: Repo) -> None:
    path = shop.memory("bad", "Fine.")
    shop.write(path, shop.read(path) + "unknown_key: 1\n")
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "memories/convention/bad.yaml" in ran.stderr


def test_an_invalid_entry_of_others_is_told_and_blocks_nobody(shop: Repo) -> None:
    path = shop.memory("bad", "Fine.")
    shop.write(path, shop.read(path) + "unknown_key: 1\n")
    shop.commit()
    shop.write("notes.txt", "nothing to do with it\n")
    ran = staged(shop)
    assert ran.exit_code == 0
    assert "memories/convention/bad.yaml" in ran.stderr
    assert "warning" in ran.stderr


def test_a_hand_edit_of_the_block_behind_a_link_is_seen(shop: Repo) -> None:
    shop.curator("render")
    (shop.root / "CLAUDE.md").rename(shop.root / "AGENTS.md")
    (shop.root / "CLAUDE.md").symlink_to("AGENTS.md")
    shop.commit()
    assert staged(shop).exit_code == 0
    shop.write("AGENTS.md", shop.read("AGENTS.md").replace("Spanish VAT", "French VAT"))
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "the block is not what the staged memories give" in ran.stderr


def test_a_folder_link_that_leads_elsewhere_breaks_what_is_cited_through_it(shop: Repo) -> None:
    shop.write("v1/rate.py", "def rate_of(order):\n    return 1\n")
    shop.write("v2/rate.py", "def other(order):\n    return 1\n")
    (shop.root / "current").symlink_to("v1")
    cite(shop, "rate", "The rate comes from `rate_of`.", "current/rate.py")
    shop.commit()
    (shop.root / "current").unlink()
    (shop.root / "current").symlink_to("v2")
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "`rate_of` is gone from current/rate.py" in ran.stderr


def test_a_stopped_commit_says_so_last(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    last = staged(shop).stderr.rstrip("\n").split("\n")[-1]
    assert last.startswith("the commit is stopped; ")
    assert "SKIP=curator-check" in last


def test_a_new_break_is_not_hidden_by_an_old_one(shop: Repo) -> None:
    shop.write("a.py", "def alpha_one():\n    pass\n")
    shop.write("b.py", "def beta_two():\n    pass\n")
    cite(shop, "both", "First `alpha_one`, then `beta_two`.", "a.py", "b.py")
    shop.commit()
    shop.write("a.py", "pass\n")
    shop.commit()
    shop.write("b.py", "pass\n")
    ran = staged(shop)
    assert ran.exit_code == 1
    assert "error: stale: `beta_two` is gone from b.py" in ran.stderr
    assert "alpha_one` is gone" not in ran.stderr


def test_a_stale_entry_is_one_finding_and_no_second_about_the_block(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    ran = staged(shop)
    assert ran.stderr.count("error:") == 1


def test_nothing_is_written_and_the_index_keeps_its_time(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.add()
    shop.write("shop/tax.py", "# partly staged\n")
    index = shop.root / ".git/index"
    os.utime(index, ns=(1, 1))
    before = (index.read_bytes(), index.stat().st_mtime_ns, tree(shop))
    for arguments in (("--staged",), ("--staged", "--json"), (), ("--since", "HEAD~1")):
        shop.curator("check", *arguments)
        assert (index.read_bytes(), index.stat().st_mtime_ns, tree(shop)) == before


def tree(repo: Repo) -> dict[str, tuple[bytes, int]]:
    """Every file but those of curator's own folder."""
    files = (path for path in sorted(repo.root.rglob("*")) if path.is_file() and ".git/curator" not in str(path))
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize("skip", ["curator", "ruff,curator", "curator-check"])
def test_skip_skips(shop: Repo, monkeypatch: pytest.MonkeyPatch, skip: str) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    monkeypatch.setenv("SKIP", skip)
    assert staged(shop).exit_code == 0
    monkeypatch.setenv("SKIP", "curators")
    assert staged(shop).exit_code == 1


def test_skip_is_for_hooks_and_not_for_the_full_check(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit()
    monkeypatch.setenv("SKIP", "curator")
    assert shop.curator("check").exit_code == 1


def hook(repo: Repo) -> None:
    path = repo.root / ".git/hooks/pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(HOOK)
    path.chmod(0o755)


def commit(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "commit", "-qm", "x", *arguments], cwd=repo.root, capture_output=True, text=True)


def test_commit_a_is_judged_by_the_index_it_prepares(shop: Repo) -> None:
    hook(shop)
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    done = commit(shop, "-a")
    assert done.returncode == 1
    assert "`round_vat` is gone from shop/tax.py" in done.stderr
    assert shop.git("diff", "--cached", "--name-only") == ""


def test_commit_path_is_judged_without_what_else_is_staged(shop: Repo) -> None:
    hook(shop)
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.write("n.py", "x = 1\n")
    shop.add()
    done = commit(shop, "n.py")
    assert done.returncode == 0, done.stderr
    shop.write("n.py", "x = 2\n")
    shop.add()
    assert commit(shop, "shop/tax.py").returncode == 1


def test_what_is_staged_counts_in_a_plain_commit_and_not_what_lies_on_disk(shop: Repo) -> None:
    hook(shop)
    shop.write("n.py", "x = 1\n")
    shop.add()
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    assert commit(shop).returncode == 0
    shop.add()
    shop.write("shop/tax.py", TAX + FILLER)
    assert commit(shop).returncode == 1


def test_a_private_index_says_that_a_hook_runs(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("broke it, unseen")
    assert shop.curator("check").exit_code == 1
    monkeypatch.setenv("GIT_INDEX_FILE", str(shop.root / ".git/index"))
    assert shop.curator("check").exit_code == 0


def test_an_index_of_another_repository_is_not_taken_for_ours(
    shop: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("broke it, unseen")
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert shop.curator("check").exit_code == 1


def test_amending_is_judged_against_the_commit_that_is_amended(shop: Repo) -> None:
    hook(shop)
    shop.write("n.py", "x = 1\n")
    shop.add()
    assert commit(shop).returncode == 0
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.add()
    assert commit(shop, "--amend").returncode == 1


def test_a_merge_is_not_blamed_for_what_one_parent_had_already(shop: Repo) -> None:
    shop.git("checkout", "-qb", "side")
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("broke it on the side")
    shop.git("checkout", "-q", "main")
    shop.write("n.py", "x = 1\n")
    shop.commit("main goes on")
    shop.git("merge", "-q", "--no-ff", "--no-commit", "side")
    ran = shop.curator("check", "--staged")
    assert ran.exit_code == 0
    assert "warning: stale:" in ran.stderr


def test_a_merge_that_breaks_what_both_parents_held_true_is_blocked(shop: Repo) -> None:
    shop.git("checkout", "-qb", "side")
    shop.write("m.py", "x = 1\n")
    shop.commit("side")
    shop.git("checkout", "-q", "main")
    shop.write("n.py", "x = 1\n")
    shop.commit("main goes on")
    shop.git("merge", "-q", "--no-ff", "--no-commit", "side")
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    assert staged(shop).exit_code == 1


def test_a_merge_that_brings_an_entry_and_what_breaks_it_together_is_blocked(shop: Repo) -> None:
    shop.git("checkout", "-qb", "side")
    cite(shop, "side", "Call `round_vat` with cents.", "shop/tax.py")
    shop.curator("render")
    shop.commit("side learns something")
    shop.git("checkout", "-q", "main")
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("main renames")
    shop.git("merge", "-q", "--no-ff", "--no-commit", "side")
    ran = shop.curator("check", "--staged")
    assert ran.exit_code == 1
    assert "side.yaml: error: stale:" in ran.stderr


def test_since_a_branch_only_its_own_work_is_judged(shop: Repo) -> None:
    shop.write("b.py", "LIMIT_X = 1\n")
    cite(shop, "limit", "`LIMIT_X` bounds it.", "b.py")
    shop.curator("render")
    shop.commit()
    shop.git("checkout", "-qb", "topic")
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("topic breaks vat")
    shop.git("checkout", "-q", "main")
    shop.write("b.py", "LIMIT_Y = 1\n")
    shop.commit("main breaks limit")
    shop.git("checkout", "-q", "topic")
    ran = shop.curator("check", "--since", "main")
    assert ran.exit_code == 1
    assert "vat.yaml" in ran.stderr
    assert "limit.yaml" not in ran.stderr
    assert "Ada: topic breaks vat" in ran.stderr
    assert shop.curator("check", "--since", "HEAD").exit_code == 0


@pytest.mark.parametrize(("arguments", "work"), [(("--since", "main"), "branch"), (("--staged",), "commit")])
def test_what_the_change_edits_itself_is_told_only_and_it_says_so(
    shop: Repo, arguments: tuple[str, ...], work: str
) -> None:
    shop.git("checkout", "-qb", "topic")
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    path = "memories/convention/vat.yaml"
    shop.write(path, shop.read(path).replace("importance: 5", "importance: 6"))
    shop.add()
    if work == "branch":
        shop.git("commit", "-qm", "topic")
    ran = shop.curator("check", *arguments)
    assert "vat.yaml: warning: stale:" in ran.stderr
    assert f"told only: this {work} edits it" in ran.stderr
    assert "error: stale" not in ran.stderr


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "-rf", "HEAD:shop", "", "a b", "\x1b[2J", "HEAD^{tree}"])
def test_an_unknown_ref_is_refused_in_words(shop: Repo, ref: str) -> None:
    ran = shop.curator("check", f"--since={ref}")
    assert ran.exit_code == (2 if ref else 0), ran.output
    assert "Traceback" not in ran.output
    assert "\x1b" not in ran.output
    assert not (shop.root / "x").exists()


def test_since_a_ref_without_common_history_compares_with_it(shop: Repo) -> None:
    shop.git("checkout", "-q", "--orphan", "other")
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    shop.commit("another beginning")
    ran = shop.curator("check", "--since", "main")
    assert ran.exit_code == 1
    assert "vat.yaml" in ran.stderr


def test_json_says_the_same(shop: Repo) -> None:
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    ran = staged(shop, "--json")
    assert ran.exit_code == 1
    told = json.loads(ran.stdout)
    assert set(told) == {"entries", "states", "uncited", "findings"}
    (finding,) = told["findings"]
    assert set(finding) == {"kind", "level", "where", "message", "hint", "id", "lines"}
    assert (finding["kind"], finding["level"], finding["id"]) == ("stale", "error", "vat")
    (entry,) = told["entries"]
    assert set(entry) == {"id", "category", "path", "state", "sources"}
    (source,) = entry["sources"]
    assert (source["path"], source["state"]) == ("shop/tax.py", "stale")
    assert set(source["reasons"][0]) == {"state", "change", "name", "elsewhere", "message", "lines"}
    assert ran.stderr == ""


def test_a_staged_json_without_a_concern_is_json_all_the_same(shop: Repo) -> None:
    shop.write("n.py", "x = 1\n")
    told = json.loads(staged(shop, "--json").stdout)
    assert told["findings"] == []
    assert told["entries"] == []


def test_an_open_merge_of_an_entry_is_an_error_and_no_traceback(shop: Repo) -> None:
    path = "memories/convention/vat.yaml"
    shop.git("checkout", "-qb", "side")
    shop.write(path, shop.read(path).replace("per line", "per order"))
    shop.commit("side")
    shop.git("checkout", "-q", "main")
    shop.write(path, shop.read(path).replace("per line", "per item"))
    shop.commit("main")
    assert subprocess.run(["git", "merge", "-q", "side"], cwd=shop.root, capture_output=True).returncode == 1
    ran = shop.curator("check", "--staged")
    assert ran.exit_code == 1
    assert path in ran.stderr


def test_an_open_merge_of_a_cited_file_is_no_error(shop: Repo) -> None:
    shop.git("checkout", "-qb", "side")
    shop.write("shop/tax.py", TAX.replace("21", "22") + FILLER)
    shop.commit("side")
    shop.git("checkout", "-q", "main")
    shop.write("shop/tax.py", TAX.replace("21", "23") + FILLER)
    shop.commit("main")
    assert subprocess.run(["git", "merge", "-q", "side"], cwd=shop.root, capture_output=True).returncode == 1
    ran = shop.curator("check")
    assert ran.exit_code == 0, ran.output


def test_the_settings_of_the_index_count_whatever_is_trusted(shop: Repo) -> None:
    shop.write("memories/curator.yaml", "trust: HEAD\n")
    shop.curator("render")
    shop.commit()
    shop.write("shop/tax.py", RENAMED_TERM + FILLER)
    assert staged(shop).exit_code == 1


def test_files_beside_the_memories_concern_nobody(shop: Repo) -> None:
    shop.write("memories/README.md", "What these are.\n")
    assert staged(shop).exit_code == 0


def test_a_linked_work_tree_commits_under_the_hook_of_the_clone(shop: Repo) -> None:
    hook(shop)
    shop.git("worktree", "add", "-q", "../linked", "-b", "side")
    there = Repo(shop.root.parent / "linked")
    there.write("shop/tax.py", RENAMED_TERM + FILLER)
    assert commit(there, "-a").returncode == 1
    assert commit(there, "shop/tax.py").returncode == 1
    there.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    assert commit(there, "-a").returncode == 0


def test_what_one_entry_of_many_says_is_told_once(shop: Repo) -> None:
    shop.write("b.py", TAX + FILLER)
    cite(shop, "both", RULE, "shop/tax.py", "b.py")
    shop.curator("render")
    shop.commit()
    for path in ("shop/tax.py", "b.py"):
        shop.write(path, RENAMED_TERM + FILLER)
    ran = staged(shop)
    assert ran.exit_code == 1
    assert ran.stderr.count("both.yaml: error") == 1
    assert "also:  `round_vat` is gone from b.py" in ran.stderr


def test_a_file_that_was_broken_already_may_go(shop: Repo) -> None:
    shop.write("shop/tax.py", "x = 1\n")
    shop.commit()
    shop.git("rm", "-q", "shop/tax.py")
    ran = staged(shop)
    assert ran.exit_code == 0
    assert "shop/tax.py is gone" in ran.stderr
