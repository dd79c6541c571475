"""The page as text: what it says, and that no text in it can become markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest

from curator.core import page, rank, webpage
from curator.core.verdict import Change, Judged, Reason, Verdict
from curator.edge import assets
from curator.model import Config, Entry, Fault, Finding, Origin, Retired, Source, State, Target
from tests.conftest import BLOCK_TEMPLATE

PARTS = webpage.Parts(*map(assets.text, assets.REPORT))
TODAY = "2026-07-15"


def entry(name: str, text: str = "Run pytest with -q.", category: str = "gotcha", **more: object) -> Entry:
    made = Entry(name, category, f"{text}\n", path=f"memories/{category}/{name}.yaml")
    return replace(made, **more)  # type: ignore[arg-type]


def overview(*entries: Entry, config: Config | None = None, **more: object) -> webpage.Overview:
    config = config or Config()
    ordered = tuple(rank.order(entries, config))
    blocks = tuple(page.compose(ordered, target, config, BLOCK_TEMPLATE, TODAY) for target in config.targets)
    told = webpage.Overview(title="shop", as_of=TODAY, trust="index", ordered=ordered, blocks=blocks)
    return replace(told, **more)  # type: ignore[arg-type]


def written(*entries: Entry, **more: object) -> str:
    return webpage.write(overview(*entries, **more), PARTS)  # type: ignore[arg-type]


def rows(text: str) -> list[dict[str, object]]:
    (island,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    data: list[dict[str, object]] = json.loads(island)["entries"]
    return data


def test_the_policy_lets_in_this_style_and_this_script_and_nothing_else() -> None:
    text = written(entry("a"))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    for tag in ("style", "script"):
        (inner,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;;" in policy
    assert policy.startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_no_part_of_the_page_loads_anything_or_has_a_handler_or_a_style_of_its_own() -> None:
    text = written(entry("a"), config=Config(targets=(Target("CLAUDE.md"), Target("shop/CLAUDE.md", "shop/"))))
    shell = re.sub(r"<(style|script)[ >].*?</\1>", "", text, flags=re.S)
    assert not re.findall(r"\s(?:on\w+|style|src|srcset|action)=", shell)
    assert set(re.findall(r'href="([^#"]*)', shell)) <= {"", re.findall(r'href="(data:image[^#"]*)', shell)[0]}
    assert "http" not in PARTS.style + PARTS.script


def test_the_shipped_script_and_style_cannot_end_their_elements() -> None:
    assert "</" not in PARTS.style
    assert "</" not in PARTS.script
    assert "<!--" not in PARTS.script
    for risky in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
        assert risky not in PARTS.script


def test_the_same_overview_gives_the_same_bytes() -> None:
    entries = [entry("a", origin=Origin(created="2026-06-01")), entry("b", text="Ship on Fridays.")]
    assert written(*entries) == written(*reversed(entries))


def test_the_block_stands_there_as_it_is_rendered() -> None:
    told = overview(entry("a", 'Keep `x < y` & "z".'), entry("b", "First:\n\n- one\n- two"))
    text = webpage.write(told, PARTS)
    (shown,) = re.findall(r'<pre dir="auto">\n(.*?)</pre>', text, re.S)
    import html

    assert html.unescape(re.sub("<[^>]*>", "", shown)) == told.blocks[0].body + "\n"


def test_each_line_of_the_block_leads_to_its_memory() -> None:
    text = written(entry("a", "Same words."), entry("b", "Same words."), entry("c", "Other words."))
    assert re.findall(r'<a href="#entry=(\w)">', text) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("more", "standing", "out"),
    [
        ({}, "shown", None),
        ({"text": "word " * 600}, "misfit", "over budget"),
        ({"scope": "web/"}, "uncovered", "scope web/"),
        ({"retired": Retired("2026-07-01", "done")}, "retired", "retired on 2026-07-01: done"),
        ({"expires": "2026-07-01"}, "expired", "expired after 2026-07-01"),
    ],
)
def test_a_row_says_where_the_memory_stands(more: dict[str, object], standing: str, out: str | None) -> None:
    (row,) = rows(written(entry("a", **more)))  # type: ignore[arg-type]
    assert row["standing"] == standing
    assert out is None or str(row["out"]).startswith(out)


def test_superseding_is_told_both_ways_and_what_has_ended_comes_last() -> None:
    new, old = rows(written(entry("old", importance=9), entry("new", supersedes=("old",))))
    assert (new["id"], new["supersedes"]) == ("new", ["old"])
    assert (old["standing"], old["out"], old["heirs"]) == ("superseded", "superseded by new", ["new"])


def test_a_row_keeps_the_verdict_on_each_source_and_no_hashes() -> None:
    source = Source("shop/tax.py", "round_vat", blob="9c1e2ab4", header="77aa")
    one = entry("a", sources=(source,))
    reason = Reason(State.STALE, Change.DEFINITION_GONE, "shop/tax.py", "round_vat")
    (row,) = rows(written(one, judged=(Judged(one, (Verdict(State.STALE, (reason,)),)),)))
    assert row["state"] == "stale"
    assert row["sources"] == [
        {
            "path": "shop/tax.py",
            "symbol": "round_vat",
            "blob": "9c1e2ab",
            "state": "stale",
            "reasons": ["`round_vat` is no longer defined in shop/tax.py"],
        }
    ]


def test_a_memory_in_use_that_cites_nothing_is_not_called_unknown() -> None:
    one, due = entry("a"), entry("b", review_by="2026-01-01")
    told = rows(written(one, due, judged=(Judged(one), Judged(due, due=True))))
    assert {row["id"]: row["state"] for row in told} == {"a": "uncited", "b": "review"}


def test_figures_link_to_the_view_that_shows_them_and_money_needs_a_price() -> None:
    text = written(entry("a"), price=3.0)
    assert '<a href="#standing=shown&amp;standing=misfit&amp;standing=uncovered">in use</a>' in text
    assert "for 100 sessions" in text
    assert "for 100 sessions" not in written(entry("a"))


def test_an_empty_store_gets_a_friendly_page() -> None:
    text = written()
    assert "There is no memory yet." in text
    assert 'id="finder"' not in text


def test_bars_have_one_scale_and_a_table_beside_them() -> None:
    entries = [
        entry(f"m{number}", origin=Origin(created="2026-06-01"), retired=Retired("2026-07-01", "x") if number else None)
        for number in range(5)
    ]
    text = written(*entries)
    up, down = re.findall(r'<rect class="(?:learned|ended)"[^>]*height="(\d+)"', text)
    assert int(up) / int(down) == 5 / 4
    cells = re.findall(r'<tr><th scope="row">(2026-0[67])</th>(.*?)</tr>', text)
    told = {month: re.findall(r"<td>(\d+)</td>", row) for month, row in cells}
    assert told == {"2026-07": ["0", "0", "4", "1"], "2026-06": ["5", "0", "0", "5"]}


def test_the_sum_of_what_is_long_ago_stands_in_the_table_and_has_no_bar() -> None:
    long_ago = [entry(f"m{number}", origin=Origin(created="2019-06-01")) for number in range(9)]
    text = written(*long_ago, entry("new", origin=Origin(created="2026-06-01")))
    assert text.count('<rect class="learned"') == 1
    assert "1 learned</span>" in text
    assert "by month since 2023-08, at most 1 in one" in text
    assert '<th scope="row">until 2023-07</th><td>9</td>' in text


def test_findings_are_listed_with_their_lines_and_the_way_out() -> None:
    found = Finding(Fault.INVALID, "memories/gotcha/x.yaml:3", "no such key", "remove it", "", ("colour: red",))
    text = written(entry("a"), findings=(found,))
    for told in ("memories/gotcha/x.yaml:3", "no such key", "remove it", "colour: red", 'class="error"'):
        assert told in text


def test_what_could_hide_or_act_is_shown_as_an_escape() -> None:
    text = written(entry("a", "left\u202eright\x1b]0;x\x07 \u2028 </script><!--"), title="t\x1b", trust="ref\u202e")
    assert not re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]", text)
    assert "</script><!--" not in text
    (row,) = rows(text)
    assert row["text"] == "left\\u202eright\\x1b]0;x\\x07 \\u2028 </script><!--\n"
