"""The report as a person meets it: the command, and its page in a real browser."""

from __future__ import annotations

import itertools
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from curator.core import page as blocks
from curator.core import webpage
from curator.core.verdict import Change, Judged, Reason, Verdict
from curator.edge import assets
from curator.model import Config, Entry, Evidence, Fault, Finding, Origin, Retired, Source, State, Target
from tests.conftest import BLOCK_TEMPLATE, Repo

CHROMIUM = os.environ.get("CURATOR_CHROMIUM", "/usr/bin/chromium")
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
PARTS = webpage.Parts(*map(assets.text, assets.REPORT))
TODAY = "2026-07-15"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).is_file():
        pytest.skip(f"no Chromium at {CHROMIUM}: install one, or name it in CURATOR_CHROMIUM")
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@dataclass
class Look:
    """One page that is looked at, and what it asked for or complained of."""

    page: Page
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def shown(self) -> list[str]:
        """The ids in the list, in order."""
        found: list[str] = self.page.locator("#list .id").all_text_contents()
        return found

    def comes_to_show(self, *ids: str) -> None:
        """A followed link is told to the page a moment later."""
        expect(self.page.locator("#list .id")).to_have_text(list(ids))

    def count(self) -> str:
        return self.page.locator("#count").inner_text()

    def search(self, text: str) -> list[str]:
        self.page.fill("#q", text)
        return self.shown()

    def tick(self, facet: str, value: str) -> None:
        self.page.locator(f'#facets input[name="{facet}"][value="{value}"]').click()

    def hash(self) -> str:
        return str(self.page.evaluate("decodeURIComponent(location.hash)"))

    def focused(self) -> str:
        """The id of the memory that has the focus, or of the element."""
        return str(
            self.page.evaluate(
                "document.activeElement.closest('details.entry')?.querySelector('.id').textContent"
                " ?? document.activeElement.id"
            )
        )

    def facts(self, name: str) -> dict[str, str]:
        """What is told of the memory with that id, once it is open."""
        self.open(name)
        self.entry(name).locator(".facts").wait_for()
        pairs = self.entry(name).locator(".facts > dt, .facts > dd").all_inner_texts()
        return dict(zip(pairs[::2], pairs[1::2], strict=True))

    def entry(self, name: str) -> Any:
        return self.page.locator("details.entry").filter(has=self.page.get_by_text(name, exact=True)).first

    def open(self, name: str) -> None:
        if self.entry(name).get_attribute("open") is None:
            self.entry(name).locator("summary").click()


@pytest.fixture
def look(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Look]]:
    """Open a page's text in a browser as a file; at the end it must have asked for nothing else and said nothing."""
    opened: list[Look] = []

    def begin(text: str, hash_: str = "", **options: Any) -> Look:
        file = tmp_path / f"page-{len(opened)}.html"
        file.write_bytes(text.encode())
        made = Look(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}).new_page())

        def said(message: ConsoleMessage) -> None:
            made.said.append(message.text)

        def asked(request: Request) -> None:
            made.asked.append(request.url)

        made.page.on("console", said)
        made.page.on("pageerror", lambda error: made.said.append(str(error)))
        made.page.on("request", asked)
        made.page.goto(file.as_uri() + hash_)
        opened.append(made)
        return made

    yield begin
    for one in opened:
        assert {url.partition("#")[0] for url in one.asked} == {one.page.url.partition("#")[0]}
        assert one.said == []
        one.page.context.close()


def memory(name: str, text: str, category: str = "gotcha", **more: Any) -> Entry:
    return replace(Entry(name, category, f"{text}\n", path=f"memories/{category}/{name}.yaml"), **more)


