"""`confirm`: a person looks at then and now, and what is stamped is what was looked at."""

from __future__ import annotations

import sys

import pytest

from curator.model import Source
from tests.citing import RULE, TAX, cite, entry, states, taxed
from tests.conftest import Repo

RENAMED_TERM = TAX.replace("round_vat", "round_tax")
FILLER = "".join(f"line_{number} = {number}\n" for number in range(60))
ENTRY = "memories/convention/vat.yaml"


def index(repo: Repo) -> str:
    return repo.git("ls-files", "-s")


@pytest.fixture
def shop(base: Repo) -> Repo:
    """A repository with the entry `vat` about shop/tax.py."""
    taxed(base, TAX + FILLER)
    return base


def break_it(repo: Repo) -> None:
    repo.write("shop/tax.py", RENAMED_TERM + FILLER)
    repo.add()


def test_then_and_now_are_shown_and_without_a_yes_nothing_is_written(shop: Repo) -> None:
    break_it(shop)
    before = (shop.read(ENTRY), index(shop))
    ran = shop.curator("confirm", "vat")
    assert ran.exit_code == 1
    assert RULE in ran.stdout
    assert "shop/tax.py: stale" in ran.stdout
    assert "  - def round_vat(amount):" in ran.stdout
    assert "  + def round_tax(amount):" in ran.stdout
    assert "nothing was written" in ran.stderr
    assert (shop.read(ENTRY), index(shop)) == before


