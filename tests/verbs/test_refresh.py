"""`refresh`: what provably did not change is anchored anew; nobody confirms anything by that."""

from __future__ import annotations

import os

import pytest

from tests.citing import RULE, TAX, cite, entry, states, taxed
from tests.conftest import Repo

FILLER = "".join(f"line_{number} = {number}\n" for number in range(60))
ENTRY = "memories/convention/vat.yaml"


@pytest.fixture
def shop(base: Repo) -> Repo:
    """A repository with the entry `vat` about shop/tax.py."""
    taxed(base, TAX + FILLER)
    return base


def lines(before: str, after: str) -> tuple[set[str], set[str]]:
    """Lines that went and lines that came."""
    old, new = set(before.split("\n")), set(after.split("\n"))
    return old - new, new - old


def test_an_edit_beside_the_point_changes_the_blob_and_nothing_else(shop: Repo) -> None:
    before = shop.read(ENTRY)
    was = entry(shop, ENTRY)
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    ran = shop.curator("refresh")
    assert ran.exit_code == 0
    assert "1 memory anchored anew and staged" in ran.stderr
    blob = shop.git("rev-parse", ":shop/tax.py").strip()
    old = was.sources[0].blob
    assert shop.read(ENTRY) == before.replace(old, blob)
    assert shop.read(ENTRY) == shop.git("show", f":{ENTRY}")
    assert states(shop)["vat"] == "fresh"
    again = shop.curator("refresh")
    assert "0 memories" in again.stderr
    assert shop.read(ENTRY) == before.replace(old, blob)


def test_a_move_of_the_same_bytes_changes_the_path_and_nothing_else(shop: Repo) -> None:
    before = shop.read(ENTRY)
    shop.git("mv", "shop/tax.py", "shop/money.py")
    assert shop.curator("refresh").exit_code == 0
    assert shop.read(ENTRY) == before.replace("shop/tax.py", "shop/money.py")
    assert states(shop)["vat"] == "fresh"