TAX = Source("shop/tax.py", "round_vat", blob="9c1e2ab4", terms=(Evidence("round_vat", ("3fa1",), True),))
ENTRIES = (
    memory(
        "vat-per-line-4f1c9a",
        "Spanish VAT rounds per line in `round_vat`.",
        importance=7,
        why="Tax authority rule; checkout was wrong until March.",
        tags=("checkout", "vat"),
        triggers=("one cent off",),
        sources=(TAX,),
        supersedes=("vat-per-order-77aa01",),
        confirmed="2026-07-06",
        origin=Origin(
            "user",
            "claude-code",
            "253fd5ef",
            "pre-compact",
            "f446dcf",
            "2026-07-06T09:24:01Z",
            "vat has to be rounded per line",
            "rules/1",
            0.71,
        ),
    ),
    memory("vat-per-order-77aa01", "VAT rounds per order.", origin=Origin(created="2026-01-02")),
    memory("no-force-push-0b2d5e", "Never force-push to main.", "constraint", importance=9, review_by="2026-01-01"),
    memory("moved-file-aaaaaa", "Mails are rendered in `render_mail`.", "route", sources=(Source("shop/mail.py"),)),
    memory("too-long-bbbbbb", "word " * 500, "todo", origin=Origin(created="2026-05-01")),
    memory("web-only-cccccc", "Links end without a slash.", "convention", scope="web/"),
    memory("gone-dddddd", "Use moment.js.", "convention", retired=Retired("2026-06-10", "moved to Temporal")),
    memory("old-eeeeee", "The sale ends in June.", "todo", expires="2026-07-01"),
)
CONFIG = Config(targets=(Target("CLAUDE.md"), Target("web/CLAUDE.md", "web/")))


def overview(entries: tuple[Entry, ...] = ENTRIES, config: Config = CONFIG, **more: Any) -> webpage.Overview:
    made = tuple(blocks.compose(entries, target, config, BLOCK_TEMPLATE, TODAY) for target in config.targets)
    told = webpage.Overview(title="shop", as_of=TODAY, trust="index", ordered=entries, blocks=made)
    return replace(told, **more)


def written(entries: tuple[Entry, ...] = ENTRIES, **more: Any) -> str:
    return webpage.write(overview(entries, **more), PARTS)


@pytest.fixture(scope="module")
def shop() -> str:
    """The page about ENTRIES, one of each state."""
    gone = Reason(State.STALE, Change.DEFINITION_GONE, "shop/tax.py", "round_vat")
    moved = Reason(State.MOVED, Change.MOVED, "shop/mail.py", elsewhere="shop/post.py")
    judged = [Judged(one) for one in ENTRIES if one.id.startswith(("too", "web"))]
    judged += [Judged(ENTRIES[0], (Verdict(State.STALE, (gone,)),)), Judged(ENTRIES[2], due=True)]
    judged += [Judged(ENTRIES[3], (Verdict(State.MOVED, (moved,)),))]
    return written(judged=tuple(judged), price=3.0)


# --- Looking ------------------------------------------------------------------------------------------------------


