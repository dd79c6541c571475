"""`blame`: from any line of an instruction file to where it comes from (promise 10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import END, START, Repo

QUOTE = "vat has to be rounded per line, the total is off by a cent otherwise"
ORIGIN = (
    "review_by: '2099-12-31'\norigin:\n  by: user\n  agent: claude-code\n  session: 253fd5ef\n"
    f"  created: '2026-07-06T09:24:01Z'\n  quote: |\n    {QUOTE}\n"
)
LONG = "Spanish VAT rounds per line, not per order total.\nRounding the total is off by a cent on multi-item orders."
LISTED = "Before a release:\n- run the tests\n- tag it\n\nThen rest."


@pytest.fixture
def shop(base: Repo) -> Repo:
    """A rendered and committed block with a memory of each kind of text."""
    base.memory("vat", LONG, "gotcha", more=ORIGIN)
    base.memory("release", LISTED, "convention")
    base.write("memories/curator.yaml", "")
    base.commit("Add rules")
    render(base)
    return base


def render(repo: Repo, message: str = "Render") -> None:
    ran = repo.curator("render")
    assert ran.exit_code == 0, ran.stderr
    repo.commit(message)


def line_of(repo: Repo, text: str, path: str = "CLAUDE.md") -> int:
    lines = repo.read(path).split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


def traces(repo: Repo, *arguments: str) -> list[Any]:
    ran = repo.curator("blame", *arguments, "--json")
    assert ran.exit_code == 0, ran.stderr
    found: list[Any] = json.loads(ran.stdout)["lines"]
    return found


def trace(repo: Repo, *arguments: str) -> Any:
    (found,) = traces(repo, *arguments)
    return found


def told(repo: Repo, *arguments: str) -> str:
    ran = repo.curator("blame", *arguments)
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def test_a_line_leads_to_file_commits_author_session_and_quote(shop: Repo) -> None:
    born = shop.git("rev-parse", "HEAD~1").strip()
    text = shop.read("memories/gotcha/vat.yaml")
    shop.write("memories/gotcha/vat.yaml", text.replace("multi-item", "larger"))
    shop.commit("Reword it")
    render(shop)
    number = line_of(shop, "Spanish VAT")
    found = trace(shop, str(number))
    assert (found["file"], found["line"], found["kind"]) == ("CLAUDE.md", number, "entry")
    (entry,) = found["entries"]
    assert (entry["id"], entry["path"]) == ("vat", "memories/gotcha/vat.yaml")
    assert entry["birth"]["commit"] == born
    assert (entry["wording"]["subject"], entry["wording"]["author"]) == ("Reword it", "Ada")
    assert entry["origin"]["session"] == "253fd5ef"
    assert entry["origin"]["quote"].strip() == QUOTE
    shown = told(shop, str(number))
    for part in ("memories/gotcha/vat.yaml", "Ada: Reword it", "Ada: Add rules", "session 253fd5ef", QUOTE):
        assert part in shown
    assert "`curator log vat`" in shown


def test_every_line_of_a_block_is_traced(shop: Repo) -> None:
    lines = shop.read("CLAUDE.md").split("\n")
    start, end = lines.index(START) + 1, lines.index(END) + 1
    kinds = {number: trace(shop, str(number))["kind"] for number in range(1, len(lines))}
    assert kinds[start] == kinds[end] == "marker"
    assert {kinds[number] for number in range(start + 1, end)} == {"entry", "heading", "template"}
    assert {kinds[number] for number in kinds if not start <= number <= end} == {"outside"}
    for number in range(start + 1, end):
        if lines[number - 1].startswith("### "):
            assert kinds[number] == "heading"
        elif lines[number - 1].startswith(("- ", "  ")):
            assert kinds[number] == "entry"


def test_a_line_of_an_entry_that_takes_several_counts_for_it(shop: Repo) -> None:
    first = line_of(shop, "- Before a release:")
    for number in range(first, first + 5):
        found = trace(shop, str(number))
        assert (found["line"], found["last"]) == (first, first + 4)
        assert found["entries"][0]["id"] == "release"
    assert trace(shop, "tag it")["entries"][0]["id"] == "release"
    assert trace(shop, "run the tests - tag it")["entries"][0]["id"] == "release"


def test_text_is_found_however_its_lines_are_broken_and_whatever_its_case(shop: Repo) -> None:
    for text in (
        "spanish vat",
        "not per order total. Rounding the total",
        "- Spanish VAT rounds",
        "total.\n  Rounding",
    ):
        assert trace(shop, text)["entries"][0]["id"] == "vat"


def test_text_that_fits_several_entries_lists_them(shop: Repo) -> None:
    shop.memory("vat2", "French VAT rounds per order total.", "gotcha")
    shop.commit("Add another")
    render(shop)
    found = traces(shop, "order total")
    assert [one["entries"][0]["id"] for one in found] == ["vat", "vat2"]
    shown = told(shop, "order total")
    assert "memories/gotcha/vat.yaml" in shown
    assert "memories/gotcha/vat2.yaml" in shown


def test_two_entries_that_say_the_same_are_both_named(shop: Repo) -> None:
    shop.memory("vat3", LONG, "gotcha")
    shop.commit("Say it twice")
    assert [one["id"] for one in trace(shop, "Spanish VAT")["entries"]] == ["vat", "vat3"]


def test_another_file_is_named_by_option_or_with_its_line(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: svc/CLAUDE.md\n    scope: svc/\n")
    shop.memory("svc", "Only for the service.", more="review_by: '2099-12-31'\nscope: svc/\n")
    shop.block("svc/CLAUDE.md")
    shop.commit("A service")
    render(shop)
    number = line_of(shop, "Only for the service.", "svc/CLAUDE.md")
    for arguments in ([f"svc/CLAUDE.md:{number}"], [str(number), "--file", "svc/CLAUDE.md"], ["Only for the service."]):
        found = trace(shop, *arguments)
        assert (found["file"], found["entries"][0]["id"]) == ("svc/CLAUDE.md", "svc")
    assert trace(shop, str(line_of(shop, "Spanish")))["file"] == "CLAUDE.md"
    monkeypatch.chdir(shop.root / "svc")
    assert trace(shop, f"CLAUDE.md:{number}")["file"] == "svc/CLAUDE.md"


def test_a_bare_number_wants_a_file_where_several_could_be_meant(shop: Repo) -> None:
    shop.write("memories/curator.yaml", "targets:\n  - path: CLAUDE.md\n  - path: AGENTS.md\n")
    shop.add()
    ran = shop.curator("blame", "3")
    assert ran.exit_code == 2
    assert "--file: CLAUDE.md, AGENTS.md" in ran.stderr


def test_what_git_knows_is_said_of_a_line_around_the_block(shop: Repo) -> None:
    found = trace(shop, "1")
    assert (found["kind"], found["text"], found["commit"]["subject"]) == ("outside", "# Project", "base")
    assert "Ada: base" in told(shop, "USER TAIL")
    shop.write("CLAUDE.md", shop.read("CLAUDE.md") + "a new thought\n")
    assert trace(shop, "a new thought")["commit"] is None
    assert "not committed yet" in told(shop, "a new thought")
    shop.write("NOTES.md", "never committed\n")
    assert "no commit holds this file" in told(shop, "NOTES.md:1")


def test_a_line_written_into_the_block_by_hand_is_called_that(shop: Repo) -> None:
    shop.write("CLAUDE.md", shop.read("CLAUDE.md").replace(END, f"- Trust me.\nAnd me.\n{END}"))
    shop.commit("Sneak it in")
    for text in ("Trust me.", "And me."):
        found = trace(shop, text)
        assert (found["kind"], found["commit"]["subject"], found["entries"]) == ("by hand", "Sneak it in", [])
        assert "no memory says it or said it" in told(shop, text)


def test_a_reason_or_a_quote_is_no_statement(shop: Repo) -> None:
    shop.write("CLAUDE.md", shop.read("CLAUDE.md").replace(END, f"- {QUOTE}\n- Rounding the total\n{END}"))
    shop.commit("Sneak it in")
    assert trace(shop, QUOTE)["kind"] == "by hand"
    assert trace(shop, str(line_of(shop, "- Rounding the total")))["kind"] == "by hand"
    assert shop.curator("blame", "the total is off by a cent otherwise", "--file", "README").exit_code == 2


def test_an_old_text_is_found_whatever_its_case_and_script(shop: Repo) -> None:
    shop.memory("vat", "Größe zählt nicht.", "gotcha")
    shop.commit("Other words")
    shop.memory("vat", "Nothing counts.", "gotcha")
    shop.commit("Others again")
    for text in ("grösse ZÄHLT nicht", "größe zählt", "SPANISH VAT rounds per"):
        if text.startswith("gr"):
            assert trace(shop, text.replace("ss", "ß"))["entries"][0]["id"] == "vat"
        else:
            assert traces(shop, text)[0]["kind"] in {"entry", "once an entry"}


def test_headings_preamble_and_footer_are_explained(shop: Repo) -> None:
    assert "`budget`" in told(shop, "### Gotchas")
    assert "`preamble: false`" in told(shop, "Before working on something")
    shop.write("memories/curator.yaml", "budget:\n  convention: 500\n  gotcha: 1\n")
    shop.commit("No room")
    render(shop)
    assert "`curator list --out`" in told(shop, "1 more did not fit")
    found = trace(shop, "Spanish VAT")
    assert (found["line"], found["file"]) == (0, "memories/gotcha/vat.yaml")
    assert "in no block" in told(shop, "Spanish VAT")


def test_the_line_of_stale_memories_names_each_of_them(shop: Repo) -> None:
    shop.write("shop/tax.py", "def round_vat(amount):\n    return amount\n\n\ndef cent_off():\n    return 1\n")
    shop.commit("code")
    for text in ("It is `round_vat` that rounds.", "It is `cent_off` that counts."):
        assert shop.curator("add", text, "--source", "shop/tax.py", "--category", "gotcha").exit_code == 0
    shop.write("shop/tax.py", "1\n")
    shop.commit("gone")
    render(shop)
    found = trace(shop, "Check before relying on")
    assert found["kind"] == "flags"
    assert len(found["entries"]) == 2
    assert all(one["birth"]["commit"] for one in found["entries"])


def test_a_block_out_of_date_leads_to_the_entry_as_it_was(shop: Repo) -> None:
    number = str(line_of(shop, "Spanish VAT"))
    shop.memory("vat", "VAT is the bank's business.", "gotcha", more=ORIGIN)
    shop.commit("Reword it")
    found = trace(shop, number)
    assert (found["kind"], found["current"]) == ("once an entry", False)
    assert found["entries"][0]["wording"]["subject"] == "Add rules"
    shown = told(shop, number)
    assert "reworded by" in shown
    assert "VAT is the bank's business." in shown
    assert "`curator render`" in shown


@pytest.mark.parametrize(
    ("how", "said"),
    [("remove", "its memory was removed by"), ("retire", "retired on"), ("replace", "superseded by heir")],
)
def test_what_became_of_it_since_is_said(shop: Repo, how: str, said: str) -> None:
    if how == "remove":
        shop.git("rm", "-q", "memories/gotcha/vat.yaml")
    elif how == "retire":
        assert shop.curator("retire", "vat", "--reason", "no shop", "--no-render").exit_code == 0
    else:
        shop.memory("heir", "Other.", more="review_by: '2099-12-31'\nsupersedes:\n  - vat\n")
    shop.commit("end it")
    assert said in told(shop, str(line_of(shop, "Spanish VAT")))
    render(shop)
    assert said in told(shop, "Spanish VAT rounds per line")


def test_a_revert_takes_the_line_out_and_the_text_still_leads_to_its_commit(shop: Repo) -> None:
    born = shop.git("rev-parse", "HEAD~1").strip()
    shop.git("revert", "--no-edit", born)
    render(shop)
    assert "Spanish VAT" not in shop.read("CLAUDE.md")
    found = trace(shop, "Spanish VAT rounds per line")
    assert found["entries"][0]["birth"]["commit"] == born
    assert found["entries"][0]["gone"] is True


def test_a_memory_that_is_only_staged_says_so(shop: Repo) -> None:
    shop.memory("new", "Be brief.")
    shop.git("add", "memories")
    assert shop.curator("render").exit_code == 0
    assert trace(shop, "Be brief.")["entries"][0]["wording"]["commit"] == ""
    assert "never committed" in told(shop, "Be brief.")
    shop.memory("new", "Be very brief, and not staged.")
    assert trace(shop, "Be brief.")["kind"] == "entry"


@pytest.mark.parametrize("asked", ["nobody said this", "999", "0", "", " ", "CLAUDE.md:999"])
def test_what_leads_nowhere_exits_2_with_a_next_step(shop: Repo, asked: str) -> None:
    ran = shop.curator("blame", asked)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "  -> " in ran.stderr


def test_broken_markers_are_refused_with_their_lines(shop: Repo) -> None:
    shop.write("CLAUDE.md", f"{START}\nx\n")
    ran = shop.curator("blame", "1")
    assert ran.exit_code == 2
    assert "the end marker is missing" in ran.stderr


def test_crlf_and_a_byte_order_mark_make_no_difference(shop: Repo) -> None:
    shop.write("CLAUDE.md", "\ufeff" + shop.read("CLAUDE.md").replace("\n", "\r\n"))
    assert trace(shop, "Spanish VAT")["entries"][0]["id"] == "vat"


def test_t25_hostile_lines_and_authors_drive_no_terminal(shop: Repo) -> None:
    shop.write("CLAUDE.md", shop.read("CLAUDE.md") + "evil \x1b[2J \x9b \u202e ::error::x\n")
    shop.add()
    shop.git("-c", "user.name=\x1b[31mM", "commit", "--author=\x9b2J <m@x>", "-qm", "\x1b]0;x\x07 s")
    for arguments in (["evil"], ["evil", "--json"], ["\x1b[2J no"]):
        ran = shop.curator("blame", *arguments)
        assert not [c for c in ran.output if c != "\n" and (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c == "\u202e")]


def test_t20_nothing_outside_the_repository_is_read(shop: Repo) -> None:
    outside = shop.root.parent / "outside.md"
    outside.write_text("secret words\n", encoding="utf-8")
    for arguments in (["../outside.md:1"], ["1", "--file", "../outside.md"], ["--", "--output=x"]):
        ran = shop.curator("blame", *arguments)
        assert ran.exit_code == 2
        assert "secret words" not in ran.output
        assert "Traceback" not in ran.output
    assert not (shop.root / "x").exists()
