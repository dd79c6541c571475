"""An audit as it is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator.core import checkup, dossier
from curator.core.checkup import Checked
from curator.core.survey import Audit, Broken, Rewrite, Tally, Version
from curator.core.verdict import Change, Judged, Reason, Verdict
from curator.model import Entry, Source, State
from curator.outcome import Statement

EVIL = "</code><img> [a](http://b) @team #12 `x` **b** _i_ www.evil.org &lt; ~~s~~ | $x$"


def broken(said: str = "Call `f_x`.", reasons: int = 1, edit: Rewrite | None = None) -> Broken:
    told = tuple(Reason(State.STALE, Change.TERM_GONE, "a.py", f"f_{n}", (said,)) for n in range(reasons))
    return Broken(
        "CLAUDE.md",
        Statement(said, 1, 1),
        1,
        said,
        State.STALE,
        told,
        Version("c" * 40, "2026-01-01", said, said),
        edit,
    )


@pytest.mark.parametrize(
    ("tally", "told"),
    [
        (
            Tally("CLAUDE.md", 140, 86, 9, 2, 0),
            "CLAUDE.md: 9 of 140 statements no longer hold (2 more to review, 54 name nothing that can be checked)",
        ),
        (Tally("A.md", 1, 1, 1), "A.md: 1 of 1 statement no longer holds"),
        (
            Tally("A.md", 3, 2, 0, 0, 1, (("late", 1),)),
            "A.md: 3 statements, none found stale (1 more with a path that moved, 1 not judged: late)",
        ),
    ],
)
def test_the_headline_counts(tally: Tally, told: str) -> None:
    assert dossier.headline(tally) == told


def test_markdown_holds_nothing_that_acts() -> None:
    told = dossier.markdown(Audit((Tally("CLAUDE.md", 1, 1, 1),), (broken(EVIL, edit=Rewrite(EVIL, EVIL)),)))

    for sign in ("<img", "](", "http:", "@", "`", "[", "_i_", "www.", "&lt;", "~", "|", "$"):
        assert sign not in told
    assert told.count("<code>") == told.count("</code>")
    assert "**b" not in told


def test_long_lines_are_shortened_to_the_width_and_edits_are_not() -> None:
    long = "word " * 100
    lines = [line for line, _ in dossier.lines(broken(long, edit=Rewrite(long, long)), "CLAUDE.md", 80)]

    assert all(len(line) <= 80 for line in lines if not line.lstrip().startswith(("-", "+")))
    assert f"     + {long}" in lines


def test_text_tells_three_reasons_and_how_many_more() -> None:
    lines = [line for line, _ in dossier.lines(broken(reasons=5), "CLAUDE.md", 80)]

    assert sum("also:" in line for line in lines) == 2
    assert "     and 2 more (--json tells all)" in lines


def test_text_keeps_each_name_on_its_line() -> None:
    reason = Reason(State.STALE, Change.MOVED, "a\n1. x.py", elsewhere="b\n2. y.py")
    found = replace(broken(edit=Rewrite("a\n3. z", "b\n4. z")), reasons=(reason, reason))
    told = [line for line, _ in dossier.lines(found, "c\n5. d.md", 80)]
    told += [line for line, _ in dossier.lines(replace(found, edit=None), "CLAUDE.md", 80)]
    told += [dossier.headline(Tally("e\n6. f.md", 1, 1, 1))]

    assert not [line for line in told if "\n" in line]
    assert "c\\x0a5. d.md:1: stale: a\\x0a1. x.py moved to b\\x0a2. y.py" in told


def test_check_and_audit_tell_a_reason_alike() -> None:
    reason = Reason(State.STALE, Change.PATH_GONE, "a.py")
    told = dossier.value(Audit((), (replace(broken(), reasons=(reason,)),)))
    judged = Judged(Entry("a", "convention", "x", sources=(Source("a.py"),)), (Verdict(State.STALE, (reason,)),))
    checked = checkup.value(Checked((), judged=(judged,)))

    (audited,) = told["findings"][0]["reasons"]  # type: ignore[index]
    (shown,) = checked["entries"][0]["sources"][0]["reasons"]  # type: ignore[index]
    assert audited == {**shown, "source": "a.py"}
    assert (shown["change"], shown["name"]) == ("path-gone", "a.py")