def test_a_move_with_an_edit_is_proposed_and_written_when_asked(shop: Repo) -> None:
    before = shop.read(ENTRY)
    shop.git("mv", "shop/tax.py", "shop/money.py")
    shop.write("shop/money.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    ran = shop.curator("refresh")
    assert ran.exit_code == 0
    assert "moved and edited: vat: shop/tax.py -> shop/money.py" in ran.stdout
    assert "curator refresh --moves" in ran.stderr
    assert shop.read(ENTRY) == before
    was = entry(shop, ENTRY)
    assert shop.curator("refresh", "--moves").exit_code == 0
    now = entry(shop, ENTRY)
    assert now.sources[0].path == "shop/money.py"
    assert now.sources[0].terms == was.sources[0].terms
    assert now.confirmed == was.confirmed
    assert states(shop)["vat"] == "fresh"


@pytest.mark.parametrize("code", [TAX.replace("round_vat", "round_tax"), "", TAX.replace("(amount)", "(amount, x)")])
def test_what_asks_a_person_or_tells_something_stays_as_it_is(shop: Repo, code: str) -> None:
    before = shop.read(ENTRY)
    shop.write("shop/tax.py", code + FILLER)
    shop.add()
    assert shop.curator("refresh", "--moves").exit_code == 0
    assert shop.read(ENTRY) == before


def test_small_edits_cannot_creep(shop: Repo) -> None:
    shop.write("shop/tax.py", f"a = round_vat(1)\nb = round_vat(2)\nc = round_vat(3)\nd = round_vat(4)\n{FILLER}")
    cite(shop, "creep", "Call `round_vat` last.", "shop/tax.py")
    shop.commit()
    before = entry(shop, "memories/convention/creep.yaml").sources[0].terms
    text = shop.read("shop/tax.py")
    for number in range(1, 5):
        text = text.replace(f"round_vat({number})", f"round_vat({number}, 0)")
        shop.write("shop/tax.py", text)
        shop.add()
        shop.curator("refresh")
    assert entry(shop, "memories/convention/creep.yaml").sources[0].terms == before
    assert states(shop)["creep"] == "review"


def test_a_dry_run_shows_the_change_and_writes_nothing(shop: Repo) -> None:
    before = (shop.read(ENTRY), shop.git("ls-files", "-s"))
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.git("add", "shop")
    before = (shop.read(ENTRY), shop.git("ls-files", "-s"))
    ran = shop.curator("refresh", "--dry-run")
    assert ran.exit_code == 0
    assert "+    blob: " in ran.stdout
    assert "would be anchored anew" in ran.stderr
    assert (shop.read(ENTRY), shop.git("ls-files", "-s")) == before


def test_an_entry_with_unstaged_changes_is_left_alone_with_a_note(shop: Repo) -> None:
    shop.write("b.py", "LIMIT_X = 1\n")
    other = cite(shop, "limit", "`LIMIT_X` bounds it.", "b.py")
    shop.commit()
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.write("b.py", "import math\nLIMIT_X = 1\n")
    shop.add()
    shop.write(ENTRY, shop.read(ENTRY) + "# mine\n")
    before = shop.read(ENTRY)
    ran = shop.curator("refresh")
    assert ran.exit_code == 0
    assert f"{ENTRY}: left alone" in ran.stderr
    assert shop.read(ENTRY) == before
    assert entry(shop, other).sources[0].blob == shop.git("rev-parse", ":b.py").strip()


def test_names_narrow_it(shop: Repo) -> None:
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    before = shop.read(ENTRY)
    assert shop.curator("refresh", "a").exit_code == 0
    assert shop.read(ENTRY) == before
    assert shop.curator("refresh", "nothing").exit_code == 2
    assert shop.curator("refresh", ENTRY).exit_code == 0
    assert shop.read(ENTRY) != before


def test_a_text_that_names_the_moved_file_is_told(shop: Repo) -> None:
    cite(shop, "named", "`round_vat` in shop/tax.py rounds per line.", "shop/tax.py")
    shop.commit()
    shop.git("mv", "shop/tax.py", "shop/money.py")
    ran = shop.curator("refresh")
    assert "its text names shop/tax.py, which moved: `curator edit named`" in ran.stderr
    assert "shop/tax.py" in entry(shop, "memories/convention/named.yaml").text


def test_an_entry_never_stamped_is_not_stamped_by_refresh(shop: Repo) -> None:
    path = shop.memory("bare", RULE, more="sources:\n  - path: shop/tax.py\n")
    shop.commit()
    before = shop.read(path)
    shop.curator("refresh", "--moves")
    assert shop.read(path) == before
    shop.git("mv", "shop/tax.py", "shop/money.py")
    ran = shop.curator("refresh", "--moves")
    assert ran.exit_code == 0, ran.output


def test_a_link_is_anchored_by_the_file_it_leads_to(shop: Repo) -> None:
    (shop.root / "tax.py").symlink_to("shop/tax.py")
    path = cite(shop, "link", RULE, "tax.py")
    shop.commit()
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    assert shop.curator("refresh", "link").exit_code == 0
    found = entry(shop, path).sources[0]
    assert (found.path, found.blob) == ("tax.py", shop.git("rev-parse", ":shop/tax.py").strip())
    assert states(shop)["link"] == "fresh"


def test_it_is_refreshed_by_an_agent_too_for_it_confirms_nothing(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    assert shop.curator("refresh").exit_code == 0


def test_a_hand_written_layout_survives(shop: Repo) -> None:
    blob = shop.git("rev-parse", ":shop/tax.py").strip()
    was = entry(shop, ENTRY)
    terms = was.sources[0].terms[0]
    text = (
        "# by hand\nschema: 1\nid: hand\ncategory: convention\n"
        f"text: '{RULE}'\nsources:\n# about the source\n- path: shop/tax.py # here\n  blob: {blob}\n"
        f"  terms: {{round_vat: [def, {', '.join(repr(line) for line in terms.lines)}]}}\nimportance: 3\n"
    )
    shop.write("memories/convention/hand.yaml", text)
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    assert states(shop)["hand"] == "auto"
    shop.curator("refresh")
    new = shop.git("rev-parse", ":shop/tax.py").strip()
    assert shop.read("memories/convention/hand.yaml") == text.replace(blob, new)


UNCITABLE = [
    b"shop/t\xe9x.py",
    b"shop/a\n  1. b.py",
    b"shop/a\tb.py",
    b"shop/a\\b.py",
    b"shop/\xe2\x80\xae.py",
    b"shop/<!-- x.py",
]


@pytest.mark.parametrize("command", ["refresh", "confirm"])
@pytest.mark.parametrize("name", UNCITABLE)
@pytest.mark.parametrize("more", ["", "import math\n"])
def test_a_move_to_a_path_that_no_entry_can_cite_is_left_alone_and_told(
    shop: Repo, command: str, name: bytes, more: str
) -> None:
    before = (shop.read(ENTRY), shop.git("show", f":{ENTRY}"))
    (shop.root / "shop/tax.py").rename(shop.root / os.fsdecode(name))
    shop.write(os.fsdecode(name), f"{more}{TAX}{FILLER}")
    shop.add()
    assert states(shop)["vat"] == "moved"
    if command == "refresh":
        plain = shop.curator("refresh")
        assert "->" not in plain.stdout
        assert "--moves" not in plain.stderr
        assert plain.exit_code == 0
    ran = shop.curator("refresh", "--moves") if command == "refresh" else shop.curator("confirm", "vat", "--yes")
    assert "Traceback" not in ran.output
    assert ran.exit_code == (0 if command == "refresh" else 2), ran.output
    assert "shop/tax.py moved to shop/" in ran.stderr
    assert "`curator edit vat`" in ran.stderr
    assert (shop.read(ENTRY), shop.git("show", f":{ENTRY}")) == before
    assert "refresh --moves" not in shop.curator("check").output


def test_a_move_that_is_taken_is_written_into_the_text_too(base: Repo) -> None:
    base.write("shop/tax.py", TAX + FILLER)
    path = cite(
        base, "vat", "Rounding is `round_vat` of shop/tax.py, see `tax.py`, not of my-shop/tax.pyx.", "shop/tax.py"
    )
    base.curator("render")
    base.commit()
    base.git("mv", "shop/tax.py", "shop/money.py")
    assert "writes the new path, in the text too" in base.curator("check").stderr
    assert base.curator("refresh", "--moves").exit_code == 0
    now = entry(base, path)
    assert now.text.strip() == "Rounding is `round_vat` of shop/money.py, see `tax.py`, not of my-shop/tax.pyx."
    assert now.sources[0].path == "shop/money.py"
    assert base.curator("render", "--check").exit_code == 0
    assert base.curator("check", "--strict").exit_code == 0
