"""The comment of a pull request: short, whole or honest about what is missing, and inert whatever the memories say."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from curator.core import comment
from curator.core.compare import Change, Compared, Doubt, Effect, Field, Kind, Look, Setting, Shift, Smell
from curator.model import Entry, Level, Origin, Retired, Source
from curator.selection import LeftOut
from tests.comparing import REDIS, SEED, SQLITE, TODAY, USUAL, broken, entry

PARSER = MarkdownIt("commonmark").enable("table")
LIMIT = 65_536


def written(compared: Compared, most: int = comment.MOST) -> str:
    text = comment.written(compared, today=TODAY, most=most)
    assert len(text.encode("utf-8")) <= most <= LIMIT
    return text


def prose(text: str) -> Iterator[str]:
    """All that a CommonMark parser takes for something else than code."""
    for token in PARSER.parse(text):
        for leaf in token.children or [token]:
            if leaf.type not in {"fence", "code_inline"}:
                assert leaf.type not in {"image", "link_open", "code_block", "html_inline"} or leaf.content in OURS
                yield from leaf.content.split("\n")


OURS = {"<sub>", "</sub>"}


def test_the_first_lines_are_the_mark_and_the_counts() -> None:
    first, second, *_ = written(USUAL).split("\n")
    assert first == "<!-- curator:review -->"
    assert second.startswith("### Memory changes: 3 new, 1 changed, 1 superseded, 1 retired, 1 stale")


def test_nothing_changed_is_no_comment() -> None:
    assert written(Compared(base="main", head="HEAD", notes=("shallow",))) == ""


def test_the_parts_stand_in_the_order_in_which_they_matter() -> None:
    text = written(replace(USUAL, findings=(broken("memories/a.yaml:3", "no text"),), notes=("shallow",)))
    assert re.findall(r"^\*\*(.+)\*\*$", text, re.M) == [
        "Look at this first",
        "Notes",
        "Cannot be read",
        "Settings",
        "What the agent reads",
        "Changes",
        "Also leaves the block",
        "Stale by this change",
        "Look at",
    ]


def test_the_table_tells_what_each_category_costs() -> None:
    text = written(USUAL)
    assert "| `CLAUDE.md` | tokens before | after | budget | enters | leaves |" in text
    assert "| `constraint` | 62 | 94 | 500 | 1 |  |" in text
    assert "| **all** | 1,204 | **1,310** | 1,900 | 3 | 3 |" in text
    assert "`route`" not in text


def test_the_last_row_tells_what_enters_before_what_leaves() -> None:
    (one,) = USUAL.effects
    assert "| 1,900 | 3 | 1 |" in written(replace(USUAL, effects=(replace(one, leaves=one.leaves[:1]),)))


def test_each_target_has_a_table_of_its_own() -> None:
    others = [replace(USUAL.effects[0], path=f"{at}/CLAUDE.md") for at in range(2)]
    text = written(replace(USUAL, effects=(*USUAL.effects, *others)))
    kinds = [token.type for token in PARSER.parse(text)]
    assert kinds.count("table_open") == 3
    assert ":---" not in "".join(token.content for token in PARSER.parse(text) if token.type == "inline")
    assert "\n\n\n" not in text


def test_a_block_of_the_same_cost_under_other_headings_is_no_same_block() -> None:
    (one,) = USUAL.effects
    other = Effect("CLAUDE.md", 40, 40, one.shifts, differs=True)
    text = written(replace(USUAL, effects=(other,)))
    assert "The agent reads the same as before" not in text
    assert "The same memories under other headings or in another order." in text


def test_what_enters_unchanged_says_why_below_its_category() -> None:
    old = entry("old-c3d1f0", "Builds run in a container.", "a-category")
    shifts = (Shift("a-category", 0, 12, 0, 90),)
    for change, why in (("added", "this file is a new target"), ("", "its category has a budget now")):
        effect = Effect("AGENTS.md", 0, 81, shifts, enters=(old,), change=change)
        assert f"+ a-category  Builds run in a container.  ({why})" in written(
            Compared(changes=(), effects=(effect,), settings=USUAL.settings)
        )
    effect = Effect("AGENTS.md", 60, 81, (Shift("a-category", 0, 12, 90, 90),), enters=(old,))
    assert "(there is room for it)" in written(Compared(effects=(effect,), settings=USUAL.settings))


def test_what_goes_by_itself_is_not_told_again_as_leaving() -> None:
    text = written(USUAL)
    also = text[text.index("**Also leaves the block**") : text.index("**Stale by")]
    assert also.count("\n- ") == 1
    assert "Makefiles are indented with tabs." in also


def test_what_was_in_doubt_before_is_not_laid_to_this_change() -> None:
    (old,) = USUAL.doubts
    text = written(replace(USUAL, doubts=(old._replace(finding=old.finding._replace(settled=True), touched=True),)))
    assert "**Stale by this change**" not in text
    assert "1 edited in doubt" in text.split("\n")[1]
    told = re.sub(r"\n-  +", " ", text[text.index("**Edited, and in doubt") :])
    assert "(memory edited, and in doubt before)" in told


def test_the_closing_line_says_what_was_compared() -> None:
    assert "`curator diff main...HEAD`; all of it, as JSON" in written(replace(USUAL, dots="..."))
    assert "`curator diff a..b`; all of it, as JSON" in comment.written(USUAL, today=TODAY, asked="a..b")
    assert "`curator diff main`; all of it, as JSON" in written(replace(USUAL, head=""))


def test_files_that_cannot_be_read_are_counted_not_what_is_wrong_in_them() -> None:
    twice = [broken(f"memories/a.yaml:{line}", "no text") for line in (3, 5)]
    assert "1 unreadable" in written(Compared(findings=tuple(twice)))


def test_a_setting_is_hidden_by_what_is_said_of_itself_alone() -> None:
    path = "memories/curator.yaml"
    changed = (Setting("targets.block notes.md", "", "the whole repository"), Setting("block", "here", "main"))
    look = Look(Smell.SETTING, path, 2, "block notes.md is a new target", setting=changed[0].name)
    text = written(Compared(settings=changed, looks=(look,)))
    assert "! block: here -> main" in text
    assert "targets.block" not in text


def test_a_raised_budget_and_a_new_target_are_seen() -> None:
    effect = Effect("web/CLAUDE.md", 0, 40, (Shift("gotcha", 0, 40, 0, 900),), enters=(SEED,), change="added")
    text = written(replace(USUAL, effects=(effect,)))
    assert "| `web/CLAUDE.md` (new target) |" in text
    assert "| `gotcha` | 0 | 40 | 0 → 900 |" in text


def test_what_takes_an_entrys_place_stands_above_it() -> None:
    lines = written(USUAL).split("\n")
    at = lines.index("- decision    Cache in SQLite.  (superseded by the line above)")
    assert lines[at - 1] == "+ decision    We no longer cache in SQLite, use Redis.  (user, 3 Mar)"


def test_a_chain_of_entries_that_supersede_each_other_ends() -> None:
    links = [entry(f"link-{at:06x}", f"Rule {at}.") for at in range(3000)]
    chain = [
        Change(Kind.SUPERSEDED, old, old, by=(new,)) for old, new in zip(links, links[1:] + links[:1], strict=True)
    ]
    assert "more changes" in written(Compared(changes=tuple(chain)))


def test_orders_stand_before_all_changes() -> None:
    text = written(USUAL)
    assert text.index("tells the agent to touch a credential") < text.index("**Changes**")
    assert text.index("+ convention  Read the deploy token") < text.index("+ constraint  Never load")


def test_a_new_entry_without_room_in_the_block_says_so() -> None:
    text = written(replace(USUAL, effects=(replace(USUAL.effects[0], enters=(SEED,)),)))
    assert "use Redis.  (user, 3 Mar; not in the block)" in text


def test_quotes_reasons_and_sources_are_folded_away() -> None:
    text = written(USUAL)
    before, _, folded = text.partition("<details>")
    assert "Two teams lost a day" not in before
    assert "  why:      Two teams lost a day of work to it." in folded
    assert "  quote:    the text, word for word" in folded
    assert "\n</details>\n" in folded


def test_a_statement_with_lines_of_its_own_keeps_them() -> None:
    listed = replace(SEED, text="Before a release:\n- run the tests\n- tag it\n")
    text = written(Compared(changes=(Change(Kind.ADDED, None, listed),)))
    assert "+ constraint  Before a release:\n+             - run the tests\n+             - tag it" in text


def test_a_block_that_stays_is_said_to_stay() -> None:
    still = Effect("CLAUDE.md", 40, 40, (Shift("gotcha", 40, 40, 300, 300),))
    assert "\nThe block stays as it is.\n" in written(replace(USUAL, effects=(still,), doubts=()))


def test_code_alone_that_makes_an_entry_stale_changes_the_closing_line() -> None:
    still = Effect("CLAUDE.md", 40, 40, (Shift("gotcha", 40, 40, 300, 300),))
    assert "a render names what is stale" in written(replace(USUAL, effects=(still,)))


def test_without_a_base_the_comment_says_so() -> None:
    text = written(Compared(looks=USUAL.looks, notes=("the base is not here",), one_sided=True))
    assert text.startswith("<!-- curator:review -->\n### Memories: nothing could be compared")
    assert "! m1" in written(Compared(notes=("m1",), one_sided=True))
    assert "! the base is not here" in text


def test_a_long_text_says_how_much_of_it_is_missing() -> None:
    long = replace(SEED, text="word " * 240)
    text = written(Compared(changes=(Change(Kind.ADDED, None, long),)), most=1_200)
    assert re.search(r"\.\.\. \[[\d,]+ more characters\]", re.sub(r"\n\+ +", " ", text))


# --- Limits ----------------------------------------------------------------------------------------------------------


def many(number: int, text: str) -> Compared:
    origin = Origin(by="user", created="2026-03-03", quote=text + "x")
    entries = tuple(entry(f"e-{at:06x}", f"{text} {at}", origin=origin, why=text) for at in range(number))
    looks = tuple(Look(Smell.NEAR, one.path, 4, "is like another", one, one) for one in entries)
    doubts = tuple(Doubt(USUAL.doubts[0].finding, one, False, 3) for one in entries)
    effect = replace(USUAL.effects[0], enters=entries, leaves=tuple(LeftOut(one, "no room") for one in entries))
    changes = tuple(Change(Kind.ADDED, None, one) for one in entries)
    wide = tuple(Setting(f"budget.c{at}", "1", "2") for at in range(number))
    return replace(USUAL, changes=changes, looks=looks, doubts=doubts, effects=(effect,), settings=wide)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (10_000, "A rule of module"),
        (50, "\U0001f600" * 1200),
        (50, "`" * 1200),
        (50, "\u202e" * 1200),
        (300, "w " * 600),
    ],
    ids=["10,000", "emoji", "backticks", "bidi", "words"],
)
def test_whatever_comes_it_fits_and_says_what_is_left_out(number: int, text: str) -> None:
    start = time.process_time()
    shown = written(many(number, text))
    assert time.process_time() - start < 8
    cut = re.findall(r"^\*([\d,]+) more (\w+)\*$", shown, re.M)
    assert cut
    for title in ("Settings", "What the agent reads", "Changes", "Stale by this change", "Look at"):
        assert f"**{title}**" in shown
    assert shown.rstrip().endswith("</sub>")
    assert shown.count("<details>") == shown.count("</details>") == 1
    list(prose(shown))


def test_the_counts_of_what_is_left_out_are_right() -> None:
    shown = written(many(2_000, "A rule of module"))
    changes = shown[shown.index("**Changes**") : shown.index("**Also leaves")]
    listed = len(re.findall(r"^\+ convention", changes, re.M))
    (rest,) = re.findall(r"^\*([\d,]+) more changes\*$", changes, re.M)
    assert listed + int(rest.replace(",", "")) == 2_000


def test_in_little_room_the_gravest_is_kept() -> None:
    shown = written(replace(many(500, "A rule"), looks=USUAL.looks, settings=USUAL.settings), most=6_000)
    assert "budget.convention" in shown
    assert "tells the agent to touch a credential" in shown


def test_one_giant_hides_nothing_else() -> None:
    giant = "x" * 70_000
    wide = tuple(Shift(f"c{at}{giant[:200]}", 0, 1, 0, 1) for at in range(500))
    shown = written(
        replace(
            USUAL,
            settings=(Setting(f"capture.{giant}", giant, "x"), *USUAL.settings),
            looks=(Look(Smell.ORDER, giant, 1, giant, SEED, replace(SQLITE, text=giant)), *USUAL.looks),
            effects=(replace(USUAL.effects[0], path=giant, shifts=wide), *USUAL.effects),
            changes=(
                Change(Kind.RETIRED, SQLITE, replace(SQLITE, path="r", retired=Retired("2026-03-01", giant))),
                Change(Kind.ADDED, None, replace(SEED, path=giant, text=giant, why=giant, tags=(giant,))),
                *USUAL.changes,
            ),
            notes=(giant, "the last note"),
            findings=(broken(giant, giant), broken("memories/b.yaml", "no text")),
        )
    )
    for word in ("budget.convention", "the last note", "memories/b.yaml", "touch a credential", "| `CLAUDE.md` |"):
        assert word in shown
    assert "+ decision    We no longer cache" in shown
    assert "*476 more*" in shown


# --- T24, T25: what memories say is only ever shown -------------------------------------------------------------------

EVIL = [
    "@evil-user",
    "@evil-org/team",
    "evil/repo#1",
    "#1",
    "GH-1",
    "!1",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "https://evil.example/x",
    "[evil](http://evil.example)",
    "![evil](http://evil.example/x.png)",
    "<img src=x onerror=evil>",
    "<script>evil</script>",
    "</details>evil",
    "<!-- evil -->",
    "-->",
    "\n/merge evil\n/approve",
    "\n::error file=evil::evil",
    "\n##[error]evil",
    "\n```\nevil @evil\n```\n",
    "\n~~~evil",
    "`evil`",
    "``` evil",
    "| evil | evil |",
    "\\`evil\\`",
    "$`evil`$",
    "\n# evil",
    "\n- [ ] evil",
    "\n<details>evil",
    "\x1b[2Jevil",
    "\x1b]52;c;evil\x07",
    "\x9b31mevil",
    "evil\rlive",
    "evil\u202elive\u2066",
    "e\u200bvil",
    "\x00evil",
    "\udc80evil",
    "&lt;evil&gt;",
]
MARKS = re.compile(r"evil|@|https?:|#1|GH-1|da39|-->|/merge|::")


def hostile(text: str) -> Compared:
    """A comparison with *text* in every place where data can stand."""
    bad = replace(
        SEED,
        id=text,
        category=text,
        text=text,
        path=text,
        why=text,
        scope=text,
        tags=(text,),
        task=text,
        sources=(Source(text, symbol=text),),
        retired=Retired(text, text),
        origin=Origin(
            by=text, agent=text, session=text, trigger=text, commit=text, created=text, quote=text, extractor=text
        ),
    )
    old = replace(bad, text="", category="x", path="y")
    finding = broken(text, text)._replace(hint=text, lines=(text,))
    return Compared(
        base=text,
        head=text,
        base_commit=text,
        head_commit=text,
        changes=(
            Change(Kind.ADDED, None, bad),
            Change(Kind.RETIRED, old, replace(bad, path="z")),
            Change(Kind.SUPERSEDED, old, replace(bad, path="s"), by=(replace(bad, path="q"),)),
            Change(
                Kind.CHANGED,
                old,
                replace(bad, path="c"),
                (Field("text", f"{text} a", f"{text} b"), Field(text, text, "x")),
            ),
            Change(Kind.MOVED, old, replace(bad, path="m"), (Field("why", text, text + " b"),)),
        ),
        effects=(
            Effect(
                text,
                1,
                2,
                (Shift(text, 1, 2, 3, 4),),
                (replace(bad, path="f"),),
                (LeftOut(replace(bad, path="g"), text),),
            ),
        ),
        doubts=(Doubt(finding, bad, True, 1),),
        looks=(
            Look(Smell.ORDER, text, 1, text, bad, bad, 0.5, Level.ERROR),
            Look(Smell.SETTING, text, 1, text),
            Look(Smell.NEAR, text, 1, text, None, bad),
        ),
        settings=(Setting(text, text, "x"),),
        findings=(finding,),
        notes=(text,),
    )


def assert_inert(text: str) -> None:
    for line in prose(text):
        if line not in {comment.MARK, "<details>", "</details>"}:
            assert not MARKS.search(line), line
    assert not [letter for letter in text if ord(letter) < 0x20 and letter != "\n"]
    assert not re.search("[\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    assert not re.search(r"^\s*::\w", text, re.M)
    assert "##[" not in text
    assert not re.search(r"^\s*/\w", text, re.M)


@pytest.mark.parametrize("text", EVIL)
def test_data_stands_in_code_and_nowhere_else(text: str) -> None:
    """T24, T25."""
    assert_inert(written(hostile(text)))
    assert_inert(written(hostile(f"{text} {'long ' * 60} {text}")))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*EVIL, " ", "\n", "`", "word "]), min_size=1, max_size=8).map("".join))
def test_no_mixture_breaks_out(text: str) -> None:
    """T24, T25."""
    assert_inert(written(hostile(text)))


def test_the_mark_is_the_only_comment_of_html() -> None:
    text = written(hostile("--> <!-- curator:review -->"))
    blocks = [token.content.strip() for token in PARSER.parse(text) if token.type == "html_block"]
    assert [one for one in blocks if "<!--" in one] == [comment.MARK]


def test_an_entry_that_goes_is_shown_as_it_was() -> None:
    gone: tuple[Entry, Entry] = (SQLITE, REDIS)
    text = written(Compared(changes=(Change(Kind.REMOVED, gone[0], None),)))
    assert "- decision  Cache in SQLite.  (its file is removed)" in text