def test_with_yes_the_entry_is_stamped_dated_and_staged(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.cli.door.today", lambda: "2026-11-30")
    break_it(shop)
    was = entry(shop, ENTRY)
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 0, ran.output
    now = entry(shop, ENTRY)
    assert (now.text, now.why, now.origin, now.id) == (was.text, was.why, was.origin, was.id)
    assert now.confirmed == "2026-11-30"
    assert now.sources[0].blob == shop.git("rev-parse", ":shop/tax.py").strip()
    assert all(item.term != "round_vat" for item in now.sources[0].terms)
    assert states(shop)["vat"] == "fresh"
    assert shop.read(ENTRY) == shop.git("show", f":{ENTRY}")


def test_what_nobody_doubts_is_confirmed_without_asking(shop: Repo) -> None:
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    ran = shop.curator("confirm", "vat")
    assert ran.exit_code == 0, ran.output
    assert states(shop)["vat"] == "fresh"


@pytest.mark.parametrize("arguments", [(), ("--yes",)])
@pytest.mark.parametrize("variable", ["CLAUDECODE", "CODEX_SANDBOX", "AGENT"])
def test_an_agent_is_refused_until_the_user_allows_it(
    shop: Repo, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    before = (shop.read(ENTRY), index(shop))
    ran = shop.curator("confirm", "vat", *arguments)
    assert ran.exit_code == 2
    assert "a person's decision" in ran.stderr
    assert (shop.read(ENTRY), index(shop)) == before
    shop.git("config", "curator.agentsMay", "true")
    assert shop.curator("confirm", "vat", *arguments).exit_code == 0


def test_the_staged_version_is_stamped_and_a_difference_on_disk_is_said(shop: Repo) -> None:
    break_it(shop)
    staged = shop.git("rev-parse", ":shop/tax.py").strip()
    shop.write("shop/tax.py", TAX + "# unstaged\n")
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 0, ran.output
    assert "shop/tax.py on disk is not what is staged; the staged version was looked at" in ran.stderr
    assert entry(shop, ENTRY).sources[0].blob == staged
    assert "shop/tax.py" in shop.git("diff", "--name-only")


def test_a_moved_source_gets_its_new_path(shop: Repo) -> None:
    shop.git("mv", "shop/tax.py", "shop/money.py")
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 0, ran.output
    assert "shop/tax.py becomes shop/money.py" in ran.stderr
    assert [source.path for source in entry(shop, ENTRY).sources] == ["shop/money.py"]
    assert states(shop)["vat"] == "fresh"


def test_a_file_that_is_gone_leaves_the_sources_with_a_note(shop: Repo) -> None:
    shop.write("b.py", "ROUNDING = 1\n")
    cite(shop, "two", f"{RULE} See `ROUNDING`.", "shop/tax.py", "b.py")
    shop.commit()
    shop.git("rm", "-q", "shop/tax.py")
    ran = shop.curator("confirm", "two", "--yes")
    assert ran.exit_code == 0, ran.output
    assert "shop/tax.py is gone and is left out of the sources" in ran.stderr
    assert [source.path for source in entry(shop, "memories/convention/two.yaml").sources] == ["b.py"]


def test_when_the_last_source_is_gone_a_review_is_dated(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.cli.door.today", lambda: "2026-11-30")
    shop.write("b.py", "ROUNDING = 1\n")
    path = cite(shop, "one", "See `ROUNDING`.", "b.py", review_by="")
    shop.commit()
    shop.git("rm", "-q", "b.py")
    ran = shop.curator("confirm", "one", "--yes")
    assert ran.exit_code == 0, ran.output
    found = entry(shop, path)
    assert found.sources == ()
    assert found.review_by > "2026-11-30"
    assert "nothing in it can be checked" in ran.stderr
    assert shop.curator("check", "one").exit_code == 0


def test_a_route_whose_only_file_is_gone_is_refused_in_words(shop: Repo) -> None:
    shop.write("b.py", "ROUNDING = 1\n")
    path = cite(shop, "way", "`ROUNDING` lives in b.py.", "b.py")
    route = path.replace("convention", "route")
    shop.write(route, shop.read(path).replace("category: convention", "category: route"))
    shop.git("rm", "-qf", path)
    shop.commit()
    shop.git("rm", "-q", "b.py")
    before = (shop.read(route), index(shop))
    ran = shop.curator("confirm", "way", "--yes")
    assert ran.exit_code == 2
    assert "curator retire way" in ran.stderr
    assert (shop.read(route), index(shop)) == before


@pytest.mark.parametrize(
    ("anchor", "note"),
    [
        (Source("shop/tax.py", symbol="round_vat"), "`symbol: round_vat`"),
        (Source("shop/tax.py", text="return round(amount, 2)"), "`text: return round(amount, 2)`"),
        (Source("shop/tax.py", absent="Decimal"), "`absent: Decimal`"),
    ],
)
def test_an_anchor_that_no_longer_stands_is_left_out_with_a_note(shop: Repo, anchor: Source, note: str) -> None:
    path = cite(shop, "anchored", "Amounts are plain numbers.", anchor)
    shop.commit()
    shop.write("shop/tax.py", "from decimal import Decimal\n\n\ndef tax(a):\n    return Decimal(a)\n")
    shop.add()
    assert states(shop)["anchored"] == "stale"
    ran = shop.curator("confirm", "anchored", "--yes")
    assert ran.exit_code == 0, ran.output
    assert note in ran.stderr
    (source,) = entry(shop, path).sources
    assert (source.symbol, source.text, source.absent) == ("", "", "")
    assert states(shop)["anchored"] == "fresh"
    shop.commit()
    shop.write("shop/tax.py", "from decimal import Decimal\n")
    shop.add()
    assert states(shop)["anchored"] != "stale"


def test_a_hand_written_layout_and_its_comments_survive(shop: Repo) -> None:
    blob = shop.git("rev-parse", ":shop/tax.py").strip()
    text = (
        "# kept by hand\n"
        "category: convention   # the folder's name\n"
        "id: hand\n"
        "schema: 1\n"
        "text: >-\n"
        "  Spanish VAT is rounded per line,\n"
        "  by `round_vat`.\n"
        "why: 'Because: reasons.'\n"
        f"sources: [{{path: shop/tax.py, blob: '{blob}'}}]\n"
        "tags: [b, a]\n"
    )
    shop.write("memories/convention/hand.yaml", text)
    shop.commit()
    break_it(shop)
    ran = shop.curator("confirm", "hand", "--yes")
    assert ran.exit_code == 0, ran.output
    after = shop.read("memories/convention/hand.yaml")
    kept = [line for line in text.split("\n") if line and not line.startswith("sources")]
    assert [line for line in kept if line not in after.split("\n")] == []
    assert "confirmed:" in after
    assert states(shop)["hand"] == "fresh"


def test_comments_on_sources_that_stay_survive_the_one_that_goes(shop: Repo) -> None:
    shop.write("b.py", "ROUNDING = 1\n")
    shop.write("c.py", "LIMIT_X = 2\n")
    sources = Source("b.py"), Source("shop/tax.py", symbol="round_vat"), Source("c.py")
    path = cite(shop, "many", f"{RULE} See `ROUNDING` and `LIMIT_X`.", *sources)
    text = shop.read(path)
    text = text.replace("  - path: b.py\n", "  # first: tax office rule 7\n  - path: b.py  # beside b\n")
    text = text.replace("  - path: shop/tax.py\n", "  # goes with it\n  - path: shop/tax.py  # gone\n")
    text = text.replace("  - path: c.py\n", "  # keep me\n  - path: c.py\n    # why these\n")
    shop.write(path, text)
    shop.commit()
    shop.git("rm", "-q", "shop/tax.py")
    assert shop.curator("confirm", "many", "--yes").exit_code == 0
    gone = text[text.index("  # goes with it\n") : text.index("  # keep me\n")]
    confirmed = [line for line in shop.read(path).split("\n") if line.startswith("confirmed:")]
    assert len(confirmed) == 1
    assert shop.read(path).replace(f"{confirmed[0]}\n", "") == text.replace(gone, "")


def test_comments_survive_two_sources_that_become_one(shop: Repo) -> None:
    shop.write("b.py", "ROUNDING = 1\n")
    anchored = Source("shop/tax.py", symbol="round_vat"), Source("shop/tax.py", absent="Decimal"), Source("b.py")
    path = cite(shop, "two", f"{RULE} See `ROUNDING`.", *anchored)
    first, second, third = shop.read(path).split("  - path: ")[1:]
    remarked = f"  # by name\n  - path: {first}  # not there\n  - path: {second}  # keep me\n  - path: {third}"
    shop.write(path, shop.read(path).replace(f"  - path: {first}  - path: {second}  - path: {third}", remarked))
    shop.commit()
    shop.write("shop/tax.py", "from decimal import Decimal\n")
    shop.add()
    assert shop.curator("confirm", "two", "--yes").exit_code == 0
    blob = shop.git("rev-parse", ":shop/tax.py").strip()
    assert [source.path for source in entry(shop, path).sources] == ["shop/tax.py", "b.py"]
    kept = third[: third.index("review_by")]
    assert f"  # not there\n  - path: shop/tax.py\n    blob: {blob}\n  # keep me\n  - path: {kept}" in shop.read(path)


def test_an_entry_with_crlf_keeps_its_line_ends(shop: Repo) -> None:
    shop.write(ENTRY, shop.read(ENTRY).replace("\n", "\r\n"))
    shop.commit()
    break_it(shop)
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 0, ran.output
    assert shop.read(ENTRY).count("\n") == shop.read(ENTRY).count("\r\n")


def test_a_passed_review_date_asks_and_moves(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.cli.door.today", lambda: "2026-11-30")
    path = shop.memory("due", "Ask finance again.", more="review_by: '2026-01-01'\n")
    shop.commit()
    assert shop.curator("check", "due", "--strict").exit_code == 1
    assert shop.curator("confirm", "due").exit_code == 1
    ran = shop.curator("confirm", "due", "--yes")
    assert ran.exit_code == 0, ran.output
    assert entry(shop, path).review_by > "2026-11-30"
    assert shop.curator("check", "due", "--strict").exit_code == 0


def test_a_review_date_far_off_stays(shop: Repo) -> None:
    break_it(shop)
    shop.curator("confirm", "vat", "--yes")
    assert entry(shop, ENTRY).review_by == "2099-12-31"


def test_a_retired_entry_is_refused(shop: Repo) -> None:
    assert shop.curator("retire", "vat", "--reason", "over").exit_code == 0
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 2
    assert "retired" in ran.stderr


def test_an_entry_with_unstaged_changes_is_refused(shop: Repo) -> None:
    shop.write(ENTRY, shop.read(ENTRY) + "# note\n")
    before = shop.read(ENTRY)
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 2
    assert "not staged" in ran.stderr
    assert "git add" in ran.stderr
    assert shop.read(ENTRY) == before


def test_an_entry_that_was_never_staged_is_unknown(shop: Repo) -> None:
    shop.memory("loose", "Not staged.")
    assert shop.curator("confirm", "loose", "--yes").exit_code == 2


def test_the_block_loses_its_flag_in_the_same_step(shop: Repo) -> None:
    break_it(shop)
    shop.curator("render")
    assert "Check before relying on" in shop.read("CLAUDE.md")
    shop.git("add", "CLAUDE.md")
    assert shop.curator("confirm", "vat", "--yes").exit_code == 0
    assert "Check before relying on" not in shop.git("show", ":CLAUDE.md")
    break_it(shop)
    shop.write("shop/tax.py", TAX)
    assert shop.curator("confirm", "vat", "--yes", "--no-render").exit_code == 0


def test_a_baseline_that_is_not_in_the_clone_is_said(shop: Repo) -> None:
    shop.write(ENTRY, shop.read(ENTRY).replace(entry(shop, ENTRY).sources[0].blob, "1" * 40))
    break_it(shop)
    ran = shop.curator("confirm", "vat", "--yes")
    assert ran.exit_code == 0, ran.output
    assert "what stood there is not in this clone" in ran.stdout


def test_a_source_in_a_submodule_or_behind_a_link_is_confirmed_as_it_is(shop: Repo) -> None:
    (shop.root / "out.py").symlink_to("/etc/hostname")
    cite(shop, "out", RULE, "out.py")
    shop.commit()
    ran = shop.curator("confirm", "out", "--yes")
    assert ran.exit_code == 0, ran.output
    assert [source.path for source in entry(shop, "memories/convention/out.yaml").sources] == ["out.py"]


def test_a_source_whose_merge_is_open_is_not_taken_for_gone(shop: Repo) -> None:
    shop.git("checkout", "-qb", "side")
    shop.write("shop/tax.py", TAX.replace("21", "22") + FILLER)
    shop.commit("side")
    shop.git("checkout", "-q", "main")
    shop.write("shop/tax.py", TAX.replace("21", "23") + FILLER)
    shop.commit("main")
    with pytest.raises(Exception, match="merge"):
        shop.git("merge", "-q", "side")
    shop.curator("confirm", "vat", "--yes")
    assert [source.path for source in entry(shop, ENTRY).sources] == ["shop/tax.py"]


def test_two_sources_that_moved_to_one_file_are_one_source(shop: Repo) -> None:
    shop.write("b.py", TAX + FILLER)
    path = cite(shop, "two", RULE, "shop/tax.py", "b.py")
    shop.commit()
    shop.git("rm", "-q", "shop/tax.py", "b.py")
    shop.write("c.py", TAX + FILLER)
    shop.add()
    ran = shop.curator("confirm", "two", "--yes")
    assert ran.exit_code == 0, ran.output
    assert shop.curator("check", "two").exit_code == 0
    assert [source.path for source in entry(shop, path).sources].count("c.py") <= 1


def test_text_that_could_drive_a_terminal_is_shown_as_an_escape(shop: Repo) -> None:
    shop.write("shop/tax.py", TAX.replace("amount", "amount\x1b[2J"))
    cite(shop, "esc", RULE, "shop/tax.py")
    shop.commit()
    break_it(shop)
    ran = shop.curator("confirm", "esc", "--yes")
    assert "\x1b" not in ran.output
    assert "\x1b" not in shop.curator("check").output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_a_no_writes_nothing(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def refuse(question: str) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr("curator.cli.door.agreed", refuse)
    break_it(shop)
    before = shop.read(ENTRY)
    assert shop.curator("confirm", "vat").exit_code == 1
    assert asked
    assert shop.read(ENTRY) == before


@pytest.mark.parametrize("command", [("confirm", "vat", "--yes"), ("refresh",)])
def test_what_is_staged_of_an_entry_stays_when_an_older_one_is_trusted(shop: Repo, command: tuple[str, ...]) -> None:
    shop.git("config", "curator.trust", "HEAD")
    shop.write(ENTRY, shop.read(ENTRY).replace("Spanish VAT", "Portuguese VAT"))
    shop.write("shop/tax.py", f"import math\n{TAX}{FILLER}")
    shop.add()
    ran = shop.curator(*command)
    assert ran.exit_code == 0, ran.output
    assert "Portuguese VAT" in shop.read(ENTRY)
    assert entry(shop, ENTRY).sources[0].blob == shop.git("rev-parse", ":shop/tax.py").strip()


def test_several_are_confirmed_in_one_call(base: Repo) -> None:
    taxed(base)
    cite(base, "other", "It is `round_vat` that rounds.", "shop/tax.py")
    base.write("shop/tax.py", "RATE = 21\n")
    base.commit()
    assert base.curator("confirm", "vat", "other").exit_code == 1
    assert base.curator("confirm", "vat", "other", "--yes").exit_code == 0
    assert base.curator("check").exit_code == 0
