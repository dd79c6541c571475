"""`check` on real repositories: one state for each thing that can happen to a cited file."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from curator.core import checkup
from curator.edge import changes as changes_
from curator.edge import plumbing
from curator.model import Finding, Source, State
from tests.citing import RULE, TAX, changes, cite, report, states, taxed
from tests.conftest import Repo

RENAMED_TERM = TAX.replace("round_vat", "round_tax")
FILLER = "".join(f"line_{number} = {number}\n" for number in range(60))


def settle(repo: Repo, text: str, path: str = "shop/tax.py") -> None:
    repo.write(path, text)
    repo.commit()


def test_an_untouched_file_is_fresh_and_an_entry_without_sources_is_counted_apart(base: Repo) -> None:
    taxed(base)
    found = report(base)
    assert states(base) == {"a": "unknown", "vat": "fresh"}
    assert found["states"] == {"fresh": 1}
    assert found["uncited"] == 1
    assert base.curator("check").exit_code == 0


def test_an_edit_beside_the_point_asks_nobody(base: Repo) -> None:
    taxed(base)
    settle(base, f"import math\n{TAX}\n\ndef other():\n    pass\n")
    assert states(base)["vat"] == "auto"
    ran = base.curator("check", "--strict")
    assert (ran.exit_code, ran.stderr) == (0, "")


def test_a_term_that_is_gone_is_an_error_that_tells_all_there_is_to_know(base: Repo) -> None:
    taxed(base)
    base.write("shop/money.py", TAX)
    settle(base, "RATE = 21\n")
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert "memories/convention/vat.yaml: error: stale: `round_vat` is gone from shop/tax.py" in ran.stderr
    assert f"says:  {RULE}" in ran.stderr
    assert "was:   def round_vat(amount):" in ran.stderr
    assert "now:   `round_vat` stands in shop/money.py" in ran.stderr
    assert "since: " in ran.stderr
    assert "2026-01-01 Ada: change" in ran.stderr
    assert (
        "still true: `curator confirm vat`; changed: `curator edit vat`; no longer: `curator retire vat" in ran.stderr
    )
    assert base.curator("check", "--block-on", "none").exit_code == 0


@pytest.mark.parametrize("autocrlf", ["false", "true", "input"])
def test_a_checkout_with_crlf_is_fresh(base: Repo, autocrlf: str) -> None:
    taxed(base)
    base.git("config", "core.autocrlf", autocrlf)
    (base.root / "shop/tax.py").unlink()
    base.git("checkout", "-q", "--", "shop/tax.py")
    assert ("\r\n" in base.read("shop/tax.py")) == (autocrlf == "true")
    assert states(base)["vat"] == "fresh"


def test_committed_crlf_changes_no_line(base: Repo) -> None:
    taxed(base)
    settle(base, TAX.replace("\n", "\r\n"))
    assert states(base)["vat"] == "auto"
    taxed(base, TAX.replace("\n", "\r\n"))
    settle(base, TAX)
    assert states(base)["vat"] == "auto"


def test_a_cited_line_is_found_again_in_crlf(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    cite(base, "vat", "Amounts keep two digits.", Source("shop/tax.py", text="return round(amount, 2)"))
    settle(base, TAX.replace("\n", "\r\n"))
    assert states(base)["vat"] == "auto"


def test_the_staged_content_is_judged_and_not_that_on_disk(base: Repo) -> None:
    taxed(base)
    base.write("shop/tax.py", RENAMED_TERM)
    assert states(base)["vat"] == "fresh"
    base.add()
    base.write("shop/tax.py", TAX)
    assert states(base)["vat"] == "stale"


def test_a_file_deleted_on_disk_only_is_not_gone(base: Repo) -> None:
    taxed(base)
    (base.root / "shop/tax.py").unlink()
    assert states(base)["vat"] == "fresh"
    assert base.curator("check", "--staged").exit_code == 0
    base.git("rm", "-q", "--cached", "shop/tax.py")
    assert states(base)["vat"] == "stale"


def clone(repo: Repo, name: str, *options: str, source: str = "") -> Repo:
    there = repo.root.parent / name
    repo.git("clone", "-q", *options, source or f"file://{repo.root}", str(there))
    os.chdir(there)
    return Repo(there)


def test_a_shallow_clone_gives_the_same_states(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base)
    base.write("b.py", "LIMIT_X = 1\n")
    cite(base, "limit", "`LIMIT_X` bounds it.", "b.py")
    base.commit()
    base.git("mv", "b.py", "c.py")
    settle(base, RENAMED_TERM)
    settle(base, "1\n", "n")
    full = states(base)
    assert full == {"a": "unknown", "vat": "stale", "limit": "moved"}
    monkeypatch.chdir(base.root)
    assert states(clone(base, "shallow", "--depth", "1")) == full


def test_the_commit_of_writing_may_be_squashed_away_and_collected(base: Repo) -> None:
    base.git("checkout", "-qb", "topic")
    taxed(base)
    old = base.git("rev-parse", ":shop/tax.py").strip()
    settle(base, TAX + "\n# more\n")
    base.git("checkout", "-q", "main")
    base.git("merge", "-q", "--squash", "topic")
    base.git("commit", "-qm", "squashed")
    base.git("branch", "-qD", "topic")
    base.git("reflog", "expire", "--expire=now", "--all")
    base.git("gc", "-q", "--prune=now")
    assert subprocess.run(["git", "cat-file", "-e", old], cwd=base.root).returncode != 0
    assert states(base)["vat"] == "auto"
    settle(base, RENAMED_TERM)
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert "`round_vat` is gone from shop/tax.py" in ran.stderr
    assert "since: " in ran.stderr


def test_a_partial_clone_without_its_remote_says_unknown_and_asks_no_network(base: Repo) -> None:
    taxed(base)
    settle(base, RENAMED_TERM)
    base.git("config", "uploadpack.allowFilter", "true")
    part = clone(base, "partial", "--filter=blob:none", "--no-checkout")
    part.git("reset", "-q")
    wanted = [f"HEAD:{path}" for path in ("memories/convention/vat.yaml", "memories/convention/a.yaml", "CLAUDE.md")]
    for name in wanted:
        part.git("cat-file", "-p", name)
    base.root.rename(base.root.parent / "away")
    before = packs(part)
    assert states(part)["vat"] == "unknown"
    assert part.curator("check").exit_code == 0
    assert packs(part) == before
    part.git("remote", "remove", "origin")
    assert states(part)["vat"] == "unknown"


def packs(repo: Repo) -> list[str]:
    return sorted(path.name for path in (repo.root / ".git/objects").rglob("*") if path.is_file())


def test_a_linked_work_tree_is_judged_by_its_own_index(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base)
    base.git("worktree", "add", "-q", "../linked", "-b", "side")
    there = Repo(base.root.parent / "linked")
    there.write("shop/tax.py", RENAMED_TERM)
    there.add()
    assert states(base)["vat"] == "fresh"
    monkeypatch.chdir(there.root)
    assert states(there)["vat"] == "stale"
    assert there.curator("check", "--staged").exit_code == 1
    there.git("commit", "-qm", "side")
    monkeypatch.chdir(base.root)
    assert states(base)["vat"] == "fresh"


def test_of_two_files_with_the_base_name_the_one_that_holds_the_terms_is_taken(base: Repo) -> None:
    base.write("old/x.py", TAX + FILLER)
    cite(base, "vat", RULE, "old/x.py")
    base.commit()
    base.git("rm", "-q", "old/x.py")
    base.write("a/x.py", "A = 1\n")
    base.write("b/x.py", "def round_vat(amount):\n    return amount\n")
    base.commit()
    assert states(base)["vat"] == "moved"
    assert "old/x.py moved to b/x.py" in base.curator("check").stderr
    settle(base, "def round_vat(amount):\n    return amount\n", "a/x.py")
    assert states(base)["vat"] == "stale"


def link(repo: Repo, name: str, target: str) -> None:
    path = repo.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def test_a_link_inside_the_repository_stands_for_the_file_it_leads_to(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    link(base, "tax.py", "shop/tax.py")
    link(base, "store", "shop")
    cite(base, "one", RULE, "tax.py")
    cite(base, "two", RULE, "store/tax.py")
    base.commit()
    assert states(base) == {"a": "unknown", "one": "fresh", "two": "fresh"}
    settle(base, TAX + "# more\n")
    assert states(base) == {"a": "unknown", "one": "auto", "two": "auto"}
    settle(base, RENAMED_TERM)
    assert states(base) == {"a": "unknown", "one": "stale", "two": "stale"}


def test_staging_the_file_behind_a_link_concerns_who_cites_the_link(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    link(base, "tax.py", "shop/tax.py")
    cite(base, "one", RULE, "tax.py")
    base.commit()
    base.write("shop/tax.py", RENAMED_TERM)
    base.add()
    ran = base.curator("check", "--staged")
    assert ran.exit_code == 1, ran.output
    assert "`round_vat` is gone from tax.py" in ran.stderr


@pytest.mark.parametrize("target", ["/etc/hostname", "../outside.py", "nowhere.py", "loop.py", "../../../../etc"])
def test_a_link_that_leads_outside_or_nowhere_is_unknown(base: Repo, target: str) -> None:
    base.write("loop.py", TAX)
    cite(base, "one", RULE, "loop.py")
    base.commit()
    link(base, "loop.py", target)
    base.add()
    assert states(base)["one"] == "unknown"
    assert base.curator("check", "--staged", "--strict").exit_code == 0


def test_a_link_whose_file_is_deleted_is_told(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    link(base, "tax.py", "shop/tax.py")
    cite(base, "one", RULE, "tax.py")
    base.commit()
    base.git("rm", "-q", "shop/tax.py")
    assert states(base)["one"] in {"unknown", "stale"}


def submodule(repo: Repo) -> None:
    inner = Repo(repo.root.parent / "inner")
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.write("tax.py", TAX)
    inner.commit("inner")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
    repo.commit("submodule")


@pytest.mark.parametrize("path", ["sub/tax.py", "sub"])
def test_a_file_in_a_submodule_is_foreign_whatever_happens_to_it(base: Repo, path: str) -> None:
    submodule(base)
    cite(base, "one", RULE, path)
    base.commit()
    assert states(base)["one"] == "foreign"
    there = Repo(base.root / "sub")
    there.write("tax.py", RENAMED_TERM)
    there.commit("inner")
    assert changes(base, "one") == ["foreign"]
    base.add()
    assert changes(base, "one") == ["bumped"]
    ran = base.curator("check", "--staged", "--strict")
    assert ran.exit_code == 0, ran.output


def test_a_pointer_of_lfs_is_compared_by_its_id_alone(base: Repo) -> None:
    def pointer(digit: str) -> str:
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{digit * 64}\nsize 12345\n"

    base.write("model.bin", pointer("a"))
    cite(base, "one", "The `oid` of `model_weights` is pinned.", "model.bin")
    base.commit()
    assert states(base)["one"] == "fresh"
    settle(base, pointer("b"), "model.bin")
    assert states(base)["one"] == "unknown"
    base.git("rm", "-q", "model.bin")
    assert states(base)["one"] == "stale"


def test_a_file_that_becomes_binary_or_too_long_is_unknown(base: Repo) -> None:
    taxed(base)
    base.write("shop/tax.py", b"\0\1\2" + RENAMED_TERM.encode())
    base.commit()
    assert states(base)["vat"] == "unknown"
    settle(base, "x = 1\n" * (5 << 18))
    assert states(base)["vat"] == "unknown"
    assert base.curator("check", "--staged", "--strict").exit_code == 0


def test_a_bundle_of_5_mb_on_one_line_costs_little_and_is_unknown(base: Repo) -> None:
    base.write("dist/app.js", "function round_vat(a){return a}" + "var a=1;" * (5 << 17))
    cite(base, "one", RULE, "dist/app.js")
    base.commit()
    assert states(base)["one"] == "fresh"
    settle(base, "var b=1;" * (5 << 17), "dist/app.js")
    assert states(base)["one"] == "unknown"


def test_an_emptied_file_has_lost_its_terms_and_an_empty_one_nothing(base: Repo) -> None:
    taxed(base)
    base.write("pkg/__init__.py", "")
    cite(base, "pkg", "The package exports `nothing_at_all`.", "pkg/__init__.py")
    base.commit()
    settle(base, "")
    assert states(base) == {"a": "unknown", "vat": "stale", "pkg": "fresh"}
    settle(base, "x = 1\n", "pkg/__init__.py")
    assert states(base)["pkg"] == "unknown"


def test_content_that_is_not_utf_8_is_judged_all_the_same(base: Repo) -> None:
    latin = "# pr\xe9cis\n".encode("latin-1") + TAX.encode()
    base.write("shop/tax.py", latin)
    cite(base, "vat", RULE, "shop/tax.py")
    base.commit()
    base.write("shop/tax.py", latin + b"# \xff\xfe\n")
    base.commit()
    assert states(base)["vat"] == "auto"
    base.write("shop/tax.py", latin.replace(b"round_vat", b"r\xf6und"))
    base.commit()
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert "Traceback" not in ran.output


def test_tracked_names_that_are_not_utf_8_disturb_nobody(base: Repo) -> None:
    taxed(base)
    odd = os.fsencode(base.root) + b"/b\xe9.py"
    Path(os.fsdecode(odd)).write_text(RENAMED_TERM)
    base.git("rm", "-q", "shop/tax.py")
    base.commit()
    assert states(base)["vat"] == "stale"
    assert base.curator("check", "--since", "HEAD~1").exit_code == 1


def test_skip_worktree_and_sparse_files_are_in_the_index_as_ever(base: Repo) -> None:
    taxed(base)
    base.git("update-index", "--skip-worktree", "shop/tax.py")
    (base.root / "shop/tax.py").unlink()
    assert states(base)["vat"] == "fresh"


@pytest.mark.parametrize("more", [(), ("--sparse-index",)])
def test_a_sparse_checkout_judges_what_it_does_not_hold(base: Repo, more: tuple[str, ...]) -> None:
    taxed(base)
    base.write("app/x.py", "APP_X = 1\n")
    base.commit()
    base.git("sparse-checkout", "set", "--cone", *more, "memories", "app")
    assert not (base.root / "shop").exists()
    assert states(base)["vat"] == "fresh"
    base.git("mv", "app/x.py", "app/y.py")
    assert base.curator("check", "--staged", "--strict").exit_code == 0
    before = (base.root / ".git/index").read_bytes()
    states(base)
    assert (base.root / ".git/index").read_bytes() == before


def test_a_rename_of_case_alone_is_a_rename(base: Repo) -> None:
    taxed(base)
    base.git("mv", "shop/tax.py", "shop/Tax.py")
    ran = base.curator("check", "--staged")
    assert ran.exit_code == 0
    assert "shop/tax.py moved to shop/Tax.py" in ran.stderr
    base.commit()
    assert states(base)["vat"] == "moved"
    assert base.curator("check").exit_code == 0
    assert base.curator("check", "--strict").exit_code == 1


def test_a_rename_with_an_edit_is_found_staged_and_committed(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/money.py")
    base.write("shop/money.py", f"import math\n{TAX}{FILLER}")
    base.add()
    assert states(base)["vat"] == "moved"
    base.commit()
    assert states(base)["vat"] == "moved"
    settle(base, TAX, "other.py")
    assert states(base)["vat"] == "moved"


def test_a_rename_that_lost_the_term_is_an_error(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, FILLER, "shop/money.py")
    assert states(base)["vat"] == "stale"
    assert "`round_vat` is gone from shop/money.py" in base.curator("check").stderr


def test_a_split_file_asks_where_the_term_went(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.write("shop/rounding.py", TAX)
    settle(base, FILLER)
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert "now:   `round_vat` stands in shop/rounding.py" in ran.stderr


def test_a_term_that_went_to_another_cited_file_asks_for_review(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    base.write("shop/rounding.py", "ROUNDING = 1\n")
    cite(base, "vat", f"{RULE} See `ROUNDING`.", "shop/tax.py", "shop/rounding.py")
    base.commit()
    base.write("shop/rounding.py", f"ROUNDING = 1\n{TAX}")
    settle(base, "RATE = 21\n")
    assert states(base)["vat"] == "review"
    assert "but stands in shop/rounding.py" in base.curator("check").stderr


def test_a_rename_with_most_of_it_rewritten_is_found_by_its_base_name_or_not_at_all(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("rm", "-q", "shop/tax.py")
    base.write("core/tax.py", "def round_vat(amount):\n    return amount\n")
    base.commit()
    assert states(base)["vat"] == "moved"
    base.git("mv", "core/tax.py", "core/money.py")
    base.write("core/money.py", "import decimal\n\n\nclass Money:\n    pass\n")
    base.commit()
    assert states(base)["vat"] == "stale"


ODD = [
    "two words.py",
    'quo"te.py',
    "apo'strophe.py",
    "back`tick.py",
    "colon:name.py",
    "semi;colon.py",
    "star*.py",
    "[a].py",
    "{b}.py",
    "per%cent.py",
    "-dash.py",
    ":(glob)x.py",
    ":!x.py",
    "é.py",
    "日本/語.py",
    "e\u0301.py",
    "hash#tag.py",
    "and & more.py",
]


@pytest.mark.parametrize("path", ODD)
def test_any_path_that_git_takes_is_judged(base: Repo, path: str) -> None:
    base.write(path, TAX)
    cite(base, "odd", RULE, path)
    base.commit()
    assert states(base)["odd"] == "fresh"
    settle(base, TAX + "#\n", path)
    assert states(base)["odd"] == "auto"
    settle(base, RENAMED_TERM, path)
    assert states(base)["odd"] == "stale"
    base.write(path, "#\n")
    base.add()
    assert base.curator("check", "--staged").exit_code == 0
    base.git("rm", "-qf", "--", f":(literal){path}")
    assert "is gone" in base.curator("check", "--staged").stderr


def test_a_path_with_a_backslash_is_refused_by_name(base: Repo) -> None:
    base.write("back\\slash.py", TAX)
    entry = cite(base, "odd", RULE, "back\\slash.py")
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert entry in ran.stderr


@pytest.mark.parametrize(("cited", "tracked"), [("e\u0301.py", "\xe9.py"), ("\xe9.py", "e\u0301.py")])
def test_a_path_in_the_other_unicode_form_is_the_same_file(base: Repo, cited: str, tracked: str) -> None:
    base.write(tracked, TAX)
    base.add()
    blob = base.git("rev-parse", f":{tracked}").strip()
    cite(base, "n", RULE, Source(cited, blob=blob))
    base.commit()
    assert states(base)["n"] == "fresh"
    settle(base, TAX + "#\n", tracked)
    assert states(base)["n"] != "fresh"
    assert "is gone" not in base.curator("check").stderr


def test_a_staged_change_is_seen_through_the_other_unicode_form(base: Repo) -> None:
    base.write("\xe9.py", TAX)
    base.add()
    entry = cite(base, "n", RULE, "\xe9.py")
    base.write(entry, base.read(entry).replace("\xe9", "e\u0301"))
    base.commit()
    assert states(base)["n"] == "fresh"
    base.write("\xe9.py", RENAMED_TERM)
    base.add()
    assert base.curator("check", "--staged").exit_code == 1


@pytest.mark.parametrize("term", ["a.*b", "x[0]", "$price", "c++", "(?P<n>", "a|b", "^start$", "\\d+", "--max-$x"])
def test_a_term_is_text_and_never_a_pattern(base: Repo, term: str) -> None:
    base.write("p.txt", f"first\nit is {term} here\nlast\n")
    cite(base, "one", f"The pattern is `{term}`.", "p.txt")
    base.commit()
    settle(base, f"it is {term} here\nlast\n", "p.txt")
    assert states(base)["one"] in {"auto", "unknown"}
    settle(base, "first\naxxb x0 price c d+ 5 here\nlast\n", "p.txt")
    assert states(base)["one"] in {"stale", "review", "unknown"}
    assert "Traceback" not in base.curator("check").output


def test_a_term_that_begins_another_is_gone_when_only_the_other_stands(base: Repo) -> None:
    base.write("m.py", "MAX_SIZE = 1\nMAX_SIZE_OLD = 2\n")
    cite(base, "one", "Never go over `MAX_SIZE`.", "m.py")
    base.commit()
    settle(base, "MAX_SIZE_OLD = 2\n", "m.py")
    assert states(base)["one"] == "stale"


def test_a_revert_is_fresh_again(base: Repo) -> None:
    taxed(base)
    settle(base, RENAMED_TERM)
    assert states(base)["vat"] == "stale"
    base.git("revert", "--no-edit", "HEAD")
    assert states(base)["vat"] == "fresh"
    assert base.curator("check").exit_code == 0


def test_a_type_annotation_is_no_error(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    cite(base, "vat", RULE, Source("shop/tax.py", symbol="round_vat"))
    base.commit()
    settle(base, TAX.replace("(amount)", "(amount: float) -> float"))
    assert states(base)["vat"] in {"note", "review"}
    assert base.curator("check").exit_code == 0


def test_a_renamed_parameter_that_no_sentence_names_is_nothing(base: Repo) -> None:
    base.write("shop/tax.py", "def helper(amount):\n    return round_vat(1)\n")
    cite(base, "vat", RULE, "shop/tax.py")
    base.commit()
    settle(base, "def helper(value):\n    return round_vat(1)\n")
    assert states(base)["vat"] == "auto"


def test_a_detached_head_changes_nothing(base: Repo) -> None:
    taxed(base)
    base.git("checkout", "-q", "--detach")
    settle(base, RENAMED_TERM)
    assert states(base)["vat"] == "stale"
    base.write("shop/tax.py", "#\n")
    base.add()
    assert base.curator("check", "--staged").exit_code == 0


def test_sha_256_names_are_as_good(repo: Repo) -> None:
    shutil.rmtree(repo.root / ".git")
    repo.git("init", "-q", "-b", "main", "--object-format=sha256")
    taxed(repo, TAX + FILLER)
    assert states(repo)["vat"] == "fresh"
    repo.git("mv", "shop/tax.py", "shop/money.py")
    settle(repo, TAX + FILLER + "#\n", "shop/money.py")
    assert states(repo)["vat"] == "moved"
    settle(repo, TAX + FILLER)
    assert states(repo)["vat"] == "fresh"
    repo.write("shop/tax.py", FILLER)
    repo.add()
    assert repo.curator("check", "--staged").exit_code == 1


def test_before_the_first_commit_all_works(repo: Repo) -> None:
    repo.block()
    repo.write("shop/tax.py", TAX)
    cite(repo, "vat", RULE, "shop/tax.py")
    assert states(repo)["vat"] == "fresh"
    assert repo.curator("render").exit_code == 0
    repo.git("add", "CLAUDE.md")
    ran = repo.curator("check", "--staged")
    assert ran.exit_code == 0, ran.output
    repo.git("rm", "-q", "--cached", "shop/tax.py")
    assert states(repo)["vat"] == "stale"
    ran = repo.curator("check", "--staged")
    assert ran.exit_code in {0, 1}
    assert repo.curator("check", "--since", "HEAD").exit_code in {0, 1, 2}


@pytest.mark.parametrize("trust", ["HEAD", "origin/main"])
def test_a_trusted_ref_is_judged_by_its_own_tree(base: Repo, trust: str) -> None:
    base.write("memories/curator.yaml", f"trust: {trust}\n")
    taxed(base)
    base.git("update-ref", "refs/remotes/origin/main", "HEAD")
    base.write("shop/tax.py", RENAMED_TERM)
    base.add()
    assert states(base)["vat"] == "fresh"
    base.commit()
    base.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert states(base)["vat"] == "stale"


def test_what_is_not_checkable_is_called_so_and_named_where_notes_are_wanted(base: Repo) -> None:
    base.write("notes.txt", "nothing in particular\n")
    cite(base, "vague", "Somebody should look at it.", "notes.txt")
    base.commit()
    settle(base, "other words\n", "notes.txt")
    told = base.curator("check").output
    assert "1 not checkable (`check --notes` names them)" in told
    assert "unknown" not in told
    told = base.curator("check", "--notes").output
    assert "1 not checkable;" in told or "1 not checkable, " in told
    assert "names nothing that could be checked in notes.txt" in told


def test_the_summary_says_what_its_words_mean(base: Repo) -> None:
    states = {"auto": 4, "note": 1, "stale": 2, "foreign": 1}
    checked = checkup.Checked(notes=("8 memories",), states=states)
    assert checkup.summary(checked) == (
        "8 memories checked: 4 auto (the file changed, what it says holds), "
        "1 note (`check --notes` tells what was edited), 2 stale, 1 foreign (in a submodule); nothing to do"
    )
    found = Finding(State.NOTE, "memories/a.yaml", "note: a line was edited")
    assert "1 note, 2 stale" in checkup.summary(replace(checked, findings=(found,)))


def test_names_narrow_the_report_and_leave_the_summary_honest(base: Repo) -> None:
    taxed(base)
    base.memory("bad", "No <!-- comment -->.")
    settle(base, RENAMED_TERM)
    ran = base.curator("check", "a")
    assert (ran.exit_code, ran.stdout) == (0, "1 memory checked: 1 cites no file; nothing to do\n")
    assert base.curator("check", "vat").exit_code == 1
    ran = base.curator("check", "memories/convention/bad.yaml")
    assert ran.exit_code == 1
    assert "vat.yaml" not in ran.stderr
    assert base.curator("check", "nothing").exit_code == 2
    assert base.curator("check", "vat", "--staged").exit_code == 2


def test_notes_are_told_when_asked_for(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    cite(base, "vat", RULE, Source("shop/tax.py", symbol="round_vat"))
    base.commit()
    settle(base, TAX.replace("(amount)", "(amount, digits=2)"))
    assert states(base)["vat"] == "note"
    assert "vat.yaml" not in base.curator("check").stderr
    ran = base.curator("check", "--notes")
    assert ran.exit_code == 0
    assert "note: note: the header of `round_vat` changed" in ran.stderr


def test_a_review_date_that_passed_is_a_warning_and_the_entry_is_told_once(base: Repo) -> None:
    base.memory("due", "Ask finance again.", more="review_by: '2026-01-01'\n")
    base.commit()
    ran = base.curator("check")
    assert ran.exit_code == 0
    assert ran.stderr.count("due.yaml") == 1
    assert "to be looked at again by 2026-01-01" in ran.stderr
    assert base.curator("check", "--strict").exit_code == 1


def test_what_is_retired_replaced_or_expired_is_not_judged(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    cite(base, "vat", RULE, "shop/tax.py", expires="2026-01-01")
    base.commit()
    settle(base, RENAMED_TERM)
    assert "vat" not in states(base)
    assert base.curator("check").exit_code == 0


def test_the_same_answer_comes_from_the_cache_and_without_it(base: Repo) -> None:
    taxed(base)
    settle(base, RENAMED_TERM)
    first = base.curator("check")
    again = base.curator("check")
    (base.root / ".git/curator/index.db").unlink()
    fresh = base.curator("check")
    assert (first.exit_code, first.output) == (again.exit_code, again.output) == (fresh.exit_code, fresh.output)


def test_a_cache_that_cannot_be_written_changes_no_answer(base: Repo) -> None:
    taxed(base)
    settle(base, RENAMED_TERM)
    expected = states(base)
    shutil.rmtree(base.root / ".git/curator")
    (base.root / ".git/curator").write_text("in the way")
    assert states(base) == expected
    assert base.curator("check", "--since", "HEAD~1").exit_code == 1
    for arguments in (("confirm", "vat", "--yes"), ("refresh",)):
        ran = base.curator(*arguments)
        assert ran.exit_code in {0, 2}, ran.output
        assert "Traceback" not in ran.output


def test_an_entry_may_cite_its_own_file_a_folder_and_one_file_twice(base: Repo) -> None:
    base.write("shop/tax.py", TAX)
    twice = Source("shop/tax.py", symbol="round_vat")
    cite(base, "folder", RULE, Source("shop", blob="0" * 40))
    cite(base, "twice", RULE, "shop/tax.py", twice)
    entry = cite(base, "self", "This is `self_citing`.", Source("memories/convention/self.yaml", blob="1" * 40))
    base.commit()
    assert entry
    assert states(base)["twice"] == "fresh"
    settle(base, RENAMED_TERM)
    found = states(base)
    assert found["twice"] == "stale"
    assert found["folder"] in {"stale", "unknown"}
    assert base.curator("check").exit_code == 1
    assert base.curator("check", "--since", "HEAD~1").exit_code == 1


def test_twelve_sources_are_all_judged(base: Repo) -> None:
    paths = [f"src/m{number}.py" for number in range(12)]
    for path in paths:
        base.write(path, TAX)
    cite(base, "many", RULE, *paths)
    base.commit()
    settle(base, RENAMED_TERM, paths[7])
    found = next(one for one in report(base)["entries"] if one["id"] == "many")
    assert [one["state"] for one in found["sources"]].count("fresh") == 11
    assert found["state"] == "review"  # it stands in the other cited files


def test_a_change_of_mode_alone_is_fresh(base: Repo) -> None:
    taxed(base)
    base.git("update-index", "--chmod=+x", "shop/tax.py")
    assert states(base)["vat"] == "fresh"
    assert base.curator("check", "--staged", "--strict").exit_code == 0


def test_a_file_that_becomes_a_link_is_judged_by_where_it_leads(base: Repo) -> None:
    taxed(base)
    base.write("other.py", TAX)
    link(base, "shop/tax.py", "../other.py")
    base.add()
    assert states(base)["vat"] == "fresh"
    base.write("other.py", RENAMED_TERM)
    base.add()
    assert states(base)["vat"] == "stale"


def test_the_commit_that_broke_it_is_told_whatever_its_subject_holds(base: Repo) -> None:
    taxed(base)
    base.write("shop/tax.py", RENAMED_TERM)
    base.add()
    message = base.root.parent / "message"
    message.write_bytes(b"caf\xe9 \x1b[2J <!-- x -->\n")
    base.git("-c", "user.name=J\u00f6rg \u202e", "commit", "-qF", str(message))
    ran = base.curator("check")
    assert ran.exit_code == 1
    assert "since: " in ran.stderr
    assert "\x1b" not in ran.stderr
    assert "\u202e" not in ran.stderr


def test_a_soft_reset_changes_no_state_and_no_old_answer_is_given(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, TAX + FILLER + "#\n", "shop/money.py")
    assert "since: " in base.curator("check").stderr
    base.git("reset", "-q", "--soft", "HEAD~1")
    assert "since: " not in base.curator("check").stderr
    assert base.curator("check", "--staged").exit_code == 0
    assert states(base)["vat"] == "moved"


def test_a_file_that_was_removed_came_back_and_moved_is_followed(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("rm", "-q", "shop/tax.py")
    base.commit()
    assert states(base)["vat"] == "stale"
    settle(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, TAX + FILLER + "#\n", "shop/money.py")
    assert states(base)["vat"] == "moved"


def test_status_counts_what_is_doubtful(base: Repo) -> None:
    taxed(base)
    assert "Doubtful" not in base.curator("status").stdout
    settle(base, "RATE = 21\n")
    assert "Doubtful  1 stale: `curator check`" in base.curator("status").stdout


def forgetful(repo: Repo) -> dict[str, str]:
    """The states as they are found without a cache."""
    (Path(repo.workspace.git_dir) / "curator" / "index.db").unlink(missing_ok=True)
    return states(repo)


def test_what_one_history_says_of_a_gone_path_is_no_answer_in_another(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("checkout", "-qb", "moving")
    base.git("mv", "shop/tax.py", "b.py")
    settle(base, TAX + FILLER + "#\n", "b.py")
    assert states(base)["vat"] == "moved"
    base.git("checkout", "-q", "-b", "removing", "main")
    settle(base, TAX + FILLER + "#\n", "b.py")
    base.git("rm", "-q", "shop/tax.py")
    base.commit()
    assert states(base)["vat"] == forgetful(base)["vat"]
    base.git("checkout", "-q", "moving")
    assert states(base)["vat"] == "moved"


def test_an_answer_of_a_reverted_move_does_not_outlive_a_checkout(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("checkout", "-qb", "one")
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, TAX + FILLER + "#\n", "shop/money.py")
    base.git("checkout", "-qb", "two")
    base.git("revert", "--no-edit", "HEAD")
    base.git("rm", "-q", "shop/tax.py")
    base.commit()
    assert states(base)["vat"] == "stale"
    base.git("checkout", "-q", "one")
    assert states(base)["vat"] == "moved"
    assert base.curator("check").exit_code == 0


def test_a_history_that_becomes_whole_is_asked_again(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, TAX + FILLER + "#\n", "shop/money.py")
    base.write("other.txt", "later\n")
    base.commit()
    clone = Repo(base.root.parent / "shallow")
    base.git("clone", "-q", "--depth", "1", f"file://{base.root}", str(clone.root))
    monkeypatch.chdir(clone.root)
    before = clone.curator("check")
    assert before.exit_code == 0  # never stale because of the depth alone
    assert "review: shop/tax.py is gone, and this shallow clone does not reach back" in before.stderr
    clone.git("fetch", "-q", "--unshallow")
    after = clone.curator("check")
    assert after.exit_code == 0
    assert "moved: shop/tax.py moved to shop/money.py" in after.stderr
    assert "since: " in after.stderr


def test_what_was_not_at_hand_is_looked_at_once_it_is(base: Repo) -> None:
    taxed(base)
    settle(base, "RATE = 21\n")
    blob = base.git("rev-parse", ":shop/tax.py").strip()
    place = base.root / ".git/objects" / blob[:2] / blob[2:]
    kept = place.read_bytes()
    place.unlink()
    assert states(base)["vat"] == "unknown"
    assert base.curator("check").exit_code == 0
    place.write_bytes(kept)
    assert base.curator("check").exit_code == 1
    assert states(base)["vat"] == "stale"


def test_a_move_on_the_trusted_branch_is_a_move_from_any_other(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("checkout", "-qb", "trusted")
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, TAX + FILLER + "#\n", "shop/money.py")
    base.git("checkout", "-q", "main")
    base.git("config", "curator.trust", "trusted")
    assert states(base)["vat"] == "moved"
    assert base.curator("check").exit_code == 0


@pytest.mark.parametrize(
    ("name", "value"), [("log.showSignature", "true"), ("diff.orderFile", "no/such/file"), ("gpg.program", "false")]
)
def test_settings_of_the_user_change_no_answer(base: Repo, name: str, value: str) -> None:
    taxed(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/money.py")
    settle(base, TAX + FILLER + "#\n", "shop/money.py")
    base.git("config", name, value)
    ran = base.curator("check")
    assert (ran.exit_code, "moved to shop/money.py" in ran.stderr) == (0, True), ran.stderr


def test_more_paths_than_a_command_line_takes_are_asked_in_portions(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbing, "_MOST_NAMED", 60)
    for number in range(12):
        base.write(f"shop/part{number}/tax.py", f"def round_vat_{number}():\n    pass\n")
        cite(base, f"m{number}", f"It is `round_vat_{number}` that rounds.", f"shop/part{number}/tax.py")
    base.commit()
    base.git("rm", "-rq", "shop")
    base.commit()
    assert set(states(base).values()) == {"stale", "unknown"}
    assert base.curator("recall", "rounds").stdout.count("check first: ") == 5


def test_too_many_moved_files_to_compare_are_no_reason_to_call_one_gone(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes_, "_LIMIT", 2)
    taxed(base, TAX + FILLER)
    for number in range(6):
        base.write(f"old/{number}.py", "".join(f"line_{number}_{each} = {each}\n" for each in range(20)))
    base.commit()
    for number in range(6):
        text = base.read(f"old/{number}.py")
        base.git("rm", "-q", f"old/{number}.py")
        base.write(f"new/a{number}.py", f"# licence\n{text}")
    base.git("rm", "-q", "shop/tax.py")
    base.write("shop/money.py", f"# licence\n{TAX}{FILLER}")
    base.add()
    assert base.curator("check", "--staged").exit_code == 0
    assert states(base)["vat"] in {"moved", "unknown"}


def test_a_chain_that_goes_on_in_the_index_is_no_fact_of_history(base: Repo) -> None:
    taxed(base, TAX + FILLER)
    base.git("mv", "shop/tax.py", "shop/second.py")
    settle(base, TAX + FILLER + "z = 1\n", "shop/second.py")
    base.git("rm", "-q", "shop/second.py")
    assert states(base)["vat"] == "stale"
    base.git("reset", "-q", "--hard")
    assert states(base)["vat"] == "moved"
    base.git("mv", "shop/second.py", "shop/third.py")
    assert states(base)["vat"] == "moved"
    base.git("reset", "-q", "--hard")
    base.write("shop/third.py", "other = 1\n")
    base.add()
    assert changes(base) == ["moved"]
    assert "moved to shop/second.py" in base.curator("check").stderr


def test_a_file_of_the_same_name_is_no_move_because_it_was_one_on_another_branch(base: Repo) -> None:
    base.write("a/x.py", FILLER)
    base.write("b/other.py", "1\n")
    cite(base, "loose", "Nobody remembers why this is so.", "a/x.py")
    base.commit()
    base.git("checkout", "-qb", "moving")
    base.git("mv", "a/x.py", "b/x.py")
    settle(base, f"{FILLER}#\n", "b/x.py")
    assert states(base)["loose"] == "moved"
    base.git("checkout", "-q", "-b", "removing", "main")
    settle(base, f"{FILLER}#\n", "b/x.py")
    base.git("rm", "-q", "a/x.py")
    base.commit()
    assert states(base)["loose"] == "stale"
    assert forgetful(base)["loose"] == "stale"
