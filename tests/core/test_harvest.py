from __future__ import annotations

import pytest

from curator.core import harvest
from curator.core.harvest import File
from curator.errors import CuratorError
from curator.model import Evidence, Source

TEXT = "def round_vat(amount):\n    return amount\n\n\nRATE = 21\n"
SAYS = "`round_vat` rounds at `RATE`."
FILES = {"tax.py": File("b" * 40, TEXT), "logo.png": File("c" * 40, "\0\0"), "big.js": File("d" * 40)}


def test_what_a_person_wrote_stays_and_the_evidence_is_new() -> None:
    old = Source("tax.py", "round_vat", header="0000", blob="a" * 40, terms=(Evidence("gone_name", ("1234",)),))
    (new,) = harvest.restamp(SAYS, [old], FILES)
    assert (new.path, new.symbol, new.blob) == ("tax.py", "round_vat", "b" * 40)
    assert new.header not in {"", "0000"}
    assert [(item.term, item.defines) for item in new.terms] == [("round_vat", True), ("RATE", True)]


def test_a_line_and_an_absence_stay_and_the_absence_has_no_terms() -> None:
    line, absent = harvest.restamp(SAYS, [Source("tax.py", text="RATE = 21"), Source("tax.py", absent="float")], FILES)
    assert (line.text, bool(line.terms)) == ("RATE = 21", True)
    assert (absent.absent, absent.terms, absent.blob) == ("float", (), "b" * 40)


@pytest.mark.parametrize("path", ["logo.png", "big.js"])
def test_without_a_text_the_blob_alone_is_kept(path: str) -> None:
    old = Source(path, header="0000", blob="a" * 40, terms=(Evidence("x"),))
    assert harvest.restamp(SAYS, [old], FILES) == (Source(path, blob=FILES[path].blob),)


def test_a_source_whose_file_is_not_given_stays_as_it_is() -> None:
    old = Source("gone.py", blob="a" * 40, terms=(Evidence("x"),))
    assert harvest.restamp(SAYS, [old], FILES) == (old,)


def test_a_found_symbol_goes_where_the_file_does_not_define_it() -> None:
    assert harvest.fitting(Source("tax.py", "RATE"), FILES["tax.py"]) == Source("tax.py", "RATE")
    assert harvest.fitting(Source("tax.py", "amount_x"), FILES["tax.py"]) == Source("tax.py")
    assert harvest.fitting(Source("logo.png", "RATE"), FILES["logo.png"]) == Source("logo.png")
    assert harvest.fitting(Source("gone.py", "RATE"), None) == Source("gone.py")


def test_a_member_that_the_class_does_not_have_is_refused() -> None:
    file = File("b" * 40, "class Tax:\n    def round(self): ...\n\n\ndef total(): ...\n")
    assert harvest.examine(Source("tax.py", "Tax.round"), file) == ""
    with pytest.raises(CuratorError, match=r"`Tax\.total` does not occur in it"):
        harvest.examine(Source("tax.py", "Tax.total"), file)


@pytest.mark.parametrize("named", ["shop/tax.py", "shop/tax.py#round_vat"])
def test_a_source_is_shown_as_it_is_read(named: str) -> None:
    assert harvest.shown(harvest.source(named)) == named
