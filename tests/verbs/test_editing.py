"""An edit of a memory's text counts as a look at the code: evidence is kept anew."""

from __future__ import annotations

import pytest
from click.testing import Result

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