def test_the_blocks_stand_there_word_for_word_with_their_budgets(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    told = overview()
    shown = at.page.locator(".paper pre").evaluate_all("all => all.map(one => one.textContent)")
    assert shown == [f"{block.body}\n" for block in told.blocks]
    row = at.page.locator("table.budget").first.locator("tr", has_text="todo")
    assert row.locator("td").all_inner_texts()[1:] == ["0 of 100", "", "1"]
    assert at.page.locator(".figures").inner_text().count("$") == 1


def test_a_line_of_the_block_opens_its_memory(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    at.page.locator(".paper a", has_text="Spanish VAT").click()
    assert at.focused() == "vat-per-line-4f1c9a"
    assert at.entry("vat-per-line-4f1c9a").get_attribute("open") is not None


FOUND = {
    "VAT rounds": ["vat-per-line-4f1c9a", "vat-per-order-77aa01"],
    "authority": ["vat-per-line-4f1c9a"],
    "#checkout": ["vat-per-line-4f1c9a"],
    "one cent": ["vat-per-line-4f1c9a"],
    "77aa01": ["vat-per-order-77aa01"],
    "shop/mail.py": ["moved-file-aaaaaa"],
    '"per order"': ["vat-per-order-77aa01"],
    "rounded per line": ["vat-per-line-4f1c9a"],
    "(": [],
}


def test_a_search_looks_through_all_that_is_known(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    assert at.count() == "8 memories"
    for asked, found in FOUND.items():
        assert at.search(asked) == found, asked
        assert at.count() == f"{len(found)} of 8 memories"


def test_what_was_searched_for_is_marked_also_in_the_reason(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    at.search("vat March")
    assert set(at.page.locator("#list mark").all_inner_texts()) == {"VAT", "vat", "March"}
    assert at.page.locator(".because").inner_text().startswith("why: Tax authority")


FILTERS = (
    ("category", "constraint", ["no-force-push-0b2d5e"]),
    ("state", "stale", ["vat-per-line-4f1c9a"]),
    ("state", "review", ["no-force-push-0b2d5e"]),
    ("state", "moved", ["moved-file-aaaaaa"]),
    ("state", "uncited", ["too-long-bbbbbb", "web-only-cccccc"]),
    ("standing", "misfit", ["too-long-bbbbbb"]),
    ("standing", "superseded", ["vat-per-order-77aa01"]),
    ("standing", "retired", ["gone-dddddd"]),
    ("standing", "expired", ["old-eeeeee"]),
    ("scope", "web/", ["web-only-cccccc"]),
)


def test_every_filter_keeps_what_it_says_and_its_number_is_right(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    for facet, value, found in FILTERS:
        number = at.page.locator(f'label:has(input[name="{facet}"][value="{value}"]) .number').inner_text()
        at.tick(facet, value)
        assert at.shown() == found, value
        assert int(number) == len(found)
        assert at.hash() == f"#{facet}={value}"
        at.tick(facet, value)


def test_filters_add_up_and_their_numbers_follow_the_search(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    at.tick("category", "todo")
    at.tick("category", "convention")
    assert at.count() == "4 of 8 memories"
    at.tick("standing", "retired")
    assert at.shown() == ["gone-dddddd"]
    number = at.page.locator('label:has(input[value="expired"]) .number')
    assert number.inner_text() == "1"
    at.search("moment")
    assert number.inner_text() == "0"
    at.page.click("#clear")
    assert at.count() == "8 memories"
    assert at.page.locator("#facets input:checked").count() == 0


ORDERS = {
    "importance": "no-force-push-0b2d5e",
    "newest": "vat-per-line-4f1c9a",
    "oldest": "vat-per-order-77aa01",
    "id": "gone-dddddd",
}


def test_memories_can_be_sorted(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    for order, first in ORDERS.items():
        at.page.select_option("#sort", order)
        assert at.shown()[0] == first
        assert at.hash() == f"#sort={order}"


def test_a_view_is_an_address_that_can_be_opened_again(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    at.search("vat &=#")
    at.search("vat")
    at.tick("category", "gotcha")
    at.tick("standing", "superseded")
    at.page.select_option("#sort", "oldest")
    again = look(shop, at.page.evaluate("location.hash"))
    assert again.shown() == at.shown() == ["vat-per-order-77aa01"]
    assert again.page.input_value("#q") == "vat"
    assert again.page.input_value("#sort") == "oldest"
    again.page.locator("#q").fill("vat &=#")
    assert look(shop, again.page.evaluate("location.hash")).page.input_value("#q") == "vat &=#"


def test_links_between_views_can_be_gone_back_over(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    at.page.locator(".figures a", has_text="did not fit").click()
    at.comes_to_show("too-long-bbbbbb")
    at.page.locator("table.budget").first.get_by_role("link", name="gotcha").click()
    at.comes_to_show("vat-per-line-4f1c9a", "vat-per-order-77aa01")
    at.page.go_back()
    at.comes_to_show("too-long-bbbbbb")
    at.page.locator("nav a", has_text="Over time").click()
    at.comes_to_show("too-long-bbbbbb")


def test_nothing_found_is_said_with_a_way_back(look: Callable[..., Look], shop: str) -> None:
    at = look(shop, "#q=zebra&category=gotcha")
    assert at.page.locator("#nothing").inner_text().startswith("Nothing matches. No memory says “zebra” under gotcha.")
    at.page.click("#reset")
    assert at.count() == "8 memories"
    assert at.page.locator("#nothing").is_hidden()


def test_where_a_memory_came_from_is_told_on_a_click(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    facts = at.facts("vat-per-line-4f1c9a")
    said = "A person said it · client claude-code · session 253fd5ef · at compaction · 2026-07-06 09:24 UTC"
    assert facts["Said"] == f"{said} · found by rules/1, confidence 0.71 · commit f446dcf"
    assert facts["Word for word"] == "vat has to be rounded per line"
    assert facts["Why"].startswith("Tax authority")
    assert re.split(r"\s*\n\s*", facts["Sources"]) == [
        "shop/tax.py#round_vatstale",
        "`round_vat` is no longer defined in shop/tax.py",
        "watched: round_vat (defined there)",
        "as of blob 9c1e2ab",
    ]
    assert facts["Dates"] == "confirmed 2026-07-06"
    assert facts["File"] == "memories/gotcha/vat-per-line-4f1c9a.yaml"
    assert "curator log 4f1c9a" in facts["More"]
    assert at.facts("gone-dddddd")["Retired"] == "on 2026-06-10: moved to Temporal"
    assert at.facts("too-long-bbbbbb")["Left out"].startswith("over budget: needs")


def test_what_replaced_what_is_linked_both_ways(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    at.open("vat-per-line-4f1c9a")
    at.entry("vat-per-line-4f1c9a").get_by_role("link", name="vat-per-order-77aa01").click()
    assert at.focused() == "vat-per-order-77aa01"
    assert at.hash() == "#entry=vat-per-order-77aa01"
    at.entry("vat-per-order-77aa01").get_by_role("link", name="vat-per-line-4f1c9a").click()
    assert at.focused() == "vat-per-line-4f1c9a"


def test_keys_lead_through_the_page(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    keyboard = at.page.keyboard
    keyboard.press("/")
    assert at.focused() == "q"
    keyboard.type("vat/")
    assert at.page.input_value("#q") == "vat/"
    keyboard.press("Backspace")
    keyboard.press("ArrowDown")
    assert at.focused() == "vat-per-line-4f1c9a"
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    assert at.focused() == "vat-per-order-77aa01"
    keyboard.press("Enter")
    assert at.entry("vat-per-order-77aa01").get_attribute("open") is not None
    expect(at.page).to_have_url(re.compile("entry="))
    keyboard.press("Escape")
    assert at.entry("vat-per-order-77aa01").get_attribute("open") is None
    keyboard.press("ArrowUp")
    keyboard.press("ArrowUp")
    assert at.focused() == "q"
    keyboard.press("Escape")
    assert at.page.input_value("#q") == ""
    assert at.count() == "8 memories"
    keyboard.press("Enter")
    assert at.focused() == "vat-per-line-4f1c9a"


def test_the_focus_is_seen(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    seen = set()
    for _ in range(80):
        at.page.keyboard.press("Tab")
        outline = at.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        name = at.page.evaluate("document.activeElement.tagName")
        assert outline != "none" or name == "BODY", at.page.evaluate("document.activeElement.outerHTML")
        seen.add(name)
    assert seen >= {"A", "BUTTON", "INPUT", "SELECT", "SUMMARY", "DIV"}


def test_many_memories_are_shown_by_and_by_and_all_searched(look: Callable[..., Look]) -> None:
    many = tuple(memory(f"m-{number:06x}", f"Rule number {number}.") for number in range(450))
    at = look(written(many))
    assert (len(at.shown()), at.count()) == (200, "450 memories")
    assert at.page.locator("#more").inner_text() == "Show 200 more of 250"
    at.page.click("#more")
    assert (len(at.shown()), at.focused()) == (400, "m-0000c8")
    at.page.click("#more")
    assert len(at.shown()) == 450
    assert at.page.locator("#more").is_hidden()
    assert at.search("number 449") == ["m-0001c1"]
    assert look(written(many), "#entry=m-0001c0").focused() == "m-0001c0"


# --- Eyes, ears, paper --------------------------------------------------------------------------------------------

CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const channels = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (node) => {
    while (node && getComputedStyle(node).backgroundColor === 'rgba(0, 0, 0, 0)') node = node.parentElement;
    return channels(node ? getComputedStyle(node).backgroundColor : 'white');
  };
  const weak = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest('script, noscript, title')) continue;
    const style = getComputedStyle(node);
    const ink = light(channels(node instanceof SVGElement ? style.fill : style.color));
    const paper = light(behind(node));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) weak.set(`${node.tagName} ${node.getAttribute('class')}`, ratio);
  }
  return [...weak];
}"""
"""WCAG 2.2, 1.4.3: every text that is seen, and its ratio where that is below 4.5."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_in_light_and_dark(look: Callable[..., Look], shop: str, scheme: str) -> None:
    at = look(shop, "#q=vat&entry=vat-per-line-4f1c9a", color_scheme=scheme)
    assert at.page.evaluate(CONTRAST) == []
    at.search("zebra")
    assert at.page.evaluate(CONTRAST) == []


def test_the_scheme_follows_the_system_until_a_person_says_otherwise(look: Callable[..., Look], shop: str) -> None:
    def paper(at: Look) -> str:
        return str(at.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = paper(look(shop, color_scheme="light")), paper(look(shop, color_scheme="dark"))
    assert light != dark
    at = look(shop, color_scheme="light")
    at.page.get_by_role("button", name="Dark colours").click()
    assert paper(at) == dark
    at.page.reload()
    assert paper(at) == dark
    at.page.get_by_role("button", name="Light colours").click()
    assert paper(at) == light


def test_on_paper_all_that_is_shown_is_open_and_nothing_is_to_be_clicked(look: Callable[..., Look], shop: str) -> None:
    at = look(shop, "#category=gotcha", color_scheme="dark")
    at.page.emulate_media(media="print")
    expect(at.page.locator("details.entry:not([open])")).to_have_count(0)
    assert "A person said it" in at.page.locator("#list").inner_text()
    for control in ("#q", "#sort", "#theme", "#fold", "nav"):
        assert at.page.locator(control).is_hidden(), control
    assert at.page.evaluate("getComputedStyle(document.body).color") == "rgb(32, 31, 28)"
    assert at.page.locator(".paper").first.evaluate("node => node.scrollHeight <= node.clientHeight")
    at.page.emulate_media(media="screen")
    expect(at.page.locator("details.entry[open]")).to_have_count(0)
    assert at.page.pdf().startswith(b"%PDF")


def test_every_control_has_a_name_and_every_landmark_is_there(look: Callable[..., Look], shop: str) -> None:
    at = look(shop, "#entry=vat-per-line-4f1c9a")
    session = at.page.context.new_cdp_session(at.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    controls = {"button", "checkbox", "combobox", "link", "searchbox", "DisclosureTriangle", "image", "table"}
    assert {role for role, _ in told} >= controls
    assert [role for role, name in told if role in controls and not name.strip()] == []
    landmarks = {role for role, _ in told} & {
        "banner",
        "navigation",
        "main",
        "search",
        "contentinfo",
        "region",
        "status",
    }
    assert landmarks == {"banner", "navigation", "main", "search", "contentinfo", "region", "status"}
    headings = at.page.locator("h1, h2, h3").evaluate_all("all => all.map(one => one.tagName)")
    assert headings[:3] == ["H1", "H2", "H3"]
    ids = at.page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))


def test_the_count_is_announced(look: Callable[..., Look], shop: str) -> None:
    at = look(shop)
    assert at.page.locator("#count").get_attribute("aria-live") == "polite"
    assert at.page.get_by_role("searchbox", name="Search").count() == 1


def test_nothing_moves_for_those_who_asked_for_that(look: Callable[..., Look], shop: str) -> None:
    at = look(shop, reduced_motion="reduce")
    moving = "all => all.filter(one => getComputedStyle(one).transitionDuration !== '0s').length"
    assert at.page.locator("*").evaluate_all(moving) == 0


@pytest.mark.parametrize("width", [320, 400, 700, 1000])
def test_no_width_scrolls_sideways(look: Callable[..., Look], width: int) -> None:
    long = memory("x" * 80, "y" * 900, "convention", tags=("z" * 300,), sources=(Source("a" * 400),), why="w" * 900)
    finding = Finding(Fault.INVALID, "f" * 300, "m" * 300, "h" * 300)
    at = look(
        written((*ENTRIES, long), findings=(finding,), title="t" * 200),
        f"#entry={'x' * 80}",
        viewport={"width": width, "height": 800},
    )
    assert at.page.evaluate("document.documentElement.scrollWidth") <= width
    if width < 896:
        at.page.locator("#fold summary").click()
        assert at.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 660, 1200])
@pytest.mark.parametrize("first", ["2026-05", "2025-11", "2025-06", "2021-11", "2012-12"])
def test_names_of_months_stand_apart(look: Callable[..., Look], first: str, width: int) -> None:
    entries = (
        memory("first", "One.", origin=Origin(created=f"{first}-03T00:00:00Z")),
        memory("last", "Two.", origin=Origin(created="2026-07-03T00:00:00Z")),
    )
    at = look(written(entries), viewport={"width": width, "height": 800})
    measure = (
        "all => all.map(one => one.getBoundingClientRect()).filter(one => one.width).map(one => [one.left, one.right])"
    )
    places = at.page.locator(".chart text").filter(has_text=re.compile("[A-Z]|20[0-9]{2}")).evaluate_all(measure)
    assert places
    assert all(before[1] < after[0] for before, after in itertools.pairwise(places)), places


def test_a_block_that_goes_on_below_its_box_is_seen_to(look: Callable[..., Look]) -> None:
    line = 'Check before relying on: "Spanish VAT rounds" (`round_vat` is gone from shop/tax.py).'
    told = overview()
    long = [replace(block, body=f"{block.body}\n{line}" + "\n- more" * 60) for block in told.blocks]
    at = look(webpage.write(replace(told, blocks=tuple(long)), PARTS))
    assert at.page.locator(".flag").first.inner_text() == line
    shade = "one => { one.scrollTop = 0; return getComputedStyle(one).backgroundAttachment }"
    assert at.page.locator(".paper").first.evaluate(shade).startswith("local, local, scroll, scroll")


def test_without_javascript_the_blocks_and_all_memories_can_be_read(look: Callable[..., Look], shop: str) -> None:
    at = look(shop, java_script_enabled=False)
    assert "- Spanish VAT rounds per line" in at.page.locator(".paper").first.inner_text()
    assert at.page.locator("#finder").is_hidden()
    plain = at.page.locator(".plain li").all_inner_texts()
    assert len(plain) == len(ENTRIES)
    assert any("gone-dddddd, retired on 2026-06-10: moved to Temporal" in one for one in plain)


# --- Hostile text -------------------------------------------------------------------------------------------------

EVIL = (
    "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><!--<script>"
    "\u2028\u202e\x1b]0;x\x07{{7*7}}{% for x in y %}javascript:window.hacked=1 "
    "\" onmouseover=window.hacked=1 '`&lt;\ue000\u200b"
)


def evil() -> str:
    """Every field full of it."""
    source = Source(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, (Evidence(EVIL, (EVIL,), True),))
    origin = Origin(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, 0.5, EVIL)
    one = Entry(EVIL, EVIL, EVIL, EVIL, EVIL, 5, (EVIL,), (EVIL,), EVIL, EVIL, (source,), (EVIL,), EVIL, EVIL)
    one = replace(one, origin=origin)
    other = replace(one, id="other", path="p", scope="", retired=Retired(EVIL, EVIL), supersedes=(EVIL, "third"))
    third = replace(one, id="third", path="q", scope="")
    reason = Reason(State.STALE, Change.TERM_GONE, EVIL, EVIL, (EVIL,), EVIL)
    judged = tuple(Judged(each, (Verdict(State.STALE, (reason,)),)) for each in (one, third))
    finding = Finding(Fault.INVALID, EVIL, EVIL, EVIL, EVIL, (EVIL, EVIL))
    config = Config(targets=(Target(EVIL), Target("x", EVIL)))
    more = {
        "judged": judged,
        "findings": (finding,),
        "title": EVIL,
        "trust": EVIL,
        "commit": EVIL,
        "stray": {EVIL: EVIL},
    }
    return written((one, other, third), config=config, **more)


def test_hostile_text_stays_text_wherever_it_stands(look: Callable[..., Look]) -> None:
    """T25, CWE-79: script tags, handlers, links that run, template marks, characters that hide or steer."""
    text = evil()
    assert not re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ue000]", text)
    at = look(text)
    for details in at.page.locator("details.entry").all():
        details.locator("summary").click()
    expect(at.page.locator(".facts")).to_have_count(3)
    at.search("<script>")
    assert at.page.evaluate("window.hacked") is None
    assert at.page.locator("body :is(img, iframe, object, embed, form[action], base, link)").count() == 0
    assert at.page.locator("script").count() == 2
    links = at.page.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert {link[0] for link in links} == {"#"}
    handlers = "all => all.flatMap(one => one.getAttributeNames()).filter(name => name.startsWith('on'))"
    assert at.page.locator("*").evaluate_all(handlers) == []
    shown = at.page.locator("#list .text").first.inner_text()
    assert shown.startswith("</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><!--<script>")
    assert "\\u2028\\u202e\\x1b]0;x\\x07{{7*7}}{% for x in y %}" in shown


def test_a_hostile_address_is_only_text_too(look: Callable[..., Look], shop: str) -> None:
    at = look(
        shop, "#q=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E&category=%3Cb%3E&sort=__proto__&entry=__proto__"
    )
    assert at.page.locator("#sought").inner_text().startswith("No memory says “<img src=x onerror=window.hacked=1>”")
    assert at.page.evaluate("window.hacked") is None


def test_a_script_that_got_in_would_not_run(look: Callable[..., Look], shop: str) -> None:
    at = look(shop.replace("<main>", "<main><script>window.hacked=1</script><b onclick='window.hacked=1'>x</b>"))
    at.page.click("main > b")
    assert at.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in said for said in at.said)
    at.said.clear()


# --- The command --------------------------------------------------------------------------------------------------


def test_the_command_writes_the_page_and_says_where_and_how_large(base: Repo, look: Callable[..., Look]) -> None:
    outside = base.root.parent / "memories.html"
    done = base.curator("report", "--html", str(outside), "--title", "A shop")
    assert done.exit_code == 0, done.output
    size = -(-outside.stat().st_size // 1000)
    assert f"written: {outside}, 1 memory, {size} kilobytes" in done.output
    at = look(outside.read_text("utf-8"))
    assert at.page.title() == "A shop · agent memory"
    assert at.shown() == ["a"]


def test_the_page_tells_of_what_cannot_be_read_and_of_what_is_not_reviewed(
    base: Repo, look: Callable[..., Look]
) -> None:
    base.write("memories/gotcha/<img src=x onerror=1>.yaml", "schema: 1\nid: </script>\n")
    base.commit()
    base.memory("loose", "Nobody looked at this.")
    base.curator("report", "--html", "page.html")
    at = look(base.read("page.html"))
    told = at.page.locator("#findings").inner_text()
    assert "memories/gotcha/<img src=x onerror=1>.yaml" in told
    assert "neither staged nor committed: not used" in told
    assert at.shown() == ["a"]
    assert at.page.locator("nav").inner_text().replace("\n", " ").count("Findings 5") == 1


def test_a_target_whose_file_says_something_else_is_named(base: Repo) -> None:
    page = base.curator("report", "--html", "-").stdout
    assert "the file holds another block: `curator render` writes this one" in page
    base.curator("render")
    assert "the file holds another block" not in base.curator("report", "--html", "-").stdout


def test_the_block_on_the_page_is_the_one_that_a_render_writes(base: Repo, look: Callable[..., Look]) -> None:
    base.write("shop/tax.py", "def round_vat(): ...\n")
    base.commit()
    base.curator("add", "Spanish VAT rounds per line in `round_vat` of shop/tax.py.", "--category", "gotcha")
    base.write("shop/tax.py", "def other(): ...\n")
    base.commit()
    base.curator("render")
    at = look(base.curator("report", "--html", "-").stdout)
    body = base.read("CLAUDE.md").split("<!-- AGENT_MEMORY_START -->\n")[1].split("\n<!-- AGENT_MEMORY_END -->")[0]
    assert "Check before relying on" in body
    assert at.page.locator(".paper pre").text_content() == f"{body}\n"
    assert at.page.locator(".figures .stale").inner_text() == "stale\n1"


def test_the_same_state_gives_the_same_bytes(base: Repo, tmp_path: Path) -> None:
    first = base.curator("report", "--html", "-", "--title", "x").stdout_bytes
    subprocess.run(["git", "clone", "-q", str(base.root), str(tmp_path / "clone")], check=True)
    command = [sys.executable, "-m", "curator", "report", "--html", "-", "--title", "x"]
    again = subprocess.run(command, cwd=tmp_path / "clone", check=True, capture_output=True).stdout
    assert again == first


def test_a_page_is_replaced_and_any_other_file_is_not(base: Repo) -> None:
    empty, page, other = (base.root / name for name in ("empty.html", "page.html", "other.html"))
    empty.write_text("")
    other.write_text("<p>mine</p>")
    (base.root / "link.html").symlink_to(page)
    for name in ("empty.html", "page.html", "page.html", "link.html"):
        assert base.curator("report", "--html", name).exit_code == 0
    assert (base.root / "link.html").is_symlink()
    assert page.read_text("utf-8") == empty.read_text("utf-8")
    done = base.curator("report", "--html", "other.html")
    assert (done.exit_code, other.read_text()) == (2, "<p>mine</p>")
    assert "other.html: is there and is no page that curator wrote" in done.output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("none/page.html", "there is no folder none"),
        ("memories", "is a folder"),
        ("new/", "is a folder's name"),
        ("pipe", "is no regular file"),
        ("fixed.html", "is read-only"),
        ("CLAUDE.md", "is no page that curator wrote"),
    ],
)
def test_where_it_cannot_be_written_is_said(base: Repo, name: str, told: str) -> None:
    os.mkfifo(base.root / "pipe")
    (base.root / "fixed.html").touch(0o444)
    done = base.curator("report", "--html", name)
    assert done.exit_code == 2
    assert told in done.output
    assert "Traceback" not in done.output


def test_a_full_disk_leaves_the_old_page_and_nothing_else(base: Repo) -> None:
    assert base.curator("report", "--html", "page.html").exit_code == 0
    before = (base.root / "page.html").read_bytes()
    listed = sorted(base.root.iterdir())

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    command = [sys.executable, "-m", "curator", "report", "--html", "page.html", "--title", "another"]
    done = subprocess.run(command, cwd=base.root, capture_output=True, preexec_fn=small, check=False)
    assert done.returncode == 2
    assert b"page.html: cannot be written: File too large" in done.stderr
    assert (base.root / "page.html").read_bytes() == before
    assert sorted(base.root.iterdir()) == listed


def test_a_price_that_is_none_is_refused_and_a_file_must_be_named(base: Repo) -> None:
    base.git("config", "curator.price", "cheap")
    done = base.curator("report", "--html", "-")
    assert done.exit_code == 2
    assert "is not a price in dollars a million tokens" in done.output
    assert base.curator("report").exit_code == 2


def test_an_empty_store_gets_a_page_without_controls(repo: Repo, look: Callable[..., Look]) -> None:
    repo.block(inner="")
    repo.commit("begin")
    at = look(repo.curator("report", "--html", "-").stdout)
    assert "There is no memory yet" in at.page.locator("#memories").inner_text()
    assert at.page.locator("#q").count() == 0
    at.page.keyboard.press("/")


def test_the_workflow_in_the_documents_is_pinned_reads_only_and_runs_this_command() -> None:
    root = Path(__file__).parent.parent
    text = (root / "docs/report.md").read_text(encoding="utf-8")
    shipped = (root / "hooks/ci/curator-render.yml").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
    uses = re.findall(r"uses: (\S+@[0-9a-f]{40} # v\S+)\n", snippet)
    assert len(uses) == snippet.count("uses:") == 3
    assert all(one in shipped for one in uses if "upload" not in one)
    assert re.findall(r"^permissions:\n  (.*)$", snippet, re.M) == ["contents: read"]
    assert "pull_request_target" not in snippet
