"""An edit of a memory's text counts as a look at the code: evidence is kept anew."""

from __future__ import annotations

import pytest
from click.testing import Result

from curator.edge import plumbing
from curator.model import Source
from tests.citing import RULE, TAX, cite, states, taxed
from tests.conftest import Repo


def edited(repo: Repo, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str) -> Result:
    monkeypatch.setenv("EDITOR", f"sed -i 's/{old}/{new}/'")
    return repo.curator("edit", name)


def test_an_edited_text_keeps_the_evidence_that_is_there_now(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base)
    base.write("shop/tax.py", TAX.replace("round_vat", "round_tax"))
    base.commit()
    assert states(base)["vat"] == "stale"
    assert edited(base, monkeypatch, "vat", "round_vat", "round_tax").exit_code == 0
    assert states(base)["vat"] == "fresh"
    base.write("shop/tax.py", TAX.replace("round_vat", "tax_rounding"))
    base.add()
    assert states(base)["vat"] == "stale"


def test_an_edit_beside_text_and_sources_leaves_the_evidence_alone(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = taxed(base)
    base.write("shop/tax.py", TAX.replace("round_vat", "round_tax"))
    base.commit()
    before = base.read(path)
    assert edited(base, monkeypatch, "vat", "importance: 5", "importance: 9").exit_code == 0
    assert base.read(path) == before.replace("importance: 5", "importance: 9")
    assert states(base)["vat"] == "stale"


def test_an_edit_that_keeps_a_symbol_which_is_gone_says_so(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    base.write("shop/tax.py", TAX)
    cite(base, "vat", RULE, Source("shop/tax.py", "round_vat"))
    base.write("shop/tax.py", TAX.replace("round_vat", "round_vats"))
    base.commit()
    ran = edited(base, monkeypatch, "vat", "Spanish", "French")
    assert ran.exit_code == 2
    assert "did you mean `round_vats`?" in ran.stderr


def test_a_typo_that_is_mended_does_not_make_a_stale_memory_fresh(base: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    taxed(base)
    base.write("shop/tax.py", "RATE = 21\n")
    base.commit()
    ran = edited(base, monkeypatch, "vat", "Spanish", "Portuguese")
    assert ran.exit_code == 0
    assert "still stale: `round_vat` is gone from shop/tax.py" in ran.stderr
    assert "`curator confirm vat`" in ran.stderr
    assert states(base)["vat"] == "stale"


# --- Another category is another file -----------------------------------------------------------------------------

OLD, NEW = "memories/convention/a.yaml", "memories/gotcha/a.yaml"


def moved(repo: Repo, monkeypatch: pytest.MonkeyPatch, *, first: str = "", name: str = "a") -> Result:
    """Change the category in an editor, in which *first* happens elsewhere."""
    script = repo.root / ".git/editor"
    script.write_text(f'#!/bin/sh\n{first}\nsed -i "s/^category: .*/category: gotcha/" "$1"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    return repo.curator("edit", name)


@pytest.mark.parametrize("then", ["", f"git add {OLD}", f"git add {OLD}; git cat-file blob HEAD:{OLD} >{OLD}"])
def test_a_move_swallows_nobodys_change_of_the_old_file(base: Repo, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    ran = moved(base, monkeypatch, first=f"sed -i s/pytest/nose/ {OLD}\n{then}")
    assert (ran.exit_code, f"{OLD}: was saved, staged or removed by somebody else" in ran.stderr) == (2, True)
    assert "nose" in (base.git("show", f":{OLD}") if then else base.read(OLD))
    assert not (base.root / NEW).exists()


def test_a_move_that_a_lock_stopped_names_its_commands_and_is_finished_by_the_next(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbing, "LOCK_WAIT", 0.1)
    lock = base.write(".git/index.lock", "")
    ran = moved(base, monkeypatch)
    assert f"run `git add -- {NEW}` and `git rm -- {OLD}`" in ran.stderr
    lock.unlink()
    assert (base.root / NEW).exists()
    for command in (["status"], ["check", NEW]):
        told = base.curator(*command).stderr
        assert f"`rm {NEW}` if {OLD} is the same memory; or `git add {NEW}` and `git rm {OLD}`" in told, command
    ran = moved(base, monkeypatch)
    assert (ran.exit_code, ran.stderr.count("is there already")) == (0, 0)
    assert base.git("status", "--porcelain", "--", "memories") == f"R  {OLD} -> {NEW}\n"
    assert "### Gotchas" in base.read("CLAUDE.md")


@pytest.mark.parametrize("name", ["a", OLD, NEW])
def test_a_memory_with_both_files_staged_is_told_which_one_goes(
    base: Repo, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    base.write(NEW, base.read(OLD).replace("convention", "gotcha"))
    base.add()
    ran = moved(base, monkeypatch, name=name)
    assert (ran.exit_code, f"a: is in 2 files: {OLD}, {NEW}" in ran.stderr) == (2, True)
    assert f"keep one: `git rm {OLD}`\n" in ran.stderr
    base.git("rm", "-q", OLD)
    assert base.curator("edit", "a").exit_code == 0


def test_a_file_outside_the_folders_of_categories_stays_where_it_is(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    base.git("mv", OLD, "memories/loose.yaml")
    ran = moved(base, monkeypatch, name="memories/loose.yaml")
    assert ran.exit_code == 2
    assert "memories/loose.yaml" in ran.stderr
    assert "outside the work tree" not in ran.stderr


def test_a_move_that_was_killed_before_the_old_file_was_removed_leaves_one_to_remove(
    base: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = base.read(OLD)
    assert moved(base, monkeypatch).exit_code == 0
    base.write(OLD, text)
    assert f"`rm {OLD}` if {NEW} is the same memory" in base.curator("status").stderr
